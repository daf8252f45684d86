/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket run`: the pieces of one run, shared by its files. */
#ifndef HK_CLI_RUN_H
#define HK_CLI_RUN_H

#include "assembly/recording.h"
#include "base/file.h"
#include "cli/progress.h"
#include "cli/request.h"
#include "cli/serving.h"
#include "engine/sim.h"
#include "play/play.h"
#include "record/outfile.h"
#include "record/written.h"

#include <signal.h>

/* The trace of the calls. */
typedef struct hk_run_trace {
    hk_outfile file;
    char *text; /* not written yet */
    size_t used, cap;
    bool open;
    volatile sig_atomic_t busy; /* a signal must not look into it */
    bool begun;                 /* it may be written: see hk_run_trace_begin */
    int problem;                /* what hk_outfile_write ended with */
} hk_run_trace;

/* What the FMUs say, in a file. */
typedef struct hk_run_log {
    hk_outfile file;
    bool open;
    int problem; /* what hk_outfile_write ended with */
} hk_run_log;

/* Everything a run holds; zero-initialised, released by verb_run.c in one place. */
typedef struct hk_run {
    hk_cli *cli;
    const hk_args *args;
    const char *file;
    hk_request request;
    hk_assembly made; /* model, settings, plan */
    hk_model *model;  /* those of the assembly */
    hk_plan *plan;
    hk_recording recording;
    const char *record;     /* path; NULL: nothing is recorded */
    bool record_is_private; /* made for --plot or --report only, in a temporary folder */
    const char *temporary;  /* that folder */
    hk_recorder_stats recorded;
    hk_sim_options options;
    hk_listener listener; /* of the record, the trace and the progress */
    hk_sim *sim;
    hk_nodes *nodes;    /* that run its components; NULL: SIM does */
    const char *loaded; /* the state that it goes on from; NULL: none */
    hk_resumed resumed; /* where the record goes on */
    hk_checkpoints checkpoints;
    hk_states_left left;
    hk_progress progress;
    hk_tick began;            /* now, before hk_sim_run */
    double time, simulated_s; /* at the end */
    bool ran;                 /* got as far as hk_sim_run */
    bool interrupted;
    double watchdog_s;           /* 0: none */
    const char *plotted, *saved; /* files written; NULL: none */
    const char *reported;
    hk_run_trace trace;
    const char *traced;
    hk_run_log log;
    hk_serving serving;
    hk_written written; /* all files that were written, to be looked at again at the end */
} hk_run;

/* cli/run_sound.c: --monitor, --trace, and what is to be said about the calls of the run. */
hk_monitor hk_run_monitor(const hk_args *args);
HK_NODISCARD hk_status hk_run_trace_open(hk_run *run);
void hk_run_trace_begin(hk_run *run);             /* all is read: from now on they are written */
void hk_run_trace_flush_from_signal(hk_run *run); /* the whole lines; the process ends then */
/* Returns STATUS, or if that is HK_OK what closing ends with; again it does nothing. */
hk_status hk_run_trace_close(hk_run *run, hk_status status);
/* The line of a summary. */
void hk_run_put_sound(FILE *out, hk_arena *arena, const hk_soundness *sound, const char *contract);

/* cli/run_log.c: --fmi-logging, --log-category, --log-file. */
bool hk_run_log_shown(const hk_args *args);
/* Are there such categories? The components of MODEL are as they were read. */
HK_NODISCARD hk_status hk_run_log_categories(hk_cli *cli, const hk_args *args,
                                             const hk_model *model);
void hk_run_log_show(hk_cli *cli, const hk_args *args); /* from now on, if that is asked for */
/* Before the first instance is made, and after the last one is gone. */
HK_NODISCARD hk_status hk_run_log_open(hk_run *run);
hk_status hk_run_log_close(hk_run *run, hk_status status); /* as hk_run_trace_close */

/* cli/run_interrupt.c: HANDLER gets SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU; NULL: the one who
 * had them before. */
void hk_run_watch(const hk_cli *cli, void (*handler)(int number));
/* In the handler: the run ends when the call under way does, and a component may take its time. */
void hk_run_say_interrupted(void);
/* What is written while the run goes on: "the record", "the logs in"; PATH NULL: nothing. */
void hk_run_keeps(const char *what, const char *path);
/* In a signal handler, when the process ends before the run does: what is kept, and where. */
void hk_run_say_kept(void);
/* The second Ctrl-C: says the same, and ends the process; with --json also as an answer. */
_Noreturn void hk_run_end_at_once(void);
/* Names, once, who has not returned a second later: "component 'x' (fmi2DoStep since 3 s)". */
void hk_run_say_waiting(const char *who);

/* cli/run_question.c: from now on SIGUSR1 asks where the run is, and ends nothing. */
void hk_run_answer_questions(const hk_cli *cli);
/* cli/run_parent.c: for the parent of the run, if there is one, when all is written. */
void hk_run_wrote(const hk_written *written);

/* cli/verb_run.c: the verb, whose options are in cli/run_options.c. */
HK_NODISCARD hk_status hk_run_file(hk_cli *cli, const hk_args *args);
/* cli/verb_serve.c; and a run to its end: by itself, or as somebody drives it from a page. */
HK_NODISCARD hk_status hk_run_advance(hk_run *run, const hk_started *started);
HK_NODISCARD hk_status hk_serve_file(hk_cli *cli, const hk_args *args);

/* cli/run_play.c: `hocket run` of a simulation. */
HK_NODISCARD hk_status hk_run_simulation(hk_cli *cli, const hk_args *args,
                                         const hk_request *request);

/* --plot: of a record to PATH; NULL is fine for the check of its name. */
/* The state that it goes on from, --load-state or --resume; NULL: none. */
HK_NODISCARD hk_status hk_run_state(hk_cli *cli, const hk_args *args, const char **ret_path);
/* It is one; where not, those are named that are in its folder. NULL is fine. */
HK_NODISCARD hk_status hk_run_check_state(hk_cli *cli, const char *path);
/* The line about the states that were left on the way to PATH; none without any. */
void hk_run_put_left(FILE *out, hk_arena *arena, const char *path, const hk_states_left *left);
/* --checkpoint; without it they stay as they are. */
HK_NODISCARD hk_status hk_run_checkpoints(hk_cli *cli, const hk_args *args,
                                          hk_checkpoints *ret_checkpoints);
/* --save-state: it may replace the state that the run begins with. */
HK_NODISCARD hk_status hk_run_claim_state(hk_cli *cli, const hk_args *args);
HK_NODISCARD hk_status hk_run_check_plot(hk_cli *cli, const char *path);
HK_NODISCARD hk_status hk_run_plot(hk_cli *cli, const char *record, const char *title,
                                   const char *path);

/* "auto" is as many as there are processors. OPTION is 'threads' or 'workers'. */
unsigned hk_run_processors(void); /* that this machine has */
/* --threads; with --nodes: of each node. */
HK_NODISCARD hk_status hk_run_threads(hk_cli *cli, const hk_args *args, unsigned *ret_count);
HK_NODISCARD hk_status hk_run_count(hk_cli *cli, const hk_args *args, const char *option,
                                    unsigned *ret_count);
/* --timeout, --real-time: above 0 if they are given. */
HK_NODISCARD hk_status hk_run_positive(hk_cli *cli, const hk_args *args, const char *option,
                                       double *ret_value);

/* cli/run_text.c: what happened. STATUS is what the run ended with. */
void hk_run_summary(const hk_run *run, hk_status status);
/* Without a summary: a component has ended the run, and nobody else would know. */
void hk_run_warn_of_end(const hk_run *run);
void hk_run_stats(const hk_run *run);
hk_about hk_run_about_begun(const hk_run *run); /* what its record says until the run has ended */
hk_about hk_run_about(const hk_run *run, hk_status status); /* what its record says about it */
void hk_run_tell(const hk_run *run, hk_status status);      /* --json */

const char *hk_run_repetition(const hk_run *run); /* the command that makes it again, that way */

/* cli/run_page.c: --report. */
HK_NODISCARD hk_status hk_run_check_page(hk_cli *cli, const hk_args *args);
/* Of the run that came to STATUS, whose record is closed. */
HK_NODISCARD hk_status hk_run_page(hk_run *run, hk_status status);
/* Of a simulation that was not interrupted. */
HK_NODISCARD hk_status hk_play_page(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                                    const hk_play_report *report, hk_status status);

/* cli/run_meet.c: nodes that are started by hand. */
/* --meet; its number is 0. */
hk_meet hk_run_meet(hk_cli *cli, const hk_args *args);
/* The columns are looked at, and no row is kept: so all nodes send the same, recorded or not. */
void hk_run_listen_unseen(hk_cli *cli, const hk_recording *recording, hk_listener *ret_listener);

/* cli/verb_node.c: the verb, whose options are in cli/node_options.c. */
HK_NODISCARD hk_status hk_node_run(hk_cli *cli, const hk_args *args);

/* cli/run_play.c: --run and --seed. */
HK_NODISCARD hk_status hk_run_read_number(hk_cli *cli, const hk_args *args, int64_t *ret_run);
HK_NODISCARD hk_status hk_run_read_seed(hk_cli *cli, const hk_args *args, uint64_t *seed);
/* The seed of a system: the one of a simulation is in its file. */
HK_NODISCARD hk_status hk_run_seed(hk_run *run);

/* cli/play_text.c: the same for a simulation. */
void hk_play_summary(const hk_cli *cli, const hk_simulation *simulation,
                     const hk_play_report *report, double seconds, const char *page);
/* The event trace, one line per action, to OUT. */
void hk_play_put_trace(FILE *out, const hk_play_report *report);
void hk_play_put_verdicts(FILE *out, hk_cli *cli, const hk_play_report *report);

#endif
