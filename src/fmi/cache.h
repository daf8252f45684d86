/* SPDX-License-Identifier: MIT
 *
 * What is kept between runs: FMUs that are unpacked, libraries that were compiled, of FMUs and of
 * fused systems (src/fuse). An entry of an FMU carries the SHA-256 of its archive's directory as
 * its name, appears by rename, whole or not at all, and is shared by all runs and processes of a
 * user: so it holds nothing that a component is meant to write to, it is used only if nobody else
 * can write there, and its contents are compared with the archive, byte for byte, at every use. */
#ifndef HK_FMI_CACHE_H
#define HK_FMI_CACHE_H

#include "format/zip.h"

/* An entry that was not used for so long goes when another one comes; so do the oldest ones as long
 * as all of them are larger. */
#define HK_CACHE_DAYS  30
#define HK_CACHE_BYTES (INT64_C(2) << 30)

/* The folder of all entries, made if need be; NULL: there is none. That it can be had but not be
 * trusted is said once per process. */
const char *hk_cache_folder(hk_ctx *ctx, hk_arena *arena);
/* NULL if FOLDER is ours alone, else what is wrong with it: "belongs to another user". */
const char *hk_cache_distrust(const char *folder);
/* True for what is kept: the library with what is beside it, not resources, which an FMU may
 * write to, nor what only people read. */
bool hk_cache_keeps(const char *entry);
/* The entry of the archive ZIP, unpacked if need be. */
HK_NODISCARD hk_status hk_cache_take(hk_ctx *ctx, hk_arena *arena, hk_zip *zip, const char *cache,
                                     const char **ret_folder);
/* The entry that was taken is not needed any more. Until then nobody removes it, however old it
 * is. */
void hk_cache_release(const char *entry);
/* Libraries that were compiled from sources, by a KEY of all that decides about their bytes. The
 * name of the file holds the SHA-256 of key and contents, too: what was changed since, or built for
 * another key, is not taken. False: there is none. */
bool hk_cache_find_built(hk_arena *arena, const char *cache, const char *key, char **ret_data,
                         size_t *ret_size);
/* The same as a file, for who loads it; NULL: there is none. *RET_DAMAGED, which may be NULL: there
 * was one that is not what its name says. */
const char *hk_cache_path_built(hk_arena *arena, const char *cache, const char *key,
                                bool *ret_damaged);
/* False: it cannot be kept, and errno says why; not an error of who made it. */
bool hk_cache_put_built(hk_arena *arena, const char *cache, const char *key, const char *data,
                        size_t size);
/* What is kept under KEY turned out to be wrong. */
void hk_cache_drop_built(hk_arena *arena, const char *cache, const char *key);
/* Waits until no other process makes what KEY is for, DEADLINE_NS (of hk_clock_ns; 0: none) at the
 * latest; then look again whether it is there. For hk_cache_unlock; -1: nobody can be kept away. */
int hk_cache_lock(hk_arena *arena, const char *cache, const char *key, int64_t deadline_ns);
void hk_cache_unlock(hk_arena *arena, const char *cache, const char *key, int lock);
/* An entry is used: its time is that of its last use, to the hour. */
void hk_cache_touch(const char *folder);
/* Removes what is too old or too much, and what processes that died have left; not KEEP. */
void hk_cache_tidy(const char *cache, const char *keep, int64_t bytes_max);

#endif
