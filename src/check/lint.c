/* SPDX-License-Identifier: MIT */
#include "check/lint.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 10 }; /* findings of one rule */

#define ERROR   HK_ERROR
#define WARNING HK_WARNING
#define NOTE    HK_NOTE
#define HK_RULE(id, name, severity, fmi1, fmi2, fmi3, sentence)                                    \
    {(name), (sentence), (severity), {(fmi1), (fmi2), (fmi3)}},
static const hk_fmu_rule rules[] = {
#include "check/rules.def"
};
#undef HK_RULE

const hk_fmu_rule *hk_fmu_rule_at(size_t index) {
    return index < HK_RULE_COUNT ? &rules[index] : NULL;
}

void hk_lint_init(hk_lint *lint, hk_arena *arena, const char *file) {
    *lint = (hk_lint){.arena = arena, .file = file};
}

void hk_lint_finish(hk_lint *lint) {
    hk_free(lint->findings);
    hk_map_finish(&lint->by_name);
    hk_map_finish(&lint->by_ref);
    hk_map_finish(&lint->units);
    hk_map_finish(&lint->types);
}

const char *hk_lint_element(hk_lint *lint, const hk_xml *element) {
    const char *name = hk_xml_attr_get(element, "name");
    if (!name)
        name = hk_xml_attr_get(element, "valueReference");
    if (!name)
        name = hk_xml_attr_get(element, "index");
    if (!name)
        name = hk_xml_attr_get(element, "unit");
    return name ? hk_arena_printf(lint->arena, "%.60s '%.100s'", element->name, name)
                : hk_arena_strndup(lint->arena, element->name, strnlen(element->name, 60));
}

static void add(hk_lint *lint, hk_rule rule, hk_where where, const char *hint, const char *format,
                va_list args) HK_PRINTF(5, 0);

static void add(hk_lint *lint, hk_rule rule, hk_where where, const char *hint, const char *format,
                va_list args) {
    hk_finding finding = {
        .rule = rule,
        .where = where,
        .text = hk_arena_vprintf(lint->arena, format, args),
        .hint = hint,
        .number = lint->finding_count,
    };
    HK_PUSH(lint->findings, lint->finding_count, lint->finding_cap, finding);
}

void hk_lint_where(hk_lint *lint, hk_rule rule, hk_where where, const char *hint,
                   const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(lint, rule, where, hint, format, args);
    va_end(args);
}

void hk_lint_add(hk_lint *lint, hk_rule rule, const hk_xml *element, const char *hint,
                 const char *format, ...) {
    hk_where where = hk_xml_where(lint->file, element);
    where.element = hk_lint_element(lint, element);
    va_list args;
    va_start(args, format);
    add(lint, rule, where, hint, format, args);
    va_end(args);
}

static int by_place(const void *a, const void *b) {
    const hk_finding *x = a, *y = b;
    int order = strcmp(x->where.file, y->where.file);
    if (order == 0)
        order = (x->where.line > y->where.line) - (x->where.line < y->where.line);
    if (order == 0)
        order = (x->where.column > y->where.column) - (x->where.column < y->where.column);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* "[start-missing; FMI 2.0.5, 2.2.7]" */
static const char *reference(hk_lint *lint, hk_rule rule) {
    static const char *const papers[] = {"FMI 1.0", "FMI 2.0.5", "FMI 3.0.2"};
    const hk_fmu_rule *r = &rules[rule];
    const char *section = lint->version ? r->reference[lint->version - 1] : "";
    return *section ? hk_arena_printf(lint->arena, "[%s; %s, %s]", r->name,
                                      papers[lint->version - 1], section)
                    : hk_arena_printf(lint->arena, "[%s]", r->name);
}

static void report_one(hk_lint *lint, hk_ctx *ctx, const hk_finding *f) {
    const char *paper = reference(lint, f->rule);
    switch (rules[f->rule].severity) {
    case HK_ERROR:
        (void)hk_error(ctx, HK_E_FMI_RULE, f->where, f->hint, "%s %s", f->text, paper);
        break;
    case HK_WARNING:
        hk_warn(ctx, HK_E_FMI_RULE, f->where, f->hint, "%s %s", f->text, paper);
        break;
    case HK_NOTE:
        hk_note(ctx, f->where, "%s %s", f->text, paper);
        break;
    }
}

hk_status hk_lint_report(hk_lint *lint, hk_ctx *ctx, hk_fmu_findings *ret_findings) {
    size_t counts[HK_RULE_COUNT] = {0};
    hk_fmu_findings all = {0};
    if (lint->finding_count)
        qsort(lint->findings, lint->finding_count, sizeof *lint->findings, by_place);
    for (size_t i = 0; i < lint->finding_count; i++) {
        const hk_finding *f = &lint->findings[i];
        all.errors += rules[f->rule].severity == HK_ERROR;
        all.warnings += rules[f->rule].severity == HK_WARNING;
        if (counts[f->rule]++ < SHOWN_MAX)
            report_one(lint, ctx, f);
    }
    for (size_t r = 0; r < HK_RULE_COUNT; r++)
        if (counts[r] > SHOWN_MAX)
            hk_note(ctx, (hk_where){.file = lint->file}, "and %zu more of the rule '%s'",
                    counts[r] - SHOWN_MAX, rules[r].name);
    *ret_findings = all;
    return all.errors ? HK_E_FMI_RULE : HK_OK;
}

bool hk_lint_f64(const hk_xml *element, const char *name, double *ret_value) {
    const char *text = hk_xml_attr_get(element, name);
    return text && hk_read_f64(text, strlen(text), ret_value);
}

bool hk_lint_u64(const hk_xml *element, const char *name, uint64_t *ret_value) {
    const char *text = hk_xml_attr_get(element, name);
    return text && hk_read_u64(text, strlen(text), ret_value);
}

bool hk_lint_i64(const hk_xml *element, const char *name, int64_t *ret_value) {
    const char *text = hk_xml_attr_get(element, name);
    return text && hk_read_i64(text, strlen(text), ret_value);
}

bool hk_lint_bool(const hk_xml *element, const char *name) {
    const char *text = hk_xml_attr_get(element, name);
    bool value;
    return text && hk_read_bool(text, strlen(text), &value) && value;
}

const char *hk_lint_word(const char **text, size_t *ret_length) {
    const char *word = *text + strspn(*text, " \t\r\n");
    size_t length = strcspn(word, " \t\r\n");
    *text = word + length;
    *ret_length = length;
    return length ? word : NULL;
}
