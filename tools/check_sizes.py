#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a function has more than 6 parameters or 70 lines, or a file more than 500 lines.

clang-tidy holds the first two and the complexity of functions, but takes minutes: ./dev test --all.
This takes a second, and looks at prototypes, too. A function whose parameters somebody else has
chosen is marked where it begins, as for clang-tidy: NOLINTNEXTLINE(readability-function-size), and
the reason.

Run from anywhere:  python3 tools/check_sizes.py [FILE...]   (default: all of the project)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "models", "bench", "fuzz", "tools", "tests")
PARAMETERS, LINES, FILE_LINES = 6, 70, 500
MARK = "NOLINTNEXTLINE(readability-function-size)"

# Files that may be longer, and why. Tests are lists: they may be as long as they like.
LONGER = {
    "src/base/pow10_table.h": "written by tools/gen_pow10.py",
    "include/hk/math_tables.h": "written by tools/make_math_tables.py",
    "include/hk/fused.h": "one header that is copied into every fused program",
}

# What is not code: comments, texts, characters, preprocessor lines. Ends of lines stay.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                      r"|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n\\]|\\[^\n])*", re.S | re.M)
OPEN, CLOSE = "([{", ")]}"


def code_of(text):
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(code, at):
    """Behind the bracket that closes the one at AT."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in OPEN) - (code[i] in CLOSE)
        if depth == 0:
            return i + 1
    return len(code)


def parameter_count(text):
    """Of what is between the parentheses."""
    depth, count = 0, 1
    for c in text:
        depth += (c in OPEN) - (c in CLOSE)
        count += c == "," and depth == 0
    if text.strip() in ("", "void"):
        return 0
    return count - (re.search(r"\.\.\.\s*$", text) is not None)


def declarations(code):
    """Everything outside of braces, one by one: where it begins, its head, where its body is."""
    at = begin = 0
    while at < len(code):
        c = code[at]
        if c == "{":
            end = closing(code, at)
            yield begin, code[begin:at], (at, end)
            at = begin = end
            # what follows the body of a type or of initial values belongs to it
            rest = re.match(r"[^;{}()]*;", code[end:])
            if rest and not re.search(r"\)\s*$", code[:begin].rsplit("{", 1)[0]):
                at = begin = end + rest.end()
        elif c == ";":
            yield begin, code[begin:at], None
            at = begin = at + 1
        elif c in OPEN:
            at = closing(code, at)
        else:
            at += 1


def function_of(head):
    """Where the name is, the name, and the text of the parameters, if HEAD is that of a function."""
    head = head.rstrip()
    if not head.endswith(")") or re.match(r"\s*typedef\b", head):
        return None
    groups, at = [], 0  # the outermost parentheses
    while (at := head.find("(", at)) >= 0:
        end = closing(head, at)
        groups.append((at, end))
        at = end
    while len(groups) > 1 and "__attribute__" in head[:groups[-1][0]].rsplit(")", 1)[-1]:
        groups.pop()
    at, end = groups[-1]
    if "=" in head[:at] or any(re.match(r"\(\s*\*", head[a:b]) for a, b in groups):
        return None  # a variable
    words = list(re.finditer(r"\w+", head[:at]))
    if len(words) < 2:  # the use of a macro
        return None
    return words[-1].start(), words[-1].group(), head[at + 1:end - 1]


def check_functions(text):
    """Line and complaint of each function that is too large."""
    code, lines = code_of(text), text.split("\n")
    for begin, head, body in declarations(code):
        function = function_of(head)
        if not function:
            continue
        at, name, parameters = function
        line = code.count("\n", 0, begin + at) + 1
        if line > 1 and MARK in lines[line - 2]:
            continue
        count = parameter_count(parameters)
        if count > PARAMETERS:
            yield line, f"'{name}' has {count} parameters, at most {PARAMETERS} are allowed"
        length = code.count("\n", *body) if body else 0
        if length > LINES:
            yield line, f"'{name}' has {length} lines, at most {LINES} are allowed"


def check_file(path):
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
    text = path.read_text(encoding="utf-8")
    found = [f"{name}:{line}: {what}" for line, what in check_functions(text)]
    length = text.count("\n")
    is_test = name.startswith("tests/") or name.endswith("_test.c")
    if length > FILE_LINES and not is_test and name not in LONGER:
        found.append(f"{name}:1: the file has {length} lines, at most {FILE_LINES} are allowed")
    return found


def main():
    paths = [pathlib.Path(p).resolve() for p in sys.argv[1:]]
    if not paths:
        paths = [p for top in FOLDERS for p in sorted((ROOT / top).rglob("*.[ch]"))]
    found = [line for path in paths for line in check_file(path)]
    for line in found:
        print(line)
    print(f"{len(paths)} files, {len(found)} functions and files that are too large")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
