/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share and nobody else needs. */
#ifndef HK_GEN_GEN_INTERNAL_H
#define HK_GEN_GEN_INTERNAL_H

#include "base/map.h"
#include "gen/gen.h"
#include "gen/gen_text.h"
#include "lang/types/types.h"

/* ---- gen_collect.c: what is generated
 * -------------------------------------------------------------
 */

typedef struct hk_gentype {
    const hk_lang_type *type;
    const char *c;
    const char **parts; /* records: fields, enumerations: items */
} hk_gentype;

typedef struct hk_genfunction {
    const hk_lang_function *function;
    const char *c;      /* member of the struct of function pointers */
    const char *caller; /* inline function that calls it through a binding */
    const char **arguments;
} hk_genfunction;

typedef struct hk_geninterface {
    const hk_lang_interface *interface;
    const char *c, *binding;
    hk_genfunction *functions;
    bool used; /* by a leaf that is generated */
} hk_geninterface;

typedef struct hk_genleaf {
    const hk_lang_leaf *leaf;
    const char *c;    /* struct, and stem of the file names */
    const char *user; /* struct of the user's own fields */
    const char **inputs, **outputs, **parameters, **required;
    const char **provided;   /* for function names */
    const char ***functions; /* per provided interface and function */
    const char **entries;    /* per entry of hk_gen_entries */
    const char *streams, **depends;
} hk_genleaf;

/* What hocket calls in every leaf. */
typedef struct hk_genentry {
    const char *name;      /* of the region and, behind the leaf's name, of the function */
    const char *slot;      /* in hk_unit_type */
    const char *arguments; /* behind self */
    bool returns;
    const char *what;
} hk_genentry;
enum { HK_GEN_ENTRIES = 6 };
extern const hk_genentry hk_gen_entries[HK_GEN_ENTRIES];

typedef struct hk_gen {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_gen_options *options;
    hk_gen_report *report;
    hk_types *types;
    const char *source;  /* name of the type file */
    const char *package; /* as it is declared */
    const char *name;    /* the same in C */
    hk_scope scope;      /* of the whole plugin */
    hk_gentype *gentypes;
    size_t gentype_count, gentype_cap;
    hk_map type_index; /* by full name */
    hk_geninterface *interfaces;
    size_t interface_count, interface_cap;
    hk_map interface_index;
    hk_genleaf *leaves;
    size_t leaf_count, leaf_cap;
    hk_scope all_leaves; /* C names of leaves that are declared, generated or not */
} hk_gen;

/* Reads the type file and gives everything its name. */
HK_NODISCARD hk_status hk_gen_collect(hk_gen *gen);
void hk_gen_finish(hk_gen *gen);
const char *hk_gen_ctype(const hk_gen *gen, const hk_lang_type *type); /* "double", "core_..." */
const hk_gentype *hk_gen_type(const hk_gen *gen, const hk_lang_type *type);
const hk_geninterface *hk_gen_interface(const hk_gen *gen, const hk_lang_interface *interface);
/* "int64_t time", ... after FIRST; *ret_count of them, in the arena. */
const char **hk_gen_arguments(const hk_gen *gen, const hk_genfunction *f, const char *first,
                              size_t *ret_count);

/* ---- header.c, leaf.c, glue.c, gen_domains.c, project.c: texts
 * ------------------------------------
 */

void hk_gen_head(const hk_gen *gen, hk_text *text, const char *leaf, bool regions);
void hk_gen_header(const hk_gen *gen, hk_text *text);
void hk_gen_leaf_header(const hk_gen *gen, const hk_genleaf *leaf, hk_text *text);
void hk_gen_leaf_source(const hk_gen *gen, const hk_genleaf *leaf, hk_text *text);
HK_NODISCARD hk_status hk_gen_glue(const hk_gen *gen, hk_text *text);
/* For the glue: all enumerations of ports; then per leaf, with the number N, the table of domains,
 * of which the number of rows is returned. */
void hk_gen_enums(const hk_gen *gen, hk_text *text);
size_t hk_gen_domains(const hk_gen *gen, const hk_genleaf *leaf, size_t n, hk_text *text);
void hk_gen_sources(const hk_gen *gen, hk_text *text);
void hk_gen_cmake(const hk_gen *gen, hk_text *text);
void hk_gen_readme(const hk_gen *gen, hk_text *text);
/* The file that is generated from, as it is named by those who are in the folder of the README. */
const char *hk_gen_from_there(const hk_gen *gen);

/* ---- regions.c: text that belongs to the user -------------------------------------------------
 */

#define HK_GEN_BEGIN "/* user code begin: "
#define HK_GEN_END   "/* user code end: "
#define HK_GEN_MARK  "hocket gen 1: checksum "

typedef struct hk_region {
    const char *name;
    size_t begin, end; /* of the text between the marks: whole lines */
    int line;          /* of the first mark */
} hk_region;

typedef struct hk_regions {
    const char *data;
    size_t size;
    hk_region *list;
    size_t count, cap;
} hk_regions;

/* Finds the regions of a text that must outlive them; FILE is for messages. */
HK_NODISCARD hk_status hk_regions_read(hk_ctx *ctx, hk_arena *arena, const char *file,
                                       const char *data, size_t size, hk_regions *ret_regions);
void hk_regions_finish(hk_regions *regions);
const hk_region *hk_regions_find(const hk_regions *regions, const char *name);
bool hk_region_is_blank(const hk_regions *regions, const hk_region *region);
/* FRESH with the user's text of OLD put in, what has no place any more at its end; what happened
 * goes to REPORT under PATH. */
void hk_regions_merge(hk_arena *arena, const hk_regions *fresh, const hk_regions *old,
                      const char *path, hk_gen_report *report, hk_text *ret_text);
/* Of all that is outside the regions; layout does not count. */
uint64_t hk_regions_checksum(const hk_regions *regions);
/* Puts the checksum into the head of a text. */
void hk_regions_seal(hk_arena *arena, hk_text *text);
typedef enum hk_seal { HK_SEAL_NONE, HK_SEAL_BROKEN, HK_SEAL_GOOD } hk_seal;
hk_seal hk_regions_seal_state(const hk_regions *regions);
/* The first line of OLD outside its regions that FRESH does not have; 0: none. */
int hk_regions_first_change(const hk_regions *old, const hk_regions *fresh);

/* ---- gen_write.c
 * ----------------------------------------------------------------------------------
 */

/* One file to be, in the folder of the options. */
typedef struct hk_genfile {
    const char *name;
    hk_text text;
    bool only_if_absent;
    const hk_genleaf *leaf; /* of a skeleton; NULL: another file */
} hk_genfile;

/* Compares all files with what is there, and writes those that change. */
HK_NODISCARD hk_status hk_gen_write(hk_gen *gen, hk_genfile *files, size_t count);

/* ---- chart_gen.c: all of it, from a RoboChart file
 * ----------------------------------------------------------------------------------
 */

HK_NODISCARD hk_status hk_gen_chart(hk_gen *gen);

#endif
