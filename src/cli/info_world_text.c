/* SPDX-License-Identifier: MIT
 *
 * What is in a world, for people. */
#include "cli/info_view.h"
#include "world/world.h"

static const char *family_words(hk_arena *arena, const hk_system_type *type) {
    const char *words = "";
    for (size_t i = 0; i < type->family_count; i++) {
        const hk_family *f = &type->families[i];
        words =
            hk_arena_printf(arena, "%s%s%s%s%s", words, i ? "; " : "of ", f->with ? f->with : "all",
                            f->tags ? " that are " : "", f->tags ? f->tags : "");
    }
    return words;
}

static void put_system(hk_cli *cli, const hk_world_system *s) {
    const char *every =
        s->every == 1 ? "every step" : hk_arena_printf(cli->arena, "every %u steps", s->every);
    hk_put_clean(stdout,
                 hk_arena_printf(cli->arena, "system %-20s priority %d, %s%s%s%s %s", s->name,
                                 s->priority, every, s->dormant ? ", inactive" : "",
                                 s->type->writes ? ", writes " : ", writes nothing",
                                 s->type->writes ? s->type->writes : "",
                                 family_words(cli->arena, s->type)));
    putchar('\n');
}

static void put_entity(hk_cli *cli, const hk_world_spec *spec, const hk_world_entity *e) {
    const char *words = "";
    for (size_t i = 0; i < e->part_count; i++)
        words = hk_arena_printf(cli->arena, "%s %s", words, e->parts[i].type->name);
    for (size_t i = 0; i < e->variant_count; i++)
        words = hk_arena_printf(cli->arena, "%s%s%s", words,
                                !i                         ? ", "
                                : i + 1 < e->variant_count ? ", "
                                                           : " or ",
                                e->variants[i]);
    if (e->copies)
        words = hk_arena_printf(cli->arena, "%s, %zu of them", words, e->copies);
    if (e->parent != HK_MAP_NONE)
        words = hk_arena_printf(cli->arena, "%s, parent %s", words, spec->entities[e->parent].name);
    hk_put_clean(stdout, hk_arena_printf(cli->arena, "entity %-20s%s%s", e->name, words,
                                         e->dormant ? ", dormant" : ""));
    putchar('\n');
}

void hk_info_worlds(hk_cli *cli, const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_world_spec *spec = hk_world_of(model->components[i].info);
        if (!spec)
            continue;
        hk_info_heading(cli, hk_arena_printf(cli->arena, "world %s", model->components[i].name));
        for (size_t k = 0; k < spec->system_count; k++)
            put_system(cli, &spec->systems[k]);
        for (size_t k = 0; k < spec->entity_count; k++)
            put_entity(cli, spec, &spec->entities[k]);
    }
}
