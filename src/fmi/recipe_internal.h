/* SPDX-License-Identifier: MIT
 *
 * What recipe.c and recipe_described.c share. */
#ifndef HK_FMI_RECIPE_INTERNAL_H
#define HK_FMI_RECIPE_INTERNAL_H

#include "base/map.h"
#include "fmi/recipe.h"

typedef struct reading {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_fmu *fmu;
    hk_zip *zip;
} reading;

hk_source_set *hk_recipe_add_set(hk_recipe *recipe);
/* The path in the form a/b/c; NULL: it leads out of the folder it begins in. "" is that folder. */
const char *hk_recipe_path(hk_arena *arena, const char *name);
/* NAME is one of the files to compile; WHERE says so. */
HK_NODISCARD hk_status hk_recipe_add_file(const reading *r, hk_source_set *set, hk_where where,
                                          const char *name);
/* The entry INDEX of the archive as XML; FILE is for messages. */
HK_NODISCARD hk_status hk_recipe_parse(const reading *r, size_t index, const char *file,
                                       const hk_xml **ret_root);
/* recipe_described.c: sources/buildDescription.xml, which is the entry INDEX. */
HK_NODISCARD hk_status hk_recipe_read_described(const reading *r, size_t index, hk_recipe *recipe);

#endif
