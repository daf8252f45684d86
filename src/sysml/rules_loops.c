/* SPDX-License-Identifier: MIT
 *
 * C8: outputs that depend on inputs without delay, and connections between them, in a loop. */
#include "sysml/rules_internal.h"

#include <string.h>

/* Ports of all instances have numbers; an edge leads from a port to those it depends on. */
typedef struct search {
    hk_ruler *r;
    uint32_t *first;  /* per instance: the number of its first port */
    uint32_t *source; /* per port: the output that drives it; NONE: none */
    uint32_t *owner;  /* per port: its instance */
    uint8_t *color;   /* 0: not seen, 1: on the way, 2: done */
    uint32_t *way;    /* ports from the start to the one in hand */
    uint32_t *place;  /* per port: where on the way it is */
    size_t *next;     /* per step of the way: which edge comes next */
    size_t depth;
} search;

static const hk_profile_port *port_at(const search *s, uint32_t port) {
    uint32_t instance = s->owner[port];
    return &hk_ruler_block(s->r, instance)->ports[port - s->first[instance]];
}

/* The Nth port that PORT depends on; NONE: there are no more. */
static uint32_t edge(const search *s, uint32_t port, size_t n) {
    const hk_profile_port *p = port_at(s, port);
    if (!p->output)
        return n ? HK_PROFILE_NONE : s->source[port];
    return n < p->depend_count ? s->first[s->owner[port]] + p->depends[n] : HK_PROFILE_NONE;
}

static const char *show(const search *s, uint32_t port) {
    return hk_arena_printf(s->r->arena, "%s.%s", s->r->profile->instances[s->owner[port]].path,
                           port_at(s, port)->name);
}

/* The ports of a loop as a text, of long ones its beginning and end: rules are linear. */
static void report(search *s, uint32_t again) {
    enum { SHOWN = 10 };
    size_t from = s->place[again], count = s->depth - from;
    const char *text = show(s, again);
    for (size_t i = s->depth; i > from; i--) {
        uint32_t port = s->way[i - 1];
        if (count > 2 * SHOWN + 1 && i == s->depth - SHOWN) {
            text = hk_arena_printf(s->r->arena, "%s ... (%zu more) ...", text, count - 2 * SHOWN);
            i = from + SHOWN + 1;
            continue;
        }
        text = hk_arena_printf(s->r->arena, "%s %s %s", text,
                               port_at(s, port)->output ? "~>" : "->", show(s, port));
    }
    const hk_profile_instance *instance = &s->r->profile->instances[s->owner[again]];
    hk_rule_broken(s->r, HK_RULE_PROFILE_C8, s->r->profile->file, &instance->at, NULL,
                   "algebraic loop: %s", text);
}

static void push(search *s, uint32_t port) {
    s->color[port] = 1;
    s->place[port] = (uint32_t)s->depth;
    s->way[s->depth] = port;
    s->next[s->depth++] = 0;
}

static void follow(search *s, uint32_t start) {
    push(s, start);
    while (s->depth) {
        uint32_t port = s->way[s->depth - 1];
        uint32_t to = edge(s, port, s->next[s->depth - 1]++);
        if (to == HK_PROFILE_NONE) {
            s->color[port] = 2;
            s->depth--;
        } else if (s->color[to] == 1) {
            report(s, to);
        } else if (s->color[to] == 0) {
            push(s, to);
        }
    }
}

void hk_rules_loops(hk_ruler *r) {
    const hk_multimodel *p = r->profile;
    uint32_t count = 0;
    search s = {.r = r, .first = HK_NEW_ARRAY(r->arena, uint32_t, p->instance_count + 1)};
    for (uint32_t i = 0; i < p->instance_count; i++) {
        s.first[i] = count;
        count += (uint32_t)hk_ruler_block(r, i)->port_count;
    }
    s.source = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    s.owner = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    s.color = HK_NEW_ARRAY(r->arena, uint8_t, count + 1);
    s.way = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    s.place = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    s.next = HK_NEW_ARRAY(r->arena, size_t, count + 1);
    for (uint32_t i = 0; i < p->instance_count; i++)
        for (size_t k = 0; k < hk_ruler_block(r, i)->port_count; k++)
            s.owner[s.first[i] + k] = i;
    memset(s.source, 0xff, (count + 1) * sizeof *s.source);
    for (size_t i = 0; i < p->connection_count; i++) {
        const hk_profile_connection *c = &p->connections[i];
        if (hk_ruler_port(r, &c->from) && hk_ruler_port(r, &c->to))
            s.source[s.first[c->to.instance] + c->to.port] =
                s.first[c->from.instance] + c->from.port;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!s.color[i])
            follow(&s, i);
}
