/* SPDX-License-Identifier: MIT
 *
 * SSP 1.0: packages (.ssp) and loose system structure descriptions (.ssd) become a model. */
#ifndef HK_SSP_SSP_H
#define HK_SSP_SSP_H

#include "model/model.h"
#include "model/tree.h"

/* What is asked for beyond the file; zero in every field: nothing. */
typedef struct hk_ssp_options {
    const char *set;      /* the parameter sets of this name alone, or this file in addition */
    const hk_ratio *step; /* of the system, in place of what the file says: step size hints become
                             multiples of it */
    bool unpack;          /* sources lie on the disk as long as the model, also those of packages:
                             they are to be copied (hk_tree_source) */
} hk_ssp_options;

/* Reads PATH (.ssp or .ssd), the parameter sets and FMUs it names. What hocket does not understand
 * gives a warning with its place; what makes the system wrong gives errors, as many as there are,
 * and a failure at the end. Annotations of type "org.hocket.schedule" (namespace
 * HK_SSP_NAMESPACE) carry period, offset, priority, lag, delay, initial value. OPTIONS may be NULL.
 */
HK_NODISCARD hk_status hk_ssp_read(hk_ctx *ctx, const char *path, const hk_ssp_options *options,
                                   hk_model **ret_model);
/* "x.ssp#Variant.ssd" names one of several descriptions in a package: the length of the name of the
 * file itself. All of PATH if it names none. */
size_t hk_ssp_file_length(const char *path);
/* A parameter of a parameter set, as it is written. */
typedef struct hk_ssp_value {
    const char *name, *text;
    size_t items;        /* TEXT is a list of so many, as hk_value_list makes it; 0: it is none */
    bool is_text;        /* TEXT is one text, whatever it holds */
    const size_t *sizes; /* as its Dimensions say */
    size_t size_count;   /* 0: it has none */
    const hk_uom *uom;   /* by the units of the set; NULL: none is given */
    hk_where where;
} hk_ssp_value;

/* Reads a parameter set (.ssv) alone. Everything lives in ARENA. */
HK_NODISCARD hk_status hk_ssp_read_values(hk_ctx *ctx, hk_arena *arena, const char *path,
                                          hk_ssp_value **ret_values, size_t *ret_count);
/* Parses an SSD alone, without opening what it refers to: for the fuzzer. */
HK_NODISCARD hk_status hk_ssp_parse_ssd(hk_ctx *ctx, const char *file, const char *data,
                                        size_t size);

/* Writes MODEL, which has a tree, as the description PATH (.ssd), with the ways to its files, or as
 * the package PATH (.ssp), which holds them, and everything in it that a run needs: reading it
 * again gives the same run. What SSP and our annotations have no words for is refused (HK_E_SSP),
 * and no file is made. */
HK_NODISCARD hk_status hk_ssp_write(hk_ctx *ctx, const hk_model *model, const char *path);
/* Writes the description or package FROM, which MODEL was read from, as the description or package
 * TO, in canonical form, with the values that MODEL has got from the user (HK_FROM_USER). All else
 * stays: comments, order, geometry, annotations of other tools. A package that is made holds the
 * files that the description names; those of a package that becomes a description are put into the
 * folder TO_files beside it, which must be new. */
HK_NODISCARD hk_status hk_ssp_edit(hk_ctx *ctx, const hk_model *model, const char *from,
                                   const char *to);
/* The canonical form of a description, parameter set, mapping or dictionary, in ARENA. */
HK_NODISCARD hk_status hk_ssp_format(hk_ctx *ctx, hk_arena *arena, const char *file,
                                     const char *data, size_t size, const char **ret_text);
/* Parses an SSV, SSM or SSB alone; ROOT is "ParameterSet", "ParameterMapping" or
 * "SignalDictionary": for the fuzzer. */
HK_NODISCARD hk_status hk_ssp_parse_part(hk_ctx *ctx, const char *file, const char *root,
                                         const char *data, size_t size);

/* The scene that the description or package PATH names by an annotation of the type HK_SSP_SCENE.
 * *RET_FOLDER: where it was unpacked to, for the caller to remove, also after a failure; NULL:
 * nowhere. */
HK_NODISCARD hk_status hk_ssp_scene(hk_ctx *ctx, hk_arena *arena, const char *path,
                                    const char **ret_scene, const char **ret_folder);

#define HK_SSP_SCENE      "org.hocket.scene" /* the type of its annotation */
#define HK_SSP_NAMESPACE  "urn:org.hocket:schedule:1"
#define HK_SSP_ANNOTATION "org.hocket.schedule" /* its type */
/* What other languages know of a system and SSP does not: interfaces, leaf types, type files. */
#define HK_SSP_SYSTEM_NAMESPACE  "urn:org.hocket:system:1"
#define HK_SSP_SYSTEM_ANNOTATION "org.hocket.system"

#endif
