/* SPDX-License-Identifier: MIT
 *
 * The options of `hocket node`. Most are those of `hocket run`. */
#include "cli/run.h"
#include "cli/run_options.h"

#define MEETING "Meeting"
#define SAME    "Same as of the recorder"
#define ALONE   "Of this node alone"

static const hk_option options[] = {
    HK_NODES_OPTION(MEETING, "how many nodes the run has, beside the recorder"),
    {.name = "number",
     .argument = "K",
     .group = MEETING,
     .help = "which of them this is; the first is 1"},
    HK_MEET_OPTION(MEETING, "where nodes and recorder find each other: a name, for a folder below "
                            "$XDG_RUNTIME_DIR/hocket, or a folder of yours, with a '/' in it"),
    HK_TRANSPORT_OPTION(
        MEETING,
        "what nodes exchange values over, as the recorder says it: 'shm' (default) or 'unix'"),
    HK_TIMEOUT_OPTION(
        MEETING,
        "give up after this wall time, with exit status 124; also while it waits for others"),
    {.name = "fmu",
     .argument = "FILE.fmu",
     .files = "fmu",
     .group = "Serving",
     .help = "serve instances of this FMU, one after the other, to runs with --remote NAME=PLACE, "
             "until Ctrl-C"},
    {.name = "once", .group = "Serving", .help = "with --fmu: serve one instance, and end"},
    {.name = "promela",
     .argument = "FILE",
     .files = "pml",
     .written = true,
     .group = "Graphs",
     .help = "of a graph of nodes (.node): do not run it, write it for spin"},
    HK_START_TIME_OPTION(SAME, "first instant, in seconds"),
    HK_STOP_TIME_OPTION(SAME, "last instant"),
    HK_DURATION_OPTION(SAME, "length of the run, instead of a stop time"),
    HK_STEP_SIZE_OPTION(SAME, "communication step of components without a period of their own"),
    HK_OUTPUT_INTERVAL_OPTION(SAME, "time between two rows of the record"),
    HK_TOLERANCE_OPTION(SAME, "relative tolerance handed to the components"),
    HK_ALGORITHM_OPTION(SAME, "what connections without a lag word mean"),
    HK_MASTER_OPTION(SAME, "the orchestration algorithm"),
    HK_SCHEDULE_OPTION(SAME, "processors, lags and constraints"),
    HK_TELL_STOP_TIME_OPTION(SAME, "tell the FMUs the stop time when they are initialised"),
    HK_EXTRAPOLATE_OPTION(SAME, "extrapolate the real inputs linearly over the step"),
    HK_SET_OPTION(SAME, "start value of a parameter or input; may be repeated"),
    HK_PARAMETER_SET_OPTION(
        SAME, "of an SSP: apply only the parameter sets that it binds under this name"),
    HK_SET_FILE_OPTION(SAME, "start values from a file; may be repeated"),
    HK_INPUT_FILE_OPTION(SAME, "drive inputs with the columns of a table; may be repeated"),
    HK_OUTPUT_VARIABLE_OPTION(
        SAME, "what the recorder records, which is what the node sends; may be repeated"),
    HK_STOP_WHEN_OPTION(SAME, "end the run normally once it holds; may be repeated"),
    HK_ALLOW_NAN_OPTION(SAME, "record values that are not finite instead of stopping at them"),
    HK_ALLOW_STOPPED_OPTION(
        SAME, "let stopped components answer calls, with a warning, instead of failing"),
    HK_MONITOR_OPTION(SAME, "what hocket checks of its own calls"),
    HK_SCENARIO_OPTION(SAME, "play this scenario only"),
    HK_RUN_OPTION(SAME, "play this repetition only; the first is 0"),
    HK_SYSTEM_OPTION(HK_FOR_SIMULATIONS, SAME,
                     "play it on this system instead of the one beside the file"),
    HK_DEFINE_OPTION(HK_FOR_SIMULATIONS, SAME,
                     "give a parameter of the simulation another value; may be repeated"),
    HK_SEED_OPTION(SAME, "draw other random numbers"),
    HK_REAL_TIME_OPTION(ALONE, "pace the run: FACTOR simulated seconds per second (default 1)"),
    HK_THREADS_OPTION(ALONE, "run its components on up to N threads ('auto': one per processor)"),
    HK_ISOLATE_OPTION(
        ALONE, "run this component ('all': every one) in a process of its own; may be repeated"),
    HK_SANDBOX_OPTION(
        ALONE, "as --isolate, and the component is locked in, as with hocket run; may be repeated"),
    HK_ALLOW_OPTION(ALONE,
                    "what components in a sandbox may do after all: 'network' or 'write=DIR'"),
    HK_LIMIT_OPTION(ALONE, "of each component in a sandbox: 'memory', 'file', 'threads' or 'cpu'"),
    HK_BUILD_OPTION(ALONE),
    {.name = "strict",
     .only_for = HK_FOR_SIMULATIONS,
     .group = ALONE,
     .help = "events that never fire, or not when they say, are errors"},
};

const hk_verb hk_verb_node = {
    .name = "node",
    .summary = "start one node of a run by hand",
    .operands = "[FILE]",
    .files = "fmu ssp ssd xml system simulation node",
    .description =
        "Runs the components of one node of a run, in this process. FILE and the options are those "
        "of the recorder, 'hocket run FILE --nodes N --meet PLACE', which writes the record; the "
        "order in which they are started does not matter. Before anything runs they compare what "
        "they have read and were asked for, and a difference is refused on both sides.\n\n"
        "They find each other by a socket in a folder that is private to the user, which is gone "
        "when all have come. Nothing listens beyond this machine (docs/nodes.md).\n\n"
        "With --fmu it serves an FMU instead: to a run, 'hocket run SYSTEM --remote NAME=PLACE', "
        "in "
        "which it is the component NAME.\n\n"
        "FILE may also be a graph of nodes (.node): if no cells of it would wait for each other "
        "for "
        "ever it is run by the time rules alone, in a process for each node, and how often each "
        "cell was activated is shown.",
    .options = {options, sizeof options / sizeof *options},
    .run = hk_node_run,
};
