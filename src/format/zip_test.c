/* SPDX-License-Identifier: MIT
 *
 * Archives are built byte by byte here, because no packer writes the bad ones. */
#include "format/zip.h"

#include "base/file.h"
#include "format/crc32.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct part {
    const char *name, *data;
    uint32_t size;      /* of data in the archive */
    uint32_t real_size; /* what the directory declares */
    uint16_t method, flags;
    uint32_t mode; /* Unix, 0: none */
    uint32_t crc;  /* 0: computed from data */
    const char *extra;
    uint32_t extra_size;
    uint32_t name_size; /* 0: that of the text */
} part;

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

static bytes archive;

static void put(bytes *b, uint32_t value, int count) {
    for (int i = 0; i < count; i++, value >>= 8)
        b->data[b->size++] = (unsigned char)value;
}

static void put_text(bytes *b, const char *text, size_t length) {
    if (length)
        memcpy(b->data + b->size, text, length);
    b->size += length;
}

static uint32_t crc_of(const char *data, size_t size) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t name_size(const part *p) {
    return p->name_size ? p->name_size : (uint32_t)strlen(p->name);
}

/* The fields that local header and directory share. With an extra field the sizes are there. */
static void put_common(bytes *b, const part *p, uint32_t crc) {
    put(b, 20, 2);
    put(b, p->flags, 2);
    put(b, p->method, 2);
    put(b, 0, 2);
    put(b, 0x21, 2);
    put(b, crc, 4);
    put(b, p->extra ? 0xffffffff : p->size, 4);
    put(b, p->extra ? 0xffffffff : p->real_size, 4);
    put(b, name_size(p), 2);
    put(b, p->extra_size, 2);
}

static void build(const part *parts, size_t count) {
    uint32_t offsets[64];
    bytes *b = &archive;
    b->size = 0;
    for (size_t i = 0; i < count; i++) {
        const part *p = &parts[i];
        offsets[i] = (uint32_t)b->size;
        put(b, 0x04034b50, 4);
        put_common(b, p, p->crc ? p->crc : crc_of(p->data, p->size));
        put_text(b, p->name, name_size(p));
        put_text(b, p->extra, p->extra_size);
        put_text(b, p->data, p->size);
    }
    uint32_t start = (uint32_t)b->size;
    for (size_t i = 0; i < count; i++) {
        const part *p = &parts[i];
        put(b, 0x02014b50, 4);
        put(b, 3 << 8 | 20, 2); /* made by Unix */
        put_common(b, p, p->crc ? p->crc : crc_of(p->data, p->size));
        put(b, 0, 2);
        put(b, 0, 2);
        put(b, 0, 2);
        put(b, p->mode << 16, 4);
        put(b, offsets[i], 4);
        put_text(b, p->name, name_size(p));
        put_text(b, p->extra, p->extra_size);
    }
    uint32_t size = (uint32_t)b->size - start;
    put(b, 0x06054b50, 4);
    put(b, 0, 4);
    put(b, (uint32_t)count, 2);
    put(b, (uint32_t)count, 2);
    put(b, size, 4);
    put(b, start, 4);
    put(b, 0, 2);
}

#define FILE_PART(n, text)                                                                         \
    { .name = n, .data = text, .size = sizeof text - 1, .real_size = sizeof text - 1 }

static hk_zip *open_good(hk_ctx *ctx) {
    hk_zip *zip = NULL;
    hk_status status = hk_zip_open_memory(ctx, "good.fmu", archive.data, archive.size, &zip);
    if (status != HK_OK)
        fail_msg("refused: %s", hk_ctx_diag(ctx, 0)->text);
    return zip;
}

/* One located message, the right status, nothing handed out. */
static void expect_open_fails(hk_status wanted, const char *word) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = NULL;
    hk_status status = hk_zip_open_memory(ctx, "bad.fmu", archive.data, archive.size, &zip);
    if (status != wanted)
        fail_msg("status %d instead of %d (%s)", status, wanted, word);
    assert_null(zip);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
    assert_string_equal(hk_ctx_diag(ctx, 0)->where.file, "bad.fmu");
    assert_non_null(hk_ctx_diag(ctx, 0)->hint);
    if (!strstr(hk_ctx_diag(ctx, 0)->text, word))
        fail_msg("'%s' does not say '%s'", hk_ctx_diag(ctx, 0)->text, word);
    hk_ctx_destroy(ctx);
}

static void reads_entries(void **state) {
    (void)state;
    const part parts[] = {FILE_PART("modelDescription.xml", "<x/>"), FILE_PART("./", ""),
                          FILE_PART("./resources/", ""), FILE_PART("resources\\a.txt", "abc"),
                          FILE_PART("sources//./b.c", "")};
    build(parts, 5);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    assert_int_equal(hk_zip_count(zip), 4);
    assert_string_equal(hk_zip_name(zip, 1), "resources/");
    int64_t index = hk_zip_find(zip, "resources/a.txt");
    assert_int_equal(index, 2);
    assert_int_equal(hk_zip_find(zip, "sources/b.c"), 3);
    assert_int_equal(hk_zip_find(zip, "none"), -1);
    assert_int_equal(hk_zip_size(zip, 2), 3);
    char *data;
    size_t size;
    assert_int_equal(hk_zip_read(ctx, zip, (size_t)index, &data, &size), HK_OK);
    assert_int_equal(size, 3);
    assert_string_equal(data, "abc");
    hk_free(data);
    assert_true(hk_zip_equals(zip, 2, "abc", 3));
    assert_false(hk_zip_equals(zip, 2, "abd", 3));
    assert_false(hk_zip_equals(zip, 2, "abcd", 4));
    assert_false(hk_zip_equals(zip, 2, "ab", 2));
    assert_true(hk_zip_equals(zip, 3, "", 0));
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

static void refuses_bad_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *word;
    } cases[] = {{"../evil", "'..'"}, {"a/../../evil", "'..'"},    {"a\\..\\evil", "'..'"},
                 {"a/..", "'..'"},    {"/etc/passwd", "absolute"}, {"\\evil", "absolute"},
                 {"C:evil", "drive"}, {"c:\\evil", "drive"},       {"a\nb", "control"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const part parts[] = {FILE_PART("fine", "x"), FILE_PART(cases[i].name, "x")};
        build(parts, 2);
        expect_open_fails(HK_E_ZIP_UNSAFE, cases[i].word);
    }
    char deep[400];
    for (size_t i = 0; i < 199; i++)
        memcpy(deep + 2 * i, "a/", 2);
    strcpy(deep + 398, "f");
    const part parts[] = {FILE_PART(deep, "x")};
    build(parts, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "deep");
}

/* An entry that occurs twice with different contents can be listed and nothing else. */
static void expect_ambiguous(const char *name) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    char *data = NULL;
    size_t size;
    int64_t index = hk_zip_find(zip, name);
    assert_true(index >= 0);
    assert_int_equal(hk_zip_read(ctx, zip, (size_t)index, &data, &size), HK_E_ZIP_UNSAFE);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "same name and other contents"));
    assert_int_equal(hk_zip_extract(ctx, zip, NULL, "no-such-folder"), HK_E_ZIP_UNSAFE);
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

static void reads_repeats_once(void **state) {
    (void)state;
    const part parts[] = {FILE_PART("a", "1"), FILE_PART("b", "2"), FILE_PART("a", "1"),
                          FILE_PART("./b", "2")};
    build(parts, 4);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    assert_int_equal(hk_zip_count(zip), 2);
    hk_zip_tell_repeats(ctx, zip);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 1);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "'a' and 1 others are listed"));
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

static void refuses_clashes(void **state) {
    (void)state;
    const part twice[] = {FILE_PART("a/b", "1"), FILE_PART("./a\\b", "2")};
    build(twice, 2);
    expect_ambiguous("a/b");
    const part both[] = {FILE_PART("a/b", "1"), FILE_PART("a", "2")};
    build(both, 2);
    expect_open_fails(HK_E_ZIP_UNSAFE, "name of its folder");
}

static void refuses_bad_kinds(void **state) {
    (void)state;
    part p = FILE_PART("link", "/etc/passwd");
    p.mode = S_IFLNK | 0777;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "link");
    p.mode = S_IFIFO | 0666;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "neither");
    p = (part)FILE_PART("secret", "xxxxxxxxxxxxxxxxxxxx");
    p.flags = 1;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "encrypted");
    p.flags = 0;
    p.method = 12;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "another method");
}

static void refuses_bombs(void **state) {
    (void)state;
    part p = FILE_PART("bomb", "xxxxxxxx");
    p.method = 8;
    p.real_size = 2000000000;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "1000 times");
    p = (part)FILE_PART("stored", "xxxxxxxx");
    p.real_size = 100;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "two sizes");
    /* Many entries that share the same packed bytes. */
    p = (part)FILE_PART("overlap", "x");
    build(&p, 1);
    size_t directory = archive.size - 22 - 46 - strlen(p.name);
    archive.data[directory + 20] = archive.data[directory + 24] = 250;
    expect_open_fails(HK_E_ZIP_UNSAFE, "overlap");
}

/* Deflated "aaaa...", 300 times, as one block with fixed codes. */
static const char deflated[] = {0x4b, 0x4c, 0x1c, 0x05, (char)0xc4, 0x02, 0x00};

static void expect_read_fails(const part *p, hk_status wanted) {
    build(p, 1);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    char *data = NULL;
    size_t size;
    assert_int_equal(hk_zip_read(ctx, zip, 0, &data, &size), wanted);
    assert_null(data);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->where.element, p->name));
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

static void stops_lies_about_sizes(void **state) {
    (void)state;
    char plain[300];
    memset(plain, 'a', sizeof plain);
    part p = {.name = "f", .data = deflated, .size = sizeof deflated, .real_size = 300};
    p.method = 8;
    p.crc = crc_of(plain, 300);
    build(&p, 1);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    char *data;
    size_t size;
    assert_int_equal(hk_zip_read(ctx, zip, 0, &data, &size), HK_OK);
    assert_int_equal(size, 300);
    assert_memory_equal(data, plain, 300);
    hk_free(data);
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
    part lie = p;
    lie.real_size = 10;
    lie.crc = crc_of(plain, 10);
    expect_read_fails(&lie, HK_E_ZIP_UNSAFE);
    lie = p;
    lie.real_size = 1000;
    expect_read_fails(&lie, HK_E_ZIP);
    lie = p;
    lie.crc ^= 1;
    expect_read_fails(&lie, HK_E_ZIP);
}

static void refuses_damage(void **state) {
    (void)state;
    archive.size = 0;
    expect_open_fails(HK_E_ZIP, "too short");
    memset(archive.data, 'x', 1000);
    archive.size = 1000;
    expect_open_fails(HK_E_ZIP, "");
    const part parts[] = {FILE_PART("a", "one"), FILE_PART("b", "two")};
    build(parts, 2);
    size_t whole = archive.size;
    for (size_t size = whole - 1; size > 0; size--) {
        archive.size = size;
        expect_open_fails(HK_E_ZIP, "");
    }
    /* Flip every byte: whatever happens, nothing breaks. */
    for (size_t i = 0; i < whole; i++) {
        build(parts, 2);
        archive.data[i] ^= 0xff;
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_zip *zip = NULL;
        if (hk_zip_open_memory(ctx, "flipped", archive.data, archive.size, &zip) == HK_OK)
            for (size_t k = 0; k < hk_zip_count(zip); k++) {
                char *data;
                size_t size;
                if (hk_zip_read(ctx, zip, k, &data, &size) == HK_OK)
                    hk_free(data);
            }
        hk_zip_close(zip);
        hk_ctx_destroy(ctx);
    }
}

static void expect_one(const char *name, const char *text) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    char *data;
    size_t size;
    assert_int_equal(hk_zip_count(zip), 1);
    assert_string_equal(hk_zip_name(zip, 0), name);
    assert_int_equal(hk_zip_read(ctx, zip, 0, &data, &size), HK_OK);
    assert_string_equal(data, text);
    hk_free(data);
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

/* Names are UTF-8, or of the code page 437, or are in a field of their own. */
static void reads_names(void **state) {
    (void)state;
    part p = FILE_PART("m\xc3\xa4\xc3\x9f.txt", "x");
    build(&p, 1);
    expect_one("m\xc3\xa4\xc3\x9f.txt", "x");
    p.name = "m\x84\xe1\xf0.txt";
    build(&p, 1);
    expect_one("m\xc3\xa4\xc3\x9f\xe2\x89\xa1.txt", "x");
    p.name = "a\0b";
    p.name_size = 3;
    build(&p, 1);
    expect_open_fails(HK_E_ZIP_UNSAFE, "control");
}

static void put_name_field(bytes *b, const char *old, const char *name, uint32_t crc) {
    put(b, 0x0001, 2); /* sizes of one byte */
    put(b, 16, 2);
    put(b, 1, 4);
    put(b, 0, 4);
    put(b, 1, 4);
    put(b, 0, 4);
    put(b, 0x7075, 2);
    put(b, (uint32_t)strlen(name) + 5, 2);
    put(b, 1, 1);
    put(b, crc_of(old, strlen(old)) ^ crc, 4);
    put_text(b, name, strlen(name));
}

/* Sizes of 64 bits, and names that are beside the first one if they belong to it. */
static void reads_fields(void **state) {
    (void)state;
    for (uint32_t wrong = 0; wrong < 2; wrong++) {
        static bytes field;
        field.size = 0;
        put_name_field(&field, "old", "new", wrong);
        part p = FILE_PART("old", "x");
        p.extra = (const char *)field.data;
        p.extra_size = (uint32_t)field.size;
        build(&p, 1);
        expect_one(wrong ? "old" : "new", "x");
        field.data[2] = 8; /* too short for both sizes */
        build(&p, 1);
        expect_open_fails(HK_E_ZIP, "directory");
    }
}

/* The end with numbers of 64 bits, or with a comment; what is not one archive in one file. */
static void reads_ends(void **state) {
    (void)state;
    const part p = FILE_PART("a", "one");
    build(&p, 1);
    bytes *b = &archive;
    uint32_t end = (uint32_t)b->size - 22, size = 46 + 1, start = end - size;
    put_text(b, "no end: PK\5\6", 13); /* trailing bytes, as some tools leave them */
    expect_one("a", "one");
    b->size = end;
    put(b, 0x06064b50, 4);
    put(b, 44, 4);
    put(b, 0, 4);
    put(b, 45 << 16 | 45, 4);
    put(b, 0, 4);
    put(b, 0, 4);
    for (int i = 0; i < 2; i++) {
        put(b, 1, 4);
        put(b, 0, 4);
    }
    put(b, size, 4);
    put(b, 0, 4);
    put(b, start, 4);
    put(b, 0, 4);
    put(b, 0x07064b50, 4);
    put(b, 0, 4);
    put(b, end, 4);
    put(b, 0, 4);
    put(b, 1, 4);
    put(b, 0x06054b50, 4);
    put(b, 0, 4);
    put(b, 0xffffffff, 4);
    put(b, 0xffffffff, 4);
    put(b, 0xffffffff, 4);
    put(b, 0, 2);
    expect_one("a", "one");
    b->data[end + 48] ^= 0x40; /* the directory is elsewhere */
    expect_open_fails(HK_E_ZIP, "directory");
    build(&p, 1);
    b->data[end + 4] = 1;
    expect_open_fails(HK_E_ZIP, "several files");
    build(&p, 1);
    b->data[end + 8] = b->data[end + 10] = 2;
    expect_open_fails(HK_E_ZIP, "directory");
    build(&p, 1);
    b->data[0] ^= 1;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = open_good(ctx);
    char *data;
    assert_int_equal(hk_zip_read(ctx, zip, 0, &data, &(size_t){0}), HK_E_ZIP);
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
}

static void missing_files(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = NULL;
    assert_int_equal(hk_zip_open(ctx, "/nowhere/x.fmu", &zip), HK_E_FILE_READ);
    assert_int_equal(hk_zip_open(ctx, "/", &zip), HK_E_FILE_READ);
    assert_null(zip);
    hk_ctx_destroy(ctx);
}

static void writes_and_extracts(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const char *folder;
    assert_int_equal(hk_folder_temporary(ctx, arena, &folder), HK_OK);
    const char *one = hk_path_join(arena, folder, "one.fmu");
    const char *two = hk_path_join(arena, folder, "two.fmu");
    const char *source = hk_path_join(arena, folder, "source");
    char text[5000];
    memset(text, 'y', sizeof text);
    assert_int_equal(hk_file_write(ctx, source, text, sizeof text), HK_OK);
    unsigned char noise[3000]; /* nothing is gained by packing it */
    for (size_t i = 0, x = 1; i < sizeof noise; i++, x = x * 1103515245 + 12345)
        noise[i] = (unsigned char)(x >> 16);
    const hk_zip_item items[] = {{.name = "modelDescription.xml", .data = "<a/>", .size = 4},
                                 {.name = "noise", .data = noise, .size = sizeof noise},
                                 {.name = "x/y/z.txt", .path = source},
                                 {.name = "empty", .data = "", .size = 0}};
    assert_int_equal(hk_zip_write(ctx, one, items, 4), HK_OK);
    const struct timespec wait = {.tv_nsec = 1000000};
    nanosleep(&wait, NULL);
    assert_int_equal(hk_zip_write(ctx, two, items, 4), HK_OK);
    char *a, *b;
    size_t size_a, size_b;
    assert_int_equal(hk_file_read(ctx, one, 0, &a, &size_a), HK_OK);
    assert_int_equal(hk_file_read(ctx, two, 0, &b, &size_b), HK_OK);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(a, b, size_a);
    assert_in_range(size_a, sizeof noise, sizeof noise + 600);
    hk_free(a);
    hk_free(b);

    hk_zip *zip;
    assert_int_equal(hk_zip_open(ctx, one, &zip), HK_OK);
    const char *inside = hk_path_join(arena, folder, "inside");
    assert_int_equal(hk_folder_make(ctx, inside), HK_OK);
    assert_int_equal(hk_zip_extract(ctx, zip, NULL, inside), HK_OK);
    hk_zip_close(zip);
    const char *path = hk_path_join(arena, inside, "x/y/z.txt");
    assert_int_equal(hk_file_read(ctx, path, 0, &a, &size_a), HK_OK);
    assert_int_equal(size_a, sizeof text);
    assert_memory_equal(a, text, sizeof text);
    hk_free(a);
    assert_int_equal(hk_file_read(ctx, hk_path_join(arena, inside, "noise"), 0, &a, &size_a),
                     HK_OK);
    assert_int_equal(size_a, sizeof noise);
    assert_memory_equal(a, noise, sizeof noise);
    hk_free(a);
    assert_true(hk_file_exists(hk_path_join(arena, inside, "empty")));

    const hk_zip_item gone = {.name = "gone", .path = "/nowhere/file"};
    assert_int_equal(hk_zip_write(ctx, hk_path_join(arena, folder, "three"), &gone, 1),
                     HK_E_FILE_READ);
    assert_false(hk_file_exists(hk_path_join(arena, folder, "three")));
    assert_int_equal(hk_zip_write(ctx, "/nowhere/four.fmu", items, 1), HK_E_FILE_WRITE);
    hk_folder_remove(folder);
    assert_false(hk_folder_exists(folder));
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void expect_entry(hk_ctx *ctx, hk_zip *zip, size_t index, const char *name,
                         const char *text) {
    char *data;
    size_t size;
    assert_string_equal(hk_zip_name(zip, index), name);
    assert_int_equal(hk_zip_read(ctx, zip, index, &data, &size), HK_OK);
    assert_string_equal(data, text);
    hk_free(data);
}

static size_t times_in(const char *data, size_t size, const char *text) {
    size_t times = 0, length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        times += memcmp(data + i, text, length) == 0;
    return times;
}

/* The new item is where the old one was, of which nothing is left; what has its sizes behind its
 * data or in an extra field, and what is listed twice, is written plainly. */
static void replaces_one_entry(void **state) {
    (void)state;
    static const char sizes[] = "\x01\x00\x10\x00\x03\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"
                                "\xfe\xca\x02\x00ok";
    const part parts[] = {
        FILE_PART("first", "one"),
        FILE_PART("./old.ssd", "the old bytes"),
        {.name = "wide",
         .data = "two",
         .size = 3,
         .real_size = 3,
         .extra = sizes,
         .extra_size = 26},
        {.name = "late", .data = "six", .size = 3, .real_size = 3, .flags = 8, .mode = 0100755},
        FILE_PART("first", "one")};
    build(parts, 5);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_file_text text = {"x.ssp", (const char *)archive.data, archive.size};
    const hk_zip_item item = {.name = "old.ssd", .data = "the new ones", .size = 12};
    char *made, *again;
    size_t size, again_size;
    hk_zip *zip;
    assert_int_equal(hk_zip_extend(ctx, &text, &item, &made, &size), HK_OK);
    assert_int_equal(times_in(made, size, "the old bytes"), 0);
    assert_int_equal(times_in(made, size, "PK\3\4"), 4);
    assert_int_equal(times_in(made, size, "\xfe\xca\x02\x00ok"), 2); /* in both its places */
    /* Headers of 30, records of 46, an end of 22 bytes, and nothing else. */
    assert_int_equal(size, 4 * (30 + 46) + 22 + 2 * (5 + 7 + 4 + 4) + 3 * 3 + 12 + 2 * 6);
    assert_int_equal(hk_zip_open_memory(ctx, "y.ssp", made, size, &zip), HK_OK);
    assert_int_equal(hk_zip_count(zip), 4);
    expect_entry(ctx, zip, 0, "first", "one");
    expect_entry(ctx, zip, 1, "old.ssd", "the new ones");
    expect_entry(ctx, zip, 2, "wide", "two");
    expect_entry(ctx, zip, 3, "late", "six");
    hk_zip_close(zip);
    /* Once more changes nothing. */
    const hk_file_text first = {"y.ssp", made, size};
    assert_int_equal(hk_zip_extend(ctx, &first, &item, &again, &again_size), HK_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, made, size);
    hk_free(again);
    hk_free(made);
    hk_ctx_destroy(ctx);
}

/* Nobody knows which of the two is meant. */
static void extends_no_riddles(void **state) {
    (void)state;
    const part parts[] = {FILE_PART("a", "one"), FILE_PART("a", "two")};
    build(parts, 2);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_file_text text = {"x.ssp", (const char *)archive.data, archive.size};
    const hk_zip_item item = {.name = "b", .data = "three", .size = 5};
    char *made;
    size_t size;
    assert_int_equal(hk_zip_extend(ctx, &text, &item, &made, &size), HK_E_FILE_WRITE);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "cannot keep 'a': another entry"));
    hk_ctx_destroy(ctx);
}

/* As the archive has it. */
static void knows_crc(void **state) {
    (void)state;
    static const char text[] = "123456789";
    assert_int_equal(hk_crc32("", 0), 0);
    assert_int_equal(hk_crc32("a", 1), 0xE8B7BE43);
    assert_int_equal(hk_crc32(text, 9), 0xCBF43926);
    char zeros[32] = {0};
    assert_int_equal(hk_crc32(zeros, 32), 0x190A55AD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_crc),
        cmocka_unit_test(reads_names),
        cmocka_unit_test(reads_fields),
        cmocka_unit_test(reads_ends),
        cmocka_unit_test(reads_entries),
        cmocka_unit_test(refuses_bad_names),
        cmocka_unit_test(reads_repeats_once),
        cmocka_unit_test(refuses_clashes),
        cmocka_unit_test(refuses_bad_kinds),
        cmocka_unit_test(refuses_bombs),
        cmocka_unit_test(stops_lies_about_sizes),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(missing_files),
        cmocka_unit_test(writes_and_extracts),
        cmocka_unit_test(replaces_one_entry),
        cmocka_unit_test(extends_no_riddles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
