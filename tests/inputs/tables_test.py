#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of inputs: what the record shows of them."""
import rig

RAMP = "time,u\n0,0\n1,10\n2,20\n"


class LastRow(rig.Rig):
    def shown(self, fmu, column, *words):
        self.hocket("run", fmu, "--input-file", "in.csv", "-o", "o.csv", "--output-variable", "input.*", *words)
        return {row["time"]: float(row[column]) for row in self.rows()}

    def test_what_the_table_says(self):
        self.write("in.csv", RAMP)
        for version in (1, 2, 3):
            fmu = self.fmu(f"mock{version}", "m.fmu")
            shown = self.shown(fmu, "input.u", "--stop-time", "1", "--step-size", "0.25")
            self.assertEqual(shown, {"0": 0, "0.25": 2.5, "0.5": 5, "0.75": 7.5, "1": 10})
            shown = self.shown(fmu, "input.u", "--stop-time", "0.625", "--step-size", "0.25")
            self.assertEqual(shown, {"0": 0, "0.25": 2.5, "0.5": 5, "0.625": 6.25})

    def test_where_a_condition_ends_the_run(self):
        self.write("in.csv", RAMP)
        fmu = self.fmu("mock2", "m.fmu")
        shown = self.shown(fmu, "input.u", "--stop-time", "2", "--step-size", "0.25", "--stop-when",
                           "Mock.u >= 5")
        last = list(shown)[-1]
        self.assertLess(float(last), 2)
        self.assertEqual(shown[last], 10 * float(last))

    def test_steps(self):
        self.write("in.csv", "time,int32_in\n0,0\n1,7\n2,8\n")
        fmu = self.fmu("feedthrough3", "f.fmu")
        shown = self.shown(fmu, "input.int32_in", "--stop-time", "1", "--step-size", "0.5")
        self.assertEqual(shown, {"0": 0, "0.5": 0, "1": 7})

    def test_a_period_of_its_own(self):
        """Such a table shows what it said when it was activated, at the end as before."""
        self.write("w.csv", "time,x\n0,0\n4,40\n")
        self.write("t.system", 'system t { composite c { leaf w : "w.csv" { frequency 1 Hz; } } }\n')
        self.hocket("run", "t.system", "--stop-time", "2.5", "--step-size", "0.5", "-o", "o.csv",
                    "--output-variable", "*")
        self.assertEqual([float(r["w.x"]) for r in self.rows()], [0, 0, 10, 10, 20, 20])
        self.hocket("run", "t.system", "--stop-time", "3", "--step-size", "0.5", "-o", "o.csv",
                    "--output-variable", "*")
        self.assertEqual(float(self.rows()[-1]["w.x"]), 30)

    def test_simulations(self):
        self.write("w.csv", "time,x\n0,0\n4,40\n")
        self.write("t.system", 'system t { composite c { leaf w : "w.csv" { frequency 1 Hz; } } }\n')
        self.write("t.simulation", """Simulation t (s)
system t;
simulationTime [0, 3]:1;
scenarios { Scenario all logs { out.csv timed(1) { "t.c.w.x"; } } }
""")
        self.hocket("run", "t.simulation", "-o", "logs")
        last = (self.folder / "logs" / "out.csv").read_text().split()[-1]
        self.assertEqual(float(last.split(",")[-1]), 30)


class Cells(rig.Rig):
    BAD = (
        ("time,u\n0,1\n1,abc\n", ":3:3: error[HK0305]: ", "'abc'"),
        ("time,u\n0,1\n1,\n", ":3:3: error[HK0305]: ", ""),
        ("time;u\n0;1\n1;0,5\n", ":3:3: error[HK0305]: ", "hint: write a decimal point: 0.5"),
        ("time;u\n0;1\n0,5;1\n", ":3:1: error[HK0305]: ", "hint: write a decimal point: 0.5"),
        ("time,u\n0,0,1,5\n", ":2: error[HK0305]: ", "a decimal point and no comma"),
    )

    def test_check(self):
        for text, place, says in self.BAD:
            self.write("t.csv", text)
            self.refused("check", "t.csv", says=("t.csv" + place, says))
        self.write("t.csv", "time,u\n0,1\n1")
        self.refused("check", "t.csv", says="t.csv:3:1: error[HK0305]: the file is cut: its last line has 1 cell of 2")
        self.write("t.csv", 'time,u\n0,1\n1,"2"\n')
        self.refused("check", "t.csv", says="t.csv:3:3: error[HK0305]: the cell '2' of column 'u' is text")
        self.write("t.csv", 'time,u,v,w\n0,1,"a",true\n1,2,"b, c",false\n')
        self.hocket("check", "t.csv", says="4 columns, 2 rows")

    def test_as_inputs(self):
        fmu = self.fmu("mock2", "m.fmu")
        for text, place, says in self.BAD:
            self.write("t.csv", text)
            for verb in ("run", "check"):
                self.hocket(verb, fmu, "--input-file", "t.csv", exit=None, says=("t.csv" + place, says))

    def test_shorter_than_the_run(self):
        fmu = self.fmu("mock2", "m.fmu")
        self.write("t.csv", "time,u\n0.5,1\n2,3\n")
        words = ("run", fmu, "--input-file", "t.csv", "--step-size", "0.5", "-o", "o.csv", "--output-variable", "input.*")
        self.hocket(*words, "--stop-time", "3",
                    says=("t.csv:3: note: the table ends at 2 s, and the run at 3 s: from there on its last row holds",
                          "t.csv:2: note: the table begins at 0.5 s, and the run at 0 s"))
        self.assertEqual([float(r["input.u"]) for r in self.rows()][-3:], [3, 3, 3])
        self.hocket(*words, "--stop-time", "2", "--start-time", "0.5", silent="the table")
        self.write("t.system", 'system t { composite c { leaf w : "t.csv" { frequency 1 Hz; } } }\n')
        self.hocket("check", "t.system", "--stop-time", "4", says="t.csv:3: note: the table ends at 2 s")


if __name__ == "__main__":
    rig.main()
