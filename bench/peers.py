#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other tools on the quarter truck's FMUs, and on the ship's, beside hocket, in one session: ./dev bench peers

Each tool does 1 ms Jacobi steps without recording anything, three runs, the fastest counts. Loading
and initialisation are not measured. A tool that is not installed is named with the reason."""
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import peers_ship

BUILD = Path(__file__).resolve().parents[1] / "build"
RUNS = 3
STEP = 0.001
# from component, output, to component, input
WIRES = [("chassis", "p.e", "wheel", "p1.e"), ("wheel", "p1.f", "chassis", "p.f"),
         ("wheel", "p.e", "ground", "p.e"), ("ground", "p.f", "wheel", "p.f")]
NAMES = ["chassis", "wheel", "ground"]


def measure_fmpy(folder, steps):
    """A hand-written Jacobi loop over FMPy's FMU2Slave: the fastest that FMPy offers."""
    from fmpy import extract, read_model_description
    from fmpy.fmi2 import FMU2Slave

    slaves, refs = {}, {}
    for name in NAMES:
        archive = str(folder / f"{name}.fmu")
        description = read_model_description(archive)
        unpacked = extract(archive, unzipdir=str(folder / f"fmpy_{name}"))
        refs[name] = {v.name: v.valueReference for v in description.modelVariables}
        slave = FMU2Slave(guid=description.guid, unzipDirectory=unpacked, instanceName=name,
                          modelIdentifier=description.coSimulation.modelIdentifier)
        slave.instantiate()
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        slaves[name] = slave
    gets = [(slaves[n], [refs[n][w[1]] for w in WIRES if w[0] == n]) for n in NAMES]
    order = [i for n in NAMES for i, w in enumerate(WIRES) if w[0] == n]
    sets = [(slaves[n], [refs[n][w[3]] for w in WIRES if w[2] == n],
             [order.index(i) for i, w in enumerate(WIRES) if w[2] == n]) for n in NAMES]
    every = [slaves[n] for n in NAMES]

    begin = time.perf_counter()
    for k in range(steps):
        values = [v for slave, r in gets for v in slave.getReal(r)]
        for slave, r, at in sets:
            slave.setReal(r, [values[i] for i in at])
        for slave in every:
            slave.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
    seconds = time.perf_counter() - begin
    for slave in every:
        slave.terminate()
        slave.freeInstance()
    return seconds / steps


def measure_libcosimpy(folder, steps):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.ERROR)
    execution = CosimExecution.from_step_size(step_size=int(STEP * 1e9))
    index, refs = {}, {}
    for name in NAMES:
        slave = CosimLocalSlave(fmu_path=str(folder / f"{name}.fmu"), instance_name=name)
        index[name] = execution.add_local_slave(slave)
    for name in NAMES:
        refs[name] = {v.name.decode(): v.reference
                      for v in execution.slave_variables(slave_index=index[name])}
    for source, output, target, variable in WIRES:
        execution.connect_real_variables(index[source], refs[source][output], index[target],
                                         refs[target][variable])
    execution.step()  # loads and initialises
    begin = time.perf_counter()
    execution.step(step_count=steps)
    return (time.perf_counter() - begin) / steps


def measure_omsimulator(folder, steps):
    del folder, steps
    import OMSimulator  # noqa: F401
    raise ImportError("installed, but not driven by this script")


# name, package, how it is measured, steps of a run, why it may be missing
PEERS = [
    ("FMPy", "fmpy", measure_fmpy, 20000, "pip could not fetch it"),
    ("libcosimpy", "libcosimpy", measure_libcosimpy, 50000, "pip has no package for this Python"),
    ("OMSimulator", "omsimulator", measure_omsimulator, 20000,
     "its package on PyPI fetches the program from another server, so pip alone cannot install it"),
]


def measure_hocket():
    """Nanoseconds per step, from the same benchmark that ./dev bench runs."""
    out = subprocess.run([BUILD / "bench/bench", "--json", "--quick", "--slack=1000", "truck"],
                         check=True, capture_output=True, text=True).stdout
    results = {r["metric"]: r["value"] for r in map(json.loads, out.splitlines())}
    return results["engine, per step"]


def report(as_json, name, ns, ratio):
    if as_json:
        for metric, value, unit in (("per step", ns, "ns"), ("peer / hocket", ratio, "")):
            print(json.dumps({"case": f"peers: {name}", "metric": metric, "value": value,
                              "limit": None, "unit": unit}))
    else:
        print(f"{'peers':8} {name:34} {ns:12.0f} ns     {ratio:.1f} times hocket", flush=True)


def main():
    as_json = "--json" in sys.argv[1:]
    folder = Path(tempfile.mkdtemp())
    try:
        with zipfile.ZipFile(BUILD / "models/quarter_truck.ssp") as package:
            for name in NAMES:
                (folder / f"{name}.fmu").write_bytes(package.read(f"resources/{name}.fmu"))
        hocket = min(measure_hocket() for _ in range(RUNS))
        report(as_json, "hocket", hocket, 1.0)
        for name, package, measure, steps, reason in PEERS:
            try:
                ns = min(measure(folder, steps) for _ in range(RUNS)) * 1e9
                version = importlib.metadata.version(package)
            except ImportError:
                print(f"peers: {name}: not available from pip here: {reason}", file=sys.stderr)
                continue
            report(as_json, f"{name} {version}", ns, ns / hocket)
    finally:
        shutil.rmtree(folder)
    peers_ship.main(lambda name, ns, ratio: report(as_json, name, ns, ratio), RUNS)


if __name__ == "__main__":
    main()
