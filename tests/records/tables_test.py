#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables in all formats, wherever hocket reads one; leaves that are tables; files that are broken."""
import json
import struct

import records_case as rc

LOOK = """system look {{
  composite c {{
    leaf t : "{0}" {{ frequency 10 Hz; }}
    leaf r : hk.Replay {{ frequency 10 Hz; param file = "{0}"; param column = "s.y"; }}
  }}
}}
"""


def matrix(name, values, columns=1, kind=0):
    """A matrix of a MAT-file of version 4."""
    data = struct.pack(f"<{len(values)}d", *values)
    return struct.pack("<5i", kind, len(values) // columns, columns, 0, len(name) + 1) + name.encode() + b"\0" + data


class Reading(rc.Records):
    def setUp(self):
        super().setUp()
        self.write("w.system", rc.WAVE)
        self.names = ["w.csv", "w.mat"] + (["w.h5"] if self.has_hdf5() else [])
        for name in self.names:
            self.hocket("run", "w.system", "--stop-time", "1", "--output-interval", "0.1", "-q", "-o", name)

    def test_verbs(self):
        """The same answers, whatever the format."""
        for name in self.names:
            info = json.loads(self.hocket("info", name, "--json").stdout)
            self.assertEqual((info["rows"], [c["name"] for c in info["columns"]]), (11, ["time", "s.y", "g.y"]))
            self.assertIn("3 columns, 11 rows", self.hocket("check", name).stdout)
            plot = self.hocket("plot", name, "s.y").stdout
            self.assertEqual(plot, self.hocket("plot", "w.csv", "s.y").stdout)
            self.assertIn("equal: 2 signals in 11 rows", self.hocket("compare", "w.csv", name).stdout)
            self.hocket("compare", name, "w.csv", "--interpolate", "--bits")

    def test_leaves_and_components(self):
        """A table as a leaf, and as the file of a component."""
        for name in self.names:
            self.write("look.system", LOOK.format(name))
            self.hocket("run", "look.system", "--stop-time", "1", "-q", "-o", f"{name}.csv",
                        "--output-variable", "t.*", "--output-variable", "r.y")
            self.hocket("compare", "w.csv.csv", f"{name}.csv")
            self.hocket("compare", "w.csv", f"{name}.csv", "--map", "s.y=t.s.y", "--only", "s.y")

    def test_inputs(self):
        """A record of inputs drives the same run again."""
        fmu = self.options.fmus / "feedthrough3.fmu"
        self.write("in.csv", "time,float64_in,int32_in,boolean_in,enumeration_in,string_in\n"
                             "0,1,2,true,one,a\n0.2,2.5,-3,false,three,b\n0.4,0,7,true,two,c\n")
        for name in self.names:
            record = name.replace("w.", "rec.")
            self.hocket("run", fmu, "--stop-time", "0.5", "-q", "--input-file", "in.csv", "-o", record,
                        "--output-variable", "Feedthrough.*_in")
            self.hocket("run", fmu, "--stop-time", "0.5", "-q", "--input-file", record, "-o", f"{name}.csv",
                        "--output-variable", "Feedthrough.*_out")
            self.hocket("compare", "w.csv.csv", f"{name}.csv", "--ignore", "*string_out")
        self.assertIn(",2.5,", (self.folder / "w.mat.csv").read_text(encoding="utf-8"))


class Names(rc.Records):
    def test_one_name_twice(self):
        """An error with its place, in every format that can say such a thing."""
        self.write("t.csv", 'time,a,"b",a\n0,1,2,3\n')
        done = self.hocket("check", "t.csv", exit=3)
        self.assertIn("t.csv:1:12: error[HK0305]: the columns 2 and 4 have the same name 'a'", done.stdout)
        self.assertEqual(done.stdout.count("error["), 1)
        self.write("u.csv", "time;x;time\n0;1;2\n")
        self.assertIn("u.csv:1:8: error", self.hocket("check", "u.csv", exit=3).stdout)
        data = matrix("time", [0, 1]) + matrix("x", [1, 2]) + matrix("x", [3, 4])
        (self.folder / "t.mat").write_bytes(data)
        self.assertIn("the columns 2 and 3 have the same name 'x'", self.hocket("check", "t.mat", exit=3).stdout)


SIMULATION = """Simulation play (ms)
system w;
simulationTime [0, 1000]:10;
scenarios {
  Scenario calm
    logs {
      log.mat timed(100) { "s.y"; }
      log.csv timed(200) { "g.y"; }
    }
}
"""


class Logs(rc.Records):
    def test_extension_of_a_folder(self):
        """-o of a simulation is a folder: the name of a record is a mistake, unless the folder is there."""
        self.write("w.system", rc.WAVE)
        self.write("play.simulation", SIMULATION)
        done = self.hocket("run", "play.simulation", "-o", "so.mat", "-q", exit=2)
        self.assertIn("-o so.mat: a simulation writes a folder of logs, and this is the name of a record", done.stderr)
        self.assertFalse((self.folder / "so.mat").exists())
        self.hocket("run", "play.simulation", "-o", "so", "-q")
        self.assertEqual(sorted(p.name for p in (self.folder / "so").glob("log.???")), ["log.csv", "log.mat"])
        (self.folder / "so.mat").mkdir()
        self.hocket("run", "play.simulation", "-o", "so.mat", "-q")
        self.assertIn("2 columns, 11 rows", self.hocket("info", "so.mat/log.mat").stdout)


class Causal(rc.Records):
    """A leaf that is a table shows no row before its time."""

    def shown(self, leaf, column="t.x", stop="2"):
        self.write("t.system", f'system t {{ composite c {{ leaf t : "{leaf}" {{ frequency 2 Hz; }} }} }}\n')
        self.hocket("run", "t.system", "--stop-time", stop, "-q", "-o", "o.csv", "--output-variable", "*")
        lines = (self.folder / "o.csv").read_text(encoding="utf-8").splitlines()
        at = lines[0].split(",").index(column)
        return [float(line.split(",")[at]) for line in lines[1:]]

    def test_booleans(self):
        self.write("t.csv", "time,x,valid\n0,0,false\n1,10,true\n2,20,false\n")
        self.assertEqual(self.shown("t.csv"), [0, 5, 10, 15, 20])
        self.assertEqual(self.shown("t.csv", "t.valid"), [0, 0, 1, 1, 0])

    def test_what_stands_beside(self):
        """A record of hocket writes Booleans as 0 and 1: its metadata say what they are."""
        self.write("t.csv", "time,x,n\n0,0,0\n1,10,1\n2,20,0\n")
        self.assertEqual(self.shown("t.csv", "t.n"), [0, 0.5, 1, 0.5, 0])
        self.write("t.csv-metadata.json", json.dumps({"tableSchema": {"columns": [
            {"titles": "time", "datatype": "double"}, {"titles": "x", "datatype": "double"},
            {"titles": "n", "datatype": "boolean"}]}}))
        self.assertEqual(self.shown("t.csv", "t.n"), [0, 0, 1, 1, 0])
        self.assertEqual(self.shown("t.csv"), [0, 5, 10, 15, 20])
        self.write("t.csv-metadata.json", "{")
        done = self.hocket("check", "t.csv")
        self.assertIn("units and types of 't.csv' are not known", done.stdout + done.stderr)

    def test_hold(self):
        self.write("t.csv", "time,x\n0,0\n1,10\n2,20\n")
        self.assertEqual(self.shown("t.csv#hold"), [0, 0, 10, 10, 20])
        self.write("t.system", 'system t { composite c { leaf t : "t.csv#keep" { frequency 2 Hz; } } }\n')
        done = self.hocket("check", "t.system", exit=None)
        self.assertIn("'#keep' says nothing about a table", done.stdout)
        self.assertEqual(done.stdout.count("error["), 1, done.stdout)


class Broken(rc.Records):
    def put(self, name, data):
        (self.folder / name).write_bytes(data)

    def refuse(self, name, *says):
        done = self.hocket("check", name, exit=None)
        self.assertIn(done.returncode, (1, 2, 3), done)
        self.assertEqual(done.stdout.count("error["), 1, done.stdout)
        for text in says:
            self.assertIn(text, done.stdout)

    def test_mat(self):
        self.put("t.mat", b"MATLAB 5.0 MAT-file, and so on" + 200 * b" ")
        self.refuse("t.mat", "version 5 to 7", "-v4")
        self.put("t.mat", b"")
        self.refuse("t.mat", "not a MAT-file of version 4")
        self.put("t.mat", matrix("time", [0, 1]) + matrix("x", [5, 6]) + matrix("short", [1]))
        done = self.hocket("check", "t.mat")
        self.assertIn("2 columns, 2 rows", done.stdout)
        self.assertIn("1 of its matrices is left out, first 'short'", done.stdout + done.stderr)
        self.put("t.mat", matrix("time", [1, 0]) + matrix("x", [5, 6]))
        self.refuse("t.mat", "t.mat:2: error", "goes back")
        self.put("t.mat", (matrix("time", [0, 1]) + matrix("x", [5, 6]))[:-3])
        self.refuse("t.mat", "or the file is cut")
        self.put("t.mat", matrix("x", [5, 6]))
        self.refuse("t.mat", "no vector that is called 'time'")

    def test_cut_mat(self):
        """As a process leaves it that was killed between two writes."""
        self.write("w.system", rc.WAVE)
        self.hocket("run", "w.system", "--stop-time", "1", "-q", "-o", "w.mat")
        whole = (self.folder / "w.mat").read_bytes()
        self.put("w.mat", whole + 100 * b"\x55")
        self.refuse("w.mat", "the file is cut: its last 100 bytes belong to no whole block of rows")
        done = self.hocket("info", "w.mat")
        self.assertIn("the last 100 bytes belong to no whole block of rows and are left out", done.stderr)
        for size in range(0, len(whole), 97):
            self.put("w.mat", whole[:size])
            self.refuse("w.mat")

    def test_hdf5(self):
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        self.put("t.h5", b"time,x\n0,1\n")
        self.refuse("t.h5", "cannot read it as HDF5")
        if not rc.h5py:
            self.skipTest("h5py is not there")
        with rc.h5py.File(self.folder / "u.h5", "w") as f:
            f["x"] = [1, 2]
        self.refuse("u.h5", "no dataset 'time'")
        with rc.h5py.File(self.folder / "v.h5", "w") as f:
            f["time"] = [0.0, 1.0]
            f["x"] = [[1, 2, 3], [4, 5, 6]]
            f["x"].attrs["units"] = "m"
            f["other"] = [1.0]
            f.create_group("group")
        done = self.hocket("check", "v.h5")
        self.assertIn("4 columns, 2 rows", done.stdout)
        self.assertIn("2 of the objects at its root are left out", done.stdout + done.stderr)


if __name__ == "__main__":
    rc.main("--hocket", "--fmus")
