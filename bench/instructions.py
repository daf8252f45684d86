#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions that the engine needs for a step, and the program for a start, counted by callgrind,
against committed numbers.

usage: instructions.py [--update] BENCH HOCKET SYSTEM COMPILER CASE...

Times on a shared machine come and go; a count does not, so a loss of 3 % shows. Of a step is counted
what is done inside of hk_sim_run_until by everything but the components: FMUs are libraries of their
own, native components are named below. The case 'start' is a whole `hocket run` of one step of SYSTEM
with what it loads, so it may cost 15 % more. The numbers depend on the compiler: they are kept per
compiler (its name and version), and where there are none for this one the test is skipped."""
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
START_TOLERANCE = 0.15
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


def count_start(hocket, system):
    """Thousands of instructions of a run of one step, by object; the FMUs are unpacked already."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
        run = [hocket, "run", system, "--no-parent", "--stop-time", "0.001", "-o", os.path.join(folder, "x.csv")]
        quiet = {"env": environment, "check": True, "stdout": subprocess.DEVNULL,
                 "stderr": subprocess.DEVNULL}
        subprocess.run(run, **quiet)
        subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *run],
                       **quiet)
        costs = self_costs(out)
    by_object = {}
    for (ob, _), cost in costs.items():
        name = os.path.basename(ob)
        by_object[name] = by_object.get(name, 0) + cost / 1000
    return by_object


def main():
    words = [w for w in sys.argv[1:] if w != "--update"]
    update = len(words) < len(sys.argv) - 1
    if len(words) < 5:
        sys.exit(__doc__)
    bench, hocket, system, compiler, cases = *words[:4], words[4:]
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
        start = case == "start"
        own = count_start(hocket, system) if start else count(bench, case)
        total = sum(own.values())
        if update:
            known[case] = round(total, 1)
        limit = known[case] * (1 + (START_TOLERANCE if start else TOLERANCE))
        lost |= total > limit
        print(f"{case}: {total:.1f} {'thousand instructions' if start else 'instructions per step'}, "
              f"committed {known[case]:.1f}, limit {limit:.1f}{'  LOST' if total > limit else ''}")
        for fn, cost in sorted(own.items(), key=lambda item: -item[1])[:4]:
            print(f"    {cost:8.1f}  {fn}")
    if update:
        NUMBERS.write_text(json.dumps(numbers, indent=2, sort_keys=True) + "\n")
    if lost:
        print("It costs more than it did. If that is meant: cmake --build build --target "
              "bench_instructions_update, and say why in the commit.")
    return int(lost)


if __name__ == "__main__":
    sys.exit(main())
