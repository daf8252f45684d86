/* SPDX-License-Identifier: MIT
 *
 * Which colour and which dashes a curve has. They are counted in each panel: what is to be told
 * apart is what shares one. */
#include "draw/plot_layout.h"

/* How many other signals of its panel signal INDEX comes after; those before it have their RANKS,
 * and those of other runs the same. COUNTS: how many each panel has so far. */
static size_t rank_in_panel(const hk_plot_layout *layout, size_t index, const size_t *ranks,
                            size_t *counts) {
    const hk_plot_signal *signals = layout->signals;
    for (size_t i = 0; i < index; i++)
        if (signals[i].panel == signals[index].panel &&
            signals[i].curve->signal == signals[index].curve->signal)
            return ranks[i];
    return counts[signals[index].panel]++;
}

/* One signal: a colour for each run. Several: a colour for each signal, and the runs have dashes as
 * long as there are enough. That is for the whole plot, so that a run looks the same everywhere. */
void hk_plot_choose_looks(hk_plot_layout *layout) {
    hk_plot_signal *signals = layout->signals;
    size_t count = layout->signal_count, runs = 1;
    bool several = false;
    for (size_t i = 0; i < count && signals[i].curve->role == HK_PLOT_SIGNAL; i++) {
        runs = signals[i].curve->run >= runs ? signals[i].curve->run + 1 : runs;
        several = several || signals[i].curve->signal != signals[0].curve->signal;
    }
    bool dashed = runs > 1 && several && runs <= HK_PLOT_DASHES;
    size_t *ranks = HK_NEW_ARRAY(layout->arena, size_t, count + 1);
    size_t *counts = HK_NEW_ARRAY(layout->arena, size_t, layout->panel_count);
    size_t *turns = HK_NEW_ARRAY(layout->arena, size_t, layout->panel_count);
    for (size_t p = 0; p < layout->panel_count; p++)
        counts[p] = turns[p] = 0;
    size_t outlines = 0;
    for (size_t i = 0; i < count; i++) {
        size_t run = signals[i].curve->run;
        signals[i].turn = turns[signals[i].panel]++;
        if (signals[i].curve->role == HK_PLOT_OUTLINE) { /* grey, and beside the colours */
            signals[i].colour = HK_SVG_COLOURS;
            signals[i].dash = (unsigned)(outlines++ % HK_PLOT_DASHES);
            continue;
        }
        ranks[i] = rank_in_panel(layout, i, ranks, counts);
        size_t index = dashed ? ranks[i] : ranks[i] * runs + run;
        size_t dash = index / HK_SVG_COLOURS * (dashed ? runs : 1) + (dashed ? run : 0);
        signals[i].colour = (unsigned)(index % HK_SVG_COLOURS);
        signals[i].dash = (unsigned)(dash % HK_PLOT_DASHES);
    }
}

static bool is_signal(const hk_plot_layout *layout, size_t i) {
    return layout->signals[i].curve->role == HK_PLOT_SIGNAL;
}

/* Two of the signals of a panel have the same look, which LOOK_OF says of a signal. Outlines and
 * spots are known by what they look like otherwise. */
static bool looks_repeat(const hk_plot *plot, size_t (*look_of)(const hk_plot_layout *, size_t)) {
    hk_arena *arena = hk_arena_create();
    hk_plot_layout layout;
    bool repeat = false;
    hk_plot_layout_init(&layout, arena, plot);
    for (size_t i = 0; i < layout.signal_count && !repeat; i++)
        for (size_t k = 0; k < i && !repeat; k++)
            repeat = is_signal(&layout, i) && is_signal(&layout, k) &&
                     layout.signals[i].panel == layout.signals[k].panel &&
                     look_of(&layout, i) == look_of(&layout, k);
    hk_arena_destroy(arena);
    return repeat;
}

static size_t look_in_picture(const hk_plot_layout *layout, size_t i) {
    const hk_plot_signal *signal = &layout->signals[i];
    return signal->colour * HK_PLOT_DASHES + signal->dash;
}

static size_t look_in_terminal(const hk_plot_layout *layout, size_t i) {
    /* Without colours and marks all are the same. */
    return layout->plot->colour || layout->plot->ascii
               ? layout->signals[i].turn % HK_PLOT_TERMINAL_LOOKS
               : 0;
}

bool hk_plot_looks_repeat(const hk_plot *plot) {
    return looks_repeat(plot, look_in_picture);
}

bool hk_plot_terminal_looks_repeat(const hk_plot *plot) {
    hk_plot shown = *plot;
    shown.panels = hk_plot_terminal_panels(plot);
    return looks_repeat(&shown, look_in_terminal);
}
