/* SPDX-License-Identifier: MIT
 *
 * The bytes of a ZIP archive (APPNOTE 6.3, with the 64-bit fields): its directory, and entries that
 * are stored or deflated. Nothing is trusted, nothing is judged beyond what reading needs: that is
 * zip.c. Functions return what is wrong, or NULL. */
#ifndef HK_FORMAT_ZIP_FILE_H
#define HK_FORMAT_ZIP_FILE_H

#include "base/memory.h"

#include <zlib.h>

enum { HK_ZIP_STORED = 0, HK_ZIP_DEFLATED = 8, HK_ZIP_ENCRYPTED = 1, HK_ZIP_UNIX = 3 };
enum { HK_ZIP_RECORD_BYTES = 46, HK_ZIP_EXTRA_64 = 0x0001 };

/* Where the bytes are: in memory, or in a file. */
typedef struct zip_source {
    const unsigned char *data; /* NULL: in the file */
    int fd;
    uint64_t size;
} zip_source;

/* Where the directory lies, as the end of the archive says. */
typedef struct zip_end {
    uint64_t offset, size, count;
    uint64_t comment, comment_size; /* the text behind the end */
} zip_end;

typedef struct zip_record {
    const char *name; /* UTF-8, as text; a name that holds a zero byte ends there */
    bool zero_in_name;
    uint64_t size, packed, offset;
    uint64_t place; /* of the record itself */
    uint32_t crc, attributes;
    uint16_t flags, method; /* flags: HK_ZIP_ENCRYPTED is one */
    uint8_t system;         /* of the packer: HK_ZIP_UNIX */
} zip_record;

const char *hk_zip_find_end(const zip_source *source, zip_end *ret_end);
/* The record of an entry of an archive that zip.c has judged. */
struct hk_zip;
const zip_record *hk_zip_record(const struct hk_zip *zip, size_t index);
/* All COUNT records; the names are in the arena. */
const char *hk_zip_read_directory(const zip_source *source, const zip_end *end, hk_arena *arena,
                                  zip_record *ret_records);

/* What is before the packed bytes of an entry, which are at DATA. */
typedef struct zip_local {
    uint64_t extra, extra_size, data;
} zip_local;
/* Finds the entry; all of it is within the archive. */
const char *hk_zip_locate(const zip_source *source, const zip_record *record, zip_local *ret_local);

/* One entry, as it is unpacked. */
typedef struct zip_stream {
    const zip_source *source;
    const zip_record *record;
    z_stream z;
    bool deflated, ended;
    bool unchecked;    /* set it to read without the checksum */
    uint64_t at, left; /* packed bytes: where the next ones are, how many there are */
    uint32_t crc;
    unsigned char *block; /* for packed bytes of a file */
} zip_stream;
const char *hk_zip_stream_open(zip_stream *s, const zip_source *source, const zip_record *record);
/* Up to ROOM bytes; none: this was all, and its checksum is right. */
const char *hk_zip_stream_read(zip_stream *s, void *buffer, size_t room, size_t *ret_got);
void hk_zip_stream_close(zip_stream *s);

#endif
