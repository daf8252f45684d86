/* SPDX-License-Identifier: MIT
 *
 * The verdict on a small master by trying all of its runs, written from the text of the
 * specification and not from its automaton: how often each call was made says whether it may be
 * made again. And the verdict of the trace checker on those runs of a partial order that show all
 * of its mistakes: each call in turn is held back for as long as others can go on. */
#ifndef HK_TEST_SOUND_BRUTE_H
#define HK_TEST_SOUND_BRUTE_H

#include "sound_rig.h"

enum { BRUTE_CALLS = 24, BRUTE_ROUNDS = 3, BRUTE_STATES = 1 << 18 };

/* How often each thing was done. */
typedef struct brute_seen {
    uint8_t made[BRUTE_CALLS]; /* calls of the step of the master */
    uint8_t ports[32], steps[8], sizes[8];
    uint32_t parameters[8]; /* bits */
} brute_seen;

typedef struct brute {
    const hk_sound_system *s;
    const hk_sound_master *m;
    brute_seen *known;
    uint32_t *table;
    size_t count;
    hk_sound_call path[BRUTE_CALLS * BRUTE_ROUNDS + 64]; /* the run that was wrong */
    size_t length;
    bool too_large;
} brute;

static inline int brute_sets(const hk_sound_system *s, const brute_seen *n, uint32_t p) {
    return n->ports[p] - (s->ports[p].initial ? 1 : 0);
}

static inline bool brute_settled(const hk_sound_system *s, const brute_seen *n) {
    for (uint32_t i = 0; i < s->instance_count; i++)
        if (n->parameters[i] != (1u << s->instances[i].parameters) - 1)
            return false;
    for (uint32_t p = 0; p < s->port_count; p++)
        if (!s->ports[p].is_output && s->ports[p].initial && !n->ports[p])
            return false;
    return true;
}

/* Everything of a kind was done so many times. */
static inline bool brute_all(const hk_sound_system *s, const brute_seen *n, hk_sound_op op,
                             int times) {
    for (uint32_t i = 0; op == HK_OP_STEP && i < s->instance_count; i++)
        if (n->steps[i] != times)
            return false;
    for (uint32_t p = 0; op != HK_OP_STEP && p < s->port_count; p++)
        if (s->ports[p].is_output == (op == HK_OP_GET) &&
            (op == HK_OP_GET ? n->ports[p] : brute_sets(s, n, p)) != times)
            return false;
    return true;
}

static inline bool brute_may_step(const hk_sound_system *s, const brute_seen *n,
                                  const hk_sound_call *c) {
    int k = n->steps[c->instance], size = c->has_value ? (int)c->value : 1;
    if (size <= 0 || (c->stale && k > 0) || !brute_settled(s, n) ||
        !brute_all(s, n, HK_OP_SET, k + 1) || !brute_all(s, n, HK_OP_GET, k + 1))
        return false;
    for (uint32_t i = 0; i < s->instance_count; i++)
        if (n->steps[i] < k || (n->steps[i] == k + 1 && n->sizes[i] != size))
            return false;
    return true;
}

/* The call may be made now. */
static inline bool brute_may(const hk_sound_system *s, const brute_seen *n,
                             const hk_sound_call *c) {
    if (c->op == HK_OP_STEP)
        return brute_may_step(s, n, c);
    if (c->op == HK_OP_PARAMETER)
        return c->port < s->instances[c->instance].parameters &&
               !(n->parameters[c->instance] >> c->port & 1);
    const hk_sound_port *port = &s->ports[c->port];
    if (c->op == HK_OP_SET && port->initial && !n->ports[c->port])
        return true;
    if (!brute_settled(s, n))
        return false;
    int k = c->op == HK_OP_GET ? n->ports[c->port] : brute_sets(s, n, c->port);
    if (c->op == HK_OP_GET)
        return brute_all(s, n, HK_OP_STEP, k) && brute_all(s, n, HK_OP_SET, k);
    bool routed = port->source == HK_MAP_NONE ||
                  (!c->stale && (!c->carries || c->carries - 1 == port->source));
    return routed && brute_all(s, n, HK_OP_STEP, k) && brute_all(s, n, HK_OP_GET, k + 1);
}

static inline void brute_make(brute_seen *n, const hk_sound_call *c) {
    if (c->op == HK_OP_STEP) {
        n->steps[c->instance]++;
        n->sizes[c->instance] = c->has_value ? (uint8_t)c->value : 1;
    } else if (c->op == HK_OP_PARAMETER) {
        n->parameters[c->instance] |= 1u << c->port;
    } else {
        n->ports[c->port]++;
    }
}

/* Nothing that the order asks for is missing before the next time that the call is made. */
static inline bool brute_ready(const hk_sound_master *m, const uint8_t *made, uint32_t call) {
    uint8_t round = made[call];
    if (!m->before)
        return call ? made[call - 1] > round : made[m->step_count - 1] >= round;
    for (size_t k = 0; k < m->before_count[call]; k++)
        if (made[m->before[call][k]] <= round)
            return false;
    for (uint32_t x = 0; !m->before_last && x < m->step_count; x++)
        if (made[x] < round)
            return false;
    for (size_t k = 0; m->before_last && k < m->before_last_count[call]; k++)
        if (made[m->before_last[call][k]] < round)
            return false;
    return true;
}

static inline bool brute_is_new(brute *b, const brute_seen *n) {
    size_t h = hk_hash(HK_HASH_SEED, n, sizeof *n) % (2 * BRUTE_STATES);
    for (; b->table[h]; h = (h + 1) % (2 * BRUTE_STATES))
        if (memcmp(&b->known[b->table[h] - 1], n, sizeof *n) == 0)
            return false;
    if (b->count == BRUTE_STATES) {
        b->too_large = true;
        return false;
    }
    b->known[b->count] = *n;
    b->table[h] = (uint32_t)++b->count;
    return true;
}

static inline bool brute_go(brute *b, const brute_seen *n) {
    for (uint32_t i = 0; i < b->m->step_count; i++) {
        if (n->made[i] == BRUTE_ROUNDS || !brute_ready(b->m, n->made, i))
            continue;
        b->path[b->length++] = b->m->step[i];
        brute_seen next = *n;
        next.made[i]++;
        brute_make(&next, &b->m->step[i]);
        if (!brute_may(b->s, n, &b->m->step[i]) || (brute_is_new(b, &next) && !brute_go(b, &next)))
            return false;
        b->length--;
    }
    return true;
}

/* All runs of the master are right. If not, RET_RUN is one that is wrong at its end. The result is
 * negative if there are too many. */
static inline int brute_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                                hk_sound_call **ret_run, size_t *ret_length) {
    brute *b = hk_alloc(sizeof *b);
    *b = (brute){.s = s, .m = m};
    b->known = hk_alloc(BRUTE_STATES * sizeof *b->known);
    b->table = hk_alloc(2 * BRUTE_STATES * sizeof *b->table);
    brute_seen n = {0};
    bool fine = m->step_count > 0;
    for (size_t i = 0; i < m->init_count && fine; i++) {
        b->path[b->length++] = m->init[i];
        fine = brute_may(s, &n, &m->init[i]);
        brute_make(&n, &m->init[i]);
    }
    fine = fine && brute_go(b, &n);
    *ret_run = HK_NEW_ARRAY(arena, hk_sound_call, b->length);
    memcpy(*ret_run, b->path, b->length * sizeof **ret_run);
    *ret_length = b->length;
    int result = fine ? (b->too_large ? -1 : 1) : 0;
    hk_free(b->known);
    hk_free(b->table);
    hk_free(b);
    return result;
}

/* Some rounds of a partial order in which one call is made as late as it can be. */
static inline size_t sound_hold_back(const hk_sound_master *m, uint32_t held, uint8_t round,
                                     hk_sound_call *run) {
    uint8_t *made = hk_alloc(m->step_count);
    size_t count = 0;
    for (bool moved = true; moved;) {
        uint32_t next = HK_MAP_NONE;
        bool late = false;
        for (uint32_t i = 0; i < m->step_count; i++) {
            bool back = i == held && made[i] == round;
            if (made[i] < BRUTE_ROUNDS && brute_ready(m, made, i) &&
                (next == HK_MAP_NONE || (late && !back))) {
                next = i;
                late = back;
            }
        }
        moved = next != HK_MAP_NONE;
        if (moved) {
            made[next]++;
            run[count++] = m->step[next];
        }
    }
    hk_free(made);
    return count;
}

/* What the trace checker says to all of these. */
static inline bool sound_orders_accepted(hk_arena *arena, const hk_sound_system *s,
                                         const hk_sound_master *m) {
    size_t most = m->init_count + BRUTE_ROUNDS * m->step_count;
    for (uint32_t held = 0; held < m->step_count; held++)
        for (uint8_t round = 0; round < 2; round++) {
            hk_sound_call *run = HK_NEW_ARRAY(arena, hk_sound_call, most + 1);
            size_t count = 0;
            for (size_t i = 0; i < m->init_count; i++)
                if (!m->init[i].exchange)
                    run[count++] = m->init[i];
            count += sound_hold_back(m, held, round, run + count);
            sound_play(arena, s, run, count);
            if (sound_check(arena, s, run, count).outcome == HK_SOUND_VIOLATION)
                return false;
        }
    return true;
}

#endif
