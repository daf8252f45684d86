/* SPDX-License-Identifier: MIT
 *
 * The operational semantics: what a process can do next, and what it is then. Processes beside each
 * other end together. */
#include "csp/machine.h"

#include <string.h>

enum { KIDS_INLINE = 48 };

typedef struct found {
    hk_csp_step *all;
    size_t count, cap;
} found;

static void add(found *f, uint32_t event, uint32_t to) {
    hk_csp_step step = {event, to};
    HK_PUSH(f->all, f->count, f->cap, step);
}

/* A copy of the row of a term, since rows move. */
static uint32_t *row_of(const hk_csp_machine *m, uint32_t term, size_t *ret_length) {
    const uint32_t *row = hk_rows_get(&m->terms, term, ret_length);
    uint32_t *copy = hk_alloc((*ret_length + 1) * sizeof *copy);
    memcpy(copy, row, *ret_length * sizeof *copy);
    return copy;
}

/* The NTH step of a term whose steps are known. */
static hk_csp_step step_at(const hk_csp_machine *m, uint32_t term, size_t nth) {
    return m->steps[m->known[term].first + nth];
}

static size_t count_of(hk_csp_machine *m, uint32_t term) {
    size_t count;
    hk_csp_steps(m, term, &count);
    return count;
}

/* ---- prefixes ----------------------------------------------------------------------------------
 */

typedef struct event_maker {
    const hk_csp_expr *e;
    uint32_t *words; /* channel and fields so far */
    size_t count;
    found *to;
} event_maker;

static void fill(hk_csp_machine *m, event_maker *k, size_t field);

static void check_field(hk_csp_machine *m, const event_maker *k, const hk_csp_expr *at,
                        uint32_t value) {
    const hk_csp_channel *c = &m->script->channels[k->words[0]];
    if (k->count > c->type_count)
        hk_csp_wrong(m, k->e, "'%s' has %zu field%s, and more are given", c->name, c->type_count,
                     c->type_count == 1 ? "" : "s");
    else if (!hk_csp_has(m, hk_csp_field_set(m, k->words[0], k->count - 1), value))
        hk_csp_wrong(m, at ? at : k->e, "field %zu of '%s' cannot be %s", k->count, c->name,
                     hk_csp_value_text(m->script->arena, m, value));
}

static void read_field(hk_csp_machine *m, event_maker *k, size_t field) {
    const hk_csp_field *f = &k->e->fields[field];
    const hk_csp_channel *c = &m->script->channels[k->words[0]];
    if (k->count > c->type_count) {
        check_field(m, k, NULL, 0);
        return;
    }
    uint32_t set = f->among ? hk_csp_evaluate_set(m, f->among)
                            : hk_csp_field_set(m, k->words[0], k->count - 1);
    if (m->status != HK_OK)
        return;
    size_t count, at = k->count++;
    hk_csp_words(m, set, &count);
    for (size_t i = 0; i < count && m->status == HK_OK; i++) {
        size_t again;
        uint32_t value = hk_csp_words(m, set, &again)[i];
        if (!hk_csp_has(m, hk_csp_field_set(m, k->words[0], at - 1), value) ||
            !hk_csp_match(m, f->pattern, value))
            continue;
        k->words[at] = value;
        fill(m, k, field + 1);
    }
    k->count = at;
}

static void fill(hk_csp_machine *m, event_maker *k, size_t field) {
    if (m->status != HK_OK)
        return;
    if (field == k->e->field_count) {
        const hk_csp_channel *c = &m->script->channels[k->words[0]];
        if (k->count != c->type_count + 1) {
            hk_csp_wrong(m, k->e, "'%s' has %zu fields, and %zu are given", c->name, c->type_count,
                         k->count - 1);
            return;
        }
        uint32_t event = hk_csp_make(m, HK_VALUE_EVENT, k->words, k->count);
        uint32_t to = hk_csp_force(m, hk_csp_process(m, k->e->kids[0]));
        add(k->to, event, to);
        return;
    }
    const hk_csp_field *f = &k->e->fields[field];
    if (!f->given) {
        read_field(m, k, field);
        return;
    }
    uint32_t value = hk_csp_evaluate(m, f->given);
    if (m->status == HK_OK)
        check_field(m, k, f->given, value);
    if (m->status != HK_OK)
        return;
    k->words[k->count++] = value;
    fill(m, k, field + 1);
    k->count--;
}

static void prefix_steps(hk_csp_machine *m, uint32_t term, found *to) {
    size_t length;
    hk_rows_get(&m->terms, term, &length);
    uint32_t *saved = hk_alloc((length + 1) * sizeof *saved);
    const hk_csp_expr *e = hk_csp_open(m, term, saved);
    uint32_t first = hk_csp_evaluate(m, e->fields[0].given);
    if (m->status == HK_OK && hk_csp_kind_of(m, first) != HK_VALUE_EVENT)
        hk_csp_wrong(m, e->fields[0].given, "this is to be an event");
    if (m->status == HK_OK) {
        size_t count;
        const uint32_t *words = hk_csp_words(m, first, &count);
        size_t room = m->script->channels[words[0]].type_count + e->field_count + count + 1;
        event_maker k = {
            .e = e, .words = hk_alloc(room * sizeof *k.words), .count = count, .to = to};
        memcpy(k.words, words, count * sizeof *words);
        fill(m, &k, 1);
        hk_free(k.words);
    }
    hk_csp_restore(m, e, saved);
    hk_free(saved);
}

/* ---- one process -------------------------------------------------------------------------------
 */

static void sequence_steps(hk_csp_machine *m, const uint32_t *row, found *to) {
    size_t count = count_of(m, row[1]);
    for (size_t i = 0; i < count && m->status == HK_OK; i++) {
        hk_csp_step s = step_at(m, row[1], i);
        if (s.event == HK_CSP_TICK)
            add(to, HK_CSP_TAU, hk_csp_force(m, row[2]));
        else
            add(to, s.event, hk_csp_sequence(m, s.to, row[2]));
    }
}

static void hide_steps(hk_csp_machine *m, const uint32_t *row, found *to) {
    size_t count = count_of(m, row[2]);
    for (size_t i = 0; i < count; i++) {
        hk_csp_step s = step_at(m, row[2], i);
        if (s.event == HK_CSP_TICK)
            add(to, HK_CSP_TICK, m->omega);
        else
            add(to, hk_csp_has(m, row[1], s.event) ? HK_CSP_TAU : s.event,
                hk_csp_hide(m, row[1], s.to));
    }
}

/* What is seen decides an external choice. */
static void external_steps(hk_csp_machine *m, uint32_t *row, size_t length, found *to) {
    uint32_t *kids = hk_alloc(length * sizeof *kids);
    for (size_t k = 1; k < length && m->status == HK_OK; k++) {
        size_t count = count_of(m, row[k]);
        for (size_t i = 0; i < count; i++) {
            hk_csp_step s = step_at(m, row[k], i);
            uint32_t then = s.to;
            if (s.event == HK_CSP_TAU) {
                memcpy(kids, row + 1, (length - 1) * sizeof *kids);
                kids[k - 1] = s.to;
                then = hk_csp_choice(m, HK_TERM_EXTERNAL, kids, length - 1);
            }
            add(to, s.event, then);
        }
    }
    hk_free(kids);
}

static void internal_steps(hk_csp_machine *m, const uint32_t *row, size_t length, found *to) {
    for (size_t k = 1; k < length; k++)
        add(to, HK_CSP_TAU, hk_csp_force(m, row[k]));
}

/* ---- processes beside each other ---------------------------------------------------------------
 */

typedef struct beside {
    uint32_t set;         /* SHARED */
    bool alphabets;       /* else all share the set */
    const uint32_t *sets; /* alphabets: per kid */
    uint32_t *kids, *then;
    size_t count;
    found *to;
} beside;

static void put(hk_csp_machine *m, const beside *b, uint32_t event) {
    uint32_t few[2 * KIDS_INLINE];
    uint32_t *copy = b->count > KIDS_INLINE ? hk_alloc(2 * b->count * sizeof *copy) : few;
    uint32_t term;
    if (b->alphabets) {
        for (size_t i = 0; i < b->count; i++) {
            copy[2 * i] = b->sets[i];
            copy[2 * i + 1] = b->then[i];
        }
        term = hk_csp_alphabets(m, copy, b->count);
    } else {
        memcpy(copy, b->then, b->count * sizeof *copy);
        term = hk_csp_shared(m, b->set, copy, b->count);
    }
    add(b->to, event, term);
    if (copy != few)
        hk_free(copy);
}

static bool takes_part(hk_csp_machine *m, const beside *b, size_t kid, uint32_t event) {
    return !b->alphabets || hk_csp_has(m, b->sets[kid], event);
}

/* All from KID on that take part do EVENT, in every way they can. */
static void together(hk_csp_machine *m, beside *b, size_t kid, uint32_t event) {
    while (kid < b->count && !takes_part(m, b, kid, event)) {
        b->then[kid] = b->kids[kid];
        kid++;
    }
    if (kid == b->count) {
        put(m, b, event);
        return;
    }
    size_t count = count_of(m, b->kids[kid]);
    for (size_t i = 0; i < count; i++) {
        hk_csp_step s = step_at(m, b->kids[kid], i);
        if (s.event != event)
            continue;
        b->then[kid] = s.to;
        together(m, b, kid + 1, event);
    }
}

/* Whether KID is the first that takes part, so that what all do together is found once. */
static bool is_first(hk_csp_machine *m, const beside *b, size_t kid, uint32_t event) {
    for (size_t i = 0; i < kid; i++)
        if (takes_part(m, b, i, event))
            return false;
    return true;
}

static bool can_end(hk_csp_machine *m, uint32_t term) {
    size_t count = count_of(m, term);
    for (size_t i = 0; i < count; i++)
        if (step_at(m, term, i).event == HK_CSP_TICK)
            return true;
    return false;
}

/* Is the event the same as that of a step before? Then all ways were found with it. */
static bool seen_before(hk_csp_machine *m, uint32_t term, size_t nth) {
    uint32_t event = step_at(m, term, nth).event;
    for (size_t i = 0; i < nth; i++)
        if (step_at(m, term, i).event == event)
            return true;
    return false;
}

static void beside_steps(hk_csp_machine *m, beside *b) {
    bool end = true;
    for (size_t k = 0; k < b->count && m->status == HK_OK; k++) {
        size_t count = count_of(m, b->kids[k]);
        end = end && can_end(m, b->kids[k]);
        for (size_t i = 0; i < count && m->status == HK_OK; i++) {
            hk_csp_step s = step_at(m, b->kids[k], i);
            bool joint = s.event > HK_CSP_TICK && (b->alphabets ? takes_part(m, b, k, s.event)
                                                                : hk_csp_has(m, b->set, s.event));
            bool alone =
                s.event == HK_CSP_TAU || (s.event != HK_CSP_TICK && !b->alphabets && !joint);
            if (alone) {
                memcpy(b->then, b->kids, b->count * sizeof *b->then);
                b->then[k] = s.to;
                put(m, b, s.event);
            } else if (joint && is_first(m, b, k, s.event) && !seen_before(m, b->kids[k], i)) {
                memcpy(b->then, b->kids, b->count * sizeof *b->then);
                together(m, b, k, s.event);
            }
        }
    }
    if (end && m->status == HK_OK)
        add(b->to, HK_CSP_TICK, m->omega);
}

static void parallel_steps(hk_csp_machine *m, const uint32_t *row, size_t length, found *to) {
    bool alphabets = row[0] == HK_TERM_ALPHABETS;
    size_t count = alphabets ? (length - 1) / 2 : length - 2;
    uint32_t *words = hk_alloc(3 * (count + 1) * sizeof *words);
    beside b = {.set = alphabets ? 0 : row[1],
                .alphabets = alphabets,
                .sets = words,
                .kids = words + count,
                .then = words + 2 * count,
                .count = count,
                .to = to};
    for (size_t i = 0; i < count; i++) {
        words[i] = alphabets ? row[1 + 2 * i] : 0;
        b.kids[i] = alphabets ? row[2 + 2 * i] : row[2 + i];
    }
    beside_steps(m, &b);
    hk_free(words);
}

/* ---- all of them -------------------------------------------------------------------------------
 */

static void find_steps(hk_csp_machine *m, uint32_t term, found *to) {
    size_t length;
    uint32_t *row = row_of(m, term, &length);
    switch ((hk_csp_term_kind)row[0]) {
    case HK_TERM_STOP:
    case HK_TERM_OMEGA:
        break;
    case HK_TERM_SKIP:
        add(to, HK_CSP_TICK, m->omega);
        break;
    case HK_TERM_DIVERGES:
        add(to, HK_CSP_TAU, term);
        break;
    case HK_TERM_LATER:
        HK_ASSERT(m->status != HK_OK);
        break;
    case HK_TERM_PREFIX:
        prefix_steps(m, term, to);
        break;
    case HK_TERM_SEQUENCE:
        sequence_steps(m, row, to);
        break;
    case HK_TERM_EXTERNAL:
        external_steps(m, row, length, to);
        break;
    case HK_TERM_INTERNAL:
        internal_steps(m, row, length, to);
        break;
    case HK_TERM_SHARED:
    case HK_TERM_ALPHABETS:
        parallel_steps(m, row, length, to);
        break;
    case HK_TERM_HIDE:
        hide_steps(m, row, to);
        break;
    }
    hk_free(row);
}

const hk_csp_step *hk_csp_steps(hk_csp_machine *m, uint32_t term, size_t *ret_count) {
    struct hk_csp_known *known = hk_csp_known_of(m, term);
    if (known->count == HK_CSP_NONE) {
        found f = {0};
        find_steps(m, term, &f);
        known = hk_csp_known_of(m, term);
        known->first = m->step_count;
        known->count = (uint32_t)f.count;
        for (size_t i = 0; i < f.count; i++)
            HK_PUSH(m->steps, m->step_count, m->step_cap, f.all[i]);
        hk_free(f.all);
    }
    *ret_count = known->count;
    return m->steps ? m->steps + known->first : NULL;
}
