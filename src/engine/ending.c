/* SPDX-License-Identifier: MIT
 *
 * The end of a run: what makes it end, and the last row. */
#include "engine/ending.h"

#include "engine/bind_stages.h"
#include "engine/initialize.h"

#include "base/number.h"

#include <string.h>

bool hk_row_refused(hk_sim *sim) {
    if (sim->status == HK_OK) {
        sim->end.ended = true; /* the recorder reports the reason when it is closed */
        sim->end.reason = "the record could not be written";
    }
    return false;
}

static bool compare(double value, hk_compare how, double threshold) {
    switch (how) {
    case HK_LT:
        return value < threshold;
    case HK_LE:
        return value <= threshold;
    case HK_GT:
        return value > threshold;
    case HK_GE:
        return value >= threshold;
    case HK_EQ:
        return value == threshold;
    case HK_NE:
        return value != threshold;
    }
    return false;
}

/* Conditions are about values that hold now: at the end of the step that made them. */
bool hk_condition_holds(hk_sim *sim) {
    for (size_t i = 0; i < sim->rows.watch_count; i++) {
        const hk_watch *w = &sim->rows.watches[i];
        double value;
        hk_tick tick;
        bool at_stop = sim->time.now >= sim->time.stop; /* there even shortened steps have ended */
        bool ends_later = *w->last != TICK_INITIAL && *w->last + w->stamp > sim->time.now;
        if (ends_later && !at_stop && !w->producer)
            continue;
        const void *from = w->port->address;
        if (w->producer)
            from =
                hk_history_seen(w->producer, w->port->frame_offset,
                                hk_rows_latest(sim, w->port->component, w->stamp, at_stop), &tick);
        from = (const char *)from + w->condition.element * hk_store_size(w->store);
        bool number = hk_value_convert(HK_STORE_F64, &value, w->store, from, 1);
        if (number && w->condition.transform)
            value = hk_transform_value(w->condition.transform, value);
        if (number && compare(value, w->condition.compare, w->condition.threshold)) {
            sim->end.reason = hk_arena_printf(sim->arena, "stop condition '%s'", w->condition.text);
            sim->end.alike = true;
            return true;
        }
    }
    return false;
}

/* A table that has a period of its own shows what it said at its activations, others every time. */
static bool table_speaks(const hk_sim *sim, size_t component) {
    const hk_component *c = &sim->model->components[component];
    const hk_plan_component *p = &sim->plan->components[component];
    return c->info->can.only_feeds && sim->changes.active[component] &&
           (!c->has_period || (sim->time.now - sim->plan->start - p->offset) % p->period == 0);
}

/* A component without a state of its own says at once what it would say in an activation here. What
 * would be drawn by chance, or kept, is left alone. */
static bool passes_on(const hk_sim *sim, size_t component) {
    const hk_component *c = &sim->model->components[component];
    const hk_plan_component *p = &sim->plan->components[component];
    if (!c->info->can.momentary || !sim->changes.active[component] || p->pattern ||
        (sim->time.now - sim->plan->start - p->offset) % p->period != 0)
        return false;
    const struct hk_incoming *in = sim->slots.incoming;
    for (uint32_t i = in->first[component]; i < in->end[component]; i++)
        if (sim->changes.troubles && sim->changes.troubles[in->order[i]])
            return false;
    return true;
}

static void look_through(hk_sim *sim, uint32_t component) {
    const struct hk_incoming *in = sim->slots.incoming;
    hk_unit *unit = sim->slots.instances[component].unit;
    for (uint32_t i = in->first[component]; i < in->end[component]; i++) {
        hk_general_copy g = hk_wiring_general(sim, in->order[i]);
        g.slope = NULL;
        (void)hk_copy_general(sim, &g);
    }
    hk_status status = unit->unit_class->refresh(sim->ctx, unit, sim->time.seconds);
    if (sim->status == HK_OK)
        sim->status = status;
}

/* A component has asked for the end, and others may have gone on beyond it by now. What is passed
 * on there follows from inputs that they do not have any more. */
static bool is_unknown(hk_sim *sim, uint32_t component) {
    const hk_part_state *p = sim->part;
    if (!p || !p->alone || !p->into[component] || !p->into[component]->about->variable_count)
        return false;
    const char *name = sim->model->components[component].name;
    sim->status =
        hk_error(sim->ctx, HK_E_PLACEMENT, (hk_where){.file = sim->model->file, .element = name},
                 "run it without --nodes, or record nothing of it",
                 "%s, and on several nodes what '%s' passes on there cannot be found out any more",
                 sim->end.asked_reason, name);
    return true;
}

/* Those that see others come after them. */
static void look_through_all(hk_sim *sim) {
    for (uint32_t level = 0; level < sim->plan->level_count; level++)
        for (uint32_t c = 0; c < sim->model->component_count; c++)
            if (sim->plan->components[c].level == level && passes_on(sim, c)) {
                if (is_unknown(sim, c))
                    return;
                if (sim->slots.instances[c].unit->unit_class->refresh)
                    look_through(sim, c);
                if (sim->part && !hk_part_look(sim, c))
                    return;
            }
}

static void read_tables(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_unit *unit = sim->slots.instances[c].unit;
        if (!table_speaks(sim, c))
            continue;
        hk_status status = HK_OK;
        if (hk_is_away(sim->part, (uint32_t)c))
            status = hk_part_table(sim, (uint32_t)c);
        else if (unit->unit_class->refresh)
            status = unit->unit_class->refresh(sim->ctx, unit, sim->time.seconds);
        if (sim->status == HK_OK)
            sim->status = status;
    }
}

/* Copies what tables have published, and what is passed on, to KEPT, or BACK; how much that is.
 * KEPT may be NULL: only that. */
static size_t move_looks(const hk_sim *sim, char *kept, bool back) {
    size_t bytes = 0;
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!table_speaks(sim, p->component) && !passes_on(sim, p->component))
            continue;
        if (kept)
            memcpy(back ? p->address : kept + bytes, back ? kept + bytes : p->address, p->bytes);
        bytes += p->bytes;
    }
    return bytes;
}

/* Nothing is activated where a run ends, but what a table says holds there, too, so it is asked
 * once more; and so is what passes on at once what others say. That is a look and no activation:
 * what they said last is put back, since inputs that they drive may be read right out of their
 * memory. */
static void add_row(hk_sim *sim, bool final) {
    if (!hk_listeners_want_end(sim) || !hk_part_end(sim, final))
        return;
    char *kept = hk_alloc(move_looks(sim, NULL, false) + 1);
    (void)move_looks(sim, kept, false);
    read_tables(sim);
    if (sim->time.seconds == hk_tick_seconds(sim->time.now, sim->plan->ticks_per_second))
        look_through_all(sim); /* else it ended inside of a step */
    sim->rows.over = true;
    if (!hk_rows_before(sim, final) || !hk_rows_after(sim))
        hk_row_refused(sim);
    sim->rows.over = false;
    (void)move_looks(sim, kept, true);
    hk_free(kept);
}

/* The row at the end, also between two rows. */
static void last_row(hk_sim *sim, bool final) {
    sim->rows.ends = true;
    add_row(sim, final);
    sim->rows.ends = false;
}

void hk_end_early(hk_sim *sim) {
    sim->end.ended = true;
    last_row(sim, false);
}

void hk_end_as_asked(hk_sim *sim) {
    sim->end.reason = sim->end.asked_reason;
    sim->end.ended = true;
    if (sim->part)
        sim->part->alone = true; /* others may know it later, or be further by now */
    bool unseen = sim->part && !hk_part_records(sim->part);
    if (sim->time.now == *sim->rows.next && !unseen)
        add_row(sim, false);
}

void hk_end_at_stop(hk_sim *sim) {
    sim->end.finished = true;
    sim->time.now = sim->plan->stop;
    *sim->time.clock = sim->plan->stop;
    hk_set_seconds(sim, hk_tick_seconds(sim->time.now, sim->plan->ticks_per_second));
    if (!hk_part_end(sim, true))
        return;
    if (sim->rows.watch_count)
        hk_condition_holds(sim);
    if (sim->time.now >= sim->listening.hook_next)
        hk_listeners_hook(sim);
    last_row(sim, true);
}

/* The values of the one that has ended the run are read, here or where it runs. False: they cannot
 * be, or nobody wants to know. */
static bool read_ender(hk_sim *sim) {
    bool wanted = sim->rows.sink.row_begin && sim->end.at > sim->time.seconds, readable = false;
    if (hk_is_away(sim->part, sim->end.ender)) {
        if (!hk_part_take_ended(sim, &readable))
            return false;
        hk_set_seconds(sim, wanted ? sim->end.at : sim->time.seconds);
        return wanted && readable;
    }
    if (wanted) {
        hk_set_seconds(sim, sim->end.at);
        readable = hk_sim_read_component(sim, sim->end.ender, true);
    }
    if (sim->part)
        hk_part_tell_ended(sim, readable);
    return readable && !sim->part; /* who records adds the row */
}

void hk_end_inside(hk_sim *sim) {
    hk_sim_instance *inst = &sim->slots.instances[sim->end.ender];
    if (sim->part)
        sim->part->alone = true;
    if (!read_ender(sim))
        return;
    if (inst->past.frames && !inst->past.pattern)
        hk_history_push(sim, inst, sim->time.now - hk_rows_lag(sim, sim->end.ender));
    last_row(sim, false);
}

void hk_end_on_overrun(hk_sim *sim) {
    sim->time.now = *sim->time.clock;
    hk_set_seconds(sim, hk_tick_seconds(sim->time.now, sim->time.ticks_per_second));
    hk_end_early(sim);
    if (sim->status == HK_OK)
        sim->status = hk_plan_check_overruns(sim->ctx, sim->plan);
}

void hk_end_from_outside(hk_sim *sim) {
    char limit[HK_NUMBER_MAX + 1];
    bool late = sim->end.late;
    sim->end.late = false;
    if (late)
        atomic_fetch_and_explicit(&sim->safety.asked, ~HK_ASKED_END, memory_order_relaxed);
    if (*sim->time.clock >= sim->plan->stop)
        return;
    sim->time.now = *sim->time.clock;
    hk_set_seconds(sim, hk_tick_seconds(sim->time.now, sim->time.ticks_per_second));
    hk_end_early(sim);
    if (!late && !sim->end.reason)
        sim->end.reason = "interrupted";
    if (!late || sim->status != HK_OK)
        return;
    limit[hk_write_f64(sim->options.timeout_s, limit)] = '\0';
    sim->status = hk_error(sim->ctx, HK_E_UNIT_HUNG, HK_NOWHERE, "raise --timeout",
                           "the run is not finished after %s s", limit);
}
