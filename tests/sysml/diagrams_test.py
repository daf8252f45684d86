#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Diagrams of multi-models from the command line; where their boxes are is looked at by src/draw/profile_test.c."""
import json
import pathlib
import shlex
import sys
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE.parent / "cli"))
from doc_commands_test import commands_of, fenced_blocks  # noqa: E402
from hocket_case import Case, main  # noqa: E402

DOCS = HERE.parents[1] / "docs"
DETECTOR = HERE / "models" / "detector.sysml"


class Diagrams(Case):
    def texts(self, name):
        root = xml.parse(self.folder / name).getroot()
        return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]

    def connections(self):
        """False: there is no Graphviz."""
        done = self.hocket("plot", DETECTOR, "--diagram", "connections", "-o", "c.svg", exit=None)
        return done.returncode == 0 or self.assertIn("which is not there", done.stderr)

    def test_architecture(self):
        self.hocket("plot", DETECTOR, "-o", "a.svg")
        texts = self.texts("a.svg")
        for text in ("«System»", "ChemicalDetectionSystem", "«RoboticPlatform»", "Rover", "kind = cyber", "platform = RoboChart",
                     "modelType = discrete", "in alarm", "out as : Real", "parameter threshold : Real = 0.3", "wallSensor",
                     "in walls : Real[4] = (10.0, 10.0, 10.0, 10.0)"):
            self.assertIn(text, texts)
        self.assertEqual(texts.count("«EComponent»"), 5)

    def test_connections(self):
        if not self.connections():
            return
        texts = self.texts("c.svg")
        for text in ("controller : ChemicalDetector", "«EComponent» RoboChart", "«RoboticPlatform» rover : Rover", "ReleaseFlag",
                     "cds : ChemicalDetectionSystem", *(f"c{i}" for i in range(1, 12))):
            self.assertIn(text, texts)

    def test_the_pictures_of_the_pages(self):
        """The architecture is compared; for the connections another version of Graphviz may put the boxes elsewhere."""
        page = DOCS / "sysml-tutorial.md"
        for name, _, lines in fenced_blocks(page.read_text(encoding="utf-8"), {"text"}):
            self.write(name, "\n".join(lines) + "\n")
        command = next(command for _, command in commands_of(page) if "architecture.svg" in command)
        self.hocket(*shlex.split(command)[1:])
        self.assertEqual((self.folder / "architecture.svg").read_bytes(), (DOCS / "images" / "sysml_architecture.svg").read_bytes())

    def test_the_file_of_the_tutorial_is_the_detector(self):
        """But for where its FMUs are, and comments."""
        page = (DOCS / "sysml-tutorial.md").read_text(encoding="utf-8")
        shown = next("\n".join(lines) for name, _, lines in fenced_blocks(page, {"text"}) if name == "detector.sysml")
        model = (self.options.source / "models" / "detector" / "detector.sysml").read_text(encoding="utf-8")
        own = [line.split(" //")[0] for line in model.splitlines() if not line.strip().startswith("//")]
        self.assertEqual(shown.replace("parts_files/", "").splitlines(), own)

    def test_the_message_of_the_tutorial(self):
        page = (DOCS / "sysml-tutorial.md").read_text(encoding="utf-8")
        shown = next("\n".join(lines) for name, _, lines in fenced_blocks(page, {"text"}) if name == "detector.sysml")
        self.write("detector.sysml", shown.replace("from rover.chemDetect.detected to controller.alarm",
                                                   "from arena.concentration to controller.alarm") + "\n")
        said = self.hocket("check", "--level", "rules", "detector.sysml", exit=1).stdout
        self.assertIn(said.split("1 error")[0], page)

    def test_answers_and_usage(self):
        answer = json.loads(self.hocket("plot", DETECTOR, "-o", "a.svg", "--json").stdout)
        self.assertEqual([answer[word] for word in ("diagram", "blocks", "components", "connections")], ["architecture", 7, 5, 11])
        self.assertIn("architecture: a.svg (7 blocks", self.hocket("plot", DETECTOR, "-o", "a.svg").stderr)
        for words, message in ((("plot", DETECTOR), "needs a file"),
                               (("plot", DETECTOR, "x", "-o", "a.svg"), "chooses nothing"),
                               (("plot", DETECTOR, "--diagram", "states", "-o", "a.svg"), "states"),
                               (("plot", DETECTOR, "--run", "x.csv", "-o", "a.svg"), "is about diagrams of RoboChart modules"),
                               (("plot", "x.csv", "--diagram", "connections"), "is about diagrams of multi-models")):
            with self.subTest(words=words):
                self.assertIn(message, self.hocket(*words, exit=2).stderr)

    def test_a_model_without_a_system(self):
        self.write("m.sysml", "package P {\n  #ecomponent part def A { out attribute y : Real; }\n}\n")
        self.hocket("plot", "m.sysml", "-o", "a.svg")
        self.assertIn("there is no System block", self.hocket("plot", "m.sysml", "--diagram", "connections", "-o", "c.svg", exit=1).stderr)
        self.write("m.sysml", "package P {")
        self.hocket("plot", "m.sysml", "-o", "b.svg", exit=3)
        self.assertFalse((self.folder / "b.svg").exists())


if __name__ == "__main__":
    main()
