/* SPDX-License-Identifier: MIT
 *
 * Properties of a controller: what is read is whole, and every mistake has its place. */
#include "fuzz.h"

#include "explore/property.h"

static const hk_chart_type nat = {.kind = HK_CHART_NAT, .name = "nat", .size = 1};
static const char *const items[] = {"low", "high"};
static const hk_chart_type level = {
    .kind = HK_CHART_ENUMERATION, .name = "Level", .size = 1, .items = items, .item_count = 2};
static const hk_chart_field fields[] = {{.name = "p", .type = &nat},
                                        {.name = "q", .type = &level, .offset = 1}};
static const hk_chart_type pair = {
    .kind = HK_CHART_RECORD, .name = "Pair", .size = 2, .fields = fields, .field_count = 2};
static const hk_chart_node nodes[] = {
    {.kind = HK_CHART_INITIAL, .name = "i", .parent = HK_CHART_NONE},
    {.kind = HK_CHART_STATE, .name = "A", .parent = HK_CHART_NONE},
    {.kind = HK_CHART_STATE, .name = "B", .parent = 1}};
static const hk_chart_transition transitions[] = {{.name = "t0", .from = 0, .to = 1}};
/* Names of ends: what comes from the platform, goes to it, and both ends of a line between. */
static const hk_chart_event events[] = {
    {.name = "here", .in = 0, .out = HK_CHART_NONE},
    {.name = "out", .in = HK_CHART_NONE, .out = 1, .type = &pair},
    {.name = "sends", .in = HK_CHART_NONE, .out = 2, .type = &nat},
    {.name = "gets", .in = 2, .out = HK_CHART_NONE, .type = &nat},
    {.name = "none", .in = HK_CHART_NONE, .out = HK_CHART_NONE}};
static const hk_chart_machine machines[] = {{.name = "S",
                                             .path = "C.S",
                                             .caller = HK_CHART_NONE,
                                             .nodes = nodes,
                                             .node_count = 3,
                                             .transitions = transitions,
                                             .transition_count = 1,
                                             .events = events,
                                             .event_count = 5}};
static const hk_chart_line lines[] = {
    {.kind = HK_CHART_FROM_PLATFORM, .name = "a"},
    {.kind = HK_CHART_TO_PLATFORM, .name = "x", .type = &pair, .cell = 2, .sent = 2},
    {.kind = HK_CHART_BETWEEN, .name = "C.S.sends", .type = &nat, .cell = 6, .sent = 7}};
static const hk_chart_operation operations[] = {
    {.name = "go", .parameters = fields, .parameter_count = 2, .cell = 4}};
static const hk_chart_variable variables[] = {
    {.name = "n", .path = "n", .type = &nat, .machine = HK_CHART_NONE},
    {.name = "l", .path = "S.l", .type = &level, .cell = 1, .machine = 0}};
static const hk_chart chart = {.file = "m.rct",
                               .machines = machines,
                               .machine_count = 1,
                               .lines = lines,
                               .line_count = 3,
                               .operations = operations,
                               .operation_count = 1,
                               .variables = variables,
                               .variable_count = 2,
                               .memory_size = 8};

/* Everything that a condition names is there. */
static void check(const hk_ask *ask) {
    if (!ask)
        return;
    if (ask->op == HK_ASK_STATE)
        HK_ASSERT(ask->machine == 0 && nodes[ask->index].kind == HK_CHART_STATE);
    if (ask->op == HK_ASK_COMPARE)
        HK_ASSERT(ask->mark && ask->left.cell < 8 && ask->left.type->size == 1 &&
                  (ask->right.literal || ask->right.cell < 8));
    if (ask->op == HK_ASK_ARRIVAL)
        HK_ASSERT(lines[ask->index].kind == HK_CHART_BETWEEN);
    check(ask->a);
    check(ask->b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_ask_scope scope = {.controller = &chart};
    hk_file_text text = {.file = "fuzz.properties", .data = (const char *)data, .size = size};
    hk_properties properties = {0};
    hk_status status = hk_properties_read(ctx, arena, &scope, &text, &properties);
    fuzz_check_diags(ctx, status, data, size);
    for (size_t i = 0; i < properties.count; i++) {
        HK_ASSERT(properties.all[i].text);
        check(properties.all[i].a);
        check(properties.all[i].b);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}
