#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing that SSP knows is ignored without a word. Every element and every attribute of a table is taken out of
documents that hold them all: what hocket says, or what it makes of the system, must change. The table was typed
from the standards, and is compared with the one in src/ssp/ssp_grammar.c, in both directions. Standard library only."""
import pathlib
import re
import sys
import tempfile
import shutil
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import THIN, call, read_options  # noqa: E402

NS = "http://ssp-standard.org/SSP1/SystemStructure"
SPACES = {"ssd": NS + "Description", "ssc": NS + "Common", "ssv": NS + "ParameterValues",
          "ssm": NS + "ParameterMapping", "ssb": NS + "SignalDictionary"}
BASE = "id description"
ORIGIN = BASE + " version author fileversion copyright license generationTool generationDateAndTime"
NUMBERS = "Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64"
# Element: its attributes in SSP 1.0; then those that 2.0 adds. None: the element itself is new in 2.0.
TABLE = {
    "SystemStructureDescription": (ORIGIN + " name", ""), "System": (BASE + " name", ""),
    "Component": (BASE + " name type source implementation", ""),
    "SignalDictionaryReference": (BASE + " name dictionary", ""),
    "Connectors": ("", ""), "Connector": (BASE + " name kind", ""), "Elements": ("", ""), "Connections": ("", ""),
    "Connection": (BASE + " startElement startConnector endElement endConnector suppressUnitConversion",
                   "startIndices endIndices"),
    "LinearTransformation": ("factor offset", ""), "BooleanMappingTransformation": ("", ""),
    "IntegerMappingTransformation": ("", ""), "EnumerationMappingTransformation": ("", ""),
    "MapEntry": ("source target", ""), "ParameterBindings": ("", ""),
    "ParameterBinding": (BASE + " type source sourceBase prefix", ""), "ParameterValues": ("", ""),
    "ParameterSet": (ORIGIN + " name", ""), "Parameters": ("", ""), "Parameter": (BASE + " name", ""),
    "ParameterMapping": (ORIGIN + " type source sourceBase", ""),
    "MappingEntry": (BASE + " source target suppressUnitConversion", ""),
    "SignalDictionaries": ("", ""), "SignalDictionary": (ORIGIN + " name type source", ""),
    "DictionaryEntry": (BASE + " name", ""),
    "Units": ("", ""), "Unit": (BASE + " name", ""), "BaseUnit": ("kg m s A K mol cd rad factor offset", ""),
    "Enumerations": ("", ""), "Enumeration": (BASE + " name value", ""), "Item": ("name value", ""),
    "Real": ("unit value", ""), "Integer": ("value", ""), "Boolean": ("value", ""), "String": ("value", ""),
    "Binary": ("mime-type value", ""), "DefaultExperiment": (BASE + " startTime stopTime", ""),
    "Annotations": ("", ""),
    "Float64": (None, "unit value"), "Float32": (None, "unit value"), "Value": (None, "value"),
    **{name: (None, "value") for name in NUMBERS.split()},
    "Clock": (None, "name intervalVariability intervalDecimal shiftDecimal supportsFraction resolution "
                    "intervalCounter shiftCounter priority"),
    "Dimension": (None, "size sizeConnector"),
}
# Elements that are reported as a whole: what is in them is not looked at.
WHOLE = {"ElementGeometry": "1.0", "ConnectorGeometry": "1.0", "SystemGeometry": "1.0", "ConnectionGeometry": "1.0",
         "GraphicalElements": "1.0", "Annotation": "1.0", "MetaData": "2.0", "Signature": "2.0"}
# What hocket uses where leaving it out means the same: the value that is there is what would be without.
SAME_WITHOUT = {("ParameterBinding", "type"), ("ParameterMapping", "type"), ("SignalDictionary", "type"),
                ("Component", "type"), ("ParameterBinding", "sourceBase"), ("ParameterMapping", "sourceBase"),
                *(("BaseUnit", unit) for unit in "kg A K mol cd rad".split()),
                ("ParameterSet", "name")}  # which --parameter-set chooses by


def expected(version):
    """Pairs of element and attribute (None: the element itself) of a version."""
    for name, (first, second) in TABLE.items():
        if first is None and version == "1.0":
            continue
        yield name, None
        for attribute in ((first or "") + " " + (second if version == "2.0" else "")).split():
            yield name, attribute
    for name, since in WHOLE.items():
        if since <= version:
            yield name, None


def read_grammar(path):
    """The table of hocket: element to set of attributes, and the names of all children."""
    text = path.read_text(encoding="utf-8")
    macros = dict(re.findall(r"#define (\w+)\s+((?:\\\n|[^\n])*)", text))

    def strings(expression):
        words = ""
        for quoted, macro in re.findall(r'"([^"]*)"|\b([A-Z]{3,})\b', expression):
            words += quoted if not macro else strings(macros[macro])
        return words
    rows = re.search(r"rules\[\] = \{(.*?)\n\};", text, re.S).group(1)
    table, children = {}, set()
    for row in re.findall(r'\{(".*?)\}', rows, re.S):
        name, inner, attributes = (strings(part) for part in re.split(r",(?=\s*(?:\"|[A-Z]{3}))", row))
        table[name] = {word.lstrip("*|-") for word in attributes.split()}
        children |= {word.lstrip("*|-") for word in inner.split()}
    return table, children


ANNOTATIONS = '<ssc:Annotation type="org.example.note"><n:Note xmlns:n="urn:n">x</n:Note></ssc:Annotation>'
CONTENT = {
    "1.0": {"TYPES": "", "PARAMETERS": "", "EXTRA": "", "WIDE": "", "LINKS": ""},
    "2.0": {
        "TYPES": "".join(f'<ssd:Connector name="t{n}" kind="parameter"><ssc:{n}/></ssd:Connector>'
                         for n in NUMBERS.split()) +
                 '<ssd:Connector name="f" kind="parameter"><ssc:Float64 unit="m/s"/></ssd:Connector>'
                 '<ssd:Connector name="g" kind="parameter"><ssc:Float32 unit="m/s"/></ssd:Connector>'
                 '<ssd:Connector name="c" kind="input"><ssc:Clock name="c" intervalVariability="fixed" '
                 'intervalDecimal="1" shiftDecimal="0" supportsFraction="false" resolution="1" intervalCounter="1" '
                 'shiftCounter="0" priority="1"/></ssd:Connector>'
                 '<ssd:Connector name="many" kind="parameter"><ssc:Real/><ssc:Dimension size="2"/>'
                 '<ssc:Dimension sizeConnector="nobody"/></ssd:Connector>',
        "PARAMETERS": "".join(f'<ssv:Parameter name="x{n}"><ssv:{n} value="1"/></ssv:Parameter>'
                              for n in NUMBERS.split()) +
                      '<ssv:Parameter name="state"><ssv:Float64 value="2" unit="km"/></ssv:Parameter>'
                      '<ssv:Parameter name="gain"><ssv:Float32 value="3" unit="parsecs"/></ssv:Parameter>'
                      '<ssv:Parameter name="label"><ssv:String><ssv:Value value="a"/></ssv:String></ssv:Parameter>',
        "EXTRA": '<ssc:MetaData kind="general" type="text/plain" source="there.txt"/>'
                 '<ssc:Signature role="authenticity" type="text/plain"/>',
        "WIDE": '<ssd:Component name="w" source="feedthrough3.fmu"/><ssd:Component name="v" source="feedthrough3.fmu"/>',
        "LINKS": '<ssd:Connection startElement="w" startConnector="float64_vector_out" startIndices="1" endElement="v" '
                 'endConnector="float64_vector_in" endIndices="2"/>',
    },
}
BOTH = 'id="I" description="D"'
ABOUT = (BOTH + ' author="A" fileversion="1" copyright="C" license="L" generationTool="T" '
         'generationDateAndTime="2026-01-01T00:00:00Z"')
SSD = """<ssd:SystemStructureDescription version="@V@" name="all" @ABOUT@ xmlns:ssd="@N@Description" xmlns:ssc="@N@Common"
  xmlns:ssv="@N@ParameterValues" xmlns:ssm="@N@ParameterMapping" xmlns:ssb="@N@SignalDictionary">
<ssd:System name="Root" @BOTH@>
 <ssd:Connectors><ssd:Connector name="out" kind="output" @BOTH@><ssc:Real unit="fast"/>
  <ssd:ConnectorGeometry x="0" y="0"/></ssd:Connector></ssd:Connectors>
 <ssd:ElementGeometry x1="0" y1="0" x2="1" y2="1"/>
 <ssd:ParameterBindings>
  <ssd:ParameterBinding source="a.ssv" prefix="a." type="application/x-ssp-parameter-set" sourceBase="SSD" @BOTH@>
   <ssd:ParameterMapping source="m.ssm" type="application/x-ssp-parameter-mapping" sourceBase="SSD"/></ssd:ParameterBinding>
  <ssd:ParameterBinding><ssd:ParameterValues>
   <ssv:ParameterSet version="@V@" name="inline"><ssv:Parameters>
    <ssv:Parameter name="b.label"><ssv:String value="b"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>
  </ssd:ParameterValues></ssd:ParameterBinding>
 </ssd:ParameterBindings>
 <ssd:Elements>
  <ssd:Component name="a" source="probe.fmu" type="application/x-fmu-sharedlibrary" implementation="ModelExchange" @BOTH@>
   <ssd:Connectors>
    <ssd:Connector name="real_in" kind="input"><ssc:Real unit="fast"/></ssd:Connector>
    <ssd:Connector name="int_out" kind="output"><ssc:Boolean/></ssd:Connector>
    <ssd:Connector name="label" kind="parameter"><ssc:Integer/></ssd:Connector>
    <ssd:Connector name="text_out" kind="output"><ssc:String/></ssd:Connector>
    <ssd:Connector name="nothing" kind="output"><ssc:Binary mime-type="text/plain"/></ssd:Connector>
    <ssd:Connector name="enum_out" kind="output"><ssc:Enumeration name="E"/></ssd:Connector>
    @TYPES@
   </ssd:Connectors></ssd:Component>
  <ssd:Component name="b" source="probe.fmu"/>
  @WIDE@
  <ssd:SignalDictionaryReference name="r" dictionary="bus" @BOTH@><ssd:Connectors>
   <ssd:Connector name="speed" kind="input"/></ssd:Connectors></ssd:SignalDictionaryReference>
 </ssd:Elements>
 <ssd:Connections>
  <ssd:Connection startElement="a" startConnector="state" endElement="b" endConnector="real_in" @BOTH@
    suppressUnitConversion="true"><ssc:LinearTransformation factor="2" offset="1"/>
   <ssd:ConnectionGeometry pointsX="0" pointsY="0"/></ssd:Connection>
  <ssd:Connection startElement="a" startConnector="bool_out" endElement="b" endConnector="bool_in">
   <ssc:BooleanMappingTransformation><ssc:MapEntry source="true" target="false"/></ssc:BooleanMappingTransformation></ssd:Connection>
  <ssd:Connection startElement="a" startConnector="int_out" endElement="b" endConnector="int_in">
   <ssc:IntegerMappingTransformation><ssc:MapEntry source="1" target="2"/></ssc:IntegerMappingTransformation></ssd:Connection>
  <ssd:Connection startElement="a" startConnector="enum_out" endElement="b" endConnector="enum_in">
   <ssc:EnumerationMappingTransformation><ssc:MapEntry source="first" target="neutral"/></ssc:EnumerationMappingTransformation></ssd:Connection>
  <ssd:Connection startElement="b" startConnector="real_out" endConnector="out"/>
  <ssd:Connection startElement="a" startConnector="state" endElement="r" endConnector="speed"/>
  @LINKS@
 </ssd:Connections>
 <ssd:SignalDictionaries><ssd:SignalDictionary name="bus" source="d.ssb" type="application/x-ssp-signal-dictionary"/>
 </ssd:SignalDictionaries>
 <ssd:SystemGeometry x1="0" y1="0" x2="1" y2="1"/>
 <ssd:GraphicalElements/>
</ssd:System>
<ssd:Enumerations><ssc:Enumeration name="E" @BOTH@><ssc:Item name="first" value="1"/><ssc:Item name="neutral" value="0"/></ssc:Enumeration></ssd:Enumerations>
<ssd:Units><ssc:Unit name="fast" @BOTH@><ssc:BaseUnit kg="0" m="1" s="-1" A="0" K="0" mol="0" cd="0" rad="0" factor="5"
 offset="2"/></ssc:Unit></ssd:Units>
<ssd:DefaultExperiment startTime="1" stopTime="2" @BOTH@/>
@EXTRA@
<ssd:Annotations>@NOTE@</ssd:Annotations>
</ssd:SystemStructureDescription>"""
SSV = """<ssv:ParameterSet version="@V@" name="file" @ABOUT@ xmlns:ssv="@N@ParameterValues" xmlns:ssc="@N@Common">
<ssv:Parameters>
 <ssv:Parameter name="real_in" @BOTH@><ssv:Real value="2" unit="fast"/></ssv:Parameter>
 <ssv:Parameter name="int_in"><ssv:Integer value="1"/></ssv:Parameter>
 <ssv:Parameter name="fault_time"><ssv:Real value="1" unit="min"/></ssv:Parameter>
 <ssv:Parameter name="bool_in"><ssv:Boolean value="true"/></ssv:Parameter>
 <ssv:Parameter name="text_in"><ssv:String value="x"/></ssv:Parameter>
 <ssv:Parameter name="enum_in"><ssv:Enumeration name="Gear" value="first"/></ssv:Parameter>
 <ssv:Parameter name="blob"><ssv:Binary value="00" mime-type="text/plain"/></ssv:Parameter>
 @PARAMETERS@
</ssv:Parameters>
<ssv:Units><ssc:Unit name="fast"><ssc:BaseUnit m="1" s="-1" factor="5"/></ssc:Unit></ssv:Units>
</ssv:ParameterSet>"""
NAMES = {"1.0": "real_in int_in fault_time bool_in text_in enum_in blob",
         "2.0": "real_in int_in fault_time bool_in text_in enum_in blob gain state label x" + " x".join(NUMBERS.split())}
SSM = """<ssm:ParameterMapping version="@V@" @ABOUT@ xmlns:ssm="@N@ParameterMapping" xmlns:ssc="@N@Common">@ENTRIES@
</ssm:ParameterMapping>"""
SSB = """<ssb:SignalDictionary version="@V@" @ABOUT@ xmlns:ssb="@N@SignalDictionary" xmlns:ssc="@N@Common">
<ssb:DictionaryEntry name="speed" @BOTH@><ssc:Real unit="m"/></ssb:DictionaryEntry></ssb:SignalDictionary>"""


def documents(version):
    entries = "".join(f'<ssm:MappingEntry source="a.{n}" target="a.{n}" {BOTH} suppressUnitConversion="true"/>'
                      for n in NAMES[version].split()).replace(
                          f'target="a.real_in" {BOTH} suppressUnitConversion="true"', f'target="a.real_in" {BOTH}')
    texts = {"s.ssd": SSD, "a.ssv": SSV, "m.ssm": SSM, "d.ssb": SSB}
    for name, text in texts.items():
        for word, value in CONTENT[version].items():
            text = text.replace(f"@{word}@", value)
        text = text.replace("@ENTRIES@", entries).replace("@NOTE@", ANNOTATIONS)
        texts[name] = (text.replace("@ABOUT@", ABOUT).replace("@BOTH@", BOTH).replace("@V@", version)
                       .replace("@N@", NS))
    return texts


def without(text, element, attribute):
    """TEXT without all elements of a name, or without an attribute of them; None: there is none."""
    root = ET.fromstring(text)
    found = False
    if attribute is None and root.tag.rpartition("}")[2] == element:
        return ""
    for parent in root.iter():
        for child in list(parent):
            if attribute is None and child.tag.rpartition("}")[2] == element:
                parent.remove(child)
                found = True
        if attribute and parent.tag.rpartition("}")[2] == element and parent.attrib.pop(attribute, None) is not None:
            found = True
    return ET.tostring(root, encoding="unicode") if found else None


class Rig:
    def __init__(self, hocket, fmus):
        self.hocket = hocket
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="silent-"))
        for name in ("probe", "feedthrough3"):
            shutil.copy(fmus / f"{name}.fmu", self.folder)
        (self.folder / "there.txt").write_text("x")

    def answer(self, texts):
        """All that hocket says and finds, without places."""
        for name, text in texts.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        said = ""
        record = self.folder / "out.csv"
        record.unlink(missing_ok=True)
        run = ["run", "s.ssd", "-o", "out.csv", "--output-variable", "*", "--output-interval", "1", "-q"]
        for words in (["info", "s.ssd"], ["check", "s.ssd"], run):
            done = call(self.hocket, *words, cwd=self.folder, exit=None)
            if done.returncode < 0 or done.returncode > 4:
                raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
            said += f"{done.returncode}\n{done.stdout}{done.stderr}"
        said += record.read_text(encoding="utf-8") if record.exists() else ""
        said = re.sub(r"\n *\d* \|[^\n]*", "", said)
        return re.sub(r"\b\d+:\d+: |line \d+", "", said)


def canonical(texts):
    """As ElementTree writes them, so that taking something out is the only difference."""
    return {name: ET.tostring(ET.fromstring(text), encoding="unicode") for name, text in texts.items()}


def compare_tables(grammar):
    """Names that only one of the two tables has."""
    ours, children = read_grammar(grammar)
    wrong = [f"only in one table: {name}" for name in sorted(set(ours) ^ set(TABLE))]
    for name in set(ours) & set(TABLE):
        typed = set(" ".join(part or "" for part in TABLE[name]).split())
        wrong += [f"only in one table: {name}@{attribute}" for attribute in sorted(ours[name] ^ typed)]
    return wrong + [f"not in the grammar: {name}" for name in WHOLE if name not in children]


def main():
    options, _ = read_options("--grammar")
    for prefix, space in SPACES.items():
        ET.register_namespace(prefix, space)
    wrong = compare_tables(options.grammar)
    rig = Rig(options.hocket, options.fmus)
    count = 0
    for version in ("1.0", "2.0"):
        texts = canonical(documents(version))
        whole = rig.answer(texts)
        for element, attribute in list(expected(version))[::THIN]:
            shown = f"{version}: {element}" + (f"@{attribute}" if attribute else "")
            changed = {name: without(text, element, attribute) for name, text in texts.items()}
            if all(text is None for text in changed.values()):
                if (element, attribute) not in {("Enumeration", "value")}:
                    wrong.append(f"{shown} is in no document of this test")
                continue
            count += 1
            same = rig.answer({name: changed[name] if changed[name] is not None else text
                               for name, text in texts.items()}) == whole
            if same and (element, attribute) not in SAME_WITHOUT:
                wrong.append(f"{shown} is silent")
    shutil.rmtree(rig.folder)
    print("\n".join(wrong))
    print(f"{count} elements and attributes, {len(wrong)} wrong")
    return 1 if wrong or count < 250 // THIN else 0


if __name__ == "__main__":
    sys.exit(main())
