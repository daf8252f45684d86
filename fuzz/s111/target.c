/* SPDX-License-Identifier: MIT
 *
 * Surface currents in HDF5, read in a child process as a run does it, for libhdf5 crashes: what is
 * accepted has an answer at every place and time, what is not has words that name the file. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "s111.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void look_around(const s111 *file) {
    static const double places[] = {0, -4.5, 48.3, 90, -180, 1e6, -1e300};
    enum { COUNT_OF = sizeof places / sizeof *places };
    for (size_t i = 0; i < COUNT_OF * COUNT_OF; i++) {
        coordinate2d current;
        double time = file->first + (double)i / COUNT_OF * (file->last - file->first);
        if (hk_auv_s111_at(file, places[i % COUNT_OF], places[i / COUNT_OF], time, 10, &current))
            HK_ASSERT(!isnan(current.x) && !isnan(current.y));
    }
}

static void check_instance(const s111 *file, const s111_instance *g) {
    uint64_t cells = g->rows ? g->rows * g->columns : g->columns;
    HK_ASSERT(cells > 0 && g->times > 0);
    HK_ASSERT(g->times_at + g->times * sizeof(double) <= file->size);
    HK_ASSERT(g->currents_at + g->times * cells * 2 * sizeof(float) <= file->size);
    HK_ASSERT(g->rows || g->nodes_at + cells * 2 * sizeof(double) <= file->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int file = memfd_create("fuzz.h5", MFD_CLOEXEC);
    HK_ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    words why = {""};
    s111 *made = hk_auv_read_apart(path, hk_auv_read_s111, NULL, &why);
    HK_ASSERT((made != NULL) == !*why.text);
    HK_ASSERT(made || strstr(why.text, path));
    for (uint64_t i = 0; made && i < made->count; i++)
        check_instance(made, &made->instances[i]);
    if (made)
        look_around(made);
    free(made);
    close(file);
    return 0;
}
