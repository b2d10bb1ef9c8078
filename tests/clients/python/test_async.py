"""AsyncGuard: the same rules over asyncio streams. What both share is tested in test_rules and test_guard."""

import asyncio
import time
import unittest

import support
import gate_stand_in as told
from handreset import AsyncGuard, Denied, GateError


class Async(unittest.IsolatedAsyncioTestCase):
    tcp = False

    def setUp(self):
        self.gate = told.Gate(tcp=self.tcp)
        self.addCleanup(self.gate.close)

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)    # it would tell of every slow moment of a busy machine

    def guard(self, **named):
        named.setdefault("tools", {"look_up": "read"})
        named.setdefault("timeout", support.PATIENT)
        return AsyncGuard("billing", "t1", address=self.gate.address, token="secret", **named)

    async def test_steps_and_calls(self):
        self.gate.script = [told.allow("degraded", model="small")]
        async with self.guard() as guard:
            async with guard.step(endpoint="eu") as step:
                self.assertEqual(step.model, "small")
                await step.result(tokens_in=1, tokens_out=0)
            async with guard.call("send", {"a": 1}) as call:
                call.changed = False
            with self.assertRaises(OSError):
                async with guard.call("send", {"a": 2}):
                    raise OSError
            self.assertTrue(await guard.note("so far"))
            self.assertTrue(await guard.end())
        self.assertEqual([r.body for r in self.gate.posts()],
                         [{"ok": True, "tokens_in": 1, "tokens_out": 0}, {"outcome": "success", "changed": False},
                          {"outcome": "failure", "error": "OSError"}])
        self.assertEqual(self.gate.connections, 1)

    async def test_a_refusal_reports_nothing(self):
        self.gate.otherwise = told.deny()
        async with self.guard() as guard:
            with self.assertRaises(Denied):
                async with guard.call("send", {}):
                    self.fail("not entered")
            self.gate.otherwise = told.status(422)
            with self.assertRaises(GateError):
                async with guard.step():
                    self.fail("not entered")
        self.assertEqual(len(self.gate.requests), 2)

    async def test_cancelled_is_neutral(self):
        async with self.guard() as guard:
            async def work():
                async with guard.call("send", {}):
                    await asyncio.sleep(60)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(work(), 1)
        self.assertEqual([r.body["outcome"] for r in self.gate.posts()], ["neutral"])

    async def test_cancelled_while_asking_is_taken_back(self):
        self.gate.script = [told.slow(1)]
        async with self.guard() as guard:
            async def work():
                async with guard.call("send", {}):
                    self.fail("not entered")
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(work(), 0.4)
            self.assertEqual(guard.unsent, 1)
        self.assertEqual([r.body["outcome"] for r in self.gate.posts()], ["neutral"])

    async def test_tries_within_one_call(self):
        made, slept = [], []

        async def tool(a):
            made.append(a)
            if len(made) < 3:
                raise OSError

        async def sleep(seconds):
            slept.append(seconds)

        async with self.guard() as guard:
            await guard.run("send", {"a": 1}, tool, sleep=sleep)
        self.assertEqual((made, slept, len(self.gate.asks())), ([1, 1, 1], [0.1, 0.2], 1))
        self.assertEqual([r.body["outcome"] for r in self.gate.posts()], ["success"])

    async def test_misbehaviour_is_not_reached(self):
        for name, bad in (("drop", told.drop), ("cut", told.cut), ("garbage", told.GARBAGE),
                          ("huge", told.HUGE), ("trickle", told.trickle),
                          ("slow", told.slow(5)), ("500", told.status(500)), ("another's", told.OTHER)):
            with self.subTest(name):
                self.gate.requests.clear()
                self.gate.script = [bad, told.allow(), bad, bad, bad]
                async with self.guard(timeout=support.BRIEF) as guard:
                    async with guard.call("send", {}):
                        pass
                    first, second = self.gate.asks()[:2]
                    self.assertEqual(first.body, second.body)
                    begun = time.monotonic()
                    with self.assertRaises(Denied) as caught:
                        async with guard.call("send", {}):
                            self.fail("not entered")
                    self.assertTrue(caught.exception.offline)
                    self.assertLess(time.monotonic() - begun, 2 * support.BRIEF + 2)
                    self.gate.script = []

    async def test_away_and_back(self):
        async with self.guard(offline="lease") as guard:
            async with guard.call("look_up", {}):
                pass
            self.gate.stop()
            async with guard.call("look_up", {}) as call:
                self.assertTrue(call.decision.offline)
            with self.assertRaises(Denied):
                async with guard.call("send", {}):
                    self.fail("not entered")
            self.assertEqual(guard.unsent, 1)
            self.gate.start()
            async with guard.call("send", {}):
                self.assertEqual((guard.unsent, guard.uncounted), (0, 0))
        leased, sent = self.gate.asks()[1:]
        self.assertEqual([r.body["tool"] for r in (leased, sent)], ["look_up", "send"])

    async def test_a_task_that_the_gate_does_not_know_is_nothing_to_tell_of(self):
        self.gate.results = told.status(404)
        async with self.guard() as guard:
            self.assertEqual((await guard.note("x"), await guard.end(), guard.unsent), (False, False, 0))

    async def test_a_gate_that_hangs_costs_two_tries_and_not_more(self):
        async with self.guard(offline="lease", timeout=0.25) as guard:
            async with guard.call("look_up", {}):
                pass
            self.gate.otherwise = self.gate.results = told.slow(3)
            begun = time.monotonic()
            for _ in range(20):
                async with guard.call("look_up", {}) as call:
                    self.assertTrue(call.decision.offline)
            self.assertLess(time.monotonic() - begun, 2)
            self.assertEqual(guard.unsent, 20)
            self.gate.stop()

    async def test_many_at_once(self):
        async with self.guard() as guard:
            async def work(n):
                for k in range(10):
                    async with guard.call("send", {"n": n, "k": k}):
                        await asyncio.sleep(0)
            await asyncio.gather(*(work(n) for n in range(16)))
            self.assertLessEqual(len(guard._lines), 8)
        self.assertEqual((len(self.gate.asks()), len(self.gate.posts())), (160, 160))

    async def test_a_look(self):
        self.gate.results = told.raw(told.answer(200, {"rung": "closed"}))
        async with self.guard() as guard:
            self.assertEqual(await guard.look(), {"rung": "closed"})


class AsyncOnLoopback(Async):
    tcp = True


class Loops(support.WithGate):
    def test_a_guard_outlives_its_event_loop(self):
        guard = AsyncGuard("billing", "t1", address=self.gate.address, token="secret", timeout=support.PATIENT)

        async def once():
            async with guard.call("send", {}) as call:
                self.assertFalse(call.decision.offline)

        for _ in range(3):
            asyncio.run(once())
        self.assertEqual(len(self.gate.posts()), 3)


if __name__ == "__main__":
    unittest.main()
