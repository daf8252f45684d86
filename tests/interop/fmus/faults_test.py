#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FMUs with one fault each (faults.json, README.md), made from a healthy one: hocket runs those that can be
understood to the values of the healthy FMU, says what is wrong, and tells both verdicts. FMPy and libcosim, where they
are installed and accept the file, find the same values.

`--write FOLDER` only writes the FMUs, for other tools; names, or beginnings of them, choose cases."""
import argparse
import csv
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent)]
from hocket_case import call, environment, forked, read_options  # noqa: E402

TOLERANCE = 1e-9
KEYS = {"name", "base", "what", "change", "rules", "says", "runs", "exit", "encoding", "library", "twice", "cut",
        "peers"}
WHEN = ["--stop-time", "1", "--step-size", "0.1"]
START = {"real_in": 2.0, "gain": 3.0}
# What every healthy FMU has at the end: it passes gain * real_in through and integrates real_in.
LAST = {"time": 1.0, "real_out": 6.0, "state": 2.0}
RULE = re.compile(r"\[([a-z0-9-]+)(?:; FMI [^\]]*)?\]$")


class Failed(Exception):
    pass


def describe(case, text):
    for old, new in case["change"]:
        if old not in text:
            raise Failed(f"the healthy description has no {old!r}")
        text = text.replace(old, new, 1)
    data = text.encode(case.get("encoding", "utf-8"))
    return data[:int(len(data) * case["cut"])] if "cut" in case else data


def make(case, healthy):
    """The bytes of the FMU of a case."""
    with zipfile.ZipFile(io.BytesIO(healthy)) as source:
        entries = [(name, source.read(name)) for name in source.namelist()]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            if name == "modelDescription.xml":
                declared = "iso-8859-1" if b'encoding="ISO-8859-1"' in data[:100] else "utf-8"
                data = describe(case, data.decode(declared))
            if name.endswith(".so") and "library" in case:
                token = case["library"].encode()
                braced = b"{" + token + b"}"
                if braced not in data:
                    raise Failed("the library does not hold the GUID")
                data = data.replace(braced, token + b"\0\0")
            archive.writestr(zipfile.ZipInfo(name), data)
        if "twice" in case:  # zipfile warns of a second entry of one name: it gets its name afterwards
            archive.writestr(zipfile.ZipInfo("resources/twice.1"), b"once")
            archive.writestr(zipfile.ZipInfo("resources/twice.2"), b"once" if case["twice"] == "same" else b"again")
    return out.getvalue().replace(b"resources/twice.2", b"resources/twice.1")


def hocket(options, folder, *words):
    return call(options.hocket, *words, cwd=folder, env=environment(HOME=folder), exit=None)


def compare(found, wanted, who):
    for name, value in wanted.items():
        if abs(found[name] - value) > TOLERANCE * max(1.0, abs(value)):
            raise Failed(f"{who}: '{name}' is {found[name]}, expected {value}")


def judge_run(case, options, folder):
    words = ["run", "x.fmu", *WHEN, "-q", "-o", "out.csv", "--output-variable", "real_out", "--output-variable", "state"]
    for name, value in START.items():
        words += ["--set", f"{name}={value}"]
    done = hocket(options, folder, *words)
    wanted = case.get("exit", 0 if case["runs"] else 1)
    if done.returncode != wanted:
        raise Failed(f"run: exit status {done.returncode}, expected {wanted}\n{done.stderr}")
    said = re.findall(r"(?:warning|error)\[HK\d{4}\]: .*", done.stderr)
    if len(said) != len(case["says"]) or any(w not in s for w, s in zip(case["says"], said)):
        raise Failed("run: said\n  " + "\n  ".join(said))
    if not case["runs"]:
        return
    with open(folder / "out.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    compare({name.rpartition(".")[2]: float(value) for name, value in rows[-1].items()}, LAST, "run")


def judge_check(case, options, folder):
    done = hocket(options, folder, "check", "x.fmu", "--json", *WHEN)
    answer = json.loads(done.stdout)
    verdicts = answer["files"][0]
    if verdicts["runs_here"] != case["runs"]:
        raise Failed(f"check: runs_here is {verdicts['runs_here']}: {verdicts.get('why_not')}")
    errors = [f for f in answer["findings"] if f["severity"] == "error"]
    if verdicts["keeps_rules"] != (not errors) or (done.returncode == 0) != verdicts["keeps_rules"]:
        raise Failed(f"check: keeps_rules is {verdicts['keeps_rules']}, exit status {done.returncode}")
    found = {m[1] for m in (RULE.search(f["text"]) for f in answer["findings"]) if m}
    missing = set(case["rules"]) - found
    if missing:
        raise Failed(f"check: {sorted(missing)} not found, but {sorted(found)}")
    level = hocket(options, folder, "check", "x.fmu", "--level", "run", *WHEN)
    if (level.returncode == 0) != case["runs"]:
        raise Failed(f"check --level run: exit status {level.returncode}\n{level.stdout}")
    if f"runs here: {'yes' if case['runs'] else 'no, because '}" not in level.stdout:
        raise Failed(f"check --level run prints\n{level.stdout}")


def judge_info(case, options, folder):
    """What is said of the model is true of every case: it is in the file."""
    done = hocket(options, folder, "info", "x.fmu", "--json")
    answer = json.loads(done.stdout)
    if "twice" not in case and not answer["name"].startswith("Probe"):
        raise Failed(f"info: the name is {answer['name']}")
    if bool(done.returncode) != ("cut" in case):
        raise Failed(f"info: exit status {done.returncode}")


def ask_fmpy(path):
    """The last values that FMPy finds; None: it does not accept the file."""
    import fmpy

    def ask():
        table = fmpy.simulate_fmu(str(path), validate=False, stop_time=1, step_size=0.1, output_interval=0.1,
                                  fmi_type="CoSimulation", start_values=START, output=["real_out", "state"])
        return {name: float(table[name][-1]) for name in table.dtype.names}
    return forked(ask)[0]


OSP = """<?xml version="1.0" encoding="UTF-8"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <BaseStepSize>0.1</BaseStepSize>
  <Algorithm>fixedStep</Algorithm>
  <Simulators>
    <Simulator name="x" source="x.fmu">
      <InitialValues>{values}</InitialValues>
    </Simulator>
  </Simulators>
</OspSystemStructure>
"""


def ask_libcosim(folder):
    """The same of libcosim, as a system of one simulator."""
    import libcosim
    values = "".join(f'<InitialValue variable="{n}"><Real value="{v}"/></InitialValue>' for n, v in START.items())
    (folder / "OspSystemStructure.xml").write_text(OSP.format(values=values), encoding="utf-8")
    question = {"file": str(folder / "OspSystemStructure.xml"), "step": None, "names": ["x.real_out", "x.state"], "rows": 10,
                "all": False}
    answer, _ = forked(libcosim.ask, question, cwd=folder)
    if not answer:
        return None
    values = dict(zip(answer["names"], answer["rows"][-1][1]))
    return {name.partition(".")[2]: value for name, value in values.items()} if len(values) == 2 else None


def ask_peers(case, options, folder):
    """The names of the peers that accept the file; they find the values of the healthy FMU."""
    accepted = set()
    for name, ask in (("fmpy", lambda: ask_fmpy(folder / "x.fmu")), ("libcosimpy", lambda: ask_libcosim(folder))):
        values = ask() if name in options.peers else None
        if values:
            compare(values, {key: LAST[key] for key in values}, name)
            accepted.add(name)
    wanted = {name for name in case.get("peers", ()) if name in options.peers}
    if not accepted >= wanted:
        raise Failed(f"accepted by {sorted(accepted)}, expected {sorted(wanted)}")
    return accepted


def run_case(case, options):
    """The names of the peers that agree."""
    unknown = set(case) - KEYS
    if unknown:
        raise Failed(f"unknown keys {sorted(unknown)}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fault-"))
    try:
        (folder / "x.fmu").write_bytes(make(case, (options.fmus / f"{case['base']}.fmu").read_bytes()))
        judge_run(case, options, folder)
        judge_check(case, options, folder)
        judge_info(case, options, folder)
        return ask_peers(case, options, folder)
    finally:
        shutil.rmtree(folder)


def main():
    paths, rest = read_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(rest, namespace=paths)
    cases = json.loads((HERE / "faults.json").read_text(encoding="utf-8"))
    cases = [c for c in cases if not options.names or c["name"].startswith(tuple(options.names))]
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
        for case in cases:
            healthy = (options.fmus / f"{case['base']}.fmu").read_bytes()
            (options.write / f"{case['name']}.fmu").write_bytes(make(case, healthy))
        print(f"{len(cases)} FMUs written")
        return 0
    options.peers = [name for name in ("fmpy", "libcosimpy")
                     if importlib.util.find_spec(name) and not os.environ.get("HK_NO_PEERS")]
    failed, agreed = 0, {"fmpy": 0, "libcosimpy": 0}
    for case in cases:
        try:
            for name in run_case(case, options):
                agreed[name] += 1
        except Failed as failure:
            failed += 1
            print(f"FAILED {case['name']}: {failure}")
    told = [f"{name} " + (f"accepts {count} and finds the same values" if name in options.peers else "is not asked")
            for name, count in agreed.items()]
    print(f"{len(cases)} FMUs, {failed} failed; " + "; ".join(told))
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
