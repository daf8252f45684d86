#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hk/math.h and hk/geo.h have the same bits whatever compiles it, and whatever the C library does."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from golden import Golden  # noqa: E402
from hocket_case import SLOW, Case, environment, main  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = Golden(HERE / "expected")
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-unknown-pragmas")
WAYS = (("-O0",), ("-O3", "-march=native"))
MORE = (("-O2",), ("-O3",), ("-O2", "-march=native"), ("-O3", "-funroll-loops", "-fno-builtin"), ("-Os", "-fPIC"))


class Bits(Case):
    def built(self, compiler, *words):
        program = self.folder / "bits"
        done = subprocess.run([compiler, *words, *WARNINGS, "-ffp-contract=off",
                               f"-I{self.options.source / 'include'}", HERE / "bits.c", "-o", program, "-lm"],
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, f"{compiler} {words}\n{done.stderr}")
        return program

    def printed(self, program, **added):
        return subprocess.run([program], env=environment(**added), capture_output=True, encoding="utf-8",
                              check=True).stdout

    def compare(self, program):
        other = GOLDEN.compare("bits.txt", self.printed(program))
        self.assertIsNone(other, other)

    def test_compilers(self):
        places = [shutil.which(name) for name in ("cc", "gcc", "clang")]
        compilers = sorted({os.path.realpath(place) for place in places if place})  # cc is one of the others
        self.assertTrue(compilers)
        for compiler in compilers:
            for way in WAYS + (MORE if SLOW else ()):
                with self.subTest(f"{compiler} {' '.join(way)}"):
                    self.compare(self.built(compiler, "-std=c17", *way))

    def test_other_language(self):
        """The header is C++ as well."""
        if not shutil.which("c++"):
            self.skipTest("no C++ compiler")
        program = self.built("c++", "-x", "c++", "-std=c++17", "-O2")
        self.compare(program)

    def test_other_cpu(self):
        """Without the instructions that make glibc's results differ."""
        program = self.built("cc", "-std=c17", "-O2")
        plain = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"
        self.assertEqual(self.printed(program, GLIBC_TUNABLES=plain), self.printed(program))

    def test_tables(self):
        """The tables are what the script makes."""
        script = self.options.source / "tools" / "make_math_tables.py"
        done = subprocess.run([sys.executable, script, "--check",
                               self.options.source / "include/hk/math_tables.h"], capture_output=True,
                              encoding="utf-8", env=dict(os.environ), check=False)
        if "No module named 'mpmath'" in done.stderr:
            self.skipTest("no mpmath")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main("--source")
