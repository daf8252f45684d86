#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What each test costs, in seconds of processor time: the same on a busy machine as on a quiet one.

    python3 tools/test_cost.py [TREE] [-R REGEX] [--slow]

TREE is a build tree (build, build-asan, build-tsan). The tests run one after the other; then all are printed, the
dearest last, and the sum. A test that fails is counted, too."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

SANITIZERS = {  # as in CMakePresets.json
    "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


def tests_of(tree):
    """The name, command, labels, environment and folder of each test."""
    listed = subprocess.run(["ctest", "--test-dir", tree, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE)
    for test in json.loads(listed.stdout)["tests"]:
        known = {one["name"]: one["value"] for one in test.get("properties", [])}
        given = dict(pair.split("=", 1) for pair in known.get("ENVIRONMENT", []))
        if "command" in test:
            yield test["name"], test["command"], known.get("LABELS", []), given, known.get("WORKING_DIRECTORY", tree)


def cost_of(command, given, folder):
    """The seconds of processor time of a command and all its children, and its exit status."""
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before = spent()
    done = subprocess.run(command, cwd=folder, env=os.environ | SANITIZERS | given, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return spent() - before, done.returncode


def main():
    parser = argparse.ArgumentParser(description="What each test costs, in seconds of processor time.")
    parser.add_argument("tree", nargs="?", default="build", help="a build tree; build")
    parser.add_argument("-R", dest="regex", default="", help="only tests whose name matches")
    parser.add_argument("--slow", action="store_true", help="those with the label slow, instead of all others")
    words = parser.parse_args()
    rows = []
    for name, command, labels, given, folder in tests_of(words.tree):
        if re.search(words.regex, name) and ("slow" in labels) == words.slow:
            seconds, status = cost_of(command, given, folder)
            rows.append((seconds, name, {0: "", 77: "skipped"}.get(status, f"FAILED ({status})")))
            print(f"{seconds:8.2f}  {name}", file=sys.stderr)
    for seconds, name, remark in sorted(rows):
        print(f"{seconds:8.2f}  {name}  {remark}".rstrip())
    print(f"{sum(row[0] for row in rows):8.2f}  {len(rows)} tests")


if __name__ == "__main__":
    main()
