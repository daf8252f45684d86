#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what `hocket check` says about wrong files with what it should say.

    wrong.py HOCKET [--update] [FILE...]

Every file in tests/lang/wrong has a file NAME.expected beside it: the exit status in the first line,
then all that was printed. Files that are right are there too, because wrong ones import them.
--update writes what is printed now; read the difference before you keep it.
"""
import difflib
import pathlib
import subprocess
import sys

KINDS = (".types", ".system", ".simulation")


def said(hocket, path):
    """What hocket prints about PATH, with its exit status."""
    run = subprocess.run(
        [hocket, "check", path.name], cwd=path.parent, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=60, check=False)
    return f"exit {run.returncode}\n" + run.stdout.decode("utf-8")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    update = "--update" in sys.argv
    hocket = str(pathlib.Path(arguments[0]).resolve())
    folder = pathlib.Path(__file__).resolve().parent / "wrong"
    files = [pathlib.Path(f).resolve() for f in arguments[1:]]
    files = files or sorted(p for p in folder.iterdir() if p.suffix in KINDS)
    failed = 0
    for path in files:
        beside = path.with_name(path.name + ".expected")
        have = said(hocket, path)
        if update:
            beside.write_text(have, encoding="utf-8")
            continue
        want = beside.read_text(encoding="utf-8") if beside.exists() else ""
        if have == want:
            continue
        failed += 1
        sys.stdout.writelines(difflib.unified_diff(
            want.splitlines(True), have.splitlines(True), beside.name, "hocket check"))
    print(f"{len(files)} files, {failed} with other messages than expected")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
