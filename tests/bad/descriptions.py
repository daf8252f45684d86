# SPDX-License-Identifier: MIT
"""Model descriptions and libraries inside an FMU, and XML meant to exhaust the one who reads it."""
from material import archive, component, ssd
from runner import Case

ENTITIES = ('<?xml version="1.0"?>\n<!DOCTYPE lolz [\n <!ENTITY a "' + "ha" * 50 + '">\n'
            + "".join(f' <!ENTITY {b} "{f"&{a};" * 10}">\n' for a, b in zip("abcdefghi", "bcdefghij"))
            + ']>\n<fmiModelDescription>&j;</fmiModelDescription>\n')
EXTERNAL = ('<?xml version="1.0"?>\n<!DOCTYPE x [ <!ENTITY e SYSTEM "file:///etc/passwd"> ]>\n'
            "<fmiModelDescription>&e;</fmiModelDescription>\n")


def deep(root):
    return f'<?xml version="1.0"?>\n<{root}>' + "<a>" * 1_000_000


def xml_bombs(made):
    for name, text, hint in (("entities", ENTITIES, "*"), ("external", EXTERNAL, "*"),
                             ("deep", deep("fmiModelDescription"), None)):
        yield Case(f"xml_{name}_fmu", "check bad.fmu", 3, "bad.fmu/modelDescription.xml:2:*: error[HK0301]: *", hint,
                   {"bad.fmu": made.with_description(text)})
        yield Case(f"xml_{name}_ssd", "run bad.ssd -o out.csv", 3, "bad.ssd:2:*: error[HK0301]: *", hint, {"bad.ssd": text})
        yield Case(f"xml_{name}_ssp", "run bad.ssp -o out.csv", 3, "bad.ssp/SystemStructure.ssd:2:*: error[HK0301]: *", hint,
                   {"bad.ssp": archive([("SystemStructure.ssd", text)])})
    many = '<?xml version="1.0"?>\n<fmiModelDescription fmiVersion="2.0">' + "<a/>" * 12_500_000 + "</fmiModelDescription>"
    yield Case("xml_many_fmu", "info bad.fmu", 3,
               "bad.fmu/modelDescription.xml:2: error[HK0301]: the file has more than 1000000 elements", None,
               {"bad.fmu": made.with_description(many)})
    huge = "x" * 50_000_000
    yield Case("xml_giant_attribute", "check bad.ssd", 3, "bad.ssd:*: error[HK030?]: *", None,
               {"bad.ssd": f'<?xml version="1.0"?>\n<a b="{huge}"/>\n'})
    yield Case("xml_giant_name", "run probe.fmu", 3, "probe.fmu/modelDescription.xml:*: error[HK030?]: *", "*",
               {"probe.fmu": made.described('fmiVersion="2.0"', f'fmiVersion="{"9" * 1_000_000}"')})


def descriptions(made):
    place = "bad.fmu/modelDescription.xml:*: "
    for name, old, new, says, hint in (  # what has no meaning is refused
            ("root", "<fmiModelDescription ", "<modelDescription ", "error[HK0301]: *", None),
            ("version", 'fmiVersion="2.0"', 'fmiVersion="7.0"', "error[HK0302]: *", "*")):
        yield Case(f"description_{name}", "info bad.fmu", 3, place + says, hint,
                   {"bad.fmu": made.described(old, new)})
    for name, old, new, warnings in (  # what can be understood is shown, with one warning per kind of fault
            ("fmi1", 'fmiVersion="2.0"', 'fmiVersion="1.0"', 5),
            ("fmi3", 'fmiVersion="2.0"', 'fmiVersion="3.0"', 4),
            ("no_guid", 'guid="', 'giud="', 2),
            ("no_cosimulation", "<CoSimulation ", "<Whatever ", 2),
            ("no_identifier", 'modelIdentifier="probe"', "", 1),
            ("identifier_path", 'modelIdentifier="probe"', 'modelIdentifier="../../evil"', 1),
            ("same_name", 'name="power"', 'name="state"', 1),
            ("reference", 'name="power" valueReference="6"', 'name="power" valueReference="six"', 2),
            ("causality", 'causality="input"', 'causality="imput"', 2),
            ("start", '<Integer start="0"/>', '<Integer start="zero"/>', 1),
            ("start_range", '<Integer start="0"/>', '<Integer start="3000000000"/>', 1),
            ("no_type", "<ScalarVariable name=\"power\" valueReference=\"6\" causality=\"output\"><Real/>",
             "<ScalarVariable name=\"power\" valueReference=\"6\" causality=\"output\">", 1),
            ("index", 'Unknown index="7"', 'Unknown index="99"', 2)):
        yield Case(f"description_{name}", "info bad.fmu", 0, [], None, {"bad.fmu": made.described(old, new)},
                   warnings=warnings)
    for name, old, new, says in (  # and refused where it is used
            ("no_identifier", 'modelIdentifier="probe"', "", "bad.fmu: error[HK0303]: *no modelIdentifier*"),
            ("no_cosimulation", "<CoSimulation ", "<Whatever ", "bad.fmu: error[HK0303]: *no interface*")):
        yield Case(f"description_{name}_run", "run bad.fmu -o out.csv", 3, says, "*" if "cosim" in name else None,
                   {"bad.fmu": made.described(old, new)}, warnings=2 if "cosim" in name else 1)
    twice = {"bad.fmu": made.described('name="power"', 'name="state"')}
    yield Case("description_same_name_recorded", "run bad.fmu -o out.csv --output-variable state", 2,
               "bad.fmu: error[HK0102]: 'state' cannot be recorded: it is declared twice, in lines *", None, twice,
               warnings=1)
    yield Case("description_same_name_set", "run bad.fmu -o out.csv --set state=1", 2,
               "hocket: error[HK0102]: *'state' cannot be used: it is declared twice, in lines *", None, twice, warnings=1)
    for name, old, new, hint in (("declared_type", 'declaredType="Speed"', 'declaredType="Sped"', "*"),
                                 ("unit", 'unit="m" start', 'unit="mm" start', "*"),
                                 ("step_size", 'stepSize="0.01"', 'stepSize="-1"', None)):
        yield Case(f"description_{name}", "check bad.fmu", 1, place + "error[HK0418]: *", hint,
                   {"bad.fmu": made.described(old, new)})


def libraries(made):
    yield Case("wrong_guid", "run probe_wrong_guid.fmu -o out.csv", 4, "probe_wrong_guid.fmu: error[HK0502]: *", "*",
               {"probe_wrong_guid.fmu": made.fmu("probe_wrong_guid")})
    yield Case("missing_symbol", "run bad.fmu -o out.csv", 4, "bad.fmu: error[HK0501]: *", "*",
               {"bad.fmu": made.fmu("probe_no_dostep")})
    yield Case("missing_strings", "run bad.fmu -o out.csv", 4, "bad.fmu: error[HK0501]: *", "*",
               {"bad.fmu": made.fmu("probe_no_strings")})
    yield Case("missing_binary", "run bad.fmu -o out.csv", 3, "bad.fmu: error[HK0303]: *", "*",
               {"bad.fmu": made.changed(lambda n, d: (n.replace("linux64", "win64").replace(".so", ".dll"), d))})
    yield Case("missing_binary_checked", "check bad.fmu", 1, "bad.fmu: error[HK0418]: *the file is not a DLL*", "*",
               {"bad.fmu": made.changed(lambda n, d: (n.replace("linux64", "win64").replace(".so", ".dll"), d))},
               warnings=1)
    yield Case("missing_binary_checked_to_run", "check bad.fmu --level run", 3, "bad.fmu: error[HK0303]: *", "*",
               {"bad.fmu": made.changed(lambda n, d: (n.replace("linux64", "win64").replace(".so", ".dll"), d))},
               warnings=1)
    yield Case("no_binary_at_all", "run bad.fmu -o out.csv", 3, "bad.fmu: error[HK0303]: *", "*",
               {"bad.fmu": made.changed(lambda n, d: None if n.startswith("binaries") else (n, d))})
    for name, bytes_ in (("text", b"echo hello\n" * 100), ("empty", b""), ("cut", None), ("foreign", "foreign")):
        def change(entry, data, bytes_=bytes_):
            if not entry.endswith(".so"):
                return entry, data
            if bytes_ is None:
                return entry, data[:len(data) // 3]
            if bytes_ == "foreign":  # the machine in the header of the file is another one
                return entry, data[:18] + b"\x08\x00" + data[20:]
            return entry, bytes_
        says = "hocket: error[HK0506]: *" if name == "cut" else "bad.fmu: error[HK0501]: *"
        yield Case(f"library_{name}", "run bad.fmu -o out.csv", 4, says, "*",
                   {"bad.fmu": made.changed(change)})
    yield Case("library_in_ssp", "run bad.ssp -o out.csv", 4, "bad.ssp/resources/a.fmu: error[HK0502]: *", "*",
               {"bad.ssp": package(made.fmu("probe_wrong_guid"))})
    yield Case("description_in_ssp", "run bad.ssp -o out.csv", 3,
               "bad.ssp/resources/a.fmu/modelDescription.xml:*: error[HK0302]: *", "*",
               {"bad.ssp": package(made.described('fmiVersion="2.0"', 'fmiVersion="7.0"'))})
    yield Case("archive_in_ssp", "run bad.ssp -o out.csv", 3, "bad.ssp/resources/a.fmu: error[HK0203]: *", "*",
               {"bad.ssp": package(made.fmu()[:5000])})


def package(fmu):
    return archive([("SystemStructure.ssd", ssd([component("a", "resources/a.fmu")])), ("resources/a.fmu", fmu)])


def cases(made):
    yield from xml_bombs(made)
    yield from descriptions(made)
    yield from libraries(made)
