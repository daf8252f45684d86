/* SPDX-License-Identifier: MIT
 *
 * For the tests of this room: systems with stand-ins for the FMUs. The files exist, but are never
 * opened. */
#ifndef HK_SSP_SSP_RIG_H
#define HK_SSP_SSP_RIG_H

#include "ssp/ssp.h"

#include "base/file.h"
#include "format/zip.h"
#include "model/unit.h"
#include "native/native.h"
#include "ssp/ssp_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "<ssd:SystemStructureDescription version=\"1.0\" name=\"truck\"\n"                             \
    " xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"\n"                     \
    " xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\"\n"                          \
    " xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\"\n"                \
    " xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\"\n"                 \
    " xmlns:hk=\"urn:org.hocket:schedule:1\">\n"
#define SYSTEM HEAD "<ssd:System name=\"Root\">\n"
#define TAIL   "</ssd:System>\n</ssd:SystemStructureDescription>\n"
#define PORTS                                                                                      \
    "<ssd:Connectors><ssd:Connector name=\"u\" kind=\"input\"/>"                                   \
    "<ssd:Connector name=\"y\" kind=\"output\"/></ssd:Connectors>"
#define PLANT(name, more)                                                                          \
    "<ssd:Component name=\"" name "\" source=\"plant.fmu\">" PORTS more "</ssd:Component>\n"
#define TWO "<ssd:Elements>\n" PLANT("a", "") PLANT("b", "") "</ssd:Elements>\n"
#define LINK                                                                                       \
    "<ssd:Connection startElement=\"a\" startConnector=\"y\" endElement=\"b\" "                    \
    "endConnector=\"u\""
#define SET(parameters)                                                                            \
    "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>" parameters                     \
    "</ssv:Parameters></ssv:ParameterSet>"
#define BIND(content)                                                                              \
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" content                   \
    "</ssd:ParameterBinding></ssd:ParameterBindings>"

static const char *mode_names[] = {"off", "on"};
static const int64_t mode_values[] = {0, 7};
static const hk_enum modes = {"Mode", mode_names, mode_values, 2};
static hk_uom metre, kelvin;
static hk_variable variables[] = {
    {.name = "u", .causality = HK_INPUT, .variability = HK_CONTINUOUS, .unit = "m", .uom = &metre},
    {.name = "y", .causality = HK_OUTPUT, .variability = HK_CONTINUOUS, .unit = "m", .uom = &metre},
    {.name = "k", .causality = HK_PARAMETER, .variability = HK_FIXED, .initial = HK_EXACT},
    {.name = "T.start",
     .causality = HK_PARAMETER,
     .variability = HK_FIXED,
     .initial = HK_EXACT,
     .unit = "K",
     .uom = &kelvin},
    {.name = "mode",
     .causality = HK_OUTPUT,
     .variability = HK_DISCRETE,
     .type = HK_TYPE_ENUM,
     .enumeration = &modes},
    {.name = "wanted", .causality = HK_INPUT, .variability = HK_DISCRETE, .type = HK_TYPE_I32},
    {.name = "raw", .causality = HK_OUTPUT, .variability = HK_CONTINUOUS},
    {.name = "diff",
     .causality = HK_OUTPUT,
     .variability = HK_CONTINUOUS,
     .unit = "K",
     .uom = &kelvin,
     .relative = true},
};
enum { U, Y, K, T_START, MODE, WANTED, RAW, DIFF, VARIABLES };
static hk_info plant = {.name = "Plant", .variables = variables, .variable_count = VARIABLES};
static int opened;

/* A component whose input and output have as many elements as the structural parameter n says. */
static hk_variable sized_variables[] = {
    {.name = "u", .causality = HK_INPUT, .variability = HK_CONTINUOUS, .count = 1},
    {.name = "y", .causality = HK_OUTPUT, .variability = HK_CONTINUOUS, .count = 1, .alias_of = 1},
    {.name = "n",
     .type = HK_TYPE_U64,
     .causality = HK_STRUCTURAL_PARAMETER,
     .variability = HK_FIXED,
     .initial = HK_EXACT,
     .min = 1,
     .max = 9,
     .count = 1,
     .alias_of = 2},
};
static inline hk_status resize_double(hk_ctx *ctx, const hk_info *info, const uint32_t *which,
                                      const hk_value *values, size_t n, const hk_info **ret_info) {
    static hk_variable changed[4][3];
    static hk_info infos[4];
    static size_t next;
    (void)ctx;
    assert_true(n == 1 && which[0] == 2);
    hk_info *other = &infos[next % 4];
    *other = *info;
    other->variables = changed[next++ % 4];
    memcpy(other->variables, info->variables, sizeof changed[0]);
    other->variables[0].count = other->variables[1].count = *(uint64_t *)values->data;
    *ret_info = other;
    return HK_OK;
}
static const hk_unit_class sized_class = {.resize = resize_double};
static hk_info sized = {
    .name = "Sized", .variables = sized_variables, .variable_count = 3, .unit_class = &sized_class};

/* A component with arrays of what is written item by item. */
static const char *pace_names[] = {"slow", "very fast"};
static const int64_t pace_values[] = {1, 2};
static const hk_enum paces = {"Pace", pace_names, pace_values, 2};
#define ITEMS(variable, kind, size)                                                                \
    .name = (variable), .type = (kind), .causality = HK_PARAMETER, .variability = HK_FIXED,        \
    .initial = HK_EXACT, .count = (size)
static hk_variable text_variables[] = {
    {ITEMS("names", HK_TYPE_STRING, 3), .alias_of = 0},
    {ITEMS("label", HK_TYPE_STRING, 1), .alias_of = 1},
    {ITEMS("paces", HK_TYPE_ENUM, 2), .alias_of = 2, .enumeration = &paces},
    {ITEMS("blobs", HK_TYPE_BINARY, 2), .alias_of = 3},
};
enum { NAMES, LABEL, PACES, BLOBS };
static hk_info texts_type = {.name = "Texts", .variables = text_variables, .variable_count = 4};

static inline hk_status open_double(hk_ctx *ctx, hk_model *model, const char *path,
                                    const char *fragment, const hk_info **ret_info) {
    (void)ctx, (void)model, (void)fragment;
    opened++;
    const char *name = hk_path_name(path);
    *ret_info = strcmp(name, "sized.fmu") == 0   ? &sized
                : strcmp(name, "texts.fmu") == 0 ? &texts_type
                                                 : &plant;
    return HK_OK;
}
static const hk_ssp_openers doubles = {open_double, open_double, NULL};

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
    hk_model *model;
} fixture;

static inline void put(fixture *f, const char *name, const char *text) {
    const char *path = hk_path_join(f->arena, f->folder, name);
    assert_int_equal(hk_file_write(f->ctx, path, text, strlen(text)), HK_OK);
}

static inline int set_up(void **state) {
    static fixture f;
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_folder_temporary(f.ctx, f.arena, &f.folder), HK_OK);
    assert_true(hk_uom_parse("m", &metre) && hk_uom_parse("K", &kelvin));
    for (uint32_t i = 0; i < VARIABLES; i++) {
        variables[i].count = 1;
        variables[i].alias_of = i;
        hk_map_put(&plant.by_name, variables[i].name, i);
    }
    opened = 0;
    for (uint32_t i = 0; i < sized.variable_count; i++)
        hk_map_put(&sized.by_name, sized_variables[i].name, i);
    for (uint32_t i = 0; i < texts_type.variable_count; i++)
        hk_map_put(&texts_type.by_name, text_variables[i].name, i);
    put(&f, "texts.fmu", "");
    put(&f, "plant.fmu", "");
    put(&f, "sized.fmu", "");
    *state = &f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_map_finish(&plant.by_name);
    hk_map_finish(&sized.by_name);
    hk_map_finish(&texts_type.by_name);
    return 0;
}

static inline hk_status read_text(fixture *f, const char *text) {
    put(f, "s.ssd", text);
    return hk_ssp_read_with(f->ctx, hk_path_join(f->arena, f->folder, "s.ssd"),
                            &(hk_ssp_options){0}, &doubles, &f->model);
}

static inline void print_all(fixture *f) {
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE) && i < 20; i++)
        print_message("have: %d: %s: %s\n", hk_ctx_diag(f->ctx, i)->where.line,
                      hk_ctx_diag(f->ctx, i)->text,
                      hk_ctx_diag(f->ctx, i)->hint ? hk_ctx_diag(f->ctx, i)->hint : "");
}

static inline void expect_ok(fixture *f, const char *text, size_t warnings) {
    if (read_text(f, text) != HK_OK || hk_ctx_count(f->ctx, HK_WARNING) != warnings) {
        print_all(f);
        fail_msg("not read with %zu warnings", warnings);
    }
}

static inline const hk_diag *find_diag(fixture *f, const char *text) {
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++)
        if (strstr(hk_ctx_diag(f->ctx, i)->text, text))
            return hk_ctx_diag(f->ctx, i);
    print_all(f);
    fail_msg("no message with '%s'", text);
    return NULL;
}

static inline const hk_diag *expect_fail(fixture *f, const char *text, hk_status code,
                                         const char *message) {
    hk_status status = read_text(f, text);
    const hk_diag *diag = find_diag(f, message);
    assert_int_equal(status, code);
    assert_null(f->model);
    return diag;
}

static inline double setting(fixture *f, uint32_t component, uint32_t variable) {
    const hk_component *c = &f->model->components[component];
    double value = (double)NAN;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable)
            value = *(double *)c->settings[i].value.data;
    return value;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
