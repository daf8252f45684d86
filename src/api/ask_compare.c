/* SPDX-License-Identifier: MIT
 *
 * Two records, compared for a program. */
#include "api/answer_internal.h"

#include "report/compare_report.h"

#include <math.h>
#include <string.h>

static hk_compare_times times_of(const char *interpolate) {
    if (!interpolate)
        return HK_TIMES_SAME;
    if (strcmp(interpolate, "both") == 0)
        return HK_TIMES_BOTH;
    return strcmp(interpolate, "first") == 0 ? HK_TIMES_FIRST : HK_TIMES_SECOND;
}

static hk_status patterns(const hk_asking *a, const char *name, const char *const *texts,
                          size_t count, hk_patterns *ret_patterns) {
    hk_texts all;
    HK_TRY(hk_texts_read(a->report.ctx, name, texts, count, &all));
    *ret_patterns = (hk_patterns){all.all, all.count};
    return HK_OK;
}

static bool is_amount(double value) {
    return isfinite(value) && value >= 0;
}

static hk_status read_lists(const hk_asking *a, const hk_ask_compare_options *o,
                            hk_compare_options *ret_options, hk_compare_texts *ret_texts) {
    hk_compare_options *r = ret_options;
    HK_TRY(patterns(a, "only", o->only, o->only_count, &r->only));
    HK_TRY(patterns(a, "ignore", o->ignore, o->ignore_count, &r->ignore));
    HK_TRY(patterns(a, "hold", o->hold, o->hold_count, &r->hold));
    HK_TRY(patterns(a, "linear", o->linear, o->linear_count, &r->linear));
    HK_TRY(patterns(a, "map", o->map, o->map_count, &ret_texts->map));
    return patterns(a, "tolerance_for", o->tolerance_for, o->tolerance_for_count,
                    &ret_texts->tolerance_for);
}

static hk_status read_options(const hk_asking *a, const hk_ask_compare_options *o,
                              hk_compare_options *ret_options) {
    hk_compare_texts texts = {0};
    *ret_options = (hk_compare_options){.tolerance = {o->abs, o->rel},
                                        .common = o->common,
                                        .bits = o->bits,
                                        .times = times_of(o->interpolate),
                                        .time_tolerance = o->time_tolerance};
    HK_TRY(hk_asking_word(a, "interpolate", o->interpolate, "both first second"));
    if (!is_amount(o->abs) || !is_amount(o->rel) || !is_amount(o->time_tolerance))
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, "0 means none",
                        "abs, rel and time_tolerance are finite numbers, 0 or above");
    HK_TRY(read_lists(a, o, ret_options, &texts));
    return hk_compare_complete(a->report.ctx, a->report.arena, &texts, ret_options);
}

static const hk_answer_compared *keep(const hk_asking *a, const hk_comparison *c) {
    hk_answer_compared *k = HK_NEW(a->report.arena, hk_answer_compared);
    const hk_compared *first = c->earliest;
    k->info = (hk_compare_info){.equal = c->equal,
                                .signal_count = c->signal_count,
                                .different_count = c->worst_count,
                                .rows = c->points,
                                .same_times = !c->grids_differ,
                                .first_signal = first ? first->names[0] : NULL,
                                .first_time = first ? first->first.time : (double)NAN};
    k->signals = HK_NEW_ARRAY(a->report.arena, hk_compare_signal_info, c->worst_count + 1);
    for (size_t i = 0; i < c->worst_count; i++) {
        const hk_compared *s = c->worst[i];
        k->signals[i] = (hk_compare_signal_info){.name = s->names[0],
                                                 .name_in_second = s->names[1],
                                                 .max_absolute = s->max_absolute,
                                                 .max_relative = s->max_relative,
                                                 .rms = s->rms,
                                                 .different = s->different,
                                                 .compared = s->compared,
                                                 .worst_time = s->worst.time,
                                                 .worst_first = s->worst.values[0],
                                                 .worst_second = s->worst.values[1]};
    }
    return k;
}

static hk_status compare(hk_asking *a, hk_compare_view *view,
                         const hk_ask_compare_options *options) {
    hk_compare_options full;
    hk_json json;
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_compare_options, options, o);
    HK_TRY(read_options(a, &o, &full));
    view->options = &full;
    view->limit = o.limit ? o.limit : HK_COMPARE_SHOWN;
    HK_TRY(
        hk_records_compare(a->report.ctx, a->report.arena, view->paths, &full, &view->comparison));
    hk_compare_tell_libm(a->report.ctx, view);
    hk_report_begin(&a->report, &json, "compare");
    hk_compare_put(view, &json);
    hk_json_end(&json);
    a->answer->compared = keep(a, view->comparison);
    return view->comparison->equal ? HK_OK : hk_compare_fail(a->report.ctx, a->report.arena, view);
}

hk_status hk_ask_compare(hk_context *context, const char *first, const char *second,
                         const hk_ask_compare_options *options, hk_answer **ret_answer) {
    hk_asking a;
    hk_compare_view view = {.paths = {first, second}};
    if (!context || !first || !second || !ret_answer)
        return hk_is_null(context, !first ? "first" : !second ? "second" : "ret_answer");
    hk_asking_begin(context, &a);
    return hk_asking_end(&a, compare(&a, &view, options), ret_answer);
}

hk_status hk_compare_get(const hk_answer *answer, hk_compare_info *ret_info) {
    if (!answer || !answer->compared || !ret_info)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->compared->info);
}

hk_status hk_compare_get_signal(const hk_answer *answer, size_t index,
                                hk_compare_signal_info *ret_info) {
    if (!answer || !answer->compared || !ret_info ||
        index >= answer->compared->info.different_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->compared->signals[index]);
}
