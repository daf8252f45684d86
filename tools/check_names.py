#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a document names a function, type, member or file in backticks that the sources do not
have.

Run from anywhere:  python3 tools/check_names.py [DOCUMENT...]   (default: docs/architecture.md)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FILE = re.compile(r"[\w./-]+\.(c|h|py|def|cmake)|[\w-]+(/[\w-]+)*/")


def read_sources():
    paths = [p for top in ("src", "include") for p in sorted((ROOT / top).rglob("*.[ch]"))]
    return "\n".join(p.read_text(encoding="utf-8") for p in paths)


def defined_names(text):
    """Functions with a body or a prototype, types, macros and members."""
    names = set()
    for line in text.splitlines():
        if re.match(r"[^ \t#/*]", line):  # at the beginning of a line: no call
            names.update(re.findall(r"(\w+)\(", line))
            names.update(re.findall(r"(?:struct|enum|union) (\w+)", line))
            names.update(re.findall(r"(\w+);$", line))
        elif line.startswith("#define "):
            names.add(WORD.match(line[8:].lstrip()).group())
        else:
            names.update(re.findall(r"^ +[\w ]+[ *](\w+);", line))
            names.update(re.findall(r"^ *struct (\w+)", line))
    return names


def is_file(name):
    if (ROOT / name).exists() or (ROOT / "src" / name).exists():
        return True
    return "/" not in name and any(found for top in ("src", "include")
                                   for found in (ROOT / top).rglob(name))


def judge(quoted, text, names):
    """What is wrong with a text in backticks; None: nothing, or it is not a name of the sources."""
    name = quoted[:-2] if quoted.endswith("()") else quoted
    member = re.fullmatch(r"(\w+)(->|\.)(\w+)", name)
    if FILE.fullmatch(name):
        return None if is_file(name) else "there is no such file"
    if member and member.group(2) == "->":
        return None if re.search(rf"\b{re.escape(name)}\b", text) else "nothing is reached like that"
    if not WORD.fullmatch(name):
        return None  # a command, an option, a value of an example
    if (ROOT / "src" / name).is_dir() or name in names:
        return None
    if re.fullmatch(r"fmi[123][A-Z]\w+", name) or quoted.endswith("()"):  # of others
        return None if re.search(rf"\b{name[:4]}.*\b{name[4:]}|\b{name}\b", text) else "nobody calls it"
    return "the sources define no such function or type"


def main(arguments):
    text = read_sources()
    names = defined_names(text)
    bad = 0
    for document in arguments or [ROOT / "docs/architecture.md"]:
        path = pathlib.Path(document)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("    "):
                continue
            for quoted in re.findall(r"`([^`]+)`", line):
                why = judge(quoted, text, names)
                if why:
                    print(f"{path.name}:{number}: `{quoted}`: {why}")
                    bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
