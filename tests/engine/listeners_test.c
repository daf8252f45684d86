/* SPDX-License-Identifier: MIT
 *
 * Any number of listeners: each sees what it sees alone, and one that is alone is bound to the loop
 * without anything between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "engine/sim_parts.h"
#include "record/recorder.h"
#include "rig.h"

#include <stdio.h>

/* ---- a system: a text that grows, a number, two rates, a row that inputs are part of ---- */

typedef struct speaker {
    double y;
    hk_bytes say;
    uint32_t k, fails_at;
    char buffer[16];
} speaker;

static int speaker_step(void *self, double t, double h) {
    (void)t, (void)h;
    speaker *x = self;
    x->k++;
    int length = snprintf(x->buffer, sizeof x->buffer, "n%u", (unsigned)(x->k * x->k));
    x->say = (hk_bytes){x->buffer, (size_t)length};
    x->y = x->k;
    return x->k == x->fails_at ? HK_STEP_FAILED : HK_STEP_OK;
}

static const hk_port speaker_ports[] = {
    HK_PORT(speaker, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(speaker, say, HK_OUTPUT, HK_TYPE_STRING, .start = "hello", .depends_on = ""),
    HK_PORT(speaker, fails_at, HK_PARAMETER, HK_TYPE_U32),
};
static const hk_unit_type speaker_type = {HK_UNIT_TYPE(speaker), .ports = speaker_ports,
                                          .port_count = 3, .step = speaker_step};

typedef struct hearer {
    double u, y, gain;
} hearer;

static int hearer_step(void *self, double t, double h) {
    (void)t, (void)h;
    hearer *x = self;
    x->y += x->gain * x->u;
    return HK_STEP_OK;
}

static const hk_port hearer_ports[] = {
    HK_PORT(hearer, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(hearer, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(hearer, gain, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true),
};
static const hk_unit_type hearer_type = {HK_UNIT_TYPE(hearer), .ports = hearer_ports,
                                         .port_count = 3, .step = hearer_step};

/* ---- who listens ---- */

enum {
    OFTEN,   /* a recorder of all, a row per step */
    RARELY,  /* a recorder of some, every third step */
    LIVE,    /* a reader that shares the columns of the first recorder */
    ON_GRID, /* every second step, and not at an end between them: as the log of a scenario */
    JUDGE,   /* looks whether the sum is below a limit */
    CALLS,   /* all calls */
    SOME,    /* those of every third instant */
    ACTS,    /* a hook that doubles the gain at tick 4 */
    COUNTS,  /* another hook */
    LISTENERS
};

typedef struct heard {
    hk_recorder *recorder;
    char *text; /* of the file, the rows or the calls, or what was judged */
    size_t size;
    char cells[256];
} heard;

typedef struct stage {
    rig r;
    const char *folder;
    hk_column columns[3][RIG_COLUMNS]; /* of the recorders, and of the two others that take rows */
    size_t counts[3];
    hk_listener all[LISTENERS];
    heard heard[LISTENERS];
} stage;

static void add_text(heard *h, const char *text, size_t size) {
    h->text = hk_realloc(h->text, h->size + size + 1);
    memcpy(h->text + h->size, text, size);
    h->size += size;
    h->text[h->size] = '\0';
}

static void *cells_begin(void *user) {
    return ((heard *)user)->cells;
}

static bool cells_end(void *user, double time) {
    char line[64];
    double y;
    hk_bytes said;
    memcpy(&y, ((heard *)user)->cells, sizeof y);
    memcpy(&said, ((heard *)user)->cells + 8, sizeof said);
    int n = snprintf(line, sizeof line, "%g %g %.*s\n", time, y, (int)said.size,
                     (const char *)said.data);
    add_text(user, line, (size_t)n);
    return true;
}

static bool plain_end(void *user, double time) {
    char line[64];
    double y;
    memcpy(&y, ((heard *)user)->cells, sizeof y);
    add_text(user, line, (size_t)snprintf(line, sizeof line, "%g %g\n", time, y));
    return true;
}

static bool judge_end(void *user, double time) {
    double y;
    memcpy(&y, ((heard *)user)->cells, sizeof y);
    char line[64];
    if (y > 5)
        add_text(user, line, (size_t)snprintf(line, sizeof line, "broken at %g by %g\n", time, y));
    return true;
}

static void take_calls(void *user, const char *text, size_t size) {
    add_text(user, text, size);
}

static hk_tick act(void *user, hk_sim *sim, hk_tick now) {
    double gain = 2;
    add_text(user, "acts\n", 5);
    (void)now;
    assert_int_equal(hk_sim_write(sim, 1, 2, &(hk_value){HK_TYPE_F64, 1, &gain}), HK_OK);
    return HK_TICK_NEVER;
}

static hk_tick count(void *user, hk_sim *sim, hk_tick now) {
    char line[32];
    (void)sim;
    add_text(user, line, (size_t)snprintf(line, sizeof line, "at %d\n", (int)now));
    return now + 3;
}

static void choose(stage *s, size_t list, const char *const *paths) {
    for (; *paths; paths++) {
        hk_column *c = &s->columns[list][s->counts[list]++];
        *c = (hk_column){.name = *paths};
        rig_find(&s->r, *paths, &c->component, &c->variable);
        const hk_variable *v = &s->r.model->components[c->component].info->variables[c->variable];
        c->type = v->type;
        c->store = v->store;
    }
}

static void listen(stage *s, int who, size_t list, hk_tick interval, hk_sink sink) {
    s->all[who] = (hk_listener){.sink = sink,
                                .columns = s->columns[list],
                                .column_count = s->counts[list],
                                .interval = interval};
}

static void open_record(stage *s, int who, size_t list, hk_tick interval, const char *name) {
    size_t size = hk_columns_layout(s->columns[list], s->counts[list]);
    heard *h = &s->heard[who];
    assert_int_equal(hk_recorder_open(s->r.ctx, hk_path_join(s->r.model->arena, s->folder, name),
                                      &(hk_row_layout){s->columns[list], s->counts[list], size},
                                      &(hk_recorder_options){0}, &h->recorder),
                     HK_OK);
    listen(s, who, list, interval, hk_recorder_sink(h->recorder));
}

static void prepare(stage *s) {
    *s = (stage){0};
    rig_begin(&s->r, "1", "10", NULL);
    rig_add(&s->r, "a", &speaker_type, NULL, NULL);
    rig_add(&s->r, "b", &hearer_type, "2", NULL);
    rig_connect(&s->r, "a.y", "b.u");
    assert_int_equal(hk_folder_temporary(s->r.ctx, s->r.model->arena, &s->folder), HK_OK);
    choose(s, 0, (const char *const[]){"a.y", "a.say", "b.u", "b.y", NULL});
    choose(s, 1, (const char *const[]){"b.y", "a.say", NULL});
    choose(s, 2, (const char *const[]){"a.y", NULL});
    open_record(s, OFTEN, 0, 0, "often.csv");
    open_record(s, RARELY, 1, 3, "rarely.csv");
    listen(s, LIVE, 0, 0, (hk_sink){cells_begin, cells_end, &s->heard[LIVE]});
    (void)hk_columns_layout(s->columns[2], s->counts[2]);
    listen(s, ON_GRID, 2, 2, (hk_sink){cells_begin, plain_end, &s->heard[ON_GRID]});
    s->all[ON_GRID].on_grid = true;
    listen(s, JUDGE, 1, 1, (hk_sink){cells_begin, judge_end, &s->heard[JUDGE]});
    s->all[CALLS].trace = (hk_trace_sink){take_calls, &s->heard[CALLS], 0};
    s->all[SOME].trace = (hk_trace_sink){take_calls, &s->heard[SOME], 3};
    s->all[ACTS].hook = (hk_hook){act, &s->heard[ACTS], 4};
    s->all[COUNTS].hook = (hk_hook){count, &s->heard[COUNTS], 2};
}

static void read_file(stage *s, int who, const char *name) {
    char *data;
    size_t size;
    const char *path = hk_path_join(s->r.model->arena, s->folder, name);
    assert_int_equal(hk_recorder_close(s->r.ctx, s->heard[who].recorder, NULL, NULL), HK_OK);
    if (!hk_file_exists(path)) /* no row was written */
        return;
    assert_int_equal(hk_file_read(s->r.ctx, path, 0, &data, &size), HK_OK);
    add_text(&s->heard[who], data, size);
    hk_free(data);
}

/* How a run ends. */
typedef enum ending { AT_STOP, BY_CONDITION, BY_FAILURE, ENDINGS } ending;

/* The hook that acts is part of every run, and what rows show is got by calls. */
static bool takes_part(int who, int listener) {
    bool rows = listener <= JUDGE, calls = who == CALLS || who == SOME;
    return who < 0 || listener == who || listener == ACTS || (rows && calls);
}

/* WHO is -1: all listen. */
static void play(stage *s, int who, ending how) {
    hk_listener chosen[LISTENERS];
    prepare(s);
    s->r.options.listeners = chosen;
    s->r.options.listener_count = 0;
    for (int i = 0; i < LISTENERS; i++)
        if (takes_part(who, i))
            chosen[s->r.options.listener_count++] = s->all[i];
    hk_stop_when when = {.component = 0, .compare = HK_GE, .threshold = 7, .text = "a.y >= 7"};
    s->r.options.stop_when = &when;
    s->r.options.stop_when_count = how == BY_CONDITION;
    if (how == BY_FAILURE)
        rig_set(&s->r, "a.fails_at", "8");
    hk_status status = rig_run(&s->r);
    assert_int_equal(status, how == BY_FAILURE ? HK_E_UNIT_FAILED : HK_OK);
    read_file(s, OFTEN, "often.csv");
    read_file(s, RARELY, "rarely.csv");
}

static void end(stage *s) {
    for (int i = 0; i < LISTENERS; i++)
        hk_free(s->heard[i].text);
    hk_folder_remove(s->folder);
    rig_end(&s->r);
}

static void same_bytes_as_alone(void **state) {
    (void)state;
    for (int how = 0; how < ENDINGS; how++) {
        static stage together, alone;
        play(&together, -1, (ending)how);
        for (int who = 0; who < LISTENERS; who++) {
            play(&alone, who, (ending)how);
            const heard *x = &together.heard[who], *y = &alone.heard[who];
            if (!x->size || x->size != y->size || memcmp(x->text, y->text, x->size) != 0)
                fail_msg("ending %d, listener %d:\n%s\nalone:\n%s", how, who,
                         x->text ? x->text : "nothing", y->text ? y->text : "nothing");
            end(&alone);
        }
        end(&together);
    }
}

/* What each of them has, so that the comparison is not one of nothing. */
static void each_has_its_rows(void **state) {
    (void)state;
    static stage s;
    play(&s, -1, BY_CONDITION);
    assert_string_equal(s.heard[RARELY].text,
                        "time,b.y,a.say\n0,0,hello\n3,0,n9\n6,10,n36\n7,10,n49\n");
    assert_string_equal(s.heard[ON_GRID].text, "0 0\n2 2\n4 4\n6 6\n");
    assert_string_equal(s.heard[COUNTS].text, "at 2\nat 5\n");
    assert_non_null(strstr(s.heard[LIVE].text, "\n7 7 n49\n"));
    end(&s);
}

static void a_single_one_is_bound_itself(void **state) {
    (void)state;
    static stage s;
    prepare(&s);
    hk_listener two[] = {s.all[ACTS], s.all[LIVE]};
    s.r.options.listeners = two;
    s.r.options.listener_count = 2;
    assert_int_equal(rig_start(&s.r), HK_OK);
    assert_true(s.r.sim->rows.sink.row_begin == cells_begin &&
                s.r.sim->rows.sink.row_end == cells_end);
    assert_ptr_equal(s.r.sim->rows.sink.user, &s.heard[LIVE]);
    assert_ptr_equal(s.r.sim->rows.columns, s.columns[0]);
    assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[OFTEN].recorder, NULL, NULL), HK_OK);
    assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[RARELY].recorder, NULL, NULL), HK_OK);
    end(&s);
}

static size_t lines(const heard *h) {
    size_t n = 0;
    for (size_t i = 0; i < h->size; i++)
        n += h->text[i] == '\n';
    return n;
}

/* A listener may go before the run ends, and the others do not notice. */
static void one_goes(void **state) {
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        static stage s;
        prepare(&s);
        hk_listener both[] = {s.all[LIVE], s.all[ON_GRID]};
        s.r.options.listeners = both;
        s.r.options.listener_count = n;
        assert_int_equal(rig_start(&s.r), HK_OK);
        assert_int_equal(hk_sim_run_until(s.r.sim, 5), HK_OK);
        hk_sim_end_rows(s.r.sim, 0);
        assert_int_equal(hk_sim_run(s.r.sim), HK_OK);
        assert_int_equal(lines(&s.heard[LIVE]), 5);
        assert_int_equal(lines(&s.heard[ON_GRID]), n == 2 ? 6 : 0);
        assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[OFTEN].recorder, NULL, NULL), HK_OK);
        assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[RARELY].recorder, NULL, NULL), HK_OK);
        end(&s);
    }
}

static bool refuse(void *user, double time) {
    (void)user;
    return time < 3;
}

/* One that refuses a row ends the run; the others have that row. */
static void one_refuses(void **state) {
    (void)state;
    static stage s;
    prepare(&s);
    static heard h;
    hk_listener both[] = {s.all[ON_GRID], s.all[LIVE]};
    both[0].sink = (hk_sink){cells_begin, refuse, &h};
    both[0].interval = 1;
    s.r.options.listeners = both;
    s.r.options.listener_count = 2;
    assert_int_equal(rig_run(&s.r), HK_OK);
    assert_string_equal(hk_sim_end_reason(s.r.sim), "the record could not be written");
    assert_int_equal(lines(&s.heard[LIVE]), 4);
    assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[OFTEN].recorder, NULL, NULL), HK_OK);
    assert_int_equal(hk_recorder_close(s.r.ctx, s.heard[RARELY].recorder, NULL, NULL), HK_OK);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_as_alone),
        cmocka_unit_test(each_has_its_rows),
        cmocka_unit_test(a_single_one_is_bound_itself),
        cmocka_unit_test(one_goes),
        cmocka_unit_test(one_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
