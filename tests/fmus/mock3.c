/* SPDX-License-Identifier: MIT
 *
 * The mock of FMI 3.0, without event mode, which the importer does not ask for. An error leads to
 * where a termination leads, too. */
#include "fmi/fmi3_export.h"
#include "mock.h"

#define ALL "IGMCRTX"
static const mock_rule rules[] = {
    {"EnterInitializationMode", "I"},
    {"ExitInitializationMode", "M"},
    {"EnterConfigurationMode", "IC"},
    {"ExitConfigurationMode", "GR"},
    {"EnterEventMode", ""},
    {"SetFloat64", "IMC"},
    {"SetUInt64", "GR"}, /* the structural parameter */
    {"GetFloat64", "MCTX"},
    {"GetOutputDerivatives", "CTX"},
    {"DoStep", "C"},
    {"Terminate", "C"},
    {"Reset", ALL},
    {"FreeInstance", ALL},
    {"GetFMUState", ALL},
    {"SetFMUState", ALL},
    {"FreeFMUState", ALL},
    {"SerializedFMUStateSize", ALL},
    {"SerializeFMUState", ALL},
    {"DeserializeFMUState", ALL},
    {0},
};
MOCK_DOORS(rules)

static int saved; /* what states point to */

const char *fmi3GetVersion(void) {
    return "3.0";
}
fmi3Instance /* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                            fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used,
                            fmi3Boolean early_return_allowed,
                            const fmi3ValueReference intermediate[], size_t intermediate_count,
                            fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
                            fmi3IntermediateUpdateCallback *update) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)early_return_allowed, (void)intermediate, (void)intermediate_count, (void)environment;
    (void)log, (void)update;
    book = (mock_book){.state = event_mode_used ? 'X' : 'I'};
    return &book;
}
void fmi3FreeInstance(fmi3Instance i) {
    (void)i;
    plain_call(rules, "FreeInstance", 0);
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean td, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean sd, fmi3Float64 stop) {
    (void)i, (void)td, (void)tolerance, (void)start;
    book.stop = sd ? stop : 0;
    return (fmi3Status)plain_call(rules, "EnterInitializationMode", 'M');
}
#define SIMPLE(name, state)                                                                        \
    fmi3Status fmi3##name(fmi3Instance i) {                                                        \
        (void)i;                                                                                   \
        return (fmi3Status)plain_call(rules, #name, state);                                        \
    }
SIMPLE(ExitInitializationMode, 'C')
SIMPLE(EnterEventMode, 0)
SIMPLE(Terminate, 'T')
SIMPLE(Reset, 'I')
SIMPLE(EnterConfigurationMode, book.state == 'C' ? 'R' : 'G')
SIMPLE(ExitConfigurationMode, book.state == 'R' ? 'C' : 'I')

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          fmi3Float64 values[], size_t value_count) {
    (void)i, (void)refs, (void)n;
    for (size_t k = 0; k < value_count; k++)
        values[k] = book.stop;
    return (fmi3Status)plain_call(rules, "GetFloat64", 0);
}
fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          const fmi3Float64 values[], size_t value_count) {
    (void)i, (void)refs, (void)n, (void)values, (void)value_count;
    return (fmi3Status)plain_call(rules, "SetFloat64", 0);
}
fmi3Status fmi3SetUInt64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const fmi3UInt64 values[], size_t value_count) {
    (void)i, (void)refs, (void)n, (void)values, (void)value_count;
    return (fmi3Status)plain_call(rules, "SetUInt64", 0);
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t value_count) {
    (void)i, (void)refs, (void)n, (void)orders, (void)values, (void)value_count;
    return (fmi3Status)plain_call(rules, "GetOutputDerivatives", 0);
}
/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
    (void)i, (void)no_set_state_before;
    *event_needed = *early_return = false;
    *terminate = book.ends;
    *last_time = t + h;
    return (fmi3Status)make_step(rules, 3);
}
fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state) {
    (void)i;
    *state = &saved;
    return (fmi3Status)plain_call(rules, "GetFMUState", 0);
}
fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
    (void)i, (void)state;
    return (fmi3Status)plain_call(rules, "SetFMUState", restored());
}
fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state) {
    (void)i;
    *state = NULL;
    return (fmi3Status)plain_call(rules, "FreeFMUState", 0);
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size) {
    (void)i, (void)state;
    *size = 1;
    return (fmi3Status)plain_call(rules, "SerializedFMUStateSize", 0);
}
fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    (void)i, (void)state;
    memset(bytes, 0, size);
    return (fmi3Status)plain_call(rules, "SerializeFMUState", 0);
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state) {
    (void)i, (void)bytes, (void)size;
    *state = &saved;
    return (fmi3Status)plain_call(rules, "DeserializeFMUState", 0);
}
