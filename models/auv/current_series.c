/* SPDX-License-Identifier: MIT
 *
 * A current that is the same everywhere, from a table: the columns time, and either east and north
 * or speed and direction (clockwise from north, where the water goes). A row is seen from its time
 * on; where lines join rows they join east and north. Before the first row, and beside a row that
 * is not a number, nothing is known. */
#include "csv_file.h"
#include "environment.h"

#include <stdlib.h>
#include <string.h>

typedef struct series_row {
    double time, east, north; /* s, m/s */
} series_row;

typedef struct series {
    size_t count;
    char *name; /* of the file, as the parameter has it */
    series_row rows[];
} series;

typedef struct current_series {
    coordinate2d current; /* holds while it is not known */
    bool known;
    asked_file asked;
    int64_t interpolation, end;
    double time_scale, time_offset;
    coordinate2d answer;
    int64_t row; /* where the last answer was found */
} current_series;

static const hk_port current_series_ports[] = {
    NUMBER_OUT(current_series, current.x, "current.x", "m/s"),
    NUMBER_OUT(current_series, current.y, "current.y", "m/s"),
    HK_PORT(current_series, known, HK_OUTPUT, HK_TYPE_BOOL),
    FILE_PORTS(current_series, "current.csv"),
    ITEM_PARAMETER(current_series, interpolation, "interpolation", "1"),
    ITEM_PARAMETER(current_series, end, "end", "0"),
    /* read with the file, so they cannot change in a run */
    NAMED(current_series, time_scale, "timeScale", HK_PARAMETER, HK_TYPE_F64, .start = "1"),
    NAMED(current_series, time_offset, "timeOffset", HK_PARAMETER, HK_TYPE_F64, .unit = "s",
          .start = "0"),
};
static const hk_domain current_series_domains[] = {
    {.port = "interpolation", .enumeration = &hk_auv_interpolation_type},
    {.port = "end", .enumeration = &hk_auv_end_type},
    {.port = "timeScale", .min = "1e-12", .max = "1e12"},
};

/* ---- the table ---- */

typedef struct unit_factor {
    const char *unit;
    double factor;
} unit_factor;

static const unit_factor time_units[] = {{"", 1},      {"s", 1},    {"ms", 1e-3}, {"us", 1e-6},
                                         {"ns", 1e-9}, {"min", 60}, {"h", 3600},  {NULL, 0}};
static const unit_factor speed_units[] = {
    {"", 1}, {"m/s", 1}, {"cm/s", 0.01}, {"kn", KNOT}, {"knot", KNOT}, {"knots", KNOT}, {NULL, 0}};
static const unit_factor angle_units[] = {{"", PI / 180}, {"deg", PI / 180}, {"rad", 1}, {NULL, 0}};

/* A column and what it is to be multiplied by. */
typedef struct column {
    size_t index;
    double factor;
} column;

static bool find_column(const csv_file *file, const char *name, const unit_factor *units,
                        column *ret_column, words *why) {
    int index = hk_auv_csv_find(file, name);
    if (index < 0)
        return hk_auv_fail(why,
                           "'%s' has no column '%s': a series of currents has time, and east and "
                           "north or speed and direction",
                           hk_auv_csv_path(file), name),
               false;
    const char *unit = hk_auv_csv_unit(file, (size_t)index);
    for (; units->unit && strcmp(units->unit, unit) != 0; units++)
        ;
    if (!units->unit)
        return hk_auv_fail(why, "'%s': the unit '%.20s' of column '%s' is not known",
                           hk_auv_csv_path(file), unit, name),
               false;
    *ret_column = (column){(size_t)index, units->factor};
    return hk_auv_csv_use(file, (size_t)index, why) == HK_STEP_OK;
}

static double cell(const csv_file *file, size_t row, column c) {
    return c.factor * hk_auv_csv_number(file, row, c.index);
}

/* Times grow from row to row. */
static bool check_time(const csv_file *file, const series *s, size_t row, words *why) {
    double now = s->rows[row].time;
    if (isfinite(now) && (row == 0 || now > s->rows[row - 1].time))
        return true;
    if (!isfinite(now))
        hk_auv_fail(why, "%s:%zu: the time is missing", hk_auv_csv_path(file),
                    hk_auv_csv_line(file, row));
    else
        hk_auv_fail(why, "%s:%zu: the time %g s is not after %g s of the row before",
                    hk_auv_csv_path(file), hk_auv_csv_line(file, row), now, s->rows[row - 1].time);
    return false;
}

static bool fill_series(const current_series *x, const csv_file *file, series *s, words *why) {
    column time, first, second;
    bool polar = hk_auv_csv_find(file, "east") < 0 && hk_auv_csv_find(file, "speed") >= 0;
    if (!find_column(file, "time", time_units, &time, why) ||
        !find_column(file, polar ? "speed" : "east", speed_units, &first, why) ||
        !find_column(file, polar ? "direction" : "north", polar ? angle_units : speed_units,
                     &second, why))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        double a = cell(file, i, first), b = cell(file, i, second);
        s->rows[i] = (series_row){cell(file, i, time) * x->time_scale + x->time_offset,
                                  polar ? a * hk_sin(b) : a, polar ? a * hk_cos(b) : b};
        if (!check_time(file, s, i, why))
            return false;
    }
    return true;
}

static void free_series(void *data) {
    if (data)
        free(((series *)data)->name);
    free(data);
}

static series *read_series(current_series *x) {
    csv_file *file = hk_auv_csv_read(x->asked.file.folder, &x->asked.name, &x->asked.why);
    if (!file)
        return NULL;
    size_t count = hk_auv_csv_rows(file);
    series *s = calloc(1, sizeof *s + count * sizeof *s->rows);
    if (s) {
        s->count = count;
        s->name = strdup(x->asked.name.data);
    }
    bool good = s && s->name;
    if (!good)
        hk_auv_fail(&x->asked.why, "there is no memory left");
    good = good && fill_series(x, file, s, &x->asked.why);
    if (good && x->end == END_REPEAT && count < 2) {
        hk_auv_fail(&x->asked.why, "'%s' has one row: a series that repeats has two at least",
                    hk_auv_csv_path(file));
        good = false;
    }
    hk_auv_csv_free(file);
    if (good)
        return s;
    free_series(s);
    return NULL;
}

/* NULL: it cannot be read, and WHY says why. */
static const series *opened(current_series *x) {
    series *s = x->asked.file.data;
    if (s && x->asked.name.data && strcmp(s->name, x->asked.name.data) == 0)
        return s;
    free_series(s);
    x->asked.file.data = NULL;
    x->row = 0;
    if (!(x->time_scale > 0)) {
        hk_auv_fail(&x->asked.why, "the scale of time is %g: it must be more than 0",
                    x->time_scale);
        return NULL;
    }
    x->asked.file.data = read_series(x);
    return x->asked.file.data;
}

/* ---- answers ---- */

/* The last row whose time is not after T, which is not before the first one. */
static size_t row_at(const current_series *x, const series *s, double t) {
    size_t row = (size_t)x->row < s->count ? (size_t)x->row : 0;
    if (s->rows[row].time <= t && (row + 1 == s->count || t < s->rows[row + 1].time))
        return row;
    size_t low = 0, high = s->count; /* rows[low].time <= t < rows[high].time */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(s->rows[middle].time <= t ? &low : &high) = middle;
    }
    return low;
}

static coordinate2d current_at(current_series *x, const series *s, double t) {
    double begin = s->rows[0].time, end = s->rows[s->count - 1].time;
    if (!(t >= begin))
        return UNKNOWN_CURRENT;
    if (t > end && x->end == END_REPEAT)
        t = begin + fmod(t - begin, end - begin);
    size_t row = row_at(x, s, t);
    x->row = (int64_t)row;
    const series_row *a = &s->rows[row];
    if (x->interpolation != INTERPOLATION_LINEAR || row + 1 == s->count || t == a->time)
        return (coordinate2d){a->east, a->north};
    double part = (t - a->time) / (a[1].time - a->time);
    return (coordinate2d){a->east + part * (a[1].east - a->east),
                          a->north + part * (a[1].north - a->north)};
}

static bool is_known(coordinate2d current) {
    return isfinite(current.x) && isfinite(current.y);
}

static bool series_set_time(void *self, int64_t time, coordinate2d position) {
    current_series *x = self;
    const series *s = opened(x);
    (void)position;
    x->answer = s ? current_at(x, s, 1e-3 * (double)time) : UNKNOWN_CURRENT;
    if (!is_known(x->answer))
        x->answer = UNKNOWN_CURRENT;
    return is_known(x->answer);
}

static coordinate2d series_get_current(void *self) {
    current_series *x = self;
    x->asked.requests++;
    return x->answer;
}

static int current_series_step(void *self, double t, double h) {
    current_series *x = self;
    const series *s = opened(x);
    if (!s)
        return HK_STEP_FAILED;
    double last = s->rows[s->count - 1].time;
    if (x->end == END_STOP && t > last)
        return hk_auv_fail(&x->asked.why, "'%s' ends at %g s, and 'end' is Stop", s->name, last);
    coordinate2d now = current_at(x, s, t + h);
    x->known = is_known(now);
    x->current = x->known ? now : x->current;
    return HK_STEP_OK;
}

FILE_COMPLAINT(current_series)

static const current_source series_source = {series_set_time, series_get_current};
static const hk_service current_series_services[] = {
    {"pSeries", &hk_auv_current_source, &series_source, 0}};
static const hk_resource_field current_series_resource = {offsetof(current_series, asked.file),
                                                          free_series};

const hk_unit_type hk_auv_current_series = {
    AUV_WHOLE_TYPE(current_series, "environment.CurrentSeries", "A current from a table of times"),
    .resource = &current_series_resource};
