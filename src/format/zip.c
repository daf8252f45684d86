/* SPDX-License-Identifier: MIT */
#include "format/zip.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* Deflate yields 1032 bytes from one at best; models stay far below that. Small archives may be
 * as empty inside as they like. */
enum { RATIO_MAX = 1000, NAME_MAX_BYTES = 1024, FOLDERS_DEEP_MAX = 64, BLOCK_BYTES = 1 << 16 };
#define RATIO_FROM_BYTES (UINT64_C(64) << 20)

typedef struct entry {
    const char *name, *raw; /* as hocket uses it, as it is written */
    uint64_t size, packed;
    uint32_t crc;
    zip_uint64_t index; /* in libzip's order */
    bool executable;
} entry;

struct hk_zip {
    hk_arena *arena;
    const char *path;
    zip_t *archive;
    uint64_t bytes; /* of the archive itself */
    entry *entries;
    size_t count;
    hk_map names;
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
static const char *judge_kind(hk_zip *zip, entry *e) {
    zip_uint8_t system;
    zip_uint32_t attributes;
    if (zip_file_get_external_attributes(zip->archive, e->index, 0, &system, &attributes) != 0)
        return "the attributes cannot be read";
    uint32_t mode = attributes >> 16;
    uint32_t kind = mode & S_IFMT;
    e->executable = mode & S_IXUSR;
    /* Some packers write a Unix mode but call their system something else: look at it always. */
    if (kind == S_IFLNK)
        return "it is a link";
    if (system == ZIP_OPSYS_UNIX && kind && kind != S_IFREG && kind != S_IFDIR)
        return "it is neither a file nor a folder";
    return NULL;
}

static bool is_bomb(uint64_t size, uint64_t packed) {
    return size > RATIO_FROM_BYTES && size / RATIO_MAX > packed;
}

static const char *judge_contents(const zip_stat_t *info) {
    const zip_uint64_t needed =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    if ((info->valid & needed) != needed)
        return "its size or kind is not known";
    if (info->valid & ZIP_STAT_ENCRYPTION_METHOD && info->encryption_method != ZIP_EM_NONE)
        return "it is encrypted";
    if (info->comp_method != ZIP_CM_STORE && info->comp_method != ZIP_CM_DEFLATE)
        return "it is compressed by another method than 'stored' or 'deflated'";
    if (info->size > HK_ZIP_BYTES_MAX)
        return "it would unpack to more than 8 GiB";
    if (info->comp_method == ZIP_CM_STORE && info->size != info->comp_size)
        return "it is stored but has two sizes";
    if (is_bomb(info->size, info->comp_size))
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

static hk_status judge_entry(hk_ctx *ctx, hk_zip *zip, zip_uint64_t index) {
    zip_stat_t info;
    char name[NAME_MAX_BYTES + 2];
    const char *raw = zip_get_name(zip->archive, index, ZIP_FL_ENC_GUESS);
    if (!raw || zip_stat_index(zip->archive, index, 0, &info) != 0)
        return damaged(ctx, at(zip, NULL), zip_strerror(zip->archive));
    const char *wrong = normalise(raw, name);
    if (wrong)
        return unsafe(ctx, zip, raw, wrong);
    entry e = {.index = index};
    wrong = judge_kind(zip, &e);
    if (!wrong)
        wrong = judge_contents(&info);
    if (wrong)
        return unsafe(ctx, zip, raw, wrong);
    if (!name[0])
        return HK_OK;
    e.name = hk_arena_strdup(zip->arena, name);
    e.raw = strcmp(raw, name) == 0 ? e.name : hk_arena_strdup(zip->arena, raw);
    e.size = info.size;
    e.packed = info.comp_size;
    e.crc = info.crc;
    if (hk_map_put(&zip->names, e.name, (uint32_t)zip->count) != zip->count)
        return unsafe(ctx, zip, raw, "another entry has the same name");
    zip->entries[zip->count++] = e;
    return HK_OK;
}

static hk_status judge(hk_ctx *ctx, hk_zip *zip) {
    zip_int64_t count = zip_get_num_entries(zip->archive, 0);
    if (count > HK_ZIP_ENTRIES_MAX)
        return unsafe(ctx, zip, NULL, "it has more than 100000 entries");
    zip->entries = HK_NEW_ARRAY(zip->arena, entry, count);
    for (zip_int64_t i = 0; i < count; i++)
        HK_TRY(judge_entry(ctx, zip, (zip_uint64_t)i));
    uint64_t size = 0, packed = 0;
    for (size_t i = 0; i < zip->count; i++) {
        const entry *e = &zip->entries[i];
        const char *wrong = judge_parents(zip, e->name);
        if (wrong)
            return unsafe(ctx, zip, e->name, wrong);
        size += e->size; /* each is below 2^33 and there are few: no overflow */
        if (e->packed > zip->bytes - packed)
            return unsafe(ctx, zip, e->name, "entries overlap: they claim more than the file has");
        packed += e->packed;
    }
    if (size > HK_ZIP_BYTES_MAX)
        return unsafe(ctx, zip, NULL, "it would unpack to more than 8 GiB");
    if (is_bomb(size, packed))
        return unsafe(ctx, zip, NULL, "it would unpack to more than 1000 times its size");
    return HK_OK;
}

/* Why an archive could not be opened; SOURCE may be NULL. */
static const char *why_not(zip_source_t *source, zip_error_t *error) {
    char start[4] = "";
    if (!source || zip_error_code_zip(error) != ZIP_ER_NOZIP)
        return zip_error_strerror(error);
    if (zip_source_open(source) == 0) {
        (void)zip_source_read(source, start, sizeof start);
        zip_source_close(source);
    }
    return memcmp(start, "PK\3\4", sizeof start) == 0
               ? "the end of the ZIP archive is missing: the file was cut off"
               : "the file is no ZIP archive";
}

/* Takes SOURCE over, judges the archive, and hands it out only if it is fine. */
static hk_status open_source(hk_ctx *ctx, const char *path, zip_source_t *source, uint64_t bytes,
                             zip_error_t *error, hk_zip **ret_zip) {
    hk_where where = {.file = path};
    /* libzip takes an empty file for an empty archive; the smallest real one has 22 bytes. */
    if (source && bytes < 22) {
        zip_source_free(source);
        return damaged(ctx, where, "the file is no ZIP archive: it is too short");
    }
    zip_t *archive = source ? zip_open_from_source(source, ZIP_RDONLY, error) : NULL;
    if (!archive) {
        const char *reason = why_not(source, error);
        zip_source_free(source);
        return damaged(ctx, where, reason);
    }
    hk_zip *zip = hk_alloc(sizeof *zip);
    zip->arena = hk_arena_create();
    zip->path = hk_arena_strdup(zip->arena, path);
    zip->archive = archive;
    zip->bytes = bytes;
    hk_status status = judge(ctx, zip);
    if (status == HK_OK)
        *ret_zip = zip;
    else
        hk_zip_close(zip);
    return status;
}

hk_status hk_zip_open(hk_ctx *ctx, const char *path, hk_zip **ret_zip) {
    hk_where where = {.file = path};
    struct stat info;
    if (stat(path, &info) != 0)
        return hk_error(ctx, HK_E_FILE_READ, where, "check the spelling of the path",
                        "cannot open it: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return hk_error(ctx, HK_E_FILE_READ, where, NULL, "is not a file");
    if (access(path, R_OK) != 0)
        return hk_error(ctx, HK_E_FILE_READ, where, "check the permissions", "cannot open it: %s",
                        strerror(errno));
    HK_TRY(hk_claim_read(ctx, path));
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_file_create(path, 0, -1, &error);
    hk_status status = open_source(ctx, path, source, (uint64_t)info.st_size, &error, ret_zip);
    zip_error_fini(&error);
    return status;
}

hk_status hk_zip_open_memory(hk_ctx *ctx, const char *path, const void *data, size_t size,
                             hk_zip **ret_zip) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(data, size, 0, &error);
    hk_status status = open_source(ctx, path, source, size, &error, ret_zip);
    zip_error_fini(&error);
    return status;
}

void hk_zip_close(hk_zip *zip) {
    if (!zip)
        return;
    zip_discard(zip->archive);
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
    return zip->entries[index].raw;
}

uint64_t hk_zip_size(const hk_zip *zip, size_t index) {
    return zip->entries[index].size;
}

uint32_t hk_zip_crc(const hk_zip *zip, size_t index) {
    return zip->entries[index].crc;
}

int64_t hk_zip_find(const hk_zip *zip, const char *name) {
    uint32_t index = hk_map_get(&zip->names, name);
    return index == HK_MAP_NONE ? -1 : (int64_t)index;
}

/* Where the bytes of an entry go, block by block; false ends the reading. */
typedef bool block_fn(void *user, const char *block, size_t size);

/* Unpacks one entry and never hands out more than its declared size. */
static hk_status unpack(hk_ctx *ctx, hk_zip *zip, const entry *e, block_fn *put, void *user) {
    hk_where where = at(zip, e->name);
    zip_file_t *file = zip_fopen_index(zip->archive, e->index, 0);
    if (!file)
        return damaged(ctx, where, zip_strerror(zip->archive));
    char *block = hk_alloc(BLOCK_BYTES);
    uint64_t done = 0;
    hk_status status = HK_OK;
    for (;;) {
        /* Once everything is there one more read must find the end; it also checks the CRC. */
        zip_int64_t got = zip_fread(file, block, BLOCK_BYTES);
        if (got < 0) {
            status = damaged(ctx, where, zip_file_strerror(file));
            break;
        }
        if (got == 0)
            break;
        if ((uint64_t)got > e->size - done) {
            status = unsafe(ctx, zip, e->name, "it unpacks to more than its declared size");
            break;
        }
        done += (uint64_t)got;
        if (!put(user, block, (size_t)got)) {
            status = hk_error(ctx, HK_E_FILE_WRITE, where, "check the space on the disk",
                              "cannot be unpacked: %s", strerror(errno));
            break;
        }
    }
    if (status == HK_OK && done < e->size)
        status = damaged(ctx, where, "it ends before its declared size");
    hk_free(block);
    zip_fclose(file);
    return status;
}

/* Grows with what really comes out: the declared size alone never obtains memory. */
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
    buffer b = {.data = hk_realloc(NULL, 1), .cap = 1};
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
        return hk_error(ctx, HK_E_FILE_WRITE, at(zip, e->name), NULL, "cannot be unpacked: %s",
                        strerror(errno));
    hk_status status = unpack(ctx, zip, e, put_file, &fd);
    if (close(fd) != 0 && status == HK_OK)
        status = hk_error(ctx, HK_E_FILE_WRITE, at(zip, e->name), "check the space on the disk",
                          "cannot be unpacked: %s", strerror(errno));
    return status;
}

hk_status hk_zip_extract(hk_ctx *ctx, hk_zip *zip, hk_zip_wanted_fn *wanted, const char *folder) {
    hk_arena *arena = hk_arena_create();
    const char *made = "";
    hk_status status = HK_OK;
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

static hk_status add_item(hk_ctx *ctx, zip_t *archive, const char *path, const hk_zip_item *item) {
    enum { MIDNIGHT = 0, FIRST_OF_1980 = 1 << 5 | 1 };
    if (!item->data && item->path && !hk_file_exists(item->path))
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = item->path}, NULL,
                        "cannot be packed: it does not exist");
    zip_source_t *source = item->data || !item->path
                               ? zip_source_buffer(archive, item->data, item->size, 0)
                               : zip_source_file(archive, item->path, 0, -1);
    zip_int64_t index = source ? zip_file_add(archive, item->name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
        zip_source_free(source);
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                        "cannot pack '%s': %s", item->name, zip_strerror(archive));
    }
    zip_uint64_t i = (zip_uint64_t)index;
    const zip_uint32_t attributes = (zip_uint32_t)(S_IFREG | 0644) << 16;
    if (zip_set_file_compression(archive, i, ZIP_CM_DEFLATE, 6) != 0 ||
        zip_file_set_dostime(archive, i, MIDNIGHT, FIRST_OF_1980, 0) != 0 ||
        zip_file_set_external_attributes(archive, i, 0, ZIP_OPSYS_UNIX, attributes) != 0)
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                        "cannot pack '%s': %s", item->name, zip_strerror(archive));
    return HK_OK;
}

hk_status hk_zip_write(hk_ctx *ctx, const char *path, const hk_zip_item *items, size_t count) {
    int problem = 0;
    HK_TRY(hk_claim_check(ctx, path, false));
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &problem);
    if (!archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, problem);
        hk_status status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                                    "cannot create it: %s", zip_error_strerror(&error));
        zip_error_fini(&error);
        return status;
    }
    hk_status status = HK_OK;
    for (size_t i = 0; i < count && status == HK_OK; i++)
        status = add_item(ctx, archive, path, &items[i]);
    /* libzip writes a temporary file beside it and renames it at the end. */
    if (status == HK_OK && zip_close(archive) == 0)
        return HK_OK;
    if (status == HK_OK)
        status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                          "cannot write it: %s", zip_strerror(archive));
    zip_discard(archive);
    return status;
}
