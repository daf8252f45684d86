#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Visits animals that mean harm, those of hostile.toml, in each of three ways: in the process of hocket, in one of their
own, in a sandbox. Each must end with the outcome that its entry promises, which is what docs/security.md shows: `--update`
writes that table. After it no process and no file may be left. A name, or the beginning of one, chooses deeds; `--show` prints
what was said; `--way direct` chooses one way. A short run visits each deed in one way, in turn; HK_SLOW=1 visits all."""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import stable
import zoo_test
from golden import UPDATE
from hocket_case import SLOW, THIN, TIMEOUT_S, read_options

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs" / "security.md"
MARKS = ("<!-- deeds: tests/zoo/hostile_test.py --update -->\n", "<!-- end of deeds -->\n")
GRACE_S = 300
LIMITS_S = (0.3, 5)  # of --timeout: on a busy machine a run may not come to the deed within the first
WAYS = {"direct": "", "isolated": "--isolate all", "sandboxed": "--sandbox all"}
KEYS = {"about", "deed", "env", "run", "body", "files", "sends", "says", "never", "errors", "again", "twice", "writes", *WAYS}


@dataclasses.dataclass(frozen=True)
class Outcome:
    exit: int
    code: str | None  # of the one error
    rows: int | str  # of the record; "some": that depends on the moment
    words: str  # in the table
    warns: str | None = None  # the code of the warning of a sandbox


# What can become of a run. A record is complete, or holds whole rows up to the deed, or is called wrong.
OUTCOMES = {
    "done": Outcome(0, None, 5, "goes on"),
    "denied": Outcome(0, None, 5, "denied, goes on", "HK0515"),
    "refused": Outcome(4, "HK0503", 3, "denied, fails (4)", "HK0515"),
    "ended": Outcome(4, "HK0506", 3, "ends (4)"),
    "cut": Outcome(4, "HK0506", "some", "ends (4), short record"),
    "failed": Outcome(4, "HK0503", 3, "fails (4)"),
    "late": Outcome(124, "HK0507", 3, "ends (124)"),
    "falsified": Outcome(3, "HK0202", 5, "record called wrong (3)"),
    "starved": Outcome(5, "HK0903", "some", "ends (5)"),
    "paused": Outcome(0, None, 5, "waits for SIGCONT"),
    "interrupted": Outcome(130, None, 3, "ends (130)"),
    "killed": Outcome(-signal.SIGKILL, None, "some", "is killed"),
}
GROUPS = {
    "threads": "Threads", "exits": "Ends of the process", "signals": "Signals", "timers": "Timers", "loops": "Loops, with `--timeout`",
    "files": "Descriptors, files and the record", "memory": "Memory and numbers", "reach": "Out of the process",
}


def read_deeds():
    """All deeds, by name: an entry with its group."""
    with open(HERE / "hostile.toml", "rb") as file:
        groups = tomllib.load(file)
    deeds = {}
    for group in GROUPS:
        for name, about in groups.pop(group).items():
            unknown = set(about) - KEYS
            if unknown or name in deeds or not {"about", "direct"} <= set(about):
                raise SystemExit(f"hostile.toml: {name}: twice, without 'about' or 'direct', or with {sorted(unknown)}")
            about.setdefault("isolated", about["direct"])
            about.setdefault("sandboxed", about["isolated"])
            deeds[name] = {**about, "group": group}
    if groups:
        raise SystemExit(f"hostile.toml: unknown groups {sorted(groups)}")
    return deeds


def promised(text):
    """The outcome and the rows of a text such as "ended 5"."""
    word, _, rows = text.partition(" ")
    outcome = OUTCOMES[word]
    return outcome, outcome.rows if not rows else rows if rows == "some" else int(rows)


def processes(marker):
    """Processes of a visit that are still there: they have its folder in their environment."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes():
                yield int(process.name)
        except OSError:
            continue


def is_stopped(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


class Visit(zoo_test.Visit):
    """One deed in one way."""

    def __init__(self, options, name, about, way, limit):
        super().__init__(options, name, about, 2)
        self.title, self.way = f"{name}, {way}", way
        self.outcome, self.wanted = promised(about[way])
        self.limit = limit
        self.ready = self.root / "ready" / "now"
        self.ready.parent.mkdir()

    def environment(self):
        return super().environment() | {"ZOO_READY": str(self.ready), "XDG_RUNTIME_DIR": str(self.root / "run")}

    def close(self):
        for pid in processes(str(self.root)):
            os.kill(pid, signal.SIGKILL)
        for folder, _, _ in os.walk(self.root):
            os.chmod(folder, 0o700)
        super().close()

    def call(self, words):
        """A group of its own: an animal may kill it, or the one that has started it, which is then a shell."""
        is_shell = self.about.get("deed", "").startswith("kill_parent")
        words = ["sh", "-c", '"$@"; exit $?', "sh", *words] if is_shell else words
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            run = subprocess.Popen(words, cwd=self.here, env=self.environment(), stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, start_new_session=True, umask=0o022)
            try:
                self.send_to(run)
                run.wait(self.options.patience)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                raise zoo_test.Failed(f"still running after {self.options.patience} s") from None
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(zoo_test.judge_plain(file.read()))
        exit = run.returncode
        return -signal.SIGKILL if is_shell and exit == 128 + signal.SIGKILL else exit, *texts

    def send_to(self, run):
        """What the user does: lets it go on, or wants it to end and, a moment later, does so again."""
        if self.about[self.way] == "paused":
            self.await_(run, lambda: any(is_stopped(pid) for pid in processes(str(self.root))))
            run.send_signal(signal.SIGCONT)
        elif "sends" in self.about:
            self.await_(run, self.ready.exists)
            for _ in range(2):
                run.send_signal(getattr(signal, "SIG" + self.about["sends"]))
                time.sleep(0.2)

    def await_(self, run, holds):
        until = time.monotonic() + self.options.patience
        while not holds() and run.poll() is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("hocket", self.options.patience)
            time.sleep(0.01)

    def run(self):
        about = self.about
        words = [about.get("run", "run animal.fmu --step-size 0.25 -o out.csv"), WAYS[self.way]]
        words += [f"--allow write={self.ready.parent}"] if "sends" in about and self.way == "sandboxed" else []
        words += [f"--timeout {self.limit}"] if self.outcome.code == "HK0507" else []
        for _ in range(2 if about.get("twice") else 1):
            self.exit, self.out, self.err = self.call([self.options.hocket, *" ".join(words).split()])
            self.judge_words()
            self.judge_record()
            self.judge_processes()
            if self.outcome.exit == -signal.SIGKILL:
                self.run_another()
            self.judge_files()

    def run_another(self):
        """The next run cleans up behind one that was killed."""
        data = stable.fmu(2, stable.description(2, "calm"), (self.options.bodies / "animal2.so").read_bytes(), platform.machine())
        (self.root / "calm.fmu").write_bytes(data)
        self.call([self.options.hocket, "run", "../calm.fmu", "-q"])

    def judge_words(self):
        if self.exit != self.outcome.exit:
            raise zoo_test.Failed(f"exit status {self.exit}, expected {self.outcome.exit}")
        errors = [code for kind, code in zoo_test.FINDING.findall(self.err) if kind == "error"]
        wanted = self.about.get("errors", {}).get(self.way, [self.outcome.code] if self.outcome.code else [])
        said = list(dict.fromkeys(errors)) if self.about.get("again") else errors
        if said != wanted:
            raise zoo_test.Failed(f"errors {errors}, expected {wanted}")
        if ("HK0515" in self.err) != (self.outcome.warns == "HK0515"):
            raise zoo_test.Failed(f"a sandbox has {'denied' if 'HK0515' in self.err else 'not denied'} it")
        for text in self.about.get("says", {"HK0202": ["out.csv"], None: []}.get(self.outcome.code, ["'animal'"])):
            if text not in self.err:
                raise zoo_test.Failed(f"the message does not say: {text}")
        for text in self.about.get("never", []):
            if text in self.err:
                raise zoo_test.Failed(f"the message says: {text}")
        if zoo_test.SANITIZER.search(self.err):
            raise zoo_test.Failed("a sanitizer or an assertion spoke")

    def rows(self, text):
        if text and not text.endswith("\n"):
            raise zoo_test.Failed("the record ends within a line")
        return re.findall(r"^(\d[\d.]*),", text, re.M)

    def judge_record(self):
        path = self.here / "out.csv"
        if " -o - " in self.about.get("run", ""):
            times = self.rows(self.out)
        else:
            times = self.rows(zoo_test.judge_plain(path.read_bytes())) if path.is_file() else []
            self.judge_metadata(len(times))
        if self.wanted != "some" and times != ["0", "0.25", "0.5", "0.75", "1"][:self.wanted]:
            raise zoo_test.Failed(f"the record has rows at {times}, expected {self.wanted}")
        if self.outcome.exit == 0 and " -o - " not in self.about.get("run", "") and ",found" not in path.read_text():
            raise zoo_test.Failed("its resources are not what they were")

    def judge_metadata(self, rows):
        """What is beside the record never says that a run that failed came to its end."""
        path = self.here / "out.csv-metadata.json"
        if not path.exists():
            if self.outcome.exit == 0 or rows:
                raise zoo_test.Failed("nothing is beside the record")
            return
        note = json.loads(path.read_text(encoding="utf-8"))["notes"][0]
        finished = note["ended"] == "at its stop time"
        if self.outcome.exit == 0 and not (finished and note["rows"] == rows):
            raise zoo_test.Failed(f"the metadata do not say that the run is complete: {note}")
        if self.outcome.exit and rows < 5 and finished:
            raise zoo_test.Failed(f"the metadata say that the run came to its end: {note}")

    def judge_processes(self):
        """Those of a process that was killed end a moment after it."""
        until = time.monotonic() + (GRACE_S if self.outcome.exit < 0 else 0)
        while left := list(processes(str(self.root))):
            if time.monotonic() > until:
                raise zoo_test.Failed(f"{len(left)} processes are left")
            time.sleep(0.01)

    def judge_files(self):
        known = {"animal.fmu", "out.csv", "out.csv-metadata.json", *self.about.get("files", {})}
        left = [p.name for p in self.temporary.iterdir()] + [p.name for p in self.cache.rglob("unpacking-*")]
        left += sorted({p.name for p in self.here.iterdir()} - known)
        if (self.root / ".profile").exists() != bool(self.about.get("writes") and self.outcome.exit == 0):
            left.append(".profile")
        if left:
            raise zoo_test.Failed(f"files are left: {left}")


def visit(options, name, about, way, limit=LIMITS_S[0]):
    """Returns what went wrong, or None, and how long it took."""
    begin = time.monotonic()
    v = Visit(options, name, about, way, limit)
    problem = None
    try:
        v.make()
        v.run()
    except zoo_test.Failed as failure:
        problem = str(failure)
    said = "\n".join(line[:300] for line in getattr(v, "err", "").splitlines()[:6])
    if options.show:
        print(f"--- {v.title}: exit {getattr(v, 'exit', '?')}\n{said}", flush=True)
    v.close()
    if problem and v.outcome.code == "HK0507" and limit != LIMITS_S[-1]:
        return visit(options, name, about, way, LIMITS_S[-1])
    return v.title, problem and f"{problem}\n    said: {said}", time.monotonic() - begin


def table(deeds):
    """The table of docs/security.md."""
    lines = []
    for group, title in GROUPS.items():
        lines += [f"| {title} | in hocket's process | `--isolate` | `--sandbox` |", "|---|---|---|---|"]
        for about in deeds.values():
            if about["group"] == group:
                cells = [promised(about[way])[0].words for way in WAYS]
                lines.append(f"| {about['about']} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n" + "\n".join(lines)


def with_table(deeds):
    """docs/security.md as it is to be."""
    begin, rest = DOCUMENT.read_text(encoding="utf-8").split(MARKS[0])
    return begin + MARKS[0] + table(deeds) + MARKS[1] + rest.split(MARKS[1])[1]


def has_sandbox(options):
    """Whether this kernel has all that a sandbox can make use of; else other deeds are denied, or nobody says so."""
    said = subprocess.run([options.hocket, "doctor"], capture_output=True, text=True, check=False).stdout
    return re.search(r"^ok +sandbox .*with reports.*Landlock ABI", said, re.M) is not None


def chosen(options, deeds):
    """What is to be visited: all that was asked for, or, in a short run, each deed in one way."""
    bodies = {"", *("_cpp" for _ in options.bodies.glob("animal2_cpp.so"))}
    ways = [way for way in options.way or WAYS if way != "sandboxed" or has_sandbox(options)]
    known = [(name, about) for name, about in deeds.items() if about.get("body", "") in bodies
             and (not options.names or name.startswith(tuple(options.names)))]
    if SLOW or options.way or options.names:
        return [(name, about, way) for name, about in known for way in ways]
    return [(name, about, ways[i % len(ways)]) for i, (name, about) in enumerate(known)][::THIN]


def main():
    paths, rest = read_options("--bodies")
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--patience", type=float, default=TIMEOUT_S)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(rest, namespace=paths)
    deeds = read_deeds()
    if UPDATE:
        DOCUMENT.write_text(with_table(deeds), encoding="utf-8")
        return 0
    todo = chosen(options, deeds)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="zoo-") as scratch:
        options.locales = pathlib.Path(scratch)
        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            for title, problem, took in pool.map(lambda item: visit(options, *item), todo):
                failed += problem is not None
                if problem or options.times:
                    print(f"FAILED {title}: {problem}" if problem else f"{took:6.2f} s {title}", flush=True)
    if with_table(deeds) != DOCUMENT.read_text(encoding="utf-8"):
        failed += 1
        print("FAILED docs/security.md: its table is not what hostile.toml says; --update writes it")
    print(f"{len(deeds)} deeds, {len(todo)} visits, {failed} failed")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
