/* SPDX-License-Identifier: MIT
 *
 * Writing ZIP archives: all entries of the same time, nothing that depends on the machine.
 * Deflated, unless that gains nothing: an FMU in a package is packed already, and who reads the
 * package would unpack it twice. */
#include "base/file.h"
#include "format/crc32.h"
#include "format/zip.h"
#include "format/zip_file.h"

#include <string.h>
#include <sys/stat.h>

enum {
    NEEDED = 20, /* version 2.0: folders and deflate */
    UTF8 = 1 << 11,
    MIDNIGHT = 0,
    FIRST_OF_1980 = 1 << 5 | 1,
    LEVEL = 6,
    MEMORY_LEVEL = 8
};

/* The archive, and its directory, as they grow. */
typedef struct piece {
    unsigned char *data;
    size_t size, cap;
} piece;

static void put_bytes(piece *p, const void *data, size_t size) {
    if (size > p->cap - p->size) {
        p->cap = 2 * (p->size + size);
        p->data = hk_realloc(p->data, p->cap);
    }
    if (size)
        memcpy(p->data + p->size, data, size);
    p->size += size;
}

static void put16(piece *p, unsigned value) {
    const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8)};
    put_bytes(p, bytes, sizeof bytes);
}

static void put32(piece *p, uint32_t value) {
    put16(p, value & 0xffff);
    put16(p, value >> 16);
}

typedef struct packed {
    const char *name;
    const void *data;
    size_t size, plain;
    uint32_t crc;
    unsigned method;
    unsigned char *memory; /* of what is deflated */
} packed;

/* The fields that an entry and its record in the directory share. */
static void put_common(piece *p, const packed *e) {
    put16(p, NEEDED);
    put16(p, UTF8);
    put16(p, e->method);
    put16(p, MIDNIGHT);
    put16(p, FIRST_OF_1980);
    put32(p, e->crc);
    put32(p, (uint32_t)e->size);
    put32(p, (uint32_t)e->plain);
    put16(p, (unsigned)strlen(e->name));
    put16(p, 0); /* no extra field */
}

static void put_entry(piece *archive, piece *directory, const packed *e) {
    const uint32_t offset = (uint32_t)archive->size;
    put32(archive, 0x04034b50);
    put_common(archive, e);
    put_bytes(archive, e->name, strlen(e->name));
    put_bytes(archive, e->data, e->size);
    put32(directory, 0x02014b50);
    put16(directory, HK_ZIP_UNIX << 8 | NEEDED);
    put_common(directory, e);
    put16(directory, 0); /* no comment, on this disk, binary */
    put16(directory, 0);
    put16(directory, 0);
    put32(directory, (uint32_t)(S_IFREG | 0644) << 16);
    put32(directory, offset);
    put_bytes(directory, e->name, strlen(e->name));
}

static void put_end(piece *archive, const piece *directory, size_t count, const void *comment,
                    size_t comment_size) {
    const uint32_t offset = (uint32_t)archive->size;
    put_bytes(archive, directory->data, directory->size);
    put32(archive, 0x06054b50);
    put32(archive, 0); /* one disk */
    put16(archive, (unsigned)count);
    put16(archive, (unsigned)count);
    put32(archive, (uint32_t)directory->size);
    put32(archive, offset);
    put16(archive, (unsigned)comment_size);
    put_bytes(archive, comment, comment_size);
}

/* Below 4 GiB, so that sizes and offsets fit their fields. */
static const char *pack(const void *data, size_t size, packed *e) {
    z_stream z = {0};
    if (size > UINT32_MAX / 2)
        return "it has more than 2 GiB";
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return "there is not enough memory";
    size_t room = deflateBound(&z, (uLong)size);
    e->memory = hk_realloc(NULL, room);
    z.next_in = (Bytef *)(uintptr_t)data; /* zlib does not write there */
    z.avail_in = (uInt)size;
    z.next_out = e->memory;
    z.avail_out = (uInt)room;
    int code = deflate(&z, Z_FINISH);
    HK_ASSERT(code == Z_STREAM_END); /* there is room for the worst case */
    enum { GAIN = 32 };              /* less than so much of it */
    bool smaller = room - z.avail_out < size - size / GAIN;
    e->method = smaller ? HK_ZIP_DEFLATED : HK_ZIP_STORED;
    e->data = smaller ? e->memory : data;
    e->size = smaller ? room - z.avail_out : size;
    e->plain = size;
    e->crc = hk_crc32(data, size);
    deflateEnd(&z);
    return NULL;
}

static hk_status add_item(hk_ctx *ctx, const char *path, const hk_zip_item *item, piece *archive,
                          piece *directory) {
    packed e = {.name = item->name};
    char *read = NULL;
    const void *data = item->data ? item->data : "";
    size_t size = item->size;
    if (!item->data && item->path) {
        if (!hk_file_exists(item->path))
            return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = item->path}, NULL,
                            "cannot be packed: it does not exist");
        HK_TRY(hk_file_read(ctx, item->path, 0, &read, &size));
        data = read;
    }
    const char *wrong =
        strlen(item->name) > UINT16_MAX ? "its name is too long" : pack(data, size, &e);
    if (!wrong && archive->size + e.size + directory->size > UINT32_MAX / 2)
        wrong = "the archive would have more than 2 GiB";
    if (!wrong)
        put_entry(archive, directory, &e);
    hk_free(e.memory);
    hk_free(read);
    return !wrong ? HK_OK
                  : hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                             "cannot pack '%s': %s", item->name, wrong);
}

hk_status hk_zip_make(hk_ctx *ctx, const char *path, const hk_zip_item *items, size_t count,
                      char **ret_data, size_t *ret_size) {
    piece archive = {0}, directory = {0};
    hk_status status = HK_OK;
    if (count >= UINT16_MAX)
        status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                          "cannot pack more than %d files", UINT16_MAX - 1);
    for (size_t i = 0; i < count && status == HK_OK; i++)
        status = add_item(ctx, path, &items[i], &archive, &directory);
    if (status == HK_OK) {
        put_end(&archive, &directory, count, "", 0);
        *ret_data = (char *)archive.data;
        *ret_size = archive.size;
    } else {
        hk_free(archive.data);
    }
    hk_free(directory.data);
    return status;
}

hk_status hk_zip_write(hk_ctx *ctx, const char *path, const hk_zip_item *items, size_t count) {
    char *data;
    size_t size;
    HK_TRY(hk_zip_make(ctx, path, items, count, &data, &size));
    hk_status status = hk_file_write(ctx, path, data, size);
    hk_free(data);
    return status;
}

/* ---- archives that are written again ---- */

static unsigned get16(const unsigned char *p) {
    return (unsigned)(p[0] | p[1] << 8);
}

/* Extra fields but that of sizes in 64 bits: they fit into 32 now. */
static void put_extra(piece *p, const unsigned char *extra, size_t size) {
    while (size >= 4) {
        size_t field = 4 + (size_t)get16(extra + 2);
        if (field > size)
            break;
        if (get16(extra) != HK_ZIP_EXTRA_64)
            put_bytes(p, extra, field);
        extra += field;
        size -= field;
    }
    put_bytes(p, extra, size); /* what is not a field is kept as it is */
}

/* Version, flags, method, time and date as RECORD has them; sizes and checksum are in front of the
 * data, not behind it. */
static void put_kept_common(piece *p, const unsigned char *record, const zip_record *r,
                            size_t extra_size) {
    enum { NEEDED_AT = 6, METHOD_AT = 10, NAME_SIZE_AT = 28, SIZES_BEHIND = 8 };
    put_bytes(p, record + NEEDED_AT, 2);
    put16(p, r->flags & ~(unsigned)SIZES_BEHIND);
    put_bytes(p, record + METHOD_AT, 6);
    put32(p, r->crc);
    put32(p, (uint32_t)r->packed);
    put32(p, (uint32_t)r->size);
    put_bytes(p, record + NAME_SIZE_AT, 2);
    put16(p, (unsigned)extra_size);
}

/* The entry R of SOURCE, as it is packed there. */
static const char *keep_entry(const zip_source *source, const zip_record *r, piece *archive,
                              piece *directory) {
    enum { MAKER_AT = 4, NAME_SIZE_AT = 28, COMMENT_SIZE_AT = 32, INTERNAL_AT = 36 };
    const unsigned char *record = source->data + r->place, *name = record + HK_ZIP_RECORD_BYTES;
    const size_t name_size = get16(record + NAME_SIZE_AT), extra = get16(record + NAME_SIZE_AT + 2);
    const uint32_t offset = (uint32_t)archive->size;
    zip_local local;
    piece kept = {0};
    const char *wrong = hk_zip_locate(source, r, &local);
    if (!wrong && archive->size + r->packed + directory->size > UINT32_MAX / 2)
        wrong = "the archive would have more than 2 GiB";
    if (wrong)
        return wrong;
    put_extra(&kept, source->data + local.extra, (size_t)local.extra_size);
    put32(archive, 0x04034b50);
    put_kept_common(archive, record, r, kept.size);
    put_bytes(archive, name, name_size);
    put_bytes(archive, kept.data, kept.size);
    put_bytes(archive, source->data + local.data, (size_t)r->packed);
    kept.size = 0;
    put_extra(&kept, name + name_size, extra);
    put32(directory, 0x02014b50);
    put_bytes(directory, record + MAKER_AT, 2);
    put_kept_common(directory, record, r, kept.size);
    put_bytes(directory, record + COMMENT_SIZE_AT, 2);
    put16(directory, 0); /* on this disk */
    put_bytes(directory, record + INTERNAL_AT, 6);
    put32(directory, offset);
    put_bytes(directory, name, name_size);
    put_bytes(directory, kept.data, kept.size);
    put_bytes(directory, name + name_size + extra, get16(record + COMMENT_SIZE_AT));
    hk_free(kept.data);
    return NULL;
}

/* All entries of ZIP, which is EXTENDED, with ITEM in its place. */
static hk_status put_all(hk_ctx *ctx, const hk_zip *zip, const hk_file_text *extended,
                         const hk_zip_item *item, piece *archive, piece *directory) {
    const zip_source source = {
        .data = (const unsigned char *)extended->data, .fd = -1, .size = extended->size};
    const int64_t old = hk_zip_find(zip, item->name);
    size_t count = hk_zip_count(zip);
    for (size_t i = 0; i < count; i++) {
        const char *wrong = NULL;
        if ((int64_t)i == old)
            HK_TRY(add_item(ctx, extended->file, item, archive, directory));
        else if (hk_zip_repeats(zip, i) == HK_ZIP_DIFFERENT)
            wrong = "another entry has the same name and other contents";
        else
            wrong = keep_entry(&source, hk_zip_record(zip, i), archive, directory);
        if (wrong)
            return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = extended->file},
                            "pack the file again", "cannot keep '%s': %s", hk_zip_name(zip, i),
                            wrong);
    }
    return old >= 0 ? HK_OK : add_item(ctx, extended->file, item, archive, directory);
}

hk_status hk_zip_extend(hk_ctx *ctx, const hk_file_text *extended, const hk_zip_item *item,
                        char **ret_data, size_t *ret_size) {
    const unsigned char *bytes = (const unsigned char *)extended->data;
    const zip_source source = {.data = bytes, .fd = -1, .size = extended->size};
    zip_end end = {0};
    hk_zip *zip;
    HK_TRY(hk_zip_open_memory(ctx, extended->file, bytes, extended->size, &zip));
    const char *wrong = hk_zip_find_end(&source, &end);
    piece archive = {0}, directory = {0};
    size_t count = hk_zip_count(zip) + (hk_zip_find(zip, item->name) < 0);
    hk_status status = HK_OK;
    if (!wrong && count >= UINT16_MAX)
        wrong = "the archive has too many files";
    if (wrong)
        status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = extended->file}, NULL,
                          "cannot add '%s': %s", item->name, wrong);
    else
        status = put_all(ctx, zip, extended, item, &archive, &directory);
    hk_zip_close(zip);
    if (status == HK_OK) {
        put_end(&archive, &directory, count, bytes + end.comment, (size_t)end.comment_size);
        *ret_data = (char *)archive.data;
        *ret_size = archive.size;
    } else {
        hk_free(archive.data);
    }
    hk_free(directory.data);
    return status;
}
