/* SPDX-License-Identifier: MIT
 *
 * The pictures of a page: a map of positions, and curves over time. */
#include "base/file.h"
#include "model/address.h"
#include "model/tree.h"
#include "report/page_parts.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { CURVES_MAX = HK_SVG_COLOURS, CURVE_HEIGHT = 240 };

static void put_plot(hk_html *t, const hk_plot *plot, bool many, const char *caption) {
    hk_canvas *canvas = hk_canvas_create();
    hk_picture picture = hk_plot_draw(plot, canvas);
    hk_svg svg = hk_picture_svg(&picture);
    hk_svg_put(t, many ? "<figure class=\"many\">\n" : "<figure>\n");
    hk_svg_bytes(t, svg.data, svg.size);
    hk_html_words(t, "figcaption", caption);
    hk_svg_put(t, "</figure>\n");
    hk_free(svg.data);
    hk_canvas_destroy(canvas);
}

/* ---- positions ---- */

/* The length of NAME without ENDING; 0: it does not end so. */
static size_t without(const char *name, const char *ending) {
    size_t length = strlen(name), cut = strlen(ending);
    return length > cut && strcmp(name + length - cut, ending) == 0 ? length - cut : 0;
}

/* The frame that a column was declared in; NULL: none, or it is not known. */
static const char *frame_of(hk_arena *arena, const hk_model *model, const char *column) {
    hk_address address;
    if (!hk_model_find(model, column, &address))
        return NULL;
    const hk_tree_element *leaf = hk_tree_leaves(arena, model)[address.component];
    return leaf && leaf->frames ? leaf->frames[address.variable] : NULL;
}

/* What is in front of ".x" says by its name that it is north and east. */
static bool names_position(const char *name, size_t length) {
    size_t last = length;
    while (last && name[last - 1] != '.')
        last--;
    size_t rest = length - last;
    bool ned = rest >= 3 && strncasecmp(name + length - 3, "ned", 3) == 0;
    return ned || (rest >= 7 && strncasecmp(name + length - 7, "osition", 7) == 0);
}

static bool is_metres(const hk_plot_column *column) {
    return column && !column->text && column->unit && strcmp(column->unit, "m") == 0;
}

/* Column NORTH of a table is the north of a position: that, with its east; else false. */
static bool find_track(hk_arena *arena, const hk_model *model, const hk_plot_table *table,
                       size_t north, hk_page_track *ret_track) {
    const char *name = table->columns[north].name, *other = ".y";
    size_t length = without(name, ".x");
    if (length) {
        const char *frame = frame_of(arena, model, name);
        if (frame ? strcmp(frame, "ned") != 0 : !names_position(name, length))
            return false;
    } else {
        length = without(name, ".north");
        other = ".east";
    }
    if (!length || !is_metres(&table->columns[north]))
        return false;
    const char *front = hk_arena_strndup(arena, name, length);
    const hk_plot_column *east = hk_plot_find(table, hk_arena_printf(arena, "%s%s", front, other));
    if (!is_metres(east))
        return false;
    *ret_track = (hk_page_track){.name = front, .north = name, .east = east->name};
    return true;
}

hk_page_track *hk_page_tracks(hk_arena *arena, const hk_page_scenario *s, size_t *ret_count) {
    size_t most = 0, count = 0;
    for (size_t k = 0; k < s->set_count; k++)
        most += s->sets[k].count ? s->sets[k].tables[0]->column_count : 0;
    hk_page_track *tracks = HK_NEW_ARRAY(arena, hk_page_track, most + 1);
    for (size_t k = 0; k < s->set_count; k++)
        for (size_t c = 1; s->sets[k].count && c < s->sets[k].tables[0]->column_count; c++)
            if (find_track(arena, s->model, s->sets[k].tables[0], c, &tracks[count]))
                tracks[count++].set = k;
    *ret_count = count;
    return tracks;
}

/* One coordinate of all runs, one after the other, with a gap between two. */
static hk_plot_column join_runs(hk_arena *arena, const hk_page_set *set, const char *column,
                                const char *name, size_t *ret_rows) {
    size_t most = 0, count = 0;
    for (size_t r = 0; r < set->count; r++)
        most += set->tables[r]->rows + 1;
    double *values = HK_NEW_ARRAY(arena, double, most + 1);
    for (size_t r = 0; r < set->count; r++) {
        const hk_plot_column *c = hk_plot_find(set->tables[r], column);
        for (size_t i = 0; c && i < set->tables[r]->rows; i++)
            values[count++] = c->values[i];
        values[count++] = (double)NAN;
    }
    *ret_rows = count;
    return (hk_plot_column){.name = name, .unit = "m", .values = values};
}

void hk_page_map(hk_html *t, hk_arena *arena, const hk_page_scenario *s) {
    size_t count, first = 0;
    const hk_page_track *tracks = hk_page_tracks(arena, s, &count);
    if (!count)
        return;
    hk_html_words(t, "h3", "Trajectories");
    hk_plot_curve *curves = HK_NEW_ARRAY(arena, hk_plot_curve, count);
    hk_plot_column *columns = HK_NEW_ARRAY(arena, hk_plot_column, 2 * count);
    for (size_t i = 0; i < count; i++) {
        const hk_page_set *set = &s->sets[tracks[i].set];
        size_t rows;
        columns[2 * i] = join_runs(arena, set, tracks[i].east, "east", &rows);
        columns[2 * i + 1] = join_runs(arena, set, tracks[i].north, "north", &rows);
        curves[i] = (hk_plot_curve){.label = tracks[i].name,
                                    .x = &columns[2 * i],
                                    .y = &columns[2 * i + 1],
                                    .rows = rows,
                                    .signal = i};
        first = set->count > first ? set->count : first;
    }
    hk_plot plot = {.curves = curves,
                    .curve_count = count,
                    .panels = HK_PANELS_TOGETHER,
                    .over = true,
                    .equal = true};
    put_plot(t, &plot, first > 1,
             hk_arena_printf(arena,
                             "Seen from above: north is up, a metre is as long on both "
                             "axes; %zu run%s.",
                             first, hk_plural(first)));
}

/* ---- curves over time ---- */

static bool is_in_track(const hk_page_track *tracks, size_t count, size_t set, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (tracks[i].set == set &&
            (strcmp(tracks[i].north, name) == 0 || strcmp(tracks[i].east, name) == 0))
            return true;
    return false;
}

static bool is_stepped(const hk_plot_column *c) {
    return c->kind == HK_PLOT_BOOLEAN || c->kind == HK_PLOT_ENUMERATION;
}

/* They share a picture. */
static bool are_alike(const hk_plot_column *a, const hk_plot_column *b) {
    const char *one = a->unit ? a->unit : "", *other = b->unit ? b->unit : "";
    return is_stepped(a) == is_stepped(b) && strcmp(one, other) == 0;
}

/* Limits and, of one run alone, events after its first row. */
static hk_plot_marks marks_of(hk_arena *arena, const hk_page_set *set) {
    const hk_plot_table *first = set->tables[0];
    hk_plot_marks marks = {0};
    hk_plot_event *events = HK_NEW_ARRAY(arena, hk_plot_event, first->marks.event_count + 1);
    hk_plot_limit *limits = HK_NEW_ARRAY(arena, hk_plot_limit, first->marks.limit_count + 1);
    for (size_t i = 0; set->count == 1 && i < first->marks.event_count; i++)
        if (first->rows && first->marks.events[i].time > first->columns[0].values[0])
            events[marks.event_count++] = first->marks.events[i];
    for (size_t i = 0; i < first->marks.limit_count; i++) {
        limits[i] = first->marks.limits[i];
        for (size_t r = 1; r < set->count && limits[i].outcome != HK_PLOT_BROKEN; r++)
            if (i < set->tables[r]->marks.limit_count)
                limits[i] = set->tables[r]->marks.limits[i];
    }
    marks.events = events;
    marks.limits = limits;
    marks.limit_count = first->marks.limit_count;
    return marks;
}

/* The curve of column C: of one run alone, or the mean of all with a band. */
static hk_status make_curve(hk_ctx *ctx, hk_arena *arena, const hk_page_set *set, size_t c,
                            hk_plot_curve *ret_curve) {
    const hk_plot_column *column = &set->tables[0]->columns[c];
    *ret_curve = set->logs[0]->numbers[c].curve;
    if (ret_curve->y) {
        ret_curve->label = column->name;
        return HK_OK;
    }
    const hk_plot_runs runs = {set->tables, set->count, column->kind == HK_PLOT_ENUMERATION};
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* the caption says what a band is */
    hk_status status = hk_plot_band(quiet, arena, &runs, column->name, ret_curve);
    for (size_t i = 0; status != HK_OK && i < hk_ctx_count(quiet, HK_NOTE); i++)
        hk_say_again(ctx, hk_ctx_diag(quiet, i));
    hk_ctx_destroy(quiet);
    return status;
}

/* The columns of a set that are not drawn yet and like the first of them, at most CURVES_MAX.
 * Returns how many. */
static size_t next_columns(const hk_plot_table *table, bool *drawn, size_t *ret_columns) {
    size_t count = 0;
    for (size_t c = 1; c < table->column_count && count < CURVES_MAX; c++) {
        if (drawn[c] || (count && !are_alike(&table->columns[ret_columns[0]], &table->columns[c])))
            continue;
        drawn[c] = true;
        ret_columns[count++] = c;
    }
    return count;
}

static hk_status put_set(hk_ctx *ctx, hk_html *t, hk_arena *arena, const hk_page_set *set,
                         bool *drawn) {
    const hk_plot_table *table = set->tables[0];
    size_t columns[CURVES_MAX], count;
    while ((count = next_columns(table, drawn, columns))) {
        hk_plot_curve *curves = HK_NEW_ARRAY(arena, hk_plot_curve, count);
        for (size_t i = 0; i < count; i++) {
            HK_TRY(make_curve(ctx, arena, set, columns[i], &curves[i]));
            curves[i].signal = i;
        }
        bool stepped = is_stepped(&table->columns[columns[0]]);
        hk_plot plot = {.curves = curves,
                        .curve_count = count,
                        .marks = marks_of(arena, set),
                        .panels = stepped ? HK_PANELS_SEPARATE : HK_PANELS_SPLIT,
                        .height = stepped ? 0 : CURVE_HEIGHT};
        const char *of = hk_path_name(set->logs[0]->file);
        if (set->count > 1)
            of = hk_arena_printf(arena,
                                 "%s and those of %zu more runs: mean of the runs that have a "
                                 "value, and a band of one standard deviation",
                                 of, set->count - 1);
        put_plot(t, &plot, false, hk_arena_printf(arena, "Over time, of %s.", of));
    }
    return HK_OK;
}

hk_status hk_page_curves(hk_ctx *ctx, hk_html *t, hk_arena *arena, const hk_page_scenario *s) {
    size_t track_count;
    const hk_page_track *tracks = hk_page_tracks(arena, s, &track_count);
    bool any = false;
    for (size_t k = 0; k < s->set_count; k++) {
        const hk_page_set *set = &s->sets[k];
        if (!set->count)
            continue;
        const hk_plot_table *table = set->tables[0];
        bool *drawn = HK_NEW_ARRAY(arena, bool, table->column_count + 1), left = false;
        for (size_t c = 0; c < table->column_count; c++) {
            bool seen = false;
            for (size_t r = 0; r < set->count && !seen && c < set->tables[r]->column_count; r++)
                seen = set->logs[r]->numbers[c].finite > 0;
            drawn[c] = !seen || !hk_page_is_number(table, c) ||
                       is_in_track(tracks, track_count, k, table->columns[c].name);
            left = left || !drawn[c];
        }
        if (left && !any)
            hk_html_words(t, "h3", "Curves");
        any = any || left;
        HK_TRY(put_set(ctx, t, arena, set, drawn));
    }
    return HK_OK;
}
