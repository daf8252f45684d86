#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FMPy as an oracle: where it finds something in a description, hocket finds something. The differences that
are known are in cases.py, each with its reason. Exit status 77: skipped."""
import pathlib
import tempfile
import unittest
import zipfile

import cases
import rules_test
from hocket_case import main, need


def fmpy_finds(folder, text):
    from fmpy.validation import validate_fmu
    path = pathlib.Path(folder) / "x.fmu"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("modelDescription.xml", text)
    return validate_fmu(str(path))


class Oracle(unittest.TestCase):
    def test_wrong(self):
        found = rules_test.findings([case.text() for case in cases.ALL])
        with tempfile.TemporaryDirectory() as folder:
            for case, ours in zip(cases.ALL, found):
                theirs = fmpy_finds(folder, case.text())
                with self.subTest(version=case.version, old=case.old[:60], new=case.new[:60], theirs=theirs):
                    if theirs:
                        self.assertTrue(ours)
                    serious = [rule for rule, _, severity, _ in ours if severity != "note"]
                    self.assertEqual(bool(theirs), bool(serious) and not case.fmpy)

    def test_right(self):
        with tempfile.TemporaryDirectory() as folder:
            for text in [*cases.BASES.values(), *(case.text() for case in cases.RIGHT if not case.fmpy)]:
                self.assertEqual(fmpy_finds(folder, text), [], text)


if __name__ == "__main__":
    need("fmpy")
    main("--tool")
