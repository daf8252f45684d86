/* SPDX-License-Identifier: MIT
 *
 * What is beside a record: whatever it says of units, items, events and limits, the plot of the
 * record has no text on another one or beyond its edge. */
#include "fuzz.h"

#include "draw/plot.h"

enum { COLUMNS = 4, ROWS = 5 };

static void check_boxes(const hk_plot_curve *curves, const hk_plot_marks *marks, bool over) {
    hk_canvas *canvas = hk_canvas_create();
    hk_plot plot = {.title = "Plot",
                    .curves = curves,
                    .curve_count = COLUMNS - 1,
                    .marks = *marks,
                    .over = over};
    hk_picture picture = hk_plot_draw(&plot, canvas);
    size_t count;
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    for (size_t i = 0; i < count; i++) {
        HK_ASSERT(hk_box_inside(texts[i].box, (hk_box){0, 0, picture.width, picture.height}));
        for (size_t k = 0; k < i; k++)
            HK_ASSERT(!hk_box_overlap(texts[i].box, texts[k].box));
    }
    hk_canvas_destroy(canvas);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const double values[COLUMNS][ROWS] = {
        {0, 1, 2, 3, 4}, {0, 1, 0, 1, 1}, {1, 2, 7, 7, 1}, {-3e5, 0, 1e-3, 4, 5}};
    static const char *const names[COLUMNS] = {"time", "valve.open", "mode", "level"};
    hk_plot_column columns[COLUMNS];
    hk_plot_curve curves[COLUMNS];
    for (unsigned i = 0; i < COLUMNS; i++) {
        columns[i] = (hk_plot_column){.name = names[i], .values = values[i]};
        curves[i] = (hk_plot_curve){.x = &columns[0], .y = &columns[i], .rows = ROWS, .signal = i};
    }
    hk_plot_table table = {.rows = ROWS, .column_count = COLUMNS, .columns = columns};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_file_text beside = {"fuzz.csv-metadata.json", (const char *)data, size};
    hk_status status = hk_plot_learn(ctx, arena, &beside, &table, columns);
    fuzz_check_diags(ctx, status, data, size);
    check_boxes(curves + 1, &table.marks, false);
    for (unsigned i = 0; i < COLUMNS; i++) /* over items, or whatever the columns are said to be */
        curves[i].x = &columns[1 + i % 2];
    check_boxes(curves + 1, &table.marks, true);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}
