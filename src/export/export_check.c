/* SPDX-License-Identifier: MIT
 *
 * What no FMU, or none of this version of FMI, can say about a component. */
#include "export/export_internal.h"

#include <math.h>
#include <string.h>

const char *hk_export_identifier(hk_arena *arena, const char *name) {
    char *id = hk_arena_printf(arena, "%s%s", *name >= '0' && *name <= '9' ? "_" : "", name);
    for (char *c = id; *c; c++)
        if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
              (*c >= 'A' && *c <= 'Z')))
            *c = '_';
    return id;
}

/* XML has no way to write most control characters, and no meaning for broken UTF-8. */
bool hk_export_is_text(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 && *c != '\n' && *c != '\r' && *c != '\t')
            return false;
        size_t more = *c < 0x80 ? 0 : *c >= 0xf0 ? 3 : *c >= 0xe0 ? 2 : 1;
        if ((*c >= 0x80 && *c < 0xc2) || *c > 0xf4)
            return false;
        for (; more; more--)
            if ((*++c & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static bool start_is_finite(const hk_variable *v) {
    for (size_t i = 0; i < v->start.count; i++)
        if ((v->type == HK_TYPE_F64 && !isfinite(((const double *)v->start.data)[i])) ||
            (v->type == HK_TYPE_F32 && !isfinite(((const float *)v->start.data)[i])))
            return false;
    return true;
}

static bool start_is_text(const hk_variable *v) {
    for (size_t i = 0; i < v->start.count && v->type == HK_TYPE_STRING; i++) {
        const hk_bytes *bytes = (const hk_bytes *)v->start.data + i;
        if (bytes->data && !hk_export_is_text(bytes->data))
            return false;
    }
    return true;
}

/* FMI 1.0 and 2.0 have one integer type, of 32 bits. */
static bool start_fits(const hk_variable *v) {
    hk_store store = hk_store_of(v->type);
    if (store < HK_STORE_I8 || store > HK_STORE_U64)
        return true;
    for (size_t i = 0; i < v->start.count; i++) {
        int32_t narrow;
        const char *at = (const char *)v->start.data + i * hk_store_size(store);
        if (!hk_value_convert(HK_STORE_I32, &narrow, store, at, 1))
            return false;
    }
    return true;
}

const char *hk_export_file(const hk_export *e) {
    return e->options->made_from ? e->options->made_from : e->info->file;
}

/* Nobody provides a service to an FMU. Those that the component provides are left out. */
static hk_status check_services(const hk_export *e) {
    for (size_t i = 0; i < e->info->service_count; i++) {
        const hk_service_info *s = &e->info->services[i];
        const hk_where where = {.file = hk_export_file(e),
                                .element = hk_arena_printf(e->arena, "service '%s'", s->name)};
        if (!s->provided)
            return hk_error(e->ctx, HK_E_EXPORT, where,
                            "let it take the values as inputs, or run it in hocket as it is",
                            "the component calls the interface '%s' of another one, and FMI has no "
                            "calls between FMUs",
                            s->interface);
    }
    return HK_OK;
}

/* Files that a component reads are not part of what it is exported from. */
static hk_status check_resource(const hk_export *e) {
    const hk_unit_type *type = hk_native_type_of(e->info);
    if (!HK_UNIT_HAS(type, resource))
        return HK_OK;
    return hk_error(
        e->ctx, HK_E_EXPORT, (hk_where){.file = hk_export_file(e)}, "run it in hocket as it is",
        "the component '%s' reads files beside the system, and an FMU has none of them", e->name);
}

hk_status hk_export_check(const hk_export *e) {
    hk_where where = {.file = hk_export_file(e)};
    const hk_export_options *options = e->options;
    if (!hk_export_is_text(e->name) || !*e->name ||
        (e->info->description && !hk_export_is_text(e->info->description)))
        return hk_error(e->ctx, HK_E_EXPORT, where, "use printable UTF-8 text",
                        "the name or description of the component cannot be written in XML");
    HK_TRY(check_services(e));
    HK_TRY(check_resource(e));
    for (size_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *v = &e->info->variables[i];
        where.element = hk_arena_printf(e->arena, "port '%s'", v->name);
        if (!hk_export_is_text(v->name) || strpbrk(v->name, "\r\n\t") ||
            (v->description && !hk_export_is_text(v->description)) ||
            (v->unit && !hk_export_is_text(v->unit)))
            return hk_error(e->ctx, HK_E_EXPORT, where, "use printable UTF-8 text",
                            "its name, unit or description cannot be written in XML");
        if (options->fmi != 3 && v->type == HK_TYPE_BINARY)
            return hk_error(e->ctx, HK_E_EXPORT, where, "export with --fmi 3",
                            "FMI %d.0 has no binary values", options->fmi);
        if (!v->start.data)
            continue;
        if (!start_is_finite(v))
            return hk_error(e->ctx, HK_E_EXPORT, where, NULL,
                            "its start value is not a finite number");
        if (!start_is_text(v))
            return hk_error(e->ctx, HK_E_EXPORT, where, "use printable UTF-8 text",
                            "its start value cannot be written in XML");
        if (options->fmi != 3 && !start_fits(v))
            return hk_error(e->ctx, HK_E_EXPORT, where, "export with --fmi 3",
                            "its start value does not fit the 32-bit Integer of FMI %d.0",
                            options->fmi);
    }
    return hk_export_check_domains(e);
}
