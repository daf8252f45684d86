/* SPDX-License-Identifier: MIT
 *
 * What the files that give meaning to a system share. system.c reads files, system_kind.c finds out
 * what leaves are, system_info.c describes leaf types without behaviour, system_tree.c walks
 * through composites, system_leaf.c sets leaves up, system_names.c finds what paths name,
 * system_links.c reads links, system_services.c service links, system_ports.c finds what ports of
 * composites stand for, system_ages.c what must hold about the age of data, system_world.c worlds,
 * system_shares.c the rest; system_keep.c keeps what is written. */
#ifndef HK_LANG_SYSTEM_INTERNAL_H
#define HK_LANG_SYSTEM_INTERNAL_H

#include "lang/lang.h"
#include "lang/types/types_internal.h"
#include "model/flatten.h"

typedef enum hk_role {
    HK_ROLE_INPUT,
    HK_ROLE_OUTPUT,
    HK_ROLE_PARAMETER,
    HK_ROLE_PROVIDED,
    HK_ROLE_REQUIRED
} hk_role;

/* A port, parameter or interface of a kind of leaf. */
typedef struct hk_leafmember {
    const char *name;
    hk_role role;
    const hk_lang_type *type; /* NULL: it is an interface */
    const char *unit, *frame;
    const hk_lang_var *var;    /* NULL: there is no leaf type */
    const uint32_t *variables; /* per part of the type */
    uint32_t service;          /* interfaces: index in the info */
    const char *interface, *signature;
} hk_leafmember;

typedef struct hk_leafdefault {
    uint32_t member, part;
    hk_value value;
} hk_leafdefault;

/* What leaves of one type are. */
typedef struct hk_leafkind {
    const char *name;
    const hk_lang_leaf *leaf; /* NULL: known by its behaviour only */
    const hk_info *info;
    hk_tree_source source; /* where the behaviour lies; its texts live as long as the reader */
    bool broken;           /* what is missing in it is not a new mistake */
    bool world;            /* its outputs have start values that can be given */
    hk_map by_name;
    hk_leafmember *members;
    size_t member_count, member_cap;
    const char **frames;      /* per variable, as long as the model; NULL: none has one */
    hk_leafdefault *defaults; /* of the leaf type, where the behaviour has others */
    size_t default_count;
} hk_leafkind;

/* A port or interface of a composite. */
typedef struct hk_compositeport {
    hk_role role;
    hk_lang_var var; /* name and where also for interfaces */
    const hk_lang_interface *interface;
    uint32_t first; /* of flat.nodes, one for each part; or of flat.interfaces */
    const hk_tree_connector *connectors; /* per part */
    bool inside, outside;                /* it is linked there */
    bool broken;                         /* its type is not known */
    bool unit_told;                      /* that its unit does not agree with that of another end */
} hk_compositeport;

typedef enum hk_member_kind { HK_MEMBER_SCOPE, HK_MEMBER_LEAF, HK_MEMBER_PORT } hk_member_kind;

typedef struct hk_member {
    hk_member_kind kind;
    const char *name;
    int line;
    struct hk_scope *scope;
    uint32_t leaf;
    hk_compositeport *port;
} hk_member;

/* A composite. */
typedef struct hk_scope {
    const hk_composite *syntax;
    struct hk_scope *parent; /* NULL: the root */
    const char *path;        /* below the root; "": the root itself */
    hk_tree_role role;       /* its own, or that of the nearest around it */
    hk_map by_name;
    hk_member *members;
    size_t member_count, member_cap;
    uint32_t first_leaf, leaf_count; /* all below it */
    bool unsure;                     /* a member was not understood */
} hk_scope;

/* A leaf of an entity of a world. */
typedef struct hk_worldinner {
    const char *name; /* "entity.leaf" */
    const hk_leaf *syntax;
    uint32_t entity, variant; /* of the spec; variant HK_MAP_NONE: whatever the entity is */
    bool dormant;             /* it does not run at the beginning */
    uint32_t leaf;            /* HK_MAP_NONE: not yet */
} hk_worldinner;

/* What is known of a world beside the leaf that it is. */
typedef struct hk_worldnode {
    const hk_worlddecl *syntax;
    hk_worldinner *inner;
    size_t inner_count;
    hk_link *links; /* of its entities, as links of the composite */
    size_t link_count;
    bool has_period;
    hk_ratio period;
} hk_worldnode;

typedef struct hk_leafnode {
    const hk_leaf *syntax;
    const hk_worldnode *world; /* NULL: it is not a world */
    bool inner;                /* of an entity of a world */
    hk_leafkind *kind;         /* NULL: not known */
    uint32_t component;
    uint32_t first_slot;      /* per variable */
    uint32_t first_interface; /* per service, of flat.interfaces */
    hk_ratio delay;
} hk_leafnode;

/* A variable of a leaf. */
typedef struct hk_slot {
    uint32_t inbound; /* the edge that drives it; HK_MAP_NONE: none */
    hk_lag lag;       /* of inputs */
} hk_slot;

/* One target of a link statement. */
typedef struct hk_linkwork {
    const hk_link *syntax;
    const hk_tree_connection *connection; /* where, lag and delay */
    const hk_value *initial;              /* per part; NULL: none */
    const char **units;                   /* of the initial values */
    bool bad;
} hk_linkwork;

typedef struct hk_system {
    hk_complaints complaints;
    hk_arena *arena; /* dies with the reader */
    hk_model *model;
    hk_types *types;
    hk_typereader reader; /* for the types of composite ports */
    const hk_systemfile *tree;
    const char *file, *folder;
    bool incomplete; /* the text was not understood as a whole, so what is missing is not a mistake
                      */
    const char **plugins;    /* paths; those that are there */
    hk_place *plugin_places; /* where each is named */
    size_t plugin_count;
    const char *plugin_hint;    /* how the first that is not there is made; NULL: all are there */
    hk_tree_source found;       /* where the behaviour lies that was opened last */
    const char *plugin_text;    /* all of them, for messages */
    hk_place plugin_at;         /* the first that is not there, or the first, or the system */
    struct hk_missing *missing; /* system_info.c */
    hk_map kind_by_name;
    hk_leafkind **kinds;
    size_t kind_count, kind_cap;
    hk_scope **scopes;
    size_t scope_count, scope_cap;
    hk_leafnode *leaves;
    size_t leaf_count, leaf_cap;
    hk_slot *slots;
    size_t slot_count, slot_cap;
    hk_flat flat; /* ports and interfaces of composites and what joins them; its edges know their
                     number in links and the part */
    hk_linkwork *links;
    size_t link_count, link_cap;
    bool *told; /* per edge: what is wrong with it is reported */
    bool services_unsure;
    hk_map shared;           /* variables that are shared already, with their lines */
    struct hk_agework *ages; /* statements about ages, looked at when all links are known */
    size_t age_count, age_cap;
    hk_where processor_where, cut_where;
    bool partition_failed;
} hk_system;

static inline hk_where hk_system_where(const hk_system *s, const hk_place *at) {
    return hk_place_where(s->file, at);
}
/* Counts a failure that was reported by somebody else. */
static inline hk_status hk_system_failed(hk_system *s, hk_status status) {
    return hk_complaint_heard(&s->complaints, status);
}

/* system_kind.c: what a leaf of this type is; NULL: not known, which is reported. */
hk_leafkind *hk_system_kind(hk_system *s, const hk_name *type);
void hk_system_finish_kinds(hk_system *s);
/* The kind of the only leaf that a world is. */
void hk_system_world_kind(hk_system *s, const char *name, const hk_info *info);

/* system_world.c: the world at NODE, which is called PATH in the model, as a leaf; NULL: it is not
 * understood, which is reported. What else belongs to it is put into NODE. */
const hk_leaf *hk_system_add_world(hk_system *s, const hk_scope *scope, const char *path,
                                   hk_worldnode *node);

/* system_fit.c: the description of a behaviour, with what the leaf type knows about it; NULL if
 * they do not fit, which is reported. EXACT: both were made from one text. */
const hk_info *hk_system_fit(hk_system *s, const hk_lang_leaf *leaf, const hk_info *info,
                             bool exact);

/* system_info.c: a description of a leaf type that has no behaviour. */
const hk_info *hk_system_describe(hk_system *s, const hk_lang_leaf *leaf);

/* system_tree.c */
void hk_system_walk(hk_system *s);

/* system_leaf.c: adds the component, and carries out what the leaf says about itself. */
void hk_system_add_leaf(hk_system *s, const char *path, uint32_t index);
/* A value in UNIT (NULL: none) in the type and unit of the variable; false: it does not fit. */
bool hk_system_convert(hk_arena *arena, const hk_variable *v, const char *unit,
                       const hk_value *value, hk_value *ret_value);
/* A value of one part of a member, in the type and unit of its variable. */
HK_NODISCARD hk_status hk_system_set_part(hk_system *s, uint32_t component,
                                          const hk_leafmember *member, size_t part,
                                          const hk_value *value, hk_origin origin);
bool hk_system_lag(hk_system *s, const hk_name *word, hk_lag *ret_lag);
/* RULES of hk_time_judge; false: not given or wrong. */
bool hk_system_any_time(hk_system *s, const hk_number *number, const char *what, unsigned rules,
                        hk_ratio *ret_time);
/* The period of a frequency, and a priority; false, or nothing: not given or wrong. */
bool hk_system_frequency(hk_system *s, const hk_number *number, hk_ratio *ret_period);
void hk_system_priority(hk_system *s, const hk_number *number, int *ret_priority);
/* A time of at least 0 s; false: not given or wrong. */
bool hk_system_time(hk_system *s, const hk_number *number, const char *what, bool positive,
                    hk_ratio *ret_time);

/* system_experiment.c */
void hk_system_experiment(hk_system *s);

/* system_names.c */
typedef struct hk_end {
    const hk_name *name;
    hk_role role;
    bool own;                 /* a port of the composite that the statement is in */
    uint32_t leaf;            /* HK_MAP_NONE: of a composite */
    hk_leafmember *member;    /* of a leaf */
    hk_compositeport *port;   /* of a composite */
    const hk_lang_type *type; /* of what is named; NULL: an interface */
    const hk_lang_type *whole;
    const char *unit, *frame; /* of the whole */
    size_t first_part, part_count;
    hk_slice slice; /* one element of an array of basic values; count 0: all of it */
} hk_end;

/* "port", "leaf.port", "composite.port", each with fields behind; false is reported. */
bool hk_system_find_end(hk_system *s, hk_scope *scope, const hk_name *name, hk_end *ret_end);
/* What is known of a world of the scope; NULL: nothing, it was not understood. */
const hk_worldnode *hk_system_world_node(const hk_system *s, const hk_scope *scope,
                                         const hk_worlddecl *world);
/* "a.b.leaf.parameter". */
bool hk_system_find_parameter(hk_system *s, hk_scope *scope, const hk_name *name, hk_end *ret_end);
/* "a.b" of leaves or composites: a range of leaves. */
bool hk_system_find_leaves(hk_system *s, hk_scope *scope, const hk_name *name, uint32_t *ret_first,
                           uint32_t *ret_count);
/* "a.b.leaf": one leaf whose type is known. */
bool hk_system_find_leaf(hk_system *s, hk_scope *scope, const hk_name *name, uint32_t *ret_leaf);
/* A member of a kind of leaf with fields behind it ("position.x"); NULL: none. */
hk_leafmember *hk_system_find_member(hk_system *s, hk_leafkind *kind, const char *path,
                                     const char **ret_rest);
/* The parts of TYPE that REST ("", "x", "a.b", "m[2]") names. Without RET_SLICE an array of basic
 * values cannot be taken apart. */
bool hk_system_select(const hk_lang_type *type, const char *rest, const hk_lang_type **ret_type,
                      size_t *ret_first, size_t *ret_count, hk_slice *ret_slice);
const char *hk_system_closest_member(hk_system *s, const hk_leafkind *kind, const char *word);
/* One part of an end for the flattener. */
hk_flat_end hk_end_flat(const hk_system *s, const hk_end *end, size_t part);
const char *hk_end_unit(const hk_end *end, size_t part);
const char *hk_end_frame(const hk_end *end, size_t part);
/* "composite 'Environment'", "the root composite". */
const char *hk_scope_text(hk_system *s, const hk_scope *scope);

/* system_ports.c: what ports and interfaces of composites stand for. */
void hk_system_delegate_all(hk_system *s);

/* system_keep.c: the system as it is written becomes the tree of the model. */
void hk_system_keep(hk_system *s);

/* system_links.c */
void hk_system_begin_links(hk_system *s);
void hk_system_link(hk_system *s, hk_scope *scope, const hk_link *link);
void hk_system_connect_all(hk_system *s);

/* system_services.c */
void hk_system_service(hk_system *s, hk_scope *scope, const hk_link *link);
void hk_system_require_all(hk_system *s);

/* system_shares.c */
void hk_system_share(hk_system *s, hk_scope *scope, const hk_link *link);
void hk_system_processor(hk_system *s, hk_scope *scope, const hk_item *item);
void hk_system_cut(hk_system *s, const hk_item *item);
void hk_system_share_all(hk_system *s);
void hk_system_check_processors(hk_system *s);

/* system_ages.c */
void hk_system_age(hk_system *s, hk_scope *scope, const hk_item *item);
void hk_system_constrain_all(hk_system *s);

#endif
