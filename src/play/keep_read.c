/* SPDX-License-Identifier: MIT
 *
 * A scenario that goes on from a state. Nothing that is read is believed: each number is one that
 * this scenario could have come to. */
#include "play/keep.h"

#include <string.h>

typedef struct reading {
    hk_playing *p;
    const char *path; /* NULL: in memory */
    hk_buffer_source from;
    int64_t ticks_per_second; /* there */
} reading;

/* ---- what it belongs to ---- */

static hk_status differs(const reading *r, const char *what) {
    return hk_error(r->p->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path},
                    "load it with the simulation, the scenario and the run that saved it", "%s",
                    what);
}

/* A list of the scenario, as it was when the state was saved, and as it is. */
typedef struct list {
    const char *what;
    uint64_t saved_count, saved_hash, hash;
    size_t count;
} list;

static hk_status check_list(const reading *r, const char *scenario, list l) {
    if (l.saved_count == l.count && l.saved_hash == l.hash)
        return HK_OK;
    return differs(r,
                   hk_arena_printf(r->p->scratch,
                                   "scenario '%s' has other %s than when the state was saved: "
                                   "%llu then, %zu now",
                                   scenario, l.what, (unsigned long long)l.saved_count, l.count));
}

static hk_status check_identity(reading *r) {
    const hk_playing *p = r->p;
    hk_arena *arena = p->scratch;
    const hk_simulation *s = p->stage->simulation;
    uint64_t version = hk_source_u64(&r->from);
    const char *simulation = hk_source_text(&r->from), *scenario = hk_source_text(&r->from);
    long long run = (long long)hk_source_u64(&r->from);
    uint64_t seed = hk_source_u64(&r->from);
    r->ticks_per_second = (int64_t)hk_source_u64(&r->from);
    uint64_t events = hk_source_u64(&r->from), events_hash = hk_source_u64(&r->from);
    uint64_t expectations = hk_source_u64(&r->from), expectations_hash = hk_source_u64(&r->from);
    if (!r->from.good || version != HK_KEEP_VERSION || !simulation || !scenario)
        return differs(r, "the scenario in the state cannot be read");
    if (strcmp(simulation, s->name) != 0)
        return differs(r,
                       hk_arena_printf(arena, "the state is of the simulation '%s', this is '%s'",
                                       simulation, s->name));
    if (strcmp(scenario, p->scene->scenario->name) != 0 || run != p->index)
        return differs(r, hk_arena_printf(arena,
                                          "the state is of scenario '%s', run %lld, and this is "
                                          "scenario '%s', run %lld",
                                          scenario, run, p->scene->scenario->name,
                                          (long long)p->index));
    if (seed != s->seed)
        return differs(r, hk_arena_printf(arena, "the state is of the seed %llu, this run has %llu",
                                          (unsigned long long)seed, (unsigned long long)s->seed));
    const hk_scenario *now = p->scene->scenario;
    HK_TRY(check_list(
        r, scenario, (list){"events", events, events_hash, hk_keep_events(now), now->event_count}));
    return check_list(r, scenario,
                      (list){"expectations", expectations, expectations_hash,
                             hk_keep_expectations(now), now->expectation_count});
}

/* A number that must be below END. */
static uint32_t get_index(reading *r, size_t end) {
    uint64_t index = hk_source_u64(&r->from);
    r->from.good = r->from.good && index < end;
    return r->from.good ? (uint32_t)index : 0;
}

static uint32_t get_link(reading *r, size_t end) {
    uint64_t index = hk_source_u64(&r->from);
    r->from.good = r->from.good && (index < end || index == HK_MAP_NONE);
    return r->from.good ? (uint32_t)index : HK_MAP_NONE;
}

static void must_be(reading *r, uint64_t expected) {
    r->from.good = hk_source_u64(&r->from) == expected && r->from.good;
}

/* In ticks of this run; those beyond every run stay what they are. */
static hk_tick get_tick(reading *r) {
    hk_tick tick = (hk_tick)hk_source_u64(&r->from), here = 0;
    hk_ratio seconds;
    if (tick >= HK_TICK_NEVER - 1)
        return tick;
    r->from.good = r->from.good && tick < HK_TICK_LIMIT && tick > -HK_TICK_LIMIT &&
                   r->ticks_per_second > 0 && hk_ratio_make(tick, r->ticks_per_second, &seconds) &&
                   hk_tick_from_ratio(seconds, r->p->stage->plan->ticks_per_second, &here);
    return here;
}

/* Only what repeats has a period. */
static hk_ratio get_period(reading *r, bool repeats) {
    hk_ratio x = {(int64_t)hk_source_u64(&r->from), 0};
    x.den = (int64_t)hk_source_u64(&r->from);
    r->from.good = r->from.good && (!repeats || x.den > 0);
    return x;
}

/* ---- values ---- */

/* A value of the variable, in the scratch memory. */
static hk_value get_value(reading *r, const hk_variable *v) {
    hk_store store = hk_store_of(v->type);
    size_t size = hk_store_size(store);
    hk_value value = {v->type, v->count, hk_arena_alloc(r->p->scratch, (v->count + 1) * size)};
    must_be(r, (uint64_t)v->type);
    must_be(r, v->count);
    if (store != HK_STORE_BYTES) {
        hk_source_get(&r->from, value.data, v->count * size);
        return value;
    }
    hk_bytes *texts = value.data;
    for (size_t i = 0; i < v->count; i++) {
        size_t length = hk_source_count(&r->from);
        char *text = hk_arena_alloc(r->p->scratch, length + 1);
        hk_source_get(&r->from, text, length);
        text[length] = '\0';
        texts[i] = (hk_bytes){text, length};
    }
    return value;
}

static const hk_variable *known_variable(const hk_playing *p, size_t known) {
    const hk_known *k = &p->known[known];
    return &p->stage->simulation->model->components[k->component].info->variables[k->variable];
}

static size_t fault_slots(const hk_playing *p) {
    return (size_t)p->fault_first[p->scene->shaky_count] * HK_FAULT_KINDS;
}

/* What a slot says about its element of its connection, or that it is off. */
static hk_fault get_fault(reading *r, size_t slot) {
    const hk_playing *p = r->p;
    size_t element = slot / HK_FAULT_KINDS, shaky = 0;
    while (p->fault_first[shaky + 1] <= element)
        shaky++;
    uint64_t kind = hk_source_u64(&r->from);
    hk_fault f = {.kind = (hk_fault_kind)(slot % HK_FAULT_KINDS)};
    r->from.good = r->from.good && (kind == (uint64_t)f.kind || kind == HK_FAULT_KINDS);
    f.kind = kind == HK_FAULT_KINDS ? HK_FAULT_KINDS : f.kind;
    f.has_value = hk_source_u64(&r->from) != 0;
    f.value = hk_source_f64(&r->from);
    f.delay.num = (int64_t)hk_source_u64(&r->from);
    f.delay.den = (int64_t)hk_source_u64(&r->from);
    r->from.good = r->from.good && (f.kind != HK_FAULT_DELAY || f.delay.den > 0);
    if (f.kind != HK_FAULT_KINDS)
        f.elements = (hk_slice){(uint32_t)(element - p->fault_first[shaky]), 1};
    return f;
}

static hk_provider get_provider(reading *r, size_t requirement) {
    const hk_requirement *q = &r->p->stage->simulation->model->requirements[requirement];
    uint64_t component = hk_source_u64(&r->from), service = hk_source_u64(&r->from);
    for (size_t i = 0; i < q->candidate_count; i++)
        if (q->candidates[i].component == component && q->candidates[i].service == service)
            return q->candidates[i];
    r->from.good = false;
    return (hk_provider){0};
}

static void get_one_known(reading *r, size_t i) {
    hk_known *known = &r->p->known[i];
    known->value = get_value(r, known_variable(r->p, i));
    known->held = hk_source_u64(&r->from) != 0;
    if (known->held)
        known->beneath = get_value(r, known_variable(r->p, i));
}

static void get_known(reading *r) {
    hk_playing *p = r->p;
    const hk_model *model = p->stage->simulation->model;
    must_be(r, p->known_count);
    for (size_t i = 0; i < p->known_count && r->from.good; i++)
        get_one_known(r, i);
    must_be(r, fault_slots(p));
    for (size_t i = 0; i < fault_slots(p) && r->from.good; i++)
        p->faults[i] = get_fault(r, i);
    must_be(r, model->requirement_count);
    for (size_t i = 0; i < model->requirement_count && r->from.good; i++)
        if (model->requirements[i].candidate_count)
            p->providers[i] = get_provider(r, i);
        else
            (void)(hk_source_u64(&r->from) + hk_source_u64(&r->from));
    must_be(r, model->component_count);
    for (size_t i = 0; i < model->component_count && r->from.good; i++) {
        unsigned char rests = 0;
        hk_source_get(&r->from, &rests, 1);
        p->rests[i] = rests != 0;
    }
}

/* ---- events ---- */

/* When it comes next, in this run. */
static hk_tick next_of(const hk_playing *p, size_t i, bool begun) {
    const hk_event *e = &p->scene->scenario->events[i];
    const hk_scene_event *at = &p->scene->events[i];
    const hk_event_state *state = &p->events[i];
    hk_tick next;
    switch (e->kind) {
    case HK_DURING:
        return state->inside ? at->last : begun ? HK_TICK_NEVER : at->first;
    case HK_EVERY:
        next = hk_grid_tick(p->stage->plan, state->period);
        return next > p->stage->plan->stop ? HK_TICK_NEVER : next;
    default:
        return at->first;
    }
}

/* No more of it is due than between two instants: else it would be made up for, one by one. */
static bool period_fits(const hk_playing *p, const hk_event_state *e) {
    const hk_plan *plan = p->scene->plan;
    hk_tick longest = p->scene->step, next = hk_ticks_of(plan, e->period, false);
    for (size_t i = 0; i < plan->rate_count; i++)
        longest = plan->rates[i].period > longest ? plan->rates[i].period : longest;
    return next >= hk_sim_now(p->sim) - longest;
}

static void get_events(reading *r) {
    enum { ARMED = 1, WAS = 2, INSIDE = 4, BEGUN = 8 };
    hk_playing *p = r->p;
    const hk_scene *scene = p->scene;
    p->timed_next = get_index(r, scene->timed_count + 1);
    for (size_t i = 0; i < scene->scenario->event_count && r->from.good; i++) {
        hk_event_state *e = &p->events[i];
        bool during = scene->scenario->events[i].kind == HK_DURING;
        e->period = get_period(r, scene->scenario->events[i].kind == HK_EVERY);
        uint64_t bits = hk_source_u64(&r->from);
        if (scene->scenario->events[i].kind == HK_EVERY && r->from.good)
            r->from.good = period_fits(p, e);
        e->armed = bits & ARMED;
        e->was = bits & WAS;
        e->inside = bits & INSIDE && during;
        e->next = r->from.good ? next_of(p, i, bits & BEGUN) : HK_TICK_NEVER;
        e->first_layer = get_index(r, UINT32_MAX);
        e->end_layer = get_index(r, UINT32_MAX);
    }
    p->when_count = get_index(r, scene->when_count + 1);
    for (size_t i = 0; i < p->when_count && r->from.good; i++) {
        p->whens[i] = get_index(r, scene->scenario->event_count);
        r->from.good = r->from.good && scene->scenario->events[p->whens[i]].kind == HK_WHEN &&
                       (!i || p->whens[i] > p->whens[i - 1]);
    }
    if (r->from.good)
        hk_events_queue(p);
}

static hk_layer get_layer(reading *r, size_t count) {
    const hk_playing *p = r->p;
    const hk_model *model = p->stage->simulation->model;
    hk_layer l = {.kind = (hk_action_kind)hk_source_u64(&r->from)};
    size_t ends = l.kind == HK_ACTION_SET     ? p->known_count
                  : l.kind == HK_ACTION_START ? model->component_count
                  : l.kind == HK_ACTION_FAULT ? fault_slots(p)
                  : l.kind == HK_ACTION_BIND  ? model->requirement_count
                                              : 0;
    l.index = get_index(r, ends);
    l.above = get_link(r, count);
    l.below = get_link(r, count);
    if (!r->from.good)
        return l;
    if (l.kind == HK_ACTION_SET)
        l.value = get_value(r, known_variable(p, l.index));
    else if (l.kind == HK_ACTION_START)
        l.active = hk_source_u64(&r->from) != 0;
    else if (l.kind == HK_ACTION_FAULT)
        l.fault = get_fault(r, l.index);
    else
        l.provider = get_provider(r, l.index);
    return l;
}

static void get_layers(reading *r) {
    hk_playing *p = r->p;
    size_t count = hk_source_count(&r->from);
    p->layer_count = 0;
    for (size_t i = 0; i < count && r->from.good; i++) {
        hk_layer layer = get_layer(r, count);
        HK_PUSH(p->layers, p->layer_count, p->layer_cap, layer);
    }
    hk_windows_begin(p);
    for (size_t i = 0; i < p->scene->scenario->event_count && r->from.good; i++) {
        const hk_event_state *e = &p->events[i];
        if (!e->inside)
            continue;
        r->from.good = e->first_layer <= e->end_layer && e->end_layer <= p->layer_count;
        for (uint32_t k = e->first_layer; r->from.good && k < e->end_layer; k++)
            hk_window_again(p, k);
    }
}

static void get_ramp(reading *r) {
    hk_playing *p = r->p;
    const hk_model *model = p->stage->simulation->model;
    hk_action *a = HK_NEW(p->scratch, hk_action);
    *a = (hk_action){.kind = HK_ACTION_RAMP, .component = get_index(r, model->component_count)};
    const hk_info *info = model->components[a->component].info;
    a->variable = get_index(r, info->variable_count);
    a->where = hk_source_where(&r->from);
    if (!r->from.good)
        return;
    const hk_variable *v = &info->variables[a->variable];
    a->value = get_value(r, v);
    hk_ramp ramp = {.action = a, .from = get_tick(r)};
    ramp.length = get_tick(r);
    ramp.start = HK_NEW_ARRAY(p->scratch, double, v->count + 1);
    hk_source_get(&r->from, ramp.start, v->count * sizeof *ramp.start);
    r->from.good = r->from.good && hk_store_of(v->type) != HK_STORE_BYTES && ramp.length >= 0;
    if (r->from.good)
        HK_PUSH(p->ramps, p->ramp_count, p->ramp_cap, ramp);
}

static void get_ramps(reading *r) {
    size_t count = hk_source_count(&r->from);
    r->p->ramp_count = 0;
    for (size_t i = 0; i < count && r->from.good; i++)
        get_ramp(r);
}

/* ---- expectations ---- */

static void get_judging(reading *r, size_t i) {
    hk_judging *j = &r->p->judgings[i];
    uint64_t bits = hk_source_u64(&r->from);
    j->decided = bits & 1;
    j->held = bits >> 1 & 1;
    j->was = bits >> 2 & 1;
    j->triggered = bits >> 3 & 1;
    j->looked = bits >> 4 & 1;
    j->seen = hk_arena_strdup(r->p->arena, hk_source_text(&r->from));
    j->time = hk_source_f64(&r->from);
    j->pending = get_tick(r);
    size_t count = hk_source_count(&r->from);
    bool own = j->samples && j->samples->owner == i;
    r->from.good = r->from.good && (!count || (own && count <= j->samples->cap));
    if (!own || !r->from.good)
        return;
    hk_source_get(&r->from, j->samples->all, count * sizeof *j->samples->all);
    j->samples->count = count;
}

static void get_told(reading *r) {
    hk_playing *p = r->p;
    uint64_t all = hk_source_u64(&r->from);
    size_t kept = hk_source_count(&r->from);
    p->told_count = 0;
    for (size_t i = 0; i < kept && r->from.good; i++) {
        double time = hk_source_f64(&r->from);
        hk_told_event(p, time, "", hk_source_text(&r->from));
    }
    size_t told = p->told_count;
    p->told_count = (size_t)all; /* the first of them are there, the others are counted only */
    r->from.good = r->from.good && kept == hk_told_kept(p);
    p->told_count = r->from.good ? p->told_count : told;
}

hk_status hk_keep_load(void *user, const char *path, const char *data, size_t size) {
    HK_ASSERT(user);
    reading r = {
        .p = user, .path = path, .from = {((hk_playing *)user)->scratch, data, size, true}};
    HK_TRY(check_identity(&r));
    get_known(&r);
    get_events(&r);
    get_layers(&r);
    get_ramps(&r);
    for (size_t i = 0; i < r.p->scene->scenario->expectation_count && r.from.good; i++)
        get_judging(&r, i);
    get_told(&r);
    r.p->before_end = NULL;
    r.p->finished = false;
    return r.from.good && !r.from.left ? HK_OK
                                       : differs(&r, "the scenario in the state cannot be read");
}
