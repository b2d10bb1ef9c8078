"""Books a room in each run. The tool `book_room` is down for its first nine real calls; a run makes at most three of
them, with backoff, and the breaker hears of a run once (spec 2, the reference run). So it opens after the third run,
turns runs away, lets one probe out and closes."""

from typing import Any, Dict

from demo_agent import DemoAgent, main
from handreset import Call, Denied, HandresetError

DOWN_FOR = 9  # real calls
ATTEMPTS = 3  # real calls of one run
BOOKINGS = 14  # then the agent has done its work
MOST_RUNS = 120
BACKOFF = (0.1, 0.2, 0.4)


class BookingAgent(DemoAgent):
    name = "booking"

    def start(self) -> None:
        self._runs = 0
        self._real_calls = 0  # of book_room, ever
        self._attempt = 0  # of this run, from 1
        self._booked = 0
        self._task = ""
        self._call: Call
        self.after(3, self._begin_run)

    def _begin_run(self) -> None:
        self._runs += 1
        self._attempt = 0
        self._task = self.task_name(f"trip-{400 + self._runs}")
        if not self.think(self._task, "large-model", 2):
            self._end_run("refused", 6)
            return
        self.after(0.6, self._look)

    def _look(self) -> None:
        self.use(self._task, "list_rooms", {"city": "Porto", "guest": self._runs})
        self.use(self._task, "get_quote", self._room())
        self.after(0.6, self._book)

    def _book(self) -> None:
        try:
            self._call = self.ask_tool(self._task, "book_room", self._room())
        except HandresetError as refusal:
            # Two runs come soon after the breaker opened and are turned away; the next one later, when the time is
            # over too.
            is_soon = isinstance(refusal, Denied) and refusal.retry is not None and refusal.retry.kind == "after_calls"
            self._end_run("turned away", 0.3 if is_soon else 2.8)
            return
        self._call_tool()

    def _call_tool(self) -> None:
        # A probe takes its time, so that a person sees HALF_OPEN.
        self._attempt += 1
        self.after(3 if self._call.decision.probe else 0.35, self._tool_came)

    def _tool_came(self) -> None:
        self._real_calls += 1
        if self._real_calls > DOWN_FOR:
            self._call.changed = True
            self._call.__exit__(None, None, None)
            self._booked += 1
            self._end_run("booked", self.between(5, 9))
        elif self._attempt < ATTEMPTS:
            self.after(BACKOFF[self._attempt - 1], self._call_tool)
        else:
            self._call.failure("503 from the booking service, three times")
            self._call.__exit__(None, None, None)
            self._end_run("failed", 4 if self._runs < 3 else 0.5)

    def _end_run(self, outcome: str, pause: float) -> None:
        self.end(self._task, outcome)
        if self._booked < BOOKINGS and self._runs < MOST_RUNS:
            self.after(pause, self._begin_run)

    def _room(self) -> Dict[str, Any]:
        return {"room": 204, "nights": 2, "guest": self._runs}


if __name__ == "__main__":
    main(BookingAgent)
