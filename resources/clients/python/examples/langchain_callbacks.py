"""Handreset as LangChain callbacks:

    guard = Guard("billing", tools={"get_quote": "read"})
    agent.invoke({"input": "Pay invoice 12"}, config={"callbacks": [GuardCallbacks(guard)]})

A refusal is raised as Denied out of the callback before the call is made: `raise_error` makes LangChain pass it on, and
`run_inline` makes it do so in asynchronous chains too. Callbacks cannot change the model. While degraded, build the
chain with the model in `Denied.model`.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from handreset import Guard  # noqa: E402

try:
    from langchain_core.callbacks import BaseCallbackHandler  # type: ignore[import-not-found]
except ImportError:  # so that this file can be read and tested without LangChain
    BaseCallbackHandler = object  # type: ignore[assignment,misc]


class GuardCallbacks(BaseCallbackHandler):  # type: ignore[misc]
    """Asks before each model call and each tool call, and tells what came of it."""

    raise_error = True
    run_inline = True

    def __init__(self, guard: Guard):
        self._guard = guard
        self._open = {}  # run_id to the step or call that was allowed and has not ended

    def on_llm_start(self, serialized, prompts, *, run_id, parent_run_id=None, tags=None, metadata=None, **kwargs):
        parameters = kwargs.get("invocation_params") or {}
        model = parameters.get("model") or parameters.get("model_name") or (metadata or {}).get("ls_model_name")
        self._enter(run_id, self._guard.step(model=model))

    def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, tags=None, metadata=None,
                            **kwargs):
        self.on_llm_start(serialized, [], run_id=run_id, metadata=metadata, **kwargs)

    def on_llm_end(self, response, *, run_id, parent_run_id=None, **kwargs):
        tokens = tokens_of(response)
        if run_id in self._open and tokens is not None:
            self._open[run_id].result(tokens_in=tokens[0], tokens_out=tokens[1])
        self._leave(run_id)

    def on_llm_error(self, error, *, run_id, parent_run_id=None, **kwargs):
        self._leave(run_id, error)

    def on_tool_start(self, serialized, input_str, *, run_id, parent_run_id=None, tags=None, metadata=None, inputs=None,
                      **kwargs):
        name = (serialized or {}).get("name") or kwargs.get("name") or "unnamed"
        self._enter(run_id, self._guard.call(name, input_str if inputs is None else inputs))

    def on_tool_end(self, output, *, run_id, parent_run_id=None, **kwargs):
        self._leave(run_id)

    def on_tool_error(self, error, *, run_id, parent_run_id=None, **kwargs):
        self._leave(run_id, error)

    def _enter(self, run_id, scope):
        scope.__enter__()  # raises Denied: then there is nothing to tell
        self._open[run_id] = scope

    def _leave(self, run_id, error=None):
        scope = self._open.pop(run_id, None)
        if scope is not None:
            scope.__exit__(type(error) if error else None, error, None)


def tokens_of(response):
    """(in, out) of an LLMResult, or None where the provider's package tells none."""
    message = getattr(response, "generations", [[None]])[0][:1]
    usage = getattr(getattr(message[0], "message", None), "usage_metadata", None) if message else None
    if usage:
        return usage["input_tokens"], usage["output_tokens"]
    usage = (getattr(response, "llm_output", None) or {}).get("token_usage")
    return (usage["prompt_tokens"], usage["completion_tokens"]) if usage else None
