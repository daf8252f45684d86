# SPDX-License-Identifier: MIT
"""What the tests of `hocket export` share. Run by the Python of .venv; exit status 77: skipped."""
import argparse
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
OPTIONS = argparse.Namespace()


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {key: value for key, value in os.environ.items()
                            if key not in ("CC", "SOURCE_DATE_EPOCH")}
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cache")

    def run_hocket(self, *words, status=0, cwd=None, **environment):
        """Runs hocket and returns what it says on standard error."""
        done = subprocess.run([OPTIONS.hocket, *map(str, words)], cwd=cwd or self.folder, timeout=120,
                              env={**self.environment, **environment}, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def export(self, component, fmi, *words, name=None):
        """Exports to an FMU in the folder of the test and returns its path."""
        fmu = self.folder / f"{name or pathlib.Path(component).stem}{fmi}.fmu"
        self.run_hocket("export", component, "--fmi", fmi, "-o", fmu, "-q", *words)
        return fmu

    def info(self, fmu):
        """What hocket reads in it."""
        done = subprocess.run([OPTIONS.hocket, "info", "--json", fmu], cwd=self.folder, timeout=120,
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def open(self, fmu, name="x"):
        """An instance of FMPy's class for the version of FMI."""
        import fmpy
        from fmpy.fmi1 import FMU1Slave
        from fmpy.fmi2 import FMU2Slave
        from fmpy.fmi3 import FMU3Slave
        about = fmpy.read_model_description(str(fmu))
        unpacked = fmpy.extract(str(fmu), unzipdir=tempfile.mkdtemp(dir=self.folder))
        kind = {"1.0": FMU1Slave, "2.0": FMU2Slave}.get(about.fmiVersion, FMU3Slave)
        instance = kind(guid=about.guid, unzipDirectory=unpacked, instanceName=name,
                        modelIdentifier=about.coSimulation.modelIdentifier)
        if about.fmiVersion == "1.0":
            # FMPy 0.3 takes the status of some functions for a text, and crashes when it is not 0.
            for call, function in instance._functions.items():
                if function.restype is ctypes.c_char_p and call not in ("fmi1GetVersion",
                                                                        "fmi1GetTypesPlatform"):
                    function.restype = ctypes.c_int
        instance.instantiate(loggingOn=False)
        self.addCleanup(instance.freeInstance)
        return instance, {v.name: v for v in about.modelVariables}


def plugin(*parts):
    return OPTIONS.build.joinpath(*parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hocket", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    try:
        import fmpy  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
