/* SPDX-License-Identifier: MIT
 *
 * The C interface of FMI 1.0 for co-simulation, declared by hocket from the text of the standard.
 * The standard's own names have no number ("fmiReal"); ours do, so that the versions can be side
 * by side. In a library every function bears the prefix "<modelIdentifier>_". */
#ifndef HK_FMI_FMI1_API_H
#define HK_FMI_FMI1_API_H

#include "fmi/shared_api.h"

#include <stddef.h>

typedef void *fmi1Component;
typedef unsigned int fmi1ValueReference;
typedef double fmi1Real;
typedef int fmi1Integer;
typedef char fmi1Boolean; /* one byte, unlike FMI 2.0 */
typedef const char *fmi1String;
typedef int fmi1Status;
typedef int fmi1StatusKind;

#define HK_FMI1_NO_REFERENCE 0xFFFFFFFFu /* fmiUndefinedValueReference */

enum { fmi1False, fmi1True };
enum { fmi1OK, fmi1Warning, fmi1Discard, fmi1Error, fmi1Fatal, fmi1Pending };
enum { fmi1DoStepStatus, fmi1PendingStatus, fmi1LastSuccessfulTime };

typedef void fmi1CallbackLogger(fmi1Component c, fmi1String instance, fmi1Status status,
                                fmi1String category, fmi1String message, ...);
typedef void *fmi1CallbackAllocateMemory(size_t count, size_t size);
typedef void fmi1CallbackFreeMemory(void *memory);
typedef void fmi1StepFinished(fmi1Component c, fmi1Status status);

/* Of co-simulation: passed by value, so its size matters. That of model exchange has no
 * stepFinished. */
typedef struct fmi1CallbackFunctions {
    fmi1CallbackLogger *logger;
    fmi1CallbackAllocateMemory *allocateMemory;
    fmi1CallbackFreeMemory *freeMemory;
    fmi1StepFinished *stepFinished;
} fmi1CallbackFunctions;

/* The functions of co-simulation, FMI1(NEED, NAME, RESULT, ARGUMENTS); NEED as in fmi2_api.h. */
#define HK_FMI1_FUNCTIONS(FMI1)                                                                    \
    FMI1(OPTIONAL, GetTypesPlatform, const char *, (void))                                         \
    FMI1(OPTIONAL, GetVersion, const char *, (void))                                               \
    FMI1(OPTIONAL, SetDebugLogging, fmi1Status, (fmi1Component c, fmi1Boolean on))                 \
    FMI1(REQUIRED, InstantiateSlave, fmi1Component,                                                \
         (fmi1String name, fmi1String guid, fmi1String location, fmi1String mime_type,             \
          fmi1Real timeout, fmi1Boolean visible, fmi1Boolean interactive,                          \
          fmi1CallbackFunctions callbacks, fmi1Boolean logging))                                   \
    FMI1(REQUIRED, InitializeSlave, fmi1Status,                                                    \
         (fmi1Component c, fmi1Real start, fmi1Boolean stop_defined, fmi1Real stop))               \
    FMI1(REQUIRED, TerminateSlave, fmi1Status, (fmi1Component c))                                  \
    FMI1(OPTIONAL, ResetSlave, fmi1Status, (fmi1Component c))                                      \
    FMI1(REQUIRED, FreeSlaveInstance, void, (fmi1Component c))                                     \
    HK_FMI_VALUES(FMI1, fmi1)                                                                      \
    HK_FMI_SLOPES(FMI1, fmi1)                                                                      \
    FMI1(REQUIRED, DoStep, fmi1Status,                                                             \
         (fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step))                          \
    HK_FMI_STEP_STATUS_CALLS(FMI1, fmi1)

/* hocket's extension, because FMI 1.0 has no way to save the state of an instance:
 * "<modelIdentifier>_hkGetState" and so on; FMI1X(NAME, RESULT, ARGUMENTS).
 * Exported by the FMUs that `hocket export` makes, looked for only if the description's vendor
 * annotation says so. What they mean is what fmi2GetFMUstate ... fmi2DeSerializeFMUstate mean. */
#define HK_FMI1_EXTENSIONS(FMI1X)                                                                  \
    FMI1X(GetState, fmi1Status, (fmi1Component c, void **state))                                   \
    FMI1X(SetState, fmi1Status, (fmi1Component c, void *state))                                    \
    FMI1X(FreeState, fmi1Status, (fmi1Component c, void **state))                                  \
    FMI1X(StateSize, fmi1Status, (fmi1Component c, void *state, size_t *size))                     \
    FMI1X(SaveState, fmi1Status, (fmi1Component c, void *state, char bytes[], size_t size))        \
    FMI1X(LoadState, fmi1Status, (fmi1Component c, const char bytes[], size_t size, void **state))

/* fmi1GetRealFn and so on: the types of the functions. */
#define FMI1(need, name, result, arguments) typedef result fmi1##name##Fn arguments;
HK_FMI1_FUNCTIONS(FMI1)
#undef FMI1
#define FMI1X(name, result, arguments) typedef result fmi1##name##Fn arguments;
HK_FMI1_EXTENSIONS(FMI1X)
#undef FMI1X

/* What was found in one library; optional functions that it lacks are NULL. */
typedef struct hk_fmi1_functions {
#define FMI1(need, name, result, arguments) fmi1##name##Fn *name;
    HK_FMI1_FUNCTIONS(FMI1)
#undef FMI1
#define FMI1X(name, result, arguments) fmi1##name##Fn *name;
    HK_FMI1_EXTENSIONS(FMI1X)
#undef FMI1X
} hk_fmi1_functions;

#endif
