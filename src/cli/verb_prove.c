/* SPDX-License-Identifier: MIT
 *
 * `hocket prove`: is what a master does, or has done, what it should do? */
#include "cli/progress.h"
#include "cli/prove_text.h"
#include "cli/view_options.h"
#include "report/info_report.h"

#include <string.h>

static hk_spin_use read_spin(const hk_args *args) {
    const char *when = hk_args_value(args, "spin");
    if (!hk_args_has(args, "spin") || (when && strcmp(when, "auto") == 0))
        return HK_SPIN_AUTO;
    return when && strcmp(when, "never") == 0 ? HK_SPIN_NEVER : HK_SPIN_ALWAYS;
}

static hk_proof_wishes read_wishes(hk_cli *cli, const hk_args *args) {
    return (hk_proof_wishes){.trace = hk_args_value(args, "trace"),
                             .view = hk_args_value(args, "view"),
                             .start = hk_args_value(args, "start-time"),
                             .columns = hk_request_texts(cli, args, "output-variable"),
                             .spin = read_spin(args),
                             .csp = hk_args_has(args, "csp"),
                             .watch = hk_csp_watch_begin(cli),
                             .values = hk_args_value(args, "values")
                                           ? (unsigned)(*hk_args_value(args, "values") - '0')
                                           : 0,
                             .specification = hk_args_value(args, "specification"),
                             .synthesise = hk_args_has(args, "synthesise"),
                             .output = hk_args_value(args, "output"),
                             .export_csp = hk_args_value(args, "export-csp"),
                             .export_promela = hk_args_value(args, "export-promela")};
}

/* A master in words is not a file that can be run. */
static hk_status read_request(hk_cli *cli, const hk_args *args, hk_request *ret_request) {
    const char *file = args->operands[0];
    *ret_request = (hk_request){.file = file};
    if (hk_names_master(file))
        return HK_OK;
    hk_take_build(args, 0);
    return hk_request_read(cli, args, file, ret_request);
}

/* What was printed says it all; who gets only errors, or only JSON, gets a message here, and so
 * does who has no answer. */
static hk_status tell(hk_cli *cli, const hk_proof *proof) {
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "prove");
        hk_proof_put(proof, &json);
        hk_answer_end(&json);
    } else {
        hk_proof_print(cli, proof);
    }
    fflush(stdout);
    hk_status status = hk_proof_status(proof);
    bool said = !cli->quiet && !cli->json && !hk_proof_is_unphased(proof) && status == HK_E_UNSOUND;
    return status == HK_OK || said ? status : hk_proof_fail(proof);
}

/* Options about controllers mean nothing for systems. */
static hk_status refuse_chart_options(hk_cli *cli, const hk_args *args) {
    static const char *const names[] = {"property", "properties", "range",  "length",
                                        "plant",    "states",     "module", "witnesses"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hk_args_has(args, names[i]))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                            "--%s is about controllers in RoboChart (.rct)", names[i]);
    return HK_OK;
}

/* Options that would mean nothing together with others. */
static hk_status refuse_combinations(hk_cli *cli, const hk_args *args) {
    const char *specification = hk_args_value(args, "specification");
    if (specification && !hk_names_sysml(specification))
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = specification},
                        "a multi-model in SysML v2, named .sysml",
                        "--specification is not a multi-model");
    if (specification && hk_names_master(args->operands[0]))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "--specification is about systems that are run, not about a master in "
                        "words");
    if (hk_args_has(args, "values") && !hk_args_has(args, "export-csp"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "--values is about what --export-csp writes");
    if (hk_args_has(args, "csp") && hk_args_has(args, "trace"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "--csp looks at what a run would do, and --trace at what one has done");
    return HK_OK;
}

static hk_status run_prove(hk_cli *cli, const hk_args *args) {
    if (hk_names_chart(args->operands[0]))
        return hk_cli_prove_chart(cli, args);
    if (hk_names_csp(args->operands[0]))
        return hk_cli_prove_csp(cli, args);
    HK_TRY(refuse_chart_options(cli, args));
    HK_TRY(refuse_combinations(cli, args));
    hk_request request;
    hk_proof proof;
    hk_report report = hk_cli_report(cli);
    hk_proof_wishes wishes = read_wishes(cli, args);
    HK_TRY(read_request(cli, args, &request));
    hk_status status = hk_proof_make(&proof, &report, &request, &wishes);
    hk_progress_clear(cli);
    if (status == HK_OK)
        status = tell(cli, &proof);
    hk_proof_close(&proof);
    return status;
}

static const hk_option options[] = {
    HK_VIEW_OPTIONS,
    {.name = "trace",
     .argument = "FILE",
     .files = "jsonl txt",
     .group = "Question",
     .help =
         "check the calls of a run that were recorded, by 'hocket run --trace' or another tool"},
    {.name = "view",
     .argument = "NAME",
     .choices = "strict connected contract",
     .group = "Question",
     .help = "'connected' ports only (the default), or 'strict': all must be read and set; "
             "'contract' holds each instance to its contract alone and asks for no common phases"},
    {.name = "output-variable",
     .argument = "PATTERN",
     .repeatable = true,
     .group = "Question",
     .help = "the run is to record what matches, so that it is read though nothing is connected "
             "to it; '*' is everything"},
    {.name = "spin",
     .argument = "WHEN",
     .optional = true,
     .choices = "auto always never",
     .group = "Question",
     .help = "let spin look at every state, too: 'auto' (the default) for up to 20 instances if it "
             "is installed and answers in 5 s, 'always' (--spin alone) for as long as it takes, "
             "'never'"},
    {.name = "csp",
     .group = "Question",
     .help = "let hocket's own CSP engine look at every state, too: of the whole with two values, "
             "or, where these are too many, with one, and with two of each input with the "
             "instances that its value comes from"},
    {.name = "specification",
     .argument = "FILE.sysml",
     .files = "sysml",
     .group = "Question",
     .help = "hold it to the meaning of this multi-model, whose instances and ports have the names "
             "of its components and variables (default: a .sysml file to its own)"},
    {.name = "synthesise",
     .group = "Question",
     .help = "make a master and prove that one: of a system with the lags of its plan, so that "
             "'hocket run --master' runs it; of a scenario another one than it has"},
    HK_OUTPUT_OPTION(
        "FILE.master", "master", "Answer",
        "write the master that was made for a scenario without one (else it is printed)"),
    {.name = "export-csp",
     .argument = "FILE",
     .files = "csp",
     .written = true,
     .group = "Answer",
     .help = "write specification and master as CSPm, for FDR4 and 'hocket prove FILE.csp'"},
    {.name = "values",
     .argument = "N",
     .choices = "1 2",
     .group = "Answer",
     .help =
         "of the CSPm that is written: 1 (the order of calls), or 2 (the default: also what goes "
         "where, with many more states)"},
    {.name = "export-promela",
     .argument = "FILE",
     .files = "pml",
     .written = true,
     .group = "Answer",
     .help = "write specification and master, or the controller, as Promela, for spin"},
    {.name = "module",
     .argument = "NAME",
     .group = "Controller",
     .help = "which module of the file, if there are several"},
    {.name = "property",
     .argument = "TEXT",
     .repeatable = true,
     .group = "Controller",
     .help =
         "what must hold: 'always alarm then ReleaseFlag within 1 cycles', 'never light in On', "
         "'reachable states', 'deterministic', 'terminates'; may be repeated"},
    {.name = "properties",
     .argument = "FILE",
     .files = "properties",
     .repeatable = true,
     .group = "Controller",
     .help = "a file of them, each with a ';' behind it; may be repeated"},
    {.name = "range",
     .argument = "NAME=VALUES",
     .repeatable = true,
     .group = "Controller",
     .help =
         "values of an input event, a part of it, or a type: 'odometer=0,1,2', 'n=0..5'; may be "
         "repeated"},
    {.name = "length",
     .argument = "NAME=N",
     .repeatable = true,
     .group = "Controller",
     .help = "the longest sequence that an input event brings; may be repeated"},
    {.name = "plant",
     .argument = "FILE",
     .files = "csv rct",
     .group = "Controller",
     .help = "what the controller works on, explored together with it: a table of its states "
             "(.csv), or "
             "a second module (.rct) whose outputs are inputs of the controller by name"},
    {.name = "states",
     .argument = "N",
     .group = "Controller",
     .help = "look at so many states at most, also of a script in CSPm (default: 5000000)"},
    {.name = "witnesses",
     .argument = "FOLDER",
     .group = "Controller",
     .help = "write the inputs that lead to each finding to tables, for 'hocket run --input-file'"},
};

const hk_verb hk_verb_prove = {
    .name = "prove",
    .summary = "show that calls are sound, or what a controller can do",
    .operands = "SYSTEM",
    .files = "fmu ssp ssd xml system simulation sysml master conf json rct csp",
    .description =
        "Compares what a run would do with the specification of co-simulation and with "
        "the contracts of its components. SYSTEM is a system or simulation as for 'hocket run', or "
        "a "
        "master in words (.master, docs/masters.md); for a scenario without a master a correct "
        "one is made. A verdict that does not hold comes with the shortest sequence of calls that "
        "shows it; the exit status is 1 then, and also if FMI forbids the calls.\n\n"
        "Of a multi-model (.sysml, docs/sysml.md) the specification is what its own text means.\n\n"
        "With --trace it compares calls that were recorded.\n\n"
        "Of a script in CSPm (.csp, docs/soundness.md) it looks at what the script asserts: "
        "refinement of traces, no deadlock, no divergence.\n\n"
        "Of a controller in RoboChart (.rct, docs/robochart.md) it explores every reachable state "
        "with "
        "every input: deadlock, timelock, divergence, failing computations, termination, "
        "determinism, states and transitions that are never reached, and what --property asks for; "
        "each with a shortest sequence of inputs that shows it, and with --witnesses the 'hocket "
        "run' that replays it. Numbers that inputs bring are bounded by --range and --length; "
        "--plant lets a plant bring them; --set gives constants their values. Of the other options "
        "only those under 'Controller' and --export-promela are about controllers.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_prove,
};
