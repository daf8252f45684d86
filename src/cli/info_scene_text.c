/* SPDX-License-Identifier: MIT
 *
 * `hocket info x.scene`: what is in a scene, for people. */
#include "cli/info_view.h"
#include "report/scene_report.h"

#include <string.h>

/* The signals that a thing follows, each once. */
static const char *signals_of(hk_cli *cli, const hk_scene_thing *thing) {
    const char *text = "", *last = NULL;
    for (size_t i = 0; i < HK_SCENE_NUMBERS; i++) {
        const char *signal = thing->numbers[i].signal;
        if (!signal || (last && strcmp(signal, last) == 0))
            continue;
        text = hk_arena_printf(cli->arena, "%s%s%s %s", text, *text ? ", " : "",
                               hk_scene_property_words[thing->numbers[i].word], signal);
        last = signal;
    }
    return text;
}

static size_t depth_of(const hk_scene *scene, const hk_scene_thing *thing) {
    size_t depth = 0;
    for (; thing->parent != HK_SCENE_NOBODY; thing = &scene->things[thing->parent])
        depth++;
    return depth;
}

static void print_thing(hk_cli *cli, const hk_scene *scene, const hk_scene_thing *thing) {
    const char *more = signals_of(cli, thing);
    if (thing->mesh)
        more = hk_arena_printf(cli->arena, "%s, %zu points, %zu faces%s%s", thing->file,
                               thing->mesh->point_count, thing->mesh->face_count, *more ? ", " : "",
                               more);
    if (thing->of != HK_SCENE_NOBODY)
        more = hk_arena_printf(cli->arena, "%s %s%s%s", thing->follows ? "follows" : "of",
                               scene->things[thing->of].name, *more ? ", " : "", more);
    const char *name =
        hk_arena_printf(cli->arena, "%*s%s", (int)(2 * depth_of(scene, thing)), "", thing->name);
    const char *line =
        hk_arena_printf(cli->arena, "%-9s %-*s%s%s", hk_scene_kind_words[thing->kind],
                        *more ? 24 : 0, name, *more ? " " : "", more);
    hk_put_clean(stdout, line);
    putchar('\n');
}

hk_status hk_info_scene(hk_cli *cli, const char *path) {
    hk_scene *scene;
    HK_TRY(hk_scene_read(cli->ctx, cli->arena, path, &scene));
    fputs(hk_style_on(cli->color_out, HK_BOLD), stdout);
    hk_put_clean(stdout, scene->name);
    puts(hk_style_off(cli->color_out));
    hk_info_fact("frame", hk_scene_frame_words[scene->frame]);
    hk_info_fact("things", hk_scene_kinds(cli->arena, scene));
    hk_info_heading(cli, "things");
    for (size_t i = 0; i < scene->count; i++)
        print_thing(cli, scene, &scene->things[i]);
    return HK_OK;
}
