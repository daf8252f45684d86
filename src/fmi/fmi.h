/* SPDX-License-Identifier: MIT
 *
 * FMUs: archive, description, library, instances. What is behind the version is hidden: the
 * rest of hocket sees an hk_info whose unit_class makes instances. */
#ifndef HK_FMI_FMI_H
#define HK_FMI_FMI_H

#include "model/unit.h"

typedef struct hk_fmu hk_fmu;

/* Bytes of a model description: twice the largest that has been seen. format/xml.h limits what is
 * in it. */
#define HK_FMU_DESCRIPTION_MAX (UINT64_C(512) << 20)

/* What a Clock variable of FMI 3.0 says beyond hk_variable. */
typedef struct hk_fmu_clock {
    uint32_t variable;    /* index in hk_info */
    const char *interval; /* intervalVariability: "constant", "fixed", "tunable", "changing",
                             "countdown" or "triggered" */
    bool has_interval;    /* of constant, fixed and tunable clocks: seconds */
    hk_ratio period, shift;
    bool can_be_deactivated, supports_fraction, has_priority;
    uint32_t priority;
} hk_fmu_clock;

/* What the description says beyond hk_info, for `hocket info` and messages. May be NULL each. */
typedef struct hk_fmu_facts {
    const char *path;        /* of the archive */
    const char *fingerprint; /* of its names, sizes and checksums; NULL: there is no archive */
    const char *fmi_version; /* "2.0" */
    const char *guid, *model_identifier, *model_version;
    const char *author, *copyright, *license, *generation_tool, *generation_date;
    const char *naming_convention;
    const char *const *platforms; /* folders below binaries/ */
    size_t platform_count;
    const char *first_entry; /* of the archive; NULL: it is empty */
    size_t entry_count;
    bool described; /* a description was there and could be read, at least in part */
    bool co_simulation, model_exchange, has_sources, has_resources;
    bool scheduled_execution;
    size_t unit_count, type_count;
    const char *const *log_categories;
    size_t log_category_count;
    /* FMI 3.0 */
    bool has_event_mode, might_return_early, intermediate_update;
    double fixed_internal_step; /* 0: not given */
    size_t structural_parameter_count;
    const struct hk_fmu_clock *clocks; /* those that are aliases not counted */
    size_t clock_count;
} hk_fmu_facts;

/* Reads the description out of the archive and checks it; nothing is unpacked yet. */
HK_NODISCARD hk_status hk_fmu_open(hk_ctx *ctx, const char *path, hk_fmu **ret_fmu);
/* The same for those who only show it: after a failure *ret_fmu is what could be read nevertheless,
 * of the archive and of the description up to its fault; NULL: nothing. It cannot be run. */
HK_NODISCARD hk_status hk_fmu_open_partly(hk_ctx *ctx, const char *path, hk_fmu **ret_fmu);
/* The same as hk_fmu_open for an archive in memory (of hk_alloc), which is taken over, also if this
 * fails; PATH is for messages. */
HK_NODISCARD hk_status hk_fmu_open_memory(hk_ctx *ctx, const char *path, char *data, size_t size,
                                          hk_fmu **ret_fmu);
void hk_fmu_close(hk_fmu *fmu); /* after its last instance; NULL is fine */
const hk_info *hk_fmu_info(const hk_fmu *fmu);
/* The model closes the FMU at its own end. What hk_fmu_info says. */
struct hk_model;
const hk_info *hk_fmu_own(struct hk_model *model, hk_fmu *fmu);
const hk_fmu_facts *hk_fmu_get_facts(const hk_fmu *fmu);

/* Parses a model description alone: for the fuzzer and for tests. FILE is for messages. */
HK_NODISCARD hk_status hk_fmu_parse_description(hk_ctx *ctx, const char *file, const char *data,
                                                size_t size, hk_fmu **ret_fmu);

/* Where log messages of FMUs go; called from whatever thread the FMU uses, one at a time. CATEGORY
 * may be NULL. A NULL function drops them (the default). */
typedef void hk_fmu_log_fn(void *user, const char *instance, int status, const char *category,
                           const char *message);
void hk_fmu_set_log(hk_fmu_log_fn *log, void *user);

/* A message with all that is known of it; the texts may hold anything, all but the text may be
 * NULL. */
typedef struct hk_fmu_message {
    const char *instance, *category, *text;
    int status;
    double time; /* of the run */
} hk_fmu_message;
/* Where every message goes, whatever is shown; one at a time. NULL: nowhere. */
typedef void hk_fmu_journal_fn(void *user, const hk_fmu_message *message);
void hk_fmu_set_journal(hk_fmu_journal_fn *write, void *user);
bool hk_fmu_has_journal(void);
void hk_fmu_write_down(const hk_fmu_message *message); /* one of an FMU in another process */
/* Only messages of these categories are asked for and go to hk_fmu_set_log. NULL: all. NAMES must
 * stay. */
void hk_fmu_set_categories(const char *const *names, size_t count);
const char *hk_fmu_status_name(int code); /* "Discard" */

#endif
