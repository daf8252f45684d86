/* SPDX-License-Identifier: MIT
 *
 * What the process of a run says to its parent of the files that it has written: it is read as a
 * whole or not, and what was read is the same bytes again when it is written. */
#include "fuzz.h"

#include "record/written.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_arena *arena = hk_arena_create();
    hk_buffer_source from = {arena, (const char *)data, size, true};
    hk_written written;
    hk_buffer again = {0};
    hk_written_take(&from, &written);
    hk_written_put(&written, &again);
    if (from.good) {
        hk_buffer_source second = {arena, again.data, again.size, true};
        hk_written same;
        hk_written_take(&second, &same);
        HK_ASSERT(second.good && !second.left && same.count == written.count);
        hk_written_forget(&same);
    }
    hk_free(again.data);
    hk_written_forget(&written);
    hk_arena_destroy(arena);
    return 0;
}
