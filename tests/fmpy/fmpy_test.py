#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FMPy as an oracle: the same FMU, the same step, the same inputs; every output at every step must be
the same number, bit for bit. Run by the Python of .venv; exit status 77: skipped.

FMPy interpolates its input signals linearly and sets them at the start of each step; so does a table of
hocket. The values of the table are chosen at the steps, so that nothing is interpolated."""
import csv
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main, need  # noqa: E402



def signal(k):
    """Some input, exact and lively."""
    return ((k * 37) % 101 - 50) / 8


class Oracle(Case):
    def native(self, fmu, count, step, inputs, outputs):
        shutil.copy(OPTIONS.fmus / f"{fmu}.fmu", self.folder)
        with open(self.folder / "in.csv", "w", encoding="utf-8") as file:
            file.write("time," + ",".join(inputs) + "\n")
            for k in range(count + 1):
                file.write(",".join([repr(k / step), *(repr(f(k)) for f in inputs.values())]) + "\n")
        words = ["run", f"{fmu}.fmu", "--input-file", "in.csv", "--step-size", f"1/{step}", "--stop-time",
                 f"{count}/{step}", "-o", "out.csv", "-q"]
        for name in outputs:
            words += ["--output-variable", name]
        self.hocket(*words, XDG_CACHE_HOME=self.folder / "cache")
        with open(self.folder / "out.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names = [name.split(".", 1)[1] for name in rows[0][1:]]
        return [dict(zip(["time", *names], row)) for row in rows[1:]]

    def fmpy(self, fmu, count, step, inputs, outputs):
        import fmpy
        import numpy
        table = numpy.array([tuple([k / step, *(f(k) for f in inputs.values())]) for k in range(count + 1)],
                            dtype=[("time", "f8"), *((name, "f8") for name in inputs)])
        return fmpy.simulate_fmu(str(OPTIONS.fmus / f"{fmu}.fmu"), stop_time=count / step, step_size=1 / step,
                                 output_interval=1 / step, input=table, output=list(outputs),
                                 fmi_type="CoSimulation")

    def compare(self, fmu, count, step, inputs, outputs):
        ours = self.native(fmu, count, step, inputs, outputs)
        theirs = self.fmpy(fmu, count, step, inputs, outputs)
        self.assertEqual((len(ours), len(theirs)), (count + 1, count + 1))
        # Before the first step FMPy has set no inputs yet; hocket has.
        for k in range(1, count + 1):
            self.assertAlmostEqual(float(ours[k]["time"]), theirs["time"][k], places=9)
            for name in outputs:
                self.assertEqual(float(ours[k][name]), float(theirs[name][k]), f"{name} after {k} steps")

    def test_probe(self):
        # real_out is left out: it follows the input at once, and FMPy shows it with the input of the
        # step that follows.
        self.compare("probe", 512, 64, {"real_in": signal}, ("state",))

    def test_probe3(self):
        self.compare("probe3", 512, 64, {"real_in": signal}, ("state", "calls"))

    def test_chassis(self):
        self.compare("chassis", 1024, 1024, {"p.f": signal}, ("z", "v", "p.e"))

    def test_wheel(self):
        self.compare("wheel", 1024, 1024, {"p.f": signal, "p1.e": lambda k: 100 * signal(k + 3)},
                     ("z", "p.e", "p1.f"))


if __name__ == "__main__":
    need("fmpy")
    main()
