/* SPDX-License-Identifier: MIT
 *
 * Lines come in the order of the calls of one node; here they get their numbers, and those of
 * their phases (engine/trace.c). */
#include "nodes/merge_trace.h"

#include "engine/away.h"

#include <stdlib.h>

typedef struct merging {
    const hk_trace_sink *to;
    hk_trace_place next;
    bool begun; /* a phase after initialization has lines */
    bool gap;   /* calls were left out since the last line */
    hk_blob out;
} merging;

/* Start values, initial values and first gets are a phase each, also if there are none. */
static uint64_t initial_phase(unsigned stage) {
    enum { START, EXCHANGE, FIRST };
    return stage - 1 < HK_STAGE_GIVEN ? START : stage - 1 < HK_STAGE_READ ? EXCHANGE : FIRST;
}

enum { INITIAL_PHASES = 3 };

/* The calls that were left out are numbered, and so is each of their phases, once for all nodes. */
static void skip(merging *m, const hk_node_line *line) {
    char *rest = NULL;
    uint64_t calls = strtoull(line->text, &rest, 10);
    m->next.number += calls + (line->node == 0 ? strtoull(rest, NULL, 10) : 0);
}

static void take_line(void *user, const hk_node_line *line) {
    merging *m = user;
    if (line->kind != HK_TRACED_CALL) {
        skip(m, line);
        m->gap = true;
        return;
    }
    if (line->stage)
        m->next.phase = initial_phase(line->stage);
    else if (!m->begun)
        m->next.phase = INITIAL_PHASES;
    else
        m->next.phase += !line->same_phase || m->gap;
    m->gap = false;
    m->begun = !line->stage;
    hk_trace_compose(&m->out, line->text, line->size, m->next);
    m->next.number++;
    m->to->write(m->to->user, m->out.data, m->out.size);
    m->out.size = 0;
}

static hk_moment before_phase(const hk_moment *moment) {
    hk_moment end = HK_MOMENT_AFTER;
    end.tick = moment->level ? moment->tick : moment->tick - 1;
    end.level = moment->level ? moment->level - 1 : end.level;
    return end;
}

void hk_trace_merge(hk_lines *lines, const hk_moment *until, bool crashed,
                    const hk_trace_sink *to) {
    HK_ASSERT(lines && until && to);
    merging m = {.to = to};
    hk_moment before = crashed ? before_phase(until) : *until;
    hk_lines_each(lines, &before, take_line, &m);
    hk_free(m.out.data);
}
