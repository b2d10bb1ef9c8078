"""The parts of the Python client that need no socket: decisions, the offline rules, retries, HTTP answers, bodies."""

import os
import tempfile
import unittest
import unittest.mock
from decimal import Decimal

import support  # noqa: F401
import handreset
from handreset import Decision, Denied, GateError, Guard, OfflineRules, Retry, read_address, read_decision

STEP = ("step", None, "large")
READ = ("call", "look_up")
WRITE = ("call", "send")


def said(allowed=True, rung="closed", **more):
    return Decision(id="a", allowed=allowed, rung=rung, **more)


class Decisions(unittest.TestCase):
    def test_an_allow(self):
        found = read_decision(b'{"id":"a","decision":"allow","rung":"degraded","writes":false,"model":"small"}', "a")
        self.assertEqual(found, Decision(id="a", allowed=True, rung="degraded", writes=False, model="small"))

    def test_a_refusal_has_all_its_fields(self):
        found = read_decision(b'{"id":null,"decision":"deny","rung":"open","writes":false,"reason":{"source":"steps",'
                              b'"trip":7,"breaker":"send","text":"26 of 25","retry":{"after_calls":2}}}', "a")
        denied = Denied(found)
        self.assertEqual((denied.source, denied.text, denied.rung, denied.trip, denied.breaker, denied.retry),
                         ("steps", "26 of 25", "open", 7, "send", Retry("after_calls", 2)))
        self.assertIn("steps: 26 of 25", str(denied))
        self.assertIn("2 more calls", str(denied))

    def test_fields_of_a_later_gate_do_not_disturb(self):
        found = read_decision(b'{"id":"a","decision":"allow","rung":"closed","writes":true,"new":[1]}', "a")
        self.assertTrue(found.allowed)

    def test_what_is_not_exactly_a_decision_is_none(self):
        for body in (b"", b"null", b"[]", b"{", b'"allow"', b"{}", b"\xff",
                     b'{"id":"a","decision":"Allow","rung":"closed"}',       # unknown is never allowed
                     b'{"id":"a","decision":"allow","rung":"CLOSED"}',
                     b'{"id":"a","decision":true,"rung":"closed"}',
                     b'{"id":"a","decision":"allow"}',
                     b'{"id":"b","decision":"allow","rung":"closed"}',       # of another ask
                     b'{"decision":"allow","rung":"closed"}',
                     b'{"id":"b","decision":"deny","rung":"closed"}',
                     b'{"id":"a","decision":"deny","decision":"allow","rung":"closed"}',
                     b'{"id":"a","decision":"allow","rung":"closed","writes":1}',
                     b'{"id":"a","decision":"allow","rung":"closed","model":3}',
                     b'{"id":"a","decision":"deny","rung":"open","reason":"no"}',
                     b'{"id":"a","decision":"deny","rung":"open","reason":{"retry":"soon"}}',
                     b'{"id":"a","decision":"deny","rung":"open","reason":{"retry":{"after_seconds":-1}}}',
                     b'{"id":"a","decision":"deny","rung":"open","reason":{"retry":{"after_seconds":NaN}}}',
                     b'{"id":"a","decision":"deny","rung":"open","reason":{"retry":{"after_seconds":true}}}',
                     b'{"a":' * 5000 + b"1" + b"}" * 5000):
            with self.subTest(body[:60]), self.assertRaises(ValueError):
                read_decision(body, "a")


class WhileAway(unittest.TestCase):
    def rules(self, offline="lease", seconds=30.0):
        return OfflineRules(offline, seconds, {"look_up": "read", "send": "write"})

    def allowed(self, rules, subject, now):
        return rules.decide(subject, "x", now, "no answer").allowed

    def test_never_contacted_is_refused(self):
        for subject in (STEP, READ, WRITE):
            found = self.rules().decide(subject, "x", 0.0, "connection refused")
            self.assertFalse(found.allowed)
            self.assertEqual((found.source, found.rung, found.offline), ("offline", "open", True))
            self.assertIn("connection refused", found.text)

    def test_writes_are_refused_and_what_is_undeclared_is_a_write(self):
        rules = self.rules()
        for subject in (WRITE, ("call", "unheard_of")):
            rules.heard(subject, said(), 10.0, 10.1)
            self.assertFalse(self.allowed(rules, subject, 11.0))

    def test_without_a_lease_everything_is_refused(self):
        rules = self.rules("refuse")
        rules.heard(READ, said(), 10.0, 10.1)
        self.assertFalse(self.allowed(rules, READ, 10.2))

    def test_a_lease_runs_from_when_it_was_asked_for_and_not_a_moment_longer(self):
        rules = self.rules()
        rules.heard(READ, said(model="small"), 10.0, 10.2)
        self.assertEqual(rules.decide(READ, "x", 40.0, "").model, "small")
        self.assertTrue(self.allowed(rules, READ, 40.0))
        self.assertFalse(self.allowed(rules, READ, 40.01))
        self.assertFalse(self.allowed(rules, READ, 9.0))   # a clock that went back tells nothing

    def test_asking_while_away_does_not_renew_a_lease(self):
        rules = self.rules()
        rules.heard(READ, said(), 10.0, 10.1)
        for at in (20.0, 30.0, 39.0):
            self.assertTrue(self.allowed(rules, READ, at))
        self.assertFalse(self.allowed(rules, READ, 41.0))

    def test_an_allow_speaks_only_of_what_was_asked(self):
        rules = self.rules()
        rules.heard(READ, said(), 10.0, 10.1)
        self.assertFalse(self.allowed(rules, STEP, 11.0))
        rules.heard(STEP, said(), 11.0, 11.1)
        self.assertTrue(self.allowed(rules, STEP, 12.0))
        self.assertFalse(self.allowed(rules, ("step", None, "huge"), 12.0))

    def test_the_last_word_counts(self):
        rules = self.rules()
        rules.heard(READ, said(), 10.0, 10.1)
        rules.heard(READ, said(False), 11.0, 11.1)
        self.assertFalse(self.allowed(rules, READ, 12.0))

    def test_a_refused_step_speaks_of_every_step_but_not_of_tools(self):
        rules = self.rules()
        rules.heard(STEP, said(), 10.0, 10.1)
        rules.heard(READ, said(), 10.2, 10.3)
        rules.heard(("step", None, "small"), said(False), 11.0, 11.1)
        self.assertFalse(self.allowed(rules, STEP, 12.0))
        self.assertTrue(self.allowed(rules, READ, 12.0))

    def test_a_refusal_of_the_whole_task_ends_every_lease(self):
        for source in ("rung", "queue", "task_ended"):
            rules = self.rules()
            rules.heard(STEP, said(), 10.0, 10.1)
            rules.heard(READ, said(), 10.0, 10.1)
            rules.heard(WRITE, said(False, source=source), 11.0, 11.1)
            self.assertFalse(self.allowed(rules, STEP, 12.0), source)
            self.assertFalse(self.allowed(rules, READ, 12.0), source)

    def test_open_is_refused_for_as_long_as_the_gate_is_away(self):
        rules = self.rules()
        rules.heard(READ, said(), 10.0, 10.1)
        rules.heard(STEP, said(False, "open"), 11.0, 11.1)
        for at in (11.2, 20.0, 10000.0):
            self.assertFalse(self.allowed(rules, READ, at))
        self.assertIn("open", rules.decide(READ, "x", 12.0, "").text)
        rules.heard(READ, said(), 20.0, 20.1)              # only the gate ends it
        self.assertTrue(self.allowed(rules, READ, 21.0))

    def test_a_change_of_rung_ends_every_lease(self):
        rules = self.rules()
        rules.heard(STEP, said(), 10.0, 10.1)
        rules.heard(READ, said(rung="degraded"), 11.0, 11.1)
        self.assertFalse(self.allowed(rules, STEP, 12.0))

    def test_an_answer_that_was_overtaken_gives_nothing(self):
        rules = self.rules()
        rules.heard(STEP, said(False, "open"), 11.0, 11.5)
        rules.heard(READ, said(), 11.2, 11.6)              # asked before the bad news was heard
        self.assertEqual(rules.rung, "open")
        self.assertFalse(self.allowed(rules, READ, 12.0))

    def test_a_probe_is_one_call(self):
        rules = self.rules()
        rules.heard(READ, said(probe=True), 10.0, 10.1)
        self.assertFalse(self.allowed(rules, READ, 10.2))

    def test_an_answer_without_a_decision_ends_every_lease(self):
        rules = self.rules()
        rules.heard(READ, said(), 10.0, 10.1)
        rules.heard_trouble(11.0)
        self.assertFalse(self.allowed(rules, READ, 11.1))

    def test_a_look_can_only_bring_bad_news(self):
        rules = self.rules()
        rules.heard_rung("closed", 9.0)
        self.assertIsNone(rules.rung)
        rules.heard(READ, said(rung="degraded"), 10.0, 10.1)
        rules.heard_rung("closed", 11.0)
        rules.heard_rung(["open"], 11.0)
        self.assertEqual(rules.rung, "degraded")
        rules.heard_rung("open", 12.0)
        self.assertFalse(self.allowed(rules, READ, 12.1))

    def test_the_memory_is_bounded(self):
        rules = OfflineRules("lease", 30, {f"t{n}": "read" for n in range(3000)})
        for n in range(3000):
            rules.heard(("call", f"t{n}"), said(), 10.0 + n / 1000, 10.0 + n / 1000)
        self.assertFalse(self.allowed(rules, ("call", "t1"), 13.0))
        self.assertTrue(self.allowed(rules, ("call", "t2999"), 13.0))

    def test_what_cannot_be_right_is_refused(self):
        for wrong in ({"offline": "allow"}, {"lease_seconds": 0}, {"lease_seconds": float("nan")},
                      {"tools": {"a": "READ"}}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                OfflineRules(**wrong)


class Answers(unittest.TestCase):
    def read(self, data, step=1):
        reader = handreset.AnswerReader()
        found = None
        for at in range(0, len(data), step):
            self.assertIsNone(found)
            found = reader.feed(data[at:at + step])
        return found, reader.keeps

    def test_split_anywhere(self):
        data = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 7\r\ncontent-length:2\r\n\r\n{}"
        for step in range(1, len(data) + 1):
            found, keeps = self.read(data, step)
            self.assertEqual((found.status, found.body, found.retry_after, keeps), (503, b"{}", 7.0, True))

    def test_no_body(self):
        self.assertEqual(self.read(b"HTTP/1.1 204 No Content\r\n\r\n")[0].body, b"")

    def test_when_a_connection_is_kept(self):
        self.assertFalse(self.read(b"HTTP/1.1 204 X\r\nConnection: close\r\n\r\n")[1])
        self.assertFalse(self.read(b"HTTP/1.0 204 X\r\n\r\n")[1])

    def test_hostile_ones(self):
        for data in (b"HTTP/2 200 OK\r\n\r\n", b"HTTP/1.1 999 OK\r\n\r\n", b"ICY 200 OK\r\n\r\n", b"\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\n\r\n",                                           # no length
                     b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 262145\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
                     b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n",  # two at once
                     b"HTTP/1.1 101 Switching\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20000, b"x" * 20000):
            with self.subTest(data[:50]), self.assertRaises(handreset._Malformed):
                handreset.AnswerReader().feed(data)


class Small(unittest.TestCase):
    def test_addresses(self):
        self.assertEqual(read_address("unix:/run/a b.sock").path, "/run/a b.sock")
        for good, host in (("http://127.0.0.1:8480", "127.0.0.1"), ("http://localhost:1/", "127.0.0.1"),
                           ("http://[::1]:8480", "::1")):
            self.assertEqual(read_address(good).host, host)
        for bad in ("", "unix:", "unix:a.sock", "http://10.0.0.1:80", "http://0.0.0.0:80", "http://gate.example:80",
                    "https://127.0.0.1:1", "http://127.0.0.1", "http://127.0.0.1:0", "http://127.0.0.1:70000",
                    "http://u@127.0.0.1:80", "http://127.0.0.1:80/v1", "http://127.0.0.1:80\r\nX: y"):
            with self.subTest(bad), self.assertRaises(ValueError):
                read_address(bad)

    def test_a_guard_says_what_it_lacks(self):
        good = {"agent": "a", "address": "unix:/g", "token": "t"}
        Guard(**good)
        for wrong in ({"agent": ""}, {"address": "nowhere"}, {"token": ""}, {"token": "a\r\nb"}, {"token": "a b"},
                      {"timeout": 0}, {"timeout": float("nan")}, {"tries": 0}, {"tries": 1.5}, {"offline": "yes"}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                Guard(**{**good, **wrong})

    def test_what_is_missing_is_named(self):
        for wrong, name in (({"address": None}, "HANDRESET_GATE"), ({"agent": None}, "HANDRESET_AGENT"),
                            ({"token": None}, "HANDRESET_TOKEN_FILE or HANDRESET_TOKEN")):
            with self.assertRaisesRegex(ValueError, name):
                Guard(**{"agent": "a", "address": "unix:/g", "token": "t", **wrong})
        with unittest.mock.patch.dict(os.environ, HANDRESET_GATE="nowhere"):
            with self.assertRaisesRegex(ValueError, "HANDRESET_GATE: the address is"):
                Guard("a", token="t")

    def test_a_token_file(self):
        def found(**named):
            return Guard("a", address="unix:/g", **named)._head
        with tempfile.TemporaryDirectory() as folder:
            good, bad, pipe = (os.path.join(folder, name) for name in ("good", "bad", "pipe"))
            os.mkfifo(pipe)
            for text in ("secret", "secret\n", "secret\r\n", "s" * 4096):
                with open(good, "w", encoding="ascii", newline="") as file:
                    file.write(text)
                self.assertIn(f"Bearer {text.strip()}\r\n", found(token_file=good))
            with open(good, "w", encoding="ascii") as file:
                file.write("secret\n")
            for text in ("", "\n", "a b", "hush\nsecond", "é", "s" * 4097):
                with open(bad, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaisesRegex(ValueError, f"token_file, {bad}: it holds no token") as caught:
                    found(token_file=bad)
                self.assertNotIn("hush", str(caught.exception))
            for path in (folder, pipe, "/dev/null"):
                with self.assertRaisesRegex(ValueError, f"{path}: not a plain file"):
                    found(token_file=path)
            with self.assertRaisesRegex(ValueError, "/no/such: cannot be read: No such file"):
                found(token_file="/no/such")
            with self.assertRaises(ValueError):
                found(token="t", token_file=good)
            with unittest.mock.patch.dict(os.environ, HANDRESET_TOKEN_FILE=good, HANDRESET_TOKEN="other"):
                self.assertIn("Bearer secret\r\n", found())
                self.assertIn("Bearer t\r\n", found(token="t"))
            with unittest.mock.patch.dict(os.environ, HANDRESET_TOKEN_FILE=folder):
                with self.assertRaisesRegex(ValueError, f"HANDRESET_TOKEN_FILE, {folder}: not a plain file"):
                    found()

    def test_an_ask_takes_half_a_second_at_most(self):
        guard = Guard("a", address="unix:/g", token="t")
        self.assertEqual((guard._timeout, guard._tries), (0.25, 2))

    def test_a_token_is_not_shown(self):
        self.assertNotIn("hush", repr(Guard("a", address="unix:/g", token="hush")))

    def test_zero_and_false_are_not_missing(self):
        self.assertEqual(handreset._encode({"a": 0, "b": None, "c": False}), b'{"a": 0, "c": false}')

    def test_decimals_are_numbers(self):
        for text, written in (("12.50", "12.50"), ("-0.00", "-0.00"), ("1E+3", "1000"), ("1E-7", "0.0000001"),
                              ("1E+999999", "1E+999999"), ("0." + "1" * 60, "0." + "1" * 60)):
            self.assertEqual(handreset._json({"a": [Decimal(text)], "b": "x"}), f'{{"a": [{written}], "b": "x"}}')
        for wrong in ("NaN", "Infinity", "sNaN"):
            with self.assertRaises(ValueError):
                handreset._json({"a": Decimal(wrong)})

    def test_a_gate_that_was_missed_is_left_alone_for_a_while(self):
        reach = handreset._Reach(2, 0.25)
        self.assertEqual(reach.tries(10.0), 2)
        at = 10.0
        for pause in (0.25, 0.5, 1.0, 2.0, 2.0):
            reach.missed("no answer", at, at + 0.5)
            at += 0.5 + pause
            self.assertEqual(reach.tries(at - 0.01), 0)
            self.assertEqual(reach.tries(at), 1)           # one looks
            self.assertEqual(reach.tries(at + 0.1), 0)     # the others do not wait with it
        reach.answered()
        self.assertEqual((reach.tries(at), reach.why), (2, None))

    def test_a_gate_that_is_missed_at_once_is_asked_each_time(self):
        reach = handreset._Reach(2, 0.25)
        reach.missed("nobody listens", 10.0, 10.01)
        self.assertEqual(reach.tries(10.01), 2)
        reach.missed("no answer", 11.0, 11.5)
        self.assertEqual(reach.tries(11.6), 0)
        reach.missed("nobody listens", 11.75, 11.76)   # the one that hung is gone
        self.assertEqual(reach.tries(11.76), 2)

    def test_misses_that_were_under_way_together_are_one(self):
        reach = handreset._Reach(2, 0.25)
        for n in range(8):
            reach.missed("no answer", 10.0 + n / 100, 10.5 + n / 100)
        self.assertEqual((reach.tries(10.81), reach.tries(10.83)), (0, 1))

    def test_a_source_is_said_once(self):
        for source, text, words in (("steps", "steps: step 26 of 25", "steps: step 26 of 25"),
                                    ("rung", "rung open", "rung open"), ("step", "steps: x", "step: steps: x"),
                                    ("breaker", "OPEN", "breaker: OPEN"), ("steps", "", "steps: refused")):
            self.assertEqual(str(Denied(said(False, source=source, text=text))), words)

    def test_too_large_is_said_before_it_is_sent(self):
        with self.assertRaises(GateError) as caught:
            handreset._encode({"a": "x" * 300000})
        self.assertEqual(caught.exception.status, 413)

    def test_pauses(self):
        def pauses(tries, backoff, errors):
            retries = handreset._Retries(tries, backoff, (OSError, ValueError), (KeyError,))
            return [retries.pause_after(e) for e in errors]
        self.assertEqual(pauses(4, (0.1, 0.2), [OSError()] * 4), [0.1, 0.2, 0.2, None])
        self.assertEqual(pauses(3, (), [OSError()] * 3), [0.0, 0.0, None])
        self.assertEqual(pauses(9, (0.1,), [KeyError()]), [None])
        self.assertEqual(pauses(9, (0.1,), [TypeError()]), [None])
        self.assertEqual(pauses(9, (0.1,), [Denied(said(False))]), [None])
        with self.assertRaises(ValueError):
            handreset._Retries(0, (), (), ())

    def test_what_a_providers_error_carries(self):
        class Response:
            status_code = 429
            headers = {"retry-after": "12"}

        class Limited(Exception):
            response = Response()

        self.assertEqual(handreset._status_of(Limited()), (429, 12.0))
        self.assertEqual(handreset._status_of(OSError(5, "x")), (None, None))


if __name__ == "__main__":
    unittest.main()
