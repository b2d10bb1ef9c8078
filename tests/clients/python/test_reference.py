"""The reference run (spec 2) by seven processes. Here the breaker is a small one of the test's own, so that a fault of the
client shows without a gate; test_real_gate.py has the same run against a real one."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import support
import gate_stand_in as told


class SmallBreaker:
    """Threshold 3, cooldown 2 calls: what the reference run needs of spec 2's table."""

    def __init__(self):
        self.state, self.failures, self.rejected = "CLOSED", 0, 0
        self.states = []

    def ask(self, request):
        if request.body.get("tool") != "book_room" or self.state == "CLOSED":
            return told.allow()(request)
        if self.rejected == 2:
            self.state = "HALF_OPEN"
            return told.allow(probe=True)(request)
        self.rejected += 1
        self.states.append(self.state)
        return told.deny(breaker="book_room", retry={"after_calls": 2 - self.rejected})(request)

    def result(self, request, asked):
        if asked.get("tool") != "book_room":
            return
        if request.body["outcome"] == "success":
            self.state, self.failures = "CLOSED", 0
        else:
            self.failures += 1
            if self.failures >= 3:
                self.state, self.rejected = "OPEN", 0
        self.states.append(self.state)


class Reference(support.WithGate):
    def test_seven_runs_make_eleven_real_calls(self):
        breaker = SmallBreaker()

        def tell(request):
            ident = request.path.split("/")[3]
            breaker.result(request, next(r.body for r in self.gate.asks() if r.body["id"] == ident))
            return told.answer(204)

        self.gate.otherwise = breaker.ask
        self.gate.results = tell
        script = os.path.join(support._here, "reference_run.py")
        runs = []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(7):
                done = subprocess.run(
                    [sys.executable, script, os.path.join(folder, "calls")], capture_output=True, text=True, timeout=60,
                    env={**os.environ, "HANDRESET_GATE": self.gate.address, "HANDRESET_TOKEN": "t",
                         "HANDRESET_AGENT": "booking"})
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                runs.append(json.loads(done.stdout))
        self.assertEqual([run["real_calls"] for run in runs], [3, 3, 3, 0, 0, 1, 1])
        self.assertEqual(breaker.states, ["CLOSED", "CLOSED", "OPEN", "OPEN", "OPEN", "CLOSED", "CLOSED"])
        self.assertEqual([run["slept"] for run in runs], [[0.1, 0.2]] * 3 + [[]] * 4)
        # Five runs told of one result each, the two that were rejected of none.
        booked = [r.body["id"] for r in self.gate.asks() if r.body.get("tool") == "book_room"]
        told_of = [r.path.split("/")[3] for r in self.gate.posts()]
        self.assertEqual([told_of.count(ident) for ident in booked], [1, 1, 1, 0, 0, 1, 1])


if __name__ == "__main__":
    unittest.main()
