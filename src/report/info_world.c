/* SPDX-License-Identifier: MIT
 *
 * What is in a world: its systems and its entities. */
#include "report/info_report_internal.h"
#include "world/world.h"

static void put_system(hk_json *json, const hk_world_system *s) {
    hk_json_object(json, NULL);
    hk_json_string(json, "name", s->name);
    hk_json_string(json, "type", s->type->name);
    hk_json_i64(json, "priority", s->priority);
    hk_json_i64(json, "every", s->every);
    hk_json_bool(json, "active", !s->dormant);
    hk_json_string(json, "writes", s->type->writes ? s->type->writes : "");
    hk_json_end(json);
}

static void put_entity(hk_json *json, const hk_world_spec *spec, const hk_world_entity *e) {
    hk_json_object(json, NULL);
    hk_json_string(json, "name", e->name);
    if (e->copies)
        hk_json_i64(json, "count", (int64_t)e->copies);
    hk_json_bool(json, "dormant", e->dormant);
    if (e->parent != HK_MAP_NONE)
        hk_json_string(json, "parent", spec->entities[e->parent].name);
    hk_json_array(json, "components");
    for (size_t i = 0; i < e->part_count; i++)
        hk_json_string(json, NULL, e->parts[i].type->name);
    hk_json_end(json);
    hk_json_array(json, "tags");
    for (size_t i = 0; i < e->tag_count; i++)
        hk_json_string(json, NULL, e->tags[i].name);
    hk_json_end(json);
    hk_json_array(json, "variants");
    for (size_t i = 0; i < e->variant_count; i++)
        hk_json_string(json, NULL, e->variants[i]);
    hk_json_end(json);
    hk_json_end(json);
}

void hk_info_put_world(hk_json *json, const hk_info *info) {
    HK_ASSERT(json && info);
    const hk_world_spec *spec = hk_world_of(info);
    if (!spec)
        return;
    hk_json_array(json, "systems");
    for (size_t i = 0; i < spec->system_count; i++)
        put_system(json, &spec->systems[i]);
    hk_json_end(json);
    hk_json_array(json, "entities");
    for (size_t i = 0; i < spec->entity_count; i++)
        put_entity(json, spec, &spec->entities[i]);
    hk_json_end(json);
}
