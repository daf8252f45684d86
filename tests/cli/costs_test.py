#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Costs that 'hocket plan' is told mean what they mean in a schedule: ages, execution times, the allocation that is
written; one that is too much for a processor is named. Standard library only."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main  # noqa: E402

OLD = """# mine
component wheel cost 1.5ms overrun late # slow: cost 9ms
component "chassis" overrun skip cost 0.1ms
processor body: wheel chassis
processor road: ground
latency wheel -> chassis max 5ms
"""


class Costs(Case):
    def setUp(self):
        super().setUp()
        shutil.copy(OPTIONS.models / "quarter_truck.ssp", self.folder / "x.ssp")

    def plan(self, *words, exit=0):
        return self.hocket("plan", "x.ssp", "--stop-time", "0.1", *words, exit=exit)

    def test_as_in_a_schedule(self):
        """Late activations make values older, no matter who has said what they cost."""
        base = "component wheel overrun late\ncomponent chassis overrun skip\n"
        self.write("base.schedule", base)
        self.write("costs.schedule", base + "component wheel cost 1.5ms\ncomponent chassis cost 0.1ms\n")
        for words in ([], ["--connections"], ["--json"]):
            written = self.plan("--schedule", "costs.schedule", *words)
            told = self.plan("--schedule", "base.schedule", "--cost", "wheel=1.5ms", "--cost", "chassis=100us", *words)
            self.assertEqual(told.stdout, written.stdout)
            self.assertIn("1.5" if words != ["--json"] else "0.0015", told.stdout)
        plain = self.plan("--schedule", "costs.schedule").stdout
        self.assertIn("Execution times\n", plain)
        self.assertNotEqual(plain.split("Connections")[1], self.plan().stdout.split("Connections")[1])

    def test_instead_of_the_schedule(self):
        self.write("old.schedule", "component wheel cost 1.5ms\n")
        self.plan("--schedule", "old.schedule", exit=1)
        self.assertIn("wheel: cost 30 us", self.plan("--schedule", "old.schedule", "--cost", "wheel=30us").stdout)

    def test_stops_the_run(self):
        done = self.plan("--cost", "wheel=1.5ms", exit=1)
        self.assertIn("error[HK0416]", done.stderr)

    def test_written_with_the_allocation(self):
        self.plan("--allocate", "2", "--cost", "wheel=1/2000", "--cost", "ground=30us", "-o", "new.schedule")
        text = (self.folder / "new.schedule").read_text()
        self.assertIn("component wheel cost 1/2000\ncomponent ground cost 30us\n", text)
        again = self.plan("--schedule", "new.schedule").stdout
        self.assertIn("wheel: cost 500 us", again)
        self.assertIn("ground: cost 30 us", again)

    def test_written_into_what_is_there(self):
        self.write("old.schedule", OLD)
        self.plan("--schedule", "old.schedule", "--allocate", "2", "--cost", "wheel=300us", "--cost", "chassis=0.2ms",
                  "--cost", "ground=5us", "-o", "new.schedule")
        kept = [line for line in (self.folder / "new.schedule").read_text().splitlines()
                if not line.startswith(("processor", "cut"))]
        self.assertEqual(kept, ["# mine", "component wheel cost 300us overrun late # slow: cost 9ms",
                                'component "chassis" overrun skip cost 0.2ms', "latency wheel -> chassis max 5ms",
                                "component ground cost 5us"])
        self.plan("--schedule", "new.schedule")

    def test_twice(self):
        self.plan("--cost", "wheel=30us", "--cost", "wheel=0.03ms")
        done = self.plan("--cost", "wheel=30us", "--cost", "wheel=31us", exit=2)
        self.assertIn("error[HK0101]: --cost: 'wheel' has two costs, 30us and 31us", done.stderr)
        self.assertEqual(done.stdout, "")
        for wrong in ("wheel=0", "wheel=-1us", "wheel", "=1us", "wheel=fast"):
            self.assertEqual(self.plan("--cost", wrong, exit=2).stderr.count("error["), 1)

    def test_load(self):
        schedule = "component wheel cost 0.7ms overrun skip\ncomponent chassis cost 0.4ms overrun skip\n"
        self.write("slow.schedule", schedule + "processor body: wheel chassis\nprocessor road: ground\n")
        load = "processor 'body' has a load of 110 % and never catches up: 'chassis' 40 %, 'wheel' 70 %"
        self.assertIn(f"warning[HK0416]: {load}", self.plan("--schedule", "slow.schedule").stderr)
        self.write("full.schedule", schedule.replace("0.4", "0.3") + "component ground cost 1us overrun skip\n")
        self.assertIn("the processor has a load of 100.1 %", self.plan("--schedule", "full.schedule").stderr)
        self.write("full.schedule", schedule.replace("0.4", "0.3"))
        self.assertNotIn("load", self.plan("--schedule", "full.schedule").stderr)
        for verb in (["run", "-q"], ["check"]):
            done = self.hocket(*verb, "x.ssp", "--schedule", "slow.schedule", exit=None)
            self.assertIn(load, done.stdout + done.stderr)
        # Components that are yet to be spread over processors overload none.
        costs = ["--cost", "wheel=0.7ms", "--cost", "chassis=0.6ms"]
        self.assertNotIn("load of", self.plan("--allocate", "2", *costs).stderr)


if __name__ == "__main__":
    main()
