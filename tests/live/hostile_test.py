# SPDX-License-Identifier: MIT
"""Clients that mean harm, or do not know better: they are refused, and the run goes on."""
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import STATE, Client, Served, read_all  # noqa: E402

from hocket_case import Case, main  # noqa: E402

ROWS = "time,x\n0,1\n1,2\n"


def memory_kb(process):
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Hostile(Case):
    def serve(self, *words):
        pathlib.Path(self.folder, "x.csv").write_text(ROWS, encoding="utf-8")
        return Served("x.csv", "--no-parent", *words, cwd=self.folder)

    def assert_alive(self, served):
        with Client(served) as c:
            c.subscribe(1, STATE)
            self.assertEqual(c.state(lambda s: True)["kind"], "record")

    def test_who_may_ask(self):
        with self.serve() as served:
            token = served.path.rstrip("/")
            for path in ("", "index.html", token[:-1] + "/", token + "x/", token[:-1] + "0/" if token[-1] != "0" else "1/",
                         "..", token + "%2f"):
                self.assertEqual(served.get(path)[0], 403, path)
            for path in ("nobody", "../", "..%2fx", "assets/../index.html", "x" * 300, "api/"):
                self.assertEqual(served.get(served.path + path)[0], 404, path)
            self.assertEqual(served.get(token)[0], 404)
            for host in ("evil.example:80", "127.0.0.1", f"evil.example:{served.port}", None):
                self.assertEqual(served.get(served.path, Host=host)[0], 403, host)
            self.assertEqual(served.get(served.path, Host=f"localhost:{served.port}")[0], 200)
            self.assertEqual(served.get(served.path, Origin="http://evil.example")[0], 403)
            self.assertEqual(served.get(served.path, Origin="null")[0], 403)
            self.assertEqual(served.get(served.path, Origin=f"http://{served.place}")[0], 200)
            self.assertEqual(served.get(served.path, method="POST")[0], 405)
            self.assertEqual(served.get(served.path, method="DELETE")[0], 405)
            self.assertEqual(served.get(served.path + "ws")[0], 426)

    def test_handshakes(self):
        with self.serve() as served:
            for fields in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
                with Client(served, **fields) as c:
                    self.assertEqual(c.status, 403)
            with Client(served, protocol="chat") as c:
                self.assertEqual(c.status, 400)
            with Client(served, **{"Sec-WebSocket-Version": "8"}) as c:
                self.assertEqual(c.status, 426)
            with Client(served, **{"Sec-WebSocket-Key": "short"}) as c:
                self.assertEqual(c.status, 400)
        with self.serve("--allow-origin", "https://app.example") as served:
            with Client(served, Origin="https://app.example") as c:
                self.assertEqual(c.status, 101)

    def test_claims(self):
        """A frame that claims to be huge is refused at once, and costs nothing."""
        with self.serve() as served:
            before = memory_kb(served.process)
            for size in (b"\0\0\0\0\x40\0\0\0", b"\x7f" + b"\xff" * 7, b"\xff" * 8):
                with Client(served) as c:
                    began = time.monotonic()
                    c.socket.sendall(b"\x82\xff" + size + b"\0\0\0\0" + b"x" * 100000)
                    self.assertEqual(c.until(lambda m: m[0] == "close"), ("close", 1009))
                    read_all(c.socket)
                    self.assertLess(time.monotonic() - began, 60)
            self.assertLess(memory_kb(served.process) - before, 4096)
            self.assert_alive(served)

    def test_nonsense(self):
        with self.serve() as served:
            self.assertIn(b" 400 ", served.ask("nonsense\r\n\r\n"))
            self.assertIn(b" 431 ", served.ask("GET / HTTP/1.1\r\n" + "a: b\r\n" * 3000))
            with Client(served) as c:
                for text in (b"", b"[", b"{}", b'{"op":3}', b'{"op":"fetchAsset"}', b'{"op":"subscribe","subscriptions":[1,{}]}'):
                    c.send(1, text)
                    self.assertEqual(c.text("status")["level"], 2, text)
                c.send(2, b"\2\xff\xff\xff\xff\0\0\0\0\4\0\0\0json{}")
                self.assertIn("no such service", c.text("serviceCallFailure")["message"])
                self.assertIn("not JSON", self.bad_call(c))
                c.send(2, b"\7")
                self.assertEqual(c.until(lambda m: m[0] == "close"), ("close", 1008))
            with Client(served) as c:
                c.send(1, b"\xff\xff")
                self.assertEqual(c.until(lambda m: m[0] == "close"), ("close", 1007))
            self.assert_alive(served)

    def bad_call(self, client):
        client.send(2, b"\2\1\0\0\0\1\0\0\0\4\0\0\0json{")
        return client.text("serviceCallFailure")["message"]

    def test_many_idle(self):
        """A thousand who say nothing do not keep a good client waiting."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < 2048:
            self.skipTest("this process may not have so many descriptors")
        resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
        with self.serve() as served:
            idle = [served.connect() for _ in range(1000)]
            self.assert_alive(served)
            for one in idle:
                one.close()
            self.assert_alive(served)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_one_who_does_not_read(self):
        """What it does not take is dropped, then it is; others see every state."""
        with self.serve() as served, Client(served) as deaf:
            for _ in range(3000):
                deaf.say("getParameters", parameterNames=["x" * 60])
            self.assert_alive(served)

    def test_cut_off(self):
        with self.serve() as served:
            for cut in range(1, 8):
                with served.connect() as s:
                    s.sendall(b"GET / HT"[:cut])
            with Client(served) as c:
                c.socket.sendall(b"\x81\xfe\x10")
            self.assert_alive(served)
            status, _ = served.end()
        self.assertEqual(status, 0)


main()
