/* SPDX-License-Identifier: MIT
 *
 * The words every other header of hocket uses: status, value types, causality. */
#ifndef HK_BASE_H
#define HK_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HK_NODISCARD        __attribute__((warn_unused_result))
#define HK_PRINTF(fmt, arg) __attribute__((format(printf, fmt, arg)))
#define HK_EXPORT           __attribute__((visibility("default")))
#else
#define HK_NODISCARD
#define HK_PRINTF(fmt, arg)
#define HK_EXPORT
#endif

/* What a function says about how it went. 0 is success; the others are in status.def. */
typedef enum hk_status {
    HK_OK = 0,
#define HK_STATUS(name, number, exit, text, why) HK_E_##name = number,
#include <hk/status.def>
#undef HK_STATUS
} hk_status;

/* The status in words ("archive is damaged"), and what to do about it, in a paragraph (NULL for
 * HK_OK). Static texts. */
HK_EXPORT const char *hk_status_text(hk_status code);
HK_EXPORT const char *hk_status_explain(hk_status code);

/* What a value is. */
typedef enum hk_type {
    HK_TYPE_F64,
    HK_TYPE_F32,
    HK_TYPE_I8,
    HK_TYPE_U8,
    HK_TYPE_I16,
    HK_TYPE_U16,
    HK_TYPE_I32,
    HK_TYPE_U32,
    HK_TYPE_I64,
    HK_TYPE_U64,
    HK_TYPE_BOOL,
    HK_TYPE_STRING,
    HK_TYPE_BINARY,
    HK_TYPE_ENUM,
    HK_TYPE_CLOCK,
    HK_TYPE_COUNT
} hk_type;

/* What a variable is for. */
typedef enum hk_causality {
    HK_LOCAL,
    HK_INPUT,
    HK_OUTPUT,
    HK_PARAMETER,
    HK_CALCULATED_PARAMETER,
    HK_STRUCTURAL_PARAMETER,
    HK_INDEPENDENT,
    HK_CAUSALITY_COUNT
} hk_causality;

/* How much a message weighs. */
typedef enum hk_severity { HK_NOTE, HK_WARNING, HK_ERROR } hk_severity;

/* Which activation of the producer a consumer sees; docs/semantics.md. DEFAULT: as the algorithm of
 * the run says. */
typedef enum hk_lag { HK_LAG_DEFAULT, HK_LAG_PREVIOUS, HK_LAG_OBSERVE, HK_LAG_CURRENT } hk_lag;

/* For which instant the outputs of an activation at t hold: t + period, or t itself. */
typedef enum hk_stamp { HK_STAMP_END, HK_STAMP_START } hk_stamp;

#ifdef __cplusplus
}
#endif
#endif
