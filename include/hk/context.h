/* SPDX-License-Identifier: MIT
 *
 * A context keeps the messages of a piece of work: why something failed, and what deserves a look.
 * The library prints nothing and sets no errno; a function returns a status, and what there is to
 * say about it is in the context.
 *
 * Ownership: you create and destroy it; systems and sessions keep what they need of it alive.
 * Threads: objects of one context may work on different threads at the same time, and add their
 * messages safely. Read or clear messages only while none of them works; simplest is a context per
 * thread.
 *
 * In every function of the library: a NULL where an object or a text is needed gives HK_E_USAGE;
 * what a parameter named ret_... points to is written on success only. */
#ifndef HK_CONTEXT_H
#define HK_CONTEXT_H

#include <hk/base.h>
#include <hk/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs: "0.1.0". Static text. */
HK_EXPORT const char *hk_version(void);

typedef struct hk_context hk_context;

HK_EXPORT HK_NODISCARD hk_status hk_context_create(hk_context **ret_context);
HK_EXPORT void hk_context_destroy(hk_context *context); /* NULL is fine */

/* One message. Set size to sizeof(hk_message) before it is filled; texts are valid until the
 * messages are cleared or the context is destroyed. */
typedef struct hk_message {
    size_t size;
    hk_severity severity;
    hk_status code;      /* HK_OK: a note */
    const char *text;    /* what was found, what was expected */
    const char *hint;    /* what to do; NULL: none */
    const char *file;    /* where; NULL: not in a file */
    int line, column;    /* from 1; 0: not known */
    const char *element; /* "Component 'wheel'"; NULL: none */
} hk_message;

HK_EXPORT size_t hk_context_message_count(const hk_context *context);
/* The message at INDEX, in the order in which they came. */
HK_EXPORT HK_NODISCARD hk_status hk_context_message(const hk_context *context, size_t index,
                                                    hk_message *ret_message);
/* All errors since the last clear, each on a line of its own as "HK0201 file:3: text (hint)"; ""
 * without any. Valid until the next call with this context. */
HK_EXPORT const char *hk_context_errors(hk_context *context);
/* Forgets all messages: for programs that run for long. */
HK_EXPORT void hk_context_clear(hk_context *context);

#ifdef __cplusplus
}
#endif
#endif
