/* SPDX-License-Identifier: MIT
 *
 * What a system was read from, as it is written there: systems in systems, components, connectors,
 * the connections inside each system, interfaces, and all that says nothing about a run: geometry,
 * annotations, comments. The model beside it is flat and says what runs; names that users see are
 * those of the tree. Front ends fill it in, and writers write it in another format. Everything
 * lives in the arena of the model. */
#ifndef HK_MODEL_TREE_H
#define HK_MODEL_TREE_H

#include "model/model.h"

typedef enum hk_tree_kind {
    HK_TREE_UNSPECIFIED,
    HK_TREE_INPUT,
    HK_TREE_OUTPUT,
    HK_TREE_PARAMETER,
    HK_TREE_CALCULATED,
    HK_TREE_INOUT,
    HK_TREE_STRUCTURAL,
    HK_TREE_CONSTANT,
    HK_TREE_LOCAL
} hk_tree_kind;
const char *hk_tree_kind_name(hk_tree_kind kind); /* as SSP calls it */

/* Points of a drawing; an element has two (its corners), a connector one, a connection those
 * between its ends. */
typedef struct hk_tree_geometry {
    const double *x, *y;
    size_t count; /* 0: nothing is known */
} hk_tree_geometry;

/* What somebody else has noted: XML with its namespaces declared, so that it stands for itself. */
typedef struct hk_tree_annotation {
    const char *type, *xml;
    const char *what; /* in words, for who leaves it out: "a scene" */
    hk_where where;
} hk_tree_annotation;

/* Comments as the languages of hocket write them, one a line: "// text", "/" "* text *" "/". */
typedef struct hk_tree_comments {
    const char **texts;
    size_t count, cap;
} hk_tree_comments;

/* One value (or array) that goes in or out; one for each part of a record. */
typedef struct hk_tree_connector {
    const char *name; /* "position.x" */
    hk_tree_kind kind;
    bool has_type;
    hk_type type;
    const char *unit; /* as written; NULL: none */
    const hk_uom *uom;
    const hk_enum *enumeration;
    const size_t *sizes; /* of an array; 0: not known */
    size_t size_count;
    /* The port that it is a part of, and the type of that: "position", "core.Coordinate3D"; NULL:
     * it is declared by itself. */
    const char *port, *port_type, *frame;
    hk_tree_comments above;
    hk_tree_geometry geometry;
    hk_where where;
} hk_tree_connector;

/* Where a value comes from and where it goes to: a connector of an element, or (element NULL) of
 * the system itself. */
typedef struct hk_tree_end {
    const char *element, *connector; /* "u[2]": one element of an array */
} hk_tree_end;

typedef struct hk_tree_connection {
    hk_tree_end from, to;
    hk_transform_kind transform;
    double factor, offset;
    const char *const *map_from, *const *map_to; /* as written */
    size_t map_count;
    bool suppress_unit_conversion;
    hk_lag lag;
    hk_ratio delay;
    const char *initial; /* as hk_value_parse reads it; NULL: none */
    hk_tree_comments above;
    hk_tree_geometry geometry;
    hk_where where;
} hk_tree_connection;

/* An interface of functions of a system. */
typedef struct hk_tree_interface {
    const char *name, *interface;
    bool provided;
    hk_where where;
} hk_tree_interface;

/* Who may answer: from what asks to what answers, each "element.interface" or "interface". */
typedef struct hk_tree_service {
    const char *from, *to;
    hk_where where;
} hk_tree_service;

/* A parameter set that is given to an element, and where it is from; NULL: it is written inline. */
typedef struct hk_tree_binding {
    const char *prefix, *source, *mapping;
    hk_where where;
} hk_tree_binding;

/* What is written above the value of a parameter or input. */
typedef struct hk_tree_note {
    const char *name; /* of the variable */
    hk_tree_comments above;
} hk_tree_note;

typedef enum hk_tree_source_kind {
    HK_TREE_FMU,
    HK_TREE_PLUGIN,
    HK_TREE_BUILTIN,
    HK_TREE_TABLE,
    HK_TREE_CHART,
    HK_TREE_WORLD /* systems and entities of a system file, which no other file can say */
} hk_tree_source_kind;

/* What a component is. */
typedef struct hk_tree_source {
    hk_tree_source_kind kind;
    const char *file; /* where it lies; NULL: built in, or inside of a package */
    const char *part; /* of a plugin: the type; built in: its name */
    const char *leaf; /* the leaf type of a type file; NULL: none */
    bool rescaled;    /* variables are in the units of the leaf type, and not in its own */
} hk_tree_source;

/* What a system is there for, as a style of architectures sees it (docs/styles.md). It is declared,
 * and never guessed from names. */
typedef enum hk_tree_role {
    HK_TREE_NO_ROLE,
    HK_TREE_ROLE_ENVIRONMENT,
    HK_TREE_ROLE_USER,
    HK_TREE_ROLE_CONTROLLED,
    HK_TREE_ROLE_SENSORS,
    HK_TREE_ROLE_ACTUATORS,
    HK_TREE_ROLE_CONTROLLER,
    HK_TREE_ROLE_ANALYSIS,
    HK_TREE_ROLES
} hk_tree_role;
/* words.c: by hk_tree_role, the first is "". */
extern const char *const hk_tree_role_words[HK_TREE_ROLES];
bool hk_tree_role_find(const char *word, hk_tree_role *ret_role); /* one that may be written */

/* What a block of a multi-model says about itself that no run needs (docs/sysml.md), in its words;
 * NULL: it does not say so. */
typedef struct hk_tree_block {
    const char *name;       /* NULL: the file that was read has no blocks */
    const char *stereotype; /* of systems: "environment" */
    const char *kind, *platform, *model_type;
    const char *package; /* of the root */
    hk_where where;
} hk_tree_block;

typedef enum hk_tree_element_kind {
    HK_TREE_SYSTEM,
    HK_TREE_COMPONENT,
    HK_TREE_REFERENCE, /* to a signal dictionary */
    HK_TREE_DICTIONARY /* its entries are its connectors */
} hk_tree_element_kind;

typedef struct hk_tree_element hk_tree_element;
struct hk_tree_element {
    hk_tree_element_kind kind;
    const char *name;
    const char *dictionary; /* REFERENCE: which one */
    hk_tree_element *parent;
    hk_tree_connector *connectors;
    size_t connector_count, connector_cap;
    hk_tree_interface *interfaces;
    size_t interface_count, interface_cap;
    hk_tree_binding *bindings;
    size_t binding_count, binding_cap;
    hk_tree_annotation *annotations;
    size_t annotation_count, annotation_cap;
    hk_tree_comments above;
    hk_tree_comments inside; /* before its end, and those of what has no place in the tree */
    hk_tree_geometry geometry;
    hk_tree_block block;
    hk_where where;
    /* Systems. */
    hk_tree_role role;          /* that is declared here; what is inside has it too */
    hk_tree_element **elements; /* dictionaries are among them */
    size_t element_count, element_cap;
    hk_tree_connection *connections;
    size_t connection_count, connection_cap;
    hk_tree_service *services;
    size_t service_count, service_cap;
    /* Components. */
    uint32_t component; /* of the model */
    hk_tree_source source;
    const char *const *frames; /* per variable of its info; NULL: none has one */
    hk_tree_note *notes;
    size_t note_count, note_cap;
};

/* A file that the system names beside its components: type files, plugins. */
typedef struct hk_tree_file {
    const char *name, *path; /* as it is written, and where it lies */
    hk_where where;
} hk_tree_file;

/* What the file that was read says, and neither the model nor the tree has a place for. */
typedef struct hk_tree_lost {
    const char *what; /* in words */
    hk_where where;
    bool told; /* who has read it has said so */
} hk_tree_lost;

struct hk_tree {
    hk_arena *arena;
    hk_tree_element *root;
    hk_tree_file *imports, *plugins;
    size_t import_count, import_cap, plugin_count, plugin_cap;
    hk_tree_file *others; /* that the imports name */
    size_t other_count, other_cap;
    const hk_uom *units; /* that the file declares */
    size_t unit_count;
    const hk_enum *enumerations;
    size_t enumeration_count;
    hk_tree_comments rest; /* behind the outermost system */
    hk_where lost_comment; /* the first comment that is not in the tree; file NULL: none */
    hk_tree_lost *lost;
    size_t lost_count, lost_cap;
};

/* Appends VALUE to ARRAY, which lives in ARENA. */
#define HK_TREE_PUSH(arena, array, count, cap, value)                                              \
    do {                                                                                           \
        if ((count) == (cap))                                                                      \
            (array) = hk_tree_grow((arena), (array), &(cap), sizeof *(array));                     \
        (array)[(count)++] = (value);                                                              \
    } while (0)
void *hk_tree_grow(hk_arena *arena, const void *old, size_t *cap, size_t size);

/* Notes that something has no place; texts are copied. */
void hk_tree_lose(hk_tree *tree, const hk_tree_lost *lost);
/* Appends the comment TEXT (copied), and all of FROM. */
void hk_tree_comment(hk_arena *arena, hk_tree_comments *comments, const char *text);
void hk_tree_comment_all(hk_arena *arena, hk_tree_comments *comments, const hk_tree_comments *from);
/* What is written above the value of NAME; NULL: nothing. */
hk_tree_note *hk_tree_note_find(const hk_tree_element *component, const char *name);
/* The same; there is one from then on. */
hk_tree_note *hk_tree_note_add(hk_tree *tree, hk_tree_element *component, const char *name);

/* What a writer has no words for and no run needs, in words, each once. */
typedef struct hk_left_out {
    hk_arena *arena; /* the words live here */
    const char **what;
    size_t count, cap;
} hk_left_out;
/* False: it is there already. */
bool hk_left_out_add(hk_left_out *left, const char *what);

/* A tree for MODEL with a root called NAME (copied), which it has from then on. */
hk_tree *hk_tree_create(hk_model *model, const char *name);
/* Adds an element to SYSTEM; its name is copied. */
hk_tree_element *hk_tree_add(hk_tree *tree, hk_tree_element *system, hk_tree_element_kind kind,
                             const char *name);
/* The element of a system with this name; NULL: there is none. */
hk_tree_element *hk_tree_find(const hk_tree_element *system, const char *name);
/* Per component of MODEL: its element; NULL: it has none, as tables of the command line. */
const hk_tree_element **hk_tree_leaves(hk_arena *arena, const hk_model *model);
/* The nearest system that has a role, from ELEMENT (NULL is fine) outwards; NULL: none has. */
const hk_tree_element *hk_tree_role_owner(const hk_tree_element *element);
/* What writers ask. For each input of MODEL that is driven, "component.variable" -> its connection;
 * names live in ARENA. */
void hk_tree_sinks(hk_arena *arena, const hk_model *model, hk_map *sinks);
/* The connection of the model that K, of SYSTEM, ends in; NULL: it ends in a connector of a system.
 * What the model says holds for the whole way, so it is said where the way ends. */
const hk_connection *hk_tree_whole(hk_arena *arena, const hk_model *model, const hk_map *sinks,
                                   const hk_tree_element *system, const hk_tree_connection *k);
/* The item of the enumeration of V with this value; NULL: there is none. */
const char *hk_tree_item(const hk_variable *v, int64_t value);
/* A tree of one system that holds the components and connections of MODEL, as they are. SOURCE says
 * what a component is. */
typedef hk_tree_source hk_tree_source_fn(const hk_info *info);
void hk_tree_from_model(hk_model *model, hk_tree_source_fn *source);
/* Tells who may answer what components require, by the services of the tree: one requirement of the
 * model for each. What nobody provides is an error (HK_E_SERVICE). */
HK_NODISCARD hk_status hk_tree_require(hk_ctx *ctx, hk_model *model);

#endif
