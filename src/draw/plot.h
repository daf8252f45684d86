/* SPDX-License-Identifier: MIT
 *
 * Plots of tables: as SVG files and as text in a terminal. Both put signals of very different range
 * (or different unit) into separate panels, one above the other, over the same time, or over other
 * signals. */
#ifndef HK_DRAW_PLOT_H
#define HK_DRAW_PLOT_H

#include "format/csv.h"

#include <stdio.h>

typedef enum hk_plot_panels {
    HK_PANELS_AUTO,     /* together, unless their ranges differ by more than 50 times */
    HK_PANELS_TOGETHER, /* all in one */
    HK_PANELS_SEPARATE  /* one for each signal */
} hk_plot_panels;

/* Zero means the default everywhere. */
typedef struct hk_plot_options {
    const char *title;         /* NULL: none */
    const char *const *labels; /* one for each signal; NULL, or an entry NULL: the column's name */
    const char *const *units;  /* one for each signal; NULL, or an entry NULL: not known */
    hk_plot_panels panels;
    bool stepped; /* hold each value until the next sample, instead of joining them by lines */
    /* One for each signal: the column it is plotted over, instead of the first one, the time. */
    const size_t *over;
    bool equal; /* with OVER: a unit is as long on one axis as on the other, in one panel */
    /* SVG: pixels, of the whole and of one panel; 0: 960, and by the number of panels.
     * Terminal: characters, of the whole and of all lines together; 0: 80 and 24. */
    unsigned width, height;
    bool colour; /* terminal only */
    bool ascii;  /* terminal only: no braille, for terminals without UTF-8 */
} hk_plot_options;

/* COLUMNS are indices into the table (hk_table_select). OPTIONS may be NULL. The size of the result
 * depends on its width, not on the number of rows. */
HK_NODISCARD hk_status hk_plot_svg(hk_ctx *ctx, const hk_table *table, const size_t *columns,
                                   size_t count, const hk_plot_options *options, const char *path);
void hk_plot_terminal(const hk_table *table, const size_t *columns, size_t count,
                      const hk_plot_options *options, FILE *out);

#endif
