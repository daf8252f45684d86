/* SPDX-License-Identifier: MIT */
#include "format/grammar.h"

#include <string.h>

#define MARKS "*|-"

typedef struct walk {
    hk_ctx *ctx;
    hk_reading *reading;
    const hk_grammar *grammar;
    const char *file;
} walk;

/* WORD in a list, with its marks, which are not part of the words; NULL: it is not there. */
static const char *find_in_list(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *c = list; *c; c += strspn(c, " ")) {
        size_t mark = strspn(c, MARKS), n = strcspn(c, " ");
        if (n - mark == length && memcmp(c + mark, word, length) == 0)
            return c;
        c += n;
    }
    return NULL;
}

static bool is_marked(const char *at, char mark) {
    return memchr(at, mark, strspn(at, MARKS)) != NULL;
}

static const char *closest_in_list(const walk *w, const char *list, const char *word) {
    enum { WORDS_MAX = 32 };
    const char *words[WORDS_MAX];
    size_t count = 0;
    for (const char *c = list; *c && count < WORDS_MAX; c += strspn(c, " ")) {
        size_t mark = strspn(c, MARKS), n = strcspn(c, " ");
        words[count++] = hk_arena_strndup(w->reading->arena, c + mark, n - mark);
        c += n;
    }
    return hk_reading_suggest(w->reading, word, words, count);
}

/* True the first time that a parent has such an element or attribute. */
static bool is_first(const walk *w, const char *what, const char *parent, const char *name) {
    return hk_reading_first(w->reading,
                            hk_arena_printf(w->reading->arena, "%s %s %s", what, parent, name));
}

static void tell_unknown(const walk *w, const hk_xml *at, const char *what, const char *list,
                         const char *parent, const char *name) {
    if (is_first(w, what, parent, name))
        hk_warn(w->ctx, w->reading->code, hk_xml_where(w->file, at), closest_in_list(w, list, name),
                "unknown %s '%s' of '%s' is ignored", what, name, parent);
}

static void tell_foreign(const walk *w, const hk_xml *parent, const hk_xml *child) {
    if (is_first(w, "foreign", child->ns, child->name))
        hk_warn(w->ctx, w->reading->code, hk_xml_where(w->file, child), w->grammar->foreign_hint,
                "element '%s' of namespace '%s' inside '%s' is ignored", child->name, child->ns,
                parent->name);
}

/* ELEMENT, or one of its attributes, is in PARENT and is not used. */
static void tell_idle(const walk *w, const char *parent, const hk_xml *element,
                      const hk_xml_attr *attribute) {
    const char *what = attribute ? "attribute" : "element";
    const char *name = attribute ? attribute->name : element->name;
    if (w->grammar->idle)
        w->grammar->idle(w->grammar->user, w->file, element, attribute);
    else if (is_first(w, what, parent, name))
        hk_note(w->ctx, hk_xml_where(w->file, element), "%s '%s' of '%s' is not used", what, name,
                parent);
}

/* What is in one parent so far, by the place of its name in the list of children; those with a
 * '|' share one place. */
enum { PLACES_MAX = 32 };
typedef struct places {
    const hk_xml *first[PLACES_MAX];
    bool told[PLACES_MAX];
} places;

static size_t place_of(const char *children, const char *at) {
    size_t place = 1; /* 0 is for the alternatives */
    for (const char *c = children; c < at && *at != '|'; c++)
        place += *c == ' ';
    return *at == '|' ? 0 : place;
}

/* CHILD is AT a place of the list: was there one before it, where only one may be? */
static void take_place(const walk *w, const hk_xml *parent, const hk_xml *child,
                       const char *children, const char *at, places *taken) {
    if (is_marked(at, '*') || (w->grammar->may_repeat && w->grammar->may_repeat(child)))
        return;
    size_t place = place_of(children, at);
    HK_ASSERT(place < PLACES_MAX);
    const hk_xml *first = taken->first[place];
    if (!first)
        taken->first[place] = child;
    if (!first || taken->told[place])
        return;
    taken->told[place] = true;
    bool alike = strcmp(first->name, child->name) == 0;
    hk_reading_failed(
        w->reading,
        hk_error(w->ctx, HK_E_DUPLICATE, hk_xml_where(w->file, child),
                 alike ? "join the two, or remove one" : "remove one of the two",
                 alike ? "'%s' may have one '%s', and this is another%s; the first is in "
                         "line %d"
                       : "'%s' may not have '%s' beside '%s', which is in line %d",
                 parent->name, child->name, alike ? "" : first->name, first->line));
}

static void look_at_attribute(const walk *w, const hk_xml *element, const char *list,
                              const hk_xml_attr *a) {
    const char *at = find_in_list(list, a->name);
    if (*a->ns) { /* those of XML itself say nothing about the system */
        if (!strstr(a->ns, "/XMLSchema-instance") && !strstr(a->ns, "/XML/1998"))
            tell_idle(w, a->ns, element, a);
    } else if (at && is_marked(at, '-')) {
        tell_idle(w, element->name, element, a);
    } else if (!at && !(w->grammar->knows && w->grammar->knows(element, a->name))) {
        tell_unknown(w, element, "attribute", list, element->name, a->name);
    }
}

static void look_at(const walk *w, const hk_xml *element);

static void look_at_child(const walk *w, const hk_xml *parent, const hk_xml *child,
                          const char *children, places *taken) {
    const char *at = find_in_list(children, child->name);
    if (w->grammar->is_own && !w->grammar->is_own(child)) {
        tell_foreign(w, parent, child);
    } else if (at) {
        take_place(w, parent, child, children, at, taken);
        if (is_marked(at, '-'))
            tell_idle(w, parent->name, child, NULL);
        look_at(w, child);
    } else if (!strchr(children, '+')) {
        tell_unknown(w, child, "element", children, parent->name, child->name);
    }
}

/* The depth is limited by the XML reader. */
static void look_at(const walk *w, const hk_xml *element) {
    const hk_grammar_rule *rule = w->grammar->rules;
    while (rule->name && strcmp(rule->name, element->name) != 0)
        rule++;
    if (!rule->name)
        return;
    places taken = {0};
    for (size_t i = 0; i < element->attr_count; i++)
        look_at_attribute(w, element, rule->attributes, &element->attrs[i]);
    for (const hk_xml *child = element->child; child; child = child->next)
        look_at_child(w, element, child, rule->children, &taken);
}

void hk_grammar_check(hk_ctx *ctx, hk_reading *reading, const hk_grammar *grammar, const char *file,
                      const hk_xml *root) {
    look_at(&(walk){ctx, reading, grammar, file}, root);
}
