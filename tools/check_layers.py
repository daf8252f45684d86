#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a source file includes a room that is above or beside its own.

Run from anywhere:  python3 tools/check_layers.py [SOURCE_TREE]
"""
import pathlib
import re
import sys

# From the bottom up. A room may include itself and every room of a lower layer.
LAYERS = [
    ["base"],
    ["format", "model", "text", "ecs"],
    ["lang", "ssp", "osp", "sysml", "fmi", "native", "world", "chart", "csp", "scene", "web"],
    ["check", "plan", "isolate"],
    ["engine"],
    ["nodes", "time", "sound", "explore", "gen", "export", "record", "draw", "fuse"],
    ["assembly", "parent"],
    ["play", "live"],
    ["report"],
    ["tool"],
    ["api"],
    ["cli"],
]

# Includes between rooms of one layer, each with its reason.
SIDEWAYS = {
    ("lang", "fmi"): "a leaf's behaviour is an FMU",
    ("lang", "native"): "a leaf's behaviour is a native type or a table",
    ("lang", "world"): "a system file describes a world",
    ("world", "native"): "the ports of a world are described as those of a native type",
    ("lang", "chart"): "a leaf's behaviour is a RoboChart module",
    ("ssp", "chart"): "a component's source is a RoboChart module",
    ("ssp", "fmi"): "a component's source is an FMU",
    ("ssp", "native"): "a component's source is a native type",
    ("osp", "fmi"): "a simulator's source is an FMU",
    ("osp", "native"): "a function is a native type",
    ("sysml", "fmi"): "a block runs an FMU",
    ("sysml", "native"): "a block runs a native type",
    ("sysml", "chart"): "a block runs a RoboChart module",
    ("ssp", "lang"): "an annotation may hold a schedule",
    ("fuse", "gen"): "emitted C has the names and texts of generated C",
    ("export", "gen"): "a RoboChart module is exported by the C that is generated from it",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def judge_room(room, target):
    """What is wrong with a file of ROOM including a header of TARGET; None: nothing."""
    if target not in LEVEL:
        return f"'{target}' is not a room that tools/check_layers.py knows"
    if target == room or LEVEL[target] < LEVEL[room] or (room, target) in SIDEWAYS:
        return None
    direction = "beside" if LEVEL[target] == LEVEL[room] else "above"
    return f"'{target}' is {direction} '{room}'"


def judge(path, kind, quoted):
    """What is wrong with a file including KIND ('<' or '"') QUOTED; None: nothing."""
    top, room = path.parts[0], path.parts[1]
    if top == "src":
        if room not in LEVEL:
            return f"the room '{room}' is in no layer"
        if kind == "<" or "/" not in quoted:
            return None
        return judge_room(room, quoted.split("/")[0])
    # The test of a model runs it, so it may reach into the rooms; the model itself may not. What models
    # share is in models/common.
    if top == "models" and quoted.startswith("../common/"):
        return None
    if kind == '"' and "/" in quoted and not path.name.endswith("_test.c"):
        return f"{top}/ may use the public headers <hk/...> only"
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    files = wrong = 0
    for top in ("src", "include", "models"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".c", ".h", ".def") or not path.is_file():
                continue
            files += 1
            text = path.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                reason = judge(path.relative_to(root), match[1], match[2])
                if reason:
                    line = text.count("\n", 0, match.start(2)) + 1
                    print(f"{path.relative_to(root)}:{line}: includes {match[2]!r}: {reason}")
                    wrong += 1
    print(f"{files} files, {wrong} includes against the layers")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
