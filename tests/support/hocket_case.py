# SPDX-License-Identifier: MIT
"""What tests of the command line share: a folder of their own, and hocket as a user calls it.

A test file puts this folder on its path, derives its classes from Case, and ends with

    main()

OPTIONS, and Case.options, has the paths of the build under test, absolute: hocket, build, source, models, fmus, examples. Each
can be given on the command line (--hocket PATH ...); without any, it is build/ of this tree. Words for paths and
flags of its own a test gives to main(); what is left goes to unittest, so `cases.py Run.test_x` runs one test.

What takes long and says little more than the rest is marked with @slow, or asks SLOW: it runs with HK_SLOW=1, in
the tests with the label `slow` (./dev test --all). What compares results, and calls no code of ours in a way of its own,
is marked with @plain: sanitizers look at it only there, too."""
import argparse
import atexit
import importlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77  # the exit status of a test that cannot run here
SLOW = bool(os.environ.get("HK_SLOW"))
# Long walks look at each THIN-th case (cmake/options.cmake); when words are written down, at all.
THIN = 1 if os.environ.get("HK_UPDATE") else int(os.environ.get("HK_THIN") or 1)
# A call that hangs ends here, and no other: a busy machine is slow, and what is too slow is found by bench_*.
TIMEOUT_S = 900

# Who runs the tests in the background of a shell, or with nohup, ignores signals that tests send to hocket, and children
# would inherit that.
for _signal in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, signal.SIG_DFL)

OPTIONS = argparse.Namespace()  # the paths of the build under test, once they are read

# Of the caller's environment: what a program needs to start, nothing that changes what hocket does.
KEPT = ("PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH")

slow = unittest.skipUnless(SLOW, "slow: ./dev test --all")
SANITIZED = bool(os.environ.get("HK_SANITIZE")) and THIN > 1
plain = unittest.skipIf(SANITIZED, "with sanitizers: ./dev test --all")


def few(cases, each=3):
    """The cases, of which one is like the other; with sanitizers, where each takes ten times as long, some of them."""
    cases = list(cases)
    return cases[::each] if SANITIZED else cases



def environment(**added):
    """The environment of every call of hocket, and ADDED, where None takes a variable away."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    all_ = kept | {"LANG": "C.UTF-8", "NO_COLOR": "1"} | added
    return {name: str(value) for name, value in all_.items() if value is not None}


def call(*words, cwd=None, exit=0, env=None, timeout=TIMEOUT_S, **more):
    """A finished process; its returncode is EXIT (None: any), stdout and stderr are texts."""
    words = [str(word) for word in words]
    if "stdin" not in more:
        more.setdefault("input", "")
    for name in ("stdout", "stderr"):
        more.setdefault(name, subprocess.PIPE)
    done = subprocess.run(words, cwd=cwd, env=environment() if env is None else env, timeout=timeout, encoding="utf-8",
                          errors="backslashreplace", check=False, **more)
    if exit is not None and done.returncode != exit:
        raise AssertionError(f"{words} ended with {done.returncode}, not {exit}\n{done.stdout}\n{done.stderr}")
    return done


def need(*modules):
    """Ends the test, skipped, if one of the Python modules is not here."""
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError as reason:
            print(f"skipped: {reason}")
            sys.exit(SKIPPED)


def forked(function, *words, cwd=None):
    """What FUNCTION returns, made in a child, which has what this process has imported and may crash; None: it has
    no answer. And what it said. Answers are what JSON can say."""
    read, write = os.pipe()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(TIMEOUT_S)
                for number in (1, 2):
                    os.dup2(said.fileno(), number)
                os.chdir(cwd or ".")
                os.write(write, json.dumps(function(*words)).encode())
                os._exit(0)
            except BaseException as reason:  # pylint: disable=broad-exception-caught
                os.write(2, repr(reason).encode())
            finally:
                os._exit(1)
        os.close(write)
        with os.fdopen(read, "rb") as answers:
            answer = answers.read()
        status = os.waitpid(child, 0)[1]
        said.seek(0)
        return json.loads(answer) if status == 0 and answer else None, said.read().decode(errors="replace")


def quick_cc(made=[]):
    """A C compiler that does not optimise, whatever it is told: the same bits at every level (base/cflags.def), in
    half the time. For tests that are not about how something is compiled."""
    if not made:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="case_cc_"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        made.append(folder / "cc")
        made[0].write_text('#!/bin/sh\nexec cc "$@" -O0\n', encoding="utf-8")
        made[0].chmod(0o755)
    return str(made[0])


def known_compilers(folder, found=[]):
    """Puts what CMake knows of the compilers into the build tree FOLDER, so that it does not ask them again: that
    takes longer than to compile what tests compile."""
    if not found:
        place = pathlib.Path(tempfile.mkdtemp(prefix="hocket_cmake_"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        languages = "C CXX" if shutil.which("c++") else "C"
        (place / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.20)\nproject(asked {languages})\n",
                                              encoding="utf-8")
        call("cmake", "-S", place, "-B", place / "b")
        found.extend(path.parent for path in (place / "b" / "CMakeFiles").glob("*/CMakeCCompiler.cmake"))
    shutil.copytree(found[0], pathlib.Path(folder) / "CMakeFiles" / found[0].name, dirs_exist_ok=True)


def wait_until(condition, what, process=None):
    """Waits until CONDITION() is true, as long as a busy machine may need; PROCESS must be alive until then."""
    end = time.monotonic() + TIMEOUT_S
    while not condition():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"{what}: it ended before, with {process.returncode}")
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not in {TIMEOUT_S} s")
        time.sleep(0.02)


def wait_until_idle(process, polls=10):
    """Waits until a process waits for something: at each of so many looks none of its threads wants to run, and none
    of its children's."""
    seen = 0

    def states_of(pid):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            try:
                yield (task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
                for child in (task / "children").read_text(encoding="utf-8").split():
                    yield from states_of(child)
            except OSError:
                yield "?"  # it has just ended

    def idle():
        nonlocal seen
        states = set(states_of(process.pid))
        seen = seen + 1 if states == {"S"} else 0
        return seen >= polls
    wait_until(idle, "idle", process)


def children_of(pid):
    """The processes that a process has started, the oldest first."""
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
    except OSError:
        return []


def process_of(run):
    """The process that the components of `hocket run` live in: the child of the one that was started, if that is the
    parent of a run."""
    children = children_of(run.pid)
    return children[0] if len(children) == 1 else run.pid


class Case(unittest.TestCase):
    options = OPTIONS
    scratch = property(lambda self: self.folder)
    maxDiff = None
    environment = {}  # added to that of each call of hocket

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="case_")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def hocket(self, *words, exit=0, input="", cwd=None, run={}, **added):
        """The finished process: its returncode is EXIT, stdout and stderr are texts. ADDED goes into its environment,
        RUN to subprocess.run()."""
        given = {} if "stdin" in run else {"input": input}
        return call(self.options.hocket, *words, exit=exit, cwd=cwd or self.folder,
                    env=environment(**(self.environment | added)), **given, **run)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def read_options(*paths, flags=(), words=None):
    """The options of a test, and what is left of its words."""
    parser = argparse.ArgumentParser()
    for name in ("--hocket", "--build", "--source", "--models", "--fmus", "--examples"):
        parser.add_argument(name, type=pathlib.Path)
    for name in paths:
        if name not in parser._option_string_actions:  # pylint: disable=protected-access
            parser.add_argument(name, type=pathlib.Path, required=True)
    for name in flags:
        parser.add_argument(name, action="store_true")
    options, rest = parser.parse_known_args(words, namespace=OPTIONS)
    options.source = options.source or TESTS.parent
    options.build = options.build or (options.hocket.absolute().parent.parent if options.hocket else options.source / "build")
    options.hocket = options.hocket or options.build / "bin" / "hocket"
    for name in ("models", "fmus", "examples"):
        setattr(options, name, getattr(options, name) or options.build / name)
    for name, value in vars(options).items():
        if isinstance(value, pathlib.Path):
            setattr(options, name, value.absolute())
    return options, rest


def main(*paths, flags=()):
    """Reads the options, then runs the tests of the calling file."""
    _, rest = read_options(*paths, flags=flags)
    unittest.main(module="__main__", argv=sys.argv[:1] + rest)
