"""Works through forty quiet tasks. Nothing happens to it, and that is the point."""

from demo_agent import DemoAgent, main

TASKS = 40


class SupportAgent(DemoAgent):
    name = "support"

    def start(self) -> None:
        self.after(1, lambda: self._begin(1))

    def _begin(self, number: int) -> None:
        self._answer(self.task_name(f"ticket-{7100 + number}"), number, 1 + number % 3)
        if number < TASKS:
            self.after(self.between(3, 5), lambda: self._begin(number + 1))

    def _answer(self, task: str, number: int, left: int) -> None:
        self.think(task, "large-model", 1)
        self.use(task, "search_articles", {"ticket": number, "page": left})
        pause = self.between(0.7, 2.2)
        if left > 1:
            self.after(pause, lambda: self._answer(task, number, left - 1))
        else:
            self.after(pause, lambda: self.end(task, "answered"))


if __name__ == "__main__":
    main(SupportAgent)
