/* SPDX-License-Identifier: MIT */
#include "reader_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows in units of SI; what is not valid is not a number. */
typedef struct log_rows {
    size_t count;
    size_t repeated, repeated_line; /* rows of the time of the one before, and the first of them */
    double end; /* until when the last row holds: as long as the one before it, or for ever */
    struct log_row {
        double at, value[3];
        size_t line; /* in the file */
    } rows[];
} log_rows;

void hk_log_free(void *data) {
    free(data);
}

static const char *text_of(const hk_bytes *text) {
    return text->size ? text->data : "";
}

/* ---- columns ---- */

/* One column as it is read: which, with what sign, in what unit. */
typedef struct log_column {
    int index; /* -1: none, its value is 0 */
    double factor;
    quantity what;
} log_column;

typedef struct log_loading {
    const log_reader *reader;
    const log_kind *kind;
    const csv_file *file;
    words *why;
    log_column time, value[3], valid;
    bool has_mark;
    double mark; /* for missing data */
    hk_geo_frame frame;
} log_loading;

/* NAME as a user gives it: "-altitude" is the column "altitude" with the other sign. */
static int find_column(log_loading *x, const char *what, const hk_bytes *given,
                       log_column *ret_column) {
    const char *name = text_of(given);
    *ret_column = (log_column){.index = hk_auv_csv_find(x->file, name), .factor = 1};
    if (ret_column->index < 0 && *name == '-') {
        ret_column->index = hk_auv_csv_find(x->file, name + 1);
        ret_column->factor = -1;
    }
    if (ret_column->index >= 0)
        return hk_auv_csv_use(x->file, (size_t)ret_column->index, x->why);
    char names[120];
    hk_auv_csv_names(x->file, names, sizeof names);
    return hk_auv_fail(x->why, "%s: there is no column '%.40s' (%s); there are %s",
                       hk_auv_csv_path(x->file), name, what, names);
}

/* UNIT, else that of the first line, else that of SI for the kind; of latitude and longitude it is
 * degrees, as in all tables. */
static int find_unit(log_loading *x, log_column *column, const char *unit, quantity what) {
    const char *name = hk_auv_csv_name(x->file, (size_t)column->index);
    if (!*unit)
        unit = hk_auv_csv_unit(x->file, (size_t)column->index);
    if (!*unit && x->kind->place && hk_auv_csv_means(name, "latitude lat longitude lon"))
        unit = "deg";
    column->what = what;
    if (!*unit)
        return HK_STEP_OK;
    const table_unit *known = hk_auv_unit_named(unit);
    if (!known)
        return hk_auv_fail(x->why, "%s: '%.20s', the unit of column '%.40s', is not known",
                           hk_auv_csv_path(x->file), unit, name);
    bool fits = known->what == what ||
                (x->kind->place && what == A_LENGTH && known->what == AN_ANGLE) ||
                (x->kind->pressure && what == A_LENGTH && known->what == A_PRESSURE);
    if (!fits)
        return hk_auv_fail(x->why, "%s: column '%.40s' is in '%s', which does not fit",
                           hk_auv_csv_path(x->file), name, unit);
    column->what = known->what;
    column->factor *= known->factor;
    return HK_STEP_OK;
}

static int find_values(log_loading *x) {
    static const char *const what[3] = {"xColumn", "yColumn", "zColumn"};
    for (int i = 0; i < x->kind->columns; i++) {
        x->value[i] = (log_column){.index = -1};
        if (i > 0 && !*text_of(&x->reader->column[i]))
            continue;
        const char *given = x->kind->columns == 1 ? "column" : what[i];
        if (find_column(x, given, &x->reader->column[i], &x->value[i]) != HK_STEP_OK)
            return HK_STEP_FAILED;
        /* Of a place in degrees the height is not. */
        bool height = i == 2 && x->value[0].what == AN_ANGLE;
        if (find_unit(x, &x->value[i], height ? "" : text_of(&x->reader->unit), x->kind->what) !=
            HK_STEP_OK)
            return HK_STEP_FAILED;
    }
    if (x->kind->place &&
        (x->value[0].what == AN_ANGLE) != (x->value[1].index >= 0 && x->value[1].what == AN_ANGLE))
        return hk_auv_fail(x->why, "%s: xColumn and yColumn must both be angles, or both lengths",
                           hk_auv_csv_path(x->file));
    if (x->kind->place && x->value[2].index >= 0 && x->value[2].what == AN_ANGLE)
        return hk_auv_fail(x->why, "%s: zColumn is an angle", hk_auv_csv_path(x->file));
    return HK_STEP_OK;
}

static int find_columns(log_loading *x) {
    const log_reader *r = x->reader;
    x->valid = (log_column){.index = -1};
    if (find_column(x, "timeColumn", &r->time_column, &x->time) != HK_STEP_OK ||
        find_unit(x, &x->time, "", A_TIME) != HK_STEP_OK || find_values(x) != HK_STEP_OK)
        return HK_STEP_FAILED;
    if (*text_of(&r->valid_column) &&
        find_column(x, "validColumn", &r->valid_column, &x->valid) != HK_STEP_OK)
        return HK_STEP_FAILED;
    const char *mark = text_of(&r->no_data);
    char *end = NULL;
    x->mark = *mark ? strtod(mark, &end) : 0;
    x->has_mark = *mark;
    if (*mark && (*end || !isfinite(x->mark)))
        return hk_auv_fail(x->why, "noData is '%.40s', which is not a number", mark);
    if (!isfinite(r->time_scale) || !(r->time_scale > 0) || !isfinite(r->time_offset))
        return hk_auv_fail(x->why, "timeScale is %g and timeOffset %g: a scale is above 0",
                           r->time_scale, r->time_offset);
    if (x->kind->pressure && !(r->density > 0 && r->gravity > 0))
        return hk_auv_fail(x->why, "density is %g and gravity %g: both are above 0", r->density,
                           r->gravity);
    return HK_STEP_OK;
}

/* ---- rows ---- */

static double number_of(const log_loading *x, size_t row, const log_column *column) {
    if (column->index < 0)
        return 0;
    double number = hk_auv_csv_number(x->file, row, (size_t)column->index);
    return x->has_mark && number == x->mark ? (double)NAN : number * column->factor;
}

static void place_of(const log_loading *x, double value[3]) {
    hk_geo_point point = {value[0], value[1], value[2]};
    hk_geo_vector3 ned = x->reader->earth == EARTH_WGS84 ? hk_geo_tangent_of_point(&x->frame, point)
                                                         : hk_geo_flat_of_point(&x->frame, point);
    value[0] = ned.x;
    value[1] = ned.y;
    value[2] = ned.z;
}

static int load_row(const log_loading *x, size_t row, struct log_row *ret_row) {
    const log_reader *r = x->reader;
    double *value = ret_row->value;
    bool valid = true;
    value[0] = value[1] = value[2] = 0;
    for (int i = 0; i < x->kind->columns; i++) {
        value[i] = number_of(x, row, &x->value[i]);
        valid &= isfinite(value[i]);
    }
    if (x->valid.index >= 0) {
        double flag = number_of(x, row, &x->valid);
        valid &= !isnan(flag) && flag != 0;
    }
    size_t line = hk_auv_csv_line(x->file, row);
    if (valid && x->kind->place && x->value[0].what == AN_ANGLE) {
        if (fabs(value[0]) > PI / 2)
            return hk_auv_fail(x->why,
                               "%s:%zu: a latitude (xColumn) is at most 90 degrees: is it the "
                               "longitude?",
                               hk_auv_csv_path(x->file), line);
        place_of(x, value);
    }
    if (x->kind->pressure && x->value[0].what == A_PRESSURE)
        value[0] = (value[0] - r->atmosphere) / (r->density * r->gravity);
    if (!valid)
        value[0] = NAN;
    double at = hk_auv_csv_number(x->file, row, (size_t)x->time.index) * x->time.factor;
    ret_row->at = at * r->time_scale + r->time_offset;
    ret_row->line = line;
    return HK_STEP_OK;
}

/* Of the row behind those that are there. */
static int check_time(const log_loading *x, const log_rows *rows) {
    size_t i = rows->count, line = rows->rows[i].line;
    double at = rows->rows[i].at;
    if (!isfinite(at))
        return hk_auv_fail(x->why, "%s:%zu: the row has no time", hk_auv_csv_path(x->file), line);
    if (i > 0 && at < rows->rows[i - 1].at)
        return hk_auv_fail(x->why,
                           "%s:%zu: time %.9g s is before %.9g s of line %zu: rows must be in "
                           "the order of time",
                           hk_auv_csv_path(x->file), line, at, rows->rows[i - 1].at,
                           rows->rows[i - 1].line);
    return HK_STEP_OK;
}

/* Takes the row behind those that are there over. One that repeats the time of the row before is
 * left out: what was known then is known. */
static void keep_row(log_rows *rows) {
    const struct log_row *row = &rows->rows[rows->count];
    if (rows->count == 0 || row->at > row[-1].at) {
        rows->count++;
        return;
    }
    if (!rows->repeated)
        rows->repeated_line = row->line;
    rows->repeated++;
}

static log_rows *load_rows(log_loading *x) {
    size_t count = hk_auv_csv_rows(x->file);
    if (find_columns(x) != HK_STEP_OK)
        return NULL;
    log_rows *rows = malloc(sizeof *rows + count * sizeof *rows->rows);
    if (!rows) {
        hk_auv_fail(x->why, "%s: there is no memory left", hk_auv_csv_path(x->file));
        return NULL;
    }
    rows->count = rows->repeated = rows->repeated_line = 0;
    x->frame = hk_geo_frame_at(
        hk_geo_point_of_degrees(x->reader->origin_latitude, x->reader->origin_longitude, 0));
    for (size_t i = 0; i < count; i++) {
        if (load_row(x, i, &rows->rows[rows->count]) != HK_STEP_OK ||
            check_time(x, rows) != HK_STEP_OK) {
            free(rows);
            return NULL;
        }
        keep_row(rows);
    }
    const struct log_row *last = &rows->rows[rows->count - 1];
    rows->end = rows->count > 1 ? last->at + (last->at - last[-1].at) : (double)INFINITY;
    return rows;
}

static int load(log_reader *x, const log_kind *kind) {
    csv_file *file = hk_auv_csv_read(x->file.folder, &x->file_name, &x->why);
    if (!file)
        return HK_STEP_FAILED;
    log_loading loading = {.reader = x, .kind = kind, .file = file, .why = &x->why};
    x->file.data = load_rows(&loading);
    hk_auv_csv_free(file);
    return x->file.data ? HK_STEP_OK : HK_STEP_FAILED;
}

/* ---- steps ---- */

static void show(log_reader *x, const double value[3], double stamp) {
    x->seen = stamp;
    x->measured.valid = isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2]);
    if (!x->measured.valid)
        return;
    x->measured.value = (coordinate3d){value[0], value[1], value[2]};
    x->measured.stamp = stamp;
}

/* On a line between the row that is seen and the next, where both are valid. */
static void show_between(log_reader *x, const log_kind *kind, const log_rows *rows, double now) {
    if (x->row < 1 || (size_t)x->row >= rows->count)
        return;
    const struct log_row *a = &rows->rows[x->row - 1], *b = a + 1;
    if (isnan(a->value[0]) || isnan(b->value[0]))
        return;
    double part = fmin(fmax((now - a->at) / (b->at - a->at), 0), 1), value[3];
    for (int i = 0; i < 3; i++)
        value[i] = a->value[i] + part * (b->value[i] - a->value[i]);
    if (kind->what == AN_ANGLE)
        value[0] = hk_geo_between_angles(a->value[0], b->value[0], part);
    show(x, value, fmax(now, a->at));
}

static int end_of_log(log_reader *x, const log_rows *rows, double now) {
    x->next = INFINITY;
    x->ended = true;
    if (x->end == LOG_END_STOP)
        return hk_auv_fail(&x->why, "'%.80s' ends at %.9g s, and endPolicy is Stop (now %.9g s)",
                           text_of(&x->file_name), rows->rows[rows->count - 1].at, now);
    x->measured.valid &= x->end != LOG_END_INVALID;
    return HK_STEP_OK;
}

/* The row before ROW is shown by no step. What is before the run is not missed. */
static void note_missed(log_reader *x, const struct log_row *row) {
    if (row[-1].at <= x->from)
        return;
    if (!x->missed)
        x->missed_line = (int64_t)row[-1].line;
    x->missed++;
}

/* Sees all rows until NOW. */
static int advance(log_reader *x, const log_rows *rows, double now) {
    bool seen = false;
    while ((size_t)x->row < rows->count && rows->rows[x->row].at <= now) {
        const struct log_row *row = &rows->rows[x->row++];
        if (seen)
            note_missed(x, row);
        seen = true;
        x->met |= row->at >= x->from;
        show(x, row->value, row->at);
    }
    bool last = (size_t)x->row == rows->count;
    if (seen || !x->begun)
        x->next = last ? rows->end : rows->rows[x->row].at;
    x->begun = true;
    if (!last || x->ended || now < rows->end)
        return HK_STEP_OK;
    return end_of_log(x, rows, now);
}

int hk_log_step(log_reader *x, const log_kind *kind, double t, double h) {
    /* Times are sums of steps: what differs in the last digits is the same moment. */
    double now = t + h, seen = now + 1e-6 * h;
    if (!x->file.data && load(x, kind) != HK_STEP_OK)
        return HK_STEP_FAILED;
    if (!x->begun)
        x->from = t - 1e-6 * h;
    if (seen >= x->next || !x->begun)
        if (advance(x, x->file.data, seen) != HK_STEP_OK)
            return HK_STEP_FAILED;
    if (x->interpolation == LOG_LINEAR)
        show_between(x, kind, x->file.data, now);
    return HK_STEP_OK;
}

/* ---- what there is to say about it ---- */

/* Behind what is there already. */
static void say_repeated(log_reader *x, const log_rows *rows) {
    size_t used = strlen(x->why.text);
    if (rows->repeated)
        snprintf(x->why.text + used, sizeof x->why.text - used,
                 "%s%zu of the %zu rows of '%.40s' %s the time of the row before and %s left out, "
                 "the first in line %zu",
                 used ? "; " : "", rows->repeated, rows->count + rows->repeated,
                 text_of(&x->file_name), rows->repeated == 1 ? "repeats" : "repeat",
                 rows->repeated == 1 ? "is" : "are", rows->repeated_line);
}

const char *hk_log_remark(void *reader) {
    log_reader *x = reader;
    const log_rows *rows = x->file.data;
    const char *name = text_of(&x->file_name);
    if (!x->begun || !rows)
        return NULL;
    if (!x->met)
        hk_auv_fail(&x->why,
                    "no row of '%.80s' is of the time of the run: its rows are from %.9g s to %.9g "
                    "s (timeScale, timeOffset)",
                    name, rows->rows[0].at, rows->rows[rows->count - 1].at);
    else if (x->missed)
        hk_auv_fail(&x->why,
                    "%lld of the %zu rows of '%.80s' %s not seen, the first in line %lld: a later "
                    "one came in the same step",
                    (long long)x->missed, rows->count + rows->repeated, name,
                    x->missed == 1 ? "was" : "were", (long long)x->missed_line);
    else if (x->ended)
        hk_auv_fail(&x->why, "'%.80s' ends at %.9g s, before the run: its last row %s from then on",
                    name, rows->rows[rows->count - 1].at,
                    x->end == LOG_END_INVALID ? "is not valid" : "is held");
    else
        x->why.text[0] = 0;
    say_repeated(x, rows);
    return x->why.text[0] ? x->why.text : NULL;
}
