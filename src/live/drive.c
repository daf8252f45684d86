/* SPDX-License-Identifier: MIT
 *
 * Drives a run as clients say. Between two instants it looks at the desk: orders are done, values
 * that are wanted are put down. While nothing is on the desk the engine runs as ever; whoever puts
 * something there makes it return at the next instant. */
#include "live/drive.h"

#include "base/clock.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

static double seconds_of(const hk_driver *d, hk_tick tick) {
    return hk_tick_seconds(tick, d->run->plan->ticks_per_second);
}

static double now_of(const hk_driver *d) {
    hk_tick now = hk_sim_now(d->run->sim), stop = d->run->plan->stop;
    return seconds_of(d, now < stop ? now : stop);
}

/* ---- looks ---- */

static void put_element(hk_look *look, const hk_variable *v, const void *data, size_t index) {
    double value;
    const char *at = (const char *)data + index * hk_store_size(v->store);
    if (v->store == HK_STORE_BYTES) {
        hk_bytes text;
        hk_foxglove_text json;
        memcpy(&text, at, sizeof text);
        /* {"v":"..."} and the end of the line, without what is around the text */
        size_t begin = look->text.size;
        hk_foxglove_begin(&json, NULL);
        hk_json_string(&json.json, "v", text.data ? text.data : "");
        hk_foxglove_end(&json, &look->text);
        enum { BEFORE = 5, AROUND = 7 };
        size_t size = look->text.size - begin - AROUND;
        memmove(look->text.data + begin, look->text.data + begin + BEFORE, size);
        look->text.size = begin + size;
        return;
    }
    if (v->type == HK_TYPE_BOOL && hk_value_convert(HK_STORE_F64, &value, v->store, at, 1)) {
        hk_buffer_put(&look->text, value != 0 ? "true" : "false", value != 0 ? 4 : 5);
        return;
    }
    bool fits = hk_value_convert(HK_STORE_F64, &value, v->store, at, 1);
    hk_look_put_f64(look, fits ? value : (double)NAN);
}

void hk_drive_put_value(hk_driver *d, hk_look *look, uint32_t what) {
    const hk_watchable *w = &d->live->catalog.all[what];
    const hk_variable *v = &d->live->model->components[w->component].info->variables[w->variable];
    const void *data;
    hk_access *access = hk_sim_access(d->run->sim, w->component, w->variable);
    if (d->state == HK_DRIVE_FAILED || hk_access_read(access, &data) != HK_OK) {
        hk_buffer_put(&look->text, "null", 4);
        return;
    }
    if (w->count > 1)
        hk_buffer_put(&look->text, "[", 1);
    for (uint32_t i = 0; i < w->count; i++) {
        if (i)
            hk_buffer_put(&look->text, ",", 1);
        put_element(look, v, data, i);
    }
    if (w->count > 1)
        hk_buffer_put(&look->text, "]", 1);
}

/* Puts down what is wanted, unless nothing has changed since. */
static void look(hk_driver *d) {
    if (!atomic_exchange(&d->live->desk.look_asked, false))
        return;
    bool other = hk_desk_wanted(&d->live->desk, &d->wanted_version, &d->wanted, &d->wanted_count);
    hk_tick now = hk_sim_now(d->run->sim);
    if (!other && !d->changed && now == d->looked)
        return;
    d->looked = now;
    d->changed = false;
    hk_look_begin(&d->look, now_of(d), d->wanted_version);
    for (size_t i = 0; i < d->wanted_count; i++) {
        hk_drive_put_value(d, &d->look, d->wanted[i]);
        hk_look_next(&d->look);
    }
    hk_desk_show(&d->live->desk, &d->look);
}

/* ---- the state ---- */

/* How fast it is: over the last half second at least. */
static void measure(hk_driver *d) {
    static const int64_t window = 500000000;
    int64_t now = hk_clock_ns(), since = now - d->measured;
    if (since < window)
        return;
    d->factor = 1e9 * (now_of(d) - d->measured_at) / (double)since;
    d->measured = now;
    d->measured_at = now_of(d);
}

/* What was said since, by the run or about it. */
static void tell_said(hk_driver *d) {
    size_t count = hk_ctx_count(d->live->ctx, HK_NOTE);
    for (; d->said < count; d->said++)
        hk_live_say(d->live, hk_ctx_diag(d->live->ctx, d->said));
}

static void tell_state(hk_driver *d) {
    hk_foxglove_text text;
    hk_buffer state = {0};
    measure(d);
    hk_foxglove_begin(&text, NULL);
    hk_json_string(&text.json, "kind", "run");
    hk_json_string(&text.json, "state", hk_drive_words[d->state]);
    hk_json_f64(&text.json, "t", now_of(d));
    hk_json_f64(&text.json, "start", seconds_of(d, d->run->plan->start));
    hk_json_f64(&text.json, "stop", seconds_of(d, d->run->plan->stop));
    hk_json_f64(&text.json, "speed", d->pace.speed);
    hk_json_f64(&text.json, "factor", d->state == HK_DRIVE_RUNNING ? d->factor : 0);
    hk_json_string(&text.json, "reason", d->reason);
    hk_json_string(&text.json, "pause_when", d->has_condition ? d->condition.text : NULL);
    hk_foxglove_end(&text, &state);
    hk_desk_set_state(&d->live->desk, state.data, state.size);
    hk_free(state.data);
}

/* ---- orders ---- */

static void pause(hk_driver *d, const char *reason) {
    if (d->state == HK_DRIVE_RUNNING)
        d->state = HK_DRIVE_PAUSED;
    d->reason = reason;
    d->goal = HK_TICK_NEVER;
    d->steps = 0;
}

static void go_on(hk_driver *d) {
    if (d->state == HK_DRIVE_PAUSED)
        d->state = HK_DRIVE_RUNNING;
    d->reason = NULL;
    hk_live_pace_begin(&d->pace, now_of(d));
    d->measured = d->pace.since;
    d->measured_at = d->pace.from;
    d->factor = 0;
}

static void step(hk_driver *d, const hk_order *o) {
    double count = 1;
    if (hk_order_number(o, "count", &count) && !(count >= 1 && count <= 1e9)) {
        hk_order_refuse(d->live, o, "count is a number of instants, from 1 on");
        return;
    }
    if (d->state == HK_DRIVE_RUNNING) {
        pause(d, NULL);
    } else if (d->state == HK_DRIVE_PAUSED) {
        d->steps = (uint64_t)count;
        d->state = HK_DRIVE_RUNNING;
    }
    hk_order_done(d->live, o);
}

static void set_speed(hk_driver *d, const hk_order *o) {
    double factor;
    if (!hk_order_number(o, "factor", &factor) || !(factor >= 0)) {
        hk_order_refuse(d->live, o, "factor is a number; 0 is as fast as possible");
        return;
    }
    d->pace.speed = factor;
    hk_live_pace_begin(&d->pace, now_of(d));
    hk_order_done(d->live, o);
}

/* Runs to a time that is still to come, and stops there. */
static void seek(hk_driver *d, const hk_order *o) {
    double time;
    if (!hk_order_number(o, "time", &time) || !(time > now_of(d))) {
        hk_order_refuse(d->live, o, "time is one that is still to come; /hocket/back goes back");
        return;
    }
    double ticks = time * (double)d->run->plan->ticks_per_second;
    d->goal = ticks < (double)d->run->plan->stop ? (hk_tick)ceil(ticks) : HK_TICK_NEVER;
    go_on(d);
    hk_order_done(d->live, o);
}

static void obey(hk_driver *d, const hk_order *o) {
    switch (o->kind) {
    case HK_SERVICE_PLAY:
        go_on(d);
        hk_order_done(d->live, o);
        break;
    case HK_SERVICE_PAUSE:
        pause(d, NULL);
        hk_order_done(d->live, o);
        break;
    case HK_SERVICE_STEP:
        step(d, o);
        break;
    case HK_SERVICE_SPEED:
        set_speed(d, o);
        break;
    case HK_SERVICE_SEEK:
        seek(d, o);
        break;
    case HK_SERVICE_PAUSE_WHEN:
        hk_drive_pause_when(d, o);
        break;
    case HK_ORDER_GET:
        hk_drive_get(d, o);
        break;
    case HK_ORDER_SET:
        hk_drive_set(d, o);
        break;
    default:
        hk_order_refuse(d->live, o, "this run cannot do that");
        break;
    }
}

static void obey_all(hk_driver *d) {
    hk_order order;
    while (hk_desk_take_order(&d->live->desk, &order)) {
        obey(d, &order);
        hk_free(order.text.data);
    }
}

/* ---- the run ---- */

/* Up to where the engine may go before the desk is looked at again. */
static hk_tick next_stop(const hk_driver *d) {
    hk_tick until = d->goal;
    if (d->steps || d->has_condition)
        return hk_sim_now(d->run->sim) + 1;
    if (d->pace.speed > 0) {
        double ticks = hk_live_pace_target(&d->pace) * (double)d->run->plan->ticks_per_second;
        hk_tick due = ticks < (double)d->run->plan->stop ? (hk_tick)floor(ticks) + 1 : until;
        until = due < until ? due : until;
    }
    return until;
}

/* The text of the last error; NULL: there is none. */
static const char *last_error(const hk_driver *d) {
    for (size_t i = hk_ctx_count(d->live->ctx, HK_NOTE); i > 0; i--)
        if (hk_ctx_diag(d->live->ctx, i - 1)->severity == HK_ERROR)
            return hk_ctx_diag(d->live->ctx, i - 1)->text;
    return NULL;
}

static void end(hk_driver *d, hk_status status) {
    d->status = status;
    d->state = status == HK_OK ? HK_DRIVE_ENDED : HK_DRIVE_FAILED;
    d->reason = hk_sim_end_reason(d->run->sim);
    if (status != HK_OK && !d->reason)
        d->reason = last_error(d);
    d->changed = true;
}

static void advance(hk_driver *d) {
    hk_tick until = next_stop(d);
    hk_sim *sim = d->run->sim;
    if (until <= hk_sim_now(sim) && until < d->run->plan->stop) { /* it is ahead of its time */
        hk_desk_wait(&d->live->desk, hk_live_pace_until(&d->pace, seconds_of(d, hk_sim_now(sim))));
        return;
    }
    if (until >= d->run->plan->stop || hk_sim_now(sim) >= d->run->plan->end)
        until = HK_TICK_NEVER;
    hk_status status = d->run->advance(d->run->user, until);
    if (status != HK_OK || hk_sim_is_ending(sim) || hk_sim_end_reason(sim)) {
        end(d, status);
        return;
    }
    if (d->steps && --d->steps == 0)
        pause(d, NULL);
    else if (d->has_condition && hk_drive_condition_holds(d))
        pause(d, d->condition.text);
    else if (hk_sim_now(sim) >= d->goal)
        pause(d, NULL);
}

static void nudge(void *user) {
    hk_sim_yield(user);
}

static void be_nudged(hk_driver *d, bool on) {
    pthread_mutex_lock(&d->live->desk.lock);
    d->live->desk.nudge = on ? nudge : NULL;
    d->live->desk.nudge_user = d->run->sim;
    pthread_mutex_unlock(&d->live->desk.lock);
}

static bool is_over(const hk_driver *d) {
    return d->state == HK_DRIVE_ENDED || d->state == HK_DRIVE_FAILED;
}

hk_status hk_live_drive(hk_live *live, const hk_live_run *run) {
    HK_ASSERT(live && live->model && run && run->sim && run->plan && run->advance);
    hk_driver d = {.live = live,
                   .run = run,
                   .arena = hk_arena_create(),
                   .goal = HK_TICK_NEVER,
                   .looked = HK_TICK_NEVER,
                   .pace.speed = live->options.speed};
    be_nudged(&d, true);
    if (!live->options.paused)
        go_on(&d);
    while (!atomic_load(&live->desk.closing)) {
        obey_all(&d);
        look(&d);
        tell_said(&d);
        tell_state(&d);
        if (is_over(&d) && !run->stays)
            break;
        if (d.state == HK_DRIVE_RUNNING)
            advance(&d);
        else
            hk_desk_wait(&live->desk, -1);
    }
    be_nudged(&d, false);
    if (!is_over(&d)) { /* it comes to its end as by Ctrl-C */
        hk_sim_interrupt(run->sim);
        d.status = run->advance(run->user, HK_TICK_NEVER);
    }
    if (d.set_by_hand)
        hk_note(live->ctx, HK_NOWHERE,
                "%llu value%s set by hand from the page: a run of the file alone differs from this "
                "one",
                (unsigned long long)d.set_by_hand, d.set_by_hand == 1 ? " was" : "s were");
    hk_free(d.wanted);
    hk_free(d.look.text.data);
    hk_free(d.look.ends);
    hk_arena_destroy(d.arena);
    return d.status;
}
