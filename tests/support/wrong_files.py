# SPDX-License-Identifier: MIT
"""Compares what `hocket check` says about wrong files with what it should say.

Every file in the folder `wrong` of a test has a file NAME.txt in its folder `expected`: the exit status in the first
line, then all that was printed. Files that are right are there too, because wrong ones import them or differ from them.
`--update` writes what is printed now; names of files choose some."""
import subprocess

from golden import Golden
from hocket_case import call, read_options


def main(here, kinds, words=()):
    options, names = read_options()
    folder = here / "wrong"
    golden = Golden(here / "expected")
    names = names or sorted(path.name for path in folder.iterdir() if path.suffix in kinds)
    failed = 0
    for name in names:
        done = call(options.hocket, "check", *words, name, cwd=folder, exit=None, stderr=subprocess.STDOUT)
        other = golden.compare(f"{name}.txt", f"exit {done.returncode}\n{done.stdout}")
        if other:
            failed += 1
            print(other)
    print(f"{len(names)} files, {failed} with other messages than expected")
    return 1 if failed or not names else 0
