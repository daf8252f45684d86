/* SPDX-License-Identifier: MIT
 *
 * The options of `hocket run`, and for what each is. */
#include "cli/run_options.h"
#include "cli/run.h"

static const hk_option options[] = {
    HK_START_TIME_OPTION(
        "Time", "first instant, in seconds: 0.5, 1/120, 20ms (default: of the file, else 0)"),
    HK_STOP_TIME_OPTION("Time",
                        "last instant (default: of the file, else one second after the start)"),
    HK_DURATION_OPTION(
        "Time", "length of the run, instead of a stop time; from the time of a loaded state on"),
    HK_STEP_SIZE_OPTION("Time", "communication step of components without a period of their own"),
    HK_OUTPUT_INTERVAL_OPTION("Time", "time between two rows of the record (default: every step)"),
    HK_TOLERANCE_OPTION("Time", "relative tolerance handed to the components"),
    HK_ALGORITHM_OPTION(
        "Time",
        "'jacobi': all components see the previous step (default); 'gauss-seidel' (default of "
        ".system files): they see "
        "what was computed before them in the same step"),
    HK_MASTER_OPTION(
        "Time",
        "run the orchestration algorithm of this file (docs/masters.md): it gives connections "
        "their lags and components their order; it is proved first, and the first wrong call "
        "is an error"),
    HK_SCHEDULE_OPTION("Time", "run with the processors, lags and constraints that are in FILE"),
    HK_TELL_STOP_TIME_OPTION(
        "Time",
        "tell the FMUs the stop time when they are initialised (stopTimeDefined); without it "
        "they are not told, so that a run can go on"),
    HK_EXTRAPOLATE_OPTION(
        "Time", "extrapolate the real inputs linearly over the step instead of holding them"),
    HK_THREADS_OPTION(
        "Time",
        "run on up to N threads ('auto': one per processor) where steps are long enough for that "
        "to pay, with --nodes on so many in each node; the result is the same to the last bit; "
        "default 1"),
    HK_NODES_OPTION(
        "Time",
        "run the components on N processes ('auto': one per processor), placed by logical "
        "processors, else so that work is even and messages are few; the result is the same to the "
        "last bit, and so are states (docs/nodes.md)"),
    HK_TRANSPORT_OPTION(
        "Time",
        "what nodes exchange values over: shared memory ('shm', default) or sockets ('unix')"),
    HK_MEET_OPTION(
        "Time",
        "the nodes are started by hand with 'hocket node': wait for them at this place, a "
        "name for a folder below $XDG_RUNTIME_DIR/hocket or a folder of yours with a '/' in "
        "it"),
    HK_ISOLATE_OPTION(
        "Time",
        "run this component ('all': every one) in a process of its own, so that it cannot take "
        "the run down with it; the result is the same to the last bit (docs/isolation.md); "
        "may be repeated"),
    HK_SANDBOX_OPTION(
        "Time", "as --isolate, and the component can use no network, start no program, write to no "
                "file but in a folder of its own, and reach no other process; may be repeated"),
    HK_ALLOW_OPTION(
        "Time", "what components in a sandbox may do after all: 'network', or 'write=DIR', in a "
                "folder; may be repeated"),
    HK_LIMIT_OPTION(
        "Time", "of each component in a sandbox: 'memory' (default 4G), 'file' (size of one, 1G), "
                "'threads' (256), 'cpu' (seconds, a week); 'none': no limit; may be repeated"),
    {.name = "remote",
     .argument = "NAME=PLACE",
     .repeatable = true,
     .group = "Time",
     .help =
         "this component, an FMU, is served at this place by 'hocket node --fmu'; the result is "
         "the same to the last bit; may be repeated"},
    HK_SET_OPTION(
        "Values",
        "start value of a parameter or input; a unit may follow: --set tank.level=12cm; may "
        "be repeated"),
    HK_PARAMETER_SET_OPTION(
        "Values",
        "of an SSP: apply only the parameter sets that it binds under this name, or a file of "
        "that name in its resources on top of all"),
    HK_SET_FILE_OPTION(
        "Values",
        "start values from a file: a parameter set (.ssv), a table with the columns name, "
        "value and perhaps unit (.csv), or an object (.json); --set counts before it, a later "
        "file before an earlier one; may be repeated"),
    HK_INPUT_FILE_OPTION(
        "Values",
        "drive inputs with the columns of a table (.csv, .mat, .h5) whose first column is the "
        "time"),
    {.name = "load-state",
     .argument = "FILE",
     .files = "",
     .group = "Values",
     .help = "go on from a state that --save-state wrote; --set then sets tunable parameters and "
             "inputs that nothing drives, and no others; of a simulation: of one run"},
    {.name = "resume",
     .argument = "FILE",
     .files = "",
     .group = "Values",
     .help = "as --load-state, and the record and the logs go on in their files (.csv), behind the "
             "rows before the time of the state"},
    {.name = "save-state",
     .argument = "FILE",
     .files = "",
     .group = "Values",
     .help = "write the whole state at the end of the run, which must be the end of a step of "
             "every component; of a simulation: of one run"},
    {.name = "checkpoint",
     .argument = "every=T[,file=FILE]",
     .group = "Values",
     .help = "write the whole state every T seconds of simulated time, without stopping, to FILE "
             "(default checkpoint.hks), which is replaced as a whole"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .aliases = "output-file outputFile",
     .files = HK_TABLE_EXTENSIONS,
     .streams = true,
     .group = "Record",
     .help =
         "write the record; the extension says the format: .csv, .mat (MAT-file) or .h5 (HDF5); "
         "'-' is CSV on standard output; of a simulation: the folder of its logs"},
    HK_OUTPUT_VARIABLE_OPTION(
        "Record",
        "record what matches component.variable, with '*' and '?'; '*' alone is everything "
        "(default: all outputs; of a simulation: nothing beside its logs, else in record.csv); "
        "may be repeated"),
    {.name = "plot",
     .argument = "FILE.svg",
     .files = "svg png pdf",
     .written = true,
     .group = "Record",
     .help = "plot the record to a picture (.svg, .png, .pdf); of a simulation: of one run, its "
             "record or first log"},
    {.name = "report",
     .argument = "FILE.html",
     .files = "html htm",
     .written = true,
     .group = "Record",
     .help = "write what happened as one page that needs nothing else: verdicts, trajectories, "
             "curves with bands, tables (docs/report.md)"},
    HK_REAL_TIME_OPTION("Run", "pace the run: FACTOR simulated seconds per second (default 1)"),
    HK_STOP_WHEN_OPTION(
        "Run", "end the run normally once it holds, like 'tank.level > 2.5'; may be repeated"),
    HK_TIMEOUT_OPTION("Run", "give up after this wall time, with exit status 124"),
    {.name = "watchdog",
     .argument = "SECONDS",
     .group = "Run",
     .help = "end the run, with exit status 124, when one call of a component takes longer than "
             "this wall time, or a node is stopped for so long; without it the run waits"},
    HK_ALLOW_NAN_OPTION("Run", "record values that are not finite instead of stopping at them"),
    HK_ALLOW_STOPPED_OPTION(
        "Run", "let stopped components answer calls, with a warning, instead of failing"),
    {.name = "fmi-logging",
     .aliases = "fmiLogging debug-logging",
     .group = "Run",
     .help = "show what the FMUs log"},
    {.name = "log-category",
     .argument = "NAME",
     .repeatable = true,
     .group = "Run",
     .help = "show what the FMUs log in this category of theirs; may be repeated"},
    {.name = "log-file",
     .only_for = HK_FOR_SYSTEMS,
     .why = "its runs are played at the same time, in processes of their own",
     .instead =
         "write what the FMUs say in a run of the system alone, or show it with --fmi-logging",
     .argument = "FILE",
     .files = "jsonl",
     .written = true,
     .group = "Run",
     .help = "write all that the FMUs log, one object of JSON per line: time, instance, status, "
             "category, message"},
    {.name = "no-parent",
     .group = "Run",
     .help = "run in this process alone: without the one that looks after the end of the run (see "
             "THE END OF A RUN in hocket-run(1))"},
    HK_BUILD_OPTION("Run"),
    {.name = "no-fused",
     .group = "Run",
     .help =
         "interpret the system: of a program that 'hocket build' made, and that has fused code"},
    {.name = "fused",
     .group = "Run",
     .help = "compile the system to one loop of C first ($CC, or cc), with the sources of native "
             "components; the result is the same to the last bit; what was compiled is kept and "
             "used again; without a compiler the run is interpreted, with a note"},
    HK_MONITOR_OPTION(
        "Run",
        "what hocket checks of its own calls: 'phase': that each is made once, in its place "
        "and time (default); 'contract': and beforehand, that the plan keeps the contracts of "
        "the components; 'values': and that what is set is what was got, which is slow; 'off'"),
    {.name = "trace",
     .argument = "FILE",
     .files = "jsonl",
     .written = true,
     .streams = true,
     .group = "Run",
     .help = "write the gets, sets and steps, one object of JSON per line; of a simulation: what "
             "happened and when, one line per action; '-' is standard output"},
    {.name = "trace-sample",
     .only_for = HK_FOR_SYSTEMS,
     .why = "the trace of a simulation tells what happened, and has no calls to skip",
     .instead = "trace the calls of the system alone",
     .argument = "N",
     .group = "Run",
     .help = "write only the calls of every N-th instant"},
    HK_SEED_OPTION("Run",
                   "draw other random numbers: take this seed instead of 0, or of the one of "
                   "the simulation"),
    {.name = "serve",
     .group = "Page",
     .help = "serve a page that shows the run and can pause and change it, at an address that is "
             "printed (docs/live.md); 'hocket serve' does the same, and waits for a person"},
    {.name = "port",
     .argument = "N",
     .group = "Page",
     .help = "of the page (default: one that is free)"},
    {.name = "listen",
     .argument = "ADDRESS",
     .group = "Page",
     .help = "serve at this address of this machine (default 127.0.0.1)"},
    {.name = "trust-network",
     .group = "Page",
     .help =
         "let --listen name an address that other machines can reach: everybody who has the token "
         "may then change the run, and everybody on the way can read it"},
    {.name = "token",
     .argument = "WORD",
     .group = "Page",
     .help = "what the address must hold (default: a random one)"},
    {.name = "allow-origin",
     .argument = "URL",
     .repeatable = true,
     .group = "Page",
     .help = "let a page from there connect, too, as https://app.foxglove.dev; may be repeated"},
    {.name = "read-only", .group = "Page", .help = "the page may look, and change nothing"},
    HK_SCENARIO_OPTION("Simulations", "play this scenario only"),
    HK_RUN_OPTION("Simulations", "play this repetition only; the first is 0"),
    {.name = "workers",
     .only_for = HK_FOR_SIMULATIONS,
     .argument = "N",
     .group = "Simulations",
     .help = "play up to N runs at the same time, each in a process of its own; the files are the "
             "same; default 'auto': one per processor"},
    HK_SYSTEM_OPTION(HK_FOR_SIMULATIONS, "Simulations",
                     "play it on this system instead of the one beside the file"),
    HK_DEFINE_OPTION(HK_FOR_SIMULATIONS, "Simulations",
                     "give a parameter of the simulation another value; may be repeated"),
    {.name = "strict",
     .only_for = HK_FOR_SIMULATIONS,
     .group = "Simulations",
     .help = "events that never fire, or not when they say, are errors"},
    {.name = "verbose",
     .only_for = HK_FOR_SIMULATIONS,
     .group = "Simulations",
     .help = "show what happened and when, and every expectation"},
    {.name = "progress",
     .argument = "HOW",
     .choices = "auto json none",
     .group = "Reports",
     .help = "'auto': a line on a terminal, else one for each tenth; 'json': lines for programs; "
             "'none'"},
    {.name = "stats",
     .only_for = HK_FOR_SYSTEMS,
     .why = "its runs are played at the same time",
     .instead = "ask for those of the system alone",
     .group = "Reports",
     .help = "say where the time went, component by component, and how to reproduce the run"},
    {.name = "explain-settings",
     .group = "Reports",
     .help = "print each setting, its value and where it came from; do not run"},
};

const hk_verb hk_verb_run = {
    .name = "run",
    .summary = "simulate an FMU, a system or a simulation",
    .operands = "FILE",
    .files = "fmu ssp ssd xml system sysml rct simulation",
    .description =
        "FILE is an FMU (.fmu), a system (.ssp, .ssd, .xml, .system, .sysml), a controller in "
        "RoboChart (.rct) or a simulation (.simulation): scenarios with events, logs and "
        "expectations. Times are exact: 0.001, 1e-3, 1/120 and "
        "20ms are read as fractions. Settings come from the command line, then from HK_START_TIME, "
        "HK_STOP_TIME, HK_STEP_SIZE, HK_OUTPUT_INTERVAL, HK_TOLERANCE and HK_ALGORITHM, then from "
        "the file, then from the FMUs. Without -o nothing is written.\n\n"
        "Options mean the same for a simulation as for its system; only its start, its step and "
        "the "
        "rows of its logs are its own. Its logs go to the folder -o names, or to the working "
        "directory, and the exit status is 1 if an expectation does not hold.",
    .options = {options, sizeof options / sizeof *options},
    .has_parent = true,
    .run = hk_run_file,
};

const hk_verb hk_verb_serve = {
    .name = "serve",
    .summary = "show a run or a record on a page, and let a person drive it",
    .operands = "FILE",
    .files = "fmu ssp ssd xml system simulation " HK_TABLE_EXTENSIONS,
    .description =
        "FILE is what 'hocket run' takes, or a record (.csv, .mat, .h5). The address of the page "
        "is "
        "printed on standard output; a person who opens it sees the system, plays, pauses and "
        "steps the "
        "run, plots signals and changes parameters. A run waits until it is played, and when it is "
        "over it can still be looked at; Ctrl-C ends it. Options mean what they mean for 'hocket "
        "run'. Programs that speak the WebSocket protocol of Foxglove can connect, too, at the "
        "same "
        "address with 'ws' behind it.",
    .options = {options, sizeof options / sizeof *options},
    .has_parent = true,
    .run = hk_serve_file,
};
