/* SPDX-License-Identifier: MIT
 *
 * What a person says about variables, as text: values with units, conditions. For the library and
 * the command line; WHO is the option or field that the text was given to, for messages. */
#ifndef HK_ASSEMBLY_VALUES_H
#define HK_ASSEMBLY_VALUES_H

#include "engine/sim.h"
#include "model/address.h"

/* Finds the variable or element called NAME; else says which one may be meant, or FALLBACK as the
 * hint. WHO may be NULL. */
HK_NODISCARD hk_status hk_model_need(hk_ctx *ctx, const hk_model *model, const char *who,
                                     const char *fallback, const char *name,
                                     hk_address *ret_address);
/* Who names a variable. */
typedef struct hk_asker {
    const char *who;      /* the option or field, for messages; NULL: none */
    const char *fallback; /* the hint if no name is close to what is asked for */
    hk_where where;       /* where the name is, if it does so in a file */
} hk_asker;
HK_NODISCARD hk_status hk_model_need_at(hk_ctx *ctx, const hk_model *model, const hk_asker *asker,
                                        const char *name, hk_address *ret_address);
/* "12.5 km/h", in its parts. */
typedef struct hk_quantity {
    const char *number; /* the whole text, if it has no unit */
    hk_uom uom;
    bool has_unit;
} hk_quantity;
/* Splits TEXT if the variable takes numbers and a unit follows one; the number is in ARENA. */
HK_NODISCARD hk_status hk_unit_split(hk_ctx *ctx, hk_arena *arena, const hk_variable *variable,
                                     const char *text, hk_where where, hk_quantity *ret_quantity);
/* Gives what is called NAME and was found at ADDRESS, and whatever else the connector of that name
 * drives, the value TEXT with its unit, as the user's wish; an earlier wish for it is forgotten. A
 * parameter that others share is set for all of them; one that follows another is refused
 * (HK_E_PARAMETER). */
HK_NODISCARD hk_status hk_model_set_text(hk_ctx *ctx, hk_model *model, const char *name,
                                         const hk_address *address, const char *text,
                                         hk_where where);
/* The same for a number whose unit is known. */
HK_NODISCARD hk_status hk_model_set_number(hk_ctx *ctx, hk_model *model, const char *name,
                                           const hk_address *address, const hk_given_text *number);
/* Gives an input of a system, which is not one variable, the value TEXT: all that it leads to get
 * what the transformations make of it. UNIT is that of TEXT; NULL: it may be in it. */
HK_NODISCARD hk_status hk_model_set_inlet(hk_ctx *ctx, hk_model *model, const hk_inlet *inlet,
                                          const char *text, const hk_uom *unit, hk_where where);
/* Reads a condition like "tank.level > 25 cm"; its text is TEXT itself. */
HK_NODISCARD hk_status hk_condition_read(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                                         const hk_asker *asker, const char *text,
                                         hk_stop_when *ret_condition);

#endif
