#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graphs of nodes that are written by hand: checked, run by the time rules alone, and written for spin."""
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main

CYCLE = """stop 1 s;
node a period 10 ms;
node b period 15 ms offset 5 ms;
flow x: a -> b observes;
flow y: b -> a observes;
"""


class Graphs(Case):
    def counts(self, text):
        self.write("g.node", text)
        answer = json.loads(self.hocket("node", "g.node", "--json").stdout)
        self.assertEqual(answer["schema"], "hocket.node/1")
        return ({cell["name"]: cell["activations"] for cell in answer["cells"]},
                {flow["name"]: (flow["sent"], flow["taken"]) for flow in answer["flows"]})

    def test_it_is_run(self):
        cells, flows = self.counts("""stop 1 s;
            node uav period 10 ms;
            node wind until 500 ms { cell gust period 20 ms offset 5 ms; cell map period 30 ms, 70 ms level 1; }
            flow position: uav -> wind.gust lag 5 ms;
            flow wind.gust -> uav observes;""")
        self.assertEqual(cells, {"uav": 100, "wind.gust": 25, "wind.map": 10})
        self.assertEqual(flows["wind.gust -> uav"], (25, 25))  # the last one promises that none follows
        self.assertEqual(flows["position"][0], 100)

    def test_random_graphs_come_to_their_end(self):
        """The number of activations is that of the definition, whoever is fast; the check finds nothing in what is acyclic."""
        dice = random.Random(7)
        for _ in range(10):
            count = dice.randint(2, 6)
            periods = [dice.randint(1, 9) for _ in range(count)]
            offsets = [dice.randrange(p) for p in periods]
            text = "stop 1 s;\n" + "".join(f"node n{i} period {p} ms offset {o} ms;\n" for i, (p, o) in enumerate(zip(periods, offsets)))
            for i in range(count):
                for k in range(count):
                    if i != k and dice.random() < 0.5:
                        text += f"flow n{i} -> n{k} {'observes' if i < k else 'lag %d ms' % dice.randint(1, 20)};\n"
            with self.subTest(text=text):
                cells, _ = self.counts(text)
                self.assertEqual(cells, {f"n{i}": len(range(o, 1000, p)) for i, (p, o) in enumerate(zip(periods, offsets))})

    def test_a_cycle_is_refused(self):
        self.write("c.node", CYCLE)
        for verb, stream in (("check", "stdout"), ("node", "stderr")):
            said = getattr(self.hocket(verb, "c.node", exit=1), stream)
            self.assertIn("HK0407", said)
            for word in ("flow x", "flow y", "0.02 s"):
                self.assertIn(word, said)

    def test_checked(self):
        self.write("g.node", CYCLE.replace("b -> a observes", "b -> a"))
        self.assertEqual(self.hocket("check", "g.node").stdout, "ok: 2 nodes, 2 cells, 2 flows\n")
        file = json.loads(self.hocket("check", "g.node", "--json").stdout)["files"][0]
        self.assertEqual((file["nodes"], file["cells"], file["flows"]), (2, 2, 2))
        self.write("wrong.node", "node a perod 1;")
        self.assertIn("did you mean 'period'", self.hocket("check", "wrong.node", exit=3).stdout)

    def test_for_spin(self):
        """Also of one that hangs: spin is to find that."""
        self.write("c.node", CYCLE)
        self.hocket("node", "c.node", "--promela", "c.pml")
        text = (self.folder / "c.pml").read_text(encoding="utf-8")
        self.assertIn("proctype", text)
        self.assertIn("chan", text)

    def test_usage(self):
        self.write("c.node", CYCLE)
        self.assertIn("--stop-time is not for graphs", self.hocket("node", "c.node", "--stop-time", "1", exit=2).stderr)
        self.assertIn("for graphs of nodes", self.hocket("node", "c.ssp", "--promela", "x.pml", exit=2).stderr)
        self.write("large.node", "stop 1e9; node a period 1 ns; node b period 1e6; flow a -> b lag 1 s;")
        self.assertIn("more than a pipe has", self.hocket("node", "large.node", exit=1).stderr)
        self.assertIn("more than a pipe has", self.hocket("check", "large.node", exit=1).stdout)

    def test_what_is_wrong_is_said_once(self):
        for text, message in (("stop -1 s; node a period 1 s;", "stop time '-1s' must be at least 0"), ("stop 1 s;", "there is no node")):
            self.write("w.node", text)
            for verb, stream in (("check", "stdout"), ("node", "stderr")):
                said = getattr(self.hocket(verb, "w.node", exit=None), stream)
                self.assertIn(message, said)
                self.assertEqual(said.count("error["), 1, said)

    def test_other_verbs_say_which_is_right(self):
        self.write("c.node", CYCLE)
        for words in (("run",), ("info",), ("plan",), ("plan", "--nodes", "2")):
            said = self.hocket(words[0], "c.node", *words[1:], exit=3).stderr
            self.assertRegex(said, "a graph of nodes(.|\n)*hocket node FILE.node")

    def test_a_long_run_is_announced(self):
        self.write("long.node", "stop 1 s; node a period 1 ns; node b period 1 ms; flow a -> b;")
        process = subprocess.Popen([str(self.options.hocket), "node", "long.node"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        line = process.stderr.readline()
        process.kill()
        process.communicate()
        self.assertRegex(line, r"^long.node:1:.*warning\[HK0405\]: the cell 'a' is activated about 1 000 000 000 times")


if __name__ == "__main__":
    main()
