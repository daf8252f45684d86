/* SPDX-License-Identifier: MIT
 *
 * A run's result as bytes, for the way from a worker to the process that reports it. */
#include "play/play_internal.h"

#include <string.h>

/* ---- writing ---- */

static void put_texts(hk_buffer *b, const char *const *texts, size_t count) {
    hk_buffer_u64(b, count);
    for (size_t i = 0; i < count; i++)
        hk_buffer_text(b, texts[i]);
}

static void put_measured(hk_buffer *b, const hk_measured *m) {
    hk_buffer_u64(b, m != NULL);
    if (!m)
        return;
    hk_buffer_text(b, m->name);
    hk_buffer_text(b, m->unit);
    hk_buffer_put(b, (const double[]){m->value, m->min, m->max, m->reference}, 4 * sizeof(double));
}

static void put_node(hk_buffer *b, const hk_node_about *node) {
    hk_buffer_text(b, node->members);
    put_texts(b, node->components, node->component_count);
    hk_buffer_put(b, &node->did, sizeof node->did);
    hk_buffer_u64(b, node->sent);
}

void hk_result_write(hk_buffer *b, const hk_play_run *run, size_t components, const hk_ctx *said) {
    HK_ASSERT(b && run && said);
    hk_buffer_text(b, run->scenario);
    hk_buffer_u64(b, (uint64_t)run->index);
    hk_buffer_u64(b, (uint64_t)run->status);
    hk_buffer_text(b, run->end_reason);
    hk_buffer_f64(b, run->time);
    hk_buffer_f64(b, run->seconds_simulated);
    hk_buffer_f64(b, run->seconds_played);
    hk_buffer_f64(b, run->seconds_taken);
    hk_buffer_u64(b, run->rows);
    hk_buffer_u64(b, run->bytes);
    hk_buffer_u64(b, run->messages);
    hk_buffer_u64(b, run->node_count);
    for (size_t i = 0; i < run->node_count; i++)
        put_node(b, &run->nodes[i]);
    hk_buffer_put(b, &run->sound, sizeof run->sound);
    hk_buffer_u64(b, run->fused.cells);
    hk_buffer_u64(b, run->fused.fused);
    hk_buffer_u64(b, run->fused.runs);
    hk_buffer_u64(b, run->fused.attached);
    hk_buffer_put(b, run->activations, components * sizeof *run->activations);
    put_texts(b, run->trace, run->trace_count);
    put_texts(b, run->logs, run->log_count);
    hk_buffer_u64(b, run->verdict_count);
    for (size_t i = 0; i < run->verdict_count; i++) {
        const hk_verdict *v = &run->verdicts[i];
        hk_buffer_u64(b, v->held);
        hk_buffer_u64(b, v->undecided);
        hk_buffer_u64(b, v->idle);
        hk_buffer_f64(b, v->time);
        hk_buffer_text(b, v->words);
        hk_buffer_text(b, v->message);
        hk_buffer_text(b, v->reason);
        hk_buffer_where(b, &v->where);
        put_measured(b, v->measured);
    }
    hk_buffer_diags(b, said);
}

/* ---- reading ---- */

static const char *const *get_texts(hk_buffer_source *s, size_t *ret_count) {
    size_t count = hk_source_count(s);
    const char **texts = HK_NEW_ARRAY(s->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        texts[i] = hk_source_text(s);
    *ret_count = count;
    return texts;
}

static const hk_measured *get_measured(hk_buffer_source *s) {
    if (!hk_source_u64(s))
        return NULL;
    hk_measured *m = HK_NEW(s->arena, hk_measured);
    m->name = hk_source_text(s);
    m->unit = hk_source_text(s);
    double numbers[4] = {0};
    hk_source_get(s, numbers, sizeof numbers);
    m->value = numbers[0], m->min = numbers[1], m->max = numbers[2], m->reference = numbers[3];
    return m;
}

static hk_node_about get_node(hk_buffer_source *s) {
    hk_node_about node = {.members = hk_source_text(s)};
    node.components = get_texts(s, &node.component_count);
    hk_source_get(s, &node.did, sizeof node.did);
    node.sent = hk_source_u64(s);
    return node;
}

bool hk_result_read(hk_arena *arena, const char *data, size_t size, size_t components,
                    hk_play_run *ret_run, hk_ctx *said) {
    HK_ASSERT(arena && ret_run && said);
    HK_ASSERT(data || !size);
    hk_buffer_source s = {arena, data, size, true};
    hk_play_run run = {.scenario = hk_source_text(&s)};
    run.index = (int64_t)hk_source_u64(&s);
    run.status = (hk_status)hk_source_u64(&s);
    run.end_reason = hk_source_text(&s);
    run.time = hk_source_f64(&s);
    run.seconds_simulated = hk_source_f64(&s);
    run.seconds_played = hk_source_f64(&s);
    run.seconds_taken = hk_source_f64(&s);
    run.rows = hk_source_u64(&s);
    run.bytes = hk_source_u64(&s);
    run.messages = hk_source_u64(&s);
    run.node_count = hk_source_count(&s);
    run.nodes = HK_NEW_ARRAY(arena, hk_node_about, run.node_count + 1);
    for (size_t i = 0; i < run.node_count; i++)
        run.nodes[i] = get_node(&s);
    hk_source_get(&s, &run.sound, sizeof run.sound);
    run.fused.cells = (size_t)hk_source_u64(&s);
    run.fused.fused = (size_t)hk_source_u64(&s);
    run.fused.runs = hk_source_u64(&s);
    run.fused.attached = hk_source_u64(&s) != 0;
    run.activations = HK_NEW_ARRAY(arena, uint64_t, components + 1);
    hk_source_get(&s, run.activations, components * sizeof *run.activations);
    run.trace = get_texts(&s, &run.trace_count);
    run.logs = get_texts(&s, &run.log_count);
    run.verdict_count = hk_source_count(&s);
    run.verdicts = HK_NEW_ARRAY(arena, hk_verdict, run.verdict_count + 1);
    for (size_t i = 0; i < run.verdict_count; i++) {
        hk_verdict *v = &run.verdicts[i];
        v->held = hk_source_u64(&s) != 0;
        v->undecided = hk_source_u64(&s) != 0;
        v->idle = hk_source_u64(&s) != 0;
        v->time = hk_source_f64(&s);
        v->words = hk_source_text(&s);
        v->message = hk_source_text(&s);
        v->reason = hk_source_text(&s);
        v->where = hk_source_where(&s);
        v->measured = get_measured(&s);
    }
    hk_source_diags(&s, said);
    *ret_run = run;
    return s.good && s.left == 0;
}
