#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs on nodes while all processors are busy give the bytes of one process: random graphs of twelve nodes, and with
HK_SLOW=1 all systems ten times on 1, 2, 4 and 8 nodes over both transports. same_test.py does two of them three times."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from busy import busy
from hocket_case import SLOW, Case, main, slow

TIMES = 10 if SLOW else 1
NODES = (1, 2, 4, 8)
TRANSPORTS = ("shm", "unix")
LEAVES = 12
INPUTS = {"hk.Sine": "", "hk.Noise": "", "hk.Sum": "abcd", "hk.Delay": "u", "hk.Integrator": "u"}


def random_system(seed):
    """Twelve components of random rates and offsets, each on a processor of its own. What leads forward may be
    without lag, what leads back has one, and initial values of its own: so no loop of them needs one node."""
    dice = random.Random(seed)
    kinds = ["hk.Sine", "hk.Noise"] + [dice.choice(["hk.Sum"] * 4 + ["hk.Delay", "hk.Integrator"]) for _ in range(LEAVES - 2)]
    lines = ["system twelve {", "  composite all {"]
    links = []
    for i, kind in enumerate(kinds):
        ticks = dice.choice([1, 2, 2, 4, 5, 10])
        more = "".join(f" param gain_{x} = {dice.choice([-0.2, 0.1, 0.2])};" for x in INPUTS[kind] if x != "u")
        lines.append(f"    leaf c{i} : {kind} {{ period {ticks / 1000}; offset {dice.randrange(ticks) / 1000};{more} }}")
        for name in INPUTS[kind]:
            source = dice.randrange(LEAVES)
            lag = "lag current" if source < i and dice.random() < 0.6 else "lag previous"
            delay = f" delay {dice.randrange(1, 9) / 1000}" if dice.random() < 0.2 else ""
            links.append(f"    link c{source}.y -> c{i}.{name} {lag}{delay} initial {dice.uniform(-1, 1):.3f};")
    lines += links + [f"    processor p{i}: c{i};" for i in range(LEAVES)] + ["  }", "}"]
    return "\n".join(lines) + "\n"


class Load(Case):
    def read(self, to, name):
        return (self.folder / to / name if name else self.folder / to).read_bytes()

    def compare(self, file, *words, nodes=NODES, folder=False):
        """All logs of a simulation (FOLDER), or the record, TIMES times."""
        first, to = ("one", "many") if folder else ("one.csv", "many.csv")
        self.hocket("run", file, *words, "-q", "-o", first)
        names = sorted(p.name for p in (self.folder / "one").glob("*.csv")) if folder else [""]
        self.assertTrue(names)
        with busy():
            for _ in range(TIMES):
                for count in nodes:
                    for transport in TRANSPORTS:
                        self.hocket("run", file, *words, "-q", "--nodes", count, "--transport", transport, "-o", to)
                        for name in names:
                            same = self.read(first, name) == self.read(to, name)
                            self.assertTrue(same, f"{name} on {count} nodes over {transport}")

    def test_random_graphs_of_twelve_nodes(self):
        for seed in range(6 if SLOW else 2):
            with self.subTest(seed=seed):
                self.write("twelve.system", random_system(seed))
                self.compare("twelve.system", "--stop-time", "0.3", "--output-variable", "*", nodes=(LEAVES, 5) if SLOW else (LEAVES,))

    @slow
    def test_rosace(self):
        self.compare(self.options.models / "r_rosace.ssp", "--stop-time", "2")

    @slow
    def test_rosace_cut_for_hla(self):
        self.compare(self.options.models / "r_rosace.ssp", "--stop-time", "2", "--schedule", self.options.models / "e2.schedule")

    @slow
    def test_truck(self):
        self.compare(self.options.models / "quarter_truck.ssp", "--stop-time", "1")

    @slow
    def test_truck_of_fmi_3(self):
        self.compare(self.options.models / "quarter_truck_fmi3.ssp", "--stop-time", "1")

    @slow
    def test_the_vehicle_under_water(self):
        self.compare(self.options.models / "auv/AuvSimulation.simulation", "--run", "0", "--stop-time", "20", folder=True)

    @slow
    def test_the_aircraft(self):
        self.compare(self.options.models / "uav/search.simulation", "--stop-time", "400", folder=True)


if __name__ == "__main__":
    main()
