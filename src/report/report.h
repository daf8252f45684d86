/* SPDX-License-Identifier: MIT
 *
 * What every answer is made with. An answer is one object of JSON; the command line writes it to
 * standard output, the library to a text, and both call the functions of this room for it. */
#ifndef HK_REPORT_REPORT_H
#define HK_REPORT_REPORT_H

#include "assembly/assembly.h"
#include "format/json.h"

typedef struct hk_report {
    hk_ctx *ctx;     /* where messages go */
    hk_arena *arena; /* where what is made for the answer lives */
    FILE *out;       /* where the answer goes */
    bool answered;   /* an answer was begun */
} hk_report;

/* Opens the object with the schema "hocket.NAME/1" and the version; close it with hk_json_end. */
void hk_report_begin(hk_report *report, hk_json *json, const char *name);
/* The two members alone, in an object that is open. */
void hk_report_head(hk_json *json, const char *name);

/* "ok", or the code: "HK0413". */
const char *hk_report_status(hk_arena *arena, hk_status status);
/* A message as an object; KEY as of hk_json_object. */
void hk_report_diag(hk_json *json, const char *key, const hk_diag *diag);
const char *hk_severity_name(hk_severity severity);
/* A list of texts as the member KEY. */
void hk_report_texts(hk_json *json, const char *key, const char *const *texts, size_t count);
/* Nothing where there is no number. */
void hk_report_optional(hk_json *json, const char *key, double value);
/* The members "settings" and "start_values". */
void hk_report_settings(hk_json *json, const hk_settings *settings);

/* COMMON asked of the file at PATH. Says so if that is none that can be planned. */
HK_NODISCARD hk_status hk_request_for(hk_ctx *ctx, const hk_request *common, const char *path,
                                      hk_request *ret_request);

#endif
