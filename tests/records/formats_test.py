#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run in three formats: what hocket, scipy and h5py read of it is the same."""
import csv
import json
import struct

import records_case as rc


class Formats(rc.Records):
    """Every type in every shape: an FMU whose outputs are its inputs, one step later."""
    SETS = ("--set", "float32_in=0.1", "--set", "float64_in=0.1", "--set", 'string_in=a,"b" \u00fc',
            "--set", "enumeration_in=three", "--set", "int64_vector_in=1 2 3 4 9007199254740993")

    def run_as(self, *names, what="*"):
        said = ""
        for name in names:
            said += self.hocket("run", self.options.fmus / "feedthrough3.fmu", "--stop-time", "0.5", "-q",
                                "--output-variable", what, *self.SETS, "-o", name).stderr
        return said

    def csv(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {head: [row[i] for row in rows[1:]] for i, head in enumerate(rows[0])}

    def test_compare(self):
        said = self.run_as("a.csv", "b.mat")
        self.assertEqual(said.count("warning"), 2, said)  # each once
        self.assertIn("a MAT-file holds numbers: 90 columns of texts or binary values are left out", said)
        self.assertIn("'Feedthrough.int64_vector_in[5]', first at t = 0 s, are whole numbers beyond 2^53", said)
        self.hocket("compare", "a.csv", "b.mat", "--common", "--ignore", "*int64_vector_*[5]")
        done = self.hocket("compare", "a.csv", "b.mat", "--common", exit=1)
        self.assertIn("different: 2 of 541 signals", done.stdout)
        if not self.has_hdf5():
            return
        self.run_as("c.h5")
        self.assertIn("equal: 631 signals in 6 rows", self.hocket("compare", "a.csv", "c.h5", "--bits").stdout)
        self.hocket("compare", "b.mat", "c.h5", "--common", "--ignore", "*int64_vector*")

    @rc.needs_scipy
    def test_scipy(self):
        self.run_as("a.csv", "b.mat", what="*_in")
        names, descriptions, m = self.mat("b.mat")
        table = self.csv("a.csv")
        self.assertEqual([str(line).strip() for line in m["Aclass"]], ["Atrajectory", "1.1", "", "binTrans"])
        self.assertEqual(m["dataInfo"][:, 0].tolist(), [0, 1, 0, -1])
        self.assertEqual(m["data_1"].tolist(), [[0, 0.5]])
        numbers = [n for n in table if "string" not in n and "binary" not in n]
        self.assertEqual(names, numbers)
        self.assertIn("Feedthrough.float64_matrix_in[2,3]", names)
        for i, name in enumerate(names):
            self.assertEqual(m["dataInfo"][1, i], i + 1)
            for text, value in zip(table[name], m["data_2"][i], strict=True):
                if "float32" in name:
                    self.assertEqual(struct.unpack("f", struct.pack("f", float(text)))[0], value, name)
                else:
                    self.assertEqual(float(text), value, name)
        items = descriptions[names.index("Feedthrough.enumeration_in")]
        self.assertIn("1 = one, 2 = two, 3 = three", items)
        self.assertEqual(descriptions[0], "Time [s]")

    @rc.needs_h5py
    def test_h5py(self):
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        self.run_as("a.csv", "c.h5")
        table = self.csv("a.csv")
        with rc.h5py.File(self.folder / "c.h5") as f:
            f = {name: (f[name][()], rc.attributes(f[name])) for name in f} | {"/": rc.attributes(f)}
        about = json.loads(f.pop("/")["about"])
        self.assertEqual(about, json.loads((self.folder / "c.h5-metadata.json").read_text(encoding="utf-8")))
        self.assertEqual(about["notes"][0]["ended"], "at its stop time")
        for name, (values, attributes) in f.items():
            self.assertEqual(attributes["name"], name)
            self.check(name, values, table)
        matrix, attributes = f["Feedthrough.int16_matrix_out"]
        self.assertEqual((matrix.shape, str(matrix.dtype)), ((6, 2, 3), "int16"))
        self.assertEqual(f["Feedthrough.float32_vector_in"][0].dtype.name, "float32")
        self.assertEqual(f["Feedthrough.boolean_vector_in"][0].dtype.name, "bool")
        self.assertEqual(f["Feedthrough.int64_vector_in"][0][0].tolist(), [1, 2, 3, 4, 9007199254740993])
        self.assertEqual(f["Feedthrough.string_in"][0][0].decode(), 'a,"b" \u00fc')
        self.assertEqual((f["time"][1]["unit"], f["time"][1]["type"]), ("s", "Float64"))
        items = f["Feedthrough.enumeration_in"][1]
        self.assertEqual(dict(zip(items["items"], items["item_values"]))["three"], 3)

    def check(self, name, values, table):
        """The values of a dataset against those of the columns of CSV."""
        shape = values.shape[1:]
        cells = values.reshape(len(values), -1)
        for e in range(cells.shape[1]):
            index = []
            for size in reversed(shape):
                index.insert(0, e % size + 1)
                e //= size
            column = name + ("[" + ",".join(map(str, index)) + "]" if shape else "")
            place = values if not shape else values[(slice(None), *(i - 1 for i in index))]
            for text, value in zip(table[column], place, strict=True):
                if isinstance(value, bytes):
                    self.assertEqual(text, value.decode(), column)
                elif values.dtype == object:
                    self.assertEqual(text, bytes(value).hex(), column)
                elif values.dtype.name == "float32":
                    self.assertEqual(struct.unpack("f", struct.pack("f", float(text)))[0], value, column)
                elif values.dtype.name == "float64":
                    self.assertEqual(float(text), value, column)
                else:
                    self.assertEqual(int(text), int(value), column)

    @rc.needs_h5py
    def test_long_names(self):
        """Of 4095 bytes and more, also beyond what an attribute holds: written, read by h5py, and read again."""
        if not self.has_hdf5():
            self.skipTest("hocket was built without HDF5")
        for length in (4095, 4096, 5000, 70000):
            with self.subTest(length=length):
                self.write("long.system", rc.WAVE.replace("leaf s ", f"leaf {'s' * length} ").replace("link s.y", f"link {'s' * length}.y"))
                for name in ("a.csv", "c.h5"):
                    self.hocket("run", "long.system", "--stop-time", "0.1", "-q", "-o", name)
                self.assertIn("equal: 2 signals in 11 rows", self.hocket("compare", "a.csv", "c.h5", "--bits").stdout)
                with rc.h5py.File(self.folder / "c.h5") as f:
                    long = next(name for name in f if len(name) > length)
                    values = f[long][()].tolist()
                self.assertEqual(long, f"{'s' * length}.y")
                self.assertEqual(values, [float(text) for text in self.csv("a.csv")[long]])
                with rc.h5py.File(self.folder / "o.h5", "w") as f:  # as another program writes it
                    f["time"], f[long] = [0.0, 1.0], [2.0, 3.0]
                self.assertIn(f"\n{long}", self.hocket("info", "o.h5").stdout)
                self.hocket("compare", "o.h5", "o.h5", "--bits")

    def test_elements(self):
        """Some elements of an array are columns of their own; units are attributes."""
        if not rc.h5py or not self.has_hdf5():
            self.skipTest("h5py or HDF5 is not there")
        self.run_as("c.h5", what="*.int16_vector_in[2]")
        with rc.h5py.File(self.folder / "c.h5") as f:
            self.assertEqual(sorted(f), ["Feedthrough.int16_vector_in[2]", "time"])
        done = self.hocket("info", "c.h5", "--json")
        self.assertEqual([c["name"] for c in json.loads(done.stdout)["columns"]],
                         ["time", "Feedthrough.int16_vector_in[2]"])

    EXTREMES = {"int8": "-128", "uint8": "255", "int16": "-32768", "uint16": "65535", "int32": "-2147483648",
                "uint32": "4294967295", "int64": "-9223372036854775808", "uint64": "18446744073709551615",
                "boolean": "true", "enumeration": "largest", "string": "1.5", "binary": "00ff0a", "float32": "0.1",
                "float64": "1e-308", "int64_vector": "9223372036854775807 -9223372036854775808 0 1 4",
                "boolean_vector": "true false true false true", "uint64_vector": "1 2 3 4 18446744073709551615",
                "enumeration_vector": "smallest largest zero one two"}

    def test_round_trip(self):
        """Every type, with the ends of its range: a record drives a run that gives the same record, without the
        file beside it (but for CSV, which says no types)."""
        fmu = self.options.fmus / "feedthrough3.fmu"
        sets = [word for name, value in self.EXTREMES.items() for word in ("--set", f"{name}_in={value}")]
        names = ["x.csv", "x.mat"] + (["x.h5"] if self.has_hdf5() else [])
        answers = []
        for name in names:
            self.hocket("run", fmu, "--stop-time", "0.2", "-q", "--output-variable", "Feedthrough.*_in", *sets,
                        "-o", name)
            if name != "x.csv":
                (self.folder / f"{name}-metadata.json").unlink()
            self.hocket("run", fmu, "--stop-time", "0.2", "-q", "--output-variable", "Feedthrough.*_in",
                        "--input-file", name, "-o", "again.csv")
            less = ["--ignore", "*string*", "--ignore", "*binary*"] if name == "x.mat" else []
            done = self.hocket("compare", "x.csv", "again.csv", "--bits", "--common", *less)
            self.assertIn(f"equal: {180 if less else 210} signals in 3 rows", done.stdout)
            columns = json.loads(self.hocket("info", name, "--json").stdout)["columns"]
            answers.append({c["name"]: c for c in columns if "string" not in c["name"] and "binary" not in c["name"]})
        for answer in answers:
            self.assertEqual(answer, answers[0])
        told = answers[0]
        self.assertEqual(told["Feedthrough.uint64_in"]["max"], 18446744073709551615)
        self.assertEqual(told["Feedthrough.int64_vector_in[1]"]["min"], 9223372036854775807)
        self.assertEqual(told["Feedthrough.int64_matrix_in[2,3]"]["shape"], [2, 3])
        self.assertEqual(told["Feedthrough.enumeration_in"]["items"][-1], {"name": "largest", "value": (1 << 63) - 1})
        types = {c["type"].lower() for c in told.values()}
        self.assertEqual(types, {n for n in self.EXTREMES if "_" not in n} - {"string", "binary"})

    def test_info(self):
        """What there is, in words: whole numbers exactly, how many are NaN, the first and the last time."""
        self.write("t.csv", "time,a,b,c\n1,9007199254740993,nan,x\n2.5,9007199254740992,-1,y\n3,2,nan,z\n")
        said = self.hocket("info", "t.csv").stdout
        self.assertIn("4 columns, 3 rows, from 1 to 3 s", said)
        self.assertRegex(said, r"(?m)^a +- +2 +9007199254740993$")
        self.assertRegex(said, r"(?m)^b +- +-1 +-1  2 NaN$")
        self.assertRegex(said, r"(?m)^c +texts +- +-$")
        answer = json.loads(self.hocket("info", "t.csv", "--json").stdout)
        self.assertEqual((answer["first_s"], answer["last_s"], answer["rows"]), (1, 3, 3))
        self.assertEqual([c["nan"] for c in answer["columns"]], [0, 0, 2, 0])

    def test_items_beside(self):
        self.run_as("a.csv", what="enumeration_in")
        about = json.loads((self.folder / "a.csv-metadata.json").read_text(encoding="utf-8"))
        column = about["tableSchema"]["columns"][1]
        self.assertIn({"schema:name": "three", "schema:value": 3}, column["schema:valueReference"])

    def test_no_file_without_rows(self):
        for name in ("x.mat", "x.h5"):
            self.hocket("run", self.options.fmus / "feedthrough3.fmu", "-o", f"missing/{name}", exit=3)
            self.hocket("run", self.options.fmus / "feedthrough3.fmu", "--set", "nothing=1", "-o", name, exit=None)
            self.assertFalse((self.folder / name).exists())

    def test_unknown(self):
        done = self.hocket("run", self.options.fmus / "feedthrough3.fmu", "-o", "x.xyz", exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("records can be written as .csv, .mat, .h5", done.stderr)


if __name__ == "__main__":
    rc.main("--hocket", "--fmus")
