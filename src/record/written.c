/* SPDX-License-Identifier: MIT */
#include "record/written.h"

#include "format/crc32.h"
#include "record/about.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The time of a change is as coarse as the ticks of the system. Small files that have just been
 * changed are therefore compared by what they hold; reading a larger one at its end has taken
 * longer than a tick. */
enum { SMALL_BYTES = 64 << 20, CHUNK_BYTES = 64 << 10, JUST_NOW_S = 2 };

typedef struct hk_written_file {
    char *path, *place;
    hk_file_stamp stamp;
    bool summed;
    uint32_t crc; /* of small ones that have just been changed */
} file_note;

static uint32_t sum_of(const char *place) {
    char *chunk = hk_realloc(NULL, CHUNK_BYTES);
    uint32_t crc = 0;
    int fd = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    for (ssize_t got; fd >= 0 && (got = read(fd, chunk, CHUNK_BYTES)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        crc = hk_crc32_more(crc, chunk, (size_t)got);
    }
    if (fd >= 0)
        close(fd);
    hk_free(chunk);
    return crc;
}

static file_note look(const char *place) {
    file_note note = {.stamp = hk_file_stamp_of(place)};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    note.summed = note.stamp.id.node && note.stamp.size <= SMALL_BYTES &&
                  note.stamp.changed_s + JUST_NOW_S >= now.tv_sec;
    if (note.summed)
        note.crc = sum_of(place);
    return note;
}

static char *copy(const char *text) {
    return memcpy(hk_alloc(strlen(text) + 1), text, strlen(text) + 1);
}

void hk_written_note(hk_written *written, const char *path) {
    hk_arena *arena = hk_arena_create();
    const char *place = hk_path_absolute(arena, path);
    file_note note = look(place);
    if (note.stamp.id.node && strcmp(path, "-") != 0) {
        note.path = copy(path);
        note.place = copy(place);
        HK_PUSH(written->files, written->count, written->cap, note);
    }
    hk_arena_destroy(arena);
}

void hk_record_note(hk_written *written, const char *record) {
    char *about = hk_about_path(record);
    hk_written_note(written, record);
    hk_written_note(written, about);
    hk_free(about);
}

static bool is_as_noted(const file_note *note) {
    return hk_file_stamp_same(hk_file_stamp_of(note->place), note->stamp) &&
           (!note->summed || sum_of(note->place) == note->crc);
}

void hk_written_put(const hk_written *written, hk_buffer *to) {
    hk_buffer_u64(to, written->count);
    for (size_t i = 0; i < written->count; i++) {
        const file_note *note = &written->files[i];
        hk_buffer_text(to, note->path);
        hk_buffer_text(to, note->place);
        hk_buffer_put(to, &note->stamp, sizeof note->stamp);
        hk_buffer_u64(to, note->crc);
        hk_buffer_u64(to, note->summed);
    }
}

void hk_written_take(hk_buffer_source *from, hk_written *ret_written) {
    *ret_written = (hk_written){0};
    size_t count = hk_source_count(from);
    for (size_t i = 0; i < count && from->good; i++) {
        const char *path = hk_source_text(from), *place = hk_source_text(from);
        file_note note = {0};
        hk_source_get(from, &note.stamp, sizeof note.stamp);
        note.crc = (uint32_t)hk_source_u64(from);
        note.summed = hk_source_u64(from) != 0;
        from->good = from->good && path && place;
        if (!from->good)
            break;
        note.path = copy(path);
        note.place = copy(place);
        HK_PUSH(ret_written->files, ret_written->count, ret_written->cap, note);
    }
}

void hk_written_forget(hk_written *written) {
    for (size_t i = 0; i < written->count; i++) {
        hk_free(written->files[i].path);
        hk_free(written->files[i].place);
    }
    hk_free(written->files);
    *written = (hk_written){0};
}

hk_status hk_written_check(hk_ctx *ctx, hk_written *written) {
    hk_status status = HK_OK;
    for (size_t i = 0; i < written->count; i++) {
        file_note *note = &written->files[i];
        if (status == HK_OK && !is_as_noted(note))
            status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = note->path},
                              "a component may have done that when it was freed or its library was "
                              "unloaded; or another program",
                              "the file was changed, moved or removed after it was written");
    }
    hk_written_forget(written);
    return status;
}
