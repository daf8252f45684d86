/* SPDX-License-Identifier: MIT
 *
 * `hocket prove`: is what a master does, or has done, what it should do? */
#include "base/file.h"
#include "cli/plan_view.h"
#include "cli/prove.h"
#include "sound/sound.h"

#include <string.h>
#include <strings.h>

typedef enum state { HOLDS, BROKEN, NOT_APPLICABLE, NOT_DONE } state;

typedef struct finding {
    const char *name;
    state state;
    const char *text; /* what was looked at, or why it does not hold */
    const hk_sound_call *trace;
    size_t trace_count;
} finding;

enum { FINDINGS = 4, SHOWN_CALLS = 40 };

typedef struct proof {
    hk_cli *cli;
    const hk_args *args;
    hk_view view; /* of systems that are run */
    bool planned;
    hk_sound_view ports;
    hk_sound_system *system;
    hk_sound_master *master; /* NULL: a scenario without one */
    int64_t max_step;
    bool phased; /* the specification applies: all inputs are delayed */
    bool multirate;
    finding findings[FINDINGS];
    size_t count;
} proof;

static void add(proof *p, finding f) {
    p->findings[p->count++] = f;
}

static void add_verdict(proof *p, const char *name, const hk_sound_verdict *v, const char *fine) {
    add(p, (finding){.name = name,
                     .state = v->holds ? HOLDS : BROKEN,
                     .text = v->holds ? fine : v->why,
                     .trace = v->trace,
                     .trace_count = v->trace_count});
}

/* ---- what it is about ---- */

static hk_status open_text(proof *p, const char *file) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(p->cli->ctx, file, 0, &data, &size));
    hk_status status = hk_sound_read_text(p->cli->ctx, p->cli->arena, file, data, size, &p->system,
                                          &p->master, &p->max_step);
    hk_free(data);
    return status;
}

static hk_status open_system(proof *p) {
    p->planned = true;
    HK_TRY(hk_view_open(&p->view, p->cli, p->args));
    HK_TRY(hk_view_plan(&p->view));
    HK_TRY(hk_sound_from_plan(p->cli->ctx, p->view.plan, p->ports, &p->system));
    p->master = hk_sound_master_of_plan(p->cli->arena, p->system, p->view.plan);
    p->max_step = 1;
    return HK_OK;
}

static void look_at(proof *p) {
    p->phased = true;
    for (size_t i = 0; i < p->system->port_count; i++)
        p->phased = p->phased && !p->system->ports[i].reactive;
    for (size_t i = 0; i < p->system->instance_count; i++) {
        const hk_sound_instance *instance = &p->system->instances[i];
        p->multirate = p->multirate || instance->rate > 1 || instance->first > 0;
    }
    if (p->planned && p->view.plan->level_count > 1)
        p->phased = false;
}

/* ---- verdicts ---- */

static void prove_specification(proof *p) {
    if (!p->phased) {
        add(p, (finding){.name = "specification",
                         .state = NOT_APPLICABLE,
                         .text = "some inputs want values of the same step (Gauss-Seidel): there "
                                 "are no common phases, and the contracts decide"});
        return;
    }
    hk_sound_verdict v = hk_sound_refines(p->cli->arena, p->system, p->master);
    add_verdict(p, "specification", &v,
                hk_arena_printf(p->cli->arena,
                                "every order of the %zu calls of a cycle is get, set, step",
                                p->master->step_count));
}

/* Where rates differ, the lags of the plan are compared at every activation. */
static hk_status prove_rates(proof *p) {
    size_t before = hk_ctx_count(p->cli->ctx, HK_WARNING);
    HK_TRY(hk_sound_check_plan(p->cli->ctx, p->view.plan));
    bool holds = hk_ctx_count(p->cli->ctx, HK_WARNING) == before;
    add(p, (finding){.name = "contracts",
                     .state = holds ? HOLDS : BROKEN,
                     .text = holds ? "at every activation each input sees what its lag says"
                                   : "some lags do not keep them: see the warnings"});
    return HK_OK;
}

static hk_status prove_contracts(proof *p) {
    if (p->planned && p->multirate)
        return prove_rates(p);
    bool legal = true;
    hk_sound_verdict v =
        hk_sound_keeps_contract(p->cli->arena, p->system, p->master, p->max_step, &legal);
    add_verdict(p, "contracts", &v,
                legal
                    ? "every call finds what it needs, and FMI allows it"
                    : hk_arena_printf(p->cli->arena,
                                      "every call finds what it needs; but FMI "
                                      "does not allow it: %s",
                                      v.fmi ? v.fmi : "an output is read after an input was set"));
    return HK_OK;
}

static hk_status prove_spin(proof *p) {
    finding f = {.name = "spin", .state = NOT_DONE, .text = "not asked for: --spin"};
    if (!p->phased) {
        f.state = NOT_APPLICABLE;
        f.text = "the model for spin is about the specification";
    } else if (hk_args_has(p->args, "spin")) {
        hk_spin spin;
        const char *text = hk_sound_promela(p->cli->arena, p->system, p->master);
        if (text)
            HK_TRY(hk_spin_run(p->cli, text, &spin));
        else
            spin = (hk_spin){.answered = true, .errors = 1};
        f.state = spin.missing || !spin.answered ? NOT_DONE : spin.errors ? BROKEN : HOLDS;
        f.text = spin.missing     ? "not there: install the package 'spin'"
                 : !spin.answered ? "gave no answer: too many states, or no C compiler"
                 : spin.errors
                     ? "an assertion is violated; the calls are those above"
                     : hk_arena_printf(p->cli->arena, "no errors in %s states",
                                       hk_show_count(p->cli->arena, (uint64_t)spin.states));
    }
    add(p, f);
    return HK_OK;
}

static void propose(proof *p) {
    hk_sound_verdict v = hk_sound_synthesise(p->cli->arena, p->system, &p->master);
    add_verdict(p, "synthesis", &v,
                v.fmi ? hk_arena_printf(p->cli->arena,
                                        "a correct master was found; but FMI does not allow it: %s",
                                        v.fmi)
                      : "a correct master was found");
    if (!v.holds)
        p->master = NULL;
}

static hk_status prove_master(proof *p) {
    if (!p->master)
        propose(p);
    if (!p->master)
        return HK_OK;
    prove_specification(p);
    HK_TRY(prove_contracts(p));
    return prove_spin(p);
}

static hk_status prove_trace(proof *p, const char *file) {
    hk_sound_verdict v;
    hk_sound_view view = p->phased ? p->ports : HK_VIEW_CONTRACT;
    HK_TRY(hk_sound_check_file(p->cli->ctx, p->cli->arena, p->system, view, p->system->start, file,
                               &v));
    const char *fine = hk_arena_printf(
        p->cli->arena, "%s: %s calls in %s cycles, %s%s%s", hk_sound_outcome_name(v.outcome),
        hk_show_count(p->cli->arena, v.calls), hk_show_count(p->cli->arena, v.cycles),
        p->phased ? "phase by phase" : "by the contracts of each instance", v.why ? "; " : "",
        v.why ? v.why : "");
    add_verdict(p, "trace", &v, fine);
    if (v.outcome == HK_SOUND_INCONCLUSIVE)
        p->findings[p->count - 1].text = hk_arena_printf(p->cli->arena, "INCONCLUSIVE: %s", v.why);
    return HK_OK;
}

/* ---- the answer ---- */

static const char *state_word(state s) {
    static const char *const words[] = {"holds", "broken", "does not apply", "not done"};
    return words[s];
}

/* From which call on the trace is shown. */
static size_t first_shown(const finding *f) {
    return f->trace_count > SHOWN_CALLS ? f->trace_count - SHOWN_CALLS : 0;
}

static void print(const proof *p) {
    const hk_sound_system *s = p->system;
    bool color = p->cli->color_out;
    hk_put_clean(stdout, s->name);
    printf(": %zu instances, %zu ports, %s\n", s->instance_count, s->port_count,
           p->ports == HK_VIEW_STRICT ? "all of them" : "those that are connected");
    for (size_t i = 0; i < p->count; i++) {
        const finding *f = &p->findings[i];
        hk_style style = f->state == HOLDS ? HK_GREEN : f->state == BROKEN ? HK_RED : HK_DIM;
        printf("%-15s%s%s%s: ", f->name, hk_style_on(color, style), state_word(f->state),
               hk_style_off(color));
        hk_put_clean(stdout, f->text);
        putchar('\n');
        size_t first = first_shown(f);
        if (f->state == BROKEN && first)
            printf("  ... %zu calls before\n", first);
        for (size_t k = first; f->state == BROKEN && k < f->trace_count; k++) {
            printf("  %zu ", k + 1);
            hk_put_clean(stdout, hk_sound_call_text(p->cli->arena, s, &f->trace[k]));
            printf("%s\n", k + 1 == f->trace_count ? "   <- not allowed" : "");
        }
    }
}

static void answer(const proof *p, bool holds) {
    hk_json json;
    hk_answer_begin(p->cli, &json, "prove");
    hk_json_string(&json, "file", p->args->operands[0]);
    hk_json_bool(&json, "holds", holds);
    hk_json_string(&json, "view", p->ports == HK_VIEW_STRICT ? "strict" : "connected");
    hk_json_i64(&json, "instances", (int64_t)p->system->instance_count);
    hk_json_i64(&json, "ports", (int64_t)p->system->port_count);
    hk_json_array(&json, "verdicts");
    for (size_t i = 0; i < p->count; i++) {
        const finding *f = &p->findings[i];
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", f->name);
        hk_json_string(&json, "state", state_word(f->state));
        hk_json_string(&json, "text", f->text);
        hk_json_array(&json, "calls");
        for (size_t k = 0; f->state == BROKEN && k < f->trace_count; k++)
            hk_json_string(&json, NULL, hk_sound_call_text(p->cli->arena, p->system, &f->trace[k]));
        hk_json_end(&json);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_answer_end(&json);
}

static hk_status export_texts(const proof *p) {
    const char *csp = hk_args_value(p->args, "export-csp");
    const char *promela = hk_args_value(p->args, "export-promela");
    if ((csp || promela) && !p->master)
        return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "there is no master to export");
    if (csp) {
        const char *text = hk_sound_cspm(p->cli->arena, p->system, p->master);
        HK_ASSERT(!hk_sound_cspm_check(p->cli->arena, text));
        HK_TRY(hk_file_write(p->cli->ctx, csp, text, strlen(text)));
    }
    if (promela) {
        const char *text = hk_sound_promela(p->cli->arena, p->system, p->master);
        if (!text)
            return hk_error(p->cli->ctx, HK_E_UNSOUND, HK_NOWHERE, NULL,
                            "calls of the master wait for each other in a circle");
        HK_TRY(hk_file_write(p->cli->ctx, promela, text, strlen(text)));
    }
    return HK_OK;
}

static hk_status execute(proof *p) {
    const char *file = p->args->operands[0], *trace = hk_args_value(p->args, "trace");
    bool text = strcasecmp(hk_path_extension(file), ".master") == 0;
    HK_TRY(text ? open_text(p, file) : open_system(p));
    if (!p->system->instance_count)
        return hk_error(p->cli->ctx, HK_E_USAGE, (hk_where){.file = file}, NULL,
                        "there is nothing to prove: it has no components");
    look_at(p);
    HK_TRY(trace ? prove_trace(p, trace) : prove_master(p));
    HK_TRY(export_texts(p));
    bool holds = true;
    for (size_t i = 0; i < p->count; i++)
        holds = holds && p->findings[i].state != BROKEN;
    if (p->cli->json)
        answer(p, holds);
    else
        print(p);
    fflush(stdout);
    for (size_t i = 0; i < p->count; i++)
        if (p->findings[i].state == BROKEN)
            return hk_error(p->cli->ctx, HK_E_UNSOUND, (hk_where){.file = trace ? trace : file},
                            NULL, "%s: %s", p->findings[i].name, p->findings[i].text);
    return HK_OK;
}

static hk_status run_prove(hk_cli *cli, const hk_args *args) {
    const char *ports = hk_args_value(args, "view");
    proof p = {.cli = cli,
               .args = args,
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
     .choices = "strict connected",
     .group = "Question",
     .help = "'connected' ports only (the default), or 'strict': all must be read and set"},
    {.name = "spin",
     .group = "Question",
     .help = "let spin look at every state, too, if it is installed"},
    {.name = "export-csp",
     .argument = "FILE",
     .files = "csp",
     .group = "Answer",
     .help = "write specification and master as CSPm, for FDR4"},
    {.name = "export-promela",
     .argument = "FILE",
     .files = "pml",
     .group = "Answer",
     .help = "write specification and master as Promela, for spin"},
};

const hk_verb hk_verb_prove = {
    .name = "prove",
    .summary = "show that the calls of a run are sound, or a call that is not",
    .operands = "SYSTEM",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd master",
    .description =
        "Compares what a run would do with the specification of co-simulation and with "
        "the contracts of its components. SYSTEM is a system as for 'hocket run', or a "
        "master in words (.master, docs/masters.md). A verdict that does not hold comes "
        "with the shortest sequence of calls that shows it; the exit status is 1 then.\n\n"
        "With --trace it compares calls that were recorded.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_prove,
};
