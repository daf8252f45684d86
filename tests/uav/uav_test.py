#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The search with three aircraft: what happens in it, its picture, and the same hash however it is run."""
import json
import pathlib
import shlex
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]
import same_hash  # noqa: E402
from golden import Golden  # noqa: E402
from hocket_case import SLOW, Case, main  # noqa: E402

ROOT = HERE.parents[1]
UAV = ROOT / "models" / "uav"


class Uav(Case):
    def setUp(self):
        super().setUp()
        self.search = self.options.models / "uav" / "search.simulation"

    def test_what_happens(self):
        said = self.hocket("run", self.search, "-o", "out").stderr
        self.assertIn("all 5 expectations hold", said)
        # Bits that depend on no libm: a golden file is good on every machine.
        about = json.loads((self.folder / "out" / "search.csv-metadata.json").read_text(encoding="utf-8"))
        self.assertIs(about["notes"][0]["mathematics"]["depends_on_libm"], False)
        lines = (self.folder / "out" / "search.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(len(lines), 1 + 801)
        other = Golden(HERE / "expected").compare("search.csv", "".join(lines[:1] + lines[1::20]))
        self.assertIsNone(other, other)

    def test_events_are_polled(self):
        """A camera that sees nothing says so at each of its activations: a presence bit, and nothing beside it."""
        self.hocket("run", self.search, "-q", "-o", "out", "--output-variable", "kite.camera.*")
        lines = (self.folder / "out" / "record.csv").read_text(encoding="utf-8").splitlines()
        names = lines[0].split(",")
        seen, north = names.index("kite.camera.event.seen"), names.index("kite.camera.event.at.north")
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual({row[north] for row in rows if row[seen] == "0"}, {"0"})
        self.assertGreater(len({row[north] for row in rows if row[seen] == "1"}), 100)

    def test_each_vehicle_is_a_node(self):
        nodes = json.loads(self.hocket("plan", self.search, "--nodes", "4", "--json").stdout)["nodes"]
        places = [[name.split(".")[0] for name in place["components"]] for place in nodes["places"]]
        self.assertEqual(places, [["hawk"] * 3, ["kite"] * 3, ["swift"] * 3, ["wind", "target"], []])
        flows = {(f["component"], f["to"]): f for f in nodes["flows"]}
        self.assertEqual(flows["target", "node 2"]["lag_s"], 0)  # the sensor waits for it
        self.assertEqual(flows["kite.camera", "node 1"]["messages_per_s"], 10)  # the polled event
        self.assertTrue(any(v["condition"] for v in flows["kite.camera", "node 4"]["variables"]))

    def test_the_commands_of_the_readme_make_its_picture(self):
        lines = (UAV / "README.md").read_text(encoding="utf-8").splitlines()
        for verb in ("run", "plot"):
            command = next(line for line in lines if line.startswith(f"hocket {verb} "))
            words = [str(self.search) if w.endswith(".simulation") else w for w in shlex.split(command)[1:]]
            self.hocket(*words, "-q")
        self.assertEqual((self.folder / "search.svg").read_bytes(), (UAV / "search.svg").read_bytes())

    def test_the_table_of_the_document(self):
        table = same_hash.written(ROOT / "docs" / "uav.md")
        hashes = {cells[3] for cells in table}
        self.assertEqual(len(hashes), 1)
        self.assertEqual(len(table), 2 * (1 + len(same_hash.NODES) * len(same_hash.TRANSPORTS)))
        if SLOW:
            self.assertEqual(list(same_hash.rows(self.options.hocket, self.search)), table)
            return
        for words in ((), ("--nodes", "4"), ("--nodes", "3", "--transport", "unix")):
            self.assertEqual(same_hash.hash_of(self.options.hocket, self.search, *words), *hashes)


if __name__ == "__main__":
    main()
