/* SPDX-License-Identifier: MIT
 *
 * What is in a description and is not used, though a run may mean something else without it:
 * settings of other tools, signatures, files that are named and missing. Each kind is reported
 * once, where it is first. */
#include "base/file.h"
#include "ssp/ssp_internal.h"

#include <string.h>
#include <strings.h>

static bool holds(const char *name, const char *word) {
    size_t length = strlen(word);
    for (const char *c = name; *c; c++)
        if (strncasecmp(c, word, length) == 0)
            return true;
    return false;
}

/* Does the element decide elsewhere how a run is made? By its name alone, since the namespaces
 * differ from tool to tool and from version to version. */
static bool decides(const hk_xml *x) {
    static const char *const words[] = {"solver",     "master",   "stepsize", "scenario",
                                        "decimation", "priority", "realtime"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (holds(x->name, words[i]))
            return true;
        for (size_t k = 0; k < x->attr_count; k++)
            if (holds(x->attrs[k].name, words[i]))
                return true;
    }
    return holds(x->name, "algorithm") && strcasecmp(x->name, "algorithm") != 0;
}

/* The rest of what the element says whose step size is used. */
static void tell_rest(hk_ssp *r, const char *file, const hk_xml *step) {
    for (size_t i = 0; i < step->attr_count; i++)
        if (holds(step->attrs[i].name, "tolerance"))
            if (hk_ssp_first(r, "tolerance of another tool"))
                hk_note(r->ctx, hk_xml_where(file, step),
                        "of '%s' the step size is used, and not %s=\"%s\"; --tolerance sets it",
                        step->name, step->attrs[i].name, step->attrs[i].value);
}

/* False: nothing in it is used or told. */
static bool look_into(hk_ssp *r, const char *file, const hk_xml *xml, const char *type,
                      const hk_xml *step, const hk_xml *hint) {
    bool any = false;
    for (const hk_xml *x = xml->child; x; x = x->next) {
        any = any || x == step || x == hint || decides(x);
        if (x == step)
            tell_rest(r, file, x);
        else if (x == hint)
            continue; /* used, or told, where the component is read */
        else if (decides(x) && hk_ssp_first(r, hk_arena_printf(r->arena, "says %s", x->name)))
            hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, x),
                    "say it with hocket's own annotation, a schedule file or the command line",
                    "'%s' of the annotation '%s' decides how other tools run the system; it is "
                    "not used",
                    x->name, type);
        any |= look_into(r, file, x, type, step, hint);
    }
    return any;
}

/* OWNER is what the annotation is about. */
static void look_at_annotation(hk_ssp *r, const char *file, const hk_xml *annotation,
                               const hk_xml *owner, const hk_xml *step) {
    bool component = owner && strcmp(owner->name, "Component") == 0;
    const char *type = hk_xml_attr_get(annotation, "type");
    if (type &&
        (strcmp(type, HK_SSP_ANNOTATION) == 0 || strcmp(type, HK_SSP_SYSTEM_ANNOTATION) == 0 ||
         strcmp(type, HK_SSP_SCENE) == 0)) /* pictures ask for it */
        return;
    if (!look_into(r, file, annotation, type ? type : "", step,
                   component ? hk_ssp_find_hint(owner) : NULL))
        hk_ssp_idle(r, hk_xml_where(file, annotation),
                    hk_arena_printf(r->arena, "annotation '%s'", type ? type : ""));
}

/* A MetaData or Signature. What it describes does not depend on it, so it is not read. */
static void look_at_source(hk_ssp *r, const hk_ssp_base *b, const char *file, const hk_xml *xml) {
    const char *source = hk_xml_attr_get(xml, "source"), *base = hk_xml_attr_get(xml, "sourceBase");
    if (strcmp(xml->name, "Signature") == 0 && hk_ssp_first(r, "signature"))
        hk_note(r->ctx, hk_xml_where(file, xml), "signatures are not verified");
    bool elsewhere = base && strcmp(base, "file") != 0 && strcmp(base, "SSD") != 0;
    if (!source || (!b->store->folder && !b->store->zip) || elsewhere || strstr(source, "://"))
        return;
    const char *path, *fragment;
    hk_ctx *ctx = r->ctx, *quiet = hk_ctx_create(NULL, NULL); /* not read, so it may lie anywhere */
    hk_reading reading = r->reading; /* what is said to nobody is not said */
    r->ctx = quiet;
    r->reading = (hk_reading){.arena = reading.arena, .code = reading.code};
    bool named = hk_ssp_resolve(r, b, source, HK_NOWHERE, &path, &fragment) == HK_OK;
    bool exists = true;
    if (named && hk_ssp_exists(r, b->store, path, &exists) != HK_OK)
        exists = true; /* who needs the package says what is wrong with it */
    hk_reading_finish(&r->reading);
    r->reading = reading;
    r->ctx = ctx;
    hk_ctx_destroy(quiet);
    if (!exists)
        hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, xml), "add the file, or correct the source",
                "the file '%s' of a %s does not exist", path, xml->name);
}

/* The depth is limited by the XML reader. */
static void walk(hk_ssp *r, const hk_ssp_base *base, const char *file, const hk_xml *root,
                 const hk_xml *parent, const hk_xml *step) {
    for (const hk_xml *x = root->child; x; x = x->next) {
        if (!hk_ssp_in_namespace(x))
            continue;
        if (strcmp(x->name, "Annotation") == 0) {
            look_at_annotation(r, file, x, parent, step);
            continue;
        }
        if (strcmp(x->name, "MetaData") == 0 || strcmp(x->name, "Signature") == 0)
            look_at_source(r, base, file, x);
        walk(r, base, file, x, root, step);
    }
}

void hk_ssp_tell_unused(hk_ssp *r, const hk_ssp_base *base, const char *file, const hk_xml *root,
                        const hk_xml *step) {
    walk(r, base, file, root, NULL, step);
    hk_ssp_tell_idle(r);
}

void hk_ssp_tell_idle(hk_ssp *r) {
    enum { KINDS_MAX = 12 }; /* in one note, so that it is not cut */
    const char *list = "";
    for (size_t i = 0; i < r->idle_count; i++) {
        bool last = i + 1 == r->idle_count || i % KINDS_MAX == KINDS_MAX - 1;
        list = hk_arena_printf(r->arena, "%s%s%s", list, *list ? ", " : "", r->idle[i]);
        if (!last)
            continue;
        hk_note(r->ctx, r->idle_where, "known and not used here: %s", list);
        list = "";
    }
    r->idle_count = 0;
}

void hk_ssp_idle(hk_ssp *r, hk_where where, const char *what) {
    if (!hk_ssp_first(r, hk_arena_printf(r->arena, "idle %s", what)))
        return;
    if (r->idle_count && r->idle_where.file != where.file)
        hk_ssp_tell_idle(r);
    if (!r->idle_count)
        r->idle_where = where;
    HK_SSP_PUSH(r, r->idle, r->idle_count, r->idle_cap, hk_arena_strdup(r->arena, what));
}
