/* SPDX-License-Identifier: MIT
 *
 * Every type of FMI 3.0 in every shape through a chain of three FMUs: what comes out is what went
 * in, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "fmi/fmi.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHAPES = 4, STEPS = 48, HOP_AT = 21, LONG = 5000 };

static const struct {
    const char *stem;
    hk_type type;
} kinds[] = {{"float32", HK_TYPE_F32},   {"float64", HK_TYPE_F64},  {"int8", HK_TYPE_I8},
             {"uint8", HK_TYPE_U8},      {"int16", HK_TYPE_I16},    {"uint16", HK_TYPE_U16},
             {"int32", HK_TYPE_I32},     {"uint32", HK_TYPE_U32},   {"int64", HK_TYPE_I64},
             {"uint64", HK_TYPE_U64},    {"boolean", HK_TYPE_BOOL}, {"enumeration", HK_TYPE_ENUM},
             {"string", HK_TYPE_STRING}, {"binary", HK_TYPE_BINARY}};
enum { KINDS = sizeof kinds / sizeof *kinds };
static const char *const suffixes[SHAPES] = {"", "_vector", "_matrix", "_sized"};

/* How the chain is run. */
typedef struct variant {
    uint64_t n;         /* the structural parameter; 0: as the FMU has it */
    const char *delay;  /* of the second connection; NULL: none */
    int lag;            /* steps from the first input to the last output */
    unsigned threads;   /* 0: one */
    bool hop;           /* half way the state is saved, and another simulation goes on with it */
    const char *folder; /* for the state */
} variant;

typedef struct chain {
    rig r;
    const variant *how;
    int kind;
    hk_arena *arena;
    hk_value given[STEPS][SHAPES]; /* what was sent at each step */
    char *row;
    size_t rows, compared;
} chain;

/* ---- values -----------------------------------------------------------------------------------
 */

static uint64_t draw(const chain *c, int step, uint32_t index) {
    hk_stream stream = hk_stream_make(20260101, 0, kinds[c->kind].stem, "values");
    return hk_stream_u64(&stream, step, index);
}

/* Extremes, zeros of both signs, denormals, infinities, quiet NaN with a payload. */
static uint64_t special(hk_type type, uint64_t choice) {
    static const uint64_t doubles[] = {0x8000000000000000,
                                       0,
                                       1,
                                       0x000fffffffffffff,
                                       0x7fefffffffffffff,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000abc,
                                       0xfff8dead0000beef,
                                       0x3ff0000000000001};
    static const uint64_t floats[] = {0x80000000, 0,          1,          0x007fffff, 0x7f7fffff,
                                      0x7f800000, 0xff800000, 0x7fc00abc, 0xffc0beef, 0x3f800001};
    static const uint64_t integers[] = {0,
                                        1,
                                        UINT64_MAX,
                                        0x8000000000000000,
                                        0x7fffffffffffffff,
                                        0x80808080,
                                        0x7f7f7f7f7f7f7f7f,
                                        0x20000000000001, /* 2^53 + 1 is not a double */
                                        0xfffffffffffff7ff,
                                        42};
    const uint64_t *table = type == HK_TYPE_F64 ? doubles : type == HK_TYPE_F32 ? floats : integers;
    return table[choice % 10];
}

static void *numbers(const chain *c, int step, uint32_t first, size_t count) {
    hk_type type = kinds[c->kind].type;
    size_t size = hk_store_size(hk_store_of(type));
    char *data = hk_arena_alloc(c->arena, count * size);
    for (uint32_t e = 0; e < count; e++) {
        uint64_t bits = draw(c, step, 2 * (first + e)), luck = draw(c, step, 2 * (first + e) + 1);
        if (luck & 1)
            bits = special(type, luck >> 1);
        if (type == HK_TYPE_BOOL)
            bits &= 1;
        memcpy(data + e * size, &bits, size); /* little-endian: the low bytes */
    }
    return data;
}

/* Texts of UTF-8 and binary values with zeros in them; some are empty, a few are long. */
static void *blobs(const chain *c, int step, uint32_t first, size_t count) {
    static const char *const letters[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xb5",
                                          " ", "\"",       "\n",           "%s"};
    bool text = kinds[c->kind].type == HK_TYPE_STRING;
    hk_bytes *data = HK_NEW_ARRAY(c->arena, hk_bytes, count);
    for (uint32_t e = 0; e < count; e++) {
        uint64_t luck = draw(c, step, first + e);
        size_t length = luck % 5 == 0 ? 0 : luck % 31 == 1 ? LONG : luck / 7 % 40;
        char *bytes = hk_arena_alloc(c->arena, 4 * length + 1), *end = bytes;
        for (size_t i = 0; i < length; i++) {
            uint64_t letter = draw(c, step, (first + e) * 2 * LONG + (uint32_t)i + 1000);
            if (text)
                end = stpcpy(end, letters[letter % 8]);
            else
                *end++ = (char)(letter % 3 ? letter >> 8 : 0);
        }
        data[e] = (hk_bytes){bytes, (size_t)(end - bytes)};
    }
    return data;
}

static hk_value make_value(const chain *c, int step, int shape, size_t count) {
    hk_type type = kinds[c->kind].type;
    uint32_t first = (uint32_t)shape * 100;
    bool bytes = hk_store_of(type) == HK_STORE_BYTES;
    return (hk_value){type, count,
                      bytes ? blobs(c, step, first, count) : numbers(c, step, first, count)};
}

/* ---- the record -------------------------------------------------------------------------------
 */

static void *row_begin(void *user) {
    chain *c = user;
    memset(c->row, 0xee, c->r.row_size);
    return c->row;
}

static void compare(chain *c, const hk_column *column, const hk_value *sent) {
    const void *arrived = c->row + column->offset;
    bool same;
    c->compared++;
    if (column->store == HK_STORE_BYTES) {
        const hk_bytes *a = arrived, *b = (const hk_bytes *)sent->data + column->element;
        same = a->size == b->size && (!a->size || memcmp(a->data, b->data, a->size) == 0);
    } else {
        size_t size = hk_store_size(column->store);
        same = memcmp(arrived, (const char *)sent->data + column->element * size, size) == 0;
    }
    if (!same)
        fail_msg("%s[%u] differs in row %zu", column->name, (unsigned)column->element, c->rows);
}

static bool row_end(void *user, double time) {
    chain *c = user;
    assert_exactly(time, (double)c->rows);
    int step = (int)c->rows - c->how->lag;
    int shape = -1;
    for (size_t i = 0; step >= 0 && i < c->r.listener.column_count; i++) {
        shape += c->r.columns[i].element == 0;
        compare(c, &c->r.columns[i], &c->given[step][shape]);
    }
    c->rows++;
    return true;
}

/* ---- the chain --------------------------------------------------------------------------------
 */

static const char *path_to(const chain *c, char component, int shape, const char *role) {
    return hk_arena_printf(c->arena, "%c.%s%s_%s", component, kinds[c->kind].stem, suffixes[shape],
                           role);
}

static const hk_info *describe(chain *c) {
    rig *r = &c->r;
    hk_fmu *fmu = NULL;
    assert_int_equal(hk_fmu_open(r->ctx, HK_FMU_DIR "/feedthrough3.fmu", &fmu), HK_OK);
    hk_model_own(r->model, fmu, (void (*)(void *))hk_fmu_close);
    const hk_info *info = hk_fmu_info(fmu);
    uint32_t n = hk_info_find(info, "n");
    uint64_t size = c->how->n;
    hk_value value = {HK_TYPE_U64, 1, &size};
    if (size)
        assert_int_equal(info->unit_class->resize(r->ctx, info, &n, &value, 1, &info), HK_OK);
    return info;
}

static void start(chain *c) {
    rig *r = &c->r;
    rig_begin(r, "1", hk_arena_printf(c->arena, "%d", (int)STEPS), NULL);
    const hk_info *info = describe(c);
    for (char name[2] = "a"; name[0] <= 'c'; name[0]++) {
        uint32_t index;
        assert_int_equal(hk_model_add_component(r->ctx, r->model, name, info, HK_NOWHERE, &index),
                         HK_OK);
    }
    for (int shape = 0; shape < SHAPES; shape++) {
        rig_connect(r, path_to(c, 'a', shape, "out"), path_to(c, 'b', shape, "in"));
        hk_connection *second =
            rig_connect(r, path_to(c, 'b', shape, "out"), path_to(c, 'c', shape, "in"));
        if (c->how->delay)
            second->delay = rig_seconds(c->how->delay);
        rig_record(r, path_to(c, 'c', shape, "out"));
    }
    r->options.allow_nan = true;
    r->options.threads = c->how->threads;
    r->options.threads_always = c->how->threads > 1;
    r->listener.sink = (hk_sink){row_begin, row_end, c};
    hk_status status = rig_start(r);
    if (status != HK_OK)
        fail_msg("%s: %s", kinds[c->kind].stem, rig_error(r)->text);
    hk_free(c->row);
    c->row = hk_alloc(r->row_size);
}

static void send(chain *c, int step) {
    for (int shape = 0; shape < SHAPES; shape++) {
        uint32_t component, variable;
        rig_find(&c->r, path_to(c, 'a', shape, "in"), &component, &variable);
        size_t count = c->r.model->components[component].info->variables[variable].count;
        c->given[step][shape] = make_value(c, step, shape, count);
        assert_int_equal(hk_sim_write(c->r.sim, component, variable, &c->given[step][shape]),
                         HK_OK);
    }
}

static void hop(chain *c) {
    const char *path = hk_path_join(c->arena, c->how->folder, "state.hks");
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_save(c->r.sim, &snapshot), HK_OK);
    assert_int_equal(hk_snapshot_write(c->r.sim, snapshot, path), HK_OK);
    hk_snapshot_destroy(c->r.sim, snapshot);
    rig_end(&c->r);
    start(c);
    snapshot = NULL;
    assert_int_equal(hk_snapshot_read(c->r.sim, path, &snapshot), HK_OK);
    assert_int_equal(hk_sim_restore(c->r.sim, snapshot), HK_OK);
    hk_snapshot_destroy(c->r.sim, snapshot);
}

static void run(const variant *how, int kind) {
    chain *c = hk_alloc(sizeof *c);
    c->how = how;
    c->kind = kind;
    c->arena = hk_arena_create();
    start(c);
    for (int step = 0; step < STEPS; step++) {
        if (how->hop && step == HOP_AT)
            hop(c);
        send(c, step);
        assert_int_equal(hk_sim_run_until(c->r.sim, step + 1), HK_OK);
    }
    assert_int_equal(hk_sim_run(c->r.sim), HK_OK);
    assert_int_equal(c->rows, STEPS + 1);
    size_t elements = 1 + 5 + 6 + (how->n ? how->n : 3);
    assert_int_equal(c->compared, elements * (size_t)(STEPS + 1 - how->lag));
    rig_end(&c->r);
    hk_free(c->row);
    hk_arena_destroy(c->arena);
    hk_free(c);
}

static void run_all(const variant *how) {
    for (int kind = 0; kind < KINDS; kind++)
        run(how, kind);
}

static void plain(void **state) {
    (void)state;
    run_all(&(variant){.lag = 3});
}

static void resized(void **state) {
    (void)state;
    run_all(&(variant){.n = 7, .lag = 3});
    run_all(&(variant){.n = 1, .lag = 3});
}

static void delayed(void **state) {
    (void)state;
    run_all(&(variant){.delay = "2", .lag = 5});
}

static void on_threads(void **state) {
    (void)state;
    run_all(&(variant){.threads = 2, .lag = 3});
}

static void through_a_state_file(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    variant how = {.n = 4, .delay = "2", .lag = 5, .hop = true};
    assert_int_equal(hk_folder_temporary(ctx, arena, &how.folder), HK_OK);
    run_all(&how);
    hk_folder_remove(how.folder);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

/* All that the FMU has in one record: integers and enumerations are then read in one call. */
static void all_recorded(void **state) {
    (void)state;
    rig r;
    hk_fmu *fmu = NULL;
    uint32_t index;
    rig_begin(&r, "0.1", "0.5", NULL);
    assert_int_equal(hk_fmu_open(r.ctx, HK_FMU_DIR "/feedthrough3.fmu", &fmu), HK_OK);
    hk_model_own(r.model, fmu, (void (*)(void *))hk_fmu_close);
    const hk_info *info = hk_fmu_info(fmu);
    assert_int_equal(hk_model_add_component(r.ctx, r.model, "f", info, HK_NOWHERE, &index), HK_OK);
    size_t count = 0, at[2] = {0, 0}; /* columns of an integer and of an enumeration */
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->dim_count || v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY)
            continue;
        at[0] = strcmp(v->name, "int64_out") == 0 ? count : at[0];
        at[1] = strcmp(v->name, "enumeration_out") == 0 ? count : at[1];
        rig_record(&r, hk_arena_printf(r.model->arena, "f.%s", v->name));
        count++;
    }
    rig_set(&r, "f.int64_in", "-9000000000");
    rig_set(&r, "f.enumeration_in", "2");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.rows, 6);
    int64_t seen[2];
    for (int i = 0; i < 2; i++)
        memcpy(&seen[i], rig_cell(&r, 5, at[i]), sizeof seen[i]);
    assert_true(seen[0] == -9000000000 && seen[1] == 2);
    rig_end(&r);
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(resized),
        cmocka_unit_test(delayed),
        cmocka_unit_test(on_threads),
        cmocka_unit_test(through_a_state_file),
        cmocka_unit_test(all_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
