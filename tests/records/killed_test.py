#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 in the middle of a run leaves a record that can be read to its last block."""
import json
import subprocess

import records_case as rc


class Killed(rc.Records):
    def kill(self, name):
        """Lets a run write some blocks, and kills it: without a parent, whose child would live a little longer."""
        path = self.folder / name
        self.write("w.system", rc.WAVE)
        run = subprocess.Popen([self.options.hocket, "run", "w.system", "--stop-time", "1e7", "--real-time=50",
                                "--no-parent", "-q", "-o", name, "--output-variable", "*"], cwd=self.folder,
                               env=rc.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sizes = {0}

        def has_grown():
            sizes.add(path.stat().st_size if path.exists() else 0)
            return len(sizes) > 3
        rc.wait_until(has_grown, "some blocks are written", run)
        run.kill()
        run.wait()
        about = json.loads((self.folder / f"{name}-metadata.json").read_text(encoding="utf-8"))
        self.assertIn("not yet", about["notes"][0]["ended"])
        checked = json.loads(self.hocket("check", name, "--json").stdout)["files"][0]
        self.assertGreater(checked["rows"], 10)
        return checked["rows"]

    def check_times(self, times, rows):
        self.assertEqual(len(times), rows)
        for i, t in enumerate(times):
            self.assertAlmostEqual(t, 0.01 * i, places=9)

    def test_csv(self):
        rows = self.kill("k.csv")
        lines = (self.folder / "k.csv").read_text(encoding="utf-8").splitlines()
        self.check_times([float(line.split(",")[0]) for line in lines[1:]], rows)

    @rc.needs_scipy
    def test_mat(self):
        rows = self.kill("k.mat")
        names, _, m = self.mat("k.mat")
        self.check_times(m["data_2"][0], rows)
        self.assertEqual(m["data_1"][0, 1], m["data_2"][0, -1])

    @rc.needs_h5py
    def test_hdf5(self):
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        rows = self.kill("k.h5")
        with rc.h5py.File(self.folder / "k.h5") as f:
            self.check_times(f["time"][()], rows)
            self.assertEqual({len(f[name]) for name in f}, {rows})
            self.assertIn("not yet", rc.attributes(f)["about"])

    def test_hdf5_by_size(self):
        """A fast run fills megabytes before the first half second is over: they are in the file."""
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        path = self.folder / "k.h5"
        self.write("w.system", rc.WAVE)
        with subprocess.Popen([self.options.hocket, "run", "w.system", "--stop-time", "1e6", "--no-parent", "-q",
                               "-o", "k.h5"], cwd=self.folder, env=rc.environment()) as run:
            rc.wait_until(lambda: path.exists() and path.stat().st_size > 6 << 20, "megabytes are written", run)
            run.kill()
        rows = json.loads(self.hocket("check", "k.h5", "--json").stdout)["files"][0]["rows"]
        self.assertGreater(rows * 24, 3 << 20)


if __name__ == "__main__":
    rc.main("--hocket", "--fmus")
