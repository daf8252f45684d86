/* SPDX-License-Identifier: MIT
 *
 * Arrows of graphs: curves that were laid out, with their heads. */
#include "draw/graph_layout.h"

#include <math.h>

static void draw_head(hk_canvas *canvas, const char *look, const double from[2],
                      const double tip[2]) {
    double x = from[0], y = from[1], tip_x = tip[0], tip_y = tip[1];
    double dx = tip_x - x, dy = tip_y - y, length = hypot(dx, dy);
    if (!(length > 0))
        return;
    double half = 3.2 / length;
    hk_canvas_path(canvas, look, NULL);
    hk_canvas_move(canvas, tip_x, tip_y);
    hk_canvas_to(canvas, x - dy * half, y + dx * half);
    hk_canvas_to(canvas, x + dy * half, y - dx * half);
    hk_canvas_close(canvas);
}

void hk_arrow_draw(hk_canvas *canvas, const hk_layout_edge *e, hk_arrow a) {
    size_t last = e->point_count - 1;
    hk_canvas_path(canvas, a.line, a.tip);
    hk_canvas_move(canvas, e->points[0] + a.x, e->points[1] + a.y);
    for (size_t k = 1; k + 2 < e->point_count; k += 3) {
        double control[4];
        for (size_t n = 0; n < 4; n++)
            control[n] = e->points[2 * k + n] + (n % 2 ? a.y : a.x);
        hk_canvas_curve(canvas, control, e->points[2 * k + 4] + a.x, e->points[2 * k + 5] + a.y);
    }
    draw_head(canvas, a.head,
              (const double[]){e->points[2 * last] + a.x, e->points[2 * last + 1] + a.y},
              (const double[]){e->tip_x + a.x, e->tip_y + a.y});
}
