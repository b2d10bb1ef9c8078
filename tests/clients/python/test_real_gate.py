"""The Python client against a gate that really runs. Whoever starts the gate (with the policy ../real_gate.toml, agent
"booking", nothing asked before; tests/clients/with_real_gate does it) says where it is:

    HANDRESET_TEST_GATE     its address, as clients take it
    HANDRESET_TEST_TOKEN    a token of the agent "booking"

Without them there is nothing to test, and it says so.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import unittest
import uuid
from decimal import Decimal

import support
import handreset
from handreset import AsyncGuard, Denied, GateError, Guard

GATE = os.environ.get("HANDRESET_TEST_GATE")
TOKEN = os.environ.get("HANDRESET_TEST_TOKEN")
# A busy machine is no reason to fail here; how long an answer may take is tested elsewhere.
PATIENT = {"address": GATE, "token": TOKEN, "timeout": 5.0}


@unittest.skipUnless(GATE and TOKEN, "skipped: no HANDRESET_TEST_GATE and HANDRESET_TEST_TOKEN")
class RealGate(unittest.TestCase):
    def guard(self, **named):
        guard = Guard(**{**PATIENT, "agent": "booking", "task": f"t-{uuid.uuid4()}", **named})
        self.addCleanup(guard.close)
        return guard

    def post(self, guard, path, fields):
        answer = guard._exchange(handreset._Request("POST", path, json.dumps(fields).encode()))
        self.assertIsInstance(answer, handreset._Answer)
        return answer

    def test_seven_runs_make_eleven_real_calls_each_run_a_process(self):
        script = os.path.join(support._here, "reference_run.py")
        runs = []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(7):
                done = subprocess.run(
                    [sys.executable, script, os.path.join(folder, "calls")], capture_output=True, text=True, timeout=60,
                    env={**os.environ, "HANDRESET_GATE": GATE, "HANDRESET_TOKEN": TOKEN, "HANDRESET_AGENT": "booking"})
                self.assertEqual(done.returncode, 0, done.stderr)
                runs.append(json.loads(done.stdout))
        self.assertEqual([run["book_room"] for run in runs],
                         ["failure"] * 3 + ["rejected"] * 2 + ["success"] * 2)
        self.assertEqual([run["real_calls"] for run in runs], [3, 3, 3, 0, 0, 1, 1])
        self.assertEqual(sum(run["real_calls"] for run in runs), 11)
        for run in runs:
            self.assertEqual((run["list_rooms"], run["get_quote"], run["unsent"]), (True, True, 0))
        for run in runs[3:5]:
            self.assertEqual((run["source"], run["breaker"]), ("breaker", "book_room"))
            self.assertIn("OPEN", run["text"])
        self.assertEqual(runs[0]["slept"], [0.1, 0.2])

    def test_a_step_its_result_a_note_and_the_end(self):
        guard = self.guard(session="s1")
        with guard.step(endpoint="eu", model="large", estimated_cost="0.05 USD") as step:
            self.assertEqual((step.decision.rung, step.model), ("closed", "large"))
            step.result(status=200, model="large", cost="0.01", currency="USD", tokens_in=0, tokens_out=5)
        self.assertTrue(guard.note("all is well"))
        self.assertTrue(guard.end("success"))
        with self.assertRaises((Denied, GateError)):    # an ended task's name is never used again
            with guard.step():
                self.fail("not entered")
        self.assertEqual((guard.unsent, guard.lost), (0, 0))

    def test_a_look_moves_nothing(self):
        guard = self.guard()
        first, second = guard.look(), guard.look()
        self.assertEqual((first["rung"], first["revision"]), (second["rung"], second["revision"]))
        self.assertIn(first["rung"], ("closed", "degraded", "open"))

    def test_repetition_degrades_and_only_reads_go_on(self):
        guard = self.guard(tools={"get_quote": "read"})
        for _ in range(2):
            with guard.call("get_quote", {"a": 1, "b": 2}):
                pass
        with self.assertRaises(Denied) as caught:
            with guard.call("get_quote", {"b": 2.0, "a": 1}):
                self.fail("not entered")
        self.assertEqual((caught.exception.source, caught.exception.rung), ("repetition", "degraded"))
        self.assertEqual(caught.exception.retry, handreset.Retry("after_human"))
        self.assertIsNotNone(caught.exception.trip)
        with self.assertRaises(Denied):
            with guard.call("send_mail", {"to": "x"}):
                self.fail("not entered")
        with guard.call("list_rooms", {}):
            pass
        with guard.step() as step:
            self.assertEqual(step.model, "small-model")
        with self.assertRaises(Denied) as caught:
            with guard.step(model="large"):
                self.fail("not entered")
        self.assertEqual(caught.exception.model, "small-model")
        self.assertTrue(guard.note("I kept asking for the same quote"))

    def test_amounts_under_a_value_cap_are_numbers(self):
        guard = self.guard()
        for amount in (12.50, 7, Decimal("500.00"), Decimal("5E+2")):
            with guard.call("send_pix", {"amount": amount}) as call:
                self.assertEqual(call.decision.rung, "closed")

    def test_a_task_that_the_gate_does_not_know_is_nothing_to_tell_of(self):
        guard = self.guard()
        self.assertEqual((guard.note("x"), guard.end("failure"), guard.unsent), (False, False, 0))

    def test_what_was_made_on_a_lease_is_counted(self):
        guard = self.guard(offline="lease", tools={"list_rooms": "read"})

        def steps():
            return json.loads(self.post(guard, "/v1/steps", {"agent": "booking", "task": guard.task}).body)["decision"]

        with guard.step():
            pass
        real, guard._exchange = guard._exchange, lambda request: handreset._Away("played by the test")
        for _ in range(30):                             # the policy lets 25 through
            with guard.step() as step:
                self.assertTrue(step.decision.offline)
        guard._exchange = real
        with self.assertLogs("handreset", "WARNING") as logged:
            while not guard.flush():
                pass
        self.assertEqual((guard.uncounted, guard.lost), (6, 0))
        self.assertIn("steps", logged.output[0])
        self.assertEqual(steps(), "deny")

    def test_an_id_makes_an_ask_one(self):
        guard = self.guard()
        ident = str(uuid.uuid4())
        ask = {"agent": "booking", "task": guard.task, "tool": "list_rooms", "arguments": {"n": 1}, "id": ident}
        for _ in range(4):                              # more than repetition would let pass
            self.assertTrue(handreset.read_decision(self.post(guard, "/v1/calls", ask).body, ident).allowed)
        self.assertEqual(self.post(guard, "/v1/calls", {**ask, "arguments": {"n": 2}}).status, 409)
        result = f"/v1/calls/{ident}/result"
        self.assertEqual(self.post(guard, result, {"outcome": "success"}).status, 204)
        # Told again, it is late and moves nothing: a client whose answer was lost may take either for "it is in".
        self.assertIn(self.post(guard, result, {"outcome": "success"}).status, (204, 409))
        self.assertEqual(self.post(guard, "/v1/calls", ask).status, 409)

    def test_wrong_requests_and_wrong_tokens(self):
        for status, guard, ask in (
                (401, self.guard(token="nobody"), lambda g: g.step()),
                (403, self.guard(agent="another"), lambda g: g.step()),
                (400, self.guard(), lambda g: g.step(estimated_cost="five")),
                (400, self.guard(), lambda g: g.call("list_rooms", {"bad": "\ud800"}))):
            with self.assertRaises(GateError) as caught:
                with ask(guard):
                    self.fail("not entered")
            self.assertIn(caught.exception.status, (status, 422) if status == 400 else (status,))

    def test_asyncio(self):
        async def work():
            async with AsyncGuard("booking", f"t-{uuid.uuid4()}", **PATIENT) as guard:
                async with guard.step() as step:
                    await step.result(tokens_in=1, tokens_out=1)
                async with guard.call("list_rooms", {"n": 3}) as call:
                    self.assertFalse(call.decision.offline)
                self.assertEqual(guard.unsent, 0)
        asyncio.run(work())


if __name__ == "__main__":
    unittest.main()
