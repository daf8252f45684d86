/* SPDX-License-Identifier: MIT */
#include "draw/gantt.h"

#include "plan/ages.h"
#include "plan/overrun.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    uint32_t component, level, rank;
} place;

static int by_place(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->component < y->component ? -1 : x->component > y->component;
}

/* All components by phase, then rank: no component is before one that it waits for. */
static place *order_of(const hk_plan *plan, hk_arena *arena) {
    size_t n = plan->model->component_count;
    place *order = HK_NEW_ARRAY(arena, place, n);
    for (uint32_t i = 0; i < n; i++) {
        const hk_component *c = &plan->model->components[i];
        bool placed = c->processor != HK_MAP_NONE;
        order[i] = (place){i, plan->components[i].level, placed ? c->rank : i};
    }
    qsort(order, n, sizeof *order, by_place);
    return order;
}

static void find_rows(hk_gantt *g, hk_arena *arena, const place *order) {
    const hk_model *model = g->plan->model;
    size_t n = model->component_count, loose = 0;
    for (size_t i = 0; i < n; i++)
        loose += model->components[i].processor == HK_MAP_NONE;
    g->row_count = model->processor_count + (loose ? 1 : 0);
    g->rows = HK_NEW_ARRAY(arena, hk_gantt_row, g->row_count);
    g->row_of = HK_NEW_ARRAY(arena, uint32_t, n);
    for (size_t r = 0; r < g->row_count; r++) {
        bool declared = r < model->processor_count;
        g->rows[r].declared = declared;
        g->rows[r].name = declared                 ? model->processors[r].name
                          : model->processor_count ? "(none)"
                                                   : "all";
        g->rows[r].components =
            HK_NEW_ARRAY(arena, uint32_t, declared ? model->processors[r].count : loose);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t component = order[i].component;
        uint32_t processor = model->components[component].processor;
        uint32_t row = processor == HK_MAP_NONE ? (uint32_t)model->processor_count : processor;
        g->row_of[component] = row;
        g->rows[row].components[g->rows[row].count++] = component;
    }
    for (size_t r = 0; r < g->row_count; r++)
        g->rows[r].step = hk_plan_step(g->plan, g->rows[r].components, g->rows[r].count);
}

/* The first letter of NAME that is free, after CHANGE (toupper or tolower); 0: none. */
static unsigned char own_letter(const char *name, const bool *used, int change(int)) {
    for (const char *c = name; *c; c++) {
        int letter = change((unsigned char)*c);
        if (isalnum((unsigned char)*c) && !used[letter])
            return (unsigned char)letter;
    }
    return 0;
}

static unsigned char any_letter(const bool *used) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (const char *c = letters; *c; c++)
        if (!used[(unsigned char)*c])
            return (unsigned char)*c;
    return 0;
}

/* A letter of the name that is free, else any free letter, else a number. */
static void find_codes(hk_gantt *g, hk_arena *arena) {
    bool used[256] = {0};
    size_t n = g->plan->model->component_count;
    g->codes = hk_arena_alloc(arena, (n ? n : 1) * sizeof *g->codes);
    for (size_t i = 0; i < n; i++) {
        const char *name = g->plan->model->components[i].name;
        unsigned char code = own_letter(name, used, toupper);
        code = code ? code : own_letter(name, used, tolower);
        code = code ? code : any_letter(used);
        used[code] = true;
        if (code)
            g->codes[i][0] = (char)code;
        else
            snprintf(g->codes[i], sizeof g->codes[i], "%u", (unsigned)(i % 1000));
    }
}

/* After what time the activations of a rate repeat; 0: not within the run. */
static hk_tick repeat_of(const hk_rate *rate) {
    const hk_pattern *p = rate->pattern;
    return p ? (hk_tick)(p->count - p->repeat) * rate->period : rate->period;
}

static void find_hyperperiod(hk_gantt *g) {
    g->hyperperiod = 1;
    for (size_t r = 0; r < g->plan->rate_count; r++) {
        const hk_rate *rate = &g->plan->rates[r];
        hk_tick period = repeat_of(rate);
        hk_tick factor = period ? period / hk_gcd(g->hyperperiod, period) : HK_TICK_LIMIT;
        if (factor > HK_TICK_LIMIT / g->hyperperiod) {
            g->hyperperiod = HK_TICK_NEVER;
            return;
        }
        g->hyperperiod *= factor;
        hk_tick before = rate->pattern ? (hk_tick)rate->pattern->repeat * rate->period : 0;
        g->transient = before > g->transient ? before : g->transient;
    }
    if (g->plan->rate_count == 1)
        g->hyperperiod = repeat_of(&g->plan->rates[0]);
}

/* The first activation of a rate at or after T. */
static hk_tick due_from(const hk_plan *plan, hk_tick period, hk_tick offset, hk_tick t) {
    hk_tick first = plan->start + offset;
    return t <= first ? first : first + (t - first + period - 1) / period * period;
}

static void find_instants(hk_gantt *g, hk_arena *arena, size_t max) {
    const hk_plan *plan = g->plan;
    hk_tick end = plan->stop;
    if (g->hyperperiod < plan->stop - plan->start - g->transient)
        end = plan->start + g->transient + g->hyperperiod;
    g->instants = HK_NEW_ARRAY(arena, hk_tick, max);
    hk_tick t = plan->start;
    for (;;) {
        hk_tick next = HK_TICK_NEVER;
        for (size_t r = 0; r < plan->rate_count; r++) {
            hk_tick due = due_from(plan, plan->rates[r].period, plan->rates[r].offset, t);
            next = due < next ? due : next;
        }
        g->whole = next >= end;
        g->end = g->whole ? end : next;
        if (g->whole || g->instant_count == max)
            return;
        g->instants[g->instant_count++] = next;
        t = next + 1;
    }
}

typedef struct work {
    hk_gantt *gantt;
    const double *costs;
    const place *order;
    uint32_t *waits_first, *waits_next; /* lists of hops of lag 0, by consumer */
    double *end;                        /* per component: when it is done at this instant */
    double *free;                       /* per row: when it has nothing left to do */
    size_t *busy;                       /* per row: activations at this instant */
    size_t bar_cap;
} work;

static void find_waits(work *w, hk_arena *arena) {
    const hk_plan *plan = w->gantt->plan;
    const hk_model *model = plan->model;
    w->waits_first = HK_NEW_ARRAY(arena, uint32_t, model->component_count);
    w->waits_next = HK_NEW_ARRAY(arena, uint32_t, hk_hop_count(plan) + 1);
    for (size_t i = 0; i < model->component_count; i++)
        w->waits_first[i] = HK_MAP_NONE;
    for (uint32_t i = 0; i < hk_hop_count(plan); i++) {
        hk_hop hop = hk_plan_hop(plan, i);
        uint32_t to = hop.to;
        if (hop.lag != 0)
            continue;
        w->waits_next[i] = w->waits_first[to];
        w->waits_first[to] = i;
    }
}

/* Each row does one thing after the other; what needs a value of this instant waits for it. */
static double place_instant(work *w, size_t instant) {
    hk_gantt *g = w->gantt;
    const hk_model *model = g->plan->model;
    double last = 0;
    memset(w->free, 0, g->row_count * sizeof *w->free);
    memset(w->busy, 0, g->row_count * sizeof *w->busy);
    for (size_t i = 0; i < model->component_count; i++)
        w->end[i] = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        uint32_t c = w->order[i].component;
        const hk_plan_component *p = &g->plan->components[c];
        hk_tick t = g->instants[instant];
        if (due_from(g->plan, p->period, p->offset, t) != t || !hk_age_executed(g->plan, c, t))
            continue;
        double from = w->free[g->row_of[c]];
        for (uint32_t k = w->waits_first[c]; k != HK_MAP_NONE; k = w->waits_next[k]) {
            double ready = w->end[hk_plan_hop(g->plan, k).from];
            from = ready > from ? ready : from;
        }
        double to = from + w->costs[c];
        hk_gantt_bar bar = {g->row_of[c], c, instant, from, to};
        HK_PUSH(g->bars, g->bar_count, w->bar_cap, bar);
        g->shown[c] = true;
        w->end[c] = w->free[g->row_of[c]] = to;
        size_t busy = ++w->busy[g->row_of[c]];
        g->most = busy > g->most ? busy : g->most;
        last = to > last ? to : last;
    }
    return last;
}

/* Costs with nothing at or near 0, which could not be seen; 0: not known, as narrow as can be. */
static double *visible_costs(hk_arena *arena, const double *costs, size_t n) {
    double *visible = HK_NEW_ARRAY(arena, double, n);
    double largest = 0;
    for (size_t i = 0; costs && i < n; i++)
        largest = costs[i] > largest ? costs[i] : largest;
    for (size_t i = 0; i < n; i++) {
        visible[i] = largest > 0 ? costs[i] : 1;
        if (largest > 0 && visible[i] < largest / 20)
            visible[i] = largest / 20;
    }
    return visible;
}

void hk_gantt_init(hk_gantt *gantt, hk_arena *arena, const hk_plan *plan, const double *costs,
                   size_t instants_max) {
    *gantt = (hk_gantt){.plan = plan};
    size_t n = plan->model->component_count;
    place *order = order_of(plan, arena);
    find_rows(gantt, arena, order);
    find_codes(gantt, arena);
    find_hyperperiod(gantt);
    find_instants(gantt, arena, instants_max);
    gantt->shown = HK_NEW_ARRAY(arena, bool, n);
    work w = {.gantt = gantt,
              .costs = visible_costs(arena, costs, n),
              .order = order,
              .end = HK_NEW_ARRAY(arena, double, n),
              .free = HK_NEW_ARRAY(arena, double, gantt->row_count),
              .busy = HK_NEW_ARRAY(arena, size_t, gantt->row_count)};
    for (size_t i = 0; costs && i < n; i++)
        gantt->costed = gantt->costed || costs[i] > 0;
    find_waits(&w, arena);
    double longest = 0;
    for (size_t i = 0; i < gantt->instant_count; i++) {
        double length = place_instant(&w, i);
        longest = length > longest ? length : longest;
    }
    hk_gantt_bar *bars = HK_NEW_ARRAY(arena, hk_gantt_bar, gantt->bar_count);
    for (size_t i = 0; i < gantt->bar_count; i++) {
        bars[i] = gantt->bars[i];
        bars[i].from /= longest;
        bars[i].to /= longest;
    }
    hk_free(gantt->bars);
    gantt->bars = bars;
}

const char *hk_gantt_time(hk_arena *arena, const hk_plan *plan, hk_tick tick) {
    static const struct {
        int64_t per_second;
        const char *unit;
    } units[] = {{1, "s"}, {1000, "ms"}, {1000000, "us"}, {1000000000, "ns"}};
    if (tick == 0)
        return "0";
    const char *best = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        hk_ratio r;
        char number[48];
        int64_t g = hk_gcd(plan->ticks_per_second, units[i].per_second), num;
        if (__builtin_mul_overflow(tick, units[i].per_second / g, &num) ||
            !hk_ratio_make(num, plan->ticks_per_second / g, &r))
            break;
        const char *text =
            hk_arena_printf(arena, "%s %s", hk_ratio_format(r, number), units[i].unit);
        bool large = r.num >= r.den || -r.num >= r.den;
        /* The largest unit that gives a decimal of 1 or more, else what is shortest. */
        if (large && !strchr(text, '/'))
            return text;
        if (!best || strlen(text) < strlen(best))
            best = text;
    }
    return best ? best : "?";
}
