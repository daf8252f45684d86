/* SPDX-License-Identifier: MIT
 *
 * Where a value comes from: the answer of `hocket trace`. */
#ifndef HK_REPORT_TRACE_REPORT_H
#define HK_REPORT_TRACE_REPORT_H

#include "report/plan_view.h"

enum { HK_TRACE_DEPTH = 3, HK_TRACE_DEPTH_MAX = 32 };

typedef struct hk_trace_wishes {
    const char *signal; /* "component.variable" */
    const char *at;     /* the instant, as a record has it: "1.5", "20ms"; NULL is reported */
    uint64_t depth;     /* how many connections are followed */
} hk_trace_wishes;

/* For people. NODE: one value or remark, indented by LEVEL; WAY is how the value came, NULL: over
 * no connection. */
typedef struct hk_trace_text {
    void (*say)(void *user, const char *text);
    void (*node)(void *user, int level, const char *name, const char *way, const char *words);
    void *user;
} hk_trace_text;

/* Of a view that was planned. TEXT NULL: the answer is JSON, which REPORT takes. */
HK_NODISCARD hk_status hk_trace_make(hk_report *report, const hk_view *view,
                                     const hk_trace_wishes *wishes, const hk_trace_text *text);

#endif
