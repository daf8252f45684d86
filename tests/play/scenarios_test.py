#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays one simulation as a user would: on FMUs and on native components, with workers, in parts."""
import filecmp
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import call, read_options  # noqa: E402

HERE = pathlib.Path(__file__).parent
FILES = ["coarse.csv", "fine.calm.csv"] + [f"fine.rough.{i:04}.csv" for i in range(4)]

RAMP = """system ramp { composite c {
  leaf r : hk.Ramp { frequency 10 Hz; param end = 10; param to = 100; }
  leaf g : hk.Gain { frequency 10 Hz; }
  leaf h : hk.Gain { frequency 10 Hz; }
  link r.y -> g.u, h.u;
} }
"""
SWEEP = """Simulation sweep (ms)
system ramp;
simulationTime [0, 1000]:100;
seed $s;
parameter s = 3;
parameter t0 = 300;
parameter t1 = 0.6s;
parameter n = 2;
parameter limit = 1/2;
scenarios {
  Scenario a [$n]
    events {
      instant $t0 {
        fault "ramp.c.r.y" -> "ramp.c.g.u" delay 250;
        fault "ramp.c.r.y" -> "ramp.c.h.u" noise 1;
      }
      during [$t0, $t1] { "ramp.c.g.gain" = 2; }
      every $t0 from $t1 { "ramp.c.g.offset" = 0; }
    }
    expects {
      expect always "ramp.c.g.gain" <= 2 to $t1;
      expect always "ramp.c.r.y" > $limit from 100;
      expect at $t0 "ramp.c.g.gain" == 2;
      expect "ramp.c.g.u" > 1 within $t0 after "ramp.c.r.y" > 100;
    }
    logs { sweep.csv timed($t1) { "ramp.c.g.u"; "ramp.c.h.u"; "ramp.c.g.gain"; } }
}
"""


class Player:
    def __init__(self, options, scratch):
        self.hocket, self.models, self.scratch = options.hocket, options.models, scratch
        self.failures = 0

    def expect(self, good, what):
        print(f"{'ok' if good else 'FAILED'}: {what}")
        self.failures += not good

    def play(self, folder, *words, system="quarter_truck.ssp", exit_status=0):
        done = call(self.hocket, "run", HERE / "truck.simulation", "--system", self.models / system, "-o", folder,
                    *words, cwd=self.scratch, exit=None)
        self.expect(done.returncode == exit_status, f"{folder}: {' '.join(words)}")
        if done.returncode != exit_status:
            print(f"exit {done.returncode}, expected {exit_status}\n{done.stderr}")
        return done

    def run(self, *words, exit_status=0):
        done = call(self.hocket, "run", "sweep.simulation", *words, cwd=self.scratch, exit=None)
        self.expect(done.returncode == exit_status, f"sweep: {' '.join(words)}")
        if done.returncode != exit_status:
            print(f"exit {done.returncode}, expected {exit_status}\n{done.stderr}")
        return done

    def same(self, folder, other, files):
        found = sorted(p.name for p in (self.scratch / other).iterdir())
        about = [f + "-metadata.json" for f in files]
        self.expect(found == sorted(files + about), f"{other} has {' '.join(files)}")
        _, mismatch, errors = filecmp.cmpfiles(self.scratch / folder, self.scratch / other, files,
                                               shallow=False)
        self.expect(not mismatch and not errors, f"{other} is {folder}: {mismatch} {errors}")


def column(player, name, number):
    lines = (player.scratch / name).read_text().splitlines()[1:]
    return [line.split(",")[number] for line in lines]


def sweep(p):
    """Parameters stand for times, numbers of runs and seeds; the exit status tells what is wrong."""
    (p.scratch / "ramp.system").write_text(RAMP)
    (p.scratch / "sweep.simulation").write_text(SWEEP)
    first = p.run("-o", "s3", "--json", "--workers", "1")
    answer = json.loads(first.stdout)
    p.expect(len(answer["runs"]) == 2, "two runs")
    p.expect(answer["runs"][0]["verdicts"][3]["idle"], "what never came up says so")
    p.expect(answer["runs"][0]["trace"].count("0.3 s: set g.gain = 2") == 1, "told once")
    p.expect("the delay 250 ms is not a whole number of steps of 100 ms, it is that of 300 ms"
             in first.stderr, "a delay between two steps")
    log = "sweep.a.0000.csv"
    p.expect(column(p, "s3/" + log, 1) == ["0", "3"], "delayed from the beginning of the fault")
    p.expect(column(p, "s3/" + log, 3) == ["1", "1"], "put back")
    p.run("-o", "all", "-q")
    p.run("-o", "given", "-q", "--seed", "3")
    p.run("-o", "other", "-q", "--seed", "4")
    noise = [column(p, f"{folder}/{log}", 2) for folder in ("s3", "all", "given", "other")]
    p.expect(noise[0] == noise[1] == noise[2] != noise[3], "the seed")
    swept = p.run("-D", "t0=0.5s", "-D", "t1=800ms", "-D", "limit=1/4", "-D", "n=3", "-o", "swept",
                  "--json")
    answer = json.loads(swept.stdout)
    p.expect(len(answer["runs"]) == 3, "three runs")
    p.expect("0.5 s: set g.gain = 2" in answer["runs"][2]["trace"], "another time")
    broken = p.run("-D", "limit=2", exit_status=1)
    p.expect("does not hold at 0.1 s (r.y is 1)" in broken.stderr, "the value that broke it")
    p.run("-D", "limit=2rad", exit_status=3)
    p.run("-D", "t0=1.2.3", exit_status=3)
    p.run("-D", "n=0", exit_status=3)
    p.run("-D", "nobody=0", exit_status=2)
    told = call(p.hocket, "info", "sweep.simulation", cwd=p.scratch, exit=None).stdout
    p.expect("seed             3\n" in told and "every   0.3 s from 0.6 s: set" in told,
             f"seed and from are shown: {told}")
    other = p.run("--scenario", "zzzzzzzz", exit_status=2)
    p.expect("hint: the simulation has '" in other.stderr, "the scenarios that are there")
    p.run("-D", "n", exit_status=2)
    p.run("--strict", exit_status=3)
    p.run("--seed", "x", exit_status=2)
    (p.scratch / "sweep.simulation").write_text(SWEEP.replace("ramp.c.g.u", "ramp.c.g.v"))
    p.run(exit_status=3)


def main():
    options, _ = read_options()
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
        strict = p.play("strict", "--strict", exit_status=3)
        p.expect("event at 9000 ms is after the end 4000 ms, it never fires" in strict.stderr,
                 "strict")
        p.play("usage", "--run", "4", exit_status=2)
        p.play("usage", "--step-size", "0.1", exit_status=2)
        p.play("usage", "--scenario", "claim", exit_status=2)
        sweep(p)
    return 1 if p.failures else 0


if __name__ == "__main__":
    sys.exit(main())
