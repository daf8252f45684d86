/* SPDX-License-Identifier: MIT
 *
 * Calls and copies, cell by cell: after this nothing in the loop knows of names, types or units. */
#include "engine/bind_stages.h"

#include <string.h>

typedef struct wiring {
    hk_sim *sim;
    hk_call_lists *out;     /* the arrays that are filled */
    hk_cell_ranges *ranges; /* one per cell */
    uint32_t *ports;        /* scratch: ports of one call */
    uint32_t *variables;    /* scratch: their variables */
    hk_exchange *calls;     /* scratch: calls of one cell, before they are sorted by shape */
    size_t call_count, call_cap;
} wiring;

/* The copies of the program, component by component, and what of them may be borrowed or faulty. */
static void index_copies(hk_sim *sim) {
    const hk_model *model = sim->model;
    hk_incoming in = {HK_NEW_ARRAY(sim->arena, uint32_t, model->component_count + 1),
                      HK_NEW_ARRAY(sim->arena, uint32_t, model->component_count + 1),
                      HK_NEW_ARRAY(sim->arena, uint32_t, model->connection_count + 1)};
    sim->slots.newest = HK_NEW_ARRAY(sim->arena, bool, model->connection_count + 1);
    uint32_t n = 0;
    for (size_t i = 0; i < sim->program->cell_count; i++) {
        const hk_program_cell *c = &sim->program->cells[i];
        for (size_t k = 0; k < c->copy_count; k++, n++) {
            uint32_t index = c->copies[k].connection, to = model->connections[index].to_component;
            if (in.end[to] == 0)
                in.first[to] = n;
            HK_ASSERT(in.end[to] == 0 || in.end[to] == n); /* those of a component lie together */
            in.end[to] = n + 1;
            in.order[n] = index;
            sim->slots.newest[index] = c->copies[k].newest;
        }
    }
    sim->slots.incoming = HK_NEW(sim->arena, hk_incoming);
    *sim->slots.incoming = in;
    sim->slots.borrowed = HK_NEW_ARRAY(sim->arena, bool, model->connection_count + 1);
    sim->changes.lent = HK_NEW_ARRAY(sim->arena, bool, model->connection_count + 1);
    sim->changes.shaky = HK_NEW_ARRAY(sim->arena, bool, model->connection_count + 1);
    for (size_t i = 0; i < sim->options.shaky_count; i++)
        sim->changes.shaky[sim->options.shaky[i]] = true;
}

/* Values that come late or not at all are held: a line through them would say too much. */
static bool may_extrapolate(const hk_sim *sim, uint32_t connection) {
    const hk_connection *k = &sim->model->connections[connection];
    const hk_variable *from =
        &sim->model->components[k->from_component].info->variables[k->from_variable];
    const hk_variable *to =
        &sim->model->components[k->to_component].info->variables[k->to_variable];
    return sim->options.extrapolate && !k->from_slice.count && !k->to_slice.count &&
           from->store == HK_STORE_F64 && to->store == HK_STORE_F64 &&
           to->variability == HK_CONTINUOUS && !sim->plan->components[k->from_component].pattern;
}

/* The value that drives an input lies somewhere just as the input wants it. */
static bool fits_as_it_is(const hk_sim *sim, uint32_t index) {
    const hk_connection *k = &sim->model->connections[index];
    const hk_variable *from =
        &sim->model->components[k->from_component].info->variables[k->from_variable];
    const hk_variable *to =
        &sim->model->components[k->to_component].info->variables[k->to_variable];
    return !sim->changes.shaky[index] && sim->slots.newest[index] && !k->conversion.kind &&
           from->store == to->store && !k->from_slice.count && !k->to_slice.count &&
           to->store != HK_STORE_BYTES && !may_extrapolate(sim, index);
}

/* ... and that is in this process. */
static bool lies_ready(const hk_sim *sim, uint32_t index) {
    return !hk_is_away(sim->part, sim->model->connections[index].from_component) &&
           fits_as_it_is(sim, index);
}

uint32_t hk_wiring_driver(const hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    const hk_incoming *in = sim->slots.incoming;
    uint32_t i = in->first[component];
    while (sim->model->connections[in->order[i]].to_variable != variable)
        i++;
    return in->order[i];
}

/* If the values of a set call already lie one after the other in the memory of a producer, the
 * call reads them there: a copy less, and on the way every value has to go. Not for inputs that
 * are recorded, which must keep what was set. Returns where they lie, or NULL. */
static void *borrow(hk_sim *sim, uint32_t component, const uint32_t *ports, size_t n) {
    enum { FEW = 8 };
    uint32_t drivers[FEW];
    char *first = NULL, *next = NULL;
    for (size_t i = 0; i < n; i++) {
        const hk_engine_port *p = &sim->slots.ports[ports[i]];
        if (n > FEW || p->use != USE_IN)
            return NULL;
        drivers[i] = hk_wiring_driver(sim, component, p->variable);
        const hk_connection *k = &sim->model->connections[drivers[i]];
        char *from = hk_sim_port(sim, k->from_component, k->from_variable)->address;
        if (!lies_ready(sim, drivers[i]) || (next && from != next))
            return NULL;
        first = first ? first : from;
        next = from + p->bytes;
    }
    for (size_t i = 0; i < n; i++) {
        sim->slots.borrowed[drivers[i]] = sim->changes.lent[drivers[i]] = true;
        sim->slots.ports[ports[i]].borrowed =
            hk_sim_port(sim, sim->model->connections[drivers[i]].from_component,
                        sim->model->connections[drivers[i]].from_variable)
                ->address;
    }
    return first;
}

/* One bulk call for the ports of one use and store of a component; nothing if there are none. */
static hk_status bind(wiring *w, uint32_t component, unsigned use, hk_store store) {
    hk_sim *sim = w->sim;
    size_t n = hk_layout_call(sim, component, use, store, w->ports);
    if (!n)
        return HK_OK;
    for (size_t i = 0; i < n; i++)
        w->variables[i] = sim->slots.ports[w->ports[i]].variable;
    hk_unit *unit = sim->slots.instances[component].unit;
    void *values = use == USE_IN ? borrow(sim, component, w->ports, n) : NULL;
    if (!values)
        values = sim->slots.ports[w->ports[0]].address;
    hk_exchange x = {.what.component = component,
                     .store = store,
                     .use = use,
                     .own = sim->slots.ports[w->ports[0]].address};
    if (use == USE_IN)
        HK_TRY(unit->unit_class->bind_set(sim->ctx, unit, w->variables, n, values, &x.call));
    else
        HK_TRY(unit->unit_class->bind_get(sim->ctx, unit, w->variables, n, values, &x.call));
    x.what.name = x.call.name;
    if (store == HK_STORE_BYTES && use != USE_IN) {
        x.texts.begin = (uint32_t)sim->slots.text_count;
        for (size_t i = 0; i < n; i++)
            HK_PUSH(sim->slots.texts, sim->slots.text_count, sim->slots.text_cap, w->ports[i]);
        x.texts.end = (uint32_t)sim->slots.text_count;
    }
    HK_PUSH(w->calls, w->call_count, w->call_cap, x);
    return HK_OK;
}

/* The calls of a cell for the stores from FIRST to LAST, sorted by shape. */
static hk_status bind_cell(wiring *w, const hk_cell *c, unsigned use, hk_store first, hk_store last,
                           hk_range ret_ranges[]) {
    hk_call_lists *out = w->out;
    w->call_count = 0;
    for (uint32_t m = 0; m < c->member_count; m++)
        for (int store = (int)first; store <= (int)last; store++)
            HK_TRY(bind(w, c->members[m], use, (hk_store)store));
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++) {
        ret_ranges[shape].begin = (uint32_t)out->n.exchange;
        for (size_t i = 0; i < w->call_count; i++)
            if ((int)w->calls[i].call.shape == shape)
                HK_PUSH(out->exchanges, out->n.exchange, out->n.exchange_cap, w->calls[i]);
        ret_ranges[shape].end = (uint32_t)out->n.exchange;
    }
    return HK_OK;
}

/* The step of a component, if it is of this shape. */
static void bind_step(wiring *w, uint32_t component, int shape) {
    hk_call_lists *out = w->out;
    hk_unit *unit = w->sim->slots.instances[component].unit;
    hk_stepping s = {.what.component = component};
    unit->unit_class->bind_step(unit, &s.call);
    s.what.name = s.call.name;
    if ((int)s.call.shape == shape)
        HK_PUSH(out->steppings, out->n.stepping, out->n.stepping_cap, s);
}

static void bind_steps(wiring *w, const hk_cell *c, hk_range ret_ranges[]) {
    const hk_call_lists *out = w->out;
    for (int shape = 0; shape < HK_STEP_SHAPES; shape++) {
        ret_ranges[shape].begin = (uint32_t)out->n.stepping;
        for (uint32_t m = 0; m < c->member_count; m++)
            bind_step(w, c->members[m], shape);
        ret_ranges[shape].end = (uint32_t)out->n.stepping;
    }
}

/* Joins the one before if it lies next to it and is not before BEGIN. */
static void add_segment(hk_call_lists *out, size_t begin, hk_segment s) {
    hk_segment *last = out->n.segment > begin ? &out->segments[out->n.segment - 1] : NULL;
    if (last && last->store == s.store &&
        (const char *)last->from + last->count * hk_store_size(s.store) == s.from)
        last->count += s.count;
    else
        HK_PUSH(out->segments, out->n.segment, out->n.segment_cap, s);
}

static bool is_few(const hk_segment *s) {
    enum { FEW = 16 };
    return s->store == HK_STORE_F64 && s->count <= FEW;
}

/* Brings the segments of a few doubles to the front; returns where the others begin. */
static uint32_t part_segments(hk_segment *segments, hk_range r) {
    uint32_t few = r.begin;
    for (uint32_t i = r.begin; i < r.end; i++) {
        if (!is_few(&segments[i]))
            continue;
        hk_segment s = segments[i];
        memmove(&segments[few + 1], &segments[few], (i - few) * sizeof s);
        segments[few++] = s;
    }
    return few;
}

/* Numbers that must be finite: outputs, but for those that may be not known. Those of what is
 * stopped were, and stay as they are. */
static hk_range find_segments(const hk_sim *sim, hk_call_lists *out, const hk_cell *c,
                              unsigned use) {
    hk_range r = {(uint32_t)out->n.segment, 0};
    for (uint32_t m = 0; m < c->member_count; m++) {
        if (!sim->changes.active[c->members[m]])
            continue;
        const hk_sim_instance *inst = &sim->slots.instances[c->members[m]];
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
            const hk_engine_port *p = &sim->slots.ports[i];
            const hk_variable *v = &inst->unit->info->variables[p->variable];
            bool floating = v->store == HK_STORE_F64 || v->store == HK_STORE_F32;
            if ((p->use & use) && floating && v->causality == HK_OUTPUT && !v->may_be_nan)
                add_segment(out, r.begin, (hk_segment){p->address, v->count, v->store});
        }
    }
    r.end = (uint32_t)out->n.segment;
    return r;
}

void hk_wiring_segments(const hk_sim *sim, hk_call_lists *out, const hk_cell *c,
                        hk_cell_ranges *r) {
    HK_ASSERT(sim && out && c && r);
    r->finite = find_segments(sim, out, c, USE_EVERY);
    r->finite_many = (hk_range){part_segments(out->segments, r->finite), r->finite.end};
    r->finite.end = r->finite_many.begin;
    r->finite_rows = find_segments(sim, out, c, USE_ROW);
}

hk_general_copy hk_wiring_general(hk_sim *sim, uint32_t index) {
    HK_ASSERT(sim);
    HK_ASSERT(index < sim->model->connection_count);
    const hk_connection *k = &sim->model->connections[index];
    const hk_plan_connection *pk = &sim->plan->connections[index];
    const hk_plan_component *from = &sim->plan->components[k->from_component];
    const hk_plan_component *to = &sim->plan->components[k->to_component];
    const hk_engine_port *source = hk_sim_port(sim, k->from_component, k->from_variable);
    const hk_engine_port *target = hk_sim_port(sim, k->to_component, k->to_variable);
    const hk_info *producer = sim->model->components[k->from_component].info;
    const hk_variable *fv = &producer->variables[k->from_variable];
    const hk_variable *tv =
        &sim->model->components[k->to_component].info->variables[k->to_variable];
    size_t count = hk_slice_count(&k->to_slice, tv);
    hk_general_copy g = {.connection = index,
                         .producer = &sim->slots.instances[k->from_component],
                         .past = !sim->slots.newest[index],
                         .from = hk_source_address(sim, k),
                         .frame_offset =
                             source->frame_offset + k->from_slice.first * hk_store_size(fv->store),
                         .lag = pk->lag,
                         .to = hk_target_address(sim, k),
                         .from_store = fv->store,
                         .to_store = tv->store,
                         .to_text = fv->type == HK_TYPE_BINARY && tv->type == HK_TYPE_STRING,
                         .count = count,
                         .from_bytes = count * hk_store_size(fv->store),
                         .transform = k->conversion.kind ? &k->conversion : NULL,
                         .ahead = to->period,
                         .stamp = producer->stamp == HK_STAMP_END ? from->period : 0,
                         .blob = target->blob + k->to_slice.first,
                         .trouble = sim->changes.troubles ? sim->changes.troubles[index] : NULL};
    if (may_extrapolate(sim, index)) {
        hk_tick delay = 0;
        HK_ASSERT(hk_tick_from_ratio(k->delay, sim->time.ticks_per_second, &delay));
        g.slope = &sim->slots.slopes[index];
        g.stamp += delay; /* part of the model: what is made good is only the step */
    }
    if (k->initial.data) {
        void *initial = hk_arena_alloc(sim->arena, g.from_bytes);
        bool fits = hk_value_convert(fv->store, initial, hk_store_of(k->initial.type),
                                     k->initial.data, count);
        HK_ASSERT(fits); /* front ends parse it as a value of the output's type */
        g.initial = initial;
    }
    return g;
}

static void wire_connection(hk_sim *sim, hk_call_lists *out, uint32_t index) {
    const hk_connection *k = &sim->model->connections[index];
    hk_general_copy g = hk_wiring_general(sim, index);
    /* What comes from elsewhere is copied when the gates are open, with what is rare. */
    bool away = hk_is_away(sim->part, k->from_component);
    bool plain = !away && !g.past && !g.slope && !g.trouble && g.from_store == g.to_store &&
                 g.count == 1 && g.to_store != HK_STORE_BYTES;
    size_t size = hk_store_size(g.to_store);
    if (plain && !g.transform && size == 8)
        HK_PUSH(out->copies8, out->n.copy8, out->n.copy8_cap, ((hk_copy){g.from, g.to}));
    else if (plain && !g.transform && size == 4)
        HK_PUSH(out->copies4, out->n.copy4, out->n.copy4_cap, ((hk_copy){g.from, g.to}));
    else if (plain && k->conversion.kind == HK_TRANSFORM_LINEAR && g.to_store == HK_STORE_F64)
        HK_PUSH(out->linears, out->n.linear, out->n.linear_cap,
                ((hk_linear_copy){g.from, g.to, k->conversion.factor, k->conversion.offset}));
    else
        HK_PUSH(out->generals, out->n.general, out->n.general_cap, g);
}

void hk_wiring_copies(hk_sim *sim, hk_call_lists *out, const hk_cell *c, hk_cell_ranges *r) {
    HK_ASSERT(sim && out && c && r);
    const hk_incoming *in = sim->slots.incoming;
    r->copies8.begin = (uint32_t)out->n.copy8;
    r->copies4.begin = (uint32_t)out->n.copy4;
    r->linears.begin = (uint32_t)out->n.linear;
    r->generals.begin = (uint32_t)out->n.general;
    r->pasts.begin = (uint32_t)out->n.past;
    for (uint32_t m = 0; m < c->member_count; m++) {
        uint32_t member = c->members[m];
        if (!sim->changes.active[member])
            continue;
        for (uint32_t i = in->first[member]; i < in->end[member]; i++)
            if (!sim->changes.lent[in->order[i]])
                wire_connection(sim, out, in->order[i]);
        if (sim->slots.instances[member].past.frames)
            HK_PUSH(out->pasts, out->n.past, out->n.past_cap, member);
    }
    r->copies8.end = (uint32_t)out->n.copy8;
    r->copies4.end = (uint32_t)out->n.copy4;
    r->linears.end = (uint32_t)out->n.linear;
    r->generals.end = (uint32_t)out->n.general;
    r->pasts.end = (uint32_t)out->n.past;
}

/* Gets that are done once, after initialization: parameters, constants, inputs nobody drives. */
static hk_status bind_once(wiring *w) {
    hk_sim *sim = w->sim;
    w->call_count = 0;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        for (int store = 0; store < HK_STORE_COUNT; store++)
            HK_TRY(bind(w, c, USE_STATIC, (hk_store)store));
    for (size_t i = 0; i < w->call_count; i++)
        HK_PUSH(sim->slots.once, sim->slots.once_count, sim->slots.once_cap, w->calls[i]);
    return HK_OK;
}

void hk_wiring_settle(const hk_call_lists *out, hk_cell *c, const hk_cell_ranges *r) {
    HK_ASSERT(out && c && r);
    c->copies8 = HK_AT(out->copies8, r->copies8.begin);
    c->copies8_end = HK_AT(out->copies8, r->copies8.end);
    c->sets = HK_AT(out->exchanges, r->sets[HK_SHAPE_REFS].begin);
    c->sets_sized = HK_AT(out->exchanges, r->sets[HK_SHAPE_REFS_SIZED].begin);
    c->sets_end = HK_AT(out->exchanges, r->sets[HK_SHAPE_REFS_SIZED].end);
    for (int shape = 0; shape < HK_STEP_SHAPES; shape++)
        c->steps[shape] = HK_AT(out->steppings, r->steps[shape].begin);
    c->steps[HK_STEP_SHAPES] = HK_AT(out->steppings, r->steps[HK_STEP_SHAPES - 1].end);
    c->shifted = HK_AT(out->steppings, r->shifted.begin);
    c->shifted_end = HK_AT(out->steppings, r->shifted.end);
    c->rare_steps = c->shifted != c->shifted_end;
    for (const hk_stepping *s = c->steps[0]; s < c->steps[HK_STEP_SHAPES]; s++)
        c->rare_steps = c->rare_steps || s->call.may_pend;
    c->gets = HK_AT(out->exchanges, r->gets[HK_SHAPE_REFS].begin);
    c->gets_sized = HK_AT(out->exchanges, r->gets[HK_SHAPE_REFS_SIZED].begin);
    c->gets_end = HK_AT(out->exchanges, r->gets[HK_SHAPE_REFS_SIZED].end);
    c->finite = HK_AT(out->segments, r->finite.begin);
    c->finite_end = HK_AT(out->segments, r->finite.end);
    c->copies4 = HK_AT(out->copies4, r->copies4.begin);
    c->copies4_end = HK_AT(out->copies4, r->copies4.end);
    c->linears = HK_AT(out->linears, r->linears.begin);
    c->linears_end = HK_AT(out->linears, r->linears.end);
    c->generals = HK_AT(out->generals, r->generals.begin);
    c->generals_end = HK_AT(out->generals, r->generals.end);
    c->text_gets = HK_AT(out->exchanges, r->text_gets.begin);
    c->text_gets_end = HK_AT(out->exchanges, r->text_gets.end);
    c->row_gets = HK_AT(out->exchanges, r->row_gets[HK_SHAPE_REFS].begin);
    c->row_gets_end = HK_AT(out->exchanges, r->row_gets[HK_SHAPE_REFS_SIZED].end);
    c->finite_many = HK_AT(out->segments, r->finite_many.begin);
    c->finite_many_end = HK_AT(out->segments, r->finite_many.end);
    c->finite_rows = HK_AT(out->segments, r->finite_rows.begin);
    c->finite_rows_end = HK_AT(out->segments, r->finite_rows.end);
    c->pasts = HK_AT(out->pasts, r->pasts.begin);
    c->pasts_end = HK_AT(out->pasts, r->pasts.end);
    c->rare = c->copies4 != c->copies4_end || c->linears != c->linears_end ||
              c->generals != c->generals_end || c->row_gets != c->row_gets_end ||
              c->text_gets != c->text_gets_end || c->finite_rows != c->finite_rows_end ||
              c->finite_many != c->finite_many_end || c->pasts != c->pasts_end ||
              c->gates != c->gates_end || c->sends;
}

static hk_status wire_cells(wiring *w, hk_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hk_cell *c = &cells[i];
        hk_cell_ranges *r = &w->ranges[i];
        hk_range texts[HK_SHAPE_COUNT];
        HK_TRY(bind_cell(w, c, USE_IN, 0, HK_STORE_BYTES, r->sets));
        HK_TRY(bind_cell(w, c, USE_EVERY, 0, HK_STORE_BYTES - 1, r->gets));
        HK_TRY(bind_cell(w, c, USE_EVERY, HK_STORE_BYTES, HK_STORE_BYTES, texts));
        r->text_gets = (hk_range){texts[0].begin, texts[HK_SHAPE_COUNT - 1].end};
        HK_TRY(bind_cell(w, c, USE_ROW, 0, HK_STORE_BYTES, r->row_gets));
        bind_steps(w, c, r->steps);
        r->shifted = (hk_range){r->steps[HK_STEP_SHAPES - 1].end, r->steps[HK_STEP_SHAPES - 1].end};
        hk_wiring_copies(w->sim, w->out, c, r);
        hk_wiring_segments(w->sim, w->out, c, r);
    }
    for (size_t i = 0; i < count; i++)
        hk_wiring_settle(w->out, &cells[i], &w->ranges[i]);
    return HK_OK;
}

static hk_status wire(hk_sim *sim, hk_web *net, bool with_once) {
    wiring w = {.sim = sim, .out = &net->all};
    w.ports = hk_alloc((sim->slots.port_count + 1) * sizeof *w.ports);
    w.variables = hk_alloc((sim->slots.port_count + 1) * sizeof *w.variables);
    w.ranges = net->ranges = HK_NEW_ARRAY(sim->arena, hk_cell_ranges, net->count + 1);
    hk_status status = wire_cells(&w, net->cells, net->count);
    if (status == HK_OK && with_once)
        status = bind_once(&w);
    hk_free(w.calls);
    hk_free(w.variables);
    hk_free(w.ports);
    return status;
}

/* Whether an input is borrowed depends on what lies where; that it might be does not. */
static void find_relayed(hk_sim *sim) {
    for (uint32_t k = 0; k < sim->model->connection_count; k++) {
        const hk_connection *c = &sim->model->connections[k];
        const hk_engine_port *to = hk_sim_port(sim, c->to_component, c->to_variable);
        if (to && to->use == USE_IN && !to->by_address && fits_as_it_is(sim, k))
            sim->slots.ports[to - sim->slots.ports].relayed = true;
    }
}

hk_status hk_wiring_make(hk_sim *sim) {
    HK_ASSERT(sim);
    index_copies(sim);
    find_relayed(sim);
    sim->loop.web.cells = sim->loop.cells;
    sim->loop.web.count = sim->loop.cell_count;
    return wire(sim, &sim->loop.web, true);
}

hk_status hk_wiring_order(hk_sim *sim, hk_web *net) {
    HK_ASSERT(sim && net);
    return wire(sim, net, false);
}

hk_status hk_wiring_share(hk_sim *sim, hk_cell *shares, size_t count) {
    HK_ASSERT(sim);
    hk_web_finish(&sim->loop.shared_web); /* threads may be given up, and taken up again */
    sim->loop.shared_web.cells = shares;
    sim->loop.shared_web.count = count;
    return wire(sim, &sim->loop.shared_web, false);
}

static void finish_lists(hk_call_lists *l) {
    hk_free(l->exchanges);
    hk_free(l->steppings);
    hk_free(l->copies8);
    hk_free(l->copies4);
    hk_free(l->linears);
    hk_free(l->generals);
    hk_free(l->segments);
    hk_free(l->pasts);
    *l = (hk_call_lists){0};
}

void hk_web_finish(hk_web *net) {
    HK_ASSERT(net);
    finish_lists(&net->all);
    finish_lists(&net->live);
    net->changed = false;
}

void hk_web_forget_live(hk_web *net) {
    HK_ASSERT(net);
    finish_lists(&net->live);
}
