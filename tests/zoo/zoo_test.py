#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Visits every animal of the zoo: makes its FMUs, runs them with the program and in a host, and compares with
what its file in animals/ says. `--show` prints what was said, `--update` writes expected/zoo.txt, `--table` the table of
README.md; a name, or the beginning of one, chooses animals; `--fmi 2` a version. Standard library only."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import stable

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from golden import Golden  # noqa: E402
from hocket_case import THIN, TIMEOUT_S, environment, read_options  # noqa: E402

SANITIZER = re.compile(r"ERROR: \w+Sanitizer|runtime error:|SUMMARY:|Assertion|internal error")
COMMANDS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
FINDING = re.compile(r": (error|warning)\[(HK\d{4})\]: ")
KEYS = {"about", "deed", "versions", "flags", "many", "replace", "patch", "body", "folder", "resources", "files", "run",
        "first", "words", "exit", "code", "names", "rows", "warns", "env", "host", "values", "stdout", "once", "path",
        "elf", "hide", "leaks", "logs", "plain", "before"}
# What a call at a place is named in messages.
CALLS = {
    "instantiate": ("fmiInstantiateSlave", "fmi2Instantiate", "fmi3InstantiateCoSimulation"),
    "setup": ("", "fmi2SetupExperiment", ""),
    "enter": ("fmiInitializeSlave", "fmi2EnterInitializationMode", "fmi3EnterInitializationMode"),
    "exit": ("fmiInitializeSlave", "fmi2ExitInitializationMode", "fmi3ExitInitializationMode"),
    "get": ("fmiGetReal", "fmi2GetReal", "fmi3GetFloat64"), "get0": ("fmiGetReal", "fmi2GetReal", "fmi3GetFloat64"),
    "set": ("fmiSetReal", "fmi2SetReal", "fmi3SetFloat64"), "set0": ("fmiSetReal", "fmi2SetReal", "fmi3SetFloat64"),
    "step": ("fmiDoStep", "fmi2DoStep", "fmi3DoStep"),
    "terminate": ("fmiTerminateSlave", "fmi2Terminate", "fmi3Terminate"),
    "free": ("fmiFreeSlaveInstance", "fmi2FreeInstance", "fmi3FreeInstance"),
    "state": ("", "fmi2GetFMUstate", "fmi3GetFMUState"), "restore": ("", "fmi2SetFMUstate", "fmi3SetFMUState"),
    "serialize": ("", "fmi2SerializeFMUstate", "fmi3SerializeFMUState"),
    "deserialize": ("", "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"),
}


class Failed(Exception):
    pass


def expand(entries):
    """The entries of a file, by name; those with `each` stand for two animals of every capability."""
    for name, about in entries.items():
        capabilities = about.pop("each", None)
        if not capabilities:
            yield name, about
        for flag in capabilities or []:
            for word, value in (("on", "true"), ("off", "false")):
                yield f"{name}_{flag}_{word}", {**about, "flags": f'{flag}="{value}"'}


def read_animals():
    """All animals, by name, in the order of the files."""
    animals = {}
    for path in sorted((HERE / "animals").glob("*.toml")):
        with open(path, "rb") as file:
            for name, about in expand(tomllib.load(file)):
                unknown = set(about) - KEYS
                if unknown or name in animals or "about" not in about:
                    raise SystemExit(f"{path}: {name}: twice, without 'about', or with unknown keys {sorted(unknown)}")
                animals[name] = {**about, "file": path.stem}
    return animals


# What is reported about a component that fails or misbehaves in a run: who, in which call, when. Loading is not a call of the
# standard; values are looked at after a step or after initialization. Who changed the process can often not be told.
WHO = re.compile(r"component '(animal|a|b)'|a thread of a component|a call of a component changes ")
CALL = re.compile(r"\b(animal_)?fmi[23]?[A-Z]\w+|\bthe (un)?loading of the library|\bthe library '.*' cannot be loaded"
                  r"|\bafter (the step|initialization) at |\ba call (of a component )?changes "
                  r"|\bbetween two calls\b|\bthe (entry to|exit from) initialization mode changes ")
# Masks are looked at in sampled instants, and a busy machine has more of those.
SAMPLED = re.compile(r"\b(?:a call|\w*fmi\w*) changes (the exception masks) (?:at|by) t = [\d.]+ s")
WHEN = re.compile(r"\b(at|by|from) t = -?\d[\d.e+-]*\b")
IN_A_RUN = re.compile(r"(error|warning)(\[|\",\"code\":\")HK05\d\d")


def judge_told(about, line):
    """A line about what a component did in a run names it, the call and the time. `before`: it is refused before the
    run, so that there is neither a call nor a time."""
    if not IN_A_RUN.search(line) or about.get("before"):
        return
    for what, pattern in (("who it was", WHO), ("the call", CALL), ("when", WHEN)):
        if not pattern.search(line):
            raise Failed(f"a message does not say {what}: {line[:300]}")


def judge_the_judge():
    """A message that leaves one of the three out does not pass."""
    for line in ("error[HK0503]: component 'animal': fmi2Terminate returned Error",
                 "error[HK0503]: component 'animal' failed at t = 1 s", "error[HK0503]: fmi2Terminate at t = 1 s",
                 '"severity":"error","code":"HK0506","text":"component: crashed in fmi2DoStep at t = 1 s"'):
        try:
            judge_told({}, line)
        except Failed:
            continue
        raise SystemExit(f"not seen to be incomplete: {line}")
    judge_told({}, "error[HK0503]: component 'animal': fmi2Terminate returned Error at t = 1 s")


def judge_plain(data):
    """What reaches a terminal or a table is text that can only be read: UTF-8 without commands of a terminal."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as broken:
        raise Failed(f"not UTF-8: {data[max(0, broken.start - 40):broken.end + 20]!r}") from None
    found = COMMANDS.search(text)
    if found:
        raise Failed(f"commands for a terminal: {text[max(0, found.start() - 40):found.end() + 20]!r}")
    return text


class Visit:
    """One animal in one version, in a folder of its own."""

    def __init__(self, options, name, about, version):
        self.options, self.name, self.about, self.version = options, name, about, version
        self.title = f"{name} {version}.0"
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="zoo-"))
        self.here, self.temporary, self.cache = (self.root / n for n in (about.get("path", "here"), "tmp", "cache"))
        for folder in (self.here, self.temporary, self.cache):
            folder.mkdir()

    def close(self):
        shutil.rmtree(self.root)

    def fill(self, text):
        """Words of the file with the names of this version in them."""
        return re.sub(r"\{(\w+)\}", lambda m: CALLS[m[1]][self.version - 1] if m[1] in CALLS else str(self.version), text)

    def make(self):
        about, version = self.about, self.version
        text = stable.description(version, about.get("deed", "calm"), about.get("flags", ""), about.get("many", 0))
        for old, new in about.get("replace", []):
            if old not in text:
                raise Failed(f"the description has no '{old}'")
            text = text.replace(old, self.fill(new))
        variant = about.get("body", "")
        body = (self.options.bodies / f"animal{version}{variant if variant != 'none' else ''}.so").read_bytes()
        for old, new in about.get("patch", []):
            old, new = (b"\0" + self.fill(w).encode() + b"\0" for w in (old, new))
            if body.count(old) < 1 or len(old) != len(new):
                raise Failed(f"the library has no {old}")
            body = body.replace(old, new)
        for function in about.get("hide", []):  # no longer found by its name
            name = ("animal_fmi", "fmi2", "fmi3")[version - 1] + function
            if name.encode() + b"\0" not in body:
                raise Failed(f"the library has no {name}")
            body = body.replace(name.encode() + b"\0", name[:-1].encode() + b"_\0")
        if "elf" in about:
            body = body[:about["elf"][0]] + bytes([about["elf"][1]]) + body[about["elf"][0] + 1:]
        if variant == "none":
            body = None
        resources = [(n, b"x") for i in range(about.get("resources", 0)) for n in [f"resources/many/{i}.txt"]]
        if resources:
            resources.append(("resources/" + "deep/" * 40 + "note.txt", b"found in the deep\n"))
        data = stable.fmu(version, text, body, platform.machine(), resources, about.get("folder"))
        (self.here / "animal.fmu").write_bytes(data)
        for file, contents in about.get("files", {}).items():
            (self.here / file).write_text(stable.TWO if contents == "TWO" else contents, encoding="utf-8")

    def environment(self):
        own = {"NO_COLOR": None, "TERM": "xterm", "HOME": self.root, "TMPDIR": self.temporary, "XDG_CACHE_HOME": self.cache,
               "LOCPATH": self.options.locales}
        if self.about.get("leaks"):  # the animal's own
            own["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        return environment(**(own | self.about.get("env", {})))

    def call(self, words):
        try:
            done = subprocess.run(words, cwd=self.here, env=self.environment(), stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, timeout=TIMEOUT_S, umask=0o022)
        except subprocess.TimeoutExpired:
            raise Failed(f"still running after {TIMEOUT_S} s") from None
        out, err = judge_plain(done.stdout), judge_plain(done.stderr)
        if SANITIZER.search(out + err):
            raise Failed("a sanitizer or an assertion spoke:\n" + out + err)
        return done.returncode, out, err

    def run(self):
        """The program, in the shell of a user."""
        about = self.about
        if "first" in about:
            exit, out, err = self.call([self.options.hocket, *about["first"].split()])
            if exit:
                raise Failed(f"hocket {about['first']}: {err}")
        before = {p.name for p in self.here.iterdir()}
        words = about.get("run", "run animal.fmu --step-size 0.25 -o out.csv") + " " + about.get("words", "")
        self.exit, self.out, self.err = self.call([self.options.hocket, *words.split()])
        if self.exit != about.get("exit", 0):
            raise Failed(f"exit status {self.exit}, expected {about.get('exit', 0)}")
        self.judge_words()
        left = [str(p) for p in self.temporary.iterdir()] + [str(p) for p in self.cache.rglob("unpacking-*")]
        left += sorted({p.name for p in self.here.iterdir()} - before - {"out.csv", "out.csv-metadata.json",
                                                                              "out.jsonl", "s.hks"})
        if left:
            raise Failed(f"files are left: {left}")
        self.judge_record()
        if "stdout" in about:
            self.judge_stdout(about["stdout"])
        for text in about.get("logs", []):
            if text not in self.err:
                raise Failed(f"'{text}' is not shown")

    def judge_words(self):
        found = FINDING.findall(self.err)
        errors = [code for kind, code in found if kind == "error"]
        wanted = [self.about["code"]] if "code" in self.about else []
        if errors != wanted:
            raise Failed(f"errors {errors}, expected {wanted}")
        if len(found) - len(errors) != self.about.get("warns", 0):
            raise Failed(f"{len(found) - len(errors)} warnings, expected {self.about.get('warns', 0)}")
        place = self.about.get("deed", "calm").partition("@")[2]
        names = self.about.get("names")
        if names is None and (errors or found):
            names = ["'animal'"] + (["{" + place + "}"] if place in CALLS else [])
            names += ["t = 0.5"] if place in ("step", "get", "set") and errors else []
            names += ["t = 0 s"] if place in ("instantiate", "setup", "enter", "exit", "get0", "set0", "restore",
                                              "deserialize") else []
            names += ["t = 1 s"] if place in ("terminate", "free", "state", "serialize") else []
        for text in names or []:
            if self.fill(text) not in self.err:
                raise Failed(f"the message does not say: {self.fill(text)}")
        if str(self.root) in self.err:
            raise Failed("a message shows a private folder")
        for line in self.err.splitlines():
            judge_told(self.about, line)
        if self.exit in (4, 124) and not IN_A_RUN.search(self.err):
            raise Failed("nothing is reported about the component that failed")

    def judge_record(self):
        """A record holds whole rows, from the start up to where the run ended."""
        wanted = self.about.get("rows", 5 if self.about.get("exit", 0) == 0 else 0)
        path = self.here / "out.csv"
        if "-o out.csv" not in self.about.get("run", "-o out.csv"):
            return
        if not path.exists():
            if wanted:
                raise Failed(f"no record, expected {wanted} rows")
            return
        text = judge_plain(path.read_bytes())
        if not text.endswith("\n"):
            raise Failed("the record ends within a line")
        times = re.findall(r"^(\d[\d.]*),", text, re.M)
        if times != (wanted if isinstance(wanted, list) else ["0", "0.25", "0.5", "0.75", "1"][:wanted]):
            raise Failed(f"the record has rows at {times}, expected {wanted}")
        self.judge_metadata(len(times))
        lines = text.splitlines()
        for column, value in self.about.get("values", {}).items():
            index = next((i for i, h in enumerate(lines[0].split(",")) if h.split(".")[-1] == column), None)
            if index is None or lines[-1].split(",")[index] != value:
                raise Failed(f"the last row has not {column} = {value}:\n{lines[0]}\n{lines[-1][:400]}")

    def judge_metadata(self, rows):
        """What is beside the record says how the run ended, also if the process did so before it."""
        path = self.here / "out.csv-metadata.json"
        if not path.exists():
            raise Failed("nothing is beside the record")
        note = json.loads(path.read_text(encoding="utf-8"))["notes"][0]
        if self.exit and rows < 5 and note["ended"] == "at its stop time":
            raise Failed(f"the metadata say that the run came to its end: {note}")
        if not self.exit and (note["ended"].startswith("not yet") or note["rows"] != rows):
            raise Failed(f"the metadata do not say how the run ended: {note}")

    def judge_stdout(self, kind):
        """Standard output holds the answer, and nothing of the animal's."""
        if kind == "json":
            try:
                json.loads(self.out)
            except ValueError:
                raise Failed(f"standard output is not JSON: {self.out[:400]!r}") from None
        elif kind == "record":
            if not re.fullmatch(r"time[^\n]*\n(\d[^\n]*\n){5}", self.out):
                raise Failed(f"standard output is not a record: {self.out[:400]!r}")
        elif self.out:
            raise Failed(f"standard output is not empty: {self.out[:400]!r}")

    def run_in_host(self):
        """The engine in a program of somebody else, whose state must not suffer."""
        self.host = []
        if self.about.get("host") is False:
            return
        exit, out, err = self.call([str(self.options.bodies / "zoo_host"), "animal.fmu"])
        self.host = out.splitlines()
        if exit not in (0, 1):
            raise Failed(f"the host ended with {exit}: {out}{err}")
        for line in self.host:
            if not self.about.get("before") and self.about.get("exit") in (4, 124) and line.startswith("error: "):
                judge_told(self.about, f"host: error[{self.about['code']}]: {line[7:]}")
        if exit:
            raise Failed("in the host: " + "; ".join(line for line in self.host if line.startswith("changed")))

    def words(self):
        """What was said, for expected.txt."""
        kept = [line for line in self.err.splitlines() if FINDING.search(line) or line.startswith("  hint: ")]
        host = [f"host: {line}" for line in self.host if line.startswith(("error", "warning"))]
        return [f"exit {self.exit}", *(SAMPLED.sub(r"a call changes \1 by t = 1 s", line) for line in kept + host)]


def visit(options, name, about, version, golden):
    """Returns what went wrong, or None."""
    v = Visit(options, name, about, version)
    problem = None
    try:
        v.make()
        v.run()
        v.run_in_host()
        problem = golden.compare(v.title, "".join(line[:1000] + "\n" for line in v.words()))
    except Failed as failure:
        problem = str(failure)
    if (problem or options.show) and hasattr(v, "err"):
        shown = "\n".join(line[:300] for line in v.err.splitlines()[:12])
        problem = problem and f"{problem}\n    said: {shown}"
        if options.show:
            print(f"--- {v.title}: exit {getattr(v, 'exit', '?')}\n{shown}\n" + "\n".join(getattr(v, "host", [])))
    v.close()
    return v.title, problem


def table(animals):
    """The table of README.md."""
    lines = ["| animal | FMI | deed | ends with | what it is |", "|---|---|---|---|---|"]
    for name, a in animals.items():
        end = f"exit {a.get('exit', 0)}" + (f", {a['code']}" if "code" in a else "")
        end += f", {a['warns']} warning" + ("s" if a["warns"] > 1 else "") if a.get("warns") else ""
        lines.append(f"| {name} | {' '.join(map(str, a.get('versions', [1, 2, 3])))} | `{a.get('deed', 'calm')}` "
                     f"| {end} | {a['about']} |")
    return "\n".join(lines) + "\n"


def make_locale(folder):
    """A locale that writes a comma, if this system can make one."""
    folder.mkdir()
    if shutil.which("localedef"):
        subprocess.run(["localedef", "-c", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], check=False,
                       capture_output=True)


def main():
    paths, rest = read_options("--bodies")
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", action="store_true", help="print the table of README.md")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--fmi", type=int)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(rest, namespace=paths)
    animals = read_animals()
    if options.table:
        print(table(animals), end="")
        return 0
    judge_the_judge()
    golden = Golden(HERE / "expected" / "zoo.txt")
    sanitized = b"__asan_init" in pathlib.Path(options.hocket).read_bytes()
    todo = [(name, about, version) for name, about in animals.items() for version in about.get("versions", [1, 2, 3])
            if (not options.names or any(name.startswith(n) for n in options.names)) and options.fmi in (None, version)
            and not (sanitized and about.get("plain"))]
    if not options.names:
        todo = todo[::THIN]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="zoo-") as scratch:
        options.locales = pathlib.Path(scratch) / "locales"
        make_locale(options.locales)
        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            for title, problem in pool.map(lambda item: visit(options, *item, golden), todo):
                if problem:
                    failed += 1
                    print(f"FAILED {title}: {problem}", flush=True)
    golden.close([f"{name} {version}.0" for name, about in animals.items() for version in about.get("versions", [1, 2, 3])])
    if table(animals) not in (HERE / "README.md").read_text(encoding="utf-8"):
        failed += 1
        print("FAILED README.md: its table is not what --table prints")
    print(f"{len(todo)} visits, {failed} failed")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
