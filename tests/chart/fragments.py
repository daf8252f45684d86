# SPDX-License-Identifier: MIT
"""Fragments of RoboChart with what they are expected to do: NAME.rct is a module, NAME.expected says, cycle by cycle,

    # a comment
    set k = 4                          a parameter of the component
    warning words that one has
    1: a n=5 e_value.u=3 -> x, z=6, f(1, 2) | v=3, c.s.state=A
    2: a ! words of the failure

what the platform gives before the arrow (an event, an event with its value, or any input), what is emitted behind it
(events, with their values if they are typed, and visible operations: these and no others), and values of ports. In
cycles that are not named nothing is given and nothing is emitted. The run ends after the last line.

All of it is about ports, so that whatever has the same ports can be held to it."""
import csv
import json
import re
from dataclasses import dataclass, field


@dataclass
class Cycle:
    given: dict = field(default_factory=dict)  # inputs that are not 0
    emitted: dict = field(default_factory=dict)  # name -> list of values
    values: dict = field(default_factory=dict)
    failure: str = None


@dataclass
class Expected:
    cycles: list
    parameters: dict
    warnings: list


def _parts(text):
    """At commas outside of parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]


def _given(words):
    given = {}
    for word in words.split():
        name, _, value = word.partition("=")
        part = "." in name or "[" in name  # of a value
        if not part:
            given[name] = "1"
        if value:
            given[name if part else f"{name}_value"] = value
    return given


def _emitted(text):
    emitted = {}
    for part in _parts(text):
        call = re.fullmatch(r"(\w+)\s*\((.*)\)", part)
        if call:
            emitted[call[1]] = [value.strip() for value in call[2].split(",") if value.strip()]
        else:
            name, _, value = part.partition("=")
            emitted[name] = [value] if value else []
    return emitted


def read_expected(path):
    cycles, parameters, warnings = {}, {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("set "):
            name, _, value = line[4:].partition("=")
            parameters[name.strip()] = value.strip()
        elif line.startswith("warning "):
            warnings.append(line[8:])
        else:
            number, rest = re.fullmatch(r"(\d+):(.*)", line).groups()
            cycle = Cycle()
            if " ! " in f" {rest.strip()} ":
                given, _, cycle.failure = f" {rest.strip()}".partition(" ! ")
                cycle.given = _given(given)
            else:
                given, arrow, done = rest.partition("->")
                assert arrow, f"{path}: no arrow in '{line}'"
                emitted, _, values = done.partition("|")
                cycle.given = _given(given)
                cycle.emitted = _emitted(emitted)
                cycle.values = dict(part.split("=") for part in _parts(values))
            assert int(number) not in cycles, f"{path}: cycle {number} twice"
            cycles[int(number)] = cycle
    count = max(cycles) + 1
    return Expected([cycles.get(k, Cycle()) for k in range(count)], parameters, warnings)


def write_inputs(path, expected, cycle_s):
    """A table for --input-file. False: nothing is given."""
    names = sorted({name for cycle in expected.cycles for name in cycle.given})
    if not names:
        return False
    with open(path, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["time", *names])
        for k, cycle in enumerate(expected.cycles):
            row = [cycle.given.get(name, "0") for name in names]
            table.writerow([f"{k * cycle_s:.12g}", *row])
    return True


def read_record(path):
    """Rows as {name: text}, with the names of items in place of their numbers, and names without the component."""
    about = json.loads((path.parent / f"{path.name}-metadata.json").read_text(encoding="utf-8"))
    items = {column["titles"]: {str(item["schema:value"]): item["schema:name"]
                                for item in column["schema:valueReference"]}
             for column in about["tableSchema"]["columns"] if "schema:valueReference" in column}
    truths = {column["titles"] for column in about["tableSchema"]["columns"] if column["datatype"] == "boolean"}
    rows = []
    with open(path, encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            shown = {}
            for name, value in row.items():
                value = items.get(name, {}).get(value, value)
                if name in truths:
                    value = {"0": "false", "1": "true"}.get(value, value)
                shown[name.partition(".")[2] or name] = value
            rows.append(shown)
    return rows


def emissions(row, outputs):
    """What the row says was emitted; OUTPUTS: names of flags, each with the names of its values."""
    return {name: [row[value] for value in values] for name, values in outputs.items() if float(row[name]) == 1.0}
