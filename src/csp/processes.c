/* SPDX-License-Identifier: MIT
 *
 * Processes as terms. What a prefix leads to, what comes behind a sequence and what is called are
 * looked at when they are come to; until then a term is an expression with the values of its
 * variables. */
#include "csp/machine.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_INLINE = 48, TERM_NESTING_MAX = 1000, BESIDE_MAX = 4000 };

hk_csp_term_kind hk_csp_term_of(const hk_csp_machine *m, uint32_t term) {
    size_t length;
    return (hk_csp_term_kind)hk_rows_get(&m->terms, term, &length)[0];
}

struct hk_csp_known *hk_csp_known_of(hk_csp_machine *m, uint32_t term) {
    if (term >= m->known_count) {
        size_t was = m->known_count;
        m->known_count = m->terms.count + m->terms.count / 2 + 64;
        m->known = hk_realloc(m->known, m->known_count * sizeof *m->known);
        for (size_t i = was; i < m->known_count; i++)
            m->known[i] = (struct hk_csp_known){HK_CSP_NONE, HK_CSP_NONE, HK_CSP_NONE, 0};
    }
    return &m->known[term];
}

static uint32_t make(hk_csp_machine *m, hk_csp_term_kind kind, const uint32_t *words,
                     size_t count) {
    return hk_rows_put_kind(&m->terms, kind, words, count);
}

/* ---- laws --------------------------------------------------------------------------------------
 */

uint32_t hk_csp_sequence(hk_csp_machine *m, uint32_t left, uint32_t later) {
    if (left == m->skip)
        return hk_csp_force(m, later);
    return make(m, HK_TERM_SEQUENCE, (uint32_t[]){left, later}, 2);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Mostly one of them has changed, and the others are in order already. */
static void sort(uint32_t *kids, size_t count) {
    size_t turned = 0;
    for (size_t i = 1; i < count; i++)
        turned += kids[i - 1] > kids[i];
    if (turned > 2) {
        qsort(kids, count, sizeof *kids, by_number);
        return;
    }
    for (size_t i = 1; turned && i < count; i++) {
        uint32_t kid = kids[i];
        size_t at = i;
        for (; at && kids[at - 1] > kid; at--)
            kids[at] = kids[at - 1];
        kids[at] = kid;
    }
}

static bool is_interleaving(const hk_csp_machine *m, uint32_t term) {
    size_t length;
    const uint32_t *row = hk_rows_get(&m->terms, term, &length);
    return row[0] == HK_TERM_SHARED && row[1] == m->empty;
}

/* Interleavings in an interleaving are one, and SKIP is nothing in it. */
static uint32_t interleave(hk_csp_machine *m, const uint32_t *kids, size_t count) {
    size_t total = 0, length, used = 0;
    for (size_t i = 0; i < count; i++) {
        bool inner = is_interleaving(m, kids[i]);
        hk_rows_get(&m->terms, kids[i], &length);
        total += inner ? length : 1;
    }
    uint32_t few[ROW_INLINE + 1];
    uint32_t *all = total > ROW_INLINE ? hk_alloc((total + 1) * sizeof *all) : few;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *row = hk_rows_get(&m->terms, kids[i], &length);
        if (is_interleaving(m, kids[i]))
            for (size_t k = 2; k < length; k++)
                all[1 + used++] = row[k];
        else if (kids[i] != m->skip)
            all[1 + used++] = kids[i];
    }
    sort(all + 1, used);
    all[0] = m->empty;
    uint32_t term = used == 0   ? m->skip
                    : used == 1 ? all[1]
                                : make(m, HK_TERM_SHARED, all, used + 1);
    if (all != few)
        hk_free(all);
    return term;
}

uint32_t hk_csp_shared(hk_csp_machine *m, uint32_t set, uint32_t *kids, size_t count) {
    if (set == m->empty)
        return interleave(m, kids, count);
    bool ended = true;
    for (size_t i = 0; i < count; i++)
        ended = ended && kids[i] == m->skip;
    if (ended || count == 1)
        return ended ? m->skip : kids[0];
    sort(kids, count); /* it does not matter who is who */
    uint32_t few[ROW_INLINE + 1];
    uint32_t *row = count > ROW_INLINE ? hk_alloc((count + 1) * sizeof *row) : few;
    row[0] = set;
    memcpy(row + 1, kids, count * sizeof *row);
    uint32_t term = make(m, HK_TERM_SHARED, row, count + 1);
    if (row != few)
        hk_free(row);
    return term;
}

uint32_t hk_csp_choice(hk_csp_machine *m, hk_csp_term_kind kind, uint32_t *kids, size_t count) {
    size_t used = 0;
    sort(kids, count);
    for (size_t i = 0; i < count; i++)
        if ((!used || kids[used - 1] != kids[i]) &&
            (kind == HK_TERM_INTERNAL || kids[i] != m->stop))
            kids[used++] = kids[i];
    return used == 0 ? m->stop : used == 1 ? kids[0] : make(m, kind, kids, used);
}

uint32_t hk_csp_alphabets(hk_csp_machine *m, const uint32_t *pairs, size_t count) {
    bool ended = true;
    for (size_t i = 0; i < count; i++)
        ended = ended && pairs[2 * i + 1] == m->skip;
    return ended ? m->skip : make(m, HK_TERM_ALPHABETS, pairs, 2 * count);
}

uint32_t hk_csp_hide(hk_csp_machine *m, uint32_t set, uint32_t kid) {
    size_t length;
    const uint32_t *inner = hk_rows_get(&m->terms, kid, &length);
    bool same = inner[0] == HK_TERM_HIDE && inner[1] == set; /* hidden twice is hidden */
    return kid == m->skip || kid == m->stop || same
               ? kid
               : make(m, HK_TERM_HIDE, (uint32_t[]){set, kid}, 2);
}

/* ---- what is kept for later --------------------------------------------------------------------
 */

static uint32_t keep(hk_csp_machine *m, hk_csp_term_kind kind, const hk_csp_expr *e) {
    uint32_t *row = hk_alloc((e->free_count + 1) * sizeof *row);
    row[0] = e->index;
    for (size_t i = 0; i < e->free_count; i++)
        row[i + 1] = m->bound[e->free[i]];
    uint32_t term = make(m, kind, row, e->free_count + 1);
    hk_free(row);
    return term;
}

const hk_csp_expr *hk_csp_open(hk_csp_machine *m, uint32_t term, uint32_t *saved) {
    size_t length;
    const uint32_t *row = hk_rows_get(&m->terms, term, &length);
    const hk_csp_expr *e = m->script->exprs[row[1]];
    for (size_t i = 0; i < e->free_count; i++) {
        saved[i] = m->bound[e->free[i]];
        m->bound[e->free[i]] = row[i + 2];
    }
    return e;
}

void hk_csp_restore(hk_csp_machine *m, const hk_csp_expr *e, const uint32_t *saved) {
    for (size_t i = 0; i < e->free_count; i++)
        m->bound[e->free[i]] = saved[i];
}

static size_t free_count_of(const hk_csp_machine *m, uint32_t term) {
    size_t length;
    const uint32_t *row = hk_rows_get(&m->terms, term, &length);
    return m->script->exprs[row[1]]->free_count;
}

/* A process that calls itself before anything has happened goes on for ever without being seen; if
 * more and more of it would be there at once, it means nothing. */
static uint32_t turns(hk_csp_machine *m, uint32_t term) {
    size_t length;
    const uint32_t *row = hk_rows_get(&m->terms, term, &length);
    if (hk_csp_known_of(m, term)->inner == m->inner)
        return m->diverges;
    hk_csp_wrong(m, m->script->exprs[row[1]],
                 "this process calls itself, beside others, before anything has happened");
    return m->stop;
}

uint32_t hk_csp_force(hk_csp_machine *m, uint32_t term) {
    if (m->status != HK_OK || hk_csp_term_of(m, term) != HK_TERM_LATER)
        return term;
    struct hk_csp_known *known = hk_csp_known_of(m, term);
    if (known->forced != HK_CSP_NONE)
        return known->forced;
    if (known->inner != HK_CSP_NONE)
        return turns(m, term);
    if (m->nesting >= TERM_NESTING_MAX) {
        hk_csp_wrong(m, NULL, "a process calls itself too often before anything has happened");
        return m->stop;
    }
    known->inner = m->inner;
    m->nesting++;
    uint32_t *saved = hk_alloc((free_count_of(m, term) + 1) * sizeof *saved);
    const hk_csp_expr *e = hk_csp_open(m, term, saved);
    uint32_t found = hk_csp_force(m, hk_csp_process(m, e));
    hk_csp_restore(m, e, saved);
    hk_free(saved);
    m->nesting--;
    known = hk_csp_known_of(m, term);
    known->inner = HK_CSP_NONE;
    known->forced = found;
    return found;
}

/* ---- expressions -------------------------------------------------------------------------------
 */

typedef struct gathered {
    const hk_csp_expr *e;
    uint32_t *all; /* terms; of alphabets: sets and terms */
    size_t count, cap;
} gathered;

/* A part of a process that is there at once. */
static uint32_t inner_process(hk_csp_machine *m, const hk_csp_expr *e) {
    m->inner++;
    uint32_t term = hk_csp_force(m, hk_csp_process(m, e));
    m->inner--;
    return term;
}

static bool visit_kid(hk_csp_machine *m, void *user) {
    gathered *g = user;
    if (g->e->number == HK_CSP_ALPHABETS)
        HK_PUSH(g->all, g->count, g->cap, hk_csp_evaluate_set(m, g->e->kids[1]));
    uint32_t kid = g->e->number == HK_CSP_INTERNAL ? hk_csp_process(m, g->e->kids[0])
                                                   : inner_process(m, g->e->kids[0]);
    HK_PUSH(g->all, g->count, g->cap, kid);
    return m->status == HK_OK;
}

static uint32_t join(hk_csp_machine *m, hk_csp_kind kind, uint32_t set, gathered *g) {
    uint32_t term;
    if (g->count > BESIDE_MAX)
        hk_csp_wrong(m, g->e, "more than %d processes beside each other", BESIDE_MAX);
    if (m->status != HK_OK)
        term = m->stop;
    else if (kind == HK_CSP_EXTERNAL || kind == HK_CSP_INTERNAL)
        term = hk_csp_choice(m, kind == HK_CSP_EXTERNAL ? HK_TERM_EXTERNAL : HK_TERM_INTERNAL,
                             g->all, g->count);
    else if (kind == HK_CSP_ALPHABETS)
        term = hk_csp_alphabets(m, g->all, g->count / 2);
    else
        term = g->count ? hk_csp_shared(m, set, g->all, g->count) : m->skip;
    hk_free(g->all);
    return term;
}

static uint32_t replicated(hk_csp_machine *m, const hk_csp_expr *e) {
    gathered g = {.e = e};
    uint32_t set = e->number == HK_CSP_SHARED ? hk_csp_evaluate_set(m, e->kids[1]) : m->empty;
    hk_csp_for_ranges(m, e, 0, visit_kid, &g);
    if (m->status == HK_OK && e->number == HK_CSP_INTERNAL && !g.count)
        hk_csp_wrong(m, e, "there is nothing to choose from");
    return join(m, (hk_csp_kind)e->number, set, &g);
}

static uint32_t row(hk_csp_machine *m, const hk_csp_expr *e) {
    gathered g = {.e = e};
    for (size_t i = 0; i < e->kid_count; i++) {
        uint32_t kid = e->kind == HK_CSP_INTERNAL ? hk_csp_process(m, e->kids[i])
                                                  : inner_process(m, e->kids[i]);
        HK_PUSH(g.all, g.count, g.cap, kid);
    }
    return join(m, e->kind, m->empty, &g);
}

static uint32_t parallel(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t set = hk_csp_evaluate_set(m, e->kids[0]);
    uint32_t left = inner_process(m, e->kids[1]);
    if (e->kind == HK_CSP_SHARED) {
        uint32_t kids[2] = {left, inner_process(m, e->kids[2])};
        return m->status == HK_OK ? hk_csp_shared(m, set, kids, 2) : m->stop;
    }
    uint32_t pairs[4] = {set, left, hk_csp_evaluate_set(m, e->kids[2])};
    pairs[3] = inner_process(m, e->kids[3]);
    return m->status == HK_OK ? hk_csp_alphabets(m, pairs, 2) : m->stop;
}

static uint32_t for_later(hk_csp_machine *m, const hk_csp_expr *body) {
    return keep(m, HK_TERM_LATER, body);
}

static uint32_t conditional(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t truth = hk_csp_evaluate(m, e->kids[0]);
    size_t count;
    if (m->status == HK_OK && hk_csp_kind_of(m, truth) != HK_VALUE_TRUTH)
        hk_csp_wrong(m, e->kids[0], "this is to be a truth");
    if (m->status != HK_OK)
        return m->stop;
    return hk_csp_process(m, e->kids[hk_csp_words(m, truth, &count)[0] ? 1 : 2]);
}

uint32_t hk_csp_process(hk_csp_machine *m, const hk_csp_expr *e) {
    if (!hk_csp_work(m, e))
        return m->stop;
    switch (e->kind) {
    case HK_CSP_SKIP:
        return m->skip;
    case HK_CSP_STOP:
        return m->stop;
    case HK_CSP_PREFIX:
        return keep(m, HK_TERM_PREFIX, e);
    case HK_CSP_SEQUENCE: {
        uint32_t left = inner_process(m, e->kids[0]);
        return hk_csp_sequence(m, left, keep(m, HK_TERM_LATER, e->kids[1]));
    }
    case HK_CSP_EXTERNAL:
    case HK_CSP_INTERNAL:
    case HK_CSP_INTERLEAVE:
        return row(m, e);
    case HK_CSP_SHARED:
    case HK_CSP_ALPHABETS:
        return parallel(m, e);
    case HK_CSP_HIDE: {
        uint32_t kid = inner_process(m, e->kids[0]), set = hk_csp_evaluate_set(m, e->kids[1]);
        return hk_csp_hide(m, set, kid);
    }
    case HK_CSP_REPLICATED:
        return replicated(m, e);
    case HK_CSP_CALL:
        return hk_csp_call(m, e, for_later);
    case HK_CSP_IF:
        return conditional(m, e);
    case HK_CSP_LET:
        return hk_csp_process(m, e->kids[0]);
    default:
        hk_csp_wrong(m, e, "this is a value, and is to be a process");
        return m->stop;
    }
}
