/* SPDX-License-Identifier: MIT
 *
 * Files and folders of the system, and files that the program carries in itself (base/packed.h).
 * Functions that fail say so with HK_E_FILE_READ or HK_E_FILE_WRITE. */
#ifndef HK_BASE_FILE_H
#define HK_BASE_FILE_H

#include "base/diag.h"

/* A text in memory, and how messages call the file that it is from. */
typedef struct hk_file_text {
    const char *file, *data;
    size_t size;
} hk_file_text;

/* The whole file in memory, with a NUL after its last byte; free with hk_free. Files larger than
 * LIMIT bytes are refused (0: no limit). */
HK_NODISCARD hk_status hk_file_read(hk_ctx *ctx, const char *path, size_t limit, char **ret_data,
                                    size_t *ret_size);
/* Writes the file under a temporary name beside it and renames it, so that it is there whole or
 * not at all. Refused if the same work has read it (base/claims.h). */
HK_NODISCARD hk_status hk_file_write(hk_ctx *ctx, const char *path, const void *data, size_t size);
/* The same for a program: those who may read it may execute it. */
HK_NODISCARD hk_status hk_file_write_program(hk_ctx *ctx, const char *path, const void *data,
                                             size_t size);
/* The same for what was read to be replaced, as hk_claim_replaceable has said. */
HK_NODISCARD hk_status hk_file_rewrite(hk_ctx *ctx, const char *path, const void *data,
                                       size_t size);
/* Says early what would make writing PATH fail: its folder is missing, it is a folder, or it may
 * not be written, though it could be replaced. */
HK_NODISCARD hk_status hk_file_check(hk_ctx *ctx, const char *path);
/* "-", "/dev/stdout", "/dev/fd/1" or whatever else leads there. By the time it is opened a
 * component that prints may have been sent elsewhere, so it must be known before. */
bool hk_path_is_stdout(const char *path);
/* The file that a descriptor stands for. A component can close the descriptors of others, and open
 * files of its own under their numbers; who writes for long looks whether it is still the same. */
typedef struct hk_file_id {
    uint64_t device, node;
} hk_file_id;
hk_file_id hk_file_identify(int fd); /* all 0: it stands for none */
bool hk_file_is(int fd, hk_file_id id);
/* Which file is at a path, and when it was last changed in any way: what is written can be
 * looked at again when all that could have changed it is gone. The time is the system's own; no
 * program can set it. */
typedef struct hk_file_stamp {
    hk_file_id id;
    uint64_t size;
    int64_t changed_s, changed_ns;
} hk_file_stamp;
hk_file_stamp hk_file_stamp_of(const char *path); /* all 0: there is no regular file */
bool hk_file_stamp_same(hk_file_stamp a, hk_file_stamp b);
bool hk_file_exists(const char *path);
bool hk_file_is_regular(const char *path); /* reading it cannot wait for anybody */
bool hk_folder_exists(const char *path);
HK_NODISCARD hk_status hk_folder_make(hk_ctx *ctx, const char *path); /* with its parents */
/* A new empty folder with an unguessable name below $TMPDIR or /tmp. */
HK_NODISCARD hk_status hk_folder_temporary(hk_ctx *ctx, hk_arena *arena, const char **ret_path);
const char *hk_folder_of_temporary(void); /* ... which of them it is; as it was named */
/* Does it lie in a temporary folder of this process? PATH is absolute, links followed. */
bool hk_path_is_temporary(const char *path);
void hk_folder_remove(const char *path); /* with all it holds; follows no links; errors ignored */
/* Removes those of processes that were killed; hk_folder_temporary does so once. */
void hk_folder_remove_leftovers(void);
/* Removes every temporary folder that is still there; for the last moments of a process, also in a
 * signal handler. */
void hk_folder_remove_temporary(void);
/* In a process that was forked: what there is now is left to the other one. */
void hk_folder_forget_temporary(void);
const char *hk_path_join(hk_arena *arena, const char *folder, const char *name);
const char *hk_path_folder(hk_arena *arena, const char *path); /* "." if there is none */
const char *hk_path_name(const char *path);                    /* after the last '/' */
const char *hk_path_extension(const char *path);               /* ".fmu", in the path; "" if none */
const char *hk_path_absolute(hk_arena *arena, const char *path);
/* One name for all paths of one file, links followed; PATH itself where there is none. */
const char *hk_path_real(hk_arena *arena, const char *path);
/* The way from a folder to a file, both absolute: "../x.fmu". */
const char *hk_path_way(hk_arena *arena, const char *folder, const char *file);

#endif
