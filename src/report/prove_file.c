/* SPDX-License-Identifier: MIT
 *
 * What a multi-model itself means, and what the CSP engine says about it. */
#include "report/prove_internal.h"

#include "base/seconds.h"
#include "record/select.h"
#include "report/csp_report.h"
#include "report/show.h"
#include "sysml/profile_rules.h"
#include "sysml/sysml.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { PART_MAX = 3 };
/* Two values where there are fewer states than this, else one, and two in parts. */
static const double states_fit = 300000;

bool hk_names_sysml(const char *path) {
    return path && strcasecmp(hk_path_extension(path), ".sysml") == 0;
}

/* Of its experiment; false: it does not say. */
static bool read_time(const hk_multimodel *profile, hk_profile_time_kind kind, hk_ratio *ret_time) {
    const char *text = profile->experiment.texts[kind];
    bool meant;
    return text && hk_seconds_parse(text, ret_time, &meant);
}

hk_status hk_proof_read_file(hk_proof *p, const char *path, const hk_wishes *asked) {
    static const char *const quiet[] = {"C4=off", "C5=off", "C8=off"};
    hk_profile_wishes wishes = {.profile = "fmi", .rules = {quiet, 3}};
    const hk_multimodel *profile = NULL;
    hk_ratio step = {0, 1}, start;
    p->meant_file = path;
    hk_status status = hk_profile_read(p->ctx, p->arena, path, &profile);
    if (!status && profile->system == HK_PROFILE_NONE)
        status =
            hk_error(p->ctx, HK_E_PROFILE, (hk_where){.file = path},
                     "mark the definition of the system with #system", "there is no System block");
    if (!status)
        status = hk_profile_check(p->ctx, p->arena, profile, &wishes);
    if (!status && !hk_wish_read_step(&asked->step, &step) &&
        (!read_time(profile, HK_PROFILE_STEP, &step) || step.num <= 0))
        step = (hk_ratio){0, 1};
    if (!status)
        status = hk_sound_from_profile(p->ctx, profile, step, &p->meant);
    if (!status && !asked->start.text && read_time(profile, HK_PROFILE_START, &start)) {
        p->meant->start = hk_ratio_to_double(start);
        p->meant->starts = true;
    }
    hk_profile_finish(profile);
    return status;
}

/* Values are compared in the units and numbers of what runs, if that is there: a trace can do
 * without it. */
void hk_proof_use_model(hk_proof *p) {
    if (!p->meant || !hk_sound_needs_model(p->meant))
        return;
    if (p->planned) {
        hk_sound_use_model(p->meant, p->view.model);
        return;
    }
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_model *model = NULL;
    if (hk_sysml_read(silent, p->meant_file, &model) == HK_OK) {
        hk_sound_use_model(p->meant, model);
        hk_model_destroy(model);
    }
    hk_ctx_destroy(silent);
}

/* ---- what is read ------------------------------------------------------------------------------
 */

/* What a run records, if nothing else is asked for: all outputs. */
static void record_outputs(const hk_proof *p, hk_program_observed *ret_observed) {
    const hk_model *model = p->view.model;
    size_t count = 0;
    for (uint32_t c = 0; c < model->component_count; c++)
        count += model->components[c].info->variable_count;
    hk_signal *signals = HK_NEW_ARRAY(p->arena, hk_signal, count + 1);
    *ret_observed = (hk_program_observed){.signals = signals};
    for (uint32_t c = 0; c < model->component_count; c++)
        for (uint32_t v = 0; v < model->components[c].info->variable_count; v++)
            if (model->components[c].info->variables[v].causality == HK_OUTPUT)
                signals[ret_observed->count++] = (hk_signal){.component = c, .variable = v};
}

/* What a record holds is read, connected or not. */
hk_status hk_proof_recorded(hk_proof *p, hk_program_observed *ret_observed) {
    if (!p->wishes->columns.count && p->meant && p->ports == HK_VIEW_STRICT) {
        record_outputs(p, ret_observed);
        return HK_OK;
    }
    hk_arena *arena = p->arena;
    hk_texts patterns = p->wishes->columns;
    size_t column_count = 0;
    hk_column *columns;
    hk_status status = HK_OK;
    if (patterns.count)
        status = hk_columns_select(p->ctx, p->view.model, patterns, arena, &columns, &column_count);
    hk_signal *signals = HK_NEW_ARRAY(arena, hk_signal, column_count + 1);
    for (size_t i = 0; i < column_count; i++)
        signals[i] =
            (hk_signal){.component = columns[i].component, .variable = columns[i].variable};
    *ret_observed = (hk_program_observed){.signals = signals, .count = column_count};
    return status;
}

/* ---- the engine --------------------------------------------------------------------------------
 */

/* How many states the specification has with so many values. */
static double states_of(const hk_sound_system *s, unsigned values) {
    double get = 1, held = 1, set = 1, init = 1;
    bool *drives = hk_alloc(s->port_count + 1);
    for (size_t p = 0; p < s->port_count; p++)
        if (!s->ports[p].is_output && s->ports[p].source != HK_MAP_NONE)
            drives[s->ports[p].source] = true;
    for (size_t p = 0; p < s->port_count; p++) {
        if (s->ports[p].is_output) {
            get *= drives[p] ? values + 1 : 2;
            held *= drives[p] ? values : 1;
        } else {
            set *= 2;
            init *= s->ports[p].initial ? 2 : 1;
        }
    }
    hk_free(drives);
    for (size_t i = 0; i < s->instance_count; i++)
        init *= exp2(s->instances[i].parameters);
    return get + held * set + init + exp2((double)s->instance_count);
}

typedef struct engine {
    hk_proof *p;
    hk_report report;
    size_t assertions, parts;
    uint64_t states; /* of the largest */
    hk_finding *f;
} engine;

static const char *part_name(hk_arena *arena, const hk_sound_system *s) {
    const char *text = "";
    for (size_t i = 0; i < s->instance_count; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "", s->instances[i].name);
    return text;
}

/* False: something was found, or went wrong. */
static hk_status ask(engine *e, const hk_sound_phased *phased, unsigned values, bool part) {
    hk_proof *p = e->p;
    const char *text = hk_sound_cspm(p->arena, phased, p->max_step, values);
    hk_csp_proof proof;
    HK_TRY(hk_csp_proof_text(&e->report, &(hk_file_text){"the CSPm of it", text, strlen(text)},
                             &(hk_csp_wishes){.watch = p->wishes->watch}, &proof));
    for (size_t i = 0; i < proof.count; i++)
        e->states = proof.verdicts[i].states > e->states ? proof.verdicts[i].states : e->states;
    e->assertions = proof.count;
    e->parts += part;
    if (proof.wrong == proof.count)
        return HK_OK;
    const hk_csp_verdict *v = &proof.verdicts[proof.wrong];
    e->f->state = v->limited ? HK_PROOF_NOT_DONE : HK_PROOF_BROKEN;
    e->f->text = hk_arena_printf(
        p->arena, "%s%s, with %s: %s", proof.assertions[proof.wrong].text,
        part ? hk_arena_printf(p->arena, " of %s alone", part_name(p->arena, phased->system)) : "",
        values == 1 ? "one value" : "two values", hk_csp_proof_words(p->arena, v));
    e->f->events = v->trace;
    return HK_OK;
}

/* An input, where its value is to come from and where it comes from: no more than three instances.
 */
static bool mark_part(const hk_proof *p, uint32_t port, bool *in) {
    const hk_sound_system *s = p->phased.system;
    const hk_sound_master *m = p->phased.master;
    memset(in, 0, s->instance_count * sizeof *in);
    in[s->ports[port].instance] = true;
    if (s->ports[port].source != HK_MAP_NONE)
        in[s->ports[s->ports[port].source].instance] = true;
    for (size_t i = 0; i < m->step_count; i++)
        if (m->step[i].op == HK_OP_SET && m->step[i].port == port && m->step[i].carries)
            in[s->ports[m->step[i].carries - 1].instance] = true;
    size_t count = 0;
    for (size_t i = 0; i < s->instance_count; i++)
        count += in[i];
    return count <= PART_MAX;
}

/* Every set of instances once. */
static bool is_new(bool **tried, size_t count, const bool *in, size_t size) {
    for (size_t i = 0; i < count; i++)
        if (memcmp(tried[i], in, size * sizeof *in) == 0)
            return false;
    return true;
}

static hk_status ask_parts(engine *e) {
    const hk_sound_system *s = e->p->phased.system;
    bool **tried = HK_NEW_ARRAY(e->p->arena, bool *, s->port_count + 1);
    size_t count = 0;
    for (uint32_t port = 0; port < s->port_count && e->f->state == HK_PROOF_HOLDS; port++) {
        bool *in = HK_NEW_ARRAY(e->p->arena, bool, s->instance_count + 1);
        if (s->ports[port].is_output || !mark_part(e->p, port, in) ||
            !is_new(tried, count, in, s->instance_count))
            continue;
        tried[count++] = in;
        hk_sound_phased part = hk_sound_part(e->p->arena, &e->p->phased, in);
        if (states_of(part.system, 2) < 10 * states_fit)
            HK_TRY(ask(e, &part, 2, true));
    }
    return HK_OK;
}

hk_status hk_prove_csp(hk_proof *p, const hk_report *report) {
    hk_finding f = {.name = "csp", .state = HK_PROOF_HOLDS, .system = p->phased.system};
    engine e = {.p = p, .report = *report, .f = &f};
    double one = states_of(p->phased.system, 1), two = states_of(p->phased.system, 2);
    if (p->unphased) {
        f.state = HK_PROOF_NOT_APPLICABLE;
        f.text = "the processes are those of the specification";
    } else if (two < states_fit) {
        HK_TRY(ask(&e, &p->phased, 2, false));
    } else if (one < 10 * states_fit) {
        HK_TRY(ask(&e, &p->phased, 1, false));
        HK_TRY(ask_parts(&e));
    } else {
        HK_TRY(ask_parts(&e));
    }
    if (!f.text)
        f.text = hk_arena_printf(
            p->arena, "all %zu assertions hold with %s, in %s states%s", e.assertions,
            two < states_fit        ? "two values"
            : one < 10 * states_fit ? "one value, and of the parts with two"
                                    : "two values, of the parts; the whole has too many states",
            hk_show_count(p->arena, e.states),
            e.parts ? hk_arena_printf(p->arena, " at most; %zu parts", e.parts) : "");
    hk_proof_add(p, f);
    return HK_OK;
}
