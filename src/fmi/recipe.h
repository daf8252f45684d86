/* SPDX-License-Identifier: MIT
 *
 * Inside the fmi room: how the sources of an FMU are to be compiled, as the FMU says it: by
 * sources/buildDescription.xml, by the list of files in the model description, or, if there is
 * neither, by what lies in sources/. All paths are relative to sources/, exist in the archive and
 * stay inside. */
#ifndef HK_FMI_RECIPE_H
#define HK_FMI_RECIPE_H

#include "fmi/fmu.h"

/* Files that are compiled alike. */
typedef struct hk_source_set {
    const char **files;
    size_t file_count, file_cap;
    const char **defines; /* "NAME" or "NAME=VALUE" */
    size_t define_count, define_cap;
    const char **includes;
    size_t include_count, include_cap;
    const char **options; /* of the compiler, those that only say how to translate */
    size_t option_count, option_cap;
    const char *language; /* as it is written: "C99", "C++11"; NULL: not said */
} hk_source_set;

typedef struct hk_recipe {
    hk_source_set *sets;
    size_t set_count, set_cap;
    const char **libraries; /* words for the linker: "-lX", or the path of one in the archive,
                               relative to its root, with '/' in it */
    size_t library_count, library_cap;
    bool described; /* there is a build description */
} hk_recipe;

/* Reads it out of the archive ZIP of FMU. What the recipe says but hocket does not use is reported
 * as notes and warnings. Free with hk_recipe_finish, also after a failure. */
HK_NODISCARD hk_status hk_recipe_read(hk_ctx *ctx, hk_arena *arena, const hk_fmu *fmu, hk_zip *zip,
                                      hk_recipe *ret_recipe);
void hk_recipe_finish(hk_recipe *recipe);

/* True if FILE is C++ by the name of the file, or by the language of its set. */
bool hk_recipe_is_cpp(const hk_source_set *set, const char *file);
/* The folder of this machine below binaries/, in the words of FMI 3.0: "x86_64-linux". */
const char *hk_recipe_platform(void);

#endif
