/* SPDX-License-Identifier: MIT
 *
 * What a tool carries, while it runs. */
#include "format/crc32.h"
#include "format/sha256.h"
#include "format/zip.h"
#include "tool/tool_internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct carried {
    hk_tool tool;
    hk_arena *arena;
    hk_tool_mark mark;
    const char *bytes; /* the whole file, mapped; NULL: not yet */
    size_t size;
    hk_zip *zip;
    hk_tool_description description;
    hk_map by_path;
    pthread_mutex_t lock; /* of the contents */
    char **contents;      /* per file: read and found to be right; NULL: not yet */
    hk_packed_source source;
} carried;

bool hk_tool_is(const volatile hk_tool_mark *mark) {
    return mark->program != 0;
}

HK_PRINTF(3, 4)
static hk_status damaged(hk_ctx *ctx, const carried *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = hk_arena_vprintf(c->arena, format, args);
    va_end(args);
    return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = c->tool.file},
                    "copy it again, or build it again", "this tool is damaged: %s", what);
}

/* ---- the files ---- */

static bool exists(void *user, const char *path) {
    return hk_map_get(&((const carried *)user)->by_path, path) != HK_MAP_NONE;
}

static const char *identity(void *user, const char *path) {
    const carried *c = user;
    uint32_t index = hk_map_get(&c->by_path, path);
    return index == HK_MAP_NONE ? NULL : c->description.files[index].entry;
}

/* The file, if it has the hash that it had when it was packed. */
static hk_status read_entry(hk_ctx *ctx, const carried *c, const hk_tool_file *f, char **ret_data,
                            size_t *ret_size) {
    int64_t entry = hk_zip_find(c->zip, f->entry);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* how it is damaged, nobody needs to know */
    char *data = NULL, hash[65] = "";
    bool read = entry >= 0 && hk_zip_read(quiet, c->zip, (size_t)entry, &data, ret_size) == HK_OK;
    hk_ctx_destroy(quiet);
    if (read)
        hk_sha256_hex(data, *ret_size, hash);
    if (memcmp(hash, f->sha256, sizeof c->mark.description) != 0) {
        hk_free(data);
        return damaged(ctx, c, "'%s' is not what was packed", f->path);
    }
    *ret_data = data;
    return HK_OK;
}

static hk_status read_contents(hk_ctx *ctx, carried *c, uint32_t index) {
    const hk_tool_file *f = &c->description.files[index];
    size_t size;
    HK_TRY(read_entry(ctx, c, f, &c->contents[index], &size));
    HK_ASSERT(size == f->size); /* the hash of the description is right, and so is its own */
    return HK_OK;
}

static hk_status view(hk_ctx *ctx, void *user, const char *path, const char **ret_data,
                      size_t *ret_size) {
    carried *c = user;
    uint32_t index = hk_map_get(&c->by_path, path);
    if (index == HK_MAP_NONE)
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = c->tool.file},
                        "what is named at run time is a file of yours",
                        "the tool does not carry '%s'", path);
    pthread_mutex_lock(&c->lock);
    hk_status status = c->contents[index] ? HK_OK : read_contents(ctx, c, index);
    pthread_mutex_unlock(&c->lock);
    if (status != HK_OK)
        return status;
    *ret_data = c->contents[index];
    *ret_size = (size_t)c->description.files[index].size;
    return HK_OK;
}

/* ---- opening ---- */

static hk_status map_file(hk_ctx *ctx, carried *c) {
    struct stat info;
    int fd = hk_tool_open_self(c->arena, &c->tool.file);
    void *bytes = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0) {
        c->size = (size_t)info.st_size;
        bytes = mmap(NULL, c->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    int problem = errno;
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = c->tool.file},
                        "who runs a tool must be able to read it",
                        "the tool cannot read its own file: %s", strerror(problem));
    c->bytes = bytes;
    return HK_OK;
}

static hk_status check_program(hk_ctx *ctx, const carried *c, size_t offset) {
    const hk_tool_mark *m = &c->mark;
    if (m->self != hk_tool_mark_check(m))
        return damaged(ctx, c, "the mark that says what it carries is not what was written");
    uint64_t whole = m->program + m->archive;
    if (c->size != whole)
        return damaged(ctx, c, "the file has %zu bytes, and should have %llu", c->size,
                       (unsigned long long)whole);
    size_t end = offset + sizeof *m;
    if (offset > m->program || m->program - offset < sizeof *m ||
        hk_crc32(c->bytes, offset) != m->before ||
        hk_crc32(c->bytes + end, (size_t)m->program - end) != m->after)
        return damaged(ctx, c, "the program is not what was written");
    return HK_OK;
}

static hk_status read_description(hk_ctx *ctx, carried *c) {
    char *data;
    size_t size;
    hk_tool_file file = {.path = HK_TOOL_DESCRIPTION, .entry = HK_TOOL_DESCRIPTION};
    memcpy(file.sha256, c->mark.description, sizeof c->mark.description);
    HK_TRY(read_entry(ctx, c, &file, &data, &size));
    hk_status status =
        hk_tool_read_description(ctx, c->arena, c->tool.file, data, size, &c->description);
    hk_free(data);
    return status;
}

static hk_status open_archive(hk_ctx *ctx, carried *c) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_status status = hk_zip_open_memory(quiet, c->tool.file, c->bytes + c->mark.program,
                                          (size_t)c->mark.archive, &c->zip);
    hk_ctx_destroy(quiet);
    return status == HK_OK ? HK_OK : damaged(ctx, c, "its archive cannot be read");
}

static hk_status open_carried(hk_ctx *ctx, carried *c, size_t offset) {
    HK_TRY(map_file(ctx, c));
    HK_TRY(check_program(ctx, c, offset));
    HK_TRY(open_archive(ctx, c));
    HK_TRY(read_description(ctx, c));
    const hk_tool_description *d = &c->description;
    c->contents = HK_NEW_ARRAY(c->arena, char *, d->file_count + 1);
    for (size_t i = 0; i < d->file_count; i++)
        hk_map_put(&c->by_path, d->files[i].path, (uint32_t)i);
    c->tool.file_count = d->file_count;
    c->tool.made = hk_arena_printf(c->arena, "hocket %s", d->version);
    c->tool.model = hk_arena_printf(c->arena, "%s/%s", c->tool.file, d->model);
    if (d->fused)
        c->tool.fused = hk_arena_printf(c->arena, "%s/%s", c->tool.file, d->fused);
    return HK_OK;
}

hk_status hk_tool_open(hk_ctx *ctx, const volatile hk_tool_mark *mark, hk_tool **ret_tool) {
    hk_arena *arena = hk_arena_create();
    carried *c = HK_NEW(arena, carried);
    c->arena = arena;
    c->mark = *mark;
    pthread_mutex_init(&c->lock, NULL);
    hk_status status = open_carried(ctx, c, hk_tool_mark_offset(mark));
    if (status != HK_OK) {
        hk_tool_close(&c->tool);
        return status;
    }
    c->source = (hk_packed_source){.exists = exists, .view = view, .identity = identity, .user = c};
    hk_packed_mount(c->tool.file, &c->source);
    *ret_tool = &c->tool;
    return HK_OK;
}

void hk_tool_close(hk_tool *tool) {
    carried *c = (carried *)tool; /* its first member */
    if (!c)
        return;
    hk_packed_unmount();
    for (size_t i = 0; i < c->tool.file_count; i++)
        hk_free(c->contents[i]);
    hk_zip_close(c->zip);
    if (c->bytes)
        munmap((void *)(uintptr_t)c->bytes, c->size);
    hk_map_finish(&c->by_path);
    pthread_mutex_destroy(&c->lock);
    hk_arena_destroy(c->arena); /* it lives in there */
}
