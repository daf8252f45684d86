/* SPDX-License-Identifier: MIT
 *
 * The slow paths of the loop: something went wrong, and a person has to be told what, where, when.
 */
#include "engine/failures.h"
#include "engine/sim_parts.h"

#include "base/fpenv.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *time_text(double seconds, char *buffer) {
    buffer[hk_write_f64(seconds, buffer)] = '\0';
    return buffer;
}

static hk_where where_instance(const hk_sim *sim, uint32_t component) {
    return (hk_where){.file = sim->model->file, .element = sim->model->components[component].name};
}

static const char *code_name(int code) {
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    return code >= 0 && code <= HK_UNIT_PENDING ? names[code] : "an unknown status";
}

bool hk_fail_call(hk_sim *sim, const hk_op *what, int code) {
    HK_ASSERT(sim && what);
    char time[HK_NUMBER_MAX + 1];
    hk_sim_instance *inst = &sim->slots.instances[what->component];
    pthread_mutex_lock(&sim->safety.fail_lock);
    const hk_unit_class *unit_class = inst->unit->unit_class;
    hk_status gone = unit_class->gone ? unit_class->gone(sim->ctx, inst->unit) : HK_OK;
    if (gone != HK_OK) {
        sim->status = gone;
        pthread_mutex_unlock(&sim->safety.fail_lock);
        return false;
    }
    const char *said = unit_class->call_failed(inst->unit, code);
    sim->status = hk_error(sim->ctx, HK_E_UNIT_FAILED, where_instance(sim, what->component), NULL,
                           "component '%s': %s returned %s at t = %s s%s", inst->unit->name,
                           what->name, code_name(code), time_text(sim->time.seconds, time), said);
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return false;
}

static const char *end_reason(hk_sim *sim, uint32_t component, double at) {
    char time[HK_NUMBER_MAX + 1];
    return hk_arena_printf(sim->arena, "component '%s' ended the simulation at t = %s s",
                           sim->slots.instances[component].unit->name, time_text(at, time));
}

void hk_end_ask(hk_sim *sim, uint32_t component, hk_tick until, double at) {
    HK_ASSERT(sim && component < sim->model->component_count);
    if (until >= sim->end.asked_end)
        return;
    sim->end.asked_reason = end_reason(sim, component, at);
    sim->end.asker = component;
    sim->end.asked_end = until;
    sim->end.asked_at = at;
}

void hk_end_by(hk_sim *sim, uint32_t component, double at) {
    HK_ASSERT(sim && component < sim->model->component_count);
    sim->end.ended = true;
    sim->end.reason = end_reason(sim, component, at);
    sim->end.ender = sim->end.asker = component;
    sim->end.at = at;
}

/* The component asks to end the simulation, inside the step that ENDS then or after it. */
static bool end_asked(hk_sim *sim, const hk_op *what, const hk_stepped *stepped, double ends) {
    bool whole = stepped->outcome == HK_OUTCOME_LAST;
    if (whole)
        hk_end_ask(sim, what->component,
                   sim->time.now + sim->plan->components[what->component].period, ends);
    else
        hk_end_by(sim, what->component, stepped->time);
    return whole;
}

/* What the end of a step means for the run; false: that is over. */
static bool settle_step(hk_sim *sim, const hk_op *what, hk_status status, const hk_stepped *stepped,
                        double ends) {
    pthread_mutex_lock(&sim->safety.fail_lock);
    if (status != HK_OK)
        sim->status = status;
    bool goes_on = status == HK_OK &&
                   (stepped->outcome == HK_OUTCOME_DONE || end_asked(sim, what, stepped, ends));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return goes_on;
}

bool hk_fail_step(hk_sim *sim, const hk_op *what, int code, double begin, double h) {
    HK_ASSERT(sim && what);
    hk_unit *unit = sim->slots.instances[what->component].unit;
    hk_stepped stepped = {HK_OUTCOME_DONE, begin};
    hk_status status = unit->unit_class->step_failed(sim->ctx, unit, code, begin, h, &stepped);
    if (status == HK_OK && stepped.outcome == HK_OUTCOME_PENDING) {
        hk_under_way *u = &sim->loop.under_way[what->component];
        *u = (hk_under_way){.waited_for = true, .begin = begin, .h = h};
        return unit->info->can.asynchronous || hk_wait_step(sim, what);
    }
    return settle_step(sim, what, status, &stepped, begin + h);
}

bool hk_wait_step(hk_sim *sim, const hk_op *what) {
    HK_ASSERT(sim && what);
    hk_unit *unit = sim->slots.instances[what->component].unit;
    hk_under_way *u = &sim->loop.under_way[what->component];
    hk_stepped stepped = {HK_OUTCOME_DONE, u->begin};
    if (!u->waited_for)
        return true;
    u->waited_for = false;
    hk_status status = unit->unit_class->step_wait(sim->ctx, unit, u->begin, u->h, &stepped);
    HK_ASSERT(status != HK_OK || stepped.outcome != HK_OUTCOME_PENDING);
    return settle_step(sim, what, status, &stepped, u->begin + u->h);
}

/* What a connection brings, as text; only where it can be told at once. */
static const char *brought(const hk_general_copy *g, char *buffer) {
    double value;
    if (g->past || g->trouble || g->count > 1 || g->from_store == HK_STORE_BYTES ||
        !hk_value_convert(HK_STORE_F64, &value, g->from_store, g->from, 1))
        return "a value";
    if (g->transform && g->transform->kind == HK_TRANSFORM_LINEAR)
        value = hk_transform_value(g->transform, value);
    return time_text(value, buffer);
}

bool hk_fail_copy(hk_sim *sim, const hk_general_copy *g) {
    HK_ASSERT(sim && g);
    const hk_connection *k = &sim->model->connections[g->connection];
    const hk_variable *to =
        &sim->model->components[k->to_component].info->variables[k->to_variable];
    char value[HK_NUMBER_MAX + 1], time[HK_NUMBER_MAX + 1];
    pthread_mutex_lock(&sim->safety.fail_lock);
    hk_moment_fails(sim, HK_MOMENT_COPY, k->to_component, false);
    sim->status =
        hk_error(sim->ctx, HK_E_CONVERSION, hk_connection_where(sim->model, k),
                 g->to_text ? "text is UTF-8 without zero bytes"
                            : "whole numbers within its range fit an integer; limit or round it "
                              "before",
                 "%s does not fit the %s input at t = %s s", brought(g, value),
                 hk_type_name(to->type), time_text(sim->time.seconds, time));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return false;
}

/* An element of an array is named by its number, from 1. */
static const char *element_name(const hk_sim *sim, const hk_engine_port *p, const char *at) {
    const hk_variable *v = &sim->model->components[p->component].info->variables[p->variable];
    size_t element = (size_t)(at - (const char *)p->address) / hk_store_size(v->store);
    return v->count == 1 ? v->name : hk_arena_printf(sim->arena, "%s[%zu]", v->name, element + 1);
}

/* Names the output that lies AT; false if none does. */
static bool name_output(hk_sim *sim, const char *at, double value) {
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        const char *first = p->address;
        if (at < first || at >= first + p->bytes || !(p->use & (USE_EVERY | USE_ROW)))
            continue;
        char time[HK_NUMBER_MAX + 1];
        sim->status =
            hk_error(sim->ctx, HK_E_UNIT_NAN, where_instance(sim, p->component),
                     "--allow-nan records such values instead",
                     "component '%s': output '%s' is %s after %s t = %s s",
                     sim->model->components[p->component].name, element_name(sim, p, at),
                     isnan(value) ? "NaN" : "infinite",
                     *sim->slots.instances[p->component].last == TICK_INITIAL ? "initialization at"
                                                                              : "the step at",
                     time_text(sim->time.seconds, time));
        return true;
    }
    return false;
}

static bool name_culprit(hk_sim *sim, const hk_segment *begin, const hk_segment *end) {
    for (const hk_segment *s = begin; s < end; s++)
        for (size_t e = 0; e < s->count; e++) {
            double value;
            const char *at = (const char *)s->from + e * hk_store_size(s->store);
            if (hk_value_convert(HK_STORE_F64, &value, s->store, at, 1) && !isfinite(value) &&
                name_output(sim, at, value))
                return true;
        }
    return false;
}

bool hk_fail_not_finite(hk_sim *sim, const hk_cell *c) {
    HK_ASSERT(sim && c);
    if (sim->options.allow_nan)
        return true;
    pthread_mutex_lock(&sim->safety.fail_lock);
    if (c->member_count)
        hk_moment_fails(sim, HK_MOMENT_GET, c->members[0], true);
    bool nobody = !name_culprit(sim, c->finite, c->finite_end) &&
                  !name_culprit(sim, c->finite_many, c->finite_many_end) &&
                  !name_culprit(sim, c->finite_rows, c->finite_rows_end);
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return nobody;
}

bool hk_fail_given(hk_sim *sim, uint32_t component, const char *input) {
    HK_ASSERT(sim && input);
    char time[HK_NUMBER_MAX + 1];
    pthread_mutex_lock(&sim->safety.fail_lock);
    sim->status =
        hk_error(sim->ctx, HK_E_UNIT_FAILED, where_instance(sim, component),
                 "what a connection or a share brings is read, not written: keep what "
                 "changes in a field of its own",
                 "component '%s' has changed '%s', which it is given, at t = %s s or "
                 "before",
                 sim->model->components[component].name, input, time_text(sim->time.seconds, time));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return false;
}

/* "component 'a': fmi2DoStep", as well as it is known. */
static const char *culprit(const hk_sim *sim, const hk_op *what, char *buffer, size_t room) {
    if (!what && sim->model->component_count > 1)
        return "a call of a component";
    snprintf(buffer, room, "component '%s': %s",
             sim->model->components[what ? what->component : 0].name, what ? what->name : "a call");
    return buffer;
}

void hk_report_fpenv(hk_sim *sim, const hk_op *what) {
    HK_ASSERT(sim);
    uint64_t now = hk_fpenv_read();
    hk_fpenv_write(sim->safety.fp_control);
    sim->safety.careful =
        true; /* from here on look after every call, so that others are not affected */
    sim->profile.until_sample = 1;
    sim->safety.fp_slipped |= !what;
    if (sim->safety.fp_reported || (!what && sim->model->component_count > 1))
        return;
    sim->safety.fp_reported = true;
    char who[160], time[HK_NUMBER_MAX + 1];
    hk_warn(sim->ctx, HK_E_UNIT_FAILED, where_instance(sim, what ? what->component : 0),
            "hocket restores it after every call from now on", "%s changes %s %s t = %s s",
            culprit(sim, what, who, sizeof who),
            now == sim->safety.fp_control ? "the floating-point environment"
                                          : hk_fpenv_difference(sim->safety.fp_control, now),
            what ? "at" : "by", time_text(sim->time.seconds, time));
}

void hk_report_slipped(hk_sim *sim) {
    HK_ASSERT(sim);
    if (!sim->safety.fp_slipped || sim->safety.fp_reported)
        return;
    char time[HK_NUMBER_MAX + 1];
    sim->safety.fp_reported = true;
    hk_warn(sim->ctx, HK_E_UNIT_FAILED, (hk_where){.file = sim->model->file}, "hocket put it back",
            "a call of a component changes the floating-point environment by t = %s s",
            time_text(sim->time.seconds, time));
}

void hk_look_around(hk_sim *sim, const hk_op *what) {
    HK_ASSERT(sim && what);
    if (hk_fpenv_read() != sim->safety.fp_control)
        hk_report_fpenv(sim, what);
    hk_restore_host(sim, &sim->safety.host, what, false);
}

void hk_restore_host(hk_sim *sim, const hk_host *host, const hk_op *what, bool faults) {
    HK_ASSERT(sim && host);
    char who[160], text[128], time[HK_NUMBER_MAX + 1];
    unsigned changes = hk_host_restore(host, faults) & ~(unsigned)HK_HOST_FPENV;
    changes &= ~sim->safety.host_reported;
    if (!changes)
        return;
    sim->safety.host_reported |= changes;
    hk_warn(sim->ctx, HK_E_UNIT_FAILED, (hk_where){.file = sim->model->file},
            changes & HK_HOST_LOST ? NULL : "hocket put it back", "%s changes %s %s t = %s s",
            culprit(sim, what, who, sizeof who), hk_host_text(changes, text, sizeof text),
            what ? "at" : "by", time_text(sim->time.seconds, time));
}
