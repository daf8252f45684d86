#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts and limits that every reader needs are in one place, and no test waits for less than a busy machine needs.

    one_of_each_test.py SOURCE_TREE
"""
import pathlib
import re
import sys

# What may be written in one file only, and that file.
ONCE = {
    r'"[^"\n]*did you mean': "src/base/diag.c",
    r"\b(HK_)?(ERRORS|COMPLAINTS|SUGGESTIONS)_MAX\s*=": "src/base/complaints.h",
    r'"there are more mistakes than these': "src/base/complaints.c",
    r'"(jacobi|gauss-seidel)"': "src/model/words.c",
}


# Seconds after which a test takes a process for one that hangs.
PATIENCE_S = 300


def impatient(root):
    """Places at which a test gives up after fewer seconds."""
    for path in sorted((root / "tests").rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for seconds in re.findall(r"\b(?:timeout|[a-z]\w*\.wait|communicate)[=(](\d+(?:\.\d+)?)\b", line):
                if float(seconds) < PATIENCE_S:
                    yield f"{path.relative_to(root).as_posix()}:{number}: waits {seconds} s: take TIMEOUT_S"


def main():
    root = pathlib.Path(sys.argv[1])
    wrong, found = 0, set()
    for path in sorted((root / "src").rglob("*.[ch]")):
        name = path.relative_to(root).as_posix()
        if name.endswith("_test.c"):
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"),
                      path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for pattern, place in ONCE.items():
            for match in re.finditer(pattern, text):
                if name == place:
                    found.add(pattern)
                else:
                    line = text.count("\n", 0, match.start()) + 1
                    print(f"{name}:{line}: {match[0]!r} belongs to {place}")
                    wrong += 1
    for line in impatient(root):
        print(line)
        wrong += 1
    for pattern in ONCE.keys() - found:
        print(f"{ONCE[pattern]} does not have {pattern}")
    print(f"{len(found)} of {len(ONCE)} at their place, {wrong} elsewhere")
    return 1 if wrong or len(found) < len(ONCE) else 0


if __name__ == "__main__":
    sys.exit(main())
