/* SPDX-License-Identifier: MIT
 *
 * All runs of a simulation. play_all() is the table of contents. */
#include "play/play_internal.h"

#include "base/claims.h"

#include <string.h>

/* What the runs have told so far. */
typedef struct audience {
    hk_ctx *ctx;
    const hk_play_options *options;
    hk_play_report *report;
    size_t all, done; /* done: came to their end, as well or badly as it was */
    double reached;   /* part of all that is simulated, as it was told last */
    double here;      /* how far the run has come that is played in this process */
    hk_map heard;     /* warnings and notes that were passed on */
    hk_map broken;    /* expectations, by place: how often they were broken */
    size_t *broken_counts, broken_cap;
} audience;

bool hk_run_hopeless(hk_status status) {
    return status == HK_E_COMPILER || status == HK_E_FUSED;
}

/* The first few runs that break an expectation are enough to know of it. */
static bool is_among_first(audience *a, const hk_diag *d) {
    enum { SHOWN = 10 };
    const char *place =
        hk_arena_printf(a->report->arena, "%s:%d:%d", d->where.file ? d->where.file : "",
                        d->where.line, d->where.column);
    size_t count = a->broken.count;
    uint32_t index = hk_map_put(&a->broken, place, (uint32_t)count);
    if (index == count)
        HK_PUSH(a->broken_counts, count, a->broken_cap, 0);
    return a->broken_counts[index]++ < SHOWN;
}

static bool is_new(audience *a, const hk_diag *d) {
    if (d->code == HK_E_EXPECTATION)
        return is_among_first(a, d);
    if (d->severity == HK_ERROR && !hk_run_hopeless(d->code))
        return true;
    const char *key =
        hk_arena_printf(a->report->arena, "%s:%d:%d:%s", d->where.file ? d->where.file : "",
                        d->where.line, d->where.column, d->text);
    uint32_t before = (uint32_t)a->heard.count;
    (void)hk_map_put(&a->heard, key, before);
    return a->heard.count > before;
}

/* What ends a run names it; those that are about a run do so already. */
static hk_diag with_run(const audience *a, const hk_play_run *run, const hk_diag *diag) {
    static const char begin[] = "scenario '";
    hk_diag d = *diag;
    hk_arena *arena = a->report->arena;
    if (d.severity == HK_ERROR && !hk_run_hopeless(d.code) &&
        strncmp(d.text, begin, strlen(begin)) != 0)
        d.text = hk_arena_printf(arena, "%s%s', run %lld, after %s: %s", begin, run->scenario,
                                 (long long)run->index,
                                 hk_seconds_words(arena, run->seconds_simulated), d.text);
    return d;
}

static void show(audience *a, double runs) {
    double part = a->all && runs < (double)a->all ? runs / (double)a->all : 1;
    a->reached = part > a->reached ? part : a->reached; /* runs end in any order */
    if (a->options->progress)
        a->options->progress(a->options->progress_user, a->done, a->all, a->reached);
}

static void watch_all(void *user, double runs) {
    show(user, runs);
}

static void watch_here(void *user) {
    audience *a = user;
    show(a, (double)a->done + a->here);
}

/* A run is over, and all before it. */
static void hear(void *user, size_t number, const hk_play_run *run, const hk_ctx *said) {
    audience *a = user;
    for (size_t i = 0; i < hk_ctx_count(said, HK_NOTE); i++) {
        hk_diag d = with_run(a, run, hk_ctx_diag(said, i));
        if (is_new(a, &d))
            hk_say_again(a->ctx, &d);
    }
    bool good = run->status == HK_OK;
    for (size_t i = 0; i < run->verdict_count; i++)
        good = good && run->verdicts[i].held;
    a->report->all_held = a->report->all_held && good;
    a->report->run_count = number + 1;
    a->done += run->status != HK_E_INTERRUPTED;
    show(a, (double)a->done);
}

static void play_here(audience *a, hk_stage *stage, const hk_run_key *keys, size_t count) {
    stage->part = &a->here;
    stage->watch = watch_here;
    stage->watch_user = a;
    for (size_t i = 0; i < count && !hk_stage_interrupted(stage); i++) {
        hk_ctx *said = hk_ctx_create(NULL, NULL);
        hk_claim_share(said, a->ctx);
        hk_play_run *run = &a->report->runs[i];
        hk_run_play(said, a->report->arena, stage, keys[i], run);
        hear(a, i, run, said);
        hk_ctx_destroy(said);
    }
}

/* The runs that were asked for, in order. */
static hk_run_key *list_runs(const hk_simulation *s, const hk_play_options *o, size_t *ret_count) {
    hk_run_key *keys = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t i = 0; i < s->scenario_count; i++) {
        if (o->scenario && strcmp(o->scenario, s->scenarios[i].name) != 0)
            continue;
        bool all = o->only_run < 0;
        int64_t end = all ? s->scenarios[i].repetitions : o->only_run + 1;
        for (hk_run_key key = {i, all ? 0 : o->only_run};
             key.index < end && key.index < s->scenarios[i].repetitions; key.index++)
            HK_PUSH(keys, count, cap, key);
    }
    *ret_count = count;
    return keys;
}

static hk_status play_all(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                          hk_play_report *report) {
    hk_stage *stage;
    const hk_simulation *simulation = made->simulation;
    HK_TRY(hk_play_check(ctx, simulation, options));
    HK_TRY(hk_stage_make(ctx, made, options, &stage));
    report->fused = made->request->fused != NULL;
    report->contract = made->contract ? hk_arena_strdup(report->arena, made->contract) : NULL;
    size_t count;
    hk_run_key *keys = list_runs(simulation, options, &count);
    report->runs = HK_NEW_ARRAY(report->arena, hk_play_run, count + 1);
    report->asked = count;
    audience a = {.ctx = ctx, .options = options, .report = report, .all = count};
    hk_status status = HK_OK;
    unsigned workers = options->workers ? options->workers : 1;
    if (count > 1 && !options->in_process)
        status = hk_workers_play(ctx, report->arena, stage, workers,
                                 &(hk_play_order){keys, count, report->runs, hear, watch_all, &a});
    else
        play_here(&a, stage, keys, count);
    hk_map_finish(&a.heard);
    hk_map_finish(&a.broken);
    hk_free(a.broken_counts);
    hk_free(keys);
    hk_stage_destroy(stage);
    return status;
}

hk_status hk_play(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                  hk_play_report **ret_report) {
    HK_ASSERT(ctx && made && options && ret_report);
    HK_ASSERT(made->simulation && made->plan);
    hk_arena *arena = hk_arena_create();
    hk_play_report *report = HK_NEW(arena, hk_play_report);
    report->arena = arena;
    report->all_held = true;
    hk_status status = play_all(ctx, made, options, report);
    if (status != HK_OK) {
        hk_play_report_destroy(report);
        return status;
    }
    *ret_report = report;
    return HK_OK;
}

void hk_play_report_destroy(hk_play_report *report) {
    if (report)
        hk_arena_destroy(report->arena); /* it lives in it */
}
