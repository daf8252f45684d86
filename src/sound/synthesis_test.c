/* SPDX-License-Identifier: MIT
 *
 * Synthesis on random scenarios: what it makes is accepted; loop-free results stay right in every
 * order that the dependencies allow, and get wrong by every change that matters. And it is fast. */
#include "base/random.h"
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { SEED = 6, SCENARIOS = 300, INSTANCES_MAX = 8, CONNECTIONS_MAX = 70, ORDERS = 3 };

typedef struct source {
    uint32_t seed, drawn;
} source;

/* A number below N. */
static uint32_t draw(source *s, uint32_t n) {
    uint32_t words[4];
    hk_philox((uint32_t[]){s->drawn++, 0, 0, 0}, (uint32_t[]){s->seed, 0}, words);
    return words[0] % n;
}

/* What a scenario is made of: chances in percent. */
typedef struct recipe {
    uint32_t instances, outputs, inputs; /* ports of each instance */
    uint32_t reactive, feedthrough, init, rejecting, connected;
    bool forward; /* what acts without delay only goes to later instances */
} recipe;

typedef struct drawn_ports {
    const uint32_t *all;
    size_t count;
} drawn_ports;

/* Some inputs of an instance, whose first one is INPUTS, the port of number FIRST. */
static drawn_ports draw_inputs(hk_arena *arena, source *s, const recipe *r,
                               const hk_sound_port *inputs, uint32_t first, uint32_t chance) {
    uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, r->inputs + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < r->inputs; i++)
        if (draw(s, 100) < chance && (!r->forward || inputs[i].reactive))
            list[n++] = first + i;
    return (drawn_ports){list, n};
}

/* Ports of an instance: outputs, then inputs. */
static hk_sound_system *make_scenario(hk_arena *arena, source *s, const recipe *r) {
    hk_sound_system *system = HK_NEW(arena, hk_sound_system);
    uint32_t each = r->outputs + r->inputs;
    system->name = "random";
    system->instance_count = r->instances;
    system->port_count = (size_t)r->instances * each;
    system->instances = HK_NEW_ARRAY(arena, hk_sound_instance, r->instances);
    system->ports = HK_NEW_ARRAY(arena, hk_sound_port, system->port_count);
    for (uint32_t i = 0; i < r->instances; i++) {
        system->instances[i] = (hk_sound_instance){.name = hk_arena_printf(arena, "f%u", i),
                                                   .rate = 1,
                                                   .can_save = true,
                                                   .is_fmu = true,
                                                   .can_reject = draw(s, 100) < r->rejecting};
        for (uint32_t k = 0; k < each; k++) {
            hk_sound_port *port = &system->ports[i * each + k];
            port->instance = i;
            port->source = HK_MAP_NONE;
            port->is_output = k < r->outputs;
            port->name = hk_arena_printf(arena, "f%u.%c%u", i, port->is_output ? 'y' : 'u', k);
            if (!port->is_output && draw(s, 100) < r->connected) {
                uint32_t from = draw(s, r->instances);
                port->source = from * each + draw(s, r->outputs);
                port->reactive = draw(s, 100) < r->reactive && (!r->forward || from < i);
            }
        }
    }
    for (uint32_t i = 0; i < r->instances; i++)
        for (uint32_t k = 0; k < r->outputs; k++) {
            hk_sound_port *port = &system->ports[i * each + k];
            uint32_t first = i * each + r->outputs;
            const hk_sound_port *inputs = &system->ports[first];
            drawn_ports depends = draw_inputs(arena, s, r, inputs, first, r->feedthrough);
            drawn_ports init = draw_inputs(arena, s, r, inputs, first, r->init);
            port->depends = depends.all;
            port->depends_count = depends.count;
            port->depends_init = init.all;
            port->depends_init_count = init.count;
        }
    return system;
}

static recipe draw_recipe(source *s) {
    static const uint32_t chances[] = {0, 0, 10, 30, 60, 100};
    recipe r = {.instances = 1 + draw(s, INSTANCES_MAX),
                .outputs = 1 + draw(s, 4),
                .reactive = chances[draw(s, 6)],
                .feedthrough = chances[draw(s, 6)],
                .init = chances[draw(s, 6)],
                .rejecting = chances[draw(s, 6)],
                .connected = 90};
    r.inputs = 1 + draw(s, CONNECTIONS_MAX / INSTANCES_MAX);
    return r;
}

static bool has_delayed_feedthrough(const hk_sound_system *system) {
    for (size_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *in = &system->ports[p];
        if (in->is_output || in->source == HK_MAP_NONE)
            continue;
        const hk_sound_port *out = &system->ports[in->source];
        for (size_t i = 0; i < out->depends_count; i++) {
            const hk_sound_port *d = &system->ports[out->depends[i]];
            if (d->source != HK_MAP_NONE && !d->reactive)
                return true;
        }
    }
    return false;
}

static void show(hk_arena *arena, const hk_sound_system *system, const hk_sound_master *master,
                 int64_t max_step, const char *why) {
    printf("%s\n%s\n", why, hk_sound_print_text(arena, system, master, max_step));
}

/* T3, first half */
static void random_scenarios_are_solved(void **state) {
    source s = {.seed = SEED};
    size_t loops = 0, legal_count = 0, phased = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        hk_arena *arena = hk_arena_create();
        recipe r = draw_recipe(&s);
        hk_sound_system *system = make_scenario(arena, &s, &r);
        int64_t max_step = 1 + draw(&s, 3);
        hk_sound_master *master = NULL;
        bool legal;
        hk_sound_verdict made = hk_sound_synthesise(arena, system, &master);
        assert_true(made.holds);
        hk_sound_verdict v = hk_sound_keeps_contract(arena, system, master, max_step, &legal);
        if (!v.holds || legal == has_delayed_feedthrough(system))
            show(arena, system, master, max_step, v.why ? v.why : "FMI");
        assert_true(v.holds);
        assert_int_equal(legal, !has_delayed_feedthrough(system));
        assert_int_equal(legal, !made.fmi);
        legal_count += legal;
        size_t looped = 0;
        for (size_t k = 0; k < master->step_count; k++)
            looped += master->step[k].op == HK_OP_LOOP;
        loops += looped;
        if (!looped && !hk_sound_unphased(arena, system)) { /* then it refines the specification */
            hk_sound_phased seen = hk_sound_in_phases(arena, system, master, HK_VIEW_CONNECTED);
            hk_sound_verdict phases = hk_sound_refines(arena, seen.system, seen.master, max_step);
            if (!phases.holds)
                show(arena, system, master, max_step, phases.why);
            assert_true(phases.holds);
            phased++;
        }
        hk_arena_destroy(arena);
    }
    /* otherwise the scenarios are too simple to say much */
    assert_true(loops > SCENARIOS / 4 && legal_count > SCENARIOS / 10 && phased > SCENARIOS / 50);
}

/* Where rates or offsets differ a step begins with sets, whatever has been set before the first
 * one. Both the contracts and the specification hold for that, too. */
static void rates_keep_phases(void **state) {
    source s = {.seed = SEED + 2};
    (void)state;
    for (int i = 0; i < SCENARIOS / 3; i++) {
        hk_arena *arena = hk_arena_create();
        recipe r = draw_recipe(&s);
        hk_sound_master *master = NULL;
        bool legal;
        r.reactive = r.feedthrough = r.rejecting = 0;
        hk_sound_system *system = make_scenario(arena, &s, &r);
        for (size_t k = 0; k < system->instance_count; k++) {
            system->instances[k].rate = 1 + draw(&s, 3);
            system->instances[k].first = draw(&s, 3);
        }
        assert_true(hk_sound_synthesise(arena, system, &master).holds);
        hk_sound_verdict v = hk_sound_keeps_contract(arena, system, master, 1, &legal);
        hk_sound_phased seen = hk_sound_in_phases(arena, system, master, HK_VIEW_CONNECTED);
        hk_sound_verdict phases = hk_sound_refines(arena, seen.system, seen.master, 1);
        if (!v.holds || !phases.holds)
            show(arena, system, master, 1, v.holds ? phases.why : v.why);
        assert_true(v.holds && legal && phases.holds);
        hk_arena_destroy(arena);
    }
}

/* ---- loop-free scenarios --------------------------------------------------------------------- */

typedef struct order {
    const hk_sound_system *system;
    const hk_sound_call *calls;
    size_t count;
} order;

static bool depends_on(const hk_sound_system *system, uint32_t output, uint32_t input) {
    for (size_t i = 0; i < system->ports[output].depends_count; i++)
        if (system->ports[output].depends[i] == input)
            return true;
    return false;
}

/* Must A come before B? Rules E1 to E5 of the facts. */
static bool comes_before(const hk_sound_system *system, const hk_sound_call *a,
                         const hk_sound_call *b) {
    const hk_sound_port *p = &system->ports[a->port], *q = &system->ports[b->port];
    if (a->op == HK_OP_GET)
        return b->op == HK_OP_SET && q->source == a->port;
    if (a->op == HK_OP_SET)
        return (b->op == HK_OP_GET && depends_on(system, b->port, a->port)) ||
               (b->op == HK_OP_STEP && b->instance == p->instance && p->reactive);
    return (b->op == HK_OP_GET && q->instance == a->instance) ||
           (b->op == HK_OP_SET && q->instance == a->instance && !q->reactive);
}

static void shuffle(source *s, const order *o, hk_sound_call *into) {
    bool *done = hk_alloc(o->count);
    for (size_t n = 0; n < o->count; n++) {
        uint32_t ready[1000];
        uint32_t ready_count = 0;
        for (uint32_t i = 0; i < o->count; i++) {
            bool free = !done[i];
            for (size_t k = 0; k < o->count && free; k++)
                free = done[k] || !comes_before(o->system, &o->calls[k], &o->calls[i]);
            if (free)
                ready[ready_count++] = i;
        }
        uint32_t chosen = ready[draw(s, ready_count)];
        done[chosen] = true;
        into[n] = o->calls[chosen];
    }
    hk_free(done);
}

static bool accepted(hk_arena *arena, const hk_sound_system *system, const hk_sound_master *made,
                     const hk_sound_call *step, size_t count) {
    hk_sound_master master = {
        .init = made->init, .init_count = made->init_count, .step = step, .step_count = count};
    bool legal;
    return hk_sound_keeps_contract(arena, system, &master, 1, &legal).holds;
}

static bool is_used(const hk_sound_system *system, uint32_t output) {
    for (size_t p = 0; p < system->port_count; p++)
        if (!system->ports[p].is_output && system->ports[p].source == output)
            return true;
    return false;
}

static size_t step_place(const order *o, uint32_t instance) {
    size_t i = 0;
    while (o->calls[i].op != HK_OP_STEP || o->calls[i].instance != instance)
        i++;
    return i;
}

/* Is it wrong to move call B right before A, which must precede it? Setting a delayed input only in
 * the next step, before its instance is stepped, is as good as at the end of this one. */
static bool swap_matters(const order *o, size_t a, size_t b) {
    const hk_sound_call *x = &o->calls[a], *y = &o->calls[b];
    const hk_sound_port *p = &o->system->ports[y->port];
    if (y->op == HK_OP_GET)
        return is_used(o->system, y->port);
    if (y->op == HK_OP_STEP || p->reactive)
        return true;
    if (x->op == HK_OP_GET)
        return step_place(o, p->instance) < a;
    for (size_t i = 0; i < a; i++)
        if (o->calls[i].op == HK_OP_GET && o->calls[i].port == p->source)
            return true;
    return false;
}

static size_t check_mutants(hk_arena *arena, const order *o, const hk_sound_master *made) {
    hk_sound_call *mutant = HK_NEW_ARRAY(arena, hk_sound_call, o->count + 1);
    size_t tried = 0;
    for (size_t i = 0; i < o->count; i++) {
        memcpy(mutant, o->calls, i * sizeof *mutant);
        memcpy(mutant + i, o->calls + i + 1, (o->count - i - 1) * sizeof *mutant);
        if (o->calls[i].op == HK_OP_GET && !is_used(o->system, o->calls[i].port))
            continue;
        assert_false(accepted(arena, o->system, made, mutant, o->count - 1));
        tried++;
    }
    for (size_t a = 0; a < o->count; a++)
        for (size_t b = a + 1; b < o->count; b++) {
            if (!comes_before(o->system, &o->calls[a], &o->calls[b]) || !swap_matters(o, a, b))
                continue;
            memcpy(mutant, o->calls, o->count * sizeof *mutant);
            mutant[a] = o->calls[b];
            memcpy(mutant + a + 1, o->calls + a, (b - a) * sizeof *mutant);
            bool good = accepted(arena, o->system, made, mutant, o->count);
            if (good)
                show(arena, o->system, &(hk_sound_master){.step = mutant, .step_count = o->count},
                     1, "accepted");
            assert_false(good);
            tried++;
        }
    return tried;
}

/* T3, second half, and T4 */
static void loop_free_orders_and_mutants(void **state) {
    source s = {.seed = SEED + 1};
    size_t mutants = 0;
    (void)state;
    for (int i = 0; i < 40; i++) {
        hk_arena *arena = hk_arena_create();
        recipe r = {.instances = 2 + draw(&s, INSTANCES_MAX - 1),
                    .outputs = 1 + draw(&s, 2),
                    .inputs = 1 + draw(&s, 3),
                    .reactive = 50,
                    .feedthrough = 30,
                    .init = 30,
                    .connected = 100,
                    .forward = true};
        hk_sound_system *system = make_scenario(arena, &s, &r);
        hk_sound_master *made = NULL;
        assert_true(hk_sound_synthesise(arena, system, &made).holds);
        order o = {.system = system, .calls = made->step, .count = made->step_count};
        hk_sound_call *shuffled = HK_NEW_ARRAY(arena, hk_sound_call, o.count);
        for (int k = 0; k < ORDERS; k++) {
            shuffle(&s, &o, shuffled);
            assert_true(accepted(arena, system, made, shuffled, o.count));
        }
        mutants += check_mutants(arena, &o, made);
        hk_arena_destroy(arena);
    }
    assert_true(mutants > 1000);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Time of the processor, so that other programs do not matter. */
static double solve(const recipe *r, int64_t max_step, uint32_t seed, size_t *ret_loops) {
    source s = {.seed = seed};
    hk_arena *arena = hk_arena_create();
    hk_sound_system *system = make_scenario(arena, &s, r);
    hk_sound_master *master = NULL;
    bool legal;
    clock_t begin = clock();
    assert_true(hk_sound_synthesise(arena, system, &master).holds);
    hk_sound_verdict v = hk_sound_keeps_contract(arena, system, master, max_step, &legal);
    double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (!v.holds)
        print_message("%s\n", v.why);
    assert_true(v.holds);
    *ret_loops = 0;
    for (size_t i = 0; i < master->step_count; i++)
        *ret_loops += master->step[i].op == HK_OP_LOOP;
    hk_arena_destroy(arena);
    return took;
}

/* T5 */
static void eight_instances_are_fast(void **state) {
    recipe r = {.instances = 8,
                .outputs = 9,
                .inputs = 9,
                .reactive = 50,
                .connected = 100,
                .forward = true};
    size_t loops;
    (void)state;
    double took = solve(&r, 1, SEED, &loops);
    print_message("8 instances, 72 connections: %d us\n", (int)(took * 1e6));
    assert_int_equal(loops, 0);
    assert_true(took < 0.010);
}

static void thousand_ports_are_fast(void **state) {
    const recipe acyclic = {.instances = 100,
                            .outputs = 5,
                            .inputs = 5,
                            .reactive = 50,
                            .connected = 100,
                            .forward = true};
    const recipe looped = {.instances = 100,
                           .outputs = 5,
                           .inputs = 5,
                           .reactive = 60,
                           .feedthrough = 50,
                           .init = 50,
                           .rejecting = 50,
                           .connected = 100};
    const recipe mixed = {.instances = 200,
                          .outputs = 2,
                          .inputs = 3,
                          .reactive = 50,
                          .feedthrough = 10,
                          .init = 10,
                          .connected = 70};
    const recipe *recipes[] = {&acyclic, &looped, &mixed};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        size_t loops;
        double took = solve(recipes[i], 3, SEED + (uint32_t)i, &loops);
        print_message("1000 ports: %d us, %d loops\n", (int)(took * 1e6), (int)loops);
        assert_true(took < 1);
        assert_int_equal(loops > 0, i > 0);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* T6: A gives to B, which is reactive; A may reject. */
static void others_follow_the_one_that_rejects(void **state) {
    hk_arena *arena = hk_arena_create();
    hk_sound_instance instances[] = {
        {.name = "B"}, {.name = "A", .can_reject = true}, {.name = "C"}};
    hk_sound_port ports[] = {{.name = "B.u", .instance = 0, .source = 1, .reactive = true},
                             {.name = "A.y", .instance = 1, .is_output = true}};
    hk_sound_system system = {.name = "one",
                              .instances = instances,
                              .instance_count = 3,
                              .ports = ports,
                              .port_count = 2};
    hk_sound_master *master;
    bool legal;
    (void)state;
    assert_true(hk_sound_synthesise(arena, &system, &master).holds);
    for (size_t i = 0; i < master->step_count; i++) {
        assert_int_not_equal(master->step[i].op, HK_OP_LOOP);
        if (master->step[i].op == HK_OP_STEP)
            assert_int_equal(master->step[i].as, master->step[i].instance == 1 ? HK_MAP_NONE : 1);
    }
    assert_int_equal(master->step[0].op, HK_OP_STEP);
    assert_int_equal(master->step[0].instance, 1);
    assert_true(hk_sound_keeps_contract(arena, &system, master, 3, &legal).holds);
    assert_true(legal);
    hk_arena_destroy(arena);
}

static void a_loop_needs_states(void **state) {
    hk_arena *arena = hk_arena_create();
    hk_sound_instance instances[] = {{.name = "A", .can_save = true}, {.name = "B"}};
    hk_sound_port ports[] = {{.name = "A.u", .instance = 0, .source = 2, .reactive = true},
                             {.name = "A.y", .instance = 0, .is_output = true},
                             {.name = "B.y", .instance = 1, .is_output = true},
                             {.name = "B.u", .instance = 1, .source = 1, .reactive = true}};
    hk_sound_system system = {.name = "loop",
                              .instances = instances,
                              .instance_count = 2,
                              .ports = ports,
                              .port_count = 4};
    hk_sound_master *master;
    (void)state;
    hk_sound_verdict v = hk_sound_synthesise(arena, &system, &master);
    assert_false(v.holds);
    assert_null(master);
    assert_non_null(strstr(v.why, "B is stepped in a loop"));
    instances[1].can_save = true;
    assert_true(hk_sound_synthesise(arena, &system, &master).holds);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenarios_are_solved),
        cmocka_unit_test(rates_keep_phases),
        cmocka_unit_test(loop_free_orders_and_mutants),
        cmocka_unit_test(eight_instances_are_fast),
        cmocka_unit_test(thousand_ports_are_fast),
        cmocka_unit_test(others_follow_the_one_that_rejects),
        cmocka_unit_test(a_loop_needs_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
