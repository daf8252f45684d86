/* SPDX-License-Identifier: MIT
 *
 * The lists of a cell, read in the order in which the loop runs them. */
#include "engine/deeds.h"

#include "base/map.h"
#include "engine/deeds_internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(hk_fused_line, name) == offsetof(hk_op, name) &&
                   offsetof(hk_fused_line, component) == offsetof(hk_op, component),
               "the guard sees a line as what is called");
_Static_assert(sizeof(hk_fused_report) == sizeof(hk_step_report) &&
                   offsetof(hk_fused_report, last_time) == offsetof(hk_step_report, last_time),
               "both are what a step reports");

static hk_spot spot_of(hk_deed_collector *k, const void *address) {
    const hk_sim *sim = k->sim;
    const char *at = address;
    if (!at)
        return (hk_spot){HK_REALM_NONE, 0, NULL};
    if (at >= sim->memory.system && at < sim->memory.system + sim->memory.system_size)
        return (hk_spot){HK_REALM_SYSTEM, (size_t)(at - sim->memory.system), at};
    if (at >= sim->memory.block && at < sim->memory.block + sim->memory.block_size)
        return (hk_spot){HK_REALM_BLOCK, (size_t)(at - sim->memory.block), at};
    size_t i = 0;
    while (i < k->far_count && k->fars[i] != at)
        i++;
    if (i == k->far_count)
        HK_PUSH(k->fars, k->far_count, k->far_cap, at);
    return (hk_spot){HK_REALM_FAR, i, at};
}

static hk_deed *add(hk_deed_collector *k, hk_fused_kind kind) {
    hk_deed deed = {.kind = kind, .part = k->part, .connection = HK_MAP_NONE};
    HK_PUSH(k->all, k->count, k->cap, deed);
    return &k->all[k->count - 1];
}

/* ---- what is taken ---- */

static hk_deed *add_copy(hk_deed_collector *k, hk_fused_kind kind, uint32_t connection,
                         const void *from, const void *to) {
    hk_deed *d = add(k, kind);
    d->connection = connection;
    d->component = k->sim->model->connections[connection].to_component;
    d->from = spot_of(k, from);
    d->to = spot_of(k, to);
    return d;
}

/* Which connection each copy of the cell is, list by list: they were made in this order. */
typedef struct copy_owners {
    uint32_t *eight, *four, *linear;
} copy_owners;

static void find_owners(const hk_deed_collector *k, const hk_cell *c, copy_owners *ret) {
    const hk_sim *sim = k->sim;
    const hk_incoming *in = sim->slots.incoming;
    const hk_copy *eight = c->copies8, *four = c->copies4;
    const hk_linear_copy *linear = c->linears;
    for (uint32_t m = 0; m < c->member_count; m++) {
        uint32_t member = c->members[m];
        for (uint32_t i = in->first[member]; i < in->end[member]; i++) {
            const hk_connection *x = &sim->model->connections[in->order[i]];
            const void *to = hk_target_address(sim, x), *from = hk_source_address(sim, x);
            if (eight < c->copies8_end && eight->to == to && eight->from == from)
                ret->eight[eight++ - c->copies8] = in->order[i];
            else if (four < c->copies4_end && four->to == to && four->from == from)
                ret->four[four++ - c->copies4] = in->order[i];
            else if (linear < c->linears_end && linear->to == to && linear->from == from)
                ret->linear[linear++ - c->linears] = in->order[i];
        }
    }
    HK_ASSERT(eight == c->copies8_end && four == c->copies4_end && linear == c->linears_end);
}

/* Arrays, and numbers of one or two bytes: general only because there is no list of them. */
static bool is_plain(const hk_general_copy *g) {
    return !g->past && !g->slope && !g->trouble && !g->transform && g->from_store == g->to_store &&
           g->to_store != HK_STORE_BYTES;
}

static void add_copies(hk_deed_collector *k, const hk_cell *c) {
    size_t eights = (size_t)(c->copies8_end - c->copies8);
    size_t fours = (size_t)(c->copies4_end - c->copies4);
    size_t linears = (size_t)(c->linears_end - c->linears);
    uint32_t *room = hk_alloc((eights + fours + linears + 1) * sizeof *room);
    copy_owners of = {room, room + eights, room + eights + fours};
    find_owners(k, c, &of);
    for (size_t i = 0; i < eights; i++)
        add_copy(k, HK_SAID_COPY8, of.eight[i], c->copies8[i].from, c->copies8[i].to);
    for (size_t i = 0; i < fours; i++)
        add_copy(k, HK_SAID_COPY4, of.four[i], c->copies4[i].from, c->copies4[i].to);
    for (size_t i = 0; i < linears; i++) {
        const hk_linear_copy *x = &c->linears[i];
        hk_deed *d = add_copy(k, HK_SAID_LINEAR, of.linear[i], x->from, x->to);
        d->factor = (hk_fused_factor){x->factor, x->offset};
        d->number = k->factors++;
    }
    hk_free(room);
    for (const hk_general_copy *g = c->generals; g < c->generals_end; g++) {
        if (is_plain(g)) {
            add_copy(k, HK_SAID_COPIES, g->connection, g->from, g->to)->count = g->from_bytes;
            continue;
        }
        hk_deed *d = add(k, HK_SAID_GENERAL);
        d->connection = d->number = g->connection;
        d->component = k->sim->model->connections[g->connection].to_component;
        d->general = g;
    }
}

/* ---- calls ---- */

static void add_exchanges(hk_deed_collector *k, hk_fused_kind kind, const hk_exchange *begin,
                          const hk_exchange *end) {
    for (const hk_exchange *x = begin; x < end; x++) {
        hk_deed *d = add(k, kind);
        d->component = x->what.component;
        d->number = k->lines++;
        d->shape = (int)x->call.shape;
        d->to = spot_of(k, x->call.values);
        d->line = (hk_fused_line){.name = x->what.name,
                                  .component = x->what.component,
                                  .self = x->call.self,
                                  .refs = x->call.refs,
                                  .n = x->call.n,
                                  .value_count = x->call.value_count};
        if (x->call.shape == HK_SHAPE_REFS)
            d->line.fn.refs = x->call.fn.refs;
        else
            d->line.fn.sized = x->call.fn.refs_sized;
    }
}

/* Who answers the component's calls of services: nobody known while a provider is stopped. */
static void add_bound(hk_deed_collector *k, uint32_t component, bool whole) {
    const hk_sim *sim = k->sim;
    for (size_t i = 0; sim->changes.calls[component] && i < sim->model->requirement_count; i++) {
        const hk_requirement *r = &sim->model->requirements[i];
        hk_unit *caller = sim->slots.instances[component].unit;
        if (r->component != component)
            continue;
        hk_provider p = hk_services_bound(sim, i);
        hk_unit *provider = sim->slots.instances[p.component].unit;
        void *self = NULL;
        (void)provider->unit_class->services->table(provider, p.service, &self);
        hk_deed *d = add(k, HK_SAID_BOUND);
        d->component = component;
        d->variable = r->service;
        d->provider = p.component;
        d->number = p.service;
        d->from = spot_of(k, whole || sim->changes.active[p.component] ? self : NULL);
        d->to = spot_of(k, caller->unit_class->services->place(caller, r->service));
    }
}

static void add_step(hk_deed_collector *k, const hk_stepping *s) {
    hk_deed *d = add(k, HK_SAID_STEP);
    d->component = s->what.component;
    d->number = k->lines++;
    d->shape = (int)s->call.shape;
    d->from = spot_of(k, k->sim->memory.places[d->component] ? s->call.self : NULL);
    d->line = (hk_fused_line){.name = s->what.name,
                              .component = s->what.component,
                              .self = s->call.self,
                              .n = s->call.flag,
                              .report = (hk_fused_report *)(void *)s->call.report};
    if (s->call.shape == HK_STEP_PLAIN)
        d->line.fn.plain = s->call.fn.plain;
    else if (s->call.shape == HK_STEP_FLAGGED)
        d->line.fn.flagged = s->call.fn.flagged;
    else
        d->line.fn.reported = s->call.fn.reported;
}

/* ---- cells ---- */

static void add_finite(hk_deed_collector *k, const hk_cell *c) {
    for (const hk_segment *s = c->finite; s < c->finite_end; s++) {
        hk_deed *d = add(k, HK_SAID_FINITE);
        d->from = spot_of(k, s->from);
        d->count = s->count;
    }
}

static bool has_rest(const hk_cell *c) {
    return c->row_gets != c->row_gets_end || c->text_gets != c->text_gets_end ||
           c->finite_rows != c->finite_rows_end || c->finite_many != c->finite_many_end ||
           c->pasts != c->pasts_end;
}

void hk_deeds_collect(hk_deed_collector *k, const hk_cell *c, uint32_t number, bool whole) {
    HK_ASSERT(k && c);
    k->count = 0;
    k->part = HK_FUSED_TAKE;
    add_copies(k, c);
    add_exchanges(k, HK_SAID_SET, c->sets, c->sets_end);
    k->part = HK_FUSED_STEP;
    hk_deed *due = add(k, HK_SAID_DUE);
    due->number = number;
    due->count = c->rate;
    for (const hk_stepping *s = c->steps[0]; s < c->steps[HK_STEP_SHAPES]; s++) {
        add_bound(k, s->what.component, whole);
        add_step(k, s);
    }
    k->part = HK_FUSED_GIVE;
    add_exchanges(k, HK_SAID_GET, c->gets, c->gets_end);
    add_finite(k, c);
    if (has_rest(c))
        add(k, HK_SAID_REST)->number = number;
    add(k, HK_SAID_GIVEN)->number = number;
}

static const char *cannot(const hk_cell *c) {
    for (const hk_stepping *s = c->steps[0]; s < c->steps[HK_STEP_SHAPES]; s++)
        if (s->call.may_pend)
            return "it has steps that may only begin";
    return NULL;
}

/* What the loop does now in the cell of RATE and LEVEL; NULL: nothing, all of it is stopped. */
static const hk_cell *find_now(const hk_sim *sim, uint32_t rate, uint32_t level) {
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        if (sim->loop.cells[i].rate == rate && sim->loop.cells[i].level == level)
            return &sim->loop.cells[i];
    return NULL;
}

/* The cells as they are now: a scenario has stopped who is not needed in its runs. */
static void collect_cells(hk_deed_collector *k, hk_system_deeds *to) {
    const hk_sim *sim = k->sim;
    const hk_web *net = &sim->loop.web;
    hk_deeds *cells = HK_NEW_ARRAY(k->arena, hk_deeds, net->count + 1);
    for (size_t i = 0; i < net->count; i++) {
        hk_cell c = net->cells[i];
        hk_wiring_settle(&net->all, &c, &net->ranges[i]);
        const hk_cell *now = find_now(sim, c.rate, c.level);
        hk_deeds_collect(k, now ? now : &c, (uint32_t)i, !now);
        hk_deed *all = HK_NEW_ARRAY(k->arena, hk_deed, k->count + 1);
        if (k->count)
            memcpy(all, k->all, k->count * sizeof *all);
        cells[i] =
            (hk_deeds){c.rate, c.level, c.members, c.member_count, all, k->count, cannot(&c)};
    }
    to->cells = cells;
    to->cell_count = net->count;
}

/* ---- what lies where ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return hk_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_component(const hk_sim *sim, uint64_t hash, size_t component) {
    const hk_component *c = &sim->model->components[component];
    hk_unit *unit = sim->slots.instances[component].unit;
    hash = hash_text(hash_text(hash, c->name), c->info->name);
    hash = hk_hash(hash, &sim->memory.places[component], sizeof sim->memory.places[component]);
    for (uint32_t v = 0; v < c->info->variable_count; v++) {
        const hk_variable *x = &c->info->variables[v];
        const char *at = unit->unit_class->address ? unit->unit_class->address(unit, v) : NULL;
        bool here = at && sim->memory.places[component];
        const uint64_t what[] = {(uint64_t)x->store, x->count, (uint64_t)x->causality,
                                 here ? (uint64_t)(at - sim->memory.system) : 0};
        hash = hk_hash(hash_text(hash, x->name), what, sizeof what);
    }
    return hash;
}

static uint64_t hash_connections(const hk_model *model, uint64_t hash) {
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        const uint32_t what[] = {k->from_component, k->from_variable,    k->to_component,
                                 k->to_variable,    k->from_slice.first, k->from_slice.count,
                                 k->to_slice.first, k->to_slice.count,   (uint32_t)k->lag};
        hash = hk_hash(hash, what, sizeof what);
    }
    return hash;
}

static void place_components(hk_deed_collector *k, hk_system_deeds *to) {
    const hk_sim *sim = k->sim;
    size_t n = sim->model->component_count;
    hk_place *places = HK_NEW_ARRAY(k->arena, hk_place, n + 1);
    to->layout = HK_HASH_SEED;
    for (size_t c = 0; c < n; c++) {
        const hk_info *info = sim->model->components[c].info;
        to->layout = hash_component(sim, to->layout, c);
        if (sim->memory.places[c])
            places[to->place_count++] = (hk_place){(uint32_t)c, sim->memory.places[c],
                                                   info->unit_class->instance_size(info)};
    }
    to->places = places;
    to->layout = hash_connections(sim->model, to->layout);
}

static int by_offset(const void *a, const void *b) {
    const hk_slot *x = a;
    const hk_slot *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* What depends on what is recorded or looked at, and so may be another for the same system. */
static uint64_t hash_options(const hk_system_deeds *d, uint64_t hash) {
    for (size_t i = 0; i < d->slot_count; i++) {
        const uint64_t what[] = {d->slots[i].component, d->slots[i].variable, d->slots[i].offset};
        hash = hk_hash(hash, what, sizeof what);
    }
    for (size_t i = 0; i < d->cell_count; i++)
        for (size_t k = 0; k < d->cells[i].count; k++) {
            const hk_deed *x = &d->cells[i].all[k];
            const uint64_t what[] = {i, x->kind, x->line.n};
            if (x->kind == HK_SAID_REST || x->kind == HK_SAID_GET)
                hash = hk_hash(hash, what, sizeof what);
        }
    return hk_hash(hash, &d->block_size, sizeof d->block_size);
}

static void place_slots(hk_deed_collector *k, hk_system_deeds *to) {
    const hk_sim *sim = k->sim;
    hk_slot *slots = HK_NEW_ARRAY(k->arena, hk_slot, sim->slots.port_count + 1);
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!p->by_address)
            slots[to->slot_count++] = (hk_slot){p->component, p->variable, p->offset};
    }
    if (to->slot_count)
        qsort(slots, to->slot_count, sizeof *slots, by_offset);
    to->slots = slots;
    to->slot_layout = hash_options(to, HK_HASH_SEED);
}

size_t hk_deeds_turns(const hk_system_deeds *deeds, uint64_t due, hk_turn *turns) {
    HK_ASSERT(deeds);
    size_t n = 0;
    for (uint32_t level = 0, next; level != UINT32_MAX; level = next) {
        size_t count = 0;
        next = UINT32_MAX;
        for (size_t i = 0; i < deeds->cell_count; i++) {
            const hk_deeds *c = &deeds->cells[i];
            bool is_due = due >> c->rate & 1;
            count += is_due && c->level == level;
            if (is_due && c->level > level && c->level < next)
                next = c->level;
        }
        for (int part = count == 1 ? HK_FUSED_PARTS : 0; part < HK_FUSED_PARTS + (count == 1);
             part++)
            for (size_t i = 0; i < deeds->cell_count && count; i++)
                if (due >> deeds->cells[i].rate & 1 && deeds->cells[i].level == level)
                    turns[n++] = (hk_turn){(uint32_t)i, part};
    }
    return n;
}

uint32_t hk_deeds_first_cell(const hk_system_deeds *deeds, uint32_t rate) {
    HK_ASSERT(deeds);
    uint32_t i = 0;
    while (i < deeds->cell_count && deeds->cells[i].rate != rate)
        i++;
    return i;
}

/* Which rates are due together, without those of which everything is stopped: each set once. */
static void find_due(const hk_sim *sim, hk_arena *arena, hk_system_deeds *to) {
    hk_due_beats beats;
    hk_beats_find(sim, arena, &beats);
    uint64_t active = 0;
    for (size_t r = 0; r < sim->loop.rate_count && beats.all; r++)
        active |= sim->loop.rates[r].idle ? 0 : UINT64_C(1) << r;
    to->due = beats.masks;
    for (size_t i = 0; i < beats.mask_count; i++) {
        uint64_t mask = beats.masks[i] & active;
        size_t known = 0;
        while (known < to->due_count && beats.masks[known] != mask)
            known++;
        if (mask && known == to->due_count)
            beats.masks[to->due_count++] = mask;
    }
}

const hk_system_deeds *hk_sim_deeds(const hk_sim *sim, hk_arena *arena) {
    HK_ASSERT(sim && arena);
    hk_system_deeds *to = HK_NEW(arena, hk_system_deeds);
    hk_deed_collector k = {.sim = sim, .arena = arena};
    *to = (hk_system_deeds){.rate_count = sim->loop.rate_count,
                            .size = sim->memory.system_size,
                            .block_size = sim->memory.block_size,
                            .model = sim->model,
                            .plan = sim->plan};
    collect_cells(&k, to);
    place_components(&k, to);
    place_slots(&k, to);
    find_due(sim, arena, to);
    to->line_count = k.lines;
    to->factor_count = k.factors;
    to->far_count = k.far_count;
    void **fars = HK_NEW_ARRAY(arena, void *, k.far_count + 1);
    for (size_t i = 0; i < k.far_count; i++)
        fars[i] = (void *)(uintptr_t)k.fars[i];
    to->fars = fars;
    hk_free(k.fars);
    hk_free(k.all);
    return to;
}
