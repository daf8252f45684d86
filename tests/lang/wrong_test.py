#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what `hocket check` says about wrong files with what it should say.

Every file in tests/lang/wrong has a file NAME.txt in tests/lang/expected: the exit status in the first line, then
all that was printed. Files that are right are there too, because wrong ones import them. `--update` writes what is printed
now; names of files choose some."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from golden import Golden  # noqa: E402
from hocket_case import call, read_options  # noqa: E402

KINDS = (".types", ".system", ".simulation")


def main():
    options, names = read_options()
    folder = HERE / "wrong"
    golden = Golden(HERE / "expected")
    names = names or sorted(path.name for path in folder.iterdir() if path.suffix in KINDS)
    failed = 0
    for name in names:
        done = call(options.hocket, "check", name, cwd=folder, exit=None, stderr=subprocess.STDOUT)
        other = golden.compare(f"{name}.txt", f"exit {done.returncode}\n{done.stdout}")
        if other:
            failed += 1
            print(other)
    print(f"{len(names)} files, {failed} with other messages than expected")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
