/* SPDX-License-Identifier: MIT
 *
 * Random systems on several nodes, over queues of the smallest size: rates, offsets, delays, lags,
 * chains without lag that cross nodes and come back, logical processors with both cuts, services
 * that change their provider or not, and threads inside of nodes. The recorder sees the bytes of
 * the serial run and, where no service is called, what the reference interpreter of the lag rule
 * sees; and there are as many messages as the plan says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"
#include "node_threads.h"
#include "plan/place.h"

enum { SYSTEMS = 1000, THREADS_MAX = 3 };

/* ---- components that ask each other ---- */

typedef struct telling {
    uint64_t (*tell)(void *self);
} telling;

typedef struct asker {
    mixer m; /* its ports are those of a mixer */
    struct {
        void *self;
        const telling *functions;
    } r;
} asker;

static uint64_t tell(void *self) {
    const mixer *m = self;
    return mix(m->id, m->k, m->y, 1, 2);
}

/* Changes it: who asks next is told something else, and it says so itself. Its output changes too,
 * which nobody but who asks sees: outputs are published at the end of a step. */
static uint64_t draw(void *self) {
    mixer *m = self;
    m->k += 1000;
    m->y ^= m->k;
    return tell(self);
}

static uint64_t tell_stopped(void *self) {
    hk_service_stopped(self);
    return 0;
}

static int asker_step(void *self, double t, double h) {
    (void)t, (void)h;
    asker *x = self;
    uint64_t told = x->r.functions->tell(x->r.self);
    x->m.y = mix(x->m.id, ++x->m.k, x->m.u0 ^ told, x->m.u1, x->m.u2);
    return HK_STEP_OK;
}

static const telling telling_stopped = {tell_stopped}, tells = {tell}, draws = {draw};
static const hk_interface tells_interface = {
    .name = "test.Tells", .signature = "uint64 tell()", .stopped = &telling_stopped};
static const hk_interface draws_interface = {
    .name = "test.Draws", .signature = "mutable uint64 tell()", .stopped = &telling_stopped};

#define ASKER(named, called, given, gives, made_by)                                                \
    {                                                                                              \
        .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (named),                         \
        .instance_size = sizeof(asker), .ports = ports, .port_count = 5, .stamp = HK_STAMP_END,    \
        .output = mixer_output, .step = (made_by), .services = (given), .service_count = (gives)   \
    }
#define SERVICES(interface, functions)                                                             \
    {                                                                                              \
        {"p", (interface), (functions), 0}, {                                                      \
            "r", (interface), NULL, offsetof(asker, r)                                             \
        }                                                                                          \
    }

static const hk_service tells_services[] = SERVICES(&tells_interface, &tells);
static const hk_service draws_services[] = SERVICES(&draws_interface, &draws);
/* One that only tells, and one that asks somebody and tells others. */
static const hk_unit_type askers[2][2] = {{ASKER("teller", tell, tells_services, 1, mixer_step),
                                           ASKER("passer", tell, tells_services, 2, asker_step)},
                                          {ASKER("giver", draw, draws_services, 1, mixer_step),
                                           ASKER("drawer", draw, draws_services, 2, asker_step)}};

/* Some components ask others, all of one kind. */
static void add_services(hk_ctx *ctx, hk_model *model, dice *d, bool changing) {
    const hk_info *infos[2];
    uint32_t n = (uint32_t)model->component_count;
    bool asks[COMPONENTS_MAX] = {false}, told[COMPONENTS_MAX] = {true};
    for (int i = 0; i < 2; i++)
        assert_int_equal(hk_native_info(ctx, model, &askers[changing][i], &infos[i]), HK_OK);
    for (uint32_t c = 0; c < n; c++) {
        told[c] = c == 0 || roll(d, 2);
        asks[c] = c > 0 && told[c] && roll(d, 2);
        if (told[c])
            model->components[c].info = infos[asks[c]];
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t whom = roll(d, n);
        while (asks[c] && (whom == c || !told[whom]))
            whom = (whom + 1) % n;
        hk_requirement q = {.component = c,
                            .service = 1,
                            .candidates = HK_NEW(model->arena, hk_provider),
                            .candidate_count = 1};
        *q.candidates = (hk_provider){whom, 0};
        if (asks[c])
            HK_PUSH(model->requirements, model->requirement_count, model->requirement_cap, q);
    }
}

/* They call each other: on one processor. */
static bool is_called(const hk_model *model, uint32_t component) {
    bool called = false;
    for (size_t i = 0; i < model->requirement_count; i++)
        called = called || model->requirements[i].component == component ||
                 model->requirements[i].candidates->component == component;
    return called;
}

static void add_processors(hk_ctx *ctx, hk_model *model, dice *d) {
    uint32_t count = 1 + roll(d, 3), order[COMPONENTS_MAX];
    for (uint32_t p = 0; p < count; p++) {
        char name[16];
        uint32_t index;
        snprintf(name, sizeof name, "p%u", p);
        assert_int_equal(hk_model_add_processor(ctx, model, name, HK_NOWHERE, &index), HK_OK);
    }
    uint32_t n = (uint32_t)model->component_count;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t place = roll(d, c + 1);
        order[c] = order[place];
        order[place] = c;
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = is_called(model, order[c]) ? 0 : roll(d, count);
        assert_int_equal(hk_model_assign(ctx, model, p, order[c], HK_NOWHERE), HK_OK);
    }
    model->cut = roll(d, 2) ? HK_CUT_HLA : HK_CUT_KEEP;
}

/* ---- running ---- */

/* What one node does: all of it in a thread of its own. */
typedef struct node {
    pthread_t thread;
    const hk_plan *plan;
    hk_sim_part part;
    hk_sim_options options;
    hk_listener listener;
    hk_status status;
    bool shared; /* it had several threads */
    node_threads *threads;
    uint64_t unseen[COMPONENTS_MAX * 4]; /* rows that are not taken */
} node;

static void *unseen_row(void *user) {
    return user;
}

static bool row_unseen(void *user, double time) {
    (void)user, (void)time;
    return true;
}

static void *run_node(void *user) {
    node *n = user;
    hk_sim *sim = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    n->options.part = &n->part;
    n->status = hk_sim_create(ctx, n->plan, &n->options, &sim);
    if (n->status == HK_OK)
        n->status = hk_sim_run(sim);
    n->shared = sim && hk_sim_threads(sim) > 1;
    node_thread_leaves(n->threads);
    hk_sim_destroy(sim);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE) && n->status != HK_OK; i++)
        print_error("node %u: %s\n", n->part.node, hk_ctx_diag(ctx, i)->text);
    hk_ctx_destroy(ctx);
    return NULL;
}

/* What the plan says before the run. */
static uint64_t derived_messages(const hk_plan_flows *flows) {
    uint64_t count = 0;
    for (size_t i = 0; i < flows->count; i++) {
        hk_flow_messages m = hk_plan_flow_messages(flows, &flows->all[i]);
        count += m.before + m.during + m.at_end;
    }
    return count;
}

/* A listener to all variables, or to outputs. */
static hk_listener listener_of(const hk_plan *plan, bool inputs, hk_column *columns, tape *t) {
    hk_listener listener = {.columns = columns,
                            .column_count = all_columns(plan->model, inputs, columns),
                            .sink = {tape_begin, tape_end, t}};
    hk_columns_layout(columns, listener.column_count);
    t->rows = 0;
    return listener;
}

/* In one process, on one thread. */
static void run_serially(const hk_plan *plan, bool inputs, tape *t) {
    hk_column columns[COMPONENTS_MAX * 4];
    hk_listener listener = listener_of(plan, inputs, columns, t);
    hk_sim *sim = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    far_ref_count = 0;
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    assert_int_equal(hk_sim_create(ctx, plan, &options, &sim), HK_OK);
    assert_int_equal(hk_sim_run(sim), HK_OK);
    hk_sim_destroy(sim);
    hk_ctx_destroy(ctx);
}

static void compare_tapes(const tape *one, const tape *many, size_t columns, uint32_t seed) {
    assert_int_equal(one->rows, many->rows);
    for (size_t row = 0; row < one->rows; row++)
        if (one->times[row] != many->times[row] ||
            memcmp(one->cells[row], many->cells[row], columns * sizeof(uint64_t)) != 0)
            fail_msg("system %u: row %zu is not that of the serial run", seed, row);
}

/* A node for all, with THREADS in each of those that run something. */
static void start_nodes(node *nodes, const hk_plan_flows *flows, const hk_sim_options *options,
                        unsigned threads, node_threads *queues) {
    const hk_placement *placement = &flows->placement;
    for (uint32_t i = 0; i < placement->node_count; i++) {
        nodes[i] = (node){.plan = flows->plan,
                          .part = {flows, i, THREAD_WIRE(queues)},
                          .options = *options,
                          .listener = options->listeners[0],
                          .threads = queues};
        nodes[i].options.threads = threads;
        nodes[i].options.threads_always = threads > 1;
        if (i != placement->recorder)
            nodes[i].listener.sink = (hk_sink){unseen_row, row_unseen, nodes[i].unseen};
        nodes[i].options.listeners = &nodes[i].listener;
        assert_int_equal(pthread_create(&nodes[i].thread, NULL, run_node, &nodes[i]), 0);
    }
}

/* How many nodes had several threads. */
static size_t run_on_nodes(const hk_plan *plan, const hk_placement *placement, bool inputs,
                           uint32_t seed) {
    static tape one, many;
    hk_column columns[COMPONENTS_MAX * 4];
    run_serially(plan, inputs, &one);
    hk_listener listener = listener_of(plan, inputs, columns, &many);
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    hk_plan_flows *flows = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    assert_int_equal(hk_part_flows(ctx, plan, placement, &options, &flows), HK_OK);
    node_threads queues;
    node nodes[NODES_MAX];
    node_threads_begin(&queues, flows);
    start_nodes(nodes, flows, &options, 1 + seed % THREADS_MAX, &queues);
    for (uint32_t i = 0; i < placement->node_count; i++)
        pthread_join(nodes[i].thread, NULL);
    if (queues.stuck)
        fail_msg("system %u: all nodes wait for each other", seed);
    size_t shared = 0;
    for (uint32_t i = 0; i < placement->node_count; i++) {
        if (nodes[i].status != HK_OK)
            fail_msg("system %u: node %u fails", seed, i);
        shared += nodes[i].shared;
    }
    compare_tapes(&one, &many, listener.column_count, seed);
    if (!plan->model->requirement_count)
        compare(plan, &many, inputs, seed);
    if (queues.sent != derived_messages(flows))
        fail_msg("system %u: %llu messages, not %llu", seed, (unsigned long long)queues.sent,
                 (unsigned long long)derived_messages(flows));
    node_threads_end(&queues);
    hk_plan_flows_destroy(flows);
    hk_ctx_destroy(ctx);
    return shared;
}

/* ---- random systems ---- */

typedef struct tally {
    size_t ran, crossing, processors, cut, services, changing, shared;
} tally;

/* By the house's own placement, which keeps processors together, or by chance. */
static void place(const hk_plan *plan, dice *d, uint32_t nodes, uint32_t *ret_node_of) {
    uint32_t group_of[COMPONENTS_MAX], node_of[COMPONENTS_MAX];
    if (roll(d, 4) == 0) {
        hk_place_components(plan, nodes, NULL, ret_node_of);
        return;
    }
    hk_place_apart(plan, group_of);
    for (size_t c = 0; c < plan->model->component_count; c++)
        node_of[c] = roll(d, nodes);
    for (size_t c = 0; c < plan->model->component_count; c++)
        ret_node_of[c] = node_of[group_of[c]];
}

static void run_plan(const hk_plan *plan, dice *d, uint32_t seed, tally *t) {
    const hk_model *model = plan->model;
    uint32_t node_of[COMPONENTS_MAX], nodes = 1 + roll(d, 4);
    place(plan, d, nodes, node_of);
    /* The recorder is one of them, or runs nothing itself. */
    hk_placement placement = {
        .node_of = node_of, .node_count = nodes + 1, .recorder = roll(d, nodes + 1)};
    for (size_t i = 0; i < model->connection_count; i++)
        t->crossing += node_of[model->connections[i].from_component] !=
                       node_of[model->connections[i].to_component];
    t->ran++;
    t->processors += model->processor_count > 1;
    t->cut += model->processor_count > 1 && model->cut == HK_CUT_HLA;
    t->services += model->requirement_count > 0;
    t->changing += model->requirement_count > 0 && seed % 2;
    t->shared += run_on_nodes(plan, &placement, seed % 2, seed);
}

/* Many components are due together, and threads have something to share. */
static void even_out(hk_model *model) {
    for (size_t c = 0; c < model->component_count; c++) {
        model->components[c].period = (hk_ratio){2, 1000};
        model->components[c].offset = (hk_ratio){0, 1};
    }
}

static void run_system(uint32_t seed, tally *t) {
    dice d = {hk_stream_make(seed, 0, "nodes_test", "system"), 0};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_algorithm algorithm;
    hk_model *model = random_model(ctx, &d, &algorithm);
    if (roll(&d, 3) == 0)
        even_out(model);
    if (roll(&d, 3) == 0 && model->component_count > 1)
        add_services(ctx, model, &d, seed % 2);
    if (roll(&d, 2))
        add_processors(ctx, model, &d);
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    hk_plan *plan = NULL;
    hk_status planned = hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = algorithm}, &plan);
    if (planned == HK_OK)
        run_plan(plan, &d, seed, t);
    else
        assert_int_equal(planned, HK_E_ZERO_LAG_CYCLE);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

static void thousand_random_systems(void **state) {
    (void)state;
    tally t = {0};
    for (uint32_t seed = 0; t.ran < SYSTEMS; seed++)
        run_system(seed, &t);
    print_message("%zu systems: %zu connections cross, %zu with processors (%zu cut for hla), %zu "
                  "with services (%zu change their provider), %zu nodes with several threads\n",
                  t.ran, t.crossing, t.processors, t.cut, t.services, t.changing, t.shared);
    assert_true(t.crossing > SYSTEMS && t.processors > SYSTEMS / 5 && t.cut > SYSTEMS / 10);
    assert_true(t.shared > SYSTEMS / 10);
    assert_true(t.services > SYSTEMS / 10 && t.changing > SYSTEMS / 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
