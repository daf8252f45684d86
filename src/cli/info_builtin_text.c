/* SPDX-License-Identifier: MIT
 *
 * `hocket info hk`, `hocket info hk.Gain`: the built-in components. */
#include "cli/info_view.h"
#include "native/builtin.h"

#include <string.h>

static void list_all(void) {
    const hk_unit_type *const *types = hk_builtin_types();
    for (size_t i = 0; types[i]; i++)
        printf("%-16s %s\n", types[i]->name, types[i]->description);
}

hk_status hk_info_builtin(hk_cli *cli, const hk_args *args, const char *name) {
    const hk_unit_type *type;
    const hk_info *info;
    hk_model *model;
    if (strcmp(name, "hk") == 0) {
        list_all();
        return HK_OK;
    }
    HK_TRY(hk_builtin_open(cli->ctx, cli->arena, name, &type, &info, &model));
    printf("%s%s%s\n%-16s %s\n%-16s %s\n", hk_style_on(cli->color_out, HK_BOLD), type->name,
           hk_style_off(cli->color_out), "description", type->description, "stamp",
           hk_builtin_stamp(type));
    hk_info_print_variables(cli, args, NULL, info);
    hk_model_destroy(model);
    return HK_OK;
}
