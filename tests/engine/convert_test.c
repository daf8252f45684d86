/* SPDX-License-Identifier: MIT
 *
 * What happens to values on their way: types, texts, arrays, transformations, units, tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/number.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>

/* ---- every numeric type to every other --------------------------------------------------------
 */

/* After its first step a box shows v as every type that can hold it. */
typedef struct box {
    double v, of64, if64;
    float of32, if32;
    int8_t oi8, ii8;
    uint8_t ou8, iu8;
    int16_t oi16, ii16;
    uint16_t ou16, iu16;
    int32_t oi32, ii32;
    uint32_t ou32, iu32;
    int64_t oi64, ii64;
    uint64_t ou64, iu64;
    bool obool, ibool;
    int64_t oenum, ienum;
} box;

typedef struct kind {
    const char *in, *out;
    double min, max; /* of an integer; max < min: a real */
} kind;

static const kind kinds[] = {
    {"if64", "of64", 0, -1},
    {"if32", "of32", 0, -1},
    {"ii8", "oi8", -128, 127},
    {"iu8", "ou8", 0, 255},
    {"ii16", "oi16", -32768, 32767},
    {"iu16", "ou16", 0, 65535},
    {"ii32", "oi32", -2147483648.0, 2147483647.0},
    {"iu32", "ou32", 0, 4294967295.0},
    {"ii64", "oi64", -9223372036854775808.0, 9223372036854774784.0},
    {"iu64", "ou64", 0, 18446744073709549568.0},
    {"ibool", "obool", 0, 1},
    {"ienum", "oenum", -9223372036854775808.0, 9223372036854774784.0},
};
enum { KINDS = sizeof kinds / sizeof *kinds, BOOL = 10, F32 = 1 };

static bool holds(int k, double v) {
    if (k == F32)
        return fabs(v) < 3.5e38;
    return kinds[k].max < kinds[k].min || (v == trunc(v) && v >= kinds[k].min && v <= kinds[k].max);
}

static int box_step(void *self, double t, double h) {
    (void)t, (void)h;
    box *b = self;
    b->of64 = b->v;
    b->of32 = holds(1, b->v) ? (float)b->v : 0;
    b->oi8 = holds(2, b->v) ? (int8_t)b->v : 0;
    b->ou8 = holds(3, b->v) ? (uint8_t)b->v : 0;
    b->oi16 = holds(4, b->v) ? (int16_t)b->v : 0;
    b->ou16 = holds(5, b->v) ? (uint16_t)b->v : 0;
    b->oi32 = holds(6, b->v) ? (int32_t)b->v : 0;
    b->ou32 = holds(7, b->v) ? (uint32_t)b->v : 0;
    b->oi64 = holds(8, b->v) ? (int64_t)b->v : 0;
    b->ou64 = holds(9, b->v) ? (uint64_t)b->v : 0;
    b->obool = holds(10, b->v) && b->v != 0;
    b->oenum = holds(11, b->v) ? (int64_t)b->v : 0;
    return HK_STEP_OK;
}

#define BOTH(name, type)                                                                           \
    HK_PORT(box, o##name, HK_OUTPUT, type, .depends_on = ""), HK_PORT(box, i##name, HK_INPUT, type)
static const hk_port box_ports[] = {
    HK_PORT(box, v, HK_PARAMETER, HK_TYPE_F64),
    BOTH(f64, HK_TYPE_F64),
    BOTH(f32, HK_TYPE_F32),
    BOTH(i8, HK_TYPE_I8),
    BOTH(u8, HK_TYPE_U8),
    BOTH(i16, HK_TYPE_I16),
    BOTH(u16, HK_TYPE_U16),
    BOTH(i32, HK_TYPE_I32),
    BOTH(u32, HK_TYPE_U32),
    BOTH(i64, HK_TYPE_I64),
    BOTH(u64, HK_TYPE_U64),
    BOTH(bool, HK_TYPE_BOOL),
    BOTH(enum, HK_TYPE_ENUM),
};
static const hk_unit_type box_type = {HK_UNIT_TYPE(box), .ports = box_ports, .port_count = 25,
                                      .step = box_step};

static const char *const values[] = {"0",    "1",   "-1",   "100",  "200",   "-129", "40000",
                                     "-3e4", "3e9", "-3e9", "1e19", "-1e19", "0.5",  "1e300"};

static void convert(int from, int to, const char *text) {
    double v = 0;
    assert_true(hk_read_f64(text, strlen(text), &v));
    if (!holds(from, v))
        return;
    /* What is a float is one before it goes on. */
    double sent = from == F32 ? (double)(float)v : v;
    bool fits = to == BOOL ? sent == 0 || sent == 1 : holds(to, sent);
    double expected = to == F32 ? (double)(float)sent : sent;
    char source[16], target[16];
    snprintf(source, sizeof source, "a.%s", kinds[from].out);
    snprintf(target, sizeof target, "b.%s", kinds[to].in);
    rig r;
    rig_begin(&r, "1", "2", NULL);
    rig_add(&r, "a", &box_type, NULL, NULL);
    rig_add(&r, "b", &box_type, NULL, NULL);
    rig_set(&r, "a.v", text);
    rig_connect(&r, source, target);
    rig_record(&r, target);
    hk_status status = rig_run(&r);
    if (status != (fits ? HK_OK : HK_E_CONVERSION))
        fail_msg("%s -> %s, %s: status %d", source, target, text, (int)status);
    if (fits) {
        double arrived;
        uint32_t c, variable;
        rig_find(&r, target, &c, &variable);
        assert_true(hk_sim_read_f64(r.sim, c, variable, &arrived));
        if (arrived != expected)
            fail_msg("%s -> %s: %s arrives as %g", source, target, text, arrived);
    } else {
        char name[48];
        snprintf(name, sizeof name, "%s -> %s", source, target);
        assert_non_null(rig_error(&r)->where.element);
        assert_non_null(strstr(rig_error(&r)->where.element, name));
        assert_int_equal(r.rows, 1); /* it goes wrong at t = 1 */
    }
    rig_end(&r);
}

static void all_types(void **state) {
    (void)state;
    for (int from = 0; from < KINDS; from++)
        for (int to = 0; to < KINDS; to++)
            for (size_t i = 0; i < sizeof values / sizeof *values; i++)
                convert(from, to, values[i]);
}

/* ---- texts and arrays -------------------------------------------------------------------------
 */

/* Says "n<k>" out of a buffer that it overwrites; hears and keeps nothing. */
typedef struct talker {
    hk_bytes say, hear;
    double list[3];
    float narrow[3];
    int32_t whole[3];
    hk_bytes names[2], heard[2];
    uint64_t k;
    char buffer[16], other[2][16];
} talker;

static int talker_step(void *self, double t, double h) {
    (void)t, (void)h;
    talker *x = self;
    x->k++;
    /* longer with time, so that memory that holds it has to grow */
    int length = snprintf(x->buffer, sizeof x->buffer, "n%u", (unsigned)(x->k * x->k));
    x->say = (hk_bytes){x->buffer, (size_t)length};
    for (int i = 0; i < 2; i++) {
        length = snprintf(x->other[i], sizeof x->other[i], "%c%u", 'p' + i, (unsigned)x->k % 1000);
        x->names[i] = (hk_bytes){x->other[i], (size_t)length};
    }
    for (int i = 0; i < 3; i++)
        x->list[i] = (double)x->k * 10 + i;
    return HK_STEP_OK;
}

static const hk_port talker_ports[] = {
    HK_PORT(talker, say, HK_OUTPUT, HK_TYPE_STRING, .start = "hello", .depends_on = ""),
    HK_PORT(talker, hear, HK_INPUT, HK_TYPE_STRING, .start = "none"),
    HK_PORT(talker, list, HK_OUTPUT, HK_TYPE_F64, .count = 3, .start = "7", .depends_on = ""),
    HK_PORT(talker, narrow, HK_INPUT, HK_TYPE_F32, .count = 3),
    HK_PORT(talker, whole, HK_INPUT, HK_TYPE_I32, .count = 3),
    HK_PORT(talker, names, HK_OUTPUT, HK_TYPE_STRING, .count = 2, .start = "x", .depends_on = ""),
    HK_PORT(talker, heard, HK_INPUT, HK_TYPE_STRING, .count = 2),
};
static const hk_unit_type talker_type = {HK_UNIT_TYPE(talker), .ports = talker_ports,
                                         .port_count = 7, .step = talker_step};

/* Rows at 0 ... 4; a's text of the step that ends at t is in the row at t. */
static void texts(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "4", NULL);
    rig_add(&r, "a", &talker_type, NULL, NULL);
    rig_add(&r, "b", &talker_type, NULL, NULL);
    rig_add(&r, "c", &talker_type, NULL, NULL);
    rig_add(&r, "d", &talker_type, "2", NULL);
    rig_connect(&r, "a.say", "b.hear");
    rig_connect(&r, "a.say", "c.hear")->delay = rig_seconds("1");
    rig_connect(&r, "a.say", "d.hear");
    rig_connect(&r, "a.names", "b.heard");
    rig_record(&r, "a.say");
    rig_record(&r, "b.hear");
    rig_record(&r, "c.hear");
    rig_record(&r, "d.hear");
    rig_record(&r, "d.say");   /* period 2, looked at every second: from the history */
    rig_record(&r, "b.heard"); /* two columns */
    assert_int_equal(rig_run(&r), HK_OK);
    static const char *const rows[][7] = {
        {"hello", "hello", "hello", "hello", "hello", "x", "x"},
        {"n1", "n1", "hello", "hello", "hello", "p1", "q1"},
        {"n4", "n4", "n1", "n4", "n1", "p2", "q2"},
        {"n9", "n9", "n4", "n4", "n1", "p3", "q3"},
        {"n16", "n9", "n4", "n4", "n4", "p3", "q3"}, /* the last: no inputs are set at the stop */
    };
    assert_int_equal(r.rows, 5);
    for (size_t i = 0; i < 5; i++)
        for (size_t c = 0; c < 7; c++)
            if (strcmp(rig_text(&r, i, c), rows[i][c]) != 0)
                fail_msg("row %zu, column %zu: '%s', expected '%s'", i, c, rig_text(&r, i, c),
                         rows[i][c]);
    rig_end(&r);
}

static void written_texts(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "4", NULL);
    uint32_t a = rig_add(&r, "a", &talker_type, NULL, NULL);
    rig_record(&r, "a.hear");
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 1), HK_OK);
    char mine[] = "new";
    hk_bytes text = {mine, 3};
    assert_int_equal(hk_sim_write(r.sim, a, 1, &(hk_value){HK_TYPE_STRING, 1, &text}), HK_OK);
    memset(mine, '-', 3); /* the caller's memory is the caller's */
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    assert_string_equal(rig_text(&r, 0, 0), "none");
    assert_string_equal(rig_text(&r, 1, 0), "new");
    rig_end(&r);
}

/* Bytes become text where they are text; the third are not. */
typedef struct modem {
    hk_bytes raw, heard;
    uint64_t k;
} modem;

static int modem_step(void *self, double t, double h) {
    (void)t, (void)h;
    modem *x = self;
    static const char *const says[] = {"one", "gr\xC3\xBC\xC3\x9F", "\xC3("};
    const char *say = says[x->k++ % 3];
    x->raw = (hk_bytes){say, strlen(say)};
    return HK_STEP_OK;
}

static const hk_port modem_ports[] = {
    HK_PORT(modem, raw, HK_OUTPUT, HK_TYPE_BINARY, .depends_on = ""),
    HK_PORT(modem, heard, HK_INPUT, HK_TYPE_BINARY),
};
static const hk_unit_type modem_type = {HK_UNIT_TYPE(modem), .ports = modem_ports, .port_count = 2,
                                        .step = modem_step};

static void bytes_and_texts(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "6", NULL);
    rig_add(&r, "a", &modem_type, NULL, NULL);
    rig_add(&r, "b", &talker_type, NULL, NULL);
    rig_connect(&r, "a.raw", "b.hear");
    rig_connect(&r, "b.say", "a.heard");
    rig_record(&r, "b.hear");
    rig_record(&r, "a.heard");
    assert_int_equal(rig_run(&r), HK_E_CONVERSION);
    assert_says(rig_error(&r), "String input at t = 3 s");
    assert_int_equal(r.rows, 3);
    assert_string_equal(rig_text(&r, 2, 0), "gr\xC3\xBC\xC3\x9F");
    assert_string_equal(rig_text(&r, 2, 1), "n4");
    rig_end(&r);
}

static void arrays(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "2", NULL);
    rig_add(&r, "a", &talker_type, NULL, NULL);
    rig_add(&r, "b", &talker_type, NULL, NULL);
    rig_connect(&r, "a.list", "b.narrow");
    hk_connection *k = rig_connect(&r, "a.list", "b.whole");
    k->transform = (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = -1};
    rig_record(&r, "a.list");
    rig_record(&r, "b.narrow");
    rig_record(&r, "b.whole");
    assert_int_equal(rig_run(&r), HK_OK);
    for (size_t row = 0; row < 2; row++)
        for (size_t i = 0; i < 3; i++) {
            double sent = row ? 10 + (double)i : 7;
            assert_exactly(rig_f64(&r, row, i), sent);
            assert_exactly((double)*(const float *)rig_cell(&r, row, 3 + i), sent);
            assert_int_equal(*(const int32_t *)rig_cell(&r, row, 6 + i), 2 * (int)sent - 1);
        }
    rig_end(&r);
}

/* ---- transformations and units ----------------------------------------------------------------
 */

typedef struct meter {
    double celsius, kmh, plain;
    double kelvin, ms, number;
    int32_t gear, code;
} meter;

static int meter_step(void *self, double t, double h) {
    (void)h;
    meter *m = self;
    m->celsius = 20 + t;
    m->kmh = 36 * (1 + t);
    m->plain = t;
    m->gear = (int32_t)t;
    return HK_STEP_OK;
}

static const hk_port meter_ports[] = {
    HK_PORT(meter, celsius, HK_OUTPUT, HK_TYPE_F64, .unit = "degC", .start = "-40",
            .depends_on = ""),
    HK_PORT(meter, kmh, HK_OUTPUT, HK_TYPE_F64, .unit = "km/h", .start = "90", .depends_on = ""),
    HK_PORT(meter, plain, HK_OUTPUT, HK_TYPE_F64, .start = "5", .depends_on = ""),
    HK_PORT(meter, kelvin, HK_INPUT, HK_TYPE_F64, .unit = "K"),
    HK_PORT(meter, ms, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),
    HK_PORT(meter, number, HK_INPUT, HK_TYPE_F64),
    HK_PORT(meter, gear, HK_OUTPUT, HK_TYPE_I32, .start = "-7", .depends_on = ""),
    HK_PORT(meter, code, HK_INPUT, HK_TYPE_I32),
};
static const hk_unit_type meter_type = {HK_UNIT_TYPE(meter), .ports = meter_ports, .port_count = 8,
                                        .step = meter_step};

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static void units(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "3", NULL);
    rig_add(&r, "a", &meter_type, NULL, NULL);
    rig_add(&r, "b", &meter_type, NULL, NULL);
    rig_connect(&r, "a.celsius", "b.kelvin");
    rig_connect(&r, "a.kmh", "b.ms");
    rig_record(&r, "b.kelvin");
    rig_record(&r, "b.ms");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_true(near(rig_f64(&r, 0, 0), 233.15)); /* -40 degC */
    assert_true(near(rig_f64(&r, 1, 0), 293.15)); /* 20 */
    assert_true(near(rig_f64(&r, 2, 0), 294.15));
    assert_true(near(rig_f64(&r, 0, 1), 25)); /* 90 km/h */
    assert_true(near(rig_f64(&r, 1, 1), 10));
    assert_true(near(rig_f64(&r, 2, 1), 20));
    rig_end(&r);

    rig_begin(&r, "1", "3", NULL);
    rig_add(&r, "a", &meter_type, NULL, NULL);
    rig_connect(&r, "a.celsius", "a.ms");
    assert_int_equal(rig_start(&r), HK_E_UNIT_MISMATCH);
    rig_end(&r);
}

/* The unit's conversion comes first, then the connection's own transformation. */
static void linear_and_map(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "4", NULL);
    rig_add(&r, "a", &meter_type, NULL, NULL);
    rig_add(&r, "b", &meter_type, NULL, NULL);
    rig_connect(&r, "a.kmh", "b.ms")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = 1};
    rig_connect(&r, "a.plain", "b.number")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = -3, .offset = 0.5};
    static const int64_t from[] = {-7, 1, 2}, to[] = {70, 10, 1};
    rig_connect(&r, "a.gear", "b.code")->transform =
        (hk_transform){.kind = HK_TRANSFORM_MAP, .map_from = from, .map_to = to, .map_count = 3};
    rig_record(&r, "b.ms");
    rig_record(&r, "b.number");
    rig_record(&r, "b.code");
    assert_int_equal(rig_run(&r), HK_OK);
    static const double speed[] = {25, 10, 20, 30}, plain[] = {5, 0, 1, 2};
    static const int32_t code[] = {70, 0, 10, 1}; /* 0 is not in the table: it passes */
    for (size_t i = 0; i < 4; i++) {
        assert_true(near(rig_f64(&r, i, 0), 2 * speed[i] + 1));
        assert_exactly(rig_f64(&r, i, 1), -3 * plain[i] + 0.5);
        assert_int_equal(*(const int32_t *)rig_cell(&r, i, 2), code[i]);
    }
    rig_end(&r);
}

static void a_transformed_value_may_not_fit(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "4", NULL);
    rig_add(&r, "a", &meter_type, NULL, NULL);
    rig_connect(&r, "a.gear", "a.code")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 0.5};
    assert_int_equal(rig_start(&r), HK_E_CONVERSION); /* -3.5 at the start */
    assert_non_null(strstr(rig_error(&r)->where.element, "a.gear -> a.code"));
    rig_end(&r);
}

/* ---- tables -----------------------------------------------------------------------------------
 */

static void tables(void **state) {
    (void)state;
    static const char text[] = "time,b.number,b.code\n0,0,3\n2,10,4\n3,10,5\n";
    rig r;
    rig_begin(&r, "0.5", "4", NULL);
    const char *folder = NULL;
    assert_int_equal(hk_folder_temporary(r.ctx, r.model->arena, &folder), HK_OK);
    const char *path = hk_path_join(r.model->arena, folder, "in.csv");
    assert_int_equal(hk_file_write(r.ctx, path, text, sizeof text - 1), HK_OK);
    rig_add(&r, "b", &meter_type, NULL, NULL);
    assert_int_equal(hk_table_add(r.ctx, r.model, path), HK_OK);
    rig_record(&r, "b.number");
    rig_record(&r, "b.code");
    assert_int_equal(rig_run(&r), HK_OK);
    static const double number[] = {0, 2.5, 5, 7.5, 10, 10, 10, 10, 10};
    static const int32_t code[] = {3, 3, 3, 3, 4, 4, 5, 5, 5};
    assert_int_equal(r.rows, 9);
    for (size_t i = 0; i < 9; i++) {
        assert_exactly(rig_f64(&r, i, 0), number[i]);
        assert_int_equal(*(const int32_t *)rig_cell(&r, i, 1), code[i]);
    }
    hk_folder_remove(folder);
    rig_end(&r);
}

typedef struct ticket {
    int64_t number, seen;
} ticket;

static int ticket_step(void *self, double t, double h) {
    (void)h;
    ((ticket *)self)->number = INT64_C(9007199254740993) + (int64_t)t; /* 2^53 + 1 + t */
    return HK_STEP_OK;
}

static const hk_port ticket_ports[] = {
    HK_PORT(ticket, number, HK_OUTPUT, HK_TYPE_I64, .start = "1", .depends_on = ""),
    HK_PORT(ticket, seen, HK_INPUT, HK_TYPE_I64),
};
static const hk_unit_type ticket_type = {HK_UNIT_TYPE(ticket), .ports = ticket_ports,
                                         .port_count = 2, .step = ticket_step};

/* Numbers that no double can hold go through a table, and past it, as they are. */
static void maps_of_wide_numbers(void **state) {
    (void)state;
    static const int64_t from[] = {1, INT64_C(9007199254740995)};
    static const int64_t to[] = {2, INT64_C(-9007199254740993)};
    static const int64_t seen[] = {2, INT64_C(9007199254740993), INT64_C(9007199254740994),
                                   INT64_C(-9007199254740993)};
    rig r;
    rig_begin(&r, "1", "4", NULL);
    rig_add(&r, "a", &ticket_type, NULL, NULL);
    rig_add(&r, "b", &ticket_type, NULL, NULL);
    rig_connect(&r, "a.number", "b.seen")->transform =
        (hk_transform){.kind = HK_TRANSFORM_MAP, .map_from = from, .map_to = to, .map_count = 2};
    rig_record(&r, "b.seen");
    assert_int_equal(rig_run(&r), HK_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(*(const int64_t *)rig_cell(&r, i, 0) == seen[i]);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
        cmocka_unit_test(texts),
        cmocka_unit_test(written_texts),
        cmocka_unit_test(bytes_and_texts),
        cmocka_unit_test(arrays),
        cmocka_unit_test(units),
        cmocka_unit_test(linear_and_map),
        cmocka_unit_test(maps_of_wide_numbers),
        cmocka_unit_test(a_transformed_value_may_not_fit),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
