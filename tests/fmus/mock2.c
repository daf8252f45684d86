/* SPDX-License-Identifier: MIT
 *
 * The mock of FMI 2.0; its rules are the rows of the standard's table for co-simulation. Value
 * reference 1 is an input, which may not be set before initialization mode. */
#include "fmi/fmi2_export.h"
#include "mock.h"

#define ALL "IMCFEKTX"
static const mock_rule rules[] = {
    {"SetupExperiment", "I"},
    {"EnterInitializationMode", "I"},
    {"ExitInitializationMode", "M"},
    {"SetReal", "IMC"},
    {"GetReal", "MCET"},
    {"SetRealInputDerivatives", "IMC"},
    {"GetRealOutputDerivatives", "CEKT"},
    {"DoStep", "C"},
    {"CancelStep", "P"},
    {"GetStatus", "CPFET"},
    {"GetRealStatus", "CPFET"},
    {"GetBooleanStatus", "CPFET"},
    {"Terminate", "CFE"},
    {"Reset", ALL},
    {"FreeInstance", ALL},
    {"GetFMUstate", "IMCET"},
    {"SetFMUstate", ALL},
    {"FreeFMUstate", ALL},
    {"SerializedFMUstateSize", ALL},
    {"SerializeFMUstate", ALL},
    {"DeSerializeFMUstate", ALL},
    {0},
};
MOCK_DOORS(rules)

static int saved; /* what states point to */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}
const char *fmi2GetVersion(void) {
    return "2.0";
}
/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible;
    (void)logging;
    book = (mock_book){.state = 'I'};
    return &book;
}
void fmi2FreeInstance(fmi2Component c) {
    (void)c;
    plain_call(rules, "FreeInstance", 0);
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean sd, fmi2Real stop) {
    (void)c, (void)td, (void)tolerance, (void)start;
    book.stop = sd ? stop : 0;
    return (fmi2Status)plain_call(rules, "SetupExperiment", 0);
}
#define SIMPLE(name, state)                                                                        \
    fmi2Status fmi2##name(fmi2Component c) {                                                       \
        (void)c;                                                                                   \
        return (fmi2Status)plain_call(rules, #name, state);                                        \
    }
SIMPLE(EnterInitializationMode, 'M')
SIMPLE(ExitInitializationMode, 'C')
SIMPLE(Terminate, 'T')
SIMPLE(Reset, 'I')
SIMPLE(CancelStep, 'K')

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       fmi2Real values[]) {
    (void)c, (void)refs;
    for (size_t i = 0; i < n; i++)
        values[i] = book.stop;
    return (fmi2Status)plain_call(rules, "GetReal", 0);
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       const fmi2Real values[]) {
    (void)c, (void)n, (void)values;
    book.illegal += refs[0] == 1 && book.state == 'I';
    return (fmi2Status)plain_call(rules, "SetReal", 0);
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                       const fmi2Integer order[], const fmi2Real values[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)values;
    return (fmi2Status)plain_call(rules, "SetRealInputDerivatives", 0);
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                        const fmi2Integer order[], fmi2Real values[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)values;
    return (fmi2Status)plain_call(rules, "GetRealOutputDerivatives", 0);
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before) {
    (void)c, (void)t, (void)h, (void)no_set_state_before;
    return (fmi2Status)make_step(rules, 2);
}
fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
    (void)c, (void)kind;
    fmi2Status status = (fmi2Status)plain_call(rules, "GetStatus", 0);
    void (*asked)(void) = book.asked;
    book.asked = NULL;
    *value = fmi2OK;
    if (asked)
        asked(); /* the step is still in progress */
    book.state = book.state == 'P' ? 'C' : book.state;
    return status;
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    (void)c, (void)kind;
    *value = 0;
    return (fmi2Status)plain_call(rules, "GetRealStatus", 0);
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    (void)c, (void)kind;
    *value = book.ends;
    return (fmi2Status)plain_call(rules, "GetBooleanStatus", 0);
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    *state = &saved;
    return (fmi2Status)plain_call(rules, "GetFMUstate", 0);
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    (void)c, (void)state;
    return (fmi2Status)plain_call(rules, "SetFMUstate", restored());
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    *state = NULL;
    return (fmi2Status)plain_call(rules, "FreeFMUstate", 0);
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c, (void)state;
    *size = 1;
    return (fmi2Status)plain_call(rules, "SerializedFMUstateSize", 0);
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    (void)c, (void)state;
    memset(bytes, 0, size);
    return (fmi2Status)plain_call(rules, "SerializeFMUstate", 0);
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    (void)c, (void)bytes, (void)size;
    *state = &saved;
    return (fmi2Status)plain_call(rules, "DeSerializeFMUstate", 0);
}
