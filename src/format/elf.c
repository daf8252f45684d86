/* SPDX-License-Identifier: MIT */
#include "format/elf.h"

#include <string.h>

enum {
    TYPE_SHARED = 3,
    SEGMENT_LOAD = 1,
    SEGMENT_DYNAMIC = 2,
    TAG_NEEDED = 1,
    TAG_HASH = 4,
    TAG_STRINGS = 5,
    TAG_SYMBOLS = 6,
    TAG_STRINGS_SIZE = 10,
    TAG_RPATH = 15,
    TAG_RUNPATH = 29,
    SECTION_SYMBOLS = 2,
    SECTION_NO_BITS = 8,
    FLAG_WRITE = 1,
    FLAG_ALLOC = 2,
    INDEX_RESERVED = 0xff00,
    BINDING_LOCAL = 0,
    BINDING_GLOBAL = 1,
    SYMBOL_OBJECT = 1,
    SYMBOL_FUNCTION = 2,
    SYMBOL_FILE = 4,
    SYMBOL_THREAD = 6,
    SEGMENTS_MAX = 256,
    SECTIONS_MAX = 1 << 16,
    TAGS_MAX = 4096,
    SYMBOLS_MAX = 1 << 20
};
#define TAG_GNU_HASH UINT64_C(0x6ffffef5)

/* The file in hand. */
typedef struct image {
    const uint8_t *data;
    size_t size;
    bool wide, big; /* 64 bits, high byte first */
    uint64_t segments;
    unsigned segment_size, segment_count;
    /* of the dynamic section; 0: not there */
    uint64_t hash, gnu_hash, strings, strings_size, symbols;
} image;

static bool inside(const image *m, uint64_t offset, uint64_t size) {
    return offset <= m->size && size <= m->size - offset;
}

/* A number of COUNT bytes; 0 if it is not inside the file. */
static uint64_t number(const image *m, uint64_t offset, unsigned count) {
    uint64_t value = 0;
    if (!inside(m, offset, count))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned at = m->big ? i : count - 1 - i;
        value = value << 8 | m->data[offset + at];
    }
    return value;
}

/* An address, whose size depends on the class of the file. */
static uint64_t word(const image *m, uint64_t offset) {
    return number(m, offset, m->wide ? 8 : 4);
}

static hk_status read_header(hk_ctx *ctx, const char *file, image *m, hk_elf *elf) {
    hk_where where = {.file = file};
    if (m->size < 52 || memcmp(m->data, "\177ELF", 4) != 0)
        return hk_error(ctx, HK_E_FMU_LOAD, where, NULL, "the file is not an ELF library");
    if (m->data[4] < 1 || m->data[4] > 2 || m->data[5] < 1 || m->data[5] > 2)
        return hk_error(ctx, HK_E_FMU_LOAD, where, NULL, "the ELF header is damaged");
    m->wide = m->data[4] == 2;
    m->big = m->data[5] == 2;
    elf->bits = m->wide ? 64 : 32;
    elf->shared = number(m, 16, 2) == TYPE_SHARED;
    elf->machine = (unsigned)number(m, 18, 2);
    m->segments = word(m, m->wide ? 32 : 28);
    m->segment_size = (unsigned)number(m, m->wide ? 54 : 42, 2);
    m->segment_count = (unsigned)number(m, m->wide ? 56 : 44, 2);
    if (m->segment_count > SEGMENTS_MAX || m->segment_size < (m->wide ? 56u : 32u) ||
        !inside(m, m->segments, (uint64_t)m->segment_count * m->segment_size))
        return hk_error(ctx, HK_E_FMU_LOAD, where, NULL, "the ELF file is damaged or cut off");
    return HK_OK;
}

typedef struct segment {
    uint64_t kind, offset, address, size;
} segment;

static segment segment_at(const image *m, unsigned index) {
    uint64_t at = m->segments + (uint64_t)index * m->segment_size;
    return (segment){.kind = number(m, at, 4),
                     .offset = word(m, at + (m->wide ? 8 : 4)),
                     .address = word(m, at + (m->wide ? 16 : 8)),
                     .size = word(m, at + (m->wide ? 32 : 16))};
}

/* Where ADDRESS of the loaded library is in the file; 0: nowhere. */
static uint64_t offset_of(const image *m, uint64_t address) {
    for (unsigned i = 0; i < m->segment_count && address; i++) {
        segment s = segment_at(m, i);
        if (s.kind == SEGMENT_LOAD && address >= s.address && address - s.address < s.size &&
            inside(m, s.offset, address - s.address))
            return s.offset + (address - s.address);
    }
    return 0;
}

/* The text at OFFSET of the string table, or NULL. */
static const char *string_at(const image *m, hk_arena *arena, uint64_t offset) {
    if (offset >= m->strings_size)
        return NULL;
    const char *text = (const char *)m->data + m->strings + offset;
    const char *end = memchr(text, 0, (size_t)(m->strings_size - offset));
    return end ? hk_arena_strndup(arena, text, (size_t)(end - text)) : NULL;
}

/* Calls for each entry of the dynamic section: first the tables, then the texts in them. */
static void read_dynamic(image *m, hk_arena *arena, segment d, hk_elf *elf) {
    unsigned step = m->wide ? 16 : 8;
    const char **needed = NULL;
    size_t count = 0, cap = 0, tags = d.size / step < TAGS_MAX ? (size_t)(d.size / step) : TAGS_MAX;
    for (size_t i = 0; i < tags; i++) {
        uint64_t tag = word(m, d.offset + i * step),
                 value = word(m, d.offset + i * step + step / 2);
        if (tag == 0)
            tags = i;
        else if (tag == TAG_HASH)
            m->hash = offset_of(m, value);
        else if (tag == TAG_GNU_HASH)
            m->gnu_hash = offset_of(m, value);
        else if (tag == TAG_STRINGS)
            m->strings = offset_of(m, value);
        else if (tag == TAG_STRINGS_SIZE)
            m->strings_size = value;
        else if (tag == TAG_SYMBOLS)
            m->symbols = offset_of(m, value);
    }
    if (!inside(m, m->strings, m->strings_size) || !m->strings)
        m->strings_size = 0;
    for (size_t i = 0; i < tags; i++) {
        uint64_t tag = word(m, d.offset + i * step),
                 value = word(m, d.offset + i * step + step / 2);
        const char *text = NULL;
        if (tag == TAG_NEEDED || tag == TAG_RUNPATH || tag == TAG_RPATH)
            text = string_at(m, arena, value);
        if (text && tag == TAG_NEEDED)
            HK_PUSH(needed, count, cap, text);
        else if (text && (tag == TAG_RUNPATH || !elf->search_path))
            elf->search_path = text;
    }
    const char **copy = HK_NEW_ARRAY(arena, const char *, count + 1);
    if (count)
        memcpy(copy, needed, count * sizeof *copy);
    hk_free(needed);
    elf->needed = copy;
    elf->needed_count = count;
}

/* The table of GNU has no count: the last symbol is the end of the chain of the highest bucket. */
static uint64_t gnu_count(const image *m) {
    uint64_t buckets = number(m, m->gnu_hash, 4), first = number(m, m->gnu_hash + 4, 4);
    uint64_t filter = number(m, m->gnu_hash + 8, 4), last = 0;
    uint64_t table = m->gnu_hash + 16 + filter * (m->wide ? 8 : 4);
    if (buckets > SYMBOLS_MAX || filter > SYMBOLS_MAX || !inside(m, table, buckets * 4))
        return 0;
    for (uint64_t i = 0; i < buckets; i++) {
        uint64_t at = number(m, table + i * 4, 4);
        last = at > last ? at : last;
    }
    if (last < first)
        return first;
    for (uint64_t chain = table + buckets * 4; last < SYMBOLS_MAX; last++) {
        uint64_t at = chain + (last - first) * 4;
        if (!inside(m, at, 4) || number(m, at, 4) & 1)
            break;
    }
    return last + 1;
}

/* Visible, defined here, and not for this file alone. */
static bool is_export(const image *m, uint64_t at) {
    uint64_t info = number(m, at + (m->wide ? 4 : 12), 1);
    uint64_t other = number(m, at + (m->wide ? 5 : 13), 1) & 3;
    uint64_t section = number(m, at + (m->wide ? 6 : 14), 2);
    uint64_t binding = info >> 4;
    return section && (other == 0 || other == 3) && (binding == 1 || binding == 2 || binding == 10);
}

/* Not defined here, and not for this file alone. */
static bool is_import(const image *m, uint64_t at) {
    uint64_t binding = number(m, at + (m->wide ? 4 : 12), 1) >> 4;
    return number(m, at + (m->wide ? 6 : 14), 2) == 0 && (binding == 1 || binding == 2);
}

static void read_symbols(const image *m, hk_arena *arena, hk_elf *elf) {
    unsigned step = m->wide ? 24 : 16;
    uint64_t count = m->hash ? number(m, m->hash + 4, 4) : m->gnu_hash ? gnu_count(m) : 0;
    if (count > SYMBOLS_MAX)
        count = SYMBOLS_MAX;
    if (!m->symbols)
        count = 0;
    else if (count > (m->size - m->symbols) / step)
        count = (m->size - m->symbols) / step;
    const char **exports = HK_NEW_ARRAY(arena, const char *, count + 1);
    const char **imports = HK_NEW_ARRAY(arena, const char *, count + 1);
    for (uint64_t i = 1; i < count; i++) {
        uint64_t at = m->symbols + i * step;
        bool out = is_export(m, at), in = !out && is_import(m, at);
        const char *name = out || in ? string_at(m, arena, number(m, at, 4)) : NULL;
        if (name && *name && out)
            exports[elf->export_count++] = name;
        else if (name && *name)
            imports[elf->import_count++] = name;
    }
    elf->exports = exports;
    elf->imports = imports;
}

hk_status hk_elf_read(hk_ctx *ctx, hk_arena *arena, const char *file, const void *data, size_t size,
                      const hk_elf **ret_elf) {
    image m = {.data = data, .size = size};
    hk_elf *elf = HK_NEW(arena, hk_elf);
    HK_TRY(read_header(ctx, file, &m, elf));
    for (unsigned i = 0; i < m.segment_count; i++) {
        segment s = segment_at(&m, i);
        if (s.kind != SEGMENT_DYNAMIC)
            continue;
        if (!inside(&m, s.offset, s.size))
            return hk_error(ctx, HK_E_FMU_LOAD, (hk_where){.file = file}, NULL,
                            "the ELF file is damaged or cut off");
        read_dynamic(&m, arena, s, elf);
        break;
    }
    read_symbols(&m, arena, elf);
    *ret_elf = elf;
    return HK_OK;
}

/* ---- sections ---- */

typedef struct section {
    uint64_t name, kind, flags, offset, size, link;
} section;

static section section_at(const image *m, uint64_t table, unsigned step, uint64_t index) {
    uint64_t at = table + index * step;
    return (section){.name = number(m, at, 4),
                     .kind = number(m, at + 4, 4),
                     .flags = word(m, at + 8),
                     .offset = word(m, at + (m->wide ? 24 : 16)),
                     .size = word(m, at + (m->wide ? 32 : 20)),
                     .link = number(m, at + (m->wide ? 40 : 24), 4)};
}

static bool is_section(const image *m, const section *names, const section *s, const char *name) {
    size_t length = strlen(name) + 1;
    return s->name <= names->size && length <= names->size - s->name &&
           memcmp(m->data + names->offset + s->name, name, length) == 0;
}

/* The table of sections. */
typedef struct sections {
    image m;
    uint64_t at, count;
    unsigned step;
    section names;
} sections;

static section section_of(const sections *s, uint64_t index) {
    return index < s->count ? section_at(&s->m, s->at, s->step, index) : (section){0};
}

static bool open_sections(const void *data, size_t size, sections *s) {
    *s = (sections){.m = {.data = data, .size = size}};
    image *m = &s->m;
    if (size < 64 || memcmp(m->data, "\177ELF", 4) != 0)
        return false;
    m->wide = m->data[4] == 2;
    m->big = m->data[5] == 2;
    s->at = word(m, m->wide ? 40 : 32);
    s->step = (unsigned)number(m, m->wide ? 58 : 46, 2);
    s->count = number(m, m->wide ? 60 : 48, 2);
    uint64_t strings = number(m, m->wide ? 62 : 50, 2);
    if (!s->at || s->step < (m->wide ? 64u : 40u) || s->count > SECTIONS_MAX ||
        strings >= s->count || !inside(m, s->at, s->count * s->step))
        return false;
    s->names = section_of(s, strings);
    return s->names.kind != SECTION_NO_BITS && inside(m, s->names.offset, s->names.size);
}

static bool find_section(const sections *all, const char *name, section *ret_section) {
    for (uint64_t i = 0; i < all->count; i++) {
        section s = section_of(all, i);
        if (!is_section(&all->m, &all->names, &s, name))
            continue;
        *ret_section = s;
        return s.kind != SECTION_NO_BITS && inside(&all->m, s.offset, s.size);
    }
    return false;
}

bool hk_elf_section(const void *data, size_t size, const char *name, const char **ret_data,
                    size_t *ret_size) {
    sections all;
    section s;
    if (!open_sections(data, size, &all) || !find_section(&all, name, &s))
        return false;
    *ret_data = (const char *)data + s.offset;
    *ret_size = (size_t)s.size;
    return true;
}

bool hk_elf_defines(const void *data, size_t size, const char *symbol) {
    sections all;
    section symbols, strings;
    size_t length = strlen(symbol) + 1;
    if (!open_sections(data, size, &all) || !find_section(&all, ".symtab", &symbols) ||
        !find_section(&all, ".strtab", &strings))
        return false;
    const image *m = &all.m;
    unsigned step = m->wide ? 24 : 16;
    for (uint64_t at = symbols.offset; at + step <= symbols.offset + symbols.size; at += step) {
        uint64_t name = number(m, at, 4);
        if (is_export(m, at) && name <= strings.size && length <= strings.size - name &&
            memcmp(m->data + strings.offset + name, symbol, length) == 0)
            return true;
    }
    return false;
}

/* ---- symbols ---- */

/* The text at OFFSET of a table of texts, in the file itself; "" if there is none. */
static const char *text_in(const image *m, const section *table, uint64_t offset) {
    if (table->kind == SECTION_NO_BITS || !inside(m, table->offset, table->size) ||
        offset >= table->size)
        return "";
    const char *text = (const char *)m->data + table->offset + offset;
    return memchr(text, 0, (size_t)(table->size - offset)) ? text : "";
}

/* What a loader writes to and then makes read-only, or what holds no variables. */
static bool is_of_loader(const char *name) {
    static const char *const others[] = {".data.rel.ro", ".dynamic", ".got",   ".init_array",
                                         ".fini_array",  ".ctors",   ".dtors", ".preinit_array"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

static bool is_writable(const sections *s, uint64_t index) {
    section in = index < INDEX_RESERVED ? section_of(s, index) : (section){0};
    return (in.flags & FLAG_WRITE) && (in.flags & FLAG_ALLOC) &&
           !is_of_loader(text_in(&s->m, &s->names, in.name));
}

static bool is_among(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* What the compiler's own objects and the linker bring into every library. Other names that begin
 * with "__" are a source's: nothing keeps anybody from them. */
static bool is_own(const char *name, const char *file) {
    static const char *const names[] = {
        "_init",        "_fini",       "_DYNAMIC",    "_GLOBAL_OFFSET_TABLE_",
        "__dso_handle", "__TMC_END__", "__bss_start", "__FRAME_END__",
        "_edata",       "_end",        "__JCR_END__", "__JCR_LIST__"};
    static const char *const starts[] = {"deregister_tm_clones",
                                         "register_tm_clones",
                                         "frame_dummy",
                                         "__do_global_dtors_aux",
                                         "__do_global_dtors_aux_fini_array_entry",
                                         "__frame_dummy_init_array_entry",
                                         "__EH_FRAME_BEGIN__"};
    if (!*name || is_among(names, sizeof names / sizeof *names, name))
        return true;
    return file && strcmp(file, "crtstuff.c") == 0 &&
           (is_among(starts, sizeof starts / sizeof *starts, name) ||
            strncmp(name, "completed.", strlen("completed.")) == 0);
}

/* Symbols of one file are behind its name. Behind an empty one are those that the linker made
 * local, and behind these the global ones: whose they are is not said. */
static size_t read_table(hk_arena *arena, const sections *s, const section *table,
                         hk_elf_symbol *to) {
    const image *m = &s->m;
    const section texts = section_of(s, table->link);
    const unsigned step = m->wide ? 24 : 16;
    const uint64_t last = table->size / step;
    const char *file = NULL;
    size_t count = 0;
    for (uint64_t i = 1; i < last && i < SYMBOLS_MAX; i++) {
        uint64_t at = table->offset + i * step, index = number(m, at + (m->wide ? 6 : 14), 2);
        unsigned info = (unsigned)number(m, at + (m->wide ? 4 : 12), 1), kind = info & 15;
        const char *name = text_in(m, &texts, number(m, at, 4));
        bool object = kind == SYMBOL_OBJECT || kind == SYMBOL_THREAD;
        if (kind == SYMBOL_FILE)
            file = *name ? hk_arena_strdup(arena, name) : NULL;
        if (!index || (kind != SYMBOL_FUNCTION && !object) || is_own(name, file))
            continue;
        to[count++] = (hk_elf_symbol){.name = hk_arena_strdup(arena, name),
                                      .file = info >> 4 == BINDING_LOCAL ? file : NULL,
                                      .address = word(m, at + (m->wide ? 8 : 4)),
                                      .function = kind == SYMBOL_FUNCTION,
                                      .variable = object && is_writable(s, index),
                                      .weak = info >> 4 > BINDING_GLOBAL};
    }
    return count;
}

hk_elf_symbols hk_elf_read_symbols(hk_arena *arena, const void *data, size_t size) {
    sections s;
    bool there = open_sections(data, size, &s);
    for (uint64_t i = 0; there && i < s.count; i++) {
        section one = section_of(&s, i);
        if (one.kind != SECTION_SYMBOLS || !inside(&s.m, one.offset, one.size))
            continue;
        uint64_t most = one.size / (s.m.wide ? 24 : 16) + 1;
        hk_elf_symbol *all = HK_NEW_ARRAY(arena, hk_elf_symbol, most);
        return (hk_elf_symbols){all, read_table(arena, &s, &one, all)};
    }
    return (hk_elf_symbols){0};
}
