/* SPDX-License-Identifier: MIT
 *
 * The documentation page of an FMU: what the component says of its ports, as a plain table. */
#include "export/export_internal.h"

#include "base/number.h"

#include <math.h>

static void put_cell(FILE *out, const char *text) {
    fputs("<td>", out);
    hk_export_put_escaped(out, text ? text : "");
    fputs("</td>", out);
}

/* The items of an enumeration, or the limits. */
static const char *values_of(const hk_export *e, const hk_variable *v) {
    const char *text = "";
    for (size_t i = 0; v->enumeration && i < v->enumeration->item_count; i++)
        text = hk_arena_printf(e->arena, "%s%s%s (%lld)", text, i ? ", " : "",
                               v->enumeration->item_names[i],
                               (long long)v->enumeration->item_values[i]);
    char number[HK_NUMBER_MAX + 1];
    if (!isnan(v->min)) {
        number[hk_write_f64(v->min, number)] = '\0';
        text = hk_arena_printf(e->arena, "%s%sat least %s", text, *text ? ", " : "", number);
    }
    if (!isnan(v->max)) {
        number[hk_write_f64(v->max, number)] = '\0';
        text = hk_arena_printf(e->arena, "%s%sat most %s", text, *text ? ", " : "", number);
    }
    return text;
}

static void put_row(const hk_export *e, FILE *out, const hk_variable *v, hk_export_role role) {
    bool clock = role == HK_EXPORT_CLOCK_IN || role == HK_EXPORT_CLOCK_OUT;
    fputs("<tr>", out);
    put_cell(out, v->name);
    put_cell(out, hk_causality_name(v->causality));
    put_cell(out, clock ? "Clock"
                  : v->dim_count
                      ? hk_arena_printf(e->arena, "%s[%zu]", hk_type_name(v->type), v->count)
                      : hk_type_name(v->type));
    put_cell(out, v->unit);
    put_cell(out, hk_export_has_start(v) && !clock ? hk_export_start(e->arena, v, 0, false) : "");
    put_cell(out, values_of(e, v));
    put_cell(out, v->description);
    fputs("</tr>\n", out);
}

void hk_export_write_page(const hk_export *e, FILE *out) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"UTF-8\"><title>", out);
    hk_export_put_escaped(out, e->name);
    fputs("</title>\n<style>body{font-family:sans-serif}table{border-collapse:collapse}"
          "td,th{border:1px solid #999;padding:2px 8px;text-align:left}</style></head>\n"
          "<body>\n<h1>",
          out);
    hk_export_put_escaped(out, e->name);
    fputs("</h1>\n<p>", out);
    hk_export_put_escaped(out, e->info->description ? e->info->description : "");
    fprintf(out,
            "</p>\n<p>FMI %d.0 for co-simulation, exported by hocket from the native component "
            "<code>",
            e->options->fmi);
    hk_export_put_escaped(out, e->info->name);
    fprintf(out,
            "</code>. Its outputs hold at the %s of the step that computes them.</p>\n"
            "<table>\n<tr><th>name</th><th>causality</th><th>type</th><th>unit</th><th>start</th>"
            "<th>values</th><th>description</th></tr>\n",
            hk_export_stamp(e));
    for (size_t i = 0; i < e->info->variable_count; i++)
        if (hk_export_role_of(e, i) != HK_EXPORT_HIDDEN)
            put_row(e, out, &e->info->variables[i], hk_export_role_of(e, i));
    fputs("</table>\n</body>\n</html>\n", out);
}
