/* SPDX-License-Identifier: MIT
 *
 * Inside the verbs that plot: records as they are read for a picture, and curves made of them. All
 * live in the arena of the command line. */
#ifndef HK_CLI_PLOT_READ_H
#define HK_CLI_PLOT_READ_H

#include "cli/cli.h"
#include "draw/plot.h"

/* The one way to a record: its values, and what is written beside it about units, types, items,
 * events and expectations. PATH "-": standard input. */
HK_NODISCARD hk_status hk_plot_read(hk_cli *cli, const char *path, const hk_plot_table **ret_table);
/* PATH names a record by its extension, whether it is there or not. */
bool hk_plot_names_record(const char *path);
/* The records of a folder, in the order of their names; HK_E_FILE_READ if there is none. */
HK_NODISCARD hk_status hk_plot_read_folder(hk_cli *cli, const char *folder,
                                           const hk_plot_table ***tables, size_t *count,
                                           size_t *cap);

/* Columns of TABLE by names and patterns, in its order; without any all but the time. */
HK_NODISCARD hk_status hk_plot_select(hk_cli *cli, const hk_plot_table *table,
                                      const char *const *patterns, size_t pattern_count,
                                      size_t **ret_columns, size_t *ret_count);
/* The column of that name; NULL: there is none. */
const hk_plot_column *hk_plot_find(const hk_plot_table *table, const char *name);

/* ---- plot_curves.c ---- */

typedef enum hk_plot_spread { HK_SPREAD_NONE, HK_SPREAD_RANGE, HK_SPREAD_DEVIATION } hk_plot_spread;

/* What is to be shown of which records. */
typedef struct hk_plot_wish {
    const hk_plot_table **tables; /* at least one */
    size_t table_count;
    const char **names; /* columns, each once */
    const char **overs; /* of each the column it is over; NULL: the time */
    size_t name_count;
    hk_plot_spread spread; /* of several records: the mean with a band, in place of each of them */
} hk_plot_wish;

/* Fills in curves and marks of PLOT. */
HK_NODISCARD hk_status hk_plot_curves(hk_cli *cli, const hk_plot_wish *wish, hk_plot *plot);

#endif
