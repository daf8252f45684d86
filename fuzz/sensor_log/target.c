/* SPDX-License-Identifier: MIT
 *
 * Logs of sensors: what is accepted is finite, and seen neither before its time nor behind it; what
 * is not has words that name the file. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "reader_log.h"
#include "sensors_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* As in environment.Earth, which is not here. */
static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, COUNT(earth_items)};

static hk_bytes text(const char *characters) {
    return (hk_bytes){characters, strlen(characters)};
}

/* A reader of the file PATH with columns a, b, c, t and v. */
static log_reader make(const char *path, bool one, bool flagged) {
    log_reader x = {.file_name = text(path), .time_column = text("t"), .column = {text("a")}};
    x.column[1] = text(one ? "" : "b");
    x.column[2] = text(one ? "" : "-c");
    x.valid_column = text(flagged ? "v" : "");
    x.unit = x.no_data = text("");
    x.time_scale = x.gravity = 1;
    x.density = 1000;
    return x;
}

static void run(const hk_unit_type *type, log_reader *x, const char *path) {
    int result = HK_STEP_OK;
    for (int i = 0; i < 50 && result == HK_STEP_OK; i++) {
        double t = i * 0.1 * (i % 7 == 0 ? 1 : 0.99), now = t + 0.1;
        result = type->step(x, t, 0.1);
        coordinate3d v = x->measured.value;
        HK_ASSERT(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
        HK_ASSERT(!x->measured.valid || x->measured.stamp <= now + 1e-6);
    }
    const char *why = type->complaint(x);
    HK_ASSERT((result == HK_STEP_OK) == (why == NULL));
    HK_ASSERT(!why || strstr(why, path));
    hk_log_free(x->file.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const hk_unit_type *const types[] = {&hk_auv_dvl_reader, &hk_auv_gps_reader,
                                                &hk_auv_depth_reader, &hk_auv_compass_reader};
    char path[64];
    int file = memfd_create("fuzz.csv", MFD_CLOEXEC);
    HK_ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < 4 * COUNT(types); i++) {
        bool one = i / 4 > 1;
        log_reader x = make(path, one, i & 1);
        x.interpolation = i & 2 ? LOG_LINEAR : LOG_HOLD;
        x.end = (int64_t)(i % 3);
        x.earth = i & 1;
        run(types[i / 4], &x, path);
    }
    close(file);
    return 0;
}
