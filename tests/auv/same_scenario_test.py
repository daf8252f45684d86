#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One scenario, two systems: truck.simulation on a package of FMUs and on the native components
with the same equations. The logs must be the same to the last byte. Standard library only.
"""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, call, main  # noqa: E402

SCENARIO = pathlib.Path(__file__).resolve().parent / "truck.simulation"
FILES = ["truck.road.%04d.csv" % i for i in range(3)]


class SameScenario(Case):
    def play(self, system, *options):
        with tempfile.TemporaryDirectory(prefix="hocket-truck-") as folder:
            done = call(OPTIONS.hocket, "run", SCENARIO, "--system", OPTIONS.models / system, "-o", folder, "--json",
                        *options)
            self.assertFalse([line for line in done.stderr.splitlines()
                              if '"severity":"warning"' in line], done.stderr)
            files = [(pathlib.Path(folder) / name).read_bytes() for name in FILES]
            return files, json.loads(done.stdout)["runs"]

    def test_fmus_and_native_components(self):
        fmus, fmu_runs = self.play("quarter_truck.ssp")
        native, native_runs = self.play("quarter_truck_native.ssp")
        self.assertEqual(len(set(fmus)), 3)
        self.assertEqual(fmus, native)
        for a, b in zip(fmu_runs, native_runs):
            self.assertEqual(a["trace"], b["trace"])
            self.assertEqual(a["activations"], b["activations"])
            self.assertEqual(a["activations"]["ground"], 3800)
            self.assertEqual([v["held"] for v in a["verdicts"]], [True] * 3)
        fired = [t for t in fmu_runs[0]["trace"] if t.endswith("scale 1.1")]
        self.assertTrue(fired and fired[0].startswith("1."), fmu_runs[0]["trace"])
        for words in ("1.5 s: fault", "1.6 s: ", "2 s: fault", "2.3 s: repair", "2.5 s: fault",
                      "3 s: stop ground", "3.2 s: start ground", "3.5 s: fault"):
            self.assertTrue([t for t in fmu_runs[0]["trace"] if t.startswith(words)],
                            (words, fmu_runs[0]["trace"]))
        self.assertEqual(self.play("quarter_truck.ssp", "--workers", "3")[0], fmus)

    def test_the_faults_matter(self):
        """Another roughness gives other logs."""
        rough, _ = self.play("quarter_truck_native.ssp")
        smooth, _ = self.play("quarter_truck_native.ssp", "--define", "roughness=0.001")
        self.assertFalse(set(rough) & set(smooth))


if __name__ == "__main__":
    main()
