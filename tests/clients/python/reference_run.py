"""One run of the reference run (spec 2), as a process of its own: reference_run.py COUNTER

The agent looks for rooms, gets a quote, and books. The tool book_room fails its first nine real calls, whoever makes
them: COUNTER is a file in which they are counted, because no process lives longer than one run. Says what happened in
one line of JSON. The gate, its token and the agent come from the environment, as for any agent.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../resources/clients/python"))

from handreset import Denied, Guard  # noqa: E402

FAILS = 9


class RoomsDown(Exception):
    """The booking system is down."""


def main(counter, **named):
    made = []

    def book_room(**_):
        with open(counter, "a+", encoding="ascii") as calls:
            calls.write("x")
            calls.flush()
            calls.seek(0)
            made.append(len(calls.read()))
        if made[-1] <= FAILS:
            raise RoomsDown

    slept = []
    said = {}
    with Guard(tools={"list_rooms": "read", "get_quote": "read"}, **named) as guard:
        with guard.step():
            pass
        for tool in ("list_rooms", "get_quote"):
            with guard.call(tool, {"city": "Porto"}) as call:
                said[tool] = call.decision.allowed
        try:
            guard.run("book_room", {"room": 204, "nights": 2}, book_room, tries=3, backoff=(0.1, 0.2, 0.4),
                      sleep=slept.append)  # modelled, never slept
            said["book_room"] = "success"
        except RoomsDown:
            said["book_room"] = "failure"
        except Denied as refusal:
            said.update(book_room="rejected", source=refusal.source, breaker=refusal.breaker, text=refusal.text,
                        retry=str(refusal.retry))
    print(json.dumps({**said, "real_calls": len(made), "slept": slept, "unsent": guard.unsent}))


if __name__ == "__main__":
    main(sys.argv[1], timeout=10.0)  # how long an answer may take is not what is tested
