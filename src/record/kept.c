/* SPDX-License-Identifier: MIT */
#include "record/kept.h"

#include "base/file.h"
#include "base/number.h"
#include "format/crc32.h"

#include <math.h>
#include <string.h>

static hk_status not_ours(hk_ctx *ctx, const char *path, const char *why) {
    return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = path},
                    "continue the record that the run with the checkpoints has written, with the "
                    "same columns; --load-state writes a new one",
                    "the record cannot be continued: %s", why);
}

/* Whole lines only: the process may have ended in the middle of one. No cell holds a line end. */
static hk_status find(hk_ctx *ctx, const char *path, hk_bytes file, hk_bytes head,
                      hk_resumed at_time, hk_kept_rows *kept) {
    const char *data = file.data;
    if (file.size < head.size || memcmp(data, head.data, head.size) != 0)
        return not_ours(ctx, path, "it has other columns than this run records");
    double last = (double)NAN;
    kept->bytes = head.size;
    for (size_t at = head.size; at < file.size;) {
        const char *end = memchr(data + at, '\n', file.size - at);
        const char *comma = memchr(data + at, ',', file.size - at);
        double time;
        if (!end)
            break;
        size_t length = (size_t)((comma && comma < end ? comma : end) - (data + at));
        if (!hk_read_f64(data + at, length, &time))
            return not_ours(ctx, path, "a row of it does not begin with a time");
        if (!(time < at_time.before_s))
            break;
        at = (size_t)(end + 1 - data);
        kept->bytes = at;
        kept->rows++;
        last = time;
    }
    if (!kept->rows || last != at_time.last_s)
        return not_ours(ctx, path, "its last row before the time of the state is not there");
    kept->sum = hk_crc32_more(0, data, (size_t)kept->bytes);
    return HK_OK;
}

/* The record is claimed by who writes it, and that is who reads it here. */
static hk_status read_own(hk_ctx *ctx, const char *path, char **ret_data, size_t *ret_size) {
    hk_ctx *own = hk_ctx_create(NULL, NULL);
    hk_status status = hk_file_read(own, path, 0, ret_data, ret_size);
    for (size_t i = 0; status != HK_OK && i < hk_ctx_count(own, HK_NOTE); i++)
        hk_say_again(ctx, hk_ctx_diag(own, i));
    hk_ctx_destroy(own);
    return status;
}

hk_status hk_kept_find(hk_ctx *ctx, const char *path, hk_bytes head, hk_resumed at_time,
                       hk_kept_rows *ret_kept) {
    HK_ASSERT(ctx && path && ret_kept);
    char *data;
    size_t size;
    hk_kept_rows kept = {0};
    if (!hk_file_exists(path))
        return not_ours(ctx, path, "it is not there");
    HK_TRY(read_own(ctx, path, &data, &size));
    hk_status status = find(ctx, path, (hk_bytes){data, size}, head, at_time, &kept);
    hk_free(data);
    *ret_kept = kept;
    return status;
}

hk_resumed hk_resumed_at(const hk_plan *plan, hk_ratio when, hk_tick interval) {
    HK_ASSERT(plan && interval > 0);
    hk_tick at = plan->start;
    (void)hk_tick_from_ratio_up(when, plan->ticks_per_second, &at);
    hk_tick last = plan->start + hk_floor_div(at - 1 - plan->start, interval) * interval;
    return (hk_resumed){hk_ratio_to_double(when), hk_tick_seconds(last, plan->ticks_per_second)};
}
