/* SPDX-License-Identifier: MIT
 *
 * What another node says during a run: the input is its messages, one after the other, and a node
 * takes them as it takes those of a run. It may refuse them, with an error, and believes nothing.
 */
#include "fuzz.h"

#include "check/check.h"
#include "engine/part.h"
#include "native/native.h"
#include "nodes/frame.h"

#include <string.h>

enum { MESSAGES = 256, THERE = 0, HERE = 1, STEPS = 6 };

/* ---- two components with texts, lists and numbers, each on a node ---- */

typedef struct talker {
    hk_bytes say, hear, names[2], heard[2];
    double list[3], y, u;
    float narrow[3];
    int32_t whole, count;
} talker;

static int talker_step(void *self, double t, double h) {
    talker *x = self;
    (void)t, (void)h;
    x->count++;
    x->y = x->u + 1;
    x->say = (hk_bytes){"text", 4};
    x->names[0] = x->names[1] = x->say;
    x->list[0] = x->list[1] = x->list[2] = x->y;
    return HK_STEP_OK;
}

static const hk_port ports[] = {
    HK_PORT(talker, say, HK_OUTPUT, HK_TYPE_STRING, .start = "hello", .depends_on = ""),
    HK_PORT(talker, names, HK_OUTPUT, HK_TYPE_STRING, .count = 2, .start = "x", .depends_on = ""),
    HK_PORT(talker, list, HK_OUTPUT, HK_TYPE_F64, .count = 3, .start = "7", .depends_on = ""),
    HK_PORT(talker, y, HK_OUTPUT, HK_TYPE_F64, .start = "1", .depends_on = ""),
    HK_PORT(talker, count, HK_OUTPUT, HK_TYPE_I32, .start = "0", .depends_on = ""),
    HK_PORT(talker, hear, HK_INPUT, HK_TYPE_STRING, .start = "none"),
    HK_PORT(talker, heard, HK_INPUT, HK_TYPE_STRING, .count = 2),
    HK_PORT(talker, narrow, HK_INPUT, HK_TYPE_F32, .count = 3),
    HK_PORT(talker, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(talker, whole, HK_INPUT, HK_TYPE_I32, .start = "0"),
};
enum { OUTPUTS = 5, PORTS = 2 * OUTPUTS };
static const hk_unit_type talker_type = {HK_UNIT_TYPE(talker), .ports = ports, .port_count = PORTS,
                                         .step = talker_step};
static const hk_placement apart = {
    .node_of = (const uint32_t[]){THERE, HERE}, .node_count = 2, .recorder = HERE};

/* The second hears the first, now, later and from the past; the first hears the second. */
static const hk_plan_flows *flows_of_two(void) {
    static hk_plan_flows *flows;
    hk_plan *plan = NULL;
    const hk_info *info;
    uint32_t index;
    if (flows)
        return flows;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("two", NULL);
    hk_status status = hk_native_info(ctx, model, &talker_type, &info);
    for (int i = 0; i < 2 && status == HK_OK; i++)
        status = hk_model_add_component(ctx, model, i ? "b" : "a", info, HK_NOWHERE, &index);
    for (uint32_t i = 0; i < OUTPUTS && status == HK_OK; i++) {
        hk_connection *k = hk_model_connect(model, 0, i, 1, OUTPUTS + i, HK_NOWHERE);
        k->lag = i % 2 ? HK_LAG_PREVIOUS : HK_LAG_CURRENT;
        k->delay = (hk_ratio){i == OUTPUTS - 1 ? 2 : 0, 1000};
    }
    hk_model_connect(model, 1, 3, 0, 8, HK_NOWHERE)->lag = HK_LAG_PREVIOUS;
    model->experiment.step = (hk_ratio){1, 1000};
    model->experiment.stop = (hk_ratio){STEPS, 1000};
    model->experiment.has_step = model->experiment.has_stop = true;
    if (status == HK_OK)
        status = hk_check_model(ctx, model);
    hk_model_lower(model);
    if (status == HK_OK)
        status = hk_plan_make(ctx, model, &(hk_plan_options){0}, &plan);
    if (status == HK_OK)
        status = hk_part_flows(ctx, plan, &apart, &(hk_sim_options){0}, &flows);
    HK_ASSERT(status == HK_OK);
    hk_ctx_destroy(ctx);
    return flows;
}

/* ---- a wire that has all of it from the beginning, and nothing after that ---- */

typedef struct tape {
    hk_flow_message all[MESSAGES];
    bool dropped[MESSAGES];
    size_t count;
} tape;

static void read_tape(tape *t, const char *data, size_t size, size_t flow_count) {
    while (t->count < MESSAGES && size >= HK_FRAME_HEAD) {
        size_t one = hk_frame_size(data);
        if (!one || one > size || !hk_frame_read(data, one, flow_count, &t->all[t->count]))
            return;
        t->count++;
        data += one;
        size -= one;
    }
}

static hk_wire_answer tape_send(void *user, const hk_flow_message *m) {
    const unsigned char *bytes = (const unsigned char *)(const void *)m->data.data;
    uint64_t sum = 0;
    (void)user;
    for (size_t i = 0; i < m->data.size; i++) /* all of it can be read */
        sum += bytes[i];
    return sum == UINT64_MAX ? HK_WIRE_LATER : HK_WIRE_DONE;
}

static size_t next_of(const tape *t, uint32_t flow) {
    size_t i = 0;
    while (i < t->count && (t->dropped[i] || t->all[i].flow != flow))
        i++;
    return i;
}

static hk_wire_answer tape_peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    const tape *t = user;
    size_t i = next_of(t, flow);
    if (i == t->count)
        return HK_WIRE_LOST;
    *ret_message = t->all[i];
    return HK_WIRE_DONE;
}

static void tape_drop(void *user, uint32_t flow) {
    tape *t = user;
    size_t i = next_of(t, flow);
    HK_ASSERT(i < t->count);
    t->dropped[i] = true;
}

static uint64_t tape_changes(void *user) {
    (void)user;
    return 0;
}

static bool tape_wait(void *user, uint64_t seen, uint32_t flow) {
    (void)user, (void)seen, (void)flow;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const hk_plan_flows *flows = flows_of_two();
    tape t = {.count = 0};
    read_tape(&t, (const char *)data, size, flows->count);
    hk_sim_part part = {
        flows, HERE, {tape_send, tape_peek, tape_drop, tape_changes, tape_wait, NULL, &t}, NULL};
    hk_sim_options options = {.part = &part};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_sim *sim = NULL;
    hk_status status = hk_sim_create(ctx, flows->plan, &options, &sim);
    if (status == HK_OK)
        status = hk_sim_run(sim);
    HK_ASSERT(status == HK_OK || status == HK_E_NODE_LOST || hk_ctx_count(ctx, HK_ERROR) > 0);
    hk_sim_destroy(sim);
    hk_ctx_destroy(ctx);
    return 0;
}
