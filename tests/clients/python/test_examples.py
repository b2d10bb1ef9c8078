"""The examples run: the loop as a program, the adapters under small stand-ins of what their SDKs do."""

import asyncio
import functools
import os
import subprocess
import sys
import unittest
import unittest.mock
import uuid
from decimal import Decimal
from types import SimpleNamespace as Fields

import support
import gate_stand_in as told
import handreset
from handreset import AsyncGuard, Denied
from langchain_callbacks import GuardCallbacks, tokens_of
from openai_agents_hooks import GuardHooks


class PlainLoop(support.WithGate):
    def play(self):
        program = f"import sys, plain_loop; sys.exit(plain_loop.main(timeout={support.PATIENT}))"
        return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=60, env={
            **os.environ, "HANDRESET_GATE": self.gate.address, "HANDRESET_TOKEN": "t", "HANDRESET_AGENT": "booking",
            "PYTHONPATH": os.path.join(support._client, "examples"), "TURNS": "3", "PAUSE": "0"})

    def test_it_works_to_the_end(self):
        self.gate.otherwise = told.allow(model="small")
        done = self.play()
        self.assertEqual((done.returncode, done.stdout.count("a quote of"), done.stderr), (0, 3, ""))
        self.assertEqual((len(self.gate.asks()), len(self.gate.posts())), (6, 6))
        self.assertEqual(self.gate.posts()[0].body["model"], "small")
        self.assertEqual(self.gate.posts("/end")[0].body, {"agent": "booking", "outcome": "success"})

    def test_a_refusal_ends_it_with_a_note(self):
        self.gate.script = [told.allow(), told.deny("degraded", "repetition", "after_human")]
        done = self.play()
        self.assertEqual(done.returncode, 1)
        self.assertIn("repetition: refused for the test (a human must re-arm first)", done.stderr)
        self.assertEqual(len(self.gate.posts("/note")), 1)
        self.assertEqual(self.gate.posts("/end"), [])

    def test_open_from_the_start_it_ends_cleanly(self):
        self.gate.otherwise = told.deny("open", "rung", "after_human", ident=False)
        self.gate.results = told.status(404)               # the gate knows nothing of the task
        done = self.play()
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "refused: rung: refused for the test (a human must re-arm first)\n")
        self.assertEqual(len(self.gate.posts("/note")), 1)


class Readme(support.WithGate):
    """The README's own example runs as it stands there."""

    def play(self):
        with open(os.path.join(support._client, "..", "README.md"), encoding="utf-8") as text:
            program = text.read().split("```python\n")[1].split("```")[0]
        said, made = [], []

        def booked(room, price):
            made.append((room, price))

        def print_(*words):
            said.append(" ".join(str(word) for word in words))

        environment = {"HANDRESET_GATE": self.gate.address, "HANDRESET_TOKEN": "t", "HANDRESET_AGENT": "booking"}
        patient = functools.partial(handreset.Guard, timeout=support.PATIENT)
        with unittest.mock.patch.dict(os.environ, environment), unittest.mock.patch("handreset.Guard", patient):
            exec(compile(program, "README.md", "exec"), {
                "ask_the_model": lambda model: Fields(tokens_in=1, tokens_out=2),
                "get_quote": lambda room: Decimal("190.50"), "book_room": booked, "print": print_})
        return said, made

    def test_it_works_to_the_end(self):
        said, made = self.play()
        self.assertEqual((said, len(made)), ([], 1))
        self.assertEqual(self.gate.asks()[-1].body["arguments"], {"room": 204, "price": 190.5})
        self.assertEqual([r.path.split("/")[-1] for r in self.gate.requests][-1], "end")

    def test_open_from_the_start_it_ends_cleanly(self):
        self.gate.otherwise = told.deny("open", "rung", "after_human", ident=False)
        self.gate.results = told.status(404)
        said, made = self.play()
        self.assertEqual((len(said), made), (1, []))


class OpenAIAgents(unittest.TestCase):
    """As the SDK does: hooks are awaited, by position, before the model or the tool; the context has the arguments."""

    def setUp(self):
        self.gate = told.Gate()
        self.addCleanup(self.gate.close)
        self.made = []

    def turn(self, hooks, tool="send", text='{"a": 1}', fails=False):
        async def run():
            context, agent = Fields(), Fields(name="billing", model="large")
            await hooks.on_llm_start(context, agent, "be kind", [])
            await hooks.on_llm_end(context, agent, Fields(usage=Fields(input_tokens=10, output_tokens=0)))
            call = Fields(tool_call_id="c1", tool_arguments=text)
            await hooks.on_tool_start(call, agent, Fields(name=tool))
            self.made.append(tool)
            if fails:
                raise OSError
            await hooks.on_tool_end(call, agent, Fields(name=tool), "done")
        return run()

    def play(self, turn, **named):
        async def run():
            guard = AsyncGuard("billing", address=self.gate.address, token="t", task="t1",
                               timeout=support.PATIENT)
            async with guard, GuardHooks(guard, **named) as hooks:
                await turn(hooks)
        asyncio.run(run())

    def test_a_turn(self):
        self.play(self.turn)
        step, tool = self.gate.asks()
        self.assertEqual((step.body["model"], tool.body["tool"], tool.body["arguments"]), ("large", "send", {"a": 1}))
        self.assertEqual([r.body for r in self.gate.posts()],
                         [{"ok": True, "tokens_in": 10, "tokens_out": 0}, {"outcome": "success"}])

    def test_a_refusal_stops_the_run_before_the_call(self):
        self.gate.script = [told.allow(), told.deny()]
        with self.assertRaises(Denied):
            self.play(self.turn)
        self.assertEqual((self.made, len(self.gate.posts())), ([], 1))
        self.gate.script = [told.deny()]
        with self.assertRaises(Denied):
            self.play(self.turn)
        self.assertEqual(len(self.gate.posts()), 1)

    def test_a_tool_that_raises_has_failed(self):
        with self.assertRaises(OSError):
            self.play(lambda hooks: self.turn(hooks, fails=True))
        self.assertEqual(self.gate.posts()[-1].body, {"outcome": "failure", "error": "OSError"})

    def test_an_error_that_the_sdk_made_a_text_of(self):
        self.play(self.turn, failed=lambda result: result == "done")
        self.assertEqual(self.gate.posts()[-1].body, {"outcome": "failure"})

    def test_arguments_that_are_no_json(self):
        self.play(lambda hooks: self.turn(hooks, text='{"a": '))
        self.assertEqual(self.gate.asks()[1].body["arguments"], '{"a": ')


class LangChain(support.WithGate):
    """As LangChain does: keyword run_id, and errors of the handler passed on only because of raise_error."""

    def setUp(self):
        super().setUp()
        self.callbacks = GuardCallbacks(self.guard())

    def model(self, error=None, tokens=True):
        run = uuid.uuid4()
        self.callbacks.on_chat_model_start({"name": "Chat"}, [[]], run_id=run, parent_run_id=None, tags=[], metadata={},
                                           invocation_params={"model": "large"}, options={}, name=None)
        if error:
            self.callbacks.on_llm_error(error, run_id=run, parent_run_id=None, tags=[])
            return
        message = Fields(usage_metadata={"input_tokens": 3, "output_tokens": 0} if tokens else None)
        self.callbacks.on_llm_end(Fields(generations=[[Fields(message=message)]], llm_output=None), run_id=run, tags=[])

    def tool(self, error=None):
        run = uuid.uuid4()
        self.callbacks.on_tool_start({"name": "send", "description": ""}, "{'a': 1}", run_id=run, parent_run_id=None,
                                     tags=[], metadata={}, inputs={"a": 1}, color="green")
        if error:
            self.callbacks.on_tool_error(error, run_id=run, parent_run_id=None)
        else:
            self.callbacks.on_tool_end("fine", run_id=run, parent_run_id=None, color="green", name="send")

    def test_a_refusal_must_get_through(self):
        self.assertTrue(GuardCallbacks.raise_error and GuardCallbacks.run_inline)

    def test_a_turn(self):
        self.model()
        self.model(tokens=False)
        self.tool()
        self.assertEqual([r.body.get("model") for r in self.gate.asks()], ["large", "large", None])
        self.assertEqual(self.gate.asks()[2].body["arguments"], {"a": 1})
        self.assertEqual([r.body for r in self.gate.posts()],
                         [{"ok": True, "tokens_in": 3, "tokens_out": 0}, {"ok": True}, {"outcome": "success"}])

    def test_errors(self):
        self.model(type("E", (Exception,), {"status_code": 503})())
        self.tool(OSError())
        self.assertEqual([r.body for r in self.gate.posts()],
                         [{"ok": False, "status": 503, "error": "E"}, {"outcome": "failure", "error": "OSError"}])

    def test_a_refusal_reports_nothing_even_if_an_error_is_told(self):
        self.gate.otherwise = told.deny()
        for ask in (self.model, self.tool):
            with self.assertRaises(Denied):
                ask()
        self.callbacks.on_tool_error(OSError(), run_id=uuid.uuid4())
        self.assertEqual(len(self.gate.requests), 2)

    def test_a_plain_model(self):
        run = uuid.uuid4()
        self.callbacks.on_llm_start({}, ["hello"], run_id=run, metadata={"ls_model_name": "m"})
        self.callbacks.on_llm_end(Fields(generations=[[Fields(text="hi")]], llm_output={
            "token_usage": {"prompt_tokens": 5, "completion_tokens": 6}}), run_id=run)
        self.assertEqual(self.gate.asks()[0].body["model"], "m")
        self.assertEqual(self.gate.posts()[0].body["tokens_out"], 6)
        self.assertIsNone(tokens_of(Fields(generations=[[]], llm_output=None)))


if __name__ == "__main__":
    unittest.main()
