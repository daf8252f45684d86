/* SPDX-License-Identifier: MIT */
#include "cli/info_builtin.h"

#include "cli/info_view.h"

#include "base/file.h"
#include "native/builtin.h"
#include "native/native.h"

#include <string.h>

bool hk_names_builtin(const char *operand) {
    return (strcmp(operand, "hk") == 0 || strncmp(operand, "hk.", 3) == 0) &&
           !hk_file_exists(operand);
}

static const char *stamp_text(const hk_unit_type *type) {
    return type->stamp == HK_STAMP_START ? "start" : "end";
}

static void list_all(hk_cli *cli) {
    const hk_unit_type *const *types = hk_builtin_types();
    hk_json json;
    if (!cli->json) {
        for (size_t i = 0; types[i]; i++)
            printf("%-16s %s\n", types[i]->name, types[i]->description);
        return;
    }
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "package");
    hk_json_string(&json, "name", "hk");
    hk_json_array(&json, "types");
    for (size_t i = 0; types[i]; i++) {
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", types[i]->name);
        hk_json_string(&json, "stamp", stamp_text(types[i]));
        hk_json_string(&json, "description", types[i]->description);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_answer_end(&json);
}

static void show_one(hk_cli *cli, const hk_args *args, const hk_unit_type *type,
                     const hk_info *info) {
    hk_json json;
    if (!cli->json) {
        printf("%s%s%s\n%-16s %s\n%-16s %s\n", hk_style_on(cli->color_out, HK_BOLD), type->name,
               hk_style_off(cli->color_out), "description", type->description, "stamp",
               stamp_text(type));
        hk_info_print_variables(cli, args, NULL, info);
        return;
    }
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "type");
    hk_json_string(&json, "name", type->name);
    hk_json_string(&json, "stamp", stamp_text(type));
    hk_json_string(&json, "description", type->description);
    hk_info_put_variables(cli, &json, args, NULL, info);
    hk_answer_end(&json);
}

hk_status hk_info_builtin(hk_cli *cli, const hk_args *args, const char *name) {
    if (strcmp(name, "hk") == 0) {
        list_all(cli);
        return HK_OK;
    }
    const hk_unit_type *type = hk_builtin_find(name);
    if (!type) {
        const char *close = hk_builtin_closest(name);
        return hk_error(cli->ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE,
                        close ? hk_arena_printf(cli->arena, "did you mean '%s'?", close)
                              : "'hocket info hk' lists them",
                        "there is no built-in component '%s'", name);
    }
    hk_model *model = hk_model_create("hk", NULL);
    const hk_info *info = NULL;
    hk_status status = hk_native_info(cli->ctx, model, type, &info);
    if (status == HK_OK)
        show_one(cli, args, type, info);
    hk_model_destroy(model);
    return status;
}
