# SPDX-License-Identifier: MIT
"""What the tests of this folder share: small FMUs in C, made with the standard's own names of headers, and a place to
run hocket in. Standard library only."""
import os
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case  # noqa: E402
from hocket_case import OPTIONS, TIMEOUT_S, main, quick_cc, wait_until  # noqa: E402,F401  (for the tests)

PLATFORM = {1: "linux64", 2: "linux64", 3: "x86_64-linux"}

# y grows by k * u; the model says something when it is made. EXTRA_STEP, EXTRA_INSTANTIATE and HEAD are for the tests.
CODE = {
    1: """
#include "fmiFunctions.h"
#include <stdlib.h>
#include <string.h>
/*HEAD*/
typedef struct { fmiReal u, k, y; fmiCallbackFunctions f; fmiBoolean loud; char name[100]; } m;
const char *fmiGetTypesPlatform(void) { return fmiPlatform; }
const char *fmiGetVersion(void) { return fmiVersion; }
fmiStatus fmiSetDebugLogging(fmiComponent c, fmiBoolean on) { ((m *)c)->loud = on; return fmiOK; }
fmiComponent fmiInstantiateSlave(fmiString name, fmiString guid, fmiString location, fmiString mime, fmiReal timeout,
                                 fmiBoolean visible, fmiBoolean interactive, fmiCallbackFunctions f, fmiBoolean log) {
    m *x = f.allocateMemory(1, sizeof(m));
    fmiCallbackLogger logger = f.logger;
    x->k = 1; x->f = f; x->loud = log;
    strncpy(x->name, name, 99);
    if (x->loud) logger(x, name, fmiOK, "talk", "made %s", name);
    /*INSTANTIATE*/
    return x;
}
fmiStatus fmiInitializeSlave(fmiComponent c, fmiReal t, fmiBoolean s, fmiReal e) { return fmiOK; }
fmiStatus fmiTerminateSlave(fmiComponent c) { return fmiOK; }
fmiStatus fmiResetSlave(fmiComponent c) { return fmiOK; }
void fmiFreeSlaveInstance(fmiComponent c) { ((m *)c)->f.freeMemory(c); }
fmiStatus fmiSetReal(fmiComponent c, const fmiValueReference r[], size_t n, const fmiReal v[]) {
    for (size_t i = 0; i < n; i++) (&((m *)c)->u)[r[i]] = v[i];
    return fmiOK;
}
fmiStatus fmiGetReal(fmiComponent c, const fmiValueReference r[], size_t n, fmiReal v[]) {
    for (size_t i = 0; i < n; i++) v[i] = (&((m *)c)->u)[r[i]];
    return fmiOK;
}
fmiStatus fmiDoStep(fmiComponent c, fmiReal t, fmiReal h, fmiBoolean new_step) {
    m *x = c;
    x->y = x->y + x->k * h + h * h / 3.0;
    /*STEP*/
    return fmiOK;
}
""",
    2: """
#include "fmi2Functions.h"
#include <stdlib.h>
#include <string.h>
/*HEAD*/
typedef struct { fmi2Real u, k, y; const fmi2CallbackFunctions *f; fmi2Boolean loud; char name[100]; } m;
const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    ((m *)c)->loud = on;
    return fmi2OK;
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *f, fmi2Boolean visible, fmi2Boolean log) {
    m *x = (m *)f->allocateMemory(1, sizeof(m));
    fmi2CallbackLogger logger = f->logger;
    x->k = 1; x->f = f; x->loud = log;
    strncpy(x->name, name, 99);
    if (x->loud) logger(f->componentEnvironment, name, fmi2OK, "talk", "made %s", name);
    /*INSTANTIATE*/
    return x;
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real tol, fmi2Real t, fmi2Boolean sd, fmi2Real e) {
    return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { return fmi2OK; }
void fmi2FreeInstance(fmi2Component c) { ((m *)c)->f->freeMemory(c); }
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
    for (size_t i = 0; i < n; i++) (&((m *)c)->u)[r[i]] = v[i];
    return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    for (size_t i = 0; i < n; i++) v[i] = (&((m *)c)->u)[r[i]];
    return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set) {
    m *x = (m *)c;
    x->y = x->y + x->k * h + h * h / 3.0;
    /*STEP*/
    return fmi2OK;
}
""",
    3: """
#include "fmi3Functions.h"
#include <stdlib.h>
#include <string.h>
/*HEAD*/
typedef struct { fmi3Float64 u, k, y; fmi3InstanceEnvironment e; fmi3LogMessageCallback log; fmi3Boolean loud; } m;
const char *fmi3GetVersion(void) { return fmi3Version; }
fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    ((m *)c)->loud = on;
    return fmi3OK;
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
        fmi3Boolean loud, fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference refs[], size_t n,
        fmi3InstanceEnvironment e, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    m *x = (m *)calloc(1, sizeof(m));
    x->k = 1; x->e = e; x->log = log; x->loud = loud;
    if (x->loud) log(e, fmi3OK, "talk", "made");
    /*INSTANTIATE*/
    return x;
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean td, fmi3Float64 tol, fmi3Float64 t, fmi3Boolean sd,
                                       fmi3Float64 e) { return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Reset(fmi3Instance c) { return fmi3OK; }
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[], size_t nv) {
    for (size_t i = 0; i < n; i++) (&((m *)c)->u)[r[i]] = v[i];
    return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t nv) {
    for (size_t i = 0; i < n; i++) v[i] = (&((m *)c)->u)[r[i]];
    return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set, fmi3Boolean *event,
                      fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last) {
    m *x = (m *)c;
    *event = *terminate = *early = fmi3False;
    *last = t + h;
    x->y = x->y + x->k * h + h * h / 3.0;
    /*STEP*/
    return fmi3OK;
}
""",
}

SCALARS = {
    1: """<ScalarVariable name="u" valueReference="0" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="1" variability="parameter"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output"><Real/></ScalarVariable>""",
    2: """<ScalarVariable name="u" valueReference="0" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="1" causality="parameter" variability="tunable"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output"><Real/></ScalarVariable>""",
    3: """<Float64 name="time" valueReference="9" causality="independent" variability="continuous"/>
    <Float64 name="u" valueReference="0" causality="input" start="0"/>
    <Float64 name="k" valueReference="1" causality="parameter" variability="tunable" start="1"/>
    <Float64 name="y" valueReference="2" causality="output"/>""",
}


def description(fmi, inside="", attributes="", categories=""):
    """modelDescription.xml; INSIDE is in CoSimulation."""
    logs = f"<LogCategories>{categories}</LogCategories>" if categories else ""
    if fmi == 1:
        return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="1.0" modelName="grow" modelIdentifier="grow" guid="g" numberOfContinuousStates="0"
 numberOfEventIndicators="0"><ModelVariables>{SCALARS[1]}</ModelVariables>
 <Implementation><CoSimulation_StandAlone><Capabilities canHandleVariableCommunicationStepSize="true" {attributes}/>
 </CoSimulation_StandAlone></Implementation></fmiModelDescription>"""
    head = 'guid="g"' if fmi == 2 else 'instantiationToken="g"'
    outputs = ('<Outputs><Unknown index="3" dependencies=""/></Outputs><InitialUnknowns><Unknown index="3"/></InitialUnknowns>' if fmi == 2
               else '<Output valueReference="2" dependencies=""/><InitialUnknown valueReference="2"/>')
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{fmi}.0" modelName="grow" {head}>
 <CoSimulation modelIdentifier="grow" canHandleVariableCommunicationStepSize="true" {attributes}>{inside}</CoSimulation>
 {logs}<ModelVariables>{SCALARS[fmi]}</ModelVariables><ModelStructure>{outputs}</ModelStructure>
</fmiModelDescription>"""


def code(fmi, **parts):
    """The sources; HEAD=, STEP= and INSTANTIATE= put text into them."""
    text = CODE[fmi]
    for name, part in parts.items():
        text = text.replace(f"/*{name}*/", part)
    return text


class Case(hocket_case.Case):
    """A test with a folder, a cache and a folder for temporary files of its own."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.environment = hocket_case.environment(XDG_CACHE_HOME=self.cache, TMPDIR=self.temporary)

    def hocket(self, *words, status=0, **added):
        """Runs hocket and returns what it says on standard error."""
        done = super().hocket(*words, exit=status, **added)
        self.said_out = done.stdout
        return done.stderr

    def no_leftovers(self):
        self.assertEqual(os.listdir(self.temporary), [])

    def pack(self, name, files):
        path = self.folder / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, text in files.items():
                archive.writestr(entry, text)
        return path

    def source_fmu(self, fmi, files=None, name=None, inside=None, **more):
        """An FMU with nothing but sources: FILES of sources/, else one C file."""
        if files is None:
            files = {"grow.c": code(fmi)}
        if inside is None:
            inside = "<SourceFiles><File name='grow.c'/></SourceFiles>" if fmi == 2 else ""
        entries = {"modelDescription.xml": description(fmi, inside, **more)}
        entries.update({f"sources/{entry}": text for entry, text in files.items()})
        return self.pack(name or f"grow{fmi}.fmu", entries)

    def compiled_fmu(self, fmi, name=None, sources=None, **more):
        """The same with a binary, compiled here with the headers of hocket's own tree."""
        fmu = self.source_fmu(fmi, files={"grow.c": sources or code(fmi)}, name="of_" + (name or f"grow{fmi}.fmu"), **more)
        made = self.folder / (name or f"grow{fmi}.fmu")
        self.hocket("build", fmu, "-o", made, "-q")
        return made

    def record(self, fmu, *words, name="out.csv", status=0, **environment):
        self.said = self.hocket("run", fmu, "--step-size", "0.125", "--stop-time", "2", "-o", name, *words,
                                status=status, **environment)
        path = self.folder / name
        return path.read_bytes() if path.exists() else b""
