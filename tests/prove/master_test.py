#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove` of masters in words: order, time, views, spin's own counterexample, exports."""
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from hocket_case import Case, main  # noqa: E402
SPIN = shutil.which("spin") is not None
# It compiles spin's programs in a tenth of the time.
TINY = {"CC": "tcc"} if shutil.which("tcc") else {}

PAIR = ("scenario s {{ max step 4; instance A {{ in u; out y; }} instance B {{ in u; out y; }}"
        " connect A.y -> B.u; connect B.y -> A.u; }}"
        " algorithm {{ init {{ get A.y, B.y; set A.u, B.u; }} step {{ {step} }} }}")


class Masters(Case):
    environment = TINY

    def said(self, *words, exit=0):
        return self.hocket(*words, exit=exit).stdout

    def verdicts(self, text, *words, exit=0):
        (self.folder / "m.master").write_text(text)
        answer = json.loads(self.said("prove", "m.master", "--spin", *words, "--json", exit=exit))
        return {v["name"]: v for v in answer["verdicts"]}

    def both(self, text, state, *words, exit=None):
        """Specification and spin say the same; the two verdicts."""
        found = self.verdicts(text, *words, exit=int(state != "holds") if exit is None else exit)
        self.assertEqual(found["specification"]["state"], state)
        if SPIN:
            self.assertEqual(found["spin"]["state"], state)
        return found

    def test_time(self):
        rest = "get A.y, B.y; set A.u, B.u;"
        for steps in ("step A, B;", "step A by 4; step B;", "step B by 4; step A as B;"):
            self.both(PAIR.format(step=steps + rest), "holds")
        for steps, why in (("step A by 1; step B by 2;", "step B by 2: others step by 1"),
                           ("step A; step B by 2;", "step B by 2: others step by 4"),
                           ("step A by 0; step B;", "step A by 0: a step is longer than 0")):
            with self.subTest(steps):
                found = self.both(PAIR.format(step=steps + rest), "broken")
                self.assertIn(why, found["specification"]["text"])

    def test_missing_edges(self):
        """One edge of a partial order is missing; and a first step that begins with steps."""
        ports = "instance I0 { } instance I1 { in u0; in u1; out y0; out y1; }"
        text = ("scenario r { " + ports + " connect I1.y1 -> I1.u0; connect I1.y0 -> I1.u1; }"
                " algorithm { init { } step { par { a: get I1.y1; b: get I1.y0; c: set I1.u0 after a, b;"
                " d: set I1.u1 after a, b; step I0 after %s; step I1 after c, d; } } }")
        found = self.both(text % "d", "broken")
        self.assertEqual(found["specification"]["calls"][-1], "step I0")
        self.both(text % "c, d", "holds", exit=1)  # the contracts want values after init
        self.both("scenario r { instance A { out y; out z; } } algorithm { init { } step { par {"
                  " a: get A.z; b: get A.y; step A after b; } } }", "broken", "--view", "strict")
        for initial, twice in (("", ""), (" initial", "set A.u; set A.v; ")):
            self.both(f"scenario r {{ instance A {{ in u{initial}; in v{initial}; }} }} algorithm {{"
                      f" init {{ {twice}set A.u; set A.v; }} step {{ par {{ a: step A;"
                      " set A.u after a; set A.v after a; } } }", "holds", "--view", "strict")

    def prove(self, text, *words, exit=0):
        (self.folder / "m.master").write_text(text)
        done = self.hocket("prove", "m.master", *words, exit=exit)
        return done.stdout, done.stderr

    def test_last_line_is_the_answer(self):
        """Yes or no, and which verdicts count; what is wrong is said once."""
        jacobi = "step A, B; get A.y, B.y; set A.u, B.u;"
        rows = ((PAIR.format(step=jacobi), "yes: the specification and the contracts hold"),
                (PAIR.format(step="step A; get A.y, B.y; set A.u, B.u; step B;"),
                 "no: the specification and contracts are broken"),
                (PAIR.format(step=jacobi).replace("in u", "in reactive u"),
                 "no: the contracts are broken"),
                ("scenario s { instance A { out y; } instance B { in reactive u; } connect A.y ->"
                 " B.u; }", "yes: the contracts hold, and they alone count: the specification does"
                 " not apply"))
        for text, answer in rows:
            with self.subTest(answer):
                wrong = int(answer.startswith("no"))
                out, err = self.prove(text, "--spin=never", exit=wrong)
                self.assertEqual(out.splitlines()[-1], answer)
                self.assertEqual(err, "")
                out = self.prove(text, "--spin=never", "--json", exit=wrong)[0]
                self.assertEqual(json.loads(out)["answer"], answer)
                self.assertEqual(json.loads(out)["holds"], not wrong)

    def test_across_rates(self):
        """Also between different rates values are handed over for each step."""
        text = ("scenario s { instance A { rate 2; in u; out y; } instance B { in u; out y; }"
                " connect A.y -> B.u; connect B.y -> A.u; } algorithm { init { get A.y, B.y;"
                " set A.u, B.u; } step { step A, B; get A.y, B.y; set A.u, B.u; } }")
        self.prove(text, "--view", "contract")
        out = self.prove(text.replace("set A.u, B.u; } }", "set A.u; } }"), "--view", "contract",
                         exit=1)[0]
        self.assertIn("its input B.u was not set since its last step", out)
        self.assertEqual(out.splitlines()[-1], "no: the contracts are broken")
        out = self.prove(text.replace("get A.y, B.y; set A.u, B.u; } }", "get A.y; set A.u, B.u; } }"),
                         "--view", "contract", exit=1)[0]
        self.assertIn("set A.u (line 1): its source B.y has a value of time 0", out)

    def test_contracts_alone(self):
        """An order that keeps the contracts and is not Jacobi."""
        text = ("scenario s { instance A { out y; } instance B { out y; } instance C { in u; in v; }"
                " connect A.y -> C.u; connect B.y -> C.v; } algorithm { init { get A.y, B.y;"
                " set C.u, C.v; } step { step A, B, C; get A.y; set C.u; get B.y; set C.v; } }")
        out = self.prove(text, "--spin=never", exit=1)[0].splitlines()
        self.assertEqual(out[-1], "no: the specification is broken, though the contracts hold:"
                                  " '--view contract' asks for them alone")
        out = self.prove(text, "--view", "contract")[0].splitlines()
        self.assertEqual(out[-1], "yes: the contracts hold, and they alone were asked for")
        self.assertIn("specification  not done: not asked for: --view contract", out)
        wrong = text.replace("get B.y; set C.v; }", "set C.v; get B.y; }")
        self.prove(wrong, "--view", "contract", exit=1)

    def test_broken_contract(self):
        """Calls with times, who accepted how much, and a hint."""
        text = ("scenario s { max step 3; instance A { can reject; out y; } instance B { in reactive"
                " u; } connect A.y -> B.u; } algorithm { init { get A.y; set B.u; } step { step A;"
                " get A.y; set B.u; step B; } }")
        self.assertEqual(self.prove(text, exit=1)[0].splitlines()[2:10], [
            "contracts      broken: step B (line 1): its reactive input B.u has a value of time 1,"
            " but the step needs one of time 3",
            "  in step 1, A accepts 1 of 3:",
            "  1 get A.y at 0",
            "  2 set B.u to A.y of time 0",
            "  3 step A at 0 by 3 (1 is accepted)",
            "  4 get A.y at 1",
            "  5 set B.u to A.y of time 1",
            "  6 step B at 0 by 3   <- not allowed"])
        found = self.verdicts(text, exit=1)["contracts"]
        self.assertEqual(found["when"], "in step 1, A accepts 1 of 3")
        self.assertEqual(found["hint"], "both must take the same step: 'step B as A'")
        self.assertEqual(found["calls"][2], "step A at 0 by 3 (1 is accepted)")
        self.prove(text.replace("step B;", "step B as A;"))

    def test_quiet(self):
        """No table; what is wrong is an error; what was made is alone."""
        bare = PAIR.format(step="")
        bare = bare[:bare.index("algorithm")]
        self.assertEqual(self.prove(PAIR.format(step="step A, B; get A.y, B.y; set A.u, B.u;"), "-q",
                                    "--spin=never"), ("", ""))
        out, err = self.prove(PAIR.format(step="step A, B; get A.y, B.y; set A.u;"), "-q",
                              "--spin=never", exit=1)
        self.assertEqual(out, "")
        self.assertEqual(err.count("error"), 1)
        made = self.prove(bare, "-q")[0]
        self.assertTrue(made.startswith("scenario s {"), made)
        self.prove(made, "-q")

    def test_what_is_made_suits_the_question(self):
        """Synthesis reads and sets what the view and the record ask for."""
        text = ("scenario s { instance A { in u; in reactive w; out y; out z; } instance B { in u;"
                " in v; out y; } connect A.y -> B.u; }")
        for words, calls in ((("--view", "strict"), ("get A.z;", "get B.y;", "set A.u;", "set A.w;",
                                                     "set B.v;")),
                             (("--output-variable", "A.*"), ("get A.z;",)),
                             (("--output-variable", "*"), ("get A.z;", "get B.y;"))):
            with self.subTest(words):
                out = self.prove(text, "--spin=never", *words)[0]
                self.assertRegex(out, "specification +holds")
                step = out[out.index("step {"):]
                for call in ("get A.y;", "set B.u;", *calls):
                    self.assertIn(call, step)
        self.prove(text, "--spin=never")
        out, err = self.prove(text, "--output-variable", "A.q", exit=2)
        self.assertIn("A.q", err)

    def test_quoted_parts_of_names(self):
        for name in ('"A.x[1]"', 'A."x[1]"', '"A"."x[1]"'):
            with self.subTest(name):
                self.prove('scenario s { instance A { out "x[1]"; } instance B { in u; } connect %s'
                           ' -> B.u; } algorithm { init { get %s; set B.u; } step { step A, B;'
                           ' get %s; set B.u; } }' % (name, name, name), "--spin=never")

    def test_other_verbs(self):
        """info, check and fmt know masters; plot says that it has nothing to show."""
        text = PAIR.format(step="step A, B; get A.y, B.y; set A.u, B.u;")
        (self.folder / "m.master").write_text(text)
        out = self.said("info", "m.master")
        self.assertIn("s: a scenario of 2 instances, 2 connections, steps of at most 4", out)
        self.assertIn("an algorithm of 4 calls before the first step and 6 in each", out)
        self.assertEqual(json.loads(self.said("info", "m.master", "--json"))["connections"], 2)
        self.assertEqual(self.said("check", "m.master"), "ok: 2 components, 2 connections\n")
        formatted = self.said("fmt", "m.master")
        (self.folder / "f.master").write_text(formatted)
        self.assertEqual(self.said("fmt", "f.master"), formatted)
        self.said("fmt", "--check", "f.master")
        (self.folder / "c.master").write_text(text + " // why\n")
        self.said("fmt", "c.master", exit=1)
        (self.folder / "m.master").write_text(text.replace("get A.y, B.y; set A.u, B.u; } }",
                                                           "set A.u, B.u; get A.y, B.y; } }"))
        self.assertIn("m.master:1", self.said("check", "m.master", exit=1))
        self.said("plot", "m.master", exit=3)

    def test_views(self):
        text = ("scenario r { instance A { in u; out y; } instance B { in u; out y; }"
                " connect A.y -> B.u; } algorithm { init { get A.y; set B.u; }"
                " step { step A, B; get A.y; set B.u; } }")
        self.both(text, "holds")
        found = self.both(text, "broken", "--view", "strict")
        self.assertIn("still due: get B.y", found["specification"]["text"])

    def test_counterexample_of_spin(self):
        """The calls of spin's own trail, by their names."""
        found = self.verdicts(PAIR.format(step="get A.y; step A, B; get B.y; set A.u, B.u;"), exit=1)
        if SPIN:
            self.assertEqual(found["spin"]["calls"], ["get A.y", "get B.y", "set A.u", "set B.u",
                                                      "get A.y"])
            self.assertEqual(found["spin"]["calls"], found["specification"]["calls"])

    def test_names(self):
        """Names that could end a comment."""
        text = PAIR.format(step="step A, B; get A.y, B.y; set A.u, B.u;")
        text = text.replace("scenario s", 'scenario "a*/b"').replace("instance A ", 'instance "A*/" ')
        self.both(re.sub(r"A\.(\w)", r'"A*/.\1"', text).replace("step A,", 'step "A*/",'), "holds")

    def export(self, text, *words):
        (self.folder / "m.master").write_text(text)
        self.said("prove", "m.master", "--spin=never", "--export-csp", "m.csp", "--export-promela",
                    "m.pml", *words)
        return (self.folder / "m.csp").read_text(), (self.folder / "m.pml").read_text()

    def test_exports(self):
        """X3, and that each text says what made it."""
        text = PAIR.format(step="step A, B; get A.y, B.y; set A.u, B.u;")
        csp, promela = self.export(text)
        self.assertEqual((csp, promela), self.export(text))
        form = r"s: specification and master\. hocket [0-9.]+, content [0-9a-f]{16}\n"
        self.assertRegex(csp, "^-- " + form)
        self.assertRegex(promela, r"^/\* " + form)
        other = self.export(PAIR.format(step="step B, A; get A.y, B.y; set A.u, B.u;"))
        self.assertNotEqual(csp.splitlines()[0], other[0].splitlines()[0])
        self.assertIn("assert CoSimulationT [T= Master\n", csp)
        self.assertIn("fmi2DoStep.C0_A?t!1!fmi2OK", csp)

    def test_nothing_connected(self):
        """No process that turns for ever without doing anything."""
        csp, _ = self.export("scenario s { instance A { } } algorithm { init { } step { step A; } }")
        self.assertIn("\nCoSimulation = BlockInstances\n", csp)
        self.assertFalse(re.search(r"\bConnections\b", csp))


if __name__ == "__main__":
    main("--hocket")
