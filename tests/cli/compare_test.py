#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket compare` and `hocket new` as a user meets them: words, exit status, JSON.

Standard library only.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case  # noqa: E402
from hocket_case import OPTIONS, main  # noqa: E402

A = "time,wheel.z,wheel.v,n,s\n0,0,1,0,on\n0.5,0.25,1,0,on\n0.5,0.25,2,1,on\n1,1,3,2,off\n"


class Case(hocket_case.Case):
    def json_of(self, *words, exit=0):
        return json.loads(self.hocket(*words, "--json", exit=exit).stdout)

    def write(self, name, text):
        super().write(name, text)
        return name


class Libm(Case):
    """Records name the mathematical library that made them, and the comparison tells where it is another one."""

    def record(self, name, libm, **more):
        self.write(name, A)
        self.write(name + "-metadata.json", json.dumps({"notes": [{"made_by": "hocket", "libm": libm, **more}]},
                                                       separators=(",", ":")))

    def test_told(self):
        self.record("a.csv", "0123456789abcdef")
        self.record("b.csv", "0123456789abcdef")
        self.assertEqual(self.hocket("compare", "a.csv", "b.csv").stderr, "")
        self.record("b.csv", "fedcba9876543210")
        said = self.hocket("compare", "a.csv", "b.csv").stderr
        self.assertIn("libm 0123456789abcdef and fedcba9876543210", said)
        self.record("b.csv", "unknown")
        self.assertEqual(self.hocket("compare", "a.csv", "b.csv").stderr, "")

    def test_not_used(self):
        """Where no component can call it, it does not count."""
        self.record("a.csv", "0123456789abcdef", mathematics={"depends_on_libm": True, "libraries": []})
        self.record("b.csv", "fedcba9876543210", mathematics={"depends_on_libm": True, "libraries": []})
        self.assertIn("libm 0123456789abcdef and", self.hocket("compare", "a.csv", "b.csv").stderr)
        self.record("b.csv", "fedcba9876543210", mathematics={"depends_on_libm": False, "libraries": []})
        self.assertEqual(self.hocket("compare", "a.csv", "b.csv").stderr, "")

    def test_doctor(self):
        said = self.hocket("doctor").stdout
        self.assertRegex(said, r"(?m)^.*libm +[0-9a-f]{16} ")


class Compare(Case):
    def setUp(self):
        super().setUp()
        self.write("a.csv", A)

    def against(self, text, *words, exit=0):
        self.write("b.csv", text)
        return self.hocket("compare", "a.csv", "b.csv", *words, exit=exit)

    def test_equal(self):
        done = self.against(A)
        self.assertEqual(done.stdout, "equal: 4 signals in 4 rows\n")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.against(A, "-q").stdout, "")
        answer = self.json_of("compare", "a.csv", "b.csv")
        self.assertEqual((answer["schema"], answer["equal"]), ("hocket.compare/1", True))
        # The order of the columns and the way of writing do not matter.
        self.against('"time";"s";"n";"wheel.v";"wheel.z"\r\n0;on;false;1.0;-0\r\n'
                     ".5;on;0;1;25e-2\r\n0.5;on;1;2;0.25\r\n1;off;2;3;1\r\n")

    def test_different(self):
        done = self.against(A.replace("0.25,2", "0.25,2.5").replace("off", "Off"), exit=1)
        for line in ("different: 2 of 4 signals in 4 rows", "first difference: time 0.5, wheel.v",
                     "  a.csv:4  2", "  b.csv:4  2.5", "  difference 0.5, relative 0.2"):
            self.assertIn(line + "\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^s +text .* 1 of 4$")
        self.assertRegex(done.stdout, r"(?m)^wheel\.v +0\.5 +0\.2 +0\.25 +0\.5  1 of 4$")
        self.assertRegex(done.stderr, r"^b\.csv: error\[HK0417\]: differs from a\.csv in 2 of 4 ")
        self.assertEqual(self.hocket("compare", "a.csv", "b.csv", "-q", exit=1).stdout, "")
        one = self.hocket("compare", "a.csv", "b.csv", "--limit", "1", exit=1).stdout
        self.assertIn("and 1 more; --limit 0 shows all\n", one)
        answer = self.json_of("compare", "a.csv", "b.csv", exit=1)
        first = answer["first_difference"]
        self.assertEqual((first["signal"], first["time"], first["lines"], first["values"]),
                         ("wheel.v", 0.5, [4, 4], ["2", "2.5"]))
        self.assertEqual([signal["name"] for signal in answer["worst"]], ["s", "wheel.v"])
        self.assertIsNone(answer["worst"][0]["max_absolute"])

    def test_tolerances(self):
        near = A.replace("0.25,2", "0.25,2.000000001")
        self.assertIn("--rel 1e-9", self.against(near, exit=1).stderr)
        done = self.against(near, "--rel", "1e-9")
        self.assertIn("equal within the tolerance: 4 signals in 4 rows\n", done.stdout)
        self.assertIn("largest difference: 1e-9 in wheel.v ", done.stdout)
        self.against(near, "--abs=1e-8")
        self.against(near, "--atol", "1e-8", "--rtol", "0")
        self.against(near, "--tolerance-for", "wheel.*=1e-8")
        self.against(near, "--tolerance-for", "*.v=0,1e-9")
        self.against(near, "--tolerance-for", "wheel.z=1e-8", exit=1)
        self.against(A.replace("0,0,1,0", "0,-0,1,0"))
        self.against(A.replace("0,0,1,0", "0,-0,1,0"), "--bits", exit=1)
        self.against(A.replace("1,3,2", "nan,3,2"), "--abs", "1e9", exit=1)
        for words in (["--rel", "-1"], ["--abs", "nan"], ["--abs", "x"], ["--tolerance-for", "u"],
                      ["--tolerance-for", "wheel.z=1,x"], ["--bits", "--rel", "1"],
                      ["--time-tolerance", "inf"], ["--limit", "-1"], ["--hold", "n"],
                      ["--map", "n"], ["--interpolate=often"], ["--plot", "--json"]):
            with self.subTest(words=words):
                self.assertIn("HK0101", self.against(A, *words, exit=2).stderr)

    def test_signals(self):
        other = A.replace("wheel.z", "z").replace("1,2,off", "1,2,of")
        done = self.against(other, exit=1)
        self.assertIn("only in a.csv: wheel.z\nonly in b.csv: z\n", done.stdout)
        self.against(A.replace("wheel.z", "z"), exit=1)
        self.against(A.replace("wheel.z", "z"), "--common")
        self.against(A.replace("wheel.z", "z"), "--map", "wheel.z=z")
        self.against(A.replace("wheel.z", "z"), "--ignore", "*z")
        self.against(A.replace("off", "of"), "--only", "wheel.*", "--only", "n")
        self.against("time,x\n0,1\n0.5,1\n0.5,1\n1,1\n", "--common", exit=1)
        done = self.against(A, "--only", "weel.z", exit=2)
        self.assertIn("did you mean 'wheel.z'?", done.stderr)
        self.assertIn("HK0102", self.against(A, "--map", "wheel.z=y", exit=2).stderr)

    def test_times(self):
        fewer = "time,wheel.z,wheel.v,n,s\n0,0,1,0,on\n0.5,0.25,1,0,on\n1,1,3,2,off\n"
        done = self.against(fewer, exit=1)
        self.assertIn("the times differ after 2 common rows:\n"
                      "  a.csv:4  time 0.5 once more (an event)\n  b.csv:4  time 1\n", done.stdout)
        self.assertIn("hint: --interpolate", done.stderr)
        self.assertFalse(self.json_of("compare", "a.csv", "b.csv", exit=1)["same_times"])
        finer = A.replace("0.5,0.25,1,", "0.25,0.125,1,0,on\n0.5,0.25,1,", 1)
        done = self.against(finer, "--interpolate")
        self.assertEqual(done.stdout, "equal: 4 signals in 5 rows\n")
        self.against(finer.replace("0.125", "0.1"), "--interpolate", exit=1)
        self.against(finer.replace("0.125", "0.1"), "--interpolate=first")
        self.against(A[:A.index("1,1,3")], "--interpolate", exit=1)
        self.against(A.replace("\n1,", "\n1.001,"), "--time-tolerance", "0.002")

    def test_plot(self):
        done = self.against(A.replace("0.25,2", "0.25,2.5"), "--plot", exit=1)
        self.assertIn("b.csv: wheel.v", done.stdout)
        self.assertNotIn("b.csv: wheel.v", self.against(A, "--plot").stdout)

    def test_unreadable(self):
        self.assertIn("HK0201", self.hocket("compare", "a.csv", "none.csv", exit=3).stderr)
        self.assertIn("HK0201", self.hocket("compare", "a.csv", ".", exit=3).stderr)
        self.assertRegex(self.against("time,n\n0,1\n1\n2,2\n", exit=3).stderr, r"b\.csv:3:.*HK0305")
        self.assertIn("HK0305", self.against("", exit=3).stderr)
        self.hocket("compare", "a.csv", exit=2)
        torn = self.against(A[:-6], exit=1)
        self.assertIn("torn", torn.stderr)
        self.assertIn("b.csv ends at time 0.5 (line 4)", torn.stdout)

    def test_pipes(self):
        self.assertIn("equal", self.hocket("compare", "a.csv", "/dev/stdin", input=A).stdout)
        done = self.hocket("compare", "a.csv", "/dev/stdin", "--interpolate", input=A, exit=2)
        self.assertIn("twice", done.stderr)

    def test_control_characters_do_not_reach_the_terminal(self):
        done = self.against(A.replace("off", "o\x1b[31mff").replace("wheel.v", "wh\x1b[2Jeel"), exit=1)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_control_characters_of_a_table_do_not_reach_the_terminal(self):
        path = pathlib.Path(self.scratch) / "odd.csv"
        path.write_text("time,a\u009b31mb\n0,1\n1,2\n", encoding="utf-8")
        done = subprocess.run([OPTIONS.hocket, "info", str(path)], capture_output=True, encoding="utf-8", check=True)
        self.assertIn("a 31mb", done.stdout)
        self.assertNotIn("\u009b", done.stdout)


class New(Case):
    FILES = {"README.md", "CMakeLists.txt", "system.ssd", "expected.csv", ".gitignore"}

    def test_makes_projects(self):
        for kind in ("component", "fmu"):
            done = self.hocket("new", kind, "pump", "--directory", kind)
            self.assertIn(f"cd {kind}\n", done.stdout)
            self.assertEqual(done.stderr, "")
            folder = self.scratch / kind
            self.assertEqual({path.name for path in folder.iterdir()}, self.FILES | {"pump.c"})
            for path in folder.iterdir():
                text = path.read_text(encoding="utf-8")
                self.assertNotRegex(text, r"@[A-Z]+@")
                self.assertTrue(text.endswith("\n") and not text.endswith("\n\n"), path)
        self.assertIn("FMI_VERSION 2 ", (self.scratch / "fmu/CMakeLists.txt").read_text())
        answer = self.json_of("new", "fmu", "valve", "--fmi", "3")
        self.assertEqual(set(answer["files"]), {f"valve/{name}" for name in self.FILES | {"valve.c"}})
        self.assertIn("FMI_VERSION 3 ", (self.scratch / "valve/CMakeLists.txt").read_text())

    def test_overwrites_nothing(self):
        (self.scratch / "empty").mkdir()
        self.hocket("new", "component", "a", "-d", "empty", "-q")
        (self.scratch / "full").mkdir()
        self.write("full/notes", "x")
        self.write("file", "x")
        for folder in ("full", "empty", "file"):
            self.assertIn("HK0202", self.hocket("new", "component", "a", "-d", folder, exit=3).stderr)
        self.assertEqual([path.name for path in (self.scratch / "full").iterdir()], ["notes"])
        self.hocket("new", "component", "a", "-d", "deep/er/a")

    def test_names(self):
        for name, better in (("my-pump", "my_pump"), ("2nd", "my_2nd"), ("int", "my_int"),
                             ("size_t", "my_size_type"), ("class", "my_class"), ("hk_a", "my_hk_a"), ("", "pump"),
                             ("pümp", "p__mp"), ("../x", "my____x"), ("a" * 65, "a" * 56)):
            with self.subTest(name=name):
                done = self.hocket("new", "component", name, exit=2)
                self.assertIn(f"for example '{better}'", done.stderr)
                self.hocket("new", "component", better, "-d", f"made{len(name)}{better}")
        self.assertIn("'hocket new fmu'", self.hocket("new", "fmuu", "a", exit=2).stderr)
        self.hocket("new", "component", "a", "--fmi", "2", exit=2)
        self.hocket("new", "fmu", "a", "--fmi", "4", exit=2)
        self.hocket("new", "fmu", exit=2)
        self.assertFalse((self.scratch / "a").exists())


if __name__ == "__main__":
    main()
