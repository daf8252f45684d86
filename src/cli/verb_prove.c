/* SPDX-License-Identifier: MIT
 *
 * `hocket prove`: is what a master does, or has done, what it should do? */
#include "base/file.h"
#include "base/seconds.h"
#include "cli/info_master.h"
#include "cli/plan_view.h"
#include "cli/prove.h"
#include "plan/constraints.h"
#include "record/select.h"
#include "sound/master_file.h"
#include "sound/program.h"
#include "sound/sound.h"

#include <string.h>
#include <strings.h>

enum { SPIN_SECONDS = 5, SPIN_INSTANCES = 20 }; /* unless it is asked for */

typedef struct proof {
    hk_cli *cli;
    const hk_args *args;
    hk_view view; /* of systems that are run */
    bool planned;
    hk_sound_view ports, trace_by;
    bool by_contract; /* whatever the phases say */
    hk_sound_system *system;
    hk_sound_master *master; /* NULL: a scenario without one */
    hk_sound_phased phased;  /* what the specification sees of it */
    int64_t max_step;
    const char *unphased;  /* why the specification does not apply; NULL: it does */
    const char *forbidden; /* what FMI does not allow, and the ways out; NULL: see the contracts */
    bool multirate;
    hk_proof proof;
} proof;

static hk_finding *add(proof *p, hk_finding f) {
    HK_ASSERT(p->proof.count < HK_FINDINGS);
    p->proof.findings[p->proof.count] = f;
    return &p->proof.findings[p->proof.count++];
}

static hk_finding *add_verdict(proof *p, const char *name, const hk_sound_verdict *v,
                               const char *fine) {
    return add(p, (hk_finding){.name = name,
                               .state = v->holds ? HK_PROOF_HOLDS : HK_PROOF_BROKEN,
                               .text = v->holds ? fine : v->why,
                               .sampled = v->sampled,
                               .hint = v->hint,
                               .when = v->when,
                               .trace = v->trace,
                               .trace_count = v->trace_count,
                               .trace_after = v->trace_after});
}

/* ---- what it is about ---- */

/* Of a scenario: outputs that match are observed, as if it said so. */
static hk_status observe_outputs(proof *p, const char *file) {
    const hk_sound_system *system = p->system;
    const char *pattern;
    for (size_t n = 0; (pattern = hk_args_nth(p->args, "output-variable", n)); n++) {
        const char **names = HK_NEW_ARRAY(p->cli->arena, const char *, system->port_count + 1);
        size_t count = 0, found = 0;
        for (size_t i = 0; i < system->port_count; i++) {
            hk_sound_port *port = &system->ports[i];
            if (!port->is_output)
                continue;
            names[count++] = port->name;
            bool match = hk_glob_match(pattern, port->name);
            port->observed = port->observed || match;
            found += match;
        }
        if (!found)
            return hk_signal_unknown(p->cli->ctx, file, pattern, names, count);
    }
    return HK_OK;
}

static hk_status open_text(proof *p, const char *file) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(p->cli->ctx, file, 0, &data, &size));
    hk_status status = hk_sound_read_text(p->cli->ctx, p->cli->arena, file, data, size, &p->system,
                                          &p->master, &p->max_step);
    hk_free(data);
    if (hk_args_has(p->args, "synthesise"))
        p->master = NULL; /* another one is made */
    return status == HK_OK ? observe_outputs(p, file) : status;
}

/* What a record holds is read, connected or not. */
static hk_status find_recorded(proof *p, hk_program_observed *ret_observed) {
    hk_arena *arena = p->cli->arena;
    const char **patterns = NULL, *pattern;
    size_t count = 0, cap = 0, column_count = 0;
    hk_column *columns;
    while ((pattern = hk_args_nth(p->args, "output-variable", count)))
        HK_PUSH(patterns, count, cap, pattern);
    hk_status status = HK_OK;
    if (count)
        status = hk_columns_select(p->cli->ctx, p->view.model, patterns, count, arena, &columns,
                                   &column_count);
    hk_free(patterns);
    hk_signal *signals = HK_NEW_ARRAY(arena, hk_signal, column_count + 1);
    for (size_t i = 0; i < column_count; i++)
        signals[i] =
            (hk_signal){.component = columns[i].component, .variable = columns[i].variable};
    *ret_observed = (hk_program_observed){.signals = signals, .count = column_count};
    return status;
}

static hk_status open_system(proof *p) {
    p->planned = true;
    HK_TRY(hk_view_open(&p->view, p->cli, p->args));
    HK_TRY(hk_view_plan(&p->view));
    hk_program_observed observed;
    HK_TRY(find_recorded(p, &observed));
    HK_TRY(hk_sound_from_plan(p->cli->ctx, p->view.plan, p->ports, &observed, &p->system));
    p->max_step = 1;
    if (hk_args_has(p->args, "synthesise"))
        return hk_master_sayable(p->cli->ctx, p->view.model); /* made like that of a scenario */
    hk_plan_warn_constraints(p->cli->ctx, p->view.plan);      /* ages are not what is proved */
    p->master = hk_sound_master_of_plan(p->cli->arena, p->system, p->view.plan);
    return HK_OK;
}

static void look_at(proof *p) {
    p->unphased = hk_sound_unphased(p->cli->arena, p->system);
    for (size_t i = 0; i < p->system->instance_count; i++) {
        const hk_sound_instance *instance = &p->system->instances[i];
        p->multirate = p->multirate || instance->rate > 1 || instance->first > 0;
    }
    if (!p->unphased && p->planned && p->view.plan->level_count > 1)
        p->unphased = "components run one after the other (Gauss-Seidel): there are no common "
                      "phases, and the contracts decide";
    if (p->by_contract)
        p->unphased = "not asked for: --view contract";
}

/* ---- verdicts ---- */

static bool goes_back(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hk_sound_loop *loop = calls[i].op == HK_OP_LOOP ? calls[i].loop : NULL;
        if (calls[i].op == HK_OP_RESTORE || (loop && (goes_back(loop->body, loop->body_count) ||
                                                      goes_back(loop->retry, loop->retry_count))))
            return true;
    }
    return false;
}

static void prove_specification(proof *p) {
    if (!p->unphased && goes_back(p->master->step, p->master->step_count))
        p->unphased = "the master takes steps back, which the specification does not know: the "
                      "contracts decide";
    if (p->unphased) {
        add(p, (hk_finding){.name = "specification",
                            .state = p->by_contract ? HK_PROOF_NOT_DONE : HK_PROOF_NOT_APPLICABLE,
                            .text = p->unphased});
        return;
    }
    hk_sound_verdict v =
        hk_sound_refines(p->cli->arena, p->phased.system, p->phased.master, p->max_step);
    add_verdict(p, "specification", &v,
                hk_arena_printf(
                    p->cli->arena, "every order of the %zu calls of a cycle%s is get, set, step",
                    p->phased.master->step_count, p->multirate ? " in which all take part" : ""))
        ->system = p->phased.system;
}

static void add_legal(proof *p, const char *forbidden) {
    add(p, (hk_finding){.name = "fmi",
                        .state = forbidden ? HK_PROOF_FORBIDDEN : HK_PROOF_HOLDS,
                        .text = forbidden ? forbidden
                                          : "no FMU is read after it was set without a step in "
                                            "between"});
}

/* Where rates differ, the lags of the plan are compared at every activation. */
static hk_status prove_rates(proof *p) {
    size_t broken = 0;
    HK_TRY(hk_sound_check_plan(p->cli->ctx, p->view.plan, &broken));
    add(p, (hk_finding){.name = "contracts",
                        .state = broken ? HK_PROOF_BROKEN : HK_PROOF_HOLDS,
                        .text = broken ? "some lags do not keep them: see the warnings"
                                       : "at every activation each input sees what its lag says"});
    add_legal(p, NULL);
    return HK_OK;
}

static hk_status prove_contracts(proof *p) {
    if (p->planned && p->multirate && !p->proof.made)
        return prove_rates(p);
    bool legal = true;
    hk_sound_verdict v =
        hk_sound_keeps_contract(p->cli->arena, p->system, p->master, p->max_step, &legal);
    add_verdict(p, "contracts", &v,
                v.sampled ? "every call finds what it needs; of the combinations of accepted "
                            "steps, which are many, a part was tried"
                          : "every call finds what it needs");
    if (v.holds || !legal)
        add_legal(p, legal ? NULL : p->forbidden ? p->forbidden : v.fmi);
    return HK_OK;
}

/* What the components declare is not always what a sound plan does. */
static void compare_modelled(proof *p) {
    hk_sound_modelled m = hk_sound_as_modelled(p->cli->arena, p->system, p->view.plan);
    add(p, (hk_finding){.name = "modelled",
                        .state = m.late ? HK_PROOF_DIFFERS : HK_PROOF_HOLDS,
                        .text = m.text,
                        .loop = m.loop,
                        .loop_count = m.loop_count});
}

/* The calls that led spin to an error. */
static void show_trail(proof *p, const hk_spin *spin, hk_finding *f) {
    hk_sound_call *trace = HK_NEW_ARRAY(p->cli->arena, hk_sound_call, spin->call_count);
    for (size_t i = 0; i < spin->call_count; i++) {
        const hk_sound_call *call = hk_sound_promela_call(p->phased.master, spin->calls[i]);
        if (call)
            trace[f->trace_count++] = *call;
    }
    f->trace = trace;
    f->system = p->phased.system;
    f->text = f->trace_count ? "an assertion is violated at the end of these calls"
                             : "an assertion is violated";
}

/* Why spin is not used; NULL: it is. */
static const char *leave_spin_out(const proof *p) {
    const char *when = hk_args_value(p->args, "spin");
    bool asked = hk_args_has(p->args, "spin") && !(when && strcmp(when, "auto") == 0);
    if (when && strcmp(when, "never") == 0)
        return "not asked for: --spin=never";
    if (!asked && p->system->instance_count > SPIN_INSTANCES)
        return hk_arena_printf(p->cli->arena,
                               "more than %d instances have too many states: --spin tries it",
                               SPIN_INSTANCES);
    return NULL;
}

static hk_status run_spin(proof *p, hk_finding *f) {
    const char *when = hk_args_value(p->args, "spin");
    bool asked = hk_args_has(p->args, "spin") && !(when && strcmp(when, "auto") == 0);
    hk_spin spin = {.answered = true, .errors = 1};
    const char *text =
        hk_sound_promela(p->cli->arena, p->phased.system, p->phased.master, p->max_step);
    if (text)
        HK_TRY(hk_spin_run(p->cli, text, asked ? 0 : SPIN_SECONDS, &spin));
    f->state = spin.missing || !spin.answered ? HK_PROOF_NOT_DONE
               : spin.errors                  ? HK_PROOF_BROKEN
                                              : HK_PROOF_HOLDS;
    f->text = spin.missing ? "not there: install the package 'spin'"
              : spin.late
                  ? hk_arena_printf(p->cli->arena,
                                    "no answer in %d s: --spin waits for as long as it takes",
                                    SPIN_SECONDS)
              : !spin.answered
                  ? "gave no answer: too many states, or no C compiler"
                  : hk_arena_printf(p->cli->arena, "no errors in %s states%s",
                                    hk_show_count(p->cli->arena, (uint64_t)spin.states),
                                    p->multirate ? " of a cycle in which all take part" : "");
    if (spin.errors)
        show_trail(p, &spin, f);
    return HK_OK;
}

static hk_status prove_spin(proof *p) {
    hk_finding f = {.name = "spin", .state = HK_PROOF_NOT_DONE, .text = leave_spin_out(p)};
    if (p->unphased) {
        f.state = HK_PROOF_NOT_APPLICABLE;
        f.text = "the model for spin is about the specification";
    } else if (!f.text) {
        HK_TRY(run_spin(p, &f));
    }
    add(p, f);
    return HK_OK;
}

/* Of a scenario without a master. In the strict view it must do something with every port. */
static void propose(proof *p) {
    size_t count = p->ports == HK_VIEW_STRICT ? p->system->port_count : 0;
    bool *observed = HK_NEW_ARRAY(p->cli->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        observed[i] = p->system->ports[i].observed;
        p->system->ports[i].observed = true;
    }
    hk_sound_verdict v = hk_sound_synthesise(p->cli->arena, p->system, &p->master);
    for (size_t i = 0; i < count; i++)
        p->system->ports[i].observed = observed[i];
    add_verdict(p, "synthesis", &v, "a correct master was made");
    p->forbidden = v.fmi;
    p->proof.made =
        p->master ? hk_sound_print_text(p->cli->arena, p->system, p->master, p->max_step) : NULL;
}

static void see_phases(proof *p) {
    p->phased = (hk_sound_phased){.system = p->system, .master = p->master};
    if (!p->planned || p->proof.made)
        p->phased = hk_sound_in_phases(p->cli->arena, p->system, p->master, p->ports);
}

static void add_program(proof *p, hk_program_proof found) {
    add(p, (hk_finding){.name = "program",
                        .state = found.right ? HK_PROOF_HOLDS : HK_PROOF_BROKEN,
                        .sampled = found.limited,
                        .text = !found.right    ? found.why
                                : found.limited ? "each set hands over what its lag names, at as "
                                                  "many activations as were looked at"
                                                : "at every activation each set hands over what "
                                                  "its lag names"});
}

/* What the engine will call, in each order that it may go by. */
static hk_status prove_program(proof *p) {
    const hk_plan *plan = p->view.plan;
    hk_program_proof all = {.right = true};
    for (size_t i = 0; i < plan->order_count && all.right; i++) {
        hk_program *program = hk_program_make(plan->orders[i], NULL);
        hk_program_proof one = hk_program_prove(p->cli->arena, program);
        hk_program_destroy(program);
        one.limited = one.limited || all.limited;
        if (!one.right && plan->orders[i]->order_name)
            one.why = hk_arena_printf(p->cli->arena, "%s (with %s)", one.why,
                                      plan->orders[i]->order_name);
        all = one;
    }
    add_program(p, all);
    return HK_OK;
}

/* The plan of the master that was made has the lags of the first one, and with them its warnings:
 * they were told, in the words of the file. */
static hk_status plan_made(const proof *p, const hk_master_file *m, hk_plan **ret_plan) {
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status =
        hk_plan_make(aside, p->view.model, &(hk_plan_options){.levels = m->levels}, ret_plan);
    for (size_t i = 0; i < hk_ctx_count(aside, HK_NOTE) && status != HK_OK; i++)
        hk_say_again(p->cli->ctx, hk_ctx_diag(aside, i));
    hk_ctx_destroy(aside);
    return status;
}

/* The master that was made for a system is one that `hocket run` takes as it is. */
static hk_status prove_runnable(proof *p) {
    hk_master_file *m;
    hk_plan *plan;
    hk_ctx *ctx = p->cli->ctx;
    HK_TRY(hk_master_text_apply(ctx, p->cli->arena, p->view.model, p->args->operands[0],
                                p->proof.made, &m));
    HK_TRY(plan_made(p, m, &plan));
    hk_status status = hk_master_file_prove(ctx, m, plan);
    if (status == HK_OK)
        add_program(p, hk_program_prove(p->cli->arena, hk_master_file_program(m, plan)));
    hk_plan_destroy(plan);
    return status;
}

static hk_status prove_master(proof *p) {
    if (!p->master)
        propose(p);
    if (!p->master)
        return HK_OK;
    if (p->planned)
        HK_TRY(p->proof.made ? prove_runnable(p) : prove_program(p));
    see_phases(p);
    prove_specification(p);
    HK_TRY(prove_contracts(p));
    if (p->planned)
        compare_modelled(p);
    return prove_spin(p);
}

/* A master in words has no times; a trace of it may begin anywhere. */
static hk_status prove_trace(proof *p, const char *file) {
    const char *start = hk_args_value(p->args, "start-time");
    hk_ratio time = {0, 1};
    if (start && !p->planned) {
        if (!hk_time_read(p->cli->ctx, (hk_where){.element = "--start-time"}, start, &time))
            return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE, "a number of seconds",
                            "--start-time: '%s' is no time", start);
        p->system->start = hk_ratio_to_double(time);
    }
    hk_finding found;
    bool asked = hk_args_value(p->args, "view") && !p->by_contract;
    hk_sound_view by = p->by_contract || (p->unphased && !asked) ? HK_VIEW_CONTRACT : p->ports;
    p->trace_by = by;
    HK_TRY(hk_prove_trace(p->cli, p->system, by, file, &found));
    add(p, found);
    return HK_OK;
}

/* ---- the answer ---- */

static hk_status export_texts(const proof *p) {
    const char *csp = hk_args_value(p->args, "export-csp");
    const char *promela = hk_args_value(p->args, "export-promela");
    if ((csp || promela) && !p->phased.master)
        return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "there is no master to export");
    if ((csp || promela) && p->unphased)
        hk_note(p->cli->ctx, (hk_where){.file = p->args->operands[0]},
                "the export compares with the specification, which does not apply here: %s",
                p->unphased);
    if (csp) {
        const char *text =
            hk_sound_cspm(p->cli->arena, p->phased.system, p->phased.master, p->max_step);
        HK_ASSERT(!hk_sound_cspm_check(p->cli->arena, text));
        HK_TRY(hk_file_write(p->cli->ctx, csp, text, strlen(text)));
    }
    if (promela) {
        const char *text =
            hk_sound_promela(p->cli->arena, p->phased.system, p->phased.master, p->max_step);
        if (!text)
            return hk_error(p->cli->ctx, HK_E_UNSOUND, HK_NOWHERE, NULL,
                            "calls of the master wait for each other in a circle");
        HK_TRY(hk_file_write(p->cli->ctx, promela, text, strlen(text)));
    }
    return HK_OK;
}

static hk_status write_made(const proof *p) {
    const char *path = hk_args_value(p->args, "output");
    bool tried = p->proof.count && strcmp(p->proof.findings[0].name, "synthesis") == 0;
    if (!path || (tried && !p->proof.made)) /* the verdict says why */
        return HK_OK;
    if (!tried)
        return hk_error(p->cli->ctx, HK_E_USAGE, (hk_where){.file = p->args->operands[0]},
                        "leave out --output, or the algorithm",
                        "--output is for a master that is made, and none was");
    return hk_file_write(p->cli->ctx, path, p->proof.made, strlen(p->proof.made));
}

/* What was printed says it all; who gets only errors, or only JSON, is told here, and that there is
 * no answer. */
static hk_status fail(const proof *p, const char *file, const hk_finding *wrong) {
    hk_status status = wrong->state == HK_PROOF_INCONCLUSIVE ? HK_E_UNDECIDED : HK_E_UNSOUND;
    bool unphased = strcmp(wrong->name, "trace") == 0 && p->unphased &&
                    hk_args_value(p->args, "view") && !p->by_contract;
    const char *hint =
        unphased ? "the system has no common phases: --view contract asks for none" : wrong->hint;
    if (!p->cli->quiet && !p->cli->json && !unphased && status == HK_E_UNSOUND)
        return status;
    return hk_error(p->cli->ctx, status, (hk_where){.file = file}, hint, "%s: %s", wrong->name,
                    wrong->text);
}

static hk_status execute(proof *p) {
    const char *file = p->args->operands[0], *trace = hk_args_value(p->args, "trace");
    bool text = hk_names_master(file);
    HK_TRY(text ? open_text(p, file) : open_system(p));
    if (!p->system->instance_count)
        return hk_error(p->cli->ctx, HK_E_USAGE, (hk_where){.file = file}, NULL,
                        "there is nothing to prove: it has no components");
    look_at(p);
    see_phases(p);
    HK_TRY(trace ? prove_trace(p, trace) : prove_master(p));
    HK_TRY(export_texts(p));
    HK_TRY(write_made(p));
    p->proof.file = file;
    p->proof.system = p->system;
    p->proof.ports = p->phased.system->port_count;
    p->proof.view = p->by_contract               ? "contract"
                    : p->ports == HK_VIEW_STRICT ? "strict"
                                                 : "connected";
    p->proof.written = hk_args_value(p->args, "output");
    p->proof.contracts_asked = p->by_contract;
    p->proof.contracts_alone = trace ? p->trace_by == HK_VIEW_CONTRACT : p->unphased != NULL;
    const hk_finding *wrong = hk_proof_report(p->cli, &p->proof);
    return wrong ? fail(p, trace ? trace : file, wrong) : HK_OK;
}

static hk_status run_prove(hk_cli *cli, const hk_args *args) {
    const char *ports = hk_args_value(args, "view");
    proof p = {.cli = cli,
               .args = args,
               .by_contract = ports && strcmp(ports, "contract") == 0,
               .ports = ports && strcmp(ports, "strict") == 0 ? HK_VIEW_STRICT : HK_VIEW_CONNECTED};
    hk_status status = execute(&p);
    if (p.planned) {
        hk_sound_destroy(p.system);
        hk_view_close(&p.view);
    }
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
    {.name = "synthesise",
     .group = "Question",
     .help = "make a master and prove that one: of a system with the lags of its plan, so that "
             "'hocket run --master' runs it; of a scenario another one than it has"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE.master",
     .files = "master",
     .written = true,
     .group = "Answer",
     .help = "write the master that was made for a scenario without one (else it is printed)"},
    {.name = "export-csp",
     .argument = "FILE",
     .files = "csp",
     .written = true,
     .group = "Answer",
     .help = "write specification and master as CSPm, for FDR4"},
    {.name = "export-promela",
     .argument = "FILE",
     .files = "pml",
     .written = true,
     .group = "Answer",
     .help = "write specification and master as Promela, for spin"},
};

const hk_verb hk_verb_prove = {
    .name = "prove",
    .summary = "show that the calls of a run are sound, or a call that is not",
    .operands = "SYSTEM",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd xml system simulation master conf json",
    .description =
        "Compares what a run would do with the specification of co-simulation and with "
        "the contracts of its components. SYSTEM is a system or simulation as for 'hocket run', or "
        "a "
        "master in words (.master, docs/masters.md); for a scenario without a master a correct "
        "one is made. A verdict that does not hold comes with the shortest sequence of calls that "
        "shows it; the exit status is 1 then, and also if FMI forbids the calls.\n\n"
        "With --trace it compares calls that were recorded.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_prove,
};
