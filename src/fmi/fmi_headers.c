/* SPDX-License-Identifier: MIT */
#include "fmi/fmi_headers.h"

#include "base/embed.h"
#include "base/file.h"
#include "fmi/fmi1_api.h"
#include "fmi/fmi2_export.h"
#include "fmi/fmi3_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hk_embedded hk_embedded_headers[];

/* A function as it is declared, in text. */
typedef struct function {
    const char *name, *result, *arguments;
} function;
#define ROW(need, name, result, arguments) {#name, #result, #arguments},
static const function fmi1_functions[] = {HK_FMI1_FUNCTIONS(ROW){0}};
static const function fmi2_functions[] = {HK_FMI2_FUNCTIONS(ROW) HK_FMI2_EXCHANGE(ROW){0}};
static const function fmi3_functions[] = {HK_FMI3_FUNCTIONS(ROW){0}};
#undef ROW

typedef struct standard {
    const function *functions;
    const char *word;  /* what names of functions begin with */
    const char *other; /* what they have instead in fmiN_api.h, if that differs */
    const char *export;
    const char *joint; /* between the prefix and the name */
} standard;
static const standard standards[] = {
    {fmi1_functions, "fmi", "fmi1", "DllExport", "_"},
    {fmi2_functions, "fmi2", "fmi2", "FMI2_Export", ""},
    {fmi3_functions, "fmi3", "fmi3", "FMI3_Export", ""},
};

/* A declaration in the names of the standard. There the type of a callback is a pointer; in the
 * tables it is the function, so that the '*' behind it goes. */
static void put_declared(FILE *out, const standard *s, const char *text) {
    static const char callback[] = "Callback *";
    size_t length = strlen(s->other);
    while (*text) {
        if (strncmp(text, s->other, length) == 0) {
            fputs(s->word, out);
            text += length;
        } else if (strncmp(text, callback, sizeof callback - 1) == 0) {
            fputs("Callback ", out);
            text += sizeof callback - 1;
        } else {
            fputc(*text++, out);
        }
    }
}

static void put_types(FILE *out, const standard *s) {
    for (const function *f = s->functions; f->name; f++) {
        fputs("typedef ", out);
        put_declared(out, s, f->result);
        fprintf(out, " %s%sTYPE", s->word, f->name);
        put_declared(out, s, f->arguments);
        fputs(";\n", out);
    }
}

static void put_names(FILE *out, const standard *s) {
    for (const function *f = s->functions; f->name; f++)
        fprintf(out, "#define %s%s %sFullName(%s%s%s)\n", s->word, f->name, s->word, s->joint,
                s->word, f->name);
}

static void put_prototypes(FILE *out, const standard *s) {
    bool has_types = *s->joint == '\0';
    for (const function *f = s->functions; f->name; f++) {
        fprintf(out, "%s ", s->export);
        if (has_types) {
            fprintf(out, "%s%sTYPE %s%s;\n", s->word, f->name, s->word, f->name);
            continue;
        }
        put_declared(out, s, f->result);
        fprintf(out, " %s%s", s->word, f->name);
        put_declared(out, s, f->arguments);
        fputs(";\n", out);
    }
}

static void put_header(FILE *out, const standard *s, const char *text) {
    static const struct {
        const char *mark;
        void (*put)(FILE *out, const standard *s);
    } parts[] = {
        {"@types@\n", put_types}, {"@names@\n", put_names}, {"@prototypes@\n", put_prototypes}};
    while (*text) {
        size_t used = 0;
        for (size_t i = 0; i < sizeof parts / sizeof *parts && *text == '@' && !used; i++) {
            if (strncmp(text, parts[i].mark, strlen(parts[i].mark)) != 0)
                continue;
            parts[i].put(out, s);
            used = strlen(parts[i].mark);
        }
        if (!used)
            fputc(*text, out);
        text += used ? used : 1;
    }
}

static bool is_of(const hk_embedded *file, int version) {
    char digit = file->name[3]; /* "fmi2...", "fmiP..." */
    return digit >= '2' && digit <= '3' ? digit - '0' == version : version == 1;
}

static const char *header_text(hk_arena *arena, const hk_embedded *file, int version) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out && version >= 1 && version <= 3);
    put_header(out, &standards[version - 1], file->data);
    fclose(out);
    const char *copy = hk_arena_strndup(arena, text, size);
    free(text);
    return copy;
}

/* Without the ".in" that the file has in the source tree, since it is not a header there yet. */
static const char *header_name(hk_arena *arena, const hk_embedded *file) {
    return hk_arena_strndup(arena, file->name, strlen(file->name) - strlen(".in"));
}

hk_status hk_fmi_headers_write(hk_ctx *ctx, hk_arena *arena, int version, const char *folder) {
    for (const hk_embedded *file = hk_embedded_headers; file->name; file++) {
        if (!is_of(file, version))
            continue;
        const char *text = header_text(arena, file, version);
        const char *path = hk_path_join(arena, folder, header_name(arena, file));
        HK_TRY(hk_file_write(ctx, path, text, strlen(text)));
    }
    return HK_OK;
}

const char *hk_fmi_headers_text(hk_arena *arena, int version) {
    const char *all = "";
    for (const hk_embedded *file = hk_embedded_headers; file->name; file++)
        if (is_of(file, version))
            all = hk_arena_printf(arena, "%s%s\n%s", all, header_name(arena, file),
                                  header_text(arena, file, version));
    return all;
}
