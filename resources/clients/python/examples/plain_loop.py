"""An agent as a plain loop: ask, call, tell. Run it against a gate whose policy declares the agent and its tool (a tool
that no policy declares counts as one that writes, and may be refused for that alone):

    [agents.booking]

    [tools.get_quote]
    access = "read"

    handresetctl token add --agent booking --out booking.token
    export HANDRESET_GATE=unix:/path/of/agents.sock HANDRESET_TOKEN_FILE=booking.token HANDRESET_AGENT=booking
    python3 plain_loop.py

The model and the tools are played here, so that nothing else is needed. Stop the agent at the desk while it runs, and
it ends with the reason that the gate gives. Ends with 0 when the work is done, 1 when it was refused.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))  # or install handreset.py anywhere

from handreset import Denied, Guard  # noqa: E402


def ask_the_model(model, turn):
    """Stands for the call of a real model: what it wants next, and what that cost."""
    wish = {"tool": "get_quote", "arguments": {"room": 200 + turn, "nights": 2}}
    return wish, {"model": model, "tokens_in": 900 + 50 * turn, "tokens_out": 40}


def get_quote(room, nights):
    """Stands for a real tool."""
    return 95 * nights + room % 7


def main(turns=int(os.environ.get("TURNS", "5")), pause=float(os.environ.get("PAUSE", "0.2")), **options):
    with Guard(tools={"get_quote": "read"}, **options) as guard:
        try:
            for turn in range(turns):
                with guard.step() as step:  # before each model call; step.model is the one to use
                    wish, used = ask_the_model(step.model, turn)
                    step.result(**used)
                # Before each tool call; with retries, inside one call of the breaker.
                price = guard.run(wish["tool"], wish["arguments"], get_quote)
                print(f"turn {turn + 1}: a quote of {price}", flush=True)
                time.sleep(pause)
        except Denied as refusal:
            print(f"refused: {refusal}", file=sys.stderr)
            # Whatever the rung, the note stands in the queue of the human who takes over: say what you know. False where
            # the gate knows nothing of the task, because it was refused from the start.
            guard.note(f"I was at turn {turn + 1}, asking for quotes.")
            return 1
        guard.end("success")
    return 0


if __name__ == "__main__":
    sys.exit(main())
