/* SPDX-License-Identifier: MIT
 *
 * Times of a simulation: its unit, its horizon, the periods of components. */
#include "base/number.h"
#include "base/seconds.h"
#include "lang/simulation/simulation_internal.h"

#include <string.h>

enum { PERIOD_ERRORS_MAX = 20 };
#define TIME_HINT "write a number, with a unit right behind it if it has one of its own: 5ms"

bool hk_simread_times(hk_ratio a, int64_t n, hk_ratio *ret_product) {
    int64_t common = hk_gcd(n, a.den), num;
    if (!common || __builtin_mul_overflow(a.num, n / common, &num))
        return false;
    return hk_ratio_make(num, a.den / common, ret_product);
}

bool hk_simread_divide(hk_ratio a, hk_ratio b, int64_t *ret_quotient, bool *ret_exact) {
    int64_t x = hk_gcd(a.num, b.num), y = hk_gcd(a.den, b.den), num, den;
    if (!x || __builtin_mul_overflow(a.num / x, b.den / y, &num) ||
        __builtin_mul_overflow(a.den / y, b.num / x, &den))
        return false;
    *ret_quotient = hk_floor_div(num, den);
    *ret_exact = hk_floor_mod(num, den) == 0;
    return true;
}

hk_status hk_simread_time(hk_simread *r, const char *what, const char *text, const char *unit,
                          const hk_place *at, hk_ratio *ret_time) {
    if (!*text)
        return hk_simread_missing(r, at);
    hk_literal word = {.kind = HK_LITERAL_WORD, .text = text, .unit = unit, .at = *at}, l;
    HK_TRY(hk_simread_literal(r, &word, &l));
    const char *whole = hk_arena_printf(r->arena, "%s%s", l.text, l.unit ? l.unit : r->unit);
    if (hk_time_read(r->ctx, hk_simread_where(r, at), whole, ret_time))
        return HK_OK;
    return hk_simread_error(r, HK_E_VALUE, at, TIME_HINT, "%s: '%s%s' is not a time that fits",
                            what, l.text, l.unit ? l.unit : "");
}

const char *hk_simread_show_time(hk_simread *r, hk_ratio time) {
    static const struct {
        const char *name;
        int64_t per_second;
    } units[] = {{"s", 1}, {"ms", 1000}, {"us", 1000000}, {"ns", 1000000000}};
    char buffer[48];
    hk_ratio shown;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, r->unit) == 0 &&
            hk_simread_times(time, units[i].per_second, &shown))
            return hk_arena_printf(r->arena, "%s %s", hk_ratio_format(shown, buffer), r->unit);
    return hk_arena_printf(r->arena, "%s s", hk_ratio_format(time, buffer));
}

const char *hk_simread_show_number(hk_simread *r, double value) {
    char buffer[HK_NUMBER_MAX];
    return hk_arena_strndup(r->arena, buffer, hk_write_f64(value, buffer));
}

static void read_unit(hk_simread *r) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    const hk_name *unit = &r->file->unit;
    r->unit = "s";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit->text, units[i]) == 0)
            r->unit = units[i];
    if (*unit->text && strcmp(unit->text, r->unit) != 0)
        hk_simread_error(r, HK_E_TIME, &unit->at, "use s, ms, us or ns", "the unit of time is '%s'",
                         unit->text);
}

/* D1: the simulation is a whole number of steps. */
static hk_status check_horizon(hk_simread *r, const hk_experiment *e) {
    hk_ratio length, part, end[2];
    int64_t n;
    bool exact;
    if (e->step.num <= 0)
        return hk_simread_error(r, HK_E_TIME, &r->file->step.at, NULL, "the step must be above 0");
    if (hk_ratio_compare(e->stop, e->start) <= 0)
        return hk_simread_error(
            r, HK_E_TIME, &r->file->stop.at, NULL, "the simulation ends at %s, but it begins at %s",
            hk_simread_show_time(r, e->stop), hk_simread_show_time(r, e->start));
    if (!hk_ratio_sub(e->stop, e->start, &length) ||
        !hk_simread_divide(length, e->step, &n, &exact))
        return hk_simread_error(r, HK_E_TICK_OVERFLOW, &r->file->step.at, NULL,
                                "the simulation has more steps than can be counted");
    if (exact)
        return HK_OK;
    const char *hint = NULL;
    for (int i = 0; i < 2; i++)
        if (!hk_simread_times(e->step, n + i, &part) || !hk_ratio_add(e->start, part, &end[i]))
            end[i] = e->stop;
    if (n > 0)
        hint = hk_arena_printf(r->arena, "the nearest ends are %s and %s",
                               hk_simread_show_time(r, end[0]), hk_simread_show_time(r, end[1]));
    else
        hint = hk_arena_printf(r->arena, "the nearest end is %s", hk_simread_show_time(r, end[1]));
    return hk_simread_error(r, HK_E_TIME, &r->file->stop.at, hint,
                            "the simulation from %s to %s is not a whole number of steps of %s",
                            hk_simread_show_time(r, e->start), hk_simread_show_time(r, e->stop),
                            hk_simread_show_time(r, e->step));
}

static hk_status read_times(hk_simread *r) {
    const hk_simulationfile *f = r->file;
    hk_experiment *e = &r->model->experiment, x = *e;
    HK_TRY(hk_simread_time(r, "the start", f->start.text, f->start.unit, &f->start.at, &x.start));
    HK_TRY(hk_simread_time(r, "the end", f->stop.text, f->stop.unit, &f->stop.at, &x.stop));
    HK_TRY(hk_simread_time(r, "the step", f->step.text, f->step.unit, &f->step.at, &x.step));
    HK_TRY(check_horizon(r, &x));
    x.has_stop = x.has_step = true;
    x.start_source = x.stop_source = x.step_source = HK_FROM_SYSTEM;
    *e = x;
    r->has_times = true;
    return HK_OK;
}

static const char *frequency_text(hk_simread *r, hk_ratio period) {
    char buffer[48];
    hk_ratio frequency = {period.den, period.num};
    return hk_arena_printf(r->arena, "%s Hz", hk_ratio_format(frequency, buffer));
}

/* D2: a component is activated every n steps. Components with the same period get one message. */
static void check_period(hk_simread *r, size_t index) {
    const hk_component *c = &r->model->components[index];
    const hk_ratio step = r->model->experiment.step;
    int64_t n;
    bool exact;
    size_t others = 0;
    if (!hk_simread_divide(c->period, step, &n, &exact) || (exact && n >= 1))
        return;
    for (size_t i = 0; i < r->model->component_count; i++) {
        const hk_component *d = &r->model->components[i];
        if (!d->has_period || i == index || hk_ratio_compare(d->period, c->period) != 0)
            continue;
        if (i < index)
            return;
        others++;
    }
    hk_ratio slow, fast;
    const char *hint = NULL;
    if (n < 1)
        hint = hk_arena_printf(r->arena, "the highest frequency for this step is %s",
                               frequency_text(r, step));
    else if (hk_simread_times(step, n, &fast) && hk_simread_times(step, n + 1, &slow))
        hint = hk_arena_printf(r->arena, "the nearest frequencies are %s and %s",
                               frequency_text(r, fast), frequency_text(r, slow));
    const char *more = others ? hk_arena_printf(r->arena, " (and %zu more)", others) : "";
    hk_simread_error(r, HK_E_TIME, &r->file->step.at, hint,
                     "the period %s (%s) of '%s'%s is not a multiple of the step %s",
                     hk_simread_show_time(r, c->period), frequency_text(r, c->period), c->name,
                     more, hk_simread_show_time(r, step));
}

void hk_simread_horizon(hk_simread *r) {
    read_unit(r);
    if (read_times(r) != HK_OK)
        return;
    hk_model_round_periods(r->model);
    for (size_t i = 0; i < r->model->component_count && r->complaints.count < PERIOD_ERRORS_MAX;
         i++)
        if (r->model->components[i].has_period)
            check_period(r, i);
}
