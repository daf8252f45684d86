/* SPDX-License-Identifier: MIT
 *
 * Which parameter has set what. Of two bindings the outer or later one counts, as SSP says; of two
 * parameters in one binding that reach the same elements of a variable, by an index (`x` and
 * `x[2]`) or through a connector of a system, none does. */
#include "ssp/ssp_internal.h"

#include <string.h>

struct hk_ssp_given {
    const hk_ssd_binding *binding;
    const hk_ssv_parameter *parameter;
    const char *text, *unit; /* what was set; a NULL unit: none */
    uint32_t element, count; /* 0 of them: the whole variable */
    uint32_t before;         /* of the same variable and binding; HK_MAP_NONE: none */
};

static uint32_t *last_of(hk_ssp_flat *flat, const hk_address *at) {
    const hk_model *model = flat->model;
    if (!flat->given_last)
        flat->given_last = HK_NEW_ARRAY(flat->reader->arena, uint32_t *, model->component_count);
    uint32_t **lasts = &flat->given_last[at->component];
    size_t count = model->components[at->component].info->variable_count;
    if (!*lasts) {
        *lasts = HK_NEW_ARRAY(flat->reader->arena, uint32_t, count);
        for (size_t i = 0; i < count; i++)
            (*lasts)[i] = HK_MAP_NONE;
    }
    HK_ASSERT(at->variable < count);
    return &(*lasts)[at->variable];
}

static bool overlap(const struct hk_ssp_given *given, const hk_address *at) {
    if (!given->count || !at->count)
        return true;
    return given->element < at->element + at->count && at->element < given->element + given->count;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Two parameters of one binding: the same value twice is reported by who reads the set. */
static hk_status compare(hk_ssp_flat *flat, const struct hk_ssp_given *first,
                         const struct hk_ssp_given *second, const hk_address *at) {
    hk_ssp *r = flat->reader;
    bool whole = first->count == second->count && first->element == second->element;
    if (first->parameter == second->parameter ||
        (whole && same_text(first->text, second->text) && same_text(first->unit, second->unit)))
        return HK_OK;
    return hk_error(r->ctx, HK_E_DUPLICATE, second->parameter->where, "remove one of the two",
                    "parameters '%s' and '%s' of one set both give a value to '%s'; the first "
                    "is in line %d",
                    first->parameter->name, second->parameter->name,
                    hk_address_name(r->arena, flat->model, at), first->parameter->where.line);
}

hk_status hk_ssp_remember(hk_ssp_flat *flat, const hk_ssd_binding *binding,
                          const hk_ssv_parameter *parameter, const hk_address *at, const char *text,
                          const hk_uom *unit) {
    hk_ssp *r = flat->reader;
    uint32_t *last = last_of(flat, at);
    struct hk_ssp_given now = {binding,
                               parameter,
                               hk_arena_strdup(r->arena, text),
                               unit ? unit->name : NULL,
                               at->element,
                               at->count,
                               HK_MAP_NONE};
    if (*last != HK_MAP_NONE && flat->given[*last].binding == binding) {
        for (uint32_t i = *last; i != HK_MAP_NONE; i = flat->given[i].before)
            if (overlap(&flat->given[i], at))
                HK_TRY(compare(flat, &flat->given[i], &now, at));
        now.before = *last;
    } else if (*last != HK_MAP_NONE && !flat->replaced++) {
        struct hk_ssp_given *first = HK_NEW(r->arena, struct hk_ssp_given);
        *first = flat->given[*last];
        flat->first_replaced = first;
        flat->first_replacing = parameter->where;
    }
    *last = (uint32_t)flat->given_count;
    HK_PUSH(flat->given, flat->given_count, flat->given_cap, now);
    return HK_OK;
}

void hk_ssp_tell_replaced(const hk_ssp_flat *flat) {
    const struct hk_ssp_given *first = flat->first_replaced;
    if (!first)
        return;
    const hk_where *where = &first->parameter->where;
    hk_note(flat->reader->ctx, flat->first_replacing,
            flat->replaced == 1
                ? "this value replaces that of parameter '%s' in line %d of '%s': outer and later "
                  "bindings count"
                : "this value replaces that of parameter '%s' in line %d of '%s', and so do %zu "
                  "others: outer and later bindings count",
            first->parameter->name, where->line, where->file, flat->replaced - 1);
}

void hk_ssp_forget_given(hk_ssp_flat *flat) {
    hk_free(flat->given);
    flat->given = NULL;
    flat->given_count = flat->given_cap = 0;
}
