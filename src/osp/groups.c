/* SPDX-License-Identifier: MIT
 *
 * The groups of variables of an OspModelDescription. libcosim joins groups of any kind by the order
 * of what is in them; OSP-IS says what a group of each kind holds, and what breaks that gets a
 * warning. */
#include "base/number.h"
#include "osp/osp_internal.h"

#include <string.h>

enum { MANY = 1000000 };

/* OSP-IS 1.0.1: how many variables, and which groups, in this order; '?': may be missing. */
static const struct kind {
    const char *name;
    size_t min, max;
    const char *groups; /* NULL: any */
} kinds[] = {
    {"Generic", 0, MANY, NULL},
    {"Force", 1, 3, ""},
    {"Torque", 1, 3, ""},
    {"Voltage", 1, 3, ""},
    {"Pressure", 1, 3, ""},
    {"LinearVelocity", 1, 3, ""},
    {"AngularVelocity", 1, 3, ""},
    {"Current", 1, 3, ""},
    {"VolumeFlowRate", 1, 3, ""},
    {"LinearDisplacement", 1, 3, ""},
    {"AngularDisplacement", 1, 3, ""},
    {"Charge", 1, 3, ""},
    {"Volume", 1, 3, ""},
    {"LinearAcceleration", 1, 3, ""},
    {"AngularAcceleration", 1, 3, ""},
    {"LinearMechanicalPort", 0, 0, "Force LinearVelocity"},
    {"AngularMechanicalPort", 0, 0, "Torque AngularVelocity"},
    {"ElectromagneticPort", 0, 0, "Voltage Current"},
    {"HydraulicPort", 0, 0, "Pressure VolumeFlowRate"},
    {"LinearMechanicalQuasiPort", 0, 0, "Force LinearDisplacement"},
    {"AngularMechanicalQuasiPort", 0, 0, "Torque AngularDisplacement"},
    {"ElectromagneticQuasiPort", 0, 0, "Voltage Charge"},
    {"HydraulicQuasiPort", 0, 0, "Pressure Volume"},
    {"ElectricPower", 1, 1, ""},
    {"Frequency", 1, 1, ""},
    {"NmeaTime", 1, 1, ""},
    {"NmeaStatus", 1, 1, ""},
    {"NmeaGgaLatitudeLongitude", 4, 4, ""},
    {"NmeaGgaFix", 7, 7, ""},
    {"NmeaGga", 0, 0, "NmeaTime NmeaGgaLatitudeLongitude NmeaGgaFix"},
    {"NmeaGstRms", 1, 1, ""},
    {"NmeaGstEllipse", 3, 3, ""},
    {"NmeaGstPositionError", 3, 3, ""},
    {"NmeaGst", 0, 0, "NmeaGstRms NmeaGstEllipse NmeaGstPositionError"},
    {"NmeaWindDirection", 2, 2, ""},
    {"NmeaWindSpeed", 2, 2, ""},
    {"NmeaMwv", 0, 0, "NmeaWindDirection NmeaWindSpeed NmeaStatus"},
    {"NmeaTrueHeading", 1, 1, ""},
    {"NmeaThs", 0, 0, "NmeaTrueHeading NmeaStatus"},
    {"NmeaSxn", 0, 0, "AngularDisplacement NmeaStatus"},
    {"BatteryFeedback", 1, 1, "ElectricPower"},
    {"GeneratorFeedback", 0, 0, "ElectricPower Voltage Frequency"},
    {"BusFeedback", 0, 0, "ElectricPower Voltage Frequency"},
    {"ShaftSpeed", 1, 1, ""},
    {"AzimuthAngle", 1, 1, ""},
    {"BladePitch", 1, 1, ""},
    {"FixedThrusterSetpoint", 0, 0, "?ShaftSpeed ?BladePitch"},
    {"FixedThrusterFeedback", 0, 0, "?ShaftSpeed ?BladePitch Force"},
    {"AzimuthThrusterSetpoint", 0, 0, "?ShaftSpeed ?AzimuthAngle ?BladePitch"},
    {"AzimuthThrusterFeedback", 0, 0, "?ShaftSpeed AzimuthAngle ?BladePitch Force"},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const struct kind *find_kind(const char *name) {
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

bool hk_osp_knows_kind(const char *name) {
    return find_kind(name) != NULL;
}

/* One reading of one file. */
typedef struct reading {
    hk_osp *r;
    const char *file;
    const hk_xml *units;
    hk_map names; /* of groups */
} reading;

/* ---- units ---- */

static bool read_base(const hk_xml *xml, hk_uom *unit) {
    const hk_xml *base = hk_xml_child(xml, NULL, "BaseUnit");
    unit->factor = 1;
    for (size_t i = 0; base && i < base->attr_count; i++) {
        const char *name = base->attrs[i].name, *text = base->attrs[i].value;
        int64_t exponent;
        double *number = strcmp(name, "factor") == 0   ? &unit->factor
                         : strcmp(name, "offset") == 0 ? &unit->offset
                                                       : NULL;
        if (number && !hk_read_f64(text, strlen(text), number))
            return false;
        for (size_t k = 0; k < HK_BASE_UNITS; k++)
            if (strcmp(name, hk_base_unit_names[k]) == 0) {
                if (!hk_read_i64(text, strlen(text), &exponent) || exponent < -100 ||
                    exponent > 100)
                    return false;
                unit->exponent[k] = (int8_t)exponent;
            }
    }
    return base != NULL;
}

/* What the file itself defines goes before what the name says. */
static const hk_uom *read_unit(reading *k, const hk_xml *variable) {
    const char *name = hk_xml_attr_get(variable, "unit");
    if (!name || !*name || !k->r->model)
        return NULL;
    hk_uom *unit = HK_NEW(k->r->model->arena, hk_uom);
    for (const hk_xml *x = k->units ? hk_xml_child(k->units, NULL, "Unit") : NULL; x;
         x = hk_xml_next(x, NULL, "Unit")) {
        const char *defined = hk_xml_attr_get(x, "name");
        if (defined && strcmp(defined, name) == 0 && read_base(x, unit)) {
            unit->name = hk_arena_strdup(k->r->model->arena, name);
            return unit;
        }
    }
    return hk_uom_parse(hk_arena_strdup(k->r->model->arena, name), unit) ? unit : NULL;
}

/* ---- groups ---- */

/* Is NAME at *AT, perhaps behind some that may be missing? *AT then is behind it. */
static bool take_group(const char **at, const char *name) {
    size_t length = strlen(name);
    for (const char *c = *at; *c;) {
        bool optional = *c == '?';
        c += optional;
        size_t n = strcspn(c, " ");
        if (n == length && memcmp(c, name, n) == 0) {
            *at = c + n + strspn(c + n, " ");
            return true;
        }
        if (!optional)
            return false;
        c += n;
        c += strspn(c, " ");
    }
    return false;
}

static bool keeps_rule(const hk_osp_group *g, const struct kind *kind) {
    const char *at = kind->groups;
    if (g->member_count < kind->min || g->member_count > kind->max)
        return false;
    if (!at)
        return true;
    for (size_t i = 0; i < g->group_count; i++)
        if (!take_group(&at, g->groups[i].kind))
            return false;
    while (*at == '?')
        at += strcspn(at, " "), at += strspn(at, " ");
    return !*at;
}

static void check_group(reading *k, const hk_osp_group *g) {
    const struct kind *kind = find_kind(g->kind);
    hk_osp *r = k->r;
    if (!kind && hk_osp_first(r, hk_arena_printf(r->arena, "kind %s", g->kind))) {
        const char *names[KIND_COUNT];
        for (size_t i = 0; i < KIND_COUNT; i++)
            names[i] = kinds[i].name;
        hk_warn(r->ctx, HK_E_OSP, g->where, hk_osp_suggest(r, g->kind, names, KIND_COUNT),
                "'%s' is not a kind of group that OSP-IS knows; it is read as Generic", g->kind);
    } else if (kind && !keeps_rule(g, kind) &&
               hk_osp_first(r, hk_arena_printf(r->arena, "rule %s", g->kind))) {
        hk_warn(r->ctx, HK_E_OSP, g->where, NULL,
                "group '%s' does not hold what a %s holds by OSP-IS; it is joined in the order of "
                "the file",
                g->name, g->kind);
    }
}

/* "VariableGroup type='Force'" is an older way to write "Force". */
static const char *kind_of(hk_osp *r, const hk_xml *xml) {
    const char *type = hk_xml_attr_get(xml, "type");
    return strcmp(xml->name, "VariableGroup") == 0 && type ? type
                                                           : hk_arena_strdup(r->arena, xml->name);
}

static void read_member(reading *k, const hk_xml *xml, hk_osp_group *g) {
    hk_osp *r = k->r;
    const char *name = hk_xml_attr_get(xml, "ref");
    if (!name)
        name = hk_xml_attr_get(xml, "name"); /* older files */
    if (!name || !*name) {
        hk_osp_need(r, k->file, xml, "ref");
        return;
    }
    if (hk_xml_attr_get(xml, "axis") && hk_osp_first(r, "axis"))
        hk_note(r->ctx, hk_xml_where(k->file, xml),
                "attribute 'axis' is not used: variables are joined in the order of the file");
    g->members[g->member_count++] =
        (hk_osp_member){name, read_unit(k, xml), hk_xml_where(k->file, xml)};
}

/* The depth is limited by the XML reader. */
static bool read_group(reading *k, const hk_xml *xml, hk_osp_group *ret_group) {
    hk_osp *r = k->r;
    hk_osp_group g = {.kind = kind_of(r, xml), .where = hk_xml_where(k->file, xml)};
    size_t children = 0;
    for (const hk_xml *x = xml->child; x; x = x->next)
        children++;
    g.name = hk_osp_need(r, k->file, xml, "name");
    if (!g.name)
        return false;
    g.members = HK_NEW_ARRAY(r->arena, hk_osp_member, children + 1);
    g.groups = HK_NEW_ARRAY(r->arena, hk_osp_group, children + 1);
    uint32_t first = hk_map_put(&k->names, g.name, (uint32_t)xml->line);
    if (first != (uint32_t)xml->line && hk_osp_first(r, "two groups"))
        hk_warn(r->ctx, HK_E_OSP, g.where, "give each a name of its own",
                "there are two groups '%s'; the first, in line %u, counts", g.name,
                (unsigned)first);
    for (const hk_xml *x = xml->child; x; x = x->next)
        if (strcmp(x->name, "Variable") == 0)
            read_member(k, x, &g);
        else if (read_group(k, x, &g.groups[g.group_count]))
            g.group_count++;
    check_group(k, &g);
    *ret_group = g;
    return true;
}

const hk_osp_description *hk_osp_read_description(hk_osp *r, const char *file, const hk_xml *root) {
    hk_osp_description *d = HK_NEW(r->arena, hk_osp_description);
    const hk_xml *groups = hk_xml_child(root, NULL, "VariableGroups");
    reading k = {.r = r, .file = file, .units = hk_xml_child(root, NULL, "UnitDefinitions")};
    size_t count = 0;
    hk_osp_check_description(r, file, root);
    for (const hk_xml *x = groups ? groups->child : NULL; x; x = x->next)
        count++;
    d->file = file;
    d->groups = HK_NEW_ARRAY(r->arena, hk_osp_group, count + 1);
    for (const hk_xml *x = groups ? groups->child : NULL; x; x = x->next)
        if (read_group(&k, x, &d->groups[d->group_count]))
            d->group_count++;
    hk_map_finish(&k.names);
    return d;
}

static const hk_osp_group *find_among(const hk_osp_group *groups, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(groups[i].name, name) == 0)
            return &groups[i];
    for (size_t i = 0; i < count; i++) {
        const hk_osp_group *found = find_among(groups[i].groups, groups[i].group_count, name);
        if (found)
            return found;
    }
    return NULL;
}

const hk_osp_group *hk_osp_find_group(const hk_osp_description *description, const char *name) {
    return find_among(description->groups, description->group_count, name);
}
