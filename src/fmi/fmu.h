/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share. A version of FMI is one hk_fmu_version: how its description
 * is read, and the class of its instances. */
#ifndef HK_FMI_FMU_H
#define HK_FMI_FMU_H

#include "base/host.h"
#include "fmi/fmi.h"
#include "format/xml.h"
#include "format/zip.h"

#include <pthread.h>

struct hk_reader;

typedef struct hk_fmu_version {
    char major; /* what fmiVersion begins with */
    /* Fills info and facts from the root element. */
    void (*describe)(const struct hk_reader *r, hk_fmu *fmu, const hk_xml *root);
    const hk_unit_class *unit_class;
} hk_fmu_version;

extern const hk_unit_class hk_fmi1_class;
void hk_fmi1_describe(const struct hk_reader *r, hk_fmu *fmu, const hk_xml *root);
extern const hk_unit_class hk_fmi2_class;
void hk_fmi2_describe(const struct hk_reader *r, hk_fmu *fmu, const hk_xml *root);
extern const hk_unit_class hk_fmi3_class;
void hk_fmi3_describe(const struct hk_reader *r, hk_fmu *fmu, const hk_xml *root);
/* fmi3_resize.c: the hook `resize` of hk_fmi3_class. */
hk_status hk_fmi3_resize(hk_ctx *ctx, const hk_info *info, const uint32_t *variables,
                         const hk_value *values, size_t n, const hk_info **ret_info);

struct hk_fmu {
    hk_arena *arena; /* owns every text of info and facts, and the tree of the description */
    hk_info info;
    hk_fmu_facts facts;
    const char *shown;           /* the path as it was given, for messages */
    const char *failure_logs[2]; /* categories of messages about failures, of FMI's own names */
    size_t failure_log_count;
    const struct hk_fmi3_array *arrays; /* FMI 3.0: description_fmi3.h */
    size_t array_count;
    const char *mime_type; /* FMI 1.0: of the slave */
    pthread_mutex_t lock;  /* guards what follows, and the arena when it grows later */
    char *data; /* the archive, if it came in memory, until it is unpacked; NULL: at facts.path */
    size_t size;
    const char *kept;      /* its entry of the cache; NULL: none */
    const char *folder;    /* where the archive is unpacked; NULL: not yet */
    bool folder_private;   /* removed when the FMU is closed */
    bool runs_here;        /* the archive holds a library for this platform */
    const char *ambiguous; /* an entry that occurs twice with different contents; NULL: none */
    const char *stranger;  /* one that has another name than it should; NULL: none */
};

/* archive.c */
/* Lists the platforms and what else the archive holds in facts; the description may be missing. */
void hk_fmu_survey(hk_fmu *fmu, const hk_zip *zip);
/* Unpacks the archive unless that has been done; afterwards fmu->folder is there. */
HK_NODISCARD hk_status hk_fmu_unpack(hk_ctx *ctx, hk_fmu *fmu);
/* Unpacks what can be kept between runs, and compares it with the archive; resources are left to
 * hk_fmu_unpack. */
HK_NODISCARD hk_status hk_fmu_prepare(hk_ctx *ctx, const hk_info *info);
/* Says so if the FMU is not for co-simulation, or holds no library for this platform; nothing is
 * unpacked. */
HK_NODISCARD hk_status hk_fmu_can_run(hk_ctx *ctx, const hk_info *info);
/* The shared library for this machine, as an absolute path in the unpacked folder. The string lives
 * in ARENA. */
HK_NODISCARD hk_status hk_fmu_binary(hk_ctx *ctx, const hk_fmu *fmu, hk_arena *arena,
                                     const char **ret_path);
/* The folder of this machine below binaries/, as the FMU's version of the standard names it. */
const char *hk_fmu_platform(const hk_fmu *fmu);
/* build.c: may the FMU be compiled now (hk_fmu_set_build), and has it sources? */
bool hk_fmu_can_build(const hk_fmu *fmu);
/* Compiles it, unless that has been done; afterwards it runs here. */
HK_NODISCARD hk_status hk_fmu_build_on_the_fly(hk_ctx *ctx, hk_fmu *fmu);
/* "file:///..." for an absolute path, percent-encoded. */
const char *hk_fmu_uri(hk_arena *arena, const char *path);

/* library.c: shared libraries, one object per file however many FMUs and instances use it. */
typedef struct hk_library hk_library;
typedef void hk_symbol(void);

/* For whom a library is loaded or called: for messages. */
typedef struct hk_visitor {
    const char *file, *instance;
    const char *when; /* " at t = 0 s" */
} hk_visitor;
HK_NODISCARD hk_status hk_library_open(hk_ctx *ctx, const hk_visitor *visitor, const char *path,
                                       hk_library **ret_library);
/* What this process does before it loads a library, or gives out one that is there, such as giving
 * up rights; if that fails there is no library. NULL: nothing. */
typedef hk_status hk_before_load_fn(hk_ctx *ctx, void *user);
void hk_library_before_load(hk_before_load_fn *before, void *user);
void hk_library_close(hk_library *library);                              /* NULL is fine */
hk_symbol *hk_library_find(const hk_library *library, const char *name); /* NULL: not there */
const char *hk_library_path(const hk_library *library);
/* Counts instances, for FMUs that allow one only. */
int hk_library_count(hk_library *library, int change);
/* After Fatal no function of the library may be called any more, and it stays loaded. */
void hk_library_poison(hk_library *library);
bool hk_library_poisoned(const hk_library *library);

/* Many FMUs look for files in the working directory while they are loaded or instantiated, and some
 * change the floating-point environment, the locale or the umask, or take over signals. Between
 * enter and leave the process is in the folder of the library; leave puts everything back, and
 * warns if hocket or its host would have behaved in another way from here on. One caller at a time.
 */
typedef struct hk_visit {
    hk_host host;
} hk_visit;
hk_visit hk_visit_enter(const char *library_path);
void hk_visit_leave(hk_ctx *ctx, hk_visit *visit, const hk_visitor *visitor, const char *doing);

/* log.c: one per instance. */
enum {
    HK_FMU_LOG_MAX = 200,         /* messages of an instance that are shown */
    HK_FMU_LOG_BYTES = 1 << 20,   /* of a message; a mark says how much more there was */
    HK_FMU_READ_BYTES = 16 << 20, /* a text without an end is read for so long */
    HK_FMU_SHOWN_BYTES = 8000,    /* of one that is shown; the journal has all of it */
    HK_FMU_SAID_LINES = 10,       /* that are kept, each cut to */
    HK_FMU_SAID_BYTES = 400
};
typedef struct hk_fmu_log {
    const char *instance;
    const _Atomic double *now; /* as in hk_unit_options */
    double start;
    pthread_mutex_t lock;
    uint64_t count;
    int worst_status;
    char worst[HK_FMU_SAID_BYTES]; /* the newest line of that status */
    /* The last lines, without control characters; a signal handler may look. */
    char said[(HK_FMU_SAID_LINES + 1) * HK_FMU_SAID_BYTES];
    size_t said_lines;
} hk_fmu_log;

void hk_fmu_log_init(hk_fmu_log *log, const char *instance, const _Atomic double *now,
                     double start);
void hk_fmu_log_finish(hk_fmu_log *log); /* says how many messages were held back */
/* LOG may be NULL (an FMU that does not pass its environment back); so may all texts. */
void hk_fmu_log_add(hk_fmu_log *log, const char *instance, int status, const char *category,
                    const char *message);
/* Which of the categories that were chosen (hk_fmu_set_categories) the FMU has; false: none. */
bool hk_fmu_log_choice(const hk_fmu *fmu, hk_arena *arena, const char *const **ret_names,
                       size_t *ret_count);
/* log_format.c: the text of a message written printf-style, cut at HK_FMU_LOG_BYTES with a mark;
 * free with hk_free. FORMAT can be read; what its arguments point to need not. */
char *hk_fmu_log_format(const char *format, va_list args);
/* guarded.c: a copy of at most MAX bytes of a text that an FMU points to, wherever that is; free
 * with hk_free. NULL for NULL. */
char *hk_guarded_text(const char *text, size_t max);
/* The same of a message: at most HK_FMU_LOG_BYTES, and if there is more a mark that says how much.
 */
char *hk_guarded_message(const char *text);
enum { HK_CUT_MARK_BYTES = 48 };
/* The mark of a text that was cut: " [cut, 12 bytes more]". MANY: at least so many. */
size_t hk_cut_mark(char mark[HK_CUT_MARK_BYTES], size_t more, bool many);
/* The length, at most MAX, at which TEXT can be cut between two characters. */
size_t hk_cut_length(const char *text, size_t max);
/* "; it said: ..." or "", in ARENA: to end an error text with. Several lines are below it. */
const char *hk_fmu_log_last(hk_fmu_log *log, hk_arena *arena);

#endif
