#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket check x.fmu`: every rule finds what it is for, and finds nothing in what is right."""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, TIMEOUT_S, main  # noqa: E402

RULE = re.compile(r"\[([a-z0-9-]+)(?:; FMI [^\]]+)?\]$")
# Rules that the tests of archives look at.
OF_ARCHIVES = set()


def findings(texts):
    """The rules that are found in each of the descriptions, with their lines."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, text in enumerate(texts):
            path = pathlib.Path(folder) / f"{number}.xml"
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        done = subprocess.run([OPTIONS.tool, "check", *paths], check=True, capture_output=True, text=True, timeout=TIMEOUT_S)
        found = {path: [] for path in paths}
        for line in done.stdout.splitlines():
            path, number, severity, element, text = line.split("\t")
            rule = RULE.search(text)
            found[path].append((rule[1] if rule else text, int(number), severity, element))
        return [found[path] for path in paths]


def line_of_difference(case):
    for number, (a, b) in enumerate(zip(cases.BASES[case.version].splitlines(), case.text().splitlines()), 1):
        if a != b:
            return number
    return 1


class Descriptions(unittest.TestCase):
    def test_right(self):
        texts = [*cases.BASES.values(), *(case.text() for case in cases.RIGHT)]
        for text, found in zip(texts, findings(texts)):
            self.assertEqual(found, [], text)

    def test_wrong(self):
        for case, found in zip(cases.ALL, findings([case.text() for case in cases.ALL])):
            with self.subTest(version=case.version, old=case.old[:60], new=case.new[:60]):
                self.assertEqual({rule for rule, *_ in found}, set(case.rules))
                for _, line, _, element in found:
                    self.assertGreater(line, 0)
                    self.assertTrue(element or line == 1)

    def test_place(self):
        """A finding about one variable is in the line that was changed."""
        for case, found in zip(cases.ALL, findings([case.text() for case in cases.ALL])):
            if case.rules[0].startswith(("start", "nominal", "unit-undefined", "type-missing", "combination")):
                with self.subTest(version=case.version, new=case.new[:60]):
                    self.assertIn(line_of_difference(case), [line for _, line, *_ in found])

    def test_many(self):
        """The linter goes on, counts everything, and shows the first of each rule."""
        more = "".join(f'<ScalarVariable name="p{i}" valueReference="{i + 100}" causality="parameter" '
                       'variability="fixed"><Real/></ScalarVariable>\n' for i in range(50))
        text = cases.BASES[2].replace("  </ModelVariables>", more + "  </ModelVariables>")
        found = findings([text.replace('modelIdentifier="m"', "").replace('name="k"', 'name="n"')])[0]
        rules = [rule for rule, *_ in found]
        self.assertEqual(rules.count("start-missing"), 10)
        self.assertIn("and 40 more of the rule 'start-missing'", rules)
        self.assertIn("schema-required", rules)
        self.assertIn("variable-unique", rules)
        lines = [line for rule, line, *_ in found if not rule.startswith("and ")]
        self.assertEqual(lines, sorted(lines))

    def test_each_rule_has_a_case(self):
        names = subprocess.run([OPTIONS.tool, "names"], check=True, capture_output=True, text=True).stdout.split("\n")
        table = {line.split()[0]: line.split()[1] for line in names if line}
        told = {rule for case in cases.ALL for rule in case.rules} | OF_ARCHIVES
        self.assertEqual(set(table) - told, set())
        for case in cases.ALL:
            for rule in case.rules:
                self.assertEqual(table[rule][case.version - 1], "1", f"{rule} in FMI {case.version}")


def of(*rules):
    OF_ARCHIVES.update(rules)
    return set(rules)


class Archives(unittest.TestCase):
    """Changes of an FMU 2.0 that was built with the tree."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        with zipfile.ZipFile(OPTIONS.fmus / "probe.fmu") as file:
            self.entries = {name: file.read(name) for name in file.namelist()}
        self.library = next(name for name in self.entries if name.endswith(".so"))

    def rules(self, entries, verb="check"):
        path = self.folder / "x.fmu"
        with zipfile.ZipFile(path, "w") as file:
            for name, data in entries.items():
                info = zipfile.ZipInfo("x")
                info.filename = name  # as it is: ZipInfo would change it
                file.writestr(info, data)
        done = subprocess.run([OPTIONS.hocket, verb, "x.fmu", "--json"], cwd=self.folder, check=False, timeout=TIMEOUT_S,
                              capture_output=True, text=True)
        answer = json.loads(done.stdout)
        found = [f for f in answer["findings"] if f["code"] == "HK0418"]
        self.assertEqual(answer["files"][0]["errors"] > 0, done.returncode != 0, done.stdout)
        for finding in found:
            self.assertTrue(finding["file"].startswith("x.fmu"))
        return {RULE.search(f["text"])[1] for f in found}

    def changed(self, **more):
        return {**self.entries, **{name.replace("__", "/"): data for name, data in more.items()}}

    def test_right(self):
        self.assertEqual(self.rules(self.entries), set())
        self.assertEqual(self.rules({**self.entries, "documentation/index.html": b"", "model.png": b"",
                                     "documentation/licenses/license.txt": b"", "extra/org.example/x": b""}), set())

    def test_names(self):
        self.assertEqual(self.rules({**self.entries, "resources\\a.txt": b""}), of("entry-name"))
        self.assertEqual(self.rules({**self.entries, "./resources/b.txt": b""}), of("entry-name"))
        self.assertEqual(self.rules({**self.entries, "resources//a.txt": b"", "resources/a.txt": b""}),
                         of("entry-name") | of("entry-twice"))
        self.assertEqual(self.rules({**self.entries, "extra/org.x/A": b"", "extra/org.x/a": b""}), of("entry-case"))
        self.assertEqual(self.rules({**self.entries, "readme.txt": b""}), of("entry-root"))
        self.assertEqual(self.rules({**self.entries, "extra/notes/x": b""}), of("extra-name"))
        self.assertEqual(self.rules({**self.entries, "documentation/a.html": b""}), of("documentation"))
        self.assertEqual(self.rules({**self.entries, "documentation/index.html": b"",
                                     "documentation/licenses/x.txt": b""}), of("licenses"))
        self.assertEqual(self.rules({"probe/" + name: data for name, data in self.entries.items()}),
                         of("description-place"))

    def test_libraries(self):
        data = self.entries[self.library]
        bare = {name: data for name, data in self.entries.items() if name != self.library}
        self.assertEqual(self.rules(bare), of("no-implementation"))
        self.assertEqual(self.rules({**bare, "binaries/linux64/other.so": data}), of("binary-name"))
        self.assertEqual(self.rules({**self.entries, "binaries/amiga/probe.library": b""}), of("platform"))
        self.assertEqual(self.rules({**self.entries, self.library: b"text"}), of("library-format"))
        self.assertEqual(self.rules({**self.entries, "binaries/win64/probe.dll": b"text"}), of("library-format"))
        self.assertEqual(self.rules({**self.entries, "binaries/darwin64/probe.dylib": b"text"}), of("library-format"))
        self.assertEqual(self.rules({**self.entries, "binaries/darwin64/probe.dylib": b"\xcf\xfa\xed\xfe"}), set())
        head = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64) + b"PE\0\0"
        self.assertEqual(self.rules({**self.entries, "binaries/win64/probe.dll": head + b"\x64\x86"}), set())
        self.assertEqual(self.rules({**self.entries, "binaries/win64/probe.dll": head + b"\x4c\x01"}),
                         of("library-machine"))
        foreign = data[:18] + struct.pack("<H", 183) + data[20:]
        self.assertEqual(self.rules({**self.entries, self.library: foreign}), of("library-machine"))
        self.assertEqual(self.rules({**self.entries, self.library: data[:len(data) // 3]}), {"library-format"})
        renamed = data.replace(b"fmi2CancelStep\0", b"fmi2CancelStop\0")
        self.assertEqual(self.rules({**self.entries, self.library: renamed}), of("library-functions"))
        needed = data.replace(b"libc.so.6\0", b"libq.so.6\0")
        self.assertEqual(self.rules({**self.entries, self.library: needed}), of("library-needed"))
        self.assertEqual(self.rules({**self.entries, self.library: needed, "binaries/linux64/libq.so.6": b""}), set())

    def test_sources(self):
        build = ('<?xml version="1.0" encoding="UTF-8"?><fmiBuildDescription fmiVersion="3.0"><BuildConfiguration '
                 'modelIdentifier="probe"><SourceFileSet><SourceFile name="a.c"/></SourceFileSet></BuildConfiguration>'
                 "</fmiBuildDescription>")
        self.assertEqual(self.rules({**self.entries, "sources/a.c": b""}), of("sources"))
        self.assertEqual(self.rules({**self.entries, "sources/a.c": b"", "sources/buildDescription.xml": build}), set())
        self.assertEqual(self.rules({**self.entries, "sources/b.c": b"", "sources/buildDescription.xml": build}),
                         of("sources"))
        self.assertEqual(self.rules({**self.entries, "sources/a.c": b"", "sources/buildDescription.xml": "<a>"}),
                         of("xml"))
        self.assertEqual(self.rules({**self.entries, "sources/a.c": b"", "sources/buildDescription.xml":
                                     build.replace("SourceFileSet", "Files")}), {"schema-element"})

    def test_terminals(self):
        text = ('<?xml version="1.0" encoding="UTF-8"?><fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal '
                'name="a" matchingRule="bus"><TerminalMemberVariable variableName="power" memberName="p" '
                'variableKind="signal"/></Terminal></Terminals></fmiTerminalsAndIcons>')
        name = "terminalsAndIcons/terminalsAndIcons.xml"
        terminal = text[text.index("<Terminal "):text.index("</Terminals>")]
        self.assertEqual(self.rules({**self.entries, name: text}), set())
        self.assertEqual(self.rules({**self.entries, name: text.replace("power", "pover")}), of("terminal-variable"))
        self.assertEqual(self.rules({**self.entries, name: text.replace(terminal, terminal * 2)}),
                         of("terminal-unique"))
        self.assertEqual(self.rules({**self.entries, name: text.replace(' matchingRule="bus"', "")}),
                         {"schema-required"})
        self.assertEqual(self.rules({**self.entries, name: text.replace(' memberName="p"', "")}), of("terminal-member"))
        icon = text.replace("</Terminal>", '<TerminalGraphicalRepresentation x1="0" y1="0" x2="1" y2="1" '
                            'iconBaseName="a"/></Terminal>')
        self.assertEqual(self.rules({**self.entries, name: icon}), of("terminal-icon"))
        self.assertEqual(self.rules({**self.entries, name: icon, "terminalsAndIcons/a.png": b""}), set())

    def test_built(self):
        """What the tree builds and does not break on purpose is right."""
        for name in ("wheel", "chassis", "ground", "probe", "probe1", "probe3", "feedthrough3"):
            done = subprocess.run([OPTIONS.hocket, "check", OPTIONS.fmus / f"{name}.fmu"], check=False, timeout=TIMEOUT_S,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_json(self):
        path = self.folder / "y.fmu"
        with zipfile.ZipFile(path, "w") as file:
            for name, data in self.entries.items():
                file.writestr(name, data.replace(b'fmiVersion="2.0"', b'fmiVersion="2.0" x="y"'))
        done = subprocess.run([OPTIONS.hocket, "check", path, "--json"], check=False, capture_output=True, text=True)
        answer = json.loads(done.stdout)
        self.assertEqual((done.returncode, answer["files"][0]["errors"], answer["files"][0]["warnings"]), (1, 1, 0))
        self.assertEqual([f["code"] for f in answer["findings"] if f["severity"] == "error"], ["HK0418"])


class Info(unittest.TestCase):
    def answer(self, name):
        done = subprocess.run([OPTIONS.hocket, "info", OPTIONS.fmus / f"{name}.fmu", "--json"], check=True, timeout=TIMEOUT_S,
                              capture_output=True, text=True)
        text = subprocess.run([OPTIONS.hocket, "info", OPTIONS.fmus / f"{name}.fmu"], check=True, timeout=TIMEOUT_S,
                              capture_output=True, text=True).stdout
        return json.loads(done.stdout), text

    def test_versions(self):
        """Every version has the same keys, whatever it has to say for them."""
        keys = None
        for name, version in (("probe1", "1.0"), ("probe", "2.0"), ("probe3", "3.0"), ("feedthrough3", "3.0")):
            answer, text = self.answer(name)
            self.assertEqual((answer["schema"], answer["fmi_version"], answer["co_simulation"]),
                             ("hocket.info/1", version, True))
            keys = keys or list(answer)
            self.assertEqual(list(answer), keys)
            self.assertTrue(answer["runs_here"])
            self.assertRegex(text, r"FMI version +" + re.escape(version))
            self.assertRegex(text, r"runs here +yes")

    def test_arrays(self):
        answer, _ = self.answer("feedthrough3")
        arrays = [v for v in answer["variables"] if "dimensions" in v]
        self.assertTrue(arrays)
        for v in arrays:
            count = 1
            for size in v["dimensions"]:
                count *= size
            self.assertEqual(v["count"], count)
            self.assertIn(len(v.get("start", [0] * count)), (count,))

    def test_aliases(self):
        answer, text = self.answer("probe3")
        aliases = {v["name"]: v["alias_of"] for v in answer["variables"] if "alias_of" in v}
        self.assertEqual(aliases["also_int_in"], "int_in")
        self.assertIn("alias of int_in", text)

    def test_clocks(self):
        answer, text = self.answer("probe3_clock")
        self.assertEqual([clock["name"] for clock in answer["clocks"]], ["tick"])
        self.assertFalse(answer["runs_here"])
        self.assertIn("event mode", answer["why_not"])
        self.assertIn("1 clock", text)


class Documents(unittest.TestCase):
    def test_table(self):
        made = subprocess.run([OPTIONS.tool, "table"], check=True, capture_output=True, text=True).stdout
        written = (OPTIONS.docs / "fmi-rules.md").read_text(encoding="utf-8")
        self.assertEqual(written, made, "write it again: rules_tool table > docs/fmi-rules.md")


# Rules that no case reaches, each with its reason.
UNREACHED = {"library-path": "no linker option of the tests sets one; src/format/elf_test.c reads it",
             "library-other-functions": "FMI 3.0 only; the FMUs of the tree export everything"}


if __name__ == "__main__":
    OF_ARCHIVES.update(UNREACHED)
    # The tests of archives run first, by their name: they say which rules they look at.
    main("--tool", "--docs")
