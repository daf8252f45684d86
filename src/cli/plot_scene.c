/* SPDX-License-Identifier: MIT */
#include "cli/plot_scene.h"

#include "base/file.h"
#include "base/number.h"
#include "cli/plot_read.h"
#include "draw/draw_scene.h"
#include "report/scene_report.h"
#include "ssp/ssp.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { FRAMES_MAX = 60 };

static bool is_package(const char *path) {
    return strcasecmp(hk_path_extension(path), ".ssp") == 0 ||
           strcasecmp(hk_path_extension(path), ".ssd") == 0;
}

bool hk_names_scene(const hk_args *args) {
    const char *file = args->operands[0];
    return strcasecmp(hk_path_extension(file), ".scene") == 0 ||
           (is_package(file) && args->operand_count > 1 && hk_table_is(args->operands[1]));
}

/* ---- what is asked for ---- */

static hk_status read_time(hk_cli *cli, const hk_args *args, const char *name, double *time) {
    const char *text = hk_args_value(args, name);
    if (!text || hk_plot_read_time(text, time))
        return HK_OK;
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a time is 12.5 or 500ms",
                    "--%s: '%s' is not a time", name, text);
}

static hk_status choose_view(hk_cli *cli, const hk_args *args, const hk_scene *scene,
                             hk_scene_picture *wish) {
    const char *name = hk_args_value(args, "view");
    const char **names = HK_NEW_ARRAY(cli->arena, const char *, scene->count + HK_VIEWS);
    size_t count = 0;
    wish->camera = HK_SCENE_NOBODY;
    for (size_t i = 0; i < HK_VIEWS; i++) {
        names[count++] = hk_scene_view_words[i];
        if (name && strcmp(name, hk_scene_view_words[i]) == 0)
            wish->view = (hk_scene_view)i;
    }
    bool found = name && strcmp(name, hk_scene_view_words[wish->view]) == 0;
    for (size_t i = 0; i < scene->count && !found; i++)
        if (scene->things[i].kind == HK_SCENE_CAMERA) {
            names[count++] = scene->things[i].name;
            found = !name || strcmp(name, scene->things[i].name) == 0;
            if (found)
                wish->camera = i;
        }
    if (found || !name)
        return HK_OK;
    return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = scene->file},
                    hk_hint_closest(cli->arena, name, names, count,
                                    "perspective, top, side, front, or a camera of the scene"),
                    "--view: there is no camera called '%s'", name);
}

/* --frames N or every=TIME: how many moments, and how far apart. */
static hk_status read_frames(hk_cli *cli, const char *text, double span, size_t *ret_count,
                             double *ret_step) {
    static const char every[] = "every=";
    uint64_t count = 0;
    double step = 0;
    const char *hint = "--frames 6, or --frames every=10s";
    if (strncmp(text, every, sizeof every - 1) == 0) {
        if (!hk_plot_read_time(text + sizeof every - 1, &step) || !(step > 0))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                            "--frames: '%s' is not a time above 0", text + sizeof every - 1);
        double most = floor(span / step * (1 + 1e-12)) + 1;
        count = most > FRAMES_MAX ? FRAMES_MAX + 1 : (uint64_t)most;
    } else if (!hk_read_u64(text, strlen(text), &count) || !count) {
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                        "--frames: '%s' is not a number of moments", text);
    } else if (count > 1) {
        step = span / (double)(count - 1);
    }
    if (count > FRAMES_MAX)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                        "--frames: more than %d moments are not one picture", FRAMES_MAX);
    *ret_count = (size_t)count;
    *ret_step = step;
    return HK_OK;
}

static hk_status check_options(hk_cli *cli, const hk_args *args, const hk_scene *scene) {
    bool frames = hk_args_has(args, "frames");
    if (frames && hk_args_has(args, "at"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--frames and --at both say which moments are shown");
    if (!frames && (hk_args_has(args, "from") || hk_args_has(args, "to")))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --frames 6",
                        "--from and --to are about several moments");
    if (!scene->record && (frames || hk_args_has(args, "at")))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a record behind the scene",
                        "without a record there are no moments to choose from");
    return HK_OK;
}

static hk_status choose_rows(hk_cli *cli, const hk_args *args, const hk_scene *scene,
                             hk_scene_picture *wish) {
    const char *frames = hk_args_value(args, "frames");
    size_t count = 1;
    HK_TRY(check_options(cli, args, scene));
    const hk_table *record = scene->record;
    double first = record && frames ? record->values[0][0] : 0, step = 0;
    double last = record ? record->values[0][record->rows - 1] : 0;
    HK_TRY(read_time(cli, args, "from", &first));
    HK_TRY(read_time(cli, args, frames ? "to" : "at", &last));
    if (frames && last < first)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "--to is before --from");
    if (frames)
        HK_TRY(read_frames(cli, frames, last - first, &count, &step));
    size_t *rows = HK_NEW_ARRAY(cli->arena, size_t, count);
    for (size_t i = 0; record && i < count; i++) {
        double time = !frames ? last : fmin(first + (double)i * step, last);
        HK_TRY(hk_scene_find_row(cli->ctx, scene, frames ? "--frames" : "--at", time, &rows[i]));
    }
    wish->rows = rows;
    wish->row_count = count;
    return HK_OK;
}

/* ---- files ---- */

static hk_status read_record(hk_cli *cli, const char *path, hk_scene *scene) {
    const hk_table *values;
    HK_TRY(hk_table_read(cli->ctx, cli->arena, path, &values));
    return hk_scene_bind(cli->ctx, cli->arena, scene, values, path);
}

static hk_status check_record(hk_cli *cli, const hk_args *args, const hk_scene *scene) {
    if (args->operand_count > 2)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "hocket plot X.scene RECORD -o FILE.svg",
                        "a scene has one record: '%s' is too many", args->operands[2]);
    for (size_t i = 0; args->operand_count == 1 && i < scene->count; i++)
        for (size_t k = 0; k < HK_SCENE_NUMBERS; k++) {
            const hk_scene_number *n = &scene->things[i].numbers[k];
            if (n->signal)
                return hk_error(cli->ctx, HK_E_USAGE,
                                hk_place_where(scene->file, &n->from->signal.at),
                                "name it behind the scene: hocket plot X.scene RECORD -o FILE.svg",
                                "the scene follows signals of a record, and none is named");
        }
    return HK_OK;
}

static void answer(hk_cli *cli, const hk_args *args, const hk_scene *scene,
                   const hk_scene_picture *wish) {
    hk_json json;
    const char *output = hk_args_value(args, "output");
    if (!cli->json) {
        if (!cli->quiet)
            fprintf(stderr, "scene: %s (%s; %zu moment%s)\n", output,
                    hk_scene_kinds(cli->arena, scene), wish->row_count, hk_plural(wish->row_count));
        return;
    }
    hk_answer_begin(cli, &json, "plot");
    hk_json_string(&json, "file", scene->file);
    hk_json_string(&json, "output", output);
    hk_json_string(&json, "record", scene->record_file);
    hk_json_object(&json, "scene");
    hk_scene_put(&json, scene, false);
    hk_json_end(&json);
    HK_JSON_EACH(&json, "moments", i, wish->row_count) {
        hk_scene_shot_put(&json, cli->arena, hk_scene_take(cli->arena, scene, wish->rows[i]));
    }
    hk_answer_end(&json);
}

static hk_status draw(hk_cli *cli, const hk_args *args, const char *path, const char *output) {
    static const hk_plot_bounds widths = {240, 100000, "pixels"}, heights = {40, 100000, "pixels"};
    hk_scene *scene;
    hk_scene_picture wish = {.title = hk_args_value(args, "title")};
    HK_TRY(hk_plot_read_size(cli, args, "width", &widths, &wish.width));
    HK_TRY(hk_plot_read_size(cli, args, "height", &heights, &wish.height));
    HK_TRY(hk_scene_read(cli->ctx, cli->arena, path, &scene));
    HK_TRY(check_record(cli, args, scene));
    if (args->operand_count > 1)
        HK_TRY(read_record(cli, args->operands[1], scene));
    HK_TRY(choose_view(cli, args, scene, &wish));
    HK_TRY(choose_rows(cli, args, scene, &wish));
    hk_picture picture = hk_scene_draw(cli->ctx, scene, &wish, hk_canvas_create());
    HK_TRY(hk_picture_write(cli->ctx, picture, output));
    answer(cli, args, scene, &wish);
    return HK_OK;
}

hk_status hk_plot_scene(hk_cli *cli, const hk_args *args, const char *output) {
    if (!output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "add -o FILE.svg; 'hocket info' shows it as text",
                        "the picture of a scene needs a file");
    const char *path = args->operands[0], *folder = NULL;
    hk_status status = HK_OK;
    if (is_package(path))
        status = hk_ssp_scene(cli->ctx, cli->arena, args->operands[0], &path, &folder);
    if (status == HK_OK)
        status = draw(cli, args, path, output);
    if (folder)
        hk_folder_remove(folder);
    return status;
}
