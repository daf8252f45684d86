/* SPDX-License-Identifier: MIT
 *
 * What a cell of a module's memory is called in the struct: the variable, line or argument that it
 * is in, and the way through its parts. */
#include "gen/chart_internal.h"

const char *hk_cg_scalar(const hk_cg *g, const hk_chart_type *type, uint32_t offset,
                         const char *text) {
    return hk_cg_part(g, type, offset, NULL, text);
}

/* From the record TEXT of TYPE to its field that OFFSET is in. */
static const char *enter_field(const hk_cg *g, const hk_chart_type **type, uint32_t *offset,
                               const char *text) {
    const hk_chart_type *record = *type;
    uint32_t k = record->field_count - 1;
    while (k && record->fields[k].offset > *offset)
        k--;
    *offset -= record->fields[k].offset;
    *type = record->fields[k].type;
    return hk_cg_print(g, "%s.%s", text, g->type_parts[hk_cg_type_index(g, record)][k]);
}

/* TEXT is of type TYPE: its part at OFFSET that is of type WANTED (NULL: a number). */
const char *hk_cg_part(const hk_cg *g, const hk_chart_type *type, uint32_t offset,
                       const hk_chart_type *wanted, const char *text) {
    while (offset != 0 || (wanted ? type != wanted : !hk_chart_is_scalar(type))) {
        if (type->field_count) {
            text = enter_field(g, &type, &offset, text);
            continue;
        }
        HK_ASSERT(type->element);
        if (type->kind == HK_CHART_SEQUENCE && offset == 0)
            return hk_cg_print(g, "%s.size", text);
        offset -= type->kind == HK_CHART_SEQUENCE;
        text = hk_cg_print(g, "%s.items[%u]", text, (unsigned)(offset / type->element->size));
        offset %= type->element->size;
        type = type->element;
    }
    return text;
}

typedef struct root {
    const char *name;
    uint32_t cell;
    const hk_chart_type *type;
} root;

static bool holds(root *found, uint32_t cell, const char *name, uint32_t at,
                  const hk_chart_type *type) {
    if (!type || cell < at || cell >= at + type->size)
        return false;
    *found = (root){name, at, type};
    return true;
}

static bool find_in_line(const hk_cg *g, uint32_t i, uint32_t cell, root *found) {
    const hk_chart_line *line = &g->chart->lines[i];
    const hk_cg_line *l = &g->lines[i];
    if (line->kind == HK_CHART_TO_PLATFORM)
        return holds(found, cell, l->value, line->cell, line->type);
    return holds(found, cell, l->received, line->cell, line->type) ||
           (line->kind == HK_CHART_BETWEEN &&
            holds(found, cell, l->sending, line->sent, line->type));
}

static root find_root(const hk_cg *g, uint32_t cell) {
    const hk_chart *chart = g->chart;
    root found = {0};
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (holds(&found, cell, g->variables[i], v->cell, v->type))
            return found;
    }
    for (uint32_t i = 0; i < chart->line_count; i++)
        if (find_in_line(g, i, cell, &found))
            return found;
    for (uint32_t i = 0; i < chart->operation_count; i++) {
        const hk_chart_operation *o = &chart->operations[i];
        for (uint32_t k = 0; k < o->parameter_count; k++)
            if (holds(&found, cell, g->operations[i].parameters[k],
                      o->cell + o->parameters[k].offset, o->parameters[k].type))
                return found;
    }
    HK_ASSERT(false);
    return found;
}

const char *hk_cg_place(const hk_cg *g, uint32_t cell, const hk_chart_type *type) {
    root found = find_root(g, cell);
    return hk_cg_part(g, found.type, cell - found.cell, type, hk_cg_print(g, "x->%s", found.name));
}

const char *hk_cg_scalar_place(const hk_cg *g, uint32_t cell) {
    root found = find_root(g, cell);
    return hk_cg_scalar(g, found.type, cell - found.cell, hk_cg_print(g, "x->%s", found.name));
}

/* A target with an index names what is indexed by its first cell and its elements. */
static const char *indexed(const hk_cg *g, const hk_chart_target *target) {
    root found = find_root(g, target->cell);
    const hk_chart_type *type = found.type;
    uint32_t offset = target->cell - found.cell;
    const char *text = hk_cg_print(g, "x->%s", found.name);
    while (offset != 0 || type->element != target->element ||
           (!target->sequence && type->length != target->length * target->columns) ||
           (type->kind == HK_CHART_SEQUENCE) != target->sequence) {
        HK_ASSERT(type->field_count); /* what is indexed is a variable, or a field */
        text = enter_field(g, &type, &offset, text);
    }
    return text;
}

const char *hk_cg_target(hk_cg *g, const hk_chart_target *target, int depth) {
    if (!target->index)
        return hk_cg_place(g, target->cell, target->type);
    const char *whole = indexed(g, target), *index = hk_cg_expr(g, target->index);
    const char *size = target->sequence ? hk_cg_print(g, "%s.size", whole)
                                        : hk_cg_print(g, "%u", (unsigned)target->length);
    const char *var = hk_cg_print(g, "i%u", ++g->now.var_count),
               *at = hk_cg_at(g, target->index->line, target->index->column);
    hk_text_put(&g->now.vars, "    int64_t %s;\n", var);
    if (target->column) {
        const char *column = hk_cg_print(g, "i%u", ++g->now.var_count);
        hk_text_put(&g->now.vars, "    int64_t %s;\n", column);
        hk_cg_line_put(g, depth, "%s = %s;", var, index);
        hk_cg_line_put(g, depth, "%s = %s;", column, hk_cg_bare(g, target->column));
        hk_cg_line_put(g, depth, "%s = hk_rc_cell(&x->trouble, %s, %s, %s, %u, %s);", var, var,
                       size, column, (unsigned)target->columns, at);
    } else {
        hk_cg_line_put(g, depth, "%s = hk_rc_index(&x->trouble, %s, %s, %s);", var, index, size,
                       at);
    }
    return hk_cg_part(g, target->element, target->inner, target->type,
                      hk_cg_print(g, "%s.items[%s]", whole, var));
}
