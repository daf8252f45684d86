/* SPDX-License-Identifier: MIT
 *
 * `hocket info`: tables of variables. */
#include "cli/info_view.h"
#include "record/select.h"

#include <math.h>
#include <string.h>

void hk_info_heading(const hk_cli *cli, const char *text) {
    printf("\n%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), text, hk_style_off(cli->color_out));
}

void hk_info_fact(const char *name, const char *value) {
    if (!value || !*value)
        return;
    printf("%-16s ", name);
    hk_put_clean(stdout, value);
    putchar('\n');
}

const char *hk_info_ratio(hk_cli *cli, hk_ratio r) {
    char text[48];
    return hk_arena_strdup(cli->arena, hk_ratio_format(r, text));
}

static bool is_wanted(hk_cli *cli, const hk_args *args, const char *owner, const hk_variable *v) {
    const char *causality = hk_args_value(args, "causality");
    if (causality && strcmp(causality, hk_causality_name(v->causality)) != 0)
        return false;
    const char *pattern = hk_args_nth(args, "variable", 0);
    if (!pattern)
        return true;
    const char *full = owner ? hk_arena_printf(cli->arena, "%s.%s", owner, v->name) : v->name;
    for (size_t i = 0; (pattern = hk_args_nth(args, "variable", i)); i++)
        if (hk_glob_match(pattern, v->name) || hk_glob_match(pattern, full))
            return true;
    return false;
}

size_t hk_info_count_variables(hk_cli *cli, const hk_args *args, const char *owner,
                               const hk_info *info) {
    size_t count = 0;
    for (size_t i = 0; i < info->variable_count; i++)
        count += is_wanted(cli, args, owner, &info->variables[i]);
    return count;
}

static const char *element_text(hk_cli *cli, const hk_variable *v, size_t index) {
    hk_store store = hk_store_of(v->type);
    const char *data = v->start.data;
    return hk_value_format(cli->arena, v->type, store, data + index * hk_store_size(store));
}

/* The first elements of the start value. */
static const char *start_text(hk_cli *cli, const hk_variable *v) {
    enum { SHOWN_MAX = 4 };
    if (!v->start.data)
        return NULL;
    const char *text = element_text(cli, v, 0);
    for (size_t i = 1; i < v->start.count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(cli->arena, "%s %s", text, element_text(cli, v, i));
    return v->start.count > SHOWN_MAX ? hk_arena_printf(cli->arena, "%s ...", text) : text;
}

/* "A[2][3]" */
static const char *name_text(hk_cli *cli, const hk_variable *v) {
    const char *text = v->name;
    for (size_t i = 0; i < v->dim_count; i++)
        text = hk_arena_printf(cli->arena, "%s[%zu]", text, v->dims[i]);
    return v->dim_count || v->count == 1 ? text
                                         : hk_arena_printf(cli->arena, "%s[%zu]", text, v->count);
}

/* "off = 0, on = 1", the first few. */
static const char *items_text(hk_cli *cli, const hk_enum *e) {
    enum { SHOWN_MAX = 8 };
    const char *text = "";
    for (size_t i = 0; i < e->item_count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(cli->arena, "%s%s%s = %lld", text, i ? ", " : "", e->item_names[i],
                               (long long)e->item_values[i]);
    return e->item_count > SHOWN_MAX ? hk_arena_printf(cli->arena, "%s, ...", text) : text;
}

static const char *about_text(hk_cli *cli, const hk_info *info, size_t index) {
    const hk_variable *v = &info->variables[index];
    const char *parts[] = {
        NULL, v->unusable ? hk_arena_printf(cli->arena, "cannot be used: %s", v->unusable) : NULL,
        v->enumeration ? items_text(cli, v->enumeration) : NULL, v->description};
    const char *text = "";
    if (v->alias_of != index)
        parts[0] = hk_arena_printf(cli->arena, "%s of %s",
                                   v->negated != info->variables[v->alias_of].negated ? "opposite"
                                                                                      : "alias",
                                   info->variables[v->alias_of].name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] && *parts[i])
            text = hk_arena_printf(cli->arena, "%s%s%s", text, *text ? "; " : "", parts[i]);
    return text;
}

/* The width of a column that has room for TEXT, within reason. */
static int wider(int width, const char *text) {
    int length = text ? (int)strlen(text) : 0, limit = 40;
    return length > limit ? limit : length > width ? length : width;
}

enum { VARIABLE_CELLS = 7 };

/* One row of the table of variables; an empty cell is NULL. No spaces are left at its end. */
static void print_row(hk_cli *cli, const int *widths, const char *const *cells) {
    char *line = hk_arena_strdup(cli->arena, "");
    for (size_t i = 0; i < VARIABLE_CELLS; i++)
        line = hk_arena_printf(cli->arena, "%s%s%-*s", line, i ? "  " : "", widths[i],
                               cells[i] ? cells[i] : "");
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        line[--length] = '\0';
    hk_put_clean(stdout, line);
    putchar('\n');
}

/* How much a variable is worth showing where there is no room for all; 0: least. */
static int rank_of(const hk_variable *v) {
    switch (v->causality) {
    case HK_INPUT:
    case HK_OUTPUT:
        return 2;
    case HK_PARAMETER:
    case HK_STRUCTURAL_PARAMETER:
        return 1;
    default:
        return 0;
    }
}

/* Marks what is shown, and returns how many: all that is asked for; or, of a long list that nobody
 * asked for, a screen full of inputs and outputs, then parameters, then the rest. */
static size_t choose(hk_cli *cli, const hk_args *args, const char *owner, const hk_info *info,
                     bool *ret_shown) {
    enum { SCREEN = 24 };
    bool asked =
        hk_args_has(args, "all") || hk_args_has(args, "causality") || hk_args_has(args, "variable");
    size_t count = 0;
    for (int rank = 2; rank >= 0; rank--)
        for (size_t i = 0; i < info->variable_count; i++) {
            const hk_variable *v = &info->variables[i];
            if (rank_of(v) == rank && is_wanted(cli, args, owner, v) && (asked || count < SCREEN)) {
                ret_shown[i] = true;
                count++;
            }
        }
    return count;
}

/* "1909 variables: 3 inputs, 2 outputs, 17 parameters" */
static const char *counts_text(hk_cli *cli, const hk_info *info) {
    size_t counts[HK_CAUSALITY_COUNT] = {0};
    for (size_t i = 0; i < info->variable_count; i++)
        counts[info->variables[i].causality]++;
    const char *text = hk_arena_printf(cli->arena, "%zu variable%s", info->variable_count,
                                       info->variable_count == 1 ? "" : "s");
    const char *gap = ": ";
    for (int c = 0; c < HK_CAUSALITY_COUNT; c++) {
        if (!counts[c])
            continue;
        const char *name = hk_causality_name((hk_causality)c);
        bool plural = counts[c] != 1 && c != HK_LOCAL && c != HK_INDEPENDENT;
        text = hk_arena_printf(cli->arena, "%s%s%zu %s%s", text, gap, counts[c], name,
                               plural ? "s" : "");
        gap = ", ";
    }
    return text;
}

static void print_table(hk_cli *cli, const hk_info *info, const bool *shown) {
    int widths[] = {4, 9, 4, 11, 4, 10, 0};
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (shown[i]) {
            widths[0] = wider(widths[0], name_text(cli, v));
            widths[1] = wider(widths[1], hk_causality_name(v->causality));
            widths[2] = wider(widths[2], hk_type_name(v->type));
            widths[4] = wider(widths[4], v->unit);
        }
    }
    print_row(cli, widths,
              (const char *const[]){"name", "causality", "type", "variability", "unit", "start",
                                    "description"});
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (shown[i])
            print_row(cli, widths,
                      (const char *const[]){name_text(cli, v), hk_causality_name(v->causality),
                                            hk_type_name(v->type),
                                            hk_variability_name(v->variability), v->unit,
                                            start_text(cli, v), about_text(cli, info, i)});
    }
}

void hk_info_print_variables(hk_cli *cli, const hk_args *args, const char *owner,
                             const hk_info *info) {
    bool *shown = hk_alloc(info->variable_count + 1);
    size_t count = choose(cli, args, owner, info, shown);
    size_t wanted = hk_info_count_variables(cli, args, owner, info);
    hk_info_heading(cli,
                    count == info->variable_count
                        ? counts_text(cli, info)
                        : hk_arena_printf(cli->arena, "%zu of %s", count, counts_text(cli, info)));
    if (count)
        print_table(cli, info, shown);
    if (count < wanted)
        printf("... %zu more: --all shows every variable, --causality and --variable choose some\n",
               wanted - count);
    hk_free(shown);
}

static void put_optional(hk_json *json, const char *key, double value) {
    if (!isnan(value))
        hk_json_f64(json, key, value);
}

static void put_text(hk_json *json, const char *key, const char *text) {
    if (text)
        hk_json_string(json, key, text);
}

/* A scalar is one text; an array is an array of texts. */
static void put_start(hk_cli *cli, hk_json *json, const hk_variable *v) {
    if (!v->start.data)
        return;
    if (v->start.count == 1 && !v->dim_count) {
        hk_json_string(json, "start", element_text(cli, v, 0));
        return;
    }
    hk_json_array(json, "start");
    for (size_t i = 0; i < v->start.count; i++)
        hk_json_string(json, NULL, element_text(cli, v, i));
    hk_json_end(json);
}

static void put_shape(hk_json *json, const hk_info *info, const hk_variable *v) {
    if (v->dim_count) {
        hk_json_array(json, "dimensions");
        for (size_t i = 0; i < v->dim_count; i++)
            hk_json_i64(json, NULL, (int64_t)v->dims[i]);
        hk_json_end(json);
    }
    if (v->enumeration) {
        hk_json_array(json, "items");
        for (size_t i = 0; i < v->enumeration->item_count; i++) {
            hk_json_object(json, NULL);
            hk_json_string(json, "name", v->enumeration->item_names[i]);
            hk_json_i64(json, "value", v->enumeration->item_values[i]);
            hk_json_end(json);
        }
        hk_json_end(json);
    }
    if (v->causality == HK_OUTPUT && v->depends.known) {
        hk_json_array(json, "depends_on");
        for (size_t i = 0; i < v->depends.count; i++)
            hk_json_string(json, NULL, info->variables[v->depends.on[i]].name);
        hk_json_end(json);
    }
}

void hk_info_put_variables(hk_cli *cli, hk_json *json, const hk_args *args, const char *owner,
                           const hk_info *info) {
    hk_json_array(json, "variables");
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (!is_wanted(cli, args, owner, v))
            continue;
        hk_json_object(json, NULL);
        hk_json_string(json, "name", v->name);
        hk_json_i64(json, "reference", v->ref);
        hk_json_string(json, "type", hk_type_name(v->type));
        hk_json_string(json, "causality", hk_causality_name(v->causality));
        hk_json_string(json, "variability", hk_variability_name(v->variability));
        if (v->initial != HK_INITIAL_NONE)
            hk_json_string(json, "initial", hk_initial_name(v->initial));
        hk_json_i64(json, "count", (int64_t)v->count);
        put_text(json, "unit", v->unit);
        put_text(json, "display_unit", v->display_unit);
        put_text(json, "quantity", v->quantity);
        put_text(json, "declared_type", v->declared_type);
        put_start(cli, json, v);
        put_optional(json, "min", v->min);
        put_optional(json, "max", v->max);
        put_optional(json, "nominal", v->nominal);
        if (v->alias_of != i)
            hk_json_string(json, "alias_of", info->variables[v->alias_of].name);
        if (v->negated)
            hk_json_bool(json, "negated", true);
        if (v->state)
            hk_json_bool(json, "state", true);
        put_text(json, "unusable", v->unusable);
        put_shape(json, info, v);
        put_text(json, "description", v->description);
        hk_json_end(json);
    }
    hk_json_end(json);
}

void hk_info_put_defaults(hk_json *json, const hk_defaults *d) {
    hk_json_object(json, "default_experiment");
    if (d->has_start)
        hk_json_f64(json, "start_time", hk_ratio_to_double(d->start));
    if (d->has_stop)
        hk_json_f64(json, "stop_time", hk_ratio_to_double(d->stop));
    if (d->has_step)
        hk_json_f64(json, "step_size", hk_ratio_to_double(d->step));
    if (d->has_tolerance)
        hk_json_f64(json, "tolerance", d->tolerance);
    hk_json_end(json);
}
