#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes chassis.xml, wheel.xml and ground.xml, the model descriptions of the FMUs, from the .def
files. Run it by hand after a change of a .def file; a test compares the two."""
import pathlib
import re
from xml.sax.saxutils import quoteattr

HERE = pathlib.Path(__file__).parent
UNITS = {  # exponents of the base units
    "m": "m='1'", "m/s": "m='1' s='-1'", "m/s2": "m='1' s='-2'", "kg": "kg='1'", "s": "s='1'",
    "N": "kg='1' m='1' s='-2'", "N/m": "kg='1' s='-2'", "N.s/m": "kg='1' s='-1'",
    "kg.m/s": "kg='1' m='1' s='-1'", "rad/s": "rad='1' s='-1'",
    "Hz": "s='-1'", "1": "", "J": "kg='1' m='2' s='-2'",
    "W": "kg='1' m='2' s='-3'", "m/N": "kg='-1' s='2'",
}
CAUSALITY = {"HK_INPUT": "input", "HK_OUTPUT": "output", "HK_PARAMETER": "parameter",
             "HK_CALCULATED_PARAMETER": "calculatedParameter", "HK_LOCAL": "local"}
ARGUMENT = re.compile(r'"([^"]*)"|([^,\s]+)')


def read(path):
    unit, rows = None, []
    for line in path.read_text().splitlines():
        found = re.match(r"QT_(UNIT|SET|OUT|GOT)\((.*)\)$", line)
        if not found:
            continue
        kind = found.group(1)
        values = [quoted if plain == "" else (None if plain == "NULL" else plain)
                  for quoted, plain in ARGUMENT.findall(found.group(2))]
        if kind == "UNIT":
            unit = dict(zip(("name", "guid", "text"), values))
            continue
        names = {"SET": ("field", "name", "causality", "unit", "start", "text"),
                 "OUT": ("field", "name", "unit", "depends_on", "now", "init", "text"),
                 "GOT": ("field", "name", "causality", "unit", "now", "init", "text")}[kind]
        row = dict.fromkeys(("start", "now", "init"), None)
        row.update(zip(names, values))
        row["causality"] = CAUSALITY[row.get("causality", "HK_OUTPUT")]
        rows.append(row)
    return unit, rows


def variable(index, row, state_of):
    parameter = row["causality"] in ("parameter", "calculatedParameter")
    head = (f'    <ScalarVariable name={quoteattr(row["name"])} valueReference="{index}"'
            f' causality="{row["causality"]}" variability="{"fixed" if parameter else "continuous"}"')
    if row["causality"] == "parameter":
        head += ' initial="exact"'
    elif row["causality"] != "input":
        head += ' initial="calculated"'
    head += f'\n                    description={quoteattr(row["text"])}>\n'
    real = f'      <Real unit={quoteattr(row["unit"])}'
    if row["start"] is not None:
        real += f' start="{row["start"]}"'
    if row["name"] in state_of:
        real += f' derivative="{state_of[row["name"]]}"'
    return head + real + "/>\n    </ScalarVariable>\n"


def unknowns(title, rows, column, number):
    text = f"    <{title}>\n"
    for row in rows:
        on = sorted(number[name] for name in (row[column] or "").split())
        text += (f'      <Unknown index="{number[row["name"]]}" '
                 f'dependencies="{" ".join(map(str, on))}"/>\n')
    return text + f"    </{title}>\n"


def describe(unit, rows):
    number = {row["name"]: i + 1 for i, row in enumerate(rows)}
    state_of = {name: number[name[4:-1]] for name in number if name.startswith("der(")}
    used = [u for u in UNITS if any(row["unit"] == u for row in rows)]
    text = f'''<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by describe.py from {unit["name"]}.def -->
<fmiModelDescription fmiVersion="2.0" modelName="{unit["name"]}"
    guid="{unit["guid"]}" description={quoteattr(unit["text"])}
    version="1.0" license="MIT" generationTool="hocket" variableNamingConvention="structured"
    numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="{unit["name"]}" canHandleVariableCommunicationStepSize="true"
      canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true"
      canSerializeFMUstate="true"/>
  <UnitDefinitions>
'''
    for name in used:
        base = UNITS[name].replace("'", '"')
        text += f'    <Unit name="{name}"><BaseUnit{" " + base if base else ""}/></Unit>\n'
    text += '''  </UnitDefinitions>
  <LogCategories>
    <Category name="logStatusError"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="10" stepSize="0.001"/>
  <ModelVariables>
'''
    for i, row in enumerate(rows):
        text += f"    <!-- {i + 1} -->\n" + variable(i, row, state_of)
    text += "  </ModelVariables>\n  <ModelStructure>\n"
    text += unknowns("Outputs", [r for r in rows if r["causality"] == "output"], "now", number)
    text += unknowns("Derivatives", [r for r in rows if r["name"] in state_of], "now", number)
    text += unknowns("InitialUnknowns", [r for r in rows if r["init"] is not None], "init", number)
    return text + "  </ModelStructure>\n</fmiModelDescription>\n"


for name in ("chassis", "wheel", "ground"):
    (HERE / f"{name}.xml").write_text(describe(*read(HERE / f"{name}.def")))
