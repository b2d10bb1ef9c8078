"""What the tests of the Python client share: where the client is, and a guard with a gate behind it."""

import logging
import os
import sys
import time
import unittest

_here = os.path.dirname(os.path.abspath(__file__))
_client = os.path.join(_here, "..", "..", "..", "resources", "clients", "python")
sys.dont_write_bytecode = True
sys.path[:0] = [_here, _client, os.path.join(_client, "examples")]
# A developer's own settings are not the tests'.
for _name in [n for n in os.environ if n.startswith("HANDRESET_") and not n.startswith("HANDRESET_TEST_")]:
    del os.environ[_name]
logging.getLogger("handreset").addHandler(logging.NullHandler())

from gate_stand_in import Gate  # noqa: E402
import handreset  # noqa: E402
from handreset import Guard  # noqa: E402


# Seconds, where how long an answer takes is not what is tested: the machine may be busy.
PATIENT = 10.0
# Where an answer that never comes is waited for. The defaults (250 ms, twice) are for agents, not for busy machines.
BRIEF = 0.8


def let_the_pause_pass(guard):
    """A gate that hung is left alone for a while; a test that wakes it waits for the end of that."""
    time.sleep(max(0.0, guard._reach._quiet_until - handreset._seconds()))


class WithGate(unittest.TestCase):
    """A stand-in on a Unix socket; `tcp` for loopback."""

    tcp = False

    def setUp(self):
        self.gate = Gate(tcp=self.tcp)
        self.addCleanup(self.gate.close)

    def guard(self, **named):
        named.setdefault("task", "t1")
        named.setdefault("timeout", PATIENT)
        named.setdefault("tools", {"look_up": "read"})
        guard = Guard("billing", address=self.gate.address, token="secret", **named)
        self.addCleanup(guard.close)
        return guard
