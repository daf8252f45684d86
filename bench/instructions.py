#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions that the engine needs for a step, counted by callgrind, against committed numbers.

usage: instructions.py BENCH COMPILER CASE... [--update]

Times on a shared machine come and go; a count does not, so a loss of 3 % shows. Counted is what is
done inside of hk_sim_run_until by everything but the components: FMUs are libraries of their own,
native components are named below. The numbers depend on the compiler: they are kept per compiler
(its name and version), and where there are none for this one the test is skipped."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STEPS = 10000
TOLERANCE = 0.03
NUMBERS = pathlib.Path(__file__).with_name("instructions.json")
SKIPPED = 77
# Functions of the benchmark that are components, not engine.
COMPONENTS = {
    "follower_step", "drive", "turn", "measure", "gauge", "adapt", "attitude", "navigate",
    "filter", "analyse",
}
NAMED = re.compile(r"(c?(?:fn|ob)|calls)=(?:\((\d+)\))?\s*(.*)")
COST = re.compile(r"[+*\d-]\S*\s+(\d+)$")


def self_costs(path):
    """Instructions by (object, function), without those of the functions it calls."""
    names = {"fn": {}, "ob": {}}
    ob = fn = ""
    costs = {}
    inclusive = False  # the next line of costs is that of a call
    for row in pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        named = NAMED.match(row)
        if named:
            kind, number, name = named.groups()
            if kind == "calls":
                inclusive = True
                continue
            known = names[kind[-2:]]
            if name:
                known[number] = name
            if kind == "fn":
                fn = known[number]
            elif kind == "ob":
                ob = known[number]
            continue
        cost = COST.match(row)
        if cost and not inclusive:
            costs[ob, fn] = costs.get((ob, fn), 0) + int(cost.group(1))
        if cost:
            inclusive = False
    return costs


def count(bench, case):
    """Instructions per step by function of the engine."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", "--toggle-collect=hk_sim_run_until",
             f"--callgrind-out-file={out}", bench, f"--steps={STEPS}", case],
            check=True)
        costs = self_costs(out)
    own = {fn: cost / STEPS for (ob, fn), cost in costs.items()
           if os.path.basename(ob) == os.path.basename(bench) and fn not in COMPONENTS}
    if not own:
        sys.exit(f"instructions: callgrind has seen nothing of {bench}; is it stripped?")
    return own


def main():
    words = [w for w in sys.argv[1:] if w != "--update"]
    update = len(words) < len(sys.argv) - 1
    if len(words) < 3:
        sys.exit(__doc__)
    bench, compiler, cases = words[0], words[1], words[2:]
    if not shutil.which("valgrind"):
        print("instructions: skipped, valgrind is not installed")
        return SKIPPED
    numbers = json.loads(NUMBERS.read_text())
    known = numbers.setdefault(compiler, {})
    if not update and any(case not in known for case in cases):
        print(f"instructions: skipped, {NUMBERS.name} has no numbers for {compiler}: with the option "
              "--update they are written")
        return SKIPPED
    lost = False
    for case in cases:
        own = count(bench, case)
        total = sum(own.values())
        if update:
            known[case] = round(total, 1)
        limit = known[case] * (1 + TOLERANCE)
        lost |= total > limit
        print(f"{case}: {total:.1f} instructions per step, committed {known[case]:.1f}, "
              f"limit {limit:.1f}{'  LOST' if total > limit else ''}")
        for fn, cost in sorted(own.items(), key=lambda item: -item[1])[:4]:
            print(f"    {cost:8.1f}  {fn}")
    if update:
        NUMBERS.write_text(json.dumps(numbers, indent=2, sort_keys=True) + "\n")
    if lost:
        print("The loop costs more than it did. If that is meant: cmake --build build --target "
              "bench_instructions_update, and say why in the commit.")
    return int(lost)


if __name__ == "__main__":
    sys.exit(main())
