#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The animals of the zoo in processes of their own: what takes a process down takes only that one down. The exit status, the
one message and the record are what they are without isolation; where they differ, DIFFERENT says how. No process is left.
With --sandbox they are in a sandbox, too: DENIED says what they cannot do there."""
import concurrent.futures
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "zoo")]
import zoo_test  # noqa: E402
from hocket_case import SKIPPED, SLOW, read_options  # noqa: E402

# What others would suffer from, and is said of a component that lives with them, is its own affair.
OWN_AFFAIR = {"warns": 0, "names": []}
DIFFERENT = {
    "exit_thread_between": {"names": ["'animal'", "called exit(0) between two calls"], "rows": ["0", "0.5"]},
    "interrupt": {"exit": 0, "rows": 5},  # its signal reaches its own process
    "crash_in_a_series": {"names": ["scenario 'late', run 0, after 0.5 s: component 'animal': crashed"]},
    "rounding_enter": {"names": ["'animal'", "the rounding mode at t = 0 s"]},
    "rounding_two": {"warns": 2, "names": []}, "rounding_threads": {"warns": 2, "names": []},  # each says it of itself
    **{name: OWN_AFFAIR for name in ("locale_step", "thread_locale", "locale_two", "handlers_step", "signal_mask",
                                     "chdir_enter", "chdir_step", "umask_step", "alarm_late", "ticking")},
}


def denied(what, **more):
    return {"warns": 1, "code": None, "exit": 0, "names": ["'animal'", f"the sandbox has denied {what}"], **more}


# In a sandbox (--sandbox) nothing of what they want is done, and that is said.
A_WRITE = "a write outside of its folder"
DENIED = {
    **{name: denied("a new process or program") for name in ("fork_exit", "fork_exit_now", "fork_crash")},
    **{name: denied(A_WRITE) for name in ("scribble_record", "scribble_record_free", "remove_record_free", "scribble_trace",
                                          "scribble_trace_free", "scribble_log", "scribble_log_free")},
    "shorten_record": denied(A_WRITE, exit=4, code="HK0503"),
}
# Animals that are after the files of hocket itself, which are not in their process.
ELSEWHERE = {"take_output", "take_files", "scribble_record_fd"}
# Those that are visited in a short run: one of each way to go.
SHORT = ("crash_", "exit_", "abort", "bus_error", "divide", "illegal", "stack", "double_free", "quick_exit", "alarm",
         "state_crash", "hang", "once_per_process", "rounding_two", "chdir_step", "fork_")


class Visit(zoo_test.Visit):
    def run_in_host(self):
        """The host isolates nothing."""


def left(marker):
    """Processes of a visit that are still there: they have its folder in their environment."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def visit(options, name, about, version):
    how = " --sandbox all" if options.sandbox else " --isolate all"
    about = {**about, "words": about.get("words", "") + how, **DIFFERENT.get(name, {}), **(options.sandbox and DENIED.get(name) or {})}
    about = {key: value for key, value in about.items() if value is not None}
    v = Visit(options, name, about, version)
    problem = None
    try:
        v.make()
        v.run()
        if left(str(v.root)):
            problem = "a process is left"
    except zoo_test.Failed as failure:
        problem = str(failure)
    said = getattr(v, "err", "")
    v.close()
    return v.title, problem and f"{problem}\n    said: {said[:1500]}"


def main():
    options, names = read_options("--bodies", flags=["--sandbox"])
    sanitized = b"__asan_init" in pathlib.Path(options.hocket).read_bytes()
    if options.sandbox and sanitized:
        print("skipped: who calls exit() is looked at for leaks in a new process, which a sandbox denies")
        return SKIPPED
    animals = {name: about for name, about in zoo_test.read_animals().items() if not (sanitized and about.get("plain"))}
    todo = [(name, about, version) for name, about in animals.items() for version in about.get("versions", [1, 2, 3])
            if name.startswith(tuple(names) if names else "" if SLOW else SHORT) and name not in ELSEWHERE]
    todo = todo if SLOW or names else todo[::8 if options.sandbox else 2]
    if options.sandbox and not names and not SLOW:
        todo += [(name, animals[name], 2) for name in DENIED if name in animals]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="zoo-") as scratch:
        options.locales = pathlib.Path(scratch) / "locales"
        zoo_test.make_locale(options.locales)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for title, problem in pool.map(lambda item: visit(options, *item), todo):
                if problem:
                    failed += 1
                    print(f"FAILED {title}: {problem}", flush=True)
    print(f"{len(todo)} visits, {failed} failed")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
