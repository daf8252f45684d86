#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records that were damaged, byte by byte: one message with its place, never a crash, whatever libhdf5 does."""
import os
import random
import struct

import records_case as rc
from hocket_case import SLOW

SEEDS = 200 if SLOW else 20


class Damaged(rc.Records):
    def check(self, name, data, what):
        (self.folder / name).write_bytes(data)
        done = self.hocket("check", name, exit=None)
        self.assertIn(done.returncode, (0, 2, 3), f"{what}: {done.returncode} {done.stdout} {done.stderr}")
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "error[" in line]
        self.assertEqual(len(errors), done.returncode != 0, f"{what}: {done.stdout} {done.stderr}")
        self.assertTrue(all(name in line for line in errors), f"{what}: {done.stdout} {done.stderr}")
        return errors

    def damage(self, data, seed):
        """One change: of a byte, of a bit, of eight bytes, or what is behind is cut off. Zeros are mostly rows that
        are not there yet: others are chosen."""
        rng = random.Random(seed)
        places = [i for i, byte in enumerate(data) if byte]
        at = rng.choice(places)
        kind = rng.randrange(6)
        new = bytearray(data)
        if kind == 0:
            new[at] ^= 1 << rng.randrange(8)
        elif kind < 3:
            new[at] = rng.randrange(256)
        elif kind == 3:
            new[at:at + 8] = struct.pack("<Q", rng.choice((0, 1 << 40, (1 << 64) - 1, len(data))))
        elif kind == 4:
            new[at:at + 4] = rng.randbytes(4)
        else:
            del new[at:]
        return bytes(new)

    def seeds(self, name):
        """A short record of every type: most of it says what it is."""
        what = [word for kind in ("string", "binary", "enumeration", "boolean", "int64", "float32_vector")
                for word in ("--output-variable", f"{kind}_in")]
        self.hocket("run", self.options.fmus / "feedthrough3.fmu", "--stop-time", "0.2", "-q", "-o", name, *what)
        data = (self.folder / name).read_bytes()
        for seed in range(SEEDS):
            self.check(f"x{name}", self.damage(data, seed), f"{name}, seed {seed}")

    def test_hdf5(self):
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        self.seeds("w.h5")

    def test_pipes(self):
        """To open a pipe is to wait for the one who writes: it is refused before."""
        for name in ("p.csv", "p.mat", *(["p.h5"] if self.has_hdf5() else [])):
            os.mkfifo(self.folder / name)
            done = self.hocket("info", name, exit=3)
            self.assertIn(f"{name}: error[HK0201]: it is not a regular file", done.stderr)

    def test_mat(self):
        self.seeds("w.mat")

    @rc.needs_h5py
    def test_rows_that_are_not_there(self):
        """A dataset that says to be longer than its file is not believed; nor is one of every width."""
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        for rows, width in ((1 << 50, 1), (1 << 30, 1 << 20), (100, 1 << 24)):
            with rc.h5py.File(self.folder / "big.h5", "w") as f:
                f.create_dataset("time", (rows,), "f8", chunks=(1,))
                f.create_dataset("x", (rows, width), "f8", chunks=(1, 1))
            for words in (("check", "big.h5"), ("info", "big.h5"), ("plot", "big.h5", "-o", "big.svg")):
                done = self.hocket(*words, exit=3)
                self.assertRegex(done.stdout + done.stderr, "dataset '(time|x)'.*more than a file of [0-9]+ bytes can hold")

    def test_matrices_without_rows(self):
        """Columns cost no byte of the file if there are no rows."""
        head = lambda rows, columns, name: struct.pack("<5i", 0, rows, columns, 0, len(name) + 1) + name + b"\0"
        data = head(0, 1, b"time") + b"".join(head(0, 1 << 24, b"x%d" % i) for i in range(100))
        errors = self.check("wide.mat", data, "width")
        self.assertIn("columns", errors[0])
        # A thousand names for one row of the data, and many rows: each byte of the file is read a thousand times.
        n = 40000
        data = (struct.pack("<5i", 51, 4, 11, 0, 7) + b"Aclass\0"
                + "".join(
                    "".join(line[i] if i < len(line) else " " for line in ("Atrajectory", "1.1", "", "binTrans"))
                    for i in range(11)).encode()
                + struct.pack("<5i", 51, 1, n, 0, 5) + b"name\0" + b"a" * n
                + struct.pack("<5i", 50, 4, n, 0, 9) + b"dataInfo\0" + b"\2\1\0\0" * n
                + struct.pack("<5i", 50, 1, n, 0, 7) + b"data_2\0" + b"\0" * n)
        errors = self.check("long.mat", data, "names")
        self.assertIn("cells", errors[0])


if __name__ == "__main__":
    rc.main("--hocket", "--fmus")
