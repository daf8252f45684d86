#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`override` and `release`: what a person takes over has that value, until it is given back. Columns are computed by hand."""
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main  # noqa: E402

# A ramp 0, 1, 2, ... of metres, read by one in metres and one in centimetres; a constant that nothing drives.
SYSTEM = """system bench {
  composite all {
    leaf one : hk.Constant { period 1s; param value = 1; }
    leaf sum : hk.Integrator { period 1s; }
    leaf far : hk.Gain { period 1s; param gain = 100; }
    leaf near : hk.Gain { period 1s; }
    link one.y -> sum.u;
    link sum.y -> far.u, near.u;
  }
}
"""
HEAD = "Simulation s (s)\nsystem bench;\nsimulationTime [0, 8]:1;\n"
LOGS = 'logs { a.csv timed(1) { "bench.all.sum.y"; "bench.all.far.u"; "bench.all.near.u"; "bench.all.one.y"; "bench.all.one.value"; } }'


class Override(Case):
    def setUp(self):
        super().setUp()
        self.write("bench.system", SYSTEM)

    def simulation(self, events, begin="", name="s.simulation"):
        self.write(name, f"{HEAD}scenarios {{ Scenario x {begin} events {{ {events} }} {LOGS} }}\n")
        return name

    def columns(self, events, *words, begin="", out="out"):
        done = self.hocket("run", self.simulation(events, begin), "-o", out, *words)
        rows = list(csv.reader((self.folder / out / "a.csv").read_text().splitlines()))
        return [list(map(float, column)) for column in list(zip(*rows[1:]))[1:]], done

    def test_input(self):
        """A connected input: it alone gets the value; faults do not matter, and a repair does not end it."""
        events = ('instant 2 { override "bench.all.far.u" = 50; } instant 3 { fault "bench.all.sum.y" -> "bench.all.far.u" bias 7; } '
                  'instant 5 { repair "bench.all.sum.y" -> "bench.all.far.u"; } instant 6 { release "bench.all.far.u"; }')
        (total, far, near, _, _), _ = self.columns(events)
        (plain, gets, _, _, _), _ = self.columns("")
        self.assertEqual(total, plain)
        self.assertEqual(near, gets)
        self.assertEqual(far, [50 if 2 <= t < 6 else x for t, x in enumerate(gets)])

    def test_second_takes_the_place_of_the_first(self):
        (_, far, _, _, _), _ = self.columns('instant 2 { override "bench.all.far.u" = 5; } instant 4 { override "bench.all.far.u" = 6; }')
        self.assertEqual(far[2:], [5, 5, 6, 6, 6, 6, 6])

    def test_output(self):
        """All that it is connected to get the value; it shows what it computes."""
        events = 'instant 2 { override "bench.all.sum.y" = -1; } instant 4 { release "bench.all.sum.y"; }'
        (total, far, near, _, _), _ = self.columns(events)
        (plain, gets, _, _, _), _ = self.columns("")
        self.assertEqual(total, plain)
        for column in (far, near):
            self.assertEqual(column, [-1 if 2 <= t < 4 else x for t, x in enumerate(gets)])

    def test_parameter(self):
        """What is set meanwhile lies beneath."""
        events = ('instant 1 { override "bench.all.one.value" = 5; } instant 2 { "bench.all.one.value" = 3; } '
                  'instant 3 { release "bench.all.one.value"; } instant 4 { override "bench.all.one.value" = 9; '
                  'ramp "bench.all.one.value" to 5 over 2; } instant 5 { release "bench.all.one.value"; } '
                  'during [7, 8] { "bench.all.one.value" = 0; }')
        (_, _, _, _, value), done = self.columns(events, "--verbose")
        # the ramp begins at 3, beneath: 4 at 5 s, 5 at 6 s
        self.assertEqual(value, [1, 5, 5, 3, 9, 4, 5, 0, 0])
        self.assertIn("1 s: override one.value = 5", done.stdout + done.stderr)
        self.assertIn("3 s: release one.value", done.stdout + done.stderr)

    def test_during_beneath(self):
        """A window sets and puts back beneath an override; who releases it inside of the window sees the window's value."""
        events = ('during [2, 6] { "bench.all.one.value" = 4; } instant 1 { override "bench.all.one.value" = 9; } '
                  'instant 4 { release "bench.all.one.value"; }')
        (_, _, _, _, value), _ = self.columns(events)
        self.assertEqual(value, [1, 9, 9, 9, 4, 4, 1, 1, 1])

    def test_begin(self):
        (_, far, _, _, value), _ = self.columns(
            'instant 3 { release "bench.all.far.u"; release "bench.all.one.value"; }',
            begin='begin { override "bench.all.far.u" = 2; override "bench.all.one.value" = 3; }')
        self.assertEqual(far[:3], [2, 2, 2])
        self.assertEqual(value, [3, 3, 3] + [1] * 6)

    def test_states_and_nodes(self):
        """The same bytes on nodes, and from a state within the override."""
        events = ('instant 1 { override "bench.all.far.u" = 50; override "bench.all.one.value" = 5; } instant 2 { "bench.all.one.value" = 3; } '
                  'instant 6 { release "bench.all.far.u"; release "bench.all.one.value"; }')
        self.columns(events, out="whole")
        whole = (self.folder / "whole" / "a.csv").read_bytes()
        for nodes in (2, 4):
            self.columns(events, "--nodes", str(nodes), out=f"nodes{nodes}")
            self.assertEqual((self.folder / f"nodes{nodes}" / "a.csv").read_bytes(), whole)
        self.columns(events, "--stop-time", "4", "--save-state", "at4.state", out="half")
        for more in ([], ["--nodes", "2"]):
            self.columns(events, "--load-state", "at4.state", *more, out="rest")
            rest = (self.folder / "rest" / "a.csv").read_bytes()
            self.assertTrue(whole.endswith(rest.split(b"\n", 1)[1]))
            self.assertGreater(len(rest), 100)

    def test_wrong(self):
        """What cannot be is refused, at its place."""
        for events, words in [
            ('during [1, 2] { override "bench.all.far.u" = 2; }', "is not allowed in 'during'"),
            ('instant 1 { override "bench.all.far.y" = 2; }', "nothing is connected to 'far.y'"),
            ('instant 1 { override "bench.all.far.u" = "abc"; }', "abc"),
            ('instant 1 { override "bench.all.far.z" = 2; }', "no 'z' in 'far'"),
            ('instant 1 { override "bench.all.far.u"; }', "expected '='"),
            ('instant 1 { fault "bench.all.sum.y" override 2; }', "override"),
        ]:
            done = self.hocket("check", self.simulation(events), exit=None)
            self.assertIn(done.returncode, (1, 3))
            self.assertIn(words, done.stdout + done.stderr)
            self.assertIn("s.simulation:4:", done.stdout + done.stderr)
        _, done = self.columns('instant 1 { release "bench.all.far.u"; release "bench.all.one.value"; }')
        self.assertEqual(done.stderr.count("changes nothing: it is not overridden"), 2, done.stderr)

    def test_fmt(self):
        name = self.simulation('instant 1 { override  "bench.all.far.u"=2 ; release"bench.all.far.u" ; }')
        self.hocket("fmt", "--write", name)
        text = (self.folder / name).read_text()
        self.assertIn('override "bench.all.far.u" = 2;', text)
        self.assertIn('release "bench.all.far.u";', text)


main()
