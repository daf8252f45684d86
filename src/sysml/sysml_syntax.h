/* SPDX-License-Identifier: MIT
 *
 * What a file in SysML v2 text says, as a tree with its comments: the subset that the profile of
 * co-simulation is written in (docs/sysml.md). Packages, definitions, usages, flows, connections,
 * dependencies, metadata and imports are all elements, which may hold others. The tree is that of
 * the text; profile.h says what it means. */
#ifndef HK_SYSML_SYNTAX_H
#define HK_SYSML_SYNTAX_H

#include "base/file.h"
#include "text/nodes.h"

typedef enum hk_sysml_kind {
    HK_SYSML_PACKAGE,
    HK_SYSML_IMPORT,
    HK_SYSML_DOC, /* doc / * text * / */
    HK_SYSML_PART,
    HK_SYSML_ATTRIBUTE,
    HK_SYSML_ITEM,
    HK_SYSML_PORT,
    HK_SYSML_ENUM,
    HK_SYSML_METADATA_DEF,
    HK_SYSML_METADATA, /* @NAME { ... } */
    HK_SYSML_REDEFINE, /* :>> NAME = E; or, in metadata, NAME = E; */
    HK_SYSML_FLOW,
    HK_SYSML_CONNECT,
    HK_SYSML_INTERFACE,
    HK_SYSML_DEPENDENCY,
    HK_SYSML_KINDS
} hk_sysml_kind;

/* A name with '::' or '.' between its parts, without quotes: text "CoSim::EComponent" is for
 * messages, parts are what is meant. */
typedef struct hk_sysml_name {
    const char *text; /* parts with separators; "": missing */
    const char *const *parts;
    size_t part_count;
    hk_place at;
} hk_sysml_name;

/* Numbers, texts, truths, names (a::b), '-' before a number, and (a, b). */
typedef enum hk_sysml_expr_kind {
    HK_SYSML_NUMBER,
    HK_SYSML_TEXT, /* without quotes */
    HK_SYSML_TRUTH,
    HK_SYSML_NAME,
    HK_SYSML_MINUS, /* of items[0] */
    HK_SYSML_LIST,
    HK_SYSML_STAR /* '*': any number, in multiplicities */
} hk_sysml_expr_kind;

typedef struct hk_sysml_expr hk_sysml_expr;
struct hk_sysml_expr {
    hk_sysml_expr_kind kind;
    const char *text;
    const hk_sysml_expr *items;
    size_t item_count;
    hk_sysml_name name; /* NAME: its parts */
    hk_place at;
};

typedef enum hk_sysml_direction {
    HK_SYSML_UNDIRECTED,
    HK_SYSML_IN,
    HK_SYSML_OUT,
    HK_SYSML_INOUT
} hk_sysml_direction;

typedef struct hk_sysml_element hk_sysml_element;
struct hk_sysml_element {
    hk_sysml_kind kind;
    bool definition; /* part def, enum def ... */
    bool library;    /* of a package */
    bool is_private, is_public;
    bool is_abstract, is_ref, is_constant;
    hk_sysml_direction direction;
    const hk_sysml_name *prefixes; /* #system: user-defined keywords */
    size_t prefix_count;
    const char *name; /* without quotes; NULL: it has none */
    hk_place name_at;
    const hk_sysml_name *specializes; /* definitions: ':>'; usages: subsets */
    size_t specialize_count;
    hk_sysml_name redefines; /* ':>>' */
    hk_sysml_name type;      /* behind ':'; of METADATA: what it is of; of FLOW: behind 'of' */
    bool conjugated;         /* : ~T */
    bool has_multiplicity, has_range;
    hk_sysml_expr lower, upper; /* [n]: both; [a..b] */
    bool ordered, nonunique;
    const hk_sysml_expr *value; /* behind '='; NULL: none */
    bool is_default;            /* default = E */
    const hk_sysml_name *ends;  /* FLOW, CONNECT, INTERFACE: from, to; DEPENDENCY: from, then those
                                   behind 'to'; METADATA: about */
    size_t end_count;
    bool wildcard, recursive; /* IMPORT: ::* and ::** */
    bool from_word;           /* FLOW: 'from' is written */
    bool has_word;            /* ENUM: 'enum' is written; REDEFINE: ':>>' is */
    bool has_body;
    hk_sysml_element *members;
    size_t member_count;
    const char *doc; /* DOC: the comment as written */
    hk_place at, end;
};

typedef struct hk_sysml_file {
    hk_sysml_element *members;
    size_t member_count;
    hk_place end;
} hk_sysml_file;

/* Reads a text; FILE is its name for messages. Every mistake is reported. The tree lives in ARENA
 * and is whole after mistakes, too. */
HK_NODISCARD hk_status hk_sysml_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                      const char *data, size_t size, hk_sysml_file **ret_file);
/* The canonical text. */
const char *hk_sysml_print(hk_arena *arena, const hk_sysml_file *file);
/* NAME as it is written: in quotes if it is a word of the language, or not a name otherwise. */
const char *hk_sysml_spell(hk_arena *arena, const char *name);
/* A word that cannot be a name without quotes. */
bool hk_sysml_is_reserved(const char *word);

#endif
