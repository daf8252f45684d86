/* SPDX-License-Identifier: MIT */
#include "format/zip.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/map.h"
#include "base/packed.h"
#include "format/sha256.h"
#include "format/zip_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Deflate yields 1032 bytes from one at best; models stay far below that. Small archives may be
 * as empty inside as they like. */
enum { RATIO_MAX = 1000, NAME_MAX_BYTES = 1024, FOLDERS_DEEP_MAX = 64, BLOCK_BYTES = 1 << 16 };
#define RATIO_FROM_BYTES (UINT64_C(64) << 20)

typedef struct entry {
    const char *name; /* normalised */
    zip_record record;
    bool executable;
    hk_zip_repeat repeats; /* another entry has this name */
} entry;

struct hk_zip {
    hk_arena *arena;
    const char *path;
    zip_source source;
    entry *entries;
    size_t count;
    hk_map names;
    const char *repeated; /* the first that is listed again; NULL: none */
    size_t repeat_count;
};

static hk_where at(const hk_zip *zip, const char *name) {
    const char *element = name ? hk_arena_printf(zip->arena, "entry '%s'", name) : NULL;
    return (hk_where){.file = zip->path, .element = element};
}

static hk_status damaged(hk_ctx *ctx, hk_where where, const char *reason) {
    return hk_error(ctx, HK_E_ZIP, where, "fetch or export the file again", "%s", reason);
}

static hk_status unsafe(hk_ctx *ctx, const hk_zip *zip, const char *name, const char *reason) {
    return hk_error(ctx, HK_E_ZIP_UNSAFE, at(zip, name), "nothing was unpacked", "%s", reason);
}

/* Brings NAME into the form a/b/c: writes it at RET (as long as NAME) and returns what is wrong
 * with it, or NULL. The folder that holds everything ("./") becomes the empty text. */
static const char *normalise(const char *name, char *ret) {
    size_t depth = 0, used = 0;
    if (!name[0])
        return "an entry has no name";
    if (strlen(name) > NAME_MAX_BYTES)
        return "the name is too long";
    if (name[0] == '/' || name[0] == '\\')
        return "the path is absolute";
    if (((name[0] | 32) >= 'a' && (name[0] | 32) <= 'z') && name[1] == ':')
        return "the path begins with a drive letter";
    for (const char *p = name; *p;) {
        size_t length = strcspn(p, "/\\");
        if (length == 2 && p[0] == '.' && p[1] == '.')
            return "the path leads out of the folder with '..'";
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)p[i] < 0x20 || p[i] == 0x7f)
                return "the name holds a control character";
        bool keep = length && !(length == 1 && p[0] == '.');
        if (keep) {
            memcpy(ret + used, p, length);
            used += length;
        }
        p += length;
        if (*p) {
            p++;
            if (keep) {
                ret[used++] = '/';
                depth++;
            }
        }
    }
    ret[used] = '\0';
    return depth > FOLDERS_DEEP_MAX ? "the folders are nested too deep" : NULL;
}

/* What the operating system of the packer said about the entry. */
static const char *judge_kind(const zip_record *r, bool *ret_executable) {
    uint32_t mode = r->attributes >> 16;
    uint32_t kind = mode & S_IFMT;
    *ret_executable = mode & S_IXUSR;
    /* Some packers write a Unix mode but call their system something else: look at it always. */
    if (kind == S_IFLNK)
        return "it is a link";
    if (r->system == HK_ZIP_UNIX && kind && kind != S_IFREG && kind != S_IFDIR)
        return "it is neither a file nor a folder";
    return NULL;
}

static bool is_bomb(uint64_t size, uint64_t packed) {
    return size > RATIO_FROM_BYTES && size / RATIO_MAX > packed;
}

static const char *judge_contents(const zip_record *r) {
    if (r->flags & HK_ZIP_ENCRYPTED)
        return "it is encrypted";
    if (r->method != HK_ZIP_STORED && r->method != HK_ZIP_DEFLATED)
        return "it is compressed by another method than 'stored' or 'deflated'";
    if (r->size > HK_ZIP_BYTES_MAX)
        return "it would unpack to more than 8 GiB";
    if (r->method == HK_ZIP_STORED && r->size != r->packed)
        return "it is stored but has two sizes";
    if (is_bomb(r->size, r->packed))
        return "it would unpack to more than 1000 times its size";
    return NULL;
}

/* No entry may be a folder of another one and a file at once. */
static const char *judge_parents(const hk_zip *zip, const char *name) {
    char part[NAME_MAX_BYTES + 2];
    size_t length = strlen(name);
    memcpy(part, name, length + 1);
    for (size_t i = 0; i < length; i++) {
        if (part[i] != '/')
            continue;
        part[i] = '\0';
        if (hk_map_get(&zip->names, part) != HK_MAP_NONE)
            return "another entry has the name of its folder";
        part[i] = '/';
    }
    return NULL;
}

/* Some packers list a file once more when they replace it by itself. */
static void note_repeat(hk_zip *zip, entry *first, const zip_record *again) {
    if (first->record.crc != again->crc || first->record.size != again->size)
        first->repeats = HK_ZIP_DIFFERENT;
    else if (!zip->repeat_count++)
        zip->repeated = first->name;
    if (!first->repeats)
        first->repeats = HK_ZIP_SAME;
}

static hk_status judge_entry(hk_ctx *ctx, hk_zip *zip, const zip_record *r) {
    char name[NAME_MAX_BYTES + 2];
    const char *wrong = normalise(r->name, name);
    if (!wrong && r->zero_in_name)
        wrong = "the name holds a control character";
    entry e = {.record = *r};
    if (!wrong)
        wrong = judge_kind(r, &e.executable);
    if (!wrong)
        wrong = judge_contents(r);
    if (wrong)
        return unsafe(ctx, zip, r->name, wrong);
    if (!name[0])
        return HK_OK;
    e.name = strcmp(r->name, name) == 0 ? r->name : hk_arena_strdup(zip->arena, name);
    uint32_t first = hk_map_put(&zip->names, e.name, (uint32_t)zip->count);
    if (first == zip->count)
        zip->entries[zip->count++] = e;
    else
        note_repeat(zip, &zip->entries[first], r);
    return HK_OK;
}

static hk_status judge_entries(hk_ctx *ctx, hk_zip *zip) {
    uint64_t size = 0, packed = 0;
    for (size_t i = 0; i < zip->count; i++) {
        const entry *e = &zip->entries[i];
        const char *wrong = judge_parents(zip, e->name);
        if (wrong)
            return unsafe(ctx, zip, e->name, wrong);
        size += e->record.size; /* each is below 2^33 and there are few: no overflow */
        if (e->record.packed > zip->source.size - packed)
            return unsafe(ctx, zip, e->name, "entries overlap: they claim more than the file has");
        packed += e->record.packed;
    }
    if (size > HK_ZIP_BYTES_MAX)
        return unsafe(ctx, zip, NULL, "it would unpack to more than 8 GiB");
    if (is_bomb(size, packed))
        return unsafe(ctx, zip, NULL, "it would unpack to more than 1000 times its size");
    return HK_OK;
}

static hk_status judge(hk_ctx *ctx, hk_zip *zip) {
    zip_end end;
    const char *wrong = hk_zip_find_end(&zip->source, &end);
    if (wrong)
        return damaged(ctx, at(zip, NULL), wrong);
    if (end.count > HK_ZIP_ENTRIES_MAX)
        return unsafe(ctx, zip, NULL, "it has more than 100000 entries");
    zip_record *records = hk_alloc((size_t)(end.count + 1) * sizeof *records);
    hk_status status = HK_OK;
    wrong = hk_zip_read_directory(&zip->source, &end, zip->arena, records);
    if (wrong)
        status = damaged(ctx, at(zip, NULL), wrong);
    zip->entries = HK_NEW_ARRAY(zip->arena, entry, end.count);
    for (uint64_t i = 0; i < end.count && status == HK_OK; i++)
        status = judge_entry(ctx, zip, &records[i]);
    hk_free(records);
    return status == HK_OK ? judge_entries(ctx, zip) : status;
}

/* Takes SOURCE over, judges the archive, and hands it out only if it is fine. */
static hk_status open_source(hk_ctx *ctx, const char *path, zip_source source, hk_zip **ret_zip) {
    hk_zip *zip = hk_alloc(sizeof *zip);
    zip->arena = hk_arena_create();
    zip->path = hk_arena_strdup(zip->arena, path);
    zip->source = source;
    hk_status status = judge(ctx, zip);
    if (status == HK_OK)
        *ret_zip = zip;
    else
        hk_zip_close(zip);
    return status;
}

static hk_status cannot_open(hk_ctx *ctx, const char *path, const char *hint) {
    return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, hint, "cannot open it: %s",
                    strerror(errno));
}

static hk_status open_packed(hk_ctx *ctx, const char *path, hk_zip **ret_zip) {
    const char *data;
    size_t size;
    HK_TRY(hk_packed_view(ctx, path, &data, &size));
    return hk_zip_open_memory(ctx, path, data, size, ret_zip);
}

hk_status hk_zip_open(hk_ctx *ctx, const char *path, hk_zip **ret_zip) {
    struct stat info;
    if (hk_packed_is(path))
        return open_packed(ctx, path, ret_zip);
    if (stat(path, &info) != 0)
        return cannot_open(ctx, path, "check the spelling of the path");
    if (!S_ISREG(info.st_mode))
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, NULL, "is not a file");
    HK_TRY(hk_claim_read(ctx, path));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_open(ctx, path, "check the permissions");
    return open_source(ctx, path, (zip_source){.fd = fd, .size = (uint64_t)info.st_size}, ret_zip);
}

hk_status hk_zip_open_memory(hk_ctx *ctx, const char *path, const void *data, size_t size,
                             hk_zip **ret_zip) {
    static const unsigned char nothing[1];
    const zip_source source = {.data = size ? data : nothing, .fd = -1, .size = size};
    return open_source(ctx, path, source, ret_zip);
}

void hk_zip_close(hk_zip *zip) {
    if (!zip)
        return;
    if (zip->source.fd >= 0)
        close(zip->source.fd);
    hk_map_finish(&zip->names);
    hk_arena_destroy(zip->arena);
    hk_free(zip);
}

size_t hk_zip_count(const hk_zip *zip) {
    return zip->count;
}

const char *hk_zip_name(const hk_zip *zip, size_t index) {
    return zip->entries[index].name;
}

const char *hk_zip_raw_name(const hk_zip *zip, size_t index) {
    return zip->entries[index].record.name;
}

const zip_record *hk_zip_record(const hk_zip *zip, size_t index) {
    return &zip->entries[index].record;
}

uint64_t hk_zip_size(const hk_zip *zip, size_t index) {
    return zip->entries[index].record.size;
}

int64_t hk_zip_find(const hk_zip *zip, const char *name) {
    uint32_t index = hk_map_get(&zip->names, name);
    return index == HK_MAP_NONE ? -1 : (int64_t)index;
}

hk_zip_repeat hk_zip_repeats(const hk_zip *zip, size_t index) {
    return zip->entries[index].repeats;
}

void hk_zip_tell_repeats(hk_ctx *ctx, const hk_zip *zip) {
    if (zip->repeat_count)
        hk_warn(ctx, HK_E_ZIP, (hk_where){.file = zip->path}, NULL,
                "'%s'%s listed in the archive more than once, with the same contents; the first "
                "counts",
                zip->repeated,
                zip->repeat_count == 1
                    ? " is"
                    : hk_arena_printf(zip->arena, " and %zu others are", zip->repeat_count - 1));
}

static hk_status ambiguous(hk_ctx *ctx, const hk_zip *zip, const entry *e) {
    return hk_error(ctx, HK_E_ZIP_UNSAFE, at(zip, e->name), "pack the file again",
                    "another entry has the same name and other contents");
}

/* Where the bytes of an entry go, block by block; false ends the reading. */
typedef bool block_fn(void *user, const char *block, size_t size);

static hk_status cannot_write(hk_ctx *ctx, hk_where where, const char *hint) {
    return hk_error(ctx, HK_E_FILE_WRITE, where, hint, "cannot be unpacked: %s", strerror(errno));
}

/* Unpacks one entry and never hands out more than its declared size. */
static hk_status unpack_stream(hk_ctx *ctx, hk_zip *zip, const entry *e, zip_stream *stream,
                               block_fn *put, void *user) {
    const uint64_t size = e->record.size;
    const size_t room = size < BLOCK_BYTES ? (size_t)size + 1 : BLOCK_BYTES;
    char *block = hk_realloc(NULL, room);
    hk_status status = HK_OK;
    uint64_t done = 0;
    for (size_t got = 1; got && status == HK_OK; done += got) {
        /* Once everything is there one more read must find the end; it also checks the CRC. */
        const char *wrong = hk_zip_stream_read(stream, block, room, &got);
        if (wrong)
            status = damaged(ctx, at(zip, e->name), wrong);
        else if (got > size - done)
            status = unsafe(ctx, zip, e->name, "it unpacks to more than its declared size");
        else if (got && !put(user, block, got))
            status = cannot_write(ctx, at(zip, e->name), "check the space on the disk");
    }
    hk_free(block);
    if (status == HK_OK && done < size)
        status = damaged(ctx, at(zip, e->name), "it ends before its declared size");
    return status;
}

static hk_status unpack(hk_ctx *ctx, hk_zip *zip, const entry *e, block_fn *put, void *user) {
    zip_stream stream;
    const char *wrong = hk_zip_stream_open(&stream, &zip->source, &e->record);
    hk_status status = wrong ? damaged(ctx, at(zip, e->name), wrong)
                             : unpack_stream(ctx, zip, e, &stream, put, user);
    hk_zip_stream_close(&stream);
    return status;
}

/* Grows with what really comes out: the declared size alone never obtains much memory. */
typedef struct buffer {
    char *data;
    size_t used, cap;
} buffer;

static bool put_memory(void *user, const char *block, size_t size) {
    buffer *b = user;
    if (size + 1 > b->cap - b->used) {
        b->cap = 2 * (b->used + size + 1);
        b->data = hk_realloc(b->data, b->cap);
    }
    memcpy(b->data + b->used, block, size);
    b->used += size;
    return true;
}

hk_status hk_zip_read(hk_ctx *ctx, hk_zip *zip, size_t index, char **ret_data, size_t *ret_size) {
    enum { AT_FIRST = 1 << 20 };
    uint64_t size = zip->entries[index].record.size;
    if (zip->entries[index].repeats == HK_ZIP_DIFFERENT)
        return ambiguous(ctx, zip, &zip->entries[index]);
    buffer b = {.cap = size < AT_FIRST ? (size_t)size + 1 : AT_FIRST};
    b.data = hk_realloc(NULL, b.cap);
    hk_status status = unpack(ctx, zip, &zip->entries[index], put_memory, &b);
    if (status != HK_OK) {
        hk_free(b.data);
        return status;
    }
    b.data[b.used] = '\0';
    *ret_data = b.data;
    *ret_size = b.used;
    return HK_OK;
}

static bool equals_stream(zip_stream *stream, const char *data, size_t size) {
    char *block = hk_realloc(NULL, BLOCK_BYTES);
    size_t done = 0, got = 1;
    bool same = true;
    while (same && got) {
        same = !hk_zip_stream_read(stream, block, BLOCK_BYTES, &got) && got <= size - done &&
               memcmp(block, data + done, got) == 0;
        done += got;
    }
    hk_free(block);
    return same && done == size;
}

bool hk_zip_equals(const hk_zip *zip, size_t index, const void *data, size_t size) {
    const entry *e = &zip->entries[index];
    zip_stream stream;
    if (e->repeats == HK_ZIP_DIFFERENT || e->record.size != size)
        return false;
    bool same = !hk_zip_stream_open(&stream, &zip->source, &e->record);
    stream.unchecked = true; /* the bytes themselves are compared */
    same = same && equals_stream(&stream, data, size);
    hk_zip_stream_close(&stream);
    return same;
}

void hk_zip_fingerprint(const hk_zip *zip, char ret_hex[65]) {
    buffer all = {.cap = 1024};
    all.data = hk_realloc(NULL, all.cap);
    for (size_t i = 0; i < zip->count; i++) {
        const entry *e = &zip->entries[i];
        const uint64_t numbers[] = {e->record.size, e->record.packed, e->record.crc,
                                    e->record.attributes};
        put_memory(&all, (const char *)numbers, sizeof numbers);
        put_memory(&all, e->name, strlen(e->name) + 1);
    }
    hk_sha256_hex(all.data, all.used, ret_hex);
    hk_free(all.data);
}

static bool put_file(void *user, const char *block, size_t size) {
    int fd = *(int *)user;
    while (size) {
        ssize_t put = write(fd, block, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        block += put;
        size -= (size_t)put;
    }
    return true;
}

static hk_status extract_file(hk_ctx *ctx, hk_zip *zip, const entry *e, const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  e->executable ? 0777 : 0666);
    if (fd < 0)
        return cannot_write(ctx, at(zip, e->name), NULL);
    hk_status status = unpack(ctx, zip, e, put_file, &fd);
    if (close(fd) != 0 && status == HK_OK)
        status = cannot_write(ctx, at(zip, e->name), "check the space on the disk");
    return status;
}

hk_status hk_zip_extract(hk_ctx *ctx, hk_zip *zip, hk_zip_wanted_fn *wanted, const char *folder) {
    hk_arena *arena = hk_arena_create();
    const char *made = "";
    hk_status status = HK_OK;
    for (size_t i = 0; i < zip->count && status == HK_OK; i++)
        if (zip->entries[i].repeats == HK_ZIP_DIFFERENT &&
            !(wanted && !wanted(zip->entries[i].name)))
            status = ambiguous(ctx, zip, &zip->entries[i]);
    for (size_t i = 0; i < zip->count && status == HK_OK; i++) {
        const entry *e = &zip->entries[i];
        if (wanted && !wanted(e->name))
            continue;
        const char *path = hk_path_join(arena, folder, e->name);
        const char *parent = hk_path_folder(arena, path);
        if (strcmp(parent, made) != 0)
            status = hk_folder_make(ctx, parent);
        made = parent;
        if (status == HK_OK && !*hk_path_name(path))
            continue; /* a folder */
        if (status == HK_OK)
            status = extract_file(ctx, zip, e, path);
    }
    hk_arena_destroy(arena);
    return status;
}
