/* SPDX-License-Identifier: MIT
 *
 * Model descriptions: what is accepted can be used without a further look, so every index in it
 * points to something. */
#include "fuzz.h"

#include "fmi/fmi.h"

#include <string.h>

static void check_depends(const hk_info *info, const hk_depends *depends) {
    for (size_t i = 0; depends->known && i < depends->count; i++)
        HK_ASSERT(depends->on[i] < info->variable_count);
}

static void check_variable(const hk_info *info, uint32_t index) {
    const hk_variable *v = &info->variables[index];
    HK_ASSERT(v->name && (v->unusable || hk_info_find(info, v->name) == index));
    HK_ASSERT(!v->unusable || hk_info_find(info, v->name) != index);
    HK_ASSERT(v->type >= 0 && v->type < HK_TYPE_COUNT && v->store < HK_STORE_COUNT);
    HK_ASSERT(v->causality < HK_CAUSALITY_COUNT && v->variability < HK_VARIABILITY_COUNT);
    HK_ASSERT(v->count > 0);
    HK_ASSERT(v->alias_of <= index);
    HK_ASSERT(info->variables[v->alias_of].alias_of == v->alias_of);
    HK_ASSERT(!v->start.data || (v->start.type == v->type && v->start.count == v->count));
    check_depends(info, &v->depends);
    check_depends(info, &v->depends_init);
}

static void check_info(const hk_info *info) {
    for (uint32_t i = 0; i < info->variable_count; i++)
        check_variable(info, i);
}

/* Another size, as a user would set it: refused, or again a description that can be used. */
static void resize(hk_ctx *ctx, const hk_info *info) {
    uint64_t size = 2;
    hk_value value = {.type = HK_TYPE_U64, .count = 1, .data = &size};
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        const hk_info *other;
        if (v->causality != HK_STRUCTURAL_PARAMETER || v->type != HK_TYPE_U64 || v->count != 1)
            continue;
        if (info->unit_class->resize(ctx, info, &i, &value, 1, &other) == HK_OK)
            check_info(other);
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_fmu *fmu = NULL;
    hk_status status =
        hk_fmu_parse_description(ctx, "modelDescription.xml", (const char *)data, size, &fmu);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT((status == HK_OK) == (fmu != NULL));
    if (fmu) {
        const hk_info *info = hk_fmu_info(fmu);
        HK_ASSERT(info->name && hk_fmu_get_facts(fmu)->fmi_version);
        check_info(info);
        resize(ctx, info);
    }
    hk_fmu_close(fmu);
    hk_ctx_destroy(ctx);
    return 0;
}
