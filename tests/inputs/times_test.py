#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times as tools write them, everywhere they are read; and no step or row that a double cannot tell."""
import re

import rig

THIRTIETH = "0.033333333333333333"
TOLD = f"'{THIRTIETH}' is read as 1/30 s"


def with_step(text):
    text = re.sub(r"<DefaultExperiment[^>]*/>", "", text)
    experiment = f'<DefaultExperiment startTime="0" stopTime="1" stepSize="{THIRTIETH}"/>\n'
    return re.sub(r"(\s*<ModelVariables)", "\n" + experiment + r"\1", text, count=1)


def with_fixed_step(text):
    return text.replace('canHandleVariableCommunicationStepSize="true"', "")


class Readers(rig.Rig):
    def test_descriptions(self):
        for version in (1, 2, 3):
            fmu = self.fmu(f"mock{version}", f"m{version}.fmu", with_step)
            told = self.hocket("run", fmu, "-o", "o.csv", says=TOLD)
            self.assertEqual(told.count("is read as"), 1)
            self.assertRegex(told, r"m\d\.fmu/modelDescription\.xml:\d+")
            self.assertEqual(len(self.times()), 31)
            self.assertEqual(self.times()[-2:], ["0.9666666666666667", "1"])

    def test_options(self):
        fmu = self.fmu("mock2", "m.fmu")
        self.hocket("run", fmu, "--stop-time", "9.999999999999999e-05", "--step-size", "1e-5", "-o",
                    "o.csv", says="'9.999999999999999e-05' is read as 0.0001 s")
        self.assertEqual(self.times()[-1], "0.0001")
        self.hocket("run", fmu, "--stop-time", "0.30000000000000004", "--step-size", "0.1", "-o",
                    "o.csv", says="the stop time (command line): '0.30000000000000004' is read as 0.3 s")
        self.assertEqual(self.times(), ["0", "0.1", "0.2", "0.3"])
        self.hocket("run", fmu, "--stop-time", "3.14159265358979", "--step-size", "1", "-o", "o.csv",
                    silent="is read as")
        self.assertEqual(self.times()[-1], "3.14159265358979")

    def test_ssp(self):
        self.fmu("mock2", "m.fmu")
        self.write("s.ssd", f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:hk="https://hocket.invalid/SSP" version="1.0" name="s">
<ssd:System name="s"><ssd:Elements><ssd:Component name="m" source="m.fmu"
  type="application/x-fmu-sharedlibrary"/></ssd:Elements></ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="0.66666666666666663"/>
</ssd:SystemStructureDescription>
""")
        told = self.hocket("run", "s.ssd", "--step-size", "1/30", "-o", "o.csv",
                           says="'0.66666666666666663' is read as 2/3 s")
        self.assertRegex(told, r"s\.ssd:6:")
        self.assertEqual(len(self.times()), 21)

    def test_languages(self):
        self.write("a.system", f"""system a {{ composite c {{
  leaf g : hk.Gain {{ frequency 29.970029970029970 Hz; }}
  leaf h : hk.Gain {{ period {THIRTIETH} s; }}
}} }}
""")
        told = self.hocket("check", "a.system", "--stop-time", "1",
                           says=("'29.970029970029970' is read as 30000/1001",
                                 f"'{THIRTIETH} s' is read as 1/30 s"))
        self.assertIn("a.system:2:", told)
        self.assertIn("a.system:3:", told)
        self.write("b.system", "system b { composite c { leaf g : hk.Gain { frequency 30 Hz; } } }\n")
        self.write("b.simulation", f"""Simulation b (s)
system b;
simulationTime [0, 1]:{THIRTIETH};
scenarios {{ Scenario all }}
""")
        told = self.hocket("run", "b.simulation", "-o", "logs", says="b.simulation:3:")
        self.assertEqual(told.count("is read as 1/30 s"), 1)

    def test_schedule(self):
        self.fmu("mock2", "m.fmu")
        self.write("m.schedule", f"component Mock period {THIRTIETH}\n")
        self.hocket("run", "m.fmu", "--schedule", "m.schedule", "--stop-time", "1", "-o", "o.csv",
                    says=("m.schedule:1:", TOLD))
        self.assertEqual(len(self.times()), 31)

    def test_system_of_many(self):
        """Each value is reported once, however many components are made from one description."""
        self.fmu("mock2", "m.fmu", with_step)
        self.write("c.system", 'system c { composite c { leaf a : "m.fmu"; leaf b : "m.fmu"; } }\n')
        told = self.hocket("check", "c.system")
        self.assertEqual(told.count("is read as"), 1, told)


class Steps(rig.Rig):
    def test_no_step_that_a_double_cannot_tell(self):
        fmu = self.fmu("mock2", "m.fmu")
        for stop in ("3000000000000001/10000000000000000", "2999999999999999/10000000000000000"):
            self.hocket("run", fmu, "--stop-time", stop, "--step-size", "0.1", "-o", "o.csv",
                        says="which no double can tell there: the run ends at 0.3 s")
            self.assertEqual(self.times(), ["0", "0.1", "0.2", "0.3"])
        told = self.hocket("run", fmu, "--stop-time", stop, "--step-size", "0.1", "--explain-settings")
        self.assertRegex(told, r"stop-time +0\.3 ")

    def test_no_row_twice(self):
        fmu = self.fmu("mock2", "m.fmu")
        self.hocket("run", fmu, "--stop-time", "1", "--step-size", "0.1", "--output-interval",
                    "19999999999999999/100000000000000000", "-o", "o.csv", says="is taken as 0.2 s")
        self.assertEqual(self.times(), ["0", "0.2", "0.4", "0.6", "0.8", "1"])

    def test_too_short(self):
        fmu = self.fmu("mock2", "m.fmu")
        self.refused("run", fmu, "--stop-time", "1", "--step-size", "1e-16",
                     says=("HK0405", "the step size", "cannot tell it"))
        self.refused("run", fmu, "--stop-time", "1e9", "--step-size", "1", "--output-interval", "1e-8",
                     says=("HK0405", "the output interval 0.00000001 s is too short"))

    def test_hints(self):
        fmu = self.fmu("mock2", "m.fmu", with_fixed_step)
        self.refused("run", fmu, "--stop-time", "1", "--step-size", "0.0333",
                     says=("HK0405", "write 1/30 in place of 0.0333"))
        self.refused("run", fmu, "--stop-time", "100001/3", "--start-time", "1/1234567", "--step-size",
                     "0.03333333333333", says=("HK0406", "write 1/30 in place of 0.03333333333333"))

    def test_tell_stop_time(self):
        """The mocks show at their outputs what they were told."""
        for version in (1, 2, 3):
            fmu = self.fmu(f"mock{version}", "m.fmu")
            words = ("run", fmu, "--stop-time", "2.5", "--step-size", "0.5", "-o", "o.csv")
            self.hocket(*words)
            self.assertEqual({row["Mock.y"] for row in self.rows()}, {"0"})
            self.hocket(*words, "--tell-stop-time")
            self.assertEqual({row["Mock.y"] for row in self.rows()}, {"2.5"}, version)
        self.write("m.system", 'system m { composite c { leaf m : "m.fmu" { frequency 2 Hz; } } }\n')
        self.write("m.simulation", """Simulation m (s)
system m;
simulationTime [0, 3]:0.5;
scenarios { Scenario all logs { out.csv timed(1) { "m.c.m.y"; } } }
""")
        self.hocket("run", "m.simulation", "--tell-stop-time", "-o", "logs")
        self.assertIn(",3", (self.folder / "logs" / "out.csv").read_text().split()[-1])
        told = self.hocket(*words, "--tell-stop-time", "--explain-settings", "--json")
        self.assertIn("--tell-stop-time", told)

    def test_rows_and_steps(self):
        fmu = self.fmu("mock2", "m.fmu")
        self.hocket("run", fmu, "--stop-time", "1", "--step-size", "0.1", "--output-interval", "0.05",
                    "-o", "o.csv", says="is below 0.1 s, the shortest step")
        self.write("a.system", "system a { composite c { leaf g : hk.Gain { frequency 100 Hz; } } }\n")
        self.hocket("run", "a.system", "--stop-time", "1", "--step-size", "0.1", "-o", "o.csv",
                    says="a row is recorded every 0.1 s, the step size, but components step every 0.01 s")
        self.hocket("run", "a.system", "--stop-time", "1", "--step-size", "0.1", "--output-interval",
                    "0.1", "-o", "o.csv", silent="a row is recorded")
        self.hocket("run", "a.system", "--stop-time", "1", "-o", "o.csv", silent="a row is recorded")


if __name__ == "__main__":
    rig.main()
