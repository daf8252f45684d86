#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run on several nodes gives the bytes of a run on one, whatever the transport, also while other programs are busy."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from busy import busy
from hocket_case import Case, main

TIMES = 3  # ten times, and all of them: load_test.py
NODES = (1, 2, 4, 8)
TRANSPORTS = ("shm", "unix")


class Same(Case):
    def compare(self, file, *words, times=1, on=NODES):
        self.hocket("run", file, *words, "-q", "-o", "one.csv")
        one = (self.folder / "one.csv").read_bytes()
        self.assertGreater(one.count(b"\n"), 10)
        for _ in range(times):
            for nodes in on:
                for transport in TRANSPORTS:
                    self.hocket("run", file, *words, "-q", "--nodes", nodes, "--transport", transport, "-o", "many.csv")
                    many = (self.folder / "many.csv").read_bytes()
                    self.assertTrue(one == many, f"{file} on {nodes} nodes over {transport}")

    def test_rosace(self):
        """While somebody else is busy, who waits for whom, and how long, is another in every run."""
        with busy():
            self.compare(self.options.models / "r_rosace.ssp", "--stop-time", "0.3", times=TIMES)

    def test_rosace_cut_for_hla(self):
        self.compare(self.options.models / "r_rosace.ssp", "--stop-time", "1",
                     "--schedule", self.options.models / "e2.schedule", on=(8,))

    def test_truck(self):
        with busy():
            self.compare(self.options.models / "quarter_truck.ssp", "--stop-time", "0.1", times=TIMES)

    def test_truck_of_fmi_3(self):
        self.compare(self.options.models / "quarter_truck_fmi3.ssp", "--stop-time", "0.5",
                     "--output-variable", "*", "--output-interval", "0.01", on=(3,))

    def test_a_run_that_a_condition_ends(self):
        self.compare(self.options.models / "quarter_truck.ssp", "--stop-time", "2", "--stop-when", "ground.z > 0.01", on=(2, 3))

    def simulate(self, file, *words):
        one = self.hocket("run", file, *words, "-q", "-o", "one", exit=None).returncode
        logs = sorted(p.name for p in (self.folder / "one").glob("*.csv"))
        self.assertTrue(logs)
        for nodes, transport in ((2, "shm"), (3, "unix")):
            into = f"{nodes}{transport}"
            self.hocket("run", file, *words, "-q", "--nodes", nodes, "--transport", transport, "-o", into, exit=one)
            for log in logs:
                self.assertTrue((self.folder / "one" / log).read_bytes() == (self.folder / into / log).read_bytes(), log)

    def test_a_simulation_with_events_and_requirements(self):
        self.simulate(self.options.models / "language/case1.simulation", "--stop-time", "10")

    def test_a_simulation_with_a_fault(self):
        self.simulate(self.options.models / "thruster_lost.simulation", "--scenario", "thruster_lost", "--stop-time", "310")

    def test_a_simulation_whose_components_call_each_other(self):
        """Those stay on one node, however many there are."""
        self.simulate(self.options.models / "auv/AuvSimulation.simulation", "--run", "0", "--stop-time", "20")


if __name__ == "__main__":
    main()
