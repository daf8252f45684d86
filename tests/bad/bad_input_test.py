#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad input of every kind, given to the built program. `--show` prints what it says to each, to be read
as a user would; `--update` writes expected/bad_input.txt, where every message is; a name, or the beginning of one, chooses cases. Standard library only."""
import pathlib
import sys

import archives
import descriptions
import faults
import material
import settings
import systems
from runner import Failed, Golden, Run, read_options


def main():
    options, names = read_options(flags=("--show",))
    made = material.Material(options.fmus, options.models)
    done = failed = 0
    golden = Golden(pathlib.Path(__file__).resolve().parent / "expected" / "bad_input.txt")
    order = []
    for room in (archives, descriptions, systems, settings, faults):
        for case in room.cases(made):
            if case.pinned:
                order.append(case.name)
            if names and not any(case.name.startswith(name) for name in names):
                continue
            run = Run(options.hocket, case)
            done += 1
            problem = None
            try:
                run.start()
                run.judge()
                other = golden.compare(case.name, run.words(), f"hocket {case.words}") if case.pinned else None
                if other:
                    raise Failed(other)
            except Failed as failure:
                problem = failure
            if options.show or problem:
                print(f"--- {case.name}: hocket {case.words}")
                print(getattr(run, "text", ""), end="")
            if problem:
                failed += 1
                print(f"FAILED {case.name}: {problem}", flush=True)
            run.close()
    golden.close(order)
    print(f"{done} cases, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
