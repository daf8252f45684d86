/* SPDX-License-Identifier: MIT */
#include "plan/variant.h"

#include <string.h>

static hk_model *copy_with_room(const hk_model *model, size_t processors, hk_arena *arena) {
    hk_model *copy = HK_NEW(arena, hk_model);
    *copy = *model;
    copy->components = HK_NEW_ARRAY(arena, hk_component, model->component_count);
    memcpy(copy->components, model->components, model->component_count * sizeof *copy->components);
    copy->processors = HK_NEW_ARRAY(arena, hk_processor, processors);
    return copy;
}

hk_model *hk_variant_copy(const hk_model *model, hk_arena *arena) {
    HK_ASSERT(model && arena);
    hk_model *copy = copy_with_room(model, model->processor_count, arena);
    for (size_t p = 0; p < model->processor_count; p++) {
        uint32_t *room = HK_NEW_ARRAY(arena, uint32_t, model->component_count);
        copy->processors[p] = model->processors[p];
        copy->processors[p].components = room;
        memcpy(room, model->processors[p].components, model->processors[p].count * sizeof *room);
    }
    return copy;
}

hk_model *hk_variant_unscheduled(const hk_model *model, uint32_t cap, hk_arena *arena) {
    HK_ASSERT(model && arena);
    hk_model *copy = copy_with_room(model, cap, arena);
    copy->processor_count = 0;
    for (size_t i = 0; i < copy->component_count; i++)
        copy->components[i].processor = HK_MAP_NONE;
    return copy;
}

void hk_variant_renumber(hk_model *variant, uint32_t processor) {
    HK_ASSERT(variant);
    const hk_processor *p = &variant->processors[processor];
    for (uint32_t i = 0; i < p->count; i++) {
        variant->components[p->components[i]].processor = processor;
        variant->components[p->components[i]].rank = i;
    }
}
