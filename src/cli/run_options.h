/* SPDX-License-Identifier: MIT
 *
 * The options that `hocket run` and `hocket node` share, each written once: for their tables, in
 * the group WHERE, with their own help. Those that more verbs have are in cli/options.h. */
#ifndef HK_CLI_RUN_OPTIONS_H
#define HK_CLI_RUN_OPTIONS_H

#include "cli/options.h"
#include "format/table_read.h"

#define HK_NODES_OPTION(where, text)                                                               \
    { .name = "nodes", .argument = "N", .group = (where), .help = (text) }
#define HK_MEET_OPTION(where, text)                                                                \
    { .name = "meet", .argument = "PLACE", .group = (where), .help = (text) }
#define HK_TRANSPORT_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "transport", .argument = "HOW", .choices = "shm unix", .group = (where),           \
        .help = (text)                                                                             \
    }
#define HK_TIMEOUT_OPTION(where, text)                                                             \
    { .name = "timeout", .argument = "SECONDS", .group = (where), .help = (text) }
#define HK_START_TIME_OPTION(where, text)                                                          \
    {                                                                                              \
        .name = "start-time", .argument = "TIME", .aliases = "startTime", .group = (where),        \
        .help = (text)                                                                             \
    }
#define HK_STOP_TIME_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "stop-time", .argument = "TIME", .aliases = "stopTime end-time endTime",           \
        .group = (where), .help = (text)                                                           \
    }
#define HK_DURATION_OPTION(where, text)                                                            \
    { .name = "duration", .argument = "TIME", .group = (where), .help = (text) }
#define HK_STEP_SIZE_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "step-size", .argument = "TIME", .aliases = "stepSize", .group = (where),          \
        .help = (text)                                                                             \
    }
#define HK_OUTPUT_INTERVAL_OPTION(where, text)                                                     \
    {                                                                                              \
        .name = "output-interval", .argument = "TIME", .aliases = "outputInterval",                \
        .group = (where), .help = (text)                                                           \
    }
#define HK_TOLERANCE_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "tolerance", .argument = "NUMBER",                                                 \
        .aliases = "relative-tolerance relativeTolerance", .group = (where), .help = (text)        \
    }
#define HK_ALGORITHM_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "algorithm", .argument = "NAME", .choices = "jacobi gauss-seidel",                 \
        .group = (where), .help = (text)                                                           \
    }
#define HK_MASTER_OPTION(where, text)                                                              \
    {                                                                                              \
        .name = "master", .only_for = HK_FOR_SYSTEMS,                                              \
        .why = "a master says nothing of what its events change",                                  \
        .instead = "run the system alone with it", .argument = "FILE.master", .files = "master",   \
        .group = (where), .help = (text)                                                           \
    }
#define HK_SCHEDULE_OPTION(where, text)                                                            \
    { .name = "schedule", .argument = "FILE", .files = "", .group = (where), .help = (text) }
#define HK_TELL_STOP_TIME_OPTION(where, text)                                                      \
    { .name = "tell-stop-time", .group = (where), .help = (text) }
#define HK_EXTRAPOLATE_OPTION(where, text)                                                         \
    { .name = "extrapolate", .group = (where), .help = (text) }
#define HK_SET_OPTION(where, text)                                                                 \
    {                                                                                              \
        .name = "set", .argument = "NAME=VALUE", .repeatable = true, .aliases = "start-value",     \
        .group = (where), .help = (text)                                                           \
    }
#define HK_PARAMETER_SET_OPTION(where, text)                                                       \
    {                                                                                              \
        .name = "parameter-set", .argument = "NAME", .aliases = "parameterSet", .group = (where),  \
        .help = (text)                                                                             \
    }
#define HK_SET_FILE_OPTION(where, text)                                                            \
    {                                                                                              \
        .name = "set-file", .argument = "FILE", .repeatable = true, .files = "ssv csv json",       \
        .group = (where), .help = (text)                                                           \
    }
#define HK_INPUT_FILE_OPTION(where, text)                                                          \
    {                                                                                              \
        .name = "input-file", .argument = "FILE", .repeatable = true, .aliases = "inputFile",      \
        .files = HK_TABLE_EXTENSIONS, .group = (where), .help = (text)                             \
    }
#define HK_OUTPUT_VARIABLE_OPTION(where, text)                                                     \
    {                                                                                              \
        .name = "output-variable", .argument = "PATTERN", .repeatable = true,                      \
        .aliases = "output-variables outputVariable", .group = (where), .help = (text)             \
    }
#define HK_STOP_WHEN_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "stop-when", .argument = "CONDITION", .repeatable = true, .group = (where),        \
        .help = (text)                                                                             \
    }
#define HK_ALLOW_NAN_OPTION(where, text)                                                           \
    { .name = "allow-nan", .group = (where), .help = (text) }
#define HK_ALLOW_STOPPED_OPTION(where, text)                                                       \
    { .name = "allow-stopped", .group = (where), .help = (text) }
#define HK_MONITOR_OPTION(where, text)                                                             \
    {                                                                                              \
        .name = "monitor", .argument = "WHAT", .choices = "phase off contract values",             \
        .group = (where), .help = (text)                                                           \
    }
#define HK_SCENARIO_OPTION(where, text)                                                            \
    {                                                                                              \
        .name = "scenario", .only_for = HK_FOR_SIMULATIONS, .argument = "NAME", .group = (where),  \
        .help = (text)                                                                             \
    }
#define HK_RUN_OPTION(where, text)                                                                 \
    {                                                                                              \
        .name = "run", .only_for = HK_FOR_SIMULATIONS, .argument = "N", .group = (where),          \
        .help = (text)                                                                             \
    }
#define HK_SEED_OPTION(where, text)                                                                \
    { .name = "seed", .argument = "N", .group = (where), .help = (text) }
#define HK_REAL_TIME_OPTION(where, text)                                                           \
    {                                                                                              \
        .name = "real-time", .argument = "FACTOR", .optional = true, .aliases = "realTime",        \
        .group = (where), .help = (text)                                                           \
    }
#define HK_THREADS_OPTION(where, text)                                                             \
    { .name = "threads", .argument = "N", .group = (where), .help = (text) }
#define HK_ISOLATE_OPTION(where, text)                                                             \
    { .name = "isolate", .argument = "NAME", .repeatable = true, .group = (where), .help = (text) }
#define HK_SANDBOX_OPTION(where, text)                                                             \
    { .name = "sandbox", .argument = "NAME", .repeatable = true, .group = (where), .help = (text) }
#define HK_ALLOW_OPTION(where, text)                                                               \
    { .name = "allow", .argument = "WHAT", .repeatable = true, .group = (where), .help = (text) }
#define HK_LIMIT_OPTION(where, text)                                                               \
    { .name = "limit", .argument = "WHAT=N", .repeatable = true, .group = (where), .help = (text) }

#endif
