/* SPDX-License-Identifier: MIT
 *
 * Read here and not by libzip, which is well kept but pulls in a library of cryptography: that
 * alone took a millisecond of every start of the program. The packed data is zlib's. */
#include "format/zip_file.h"

#include "base/utf8.h"
#include "format/crc32.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    RECORD_BYTES = HK_ZIP_RECORD_BYTES,
    LOCAL_BYTES = 30,
    COMMENT_MAX = 0xffff,
    EXTRA_64 = HK_ZIP_EXTRA_64,
    EXTRA_NAME = 0x7075, /* the name in UTF-8, of packers that write another one in front */
    BLOCK_BYTES = 1 << 16
};
#define END_MARK      0x06054b50u
#define END64_MARK    0x06064b50u
#define LOCATOR_MARK  0x07064b50u
#define RECORD_MARK   0x02014b50u
#define LOCAL_MARK    0x04034b50u
#define NONE_32       0xffffffffu
#define DIRECTORY_MAX (UINT64_C(256) << 20)
#define PACKED_MAX    (UINT64_C(1) << 62) /* offsets and sizes beyond are lies; sums stay small */

static const char damaged_directory[] = "the directory of the ZIP archive is damaged";
static const char split_archive[] = "the ZIP archive is split over several files";

static uint16_t get16(const unsigned char *p) {
    return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t get32(const unsigned char *p) {
    return get16(p) | (uint32_t)get16(p + 2) << 16;
}

static uint64_t get64(const unsigned char *p) {
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static bool read_at(const zip_source *s, uint64_t offset, void *buffer, size_t size) {
    if (offset > s->size || size > s->size - offset)
        return false;
    if (s->data) {
        memcpy(buffer, s->data + offset, size);
        return true;
    }
    for (char *to = buffer; size;) {
        ssize_t got = pread(s->fd, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false; /* it has become shorter, or cannot be read */
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

/* ---- the end ---- */

/* Numbers that do not fit into the end itself are in another one before it. */
static const char *find_end64(const zip_source *s, uint64_t at, zip_end *end) {
    unsigned char locator[LOCATOR_BYTES], e[END64_BYTES];
    if (at < LOCATOR_BYTES || !read_at(s, at - LOCATOR_BYTES, locator, sizeof locator) ||
        get32(locator) != LOCATOR_MARK)
        return NULL; /* there is none: the numbers are as they stand */
    uint64_t where = get64(locator + 8);
    if (get32(locator + 4) != 0 || get32(locator + 16) > 1)
        return split_archive;
    if (where > at - LOCATOR_BYTES || !read_at(s, where, e, sizeof e) || get32(e) != END64_MARK)
        return damaged_directory;
    if (get32(e + 16) != 0 || get32(e + 20) != 0 || get64(e + 24) != get64(e + 32))
        return split_archive;
    *end = (zip_end){.count = get64(e + 32), .size = get64(e + 40), .offset = get64(e + 48)};
    return NULL;
}

static const char *read_end(const zip_source *s, const unsigned char *e, uint64_t at,
                            zip_end *ret_end) {
    zip_end end = {.count = get16(e + 10), .size = get32(e + 12), .offset = get32(e + 16)};
    if (get16(e + 4) != 0 || get16(e + 6) != 0 || get16(e + 8) != get16(e + 10))
        return split_archive;
    const char *wrong = NULL;
    if (end.count == 0xffff || end.size == NONE_32 || end.offset == NONE_32)
        wrong = find_end64(s, at, &end);
    if (!wrong && (end.offset > at || end.size > at - end.offset))
        wrong = damaged_directory;
    if (!wrong)
        *ret_end = end;
    return wrong;
}

const char *hk_zip_find_end(const zip_source *source, zip_end *ret_end) {
    if (source->size < END_BYTES)
        return "the file is not a ZIP archive: it is too short";
    uint64_t most = END_BYTES + COMMENT_MAX;
    size_t size = (size_t)(source->size < most ? source->size : most);
    unsigned char *tail = hk_realloc(NULL, size), start[4] = {0};
    const char *wrong = "cannot read it";
    if (read_at(source, source->size - size, tail, size) && read_at(source, 0, start, 4)) {
        wrong = get32(start) == LOCAL_MARK
                    ? "the end of the ZIP archive is missing: the file was cut off"
                    : "the file is not a ZIP archive";
        for (size_t i = size - END_BYTES + 1; i-- > 0;) {
            if (get32(tail + i) != END_MARK || get16(tail + i + 20) > size - i - END_BYTES)
                continue;
            wrong = read_end(source, tail + i, source->size - size + i, ret_end);
            ret_end->comment = source->size - size + i + END_BYTES;
            ret_end->comment_size = get16(tail + i + 20);
            break;
        }
    }
    hk_free(tail);
    return wrong;
}

/* ---- the directory ---- */

/* Names are UTF-8, whatever the packer says of them; what is not is of the code page 437. */
static const uint16_t upper_437[128] = {
    0x00c7, 0x00fc, 0x00e9, 0x00e2, 0x00e4, 0x00e0, 0x00e5, 0x00e7, 0x00ea, 0x00eb, 0x00e8, 0x00ef,
    0x00ee, 0x00ec, 0x00c4, 0x00c5, 0x00c9, 0x00e6, 0x00c6, 0x00f4, 0x00f6, 0x00f2, 0x00fb, 0x00f9,
    0x00ff, 0x00d6, 0x00dc, 0x00a2, 0x00a3, 0x00a5, 0x20a7, 0x0192, 0x00e1, 0x00ed, 0x00f3, 0x00fa,
    0x00f1, 0x00d1, 0x00aa, 0x00ba, 0x00bf, 0x2310, 0x00ac, 0x00bd, 0x00bc, 0x00a1, 0x00ab, 0x00bb,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255d, 0x255c, 0x255b, 0x2510, 0x2514, 0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f,
    0x255a, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256b, 0x256a, 0x2518, 0x250c, 0x2588, 0x2584, 0x258c, 0x2590, 0x2580,
    0x03b1, 0x00df, 0x0393, 0x03c0, 0x03a3, 0x03c3, 0x00b5, 0x03c4, 0x03a6, 0x0398, 0x03a9, 0x03b4,
    0x221e, 0x03c6, 0x03b5, 0x2229, 0x2261, 0x00b1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00f7, 0x2248,
    0x00b0, 0x2219, 0x00b7, 0x221a, 0x207f, 0x00b2, 0x25a0, 0x00a0};

static const char *from_437(hk_arena *arena, const unsigned char *name, size_t length) {
    char *text = hk_arena_alloc(arena, 3 * length + 1), *to = text;
    for (size_t i = 0; i < length; i++) {
        unsigned c = name[i] < 0x80 ? name[i] : upper_437[name[i] - 0x80];
        if (c < 0x80) {
            *to++ = (char)c;
        } else if (c < 0x800) {
            *to++ = (char)(0xc0 | c >> 6);
            *to++ = (char)(0x80 | (c & 0x3f));
        } else {
            *to++ = (char)(0xe0 | c >> 12);
            *to++ = (char)(0x80 | (c >> 6 & 0x3f));
            *to++ = (char)(0x80 | (c & 0x3f));
        }
    }
    return text;
}

static bool is_utf8(const unsigned char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        size_t one = hk_utf8_length(text + i, length - i);
        if (!one)
            return false;
        i += one;
    }
    return true;
}

/* The data of the extra field with this number; NULL: there is none. */
static const unsigned char *find_extra(const unsigned char *extra, size_t length, unsigned id,
                                       size_t *ret_size) {
    while (length >= 4) {
        size_t size = get16(extra + 2);
        if (size > length - 4)
            return NULL;
        if (get16(extra) == id) {
            *ret_size = size;
            return extra + 4;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
    return NULL;
}

/* Sizes and offset that do not fit into 32 bits, in the order in which they are missing. */
static bool read_extra64(const unsigned char *extra, size_t length, zip_record *r) {
    uint64_t *const fields[] = {&r->size, &r->packed, &r->offset};
    size_t left = 0;
    const unsigned char *at = find_extra(extra, length, EXTRA_64, &left);
    for (int i = 0; i < 3; i++) {
        if (*fields[i] != NONE_32 || !at)
            continue;
        if (left < 8)
            return false;
        *fields[i] = get64(at);
        at += 8;
        left -= 8;
    }
    return r->size <= PACKED_MAX && r->packed <= PACKED_MAX && r->offset <= PACKED_MAX;
}

static const char *read_name(hk_arena *arena, const unsigned char *name, size_t length,
                             const unsigned char *extra, size_t extra_length) {
    size_t size = 0;
    const unsigned char *other = find_extra(extra, extra_length, EXTRA_NAME, &size);
    /* A version, and the checksum of the name that it stands for. */
    if (other && size >= 5 && other[0] == 1 && get32(other + 1) == hk_crc32(name, length) &&
        is_utf8(other + 5, size - 5))
        return hk_arena_strndup(arena, (const char *)other + 5, size - 5);
    return is_utf8(name, length) ? hk_arena_strndup(arena, (const char *)name, length)
                                 : from_437(arena, name, length);
}

/* Returns the bytes that the record at P takes; 0: it is none. */
static size_t read_record(const unsigned char *p, size_t left, hk_arena *arena, zip_record *ret) {
    if (left < RECORD_BYTES || get32(p) != RECORD_MARK)
        return 0;
    size_t name = get16(p + 28), extra = get16(p + 30), comment = get16(p + 32);
    size_t whole = RECORD_BYTES + name + extra + comment;
    if (whole > left || (get16(p + 34) != 0 && get16(p + 34) != 0xffff))
        return 0;
    zip_record r = {.system = p[5],
                    .flags = get16(p + 8),
                    .method = get16(p + 10),
                    .crc = get32(p + 16),
                    .packed = get32(p + 20),
                    .size = get32(p + 24),
                    .attributes = get32(p + 38),
                    .offset = get32(p + 42)};
    const unsigned char *at = p + RECORD_BYTES;
    r.name = read_name(arena, at, name, at + name, extra);
    r.zero_in_name = memchr(at, 0, name) != NULL;
    if (!read_extra64(at + name, extra, &r))
        return 0;
    *ret = r;
    return whole;
}

const char *hk_zip_read_directory(const zip_source *source, const zip_end *end, hk_arena *arena,
                                  zip_record *ret_records) {
    if (end->size > DIRECTORY_MAX || end->count > end->size / RECORD_BYTES)
        return damaged_directory;
    size_t left = (size_t)end->size;
    unsigned char *directory = hk_realloc(NULL, left + 1);
    const unsigned char *p = directory;
    bool good = read_at(source, end->offset, directory, left);
    for (uint64_t i = 0; i < end->count && good; i++) {
        size_t used = read_record(p, left, arena, &ret_records[i]);
        good = used > 0;
        if (good)
            ret_records[i].place = end->offset + (uint64_t)(p - directory);
        p += used;
        left -= used;
    }
    hk_free(directory);
    return good && left == 0 ? NULL : damaged_directory;
}

/* ---- entries ---- */

const char *hk_zip_locate(const zip_source *source, const zip_record *record,
                          zip_local *ret_local) {
    unsigned char local[LOCAL_BYTES];
    if (!read_at(source, record->offset, local, sizeof local) || get32(local) != LOCAL_MARK)
        return "the ZIP archive is damaged: the entry is not where the directory says";
    zip_local l = {.extra = record->offset + LOCAL_BYTES + get16(local + 26),
                   .extra_size = get16(local + 28)};
    l.data = l.extra + l.extra_size;
    if (l.data > source->size || record->packed > source->size - l.data)
        return "the ZIP archive is damaged: the entry goes beyond its end";
    *ret_local = l;
    return NULL;
}

const char *hk_zip_stream_open(zip_stream *s, const zip_source *source, const zip_record *record) {
    zip_local local;
    *s = (zip_stream){.source = source, .record = record, .left = record->packed};
    const char *wrong = hk_zip_locate(source, record, &local);
    if (wrong)
        return wrong;
    s->at = local.data;
    if (!source->data)
        s->block = hk_realloc(NULL, BLOCK_BYTES);
    s->crc = hk_crc32("", 0);
    s->deflated = record->method == HK_ZIP_DEFLATED;
    if (s->deflated && inflateInit2(&s->z, -MAX_WBITS) != Z_OK) {
        s->deflated = false;
        return "there is not enough memory to unpack it";
    }
    return NULL;
}

void hk_zip_stream_close(zip_stream *s) {
    if (s->deflated)
        inflateEnd(&s->z);
    hk_free(s->block);
}

/* The next packed bytes, which lie in memory until those after them are asked for. */
static bool next_packed(zip_stream *s, size_t room, const unsigned char **ret_bytes,
                        size_t *ret_size) {
    size_t size = s->left < room ? (size_t)s->left : room;
    if (s->source->data)
        *ret_bytes = s->source->data + s->at;
    else if (read_at(s->source, s->at, s->block, size))
        *ret_bytes = s->block;
    else
        return false;
    s->at += size;
    s->left -= size;
    *ret_size = size;
    return true;
}

static const char *inflate_some(zip_stream *s, void *buffer, size_t room, size_t *ret_got) {
    s->z.next_out = buffer;
    s->z.avail_out = (uInt)room;
    while (s->z.avail_out && !s->ended) {
        if (!s->z.avail_in && s->left) {
            const unsigned char *bytes;
            size_t size;
            if (!next_packed(s, BLOCK_BYTES, &bytes, &size))
                return "cannot read it";
            s->z.next_in = (Bytef *)(uintptr_t)bytes; /* zlib does not write there */
            s->z.avail_in = (uInt)size;
        }
        int code = inflate(&s->z, Z_NO_FLUSH);
        s->ended = code == Z_STREAM_END;
        if (code == Z_MEM_ERROR)
            return "there is not enough memory to unpack it";
        if (code != Z_OK && code != Z_STREAM_END)
            return "the packed data is damaged";
    }
    *ret_got = room - s->z.avail_out;
    return s->ended && (s->left || s->z.avail_in) ? "the packed data is damaged" : NULL;
}

static const char *stored_some(zip_stream *s, void *buffer, size_t room, size_t *ret_got) {
    const unsigned char *bytes;
    if (!next_packed(s, room < BLOCK_BYTES ? room : BLOCK_BYTES, &bytes, ret_got))
        return "cannot read it";
    if (*ret_got)
        memcpy(buffer, bytes, *ret_got);
    return NULL;
}

const char *hk_zip_stream_read(zip_stream *s, void *buffer, size_t room, size_t *ret_got) {
    *ret_got = 0;
    const char *wrong = s->deflated ? inflate_some(s, buffer, room, ret_got)
                                    : stored_some(s, buffer, room, ret_got);
    if (wrong || s->unchecked)
        return wrong;
    s->crc = (uint32_t)crc32(s->crc, buffer, (uInt)*ret_got);
    return *ret_got || s->crc == s->record->crc ? NULL : "the checksum is wrong";
}
