/* SPDX-License-Identifier: MIT
 *
 * GeoTIFF: what is accepted has a size that its block holds, and a number or none at every place;
 * what is not has words that name the file. The library itself is not looked into. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "geotiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void look_around(const tiff_grid *grid) {
    static const double places[] = {0, 1, -1, 47.5, 1e5, -1e300, 5e6};
    enum { COUNT_OF = sizeof places / sizeof *places };
    double sum = 0;
    for (size_t i = 0; i < COUNT_OF * COUNT_OF; i++) {
        double value = hk_auv_geotiff_value(grid, places[i % COUNT_OF], places[i / COUNT_OF]);
        HK_ASSERT(isnan(value) || fabs(value) < 1e31);
    }
    for (uint64_t i = 0; i < grid->width * grid->height; i += 1 + grid->width / 7)
        sum += isnan(grid->values[i]) ? 0 : 1;
    HK_ASSERT(sum >= 0);
    HK_ASSERT(isnan(hk_auv_geotiff_value(grid, (double)NAN, 0)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int32_t band = 1;
    int file = memfd_create("fuzz.tif", MFD_CLOEXEC);
    HK_ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    block made = {0};
    words why = {""};
    bool good = hk_auv_read_geotiff(path, &band, &made, &why);
    HK_ASSERT(good == (made.data != NULL) && good == !*why.text);
    HK_ASSERT(good || strstr(why.text, path));
    if (good) {
        const tiff_grid *grid = made.data;
        HK_ASSERT(made.size == sizeof *grid + grid->width * grid->height * sizeof(float));
        look_around(grid);
    }
    free(made.data);
    close(file);
    return 0;
}
