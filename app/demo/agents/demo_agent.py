"""What the agents of the demo have in common: a plan of what they do next, the play's time, and how they ask.

Each agent is a process of its own, which asks through the Python client as any agent would; nothing here knows the fleet
in another way. The address and the token come in the environment (HANDRESET_GATE, HANDRESET_TOKEN). The program that
started it speaks on standard input: a line begins the play, and its end, or the program's own, ends it.
"""

import sys

if sys.version_info < (3, 9):
    sys.exit("it is older than 3.9")

import argparse
import heapq
import os
import random
import select
import time
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from handreset import Call, Guard, HandresetError, Step

Act = Callable[[], None]

PATIENCE = 10.0
"""Seconds for one exchange. Long, so that a slow machine plays the same story as a quick one."""


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02} USD"


class DemoAgent:
    """One agent. `start` plans its first acts; what an act plans comes after it. Seconds are the play's, whatever its
    speed: an act that is late does not make those after it late too."""

    name = ""

    def __init__(self, speed: float = 1.0, seed: int = 1, run: str = "", until: Optional[float] = None,
                 guard: Callable[..., Any] = Guard) -> None:
        self._speed = speed
        self._run = run
        self._until = until
        self._make_guard = guard
        # Of its own, or one agent's haste would change what another one does.
        self._chance = random.Random(f"{seed}/{self.name}")
        self._time = 0.0
        self._acts = 0
        self._plan: List[Tuple[float, int, Act]] = []  # by time, then in the order of planning
        self._guards: Dict[str, Any] = {}
        self._began = 0.0

    def start(self) -> None:
        raise NotImplementedError

    # Time.

    def after(self, wait: float, act: Act) -> None:
        """Does `act` when the play has come to `wait` from now."""
        heapq.heappush(self._plan, (self._time + wait, self._acts, act))
        self._acts += 1

    def between(self, shortest: float, longest: float) -> float:
        return self._chance.uniform(shortest, longest)

    # Asks.

    def task_name(self, name: str) -> str:
        """An ended task's name is never used again, so a later play in the same store has names of its own."""
        return f"{name}-{self._run}" if self._run else name

    def think(self, task: str, model: str, cents: int, endpoint: Optional[str] = None) -> bool:
        """A model call that is asked for and answered at once. False when it was refused."""
        try:
            step = self.ask_model(task, model, cents, endpoint)
        except HandresetError:
            return False
        self.model_answered(step, model, cents)
        return True

    def ask_model(self, task: str, model: str, cents: int, endpoint: Optional[str] = None,
                  parent: Optional[str] = None) -> Step:
        """Asks only; the result is told later. Raises HandresetError when it was refused."""
        return self._guard(task, parent).step(endpoint, model, dollars(cents)).__enter__()  # type: ignore[no-any-return]

    def model_answered(self, step: Step, model: str, cents: int) -> None:
        step.result(status=200, model=model, cost=dollars(cents))

    def use(self, task: str, tool: str, arguments: Dict[str, Any], changed: bool = True) -> bool:
        """A tool call that is asked for and succeeds at once. False when it was refused."""
        try:
            with self._guard(task).call(tool, arguments) as call:
                call.changed = changed
        except HandresetError:
            return False
        return True

    def ask_tool(self, task: str, tool: str, arguments: Dict[str, Any]) -> Call:
        """Asks only; `call.__exit__` tells later. Raises HandresetError when it was refused."""
        return self._guard(task).call(tool, arguments).__enter__()  # type: ignore[no-any-return]

    def note(self, task: str, text: str) -> None:
        try:
            self._guard(task).note(text)
        except HandresetError:
            pass  # nobody waits for it

    def end(self, task: str, outcome: str) -> None:
        guard = self._guard(task)
        try:
            guard.end(outcome)
        except HandresetError:
            pass
        del self._guards[task]
        guard.close()

    def _guard(self, task: str, parent: Optional[str] = None) -> Any:
        if task not in self._guards:
            self._guards[task] = self._make_guard(self.name, task=task, parent=parent, timeout=PATIENCE)
        return self._guards[task]

    # The play.

    def play(self) -> None:
        """From the word to begin up to the end of the plan, of `until`, or of standard input."""
        self.start()
        print("ready", flush=True)
        if not os.read(sys.stdin.fileno(), 64):
            return
        self._began = time.monotonic()
        while self._plan and (self._until is None or self._plan[0][0] <= self._until):
            if not self._wait_until(self._plan[0][0]):
                return
            self.do_next()
        for guard in self._guards.values():
            guard.close()

    def do_next(self) -> bool:
        """Moves the play's time to the next act and does it. False: there is none."""
        if not self._plan:
            return False
        due, _, act = heapq.heappop(self._plan)
        self._time = max(self._time, due)
        act()
        return True

    def _wait_until(self, due: float) -> bool:
        """False: standard input has ended, and with it the play."""
        while True:
            left = self._began + due / self._speed - time.monotonic()
            if select.select([sys.stdin.fileno()], [], [], max(left, 0))[0]:
                return False
            if left <= 0:
                return True


def main(agent: Type[DemoAgent]) -> None:
    parser = argparse.ArgumentParser(description=agent.__doc__)
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than life")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same pauses")
    parser.add_argument("--run", default="", help="tells this play's tasks from those of earlier ones")
    parser.add_argument("--until", type=float, help="seconds of the play's time")
    options = parser.parse_args()
    agent(options.speed, options.seed, options.run, options.until).play()
