/* SPDX-License-Identifier: MIT */
#include "api/api_internal.h"

#include "base/claims.h"

#include <string.h>

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)

const char *hk_version(void) {
    return TEXT_OF(HK_VERSION_MAJOR) "." TEXT_OF(HK_VERSION_MINOR) "." TEXT_OF(HK_VERSION_PATCH);
}

hk_status hk_context_create(hk_context **ret_context) {
    if (!ret_context)
        return HK_E_USAGE;
    hk_context *context = hk_alloc(sizeof *context);
    atomic_init(&context->references, 1);
    context->ctx = hk_ctx_create(NULL, NULL);
    hk_claim_begin(context->ctx);
    *ret_context = context;
    return HK_OK;
}

hk_context *hk_context_retain(hk_context *context) {
    atomic_fetch_add(&context->references, 1);
    return context;
}

void hk_context_forget_files(hk_context *context) {
    if (atomic_load(&context->systems) == 0)
        hk_claim_forget(context->ctx);
}

void hk_context_destroy(hk_context *context) {
    if (!context || atomic_fetch_sub(&context->references, 1) > 1)
        return;
    hk_ctx_destroy(context->ctx);
    hk_arena_destroy(context->texts);
    hk_free(context);
}

size_t hk_context_message_count(const hk_context *context) {
    return context ? hk_ctx_count(context->ctx, HK_NOTE) : 0;
}

hk_status hk_context_message(const hk_context *context, size_t index, hk_message *ret_message) {
    if (!context || !ret_message || index >= hk_context_message_count(context))
        return HK_E_USAGE;
    const hk_diag *diag = hk_ctx_diag(context->ctx, index);
    hk_message full = {.severity = diag->severity,
                       .code = diag->code,
                       .text = diag->text,
                       .hint = diag->hint,
                       .file = diag->where.file,
                       .line = diag->where.line,
                       .column = diag->where.column,
                       .element = diag->where.element};
    return hk_answer_give(ret_message, &full, sizeof full) ? HK_OK : HK_E_USAGE;
}

static const char *one_error(hk_arena *arena, const hk_diag *diag) {
    const char *place = "";
    if (diag->where.file && diag->where.line)
        place = hk_arena_printf(arena, "%s:%d: ", diag->where.file, diag->where.line);
    else if (diag->where.file)
        place = hk_arena_printf(arena, "%s: ", diag->where.file);
    return hk_arena_printf(arena, "HK%04d %s%s%s%s%s", (int)diag->code, place, diag->text,
                           diag->hint ? " (" : "", diag->hint ? diag->hint : "",
                           diag->hint ? ")" : "");
}

const char *hk_context_errors(hk_context *context) {
    if (!context)
        return "";
    hk_arena_destroy(context->texts);
    context->texts = hk_arena_create();
    const char *all = "";
    for (size_t i = 0; i < hk_context_message_count(context); i++) {
        const hk_diag *diag = hk_ctx_diag(context->ctx, i);
        if (diag->severity == HK_ERROR)
            all = hk_arena_printf(context->texts, "%s%s%s", all, *all ? "\n" : "",
                                  one_error(context->texts, diag));
    }
    return all;
}

void hk_context_clear(hk_context *context) {
    if (context)
        hk_ctx_clear(context->ctx);
}

/* Structs of versions to come are larger, but not so much: a size beyond this was never set. */
enum { HK_OPTIONS_MAX = 4096 };

bool hk_options_take(void *ret_options, size_t size, const void *given) {
    size_t known;
    memcpy(&known, given, sizeof known);
    if (known < sizeof known || known > HK_OPTIONS_MAX)
        return false;
    const char *bytes = given;
    for (size_t i = size; i < known; i++)
        if (bytes[i])
            return false;
    memset(ret_options, 0, size);
    memcpy(ret_options, given, known < size ? known : size);
    return true;
}

bool hk_answer_give(void *ret_answer, const void *full, size_t size) {
    size_t known;
    memcpy(&known, ret_answer, sizeof known);
    if (known < sizeof known || known > HK_OPTIONS_MAX)
        return false;
    size_t common = known < size ? known : size;
    memcpy((char *)ret_answer + sizeof known, (const char *)full + sizeof known,
           common - sizeof known);
    if (known > size)
        memset((char *)ret_answer + size, 0, known - size);
    return true;
}

hk_status hk_wrong_size(hk_ctx *ctx, const char *type) {
    return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "start with {.size = sizeof ...}, all else zero",
                    "%s: size is not set, or asks for something that this library does not know",
                    type);
}

hk_status hk_options_read(hk_ctx *ctx, const char *type, const void *options, void *ret_options,
                          size_t size) {
    return !options || hk_options_take(ret_options, size, options) ? HK_OK
                                                                   : hk_wrong_size(ctx, type);
}

hk_status hk_missing_argument(hk_ctx *ctx, const char *function) {
    return ctx ? hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                          "%s: an argument is NULL, or a count is 0", function)
               : HK_E_USAGE;
}

hk_status hk_is_null(const hk_context *context, const char *what) {
    return context ? hk_error(context->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%s is NULL", what)
                   : HK_E_USAGE;
}
