"""Handreset in the hooks of the OpenAI Agents SDK:

    guard = AsyncGuard("billing", tools={"get_quote": "read"})
    async with GuardHooks(guard) as hooks:
        result = await Runner.run(agent, "Pay invoice 12", hooks=hooks)

A refusal is raised as Denied out of the hook, before the call is made, and ends the run. Three limits of the hooks:
- They cannot change the model. While degraded, give the agent the model in `Denied.model` and run it again.
- A tool's exception that the SDK turns into a text for the model looks like an answer; say in `failed` how to tell it.
- Early versions of the SDK start a tool together with on_tool_start instead of after it, so a refusal comes too late.
  There, ask within the tool: `async with guard.call(...)`.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from handreset import AsyncGuard  # noqa: E402

try:
    from agents import RunHooks  # type: ignore[import-not-found]
except ImportError:  # so that this file can be read and tested without the SDK
    RunHooks = object  # type: ignore[assignment,misc]


class GuardHooks(RunHooks):  # type: ignore[misc]
    """Asks before each model call and each tool call of a run, and tells what came of it."""

    def __init__(self, guard: AsyncGuard, failed=lambda result: False):
        self._guard = guard
        self._failed = failed
        self._open = {}  # what was allowed and has not ended: its key to (what keeps the key alive, its step or call)

    async def on_llm_start(self, context, agent, system_prompt, input_items):
        key = ("step", id(context), agent.name)
        await self._leave(key, RuntimeError())  # the last one never ended: it failed
        model = agent.model if isinstance(getattr(agent, "model", None), str) else None
        await self._enter(key, context, self._guard.step(model=model))

    async def on_llm_end(self, context, agent, response):
        key = ("step", id(context), agent.name)
        usage = getattr(response, "usage", None)
        if key in self._open and usage is not None:
            await self._open[key][1].result(tokens_in=usage.input_tokens, tokens_out=usage.output_tokens)
        await self._leave(key)

    async def on_tool_start(self, context, agent, tool):
        text = getattr(context, "tool_arguments", None)
        try:
            arguments = json.loads(text) if text else {}
        except ValueError:
            arguments = text  # what the model wrote is no JSON; it is compared as the text that it is
        await self._enter(self._tool_key(context, tool), context, self._guard.call(tool.name, arguments))

    async def on_tool_end(self, context, agent, tool, result):
        key = self._tool_key(context, tool)
        if key in self._open and self._failed(result):
            self._open[key][1].failure()
        await self._leave(key)

    async def close(self, error=None):
        """Tells of what never ended: failed with the error that ended the run; without one, nothing is known of it."""
        for key, (_, scope) in list(self._open.items()):
            if error is None and key[0] == "call":
                scope.neutral()
            await self._leave(key, error)

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        await self.close(error)

    @staticmethod
    def _tool_key(context, tool):
        # The context of a tool call is its own; in old versions it is the run's, and has no id.
        return "call", getattr(context, "tool_call_id", None) or id(context), tool.name

    async def _enter(self, key, alive, scope):
        await scope.__aenter__()  # raises Denied: then there is nothing to tell
        self._open[key] = alive, scope

    async def _leave(self, key, error=None):
        _, scope = self._open.pop(key, (None, None))
        if scope is not None:
            await scope.__aexit__(type(error) if error else None, error, None)
