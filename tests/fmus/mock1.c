/* SPDX-License-Identifier: MIT
 *
 * The mock of FMI 1.0. There is no initialization mode: fmiInitializeSlave leads to where steps are
 * made. States are hocket's extension, and follow FMI 2.0. */
#define HK_FMI1_ID mock1
#include "fmi/fmi1_export.h"
#include "mock.h"

#define ALL "ICFEKTX"
static const mock_rule rules[] = {
    {"InitializeSlave", "I"},
    {"SetReal", "IC"},
    {"GetReal", "CET"},
    {"SetRealInputDerivatives", "IC"},
    {"GetRealOutputDerivatives", "CEKT"},
    {"DoStep", "C"},
    {"CancelStep", "P"},
    {"GetStatus", "CPFET"},
    {"GetRealStatus", "CPFET"},
    {"TerminateSlave", "CFE"},
    {"ResetSlave", ALL},
    {"FreeSlaveInstance", ALL},
    {"GetState", "ICET"},
    {"SetState", ALL},
    {"FreeState", ALL},
    {"StateSize", ALL},
    {"SaveState", ALL},
    {"LoadState", ALL},
    {0},
};
MOCK_DOORS(rules)

static int saved; /* what states point to */

const char *FMI1_NAME(GetTypesPlatform)(void) {
    return "standard32";
}
const char *FMI1_NAME(GetVersion)(void) {
    return "1.0";
}
/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi1Component FMI1_NAME(InstantiateSlave)(fmi1String name, fmi1String guid, fmi1String location,
                                          fmi1String mime_type, fmi1Real timeout,
                                          fmi1Boolean visible, fmi1Boolean interactive,
                                          fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
    (void)name, (void)guid, (void)location, (void)mime_type, (void)timeout, (void)visible;
    (void)interactive, (void)callbacks, (void)logging;
    book = (mock_book){.state = 'I'};
    return &book;
}
void FMI1_NAME(FreeSlaveInstance)(fmi1Component c) {
    (void)c;
    plain_call(rules, "FreeSlaveInstance", 0);
}
fmi1Status FMI1_NAME(InitializeSlave)(fmi1Component c, fmi1Real start, fmi1Boolean sd,
                                      fmi1Real stop) {
    (void)c, (void)start;
    book.stop = sd ? stop : 0;
    return (fmi1Status)plain_call(rules, "InitializeSlave", 'C');
}
#define SIMPLE(name, state)                                                                        \
    fmi1Status FMI1_NAME(name)(fmi1Component c) {                                                  \
        (void)c;                                                                                   \
        return (fmi1Status)plain_call(rules, #name, state);                                        \
    }
SIMPLE(TerminateSlave, 'T')
SIMPLE(ResetSlave, 'I')
SIMPLE(CancelStep, 'K')

fmi1Status FMI1_NAME(GetReal)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                              fmi1Real values[]) {
    (void)c, (void)refs;
    for (size_t i = 0; i < n; i++)
        values[i] = book.stop;
    return (fmi1Status)plain_call(rules, "GetReal", 0);
}
fmi1Status FMI1_NAME(SetReal)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                              const fmi1Real values[]) {
    (void)c, (void)refs, (void)n, (void)values;
    return (fmi1Status)plain_call(rules, "SetReal", 0);
}
fmi1Status FMI1_NAME(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                              size_t n, const fmi1Integer order[],
                                              const fmi1Real values[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)values;
    return (fmi1Status)plain_call(rules, "SetRealInputDerivatives", 0);
}
fmi1Status FMI1_NAME(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                               size_t n, const fmi1Integer order[],
                                               fmi1Real values[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)values;
    return (fmi1Status)plain_call(rules, "GetRealOutputDerivatives", 0);
}
fmi1Status FMI1_NAME(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h,
                             fmi1Boolean no_set_state_before) {
    (void)c, (void)t, (void)h, (void)no_set_state_before;
    return (fmi1Status)make_step(rules, 1);
}
fmi1Status FMI1_NAME(GetStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Status *value) {
    (void)c, (void)kind;
    fmi1Status status = (fmi1Status)plain_call(rules, "GetStatus", 0);
    void (*asked)(void) = book.asked;
    book.asked = NULL;
    *value = fmi1OK;
    if (asked)
        asked(); /* the step is still in progress */
    book.state = book.state == 'P' ? 'C' : book.state;
    return status;
}
fmi1Status FMI1_NAME(GetRealStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Real *value) {
    (void)c, (void)kind;
    *value = 0;
    return (fmi1Status)plain_call(rules, "GetRealStatus", 0);
}
fmi1Status FMI1X_NAME(GetState)(fmi1Component c, void **state) {
    (void)c;
    *state = &saved;
    return (fmi1Status)plain_call(rules, "GetState", 0);
}
fmi1Status FMI1X_NAME(SetState)(fmi1Component c, void *state) {
    (void)c, (void)state;
    return (fmi1Status)plain_call(rules, "SetState", restored());
}
fmi1Status FMI1X_NAME(FreeState)(fmi1Component c, void **state) {
    (void)c;
    *state = NULL;
    return (fmi1Status)plain_call(rules, "FreeState", 0);
}
fmi1Status FMI1X_NAME(StateSize)(fmi1Component c, void *state, size_t *size) {
    (void)c, (void)state;
    *size = 1;
    return (fmi1Status)plain_call(rules, "StateSize", 0);
}
fmi1Status FMI1X_NAME(SaveState)(fmi1Component c, void *state, char bytes[], size_t size) {
    (void)c, (void)state;
    memset(bytes, 0, size);
    return (fmi1Status)plain_call(rules, "SaveState", 0);
}
fmi1Status FMI1X_NAME(LoadState)(fmi1Component c, const char bytes[], size_t size, void **state) {
    (void)c, (void)bytes, (void)size;
    *state = &saved;
    return (fmi1Status)plain_call(rules, "LoadState", 0);
}
