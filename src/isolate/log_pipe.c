/* SPDX-License-Identifier: MIT
 *
 * What the FMU of a component has said, which comes over a pipe. The component can write to it as
 * well: what cannot be read is said once, and nothing is taken from there any more. */
#include "isolate/isolate_internal.h"

#include "fmi/fmu.h"
#include "isolate/sandbox_internal.h"

#include <string.h>
#include <unistd.h>

enum { MESSAGE_MOST = 64 << 20, PIECES_MOST = 256 };

static void say_garbage(hk_iso_unit *u) {
    u->deaf = true;
    u->heard.size = 0;
    hk_warn(u->ctx, HK_E_UNIT_FAILED, (hk_where){.element = u->base.name},
            "the component has written to a descriptor that is not its own; its results are not "
            "concerned",
            "component '%s': what its FMU says cannot be read any more; from here on the log has "
            "nothing of it",
            u->base.name);
}

/* False: there is not one more. */
static bool take_message(hk_iso_unit *u, size_t *at) {
    uint64_t size = 0;
    if (u->deaf || u->heard.size - *at < sizeof size)
        return false;
    memcpy(&size, u->heard.data + *at, sizeof size);
    if (size <= MESSAGE_MOST && u->heard.size - *at - sizeof size < size)
        return false;
    hk_arena *arena = hk_arena_create();
    hk_buffer_source s = {arena, u->heard.data + *at + sizeof size,
                          size <= MESSAGE_MOST ? (size_t)size : 0, true};
    hk_fmu_message m = {
        .instance = hk_source_text(&s), .category = hk_source_text(&s), .text = hk_source_text(&s)};
    m.status = (int)(int64_t)hk_source_u64(&s);
    m.time = hk_source_f64(&s);
    bool good = s.good && !s.left;
    if (good)
        hk_fmu_write_down(&m);
    else
        say_garbage(u);
    hk_arena_destroy(arena);
    *at += sizeof size + (size_t)size;
    return good;
}

/* One who never stops writing is heard a piece at a time. */
static void read_some(hk_iso_unit *u) {
    char piece[4096];
    ssize_t n = 1;
    for (int i = 0; i < PIECES_MOST && n > 0; i++) {
        n = read(u->log_fd, piece, sizeof piece);
        if (n > 0 && !u->deaf)
            hk_buffer_put(&u->heard, piece, (size_t)n);
    }
    if (n > 0)
        atomic_store(&u->page->spoke, 1);
}

void hk_iso_listen(hk_iso_unit *u) {
    size_t at = 0;
    atomic_store(&u->page->spoke, 0);
    hk_warden_tell(u);
    if (u->log_fd < 0)
        return;
    read_some(u);
    while (take_message(u, &at))
        ;
    if (!at || u->deaf)
        return;
    memmove(u->heard.data, u->heard.data + at, u->heard.size - at);
    u->heard.size -= at;
}

void hk_iso_heard_all(hk_iso_unit *u) {
    if (u->heard.size && !u->deaf)
        say_garbage(u);
}
