# SPDX-License-Identifier: MIT
"""A client of the server, written by hand: it must be able to say what no library would."""
import base64
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case  # noqa: E402

SERVICES = ["play", "pause", "step", "back", "speed", "seek", "pause_when", "do", "save", "range", "watch"]
STATE, LOG, GROUPS = 1, 2, 3  # channels


class Served:
    """hocket serve, or run --serve, until it is left."""

    def __init__(self, *words, cwd=None, verb="serve"):
        words = [hocket_case.OPTIONS.hocket, verb, *[str(word) for word in words]]
        self.process = subprocess.Popen(words, cwd=cwd, env=hocket_case.environment(), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = (self.process.stdout if verb == "serve" else self.process.stderr).readline().strip()
        if not self.address.startswith("http://"):
            raise AssertionError(f"no address: {self.address!r} {self.process.communicate(timeout=hocket_case.TIMEOUT_S)}")
        self.place, _, self.path = self.address[len("http://"):].partition("/")
        host, _, port = self.place.rpartition(":")
        self.host, self.port = host, int(port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate(timeout=hocket_case.TIMEOUT_S)

    def end(self):
        """Ends it by Ctrl-C; its exit status and what it said."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self):
        said = self.process.communicate(timeout=hocket_case.TIMEOUT_S)
        return self.process.returncode, said[1]

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=hocket_case.TIMEOUT_S)

    def ask(self, request):
        """The answer to some bytes, until the server closes the connection."""
        with self.connect() as s:
            s.sendall(request if isinstance(request, bytes) else request.encode())
            return read_all(s)

    def get(self, path, method="GET", **fields):
        fields = {"Host": self.place} | {name.replace("_", "-"): value for name, value in fields.items()}
        lines = [f"{method} /{path} HTTP/1.1"] + [f"{n}: {v}" for n, v in fields.items() if v is not None]
        head, _, body = self.ask("\r\n".join(lines) + "\r\n\r\n").partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), body


def read_all(s):
    data = b""
    while True:
        try:
            more = s.recv(65536)
        except ConnectionResetError:
            return data
        if not more:
            return data
        data += more


class Client:
    """One WebSocket."""

    def __init__(self, served, protocol="foxglove.sdk.v1", **fields):
        self.socket = served.connect()
        self.data = b""
        self.calls = 0
        self.last = None  # the state that came last; it may come before the answer to what has brought it about
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": served.place, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
                  "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": protocol} | fields
        lines = [f"GET /{served.path}ws HTTP/1.1"] + [f"{n}: {v}" for n, v in fields.items() if v is not None]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.data:
            more = self.socket.recv(65536)
            if not more:
                break
            self.data += more
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        self.head = head.decode()
        self.status = int(self.head.split()[1]) if head else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _take(self, size):
        while len(self.data) < size:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.data += more
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def frame(self):
        """Kind and data of the next frame."""
        first, second = self._take(2)
        size = second & 127
        if size > 125:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        return first & 15, self._take(size)

    def send(self, kind, data):
        size = len(data)
        head = bytes([0x80 | kind])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def say(self, op, **members):
        self.send(1, json.dumps({"op": op, **members}).encode())

    def until(self, wanted):
        """The first message for which WANTED is true: ('text', object), ('data', subscription, object) ..."""
        while True:
            kind, data = self.frame()
            if kind == 1:
                message = ("text", json.loads(data))
            elif kind == 2 and data[0] == 1:
                message = ("data", int.from_bytes(data[1:5], "little"), json.loads(data[13:]))
            elif kind == 2 and data[0] == 3:
                message = ("answer", int.from_bytes(data[5:9], "little"), json.loads(data[17:]))
            elif kind == 8:
                message = ("close", int.from_bytes(data[:2], "big"))
            else:
                continue
            if message[:2] == ("data", 1):
                self.last = message[2]
            if wanted(message):
                return message

    def text(self, op):
        return self.until(lambda m: m[0] == "text" and m[1]["op"] == op)[1]

    def call(self, service, **request):
        """The answer, or the text of the failure."""
        self.calls += 1
        number = self.calls
        self.send(2, b"\2" + struct.pack("<III", SERVICES.index(service) + 1, number, 4) + b"json" +
                  json.dumps(request).encode())
        found = self.until(lambda m: m[0] == "answer" and m[1] == number or
                           m[0] == "text" and m[1]["op"] == "serviceCallFailure" and m[1]["callId"] == number)
        return found[2] if found[0] == "answer" else found[1]["message"]

    def subscribe(self, number, channel):
        self.say("subscribe", subscriptions=[{"id": number, "channelId": channel}])

    def state(self, wanted):
        """The state for which WANTED is true: the last one, or the next; STATE is subscribed as 1."""
        if self.last and wanted(self.last):
            return self.last
        return self.until(lambda m: m[0] == "data" and m[1] == 1 and wanted(m[2]))[2]

    def values(self, number):
        return self.until(lambda m: m[0] == "data" and m[1] == number)[2]
