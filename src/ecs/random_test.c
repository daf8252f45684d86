/* SPDX-License-Identifier: MIT
 *
 * Random operations on a store and on one that is as simple as can be: lists that are searched.
 * Who is there, in which order, with which names, parents and data, must agree after each. */
#include "ecs/ecs.h"

#include "dice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TYPES = 3, TAGS = 3, KINDS = TYPES + TAGS, MOST = 48, TABLES = 1 << KINDS, WORLDS = 1000 };

typedef struct one {
    hk_entity id;
    bool there;
    unsigned mask;
    char name[16];
    int parent; /* -1: none */
    double values[TYPES];
} one;

typedef struct simple {
    one all[4 * MOST];
    int count;
    unsigned tables[TABLES]; /* masks, in the order of their first use */
    int table_count;
    int rows[TABLES][4 * MOST]; /* per mask */
    int row_count[TABLES];
} simple;

typedef struct {
    double value;
} data;
static const hk_component_type types[TYPES] = {
    {HK_COMPONENT(data), .description = "0"},
    {HK_COMPONENT(data), .description = "1"},
    {HK_COMPONENT(data), .description = "2"},
};

static void enter(simple *s, int who, unsigned mask) {
    int i = 0;
    while (i < s->table_count && s->tables[i] != mask)
        i++;
    if (i == s->table_count)
        s->tables[s->table_count++] = mask;
    s->rows[mask][s->row_count[mask]++] = who;
    s->all[who].mask = mask;
}

static void leave(simple *s, int who) {
    unsigned mask = s->all[who].mask;
    int i = 0, last = --s->row_count[mask];
    while (s->rows[mask][i] != who)
        i++;
    s->rows[mask][i] = s->rows[mask][last];
}

static bool above(const simple *s, int who, int below) {
    for (int at = below; at >= 0; at = s->all[at].parent)
        if (at == who)
            return true;
    return false;
}

/* Children in the order in which they came: the list has them so, as a new one of a parent is put
 * behind all. */
typedef struct family_tree {
    int of[4 * MOST]; /* all that have a parent, in the order in which they got it */
    int count;
} family_tree;

static void unlink_child(family_tree *t, int who) {
    for (int i = 0; i < t->count; i++)
        if (t->of[i] == who) {
            memmove(&t->of[i], &t->of[i + 1], (size_t)(t->count - i - 1) * sizeof t->of[0]);
            t->count--;
            return;
        }
}

static void remove_below(simple *s, family_tree *t, int who) {
    for (int i = 0; i < t->count;)
        if (s->all[t->of[i]].parent == who) {
            remove_below(s, t, t->of[i]);
            i = 0;
        } else {
            i++;
        }
    unlink_child(t, who);
    leave(s, who);
    s->all[who].there = false;
    s->all[who].parent = -1;
}

/* ---- both, side by side */

typedef struct pair {
    hk_ecs *ecs;
    hk_ecs_kind kinds[KINDS];
    hk_component_type types[TYPES];
    size_t family;
    simple s;
    family_tree t;
    dice d;
} pair;

static int pick(pair *p) { /* anybody, also one that is gone */
    return p->s.count ? (int)roll(&p->d, (unsigned)p->s.count) : -1;
}

static void do_new(pair *p) {
    char name[16];
    hk_entity id = HK_NO_ENTITY;
    snprintf(name, sizeof name, "n%u", roll(&p->d, 40));
    if (roll(&p->d, 4) == 0)
        name[0] = 0;
    bool used = false;
    for (int i = 0; i < p->s.count; i++)
        used = used || (*name && p->s.all[i].there && strcmp(p->s.all[i].name, name) == 0);
    hk_ecs_result result = hk_ecs_new(p->ecs, name, &id);
    assert_int_equal(result, used ? HK_ECS_NAME_USED : HK_ECS_OK);
    if (used)
        return;
    one *o = &p->s.all[p->s.count];
    *o = (one){.id = id, .there = true, .parent = -1};
    snprintf(o->name, sizeof o->name, "%s", name);
    for (int i = 0; i < p->s.count; i++)
        assert_true(p->s.all[i].id != id);
    enter(&p->s, p->s.count++, 0);
}

static void do_move(pair *p, int who, bool more) {
    unsigned kind = roll(&p->d, KINDS);
    one *o = &p->s.all[who];
    hk_ecs_result result = more ? hk_ecs_give(p->ecs, o->id, p->kinds[kind])
                                : hk_ecs_take(p->ecs, o->id, p->kinds[kind]);
    assert_int_equal(result, o->there ? HK_ECS_OK : HK_ECS_GONE);
    unsigned mask = more ? o->mask | 1u << kind : o->mask & ~(1u << kind);
    if (!o->there || mask == o->mask)
        return;
    leave(&p->s, who);
    enter(&p->s, who, mask);
    if (kind < TYPES && more)
        o->values[kind] = kind; /* its start value */
}

static void do_parent(pair *p, int who) {
    int other = roll(&p->d, 5) ? pick(p) : -1;
    one *o = &p->s.all[who];
    hk_entity parent = other < 0 ? HK_NO_ENTITY : p->s.all[other].id;
    hk_ecs_result result = hk_ecs_set_parent(p->ecs, o->id, parent);
    if (!o->there || (other >= 0 && !p->s.all[other].there)) {
        assert_int_equal(result, HK_ECS_GONE);
    } else if (other >= 0 && above(&p->s, who, other)) {
        assert_int_equal(result, HK_ECS_CYCLE);
    } else {
        assert_int_equal(result, HK_ECS_OK);
        unlink_child(&p->t, who);
        o->parent = other;
        if (other >= 0)
            p->t.of[p->t.count++] = who;
    }
}

static void do_remove(pair *p, int who) {
    hk_ecs_result result = hk_ecs_remove(p->ecs, p->s.all[who].id);
    assert_int_equal(result, p->s.all[who].there ? HK_ECS_OK : HK_ECS_GONE);
    if (p->s.all[who].there)
        remove_below(&p->s, &p->t, who);
}

static void do_write(pair *p, int who) {
    unsigned kind = roll(&p->d, TYPES);
    one *o = &p->s.all[who];
    data *at = hk_ecs_data(p->ecs, o->id, p->kinds[kind]);
    assert_true((at != NULL) == (o->there && (o->mask >> kind & 1)));
    if (at)
        at->value = o->values[kind] = roll(&p->d, 1000);
}

/* Away and back. */
static void do_copy(pair *p) {
    hk_buffer bytes = {0};
    hk_ecs_save(p->ecs, &bytes);
    uint64_t hash = hk_ecs_hash(p->ecs);
    for (int i = 0; i < p->s.count; i++)
        if (roll(&p->d, 2))
            (void)hk_ecs_remove(p->ecs, p->s.all[i].id);
    assert_true(hk_ecs_load(p->ecs, bytes.data, bytes.size));
    assert_true(hk_ecs_hash(p->ecs) == hash);
    hk_free(bytes.data);
}

static void operate(pair *p) {
    int who = pick(p);
    unsigned what = roll(&p->d, 20);
    if (who < 0 || (what < 4 && p->s.count < 4 * MOST - 1))
        do_new(p);
    else if (what < 9)
        do_move(p, who, true);
    else if (what < 11)
        do_move(p, who, false);
    else if (what < 14)
        do_parent(p, who);
    else if (what < 15)
        do_remove(p, who);
    else if (what < 19)
        do_write(p, who);
    else
        do_copy(p);
}

/* ---- do they agree? */

typedef struct walk {
    hk_entity all[4 * MOST];
    size_t count;
} walk;

static void note(void *user, const hk_entity *entities, size_t count) {
    walk *w = user;
    memcpy(w->all + w->count, entities, count * sizeof *entities);
    w->count += count;
}

static void compare_order(const pair *p) {
    static walk w;
    size_t n = 0, members = 0;
    w.count = 0;
    hk_ecs_walk(p->ecs, note, &w);
    const hk_members *family = hk_ecs_members(p->ecs, p->family);
    const hk_batch *batch = family->batches;
    for (int i = 0; i < p->s.table_count; i++) {
        unsigned mask = p->s.tables[i];
        bool in = (mask & 1) && (mask >> TYPES & 1) && !(mask >> 1 & 1);
        for (int row = 0; row < p->s.row_count[mask]; row++, n++) {
            const one *o = &p->s.all[p->s.rows[mask][row]];
            assert_true(n < w.count && w.all[n] == o->id);
            if (!in)
                continue;
            assert_true(batch && batch->entities[row] == o->id);
            assert_true(((const data *)hk_batch_read(batch, 0))[row].value == o->values[0]);
            members++;
        }
        if (in && p->s.row_count[mask])
            batch = batch->next;
    }
    assert_int_equal(n, w.count);
    assert_int_equal(n, hk_ecs_count(p->ecs));
    assert_int_equal(members, family->count);
    assert_null(batch);
}

static void compare_entities(const pair *p) {
    for (int i = 0; i < p->s.count; i++) {
        const one *o = &p->s.all[i];
        assert_true(hk_ecs_there(p->ecs, o->id) == o->there);
        if (!o->there)
            continue;
        assert_string_equal(hk_ecs_name(p->ecs, o->id), o->name);
        if (*o->name)
            assert_true(hk_ecs_find(p->ecs, o->name) == o->id);
        hk_entity parent = o->parent < 0 ? HK_NO_ENTITY : p->s.all[o->parent].id;
        assert_true(hk_ecs_parent(p->ecs, o->id) == parent);
        for (int k = 0; k < KINDS; k++)
            assert_true(hk_ecs_has(p->ecs, o->id, p->kinds[k]) == (o->mask >> k & 1));
        for (int k = 0; k < TYPES; k++)
            if (o->mask >> k & 1)
                assert_true(((data *)hk_ecs_data(p->ecs, o->id, p->kinds[k]))->value ==
                            o->values[k]);
    }
}

static void begin(pair *p, unsigned seed) {
    static const char *const names[] = {"A", "B", "C"}, *const tags[] = {"x", "y", "z"};
    char unknown[64];
    memset(p, 0, sizeof *p);
    p->d.stream = hk_stream_make(seed, 0, "world", "dice");
    p->ecs = hk_ecs_create();
    p->s.table_count = 1; /* that of those who have nothing */
    for (int k = 0; k < TYPES; k++) {
        const data start = {k};
        p->types[k] = types[k];
        p->types[k].name = names[k];
        p->kinds[k] = hk_ecs_add_type(p->ecs, &p->types[k], &start);
    }
    for (int k = 0; k < TAGS; k++)
        p->kinds[TYPES + k] = hk_ecs_tag(p->ecs, tags[k]);
    const hk_family names_of_family = {.with = "A", .without = "B", .tags = "x"};
    assert_int_equal(hk_ecs_add_family(p->ecs, &names_of_family, &p->family, unknown), HK_ECS_OK);
}

static void random_worlds_agree_with_simple_ones(void **state) {
    (void)state;
    static pair p, again;
    for (unsigned seed = 1; seed <= WORLDS; seed++) {
        begin(&p, seed);
        for (int i = 0; i < 150; i++) {
            operate(&p);
            compare_order(&p);
            if (i % 10 == 0)
                compare_entities(&p);
        }
        compare_entities(&p);
        if (seed % 10 == 0) { /* the same operations give the same bytes, wherever it lies */
            begin(&again, seed);
            for (int i = 0; i < 150; i++)
                operate(&again);
            assert_true(hk_ecs_hash(again.ecs) == hk_ecs_hash(p.ecs));
            hk_ecs_destroy(again.ecs);
        }
        hk_ecs_destroy(p.ecs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_worlds_agree_with_simple_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
