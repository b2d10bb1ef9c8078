"""The Python client's Guard over real sockets, with a gate that behaves as it should and as it should not."""

import asyncio
import decimal
import os
import socket
import tempfile
import threading
import time
import unittest

import support
import gate_stand_in as told
import handreset
from handreset import Denied, GateError, Guard, TooMany, Unreached


class Steps(support.WithGate):
    def test_an_ask_and_its_result(self):
        guard = self.guard(session="s1", parent="p1")
        with guard.step(endpoint="eu", model="large", estimated_cost="0.05 USD") as step:
            self.assertEqual(step.model, "large")
            step.result(status=200, cost=decimal.Decimal("0.070"), currency="USD", tokens_in=0, tokens_out=12)
        ask, result = self.gate.requests
        ident = ask.body.pop("id")
        self.assertEqual(ask.body, {"agent": "billing", "task": "t1", "session": "s1", "parent": "p1", "endpoint": "eu",
                                    "model": "large", "estimated_cost": "0.05 USD"})
        self.assertNotRegex(ident, r"^ask-")
        self.assertRegex(ident, r"^[A-Za-z0-9._:-]{1,128}$")
        self.assertEqual(ask.headers["authorization"], "Bearer secret")
        self.assertEqual(result.path, f"/v1/steps/{ident}/result")
        self.assertEqual(result.body, {"ok": True, "status": 200, "cost": "0.070", "currency": "USD", "tokens_in": 0,
                                       "tokens_out": 12})

    def test_degraded_it_tells_the_model_to_use(self):
        self.gate.otherwise = told.allow("degraded", model="small")
        with self.guard().step() as step:
            self.assertEqual(step.model, "small")
        self.gate.otherwise = told.deny("degraded", "steps", model="small")

    def test_a_refusal_names_the_model_and_reports_nothing(self):
        self.gate.otherwise = lambda request: told.answer(200, {
            "id": None, "decision": "deny", "rung": "degraded", "writes": False, "model": "small",
            "reason": {"source": "rung", "text": "degraded", "retry": "after_human"}})
        with self.assertRaises(Denied) as caught:
            with self.guard().step(model="large"):
                self.fail("the block must not be entered")
        self.assertEqual((caught.exception.model, caught.exception.rung), ("small", "degraded"))
        self.assertEqual(len(self.gate.requests), 1)

    def leave(self, error):
        with self.assertRaises(type(error)):
            with self.guard().step():
                raise error
        return self.gate.posts()[-1].body

    def test_leaving_without_a_result_is_ok(self):
        with self.guard().step():
            pass
        self.assertEqual(self.gate.posts()[0].body, {"ok": True})

    def test_an_exception_is_a_failure_and_its_text_stays_here(self):
        self.assertEqual(self.leave(OSError("at https://key@host")), {"ok": False, "error": "OSError"})

    def test_an_http_error_brings_its_status(self):
        error = type("RateLimitError", (Exception,), {"status_code": 429, "headers": {"retry-after": "1.5"}})()
        self.assertEqual(self.leave(error), {"ok": False, "status": 429, "error": "RateLimitError", "retry_after": 2})

    def test_a_wait_is_whole_and_a_day_at_most(self):
        for given, sent in ((1.2, 2), (-1, 0), (1e9, 86400), (float("inf"), 86400)):
            with self.guard().step() as step:
                step.result(ok=False, status=429, retry_after=given)
            self.assertEqual(self.gate.posts()[-1].body["retry_after"], sent)

    def test_who_cancels_is_no_failure_of_the_provider(self):
        for error in (KeyboardInterrupt(), asyncio.CancelledError(), SystemExit()):
            self.assertEqual(self.leave(error)["status"], 499)

    def test_our_own_refusal_is_no_failure_of_the_provider(self):
        self.gate.script = [told.allow(), told.deny()]
        guard = self.guard()
        with self.assertRaises(Denied):
            with guard.step():
                with guard.call("send", {}):
                    pass
        self.assertEqual([r.body for r in self.gate.posts()], [{"ok": True}])

    def test_a_result_is_told_once(self):
        with self.assertRaises(RuntimeError):
            with self.guard().step() as step:
                step.result(ok=False, status=500)
                step.result()
        self.assertEqual([r.body for r in self.gate.posts()], [{"ok": False, "status": 500}])


class Calls(support.WithGate):
    def outcome(self, error=None, neutral_on=(), use=None):
        try:
            with self.guard().call("send", {"a": 1}, neutral_on=neutral_on) as call:
                if use:
                    use(call)
                if error:
                    raise error
        except BaseException as caught:
            self.assertIs(caught, error)
        return self.gate.posts()[-1].body

    def test_an_ask_and_its_result(self):
        arguments = {"to": "Zoë", "n": [1, None, True, 1.5], "big": 2 ** 70}
        with self.guard().call("send", arguments):
            pass
        ask, result = self.gate.requests
        self.assertEqual((ask.path, ask.body["tool"], ask.body["arguments"]), ("/v1/calls", "send", arguments))
        self.assertEqual(result.path, f"/v1/calls/{ask.body['id']}/result")
        self.assertEqual(result.body, {"outcome": "success"})

    def test_a_decimal_is_a_number_digit_for_digit(self):
        bodies, wire = [], Guard._wire
        guard = self.guard()
        guard._wire = lambda request: bodies.append(request.body) or wire(guard, request)
        amounts = [decimal.Decimal("12.50"), decimal.Decimal("0.10000000000000000000000000001")]
        with guard.call("send", {"amount": amounts[0], "rest": [amounts[1], "12.50"]}):
            pass
        self.assertIn(b'"arguments": {"amount": 12.50, "rest": [0.10000000000000000000000000001, "12.50"]}', bodies[0])

    def test_outcomes(self):
        self.assertEqual(self.outcome(), {"outcome": "success"})
        self.assertEqual(self.outcome(OSError("secret")), {"outcome": "failure", "error": "OSError"})
        self.assertEqual(self.outcome(ValueError(), (ValueError,)), {"outcome": "neutral", "error": "ValueError"})
        self.assertEqual(self.outcome(use=lambda call: call.neutral()), {"outcome": "neutral"})
        self.assertEqual(self.outcome(OSError(), use=lambda call: call.neutral("bad date")),
                         {"outcome": "neutral", "error": "bad date"})
        self.assertEqual(self.outcome(use=lambda call: call.failure("HTTP 503")),
                         {"outcome": "failure", "error": "HTTP 503"})
        for error in (KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()):
            self.assertEqual(self.outcome(error)["outcome"], "neutral")

    def test_changed(self):
        for value in (True, False):
            self.assertEqual(self.outcome(use=lambda call: setattr(call, "changed", value))["changed"], value)

    def test_a_refusal_reports_nothing_whatever_the_caller_does(self):
        self.gate.otherwise = told.deny(breaker="send", retry={"after_calls": 1})
        guard = self.guard()
        for _ in range(3):
            with self.assertRaises(Denied) as caught:
                with guard.call("send", {}):
                    self.fail("the block must not be entered")
        self.assertEqual(caught.exception.breaker, "send")
        self.assertEqual(len(self.gate.requests), 3)

    def test_a_refusal_within_a_call_is_neutral(self):
        self.gate.script = [told.allow(), told.deny()]
        guard = self.guard()
        with self.assertRaises(Denied):
            with guard.call("plan", {}):
                with guard.call("send", {}):
                    pass
        self.assertEqual([r.body["outcome"] for r in self.gate.posts()], ["neutral"])

    def test_each_call_is_asked_for_on_its_own(self):
        call = self.guard().call("send", {})
        with call:
            pass
        with self.assertRaises(RuntimeError):
            with call:
                pass

    def test_what_is_no_json_is_not_sent(self):
        for wrong in ({"a": float("nan")}, {"a": object()}, {"a": b""}):
            with self.assertRaises((TypeError, ValueError)):
                with self.guard().call("send", wrong):
                    pass
        self.assertEqual(self.gate.requests, [])


class Runs(support.WithGate):
    def setUp(self):
        super().setUp()
        self.made, self.slept = 0, []

    def fails(self, times, error=OSError):
        def tool(**arguments):
            self.made += 1
            if self.made <= times:
                raise error()
            return arguments
        return tool

    def run_(self, function, **named):
        return self.guard().run("send", {"a": 1}, function, sleep=self.slept.append, **named)

    def test_one_call_of_the_breaker_holds_all_tries(self):
        self.assertEqual(self.run_(self.fails(2)), {"a": 1})
        self.assertEqual((self.made, self.slept), (3, [0.1, 0.2]))
        self.assertEqual(len(self.gate.asks()), 1)
        self.assertEqual([r.body for r in self.gate.posts()], [{"outcome": "success"}])

    def test_one_failure_when_all_are_used_up(self):
        with self.assertRaises(OSError):
            self.run_(self.fails(9))
        self.assertEqual(self.made, 3)
        self.assertEqual([r.body["outcome"] for r in self.gate.posts()], ["failure"])

    def test_a_mistake_of_ours_is_not_tried_again(self):
        with self.assertRaises(ValueError):
            self.run_(self.fails(9, ValueError), neutral_on=(ValueError,))
        self.assertEqual((self.made, self.gate.posts()[0].body["outcome"]), (1, "neutral"))

    def test_a_refusal_never_touches_the_tool(self):
        self.gate.otherwise = told.deny()
        with self.assertRaises(Denied):
            self.run_(self.fails(0))
        self.assertEqual((self.made, self.slept, len(self.gate.requests)), (0, [], 1))

    def test_a_refusal_within_the_tool_is_not_tried_again(self):
        self.gate.script = [told.allow(), told.deny()]
        guard, made = self.guard(), []

        def tool(**_):
            made.append(1)
            with guard.call("other", {}):
                pass

        with self.assertRaises(Denied):
            guard.run("send", {}, tool, sleep=self.slept.append)
        self.assertEqual((len(made), self.gate.posts()[0].body["outcome"]), (1, "neutral"))


class Misbehaving:
    """A first exchange that goes wrong in every way; the second try of the same ask gets its decision."""

    def test_the_second_try_carries_the_same_id(self):
        for name, bad in (("drop", told.drop), ("cut", told.cut), ("garbage", told.GARBAGE),
                          ("huge", told.HUGE), ("trickle", told.trickle),
                          ("slow", told.slow(5)), ("500", told.status(500)), ("408", told.status(408)),
                          ("redirect", told.raw(told.answer(302, {}, "Location: http://127.0.0.1:1/\r\n"))),
                          ("another's", told.OTHER), ("Allow", told.raw(
                              told.answer(200, {"decision": "Allow", "rung": "closed"})))):
            with self.subTest(name):
                self.gate.requests.clear()
                self.gate.script = [bad, told.allow()]
                guard = self.guard(timeout=support.BRIEF)
                with guard.call("send", {}) as call:
                    self.assertFalse(call.decision.offline)
                first, second = self.gate.asks()
                self.assertEqual(first.body, second.body)
                self.assertEqual([r.body for r in self.gate.posts()], [{"outcome": "success"}])

    def test_two_bad_answers_are_no_answer_in_twice_the_time(self):
        guard = self.guard(offline="lease", timeout=support.BRIEF)
        with guard.call("look_up", {}):
            pass
        for bad in (told.drop, told.cut, told.slow(9), told.trickle, told.HUGE):
            self.gate.script = [bad] * 3               # the first may hit a kept connection, which is no try
            begun = time.monotonic()
            with self.assertRaises(Denied) as caught:
                with guard.call("send", {}):
                    self.fail("not reached is refused")
            self.assertLess(time.monotonic() - begun, 2 * support.BRIEF + 2)
            self.assertEqual((caught.exception.source, caught.exception.offline), ("offline", True))
            self.gate.script = []
            guard.flush()

    def test_a_kept_connection_is_used_again(self):
        guard = self.guard()
        for _ in range(5):
            with guard.call("send", {}):
                pass
        self.assertEqual((self.gate.connections, len(self.gate.requests)), (1, 10))

    def test_a_stale_connection_is_opened_again_without_costing_a_try(self):
        guard = self.guard(tries=1)
        with guard.call("send", {}):
            pass
        self.gate.hang_up()
        with guard.call("send", {}):
            pass
        # The gate closes just as the request comes: seen only when the answer does not come.
        self.gate.script = [told.drop, told.allow()]
        with guard.call("send", {}) as call:
            self.assertFalse(call.decision.offline)
        self.assertEqual(len({r.body["id"] for r in self.gate.asks()}), 3)

    def test_a_closed_answer_is_not_kept(self):
        self.gate.script = [lambda request: told.allow()(request).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)]
        guard = self.guard()
        with guard.call("send", {}):
            pass
        self.assertEqual(self.gate.connections, 2)


class MisbehavingOnAUnixSocket(Misbehaving, support.WithGate):
    pass


class MisbehavingOnLoopback(Misbehaving, support.WithGate):
    tcp = True


class FullQueue(support.WithGate):
    """Under a flood the gate's queue of connections is full for moments. That is waited for, within the timeout."""

    def setUp(self):
        super().setUp()
        self.gate.stop()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.gate._path)
        listener.listen(0)
        self.addCleanup(listener.close)
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
        with self.assertRaises(BlockingIOError):
            while True:
                other = socket.socket(socket.AF_UNIX)
                self.addCleanup(other.close)
                other.setblocking(False)
                other.connect(self.gate._path)
        serving = threading.Timer(0.3, self.gate._accept, [listener])
        serving.daemon = True
        serving.start()

    def test_by_threads(self):
        with self.guard().call("send", {}) as call:
            self.assertFalse(call.decision.offline)

    def test_by_asyncio(self):
        async def ask():
            guard = handreset.AsyncGuard("billing", address=self.gate.address, token="t", timeout=support.PATIENT)
            async with guard, guard.call("send", {}) as call:
                self.assertFalse(call.decision.offline)
        asyncio.run(ask())


class Errors(support.WithGate):
    def test_a_wrong_request_is_an_error_with_its_place(self):
        for code in (400, 401, 403, 404, 409, 413, 415, 422):
            self.gate.otherwise = told.status(code, field="arguments", offset=17)
            with self.assertRaises(GateError) as caught:
                with self.guard().call("send", {}):
                    self.fail("not entered")
            error = caught.exception
            self.assertEqual((error.status, error.code, error.message, error.field, error.offset),
                             (code, "told", "as told", "arguments", 17))
        self.assertEqual(self.gate.posts(), [])

    def test_503_denies_everything_leases_too(self):
        guard = self.guard(offline="lease")
        with guard.call("look_up", {}):
            pass
        self.gate.otherwise = told.status(503, "Retry-After: 5\r\n")
        with self.assertRaises(Denied) as caught:
            with guard.call("look_up", {}):
                pass
        self.assertFalse(caught.exception.offline)
        self.assertEqual(caught.exception.retry, handreset.Retry("after_seconds", 5))
        self.assertEqual(len(self.gate.asks()), 2)     # an answer is not tried again
        self.gate.stop()
        with self.assertRaises(Denied):
            with guard.call("look_up", {}):
                pass

    def test_a_flood_is_told_when_to_come_back(self):
        self.gate.otherwise = told.status(429, "Retry-After: 3\r\n")
        with self.assertRaises(Denied) as caught:
            with self.guard().call("send", {}):
                pass
        self.assertEqual(caught.exception.retry, handreset.Retry("after_seconds", 3))
        self.assertEqual(self.gate.posts(), [])


class Offline(support.WithGate):
    def test_never_contacted(self):
        self.gate.stop()
        for ask in (lambda g: g.step(), lambda g: g.call("look_up", {}), lambda g: g.call("send", {})):
            with self.assertRaises(Denied) as caught:
                with ask(self.guard(offline="lease")):
                    self.fail("not entered")
            self.assertIn("never answered", caught.exception.text)

    def test_a_lease_and_its_end(self):
        guard = self.guard(offline="lease", lease_seconds=2)
        for tool in ("look_up", "send"):
            with guard.call(tool, {}):
                pass
        self.gate.stop()
        with guard.call("look_up", {}) as call:
            self.assertTrue(call.decision.offline)
        with self.assertRaises(Denied):
            with guard.call("send", {}):
                pass
        time.sleep(2)
        with self.assertRaises(Denied) as caught:
            with guard.call("look_up", {}):
                pass
        self.assertIn("lease", caught.exception.text)

    def test_open_stays_open_while_the_gate_is_away_and_not_longer(self):
        guard = self.guard(offline="lease")
        with guard.call("look_up", {}):
            pass
        self.gate.script = [told.deny("open", "steps", "after_human", ident=False)]
        with self.assertRaises(Denied):
            with guard.step():
                pass
        self.gate.stop()
        for _ in range(2):
            with self.assertRaises(Denied) as caught:
                with guard.call("look_up", {}):
                    pass
            self.assertIn("open", caught.exception.text)
        self.gate.start()
        with guard.call("look_up", {}) as call:
            self.assertFalse(call.decision.offline)

    def test_a_look_that_says_open_is_remembered(self):
        guard = self.guard(offline="lease")
        with guard.call("look_up", {}):
            pass
        self.gate.results = told.raw(told.answer(200, {"rung": "open"}))
        self.assertEqual(guard.look(), {"rung": "open"})
        self.gate.stop()
        with self.assertRaises(Denied):
            with guard.call("look_up", {}):
                pass


class OnALease(support.WithGate):
    """What was made on a lease is counted when the gate is back: the ask first, then its result."""

    def setUp(self):
        super().setUp()
        self.away = self.guard(offline="lease", tools={"look_up": "read"})
        with self.away.step(model="large"):
            pass
        with self.away.call("look_up", {"n": 0}):
            pass
        self.gate.stop()
        with self.away.call("look_up", {"n": 1}) as call:
            self.idents = [call.decision.id]
        with self.away.step(model="large") as step:
            self.idents.append(step.decision.id)
            step.result(tokens_in=5, tokens_out=6)
        self.assertEqual((self.away.unsent, self.away.uncounted), (2, 0))
        self.gate.requests.clear()
        self.gate.start()

    def said(self):
        return [(r.path, r.body.get("id")) for r in self.gate.requests]

    def test_the_ask_goes_first(self):
        self.assertTrue(self.away.flush())
        call, step = self.idents
        self.assertEqual(self.said(), [("/v1/calls", call), (f"/v1/calls/{call}/result", None),
                                       ("/v1/steps", step), (f"/v1/steps/{step}/result", None)])
        ask = self.gate.requests[0].body
        self.assertEqual((ask["agent"], ask["task"], ask["tool"], ask["arguments"]),
                         ("billing", "t1", "look_up", {"n": 1}))
        self.assertEqual(self.gate.requests[3].body, {"ok": True, "tokens_in": 5, "tokens_out": 6})
        self.assertEqual((self.away.uncounted, self.away.lost), (0, 0))

    def test_what_is_refused_by_now_is_said_and_its_result_is_not_told(self):
        self.gate.script = [told.allow(), told.deny("open", "steps", "after_human", ident=False)]
        with self.assertLogs("handreset", "WARNING") as logged:
            self.assertTrue(self.away.flush())
        self.assertEqual(len(self.gate.posts()), 1)
        self.assertEqual((self.away.uncounted, self.away.lost), (1, 0))
        self.assertIn("made on a lease is not counted", logged.output[0])
        self.assertEqual(self.away.rung, "open")       # the gate's word, as of any ask

    def test_what_cannot_be_taken_is_said(self):
        self.gate.script = [told.status(422), told.status(403)]
        with self.assertLogs("handreset", "WARNING"):
            self.assertTrue(self.away.flush())
        self.assertEqual((self.away.uncounted, self.away.lost, self.gate.posts()), (2, 0, []))
        self.gate.stop()
        with self.assertRaises(Denied):                # and no lease outlives an answer without a decision
            with self.away.call("look_up", {}):
                pass

    def test_it_is_asked_for_once_more_only_until_it_is_in(self):
        self.gate.results = told.drop
        self.assertFalse(self.away.flush())            # the ask is in, its result is not
        self.gate.results = None
        self.gate.script = [told.deny()]               # would be a refusal, if the first one were asked for again
        with self.assertLogs("handreset", "WARNING"):
            self.assertTrue(self.away.flush())
        self.assertEqual([r.body["id"] for r in self.gate.asks()], self.idents)
        self.assertEqual(self.away.uncounted, 1)       # the step

    def test_what_is_in_already_is_counted(self):
        self.gate.otherwise = told.status(409)
        self.gate.results = told.status(409)
        self.assertTrue(self.away.flush())
        self.assertEqual(self.away.uncounted, 0)

    def test_a_result_without_its_ask_is_not_counted(self):
        self.gate.otherwise, self.gate.results = told.status(409), told.status(404)
        with self.assertLogs("handreset", "WARNING"):
            self.assertTrue(self.away.flush())
        self.assertEqual(self.away.uncounted, 2)

    def test_a_store_that_cannot_be_written_gets_it_later(self):
        self.gate.script = [told.status(503), told.status(429), told.raw(told.answer(200, {"decision": "maybe"}))]
        for _ in range(3):
            self.assertFalse(self.away.flush())
        self.assertTrue(self.away.flush())
        self.assertEqual((self.away.uncounted, len(self.gate.posts())), (0, 2))

    def test_what_is_given_up_is_said(self):
        self.gate.otherwise = told.status(500)
        with self.assertLogs("handreset", "WARNING"):
            for _ in range(2 * handreset.MOST_TURNED_AWAY):
                self.away.flush()
        self.assertEqual((self.away.uncounted, self.away.lost, self.away.unsent), (2, 0, 0))

    def test_what_is_pushed_out_is_said(self):
        with self.assertLogs("handreset", "WARNING"):
            for n in range(handreset.LARGEST_OUTBOX):
                self.away._outbox.add(handreset._Post(f"/{n}", b"{}"))
        self.assertEqual((self.away.uncounted, self.away.lost), (2, 0))
        self.away._outbox._posts.clear()


class AGateThatHangs(support.WithGate):
    """It takes the connection and never answers. That costs the first ask its two tries, and the others next to
    nothing."""

    def setUp(self):
        super().setUp()
        self.hung = self.guard(offline="lease", timeout=0.25)
        self.addCleanup(self.gate.stop)
        while True:                                    # the machine may be too busy for 250 ms
            try:
                with self.hung.call("look_up", {}):
                    break
            except Denied:
                support.let_the_pause_pass(self.hung)
        self.hung.flush()
        self.gate.otherwise = self.gate.results = told.slow(3)
        self.gate.requests.clear()

    def test_calls_go_on(self):
        begun = time.monotonic()
        for _ in range(50):
            with self.hung.call("look_up", {}) as call:
                self.assertTrue(call.decision.offline)
        self.assertLess(time.monotonic() - begun, 2)
        self.assertGreaterEqual(len(self.gate.asks()), 2)
        self.assertEqual((len(self.gate.posts()), self.hung.unsent), (0, 50))

    def test_a_refusal_comes_at_once_and_says_how_it_was_missed(self):
        for _ in range(2):
            begun = time.monotonic()
            with self.assertRaises(Denied) as caught:
                with self.hung.call("send", {}):
                    pass
        self.assertLess(time.monotonic() - begun, 0.2)
        self.assertIn("no answer within 250 ms", caught.exception.text)

    def test_it_is_found_when_it_is_back(self):
        with self.hung.call("look_up", {}):
            pass
        self.gate.otherwise, self.gate.results = told.allow(), None
        self.hung._timeout = support.PATIENT
        support.let_the_pause_pass(self.hung)
        with self.hung.call("send", {}) as call:
            self.assertFalse(call.decision.offline)
        self.assertEqual((self.hung.unsent, self.hung.uncounted), (0, 0))


class LaterOn(support.WithGate):
    """Results that cannot be posted wait, in order, until the gate is back."""

    def test_results_wait_in_order(self):
        guard = self.guard(offline="lease")
        calls = [guard.call("look_up", {"n": n}) for n in range(3)]
        for call in calls:
            call.__enter__()
        idents = [r.body["id"] for r in self.gate.asks()]
        self.gate.stop()
        for call in calls:
            call.__exit__(None, None, None)
        self.assertEqual((guard.unsent, self.gate.posts()), (3, []))
        self.assertFalse(guard.note("the gate was away"))
        self.gate.start()
        with guard.call("look_up", {}):
            self.assertEqual(guard.unsent, 0)          # told before the next ask is judged
        self.assertEqual([r.path.split("/")[3] for r in self.gate.posts()][:3], idents)
        self.assertEqual(self.gate.requests[6].path, "/v1/tasks/t1/note")

    def test_409_means_that_it_is_in(self):
        guard = self.guard()
        self.gate.results = told.status(409)
        with guard.call("send", {}):
            pass
        self.assertEqual(guard.unsent, 0)

    def test_a_lost_answer_to_a_result_is_told_again(self):
        guard = self.guard()
        self.gate.results = told.drop
        with guard.call("send", {}):
            pass
        self.assertEqual(guard.unsent, 1)
        self.gate.results = told.status(409)
        self.assertTrue(guard.flush())
        self.assertEqual(len({(r.path, str(r.body)) for r in self.gate.posts()}), 1)

    def test_a_store_that_cannot_be_written_gets_it_later(self):
        guard = self.guard()
        self.gate.results = told.status(503)
        with guard.call("send", {}):
            pass
        self.assertEqual(guard.unsent, 1)
        with guard.call("send", {}) as call:           # it is there: the ask goes on, though the result waits
            self.assertFalse(call.decision.offline)
        self.gate.results = None
        guard.close()
        self.assertEqual(guard.unsent, 0)

    def test_a_result_that_the_gate_can_never_take_blocks_neither_asks_nor_the_others(self):
        guard = self.guard()
        self.gate.results = told.status(500)
        with guard.call("send", {}):
            pass
        with guard.call("send", {}) as call:
            self.assertFalse(call.decision.offline)
        self.assertEqual(guard.unsent, 2)
        with self.assertLogs("handreset", "WARNING"):
            for _ in range(handreset.MOST_TURNED_AWAY):
                guard.flush()
        self.gate.results = None
        self.assertTrue(guard.flush())
        self.assertEqual(guard.lost, 1)

    def test_a_result_that_the_gate_calls_wrong_is_logged_and_does_not_disturb(self):
        guard = self.guard()
        self.gate.results = told.status(422)
        with self.assertLogs("handreset", "WARNING"):
            with guard.call("send", {}):
                pass
        self.assertEqual(guard.unsent, 0)

    def test_the_exception_of_the_block_is_not_covered(self):
        guard = self.guard()
        with self.assertRaises(KeyError):
            with guard.call("send", {}):
                self.gate.stop()
                raise KeyError
        self.assertEqual(guard.unsent, 1)

    def test_what_waits_is_bounded(self):
        guard = self.guard()
        for n in range(handreset.LARGEST_OUTBOX + 5):
            guard._outbox.add(handreset._Post(f"/{n}", b"{}"))
        self.assertEqual((guard.unsent, guard.lost), (handreset.LARGEST_OUTBOX, 5))
        self.assertEqual(guard._outbox.first().path, "/5")

    def test_an_ask_whose_answer_was_lost_for_good_is_taken_back(self):
        """The gate may have let it out as a probe; nobody makes the call, so it must not hold the breaker."""
        guard = self.guard()
        self.gate.script = [told.drop, told.drop]
        with self.assertRaises(Denied):
            with guard.call("send", {}):
                pass
        self.gate.results = told.status(404)           # or the gate never heard of it
        with self.assertNoLogs():
            guard.flush()
        self.assertEqual([(r.path, r.body["outcome"]) for r in self.gate.posts()],
                         [(f"/v1/calls/{self.gate.asks()[0].body['id']}/result", "neutral")])
        self.assertEqual(guard.unsent, 0)

    def test_an_interrupted_ask_is_taken_back(self):
        guard = self.guard()
        kept = guard._exchange

        def interrupted(request):
            kept(request)
            raise KeyboardInterrupt

        guard._exchange = interrupted
        with self.assertRaises(KeyboardInterrupt):
            with guard.step():
                pass
        guard._exchange = kept
        guard.flush()
        self.assertEqual(self.gate.posts()[0].body["status"], 499)

    def test_nothing_is_taken_back_of_what_was_refused_or_never_sent(self):
        guard = self.guard()
        self.gate.script = [told.deny(), told.status(422), told.status(429), told.status(503)]
        for _ in range(4):
            with self.assertRaises((Denied, GateError)):
                with guard.call("send", {}):
                    pass
        self.gate.stop()
        with self.assertRaises(Denied):
            with guard.call("send", {}):
                pass
        self.assertEqual(guard.unsent, 0)

    def assertNoLogs(self, *_):                        # noqa: N802, Python 3.10 has it of its own
        import contextlib

        @contextlib.contextmanager
        def none():
            try:
                with self.assertLogs("handreset", "WARNING"):
                    yield
            except AssertionError:
                return
            self.fail("something was logged")
        return none()


class Others(support.WithGate):
    def test_notes_and_ends(self):
        guard = self.guard(task="a/b ?")
        self.assertTrue(guard.note("stuck at the invoice"))
        self.assertTrue(guard.end("failure"))
        self.assertEqual([(r.path, r.body) for r in self.gate.requests],
                         [("/v1/tasks/a%2Fb%20%3F/note", {"agent": "billing", "text": "stuck at the invoice"}),
                          ("/v1/tasks/a%2Fb%20%3F/end", {"agent": "billing", "outcome": "failure"})])
        for code in (401, 403, 422):
            self.gate.results = told.status(code)
            with self.assertRaises(GateError):
                guard.note("x")
        self.assertEqual(guard.unsent, 0)

    def test_a_task_that_the_gate_does_not_know_is_nothing_to_tell_of(self):
        guard = self.guard()
        self.gate.otherwise = told.deny("open", "rung", "after_human", ident=False)
        self.gate.results = told.status(404)
        with self.assertRaises(Denied):
            with guard.step():
                pass
        self.assertEqual((guard.note("I was about to pay"), guard.end("failure"), guard.unsent), (False, False, 0))

    def test_a_look_too_many_is_no_mistake(self):
        guard = self.guard()
        self.gate.results = told.status(429, "Retry-After: 7\r\n")
        with self.assertRaises(TooMany) as caught:
            guard.look()
        self.assertIsInstance(caught.exception, Unreached)
        self.assertEqual(caught.exception.retry_after, 7)
        self.assertIn("asked too often: as told; again after 7 s", str(caught.exception))
        self.gate.results = told.status(503, "Retry-After: 5\r\n")
        with self.assertRaises(Unreached) as caught:
            guard.look()
        self.assertNotIsInstance(caught.exception, TooMany)
        self.assertEqual(caught.exception.retry_after, 5)

    def test_a_token_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "token")
            with open(path, "w", encoding="ascii") as file:
                file.write("from-a-file\n")
            with Guard("a", address=self.gate.address, token_file=path) as guard:
                os.unlink(path)                        # it is read once
                with guard.step():
                    pass
        self.assertEqual(self.gate.requests[0].headers["authorization"], "Bearer from-a-file")

    def test_a_look(self):
        self.gate.results = told.raw(told.answer(200, {"rung": "closed", "trips": []}))
        self.assertEqual(self.guard().look(), {"rung": "closed", "trips": []})
        self.gate.results = told.status(403)
        with self.assertRaises(GateError):
            self.guard().look()
        self.gate.results = told.raw(told.answer(200, None))
        with self.assertRaises(Unreached):
            self.guard().look()

    def test_from_the_environment(self):
        os.environ.update(HANDRESET_GATE=self.gate.address, HANDRESET_TOKEN="t", HANDRESET_AGENT="a",
                          HANDRESET_TASK="k")
        try:
            with Guard() as guard, guard.step():
                pass
        finally:
            for name in ("GATE", "TOKEN", "AGENT", "TASK"):
                del os.environ["HANDRESET_" + name]
        ask = self.gate.requests[0]
        self.assertEqual((ask.body["agent"], ask.body["task"], ask.headers["authorization"]), ("a", "k", "Bearer t"))

    def test_a_task_gets_a_name_of_its_own(self):
        first, second = (Guard("a", address=self.gate.address, token="t").task for _ in range(2))
        self.assertNotEqual(first, second)

    def test_threads_share_a_guard(self):
        guard, wrong = self.guard(), []

        def work(n):
            try:
                for k in range(20):
                    with guard.call("send", {"thread": n, "k": k}):
                        pass
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual((len(self.gate.asks()), len(self.gate.posts())), (160, 160))
        self.assertEqual(len({r.body["id"] for r in self.gate.asks()}), 160)
        self.assertLessEqual(self.gate.connections, 16)

    def test_a_forked_child_has_connections_of_its_own(self):
        guard = self.guard()
        with guard.call("send", {}):
            pass
        child = os.fork()
        if child == 0:
            try:
                with guard.call("send", {"child": True}):
                    pass
            finally:
                os._exit(0 if len(guard._lines) == 1 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        with guard.call("send", {}):
            pass
        self.assertEqual((self.gate.connections, len(self.gate.posts())), (2, 3))


if __name__ == "__main__":
    unittest.main()
