/* SPDX-License-Identifier: MIT
 *
 * same_chart FOLDER STEPS FILE.rct...: each module is run twice, by the interpreter and as the C
 * that is generated from it, with the same random inputs, in steps of one cycle, of half a cycle
 * and of two. After each step all their ports have the same bits; if one of them fails, so does the
 * other, with the same words. Says how often what was seen, exits with 1 at a difference. Constants
 * that must be given are 2. */
#include "chart_rig.h"
#include "dice.h"

typedef struct harness {
    rig rig;
    int64_t steps;
    uint64_t compared, emitted, failures, states;
} harness;

typedef struct run {
    hk_unit *unit;
    hk_step_call step;
} run;

/* Constants that must be given; the code has numbers that stand for nothing there. */
static void give_constants(harness *h, const pair *p, hk_unit *unit) {
    for (uint32_t i = 0; i < p->chart->variable_count; i++) {
        const hk_variable *v = &p->chart->variables[i];
        hk_value two = {0};
        if (v->causality != HK_PARAMETER || v->start.data)
            continue;
        bool made = hk_value_parse(h->rig.arena, v->type, 1, NULL,
                                   v->type == HK_TYPE_BOOL ? "true" : "2", &two);
        must(made ? HK_OK : HK_E_VALUE, v->name);
        must(unit->unit_class->set_start(h->rig.ctx, unit, i, &two), v->name);
    }
}

static run open_run(harness *h, const pair *p, const hk_info *info) {
    run r = {0};
    const hk_unit_options options = {.name = "it", .seed = 7, .run = 1};
    must(info->unit_class->open(h->rig.ctx, info, &options, &r.unit), "open");
    give_constants(h, p, r.unit);
    must(info->unit_class->enter_init(h->rig.ctx, r.unit), "enter_init");
    must(hk_unit_exit_init(h->rig.ctx, r.unit), "exit_init");
    info->unit_class->bind_step(r.unit, &r.step);
    return r;
}

static void *at(const run *r, uint32_t variable) {
    return r->unit->unit_class->address(r->unit, variable);
}

static size_t size_of(const hk_variable *v) {
    return hk_store_size(v->store);
}

/* Events are there in a third of all steps; values are small, and some are odd. */
static void roll_inputs(const pair *p, const run *a, const run *b, dice *d) {
    for (uint32_t i = 0; i < p->chart->variable_count; i++) {
        const hk_variable *v = &p->chart->variables[i];
        if (v->causality != HK_INPUT)
            continue;
        union {
            double r;
            int64_t i;
            bool b;
        } value = {.i = 0};
        size_t length = strlen(v->name);
        bool flag = !strstr(v->name, "_value");
        if (v->type == HK_TYPE_F64)
            value.r = flag ? (double)(roll(d, 3) == 0) : (double)roll(d, 64) / 8 - 2;
        else if (v->type == HK_TYPE_BOOL)
            value.b = roll(d, 2);
        else if (v->type == HK_TYPE_ENUM)
            value.i = roll(d, (uint32_t)v->enumeration->item_count);
        else if (length > 5 && strcmp(v->name + length - 5, ".size") == 0)
            value.i = roll(d, 5);
        else
            value.i = (int64_t)roll(d, 20) - (v->min >= 0 ? 0 : 5);
        memcpy(at(a, i), &value, size_of(v));
        memcpy(at(b, i), &value, size_of(v));
    }
}

/* Elements of sequences behind the last are 0 in a value that is received: the interpreter takes
 * ports as they are, so does the code. */
static bool same_ports(const pair *p, const run *a, const run *b, harness *h) {
    for (uint32_t i = 0; i < p->chart->variable_count; i++) {
        const hk_variable *v = &p->chart->variables[i], *w = &p->code->variables[i];
        if (strcmp(v->name, w->name) != 0 || v->type != w->type || v->causality != w->causality) {
            fprintf(stderr, "%s: port %s is %s in C\n", p->file, v->name, w->name);
            return false;
        }
        if (memcmp(at(a, i), at(b, i), size_of(v)) != 0) {
            fprintf(stderr, "%s: %s differs: %g or %lld, in C %g or %lld\n", p->file, v->name,
                    *(double *)at(a, i), *(long long *)at(a, i), *(double *)at(b, i),
                    *(long long *)at(b, i));
            return false;
        }
        h->compared++;
        if (v->causality == HK_OUTPUT && v->type == HK_TYPE_F64 && *(double *)at(a, i) == 1.0)
            h->emitted++;
        if (v->causality == HK_LOCAL && *(int64_t *)at(a, i) > 1)
            h->states++;
    }
    return true;
}

/* What is said about a failure: behind "machine ", without the place. */
static const char *words_of(harness *h, const run *r, int code, double t, double step,
                            int *ret_line) {
    hk_stepped stepped;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    (void)!r->unit->unit_class->step_failed(quiet, r->unit, code, t, step, &stepped);
    const hk_diag *diag = hk_ctx_diag(quiet, hk_ctx_count(quiet, HK_NOTE) - 1);
    const char *from = strstr(diag->text, "machine '"), *place = strrchr(diag->text, '(');
    const char *words = hk_arena_strdup(h->rig.arena, from ? from : diag->text);
    *ret_line = diag->where.line;
    if (!diag->where.line && place) { /* the code tells the place in its words */
        const char *number = strchr(place, ':');
        *ret_line = number ? (int)strtol(number + 1, NULL, 10) : 0;
        words = hk_arena_strndup(h->rig.arena, words, strlen(words) - strlen(place) - 1);
    }
    hk_ctx_destroy(quiet);
    return words;
}

static bool same_failure(harness *h, const pair *p, const run *a, const run *b, double t,
                         double step) {
    int line_a = 0, line_b = 0;
    const char *said = words_of(h, a, HK_STEP_FAILED, t, step, &line_a);
    const char *code = words_of(h, b, HK_STEP_FAILED, t, step, &line_b);
    h->failures++;
    if (strcmp(said, code) == 0 && line_a == line_b)
        return true;
    fprintf(stderr, "%s: it fails at line %d: %s; in C at line %d: %s\n", p->file, line_a, said,
            line_b, code);
    return false;
}

static bool run_both(harness *h, const pair *p, size_t number, double step) {
    run a = open_run(h, p, p->chart), b = open_run(h, p, p->code);
    dice d = {.stream = hk_stream_make(number, (uint64_t)(step * 4), "same", p->file)};
    bool same = same_ports(p, &a, &b, h), going = true;
    for (int64_t k = 0; k < h->steps && same && going; k++) {
        double t = (double)k * step;
        roll_inputs(p, &a, &b, &d);
        int one = a.step.fn.plain(a.step.self, t, step),
            two = b.step.fn.plain(b.step.self, t, step);
        going = one == HK_STEP_OK && two == HK_STEP_OK;
        if (one != two) {
            fprintf(stderr, "%s: step %lld returns %d, in C %d\n", p->file, (long long)k, one, two);
            int line;
            fprintf(stderr, "  %s\n", words_of(h, one ? &a : &b, HK_STEP_FAILED, t, step, &line));
            same = false;
        } else if (going) {
            same = same_ports(p, &a, &b, h);
            if (!same)
                fprintf(stderr, "  after step %lld of %g s\n", (long long)k, step);
        } else {
            same = same_failure(h, p, &a, &b, t, step);
        }
    }
    p->chart->unit_class->close(a.unit);
    p->code->unit_class->close(b.unit);
    return same;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "same_chart FOLDER STEPS FILE.rct...\n");
        return 2;
    }
    harness h = {.rig = open_rig(argv[1]), .steps = strtoll(argv[2], NULL, 10)};
    size_t count = (size_t)argc - 3;
    pair *pairs = HK_NEW_ARRAY(h.rig.arena, pair, count);
    for (size_t i = 0; i < count; i++)
        pairs[i].file = argv[i + 3];
    make_pairs(&h.rig, pairs, count);
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        double cycle = hk_ratio_to_double(hk_chart_of(pairs[i].chart)->cycle);
        same = run_both(&h, &pairs[i], i, cycle) && same;
        same = run_both(&h, &pairs[i], i, cycle / 2) && same;
        same = run_both(&h, &pairs[i], i, cycle * 2) && same;
    }
    printf(
        "%zu modules, %llu values compared, %llu emissions, %llu times in another than the first "
        "state, %llu failures\n",
        count, (unsigned long long)h.compared, (unsigned long long)h.emitted,
        (unsigned long long)h.states, (unsigned long long)h.failures);
    close_rig(&h.rig);
    return same ? 0 : 1;
}
