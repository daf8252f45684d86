/* SPDX-License-Identifier: MIT
 *
 * "experiment start T stop T step T interval T;": the times of a run that nobody gives others. Each
 * may be left out. */
#include "lang/declaration.h"
#include "lang/system/system_internal.h"
#include "lang/system/system_write_internal.h"

#include "base/seconds.h"

/* In the order of the enum. */
static const char *const words[] = {"start", "stop", "step", "interval"};
static const char *const names[] = {"start time", "stop time", "step", "interval"};

/* ---- text ---- */

bool hk_experiment_parse(hk_parser *p, hk_experimentdecl *x) {
    for (size_t i = 0; i < HK_EXPERIMENT_TIMES; i++)
        x->times[i] = (hk_number)HK_MISSING;
    bool any = false;
    for (size_t i = 0; i < HK_EXPERIMENT_TIMES;) {
        hk_place at = hk_parser_here(p);
        if (!hk_parser_skip(p, words[i])) {
            i++;
            continue;
        }
        if (!hk_parser_once(p, &at, x->times[i].text[0], names[i]) ||
            !hk_parser_number(p, "a time", &x->times[i]))
            return false;
        any = true;
        i = 0; /* in any order */
    }
    if (!any || (p->token.kind == HK_TOKEN_WORD && p->token.line == p->last.end_line))
        return hk_parser_unexpected(p, any ? "';'" : "'start', 'stop', 'step' or 'interval'",
                                    hk_parser_hint(p, words, HK_EXPERIMENT_TIMES));
    return true;
}

void hk_experiment_print(hk_printer *pr, const hk_experimentdecl *x) {
    hk_print_line(pr, &x->at);
    hk_print(pr, "experiment");
    for (size_t i = 0; i < HK_EXPERIMENT_TIMES; i++) {
        if (!x->times[i].text[0])
            continue;
        hk_print(pr, " ");
        hk_print(pr, words[i]);
        hk_print(pr, " ");
        hk_print_number(pr, &x->times[i]);
    }
    hk_print(pr, ";");
    hk_print_end(pr, &x->at);
}

/* ---- what it means ---- */

static bool read_time(hk_system *s, const hk_experimentdecl *x, hk_experiment_time which,
                      hk_ratio *ret_time) {
    bool length = which >= HK_EXPERIMENT_STEP;
    return hk_system_any_time(s, &x->times[which], names[which], length ? HK_TIME_ABOVE_0 : 0,
                              ret_time);
}

void hk_system_experiment(hk_system *s) {
    const hk_experimentdecl *x = s->tree->experiment;
    hk_experiment *e = &s->model->experiment;
    if (!x)
        return;
    e->start = (hk_ratio){0, 1};
    if (read_time(s, x, HK_EXPERIMENT_START, &e->start))
        e->start_source = HK_FROM_SYSTEM;
    if (read_time(s, x, HK_EXPERIMENT_STOP, &e->stop)) {
        e->has_stop = true;
        e->stop_source = HK_FROM_SYSTEM;
        if (hk_ratio_compare(e->stop, e->start) <= 0)
            hk_complain(&s->complaints, HK_E_TIME,
                        hk_system_where(s, &x->times[HK_EXPERIMENT_STOP].at), NULL,
                        "the stop time is not after the start time");
    }
    if (read_time(s, x, HK_EXPERIMENT_STEP, &e->step)) {
        e->has_step = true;
        e->step_source = HK_FROM_SYSTEM;
    }
    if (read_time(s, x, HK_EXPERIMENT_INTERVAL, &e->output_interval))
        e->output_interval_source = HK_FROM_SYSTEM;
}

/* ---- of a model ---- */

hk_experimentdecl *hk_system_write_experiment(hk_system_writer *w) {
    const hk_experiment *e = &w->model->experiment;
    const bool given[HK_EXPERIMENT_TIMES] = {e->start_source > HK_FROM_DEFAULT, e->has_stop,
                                             e->has_step, e->output_interval.num > 0};
    const hk_ratio times[HK_EXPERIMENT_TIMES] = {e->start, e->stop, e->step, e->output_interval};
    hk_experimentdecl *x = HK_NEW(w->arena, hk_experimentdecl);
    bool any = false;
    for (size_t i = 0; i < HK_EXPERIMENT_TIMES; i++) {
        x->times[i] = given[i] ? hk_system_write_time(w, times[i]) : (hk_number){.text = ""};
        any |= given[i];
    }
    return any ? x : NULL;
}
