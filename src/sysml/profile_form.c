/* SPDX-License-Identifier: MIT
 *
 * What is SysML and means nothing for the profile is refused where it is written, so that nothing
 * is read and then left out: metadata that nobody knows or that is at the wrong place, members that
 * a part has no use for, flows outside of the system. */
#include "model/uom.h"
#include "sysml/profile_internal.h"

#include <string.h>

/* What metadata may be about. */
enum { ON_DEF = 1, ON_PORT = 2, ON_VARIABLE = 4, ON_DEPENDENCY = 8, ON_SYSTEM = 16 };

/* The metadata of the library package, with the names of its values. */
static const struct known {
    const char *name;
    int on;
    const char *values[8];
} known[] = {{"system", ON_DEF, {NULL}},
             {"ecomponent", ON_DEF, {NULL}},
             {"lcomponent", ON_DEF, {NULL}},
             {"environment", ON_DEF, {NULL}},
             {"roboticPlatform", ON_DEF, {NULL}},
             {"pocomponent", ON_DEF, {NULL}},
             {"EComponent", ON_DEF, {"kind", "modelType", "platform", "fmu", "type", "cycle"}},
             {"POComponent", ON_DEF, {"kind"}},
             {"parameter", ON_VARIABLE, {NULL}},
             {"varInit", ON_VARIABLE, {NULL}},
             {"reactive", ON_PORT, {NULL}},
             {"convert", ON_PORT, {NULL}},
             {"unit", ON_PORT | ON_VARIABLE, {"name"}},
             {"feedthrough", ON_DEPENDENCY, {NULL}},
             {"experiment",
              ON_SYSTEM,
              {"startTime", "stopTime", "stepSize", "outputInterval", "tolerance"}}};
enum { KNOWN_COUNT = sizeof known / sizeof *known };
_Static_assert(KNOWN_COUNT <= 32, "a bit for each");

typedef struct former {
    hk_profile_reader *r;
    const char *file;
} former;

static const char *const on_words[] = {
    [ON_DEF] = "a part definition",
    [ON_PORT] = "a port",
    [ON_VARIABLE] = "a variable",
    [ON_DEPENDENCY] = "a dependency",
    [ON_SYSTEM] = "the part that is the system",
};

static void refuse(former *f, const hk_place *at, const char *hint, const char *what) {
    hk_profile_error(f->r, f->file, at, hint, "not in hocket's subset: %s", what);
}

static const struct known *find_known(const char *name) {
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

/* Others may be defined by the files themselves, for other tools. */
static const struct known *look_up(former *f, const hk_sysml_name *name, int on, char mark) {
    const char *word = hk_profile_last(name);
    const struct known *k = find_known(word);
    const char *words[KNOWN_COUNT];
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        words[i] = known[i].name;
    uint32_t own = hk_map_get(&f->r->metadata_names, word);
    if (k)
        hk_profile_check_qualifiers(f->r, f->file, name, "CoSim");
    else if (own != HK_MAP_NONE)
        hk_profile_check_qualifiers(f->r, f->file, name,
                                    ((const hk_profile_source *)f->r->metadata.data)[own].package);
    if (!k && own == HK_MAP_NONE)
        hk_profile_error(
            f->r, f->file, &name->at,
            hk_complaint_suggest(&f->r->complaints, f->r->arena, word, words, KNOWN_COUNT),
            "there is no metadata '%c%s'", mark, word);
    else if (k && !(k->on & on))
        hk_profile_error(f->r, f->file, &name->at, NULL, "'%c%s' means nothing for %s", mark, word,
                         on ? on_words[on] : "this");
    return k;
}

/* Behind the name of a unit is a unit: a text that means nothing would be compared with nothing. */
static void check_unit(former *f, const hk_sysml_element *v) {
    hk_uom uom;
    if (!v->value || v->value->kind != HK_SYSML_TEXT)
        hk_profile_error(f->r, f->file, v->value ? &v->value->at : &v->at, NULL,
                         "the name of a unit is a text in double quotes");
    else if (!hk_uom_parse(v->value->text, &uom))
        hk_profile_error(f->r, f->file, &v->value->at, "units are as \"m/s\", \"rad\" or \"N.m\"",
                         "'%s' is not a unit", v->value->text);
}

static void check_values(former *f, const hk_sysml_element *e, const struct known *k) {
    bool is_unit = strcmp(k->name, "unit") == 0, named = false;
    for (size_t i = 0; i < e->member_count; i++) {
        const hk_sysml_element *v = &e->members[i];
        const char *name = hk_profile_last(&v->redefines);
        size_t n = 0;
        while (n < 8 && k->values[n] && strcmp(k->values[n], name) != 0)
            n++;
        named = named || strcmp(name, "name") == 0;
        if (v->kind == HK_SYSML_DOC)
            continue;
        if (v->kind != HK_SYSML_REDEFINE || n == 8 || !k->values[n])
            hk_profile_error(f->r, f->file, &v->at, NULL, "@%s has no value '%s'", k->name,
                             *name     ? name
                             : v->name ? v->name
                                       : "");
        else if (hk_profile_given_before(e, i, name))
            hk_profile_error(f->r, f->file, &v->at, "remove one of them", "'%s' is given twice",
                             name);
        else if (is_unit)
            check_unit(f, v);
    }
    if (is_unit && !named && !e->member_count)
        hk_profile_error(f->r, f->file, &e->at, "write @unit { name = \"m/s\"; }",
                         "@unit does not name a unit");
}

/* What is said by metadata is said once: of two, one would be left out. */
static void check_once(former *f, const hk_sysml_name *name, const struct known *k,
                       uint32_t *seen) {
    uint32_t bit = k ? UINT32_C(1) << (k - known) : 0;
    if (*seen & bit)
        hk_profile_error(f->r, f->file, &name->at, "remove one of them", "'%s' is given twice",
                         k->name);
    *seen |= bit;
}

static void check_metadata(former *f, const hk_sysml_element *e, int on) {
    uint32_t seen = 0;
    for (size_t i = 0; i < e->prefix_count; i++)
        check_once(f, &e->prefixes[i], look_up(f, &e->prefixes[i], on, '#'), &seen);
    for (size_t i = 0; i < e->member_count; i++) {
        const hk_sysml_element *m = &e->members[i];
        if (m->kind != HK_SYSML_METADATA)
            continue;
        if (m->end_count) {
            refuse(f, &m->at, "write it into the body of what it is about",
                   "metadata with 'about'");
            continue;
        }
        const struct known *k = look_up(f, &m->type, on, '@');
        check_once(f, &m->type, k, &seen);
        if (k)
            check_values(f, m, k);
    }
}

/* ---- members -----------------------------------------------------------------------------------
 */

/* A body that holds metadata and nothing else. */
static void check_bare(former *f, const hk_sysml_element *e, int on) {
    check_metadata(f, e, on);
    for (size_t i = 0; i < e->member_count; i++)
        if (e->members[i].kind != HK_SYSML_METADATA && e->members[i].kind != HK_SYSML_DOC)
            hk_profile_error(f->r, f->file, &e->members[i].at, NULL,
                             "nothing but metadata is in this body");
}

static void check_words(former *f, const hk_sysml_element *e) {
    if (e->is_abstract)
        refuse(f, &e->at, NULL, "abstract");
    if (e->is_ref)
        refuse(f, &e->at, NULL, "ref");
    if (e->is_constant)
        refuse(f, &e->at, "a parameter is written '#parameter attribute'", "constant");
    if (e->specialize_count)
        refuse(f, &e->specializes[0].at, "write the members into each block",
               e->definition ? "specialization" : "subsetting");
    if (e->conjugated && e->kind != HK_SYSML_PORT)
        refuse(f, &e->type.at, NULL, "'~' before the type of something that is not a port");
}

static void check_attribute(former *f, const hk_sysml_element *e) {
    check_words(f, e);
    check_bare(f, e, e->direction == HK_SYSML_UNDIRECTED ? ON_VARIABLE : ON_PORT);
    if (e->direction == HK_SYSML_OUT && hk_profile_marked(e, "reactive"))
        hk_profile_error(f->r, f->file, &e->at, NULL, "an output is not reactive: inputs are");
    if (hk_profile_marked(e, "parameter") && hk_profile_marked(e, "varInit"))
        hk_profile_error(f->r, f->file, &e->at, NULL,
                         "a variable is a parameter or varInit, and not both");
}

static bool joins(const hk_sysml_element *e) {
    return e->kind == HK_SYSML_FLOW || e->kind == HK_SYSML_CONNECT || e->kind == HK_SYSML_INTERFACE;
}

static void check_joining(former *f, const hk_sysml_element *e, bool in_system) {
    check_bare(f, e, 0);
    if (!in_system)
        hk_profile_error(
            f->r, f->file, &e->at,
            "write it into the System: 'flow from part.part.port to part.port;'",
            "connections are between the parts of the System, and not in a part of it");
}

static void check_dependency(former *f, const hk_sysml_element *e) {
    check_bare(f, e, ON_DEPENDENCY);
    if (!hk_profile_marked(e, "feedthrough"))
        hk_profile_error(f->r, f->file, &e->at, "write '{ @feedthrough; }' behind it",
                         "a dependency that is not a feedthrough means nothing here");
}

/* What is in the definition of a part. */
static void check_in_def(former *f, const hk_sysml_element *def, const hk_sysml_element *e) {
    bool known_kind = e->kind == HK_SYSML_METADATA || e->kind == HK_SYSML_DOC;
    if (e->kind == HK_SYSML_ATTRIBUTE || e->kind == HK_SYSML_ITEM)
        check_attribute(f, e);
    else if (joins(e))
        check_joining(f, e, hk_profile_marked(def, "system"));
    else if (e->kind == HK_SYSML_DEPENDENCY)
        check_dependency(f, e);
    else if (!known_kind && e->kind != HK_SYSML_PART && e->kind != HK_SYSML_PORT)
        hk_profile_error(f->r, f->file, &e->at, NULL, "this means nothing in a part definition");
    if ((e->kind == HK_SYSML_PART || e->kind == HK_SYSML_PORT) && e->definition)
        hk_profile_error(f->r, f->file, &e->at, "move it into the package",
                         "a definition is not inside of another one");
    else if (e->kind == HK_SYSML_PART || e->kind == HK_SYSML_PORT) {
        check_words(f, e);
        check_bare(f, e, 0);
        if (!e->name)
            hk_profile_error(f->r, f->file, &e->at, NULL, "it has no name");
        if (e->value)
            hk_profile_error(f->r, f->file, &e->value->at, NULL, "a part or port has no value");
    }
}

/* What a block is said to be is of its kind, WORD. */
static void check_component(former *f, const hk_sysml_element *e, const char *word) {
    static const char *const wanted[][2] = {{"EComponent", "ecomponent"},
                                            {"POComponent", "pocomponent"}};
    for (size_t i = 0; i < e->member_count; i++)
        for (size_t k = 0; k < 2 && e->members[i].kind == HK_SYSML_METADATA; k++)
            if (strcmp(hk_profile_last(&e->members[i].type), wanted[k][0]) == 0 &&
                strcmp(word, wanted[k][1]) != 0)
                hk_profile_error(f->r, f->file, &e->members[i].at, NULL,
                                 "'@%s' means nothing for a block that is #%s", wanted[k][0], word);
}

static void check_def(former *f, const hk_sysml_element *e) {
    static const char *const kinds[] = {"system",      "ecomponent",      "lcomponent",
                                        "environment", "roboticPlatform", "pocomponent"};
    const char *first = NULL;
    bool several = false;
    check_words(f, e);
    check_metadata(f, e, ON_DEF);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!hk_profile_marked(e, kinds[i]))
            continue;
        if (first)
            hk_profile_error(f->r, f->file, &e->at, NULL, "block '%s' is both #%s and #%s",
                             e->name ? e->name : "", first, kinds[i]);
        several = first != NULL;
        first = kinds[i];
    }
    if (first && !several)
        check_component(f, e, first);
    for (size_t i = 0; i < e->member_count; i++)
        check_in_def(f, e, &e->members[i]);
}

/* What a use of a part redefines; SYSTEM: it is the outermost one, which has the connections. */
static void check_use(former *f, const hk_sysml_element *e, bool system) {
    check_words(f, e);
    check_metadata(f, e, system ? ON_SYSTEM : 0);
    for (size_t i = 0; i < e->member_count; i++) {
        const hk_sysml_element *m = &e->members[i];
        bool redefines = m->redefines.part_count > 0;
        if (joins(m))
            check_joining(f, m, system);
        else if (m->kind == HK_SYSML_PART && redefines)
            check_use(f, m, false);
        else if ((m->kind == HK_SYSML_REDEFINE || m->kind == HK_SYSML_ATTRIBUTE) && redefines)
            check_bare(f, m, 0);
        else if (m->kind != HK_SYSML_METADATA && m->kind != HK_SYSML_DOC)
            hk_profile_error(f->r, f->file, &m->at,
                             "parts, ports and variables are declared in definitions, and get "
                             "other values by ':>> NAME = VALUE;'",
                             "this means nothing in the use of a part");
    }
}

static void check_member(former *f, const hk_sysml_element *e) {
    if (e->kind == HK_SYSML_PACKAGE) {
        check_metadata(f, e, 0);
        for (size_t i = 0; i < e->member_count; i++)
            check_member(f, &e->members[i]);
    } else if (e->kind == HK_SYSML_PART && e->definition) {
        check_def(f, e);
    } else if (e->kind == HK_SYSML_PART) {
        check_use(f, e, true);
    } else if (e->kind == HK_SYSML_PORT && e->definition) {
        check_words(f, e);
        check_metadata(f, e, 0);
        for (size_t i = 0; i < e->member_count; i++)
            if (e->members[i].kind == HK_SYSML_ATTRIBUTE || e->members[i].kind == HK_SYSML_ITEM)
                check_attribute(f, &e->members[i]);
    } else if (e->kind == HK_SYSML_ENUM || e->kind == HK_SYSML_PORT) {
        check_words(f, e);
        if (!e->definition)
            hk_profile_error(f->r, f->file, &e->at, NULL, "this means nothing outside of a part");
    }
    /* metadata definitions are for other tools; the rest was looked at when it was collected */
}

void hk_profile_check_form(hk_profile_reader *r) {
    const hk_profile_tree *trees = r->trees.data;
    for (size_t i = 0; i < r->trees.count; i++) {
        former f = {r, trees[i].file};
        for (size_t k = 0; k < trees[i].tree->member_count; k++)
            check_member(&f, &trees[i].tree->members[k]);
    }
}
