/* SPDX-License-Identifier: MIT
 *
 * What a name means: "component.variable", "component.array[2]", "component.matrix[1,2]". Indices
 * count from 1, the last one runs fastest, and one index alone counts through all elements of an
 * array of several dimensions. A variable that is really called `x[1]`, as scalars of FMI 1.0 and
 * 2.0 often are, comes before an element of `x`. Everything that takes names asks here. */
#ifndef HK_MODEL_ADDRESS_H
#define HK_MODEL_ADDRESS_H

#include "model/model.h"

/* Scalars x[1], x[2] ... that stand for an array x, which the component itself does not have. */
typedef struct hk_group {
    const uint32_t *variables; /* row by row */
    size_t count;
    const size_t *dims;
    size_t dim_count;
} hk_group;

typedef struct hk_address {
    uint32_t component, variable; /* of a group: the first */
    uint32_t element;             /* the first one that is meant, from 0 */
    uint32_t count;               /* elements that are meant; 0: the whole variable */
    const hk_group *group;        /* hk_model_find_end only; NULL: one variable */
} hk_address;

/* Looks NAME up in a component; the result's component is 0. */
bool hk_info_address(const hk_info *info, const char *name, hk_address *ret_address);
/* Finds "component.variable" (component names may contain dots: the longest that fits wins), or an
 * alias. In a single model "variable" alone is enough. */
bool hk_model_find(const hk_model *model, const char *path, hk_address *ret_address);
/* The same for an end of a connection, which may be a group too; that lives as long as the model.
 */
bool hk_model_find_end(hk_model *model, const char *path, hk_address *ret_address);
/* The group called NAME of a component; NULL: there is none. */
const hk_group *hk_info_group(hk_arena *arena, const hk_info *info, const char *name);
/* What else is to be set or driven if PATH, as given to hk_model_find, is; NULL: nothing. */
const hk_branch *hk_model_branches(const hk_model *model, const char *path);

/* The input of a system that PATH names, which is not a variable; NULL: there is none. */
const hk_inlet *hk_model_inlet(const hk_model *model, const char *path);
/* The output of the outermost system that PATH names, which is not a variable as it is; NULL. */
const hk_shown *hk_model_shown(const hk_model *model, const char *path);
hk_address hk_branch_address(const hk_branch *branch);

/* Why the variable that PATH names, which is not found, cannot be used; NULL: there is none. */
const char *hk_model_why_not(const hk_model *model, const char *path);
const hk_variable *hk_address_variable(const hk_model *model, const hk_address *address);
size_t hk_address_count(const hk_model *model, const hk_address *address); /* elements meant */
/* "component.array[2]", in ARENA. */
const char *hk_address_name(hk_arena *arena, const hk_model *model, const hk_address *address);
/* The ends of a connection. */
hk_address hk_connection_source(const hk_connection *connection);
hk_address hk_connection_sink(const hk_connection *connection);
/* True if V has indices at all, be it one element only. */
bool hk_variable_is_array(const hk_variable *v);
/* Writes "[2,1]" for an element (from 0) of an array and a NUL; BUFFER has hk_index_size bytes. */
void hk_index_write(const hk_variable *v, size_t element, char *buffer);
size_t hk_index_size(const hk_variable *v);

/* Connections that were added together, one after the other. */
typedef struct hk_joined {
    size_t first, count;
} hk_joined;

/* Adds what is between two ends: one connection like LIKE, or one for each element if an end is a
 * group. LIKE says where it is written; its initial value is one of the whole end. Fails
 * (HK_E_CONNECTION) if the ends of a group have other shapes. */
HK_NODISCARD hk_status hk_model_join(hk_ctx *ctx, hk_model *model, const hk_address *from,
                                     const hk_address *to, const hk_connection *like,
                                     hk_joined *ret_joined);

#endif
