/* SPDX-License-Identifier: MIT
 *
 * Other programs: started without a shell, so that no name of a file is ever read as anything else,
 * and waited for. They do not outlive this process. */
#ifndef HK_BASE_COMMAND_H
#define HK_BASE_COMMAND_H

#include "base/diag.h"

enum {
    HK_COMMAND_NONE = 127,    /* what stands for a program that cannot be started */
    HK_COMMAND_LATE = 1 << 20 /* ... and for one that was ended at its deadline */
};

/* The words of a command, which live elsewhere. {0} is an empty one. */
typedef struct hk_command {
    const char **words;
    size_t count, cap;
    int64_t deadline_ns; /* of hk_clock_ns; 0: it takes what it takes */
} hk_command;

void hk_command_add(hk_command *command, const char *word);
/* The words of TEXT, which spaces separate: "ccache gcc -m64". */
void hk_command_add_words(hk_command *command, hk_arena *arena, const char *text);
/* The name of a file; no program may take it for an option, or for a list of options. */
void hk_command_add_file(hk_command *command, hk_arena *arena, const char *name);
/* Runs it in FOLDER (NULL: here). What it says goes into the file at LOG; what it writes to
 * standard output, into the one at OUT if that is not NULL. Returns the exit status; above 255 if a
 * signal ended it; below 0 if no process could be made, and errno says why. */
int hk_command_run(hk_command *command, const char *folder, const char *out, const char *log);
void hk_command_finish(hk_command *command);

/* One of several commands that run at the same time. */
typedef struct hk_task {
    hk_command command;
    const char *log; /* what it says */
    int code;        /* as hk_command_run returns it; of one that was not begun: 0 */
} hk_task;
/* Is told how many have ended. */
typedef void hk_tasks_fn(void *user, size_t ended);
/* Runs them in FOLDER, up to AT_ONCE at the same time. Once one has failed no other is begun, and
 * those that run are waited for. Returns the first one, in their order, that failed; COUNT: none.
 * TELL may be NULL. */
size_t hk_tasks_run(hk_task *tasks, size_t count, unsigned at_once, const char *folder,
                    hk_tasks_fn *tell, void *user);

/* The file of the program NAME, as the folders of PATH have it; NULL: none of them does. */
const char *hk_command_find(hk_arena *arena, const char *name);

#endif
