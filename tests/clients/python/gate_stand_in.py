"""A gate for the client's tests: it says what the test tells it to say, and misbehaves where it is told to."""

import json
import os
import socket
import tempfile
import threading
import time


class Request:
    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers = method, path, headers
        self.body = json.loads(body) if body else None


def answer(status, fields=None, head=""):
    """The bytes of an answer as the gate writes it."""
    body = b"" if fields is None else json.dumps(fields).encode()
    length = "" if status == 204 else f"Content-Length: {len(body)}\r\n"
    return f"HTTP/1.1 {status} Told\r\n{head}{length}\r\n".encode() + body


def allow(rung="closed", **more):
    return lambda request: answer(200, {"id": request.body["id"], "decision": "allow", "rung": rung, "writes": True,
                                        **more})


def deny(rung="closed", source="breaker", retry="never", ident=True, **more):
    return lambda request: answer(200, {
        "id": request.body["id"] if ident else None, "decision": "deny", "rung": rung, "writes": rung == "closed",
        "reason": {"source": source, "text": "refused for the test", "retry": retry, **more}})


def status(code, head="", **error):
    return lambda request: answer(code, {"error": {"code": "told", "message": "as told", **error}}, head)


def raw(data):
    return lambda request: data


def drop(request):
    """Reads the request and closes without a word."""
    raise ConnectionAbortedError


def slow(seconds, then=None):
    def behave(request):
        time.sleep(seconds)
        return (then or allow())(request)
    return behave


def cut(request):
    """Closes in the middle of an allow."""
    return CutShort(allow()(request)[:-10])


class CutShort(bytes):
    """Sent, and then the connection is closed."""


class Trickle(bytes):
    """Sent a byte at a time, 50 ms apart."""


GARBAGE = raw(b"\x00\xff not http at all\r\n\r\n")
HUGE = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + b"x" * 400000)
OTHER = raw(answer(200, {"id": "another", "decision": "allow", "rung": "closed", "writes": True}))


def trickle(request):
    """An allow, a byte at a time."""
    return Trickle(allow()(request))


class Gate:
    """Serves on a Unix socket or on loopback TCP, a thread for each connection."""

    def __init__(self, tcp=False, path=None):
        self.requests = []
        self.connections = 0
        self.told = threading.Condition()
        self.script = []            # what to do with the next asks, before `otherwise`
        self.otherwise = allow()
        self.results = None         # what to do with everything else; None: 204
        self._open = []
        self._tcp = tcp
        self._folder = None if tcp or path else tempfile.mkdtemp()
        self._path = path or (None if tcp else os.path.join(self._folder, "agents.sock"))
        self._port = 0
        self._listener = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}" if self._tcp else f"unix:{self._path}"

    def start(self):
        listener = socket.socket(socket.AF_INET if self._tcp else socket.AF_UNIX)
        if self._tcp:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", self._port))
            self._port = listener.getsockname()[1]
        else:
            listener.bind(self._path)
        listener.listen(64)
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def stop(self):
        """Dies: the listener and every connection are gone."""
        # A thread that sits in accept() keeps the socket alive; shutting it down wakes it.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        self.hang_up()
        if not self._tcp and os.path.exists(self._path):
            os.unlink(self._path)

    def hang_up(self):
        """Closes the connections, as a gate does with idle ones."""
        for connection in self._open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._open.clear()

    def close(self):
        self.stop()
        if self._folder:
            os.rmdir(self._folder)

    def asks(self):
        return [r for r in self.requests if r.path in ("/v1/steps", "/v1/calls")]

    def posts(self, ending="/result"):
        return [r for r in self.requests if r.path.endswith(ending)]

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as lines:
            try:
                while self._one(connection, lines):
                    pass
            except (OSError, ValueError):
                pass

    def _one(self, connection, lines):
        first = lines.readline().decode().split()
        if len(first) != 3:
            return False
        headers = {}
        while True:
            line = lines.readline().decode().rstrip("\r\n")
            if not line:
                break
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = lines.read(int(headers.get("content-length", "0")))
        request = Request(first[0], first[1], headers, body)
        is_ask = request.path in ("/v1/steps", "/v1/calls")
        with self.told:
            self.requests.append(request)
            if is_ask:
                behave = self.script.pop(0) if self.script else self.otherwise
            else:
                behave = self.results or (raw(answer(204)) if request.method == "POST" else status(404))
            self.told.notify_all()
        data = behave(request)
        if isinstance(data, Trickle):
            for at in range(len(data)):
                connection.sendall(data[at:at + 1])
                time.sleep(0.05)
            return True
        connection.sendall(data)
        return not isinstance(data, CutShort)
