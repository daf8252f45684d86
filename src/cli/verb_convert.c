/* SPDX-License-Identifier: MIT
 *
 * `hocket convert`: a system in another format, or with other values in its own. */
#include "assembly/load.h"
#include "assembly/start_values.h"
#include "base/file.h"
#include "cli/cli.h"
#include "lang/lang.h"
#include "osp/osp.h"
#include "ssp/ssp.h"

#include <string.h>
#include <strings.h>

/* What is asked for, and what was read and written, for the answer. */
typedef struct conversion {
    hk_cli *cli;
    const char *from, *to;
    const hk_args *args;
    size_t components, connections;
} conversion;

/* ---- from one format to another ---- */

static hk_status read_osp(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    return hk_osp_read(ctx, path, NULL, ret_model);
}

/* What lies in a package lies on the disk as long as the model. */
static hk_status read_ssp(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    const hk_ssp_options options = {.unpack = true};
    return hk_ssp_read(ctx, path, &options, ret_model);
}

static hk_status write_ssp(conversion *c, const hk_model *model) {
    return hk_ssp_write(c->cli->ctx, model, c->to);
}

static hk_status write_system(conversion *c, const hk_model *model) {
    const char *name = hk_path_name(c->to);
    int length = (int)(strlen(name) - strlen(hk_path_extension(name)));
    bool packed = strcasecmp(hk_path_extension(c->from), ".ssp") == 0, whole;
    HK_TRY(hk_system_write(
        c->cli->ctx, model, c->to,
        packed ? hk_arena_printf(c->cli->arena, "%.*s_files", length, name) : NULL, &whole));
    return whole ? HK_OK
                 : hk_error(c->cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = c->to}, NULL,
                            "it was written without what the warnings name");
}

static hk_status set_values(const conversion *c, hk_model *model) {
    hk_ctx *ctx = c->cli->ctx;
    hk_start_values values = {0};
    hk_start_rules rules = {.names_hint = hk_arena_printf(
                                c->cli->arena, "'hocket info %s' lists what is there", c->from)};
    const char *text;
    for (size_t i = 0; (text = hk_args_nth(c->args, "set", i)); i++)
        HK_TRY(hk_start_value_split(ctx, c->cli->arena, text, &values));
    return i_any(c) ? hk_start_values_set(ctx, c->cli->arena, model, &values, &rules, NULL) : HK_OK;
}
