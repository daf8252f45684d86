# SPDX-License-Identifier: MIT
"""`hocket check --style` as a user calls it: text, JSON, exit status, wrong options, the same system in SSP. Every pair of
roles is in style_pairs_test.c."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

SYSTEM = """system auv {
  experiment start 0s stop 1s step 10ms;
  composite all {
    composite Drone role controlled {
      output core.double position;
      leaf motion : hk.Ramp;
      link motion.y -> position;
    }
    composite Sensors role sensors {
      input core.double position;
      output core.double measured;
      composite Gps {
        input core.double position;
        output core.double measured;
        leaf errors : hk.Gain;
        leaf spare : hk.Ramp;
        link position -> errors.u;
        link errors.y -> measured;
      }
      link position -> Gps.position;
      link Gps.measured -> measured;
    }
    composite Navigation role controller {
      input core.double position;
      leaf estimator : hk.Gain;
      link position -> estimator.u;
    }
    link Drone.position -> Sensors.position;
    link %s -> Navigation.position;
  }
}
"""
GOOD, WRONG = SYSTEM % "Sensors.measured", SYSTEM % "Drone.position"
SIMULATION = """Simulation S (ms)
system auv;
simulationTime [0, 1000]:10;
begin {
  "auv.all.Navigation.estimator.gain" = 2;%s
}
scenarios {
  Scenario x
  logs {
    x.csv timed(100) {
      "auv.all.Navigation.estimator.y";
    }
  }
}
"""
STYLE = ("--style", "navidro")
TRUTH = "'Drone.motion' (composite 'Drone', role controlled) gives data to 'Navigation.estimator' (composite 'Navigation', role controller)"


class Style(hocket_case.Case):
    def check(self, *words, exit=0):
        return self.hocket("check", *words, exit=exit)

    def test_good(self):
        self.write("auv.system", GOOD)
        self.assertEqual(self.check("auv.system", *STYLE).stdout, "ok: 4 components, 2 connections, style navidro\n")
        answer = json.loads(self.check("--json", "auv.system", *STYLE).stdout)
        self.assertEqual([answer["files"][0]["style"], answer["files"][0]["ok"], answer["findings"]], ["navidro", True, []])
        self.assertNotIn("style", json.loads(self.check("--json", "auv.system").stdout)["files"][0])

    def test_truth_never_reaches_the_controller(self):
        self.write("auv.system", WRONG)
        self.check("auv.system")
        done = self.check("auv.system", *STYLE, exit=1)
        line = 1 + WRONG[:WRONG.index("link Drone.position -> Navigation")].count("\n")
        self.assertIn(f"auv.system:{line}:28: error[HK0440]: style 'navidro': {TRUTH}\n", done.stdout)
        self.assertTrue(done.stdout.endswith("1 error, 0 warnings\n"), done.stdout)
        answer = json.loads(self.check("--json", "auv.system", *STYLE, exit=1).stdout)
        self.assertEqual([answer["files"][0][k] for k in ("ok", "status", "style")], [False, "HK0440", "navidro"])
        found = answer["findings"][0]
        self.assertEqual([found["severity"], found["code"], found["line"], found["column"]], ["error", "HK0440", line, 28])

    def test_exempt(self):
        self.write("auv.system", WRONG)
        done = self.check("auv.system", *STYLE, "--style-exempt", "controlled:controller")
        self.assertEqual(done.stdout.count("note: style 'navidro': controlled to controller is exempt, which this way needs\n"), 1)
        self.check("auv.system", *STYLE, "--style-exempt", "user:controller", exit=1)
        for words, message in (
                (("--style", "navy"), "one of: navidro"),
                (("--style-exempt", "controlled:controller"), "no style is named"),
                ((*STYLE, "--style-exempt", "truth:controller"), "roles are environment, user, controlled,"),
                ((*STYLE, "--style-exempt", "sensors:controller"), "allows sensors to controller")):
            done = self.check("auv.system", *words, exit=2)
            self.assertIn(message, done.stderr)

    def test_the_same_in_ssp(self):
        for text, status in ((GOOD, 0), (WRONG, 1)):
            self.write("auv.system", text)
            for name in ("auv.ssd", "auv.ssp"):
                self.hocket("convert", "-q", "auv.system", name)
                done = self.check(name, *STYLE, exit=status)
                self.assertEqual(done.stdout.startswith(name) and TRUTH in done.stdout, status == 1, done.stdout)
                (self.folder / name).unlink()

    def test_what_nobody_uses(self):
        self.write("auv.system", GOOD)
        self.write("s.simulation", SIMULATION % "")
        self.check("s.simulation")
        done = self.check("s.simulation", *STYLE, exit=1)
        self.assertIn("s.simulation:5:3: error[HK0440]: style 'navidro': nothing uses what 'Sensors.Gps.spare' produces, and it is not stopped", done.stdout)
        stop = '"auv.all.Sensors.Gps.spare".Stop();'
        self.assertIn(f"hint: write {stop} in the first 'begin'", done.stdout)
        self.write("s.simulation", SIMULATION % f"\n  {stop}")
        self.assertIn("1 scenario, 1 run, style navidro\n", self.check("s.simulation", *STYLE).stdout)

    def test_only_systems(self):
        self.write("x.types", "Declaration p { }\n")
        self.write("x.csv", "time,a\n0,1\n1,2\n")
        for name in ("x.types", "x.csv"):
            self.check(name)
            self.assertIn("only systems and simulations have a style", self.check(name, *STYLE, exit=2).stdout)

    def test_a_system_without_roles(self):
        self.write("plain.system", "system plain { experiment stop 1s step 10ms; composite all { leaf a : hk.Ramp; } }\n")
        self.check("plain.system")
        self.assertIn("plain.system:1:56: error[HK0440]: style 'navidro': composite 'all' has no role, so its leaf 'a' has none",
                      self.check("plain.system", *STYLE, exit=1).stdout)

    def test_tables_of_the_command_line_have_no_role(self):
        self.write("auv.system", GOOD.replace("link Drone.position -> Sensors.position;", ""))
        self.write("in.csv", "time,Sensors.position\n0,1\n1,2\n")
        self.check("auv.system", *STYLE, "--input-file", "in.csv")


if __name__ == "__main__":
    hocket_case.main()
