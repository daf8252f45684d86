/* SPDX-License-Identifier: MIT */
#include "draw/plot_layout.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RANGE_RATIO_MAX = 50; /* between signals that are split by their range */
static const double LIMIT_REACH = 2;      /* spans that a limit may be away to be shown */

/* Widens the range by the finite values among N. */
static void add_range(const double *values, size_t n, double *lo, double *hi) {
    for (size_t i = 0; values && i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        *lo = values[i] < *lo ? values[i] : *lo;
        *hi = values[i] > *hi ? values[i] : *hi;
    }
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- panels ---- */

/* What must stay visible of a signal: its span, or for a constant its distance from zero. */
static double span_of(const hk_plot_signal *signal) {
    return signal->hi > signal->lo ? signal->hi - signal->lo : fabs(signal->hi);
}

/* The signal would still be seen beside those of the panel, and they beside it. */
static bool ranges_fit(const hk_plot_panel *panel, const hk_plot_signal *signal) {
    if (signal->lo > signal->hi || panel->lo > panel->hi)
        return true;
    double lo = fmin(panel->lo, signal->lo), hi = fmax(panel->hi, signal->hi);
    double finest = panel->finest, span = span_of(signal);
    if (span > 0 && (!(finest > 0) || span < finest))
        finest = span;
    return !(finest > 0) || hi - lo <= RANGE_RATIO_MAX * finest;
}

static bool has_items(const hk_plot_column *column) {
    return column->kind == HK_PLOT_BOOLEAN ||
           (column->kind == HK_PLOT_ENUMERATION && column->item_count);
}

/* What is on the axis of a column in place of numbers; returns how many, 0: numbers are. */
static size_t items_of(const hk_plot_column *column, const hk_plot_item **ret_items) {
    static const hk_plot_item truth[] = {{0, "false"}, {1, "true"}};
    bool is_truth = column->kind == HK_PLOT_BOOLEAN;
    *ret_items = is_truth ? truth : column->items;
    return is_truth ? 2 : has_items(column) ? column->item_count : 0;
}

/* The two have one axis: their units and their items are the same. */
static bool same_axis(const hk_plot_column *a, const hk_plot_column *b) {
    const hk_plot_item *ours, *theirs;
    size_t count = items_of(a, &ours);
    if (!same(a->unit, b->unit) || items_of(b, &theirs) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (ours[i].value != theirs[i].value || !same(ours[i].name, theirs[i].name))
            return false;
    return true;
}

static bool belongs(const hk_plot_layout *layout, const hk_plot_panel *panel,
                    const hk_plot_signal *signal, hk_plot_panels kind) {
    const hk_plot_column *y = signal->curve->y, *x = signal->curve->x;
    if (kind == HK_PANELS_TOGETHER)
        return true;
    if (layout->own_overs && !same_axis(panel->over, x))
        return false;
    if (panel->only_over && !same(panel->only_over, x->name))
        return false;
    if (panel->only || has_items(y) || kind == HK_PANELS_SEPARATE)
        return same(panel->only, y->name) && same(panel->unit, y->unit);
    return same(panel->unit, y->unit) && (kind != HK_PANELS_SPLIT || ranges_fit(panel, signal));
}

static hk_plot_panel new_panel(const hk_plot_layout *layout, const hk_plot_signal *signal,
                               hk_plot_panels kind) {
    const hk_plot_column *y = signal->curve->y;
    hk_plot_panel panel = {.unit = y->unit, .lo = INFINITY, .hi = -INFINITY, .whole = true};
    bool items = has_items(y) && kind != HK_PANELS_TOGETHER;
    if (items)
        panel.item_count = items_of(y, &panel.items);
    panel.only = items || kind == HK_PANELS_SEPARATE ? y->name : NULL;
    panel.over = signal->curve->x;
    if (layout->plot->over && kind == HK_PANELS_SEPARATE)
        panel.only_over = signal->curve->x->name;
    return panel;
}

static void join_panel(hk_plot_panel *panel, const hk_plot_signal *signal) {
    bool outline = signal->curve->role == HK_PLOT_OUTLINE;
    panel->signal_count++;
    panel->whole = panel->whole && signal->curve->y->kind != HK_PLOT_REAL;
    if (!outline && !same(panel->unit, signal->curve->y->unit))
        panel->unit = NULL; /* together on demand: the legend says which has which */
    if (signal->lo > signal->hi)
        return;
    panel->lo = fmin(panel->lo, signal->lo);
    panel->hi = fmax(panel->hi, signal->hi);
    double span = span_of(signal);
    if (span > 0 && (!(panel->finest > 0) || span < panel->finest))
        panel->finest = span;
}

static void assign_panels(hk_plot_layout *layout, hk_plot_panels kind) {
    for (size_t i = 0; i < layout->signal_count; i++) {
        hk_plot_signal *signal = &layout->signals[i];
        size_t p = kind == HK_PANELS_CURVES ? layout->panel_count : 0;
        while (p < layout->panel_count && !belongs(layout, &layout->panels[p], signal, kind))
            p++;
        if (p == layout->panel_count)
            layout->panels[layout->panel_count++] = new_panel(layout, signal, kind);
        signal->panel = p;
        join_panel(&layout->panels[p], signal);
    }
    if (!layout->panel_count)
        layout->panels[layout->panel_count++] = (hk_plot_panel){.lo = INFINITY, .hi = -INFINITY};
}

/* Up to three different last parts of names. */
enum { PARTS_MAX = 3 };
typedef struct parts {
    const char *all[PARTS_MAX];
    size_t count; /* 4: there are more */
} parts;

static void add_part(parts *p, const char *name) {
    const char *part = hk_text_last_part(name);
    for (size_t i = 0; i < p->count && i < PARTS_MAX; i++)
        if (strcmp(p->all[i], part) == 0)
            return;
    if (p->count < PARTS_MAX)
        p->all[p->count] = part;
    p->count += p->count <= PARTS_MAX;
}

/* "travel, z [m]": the first MOST of them, a sign that there are more, and the unit; NULL: there is
 * neither a name nor a unit. */
static const char *join_parts(const hk_plot_layout *layout, const parts *p, size_t most,
                              const char *unit) {
    const char *text = NULL;
    for (size_t i = 0; i < p->count && i < most; i++)
        text = text ? hk_arena_printf(layout->arena, "%s, %s", text, p->all[i]) : p->all[i];
    if (text && p->count > most)
        text = hk_arena_printf(layout->arena, "%s, %s", text, layout->plot->ascii ? "..." : "…");
    if (unit)
        text = hk_arena_printf(layout->arena, "%s%s[%s]", text ? text : "", text ? " " : "", unit);
    return text;
}

/* What an axis says: the names, and where those have no room the first one. Of more names than that
 * the unit says enough. */
static void label_axis(const hk_plot_layout *layout, const parts *p, const char *unit,
                       const char *ret_labels[2]) {
    bool many = p->count > PARTS_MAX && unit;
    ret_labels[0] = join_parts(layout, p, many ? 0 : PARTS_MAX, unit);
    ret_labels[1] = many || p->count < 2 ? NULL : join_parts(layout, p, 1, unit);
}

static void label_panel(const hk_plot_layout *layout, size_t p) {
    hk_plot_panel *panel = &layout->panels[p];
    const char *labels[2];
    parts names = {0};
    for (size_t i = 0; i < layout->signal_count && !panel->item_count; i++)
        if (layout->signals[i].panel == p && layout->signals[i].curve->role != HK_PLOT_OUTLINE)
            add_part(&names, layout->signals[i].curve->y->name);
    label_axis(layout, &names, panel->item_count ? NULL : panel->unit, labels);
    panel->label = labels[0];
    panel->brief = labels[1];
}

/* Where the units of a panel differ the legend has them. */
static void name_signals(const hk_plot_layout *layout) {
    for (size_t i = 0; i < layout->signal_count; i++) {
        hk_plot_signal *signal = &layout->signals[i];
        const hk_plot_curve *curve = signal->curve;
        const char *unit = curve->y->unit;
        signal->name = curve->label ? curve->label : curve->y->name;
        if (signal->rows && signal->lo > signal->hi)
            signal->name = hk_arena_printf(layout->arena, "%s (no numbers)", signal->name);
        signal->label = unit && curve->role == HK_PLOT_SIGNAL
                            ? hk_arena_printf(layout->arena, "%s [%s]", signal->name, unit)
                            : signal->name;
        if (!same(layout->panels[signal->panel].unit, unit) && curve->role != HK_PLOT_OUTLINE)
            signal->name = signal->label;
    }
}

/* ---- limits ---- */

static size_t panel_of_limit(const hk_plot_layout *layout, const hk_plot_limit *limit) {
    for (size_t i = 0; i < layout->signal_count; i++)
        if (strcmp(layout->signals[i].curve->y->name, limit->column) == 0)
            return layout->signals[i].panel;
    return SIZE_MAX;
}

/* Limits that are near widen the panel; those that are far away are not drawn. */
static void add_limits(hk_plot_layout *layout) {
    const hk_plot_marks *marks = &layout->plot->marks;
    layout->limit_panels = HK_NEW_ARRAY(layout->arena, size_t, marks->limit_count + 1);
    for (size_t i = 0; i < marks->limit_count; i++) {
        double value = marks->limits[i].value;
        size_t p = layout->plot->over ? SIZE_MAX : panel_of_limit(layout, &marks->limits[i]);
        if (p == SIZE_MAX || !isfinite(value) || layout->panels[p].lo > layout->panels[p].hi) {
            layout->limit_panels[i] = SIZE_MAX;
            continue;
        }
        hk_plot_panel *panel = &layout->panels[p];
        double span = fmax(panel->hi - panel->lo, 0.5 * fmax(fabs(panel->lo), fabs(panel->hi)));
        bool near =
            value >= panel->lo - LIMIT_REACH * span && value <= panel->hi + LIMIT_REACH * span;
        layout->limit_panels[i] = near ? p : SIZE_MAX;
        if (near)
            add_range(&value, 1, &panel->lo, &panel->hi);
    }
}

/* ---- the horizontal axis ---- */

static bool is_seconds(const hk_plot_column *x) {
    return x->unit ? strcmp(x->unit, "s") == 0 : strcmp(x->name, "time") == 0;
}

/* The unit in which a time is read best. */
static void choose_time_unit(hk_plot_layout *layout, double lo, double hi) {
    static const struct {
        double from, factor; /* seconds */
        const char *name;
    } units[] = {{259200, 86400, "days"}, {10800, 3600, "h"}, {600, 60, "min"}, {0.5, 1, "s"},
                 {5e-4, 1e-3, "ms"},      {5e-7, 1e-6, "µs"}, {0, 1e-9, "ns"}};
    /* What is to be told apart is the span; a run of 5 s may begin after many hours. */
    double span = hi - lo;
    double largest = span > 0 ? span : fmax(fabs(lo), fabs(hi));
    size_t i = 0;
    while (largest < units[i].from)
        i++;
    if (!(largest > 0))
        i = 3;
    layout->over_factor = units[i].factor;
    layout->time_unit = layout->plot->ascii && units[i].factor == 1e-6 ? "us" : units[i].name;
}

/* The signal is over the horizontal axis of the panel, which may be that of all. */
static bool is_over(const hk_plot_layout *layout, size_t signal, size_t panel) {
    return !layout->own_overs || layout->signals[signal].panel == panel;
}

/* What the horizontal axis of a panel says: the one column, or what several are called at their
 * end. */
static void label_over(const hk_plot_layout *layout, size_t p) {
    const hk_plot_column *first = NULL;
    bool one = true, one_unit = true;
    parts names = {0};
    const char *labels[2] = {NULL, NULL};
    for (size_t i = 0; i < layout->signal_count; i++) {
        const hk_plot_column *x = layout->signals[i].curve->x;
        if (!is_over(layout, i, p) || layout->signals[i].curve->role == HK_PLOT_OUTLINE)
            continue;
        first = first ? first : x;
        one = one && strcmp(x->name, first->name) == 0;
        one_unit = one_unit && same(x->unit, first->unit);
        add_part(&names, x->name);
    }
    if (layout->time_unit)
        labels[0] = hk_arena_printf(layout->arena, "time [%s]", layout->time_unit);
    else if (first) {
        if (one)
            names.all[0] = first->name;
        label_axis(layout, &names, one_unit ? first->unit : NULL, labels);
    }
    layout->panels[p].over_label = labels[0] ? labels[0] : "";
    layout->panels[p].over_brief = labels[1];
}

/* The range of what the signals of panel P are over, in their unit. */
static void over_range(const hk_plot_layout *layout, size_t p, double *ret_lo, double *ret_hi) {
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < layout->signal_count; i++)
        if (is_over(layout, i, p))
            add_range(layout->signals[i].over, layout->signals[i].rows, &lo, &hi);
    if (lo > hi) {
        lo = 0;
        hi = 1;
    } else if (lo == hi) {
        double half = fmax(0.5, fabs(lo) * 1e-6);
        lo = fmax(lo - half, -DBL_MAX);
        hi = fmin(hi + half, DBL_MAX);
    }
    *ret_lo = lo;
    *ret_hi = hi;
}

/* Signals over values of several units, or of several enumerations, have an axis for each of them.
 */
static bool overs_differ(const hk_plot *plot) {
    for (size_t i = 1; plot->over && i < plot->curve_count; i++)
        if (!same_axis(plot->curves[i].x, plot->curves[0].x))
            return true;
    return false;
}

/* Items to the right, if all that is over them has the same. */
static void find_over_items(const hk_plot_layout *layout, size_t p) {
    hk_plot_panel *panel = &layout->panels[p];
    bool all = layout->plot->over && !layout->plot->equal && panel->over;
    for (size_t i = 0; all && i < layout->signal_count; i++)
        all = !is_over(layout, i, p) || same_axis(layout->signals[i].curve->x, panel->over);
    if (all)
        panel->over_item_count = items_of(panel->over, &panel->over_items);
}

static void find_overs(hk_plot_layout *layout) {
    bool seconds = !layout->plot->over;
    double lo, hi;
    layout->over_factor = 1;
    for (size_t i = 0; i < layout->signal_count; i++)
        seconds = seconds && is_seconds(layout->signals[i].curve->x);
    over_range(layout, 0, &lo, &hi);
    if (seconds)
        choose_time_unit(layout, lo, hi);
    for (size_t p = 0; p < layout->panel_count; p++) {
        hk_plot_panel *panel = &layout->panels[p];
        if (layout->own_overs)
            over_range(layout, p, &lo, &hi);
        panel->over_lo = lo / layout->over_factor;
        panel->over_hi = hi / layout->over_factor;
        label_over(layout, p);
        find_over_items(layout, p);
    }
}

bool hk_plot_in_sight(const hk_plot_layout *layout, double seconds) {
    double at = seconds / layout->over_factor;
    return at >= layout->panels[0].over_lo && at <= layout->panels[0].over_hi;
}

void hk_plot_layout_init(hk_plot_layout *layout, hk_arena *arena, const hk_plot *plot) {
    size_t count = plot->curve_count;
    *layout = (hk_plot_layout){.arena = arena, .plot = plot, .signal_count = count};
    layout->signals = HK_NEW_ARRAY(arena, hk_plot_signal, count + 1);
    layout->panels = HK_NEW_ARRAY(arena, hk_plot_panel, count + 1);
    for (size_t i = 0; i < count; i++) {
        const hk_plot_curve *curve = &plot->curves[i];
        hk_plot_signal *signal = &layout->signals[i];
        *signal = (hk_plot_signal){.curve = curve,
                                   .over = curve->x->values,
                                   .values = curve->y->values,
                                   .low = curve->low,
                                   .high = curve->high,
                                   .rows = curve->rows,
                                   .lo = INFINITY,
                                   .hi = -INFINITY};
        signal->stepped = plot->stepped || (!plot->over && curve->y->kind != HK_PLOT_REAL);
        add_range(signal->values, signal->rows, &signal->lo, &signal->hi);
        add_range(signal->low, signal->rows, &signal->lo, &signal->hi);
        add_range(signal->high, signal->rows, &signal->lo, &signal->hi);
    }
    hk_plot_panels kind = plot->over && plot->equal ? HK_PANELS_TOGETHER : plot->panels;
    layout->own_overs = kind != HK_PANELS_TOGETHER && overs_differ(plot);
    assign_panels(layout, kind);
    hk_plot_choose_looks(layout);
    find_overs(layout);
    for (size_t p = 0; p < layout->panel_count; p++)
        label_panel(layout, p);
    name_signals(layout);
    add_limits(layout);
}

bool hk_plot_is_flat(const hk_plot *plot) {
    hk_arena *arena = hk_arena_create();
    hk_plot_layout layout;
    bool flat = false;
    hk_plot_layout_init(&layout, arena, plot);
    for (size_t i = 0; i < layout.signal_count; i++) {
        const hk_plot_signal *signal = &layout.signals[i];
        const hk_plot_panel *panel = &layout.panels[signal->panel];
        flat = flat || (signal->curve->role == HK_PLOT_SIGNAL && !panel->item_count &&
                        !ranges_fit(panel, signal));
    }
    hk_arena_destroy(arena);
    return flat;
}
