"""Reads news through the endpoint `mistral-eu`, which fails for a while: the provider's trip degrades the agent, it
goes on with the cheaper model elsewhere, and the clock re-arms it."""

from demo_agent import DemoAgent, dollars, main
from handreset import HandresetError

READS = 36
READS_PER_TASK = 9
FAILS_FROM = 10  # the endpoint's first bad answer
FAILS = 4  # one more than the policy allows in a minute
ENDPOINT = "mistral-eu"


class ResearchAgent(DemoAgent):
    name = "research"

    def start(self) -> None:
        self._reads = 0
        self._failed = 0
        self._task = ""
        self.after(2, self._read)

    def _read(self) -> None:
        if self._reads % READS_PER_TASK == 0:
            self._task = self.task_name(f"digest-{1 + self._reads // READS_PER_TASK}")
        self._reads += 1
        try:
            step = self.ask_model(self._task, "mistral-large", 2, ENDPOINT)
        except HandresetError:
            self._read_elsewhere()
        else:
            if self._reads >= FAILS_FROM and self._failed < FAILS:
                self._failed += 1
                step.result(ok=False, status=503, error="upstream connect error", cost=dollars(0))
            else:
                self.model_answered(step, "mistral-large", 2)
                self.use(self._task, "search_articles", {"page": self._reads})
        if self._reads % READS_PER_TASK == 0:
            self.end(self._task, "written")
        if self._reads < READS:
            self.after(self.between(3, 5), self._read)

    def _read_elsewhere(self) -> None:
        if self.think(self._task, "small-model", 1, "openai-us"):
            self.use(self._task, "search_articles", {"page": self._reads})


if __name__ == "__main__":
    main(ResearchAgent)
