#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays every model of the repository through the command line, the library and a simulation, and
compares the bytes of the three records; and every simulation through the command line and the
library. What one of them refuses, all refuse with the same code. What is said about each file, and the
plan of each, is the same text from both.
"""
import concurrent.futures
import json
import pathlib
import subprocess
import re
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case  # noqa: E402

STEPS = 24  # of each run
SYSTEMS = (".ssp", ".ssd", ".system", ".fmu")

SIMULATION = """Simulation doors (s)
system doors;
simulationTime [{start}, {stop}]:{step};
scenarios {{ Scenario all {extra} }}
"""


def call(*words):
    done = hocket_case.call(*words, exit=None)
    codes = sorted(set(re.findall(r"error\[(HK\d+)\]", done.stderr)))
    return done.returncode, codes, done.stderr


def settings_of(hocket, model):
    done = hocket_case.call(hocket, "run", model, "--explain-settings", "--json", exit=None)
    answer = json.loads(done.stdout)
    return answer.get("settings") if done.returncode == 0 else None


def text(time):
    return str(time.numerator) if time.denominator == 1 else f"{time.numerator}/{time.denominator}"


def play_system(o, model, folder):
    """The records of the three doors, or the codes they refuse it with."""
    settings = settings_of(o.hocket, model)
    if settings is None:
        ways = [call(o.hocket, "run", model), call(o.session, model, "1", "1", folder / "x.csv")]
        return [("refused", w[1]) if w[0] else ("played",) for w in ways]
    start, step = (Fraction(settings[n]["value"]) for n in ("start-time", "step-size"))
    stop = start + STEPS * step
    common = ["--stop-time", text(stop), "--step-size", text(step), "--output-variable", "*"]
    simulation = folder / "doors.simulation"
    simulation.write_text(SIMULATION.format(start=text(start), stop=text(stop), step=text(step),
                                            extra=""))
    ways = [
        (call(o.hocket, "run", model, *common, "--output-interval", text(step), "-o",
              folder / "line.csv"), folder / "line.csv"),
        (call(o.session, model, text(stop), text(step), folder / "session.csv"),
         folder / "session.csv"),
        (call(o.hocket, "run", simulation, "--system", model, "--output-variable", "*", "-o",
              folder / "logs"), folder / "logs" / "record.csv"),
    ]
    return [("refused", way[1], way[2]) if way[0] else ("played", record.read_bytes())
            for way, record in ways]


def name_of(path):
    """The record of one of several scenarios is named after it on the command line."""
    return "record.csv" if path.name.startswith("record.") else path.name


def play_simulation(o, model, folder):
    """All logs and the record of the first run of each scenario by the two doors."""
    info = json.loads(hocket_case.call(o.hocket, "info", model, "--json", exit=None).stdout)
    found = []
    for number, scenario in enumerate(s["name"] for s in info["scenarios"]):
        line, session = folder / f"line{number}", folder / f"session{number}"
        session.mkdir()
        done = call(o.hocket, "run", model, "--stop-time", "12", "--scenario", scenario, "--run",
                    "0", "-o", line, "--output-variable", "*")
        other = call(o.session, model, "12", scenario, "0", session)
        logs = [{name_of(p): p.read_bytes() for p in f.glob("*.csv")} for f in (line, session)]
        # Who fails does so with the same messages; the exit status of the library's door is its own.
        found.append([(bool(d[1]) or d[0] in (0, 1), d[1], logs[i]) for i, d in enumerate((done, other))])
    return found


def judge_system(o, model):
    with tempfile.TemporaryDirectory() as scratch:
        doors = play_system(o, model, pathlib.Path(scratch))
    plain = [d[:2] for d in doors]
    if any(d != plain[0] for d in plain[1:]):
        for name, door in zip(("command line", "library", "simulation"), doors):
            what = door[1] if door[0] == "refused" else door[1][-300:].decode(errors="replace")
            print(f"{model}: {name}: {door[0]}: {what}\n{door[2] if len(door) > 2 else ''}")
        return "differs"
    return plain[0][0]


def judge_answers(o, model):
    """What `hocket` prints, and what a program gets that asks the same."""
    for question, command in ((("info", model), ("info", model, "--variable", "*")),
                              (("check", model), ("check", model)),
                              (("plan", model, "3", "0"), ("plan", model, "--stop-time", "3", "--program"))):
        line = subprocess.run([o.hocket, *command, "--json"], capture_output=True, text=True, timeout=hocket_case.TIMEOUT_S)
        asked = subprocess.run([o.ask, *question], capture_output=True, text=True, timeout=hocket_case.TIMEOUT_S)
        answer = asked.stdout.split("\n", 1)[0]
        if asked.returncode and '"schema":"hocket.failure/1"' in line.stdout:
            continue  # neither has an answer
        if answer + "\n" != line.stdout:
            print(f"{model}: {question[0]}:\n{line.stdout[:300]}\n{answer[:300]}\n{asked.stderr}")
            return "differs"
    return "answered"


def judge_simulation(o, model):
    with tempfile.TemporaryDirectory() as scratch:
        for scenario in play_simulation(o, model, pathlib.Path(scratch)):
            if scenario[0] != scenario[1] or not scenario[0][2]:
                print(f"{model}: {[(s[0], s[1], list(s[2])) for s in scenario]}")
                return "differs"
    return "played"


def main():
    o, folders = hocket_case.read_options("--session", "--ask")
    files = sorted({p for f in folders for p in pathlib.Path(f).rglob("*") if p.is_file()})
    systems = [p for p in files if p.suffix in SYSTEMS]
    simulations = [p for p in files if p.suffix == ".simulation"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda p: judge_system(o, p), systems))
        found += list(pool.map(lambda p: judge_simulation(o, p), simulations))
        answers = list(pool.map(lambda p: judge_answers(o, p), systems + simulations))
    counts = {what: found.count(what) for what in sorted(set(found))}
    print(f"{len(systems)} systems and {len(simulations)} simulations: {counts}; "
          f"{answers.count('answered')} answered alike")
    for path, what in zip(systems + simulations, found):
        if what == "refused":
            print(f"refused by all: {path}")
    enough = found.count("played") >= 0.75 * len(found)
    return 0 if enough and "differs" not in found + answers else 1


if __name__ == "__main__":
    sys.exit(main())
