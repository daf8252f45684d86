/* SPDX-License-Identifier: MIT
 *
 * Is what a master does, or has done, what it should do? hk_proof_make is the table of contents. */
#include "report/prove_internal.h"

#include "base/file.h"
#include "base/seconds.h"
#include "csp/csp.h"
#include "plan/constraints.h"
#include "record/select.h"
#include "report/info_report.h"
#include "report/show.h"
#include "sound/master_file.h"
#include "sound/program_proof.h"

#include <string.h>

enum { SPIN_SECONDS = 5, SPIN_INSTANCES = 20 }; /* unless it is asked for */

hk_finding *hk_proof_add(hk_proof *p, hk_finding f) {
    HK_ASSERT(p->count < HK_FINDINGS);
    p->findings[p->count] = f;
    return &p->findings[p->count++];
}

static hk_finding *add(hk_proof *p, hk_finding f) {
    return hk_proof_add(p, f);
}

static hk_finding *add_verdict(hk_proof *p, const char *name, const hk_sound_verdict *v,
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
static hk_status observe_outputs(hk_proof *p, const char *file) {
    const hk_sound_system *system = p->system;
    for (size_t n = 0; n < p->wishes->columns.count; n++) {
        const char *pattern = p->wishes->columns.all[n];
        const char **names = HK_NEW_ARRAY(p->arena, const char *, system->port_count + 1);
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
            return hk_signal_unknown(p->ctx, file, pattern, names, count);
    }
    return HK_OK;
}

static hk_status open_text(hk_proof *p, const char *file) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(p->ctx, file, 0, &data, &size));
    hk_status status = hk_sound_read_text(p->ctx, p->arena, &(hk_file_text){file, data, size},
                                          &p->system, &p->master, &p->max_step);
    hk_free(data);
    if (p->wishes->synthesise)
        p->master = NULL; /* another one is made */
    return status == HK_OK ? observe_outputs(p, file) : status;
}

static hk_status open_system(hk_proof *p, const hk_report *report, const hk_request *request) {
    p->planned = true;
    HK_TRY(p->wishes->model
               ? hk_view_take(&p->view, report, request, p->wishes->model, p->wishes->simulation)
               : hk_view_open(&p->view, report, request));
    HK_TRY(hk_view_plan(&p->view));
    hk_program_observed observed;
    HK_TRY(hk_proof_recorded(p, &observed));
    HK_TRY(hk_sound_from_plan(p->ctx, p->view.plan, p->ports, &observed, &p->system));
    p->max_step = 1;
    if (p->wishes->synthesise)
        return hk_master_sayable(p->ctx, p->view.model); /* made like that of a scenario */
    hk_plan_warn_constraints(p->ctx, p->view.plan);      /* ages are not what is proved */
    p->master = hk_sound_master_of_plan(p->arena, p->system, p->view.plan);
    return HK_OK;
}

static void look_at(hk_proof *p) {
    p->unphased = hk_sound_unphased(p->arena, p->meant ? p->meant : p->system);
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

static void prove_specification(hk_proof *p) {
    if (!p->unphased && hk_sound_goes_back(p->master->step, p->master->step_count))
        p->unphased = "the master takes steps back, which the specification does not know: the "
                      "contracts decide";
    const char *differs = p->differs ? p->differs : p->unphased ? p->unlike : NULL;
    if (differs) {
        add(p, (hk_finding){.name = "specification", .state = HK_PROOF_BROKEN, .text = differs});
        return;
    }
    if (p->unphased) {
        add(p, (hk_finding){.name = "specification",
                            .state = p->by_contract ? HK_PROOF_NOT_DONE : HK_PROOF_NOT_APPLICABLE,
                            .text = p->unphased});
        return;
    }
    hk_sound_verdict v =
        hk_sound_refines(p->arena, p->phased.system, p->phased.master, p->max_step);
    add_verdict(p, "specification", &v,
                hk_arena_printf(
                    p->arena, "every order of the %zu calls of a cycle%s is get, set, step",
                    p->phased.master->step_count, p->multirate ? " in which all take part" : ""))
        ->system = p->phased.system;
}

static void add_legal(hk_proof *p, const char *forbidden) {
    add(p, (hk_finding){.name = "fmi",
                        .state = forbidden ? HK_PROOF_FORBIDDEN : HK_PROOF_HOLDS,
                        .text = forbidden ? forbidden
                                          : "no FMU is read after it was set without a step in "
                                            "between"});
}

/* Where rates differ, the lags of the plan are compared at every activation. */
static hk_status prove_rates(hk_proof *p) {
    size_t broken = 0;
    HK_TRY(hk_sound_check_plan(p->ctx, p->view.plan, &broken));
    add(p, (hk_finding){.name = "contracts",
                        .state = broken ? HK_PROOF_BROKEN : HK_PROOF_HOLDS,
                        .text = broken ? "some lags do not keep them: see the warnings"
                                       : "at every activation each input sees what its lag says"});
    add_legal(p, NULL);
    return HK_OK;
}

static hk_status prove_contracts(hk_proof *p) {
    if (p->planned && p->multirate && !p->made)
        return prove_rates(p);
    bool legal = true;
    hk_sound_verdict v =
        hk_sound_keeps_contract(p->arena, p->system, p->master, p->max_step, &legal);
    add_verdict(p, "contracts", &v,
                v.sampled ? "every call finds what it needs; of the combinations of accepted "
                            "steps, which are many, a part was tried"
                          : "every call finds what it needs");
    if (v.holds || !legal)
        add_legal(p, legal ? NULL : p->forbidden ? p->forbidden : v.fmi);
    return HK_OK;
}

/* What the components declare is not always what a sound plan does. */
static void compare_modelled(hk_proof *p) {
    hk_sound_modelled m = hk_sound_as_modelled(p->arena, p->system, p->view.plan);
    add(p, (hk_finding){.name = "modelled",
                        .state = m.late ? HK_PROOF_DIFFERS : HK_PROOF_HOLDS,
                        .text = m.text,
                        .loop = m.loop,
                        .loop_count = m.loop_count});
}

/* The calls that led spin to an error. */
static void show_trail(hk_proof *p, const hk_spin *spin, hk_finding *f) {
    hk_sound_call *trace = HK_NEW_ARRAY(p->arena, hk_sound_call, spin->call_count);
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
static const char *leave_spin_out(const hk_proof *p) {
    if (p->wishes->spin == HK_SPIN_NEVER)
        return "not asked for: --spin=never";
    if (p->wishes->spin == HK_SPIN_AUTO && p->system->instance_count > SPIN_INSTANCES)
        return hk_arena_printf(p->arena,
                               "more than %d instances have too many states: --spin tries it",
                               SPIN_INSTANCES);
    return NULL;
}

static hk_status run_spin(hk_proof *p, hk_finding *f) {
    bool asked = p->wishes->spin == HK_SPIN_ALWAYS;
    hk_spin spin = {.answered = true, .errors = 1};
    const char *text = hk_sound_promela(p->arena, p->phased.system, p->phased.master, p->max_step);
    if (text)
        HK_TRY(hk_spin_run(p->ctx, p->arena, text, asked ? 0 : SPIN_SECONDS, &spin));
    f->state = spin.missing || !spin.answered ? HK_PROOF_NOT_DONE
               : spin.errors                  ? HK_PROOF_BROKEN
                                              : HK_PROOF_HOLDS;
    f->text =
        spin.missing ? "not there: install the package 'spin'"
        : spin.late
            ? hk_arena_printf(p->arena, "no answer in %d s: --spin waits for as long as it takes",
                              SPIN_SECONDS)
        : !spin.answered
            ? "gave no answer: too many states, or no C compiler"
            : hk_arena_printf(p->arena, "no errors in %s states%s",
                              hk_show_count(p->arena, (uint64_t)spin.states),
                              p->multirate ? " of a cycle in which all take part" : "");
    if (spin.errors)
        show_trail(p, &spin, f);
    return HK_OK;
}

static hk_status prove_spin(hk_proof *p) {
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
static void propose(hk_proof *p) {
    size_t count = p->ports == HK_VIEW_STRICT ? p->system->port_count : 0;
    bool *observed = HK_NEW_ARRAY(p->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        observed[i] = p->system->ports[i].observed;
        p->system->ports[i].observed = true;
    }
    hk_sound_verdict v = hk_sound_synthesise(p->arena, p->system, &p->master);
    for (size_t i = 0; i < count; i++)
        p->system->ports[i].observed = observed[i];
    add_verdict(p, "synthesis", &v, "a correct master was made");
    p->forbidden = v.fmi;
    p->made = p->master ? hk_sound_print_text(p->arena, p->system, p->master, p->max_step) : NULL;
}

static hk_status see_phases(hk_proof *p) {
    p->phased = (hk_sound_phased){.system = p->system, .master = p->master};
    if (!p->planned || p->made)
        p->phased = hk_sound_in_phases(p->arena, p->system, p->master, p->ports);
    if (!p->meant || !p->planned || !p->master)
        return HK_OK;
    HK_TRY(hk_sound_onto(p->ctx, p->arena, p->meant, p->meant_file, &p->phased));
    p->differs = p->phased.differs;
    p->unlike = p->phased.unlike;
    p->phased = hk_sound_in_phases(p->arena, p->phased.system, p->phased.master, p->ports);
    return HK_OK;
}

static void add_program(hk_proof *p, hk_program_proof found) {
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
static hk_status prove_program(hk_proof *p) {
    const hk_plan *plan = p->view.plan;
    hk_program_proof all = {.right = true};
    for (size_t i = 0; i < plan->order_count && all.right; i++) {
        hk_program *program = hk_program_make(plan->orders[i], NULL);
        hk_program_proof one = hk_program_prove(p->arena, program);
        hk_program_destroy(program);
        one.limited = one.limited || all.limited;
        if (!one.right && plan->orders[i]->order_name)
            one.why =
                hk_arena_printf(p->arena, "%s (with %s)", one.why, plan->orders[i]->order_name);
        all = one;
    }
    add_program(p, all);
    return HK_OK;
}

/* The plan of the master that was made has the lags of the first one, and with them its warnings:
 * they were told, in the words of the file. */
static hk_status plan_made(const hk_proof *p, const hk_master_file *m, hk_plan **ret_plan) {
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status =
        hk_plan_make(aside, p->view.model, &(hk_plan_options){.levels = m->levels}, ret_plan);
    for (size_t i = 0; i < hk_ctx_count(aside, HK_NOTE) && status != HK_OK; i++)
        hk_say_again(p->ctx, hk_ctx_diag(aside, i));
    hk_ctx_destroy(aside);
    return status;
}

/* The master that was made for a system is one that `hocket run` takes as it is. */
static hk_status prove_runnable(hk_proof *p) {
    hk_master_file *m;
    hk_plan *plan;
    hk_ctx *ctx = p->ctx;
    const char *file = p->wishes->output ? p->wishes->output : "(the master that was made)";
    HK_TRY(hk_master_text_apply(ctx, p->arena, p->view.model, file, p->made, &m));
    HK_TRY(plan_made(p, m, &plan));
    hk_status status = hk_master_file_prove(ctx, m, plan);
    if (status == HK_OK)
        add_program(p, hk_program_prove(p->arena, hk_master_file_program(m, plan)));
    hk_plan_destroy(plan);
    return status;
}

static hk_status prove_master(hk_proof *p, const hk_report *report) {
    bool given = p->master;
    if (!given)
        propose(p);
    if (!p->master)
        return HK_OK;
    if (p->planned)
        HK_TRY(p->made ? prove_runnable(p) : prove_program(p));
    if (!given)
        HK_TRY(see_phases(p));
    prove_specification(p);
    HK_TRY(prove_contracts(p));
    if (p->planned)
        compare_modelled(p);
    HK_TRY(prove_spin(p));
    return p->wishes->csp ? hk_prove_csp(p, report) : HK_OK;
}

/* A master in words has no times; a trace of it may begin anywhere. */
static hk_status prove_trace(hk_proof *p, const char *file) {
    const char *start = p->wishes->start;
    hk_ratio time = {0, 1};
    if (start && !p->planned) {
        if (!hk_time_read(p->ctx, (hk_where){.element = "--start-time"}, start, &time))
            return hk_error(p->ctx, HK_E_USAGE, HK_NOWHERE, "a number of seconds",
                            "--start-time: '%s' is not a time", start);
        p->system->start = hk_ratio_to_double(time);
    }
    hk_finding found;
    bool asked = p->wishes->view && !p->by_contract;
    hk_sound_view by = p->by_contract || (p->unphased && !asked) ? HK_VIEW_CONTRACT : p->ports;
    p->trace_by = by;
    HK_TRY(hk_prove_trace(p->ctx, p->arena, p->system, by, file, &found));
    add(p, found);
    return HK_OK;
}

/* ---- the answer ---- */

/* What is exported is read again: it is CSPm, each part of its sort. */
static bool is_script(hk_arena *arena, const char *text) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_csp_script *script = NULL;
    bool good =
        hk_csp_read(quiet, arena, &(hk_file_text){"export", text, strlen(text)}, &script) == HK_OK;
    if (good)
        hk_csp_close(script);
    hk_ctx_destroy(quiet);
    return good;
}

static hk_status export_texts(const hk_proof *p) {
    const char *csp = p->wishes->export_csp;
    const char *promela = p->wishes->export_promela;
    if ((csp || promela) && !p->phased.master)
        return hk_error(p->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "there is no master to export");
    if ((csp || promela) && p->unphased)
        hk_note(p->ctx, (hk_where){.file = p->file},
                "the export compares with the specification, which does not apply here: %s",
                p->unphased);
    if (csp) {
        const char *text = hk_sound_cspm(p->arena, &p->phased, p->max_step,
                                         p->wishes->values ? p->wishes->values : 2);
        HK_ASSERT(is_script(p->arena, text));
        HK_TRY(hk_file_write(p->ctx, csp, text, strlen(text)));
    }
    if (promela) {
        const char *text =
            hk_sound_promela(p->arena, p->phased.system, p->phased.master, p->max_step);
        if (!text)
            return hk_error(p->ctx, HK_E_UNSOUND, HK_NOWHERE, NULL,
                            "calls of the master wait for each other in a circle");
        HK_TRY(hk_file_write(p->ctx, promela, text, strlen(text)));
    }
    return HK_OK;
}

static hk_status write_made(const hk_proof *p) {
    const char *path = p->wishes->output;
    bool tried = p->count && strcmp(p->findings[0].name, "synthesis") == 0;
    if (!path || (tried && !p->made)) /* the verdict says why */
        return HK_OK;
    if (!tried)
        return hk_error(p->ctx, HK_E_USAGE, (hk_where){.file = p->file},
                        "leave out --output, or the algorithm",
                        "--output is for a master that is made, and none was");
    return hk_file_write(p->ctx, path, p->made, strlen(p->made));
}

static hk_status find(hk_proof *p, const hk_report *report, const hk_request *request) {
    const char *trace = p->wishes->trace;
    const char *meaning = p->wishes->specification ? p->wishes->specification
                          : p->wishes->model       ? NULL
                                                   : p->file;
    bool text = !p->wishes->model && hk_names_master(p->file);
    if (hk_names_sysml(meaning) && !text)
        HK_TRY(hk_proof_read_file(p, meaning, &request->wishes));
    if (p->meant && trace) { /* held to its meaning alone: what runs it need not be there */
        p->system = p->meant;
        p->max_step = 1;
        HK_TRY(observe_outputs(p, p->file));
    } else {
        HK_TRY(text ? open_text(p, p->file) : open_system(p, report, request));
    }
    if (!p->system->instance_count)
        return hk_error(p->ctx, HK_E_USAGE, (hk_where){.file = p->file}, NULL,
                        "there is nothing to prove: it has no components");
    hk_proof_use_model(p);
    look_at(p);
    HK_TRY(see_phases(p));
    HK_TRY(trace ? prove_trace(p, trace) : prove_master(p, report));
    HK_TRY(export_texts(p));
    HK_TRY(write_made(p));
    p->port_count = p->phased.system->port_count;
    p->view_name = p->by_contract               ? "contract"
                   : p->ports == HK_VIEW_STRICT ? "strict"
                                                : "connected";
    p->contracts_alone = trace ? p->trace_by == HK_VIEW_CONTRACT : p->unphased != NULL;
    for (size_t i = p->count; i-- > 0;)
        if (p->findings[i].state == HK_PROOF_BROKEN || p->findings[i].state == HK_PROOF_FORBIDDEN ||
            p->findings[i].state == HK_PROOF_INCONCLUSIVE)
            p->wrong = &p->findings[i];
    return HK_OK;
}

hk_status hk_proof_make(hk_proof *proof, const hk_report *report, const hk_request *request,
                        const hk_proof_wishes *wishes) {
    const char *view = wishes->view;
    HK_ASSERT(wishes->model ? !wishes->synthesise : request->file != NULL);
    *proof = (hk_proof){.ctx = report->ctx,
                        .arena = report->arena,
                        .wishes = wishes,
                        .file = request->file,
                        .by_contract = view && strcmp(view, "contract") == 0,
                        .ports = view && strcmp(view, "strict") == 0 ? HK_VIEW_STRICT
                                                                     : HK_VIEW_CONNECTED};
    return find(proof, report, request);
}

bool hk_proof_is_unphased(const hk_proof *p) {
    return p->wrong && strcmp(p->wrong->name, "trace") == 0 && p->unphased && p->wishes->view &&
           !p->by_contract;
}

hk_status hk_proof_status(const hk_proof *p) {
    return !p->wrong                                  ? HK_OK
           : p->wrong->state == HK_PROOF_INCONCLUSIVE ? HK_E_UNDECIDED
                                                      : HK_E_UNSOUND;
}

hk_status hk_proof_fail(const hk_proof *p) {
    HK_ASSERT(p->wrong);
    const char *hint = hk_proof_is_unphased(p)
                           ? "the system has no common phases: --view contract asks for none"
                           : p->wrong->hint;
    return hk_error(p->ctx, hk_proof_status(p),
                    (hk_where){.file = p->wishes->trace ? p->wishes->trace : p->file}, hint,
                    "%s: %s", p->wrong->name, p->wrong->text);
}

void hk_proof_close(hk_proof *proof) {
    hk_sound_destroy(proof->meant);
    if (proof->planned) {
        hk_sound_destroy(proof->system);
        hk_view_close(&proof->view);
    }
    *proof = (hk_proof){0};
}
