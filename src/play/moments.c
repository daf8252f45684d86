/* SPDX-License-Identifier: MIT
 *
 * Times of a scenario on the grid of steps. Exact: an event at 0.3 s is at the third step of 0.1 s,
 * and a time between two steps belongs to the later one. */
#include "play/play_internal.h"

#include <string.h>

__extension__ typedef __int128 i128;

static bool ceil_of(i128 a, i128 b, int64_t *ret_result, bool *ret_exact) {
    i128 quotient = a / b, rest = a % b;
    quotient += rest > 0;
    *ret_exact = rest == 0;
    *ret_result = (int64_t)quotient;
    return quotient < HK_TICK_LIMIT && quotient > -HK_TICK_LIMIT;
}

bool hk_grid_step(const hk_experiment *x, hk_ratio when, int64_t *ret_step, bool *ret_exact) {
    HK_ASSERT(x && ret_step && ret_exact);
    hk_ratio since;
    return x->step.num > 0 && hk_ratio_sub(when, x->start, &since) &&
           ceil_of((i128)since.num * x->step.den, (i128)since.den * x->step.num, ret_step,
                   ret_exact);
}

hk_tick hk_grid_tick(const hk_plan *plan, hk_ratio when) {
    HK_ASSERT(plan);
    const hk_experiment *x = &plan->model->experiment;
    int64_t step;
    hk_tick length;
    bool exact;
    if (!hk_grid_step(x, when, &step, &exact) ||
        !hk_tick_from_ratio(x->step, plan->ticks_per_second, &length))
        return HK_TICK_NEVER;
    if (step <= 0)
        return plan->start;
    /* What lies after the end must not overflow. */
    return step > (plan->stop - plan->start) / length + 1 ? HK_TICK_NEVER
                                                          : plan->start + step * length;
}

hk_tick hk_ticks_of(const hk_plan *plan, hk_ratio when, bool up) {
    HK_ASSERT(plan);
    int64_t tick;
    bool exact;
    if (!ceil_of((i128)when.num * plan->ticks_per_second, when.den, &tick, &exact))
        return HK_TICK_NEVER;
    return exact || up ? tick : tick - 1;
}

const char *hk_time_words(hk_arena *arena, const hk_simulation *simulation, hk_ratio when) {
    HK_ASSERT(arena && simulation);
    static const struct {
        const char *name;
        int64_t per_second;
    } units[] = {{"s", 1}, {"ms", 1000}, {"us", 1000000}, {"ns", 1000000000}};
    const char *unit = simulation->time_unit ? simulation->time_unit : "s";
    char text[48];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t common = hk_gcd(when.den, units[i].per_second);
        hk_ratio scaled = {0, when.den / common};
        if (strcmp(unit, units[i].name) == 0 &&
            !__builtin_mul_overflow(when.num, units[i].per_second / common, &scaled.num))
            return hk_arena_printf(arena, "%s %s", hk_ratio_format(scaled, text), unit);
    }
    return hk_arena_printf(arena, "%s s", hk_ratio_format(when, text));
}

const char *hk_seconds_words(hk_arena *arena, double seconds) {
    HK_ASSERT(arena);
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(seconds, text)] = '\0';
    return hk_arena_printf(arena, "%s s", text);
}
