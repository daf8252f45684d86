#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: other_objects.py BUILD TESTED

Prints the objects of the rooms in the build tree BUILD that are compiled by other words than in the tree TESTED, and
`hk_base`, so that there is always something to build. The level of optimisation does not count; nor does a macro that
no source or header of the object mentions, or a folder of headers from which it takes none."""
import functools
import json
import pathlib
import shlex
import subprocess
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


@functools.cache
def place(folder, name):
    """Of a few hundred headers, which are named a hundred times each."""
    return (folder / name).resolve()


def dependencies(folder):
    """The files that each object was made from, as ninja has written them down."""
    said = subprocess.run(["ninja", "-C", folder, "-t", "deps"], check=True, capture_output=True, encoding="utf-8").stdout
    found, files = {}, []
    for line in said.splitlines():
        if line.startswith("    "):
            files.append(place(folder, line.strip()))
        elif line:
            files = found.setdefault(line.partition(": #deps")[0], [])
    return found


@functools.cache
def mentions(path, name):
    return name in path.read_text(encoding="utf-8", errors="replace")


@functools.cache
def within(folder, path):
    return folder in path.parents


def counts(word, files):
    """Whether a word of the command line can change what is compiled from these files."""
    if word.startswith("-D"):
        return any(mentions(path, word[2:].partition("=")[0]) for path in files)
    folder = pathlib.Path(word)
    return word != "-isystem" and (not folder.is_absolute() or any(within(folder, path) for path in files))


def main():
    build, tested = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    known, files = commands(tested), dependencies(tested)
    print("hk_base")
    for output, words in sorted(commands(build).items()):
        if output not in known or output not in files or any(counts(word, files[output]) for word in known[output] ^ words):
            print(output)


if __name__ == "__main__":
    main()
