/* SPDX-License-Identifier: MIT
 *
 * What the monitor says when it has seen something wrong. A sum tells that a list of calls is not
 * what it must be; which call it is follows from the difference, and where calls were written down
 * one by one, from what was written down. */
#include "engine/monitor_internal.h"
#include "engine/tokens.h"

#include "base/number.h"

#include <string.h>

static const char *const list_names[CALL_KINDS] = {"sets", "steps", "gets"};

static const char *time_text(double seconds, char *buffer) {
    buffer[hk_write_f64(seconds, buffer)] = '\0';
    return buffer;
}

static hk_where where_component(const hk_sim *sim, uint32_t component) {
    return (hk_where){.file = sim->model->file, .element = sim->model->components[component].name};
}

static const char defect[] = "this is a defect of hocket, or a component has damaged its memory: "
                             "please report it";

bool hk_report_unsound(hk_sim *sim, uint32_t component, const char *text) {
    HK_ASSERT(sim && text);
    char time[HK_NUMBER_MAX + 1];
    pthread_mutex_lock(&sim->safety.fail_lock);
    sim->status = hk_error(sim->ctx, HK_E_SOUND, where_component(sim, component), defect,
                           "component '%s' %s, at t = %s s", sim->model->components[component].name,
                           text, time_text(sim->time.seconds, time));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return false;
}

bool hk_report_time(hk_sim *sim, const hk_cell *c, double t, double h, hk_tick due) {
    HK_ASSERT(sim && c);
    char was[HK_NUMBER_MAX + 1], by[HK_NUMBER_MAX + 1], must[HK_NUMBER_MAX + 1],
        step[HK_NUMBER_MAX + 1];
    const hk_plan *plan = sim->plan;
    uint32_t component = c->members[0];
    pthread_mutex_lock(&sim->safety.fail_lock);
    sim->status = hk_error(
        sim->ctx, HK_E_SOUND, where_component(sim, component), defect,
        "component '%s' was to be stepped from t = %s s by %s s, but the plan has it from t = %s s "
        "by %s s",
        sim->model->components[component].name, time_text(t, was), time_text(h, by),
        time_text(hk_tick_seconds(due, plan->ticks_per_second), must),
        time_text(hk_tick_seconds(plan->rates[c->rate].period, plan->ticks_per_second), step));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    return false;
}

/* ---- which call it was ---- */

typedef struct listed {
    const hk_op *what;
    uint64_t token;
    const hk_exchange *x; /* NULL: a step */
} listed;

static uint64_t exchange_token(const hk_exchange *x, const void *values) {
    return hk_token((uintptr_t)x->call.fn.refs, x->call.self, values);
}

static size_t list_exchanges(const hk_exchange *begin, const hk_exchange *end, listed *to,
                             size_t n) {
    for (const hk_exchange *x = begin; x < end; x++)
        to[n++] = (listed){&x->what, exchange_token(x, x->call.values), x};
    return n;
}

static size_t list_steps(const hk_stepping *begin, const hk_stepping *end, listed *to, size_t n) {
    for (const hk_stepping *s = begin; s < end; s++)
        to[n++] =
            (listed){&s->what, hk_step_token((uintptr_t)s->call.fn.plain, s->call.self), NULL};
    return n;
}

/* The calls of one kind that a cell is to make. ROWS: those for a row alone. */
static size_t list_calls(hk_arena *arena, const hk_cell *c, hk_call_kind part, bool rows,
                         listed **ret_calls) {
    size_t most =
        (size_t)((c->sets_end - c->sets) + (c->gets_end - c->gets) +
                 (c->text_gets_end - c->text_gets) + (c->row_gets_end - c->row_gets) +
                 (c->steps[HK_STEP_SHAPES] - c->steps[0]) + (c->shifted_end - c->shifted));
    listed *to = *ret_calls = HK_NEW_ARRAY(arena, listed, most + 1);
    if (part == CALL_SET)
        return list_exchanges(c->sets, c->sets_end, to, 0);
    if (part == CALL_STEP)
        return list_steps(c->shifted, c->shifted_end, to,
                          list_steps(c->steps[0], c->steps[HK_STEP_SHAPES], to, 0));
    if (rows)
        return list_exchanges(c->row_gets, c->row_gets_end, to, 0);
    return list_exchanges(c->text_gets, c->text_gets_end, to,
                          list_exchanges(c->gets, c->gets_end, to, 0));
}

static const char *call_text(const hk_sim *sim, hk_arena *arena, const hk_op *what) {
    return hk_arena_printf(arena, "%s of '%s'", what->name,
                           sim->model->components[what->component].name);
}

/* One call with the values of another. */
static const char *find_swap(const hk_sim *sim, hk_arena *arena, const listed *calls, size_t n,
                             uint64_t off) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            if (i == k || !calls[i].x || !calls[k].x)
                continue;
            uint64_t one = exchange_token(calls[i].x, calls[k].x->call.values) - calls[i].token;
            uint64_t both =
                one + exchange_token(calls[k].x, calls[i].x->call.values) - calls[k].token;
            if (off == one || off == both)
                return hk_arena_printf(arena, "%s was made with the values for '%s'",
                                       call_text(sim, arena, calls[i].what),
                                       sim->model->components[calls[k].what->component].name);
        }
    return NULL;
}

static bool copied_in(const hk_sim *sim, size_t connection, const hk_cell *c) {
    const hk_plan_component *p =
        &sim->plan->components[sim->model->connections[connection].to_component];
    return p->rate == c->rate && p->level == c->level && !sim->changes.lent[connection];
}

/* An input that is set by a copy, but not once, or from another source than its own. */
static const char *find_copy(const hk_sim *sim, hk_arena *arena, const hk_cell *c, uint64_t off) {
    size_t n = sim->model->connection_count;
    for (size_t i = 0; i < n; i++) {
        const hk_connection *k = &sim->model->connections[i];
        if (!copied_in(sim, i, c))
            continue;
        const void *to = hk_target_address(sim, k);
        uint64_t token = hk_copy_token(hk_source_address(sim, k), to);
        const char *name = hk_connection_name(sim->model, k);
        if (off == -token || off == token)
            return hk_arena_printf(arena, "the connection %s was %s", name,
                                   off == token ? "copied twice" : "not copied");
        for (size_t j = 0; j < n && n <= 1000; j++) {
            const hk_connection *other = &sim->model->connections[j];
            if (off == hk_copy_token(hk_source_address(sim, other), to) - token)
                return hk_arena_printf(arena, "the connection %s brought the value of %s", name,
                                       hk_connection_name(sim->model, other));
        }
    }
    return NULL;
}

static const char *find_order(const hk_cell *c, hk_call_kind part, uint64_t off) {
    const hk_cell_watch *w = &c->watch;
    uint64_t sets = w->must[CALL_SET] - w->before;
    uint64_t steps = w->must[CALL_STEP] - w->must[CALL_SET];
    if (part == CALL_GET && off == -steps)
        return "outputs were read after inputs were set, without a step in between";
    if (part == CALL_STEP && off == -sets)
        return "steps were made before the inputs were set";
    if (part == CALL_GET && off == -(sets + steps))
        return "outputs were read before anything else was done";
    return NULL;
}

/* The calls of a list of a cell. */
typedef struct call_part {
    const hk_cell *cell;
    hk_call_kind part;
    const listed *calls;
    size_t count;
} call_part;

static const char *explain(const hk_sim *sim, hk_arena *arena, const call_part *of, uint64_t off) {
    const listed *calls = of->calls;
    size_t n = of->count;
    const char *why = find_order(of->cell, of->part, off);
    for (size_t i = 0; i < n && !why; i++)
        if (off == -calls[i].token || off == calls[i].token)
            why = hk_arena_printf(arena, "%s was %s", call_text(sim, arena, calls[i].what),
                                  off == calls[i].token ? "made twice" : "not made");
    why = why ? why : find_swap(sim, arena, calls, n < 64 ? n : 64, off);
    why = why || of->part != CALL_SET ? why : find_copy(sim, arena, of->cell, off);
    return why ? why : "they are not those of the plan, or not in its order";
}

enum { SHOWN = 8 };

static const char *join(hk_arena *arena, const char *list, size_t i, const char *next) {
    if (i > SHOWN)
        return list;
    return hk_arena_printf(arena, "%s%s%s", list, i ? ", " : "", i < SHOWN ? next : "...");
}

/* Inputs that lie in the memory of a component are set by the copy of a connection. */
static const char *add_copies(const hk_sim *sim, hk_arena *arena, const hk_cell *c,
                              const char *list, size_t shown) {
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        if (copied_in(sim, i, c) && sim->changes.active[k->to_component] &&
            hk_sim_port(sim, k->to_component, k->to_variable)->by_address)
            list = join(arena, list, shown++, hk_connection_name(sim->model, k));
    }
    return list;
}

static const char *allowed_text(const hk_sim *sim, hk_arena *arena, const call_part *of) {
    const char *list = "";
    for (size_t i = 0; i < of->count; i++)
        list = join(arena, list, i, call_text(sim, arena, of->calls[i].what));
    if (of->part == CALL_SET)
        list = add_copies(sim, arena, of->cell, list, of->count);
    return *list ? list : "none";
}

/* What was written down; in the fast loop nothing is. */
static const char *made_text(const hk_sim *sim, hk_arena *arena, const hk_lane *l, const hk_cell *c,
                             hk_call_kind part) {
    const char *list = "";
    size_t shown = 0;
    for (size_t i = 0; i < l->made_count; i++) {
        uint32_t component = l->made[i].what->component;
        const hk_plan_component *p = &sim->plan->components[component];
        if (l->made[i].kind == part && p->rate == c->rate && p->level == c->level)
            list = join(arena, list, shown++, call_text(sim, arena, l->made[i].what));
    }
    return !l->made_count ? NULL : shown ? list : "none";
}

bool hk_report_sum(hk_sim *sim, const hk_lane *l, const hk_cell *c, hk_call_kind part,
                   uint64_t seen, uint64_t must) {
    HK_ASSERT(sim && l && c);
    hk_arena *arena = hk_arena_create();
    char time[HK_NUMBER_MAX + 1];
    listed *calls;
    bool rows = part == CALL_GET && must != c->watch.must[CALL_GET];
    pthread_mutex_lock(&sim->safety.fail_lock);
    size_t n = list_calls(arena, c, part, rows, &calls);
    const call_part of = {c, part, calls, n};
    const char *those = made_text(sim, arena, l, c, part);
    const char *hint =
        hk_arena_printf(arena, "%s%s%sallowed are: %s", those ? "made were: " : "",
                        those ? those : "", those ? "; " : "", allowed_text(sim, arena, &of));
    sim->status = hk_error(sim->ctx, HK_E_SOUND, where_component(sim, c->members[0]), hint,
                           "the %s of phase %u at t = %s s are wrong: %s", list_names[part],
                           (unsigned)c->level + 1, time_text(sim->time.seconds, time),
                           explain(sim, arena, &of, seen - must));
    pthread_mutex_unlock(&sim->safety.fail_lock);
    hk_arena_destroy(arena);
    return false;
}
