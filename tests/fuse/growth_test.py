#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long it takes to build fused code, by the number of leaves: it grows with it, not faster, and a system of 1000
leaves is there in less than 20 s. Processor time is what counts: it is the same on a busy machine.

`growth_test.py ... --table` prints what it takes, for each shape and size. A sixth as many leaves are enough to see how
it grows; with HK_SLOW=1 (./dev test --all) it is 1000."""
import os
import resource
import shutil
import time

from support import SLOW, FuseCase, leaf, main

SIZES = (250, 500, 1000) if SLOW else (50, 150)
LIMIT_S = 20  # for 1000, with two processors
GROWTH = 3  # at most, of twice as many leaves; 2 is linear, 4 is as the square


def system(shape, count):
    """A row of leaves that follow each other, or of leaves that all see what was before: many cells, or one large one."""
    lag = "" if shape == "row" else " lag previous"
    leaves = "".join(f'    leaf c{i} : "wave.so#wave" {{ frequency 100 Hz; }}\n' for i in range(count))
    links = "".join(f"    link c{i}.y -> c{i + 1}.u{lag};\n" for i in range(count - 1))
    return f"system {shape} {{\n  composite all {{\n{leaves}{links}  }}\n}}\n"


class Growth(FuseCase):
    def measure(self, shape, count):
        """Processor time and wall time of a run that compiles, and then does next to nothing."""
        path = self.write(f"{shape}.system", system(shape, count))
        shutil.rmtree(self.cache, ignore_errors=True)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = self.run_hocket("run", path, "--stop-time", "0.05", "--fused")
        wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn("compiling ", done.stderr)
        self.assertRegex(done.stderr, r"fused +(\d+) of \1 cells")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall

    def test_linear(self):
        self.plugin(leaf())
        processors = min(2, os.cpu_count() or 1)
        for shape in ("row", "wide"):
            times = {count: self.measure(shape, count) for count in SIZES}
            if self.options.table:
                for count, (cpu, wall) in times.items():
                    print(f"{shape:5} {count:5} leaves: {cpu:6.1f} s of the processor, {wall:6.1f} s in all")
            for smaller, larger in zip(SIZES, SIZES[1:]):
                self.assertLess(times[larger][0], GROWTH * larger / smaller / 2 * times[smaller][0], (shape, times))
            self.assertLess(times[SIZES[-1]][0] / processors, LIMIT_S * SIZES[-1] / 1000, (shape, times))


if __name__ == "__main__":
    main("--hocket", flags=("--table",))
