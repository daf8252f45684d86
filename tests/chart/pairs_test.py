#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every pair of constructs does what pairs.py says, as the interpreter runs it and as generated C; and all pairs are there."""
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]
import fragments  # pylint: disable=wrong-import-position
import pairs  # pylint: disable=wrong-import-position
from fragments_test import Fragments  # pylint: disable=wrong-import-position
from hocket_case import OPTIONS, SLOW, THIN, Case, call, main  # pylint: disable=wrong-import-position

# Generated C of all pairs takes long to compile: but for ./dev test --all these.
COMPILED = list(pairs.PIECES) if SLOW else ["deadline", "self_transition", "let_and_if", "synchronous"][::THIN]


class Pairs(Case):
    variables, look = Fragments.variables, Fragments.look

    def outputs(self, path):
        about = [v for v in self.variables(path) if v["causality"] == "output"]
        return {v["name"]: [w["name"] for w in about if w["name"].startswith(f"{v['name']}_") and not w["name"][len(v["name"]) + 1].isdigit()]
                for v in about if v["description"].endswith(("it occurs", "it is called"))}

    def test_interpreter(self):
        for name in list(pairs.PIECES)[::THIN]:
            with self.subTest(name):
                text, wanted, _ = pairs.module(name)
                path = self.write(f"{name}.rct", text)
                fragments.write_inputs(self.folder / "in.csv", wanted, 1)
                done = self.hocket("run", path, "--stop-time", len(wanted.cycles), "--input-file", "in.csv", "--output-variable", "*", "-o", "out.csv")
                self.assertNotIn("has a choice", done.stderr)
                outputs = self.outputs(path)
                for k, (row, cycle) in enumerate(zip(fragments.read_record(self.folder / "out.csv"), wanted.cycles)):
                    self.look(name, row, cycle, outputs, k)

    def test_code(self):
        plan, all_wanted = [], []
        for name in COMPILED:
            text, wanted, _ = pairs.module(name)
            path = self.write(f"{name}.rct", text)
            plan.append(f"chart {path} {len(wanted.cycles)}")
            plan += [f"in {k} {port} {value}" for k, cycle in enumerate(wanted.cycles) for port, value in cycle.given.items()]
            all_wanted.append((name, wanted, self.outputs(path)))
        said = call(OPTIONS.build / "tests" / "play_chart", self.folder, input="\n".join(plan) + "\n").stdout
        blocks = [block.splitlines()[1:] for block in said.split("chart ")[1:]]
        self.assertEqual(len(blocks), len(all_wanted))
        for (name, wanted, outputs), lines in zip(all_wanted, blocks):
            with self.subTest(name):
                self.assertEqual(len(lines), len(wanted.cycles), lines[-1:])
                for k, (line, cycle) in enumerate(zip(lines, wanted.cycles)):
                    self.look(name, dict(cell.split("=", 1) for cell in line.split("\t")), cycle, outputs, k)

    def test_all_pairs_are_there(self):
        """Both one behind the other and one in a state; and each construct, by what is written in its piece, is one of the language."""
        seen = {m.label for name in pairs.PIECES for m in pairs.machines_of(name)}
        for first, second in itertools.product(pairs.PIECES, repeat=2):
            self.assertIn(f"{first} then {second}", seen)
            self.assertIn(f"{first} in a state, then {second}", seen)
        self.assertEqual(len(seen), 2 * len(pairs.PIECES) ** 2)
        text = "".join(pairs.module(name)[0] for name in pairs.PIECES)
        for word in ("entry", "during", "exit", "initial", "final", "junction", "probabilistic", "probability", "state", "trigger", "condition",
                     "else", "action", "clock", "since (", "sinceEntry (", "#", "<{", "wait ( 2", "wait ( [", "? v", "! ", " . 6", "skip", "if ",
                     "terminates", "postcondition", "opref", "function", "enumeration", "record", "Seq (", "vector (", "boolean", "exists",
                     "forall", "let", "in {", "_async", "var ", "event "):
            self.assertIn(word, text)


if __name__ == "__main__":
    main()
