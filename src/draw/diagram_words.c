/* SPDX-License-Identifier: MIT
 *
 * Texts of boxes and arrows in lines. A text that needs more lines than it may have is cut, gets a
 * number, and stands below the picture as a whole. */
#include "draw/diagram.h"

#include <math.h>
#include <string.h>

static void add_line(hk_diagram_lines *lines, hk_diagram_line line) {
    hk_lettering lettering = line.strong ? HK_LETTERS_STRONG : HK_LETTERS_TINY;
    lines->w = fmax(lines->w, ceil(hk_lettering_pixels(lettering, line.words)));
    lines->h += line.strong ? HK_DIAGRAM_STRONG : HK_DIAGRAM_LINE;
    HK_PUSH(lines->all, lines->count, lines->cap, line);
}

void hk_diagram_add_name(hk_diagram_lines *lines, const char *words) {
    add_line(lines, (hk_diagram_line){.words = words, .strong = true});
}

/* Cut: the beginning of REST that has room beside the number under which the WHOLE is noted. */
static void add_cut(hk_diagram *d, hk_diagram_lines *lines, const char *rest, const char *whole,
                    hk_diagram_room room) {
    hk_font font = hk_lettering_font(HK_LETTERS_TINY);
    const char *note = hk_canvas_print(d->canvas, "%s: %s", room.who, whole);
    HK_PUSH(d->cut, d->cut_count, d->cut_cap, note);
    const char *mark = hk_canvas_print(d->canvas, "\u2026 (%zu)", d->cut_count);
    double left = room.width - hk_text_pixels(font, mark);
    size_t length = hk_text_fitting(hk_canvas_arena(d->canvas), font, rest, left);
    const char *kept = hk_arena_strndup(hk_canvas_arena(d->canvas), rest, length);
    if (hk_text_pixels(font, kept) > left) /* one long word */
        kept = hk_text_shorten(hk_canvas_arena(d->canvas), font, kept, left);
    add_line(lines, (hk_diagram_line){.words = hk_canvas_print(d->canvas, "%s%s", kept, mark),
                                      .whole = whole});
}

void hk_diagram_add_words(hk_diagram *d, hk_diagram_lines *lines, const char *words,
                          hk_diagram_room room) {
    hk_font font = hk_lettering_font(HK_LETTERS_TINY);
    size_t used = 0;
    for (const char *rest = words; *rest; used++) {
        size_t length = hk_text_fitting(hk_canvas_arena(d->canvas), font, rest, room.width);
        const char *line = hk_arena_strndup(hk_canvas_arena(d->canvas), rest, length);
        const char *next = rest + length + strspn(rest + length, " ");
        if ((*next && used + 1 >= room.lines) || hk_text_pixels(font, line) > room.width) {
            add_cut(d, lines, rest, words, room);
            return;
        }
        add_line(lines, (hk_diagram_line){.words = line});
        rest = next;
    }
}

void hk_diagram_add_parts(hk_diagram *d, hk_diagram_lines *lines, const char *const parts[3],
                          hk_diagram_room room) {
    const char *all = "";
    for (size_t i = 0; i < 3; i++)
        if (parts[i])
            all = hk_canvas_print(d->canvas, "%s%s%s", all, *all ? " " : "", parts[i]);
    if (hk_lettering_pixels(HK_LETTERS_TINY, all) <= room.width) {
        hk_diagram_add_words(d, lines, all, room);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        if (parts[i])
            hk_diagram_add_words(d, lines, parts[i], room);
}

void hk_diagram_put_lines(const hk_diagram *d, const hk_diagram_lines *lines, hk_box box,
                          const char *look) {
    double y = box.y;
    for (size_t i = 0; i < lines->count; i++) {
        const hk_diagram_line *line = &lines->all[i];
        y += line->strong ? HK_DIAGRAM_STRONG : HK_DIAGRAM_LINE;
        hk_canvas_text(d->canvas,
                       &(hk_label){.x = box.x,
                                   .y = y - 3,
                                   .lettering = line->strong ? HK_LETTERS_STRONG : HK_LETTERS_TINY,
                                   .words = line->words,
                                   .whole = line->whole,
                                   .look = look});
    }
}
