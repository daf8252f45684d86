/* SPDX-License-Identifier: MIT
 *
 * ZIP archives that come from strangers. An archive is judged as a whole before a byte of it is
 * unpacked: absolute paths, drive letters, '..', links, encryption, unknown compression, more than
 * HK_ZIP_ENTRIES_MAX entries, more than HK_ZIP_BYTES_MAX bytes, or a ratio beyond any model's are
 * refused with HK_E_ZIP_UNSAFE. A leading "./" and '\' separators are tolerated and normalised. */
#ifndef HK_FORMAT_ZIP_H
#define HK_FORMAT_ZIP_H

#include "base/diag.h"
#include "base/file.h"

#define HK_ZIP_ENTRIES_MAX 100000
#define HK_ZIP_BYTES_MAX   (UINT64_C(8) << 30)

typedef struct hk_zip hk_zip;

HK_NODISCARD hk_status hk_zip_open(hk_ctx *ctx, const char *path, hk_zip **ret_zip);
/* An archive in memory; PATH is used in messages, DATA must outlive the archive. */
HK_NODISCARD hk_status hk_zip_open_memory(hk_ctx *ctx, const char *path, const void *data,
                                          size_t size, hk_zip **ret_zip);
void hk_zip_close(hk_zip *zip); /* NULL is fine */
size_t hk_zip_count(const hk_zip *zip);
const char *hk_zip_name(const hk_zip *zip, size_t index);     /* normalised; folders end with '/' */
const char *hk_zip_raw_name(const hk_zip *zip, size_t index); /* as it is written in the file */
uint64_t hk_zip_size(const hk_zip *zip, size_t index);        /* unpacked bytes */
int64_t hk_zip_find(const hk_zip *zip, const char *name);     /* -1: not there */
/* Whether the directory lists the entry more than once, with the same contents or with others. */
typedef enum hk_zip_repeat { HK_ZIP_ONCE, HK_ZIP_SAME, HK_ZIP_DIFFERENT } hk_zip_repeat;
hk_zip_repeat hk_zip_repeats(const hk_zip *zip, size_t index);
/* Warns of entries that the directory lists more than once with the same contents, which are read
 * as one. Those with different contents cannot be read or unpacked, for nobody knows which is
 * meant. */
void hk_zip_tell_repeats(hk_ctx *ctx, const hk_zip *zip);
/* One entry, with a NUL after its last byte; free with hk_free. */
HK_NODISCARD hk_status hk_zip_read(hk_ctx *ctx, hk_zip *zip, size_t index, char **ret_data,
                                   size_t *ret_size);
/* True if the SIZE bytes at DATA are what the entry unpacks to, each of them. */
bool hk_zip_equals(const hk_zip *zip, size_t index, const void *data, size_t size);
/* SHA-256 of the directory, as text: of the names of the entries, their sizes and checksums. */
void hk_zip_fingerprint(const hk_zip *zip, char ret_hex[65]);
/* Unpacks the entries that are WANTED (NULL: all) into FOLDER, which exists and is empty. After a
 * failure the caller removes it. */
typedef bool hk_zip_wanted_fn(const char *name);
HK_NODISCARD hk_status hk_zip_extract(hk_ctx *ctx, hk_zip *zip, hk_zip_wanted_fn *wanted,
                                      const char *folder);

/* One file to be packed: NAME inside the archive, and either DATA or the file at PATH. */
typedef struct hk_zip_item {
    const char *name, *path;
    const void *data;
    size_t size;
} hk_zip_item;
/* Writes an archive; the same items give the same bytes (fixed times, fixed order). */
HK_NODISCARD hk_status hk_zip_write(hk_ctx *ctx, const char *path, const hk_zip_item *items,
                                    size_t count);

/* The same in memory; PATH is for messages, free the result with hk_free. */
HK_NODISCARD hk_status hk_zip_make(hk_ctx *ctx, const char *path, const hk_zip_item *items,
                                   size_t count, char **ret_data, size_t *ret_size);

/* ARCHIVE with one item more, which takes the place of an entry of that name. The other entries
 * stay as they are packed, with their times, rights and comments; each is there once, and there is
 * nothing between them. Free the result with hk_free. */
HK_NODISCARD hk_status hk_zip_extend(hk_ctx *ctx, const hk_file_text *archive,
                                     const hk_zip_item *item, char **ret_data, size_t *ret_size);

#endif
