/* SPDX-License-Identifier: MIT
 *
 * What is drawn over the curves: events, limits of expectations, verdicts. Events are numbered
 * above the first panel; what the numbers mean is below the last one, where words have room. */
#include "base/number.h"
#include "draw/plot_drawing.h"

#include <math.h>
#include <string.h>

enum { HEAD = 14, LINE = 16, EVENTS_MAX = 12, LINES_MAX = 200, VERDICTS_MAX = 12 };

static const char *const outcomes[HK_PLOT_OUTCOMES] = {"holds", "broken", "undecided"};
static const char *const outcome_looks[HK_PLOT_OUTCOMES] = {"ok", "bad", NULL};

static double place_of_time(const hk_plot_drawing *d, double seconds) {
    return hk_axis_place(d->x, seconds / d->layout->over_factor);
}

/* Events are about the time; over other signals they have no place. */
static size_t event_count(const hk_plot_drawing *d) {
    size_t count = d->layout->plot->over ? 0 : d->layout->plot->marks.event_count;
    return count > LINES_MAX ? LINES_MAX : count;
}

const char *hk_plot_time_words(const hk_plot_layout *layout, double seconds) {
    char digits[HK_NUMBER_MAX + 1];
    double shown = round(seconds / layout->over_factor * 1e4) / 1e4;
    digits[hk_write_f64(shown, digits)] = '\0';
    return hk_arena_printf(layout->arena, "%s%s%s", digits, layout->time_unit ? " " : "",
                           layout->time_unit ? layout->time_unit : "");
}

const char *hk_plot_event_words(const hk_plot_layout *layout, size_t index) {
    const hk_plot_marks *marks = &layout->plot->marks;
    size_t all = layout->plot->over ? 0 : marks->event_count;
    if (index == EVENTS_MAX && all > EVENTS_MAX)
        return hk_arena_printf(layout->arena, "and %zu more events", all - EVENTS_MAX);
    if (index >= all || index >= EVENTS_MAX)
        return NULL;
    const hk_plot_event *event = &marks->events[index];
    return hk_arena_printf(layout->arena, "%zu at %s: %s", index + 1,
                           hk_plot_time_words(layout, event->time), event->words);
}

/* ---- events ---- */

double hk_marks_head(const hk_plot_drawing *d) {
    return event_count(d) ? HEAD : 0;
}

/* Events whose numbers have one place: "3", or "3\u20135" where they are close to each other. */
typedef struct flag {
    size_t first, last;
    double x; /* of the middle */
} flag;

static hk_label flag_label(const hk_plot_drawing *d, const flag *f) {
    const char *words = f->first == f->last ? hk_arena_printf(d->layout->arena, "%zu", f->first + 1)
                                            : hk_arena_printf(d->layout->arena, "%zu\u2013%zu",
                                                              f->first + 1, f->last + 1);
    return (hk_label){.x = f->x,
                      .y = d->places[0].top - 4,
                      .anchor = HK_ANCHOR_MIDDLE,
                      .lettering = HK_LETTERS_TINY,
                      .words = words};
}

static bool flags_touch(const hk_plot_drawing *d, const flag *a, const flag *b) {
    hk_label left = flag_label(d, a), right = flag_label(d, b);
    hk_box box = hk_label_box(&left);
    box.w += 3;
    return hk_box_overlap(box, hk_label_box(&right));
}

static void number_events(const hk_plot_drawing *d, size_t count) {
    flag flags[EVENTS_MAX];
    size_t flag_count = 0;
    for (size_t i = 0; i < count && i < EVENTS_MAX; i++) {
        double time = d->layout->plot->marks.events[i].time;
        if (!hk_plot_in_sight(d->layout, time))
            continue;
        flags[flag_count++] = (flag){i, i, hk_drawing_x(d, place_of_time(d, time))};
        while (flag_count > 1 && flags_touch(d, &flags[flag_count - 2], &flags[flag_count - 1])) {
            flag *a = &flags[flag_count - 2], *b = &flags[flag_count - 1];
            *a = (flag){a->first, b->last, (a->x + b->x) / 2};
            flag_count--;
        }
    }
    for (size_t i = 0; i < flag_count; i++) {
        hk_label label = flag_label(d, &flags[i]);
        if (hk_canvas_is_free(d->canvas, hk_label_box(&label)))
            hk_canvas_text(d->canvas, &label);
    }
}

void hk_marks_events(const hk_plot_drawing *d) {
    size_t count = event_count(d);
    for (size_t i = 0; i < count; i++) {
        const hk_plot_event *event = &d->layout->plot->marks.events[i];
        if (!hk_plot_in_sight(d->layout, event->time))
            continue;
        double x = hk_drawing_x(d, place_of_time(d, event->time));
        for (size_t p = 0; p < d->layout->panel_count; p++) {
            hk_canvas_path(d->canvas, "event", event->words);
            hk_canvas_move(d->canvas, x, d->places[p].top);
            hk_canvas_to(d->canvas, x, d->places[p].top + d->places[p].height);
        }
    }
    number_events(d, count);
}

/* ---- limits ---- */

/* Beside its line, where nothing is written yet and the panel does not end. */
static void label_limit(const hk_plot_drawing *d, size_t p, const hk_plot_limit *limit,
                        const double ends[2]) {
    char digits[HK_NUMBER_MAX + 1];
    digits[hk_write_f64(limit->value, digits)] = '\0';
    static const char *const signs[] = {"\u2265", ">", "\u2264", "<"};
    const char *words =
        hk_arena_printf(d->layout->arena, "%s %s", signs[2 * limit->upper + limit->strict], digits);
    double y = hk_drawing_y(d, p, hk_axis_place(&d->y[p], limit->value));
    hk_box panel = {d->left, d->places[p].top, d->right - d->left, d->places[p].height};
    for (int i = 0; i < 6; i++) {
        double x = i % 3 == 0 ? ends[1] - 4 : i % 3 == 1 ? ends[0] + 4 : (ends[0] + ends[1]) / 2;
        hk_label label = {.x = x,
                          .y = i < 3 ? y - 4 : y + 12,
                          .anchor = i % 3 == 0   ? HK_ANCHOR_END
                                    : i % 3 == 1 ? HK_ANCHOR_START
                                                 : HK_ANCHOR_MIDDLE,
                          .lettering = HK_LETTERS_SMALL,
                          .words = words,
                          .look = "bad halo"};
        hk_box box = hk_label_box(&label);
        if (hk_box_inside(box, panel) && hk_canvas_is_free(d->canvas, box)) {
            hk_canvas_text(d->canvas, &label);
            return;
        }
    }
}

/* The values of the column are on the wrong side of the limit when it was broken, or at the rows
 * around that time: of two limits of one expectation only one may be. */
static bool is_crossed(const hk_plot_drawing *d, const hk_plot_limit *limit) {
    for (size_t i = 0; i < d->layout->signal_count; i++) {
        const hk_plot_signal *s = &d->layout->signals[i];
        if (strcmp(s->curve->y->name, limit->column) != 0)
            continue;
        for (size_t row = 0; row < s->rows; row++) {
            bool near = s->over[row] >= limit->broken || row + 1 == s->rows ||
                        s->over[row + 1] >= limit->broken;
            double beyond =
                limit->upper ? s->values[row] - limit->value : limit->value - s->values[row];
            if (near && beyond >= 0)
                return true;
            if (s->over[row] > limit->broken)
                break;
        }
    }
    return false;
}

static void cross(const hk_plot_drawing *d, double x, double y, const char *tip) {
    enum { ARM = 4 };
    hk_canvas_path(d->canvas, "broken", tip);
    hk_canvas_move(d->canvas, x - ARM, y - ARM);
    hk_canvas_to(d->canvas, x + ARM, y + ARM);
    hk_canvas_move(d->canvas, x - ARM, y + ARM);
    hk_canvas_to(d->canvas, x + ARM, y - ARM);
}

void hk_marks_limits(const hk_plot_drawing *d) {
    for (size_t i = 0; i < d->layout->plot->marks.limit_count; i++) {
        const hk_plot_limit *limit = &d->layout->plot->marks.limits[i];
        size_t p = d->layout->limit_panels[i];
        if (p == SIZE_MAX)
            continue;
        double ends[2] = {hk_drawing_x(d, place_of_time(d, limit->from)),
                          hk_drawing_x(d, place_of_time(d, limit->to))};
        double y = hk_drawing_y(d, p, hk_axis_place(&d->y[p], limit->value));
        if (!(ends[0] < ends[1]))
            continue;
        hk_canvas_path(
            d->canvas, "limit",
            hk_arena_printf(d->layout->arena, "%s: %s", limit->column, outcomes[limit->outcome]));
        hk_canvas_move(d->canvas, ends[0], y);
        hk_canvas_to(d->canvas, ends[1], y);
        if (limit->outcome == HK_PLOT_BROKEN && isfinite(limit->broken) &&
            hk_plot_in_sight(d->layout, limit->broken) && is_crossed(d, limit))
            cross(d, hk_drawing_x(d, place_of_time(d, limit->broken)), y,
                  hk_arena_printf(d->layout->arena, "broken at %s",
                                  hk_plot_time_words(d->layout, limit->broken)));
        label_limit(d, p, limit, ends);
    }
}

/* ---- below ---- */

static double line(const hk_plot_drawing *d, double y, const char *words, const char *look) {
    hk_canvas_text_in(
        d->canvas,
        (hk_label){
            .x = d->left, .y = y, .lettering = HK_LETTERS_SMALL, .words = words, .look = look},
        d->width - d->left - 8);
    return y + LINE;
}

static double list_events(const hk_plot_drawing *d, double y) {
    const char *words;
    for (size_t i = 0; (words = hk_plot_event_words(d->layout, i)); i++)
        y = line(d, y, words, NULL);
    return y;
}

static double list_verdicts(const hk_plot_drawing *d, double y) {
    const hk_plot_marks *marks = &d->layout->plot->marks;
    for (size_t i = 0; i < marks->verdict_count && i < VERDICTS_MAX; i++) {
        const hk_plot_verdict *v = &marks->verdicts[i];
        const char *at = v->outcome == HK_PLOT_BROKEN && isfinite(v->time)
                             ? hk_arena_printf(d->layout->arena, " at %s",
                                               hk_plot_time_words(d->layout, v->time))
                             : "";
        y = line(d, y,
                 hk_arena_printf(d->layout->arena, "%s%s: %s", outcomes[v->outcome], at, v->words),
                 outcome_looks[v->outcome]);
    }
    if (marks->verdict_count > VERDICTS_MAX)
        y = line(d, y,
                 hk_arena_printf(d->layout->arena, "and %zu more expectations",
                                 marks->verdict_count - VERDICTS_MAX),
                 NULL);
    return y;
}

double hk_marks_foot(const hk_plot_drawing *d, double y) {
    double begin = y + LINE - 4, events = list_events(d, begin);
    double gap = events > begin && d->layout->plot->marks.verdict_count ? 6 : 0;
    double end = list_verdicts(d, events + gap);
    return end > begin ? end : y;
}
