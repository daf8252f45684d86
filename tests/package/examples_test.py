#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs among the examples and compares what they print with their expected.txt."""
import argparse
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
LINES_MAX = 100


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build
    programs = {
        "03_api": ["heating"],
        "04_fmu": ["what_if", build / "models" / "quarter_truck.ssp", "2", "chassis.travel"],
    }
    failed = 0
    for folder, (name, *words) in programs.items():
        command = [build / "examples" / folder / name, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
        expected = (EXAMPLES / folder / "expected.txt").read_text(encoding="utf-8")
        good = done.returncode == 0 and done.stdout == expected
        print(f"{folder}/{name}: {'ok' if good else 'FAILED'}")
        if not good:
            failed += 1
            print(f"exit {done.returncode}\n{done.stdout}\n{done.stderr}\nexpected:\n{expected}")
    for source in [*EXAMPLES.glob("01_*/*.c"), *EXAMPLES.glob("03_*/*.c")]:
        lines = len(source.read_text(encoding="utf-8").splitlines())
        if lines > LINES_MAX:
            failed += 1
            print(f"{source.name}: {lines} lines; an example to read first has {LINES_MAX} at most")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
