# SPDX-License-Identifier: MIT
"""What the tests of `hocket export` share. Run by the Python of .venv; exit status 77: skipped."""
import atexit
import ctypes
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case  # noqa: E402
from hocket_case import call, environment  # noqa: E402

SHARED = pathlib.Path(tempfile.mkdtemp(prefix="hocket_export_"))
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
QUICK = hocket_case.quick_cc()
exported = {}  # what is exported from a plugin of the build is exported once


class Case(hocket_case.Case):
    """A test with a folder and a cache of its own."""

    def setUp(self):
        super().setUp()
        self.environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}

    def run_hocket(self, *words, status=0, cwd=None, **added):
        """Runs hocket and returns what it says on standard error."""
        return self.hocket(*words, exit=status, cwd=cwd, **added).stderr

    def export(self, component, fmi, *words, name=None, cc=QUICK):
        """Exports to an FMU and returns its path, in the folder of the test. CC=None: the compiler of the user, and
        his level of optimisation."""
        fmu = self.folder / f"{name or pathlib.Path(component).stem}{fmi}.fmu"
        key = (component, fmi, words, cc)
        if key not in exported:
            self.run_hocket("export", component, "--fmi", fmi, "-o", fmu, "-q", *words, **({"CC": cc} if cc else {}))
            if pathlib.Path(component).is_relative_to(self.folder):
                return fmu
            exported[key] = SHARED / f"{len(exported)}.fmu"
            shutil.copy(fmu, exported[key])
        else:
            shutil.copy(exported[key], fmu)
        return fmu

    def info(self, fmu):
        """What hocket reads in it."""
        return json.loads(self.hocket("info", "--json", fmu).stdout)

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
            for function_name, function in instance._functions.items():
                if function.restype is ctypes.c_char_p and function_name not in ("fmi1GetVersion",
                                                                                 "fmi1GetTypesPlatform"):
                    function.restype = ctypes.c_int
        instance.instantiate(loggingOn=False)
        self.addCleanup(instance.freeInstance)
        return instance, {v.name: v for v in about.modelVariables}


def plugin(*parts):
    return Case.options.build.joinpath(*parts)


def cc(*words, folder):
    """Calls the C compiler in FOLDER."""
    return call("cc", *words, cwd=folder, env=environment())


def main():
    hocket_case.need("fmpy", "numpy")
    hocket_case.main()
