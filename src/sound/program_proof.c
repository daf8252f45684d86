/* SPDX-License-Identifier: MIT
 *
 * The proof of a program (sound/program_proof.h). First what follows from its text alone: who is
 * stepped how often and at which rate, whether anything is missing, whether FMI allows the calls of
 * each instance. Then connection by connection the values, with the time of the activation that
 * made them in their place: steps make them, gets publish them, copies and sets hand them over. */
#include "sound/program_proof.h"

#include "base/map.h"
#include "base/number.h"
#include "base/search.h"
#include "plan/ages.h"
#include "plan/overrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIVATIONS_MAX = 2000000, PAIR_MAX = 64 };

/* In the order in which they are made on one level. */
typedef enum part { COPY, SET, STEP, GET } part;

typedef struct event {
    uint32_t component; /* whose call it is; copies: the consumer */
    part part;
    uint32_t item; /* variable, or connection; 0 of steps */
    uint32_t level, rate;
    int line;
    bool newest;
} event;

typedef struct events {
    const event *all;
    size_t count;
} events;

/* The first wrong call so far. */
typedef struct wrong {
    bool any;
    hk_tick at;
    uint32_t level;
    part part;
    int line;
    const char *why;
} wrong;

typedef struct proof {
    hk_arena *arena;
    const hk_program *program;
    const hk_plan *plan;
    const hk_model *model;
    event *all;
    size_t count;
    uint32_t *first; /* per component: where its events begin */
    wrong found;
    hk_map right; /* questions that were answered with yes */
    int64_t left;
    uint64_t activations;
    bool limited;
} proof;

/* ---- words ----------------------------------------------------------------------------------- */

static const char *seconds(const proof *p, hk_tick tick) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(hk_tick_seconds(tick, p->plan->ticks_per_second), text)] = '\0';
    return hk_arena_printf(p->arena, "%s s", text);
}

static const char *component_name(const proof *p, uint32_t component) {
    return p->model->components[component].name;
}

static const char *call_name(const proof *p, const event *e) {
    static const char *const words[] = {"copy", "set", "step", "get"};
    const hk_component *c = &p->model->components[e->component];
    if (e->part == STEP)
        return hk_arena_printf(p->arena, "step %s", c->name);
    if (e->part == COPY)
        return hk_arena_printf(p->arena, "copy %s",
                               hk_connection_name(p->model, &p->model->connections[e->item]));
    return hk_arena_printf(p->arena, "%s %s.%s", words[e->part], c->name,
                           c->info->variables[e->item].name);
}

static const char *made_when(const proof *p, hk_tick s) {
    return s == HK_ORIGIN_INITIAL ? "the initial value"
                                  : hk_arena_printf(p->arena, "the value of %s", seconds(p, s));
}

static bool is_earlier(const wrong *a, const wrong *b) {
    if (!b->any || a->at != b->at)
        return !b->any || a->at < b->at;
    if (a->level != b->level)
        return a->level < b->level;
    if (a->part != b->part)
        return a->part < b->part;
    return a->line < b->line;
}

/* True: it would be the first wrong one, and WHY is worth being said. */
static bool is_first(const proof *p, const event *e, hk_tick at) {
    wrong w = {.any = true, .at = at, .level = e->level, .part = e->part, .line = e->line};
    return is_earlier(&w, &p->found);
}

static void object(proof *p, const event *e, hk_tick at, const char *why) {
    if (is_first(p, e, at))
        p->found = (wrong){true, at, e->level, e->part, e->line, why};
}

/* ---- events ---------------------------------------------------------------------------------- */

static int compare_items(const void *a, const void *b) {
    const event *x = a;
    const event *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int compare_places(const void *a, const void *b) {
    const event *x = a;
    const event *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void add_calls(proof *p, const hk_program_cell *c, const hk_program_calls *calls,
                      part kind) {
    for (size_t i = 0; i < calls->count; i++)
        p->all[p->count++] = (event){.component = calls->all[i].component,
                                     .part = kind,
                                     .item = kind == STEP ? 0 : calls->all[i].variable,
                                     .level = c->level,
                                     .rate = c->rate,
                                     .line = calls->all[i].line};
}

static void index_events(proof *p) {
    const hk_program *program = p->program;
    size_t most = program->row.count + 1;
    for (size_t i = 0; i < program->cell_count; i++) {
        const hk_program_cell *c = &program->cells[i];
        most += c->copy_count + c->sets.count + c->steps.count + c->gets.count;
    }
    p->all = hk_alloc(most * sizeof *p->all);
    for (size_t i = 0; i < program->cell_count; i++) {
        const hk_program_cell *c = &program->cells[i];
        for (size_t k = 0; k < c->copy_count; k++)
            p->all[p->count++] =
                (event){.component = p->model->connections[c->copies[k].connection].to_component,
                        .part = COPY,
                        .item = c->copies[k].connection,
                        .level = c->level,
                        .rate = c->rate,
                        .newest = c->copies[k].newest};
        add_calls(p, c, &c->sets, SET);
        add_calls(p, c, &c->steps, STEP);
        add_calls(p, c, &c->gets, GET);
    }
    qsort(p->all, p->count, sizeof *p->all, compare_items);
    p->first = hk_alloc((p->model->component_count + 1) * sizeof *p->first);
    size_t at = 0;
    for (uint32_t c = 0; c < p->model->component_count; c++) {
        p->first[c] = (uint32_t)at;
        while (at < p->count && p->all[at].component == c)
            at++;
    }
    p->first[p->model->component_count] = (uint32_t)at;
}

static events events_of(const proof *p, uint32_t component) {
    return (events){p->all + p->first[component], p->first[component + 1] - p->first[component]};
}

/* Those of one kind about one item. */
static events find(const proof *p, uint32_t component, part kind, uint32_t item) {
    events of = events_of(p, component);
    size_t low = 0;
    HK_SEARCH(low, of.count, i,
              of.all[i].part != kind ? of.all[i].part < kind : of.all[i].item < item)
    events found = {of.all + low, 0};
    while (low < of.count && of.all[low].part == kind && of.all[low].item == item) {
        low++;
        found.count++;
    }
    return found;
}

static hk_tick first_activation(const proof *p, uint32_t component) {
    return p->plan->start + p->plan->components[component].offset;
}

/* ---- each component -------------------------------------------------------------------------- */

/* Where something is missing there is no call: what comes last is reported. */
static void object_missing(proof *p, uint32_t component, int line, const char *why) {
    const event last = {.component = component, .part = GET, .level = UINT32_MAX, .line = line};
    object(p, &last, first_activation(p, component), why);
}

static void check_steps(proof *p, uint32_t component) {
    events steps = find(p, component, STEP, 0), of = events_of(p, component);
    hk_tick at = first_activation(p, component);
    if (steps.count == 0)
        object_missing(
            p, component, of.count ? of.all[of.count - 1].line : 0,
            hk_arena_printf(p->arena, "'%s' is never stepped", component_name(p, component)));
    for (size_t i = 1; i < steps.count; i++)
        object(p, &steps.all[i], at,
               hk_arena_printf(p->arena, "%s: it was stepped before in the same cycle",
                               call_name(p, &steps.all[i])));
    for (size_t i = 0; i < of.count; i++)
        if (of.all[i].rate != p->plan->components[component].rate)
            object(p, &of.all[i], at,
                   hk_arena_printf(p->arena, "%s: it is not made at the rate of '%s'",
                                   call_name(p, &of.all[i]), component_name(p, component)));
}

/* No get after a set without a step in between; what one cycle leaves behind the next one finds. */
static void check_legal(proof *p, uint32_t component) {
    if (!p->model->components[component].info->can.fmi)
        return;
    events of = events_of(p, component);
    event *ordered = hk_alloc((of.count + 1) * sizeof *ordered);
    bool dirty = false;
    if (of.count)
        memcpy(ordered, of.all, of.count * sizeof *ordered);
    qsort(ordered, of.count, sizeof *ordered, compare_places);
    for (size_t i = 0; i < 2 * of.count; i++) {
        const event *e = &ordered[i % of.count];
        bool again = i >= of.count;
        if (e->part == GET && dirty)
            object(p, e,
                   first_activation(p, component) +
                       (again ? p->plan->components[component].period : 0),
                   hk_arena_printf(p->arena,
                                   "%s: an input of '%s' was set and no step followed, and then "
                                   "FMI allows no get",
                                   call_name(p, e), component_name(p, component)));
        dirty = e->part == SET || (dirty && e->part != STEP);
    }
    hk_free(ordered);
}

/* ---- each connection ------------------------------------------------------------------------- */

/* A question: the calls of both ends of a connection, in their order. */
typedef struct pair {
    uint32_t connection;
    const hk_connection *k;
    event events[PAIR_MAX];
    size_t count;
    hk_tick *published; /* activations of the producer that were got, as they were */
    size_t published_count, published_cap;
    hk_tick stepped, copied, handed; /* activation that made what is there */
    bool consumed;                   /* the consumer has been stepped at this instant */
} pair;

static bool add_events(pair *q, events found) {
    for (size_t i = 0; i < found.count; i++) {
        if (q->count == PAIR_MAX)
            return false;
        q->events[q->count++] = found.all[i];
    }
    return true;
}

/* False: something is missing, or there is too much of it. */
static bool gather(proof *p, uint32_t connection, pair *q) {
    const hk_connection *k = &p->model->connections[connection];
    *q = (pair){.connection = connection, .k = k};
    events copies = find(p, k->to_component, COPY, connection);
    events sets = find(p, k->to_component, SET, k->to_variable);
    events steps = find(p, k->to_component, STEP, 0);
    events gets = find(p, k->from_component, GET, k->from_variable);
    const char *name = hk_connection_name(p->model, k);
    int line = steps.count ? steps.all[0].line : 0;
    if (!steps.count || !find(p, k->from_component, STEP, 0).count)
        return false; /* was reported */
    if (!copies.count || !sets.count)
        object(p, &steps.all[0], first_activation(p, k->to_component),
               hk_arena_printf(p->arena, "%s: its input is not %s (%s)",
                               call_name(p, &steps.all[0]), sets.count ? "copied" : "set", name));
    else if (!gets.count)
        object_missing(p, k->to_component, line,
                       hk_arena_printf(p->arena, "nothing gets the value of %s", name));
    bool fits = add_events(q, copies) && add_events(q, sets) && add_events(q, steps) &&
                add_events(q, gets) &&
                (k->from_component == k->to_component ||
                 add_events(q, find(p, k->from_component, STEP, 0)));
    if (!fits)
        object(p, &steps.all[0], first_activation(p, k->to_component),
               hk_arena_printf(p->arena, "%s: there are more than %d calls about one connection",
                               call_name(p, &steps.all[0]), PAIR_MAX));
    qsort(q->events, q->count, sizeof *q->events, compare_places);
    return fits && copies.count && sets.count && gets.count;
}

/* From when on what an activation made is seen. */
static hk_tick visible(const proof *p, const pair *q, size_t index) {
    const hk_pattern *pattern = p->plan->components[q->k->from_component].pattern;
    return q->published[index] + (pattern ? hk_pattern_late(pattern, q->published[index]) : 0);
}

/* What a look into the past finds: the newest one that the lag lets through, as far as it is kept.
 */
static hk_tick look_back(const proof *p, const pair *q, hk_tick use) {
    hk_tick latest = use - p->plan->connections[q->connection].lag;
    size_t kept = (size_t)p->program->depth[q->k->from_component] + 1, n = q->published_count;
    size_t oldest = n > kept ? n - kept : 0, late = oldest; /* the first that is seen too late */
    HK_SEARCH(late, n, i, visible(p, q, i) <= latest)
    if (late > oldest)
        return q->published[late - 1];
    return n < kept ? HK_ORIGIN_INITIAL : q->published[oldest];
}

static void publish(pair *q) {
    bool known = q->published_count && q->published[q->published_count - 1] == q->stepped;
    if (q->stepped != HK_ORIGIN_INITIAL && !known)
        HK_PUSH(q->published, q->published_count, q->published_cap, q->stepped);
}

static hk_tick newest(const pair *q) {
    return q->published_count ? q->published[q->published_count - 1] : HK_ORIGIN_INITIAL;
}

/* False: E, at T, is wrong. */
static bool check_handed(proof *p, const pair *q, const event *e, hk_tick t, hk_tick use) {
    if (use >= p->plan->end)
        return true; /* nobody will ask for it */
    hk_tick named = hk_age_seen(p->plan, q->connection, use);
    bool own = named == HK_ORIGIN_INITIAL && q->k->initial.data && !p->program->written;
    bool can_own = true; /* the newest value may be the producer's own initial one */
    for (size_t i = 0; i < q->count && own; i++)
        can_own = can_own && !(q->events[i].part == COPY && q->events[i].newest);
    if (q->handed == named && can_own)
        return true;
    if (is_first(p, e, t))
        object(p, e, t,
               hk_arena_printf(p->arena, "%s: at %s %s brings %s, but its lag of %s names %s",
                               call_name(p, e), seconds(p, t), hk_connection_name(p->model, q->k),
                               can_own ? made_when(p, q->handed) : "no initial value of its own",
                               seconds(p, p->plan->connections[q->connection].lag),
                               made_when(p, named)));
    return false;
}

/* False: it is wrong. */
static bool make_call(proof *p, pair *q, const event *e, hk_tick t) {
    hk_tick use = q->consumed ? t + p->plan->components[q->k->to_component].period : t;
    switch (e->part) {
    case COPY:
        q->copied = e->newest ? newest(q) : look_back(p, q, use);
        return true;
    case SET:
        q->handed = q->copied;
        return check_handed(p, q, e, t, use);
    case GET:
        publish(q);
        return true;
    default:
        break;
    }
    if (e->component == q->k->to_component) {
        if (!check_handed(p, q, e, t, t))
            return false;
        q->consumed = true;
    }
    if (e->component == q->k->from_component)
        q->stepped = t;
    return true;
}

/* Is the owner of a call activated at T? */
static bool is_due(const proof *p, uint32_t component, hk_tick t) {
    hk_tick since = t - first_activation(p, component);
    return since >= 0 && since % p->plan->components[component].period == 0 &&
           hk_age_executed(p->plan, component, t);
}

static hk_tick next_due(const proof *p, uint32_t component, hk_tick after) {
    hk_tick first = first_activation(p, component), period = p->plan->components[component].period;
    return after < first ? first : first + ((after - first) / period + 1) * period;
}

/* One instant after the other, at which one of the two is due. */
static bool run_pair(proof *p, pair *q) {
    const uint32_t from = q->k->from_component, to = q->k->to_component;
    hk_window window = hk_age_window(p->plan, &(hk_chain){&q->connection, 1}, 1);
    hk_tick end = window.end + p->plan->components[to].period;
    end = end < p->plan->end ? end : p->plan->end;
    q->stepped = q->copied = q->handed = HK_ORIGIN_INITIAL;
    bool good = true;
    hk_tick t = p->plan->start - 1;
    while (good) {
        hk_tick one = next_due(p, from, t), other = next_due(p, to, t);
        t = one < other ? one : other;
        if (t >= end)
            break;
        if (p->left-- <= 0) {
            p->limited = true;
            break;
        }
        p->activations++;
        q->consumed = false;
        for (size_t i = 0; i < q->count && good; i++)
            if (is_due(p, q->events[i].component, t))
                good = make_call(p, q, &q->events[i], t);
    }
    hk_free(q->published);
    return good;
}

/* The same question has the same answer, no matter who the two are. */
static const char *question(const pair *q, const proof *p, char *text, size_t size) {
    const hk_plan_component *from = &p->plan->components[q->k->from_component];
    const hk_plan_component *to = &p->plan->components[q->k->to_component];
    int used = snprintf(text, size, "%u %u %lld %u %d:", from->rate, to->rate,
                        (long long)p->plan->connections[q->connection].lag,
                        p->program->depth[q->k->from_component], q->k->initial.data != NULL);
    for (size_t i = 0; i < q->count && (size_t)used + 4 < size; i++) {
        const event *e = &q->events[i];
        bool consumer = e->component == q->k->to_component;
        text[used++] = e->part == COPY  ? (e->newest ? 'n' : 'p')
                       : e->part == SET ? 's'
                       : e->part == GET ? 'g'
                       : consumer       ? 'c'
                                        : 'm';
        if (consumer && e->component == q->k->from_component)
            text[used++] = '=';
    }
    text[used] = '\0';
    return text;
}

static void check_connection(proof *p, uint32_t connection) {
    char text[256];
    pair q;
    if (!gather(p, connection, &q))
        return;
    question(&q, p, text, sizeof text);
    if (hk_map_get(&p->right, text) != HK_MAP_NONE)
        return;
    if (run_pair(p, &q))
        hk_map_put(&p->right, hk_arena_strdup(p->arena, text), 0);
}

hk_program_proof hk_program_prove(hk_arena *arena, const hk_program *program) {
    proof p = {.arena = arena,
               .program = program,
               .plan = program->plan,
               .model = program->plan->model,
               .left = ACTIVATIONS_MAX};
    index_events(&p);
    for (uint32_t c = 0; c < p.model->component_count; c++) {
        check_steps(&p, c);
        check_legal(&p, c);
    }
    for (uint32_t k = 0; k < p.model->connection_count; k++)
        check_connection(&p, k);
    hk_map_finish(&p.right);
    hk_free(p.first);
    hk_free(p.all);
    return (hk_program_proof){.right = !p.found.any,
                              .limited = p.limited,
                              .activations = p.activations,
                              .why = p.found.why,
                              .line = p.found.line,
                              .at = p.found.at};
}
