# SPDX-License-Identifier: MIT
"""A run and a record as clients see and drive them."""
import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import GROUPS, LOG, STATE, Client, Served  # noqa: E402
from serve_case import ROWS, SYSTEM  # noqa: E402

from hocket_case import Case, main  # noqa: E402


class Run(Case):
    def serve(self, *words, **more):
        pathlib.Path(self.folder, "tank.system").write_text(SYSTEM, encoding="utf-8")
        return Served("tank.system", "--stop-time", "10", *words, cwd=self.folder, **more)

    def test_greeting(self):
        with self.serve() as served, Client(served) as c:
            self.assertEqual(c.status, 101)
            self.assertIn("Sec-WebSocket-Protocol: foxglove.sdk.v1", c.head)
            info = c.text("serverInfo")
            self.assertEqual(set(info["capabilities"]), {"time", "parameters", "parametersSubscribe", "services"})
            channels = {x["topic"]: x for x in c.text("advertise")["channels"]}
            self.assertEqual(set(channels), {"/hocket/state", "/hocket/log", "/ramp", "/gain"})
            self.assertEqual(json.loads(channels["/gain"]["schema"])["properties"]["y"]["title"], "gain.y")
            self.assertTrue(info["sessionId"])
            services = [x["name"] for x in c.text("advertiseServices")["services"]]
            self.assertIn("/hocket/play", services)

    def test_step_and_play(self):
        with self.serve("-o", "live.csv") as served, Client(served) as c:
            c.subscribe(1, STATE)
            self.assertEqual(c.state(lambda s: True)["state"], "paused")
            channel = c.call("watch", signals=["ramp.y", "gain.y", "nobody"])
            self.assertEqual(channel["unknown"], [2])
            c.subscribe(2, channel["channel"])
            self.assertEqual(c.values(2)["t"], 0)
            self.assertEqual(c.call("step", count=3), {})
            self.assertAlmostEqual(c.state(lambda s: s["state"] == "paused" and s["t"] > 0)["t"], 0.3)
            seen = c.until(lambda m: m[0] == "data" and m[1] == 2 and m[2]["t"] > 0)[2]
            self.assertAlmostEqual(seen["t"], 0.3)
            self.assertAlmostEqual(seen["v"][1], 2 * seen["v"][0])
            self.assertIsNone(seen["v"][2])
            c.call("play")
            self.assertEqual(c.state(lambda s: s["state"] == "ended")["t"], 10)
            status, said = served.end()
        self.assertEqual(status, 0, said)
        self.hocket("run", "tank.system", "--stop-time", "10", "-o", "alone.csv")
        self.assertEqual(pathlib.Path(self.folder, "live.csv").read_bytes(),
                         pathlib.Path(self.folder, "alone.csv").read_bytes())

    def test_watch_ends(self):
        with self.serve() as served, Client(served) as c:
            for _ in range(5000):  # more than one client may have at a time
                channel = c.call("watch", signals=["ramp.y"])["channel"]
                c.subscribe(2, channel)
                c.say("unsubscribe", subscriptionIds=[2])
                self.assertEqual(c.text("unadvertise")["channelIds"], [channel])

    def test_pause_when_and_seek(self):
        with self.serve() as served, Client(served) as c:
            c.subscribe(1, STATE)
            self.assertEqual(c.call("pause_when", condition="ramp.y > 2.05"), {})
            c.call("play")
            paused = c.state(lambda s: s["state"] == "paused" and s["t"] > 0)
            self.assertEqual(paused["reason"], "ramp.y > 2.05")
            self.assertLess(paused["t"], 3)
            self.assertIn("nobody", c.call("pause_when", condition="nobody.y > 1"))
            c.call("pause_when", condition="")
            c.call("seek", time=5)
            self.assertEqual(c.state(lambda s: s["state"] == "paused" and s["t"] > 4)["t"], 5)
            self.assertIn("still to come", c.call("seek", time=1))

    def test_parameters(self):
        with self.serve() as served, Client(served) as c, Client(served) as other:
            other.say("subscribeParameterUpdates", parameterNames=["gain.gain"])
            other.say("getParameters", parameterNames=["gain.gain"], id="first")
            self.assertEqual(other.text("parameterValues")["parameters"], [{"name": "gain.gain", "value": 2}])
            c.say("setParameters", parameters=[{"name": "gain.gain", "value": 3}], id="x")
            self.assertEqual(c.text("parameterValues"),
                             {"op": "parameterValues", "id": "x", "parameters": [{"name": "gain.gain", "value": 3}]})
            self.assertEqual(other.text("parameterValues")["parameters"], [{"name": "gain.gain", "value": 3}])
            c.say("setParameters", parameters=[{"name": "gain.y", "value": 3}])
            self.assertIn("gain.y", c.text("status")["message"])
            c.say("getParameters", parameterNames=["gain.gain"], id="q")
            self.assertEqual(c.until(lambda m: m[0] == "text" and m[1].get("id") == "q")[1]["parameters"],
                             [{"name": "gain.gain", "value": 3}])
            self.assertIn("1 value was set by hand from the page", served.end()[1])

    def test_failed(self):
        """Clients are told why, and see the message; the exit status is that of the run."""
        text = SYSTEM.replace("param gain = 2;", "param gain = 1e308;").replace("leaf gain", "leaf high", 1)
        text = text.replace("link ramp.y -> gain.u;", "leaf gain : hk.Gain { period 100ms; param gain = 1e308; }\n"
                            "    link ramp.y -> high.u;\n    link high.y -> gain.u;")
        pathlib.Path(self.folder, "high.system").write_text(text, encoding="utf-8")
        with Served("high.system", "--stop-time", "10", cwd=self.folder) as served, Client(served) as c:
            c.subscribe(1, STATE)
            c.subscribe(3, LOG)
            c.call("play")
            self.assertEqual(c.until(lambda m: m[0] == "data" and m[1] == 3)[2]["level"], 4)
            self.assertIn("is infinite", c.state(lambda s: s["state"] == "failed")["reason"])
            status, said = served.end()
        self.assertEqual(status, 4, said)

    def test_component_channel(self):
        with self.serve() as served, Client(served) as c:
            c.subscribe(5, GROUPS)
            values = c.values(5)
            self.assertEqual(values["t"], 0)
            self.assertIn("y", values)

    def test_read_only(self):
        with self.serve("--read-only") as served, Client(served) as c:
            names = [x["name"] for x in c.text("advertiseServices")["services"]]
            self.assertNotIn("/hocket/play", names)
            self.assertIn("--read-only", c.call("play"))
            c.say("setParameters", parameters=[{"name": "gain.gain", "value": 3}])
            self.assertIn("--read-only", c.text("status")["message"])

    def test_run_serve(self):
        with self.serve("--serve", "-o", "x.csv", verb="run") as served:
            status, said = served.wait()
        self.assertEqual(status, 0, said)
        self.assertEqual(len(pathlib.Path(self.folder, "x.csv").read_text(encoding="utf-8").splitlines()), 102)

    def test_interrupted(self):
        with self.serve("-o", "x.csv") as served, Client(served) as c:
            c.subscribe(1, STATE)
            c.call("step", count=5)
            c.state(lambda s: s["state"] == "paused" and s["t"] > 0)
            status, said = served.end()
        self.assertEqual(status, 130, said)
        self.assertIn("interrupted", said)

    def test_pages(self):
        with self.serve() as served:
            status, head, body = served.get(served.path)
            self.assertEqual(status, 200)
            self.assertIn("default-src 'self'", head)
            page = gzip.decompress(body) if "gzip" in head else body
            self.assertIn(b"<title>", page)
            info = json.loads(served.get(served.path + "api/info.json")[2])
            self.assertEqual([x["name"] for x in info["components"]], ["ramp", "gain"])
            self.assertIn("connections", json.loads(served.get(served.path + "api/plan.json")[2]))
            status, _, body = served.get(served.path, method="HEAD")
            self.assertEqual((status, body), (200, b""))

    def test_refused_address(self):
        said = self.hocket("serve", "--listen", "0.0.0.0", "x.csv", exit=3).stderr
        pathlib.Path(self.folder, "x.csv").write_text(ROWS, encoding="utf-8")
        said = self.hocket("serve", "--listen", "0.0.0.0", "x.csv", exit=2).stderr
        self.assertIn("--trust-network", said)
        self.assertIn("not a port", self.hocket("serve", "--port", "70000", "x.csv", exit=2).stderr)
        with Served("x.csv", cwd=self.folder) as served:
            said = self.hocket("serve", "--port", served.port, "x.csv", exit=3).stderr
            self.assertIn("in use", said)


class Record(Case):
    def test_replay(self):
        pathlib.Path(self.folder, "x.csv").write_text(ROWS, encoding="utf-8")
        with Served("x.csv", cwd=self.folder) as served, Client(served) as c:
            c.subscribe(1, STATE)
            state = c.state(lambda s: True)
            self.assertEqual((state["kind"], state["start"], state["stop"]), ("record", 0, 10))
            c.subscribe(2, c.call("watch", signals=["a.x", "b"])["channel"])
            c.call("seek", time=3.25)
            seen = c.until(lambda m: m[0] == "data" and m[1] == 2 and m[2]["t"] > 0)[2]
            self.assertEqual((seen["t"], seen["v"]), (3.25, [32, 0]))
            c.call("step")
            self.assertEqual(c.state(lambda s: s["t"] > 3.25)["t"], 3.3)
            c.call("back", count=3)
            self.assertEqual(c.state(lambda s: s["t"] < 3.25)["t"], 3)
            curves = c.call("range", signals=["a.y", "nobody"], points=10, **{"from": 0, "to": 10})["curves"]
            self.assertEqual(curves[1], [])
            self.assertEqual(min(curves[0][1::2]), -100)
            self.assertLessEqual(len(curves[0]), 40)
            c.call("speed", factor=1000)
            c.call("play")
            self.assertEqual(c.state(lambda s: s["state"] == "ended")["t"], 10)
            self.assertIn("cannot be changed", c.call("do", actions=""))
            status, said = served.end()
        self.assertEqual(status, 0, said)


main()
