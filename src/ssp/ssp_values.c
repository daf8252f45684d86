/* SPDX-License-Identifier: MIT
 *
 * A parameter set alone, for those who give it to a system themselves. */
#include "base/file.h"
#include "ssp/ssp.h"
#include "ssp/ssp_internal.h"

#include <string.h>

#define SET_BYTES_MAX ((size_t)256 << 20)

/* A copy that outlives the reader. */
static hk_ssp_value keep(hk_arena *arena, const char *file, const hk_ssv_parameter *p) {
    hk_ssp_value v = {.name = hk_arena_strdup(arena, p->name),
                      .text = hk_arena_strdup(arena, p->value),
                      .items = p->item_count,
                      .is_text = p->is_text,
                      .where = {.file = file, .line = p->where.line, .column = p->where.column}};
    if (p->shape.count) {
        size_t *sizes = HK_NEW_ARRAY(arena, size_t, p->shape.count);
        memcpy(sizes, p->shape.sizes, p->shape.count * sizeof *sizes);
        v.sizes = sizes;
        v.size_count = p->shape.count;
    }
    if (p->item_count == 1) { /* one text is not a list */
        v.text = hk_arena_strdup(arena, p->items[0]);
        v.items = 0;
        v.is_text = true;
    }
    if (p->uom) {
        hk_uom *uom = HK_NEW(arena, hk_uom);
        *uom = *p->uom;
        uom->name = hk_arena_strdup(arena, p->unit);
        v.uom = uom;
    }
    return v;
}

static hk_status read_set(hk_ssp *r, hk_arena *arena, const hk_file_text *text,
                          hk_ssp_value **ret_values, size_t *ret_count) {
    const char *file = text->file;
    const hk_xml *root;
    HK_TRY(hk_ssp_parse_xml(r, file, text->data, text->size, "ParameterSet", &root));
    const hk_ssv *set = hk_ssv_read(r, file, root, NULL);
    if (r->reading.complaints.count)
        return r->reading.complaints.first;
    hk_ssp_value *values = HK_NEW_ARRAY(arena, hk_ssp_value, set->count + 1);
    for (size_t i = 0; i < set->count; i++)
        values[i] = keep(arena, file, &set->parameters[i]);
    *ret_values = values;
    *ret_count = set->count;
    return HK_OK;
}

hk_status hk_ssp_read_values(hk_ctx *ctx, hk_arena *arena, const char *path,
                             hk_ssp_value **ret_values, size_t *ret_count) {
    char *data;
    size_t size;
    hk_ssp r;
    HK_TRY(hk_file_read(ctx, path, SET_BYTES_MAX, &data, &size));
    hk_ssp_begin(&r, ctx);
    const hk_file_text text = {hk_arena_strdup(arena, path), data, size};
    hk_status status = read_set(&r, arena, &text, ret_values, ret_count);
    hk_ssp_finish(&r);
    hk_free(data);
    return status;
}
