/* SPDX-License-Identifier: MIT
 *
 * A scenario under way as a part of a state: which events have come and what they wait for, what is
 * put back later, ramps, and what expectations have seen. */
#include "play/keep.h"

#include <string.h>

/* ---- what it belongs to ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return text ? hk_hash(hash, text, strlen(text) + 1) : hk_hash(hash, "", 1);
}

static uint64_t hash_numbers(uint64_t hash, const int64_t *numbers, size_t count) {
    return hk_hash(hash, numbers, count * sizeof *numbers);
}

uint64_t hk_keep_events(const hk_scenario *s) {
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < s->event_count; i++) {
        const hk_event *e = &s->events[i];
        const int64_t what[] = {e->kind,
                                e->from.num,
                                e->from.den,
                                e->to.num,
                                e->to.den,
                                e->once,
                                (int64_t)e->actions.count};
        hash = hash_numbers(hash, what, sizeof what / sizeof *what);
        for (size_t k = 0; k < e->actions.count; k++) {
            const hk_action *a = &e->actions.all[k];
            const int64_t does[] = {a->kind, a->component, a->variable, (int64_t)a->component_count,
                                    (int64_t)a->connection_count};
            hash = hash_text(hash_numbers(hash, does, sizeof does / sizeof *does), a->words);
        }
    }
    return hash;
}

uint64_t hk_keep_expectations(const hk_scenario *s) {
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < s->expectation_count; i++) {
        const hk_expectation *e = &s->expectations[i];
        const int64_t what[] = {e->kind,     e->has_from, e->has_to, e->from.num,
                                e->from.den, e->to.num,   e->to.den};
        hash = hash_text(hash_numbers(hash, what, sizeof what / sizeof *what), e->words);
        hash = hash_text(hash, e->measure ? e->measure->name : NULL);
    }
    return hash;
}

static void put_identity(const hk_playing *p, hk_buffer *b) {
    const hk_simulation *s = p->stage->simulation;
    hk_buffer_u64(b, HK_KEEP_VERSION);
    hk_buffer_text(b, s->name);
    hk_buffer_text(b, p->scene->scenario->name);
    hk_buffer_u64(b, (uint64_t)p->index);
    hk_buffer_u64(b, s->seed);
    hk_buffer_u64(b, (uint64_t)p->stage->plan->ticks_per_second);
    hk_buffer_u64(b, p->scene->scenario->event_count);
    hk_buffer_u64(b, hk_keep_events(p->scene->scenario));
    hk_buffer_u64(b, p->scene->scenario->expectation_count);
    hk_buffer_u64(b, hk_keep_expectations(p->scene->scenario));
}

/* ---- values ---- */

static void put_value(hk_buffer *b, const hk_value *value) {
    hk_store store = hk_store_of(value->type);
    hk_buffer_u64(b, (uint64_t)value->type);
    hk_buffer_u64(b, value->count);
    if (store != HK_STORE_BYTES) {
        hk_buffer_put(b, value->data, value->count * hk_store_size(store));
        return;
    }
    const hk_bytes *texts = value->data;
    for (size_t i = 0; i < value->count; i++) {
        hk_buffer_u64(b, texts[i].size);
        hk_buffer_put(b, texts[i].data, texts[i].size);
    }
}

static void put_fault(hk_buffer *b, const hk_fault *f) {
    hk_buffer_u64(b, (uint64_t)f->kind);
    hk_buffer_u64(b, f->has_value);
    hk_buffer_f64(b, f->value);
    hk_buffer_u64(b, (uint64_t)f->delay.num);
    hk_buffer_u64(b, (uint64_t)f->delay.den);
}

static void put_provider(hk_buffer *b, hk_provider provider) {
    hk_buffer_u64(b, provider.component);
    hk_buffer_u64(b, provider.service);
}

static size_t fault_slots(const hk_playing *p) {
    return (size_t)p->fault_first[p->scene->shaky_count] * HK_FAULT_KINDS;
}

static void put_one_known(hk_buffer *b, const hk_known *known) {
    put_value(b, &known->value);
    hk_buffer_u64(b, known->held);
    if (known->held)
        put_value(b, &known->beneath);
}

static void put_known(const hk_playing *p, hk_buffer *b) {
    const hk_model *model = p->stage->simulation->model;
    hk_buffer_u64(b, p->known_count);
    for (size_t i = 0; i < p->known_count; i++)
        put_one_known(b, &p->known[i]);
    hk_buffer_u64(b, fault_slots(p));
    for (size_t i = 0; i < fault_slots(p); i++)
        put_fault(b, &p->faults[i]);
    hk_buffer_u64(b, model->requirement_count);
    for (size_t i = 0; i < model->requirement_count; i++)
        put_provider(b, p->providers[i]);
    hk_buffer_u64(b, model->component_count);
    hk_buffer_put(b, p->rests, model->component_count * sizeof *p->rests);
}

/* ---- events ---- */

/* When an event comes next follows from what is kept: it may lie beyond the end of this run, and
 * not of the one that goes on. */
static void put_events(const hk_playing *p, hk_buffer *b) {
    const hk_scenario *s = p->scene->scenario;
    hk_buffer_u64(b, p->timed_next);
    for (size_t i = 0; i < s->event_count; i++) {
        const hk_event_state *e = &p->events[i];
        /* Of other kinds that follows, too: a run that went on would say something else of them. */
        bool begun =
            s->events[i].kind == HK_DURING &&
            (e->inside || (e->next == HK_TICK_NEVER && p->scene->events[i].first != e->next));
        hk_buffer_u64(b, (uint64_t)e->period.num);
        hk_buffer_u64(b, (uint64_t)e->period.den);
        hk_buffer_u64(b, (uint64_t)(e->armed | e->was << 1 | e->inside << 2 | begun << 3));
        hk_buffer_u64(b, e->first_layer);
        hk_buffer_u64(b, e->end_layer);
    }
    hk_buffer_u64(b, p->when_count);
    for (size_t i = 0; i < p->when_count; i++)
        hk_buffer_u64(b, p->whens[i]);
}

static void put_layers(const hk_playing *p, hk_buffer *b) {
    hk_buffer_u64(b, p->layer_count);
    for (size_t i = 0; i < p->layer_count; i++) {
        const hk_layer *l = &p->layers[i];
        hk_buffer_u64(b, (uint64_t)l->kind);
        hk_buffer_u64(b, l->index);
        hk_buffer_u64(b, l->above);
        hk_buffer_u64(b, l->below);
        if (l->kind == HK_ACTION_SET)
            put_value(b, &l->value);
        else if (l->kind == HK_ACTION_START)
            hk_buffer_u64(b, l->active);
        else if (l->kind == HK_ACTION_FAULT)
            put_fault(b, &l->fault);
        else
            put_provider(b, l->provider);
    }
}

static void put_ramps(const hk_playing *p, hk_buffer *b) {
    hk_buffer_u64(b, p->ramp_count);
    for (size_t i = 0; i < p->ramp_count; i++) {
        const hk_ramp *r = &p->ramps[i];
        hk_buffer_u64(b, r->action->component);
        hk_buffer_u64(b, r->action->variable);
        hk_buffer_where(b, &r->action->where);
        put_value(b, &r->action->value);
        hk_buffer_u64(b, (uint64_t)r->from);
        hk_buffer_u64(b, (uint64_t)r->length);
        hk_buffer_put(b, r->start, r->action->value.count * sizeof *r->start);
    }
}

/* ---- expectations ---- */

/* What the last row of a run shows is not what a run that goes on shows there: it comes again. */
void hk_keep_judgings(hk_playing *p) {
    HK_ASSERT(p);
    size_t n = p->scene->scenario->expectation_count;
    if (p->before_end)
        return;
    p->before_end = HK_NEW_ARRAY(p->scratch, hk_judging, n + 1);
    p->samples_before_end = HK_NEW_ARRAY(p->scratch, size_t, n + 1);
    if (n)
        memcpy(p->before_end, p->judgings, n * sizeof *p->before_end);
    for (size_t i = 0; i < n; i++)
        p->samples_before_end[i] = p->judgings[i].samples ? p->judgings[i].samples->count : 0;
}

static void put_judgings(const hk_playing *p, hk_buffer *b) {
    const hk_judging *all = p->before_end ? p->before_end : p->judgings;
    for (size_t i = 0; i < p->scene->scenario->expectation_count; i++) {
        const hk_judging *j = &all[i];
        hk_buffer_u64(b, (uint64_t)(j->decided | j->held << 1 | j->was << 2 | j->triggered << 3 |
                                    j->looked << 4));
        hk_buffer_text(b, j->seen);
        hk_buffer_f64(b, j->time);
        hk_buffer_u64(b, (uint64_t)j->pending);
        bool kept = j->samples && j->samples->owner == i && !j->samples->of_end;
        size_t count = kept ? j->samples->count : 0;
        if (count && p->before_end)
            count = p->samples_before_end[i];
        hk_buffer_u64(b, count);
        if (count)
            hk_buffer_put(b, j->samples->all, count * sizeof *j->samples->all);
    }
}

static void put_told(const hk_playing *p, hk_buffer *b) {
    size_t kept = hk_told_kept(p);
    hk_buffer_u64(b, p->told_count);
    hk_buffer_u64(b, kept);
    for (size_t i = 0; i < kept; i++) {
        hk_buffer_f64(b, p->told[i].time);
        hk_buffer_text(b, p->told[i].words);
    }
}

static hk_status save(void *user, hk_buffer *to) {
    const hk_playing *p = user;
    if (p->finished)
        return hk_error(p->ctx, HK_E_UNIT_STATE, HK_NOWHERE, "stop before that, with --stop-time",
                        "the scenario has ended the run itself, so that it cannot go on");
    put_identity(p, to);
    put_known(p, to);
    put_events(p, to);
    put_layers(p, to);
    put_ramps(p, to);
    put_judgings(p, to);
    put_told(p, to);
    return HK_OK;
}

hk_keeper hk_keep(hk_playing *p) {
    HK_ASSERT(p);
    return (hk_keeper){"scenario", save, hk_keep_load, p};
}
