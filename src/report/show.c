/* SPDX-License-Identifier: MIT */
#include "report/show.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>

const char *hk_show_f64(hk_arena *arena, double value) {
    char text[HK_NUMBER_MAX];
    return hk_arena_strndup(arena, text, hk_write_f64(value, text));
}

const char *hk_show_rounded(hk_arena *arena, double value, int digits) {
    if (value == 0 || !isfinite(value))
        return hk_show_f64(arena, value);
    int exponent = (int)floor(log10(fabs(value))) + 1 - digits;
    /* Scaling by a power of ten that is exact keeps the shortest digits short. */
    double scale = pow(10, abs(exponent));
    double rounded = exponent < 0 ? round(value * scale) / scale : round(value / scale) * scale;
    return hk_show_f64(arena, isfinite(rounded) ? rounded : value);
}

const char *hk_show_seconds(hk_arena *arena, double seconds) {
    static const struct {
        double limit, factor;
        const char *unit;
    } scales[] = {{1e-6, 1e9, "ns"},
                  {1e-3, 1e6, "us"},
                  {1, 1e3, "ms"},
                  {120, 1, "s"},
                  {7200, 1.0 / 60, "min"}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (seconds < scales[i].limit)
            return hk_arena_printf(arena, "%s %s",
                                   hk_show_rounded(arena, seconds * scales[i].factor, 3),
                                   scales[i].unit);
    return hk_arena_printf(arena, "%s h", hk_show_rounded(arena, seconds / 3600, 3));
}

const char *hk_show_bytes(hk_arena *arena, double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t i = 0;
    while (bytes >= 1000 && i + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        i++;
    }
    return hk_arena_printf(arena, "%s %s", hk_show_rounded(arena, bytes, 3), units[i]);
}

const char *hk_show_count(hk_arena *arena, uint64_t count) {
    char digits[HK_NUMBER_MAX];
    size_t length = hk_write_u64(count, digits);
    char *text = hk_arena_alloc(arena, length + length / 3 + 1);
    size_t at = 0;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    return text;
}
