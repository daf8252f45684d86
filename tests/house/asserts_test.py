#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function that the rooms of a run offer to other rooms asserts its preconditions (HK_ASSERT).

Offered is what a header declares that a file of another room includes. A function that takes no pointer has nothing to
assert, and neither has one that takes NULL: it ends with _destroy, or looks for that itself.

    asserts_test.py SOURCE_TREE
"""
import pathlib
import re
import sys

ROOMS = ("ecs", "engine", "live", "nodes", "plan", "play", "scene", "web", "world")


def body_of(text, begin):
    """What is between the brace before BEGIN and its partner."""
    depth, at = 1, begin
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[begin:at]


def definitions(room):
    """The (file, line, parameters, body) of each function by name."""
    found = {}
    for path in sorted(room.glob("*.[ch]")):
        if path.name.endswith("_test.c"):
            continue
        text = re.sub(r"'(?:\\.|[^'\\\n])'|\"(?:\\.|[^\"\\\n])*\"", '""', path.read_text(encoding="utf-8"))
        for m in re.finditer(r"^[a-z_][\w \*]*?[ \*](hk_\w+)\(([^;{}]*)\)\s*\{", text, re.M):
            found[m[1]] = path, text.count("\n", 0, m.start()) + 1, m[2], body_of(text, m.end())
    return found


def offered(source, room):
    """The names that headers of the room declare which other rooms include."""
    included = set()
    for path in source.rglob("*.[ch]"):
        if path.relative_to(source).parts[0] != room.name and not path.name.endswith("_test.c"):
            included |= set(re.findall(rf'#include "{room.name}/([\w.]+)"', path.read_text(encoding="utf-8")))
    for name in sorted(included):
        text = re.sub(r"/\*.*?\*/", "", (room / name).read_text(encoding="utf-8"), flags=re.S)
        yield from re.findall(r"\b(hk_\w+)\([^;{}]*\)(?:;|\s*\{)", text)


def main():
    source = pathlib.Path(sys.argv[1]).resolve() / "src"
    count, wrong = 0, []
    for room in (source / name for name in ROOMS):
        all_ = definitions(room)
        for name in sorted(set(offered(source, room)) & all_.keys()):
            path, line, parameters, body = all_[name]
            pointers = re.findall(r"\*(\w+)", parameters)
            takes_null = any(re.search(rf"!{p}\b|\b{p} &&", re.sub(r"HK_ASSERT\(.*\)", "", body)) for p in pointers[:1])
            if not pointers or takes_null or name.endswith("_destroy"):
                continue
            count += 1
            if "HK_ASSERT" not in body:
                wrong.append(f"{path.relative_to(source.parent)}:{line}: {name} asserts nothing")
    print("\n".join(wrong))
    print(f"{count} functions, {len(wrong)} without an assertion")
    return 1 if wrong or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
