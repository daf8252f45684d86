/* SPDX-License-Identifier: MIT
 *
 * A run's result as bytes, for the way from a worker to the process that reports it. */
#include "play/play_internal.h"

#include <string.h>

#define RUN(member) HK_BUFFER_FIELD(hk_play_run, member)
static const hk_buffer_field run_fields[] = {
    RUN(scenario),       RUN(index),         RUN(status),
    RUN(end_reason),     RUN(time),          RUN(seconds_simulated),
    RUN(seconds_played), RUN(seconds_taken), RUN(rows),
    RUN(bytes),          RUN(messages),      RUN(fused.cells),
    RUN(fused.fused),    RUN(fused.runs),    RUN(fused.attached)};

#define VERDICT(member) HK_BUFFER_FIELD(hk_verdict, member)
static const hk_buffer_field verdict_fields[] = {
    VERDICT(held),  VERDICT(undecided), VERDICT(idle),   VERDICT(time),
    VERDICT(words), VERDICT(message),   VERDICT(reason), VERDICT(where)};

#define MEASURED(member) HK_BUFFER_FIELD(hk_measured, member)
static const hk_buffer_field measured_fields[] = {MEASURED(name),  MEASURED(unit),
                                                  MEASURED(value), MEASURED(min),
                                                  MEASURED(max),   MEASURED(reference)};

/* ---- writing ---- */

static void put_texts(hk_buffer *b, const char *const *texts, size_t count) {
    hk_buffer_u64(b, count);
    for (size_t i = 0; i < count; i++)
        hk_buffer_text(b, texts[i]);
}

static void put_measured(hk_buffer *b, const hk_measured *m) {
    hk_buffer_u64(b, m != NULL);
    if (m)
        hk_buffer_struct(b, HK_BUFFER_FIELDS(measured_fields), m);
}

static void put_node(hk_buffer *b, const hk_node_about *node) {
    hk_buffer_text(b, node->members);
    put_texts(b, node->components, node->component_count);
    hk_buffer_put(b, &node->did, sizeof node->did);
    hk_buffer_u64(b, node->sent);
}

void hk_result_write(hk_buffer *b, const hk_play_run *run, size_t components, const hk_ctx *said) {
    HK_ASSERT(b && run && said);
    hk_buffer_struct(b, HK_BUFFER_FIELDS(run_fields), run);
    hk_buffer_u64(b, run->node_count);
    for (size_t i = 0; i < run->node_count; i++)
        put_node(b, &run->nodes[i]);
    hk_buffer_put(b, &run->sound, sizeof run->sound);
    hk_buffer_put(b, run->activations, components * sizeof *run->activations);
    put_texts(b, run->trace, run->trace_count);
    put_texts(b, run->logs, run->log_count);
    hk_buffer_u64(b, run->verdict_count);
    for (size_t i = 0; i < run->verdict_count; i++) {
        hk_buffer_struct(b, HK_BUFFER_FIELDS(verdict_fields), &run->verdicts[i]);
        put_measured(b, run->verdicts[i].measured);
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
    hk_source_struct(s, HK_BUFFER_FIELDS(measured_fields), m);
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
    hk_play_run run = {0};
    hk_source_struct(&s, HK_BUFFER_FIELDS(run_fields), &run);
    run.node_count = hk_source_count(&s);
    run.nodes = HK_NEW_ARRAY(arena, hk_node_about, run.node_count + 1);
    for (size_t i = 0; i < run.node_count; i++)
        run.nodes[i] = get_node(&s);
    hk_source_get(&s, &run.sound, sizeof run.sound);
    run.activations = HK_NEW_ARRAY(arena, uint64_t, components + 1);
    hk_source_get(&s, run.activations, components * sizeof *run.activations);
    run.trace = get_texts(&s, &run.trace_count);
    run.logs = get_texts(&s, &run.log_count);
    run.verdict_count = hk_source_count(&s);
    run.verdicts = HK_NEW_ARRAY(arena, hk_verdict, run.verdict_count + 1);
    for (size_t i = 0; i < run.verdict_count; i++) {
        hk_source_struct(&s, HK_BUFFER_FIELDS(verdict_fields), &run.verdicts[i]);
        run.verdicts[i].measured = get_measured(&s);
    }
    hk_source_diags(&s, said);
    *ret_run = run;
    return s.good && s.left == 0;
}
