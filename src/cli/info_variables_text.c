/* SPDX-License-Identifier: MIT
 *
 * `hocket info`: tables of variables. */
#include "cli/info_view.h"

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

hk_info_filter hk_info_read_filter(hk_cli *cli, const hk_args *args) {
    return (hk_info_filter){.causality = hk_args_value(args, "causality"),
                            .patterns = hk_request_texts(cli, args, "variable")};
}

const char *hk_info_ratio(hk_cli *cli, hk_ratio r) {
    char text[48];
    return hk_arena_strdup(cli->arena, hk_ratio_format(r, text));
}

/* The first elements of the start value. */
static const char *start_text(hk_cli *cli, const hk_variable *v) {
    enum { SHOWN_MAX = 4 };
    if (!v->start.data)
        return NULL;
    const char *text = hk_info_start(cli->arena, v, 0);
    for (size_t i = 1; i < v->start.count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(cli->arena, "%s %s", text, hk_info_start(cli->arena, v, i));
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
    hk_info_filter filter = hk_info_read_filter(cli, args);
    size_t count = 0;
    for (int rank = 2; rank >= 0; rank--)
        for (size_t i = 0; i < info->variable_count; i++) {
            const hk_variable *v = &info->variables[i];
            if (rank_of(v) == rank && hk_info_wants(&filter, cli->arena, owner, v) &&
                (asked || count < SCREEN)) {
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
    hk_info_filter filter = hk_info_read_filter(cli, args);
    size_t wanted = hk_info_count_variables(&filter, cli->arena, owner, info);
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
