#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: other_objects.py BUILD TESTED

Prints the objects of the rooms in the build tree BUILD that are compiled by other words than in the tree TESTED, where
the level of optimisation does not count, and `hk_base`, so that there is always something to build."""
import json
import pathlib
import shlex
import sys


def commands(folder):
    """What compiles each object of the rooms: the words that decide whether it compiles."""
    found = {}
    for entry in json.loads((folder / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"].replace(str(folder), "BUILD"))
        output = words[words.index("-o") + 1]
        if output.startswith("CMakeFiles/hk_"):
            found[output] = {word for word in words[1:] if not word.startswith(("-O", "-g")) and word != "-DNDEBUG"}
    return found


def main():
    build, tested = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    known = commands(tested)
    print("hk_base")
    for output, words in sorted(commands(build).items()):
        if known.get(output) != words:
            print(output)


if __name__ == "__main__":
    main()
