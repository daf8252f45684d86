# SPDX-License-Identifier: MIT
"""Runs one case of bad input: makes its files in an empty folder, starts hocket, judges what it said.

Every case must end with the exit status it names, with exactly the errors it names, with a hint, without
anything left behind, and in bounded time and memory."""
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from golden import Golden  # noqa: E402,F401  (for the others here, as THIN and read_options)
from hocket_case import THIN, TIMEOUT_S, environment, read_options  # noqa: E402,F401

MEMORY_LIMIT_KB = 2_000_000
SANITIZER = re.compile(r"Sanitizer|runtime error:|SUMMARY:|Assertion|internal error")
ERROR = re.compile(r"^(?P<place>.*?): error\[(?P<code>HK\d{4})\]: (?P<text>.*)$")


@dataclasses.dataclass
class Case:
    name: str
    words: str  # the command line after `hocket`, split at blanks
    exit: int
    says: object  # pattern of the line of the error, or a list of them; `LINE` is the line of `at`
    hint: object = None  # pattern of the hint of the first error; None: there must be none
    files: dict = dataclasses.field(default_factory=dict)  # name: contents, or a function of the path
    at: str = None  # text on the line of the first file that the message must point at
    warnings: int = 0
    leaves: tuple = ()  # files that may be left: records that are readable as they stand
    environment: dict = dataclasses.field(default_factory=dict)
    first: str = None  # a command that runs before, and succeeds
    damage: object = None  # what happens then, as a function of the folder
    pinned: bool = True  # its words are in expected.txt


class Failed(Exception):
    pass


def matches(text, pattern):
    """`*` stands for anything; brackets are plain, because codes are written in them."""
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


def line_of(path, text):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return str(number)
    raise AssertionError(f"{path}: no line has {text}")


def peak_of(process, ret):
    """Waits for the process and keeps its largest memory."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ret.append(usage.ru_maxrss)


class Run:
    """A folder for one case, and what hocket did in it."""

    def __init__(self, hocket, case):
        self.case = case
        self.hocket = hocket
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="bad-"))
        self.here, self.temporary, self.cache = (self.root / n for n in ("here", "tmp", "cache"))
        for folder in (self.here, self.temporary, self.cache):
            folder.mkdir()

    def close(self):
        shutil.rmtree(self.root)

    def environment(self):
        return environment(NO_COLOR=None, TERM="xterm", HOME=self.root, TMPDIR=self.temporary, XDG_CACHE_HOME=self.cache,
                           **self.case.environment)

    def start(self):
        for name, contents in self.case.files.items():
            path = self.here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if callable(contents):
                contents(path)
            elif isinstance(contents, bytes):
                path.write_bytes(contents)
            else:
                path.write_text(contents, encoding="utf-8")
        if self.case.first:
            done = subprocess.run([self.hocket, *self.case.first.split()], cwd=self.here, check=False,
                                  env=self.environment(), capture_output=True, encoding="utf-8")
            if done.returncode:
                raise Failed(f"hocket {self.case.first}: {done.stderr}")
        if self.case.damage:
            self.case.damage(self.here)
        self.before = self.listing()
        output = open(self.root / "output", "w+", encoding="utf-8", errors="replace")
        with output:
            process = subprocess.Popen([self.hocket, *self.case.words.split()], cwd=self.here,
                                       env=self.environment(), stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT)
            peak = []
            waiter = threading.Thread(target=peak_of, args=(process, peak))
            waiter.start()
            waiter.join(TIMEOUT_S)
            if waiter.is_alive():
                process.kill()
                waiter.join()
                raise Failed(f"still running after {TIMEOUT_S} s")
            output.seek(0)
            self.text = output.read()
        self.exit = process.returncode
        self.peak_kb = peak[0]

    def listing(self):
        return {str(p.relative_to(self.here)): p.stat().st_mtime_ns for p in self.here.rglob("*")}

    def words(self):
        """What was said, for expected.txt: findings and hints, without times and source lines."""
        kept = [line for line in self.text.splitlines()
                if re.search(r": (error|warning)\[HK|: note: ", line) or line.startswith("  hint: ")]
        return "".join(line + "\n" for line in (f"exit {self.exit}", *kept))

    def judge(self):
        case = self.case
        if SANITIZER.search(self.text):
            raise Failed("a sanitizer or an assertion spoke")
        if self.exit != case.exit:
            raise Failed(f"exit status {self.exit}, expected {case.exit}")
        self.judge_words()
        if self.text.count(" warning[") != case.warnings:
            raise Failed(f"{self.text.count(' warning[')} warnings, expected {case.warnings}")
        if str(self.root) in self.text:
            raise Failed("a message shows a private folder")
        left = [str(p.relative_to(self.temporary)) for p in self.temporary.iterdir()]
        left += [str(p) for p in self.cache.rglob("unpacking-*")]
        if left:
            raise Failed(f"temporary files are left: {left}")
        changed = sorted(set(self.listing().items()) - set(self.before.items()))
        about = {f"{name}-metadata.json" for name in case.leaves}
        if [name for name, _ in changed if name not in about] != sorted(case.leaves):
            raise Failed(f"files are left or changed: {changed}")
        for name in about & {name for name, _ in changed}:
            self.judge_about(name)
        for name in case.leaves:
            if not (self.here / name).read_text(encoding="utf-8").endswith("\n"):
                raise Failed(f"{name} ends within a line")
        if self.peak_kb > MEMORY_LIMIT_KB:
            raise Failed(f"took {self.peak_kb} kB of memory")

    def judge_about(self, name):
        """What is beside a record says how the run has ended; of a process that ended before it, that it has not."""
        note = json.loads((self.here / name).read_text(encoding="utf-8"))["notes"][0]
        if note["ended"].startswith(("failed", "not yet: ")) != (self.exit != 0):
            raise Failed(f"{name} says {note['ended']!r}")

    def judge_words(self):
        case = self.case
        lines = self.text.splitlines()
        errors = [n for n, line in enumerate(lines) if ERROR.match(line)]
        says = [case.says] if isinstance(case.says, str) else case.says
        if len(errors) != len(says):
            raise Failed(f"{len(errors)} errors, expected {len(says)}")
        for number, pattern in zip(errors, says):
            if case.at:
                pattern = pattern.replace("LINE", line_of(self.here / next(iter(case.files)), case.at))
            if not matches(lines[number], pattern):
                raise Failed(f"expected: {pattern}")
        if not errors:
            return
        end = errors[1] if len(errors) > 1 else len(lines)
        hints = [line for line in lines[errors[0]:end] if line.startswith("  hint: ")]
        wanted = [case.hint] if case.hint else []
        if len(hints) != len(wanted):
            raise Failed(f"{len(hints)} hints, expected {len(wanted)}")
        for hint, pattern in zip(hints, wanted):
            if not matches(hint, "  hint: " + pattern):
                raise Failed(f"expected hint: {pattern}")
