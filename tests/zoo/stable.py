# SPDX-License-Identifier: MIT
"""Makes the FMUs: one description for each version of FMI, with the same variables, and a body."""
import io
import zipfile

PLAIN_TIME = (1980, 1, 1, 0, 0, 0)
NOTE = b"found\n"

# name, value reference, kind, causality, start of its type. Float32 and what follows: FMI 3.0 only.
VARIABLES = [("x", 0, "Real", "input", "0"), ("y", 1, "Real", "output", None), ("k", 2, "Real", "parameter", "1"),
             ("n", 10, "Integer", "output", None), ("mode", 11, "Enumeration", "output", None),
             ("b", 20, "Boolean", "output", None), ("s", 30, "String", "output", None),
             ("resource", 31, "String", "output", None)]
VARIABLES_3 = [("f", 40, "Float32", "output", None), ("l", 41, "Int64", "output", None)]
FLAGS = {1: 'canHandleVariableCommunicationStepSize="true"',
         2: 'canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true"',
         3: 'canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true"'}


def variable(version, name, ref, kind, causality, start):
    discrete = kind not in ("Real", "Float32")
    begin = f' start="{start}"' if start is not None else ""
    declared = ' declaredType="Mode"' if kind == "Enumeration" else ""
    if version == 3:
        kind = {"Real": "Float64", "Integer": "Int32"}.get(kind, kind)
        how = ' variability="discrete"' if discrete else ' variability="tunable"' if causality == "parameter" else ""
        return f'    <{kind} name="{name}" valueReference="{ref}" causality="{causality}"{how}{declared}{begin}/>'
    how = ' variability="discrete"' if discrete else ""
    if causality == "parameter":
        how = ' variability="parameter"' if version == 1 else ' variability="tunable"'
        causality = "internal" if version == 1 else causality
    return (f'    <ScalarVariable name="{name}" valueReference="{ref}" causality="{causality}"{how}>'
            f"<{kind}{declared}{begin}/></ScalarVariable>")


def structure(version, variables):
    outputs = [(number, v) for number, v in enumerate(variables, 1) if v[3] == "output"]
    if version == 2:
        names = "".join(f'<Unknown index="{number}" dependencies=""/>' for number, _ in outputs)
        return [f"  <ModelStructure><Outputs>{names}</Outputs><InitialUnknowns>{names}</InitialUnknowns></ModelStructure>"]
    names = "".join(f'<{{}} valueReference="{v[1]}" dependencies=""/>' for _, v in outputs)
    return [f"  <ModelStructure>{names.replace('{}', 'Output')}{names.replace('{}', 'InitialUnknown')}</ModelStructure>"]


TYPES = {1: '  <TypeDefinitions><Type name="Mode"><EnumerationType><Item name="one"/><Item name="two"/></EnumerationType></Type></TypeDefinitions>',
         2: '  <TypeDefinitions><SimpleType name="Mode"><Enumeration><Item name="one" value="1"/><Item name="two" value="2"/></Enumeration></SimpleType></TypeDefinitions>',
         3: '  <TypeDefinitions><EnumerationType name="Mode"><Item name="one" value="1"/><Item name="two" value="2"/></EnumerationType></TypeDefinitions>'}
ROOT = {1: 'fmiVersion="1.0" modelName="animal" modelIdentifier="animal" guid="zoo:{deed}" numberOfContinuousStates="0" numberOfEventIndicators="0"',
        2: 'fmiVersion="2.0" modelName="animal" guid="zoo:{deed}"',
        3: 'fmiVersion="3.0" modelName="animal" instantiationToken="zoo:{deed}"'}


def description(version, deed, flags="", many=0):
    """The text of modelDescription.xml; MANY more outputs."""
    variables = VARIABLES + (VARIABLES_3 if version == 3 else [])
    variables = variables + [(f"many{i}", 100 + i, "Real", "output", None) for i in range(many)]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<fmiModelDescription {ROOT[version].replace('{deed}', deed)}>"]
    given = {pair.split("=")[0] for pair in flags.split()}
    kept = " ".join(pair for pair in FLAGS[version].split() if pair.split("=")[0] not in given)
    if version > 1:
        lines.append(f'  <CoSimulation modelIdentifier="animal" {kept} {flags}/>')
    lines += [TYPES[version]]
    if version > 1:
        lines.append('  <LogCategories><Category name="logStatusError"/></LogCategories>')
    lines.append('  <DefaultExperiment startTime="0" stopTime="1"/>')
    independent = ['    <Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>']
    lines += ["  <ModelVariables>", *(independent if version == 3 else []), *(variable(version, *v) for v in variables),
              "  </ModelVariables>"]
    if version == 1:
        lines.append(f"  <Implementation><CoSimulation_StandAlone><Capabilities {kept} {flags}/></CoSimulation_StandAlone></Implementation>")
    else:
        lines += structure(version, variables)
    return "\n".join([*lines, "</fmiModelDescription>", ""])


def platform(version, machine):
    if version == 3:
        return f"{machine}-linux"
    return "linux64" if machine == "x86_64" else f"{machine}-linux"


def fmu(version, text, body, machine, resources=(), folder=None):
    """The archive; BODY None: without a library. FOLDER: where the library lies instead."""
    buffer = io.BytesIO()
    entries = [("modelDescription.xml", text.encode()), ("resources/note.txt", NOTE), *resources]
    if body is not None:
        entries.insert(1, (f"binaries/{folder or platform(version, machine)}/animal.so", body))
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, data in entries:
            out.writestr(zipfile.ZipInfo(name, PLAIN_TIME), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# A system of two of them, a and b.
TWO = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="two" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="root">
    <ssd:Elements>
      <ssd:Component name="a" source="animal.fmu"/>
      <ssd:Component name="b" source="animal.fmu"/>
    </ssd:Elements>
  </ssd:System>
</ssd:SystemStructureDescription>
"""
