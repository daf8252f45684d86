/* SPDX-License-Identifier: MIT
 *
 * The formats that records can be written in. */
#include "base/file.h"
#include "base/number.h"
#include "record/writer.h"

#include <string.h>
#include <strings.h>

static const hk_writer *const writers[] = {&hk_csv_writer, &hk_mat_writer, &hk_hdf5_writer};
enum { WRITER_COUNT = sizeof writers / sizeof *writers };

hk_status hk_writer_find(hk_ctx *ctx, const char *path, const hk_writer **ret_writer) {
    const char *extension = strcmp(path, "-") == 0 ? ".csv" : hk_path_extension(path);
    char known[128] = "";
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        const hk_writer *w = writers[i];
        if (strcasecmp(extension, w->extension) == 0 ||
            (w->other && strcasecmp(extension, w->other) == 0)) {
            *ret_writer = w;
            return HK_OK;
        }
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, writers[i]->extension, sizeof known - strlen(known) - 1);
    }
    char hint[192] = "records can be written as ";
    strncat(hint, known, sizeof hint - strlen(hint) - 1);
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, hint,
                    *extension ? "'%s' is not a known extension of a record"
                               : "the name of the record has no extension%s",
                    extension);
}

void hk_record_tell_escaped(hk_ctx *ctx, const char *path, const char *column, double time) {
    char text[HK_NUMBER_MAX];
    hk_note(ctx, (hk_where){.file = path},
            "texts of '%s', first at t = %.*s s, hold control characters or bytes that are not "
            "UTF-8: such bytes are written as \\xHH",
            column, (int)hk_write_f64(time, text), text);
}
