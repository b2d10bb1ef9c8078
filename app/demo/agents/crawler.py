"""Walks a site that has no end: its twenty-sixth model call in one task trips the steps limit. Then it asks now and
then, and is refused."""

from demo_agent import DemoAgent, main

GIVES_UP_AFTER = 8  # refusals
MOST_PAGES = 60  # should a human's grant, or another policy, let it go on


class CrawlerAgent(DemoAgent):
    name = "crawler"

    def start(self) -> None:
        self._refused = 0
        self._pages = 0
        self.after(9, self._walk)

    def _walk(self) -> None:
        task = self.task_name("sitemap-acme")
        if self.think(task, "large-model", 1):
            self._pages += 1
            self.use(task, "search_articles", {"site": "acme.example", "page": self._pages})
        else:
            self._refused += 1
        if self._refused < GIVES_UP_AFTER and self._pages < MOST_PAGES:
            self.after(self.between(3, 4.4), self._walk)


if __name__ == "__main__":
    main(CrawlerAgent)
