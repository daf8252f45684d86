/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "native/builtin.h"
#include "native/native.h"
#include "report/info_report_internal.h"

#include <string.h>

bool hk_names_builtin(const char *operand) {
    return (strcmp(operand, "hk") == 0 || strncmp(operand, "hk.", 3) == 0) &&
           !hk_file_exists(operand);
}

const char *hk_builtin_stamp(const hk_unit_type *type) {
    return type->stamp == HK_STAMP_START ? "start" : "end";
}

hk_status hk_builtin_open(hk_ctx *ctx, hk_arena *arena, const char *name,
                          const hk_unit_type **ret_type, const hk_info **ret_info,
                          hk_model **ret_model) {
    const hk_unit_type *type = hk_builtin_find(name);
    if (!type) {
        const char *close = hk_builtin_closest(name);
        return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE,
                        hk_hint_name(arena, close, "'hocket info hk' lists them"),
                        "there is no built-in component '%s'", name);
    }
    hk_model *model = hk_model_create("hk", NULL);
    hk_status status = hk_native_info(ctx, model, type, ret_info);
    if (status != HK_OK) {
        hk_model_destroy(model);
        return status;
    }
    *ret_type = type;
    *ret_model = model;
    return HK_OK;
}

static void put_all(hk_report *report) {
    const hk_unit_type *const *types = hk_builtin_types();
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "package");
    hk_json_string(&json, "name", "hk");
    hk_json_array(&json, "types");
    for (size_t i = 0; types[i]; i++) {
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", types[i]->name);
        hk_json_string(&json, "stamp", hk_builtin_stamp(types[i]));
        hk_json_string(&json, "description", types[i]->description);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_json_end(&json);
}

hk_status hk_info_put_builtin(hk_report *report, const char *name, const hk_info_filter *filter) {
    const hk_unit_type *type;
    const hk_info *info;
    hk_model *model;
    hk_json json;
    if (strcmp(name, "hk") == 0) {
        put_all(report);
        return HK_OK;
    }
    HK_TRY(hk_builtin_open(report->ctx, report->arena, name, &type, &info, &model));
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "type");
    hk_json_string(&json, "name", type->name);
    hk_json_string(&json, "stamp", hk_builtin_stamp(type));
    hk_json_string(&json, "description", type->description);
    hk_info_put_variables(&json, report->arena, filter, NULL, info);
    hk_json_end(&json);
    hk_model_destroy(model);
    return HK_OK;
}
