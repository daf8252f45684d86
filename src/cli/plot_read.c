/* SPDX-License-Identifier: MIT */
#include "cli/plot_read.h"

#include "base/file.h"
#include "cli/listing.h"
#include "format/csv.h"
#include "format/table_read.h"
#include "record/select.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static hk_status read_input(hk_cli *cli, const hk_table **ret_table) {
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_input_read(cli, &data, &size));
    hk_status status = hk_csv_parse(cli->ctx, cli->arena, "standard input", data, size, ret_table);
    hk_free(data);
    return status;
}

hk_status hk_plot_read(hk_cli *cli, const char *path, const hk_plot_table **ret_table) {
    const hk_table *values;
    if (strcmp(path, "-") != 0)
        return hk_plot_load(cli->ctx, cli->arena, path, ret_table);
    HK_TRY(read_input(cli, &values));
    *ret_table = hk_plot_dress(cli->ctx, cli->arena, "standard input", values);
    return HK_OK;
}

/* ---- which ---- */

bool hk_plot_names_record(const char *path) {
    return strcmp(path, "-") == 0 || hk_table_is(path);
}

hk_status hk_plot_read_folder(hk_cli *cli, const char *folder, const hk_plot_table ***tables,
                              size_t *count, size_t *cap) {
    hk_texts paths;
    if (!hk_list_folder(cli->arena, folder, hk_plot_names_record, &paths))
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = folder}, NULL,
                        "the folder cannot be read: %s", strerror(errno));
    for (size_t i = 0; i < paths.count; i++) {
        const hk_plot_table *table;
        HK_TRY(hk_plot_read(cli, paths.all[i], &table));
        HK_PUSH(*tables, *count, *cap, table);
    }
    if (!paths.count)
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = folder},
                        "name a folder with records (.csv, .mat, .h5)",
                        "there is no record in this folder");
    return HK_OK;
}

hk_status hk_plot_select(hk_cli *cli, const hk_plot_table *table, const char *const *patterns,
                         size_t pattern_count, size_t **ret_columns, size_t *ret_count) {
    const char **names = HK_NEW_ARRAY(cli->arena, const char *, table->column_count + 1);
    for (size_t i = 0; i < table->column_count; i++)
        names[i] = table->columns[i].name;
    const hk_record_names named = {table->file, names, table->column_count};
    return hk_table_select(cli->ctx, &named, (hk_texts){patterns, pattern_count}, cli->arena,
                           ret_columns, ret_count);
}
