/* SPDX-License-Identifier: MIT
 *
 * What fused code says against what the engine would do, entry by entry, and what to say where they
 * differ. */
#include "engine/fused_internal.h"

#include <stdio.h>
#include <string.h>

static const char hint[] = "build it again, or run without it";

/* ---- in words ---- */

static const char *element_name(const hk_sim *sim, hk_arena *arena, uint32_t component,
                                uint32_t variable, size_t bytes) {
    const hk_component *c = &sim->model->components[component];
    const hk_variable *v = &c->info->variables[variable];
    return v->count == 1 ? hk_arena_printf(arena, "'%s.%s'", c->name, v->name)
                         : hk_arena_printf(arena, "'%s.%s[%zu]'", c->name, v->name,
                                           bytes / hk_store_size(v->store) + 1);
}

/* A place in a native component: by its variable, or by bytes. */
static const char *name_inside(const hk_sim *sim, hk_arena *arena, uint32_t component,
                               const char *at) {
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_info *info = unit->info;
    for (uint32_t v = 0; unit->unit_class->address && v < info->variable_count; v++) {
        const char *first = unit->unit_class->address(unit, v);
        size_t bytes = info->variables[v].count * hk_store_size(info->variables[v].store);
        if (first && at >= first && at < first + bytes)
            return element_name(sim, arena, component, v, (size_t)(at - first));
    }
    return hk_arena_printf(arena, "byte %zu of '%s'",
                           (size_t)(at - sim->memory.system) - sim->memory.places[component],
                           sim->model->components[component].name);
}

/* What lies at an address: "'imu.in.x'". */
static const char *name_of(const hk_sim *sim, hk_arena *arena, const void *address) {
    const char *at = address;
    if (!at)
        return "nothing";
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        const char *first = p->address;
        if (at >= first && at < first + p->bytes)
            return element_name(sim, arena, p->component, p->variable, (size_t)(at - first));
    }
    if (at >= sim->memory.block && at < sim->memory.block + sim->memory.block_size)
        return hk_arena_printf(arena, "byte %zu of the block", (size_t)(at - sim->memory.block));
    bool inside = at >= sim->memory.system && at < sim->memory.system + sim->memory.system_size;
    for (size_t c = sim->model->component_count; inside && c-- > 0;)
        if (sim->memory.places[c] && at >= sim->memory.system + sim->memory.places[c])
            return name_inside(sim, arena, (uint32_t)c, at);
    return "memory that is not the system's";
}

static const char *line_name(const hk_sim *sim, const struct hk_fused_state *f, hk_arena *arena,
                             uint32_t number) {
    if (number >= f->deeds->line_count)
        return "a call that is not there";
    const hk_fused_line *line = &f->lines[number];
    return hk_arena_printf(arena, "%s of '%s'", line->name,
                           sim->model->components[line->component].name);
}

/* A statement in words: of the text and, in the same words, of the engine. */
static const char *say(const hk_sim *sim, const struct hk_fused_state *f, hk_arena *arena,
                       const hk_fused_said *x) {
    switch (x->kind) {
    case HK_SAID_COPY8:
    case HK_SAID_COPY4:
    case HK_SAID_COPIES:
    case HK_SAID_LINEAR:
        return hk_arena_printf(arena, "%s %s to %s", x->kind == HK_SAID_LINEAR ? "convert" : "copy",
                               name_of(sim, arena, x->from), name_of(sim, arena, x->to));
    case HK_SAID_GENERAL:
        return x->number < sim->model->connection_count
                   ? hk_arena_printf(
                         arena, "bring what '%s' carries",
                         hk_connection_name(sim->model, &sim->model->connections[x->number]))
                   : "bring what a connection carries that is not there";
    case HK_SAID_SET:
    case HK_SAID_GET:
        return hk_arena_printf(arena, "call %s with %s", line_name(sim, f, arena, x->number),
                               name_of(sim, arena, x->to));
    case HK_SAID_STEP:
        return hk_arena_printf(arena, "call %s%s%s%s%s", line_name(sim, f, arena, x->number),
                               x->from ? " with " : "", x->from ? name_of(sim, arena, x->from) : "",
                               x->call ? " as " : "", x->call ? x->call : "");
    case HK_SAID_BOUND:
        return hk_arena_printf(arena, "bind %s to service %u of %s", name_of(sim, arena, x->to),
                               x->number, name_of(sim, arena, x->from));
    case HK_SAID_FINITE:
        return hk_arena_printf(arena, "look at %zu numbers from %s on", x->count,
                               name_of(sim, arena, x->from));
    case HK_SAID_DUE:
        return hk_arena_printf(arena, "look at the clock of rate %zu for cell %u", x->count,
                               x->number);
    case HK_SAID_GIVEN:
        return hk_arena_printf(arena, "end cell %u", x->number);
    case HK_SAID_REST:
        return "keep what is for rows and later";
    default:
        return "nothing that is known";
    }
}

static bool is_call(const hk_deed *d) {
    return d->kind == HK_SAID_SET || d->kind == HK_SAID_STEP || d->kind == HK_SAID_GET;
}

static hk_fused_said said_of(const hk_deed *d) {
    return (hk_fused_said){.kind = d->kind,
                           .part = d->part,
                           .number = d->number,
                           .count = is_call(d) ? (size_t)d->shape : d->count,
                           .from = d->from.address,
                           .to = d->to.address};
}

static hk_where where_of(const hk_sim *sim, const hk_deed *d) {
    if (d && d->connection != HK_MAP_NONE)
        return hk_connection_where(sim->model, &sim->model->connections[d->connection]);
    if (d && is_call(d))
        return sim->model->components[d->component].where;
    return (hk_where){.file = sim->model->file};
}

/* ---- the text of a cell ---- */

/* A leaf that is called by name is of the component's type. */
static bool right_leaf(const hk_sim *sim, const struct hk_fused_state *f, const char *call,
                       uint32_t component) {
    const hk_info *info = sim->model->components[component].info;
    for (uint32_t i = 0; i < f->table->leaf_count; i++)
        if (strcmp(f->table->leaves[i].call, call) == 0) {
            bool right = strcmp(f->table->leaves[i].type, info->name) == 0;
            f->leaf[component] = right ? &f->table->leaves[i] : NULL;
            return right;
        }
    return false;
}

static bool is_same(const hk_sim *sim, const struct hk_fused_state *f, const hk_fused_said *x,
                    const hk_deed *d) {
    if (x->kind != d->kind || x->part != d->part || x->number != d->number ||
        x->count != said_of(d).count)
        return false;
    if (x->kind == HK_SAID_STEP)
        return !x->call || (x->from == d->from.address && d->from.address &&
                            d->shape == HK_STEP_PLAIN && right_leaf(sim, f, x->call, d->component));
    return x->from == d->from.address && x->to == d->to.address;
}

/* Entry AT of cell NUMBER differs; either may be missing. */
static hk_status report(hk_sim *sim, const struct hk_fused_state *f, size_t number, size_t at,
                        const hk_fused_said *said, const hk_deed *deed) {
    hk_arena *arena = hk_arena_create();
    const hk_deeds *of = &f->deeds->cells[number];
    const hk_fused_said should = deed ? said_of(deed) : (hk_fused_said){.kind = HK_SAID_KINDS};
    hk_status status = hk_error(
        sim->ctx, HK_E_FUSED, where_of(sim, deed), hint,
        "fused code differs in cell_%u_%u, statement %zu: it would %s, the engine would %s",
        of->rate, of->level, at + 1, said ? say(sim, f, arena, said) : "do nothing more",
        deed ? say(sim, f, arena, &should) : "do nothing more");
    hk_arena_destroy(arena);
    return status;
}

/* It may differ only because other values are recorded: then who differs is interpreted. */
static bool is_strict(const struct hk_fused_state *f) {
    return f->table->slots == f->deeds->slot_layout || f->table->layout != f->deeds->layout;
}

static hk_status check_cell(hk_sim *sim, struct hk_fused_state *f, size_t number,
                            hk_fused_said *room) {
    const hk_deeds *of = &f->deeds->cells[number];
    const hk_fused_cell *code = &f->table->cells[number];
    hk_fused_writer w = {.all = room, .cap = of->count + 1};
    f->never[number] = of->cannot != NULL;
    code->says(f->head, &w);
    size_t said = w.count < w.cap ? w.count : w.cap;
    for (size_t i = 0; i < said || i < of->count; i++) {
        const hk_fused_said *x = i < said ? &room[i] : NULL;
        const hk_deed *d = i < of->count ? &of->all[i] : NULL;
        if (x && d && is_same(sim, f, x, d))
            continue;
        if (is_strict(f))
            return report(sim, f, number, i, x, d);
        f->never[number] = true; /* other values are recorded than those it was made for */
        return HK_OK;
    }
    return HK_OK;
}

/* What an instant must say: of each rate that it is due, then the turns. Returns how much. */
static size_t expect_instant(const hk_system_deeds *d, uint64_t rates, hk_turn *turns,
                             hk_fused_said *ret) {
    size_t n = 0, count = hk_deeds_turns(d, rates, turns);
    for (uint32_t r = 0; r < d->rate_count; r++)
        if (rates >> r & 1)
            ret[n++] = (hk_fused_said){
                .kind = HK_SAID_DUE, .number = hk_deeds_first_cell(d, r), .count = r};
    for (size_t i = 0; i < count; i++)
        ret[n++] = (hk_fused_said){.kind = HK_SAID_TURN,
                                   .part = (hk_fused_part)turns[i].part,
                                   .number = turns[i].cell,
                                   .count = d->cells[turns[i].cell].rate};
    return n;
}

static bool says_the_same(const hk_fused_said *a, const hk_fused_said *b) {
    return a->kind == b->kind && a->part == b->part && a->number == b->number &&
           a->count == b->count;
}

/* An instant does its turns in the order in which the engine would. */
static hk_status check_instant(hk_sim *sim, const struct hk_fused_state *f,
                               const hk_fused_instant *x) {
    size_t most = HK_FUSED_PARTS * f->deeds->cell_count + f->deeds->rate_count + 1;
    hk_turn *turns = hk_alloc(most * sizeof *turns);
    hk_fused_said *room = hk_alloc(2 * most * sizeof *room), *must = room + most;
    hk_fused_writer w = {.all = room, .cap = most};
    size_t count = expect_instant(f->deeds, x->rates, turns, must), wrong = 0;
    x->says(f->head, &w);
    while (wrong < count && wrong < w.count && says_the_same(&room[wrong], &must[wrong]))
        wrong++;
    hk_free(room);
    hk_free(turns);
    return wrong == count && w.count == count
               ? HK_OK
               : hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file}, hint,
                          "fused code differs in instant_%llx, statement %zu: rates or cells come "
                          "in another order than the engine's",
                          (unsigned long long)x->rates, wrong + 1);
}

/* ---- the library ---- */

static hk_status check_number(hk_sim *sim, const char *what, uint64_t is, uint64_t must) {
    return is == must
               ? HK_OK
               : hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file}, hint,
                          "fused code was made from another system: it has %llu %s, this one %llu",
                          (unsigned long long)is, what, (unsigned long long)must);
}

static hk_status check_table(hk_sim *sim, const struct hk_fused_state *f) {
    const hk_fused_library *t = f->table;
    const hk_system_deeds *d = f->deeds;
    if (t->abi != HK_FUSED_ABI)
        return hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file}, hint,
                        "fused code is of version %u, not %d", t->abi, HK_FUSED_ABI);
    HK_TRY(check_number(sim, "cells", t->cell_count, d->cell_count));
    HK_TRY(check_number(sim, "rates", t->rate_count, d->rate_count));
    HK_TRY(check_number(sim, "bytes of components", t->size, d->size));
    for (size_t i = 0; i < d->cell_count; i++)
        if (t->cells[i].rate != d->cells[i].rate || t->cells[i].level != d->cells[i].level)
            return hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file}, hint,
                            "fused code was made from another system: it has cell_%u_%u where "
                            "this one has cell_%u_%u",
                            t->cells[i].rate, t->cells[i].level, d->cells[i].rate,
                            d->cells[i].level);
    if (is_strict(f)) {
        HK_TRY(check_number(sim, "calls", t->line_count, d->line_count));
        HK_TRY(check_number(sim, "conversions", t->factor_count, d->factor_count));
        HK_TRY(check_number(sim, "values elsewhere", t->far_count, d->far_count));
    }
    return HK_OK;
}

/* Those that are interpreted from beginning to end, in one note. */
static void tell_never(hk_sim *sim, const struct hk_fused_state *f) {
    size_t count = 0, first = 0;
    for (size_t i = f->deeds->cell_count; i-- > 0;)
        if (f->never[i]) {
            count++;
            first = i;
        }
    if (!count)
        return;
    const hk_deeds *c = &f->deeds->cells[first];
    hk_note(sim->ctx, (hk_where){.file = sim->model->file},
            "%zu of %zu cells are interpreted, cell_%u_%u for one: %s", count, f->deeds->cell_count,
            c->rate, c->level,
            c->cannot ? c->cannot : "other values are recorded than it was made for");
}

hk_status hk_fused_check(hk_sim *sim, struct hk_fused_state *f) {
    HK_ASSERT(sim && f);
    size_t most = 0;
    HK_TRY(check_table(sim, f));
    for (size_t i = 0; i < f->deeds->cell_count; i++)
        most = f->deeds->cells[i].count > most ? f->deeds->cells[i].count : most;
    /* A text that was made for other options may ask for more than there is. */
    bool fits = f->table->line_count <= f->deeds->line_count &&
                f->table->far_count <= f->deeds->far_count &&
                f->table->factor_count <= f->deeds->factor_count;
    hk_fused_said *room = hk_alloc((most + 1) * sizeof *room);
    hk_status status = HK_OK;
    for (size_t i = 0; i < f->deeds->cell_count && status == HK_OK; i++) {
        if (fits)
            status = check_cell(sim, f, i, room);
        else
            f->never[i] = true;
    }
    hk_free(room);
    for (uint32_t i = 0; i < f->table->instant_count && status == HK_OK; i++)
        status = check_instant(sim, f, &f->table->instants[i]);
    if (status == HK_OK && f->table->layout != f->deeds->layout)
        status = hk_error(sim->ctx, HK_E_FUSED, (hk_where){.file = sim->model->file}, hint,
                          "fused code was made from another system: its components have other "
                          "names, types, ports or connections");
    if (status == HK_OK)
        tell_never(sim, f);
    return status;
}

/* ---- later ---- */

static bool same_line(const hk_fused_line *a, const hk_fused_line *b) {
    return a->fn.plain == b->fn.plain && a->self == b->self && a->refs == b->refs && a->n == b->n &&
           a->report == b->report && a->value_count == b->value_count &&
           a->component == b->component;
}

static bool same_deed(const hk_deed *a, const hk_deed *b) {
    return a->kind == b->kind && a->part == b->part && a->component == b->component &&
           a->connection == b->connection && a->variable == b->variable &&
           a->provider == b->provider && a->from.address == b->from.address &&
           a->to.address == b->to.address && a->count == b->count && a->shape == b->shape &&
           memcmp(&a->factor, &b->factor, sizeof a->factor) == 0 && same_line(&a->line, &b->line);
}

bool hk_fused_agrees(const hk_sim *sim, const hk_deed_collector *now, const hk_deeds *then) {
    HK_ASSERT(sim && now && then);
    (void)sim;
    bool same = now->count == then->count;
    for (size_t i = 0; i < now->count && same; i++)
        same = same_deed(&now->all[i], &then->all[i]);
    return same;
}
