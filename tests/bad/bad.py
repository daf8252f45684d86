#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad input of every kind, given to the built program. `--show` prints what it says to each, to be read
as a user would; `--update` writes expected.txt, where every message stands; a name, or the beginning of one, chooses cases. Standard library only."""
import argparse
import pathlib
import sys

import archives
import descriptions
import faults
import material
import settings
import systems
from runner import Failed, Run


EXPECTED = pathlib.Path(__file__).resolve().parent / "expected.txt"


def read_pinned():
    """The words of each case, by its name."""
    pinned = {}
    for line in EXPECTED.read_text(encoding="utf-8").splitlines() if EXPECTED.exists() else []:
        if line.startswith("--- "):
            name = line[4:].split(":")[0]
            pinned[name] = []
        else:
            pinned[name].append(line)
    return pinned


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hocket", required=True)
    parser.add_argument("--fmus", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true", help="write expected.txt anew")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    made = material.Material(options.fmus, options.models)
    done = failed = 0
    pinned = read_pinned()
    said = []
    for room in (archives, descriptions, systems, settings, faults):
        for case in room.cases(made):
            if options.names and not any(case.name.startswith(name) for name in options.names):
                continue
            run = Run(options.hocket, case)
            done += 1
            problem = None
            try:
                run.start()
                run.judge()
                if case.pinned:
                    said += run.words()
                    if not options.update and run.words()[1:] != pinned.get(case.name):
                        raise Failed("other words than in expected.txt: " + str(pinned.get(case.name)))
            except Failed as failure:
                problem = failure
            if options.show or problem:
                print(f"--- {case.name}: hocket {case.words}")
                print(getattr(run, "text", ""), end="")
            if problem:
                failed += 1
                print(f"FAILED {case.name}: {problem}", flush=True)
            run.close()
    if options.update and not options.names:
        EXPECTED.write_text("\n".join(said) + "\n", encoding="utf-8")
    print(f"{done} cases, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
