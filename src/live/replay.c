/* SPDX-License-Identifier: MIT
 *
 * A record as if it were a run: its time moves as clients say, and at each moment it shows the row
 * that holds then, the last one that is not later. */
#include "live/live_internal.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

typedef struct player {
    hk_live *live;
    const hk_table *table;
    hk_drive_state state;
    double time, start, stop;
    hk_live_pace pace;
    uint32_t *wanted;
    size_t wanted_count;
    uint64_t wanted_version;
    hk_look look;
    double looked;
} player;

/* The last row at or before TIME. */
static size_t row_at(const hk_table *table, double time) {
    size_t low = 0, high = table->rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->values[0][middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

static void look(player *p) {
    if (!atomic_exchange(&p->live->desk.look_asked, false))
        return;
    bool other = hk_desk_wanted(&p->live->desk, &p->wanted_version, &p->wanted, &p->wanted_count);
    if (!other && p->looked == p->time)
        return;
    p->looked = p->time;
    size_t row = row_at(p->table, p->time);
    hk_look_begin(&p->look, p->time, p->wanted_version);
    for (size_t i = 0; i < p->wanted_count; i++) {
        const hk_watchable *w = &p->live->catalog.all[p->wanted[i]];
        hk_look_put_f64(&p->look,
                        p->table->rows ? p->table->values[w->variable][row] : (double)NAN);
        hk_look_next(&p->look);
    }
    hk_desk_show(&p->live->desk, &p->look);
}

static void tell_state(player *p) {
    hk_foxglove_text text;
    hk_buffer state = {0};
    hk_foxglove_begin(&text, NULL);
    hk_json_string(&text.json, "kind", "record");
    hk_json_string(&text.json, "state", hk_drive_words[p->state]);
    hk_json_f64(&text.json, "t", p->time);
    hk_json_f64(&text.json, "start", p->start);
    hk_json_f64(&text.json, "stop", p->stop);
    hk_json_f64(&text.json, "speed", p->pace.speed);
    hk_json_f64(&text.json, "factor", p->state == HK_DRIVE_RUNNING ? p->pace.speed : 0);
    hk_json_string(&text.json, "reason", NULL);
    hk_json_string(&text.json, "pause_when", NULL);
    hk_foxglove_end(&text, &state);
    hk_desk_set_state(&p->live->desk, state.data, state.size);
    hk_free(state.data);
}

/* ---- a part of the record, for curves ---- */

typedef struct section {
    size_t first, end; /* rows */
    size_t bins;
} section;

/* Of each bin of rows the smallest and the largest value, in the order in which they come. */
static void put_bins(hk_json *json, const hk_table *table, size_t column, section part) {
    size_t rows = part.end - part.first;
    for (size_t b = 0; b < part.bins; b++) {
        size_t from = part.first + rows * b / part.bins,
               to = part.first + rows * (b + 1) / part.bins;
        size_t low = from, high = from;
        for (size_t i = from; i < to; i++) {
            low = table->values[column][i] < table->values[column][low] ? i : low;
            high = table->values[column][i] > table->values[column][high] ? i : high;
        }
        size_t ends[] = {low < high ? low : high, low < high ? high : low};
        for (size_t k = 0; k < (low == high ? 1u : 2u); k++) {
            hk_json_f64(json, NULL, table->values[0][ends[k]]);
            hk_json_f64(json, NULL, table->values[column][ends[k]]);
        }
    }
}

/* {"curves":[[t,v,t,v,...],...]}: as many points as were asked for, twice at most. */
static void put_range(player *p, const hk_order *o) {
    enum { POINTS = 2000 };
    double from = p->start, to = p->stop, points = POINTS;
    hk_json_span list = hk_foxglove_member(hk_order_request(o), "signals"), item;
    (void)hk_order_number(o, "from", &from);
    (void)hk_order_number(o, "to", &to);
    (void)hk_order_number(o, "points", &points);
    if (!(points >= 1 && points <= 100 * POINTS) || !list.size || list.at[0] != '[') {
        hk_order_refuse(p->live, o, "signals is a list of names, points a number of points");
        return;
    }
    section part = {.first = row_at(p->table, from)};
    part.end = p->table->rows ? row_at(p->table, to) + 1 : 0;
    part.end = part.end < part.first ? part.first : part.end;
    part.bins = part.end - part.first < (size_t)points ? part.end - part.first : (size_t)points;
    hk_arena *arena = hk_arena_create();
    hk_foxglove_text text;
    hk_buffer answer = {0};
    hk_foxglove_begin(&text, NULL);
    hk_json_array(&text.json, "curves");
    while (hk_json_element(&list, &item)) {
        size_t size = 0;
        const char *name = hk_json_decode(arena, item, &size);
        hk_wanted found = hk_catalog_find(&p->live->catalog, name ? name : "", name ? size : 0);
        hk_json_array(&text.json, NULL);
        if (found.what != HK_MAP_NONE)
            put_bins(&text.json, p->table, p->live->catalog.all[found.what].variable, part);
        hk_json_end(&text.json);
    }
    hk_json_end(&text.json);
    hk_foxglove_end(&text, &answer);
    hk_desk_answer(&p->live->desk, o, true, answer.data, answer.size);
    hk_free(answer.data);
    hk_arena_destroy(arena);
}

/* ---- orders ---- */

static void go_to(player *p, double time) {
    p->time = time < p->start ? p->start : time > p->stop ? p->stop : time;
    p->state = p->state == HK_DRIVE_ENDED ? HK_DRIVE_PAUSED : p->state;
    hk_live_pace_begin(&p->pace, p->time);
}

/* By rows, on and back. */
static void step(player *p, const hk_order *o) {
    double count = 1;
    if (hk_order_number(o, "count", &count) && !(count >= 1 && count <= 1e9)) {
        hk_order_refuse(p->live, o, "count is a number of rows, from 1 on");
        return;
    }
    size_t row = row_at(p->table, p->time), by = (size_t)count, last = p->table->rows;
    p->state = HK_DRIVE_PAUSED;
    if (o->kind == HK_SERVICE_STEP)
        row = row + by < last ? row + by : last ? last - 1 : 0;
    else
        row = row > by ? row - by : 0;
    if (last)
        go_to(p, p->table->values[0][row]);
    hk_order_done(p->live, o);
}

static void obey(player *p, const hk_order *o) {
    double number;
    switch (o->kind) {
    case HK_SERVICE_PLAY:
        if (p->time >= p->stop)
            p->time = p->start;
        p->state = HK_DRIVE_RUNNING;
        hk_live_pace_begin(&p->pace, p->time);
        hk_order_done(p->live, o);
        break;
    case HK_SERVICE_PAUSE:
        p->state = HK_DRIVE_PAUSED;
        hk_order_done(p->live, o);
        break;
    case HK_SERVICE_STEP:
    case HK_SERVICE_BACK:
        step(p, o);
        break;
    case HK_SERVICE_SEEK:
        if (hk_order_number(o, "time", &number)) {
            go_to(p, number);
            hk_order_done(p->live, o);
        } else {
            hk_order_refuse(p->live, o, "time is a number of seconds");
        }
        break;
    case HK_SERVICE_SPEED:
        if (hk_order_number(o, "factor", &number) && number > 0) {
            p->pace.speed = number;
            hk_live_pace_begin(&p->pace, p->time);
            hk_order_done(p->live, o);
        } else {
            hk_order_refuse(p->live, o, "the speed of a record is a number above 0");
        }
        break;
    case HK_SERVICE_RANGE:
        put_range(p, o);
        break;
    default:
        hk_order_refuse(p->live, o, "a record cannot be changed");
        break;
    }
}

/* Time goes on by the clock; it is looked at as often as values are wanted. */
static void move(player *p) {
    static const int64_t moment = 16000000;
    hk_desk_wait(&p->live->desk, moment);
    double time = hk_live_pace_target(&p->pace);
    p->time = time < p->stop ? time : p->stop;
    if (p->time >= p->stop)
        p->state = HK_DRIVE_ENDED;
}

void hk_live_replay(hk_live *live) {
    HK_ASSERT(live && live->table);
    const hk_table *t = live->table;
    player p = {.live = live, .table = t, .looked = (double)NAN, .pace.speed = live->options.speed};
    p.pace.speed = p.pace.speed > 0 ? p.pace.speed : 1;
    p.time = p.start = t->rows ? t->values[0][0] : 0;
    p.stop = t->rows ? t->values[0][t->rows - 1] : 0;
    while (!atomic_load(&live->desk.closing)) {
        hk_order order;
        while (hk_desk_take_order(&live->desk, &order)) {
            obey(&p, &order);
            hk_free(order.text.data);
        }
        look(&p);
        tell_state(&p);
        if (p.state == HK_DRIVE_RUNNING)
            move(&p);
        else
            hk_desk_wait(&live->desk, -1);
    }
    hk_free(p.wanted);
    hk_free(p.look.text.data);
    hk_free(p.look.ends);
}
