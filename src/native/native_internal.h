/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share and nobody else needs. */
#ifndef HK_NATIVE_NATIVE_INTERNAL_H
#define HK_NATIVE_NATIVE_INTERNAL_H

#include "native/builtin_internal.h"
#include "native/native.h"

/* What is behind the hk_info of a native type. */
typedef struct hk_native_origin {
    hk_info info;
    const hk_unit_type *type;
    /* Offsets of every hk_bytes in the struct: what a copy of its bytes does not copy. */
    size_t *slots;
    size_t slot_count;
    const hk_builtin_loader *loader; /* NULL: it reads nothing before init */
} hk_native_origin;

extern const hk_unit_class hk_native_class;

/* native.c: what every component does whose variables the engine reaches by address: nothing when a
 * phase ends, no words of its own for a call that failed, no calls that read or write variables. */
/* Tells what the type has to say about the run, if it does. */
void hk_native_remark(hk_ctx *ctx, const hk_unit_type *type, void *self, const char *name);

/* As hk_native_info, for a type that came from FILE (NULL: linked into the program). */
HK_NODISCARD hk_status hk_native_describe(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                                          const char *file, const hk_info **ret_info);
/* Checks what can be checked before any other field of TYPE is read. */
HK_NODISCARD hk_status hk_native_check_abi(hk_ctx *ctx, const hk_unit_type *type, const char *file);

/* What was described under NAME already; NULL: nothing. */
const hk_info *hk_native_described(const hk_model *model, const char *name);
/* measured.c. NULL: TYPE is not made to measure, or needs none. */
/* Are its outputs made from its inputs alone, at once? */
bool hk_measured_momentary(const hk_unit_type *type);
const hk_builtin_loader *hk_measured_loader(const hk_unit_type *type);

/* The last row whose time is not after T; 0 also if there is none. ROWS > 0; GUESS, a row, is where
 * the search begins. */
size_t hk_find_row(const double *times, size_t rows, size_t guess, double t);

/* native_domains.c: limits and enumerations of the variables, which are there already. */
HK_NODISCARD hk_status hk_native_read_domains(hk_ctx *ctx, hk_arena *arena,
                                              const hk_native_origin *origin);

/* signature.c: finds the items of enumerations in the arguments of an interface. */
void hk_native_read_items(hk_arena *arena, hk_service_info *service);

/* native_services.c */
HK_NODISCARD hk_status hk_native_describe_services(hk_ctx *ctx, hk_arena *arena,
                                                   hk_native_origin *origin);
void hk_native_fill_streams(const hk_unit_type *type, char *self, uint64_t seed, uint64_t run,
                            const char *component);
/* Bindings are pointers, which mean nothing in another process. */
void hk_native_forget_bindings(const hk_unit_type *type, char *self);

/* native_resource.c: what a component obtains outside of its struct. They do nothing for a type
 * that obtains nothing. */
hk_resource hk_native_resource(const hk_unit_type *type, const char *self);
void hk_native_put_resource(const hk_unit_type *type, char *self, hk_resource resource);
/* Says where relative names begin: FOLDER. A system that a tool carries has a path below the tool,
 * which is a file: there it is the folder of the tool. The text is in an arena that is made. */
void hk_native_begin_resource(const hk_unit_type *type, char *self, const char *folder,
                              hk_arena **ret_arena);
void hk_native_release(const hk_unit_type *type, char *self);
/* What the component says about its own failure; "": nothing. */
const char *hk_native_complaint(const hk_unit_type *type, const char *self);

#endif
