/* SPDX-License-Identifier: MIT
 *
 * Inside the verbs that plot: records as they are read for a picture, and curves made of them. All
 * live in the arena of the command line. */
#ifndef HK_CLI_PLOT_READ_H
#define HK_CLI_PLOT_READ_H

#include "cli/cli.h"
#include "cli/options.h"
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

/* ---- plot_map.c ---- */

/* --spot and --outline: added to the curves of PLOT. */
HK_NODISCARD hk_status hk_plot_add_map(hk_cli *cli, const hk_args *args, const hk_plot_wish *wish,
                                       hk_plot *plot);

/* ---- plot_checks.c ---- */

/* Says which options about records do not go together. */
HK_NODISCARD hk_status hk_plot_check_options(hk_cli *cli, const hk_args *args);
typedef struct hk_plot_bounds {
    unsigned least, most;
    const char *what; /* "pixels" */
} hk_plot_bounds;
/* --width and --height; *RET_SIZE stays as it is without the option. */
HK_NODISCARD hk_status hk_plot_read_size(hk_cli *cli, const hk_args *args, const char *name,
                                         const hk_plot_bounds *bounds, unsigned *ret_size);
/* Seconds, or a time with its unit: 2.5, 500ms; false: it is neither, or not finite. */
bool hk_plot_read_time(const char *text, double *ret_time);
/* --mark TIME=TEXT: added to the events of the record. A note tells of those that are outside of
 * the time that the curves show. */
HK_NODISCARD hk_status hk_plot_add_marks(hk_cli *cli, const hk_args *args, hk_plot *plot);
/* Leaves out signals of texts, or over them, and notes which; an error if no other one is there.
 * WHERE: the record, as those who read the messages know it. */
HK_NODISCARD hk_status hk_plot_drop_texts(hk_cli *cli, hk_where where, hk_plot_wish *wish);
/* An error if no curve has a number. */
HK_NODISCARD hk_status hk_plot_check_numbers(hk_cli *cli, const hk_plot_wish *wish,
                                             const hk_plot *plot);
/* Notes which signals have infinite values. */
void hk_plot_note_infinite(hk_cli *cli, const hk_plot_wish *wish);
/* --equal: what has a unit has the same. */
HK_NODISCARD hk_status hk_plot_check_equal(hk_cli *cli, const hk_plot *plot);

#endif
