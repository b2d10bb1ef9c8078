"""The demo's agents without a gate and without waiting: what each asks for, and when. That they trip the same switches
as the play inside one program is tested with a real host, in tests/app/tst_demo_processes.cpp."""

import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
AGENTS = ROOT / "app" / "demo" / "agents"
CLIENT = ROOT / "resources" / "clients" / "python"
sys.path[:0] = [str(AGENTS), str(CLIENT)]

from billing import BillingAgent  # noqa: E402
from booking import BookingAgent  # noqa: E402
from crawler import CrawlerAgent  # noqa: E402
from demo_agent import DemoAgent, dollars  # noqa: E402
from handreset import Decision, Denied, Retry  # noqa: E402
from research import ResearchAgent  # noqa: E402
from support import SupportAgent  # noqa: E402


class Gate:
    """Says yes to everything but what `refuses` names, and writes down what it is asked and told."""

    def __init__(self) -> None:
        self.refuses: Dict[str, Retry] = {}
        self.probes = False
        self.asked: List[Tuple[Any, ...]] = []
        self.told: List[Tuple[Any, ...]] = []
        self.open_guards = 0

    def guard(self, agent: str, task: str, parent: Optional[str], timeout: float) -> "Guard":
        self.open_guards += 1
        return Guard(self, task, parent)


class Guard:
    def __init__(self, gate: Gate, task: str, parent: Optional[str]) -> None:
        self.gate, self.task, self.parent = gate, task, parent

    def step(self, endpoint: Optional[str], model: str, estimate: str) -> "Ask":
        return Ask(self, model, (self.task, model, estimate) + ((endpoint,) if endpoint else ())
                   + ((self.parent,) if self.parent else ()))

    def call(self, tool: str, arguments: Dict[str, Any]) -> "Ask":
        return Ask(self, tool, (self.task, tool, arguments))

    def note(self, text: str) -> None:
        self.gate.told.append((self.task, "note"))

    def end(self, outcome: str) -> None:
        self.gate.told.append((self.task, outcome))

    def close(self) -> None:
        self.gate.open_guards -= 1


class Ask:
    def __init__(self, guard: Guard, subject: str, asked: Tuple[Any, ...]) -> None:
        self.guard, self.subject, self.asked = guard, subject, asked
        self.decision = Decision(id="1", allowed=True, rung="closed", probe=guard.gate.probes)
        self.changed: Optional[bool] = None
        self.outcome = "success"

    def __enter__(self) -> "Ask":
        self.guard.gate.asked.append(self.asked)
        if self.subject in self.guard.gate.refuses:
            raise Denied(Decision(id=None, allowed=False, rung="open", retry=self.guard.gate.refuses[self.subject]))
        return self

    def __exit__(self, *_: Any) -> None:
        self.guard.gate.told.append((self.guard.task, self.subject, self.outcome, self.changed))

    def failure(self, error: str) -> None:
        self.outcome = "failure"

    def result(self, ok: bool = True, status: int = 0, error: str = "", model: str = "", cost: str = "") -> None:
        self.guard.gate.told.append((self.guard.task, self.subject, ok, status, cost))


def played(agent: DemoAgent, acts: int = 10_000) -> float:
    """Does what is planned without waiting. The play's time then."""
    agent.start()
    while acts > 0 and agent.do_next():
        acts -= 1
    return agent._time


class AgentsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.gate = Gate()

    def tools(self, tool: str) -> List[Tuple[Any, ...]]:
        return [told for told in self.gate.told if told[1] == tool]

    def test_dollars(self) -> None:
        self.assertEqual([dollars(0), dollars(4), dollars(130)], ["0.00 USD", "0.04 USD", "1.30 USD"])

    def test_billing_pays_an_invoice_first(self) -> None:
        played(BillingAgent(guard=self.gate.guard), 1)
        pix = {"amount": 120, "currency": "BRL", "pix_key": "acme@example.com", "request_id": "1"}
        self.assertEqual(self.gate.asked, [("invoice-2229", "large-model", "0.04 USD"),
                                           ("invoice-2229", "lookup_invoice", {"id": 2229}),
                                           ("invoice-2229", "large-model", "0.03 USD"),
                                           ("invoice-2229", "send_pix", pix)])
        self.assertEqual(self.gate.told[-1], ("invoice-2229", "paid"))
        self.assertEqual(self.gate.open_guards, 0)

    def test_billing_has_three_in_flight_at_once(self) -> None:
        played(BillingAgent(guard=self.gate.guard, run="9"))
        parts = [asked for asked in self.gate.asked if "month-end-part" in asked[0]]
        self.assertEqual(parts, [(f"month-end-part-{n}-9", "large-model", "0.60 USD", "month-end-9")
                                 for n in (1, 2, 3)])
        costs = [told[4] for told in self.gate.told if "month-end-part" in told[0]]
        self.assertEqual(costs, ["1.30 USD", "1.45 USD", "1.60 USD"])

    def test_billing_looks_up_the_same_and_stops_when_refused(self) -> None:
        played(BillingAgent(guard=self.gate.guard))
        same = [told for told in self.tools("lookup_invoice") if told[0] == "invoice-2231"]
        self.assertEqual(same, [("invoice-2231", "lookup_invoice", "success", False)] * 12)
        self.gate = Gate()
        self.gate.refuses["large-model"] = Retry("after_human")
        played(BillingAgent(guard=self.gate.guard))
        self.assertIn(("invoice-2231", "note"), self.gate.told)
        self.assertIn(("invoice-2231", "small-model", True, 200, "0.01 USD"), self.gate.told)

    def test_booking_fails_three_runs_and_then_books(self) -> None:
        played(BookingAgent(guard=self.gate.guard))
        outcomes = [told[2] for told in self.tools("book_room")]
        self.assertEqual(outcomes, ["failure"] * 3 + ["success"] * 14)
        self.assertEqual(self.gate.open_guards, 0)

    def test_booking_comes_back_soon_while_calls_count(self) -> None:
        self.gate.refuses["book_room"] = Retry("after_calls", 2)
        self.assertAlmostEqual(played(BookingAgent(guard=self.gate.guard), 3), 4.2)
        for kind, pause in (("after_calls", 0.3), ("after_seconds", 2.8)):
            self.gate.refuses["book_room"] = Retry(kind, 2)
            self.assertAlmostEqual(played(BookingAgent(guard=self.gate.guard), 4), 4.2 + pause)

    def test_a_probe_takes_its_time(self) -> None:
        self.gate.probes = True
        self.assertAlmostEqual(played(BookingAgent(guard=self.gate.guard), 4), 4.2 + 3)

    def test_crawler_gives_up_after_eight_refusals(self) -> None:
        self.gate.refuses["large-model"] = Retry("after_human")
        played(CrawlerAgent(guard=self.gate.guard))
        self.assertEqual(len(self.gate.asked), 8)

    def test_research_meets_four_failures_of_the_provider(self) -> None:
        played(ResearchAgent(guard=self.gate.guard))
        failed = [told for told in self.gate.told if told[2:4] == (False, 503)]
        self.assertEqual(len(failed), 4)
        self.assertEqual([told[0] for told in self.gate.told if told[1] == "written"],
                         ["digest-1", "digest-2", "digest-3", "digest-4"])
        self.gate = Gate()
        self.gate.refuses["mistral-large"] = Retry("after_seconds", 30)
        played(ResearchAgent(guard=self.gate.guard), 1)
        self.assertEqual(self.gate.asked[1], ("digest-1", "small-model", "0.01 USD", "openai-us"))

    def test_support_ends_forty_tasks(self) -> None:
        length = played(SupportAgent(guard=self.gate.guard))
        self.assertEqual(len([told for told in self.gate.told if told[1] == "answered"]), 40)
        self.assertTrue(117 < length < 210, length)

    def test_the_same_seed_is_the_same_play(self) -> None:
        lengths = [played(SupportAgent(seed=seed, guard=Gate().guard)) for seed in (7, 7, 8)]
        self.assertEqual(lengths[0], lengths[1])
        self.assertNotEqual(lengths[0], lengths[2])


class ProcessTest(unittest.TestCase):
    """The scripts as they are started; no gate is there, so all that they ask is refused."""

    def run_agent(self, words: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = dict(os.environ, PYTHONPATH=str(CLIENT), HANDRESET_GATE="unix:/nowhere", HANDRESET_TOKEN="t")
        return subprocess.run([sys.executable, "-s", "-B", str(AGENTS / "crawler.py"), *arguments], env=environment,
                              input=words, capture_output=True, text=True, timeout=60)

    def test_it_does_not_begin_without_the_word(self) -> None:
        ended = self.run_agent("")
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "ready\n", ""))

    def test_it_ends_with_its_standard_input(self) -> None:
        ended = self.run_agent("go\n")
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "ready\n", ""))

    def test_wrong_arguments(self) -> None:
        self.assertEqual(self.run_agent("", "--speed", "fast").returncode, 2)


if __name__ == "__main__":
    unittest.main()
