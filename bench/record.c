/* SPDX-License-Identifier: MIT
 *
 * The quarter truck with every variable in a CSV file at every step: engine and recorder against a
 * bare loop that reads the same variables, formats them with the same formatter into a buffer and
 * writes it out. Whole runs are compared, from the first step to the closed file, because the
 * recorder works behind the engine's back. */
#include "bare.h"
#include "run.h"

#include "base/file.h"
#include "base/number.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 100000, QUICK_STEPS = 2000, BUFFER_BYTES = 1 << 16 };

/* The variables of one FMU by type, as a bare loop would ask for them. */
typedef struct cells {
    fmi2ValueReference *reals, *integers, *booleans;
    size_t real_count, integer_count, boolean_count;
    double *real_values;
    int *integer_values, *boolean_values;
} cells;

typedef struct recording {
    bench *b;
    bench_run run;
    hk_arena *arena;
    const char *bare_path, *engine_path;
    cells cells[3];
    int64_t steps;
    double bare_cpu_s, engine_cpu_s;
    char *buffer;
    size_t used;
    int fd;
} recording;

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void find_cells(hk_arena *arena, const hk_info *info, cells *c) {
    c->reals = HK_NEW_ARRAY(arena, fmi2ValueReference, info->variable_count);
    c->integers = HK_NEW_ARRAY(arena, fmi2ValueReference, info->variable_count);
    c->booleans = HK_NEW_ARRAY(arena, fmi2ValueReference, info->variable_count);
    c->real_values = HK_NEW_ARRAY(arena, double, info->variable_count);
    c->integer_values = HK_NEW_ARRAY(arena, int, info->variable_count);
    c->boolean_values = HK_NEW_ARRAY(arena, int, info->variable_count);
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->causality == HK_INDEPENDENT)
            continue;
        if (v->type == HK_TYPE_F64)
            c->reals[c->real_count++] = v->ref;
        else if (v->type == HK_TYPE_I32 || v->type == HK_TYPE_ENUM)
            c->integers[c->integer_count++] = v->ref;
        else if (v->type == HK_TYPE_BOOL)
            c->booleans[c->boolean_count++] = v->ref;
    }
}

static bool flush(recording *r) {
    for (size_t done = 0; done < r->used;) {
        ssize_t put = write(r->fd, r->buffer + done, r->used - done);
        if (put < 0)
            return false;
        done += (size_t)put;
    }
    r->used = 0;
    return true;
}

static int read_cells(const bare_fmu *fmu, cells *c) {
    int status = fmu->call.GetReal(fmu->instance, c->reals, c->real_count, c->real_values);
    if (c->integer_count)
        status |=
            fmu->call.GetInteger(fmu->instance, c->integers, c->integer_count, c->integer_values);
    if (c->boolean_count)
        status |=
            fmu->call.GetBoolean(fmu->instance, c->booleans, c->boolean_count, c->boolean_values);
    return status;
}

static char *write_cells(const cells *c, char *at) {
    for (size_t i = 0; i < c->real_count; i++) {
        *at++ = ',';
        at += hk_write_f64(c->real_values[i], at);
    }
    for (size_t i = 0; i < c->integer_count; i++) {
        *at++ = ',';
        at += hk_write_i64(c->integer_values[i], at);
    }
    for (size_t i = 0; i < c->boolean_count; i++) {
        *at++ = ',';
        *at++ = c->boolean_values[i] ? '1' : '0';
    }
    return at;
}

static bool write_row(recording *r, bare_truck *truck) {
    const bare_fmu *fmus[3] = {&truck->chassis, &truck->wheel, &truck->ground};
    char *at = r->buffer + r->used;
    at += hk_write_f64((double)truck->steps * truck->h, at);
    int status = 0;
    for (int i = 0; i < 3; i++) {
        status |= read_cells(fmus[i], &r->cells[i]);
        at = write_cells(&r->cells[i], at);
    }
    *at++ = '\n';
    r->used = (size_t)(at - r->buffer);
    return status <= HK_UNIT_WARNING && (r->used < BUFFER_BYTES || flush(r));
}

static hk_status bare_loop(recording *r, bare_truck *truck) {
    bool good = write_row(r, truck);
    for (int64_t i = 0; i < r->steps && good; i++)
        good = bare_truck_step(truck) <= HK_UNIT_WARNING && write_row(r, truck);
    good = flush(r) && good;
    return good ? HK_OK
                : hk_error(r->b->ctx, HK_E_FILE_WRITE, (hk_where){.file = r->bare_path}, NULL,
                           "the bare loop failed");
}

static hk_status bare_run(void *user) {
    recording *r = user;
    bare_truck truck = {0};
    double begin = cpu_seconds();
    hk_status status = bare_truck_open(r->b->ctx, r->run.model, &truck);
    r->fd = open(r->bare_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (status == HK_OK)
        status = bare_loop(r, &truck);
    close(r->fd);
    bare_truck_close(&truck);
    r->bare_cpu_s = cpu_seconds() - begin;
    return status;
}

static hk_status engine_run(void *user) {
    recording *r = user;
    double begin = cpu_seconds();
    hk_status status = bench_run_recorded(r->b, &r->run, "*", &(hk_sim_options){0}, r->engine_path);
    r->engine_cpu_s = cpu_seconds() - begin;
    return status;
}

/* Both files must hold the same number of rows: else the comparison compares nothing. */
static hk_status count_rows(hk_ctx *ctx, const char *path, size_t *ret_rows) {
    char *data;
    size_t size, rows = 0;
    HK_TRY(hk_file_read(ctx, path, 0, &data, &size));
    for (const char *p = data; (p = memchr(p, '\n', (size_t)(data + size - p))); p++)
        rows++;
    hk_free(data);
    *ret_rows = rows;
    return HK_OK;
}

static hk_status check_rows(recording *r) {
    size_t bare, engine;
    HK_TRY(count_rows(r->b->ctx, r->bare_path, &bare));
    HK_TRY(count_rows(r->b->ctx, r->engine_path, &engine));
    if (engine != bare + 1) /* the header */
        return hk_error(r->b->ctx, HK_E_INTERNAL, (hk_where){.file = r->engine_path}, NULL,
                        "the bare loop wrote %zu rows, the engine %zu", bare, engine - 1);
    return HK_OK;
}

static hk_status measure(bench *b, recording *r, bench_pairs *results) {
    static const char *const names[3] = {"chassis", "wheel", "ground"};
    for (int i = 0; i < 3; i++) {
        uint32_t index = hk_map_get(&r->run.model->by_name, names[i]);
        if (index == HK_MAP_NONE)
            return hk_error(b->ctx, HK_E_CONNECTION, HK_NOWHERE, NULL, "no component '%s'",
                            names[i]);
        find_cells(r->arena, r->run.model->components[index].info, &r->cells[i]);
    }
    bench_run_set_time(r->run.model, r->steps / 1000);
    HK_TRY(bench_paired((bench_work){bare_run, r}, (bench_work){engine_run, r}, 7, results));
    HK_TRY(check_rows(r));
    bench_report_pairs(b, results, (double)r->steps, "step", 1.2);
    bench_report(b, "engine / bare loop, CPU time", r->engine_cpu_s / r->bare_cpu_s, NAN, "");
    return HK_OK;
}

hk_status bench_record(bench *b) {
    hk_arena *arena = hk_arena_create();
    bench_pairs results = {0};
    recording r = {.b = b, .arena = arena, .steps = b->quick ? QUICK_STEPS : STEPS};
    r.bare_path = hk_path_join(arena, b->scratch, "bare.csv");
    r.engine_path = hk_path_join(arena, b->scratch, "engine.csv");
    hk_status status =
        bench_run_read(b, hk_path_join(arena, b->models, "quarter_truck.ssp"), &r.run);
    if (status == HK_OK) {
        /* Room for one row beyond the mark at which the buffer is written out. */
        size_t most = 1;
        for (size_t i = 0; i < r.run.model->component_count; i++)
            most += r.run.model->components[i].info->variable_count;
        r.buffer = hk_alloc(BUFFER_BYTES + most * (HK_NUMBER_MAX + 1) + 1);
        status = measure(b, &r, &results);
    }
    hk_free(r.buffer);
    bench_pairs_finish(&results);
    bench_run_finish(&r.run);
    hk_arena_destroy(arena);
    return status;
}
