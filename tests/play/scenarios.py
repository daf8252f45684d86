#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays one simulation as a user would: on FMUs and on native components, with workers, in parts."""
import argparse
import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FILES = ["coarse.csv", "fine.calm.csv"] + [f"fine.rough.{i:04}.csv" for i in range(4)]


class Player:
    def __init__(self, options, scratch):
        self.hocket, self.models, self.scratch = options.hocket, options.models, scratch
        self.failures = 0

    def expect(self, good, what):
        print(f"{'ok' if good else 'FAILED'}: {what}")
        self.failures += not good

    def play(self, folder, *words, system="quarter_truck.ssp", exit_status=0):
        command = [str(self.hocket), "run", str(HERE / "truck.simulation"), "--system",
                   str(self.models / system), "-o", folder, *words]
        done = subprocess.run(command, cwd=self.scratch, capture_output=True, text=True,
                              timeout=110, check=False)
        self.expect(done.returncode == exit_status, f"{folder}: {' '.join(words)}")
        if done.returncode != exit_status:
            print(f"exit {done.returncode}, expected {exit_status}\n{done.stderr}")
        return done

    def same(self, folder, other, files):
        found = sorted(p.name for p in (self.scratch / other).iterdir())
        self.expect(found == files, f"{other} has {' '.join(files)}")
        _, mismatch, errors = filecmp.cmpfiles(self.scratch / folder, self.scratch / other, files,
                                               shallow=False)
        self.expect(not mismatch and not errors, f"{other} is {folder}: {mismatch} {errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hocket", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.hocket = options.hocket.resolve()
    options.models = options.models.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        p = Player(options, pathlib.Path(scratch))
        first = p.play("fmus", "--json")
        answer = json.loads(first.stdout)
        p.expect(answer["schema"] == "hocket.run/1" and answer["all_held"], "the answer")
        p.expect([r["run"] for r in answer["runs"]] == [0, 0, 1, 2, 3], "the runs in order")
        last = answer["runs"][0]["trace"][-1]
        p.expect(last.startswith("3 s: fault ground.p.f delay 5"), f"the last event: {last}")
        p.play("native", system="quarter_truck_native.ssp")
        p.same("fmus", "native", FILES)
        for workers in ("2", "3"):
            done = p.play("workers" + workers, "--workers", workers, "--json")
            p.same("fmus", "workers" + workers, FILES)
            strip = lambda runs: [{k: v for k, v in r.items() if k not in ("wall_s", "logs")}
                                  for r in runs]
            p.expect(strip(json.loads(done.stdout)["runs"]) == strip(answer["runs"]),
                     f"the same report from {workers} workers")
        p.play("alone", "--scenario", "rough", "--run", "3")
        p.same("fmus", "alone", ["fine.rough.0003.csv"])
        rows = (p.scratch / "fmus" / "fine.calm.csv").read_text().splitlines()
        p.expect(len(rows) == 4002 and rows[1].startswith("0,") and rows[-1].startswith("4,"),
                 "a row at the start and every period")
        broken = p.play("broken", "-D", "limit=1.1", "--trace", "-", exit_status=1)
        p.expect("HK0422" in broken.stderr and "the chassis jumps" in broken.stderr, "the verdict")
        p.expect("calm, run 0\n  0 s: set chassis.Mass.m = 450\n" in broken.stdout, "the trace")
        strict = p.play("strict", "--strict", exit_status=1)
        p.expect("event at 9000 ms is after the end 4000 ms, it never fires" in strict.stderr,
                 "strict")
        p.play("usage", "--run", "4", exit_status=2)
        p.play("usage", "--step-size", "0.1", exit_status=2)
        p.play("usage", "--scenario", "claim", exit_status=2)
    return 1 if p.failures else 0


if __name__ == "__main__":
    sys.exit(main())
