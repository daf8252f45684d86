#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the options of `hocket run` mean for a simulation: the same as for its system. A scenario in
which nothing happens gives the record of the system, byte by byte, whatever is asked for; what
cannot be asked of a simulation is refused with the reason.
"""
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import call, environment, read_options  # noqa: E402

QUIET = """Simulation quiet (s)
system truck;
simulationTime [0, 2]:0.001;
begin { "chassis.Mass.m" = 450; }
scenarios {
  Scenario nothing
  Scenario twice [2] events { instant 0.5 { fault "wheel.p1.f" bias 0.1; } }
                     logs { z.csv timed(0.1) { "chassis.z"; } }
}
"""
ROAD = """Simulation road (s)
system road;
simulationTime [0, 1]:0.01;
scenarios { Scenario one }
"""
SCHEDULE = """processor body: chassis wheel
processor road: ground
link chassis.p.e -> wheel.p1.e lag current
"""
TABLE = "time,p.e\n0,0\n0.2,50\n1,0\n"


class Runner:
    def __init__(self, options, scratch):
        self.hocket, self.scratch, self.failures = options.hocket, scratch, 0
        self.system = options.models / "quarter_truck_native.ssp"

    def expect(self, good, what):
        print(f"{'ok' if good else 'FAILED'}: {what}")
        self.failures += not good

    def hocket_of(self, *words, added=None, exit_status=0):
        done = call(self.hocket, *words, cwd=self.scratch, exit=None, env=environment(**(added or {})))
        self.expect(done.returncode == exit_status, " ".join(map(str, words)))
        if done.returncode != exit_status:
            print(f"exit {done.returncode}, expected {exit_status}\n{done.stderr}")
        return done

    def simulation(self, *words, verb="run", **more):
        return self.hocket_of(verb, "quiet.simulation", "--system", self.system, *words, **more)

    def nothing(self, *words):
        """The record of the scenario in which nothing happens."""
        self.simulation("--scenario", "nothing", "--output-variable", "*", "-o", "logs", *words)
        return (self.scratch / "logs" / "record.nothing.csv").read_bytes()

    def alone(self, *words):
        mass = () if any("Mass.m=" in str(w) for w in words) else ("--set", "chassis.Mass.m=450")
        self.hocket_of("run", self.system, "--output-variable", "*", "-o", "alone.csv",
                       "--step-size", "0.001", "--output-interval", "0.001",
                       *(() if "--duration" in words or "--stop-time" in words
                         else ("--stop-time", "2")), *mass, *words)
        return (self.scratch / "alone.csv").read_bytes()


def same_records(r):
    plain = r.nothing()
    r.expect(plain == r.alone(), "the record of a scenario in which nothing happens")
    for words in (["--stop-time", "1"], ["--duration", "0.5"], ["--set", "chassis.Mass.m=0.35 t"],
                  ["--schedule", "apart.schedule"], ["--algorithm", "gauss-seidel"],
                  ["--extrapolate"], ["--threads", "2"],
                  ["--stop-when", "chassis.z > 1.05"], ["--monitor", "values"]):
        record = r.nothing(*words)
        r.expect(record == r.alone(*words), f"the same record with {words}")
        if words[0] not in ("--threads", "--monitor"):
            r.expect(record != plain, f"another one than without {words[0]}")


def table(r):
    """A single FMU that a table drives."""
    fmu = r.system.parent / "quarter_truck" / "resources" / "ground.fmu"
    (r.scratch / "road.simulation").write_text(ROAD)
    common = ("--input-file", "road.csv", "--output-variable", "*")
    r.hocket_of("run", "road.simulation", "--system", fmu, *common, "-o", "road")
    r.hocket_of("run", fmu, *common, "--stop-time", "1", "--step-size", "0.01", "-o", "road.out.csv")
    record = (r.scratch / "road" / "record.csv").read_bytes()
    r.expect(record == (r.scratch / "road.out.csv").read_bytes() and b",50" in record, "a table")


def others(r):
    r.simulation("-o", "whole", "--scenario", "twice", "--run", "1")
    whole = (r.scratch / "whole" / "z.twice.0001.csv").read_text().splitlines()
    r.simulation("-o", "short", "--scenario", "twice", "--run", "1", "--stop-time", "1")
    short = (r.scratch / "short" / "z.twice.0001.csv").read_text().splitlines()
    r.expect(short == whole[:12], "a shorter run is the beginning of a longer one")
    began = time.monotonic()
    r.simulation("--scenario", "nothing", "--real-time=5", "--duration", "1")
    r.expect(time.monotonic() - began >= 0.2, "real time")
    r.simulation("--scenario", "nothing", "--output-variable", "chassis.z", "-o", "plots", "--plot",
                 "z.svg")
    r.expect("chassis.z" in (r.scratch / "z.svg").read_text(), "the plot")
    many = r.simulation("--plot", "z.svg", exit_status=2)
    r.expect("--plot shows one run, and these are 3" in many.stderr, "a plot of one run only")
    told = r.simulation("--explain-settings", "--stop-time", "1").stdout.splitlines()
    r.expect(any(l.split()[:2] == ["stop-time", "1"] and "command line" in l for l in told) and
             any(l.split()[0] == "step-size" and "quiet.simulation" in l for l in told),
             "where the settings come from")
    noted = r.simulation("--scenario", "nothing", added={"HK_STEP_SIZE": "0.1"})
    r.expect("HK_STEP_SIZE is not used" in noted.stderr, "the environment cannot change the step")
    r.expect("wheel.p1.f" in r.simulation("chassis.p.f", "--at", "1", verb="trace").stdout, "trace")
    r.expect("3 components" in r.simulation(verb="plan").stdout, "plan")
    r.expect("holds" in r.simulation("--spin=never", verb="prove").stdout, "prove")


def refused(r):
    for option, reason in (("--start-time=1", "written for"), ("--step-size=0.1", "written for"),
                           ("--output-interval=1", "written for"),
                           ("--trace-sample=2", "no calls to skip"), ("--stats", "same time")):
        done = r.simulation(option, exit_status=2)
        r.expect(reason in done.stderr and option.split("=")[0] in done.stderr,
                 f"the reason why not {option}")
    (r.scratch / "odd.schedule").write_text("component ground period 1.5ms\n")
    between = r.simulation("--schedule", "odd.schedule", exit_status=3)
    r.expect("'ground' is activated every 0.0015 s" in between.stderr, "a period between two steps")
    odd = r.simulation("--stop-time", "0.0015", exit_status=3)
    r.expect("is not the end of a step" in odd.stderr, "a stop between two steps")
    folder = r.simulation("-o", "-", exit_status=2)
    r.expect("-o -: a simulation writes a folder of logs" in folder.stderr and
             not (r.scratch / "-").exists(), "logs to standard output")
    for stop in ("0", "-1"):
        for done in (r.simulation("--stop-time", stop, exit_status=2),
                     r.hocket_of("run", r.system, "--stop-time", stop, exit_status=2)):
            r.expect(f"error[HK0101]: stop time {stop} s is not after start time 0 s" in done.stderr,
                     f"--stop-time {stop} is wrong usage")


SHARED = """system shared { composite all {
  leaf c : hk.Gain { period 1s; param gain = 1; }
  leaf d : hk.Gain { period 1s; param gain = 1; }
  leaf i : hk.Integrator { period 1s; }
  leaf j : hk.Integrator { period 1s; }
  share c.offset -> d.offset;
  share i.start -> j.start;
} }
"""
SHARING = """Simulation sharing (s)
system shared;
simulationTime [0, 2]:1;
begin { "d.offset" = 7; "j.start" = 8; }
scenarios { Scenario only logs { y.csv timed(1) { "c.y"; "d.y"; "i.y"; "j.y"; } } }
"""


def shared_parameters(r):
    """--set sets what is shared where it is owned, for all; in a scenario each name is good."""
    (r.scratch / "shared.system").write_text(SHARED)
    (r.scratch / "sharing.simulation").write_text(SHARING)
    for name, status, *more in (("shared.system", 2, "--stop-time", "2"), ("sharing.simulation", 2)):
        for follower, owner in (("d.offset", "c.offset"), ("j.start", "i.start")):
            done = r.hocket_of("run", name, "--set", follower + "=3", *more, exit_status=status)
            r.expect(f"error[HK0404]: --set {follower}=3: '{follower}' has the value of '{owner}'"
                     in done.stderr, f"{follower} of {name} is refused")
    done = r.hocket_of("run", "shared.system", "--stop-time", "2", "--set", "c.offset=3", "--set",
                       "i.start=4", "--output-variable", "*.y", "-o", "-")
    r.expect(done.stdout.splitlines()[-1] == "2,3,3,4,4", "a system: set for all")
    for words, row in (((), "2,7,7,8,8"), (("--set", "c.offset=3", "--set", "i.start=4"),
                                           "2,3,3,4,4")):
        folder = f"sharing{len(words)}"
        r.hocket_of("run", "sharing.simulation", "-o", folder, *words)
        rows = next((r.scratch / folder).rglob("y.csv")).read_text().splitlines()
        r.expect(rows[-1] == row, f"a simulation: {rows[-1]} is {row}")


def main():
    options, _ = read_options()
    with tempfile.TemporaryDirectory() as scratch:
        r = Runner(options, pathlib.Path(scratch))
        for name, text in (("quiet.simulation", QUIET), ("apart.schedule", SCHEDULE),
                           ("road.csv", TABLE)):
            (r.scratch / name).write_text(text)
        same_records(r)
        table(r)
        others(r)
        refused(r)
        shared_parameters(r)
    return 1 if r.failures else 0


if __name__ == "__main__":
    sys.exit(main())
