/* SPDX-License-Identifier: MIT
 *
 * The files that a piece of work has written, looked at once more when everything is gone that
 * could have changed them: a component runs code when it is freed and when its library is unloaded,
 * long after its record was closed. */
#ifndef HK_RECORD_WRITTEN_H
#define HK_RECORD_WRITTEN_H

#include "base/buffer.h"
#include "base/file.h"

typedef struct hk_written {
    struct hk_written_file *files;
    size_t count, cap;
} hk_written; /* zero-initialised: none */

/* PATH is written and closed. Nothing is noted of what is not a regular file: a pipe keeps nothing
 * that could be looked at. */
void hk_written_note(hk_written *written, const char *path);
void hk_record_note(hk_written *written, const char *record); /* with what is beside it */
/* For another process, which looks at them when this one is gone: what was noted, and how it reads
 * that. */
void hk_written_put(const hk_written *written, hk_buffer *to);
void hk_written_take(hk_buffer_source *from, hk_written *ret_written);
void hk_written_forget(hk_written *written);
/* One error for the first file that is not as it was noted; forgets all in any case. */
HK_NODISCARD hk_status hk_written_check(hk_ctx *ctx, hk_written *written);

#endif
