#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ship (models/ship) in other tools and in hocket: eight FMUs of FMI 1.0 and 2.0 at 20 Hz, as Vico's authors
measure the vessel Gunnerus; without recording, and with all 3000 variables in CSV files. Part of peers.py."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"
OSP = BUILD / "models/ship_osp"
SSD = "{http://ssp-standard.org/SSP1/SystemStructureDescription}"
SSC = "{http://ssp-standard.org/SSP1/SystemStructureCommon}"
SSV = "{http://ssp-standard.org/SSP1/SystemStructureParameterValues}"
STEP = 0.05


def measure_hocket(folder, steps, record):
    words = ["--output-variable", "*", "-o", folder / "all.csv"] if record else []
    out = subprocess.run([BUILD / "bin/hocket", "run", BUILD / "models/ship.ssp", "--json", "-q",
                          "--stop-time", str(steps * STEP), *words], check=True, capture_output=True, text=True).stdout
    run = json.loads(out)
    return run["wall_s"] - run["init_s"]


def measure_libcosimpy(folder, steps, record):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver

    log_output_level(CosimLogLevel.ERROR)
    execution = CosimExecution.from_osp_config_file(str(OSP))
    if record:
        observer = CosimObserver.create_to_dir(log_dir=str(folder))
        execution.add_observer(observer)
    execution.step()  # initialises
    begin = time.perf_counter()
    execution.step(step_count=steps)
    if record:
        del execution, observer  # closes the files
    return time.perf_counter() - begin


class Wires:
    """What the SSD says: components, start values, and per component what it gets from where."""

    def __init__(self):
        root = ET.parse(BUILD / "models/ship/SystemStructure.ssd").getroot()
        self.files = {c.get("name"): Path(c.get("source")).name for c in root.iter(SSD + "Component")}
        self.starts = {c.get("name"): {p.get("name"): p[0].get("value") for p in c.iter(SSV + "Parameter")}
                       for c in root.iter(SSD + "Component")}
        self.all = []
        for c in root.iter(SSD + "Connection"):
            linear = c.find(SSC + "LinearTransformation")
            factor, offset = (float(linear.get(k)) for k in ("factor", "offset")) if linear is not None else (1.0, 0.0)
            self.all.append((c.get("startElement"), c.get("startConnector"), c.get("endElement"),
                             c.get("endConnector"), factor, offset))


def open_slave(folder, file, name, starts):
    from fmpy import extract, read_model_description
    from fmpy.fmi1 import FMU1Slave
    from fmpy.fmi2 import FMU2Slave

    about = read_model_description(str(OSP / file))
    refs = {v.name: v for v in about.modelVariables}
    fmi1 = about.fmiVersion == "1.0"
    slave = (FMU1Slave if fmi1 else FMU2Slave)(
        guid=about.guid, unzipDirectory=extract(str(OSP / file), unzipdir=str(folder / f"fmpy_{name}")),
        instanceName=name, modelIdentifier=about.coSimulation.modelIdentifier)
    slave.instantiate()
    for variable, value in starts.items():
        whole = refs[variable].type == "Integer"
        (slave.setInteger if whole else slave.setReal)([refs[variable].valueReference],
                                                       [int(value) if whole else float(value)])
    if fmi1:
        slave.initialize(0.0, None)
    else:
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
    return slave, {n: v.valueReference for n, v in refs.items()}


def measure_fmpy(folder, steps, record):
    """A hand-written Jacobi loop, one get and one set per unit and step. It records nothing."""
    if record:
        raise NotImplementedError
    wires = Wires()
    slaves, refs = {}, {}
    for name, file in wires.files.items():
        slaves[name], refs[name] = open_slave(folder, file, name, wires.starts[name])
    order = [w for name in slaves for w in wires.all if w[0] == name]
    gets = [(slaves[n], [refs[n][w[1]] for w in order if w[0] == n]) for n in slaves]
    sets = [(slaves[n], [refs[n][w[3]] for w in order if w[2] == n],
             [(i, w[4], w[5]) for i, w in enumerate(order) if w[2] == n]) for n in slaves]
    begin = time.perf_counter()
    for k in range(steps):
        values = [v for slave, r in gets for v in slave.getReal(r)]
        for slave, r, sources in sets:
            slave.setReal(r, [factor * values[i] + offset for i, factor, offset in sources])
        for slave in slaves.values():
            slave.doStep(k * STEP, STEP)
    seconds = time.perf_counter() - begin
    for slave in slaves.values():
        slave.terminate()
        slave.freeInstance()
    return seconds


# name, how it is measured, steps of a run without and with recording
TOOLS = [("hocket", measure_hocket, 20000, 20000), ("FMPy", measure_fmpy, 4000, 0),
         ("libcosimpy", measure_libcosimpy, 20000, 20000)]


@contextlib.contextmanager
def silence():
    """libcosim writes to the terminal, past Python."""
    keep, none = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(none, 1)
    try:
        yield
    finally:
        os.dup2(keep, 1)
        os.close(keep)
        os.close(none)


def main(report, runs):
    for record in (False, True):
        base = None
        for name, measure, *steps in TOOLS:
            count = steps[record]
            if not count:
                continue
            seconds = []
            try:
                for _ in range(runs):
                    folder = Path(tempfile.mkdtemp())
                    with silence():
                        seconds.append(measure(folder, count, record))
                    shutil.rmtree(folder)
            except ImportError:
                continue  # the quarter truck has said so
            per_step = min(seconds) / count
            base = base or per_step
            report(f"{name}, ship{', 3000 in CSV' if record else ''}: {STEP / per_step:.0f}x real time",
                   per_step * 1e9, per_step / base)
