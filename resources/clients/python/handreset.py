"""Ask Handreset before each model call and each tool call.

    from handreset import Denied, Guard

    with Guard("billing", tools={"get_quote": "read"}) as guard:
        try:
            with guard.step(model="large-model") as step:
                answer = ask_the_model(step.model)
                step.result(tokens_in=answer.tokens_in, tokens_out=answer.tokens_out)
            with guard.call("send_pix", {"amount": 12.50}):     # a number, or a Decimal: a value cap takes no text
                send_pix(amount=12.50)
        except Denied as refusal:
            print(refusal)      # says who refused, why, and what ends it

The gate decides and counts; this file asks, obeys and reports. It never works out by itself that a switch is closed:
what the gate has not allowed is refused, and while the gate cannot be reached the rules of `OfflineRules` hold.

`AsyncGuard` is the same for asyncio. One file, standard library only, Python 3.9 and later. Copy it, or import it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import math
import os
import re
import select
import socket
import stat
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from types import TracebackType
from typing import (Any, Awaitable, Callable, Deque, Dict, Generator, List, Mapping, Optional, Sequence, Tuple, Type,
                    TypeVar, Union)
from urllib.parse import quote

__all__ = ["AsyncGuard", "Decision", "Denied", "GateError", "Guard", "HandresetError", "OfflineRules", "Retry",
           "TooMany", "Unreached"]

_log = logging.getLogger("handreset")

LARGEST_BODY = 256 * 1024
"""Bytes of a body, either way. The gate takes no more; more than that from a gate is no answer of a gate."""
LARGEST_HEAD = 16 * 1024
LARGEST_OUTBOX = 1000
"""Results that wait for the gate to come back; beyond that the oldest are given up, and counted in `guard.lost`."""
MOST_TURNED_AWAY = 100
"""How often a gate that is there may fail to take one result before it is given up, too."""
SHORTEST_PAUSE = 0.25
"""Seconds for which a gate that was missed is not tried again; doubled each time that it is missed again."""
LONGEST_PAUSE = 2.0
LARGEST_MEMORY = 1000
"""Tools and models of which the last allow is remembered."""
LONGEST_ERROR = 512
LONGEST_TOKEN = 4096
KEPT_CONNECTIONS = 8

T = TypeVar("T")
Cost = Union[str, int, float, Decimal]
Flow = Generator["_Request", "_Reply", T]


# ---------------------------------------------------------------- what the gate says


@dataclass(frozen=True)
class Retry:
    """When asking again makes sense. `kind` is "never", "after_human", "after_seconds" or "after_calls"; the last two
    have an `amount` (seconds; further calls that the breaker will turn away)."""

    kind: str
    amount: Optional[float] = None

    def __str__(self) -> str:
        return {"never": "do not ask again", "after_human": "a human must re-arm first",
                "after_seconds": f"ask again after {self.amount:g} s" if self.amount is not None else "ask again later",
                "after_calls": f"the breaker turns {self.amount or 0:g} more calls away first"}[self.kind]


@dataclass(frozen=True)
class Decision:
    """One answer of the gate, or, with `offline`, of the offline rules in its place.

    `rung` is "closed", "degraded" or "open": the task's, after this ask. `writes` says whether write tools are allowed
    now. `model` is the model to use while degraded. `probe` marks the one trial call of a breaker that is HALF_OPEN.
    The fields from `source` on say who refused and why; they are empty in an allow.
    """

    id: Optional[str]
    allowed: bool
    rung: str
    writes: bool = False
    model: Optional[str] = None
    probe: bool = False
    source: str = ""
    text: str = ""
    trip: Union[int, str, None] = None
    breaker: Optional[str] = None
    retry: Optional[Retry] = None
    offline: bool = False


class HandresetError(Exception):
    """Every error of this module. A call that met one must not be made."""


class Denied(HandresetError):
    """The call is refused and must not be made. Nothing is reported for it: a refusal is no failure of the tool."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.source = decision.source
        self.text = decision.text
        self.retry = decision.retry
        self.rung = decision.rung
        self.trip = decision.trip
        self.breaker = decision.breaker
        self.model = decision.model
        self.offline = decision.offline
        super().__init__(decision)

    def __str__(self) -> str:
        text = self.text or "refused"
        # The gate begins most of its texts with the source.
        if self.source and not re.match(re.escape(self.source) + r"(?![0-9A-Za-z_])", text):
            text = f"{self.source}: {text}"
        if self.model:
            text += f"; the model to use is {self.model}"
        return f"{text} ({self.retry})" if self.retry else text


class GateError(HandresetError):
    """The gate calls the request wrong: a mistake in the agent's program or in its token, not a decision.

    `status` is the HTTP status, `code` the gate's word for it; `field` and `offset` (bytes) say where, if it said so.
    """

    def __init__(self, status: int, code: str, message: str, field: Optional[str] = None,
                 offset: Optional[int] = None) -> None:
        self.status, self.code, self.message, self.field, self.offset = status, code, message, field, offset
        super().__init__(status, code, message, field, offset)

    def __str__(self) -> str:
        where = f", field {self.field}" if self.field else ""
        where += f", byte {self.offset}" if self.offset is not None else ""
        return f"{self.status} {self.code}: {self.message}{where}"


class Unreached(HandresetError):
    """The gate was not reached or could not answer, and what was wanted of it cannot wait (`look`). `retry_after`:
    seconds after which asking again makes sense, where the gate said so."""

    def __init__(self, text: str, retry_after: Optional[float] = None) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class TooMany(Unreached):
    """The gate is there, but this agent has asked too much of it (429): no mistake, ask again after `retry_after`."""


class _Malformed(Exception):
    """What came is no answer of a gate. It counts as not reached: unknown is never an allow."""


# ---------------------------------------------------------------- JSON, read strictly


def _pairs(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def read_object(body: bytes) -> Dict[str, Any]:
    """The JSON object in `body`. Raises ValueError for anything else, duplicate keys and NaN included."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _typed(fields: Mapping[str, Any], name: str, *types: type) -> Any:
    """The field, or None where it is absent or null; ValueError where it is of another type."""
    value = fields.get(name)
    if value is None:
        return None
    # bool is an int in Python; where a number is due it is a mistake.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(f"{name} has the wrong type")
    return value


def _read_retry(value: Any) -> Optional[Retry]:
    if value is None:
        return None
    if value in ("never", "after_human"):
        return Retry(value)
    if isinstance(value, dict) and len(value) == 1:
        for kind in ("after_seconds", "after_calls"):
            amount = _typed(value, kind, int, float)
            if amount is not None and 0 <= amount < 1e18:
                return Retry(kind, amount)
    raise ValueError("retry has no known form")


def read_decision(body: bytes, asked: str) -> Decision:
    """The decision in the body of a 200. Raises ValueError where anything is not as the gate writes it; a word that is
    not known (an "Allow", a rung "OPEN") is never taken for the nearest one. `asked` is the id of the ask: an allow
    for another call is an answer that got into the wrong hands."""
    fields = read_object(body)
    word = fields.get("decision")
    if word not in ("allow", "deny"):
        raise ValueError("the decision is neither allow nor deny")
    if fields.get("rung") not in ("closed", "degraded", "open"):
        raise ValueError("the rung is not known")
    ident = _typed(fields, "id", str)
    if ident != asked and (word == "allow" or ident is not None):
        raise ValueError("the answer is to another ask")
    reason = _typed(fields, "reason", dict) or {}
    return Decision(id=ident, allowed=word == "allow", rung=fields["rung"],
                    writes=_typed(fields, "writes", bool) or False, model=_typed(fields, "model", str) or None,
                    probe=_typed(fields, "probe", bool) or False, source=_typed(reason, "source", str) or "",
                    text=_typed(reason, "text", str) or "", trip=_typed(reason, "trip", int, str),
                    breaker=_typed(reason, "breaker", str), retry=_read_retry(reason.get("retry")))


def _read_error(status: int, body: bytes) -> GateError:
    try:
        error = _typed(read_object(body), "error", dict) or {}
        return GateError(status, _typed(error, "code", str) or "error", _typed(error, "message", str) or "no message",
                         _typed(error, "field", str), _typed(error, "offset", int))
    except ValueError:
        return GateError(status, "error", "the gate gave no reason")


# ---------------------------------------------------------------- while the gate is away


class OfflineRules:
    """What holds while the gate cannot be reached. Pure: it knows nothing of sockets, and is told the time.

    - A write tool is refused. A tool that was not declared counts as a write.
    - The last known rung open: everything is refused for as long as the gate is away.
    - Never contacted: refused.
    - Reads and model calls: refused, or, with offline="lease", allowed where the gate's last word on this tool or
      model was an allow, for `lease_seconds` from the moment when that was asked.

    A lease dies early when the gate refuses or cannot say, and when the rung changes. A refusal that is about the whole
    task (WHOLE_TASK) ends all of them. An allow as a probe gives none: a probe is one call.
    """

    WHOLE_TASK = ("rung", "queue", "task_ended")
    """Sources of refusals that say nothing of the one call: nothing of this task may go on."""

    def __init__(self, offline: str = "refuse", lease_seconds: float = 30.0,
                 tools: Optional[Mapping[str, str]] = None) -> None:
        if offline not in ("refuse", "lease"):
            raise ValueError('offline is "refuse" or "lease"')
        if not 0 < lease_seconds < 1e9:
            raise ValueError("lease_seconds is a number of seconds above 0")
        self._tools = dict(tools or {})
        for tool, access in self._tools.items():
            if access not in ("read", "write"):
                raise ValueError(f'tools[{tool!r}] is "read" or "write"')
        self._leases_wanted = offline == "lease"
        self._lease_seconds = lease_seconds
        self._rung: Optional[str] = None
        # Answers overtake each other between threads. What was asked before the last bad news tells nothing newer.
        self._bad_news_at = float("-inf")
        self._allows: Dict[Tuple[Optional[str], ...], Tuple[float, Decision]] = {}
        self._lock = threading.Lock()

    @property
    def rung(self) -> Optional[str]:
        """The last rung that the gate told; None: it never did."""
        return self._rung

    def is_write(self, tool: str) -> bool:
        return self._tools.get(tool, "write") != "read"

    def heard(self, subject: Tuple[Optional[str], ...], decision: Decision, asked_at: float, now: float) -> None:
        """The gate's decision on `subject` came, asked at `asked_at`; both times in seconds of one clock."""
        worse = ("closed", "degraded", "open").index
        with self._lock:
            stale = asked_at <= self._bad_news_at
            if self._rung is not None and decision.rung != self._rung:
                if stale and worse(decision.rung) < worse(self._rung):
                    return
                self._allows.clear()
            self._rung = decision.rung
            if not decision.allowed:
                self._bad_news_at = now
                # Money and steps are one sum for all models, so a refused step speaks of every step.
                for known in [s for s in self._allows if decision.source in self.WHOLE_TASK or s == subject
                              or s[0] == subject[0] == "step"]:
                    del self._allows[known]
            elif not stale:
                self._allows.pop(subject, None)
                if not decision.probe:
                    self._allows[subject] = (asked_at, decision)
                    if len(self._allows) > LARGEST_MEMORY:
                        del self._allows[next(iter(self._allows))]

    def heard_rung(self, rung: Any, now: float) -> None:
        """A look told the agent's rung. The task's own may be worse, so only bad news is taken."""
        worse = ("closed", "degraded", "open")
        with self._lock:
            if rung in worse and self._rung is not None and worse.index(rung) > worse.index(self._rung):
                self._rung = rung
                self._bad_news_at = now
                self._allows.clear()

    def heard_trouble(self, now: float) -> None:
        """The gate answered, but with no decision: the last known word is no longer an allow."""
        with self._lock:
            self._bad_news_at = now
            self._allows.clear()

    def decide(self, subject: Tuple[Optional[str], ...], ident: str, now: float, why: str) -> Decision:
        """What holds for the ask `ident` about `subject`, `why` saying how the gate was missed."""
        with self._lock:
            rung, allow = self._rung, self._allows.get(subject)
        if rung is None:
            text = "and has never answered this process: everything is refused"
        elif rung == "open":
            text = "and its last known state is open: everything is refused until it answers again"
        elif subject[0] == "call" and self.is_write(subject[1] or ""):
            text = "so write tools are refused"
        elif not self._leases_wanted:
            text = "so everything is refused"
        elif allow is None:
            text = "and its last word on this was no allow"
        elif not 0 <= now - allow[0] <= self._lease_seconds:
            text = f"and its last allow is older than its lease of {self._lease_seconds:g} s"
        else:
            return Decision(id=ident, allowed=True, rung=rung, model=allow[1].model, offline=True)
        return Decision(id=ident, allowed=False, rung=rung or "open", source="offline",
                        text=f"the gate was not reached ({why}), {text}", retry=Retry("after_seconds", 1),
                        offline=True)


def _seconds() -> float:
    """The clock of leases: it goes on while the machine sleeps, where the system has such a one."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


# ---------------------------------------------------------------- bodies


def _digits(number: Decimal) -> str:
    """The number, digit for digit, as JSON writes one."""
    if not number.is_finite():
        raise ValueError(f"{number} is no JSON")
    text = str(number)
    # Without an exponent, where that does not make it a text of a thousand noughts.
    return format(number, "f") if "E" in text and abs(number.adjusted()) < 64 else text


def _json(value: Any) -> str:
    """JSON. A Decimal becomes the number that it is: a float would change it, and a text is no amount."""
    mark = uuid.uuid4().hex  # made anew, so that no text in `value` can hold it
    numbers: List[str] = []

    def place(other: Any) -> str:
        if not isinstance(other, Decimal):
            raise TypeError(f"{type(other).__name__} is no JSON")
        numbers.append(_digits(other))
        return mark

    first, *others = json.dumps(value, allow_nan=False, default=place).split(f'"{mark}"')
    return first + "".join(number + other for number, other in zip(numbers, others))


def _encode(fields: Mapping[str, Any]) -> bytes:
    """JSON without the fields that are None. 0 and false stay: they are not missing."""
    body = _json({k: v for k, v in fields.items() if v is not None}).encode("ascii")
    if len(body) > LARGEST_BODY:
        raise GateError(413, "too_large", f"the request is larger than {LARGEST_BODY // 1024} KiB; it was not sent")
    return body


def _plain_cost(cost: Optional[Cost]) -> Union[str, int, float, None]:
    return format(cost, "f") if isinstance(cost, Decimal) else cost


def _whole(seconds: Optional[float]) -> Optional[int]:
    """Whole seconds, a day at most: the gate refuses what is longer, and with it the whole result."""
    return None if seconds is None else math.ceil(min(max(seconds, 0), 86400))


def _name_of(error: BaseException) -> str:
    """Only the kind of error: its text may hold what must not stand in a log (addresses, keys, customers)."""
    return type(error).__name__[:LONGEST_ERROR]


def _status_of(error: BaseException) -> Tuple[Optional[int], Optional[float]]:
    """HTTP status and Retry-After (seconds) that the error of a provider's library carries, where it has them."""
    response = getattr(error, "response", None)
    status: Optional[int] = None
    for owner, name in ((error, "status_code"), (error, "status"), (error, "code"), (response, "status_code")):
        value = getattr(owner, name, None)
        if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599:
            status = value
            break
    headers = getattr(response, "headers", None) or getattr(error, "headers", None)
    try:
        seconds = float(headers.get("retry-after", "")) if headers is not None else None
    except (AttributeError, TypeError, ValueError):
        seconds = None
    return status, seconds if seconds is not None and 0 <= seconds < 1e9 else None


# ---------------------------------------------------------------- HTTP without sockets


@dataclass(frozen=True)
class _Request:
    method: str
    path: str
    body: bytes


@dataclass(frozen=True)
class _Answer:
    status: int
    body: bytes
    retry_after: Optional[float] = None


@dataclass(frozen=True)
class _Away:
    """The gate was not reached. `sent`: the request may have arrived all the same. `busy`: it was reached, and cannot
    take this now."""

    why: str
    sent: bool = False
    busy: bool = False


_Reply = Union[_Answer, _Away]


@dataclass(frozen=True)
class _Address:
    """Where the gate is: `path` of a Unix socket, or `host` and `port`. `name` is what stands in the Host header."""

    path: Optional[str]
    host: str = ""
    port: int = 0
    name: str = "localhost"


def read_address(text: str) -> _Address:
    """ "unix:/path" or "http://127.0.0.1:8480". Raises ValueError; other machines are refused, because the token would
    travel in the open and the gate listens on loopback only."""
    if text.startswith("unix:"):
        path = text[5:]
        if not path.startswith("/"):
            raise ValueError("a Unix socket is named by its whole path: unix:/run/handreset/agents.sock")
        return _Address(path)
    match = re.fullmatch(r"http://(localhost|[0-9.]+|\[[0-9a-fA-F:]+\]):([0-9]{1,5})/?", text)
    if not match or not 0 < int(match[2]) < 65536:
        raise ValueError("the address is unix:/path or http://127.0.0.1:PORT")
    host = "127.0.0.1" if match[1] == "localhost" else match[1].strip("[]")
    if not ipaddress.ip_address(host).is_loopback:
        raise ValueError(f"{host} is not this machine; the gate is asked over a Unix socket or loopback only")
    return _Address(None, host, int(match[2]), f"{match[1]}:{match[2]}")


def _gate_address(given: Optional[str]) -> _Address:
    text = given or os.environ.get("HANDRESET_GATE", "")
    if not text:
        raise ValueError("the gate's address is needed, or HANDRESET_GATE: unix:/path or http://127.0.0.1:PORT")
    try:
        return read_address(text)
    except ValueError as error:
        raise error if given else ValueError(f"HANDRESET_GATE: {error}") from None


def read_token_file(path: str, name: str = "token_file") -> str:
    """The token in a file that holds nothing else, as `handresetctl token add --out` writes it. Raises ValueError; that
    says which file and who named it, and never what is in it."""
    where = f"{name}, {path}"
    try:
        # Without O_NONBLOCK a pipe would hold us up until somebody writes into it.
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ValueError(f"{where}: not a plain file")
            text = os.read(file, LONGEST_TOKEN + 3)
        finally:
            os.close(file)
    except OSError as error:
        raise ValueError(f"{where}: cannot be read: {error.strerror}") from None
    token = re.fullmatch(rb"([\x21-\x7e]{1,%d})\r?\n?" % LONGEST_TOKEN, text)
    if not token:
        raise ValueError(f"{where}: it holds no token: one line of visible ASCII, without spaces")
    return token[1].decode("ascii")


def _secret(token: Optional[str], token_file: Optional[str]) -> str:
    """What was given goes before the environment; there, a file before the token itself."""
    if token and token_file:
        raise ValueError("a token or a token_file, not both")
    if token_file:
        return read_token_file(token_file)
    named = os.environ.get("HANDRESET_TOKEN_FILE")
    if not token and named:
        return read_token_file(named, "HANDRESET_TOKEN_FILE")
    secret = token or os.environ.get("HANDRESET_TOKEN", "")
    if not re.fullmatch(r"[\x21-\x7e]{1,%d}" % LONGEST_TOKEN, secret):
        raise ValueError("a token is needed: token_file or token, HANDRESET_TOKEN_FILE or HANDRESET_TOKEN; it is "
                         "visible ASCII, without spaces")
    return secret


class AnswerReader:
    """One HTTP/1.1 answer, fed byte by byte or at once. Raises _Malformed early; holds a bounded number of bytes."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._head_ends = -1
        self._length = 0
        self._status = 0
        self._headers: Dict[str, str] = {}
        self.keeps = False

    @property
    def has_begun(self) -> bool:
        return bool(self._data)

    def feed(self, data: bytes) -> Optional[_Answer]:
        """The answer once it is whole, else None."""
        self._data += data
        while self._head_ends < 0:
            end = self._data.find(b"\r\n\r\n")
            if end > LARGEST_HEAD or (end < 0 and len(self._data) > LARGEST_HEAD):
                raise _Malformed("an endless head")
            if end < 0:
                return None
            self._read_head(bytes(self._data[:end]))
            if self._status < 200:  # 100 Continue and its like: the answer is still to come
                if self._status == 101:
                    raise _Malformed("switched protocols")
                del self._data[:end + 4]
                continue
            self._head_ends = end + 4
        have = len(self._data) - self._head_ends
        if have > self._length:
            raise _Malformed("more than one answer")
        if have < self._length:
            return None
        return _Answer(self._status, bytes(self._data[self._head_ends:]), self._retry_after())

    def _read_head(self, head: bytes) -> None:
        lines = head.decode("latin-1").split("\r\n")
        match = re.fullmatch(r"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [^\r\n]*)?", lines[0])
        if not match:
            raise _Malformed("no HTTP answer")
        self._status = int(match[2])
        self._headers = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
                raise _Malformed("a malformed header")
            name = name.lower()
            if name in self._headers and name in ("content-length", "retry-after"):
                raise _Malformed(f"{name} twice")
            self._headers[name] = value.strip(" \t")
        if "transfer-encoding" in self._headers:
            raise _Malformed("a transfer encoding")  # the gate always says the length
        length = self._headers.get("content-length")
        if self._status < 200 or self._status in (204, 304):
            self._length = 0
        elif length is None or not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > LARGEST_BODY:
            raise _Malformed("no usable length")
        else:
            self._length = int(length)
        self.keeps = match[1] == "1" and "close" not in self._headers.get("connection", "").lower()

    def _retry_after(self) -> Optional[float]:
        value = self._headers.get("retry-after", "")
        return float(value) if re.fullmatch(r"[0-9]{1,9}", value) else None


# ---------------------------------------------------------------- results that wait


@dataclass(frozen=True)
class _LateAsk:
    """The ask of a call that was made on a lease, as it would have been sent: the gate counts it once it is back."""

    ident: str
    subject: Tuple[Optional[str], ...]
    request: _Request


@dataclass
class _Post:
    """Something that the gate is told, and that may be told again later."""

    path: str
    body: bytes
    doubtful: bool = False  # the gate may never have heard of the ask; then its 404 is nothing to worry about
    late: Optional[_LateAsk] = None  # goes first; None: there is none, or the gate has counted it


def _why(error: Exception) -> str:
    if isinstance(error, _Malformed):
        return f"malformed answer: {error}"
    return str(getattr(error, "strerror", None) or error)


class _Outbox:
    """What could not be told, oldest first. One flow at a time empties it; the order stays."""

    def __init__(self) -> None:
        self._posts: Deque[_Post] = deque()
        self._lock = threading.Lock()
        self._busy = False
        self._turned_away = 0  # how often the gate answered the first one with "not now"
        self.lost = 0
        self.uncounted = 0

    def __len__(self) -> int:
        return len(self._posts)

    def add(self, post: _Post) -> None:
        dropped = None
        with self._lock:
            self._posts.append(post)
            if len(self._posts) > LARGEST_OUTBOX:
                dropped = self._posts.popleft()
        if dropped is not None:
            self.give_up(dropped, f"more than {LARGEST_OUTBOX} wait for the gate")

    def take_turn(self) -> bool:
        with self._lock:
            mine = not self._busy and bool(self._posts)
            self._busy = self._busy or mine
            return mine

    def end_turn(self) -> None:
        with self._lock:
            self._busy = False

    def first(self) -> Optional[_Post]:
        with self._lock:
            return self._posts[0] if self._posts else None

    def may_wait(self) -> bool:
        """The gate is there and did not take the first one. False: it never will, and others wait behind it."""
        with self._lock:
            self._turned_away += 1
            return self._turned_away < MOST_TURNED_AWAY

    def done(self, post: _Post) -> None:
        with self._lock:
            self._turned_away = 0
            if self._posts and self._posts[0] is post:
                self._posts.popleft()

    def give_up(self, post: _Post, why: Any) -> None:
        """It will never be told."""
        if post.late is not None:
            self.not_counted(post, why)
            return
        with self._lock:
            self.lost += 1
        _log.warning("what was told at %s is given up: %s", post.path, why)

    def not_counted(self, post: _Post, why: Any) -> None:
        """A call was made on a lease, and the gate does not count it."""
        with self._lock:
            self.uncounted += 1
        _log.warning("a call that was made on a lease is not counted by the gate (%s): %s", post.path, why)


class _Reach:
    """Whether asking the gate is worth the wait. A gate that hangs would cost every ask all its tries, so after such a
    miss it is left alone for a while; then one ask looks, with one try, while the offline rules answer the others. Any
    answer ends that. A gate that is missed at once, because nobody listens, costs nothing: it may be back any moment,
    and is asked each time. Pure: it is told the time."""

    def __init__(self, tries: int, timeout: float) -> None:
        self._tries, self._timeout = tries, timeout
        self._lock = threading.Lock()
        self._pause = 0.0
        self._quiet_until = self._last_miss = float("-inf")
        self.why: Optional[str] = None
        """How the gate was waited for in vain; None: it is worth asking."""

    def tries(self, now: float) -> int:
        """How often to try now; 0: not at all."""
        with self._lock:
            if self.why is None:
                return self._tries
            if now < self._quiet_until:
                return 0
            self._quiet_until = now + self._timeout  # this one looks; the others wait for what it finds
            return 1

    def answered(self) -> None:
        if self.why is not None:
            with self._lock:
                self._pause, self._quiet_until, self.why = 0.0, float("-inf"), None

    def missed(self, why: str, asked_at: float, now: float) -> None:
        """All tries of something that was begun at `asked_at` failed."""
        if now - asked_at < self._timeout / 2:  # at once
            self.answered()
            return
        with self._lock:
            # Those that were begun before the last miss was known tell the same once more.
            if self.why is None or asked_at >= self._last_miss:
                self._pause = min(self._pause * 2, LONGEST_PAUSE) or SHORTEST_PAUSE
            self._last_miss = now
            self._quiet_until = now + self._pause
            self.why = why


class _Line:
    """A connection to the gate that is kept. `owner`: the process or the event loop that may use it."""

    def __init__(self, owner: Any, end: Any) -> None:
        self.owner, self.end = owner, end


# ---------------------------------------------------------------- what both guards share


class _Core:
    """Everything but the sockets. What must be exchanged with the gate is yielded as a _Request and comes back as a
    _Reply, so the rules stand here once, for threads and for asyncio."""

    def __init__(self, agent: Optional[str] = None, task: Optional[str] = None, session: Optional[str] = None,
                 parent: Optional[str] = None, address: Optional[str] = None, token: Optional[str] = None,
                 offline: str = "refuse", lease_seconds: float = 30.0, tools: Optional[Mapping[str, str]] = None,
                 timeout: float = 0.25, tries: int = 2, token_file: Optional[str] = None) -> None:
        """`agent`, `task`, `address`, `token_file` and `token` come from HANDRESET_AGENT, HANDRESET_TASK,
        HANDRESET_GATE, HANDRESET_TOKEN_FILE and HANDRESET_TOKEN where they are not given; without a task, a new name is
        made for one.

        token_file: a plain file with the token alone, as `handresetctl token add --out` writes it; read once, here.
        address: "unix:/path" or "http://127.0.0.1:8480". timeout: seconds for one exchange with the gate, from
        connecting to the last byte; tries: how often, before the offline rules hold. offline, lease_seconds, tools:
        see OfflineRules. Raises ValueError for what cannot be right.
        """
        self.agent = agent or os.environ.get("HANDRESET_AGENT", "")
        self.task = task or os.environ.get("HANDRESET_TASK") or str(uuid.uuid4())
        self.session = session
        self.parent = parent
        if not self.agent:
            raise ValueError("an agent's name is needed, or HANDRESET_AGENT")
        self._address = _gate_address(address)
        secret = _secret(token, token_file)
        if not 0 < timeout < 3600 or int(tries) != tries or tries < 1:
            raise ValueError("timeout is a number of seconds above 0, tries a whole number from 1")
        self._timeout = timeout
        self._tries = int(tries)
        self._reach = _Reach(self._tries, timeout)
        self._head = f"Host: {self._address.name}\r\nAuthorization: Bearer {secret}\r\nAccept: application/json\r\n"
        self._rules = OfflineRules(offline, lease_seconds, tools)
        self._outbox = _Outbox()
        self._lines: Deque[_Line] = deque()  # its append and pop are safe between threads

    def __repr__(self) -> str:  # without the token
        return f"{type(self).__name__}(agent={self.agent!r}, task={self.task!r})"

    @property
    def unsent(self) -> int:
        """How many results wait for the gate to come back."""
        return len(self._outbox)

    @property
    def lost(self) -> int:
        """How many results were given up: too many waited, or the gate never could take them."""
        return self._outbox.lost

    @property
    def uncounted(self) -> int:
        """How many calls were made on a lease that the gate, once it was back, did not count: their limit was reached
        meanwhile, or it could not take them. Each is logged as a warning."""
        return self._outbox.uncounted

    @property
    def rung(self) -> Optional[str]:
        """The last rung that the gate told: "closed", "degraded" or "open"; None before its first word."""
        return self._rules.rung

    def _wire(self, request: _Request) -> bytes:
        head = f"{request.method} {request.path} HTTP/1.1\r\n{self._head}"
        if request.method != "GET":
            head += f"Content-Type: application/json\r\nContent-Length: {len(request.body)}\r\n"
        return head.encode("ascii") + b"\r\n" + request.body

    def _late(self) -> str:
        return f"no answer within {self._timeout * 1000:g} ms"

    # The asks.

    def _ask(self, door: str, subject: Tuple[Optional[str], ...],
             fields: Mapping[str, Any]) -> Flow[Tuple[Decision, Optional[_LateAsk]]]:
        """One ask, up to its decision, and, where that is a lease, what the gate is to be asked once it is back. A
        refusal is raised as Denied. `door` is "steps" or "calls"."""
        ident = str(uuid.uuid4())
        # The second try carries the same id, so the gate counts the ask once even if the first answer was lost.
        request = _Request("POST", f"/v1/{door}", _encode({"agent": self.agent, "task": self.task,
                                                           "session": self.session, "parent": self.parent, **fields,
                                                           "id": ident}))
        decision: Optional[Decision] = None
        tries = self._reach.tries(_seconds())
        away: Optional[_Away] = _Away(self._reach.why or "") if tries == 0 else (yield from self._flush(tries))
        if self._reach.why is None:  # also where what waited has just found that the gate is back
            tries = self._tries
        begun = _seconds()
        may_have_arrived = False
        try:
            for _ in range(tries if away is None else 0):
                asked_at = _seconds()
                was_sent, may_have_arrived = may_have_arrived, True  # an interruption does not say how far it got
                reply = yield request
                may_have_arrived = was_sent
                if isinstance(reply, _Answer):
                    reply = self._read(reply, ident, subject, asked_at)
                if isinstance(reply, Decision):
                    decision = reply
                    # Refused without being judged, the first try may still stand allowed at the gate.
                    may_have_arrived = was_sent and not decision.allowed and decision.source == "gate"
                    break
                missed = reply
                may_have_arrived = was_sent or missed.sent
            else:
                if away is None:
                    away = missed
                    self._reach.missed(away.why, begun, _seconds())
            if decision is None:
                decision = self._rules.decide(subject, ident, _seconds(), away.why if away else "")
                may_have_arrived = may_have_arrived and not decision.allowed
        finally:
            # The call is not made, and the gate may think that it is: that would hold a breaker's probe, or money.
            if may_have_arrived:
                self._outbox.add(_Post(*self._never_left(door, ident), doubtful=True))
        if not decision.allowed:
            raise Denied(decision)
        return decision, _LateAsk(ident, subject, request) if decision.offline else None

    def _read(self, answer: _Answer, ident: str, subject: Tuple[Optional[str], ...],
              asked_at: float) -> Union[Decision, _Away]:
        """What an answer to an ask means. Raises GateError where the gate calls the ask wrong."""
        if answer.status in (429, 503) or (400 <= answer.status < 500 and answer.status != 408):
            self._reach.answered()
        if answer.status == 200:
            try:
                decision = read_decision(answer.body, ident)
            except ValueError as error:
                return _Away(f"malformed answer: {error}", sent=True)
            self._reach.answered()
            self._rules.heard(subject, decision, asked_at, _seconds())
            return decision
        if answer.status == 429:  # says nothing of the rung
            seconds = answer.retry_after if answer.retry_after is not None else 1
            return Decision(id=None, allowed=False, rung=self._rules.rung or "open", source="gate",
                            text=_read_error(429, answer.body).message, retry=Retry("after_seconds", seconds))
        if answer.status == 503:
            self._rules.heard_trouble(_seconds())
            return Decision(id=None, allowed=False, rung="open", source="gate",
                            text="everything is denied: " + _read_error(503, answer.body).message,
                            retry=Retry("after_seconds", answer.retry_after or 1))
        if 400 <= answer.status < 500 and answer.status != 408:
            self._rules.heard_trouble(_seconds())
            raise _read_error(answer.status, answer.body)
        return _Away(f"HTTP {answer.status}", sent=True)

    @staticmethod
    def _never_left(door: str, ident: str) -> Tuple[str, bytes]:
        fields: Dict[str, Any] = {"outcome": "neutral", "error": "never left: the gate's answer did not come"}
        if door == "steps":
            # 499 is what servers write down for "the client went away": no fault of the provider's.
            fields = {"ok": False, "status": 499, "error": fields["error"], "tokens_in": 0, "tokens_out": 0}
        return f"/v1/{door}/{ident}/result", _encode(fields)

    # What is told.

    def _tell(self, post: _Post) -> Flow[bool]:
        """Tells the gate, now or when it is back; True: it has heard. What the gate calls wrong is logged, because the
        call that it is about has been made already."""
        # A gate that was waited for in vain is not waited for again: the next ask finds out if it is back.
        if len(self._outbox) or self._reach.why is not None:
            self._outbox.add(post)
            if self._reach.why is None:
                yield from self._flush(self._tries)
            return not len(self._outbox)
        refused = yield from self._tell_first(post, self._tries)
        if isinstance(refused, HandresetError):
            self._complain(post, refused)
        return refused is not False

    def _tell_of_task(self, verb: str, fields: Mapping[str, Any]) -> Flow[bool]:
        """As `_tell`, of the task itself; raises GateError where the gate calls it wrong. A task that the gate does not
        know, because nothing of it was ever let through, is nothing to tell of: False."""
        post = _Post(f"/v1/tasks/{quote(self.task, safe='')}/{verb}", _encode({"agent": self.agent, **fields}),
                     doubtful=True)
        tries = self._reach.tries(_seconds())
        if tries and len(self._outbox):
            yield from self._flush(tries)
        if tries == 0 or len(self._outbox):
            self._outbox.add(post)
            return False
        refused = yield from self._tell_first(post, tries)
        if isinstance(refused, HandresetError) and getattr(refused, "status", 0) != 404:
            raise refused
        return refused is None

    def _tell_first(self, post: _Post, tries: int) -> Flow[Union[HandresetError, None, bool]]:
        """Tells what nothing waits before. None: it is in; an error: the gate will never take it; False: it waits."""
        settled = False
        try:
            refused, away = yield from self._post(post, tries)
            settled = away is None
            return refused if settled else False
        finally:
            if not settled:  # later then, also where somebody interrupts
                self._outbox.add(post)

    def _post(self, post: _Post, tries: int) -> Flow[Tuple[Optional[HandresetError], Optional[_Away]]]:
        """Tells one thing, its late ask before it. (None, None): it is in. An error: the gate will never take it. An
        _Away: try again later."""
        if post.late is not None:
            refused, away = yield from self._count_late(post, tries)
            if refused is not None or away is not None:
                return refused, away
        reply = yield from self._exchange_one(_Request("POST", post.path, post.body), tries)
        if isinstance(reply, _Away):
            return None, reply
        if 200 <= reply.status < 300 or reply.status == 409:  # 409: it is in already
            return None, None
        return self._not_taken(reply)

    def _count_late(self, post: _Post, tries: int) -> Flow[Tuple[Optional[HandresetError], Optional[_Away]]]:
        """Asks for a call that was made on a lease, so that the gate counts it. The answers are those of `_post`."""
        late = post.late
        assert late is not None
        asked_at = _seconds()
        reply = yield from self._exchange_one(late.request, tries)
        if isinstance(reply, _Away):
            return None, reply
        if reply.status == 409:  # it is in with its result, whose answer was lost; if it is not, that one's 404 says so
            return None, None
        if reply.status != 200:
            if reply.status == 503 or (reply.status < 500 and reply.status not in (408, 429)):
                self._rules.heard_trouble(_seconds())  # as for any ask
            return self._not_taken(reply)
        try:
            decision = read_decision(reply.body, late.ident)
        except ValueError as error:
            return None, _Away(f"malformed answer: {error}", busy=True)
        self._rules.heard(late.subject, decision, asked_at, _seconds())
        if not decision.allowed:
            return Denied(decision), None
        post.late = None
        return None, None

    def _exchange_one(self, request: _Request, tries: int) -> Flow[_Reply]:
        """One exchange, tried again while the gate is missed."""
        begun = _seconds()
        reply: _Reply = _Away("")
        for _ in range(tries):
            reply = yield request
            if isinstance(reply, _Answer):
                self._reach.answered()
                return reply
        assert isinstance(reply, _Away)
        self._reach.missed(reply.why, begun, _seconds())
        return reply

    @staticmethod
    def _not_taken(answer: _Answer) -> Tuple[Optional[HandresetError], Optional[_Away]]:
        if 400 <= answer.status < 500 and answer.status not in (408, 429):
            return _read_error(answer.status, answer.body), None
        return None, _Away(f"HTTP {answer.status}", busy=True)

    def _flush(self, tries: int) -> Flow[Optional[_Away]]:
        """Tells what waits, oldest first, for one timeout's length at most, so that an ask behind it is not held up.
        Returns how the gate was missed, or None where it was not."""
        if not self._outbox.take_turn():
            return None
        until = _seconds() + self._timeout
        try:
            while True:
                post = self._outbox.first()
                if post is None:
                    return None
                refused, away = yield from self._post(post, tries)
                if away is not None and not away.busy:
                    return away
                if away is not None and self._outbox.may_wait():
                    return None
                if away is not None:
                    self._outbox.give_up(post, f"the gate never could take it ({away.why})")
                if refused is not None:
                    self._complain(post, refused)
                self._outbox.done(post)
                if _seconds() >= until:
                    return None
        finally:
            self._outbox.end_turn()

    def _complain(self, post: _Post, error: HandresetError) -> None:
        if post.late is not None:
            self._outbox.not_counted(post, error)
        elif not (post.doubtful and getattr(error, "status", 0) == 404):
            _log.warning("the gate did not take what was told at %s: %s", post.path, error)

    def _note(self, text: str) -> Flow[bool]:
        return self._tell_of_task("note", {"text": text})

    def _end(self, outcome: str) -> Flow[bool]:
        return self._tell_of_task("end", {"outcome": outcome})

    def _look(self) -> Flow[Dict[str, Any]]:
        why = ""
        for _ in range(self._tries):
            reply = yield _Request("GET", f"/v1/agents/{quote(self.agent, safe='')}", b"")
            if isinstance(reply, _Away):
                why = reply.why
                continue
            if reply.status != 200:
                self._reach.answered()
                raise self._why_no_look(reply)
            try:
                found = read_object(reply.body)
            except ValueError as error:
                why = f"malformed answer: {error}"
                continue
            self._reach.answered()
            self._rules.heard_rung(found.get("rung"), _seconds())
            return found
        raise Unreached(f"the gate was not reached: {why}")

    @staticmethod
    def _why_no_look(answer: _Answer) -> HandresetError:
        error = _read_error(answer.status, answer.body)
        if answer.status == 429:
            seconds = 1 if answer.retry_after is None else answer.retry_after
            return TooMany(f"asked too often: {error.message}; again after {seconds:g} s", seconds)
        if answer.status == 408 or answer.status >= 500:
            return Unreached(f"the gate cannot answer now: {error}", answer.retry_after)
        return error


class _Scope:
    """What a step and a call have in common: asked for once, and told of once."""

    _door = ""

    def __init__(self, core: _Core) -> None:
        self._core: Any = core  # a Guard or an AsyncGuard: its _drive is waited for, or awaited
        self._asked = False
        self._told = False
        self._late: Optional[_LateAsk] = None
        self.decision: Decision

    def _begin_with(self, subject: Tuple[Optional[str], ...], fields: Mapping[str, Any]) -> Flow[None]:
        if self._asked:
            raise RuntimeError("each call is asked for on its own: make a new one")
        self._asked = True
        self.decision, self._late = yield from self._core._ask(self._door, subject, fields)

    def _finish_with(self, fields: Mapping[str, Any]) -> Flow[None]:
        body = _encode(fields)
        self._told = True
        yield from self._core._tell(_Post(f"/v1/{self._door}/{self.decision.id}/result", body, late=self._late))


class _StepRules(_Scope):
    _door = "steps"

    def __init__(self, core: _Core, endpoint: Optional[str], model: Optional[str],
                 estimated_cost: Optional[str]) -> None:
        super().__init__(core)
        self._endpoint, self._model, self._estimate = endpoint, model, estimated_cost

    @property
    def model(self) -> Optional[str]:
        """The model to use: the one that the gate told, else the one that was asked for."""
        return self.decision.model or self._model

    def _begin(self) -> Flow[None]:
        return self._begin_with(("step", self._endpoint, self._model),
                                {"endpoint": self._endpoint, "model": self._model, "estimated_cost": self._estimate})

    def _result(self, ok: bool, status: Optional[int], error: Optional[str], model: Optional[str],
                cost: Optional[Cost], currency: Optional[str], tokens_in: Optional[int], tokens_out: Optional[int],
                retry_after: Optional[float]) -> Flow[None]:
        if self._told:
            raise RuntimeError("the result of this step has been told already")
        return self._finish_with({"ok": ok, "status": status, "error": error[:LONGEST_ERROR] if error else None,
                                  "model": model, "cost": _plain_cost(cost), "currency": currency,
                                  "tokens_in": tokens_in, "tokens_out": tokens_out, "retry_after": _whole(retry_after)})

    def _leave(self, error: Optional[BaseException]) -> Flow[None]:
        """What leaving the block says: see Guard.step."""
        if self._told:
            return
        fields: Dict[str, Any] = {"ok": True}
        if error is not None and not isinstance(error, Exception):
            fields = {"ok": False, "status": 499, "error": _name_of(error)}  # 499: we went away, no fault of theirs
        elif error is not None and not isinstance(error, HandresetError):
            status, retry_after = _status_of(error)
            fields = {"ok": False, "status": status, "error": _name_of(error),
                      "retry_after": _whole(retry_after)}
        yield from self._finish_with(fields)


class _CallRules(_Scope):
    _door = "calls"

    def __init__(self, core: _Core, tool: str, arguments: Any, neutral_on: Tuple[Type[BaseException], ...]) -> None:
        super().__init__(core)
        self._tool, self._neutral_on = tool, tuple(neutral_on)
        self._arguments = {} if arguments is None else arguments
        self._outcome: Optional[str] = None
        self._error: Optional[str] = None
        self.changed: Optional[bool] = None
        """Set it to say whether the answer differs from the last one: evidence when the agent repeats itself."""

    def neutral(self, error: Optional[str] = None) -> None:
        """This call says nothing about the tool's health: our own mistake, or it never left."""
        self._outcome, self._error = "neutral", error

    def failure(self, error: Optional[str] = None) -> None:
        """The tool failed, though nothing was raised. `error` is written to the log: no secrets."""
        self._outcome, self._error = "failure", error

    def _begin(self) -> Flow[None]:
        return self._begin_with(("call", self._tool), {"tool": self._tool, "arguments": self._arguments})

    def _leave(self, error: Optional[BaseException]) -> Flow[None]:
        """What leaving the block says: see Guard.call."""
        outcome, text = self._outcome, self._error
        if outcome is None:
            outcome = "success" if error is None else "failure"
            # A refusal of ours within the call, and whoever cancels, are no failures of the tool.
            if error is not None and (not isinstance(error, Exception) or isinstance(error, HandresetError)
                                      or isinstance(error, self._neutral_on)):
                outcome = "neutral"
        if text is None and error is not None:
            text = _name_of(error)
        return self._finish_with({"outcome": outcome, "error": text[:LONGEST_ERROR] if text else None,
                                  "changed": self.changed})


class _Retries:
    """When a failed try is followed by another, and after which pause. Pure."""

    def __init__(self, tries: int, backoff: Sequence[float], retry_on: Tuple[Type[BaseException], ...],
                 neutral_on: Tuple[Type[BaseException], ...]) -> None:
        if int(tries) != tries or tries < 1:
            raise ValueError("tries is a whole number from 1")
        self._left = int(tries)
        self._pauses = list(backoff)
        self._retry_on, self._never_on = tuple(retry_on), tuple(neutral_on) + (HandresetError,)

    def pause_after(self, error: Exception) -> Optional[float]:
        """Seconds until the next try; None: there is none, and the error stands."""
        self._left -= 1
        if self._left <= 0 or isinstance(error, self._never_on) or not isinstance(error, self._retry_on):
            return None
        # The last pause serves for all that follow.
        return (self._pauses.pop(0) if len(self._pauses) > 1 else self._pauses[0]) if self._pauses else 0.0


def _apply(function: Callable[..., T], arguments: Any) -> T:
    """Keyword arguments where the arguments are an object, else the one argument."""
    return function(**arguments) if isinstance(arguments, dict) else function(arguments)


# ---------------------------------------------------------------- threads


class Step(_StepRules):
    """One model call: `with guard.step(...) as step:`"""

    def __enter__(self) -> "Step":
        self._core._drive(self._begin())
        return self

    def result(self, ok: bool = True, status: Optional[int] = None, error: Optional[str] = None,
               model: Optional[str] = None, cost: Optional[Cost] = None, currency: Optional[str] = None,
               tokens_in: Optional[int] = None, tokens_out: Optional[int] = None,
               retry_after: Optional[float] = None) -> None:
        """Tells at once what came of the step; once. 0 tokens are told as 0, None as not known.

        cost: "0.05 USD", or an amount together with `currency` (a Decimal or a text where cents matter). status: the
        provider's HTTP status. retry_after: its seconds. error is written to the log: no secrets.
        """
        self._core._drive(self._result(
            ok, status, error, model, cost, currency, tokens_in, tokens_out, retry_after))

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._core._drive(self._leave(error))


class Call(_CallRules):
    """One tool call: `with guard.call(...) as call:`"""

    def __enter__(self) -> "Call":
        self._core._drive(self._begin())
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._core._drive(self._leave(error))


class Guard(_Core):
    """Stands between one agent's task and its calls. Threads may share it; a forked child opens its own connections.

    `with Guard(...) as guard:` tells what waits and closes the connections at the end. It does not end the task.
    """

    def step(self, endpoint: Optional[str] = None, model: Optional[str] = None,
             estimated_cost: Optional[str] = None) -> Step:
        """Asks before a model call. `with guard.step(model="large-model") as step:` raises Denied, or GateError.

        Without `model` a degraded agent is told the cheaper one (`step.model`); with another it is refused, and
        `Denied.model` names it. estimated_cost is like "0.05 USD". Leaving the block reports: an exception a failure,
        with the HTTP status and Retry-After that it carries; nothing raised, ok, unless `step.result` was called
        before. A refusal within the block, and whoever cancels, is no failure of the provider.
        """
        return Step(self, endpoint, model, estimated_cost)

    def call(self, tool: str, arguments: Any = None, neutral_on: Tuple[Type[BaseException], ...] = ()) -> Call:
        """Asks before a tool call. `with guard.call("search", {"query": "x"}) as call:` raises Denied, or GateError.

        arguments: any JSON value; none is {}. An amount under a value cap is a number; a Decimal is written digit for
        digit. Leaving the block reports success, or failure for an exception, or
        neutral: after `call.neutral()`, for exceptions in `neutral_on` (the caller's own mistakes), for cancellation,
        for a refusal within. Of a call that was refused nothing is ever reported.
        """
        return Call(self, tool, arguments, neutral_on)

    def run(self, tool: str, arguments: Any, function: Callable[..., T], tries: int = 3,
            backoff: Sequence[float] = (0.1, 0.2, 0.4), retry_on: Tuple[Type[BaseException], ...] = (Exception,),
            neutral_on: Tuple[Type[BaseException], ...] = (), sleep: Callable[[float], Any] = time.sleep) -> T:
        """Calls the function, again after a pause while it fails, all inside one call of the breaker: the gate hears
        of one failure, when the tries are used up.

        An object in `arguments` becomes keyword arguments, anything else the one argument. backoff: seconds between
        tries; its last serves for all that follow. Raises Denied, GateError, or what the last try raised.
        """
        retries = _Retries(tries, backoff, retry_on, neutral_on)
        with self.call(tool, arguments, neutral_on):
            while True:
                try:
                    return _apply(function, arguments)
                except Exception as error:
                    pause = retries.pause_after(error)
                    if pause is None:
                        raise
                sleep(pause)

    def note(self, text: str) -> bool:
        """A diagnosis for the human who takes over. True: the gate has it. False: it will be told when the gate is
        back, or the gate does not know the task, because it never let anything of it through. Raises GateError."""
        return self._drive(self._note(text))

    def end(self, outcome: str = "success") -> bool:
        """Ends the task: "success", "failure" or "neutral". A task that has ended is never used again. As note."""
        return self._drive(self._end(outcome))

    def look(self) -> Dict[str, Any]:
        """The agent's rung, its active trips, its limits and what is left of each. Looking moves nothing.
        Raises Unreached (as TooMany where this agent asks too often), or GateError."""
        return self._drive(self._look())

    def flush(self) -> bool:
        """Tells what waits, as far as one timeout's length goes; it tries also a gate that was just missed. True:
        nothing waits any more."""
        self._drive(self._flush(self._tries))
        return not self.unsent

    def close(self) -> None:
        """Tells what waits, once more, and closes the kept connections. The guard can be used again."""
        self.flush()
        while (kept := self._kept()) is not None:
            kept.close()

    def __enter__(self) -> "Guard":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _drive(self, flow: Flow[T]) -> T:
        try:
            request = next(flow)
            while True:
                request = flow.send(self._exchange(request))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            flow.close()

    def _exchange(self, request: _Request) -> _Reply:
        until = time.monotonic() + self._timeout
        wire = self._wire(request)
        sent = False
        end: Optional[socket.socket] = None
        try:
            while True:
                end = self._kept()
                was_kept = end is not None
                reader = AnswerReader()
                try:
                    if end is None:
                        end = self._connect(until)
                    sent = True
                    end.settimeout(self._left(until))
                    end.sendall(wire)
                    answer = None
                    while answer is None:
                        end.settimeout(self._left(until))
                        data = end.recv(65536)
                        if not data:
                            raise ConnectionError("the connection was closed before the answer was whole")
                        answer = reader.feed(data)
                except ConnectionError:
                    # A kept connection that the gate had closed meanwhile is no try of its own.
                    if not was_kept or reader.has_begun:
                        raise
                    end.close()  # type: ignore[union-attr]
                    continue
                if reader.keeps and len(self._lines) < KEPT_CONNECTIONS:
                    self._lines.append(_Line(os.getpid(), end))
                    end = None
                return answer
        except socket.timeout:
            return _Away(self._late(), sent)
        except (OSError, _Malformed) as error:
            return _Away(_why(error), sent)
        finally:
            if end is not None:
                end.close()

    @staticmethod
    def _left(until: float) -> float:
        left = until - time.monotonic()
        if left <= 0:
            raise socket.timeout()
        return left

    def _kept(self) -> Optional[socket.socket]:
        while self._lines:
            try:
                line = self._lines.pop()
            except IndexError:  # another thread was quicker
                break
            # After a fork the parent speaks on the same socket. Readable while nothing was asked: closed, or garbage.
            if line.owner == os.getpid() and not self._readable(line.end):
                return line.end  # type: ignore[no-any-return]
            line.end.close()
        return None

    @staticmethod
    def _readable(end: socket.socket) -> bool:
        poll = select.poll()
        poll.register(end, select.POLLIN)
        return bool(poll.poll(0))

    def _connect(self, until: float) -> socket.socket:
        where = self._address
        unix = where.path is not None
        place: Any = where.path if unix else (where.host, where.port)
        end = socket.socket(socket.AF_UNIX if unix else socket.AF_INET6 if ":" in where.host else socket.AF_INET)
        try:
            while True:
                end.settimeout(self._left(until))
                try:
                    end.connect(place)
                    break
                except BlockingIOError:  # a Unix socket whose queue is full says so at once
                    time.sleep(0.002)
            if not unix:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            end.close()
            raise
        return end


# ---------------------------------------------------------------- asyncio


class AsyncStep(_StepRules):
    """One model call: `async with guard.step(...) as step:`"""

    async def __aenter__(self) -> "AsyncStep":
        await self._core._drive(self._begin())
        return self

    async def result(self, ok: bool = True, status: Optional[int] = None, error: Optional[str] = None,
                     model: Optional[str] = None, cost: Optional[Cost] = None, currency: Optional[str] = None,
                     tokens_in: Optional[int] = None, tokens_out: Optional[int] = None,
                     retry_after: Optional[float] = None) -> None:
        """As Step.result."""
        await self._core._drive(self._result(
            ok, status, error, model, cost, currency, tokens_in, tokens_out, retry_after))

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self._core._drive(self._leave(error))


class AsyncCall(_CallRules):
    """One tool call: `async with guard.call(...) as call:`"""

    async def __aenter__(self) -> "AsyncCall":
        await self._core._drive(self._begin())
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self._core._drive(self._leave(error))


class AsyncGuard(_Core):
    """Guard for asyncio: the same names and the same rules, with `async with` and `await`. Tasks may share it."""

    def step(self, endpoint: Optional[str] = None, model: Optional[str] = None,
             estimated_cost: Optional[str] = None) -> AsyncStep:
        """As Guard.step."""
        return AsyncStep(self, endpoint, model, estimated_cost)

    def call(self, tool: str, arguments: Any = None, neutral_on: Tuple[Type[BaseException], ...] = ()) -> AsyncCall:
        """As Guard.call."""
        return AsyncCall(self, tool, arguments, neutral_on)

    async def run(self, tool: str, arguments: Any, function: Callable[..., Awaitable[T]], tries: int = 3,
                  backoff: Sequence[float] = (0.1, 0.2, 0.4),
                  retry_on: Tuple[Type[BaseException], ...] = (Exception,),
                  neutral_on: Tuple[Type[BaseException], ...] = (),
                  sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep) -> T:
        """As Guard.run; `function` is a coroutine function."""
        retries = _Retries(tries, backoff, retry_on, neutral_on)
        async with self.call(tool, arguments, neutral_on):
            while True:
                try:
                    return await _apply(function, arguments)
                except Exception as error:
                    pause = retries.pause_after(error)
                    if pause is None:
                        raise
                await sleep(pause)

    async def note(self, text: str) -> bool:
        """As Guard.note."""
        return await self._drive(self._note(text))

    async def end(self, outcome: str = "success") -> bool:
        """As Guard.end."""
        return await self._drive(self._end(outcome))

    async def look(self) -> Dict[str, Any]:
        """As Guard.look."""
        return await self._drive(self._look())

    async def flush(self) -> bool:
        """As Guard.flush."""
        await self._drive(self._flush(self._tries))
        return not self.unsent

    async def close(self) -> None:
        """As Guard.close."""
        await self.flush()
        while (kept := self._kept()) is not None:
            kept[1].close()

    async def __aenter__(self) -> "AsyncGuard":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _drive(self, flow: Flow[T]) -> T:
        try:
            request = next(flow)
            while True:
                request = flow.send(await self._exchange(request))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            flow.close()

    async def _exchange(self, request: _Request) -> _Reply:
        sent: List[bool] = []  # filled once the request may have left
        try:
            return await asyncio.wait_for(self._talk(self._wire(request), sent), self._timeout)
        except asyncio.TimeoutError:
            return _Away(self._late(), bool(sent))
        except (OSError, _Malformed) as error:
            return _Away(_why(error), bool(sent))

    async def _talk(self, wire: bytes, sent: List[bool]) -> _Answer:
        while True:
            kept = self._kept()
            answers, asks = kept or await self._connect()
            reader = AnswerReader()
            keeps = False
            try:
                sent.append(True)
                asks.write(wire)
                await asks.drain()
                answer = None
                while answer is None:
                    data = await answers.read(65536)
                    if not data:
                        raise ConnectionError("the connection was closed before the answer was whole")
                    answer = reader.feed(data)
                keeps = reader.keeps and len(self._lines) < KEPT_CONNECTIONS
                if keeps:
                    self._lines.append(_Line(asyncio.get_running_loop(), (answers, asks)))
                return answer
            except ConnectionError:
                if kept is None or reader.has_begun:
                    raise
            finally:
                if not keeps:
                    asks.transport.abort()

    def _kept(self) -> Optional[Tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        while self._lines:
            line = self._lines.pop()
            answers, asks = line.end
            # A connection belongs to its event loop; one that ended meanwhile cannot even be closed through it.
            if line.owner is asyncio.get_running_loop() and not answers.at_eof() and not asks.is_closing():
                return line.end  # type: ignore[no-any-return]
            if not line.owner.is_closed():
                asks.transport.abort()
        return None

    async def _connect(self) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        where = self._address
        if where.path is None:
            return await asyncio.open_connection(where.host, where.port)
        # asyncio takes a Unix socket whose queue is full for one that is connected, so that is waited for here.
        end = socket.socket(socket.AF_UNIX)
        try:
            end.setblocking(False)
            while True:
                try:
                    end.connect(where.path)
                    return await asyncio.open_unix_connection(sock=end)
                except BlockingIOError:
                    await asyncio.sleep(0.002)
        except BaseException:
            end.close()
            raise
