#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `hocket plan --nodes` says before a run."""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main


class Plan(Case):
    def nodes_of(self, file, *words):
        return json.loads(self.hocket("plan", self.options.models / file, "--json", *words).stdout)["nodes"]

    def test_flows_of_the_truck(self):
        nodes = self.nodes_of("quarter_truck.ssp", "--nodes", "3", "--stop-time", "2")
        self.assertEqual([place["components"] for place in nodes["places"]], [["chassis"], ["wheel"], ["ground"], []])
        ways = {(f["component"], f["from"], f["to"]): f for f in nodes["flows"]}
        self.assertEqual(len(ways), 7)
        flow = ways["wheel", "node 2", "node 3"]
        self.assertEqual((flow["lag_s"], flow["period_s"], flow["messages_per_s"]), (0.001, 0.001, 1000))
        self.assertEqual((flow["room"], flow["most_waiting"]), (3, 2))
        self.assertTrue(all(v["connected"] and not v["row"] for v in flow["variables"]))
        record = ways["wheel", "node 2", "recorder"]
        self.assertNotIn("most_waiting", record)
        self.assertTrue(all(v["row"] for v in record["variables"]))
        self.assertEqual(nodes["messages_per_s"], 7000)
        self.assertEqual(nodes["messages"], sum(f["messages"] for f in nodes["flows"]))
        self.assertEqual(nodes["places"][1]["waits_for_values_of"], ["node 1", "node 3"])
        self.assertEqual(nodes["places"][1]["waits_for_room_at"], ["recorder"])
        self.assertEqual(nodes["places"][3]["waits_for_values_of"], ["node 1", "node 2", "node 3"])
        self.assertEqual(nodes["costs"], "equal")
        self.assertAlmostEqual(nodes["speed_up"], 3)

    def test_costs_decide_about_places_and_speed(self):
        costs = ["--cost", "chassis=2ms", "--cost", "wheel=1ms", "--cost", "ground=1ms", "--step-size", "0.01"]
        nodes = self.nodes_of("quarter_truck.ssp", "--nodes", "2", *costs)
        self.assertEqual(nodes["costs"], "given")
        self.assertEqual([place["components"] for place in nodes["places"]], [["chassis"], ["wheel", "ground"], []])
        self.assertAlmostEqual(nodes["speed_up"], 2, places=2)
        self.assertAlmostEqual(nodes["speed_up_at_most"], 2, places=2)
        # One after the other at every instant: nothing is gained, and the path goes through all.
        chain = self.nodes_of("quarter_truck.ssp", "--nodes", "3", *costs, "--algorithm", "gauss-seidel")
        self.assertLess(chain["speed_up"], 1.5)
        self.assertGreater(chain["critical_path"]["crossings"], 0)
        some = self.nodes_of("quarter_truck.ssp", "--nodes", "2", "--cost", "chassis=1ms")
        self.assertEqual(some["costs"], "partly given")

    def test_a_cost_above_the_period(self):
        """The run would stop: that is said, and the plan is whole."""
        done = self.hocket("plan", self.options.models / "quarter_truck.ssp", "--nodes", "2", "--cost", "wheel=5ms", "--json", exit=1)
        self.assertIn("HK0416", done.stderr)
        self.assertIn("those of a run that does not stop at an overrun", done.stderr)
        nodes = json.loads(done.stdout)["nodes"]
        self.assertEqual(nodes["looked_at_s"], 10)
        self.assertAlmostEqual(nodes["places"][0]["busy_s"], 50)
        self.assertGreater(nodes["speed_up"], 1)
        self.assertTrue(nodes["critical_path"]["last"])
        for policy in ("late", "skip", "stop"):
            self.write("costs.schedule", f"component wheel cost 1.5ms overrun {policy}\ncomponent chassis cost 0.1ms overrun stop\n")
            text = self.hocket("plan", self.options.models / "quarter_truck.ssp", "--nodes", "2", "--schedule", "costs.schedule",
                               exit=None).stdout
            self.assertNotIn(" 0 % of the work", text)
            self.assertNotIn("nan", text)
            self.assertIn("speed-up", text.lower())

    def test_conditions_go_to_all(self):
        nodes = self.nodes_of("quarter_truck.ssp", "--nodes", "3", "--stop-when", "ground.z > 0.01")
        looked = {f["to"] for f in nodes["flows"] for v in f["variables"] if v["condition"]}
        self.assertEqual(looked, {"node 1", "node 2", "recorder"})

    def test_a_scenario(self):
        nodes = self.nodes_of("language/case1.simulation", "--nodes", "3")
        self.assertEqual(nodes["scenario"], "vertical_speed")
        self.assertTrue(any(v["row"] for f in nodes["flows"] for v in f["variables"]))
        self.assertIn("there is no scenario 'x'", self.hocket("plan", self.options.models / "language/case1.simulation", "--nodes",
                                                              "3", "--scenario", "x", exit=2).stderr)

    def test_for_spin(self):
        """The flows of a system, and spin finds that nobody hangs."""
        for file, nodes in (("quarter_truck.ssp", 3), ("quarter_truck.ssp", 2)):
            self.hocket("plan", self.options.models / file, "--nodes", nodes, "--promela", "s.pml", "-q")
            text = (self.folder / "s.pml").read_text(encoding="utf-8")
            self.assertEqual(text.count("proctype"), nodes + 1)  # and the recorder
            if not shutil.which("spin"):
                continue
            run = "spin -a s.pml && cc -O1 -w -DSAFETY -o pan pan.c && ./pan -m100000"
            said = subprocess.run(["sh", "-c", run], cwd=self.folder, capture_output=True, text=True, check=True).stdout
            self.assertIn("errors: 0", said)
        self.assertIn("--nodes N", self.hocket("plan", self.options.models / "ship.ssp", "--promela", "x.pml", exit=2).stderr)

    def test_text(self):
        done = self.hocket("plan", self.options.models / "quarter_truck.ssp", "--nodes", "5")
        self.assertRegex(done.stdout, r"(?m)^  node 2 -> recorder +0 +1 ms +1000 +66 +rows +wheel$")
        self.assertIn("in all 7000 messages per second of simulated time", done.stdout)
        self.assertIn("node 4    0 % of the work: nothing", done.stdout)
        self.assertRegex(done.stdout, r"node 2 +for values of node 1, node 3; for room at recorder\n")
        self.assertIn("2 of 5 nodes have nothing to run", done.stderr)

    def test_text_with_the_program(self):
        words = ("plan", self.options.models / "quarter_truck.ssp", "--nodes", "2")
        alone, program = (self.hocket(*words[:2], *more).stdout for more in (words[2:], ["--program"]))
        both = self.hocket(*words, "--program").stdout
        self.assertEqual(both, program + alone[alone.index("\nNodes\n"):])

    def test_what_belongs_to_nodes_is_not_taken_without(self):
        truck = self.options.models / "quarter_truck.ssp"
        for words in (("--scenario", "a"), ("--stop-when", "ground.z > 1"), ("--output-variable", "*")):
            self.assertIn("--nodes N", self.hocket("plan", truck, *words, exit=2).stderr)
        self.assertIn("has no scenarios", self.hocket("plan", truck, "--nodes", "2", "--scenario", "a", exit=2).stderr)
        self.assertIn("from 1 to 256", self.hocket("plan", truck, "--nodes", "0", exit=2).stderr)


if __name__ == "__main__":
    main()
