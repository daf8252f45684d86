# SPDX-License-Identifier: MIT
"""A folder of its own for each test, the built program, and FMUs whose description was changed."""
import csv
import pathlib
import re
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main  # noqa: E402,F401  (main is for the tests)


class Rig(Case):
    def write(self, name, text):
        super().write(name, text)
        return name

    def fmu(self, source, target, change=lambda text: text):
        """A copy of one of the FMUs of the tests, with its description changed."""
        with zipfile.ZipFile(OPTIONS.fmus / f"{source}.fmu") as old, \
                zipfile.ZipFile(self.folder / target, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename == "modelDescription.xml":
                    text = data.decode()
                    changed = change(text)
                    data = changed.encode()
                new.writestr(entry, data)
        return target

    def hocket(self, *words, exit=0, says=(), silent=()):
        done = super().hocket(*words, exit=None)
        told = done.stdout + done.stderr
        self.assertTrue(done.returncode == exit if exit is not None else 0 < done.returncode < 5,
                        f"{done.returncode}: {words}\n{told}")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, told, words)
        for text in [silent] if isinstance(silent, str) else silent:
            self.assertNotIn(text, told, words)
        return told

    def refused(self, *words, says, exit=None):
        """One error that says all of SAYS."""
        told = self.hocket(*words, exit=exit, says=says)
        self.assertEqual(len(re.findall(r"error\[", told)), 1, told)
        return told

    def rows(self, name="o.csv"):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def times(self, name="o.csv"):
        times = [row["time"] for row in self.rows(name)]
        self.assertEqual(len(times), len(set(times)), "a time is in two rows")
        return times
