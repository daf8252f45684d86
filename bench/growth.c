/* SPDX-License-Identifier: MIT
 *
 * Growth: what must stay linear in the size of a system. Each case is measured at full size and at
 * half of it; twice the size may take 2.6 times as long (caches) and hold 2.2 times the memory. */
#include "bench.h"

#include "base/file.h"
#include "check/check.h"
#include "fmi/fmi.h"
#include "format/zip.h"
#include "native/native.h"
#include "osp/osp.h"
#include "plan/plan.h"
#include "ssp/ssp.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

static const double time_growth_max = 2.6, memory_growth_max = 2.2;

/* --- text that grows
 * ----------------------------------------------------------------------------*/

typedef struct text {
    char *data;
    size_t count, cap;
} text;

static void put(text *t, const char *piece) {
    for (; *piece; piece++)
        HK_PUSH(t->data, t->count, t->cap, *piece);
}

static void put_number(text *t, const char *before, size_t number, const char *after) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    put(t, before);
    put(t, at);
    put(t, after);
}

/* A description with COUNT variables: inputs, outputs that depend on them, parameters, locals. */
static void put_description(text *t, const char *name, size_t count) {
    put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" "
           "guid=\"{1}\" modelName=\"");
    put(t, name);
    put(t, "\">\n<CoSimulation modelIdentifier=\"");
    put(t, name);
    put(t, "\"/>\n<UnitDefinitions><Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>"
           "</UnitDefinitions>\n<TypeDefinitions><SimpleType name=\"Force\"><Real unit=\"N\"/>"
           "</SimpleType></TypeDefinitions>\n<ModelVariables>\n");
    static const char *const kinds[4][2] = {
        {"in", "\" causality=\"input\"><Real declaredType=\"Force\" start=\"0\"/>"},
        {"out", "\" causality=\"output\"><Real declaredType=\"Force\"/>"},
        {"par", "\" causality=\"parameter\" variability=\"tunable\"><Real start=\"1.5\"/>"},
        {"var", "\" causality=\"local\"><Real unit=\"N\"/>"},
    };
    for (size_t i = 0; i < count; i++) {
        put(t, "<ScalarVariable name=\"");
        put(t, kinds[i % 4][0]);
        put_number(t, "", i / 4, "\"");
        put_number(t, " valueReference=\"", i, kinds[i % 4][1]);
        put(t, "</ScalarVariable>\n");
    }
    put(t, "</ModelVariables>\n<ModelStructure><Outputs>\n");
    for (size_t i = 1; i < count; i += 4) {
        put_number(t, "<Unknown index=\"", i + 1, "\"");
        put_number(t, " dependencies=\"", i, "\"/>\n");
    }
    put(t, "</Outputs></ModelStructure>\n</fmiModelDescription>\n");
}

/* An FMU with such a description; its library is never loaded. */
static hk_status write_fmu(bench *b, const char *path, const char *name, size_t count) {
    text t = {0};
    hk_arena *arena = hk_arena_create();
    put_description(&t, name, count);
    const char *library = hk_arena_printf(arena, "binaries/linux64/%s.so", name);
    hk_zip_item items[] = {{.name = "modelDescription.xml", .data = t.data, .size = t.count},
                           {.name = library, .data = "none", .size = 4}};
    hk_status status = hk_zip_write(b->ctx, path, items, 2);
    hk_arena_destroy(arena);
    hk_free(t.data);
    return status;
}

/* Measures WORK at half and at full size. */
typedef struct sized {
    bench *b;
    const char *path;
    size_t count;
} sized;

static hk_status compare_sizes(bench *b, bench_work half, bench_work full, double limit_s,
                               const char *metric) {
    double half_s, full_s;
    HK_TRY(bench_shortest(half, full, 7, &half_s, &full_s));
    bench_report(b, metric, full_s, limit_s, "s");
    bench_report(b, "time, full / half size", full_s / half_s, time_growth_max, "");
    return HK_OK;
}

/* --- import
 * -------------------------------------------------------------------------------------*/

static hk_status open_fmu(void *user) {
    sized *x = user;
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(x->b->ctx, x->path, &fmu));
    size_t count = hk_fmu_info(fmu)->variable_count;
    hk_fmu_close(fmu);
    if (count != x->count)
        return hk_error(x->b->ctx, HK_E_INTERNAL, (hk_where){.file = x->path}, NULL,
                        "%zu variables were read, %zu were written", count, x->count);
    return HK_OK;
}

hk_status bench_import(bench *b) {
    hk_arena *arena = hk_arena_create();
    sized half = {b, hk_path_join(arena, b->scratch, "half.fmu"), 10000};
    sized full = {b, hk_path_join(arena, b->scratch, "full.fmu"), 20000};
    hk_status status = write_fmu(b, half.path, "half", half.count);
    if (status == HK_OK)
        status = write_fmu(b, full.path, "full", full.count);
    if (status == HK_OK)
        status = compare_sizes(b, (bench_work){open_fmu, &half}, (bench_work){open_fmu, &full}, 1,
                               "20,000 variables");
    hk_arena_destroy(arena);
    return status;
}

/* --- system
 * -------------------------------------------------------------------------------------*/

enum { WIDTH = 100 }; /* connections from each component to the next */

static void put_system(text *t, size_t connections) {
    size_t components = connections / WIDTH + 1;
    put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription "
           "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
           "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" name=\"wide\" "
           "version=\"1.0\">\n<ssd:System name=\"wide\">\n<ssd:Elements>\n");
    for (size_t i = 0; i < components; i++) {
        put_number(t, "<ssd:Component name=\"c", i, "\" source=\"block.fmu\"><ssd:Connectors>\n");
        for (size_t k = 0; k < WIDTH; k++) {
            put_number(t, "<ssd:Connector name=\"in", k, "\" kind=\"input\"><ssc:Real/>");
            put_number(t, "</ssd:Connector><ssd:Connector name=\"out", k,
                       "\" kind=\"output\"><ssc:Real/></ssd:Connector>\n");
        }
        put(t, "</ssd:Connectors></ssd:Component>\n");
    }
    put(t, "</ssd:Elements>\n<ssd:Connections>\n");
    for (size_t i = 0; i < connections; i++) {
        put_number(t, "<ssd:Connection startElement=\"c", i / WIDTH, "\"");
        put_number(t, " startConnector=\"out", i % WIDTH, "\"");
        put_number(t, " endElement=\"c", i / WIDTH + 1, "\"");
        put_number(t, " endConnector=\"in", i % WIDTH, "\"/>\n");
    }
    put(t, "</ssd:Connections>\n</ssd:System>\n<ssd:DefaultExperiment startTime=\"0\" "
           "stopTime=\"1\"/>\n</ssd:SystemStructureDescription>\n");
}

static hk_status write_system(bench *b, const sized *x) {
    text t = {0};
    put_system(&t, x->count);
    hk_status status = hk_file_write(b->ctx, x->path, t.data, t.count);
    hk_free(t.data);
    return status;
}

static hk_status plan_model(hk_ctx *ctx, hk_model *model, hk_plan **ret_plan) {
    hk_plan_options options = {.algorithm = HK_JACOBI};
    model->experiment.step = (hk_ratio){1, 1000};
    model->experiment.has_step = true;
    HK_TRY(hk_check_model(ctx, model));
    hk_model_lower(model);
    return hk_plan_make(ctx, model, &options, ret_plan);
}

/* Plans what was read, whatever it was read from, and frees it. */
static hk_status plan_read(const sized *x, hk_model *model) {
    hk_plan *plan = NULL;
    hk_status status = plan_model(x->b->ctx, model, &plan);
    if (status == HK_OK && model->connection_count != x->count)
        status = hk_error(x->b->ctx, HK_E_INTERNAL, (hk_where){.file = x->path}, NULL,
                          "%zu connections were read, %zu were written", model->connection_count,
                          x->count);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    return status;
}

static hk_status read_system(void *user) {
    const sized *x = user;
    hk_model *model;
    HK_TRY(hk_ssp_read(x->b->ctx, x->path, NULL, &model));
    return plan_read(x, model);
}

hk_status bench_system(bench *b) {
    hk_arena *arena = hk_arena_create();
    sized half = {b, hk_path_join(arena, b->scratch, "half.ssd"), 5000};
    sized full = {b, hk_path_join(arena, b->scratch, "full.ssd"), 10000};
    hk_status status =
        write_fmu(b, hk_path_join(arena, b->scratch, "block.fmu"), "block", (size_t)4 * WIDTH);
    if (status == HK_OK)
        status = write_system(b, &half);
    if (status == HK_OK)
        status = write_system(b, &full);
    if (status == HK_OK)
        status = compare_sizes(b, (bench_work){read_system, &half},
                               (bench_work){read_system, &full}, 1, "10,000 connections");
    hk_arena_destroy(arena);
    return status;
}

/* --- rates
 * --------------------------------------------------------------------------------------*/

typedef struct node {
    double u, y;
} node;

static const hk_port node_ports[] = {
    HK_PORT(node, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(node, y, HK_OUTPUT, HK_TYPE_F64, .start = "0", .depends_on = ""),
};

static int node_step(void *self, double t, double h) {
    node *x = self;
    x->y = x->u + t + h;
    return HK_STEP_OK;
}

static const hk_unit_type node_type = {HK_UNIT_TYPE(node), .ports = node_ports, .port_count = 2,
                                       .step = node_step};

/* A tree: each node listens to one that is earlier, most of them at another rate. */
static hk_status make_nodes(hk_ctx *ctx, size_t count, hk_model *model) {
    static const int64_t periods_ms[4] = {1, 7, 11, 13};
    const hk_info *info;
    HK_TRY(hk_native_info(ctx, model, &node_type, &info));
    uint32_t u = hk_info_find(info, "u"), y = hk_info_find(info, "y"), index;
    for (size_t i = 0; i < count; i++) {
        const char *name = hk_arena_printf(model->arena, "n%zu", i);
        HK_TRY(hk_model_add_component(ctx, model, name, info, HK_NOWHERE, &index));
        hk_component *component = &model->components[index];
        component->has_period = true;
        component->period = (hk_ratio){periods_ms[i % 4], 1000};
        component->offset = (hk_ratio){0, 1};
        if (i)
            hk_model_connect(model, (uint32_t)(i / 2), y, index, u, HK_NOWHERE);
    }
    model->experiment.stop = (hk_ratio){1001, 1}; /* a multiple of 1, 7, 11 and 13 ms */
    model->experiment.has_stop = true;
    return HK_OK;
}

/* Bytes that malloc has handed out; 0 where a sanitizer has replaced it. */
static double bytes_in_use(void) {
    struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

typedef struct planned {
    hk_ctx *ctx;
    hk_model *model;
    double bytes;
} planned;

static hk_status plan_nodes(void *user) {
    planned *x = user;
    hk_plan *plan;
    hk_plan_options options = {.algorithm = HK_JACOBI};
    double before = bytes_in_use();
    HK_TRY(hk_plan_make(x->ctx, x->model, &options, &plan));
    x->bytes = bytes_in_use() - before;
    hk_plan_destroy(plan);
    return HK_OK;
}

static hk_status prepare_nodes(planned *x, size_t count) {
    HK_TRY(make_nodes(x->ctx, count, x->model));
    x->model->experiment.step = (hk_ratio){1, 1000};
    x->model->experiment.has_step = true;
    HK_TRY(hk_check_model(x->ctx, x->model));
    hk_model_lower(x->model);
    return HK_OK;
}

hk_status bench_rates(bench *b) {
    planned half = {b->ctx, hk_model_create("half", NULL), 0};
    planned full = {b->ctx, hk_model_create("full", NULL), 0};
    hk_status status = prepare_nodes(&half, 5000);
    if (status == HK_OK)
        status = prepare_nodes(&full, 10000);
    if (status == HK_OK)
        status = compare_sizes(b, (bench_work){plan_nodes, &half}, (bench_work){plan_nodes, &full},
                               2, "10,000 components");
    if (status == HK_OK && half.bytes > 0) {
        bench_report(b, "memory per component", full.bytes / 10000, NAN, "byte");
        bench_report(b, "memory, full / half size", full.bytes / half.bytes, memory_growth_max, "");
    }
    hk_model_destroy(half.model);
    hk_model_destroy(full.model);
    return status;
}

/* --- osp
 * ----------------------------------------------------------------------------------------*/

/* Half of the connections between two simulators are a group, the others are alone. */
static void put_osp_system(text *t, size_t connections) {
    put(t, "<OspSystemStructure version=\"0.1\" "
           "xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\">\n"
           "<EndTime>1</EndTime>\n<BaseStepSize>0.001</BaseStepSize>\n"
           "<Algorithm>fixedStep</Algorithm>\n<Simulators>\n");
    for (size_t i = 0; i <= connections / WIDTH; i++)
        put_number(t, "<Simulator name=\"c", i, "\" source=\"block.fmu\"/>\n");
    put(t, "</Simulators>\n<Connections>\n");
    for (size_t i = 0; i < connections; i++) {
        bool group = i % WIDTH == 0;
        if (i % WIDTH < WIDTH / 2 && !group)
            continue;
        const char *kind = group ? "VariableGroup" : "Variable";
        put(t, group ? "<VariableGroupConnection><" : "<VariableConnection><");
        put(t, kind);
        put_number(t, " simulator=\"c", i / WIDTH, "\" name=\"");
        put_number(t, group ? "outs" : "out", i % WIDTH, "\"/><");
        put(t, kind);
        put_number(t, " simulator=\"c", i / WIDTH + 1, "\" name=\"");
        put_number(t, group ? "ins" : "in", i % WIDTH, "\"/></");
        put(t, kind);
        put(t, "Connection>\n");
    }
    put(t, "</Connections>\n</OspSystemStructure>\n");
}

static void put_osp_groups(text *t) {
    static const char *const names[2] = {"out", "in"};
    put(t,
        "<OspModelDescription version=\"1.0\" "
        "xmlns=\"http://opensimulationplatform.com/MSMI/OSPModelDescription\"><VariableGroups>\n");
    for (size_t i = 0; i < 2; i++) {
        put(t, "<Generic name=\"");
        put(t, names[i]);
        put(t, "s0\">\n");
        for (size_t k = 0; k < WIDTH / 2; k++) {
            put(t, "<Variable ref=\"");
            put(t, names[i]);
            put_number(t, "", k, "\"/>\n");
        }
        put(t, "</Generic>\n");
    }
    put(t, "</VariableGroups></OspModelDescription>\n");
}

static hk_status read_osp(void *user) {
    const sized *x = user;
    hk_model *model;
    HK_TRY(hk_osp_read(x->b->ctx, x->path, NULL, &model));
    return plan_read(x, model);
}

static hk_status write_osp(bench *b, const sized *x, const char *description) {
    text t = {0}, groups = {0};
    put_osp_system(&t, x->count);
    put_osp_groups(&groups);
    hk_status status = hk_file_write(b->ctx, x->path, t.data, t.count);
    if (status == HK_OK)
        status = hk_file_write(b->ctx, description, groups.data, groups.count);
    hk_free(t.data);
    hk_free(groups.data);
    return status;
}

hk_status bench_osp(bench *b) {
    hk_arena *arena = hk_arena_create();
    sized half = {b, hk_path_join(arena, b->scratch, "half.xml"), 500};
    sized full = {b, hk_path_join(arena, b->scratch, "full.xml"), 1000};
    const char *groups = hk_path_join(arena, b->scratch, "block_OspModelDescription.xml");
    hk_status status =
        write_fmu(b, hk_path_join(arena, b->scratch, "block.fmu"), "block", 4 * (size_t)WIDTH);
    if (status == HK_OK)
        status = write_osp(b, &half, groups);
    if (status == HK_OK)
        status = write_osp(b, &full, groups);
    double half_s, full_s;
    if (status == HK_OK)
        status = bench_shortest((bench_work){read_osp, &half}, (bench_work){read_osp, &full}, 7,
                                &half_s, &full_s);
    if (status == HK_OK)
        bench_report(b, "1,000 connections of OSP", full_s, 0.2, "s");
    hk_arena_destroy(arena);
    return status;
}
