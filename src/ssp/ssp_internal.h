/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: the system as it stands in the files (hk_ssd), and the reader
 * that carries the state of one read. ssd.c and parameters.c turn XML into these structs,
 * ssp_flatten.c and ssp_settings.c turn them into a model. */
#ifndef HK_SSP_SSP_INTERNAL_H
#define HK_SSP_SSP_INTERNAL_H

#include "format/reading.h"
#include "format/xml.h"
#include "format/zip.h"
#include "model/flatten.h"
#include "ssp/ssp.h"

/* Units and enumerations hold for one file. */
typedef struct hk_ssp_scope {
    hk_map *unit_names, *enum_names; /* name -> index; NULL: none */
    const hk_uom *units;
    const hk_enum *enums;
    size_t unit_count, enum_count;
} hk_ssp_scope;

typedef struct hk_ssp_transform {
    hk_transform_kind kind;
    double factor, offset;
    const char **map_from, **map_to; /* as written: item names need the ends of the connection */
    size_t map_count;
} hk_ssp_transform;

/* The dimensions that are declared; a size is 0 where a connector says how large it is. */
typedef struct hk_ssp_shape {
    size_t *sizes;
    size_t count, cap; /* 0: none is declared */
} hk_ssp_shape;

typedef struct hk_ssv_parameter {
    const char *name, *value; /* NULL value: none that can be used */
    /* Of an array that is written item by item; `value` is then a list of them. */
    const char **items;
    size_t item_count;
    hk_type type;
    bool is_text; /* `value` is one text, whatever it holds */
    hk_ssp_shape shape;
    const char *unit; /* as written; NULL: none */
    const hk_uom *uom;
    hk_where where;
} hk_ssv_parameter;

typedef struct hk_ssv {
    const char *name; /* NULL: none */
    hk_ssv_parameter *parameters;
    size_t count, cap;
} hk_ssv;

typedef struct hk_ssm_entry {
    const char *source, *target;
    hk_ssp_transform transform;
    bool suppress_unit_conversion;
    hk_where where;
} hk_ssm_entry;

typedef struct hk_ssm {
    hk_ssm_entry *entries;
    size_t count, cap;
} hk_ssm;

/* A folder or package, from which files are read. */
typedef struct hk_ssp_store {
    const char *folder; /* on the disk; NULL: that of the package is not unpacked; or if there is */
    hk_zip *zip;        /* none (NULL), nothing may be opened */
    bool packed;        /* there is one: sources stay inside */
    const char *shown;  /* what is put before names of files in messages instead of the folder */
    unsigned number;
    hk_status damaged; /* it cannot be unpacked, which was reported */
} hk_ssp_store;

/* Where a description lies, and so what its sources are relative to. */
typedef struct hk_ssp_base hk_ssp_base;
struct hk_ssp_base {
    hk_ssp_store *store;
    const char *ssd;          /* the description, in the store */
    const char *inner;        /* its folder, in the store; "": at the top */
    const hk_ssp_base *outer; /* of the description with the component that names it; NULL: none */
    unsigned depth;           /* of those */
};

/* A parameter set given to an element; either inline or from a file. */
typedef struct hk_ssd_binding {
    const char *prefix;
    const char *set_source, *map_source; /* NULL: inline or none */
    const hk_ssp_base *base;             /* what these are relative to */
    bool set_inside, map_inside;         /* or to the source of the component itself */
    const hk_ssv *set;
    const hk_ssm *map;
    hk_where where;
} hk_ssd_binding;

typedef struct hk_ssd_element hk_ssd_element;
struct hk_ssd_element {
    bool is_system;
    bool broken;       /* a system in a file of its own that could not be read: was reported */
    bool is_reference; /* to a signal dictionary */
    const char *dictionary_name;
    hk_ssd_element *parent; /* NULL: the root */
    const hk_ssp_base *base;
    const hk_ssp_base *inside; /* of the files in its source; NULL: not asked for yet */
    const char *name, *type, *source, *implementation;
    const hk_xml *xml;         /* NULL: a dictionary */
    const hk_xml *description; /* that it is the System of; NULL: of none */
    hk_tree_connector *connectors;
    size_t connector_count, connector_cap;
    const hk_xml **connector_xml; /* per connector: where it is read from */
    size_t connector_xml_count, connector_xml_cap;
    hk_map *connector_names;
    hk_ssd_binding *bindings;
    size_t binding_count, binding_cap;
    hk_where where;
    /* Systems. */
    hk_ssd_element **elements;
    size_t element_count, element_cap;
    hk_map *element_names;
    hk_tree_connection *connections; /* from start to end, until the ends are found */
    size_t connection_count, connection_cap;
    const hk_xml **connection_xml; /* per connection: where it is read from */
    size_t connection_xml_count, connection_xml_cap;
    hk_ssd_element **dictionaries; /* their entries are connectors that pass values on */
    size_t dictionary_count, dictionary_cap;
    /* Components. */
    bool has_period;
    hk_ratio period, offset;
    int priority;
    const hk_xml *hint; /* the element of another tool that says how long its steps are; or NULL */
    hk_ratio hinted;
    /* Filled in when the system is flattened. */
    const char *file, *part; /* what its source names: in the store, and behind '#' */
    const char *path;        /* "" for the root */
    uint32_t component;      /* HK_MAP_NONE: a system, or it could not be opened */
    uint32_t first_node;     /* systems: of its connectors */
};

typedef struct hk_ssd {
    const char *name, *description;
    hk_ssd_element *root;
    hk_ssp_scope scope;
    hk_experiment experiment;
    const hk_xml *schedule; /* its text is one for the whole system; NULL: none */
    const hk_xml *step;     /* the element of another tool that says the step size; NULL: none */
} hk_ssd;

/* Gives the description of a component; MODEL owns what was opened for it. */
typedef hk_status hk_ssp_open_fn(hk_ctx *ctx, hk_model *model, const char *path,
                                 const char *fragment, const hk_info **ret_info);
/* The same for an FMU in memory; DATA is taken over. PATH is for messages. */
typedef hk_status hk_ssp_open_packed_fn(hk_ctx *ctx, hk_model *model, const char *path, char *data,
                                        size_t size, const hk_info **ret_info);
typedef struct hk_ssp_openers {
    hk_ssp_open_fn *fmu, *plugin;
    hk_ssp_open_packed_fn *packed; /* FMUs of a package; NULL: as others */
} hk_ssp_openers;

typedef struct hk_ssp {
    hk_ctx *ctx;
    hk_arena *arena; /* dies with the reader */
    hk_arena *keep;  /* the model's, or the same */
    hk_model *model; /* owns the folders of packages that have to be unpacked */
    hk_ssp_store **stores;
    size_t store_count, store_cap;
    hk_map **maps; /* all that must be finished */
    size_t map_count, map_cap;
    hk_map *loaded; /* parameter files that were read: root element and path -> index */
    struct hk_ssp_loaded {
        const char *file;
        const hk_xml *xml; /* NULL: it could not be read */
        const hk_ssv *set; /* what was made of it; NULL: nothing yet */
        const hk_ssm *map;
        hk_where comment; /* the first one in it; file NULL: none, or not looked for */
    } * files;
    size_t file_count, file_cap;
    bool unpack;            /* sources lie on the disk, so that they can be copied */
    const char *wanted_set; /* only sets of this name are applied; NULL: all */
    size_t left_out;        /* of the others */
    hk_where first_left_out;
    const char **idle; /* kinds of what is known and not used, of the file in hand */
    size_t idle_count, idle_cap;
    hk_where idle_where; /* of the first */
    hk_reading reading;
} hk_ssp;

static inline void hk_ssp_failed(hk_ssp *r, hk_status error) {
    hk_reading_failed(&r->reading, error);
}
static inline bool hk_ssp_first(hk_ssp *r, const char *key) {
    return hk_reading_first(&r->reading, key);
}
static inline bool hk_ssp_may_suggest(const hk_ssp *r) {
    return hk_reading_may_suggest(&r->reading);
}
static inline const char *hk_ssp_suggest(hk_ssp *r, const char *word, const char *const *names,
                                         size_t count) {
    return hk_reading_suggest(&r->reading, word, names, count);
}

/* ssp.c */
void hk_ssp_begin(hk_ssp *r, hk_ctx *ctx);
void hk_ssp_finish(hk_ssp *r);
hk_map *hk_ssp_map(hk_ssp *r);
HK_NODISCARD hk_status hk_ssp_read_with(hk_ctx *ctx, const char *path,
                                        const hk_ssp_options *options,
                                        const hk_ssp_openers *openers, hk_model **ret_model);

/* Appends VALUE to ARRAY, which lives in the reader's arena. */
#define HK_SSP_PUSH(r, array, count, cap, value)                                                   \
    do {                                                                                           \
        if ((count) == (cap))                                                                      \
            (array) = hk_ssp_grow((r), (array), &(cap), sizeof *(array));                          \
        (array)[(count)++] = (value);                                                              \
    } while (0)
void *hk_ssp_grow(hk_ssp *r, const void *old, size_t *cap, size_t size);

/* package.c: files by their path in a store. */
#define HK_SSP_SSD "SystemStructure.ssd"
/* A base of its own with a store of its own, of the SSD at PATH or of one in the package at PATH
 * (on the disk; SHOWN in messages): that called VARIANT, NULL: the standard one. */
HK_NODISCARD hk_status hk_ssp_open_loose(hk_ssp *r, const char *path, hk_ssp_base **ret_base);
HK_NODISCARD hk_status hk_ssp_open_package(hk_ssp *r, const char *path, const char *shown,
                                           const char *variant, hk_ssp_base **ret_base);
/* The same for the archive of a component, which has no description. */
HK_NODISCARD hk_status hk_ssp_open_inside(hk_ssp *r, const char *path, const char *shown,
                                          hk_ssp_base **ret_base);
/* One for another description in the store of BASE. */
hk_ssp_base *hk_ssp_base_beside(hk_ssp *r, const hk_ssp_base *base, const char *ssd);
/* As messages show a file of a store. */
const char *hk_ssp_shown(hk_ssp *r, const hk_ssp_store *store, const char *path);
HK_NODISCARD hk_status hk_ssp_exists(hk_ssp *r, hk_ssp_store *store, const char *path,
                                     bool *ret_exists);
HK_NODISCARD hk_status hk_ssp_load(hk_ssp *r, hk_ssp_store *store, const char *path, size_t limit,
                                   char **ret_data, size_t *ret_size);
/* As it lies in the package; *ret_data is NULL if it is to be opened on the disk. */
HK_NODISCARD hk_status hk_ssp_load_fmu(hk_ssp *r, hk_ssp_store *store, const char *path,
                                       char **ret_data, size_t *ret_size);
/* Where it lies on the disk. */
HK_NODISCARD hk_status hk_ssp_place(hk_ssp *r, hk_ssp_store *store, const char *path,
                                    const char **ret_full);

/* ssp_uri.c: a source as a path in the store of BASE, or from the root if a loose SSD names it so;
 * percent-decoded, without detours; FRAGMENT is NULL without. */
HK_NODISCARD hk_status hk_ssp_resolve(hk_ssp *r, const hk_ssp_base *base, const char *source,
                                      hk_where where, const char **ret_path,
                                      const char **ret_fragment);

/* Types of components that are known. */
#define HK_SSP_TYPE_FMU     "application/x-fmu-sharedlibrary"
#define HK_SSP_TYPE_PLUGIN  "application/x-hocket-plugin"
#define HK_SSP_TYPE_BUILTIN "application/x-hocket-builtin"
#define HK_SSP_TYPE_TABLE   "application/x-hocket-table"
#define HK_SSP_TYPE_CHART   "application/x-robochart"

#define HK_SSP_STANDARD "http://ssp-standard.org/SSP1/"
/* prefixes.c: the tree, also if other tools forgot to declare their prefixes. */
HK_NODISCARD hk_status hk_ssp_parse_tree(hk_ssp *r, const char *file, const char *data, size_t size,
                                         const hk_xml **ret_root);
/* ssp_grammar.c: XML of SSP, whatever the prefix. */
HK_NODISCARD hk_status hk_ssp_parse_xml(hk_ssp *r, const char *file, const char *data, size_t size,
                                        const char *root, const hk_xml **ret_root);
bool hk_ssp_in_namespace(const hk_xml *element); /* of any SSP namespace; so are the two below */
const hk_xml *hk_ssp_child(const hk_xml *element, const char *name);
const hk_xml *hk_ssp_next(const hk_xml *element, const char *name);

/* scope.c: what SSD, SSV and SSM have in common. OUTER may be NULL. */
void hk_ssp_read_scope(hk_ssp *r, const char *file, const hk_xml *element, hk_ssp_scope *scope);
const hk_uom *hk_ssp_unit(hk_ssp *r, const hk_ssp_scope *scope, const hk_ssp_scope *outer,
                          const char *name, hk_where where);
bool hk_ssp_is_type(const char *name, hk_type *ret_type);
hk_ssp_transform hk_ssp_read_transform(hk_ssp *r, const char *file, const hk_xml *element);
hk_ssp_shape hk_ssp_read_shape(hk_ssp *r, const char *file, const hk_xml *element);
/* Is it that of the variable? Sizes that are not known fit. */
bool hk_ssp_shape_fits(const size_t *sizes, size_t count, const hk_variable *v);
const char *hk_ssp_shape_text(hk_ssp *r, const size_t *sizes, size_t count); /* "2 x 3" */
bool hk_ssp_read_flag(hk_ssp *r, const char *file, const hk_xml *element, const char *name);

/* ssd.c */
#define HK_SSD_BYTES_MAX ((size_t)256 << 20)
HK_NODISCARD hk_status hk_ssd_read(hk_ssp *r, const hk_ssp_base *base, const char *file,
                                   const hk_xml *root, hk_ssd **ret_ssd);
/* The description that BASE is about, from its store. */
HK_NODISCARD hk_status hk_ssd_load(hk_ssp *r, const hk_ssp_base *base, hk_ssd **ret_ssd);

/* A connector or an entry of a dictionary without its kind; a NULL name: there is none, was
 * reported.
 */
hk_tree_connector hk_ssd_read_typed(hk_ssp *r, const char *file, const hk_ssp_scope *scope,
                                    const hk_xml *xml);

void hk_ssd_add_connector(hk_ssp *r, hk_ssd_element *element, const hk_tree_connector *connector,
                          const hk_xml *xml);

/* dictionaries.c: those that a system defines. */
void hk_ssp_read_dictionaries(hk_ssp *r, const hk_ssp_base *base, const char *file,
                              const hk_ssp_scope *scope, const hk_xml *xml, hk_ssd_element *system);
/* The one that a reference names, in its system or outside of it; NULL: there is none. */
hk_ssd_element *hk_ssp_dictionary(const hk_ssd_element *reference);

/* nested.c: components that are systems in files of their own. */
bool hk_ssp_is_nested(const hk_ssd_element *component);
/* The system in place of the component; the component itself, broken, after an error. */
hk_ssd_element *hk_ssp_read_nested(hk_ssp *r, hk_ssd_element *component);
/* What sources inside of a component are relative to; NULL after an error. */
const hk_ssp_base *hk_ssp_inside(hk_ssp *r, hk_ssd_element *component, hk_where where);

/* foreign.c: what other tools say about steps, of the system and of one component. */
void hk_ssp_read_other_step(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd *ssd);
void hk_ssp_read_hint(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd_element *component);
const hk_xml *hk_ssp_find_hint(const hk_xml *xml); /* NULL: there is none */
/* annotations.c: our own. The next one, or (AFTER NULL) the first, of TYPE in the annotations of
 * XML; NULL: there is none. */
const hk_xml *hk_ssp_annotation(const hk_xml *xml, const hk_xml *after, const char *type);
/* annotations.c: our own. hk_ssp_read_experiment also finds the schedule of the whole system. */
void hk_ssp_read_schedule(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd_element *element);
void hk_ssp_refuse_schedule(hk_ssp *r, const char *file, const hk_xml *xml); /* nested systems */
void hk_ssp_read_link(hk_ssp *r, const char *file, const hk_xml *xml, hk_tree_connection *k);
void hk_ssp_read_experiment(hk_ssp *r, const char *file, const hk_xml *root, hk_ssd *ssd);

/* unused.c: what is there and is not used, once of each kind. hk_ssp_idle collects what is of
 * no account for a run; hk_ssp_tell_unused tells it, at the end of each file. STEP is the element
 * of another tool whose step size is used; NULL: none. */
void hk_ssp_tell_unused(hk_ssp *r, const hk_ssp_base *base, const char *file, const hk_xml *root,
                        const hk_xml *step);
void hk_ssp_idle(hk_ssp *r, hk_where where, const char *what);
void hk_ssp_tell_idle(hk_ssp *r);

/* loaded.c: the file at SOURCE with the root element ROOT, read once; NULL after an error was
 * reported. Valid until the next call. */
struct hk_ssp_loaded *hk_ssp_load_tree(hk_ssp *r, const hk_ssp_base *base, const char *source,
                                       hk_where where, const char *root);
/* The set and the mapping of a binding, from their files; NULL: there is none, was reported. */
const hk_ssv *hk_ssp_binding_set(hk_ssp *r, hk_ssd_element *element, const hk_ssd_binding *b);
const hk_ssm *hk_ssp_binding_map(hk_ssp *r, hk_ssd_element *element, const hk_ssd_binding *b);

/* parameters.c */
const hk_ssv *hk_ssv_read(hk_ssp *r, const char *file, const hk_xml *set,
                          const hk_ssp_scope *outer);
const hk_ssm *hk_ssm_read(hk_ssp *r, const char *file, const hk_xml *mapping);
hk_ssd_binding hk_ssp_read_binding(hk_ssp *r, const hk_ssp_base *base, const char *file,
                                   const hk_xml *xml, const hk_ssp_scope *scope);

/* ssp_flatten.c */
typedef struct hk_ssp_flat {
    hk_ssp *reader;
    hk_model *model;
    const hk_ssp_openers *openers;
    hk_flat graph;      /* connectors of systems and what joins them */
    hk_map *node_paths; /* "sub.connector" -> node */
    hk_map *opened;     /* path -> index of info */
    const hk_info **infos;
    size_t info_count, info_cap;
    hk_arena *scratch; /* names made for the binding in hand */
    /* Initial values of connections, read when the sizes of arrays are known. */
    struct hk_ssp_initial {
        const hk_tree_connection *declared;
        uint32_t connection;
        uint32_t part, parts; /* of an array that is connected element by element */
    } * initials;
    size_t initial_count, initial_cap;
    struct hk_ssp_given *given; /* what bindings have set so far; ssp_given.c */
    size_t given_count, given_cap;
    uint32_t **given_last; /* by component and variable: the last of it; HK_MAP_NONE: none */
    size_t replaced;       /* values that another binding has given before */
    const struct hk_ssp_given *first_replaced;
    hk_where first_replacing;
    bool has_structural;            /* a component has structural parameters */
    struct hk_ssp_waiting *waiting; /* settings that wait for those; ssp_settings.c */
    size_t waiting_count, waiting_cap;
} hk_ssp_flat;

/* ends.c: the edges of a system and of those in it. */
void hk_ssp_add_edges(hk_ssp_flat *flat, const hk_ssd_element *system);

void hk_ssp_flatten(hk_ssp_flat *flat, hk_ssd_element *root);
/* outermost.c: the connectors of the outermost system as names of signals. */
void hk_ssp_name_outermost(hk_ssp_flat *flat, const hk_ssd_element *root);
/* The initial values of connections; after the bindings, which may change sizes. */
void hk_ssp_set_initials(hk_ssp_flat *flat);
/* keep.c: what was read as the tree of the model, and what our annotation about systems says. */
void hk_ssp_keep(hk_ssp_flat *flat, const hk_ssp_base *base, const hk_ssd *ssd);
/* elements.c: opens the components and numbers the connectors of systems. */
void hk_ssp_add_elements(hk_ssp_flat *flat, hk_ssd_element *element, const char *path);

/* connectors.c: what connectors of components declare, against the variables as they are now. */
void hk_ssp_check_connectors(const hk_ssp_flat *flat, const hk_ssd_element *root);

/* ssp_given.c: remembers that PARAMETER of BINDING sets AT to TEXT. Fails if another parameter of
 * the same binding has set something else there: which of them counts is nowhere said. */
HK_NODISCARD hk_status hk_ssp_remember(hk_ssp_flat *flat, const hk_ssd_binding *binding,
                                       const hk_ssv_parameter *parameter, const hk_address *at,
                                       const char *text, const hk_uom *unit);
void hk_ssp_tell_replaced(const hk_ssp_flat *flat);
void hk_ssp_forget_given(hk_ssp_flat *flat);

/* choice.c: one of several parameter sets. hk_ssp_choose is asked first. */
void hk_ssp_choose(hk_ssp *r, const hk_ssp_base *base, hk_ssd_element *root);
bool hk_ssp_is_chosen(hk_ssp *r, const hk_ssd_binding *binding, const hk_ssv *set);
void hk_ssp_tell_left_out(hk_ssp *r);

/* ssp_settings.c: parameter bindings, inner ones first. */
void hk_ssp_apply_bindings(hk_ssp_flat *flat, hk_ssd_element *root);

#endif
