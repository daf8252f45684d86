/* SPDX-License-Identifier: MIT
 *
 * A run's result as bytes, for the way from a worker to the process that reports it. Both ends are
 * the same program, so numbers go as they lie in memory. */
#include "play/play_internal.h"

#include <string.h>

/* ---- writing ---- */

static void put(hk_result_buffer *b, const void *data, size_t size) {
    if (b->size + size > b->cap) {
        b->cap = 2 * (b->size + size);
        b->data = hk_realloc(b->data, b->cap);
    }
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_u64(hk_result_buffer *b, uint64_t value) {
    put(b, &value, sizeof value);
}

static void put_f64(hk_result_buffer *b, double value) {
    put(b, &value, sizeof value);
}

/* The length first, one more than it is; 0: NULL. */
static void put_text(hk_result_buffer *b, const char *text) {
    put_u64(b, text ? strlen(text) + 1 : 0);
    if (text)
        put(b, text, strlen(text) + 1);
}

static void put_where(hk_result_buffer *b, const hk_where *where) {
    put_text(b, where->file);
    put_text(b, where->element);
    put_u64(b, (uint64_t)where->line);
    put_u64(b, (uint64_t)where->column);
}

static void put_texts(hk_result_buffer *b, const char *const *texts, size_t count) {
    put_u64(b, count);
    for (size_t i = 0; i < count; i++)
        put_text(b, texts[i]);
}

static void put_measured(hk_result_buffer *b, const hk_measured *m) {
    put_u64(b, m != NULL);
    if (!m)
        return;
    put_text(b, m->name);
    put_text(b, m->unit);
    put(b, (const double[]){m->value, m->min, m->max, m->reference}, 4 * sizeof(double));
}

void hk_result_write(hk_result_buffer *b, const hk_play_run *run, size_t components,
                     const hk_ctx *said) {
    HK_ASSERT(b && run && said);
    put_text(b, run->scenario);
    put_u64(b, (uint64_t)run->index);
    put_u64(b, (uint64_t)run->status);
    put_text(b, run->end_reason);
    put_f64(b, run->seconds_simulated);
    put_f64(b, run->seconds_taken);
    put_u64(b, run->rows);
    put_u64(b, run->bytes);
    put(b, &run->sound, sizeof run->sound);
    put_u64(b, run->fused.cells);
    put_u64(b, run->fused.fused);
    put_u64(b, run->fused.runs);
    put_u64(b, run->fused.attached);
    put(b, run->activations, components * sizeof *run->activations);
    put_texts(b, run->trace, run->trace_count);
    put_texts(b, run->logs, run->log_count);
    put_u64(b, run->verdict_count);
    for (size_t i = 0; i < run->verdict_count; i++) {
        const hk_verdict *v = &run->verdicts[i];
        put_u64(b, v->held);
        put_u64(b, v->undecided);
        put_u64(b, v->idle);
        put_f64(b, v->time);
        put_text(b, v->words);
        put_text(b, v->message);
        put_text(b, v->reason);
        put_where(b, &v->where);
        put_measured(b, v->measured);
    }
    size_t diags = hk_ctx_count(said, HK_NOTE);
    put_u64(b, diags);
    for (size_t i = 0; i < diags; i++) {
        const hk_diag *d = hk_ctx_diag(said, i);
        put_u64(b, (uint64_t)d->code);
        put_u64(b, (uint64_t)d->severity);
        put_where(b, &d->where);
        put_text(b, d->text);
        put_text(b, d->hint);
    }
}

/* ---- reading ---- */

typedef struct source {
    hk_arena *arena;
    const char *at;
    size_t left;
    bool good; /* false: it was cut off, and all that is read is zero */
} source;

static void get(source *s, void *to, size_t size) {
    s->good = s->good && size <= s->left;
    if (!s->good || !size)
        return;
    memcpy(to, s->at, size);
    s->at += size;
    s->left -= size;
}

static uint64_t get_u64(source *s) {
    uint64_t value = 0;
    get(s, &value, sizeof value);
    return value;
}

static double get_f64(source *s) {
    double value = 0;
    get(s, &value, sizeof value);
    return value;
}

static const char *get_text(source *s) {
    uint64_t size = get_u64(s);
    s->good = s->good && size <= s->left;
    if (!s->good || !size)
        return NULL;
    char *text = hk_arena_alloc(s->arena, size);
    get(s, text, size);
    return text;
}

static hk_where get_where(source *s) {
    hk_where where = {.file = get_text(s)};
    where.element = get_text(s);
    where.line = (int)get_u64(s);
    where.column = (int)get_u64(s);
    return where;
}

/* Each thing takes a byte at least, so a count beyond that is none. */
static size_t get_count(source *s) {
    uint64_t count = get_u64(s);
    s->good = s->good && count <= s->left;
    return s->good ? count : 0;
}

static const char *const *get_texts(source *s, size_t *ret_count) {
    size_t count = get_count(s);
    const char **texts = HK_NEW_ARRAY(s->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        texts[i] = get_text(s);
    *ret_count = count;
    return texts;
}

static const hk_measured *get_measured(source *s) {
    if (!get_u64(s))
        return NULL;
    hk_measured *m = HK_NEW(s->arena, hk_measured);
    m->name = get_text(s);
    m->unit = get_text(s);
    double numbers[4] = {0};
    get(s, numbers, sizeof numbers);
    m->value = numbers[0], m->min = numbers[1], m->max = numbers[2], m->reference = numbers[3];
    return m;
}

bool hk_result_read(hk_arena *arena, const char *data, size_t size, size_t components,
                    hk_play_run *ret_run, hk_ctx *said) {
    HK_ASSERT(arena && ret_run && said);
    HK_ASSERT(data || !size);
    source s = {arena, data, size, true};
    hk_play_run run = {.scenario = get_text(&s)};
    run.index = (int64_t)get_u64(&s);
    run.status = (hk_status)get_u64(&s);
    run.end_reason = get_text(&s);
    run.seconds_simulated = get_f64(&s);
    run.seconds_taken = get_f64(&s);
    run.rows = get_u64(&s);
    run.bytes = get_u64(&s);
    get(&s, &run.sound, sizeof run.sound);
    run.fused.cells = (size_t)get_u64(&s);
    run.fused.fused = (size_t)get_u64(&s);
    run.fused.runs = get_u64(&s);
    run.fused.attached = get_u64(&s) != 0;
    run.activations = HK_NEW_ARRAY(arena, uint64_t, components + 1);
    get(&s, run.activations, components * sizeof *run.activations);
    run.trace = get_texts(&s, &run.trace_count);
    run.logs = get_texts(&s, &run.log_count);
    run.verdict_count = get_count(&s);
    run.verdicts = HK_NEW_ARRAY(arena, hk_verdict, run.verdict_count + 1);
    for (size_t i = 0; i < run.verdict_count; i++) {
        hk_verdict *v = &run.verdicts[i];
        v->held = get_u64(&s) != 0;
        v->undecided = get_u64(&s) != 0;
        v->idle = get_u64(&s) != 0;
        v->time = get_f64(&s);
        v->words = get_text(&s);
        v->message = get_text(&s);
        v->reason = get_text(&s);
        v->where = get_where(&s);
        v->measured = get_measured(&s);
    }
    size_t diags = get_count(&s);
    for (size_t i = 0; i < diags && s.good; i++) {
        hk_diag d = {.code = (hk_status)get_u64(&s)};
        d.severity = (hk_severity)get_u64(&s);
        d.where = get_where(&s);
        d.text = get_text(&s);
        d.hint = get_text(&s);
        if (s.good && d.text)
            hk_say_again(said, &d);
    }
    *ret_run = run;
    return s.good && s.left == 0;
}
