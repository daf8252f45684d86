# SPDX-License-Identifier: MIT
"""What tests of the command line share: a folder of their own, and hocket as a user calls it.

A test file puts this folder on its path, derives its classes from Case, and ends with

    main("--hocket", "--models")

Each option is a path; Case.options has them, made absolute."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

# Of the caller's environment: what a program needs to start, nothing that changes what hocket does.
KEPT = ("PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH")


def environment(**added):
    """The environment of every call of hocket, and ADDED."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"LANG": "C.UTF-8", "NO_COLOR": "1"} | added


class Case(unittest.TestCase):
    options = None
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hocket_test_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def hocket(self, *words, exit=0, input="", **added):
        """The finished process: its returncode is EXIT, stdout and stderr are texts. ADDED goes into its environment."""
        done = subprocess.run([self.options.hocket, *map(str, words)], cwd=self.folder, timeout=300,
                              env=environment(**added), capture_output=True, encoding="utf-8",
                              errors="backslashreplace", input=input, check=False)
        self.assertEqual(done.returncode, exit, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def main(*paths, flags=()):
    """Reads the options, then runs the tests of the calling file."""
    parser = argparse.ArgumentParser()
    for name in paths:
        parser.add_argument(name, type=pathlib.Path, required=True)
    for name in flags:
        parser.add_argument(name, action="store_true")
    Case.options, rest = parser.parse_known_args()
    for name in paths:
        key = name.strip("-").replace("-", "_")
        setattr(Case.options, key, getattr(Case.options, key).absolute())
    unittest.main(module="__main__", argv=sys.argv[:1] + rest)
