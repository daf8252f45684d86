/* SPDX-License-Identifier: MIT
 *
 * What the verbs of the command line share. Standard output carries the answer and nothing else;
 * everything hocket says about its work goes to standard error. */
#ifndef HK_CLI_CLI_H
#define HK_CLI_CLI_H

#include "cli/options.h"
#include "format/json.h"
#include "model/model.h"
#include "report/report.h"
#include "report/show.h"
#include "tool/tool.h"

/* How this program was built; filled by main(). */
typedef struct hk_build {
    const char *version, *type, *compiler, *sanitizers;
    const volatile hk_tool_mark *mark; /* whether it is a tool, and what it carries */
} hk_build;

enum { HK_CODE_LIMIT = 1000 }; /* above every status code */

typedef struct hk_cli {
    const hk_build *build;
    hk_tool *tool;   /* NULL: this is hocket itself */
    hk_arena *arena; /* lives as long as the process's work */
    hk_ctx *ctx;
    bool quiet, json;
    bool color_out, color_err;
    bool findings_on_stdout; /* diagnostics are the answer: `check` */
    bool answered;           /* a JSON answer was written */
    bool serves;             /* the verb is `serve`: a run waits for its page, and stays */
    bool gives_verdict;      /* exit status 1 is left for expectations: `run` of a simulation */
    bool redrawn_line;       /* an unfinished progress line stands on standard error */
    int width;               /* columns of the terminal, or 80 */
    int *repeats;            /* per status code: notes and warnings shown so far */
} hk_cli;

/* cli/run_parent.c: makes a parent of this process, if the run is to have one. False: it has none,
 * or this is the child, and the verb is to be done. True: the run is over, with *RET_STATUS. */
bool hk_run_parent(hk_cli *cli, const hk_args *args, hk_status *ret_status);

/* Says early why PATH, the value of OPTION, cannot be written; for those that are not `written`. */
HK_NODISCARD hk_status hk_cli_check_output(hk_cli *cli, const char *option, const char *path);

/* Who speaks in front of a message: "hocket", or the name of the tool that this program is. */
const char *hk_program_name(const hk_cli *cli);

/* The exit status of the process. */
int hk_cli_exit(const hk_cli *cli, hk_status status);

typedef struct hk_verb {
    const char *name;
    const char *summary;     /* one clause */
    const char *operands;    /* "FILE [SIGNAL...]", and so many there may be; NULL: none */
    const char *files;       /* extensions of operands that are files, for completion */
    const char *words;       /* what the first operand may be, for completion; NULL: not words */
    const char *description; /* paragraphs for the help, separated by an empty line */
    hk_option_table options;
    bool has_parent; /* it runs components: see cli/run_parent.c */
    hk_status (*run)(hk_cli *cli, const hk_args *args);
} hk_verb;

extern const hk_verb hk_verb_info, hk_verb_check, hk_verb_plan, hk_verb_trace, hk_verb_prove,
    hk_verb_run, hk_verb_serve, hk_verb_node, hk_verb_plot, hk_verb_compare, hk_verb_export,
    hk_verb_convert, hk_verb_build, hk_verb_new, hk_verb_fmt, hk_verb_gen, hk_verb_explain,
    hk_verb_doctor, hk_verb_completion, hk_verb_help, hk_verb_version;
/* The verbs in the order in which the help lists them; NULL: past the end. */
const hk_verb *hk_verb_at(size_t index);
const hk_verb *hk_verb_find(const char *name);

/* The whole program: returns the exit status of the process. */
int hk_cli_main(const hk_build *build, int argc, char **argv);

/* What a person writes to get VERB: "hocket run", or the name of the tool, which has one only. */
const char *hk_cli_called(const hk_cli *cli, const hk_verb *verb);
/* There is no verb WORD; the hint is BEFORE with the one that was meant. */
hk_status hk_cli_unknown_verb(hk_cli *cli, const char *word, const char *before);

/* standard_input.c: all of it, with a NUL behind the last byte; free with hk_free. */
HK_NODISCARD hk_status hk_input_read(hk_cli *cli, char **ret_data, size_t *ret_size);

/* cli/tool.c: the program is a tool, and WORDS are options of `run`. */
HK_NODISCARD hk_status hk_cli_tool(hk_cli *cli, int count, char **words);
/* Reads the words of VERB and does it. OPERAND: what it is given beside them; NULL: nothing. */
HK_NODISCARD hk_status hk_cli_do(hk_cli *cli, const hk_verb *verb, int count, char *const *words,
                                 const char *operand);

/* cli/terminal.c */
typedef enum hk_style { HK_PLAIN, HK_BOLD, HK_DIM, HK_RED, HK_YELLOW, HK_CYAN, HK_GREEN } hk_style;
const char *hk_style_on(bool color, hk_style style); /* "" without colour */
const char *hk_style_off(bool color);
void hk_terminal_setup(hk_cli *cli, const char *color); /* COLOR: value of --color or NULL */
int hk_terminal_width(int fd);                          /* 0: no terminal */
int hk_terminal_height(int fd);
bool hk_stderr_is_terminal(void);
/* The environment decides, as the program itself knows no locale. */
bool hk_terminal_is_utf8(void);
/* Writes text that came from a file or a component: control characters, which could command the
 * terminal, become spaces, and what is not UTF-8 becomes the mark for that (U+FFFD, or '?'). */
void hk_put_clean(FILE *out, const char *text);
void hk_put_clean_part(FILE *out, const char *text, size_t size);

/* cli/messages.c: prints diagnostics as they are added; the sink of cli->ctx. */
void hk_message_print(void *user, const hk_diag *diag);
void hk_messages_finish(hk_cli *cli); /* says how many were held back */

/* cli/compiling.c */
/* What a compiler said, line by line as it said it; USER is the hk_cli. */
void hk_put_said(void *user, const char *text);
/* The option --build of the verbs that open systems: from now on FMUs that bring sources and no
 * library for this machine are compiled. DEADLINE_NS: of hk_clock_ns, for compilers; 0: none. */
void hk_take_build(const hk_args *args, int64_t deadline_ns);
#define HK_BUILD_OPTION(where)                                                                     \
    {                                                                                              \
        .name = "build", .group = where,                                                           \
        .help =                                                                                    \
            "compile FMUs that bring sources and no library for this machine ($CC, or cc); what "  \
            "was compiled is kept and used again"                                                  \
    }
/* From now on an interrupt removes temporary folders before it ends the process. */
void hk_remove_temporary_when_stopped(void);

/* cli/help.c: made from the tables. */
void hk_help_program(const hk_cli *cli, FILE *out);
void hk_help_verb(const hk_cli *cli, const hk_verb *verb, FILE *out);
void hk_help_scdoc(const hk_verb *verb, FILE *out);

/* What the answers of report/ are made with; the answer goes to standard output. Hand it back to
 * hk_cli_reported. */
hk_report hk_cli_report(const hk_cli *cli);
void hk_cli_reported(hk_cli *cli, const hk_report *report);
/* A JSON answer of a verb's own: opens the object with schema "hocket.NAME/1"; close it with
 * hk_answer_end. */
void hk_answer_begin(hk_cli *cli, hk_json *json, const char *name);
void hk_answer_end(hk_json *json);
/* How the answer to a failure begins, for a signal handler that cannot make it. */
const char *hk_failure_head(const hk_cli *cli);

/* "tank.so  cc 12.2.0, -O2 ...": who compiled a plugin, and how. */
const char *hk_library_text(hk_arena *arena, const hk_library *library);

#endif
