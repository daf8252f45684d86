/* SPDX-License-Identifier: MIT
 *
 * `hocket convert --skeleton`: a RoboChart module from its block in SysML, and a block from its
 * module. */
#include "cli/convert_skeleton.h"
#include "base/file.h"
#include "sysml/skeleton.h"

#include <string.h>
#include <strings.h>

/* The extension of the file that TEXT names, also with "#Block" behind it. */
static bool names(const char *text, const char *extension) {
    const char *found = hk_path_extension(text);
    size_t length = strlen(extension);
    return strncasecmp(found, extension, length) == 0 && (!found[length] || found[length] == '#');
}

static void answer(hk_cli *cli, const hk_args *args, const hk_skeleton *s,
                   const hk_left_out *left) {
    const char *from = args->operands[0], *to = args->operands[1];
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "convert");
        hk_json_string(&json, "file", from);
        hk_json_string(&json, "output", to);
        hk_json_string(&json, "skeleton", s->name);
        hk_json_i64(&json, "ports", (int64_t)s->ports);
        hk_json_i64(&json, "constants", (int64_t)s->constants);
        hk_json_array(&json, "left_out");
        for (size_t i = 0; i < left->count; i++)
            hk_json_string(&json, NULL, left->what[i]);
        hk_json_end(&json);
        hk_answer_end(&json);
    } else if (!cli->quiet) {
        fprintf(stderr, "convert: %s (skeleton of '%s': %zu port%s, %zu constant%s", to, s->name,
                s->ports, hk_plural(s->ports), s->constants, hk_plural(s->constants));
        for (size_t i = 0; i < left->count; i++)
            fprintf(stderr, "%s%s", i ? ", " : "; left out: ", left->what[i]);
        fputs(")\n", stderr);
    }
}

hk_status hk_convert_skeleton(hk_cli *cli, const hk_args *args) {
    const char *from = args->operands[0], *to = args->operands[1];
    hk_left_out left = {.arena = cli->arena};
    hk_skeleton skeleton = {0};
    bool module = names(from, ".sysml") && names(to, ".rct");
    if (!module && !(names(from, ".rct") && names(to, ".sysml")))
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = from},
                        "hocket convert model.sysml --skeleton x.rct, or x.rct --skeleton "
                        "model.sysml",
                        "a skeleton is made of a block in SysML (.sysml) for RoboChart (.rct), or "
                        "the other way");
    if (hk_args_has(args, "set"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--skeleton and --set do not go together: a skeleton has the values of its "
                        "file");
    HK_TRY(module ? hk_skeleton_module(cli->ctx, from, to, &left, &skeleton)
                  : hk_skeleton_multimodel(cli->ctx, from, to, &left, &skeleton));
    answer(cli, args, &skeleton, &left);
    return HK_OK;
}
