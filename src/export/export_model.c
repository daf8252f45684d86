/* SPDX-License-Identifier: MIT
 *
 * The generated files among the sources of an FMU: what the shell has to know about this one, and
 * how to build it. */
#include "export/export_internal.h"

#include "base/number.h"

#include <string.h>

/* Functions in sources bear the model identifier as a prefix. Not so by itself in FMI 2.0: those
 * who make a shared library of it read a list of files that has no place for definitions. */
void hk_export_write_model_header(const hk_export *e, FILE *out) {
    fprintf(out,
            "/* Written by hocket export: the names that this FMU shows the linker. */\n"
            "#ifndef HK_SHELL_MODEL_H\n#define HK_SHELL_MODEL_H\n\n"
            "#define HK_SHELL_ID %s\n",
            e->identifier);
    if (e->options->fmi == 3)
        fprintf(out,
                "/* buildDescription.xml overrides it for a shared library. */\n"
                "#ifndef FMI3_FUNCTION_PREFIX\n#define FMI3_FUNCTION_PREFIX %s_\n#endif\n",
                e->identifier);
    if (!e->plugin)
        fprintf(out, "#define hk_plugin %s_hk_plugin\n", e->identifier);
    fputs("\n#endif\n", out);
}

/* A C string literal; octal, since a digit may follow. */
static void put_literal(FILE *out, const void *data, size_t size) {
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = ((const unsigned char *)data)[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?')
            fputc(c, out);
        else
            fprintf(out, "\\%03o", c);
    }
    fputc('"', out);
}

/* The shortest digits that give the same number again: compilers read them exactly. */
static void put_number(FILE *out, const char *text, size_t length) {
    fprintf(out, "%.*s", (int)length, text);
    if (!memchr(text, '.', length) && !memchr(text, 'e', length))
        fputs(".0", out);
}

static void put_element(FILE *out, hk_type type, const void *at) {
    char number[HK_NUMBER_MAX];
    switch (type) {
    case HK_TYPE_F64:
        put_number(out, number, hk_write_f64(*(const double *)at, number));
        return;
    case HK_TYPE_F32:
        put_number(out, number, hk_write_f32(*(const float *)at, number));
        fputc('f', out);
        return;
    case HK_TYPE_BOOL:
        fputs(*(const bool *)at ? "true" : "false", out);
        return;
    case HK_TYPE_STRING:
    case HK_TYPE_BINARY: {
        const hk_bytes *bytes = at;
        fputc('{', out);
        put_literal(out, bytes->data, bytes->data ? bytes->size : 0);
        fprintf(out, ", %zu}", bytes->data ? bytes->size : 0);
        return;
    }
    case HK_TYPE_U64:
        fprintf(out, "UINT64_C(%.*s)", (int)hk_write_u64(*(const uint64_t *)at, number), number);
        return;
    default:
        break;
    }
    int64_t value = 0;
    bool fits = hk_value_convert(HK_STORE_I64, &value, hk_store_of(type), at, 1);
    HK_ASSERT(fits);
    if (value == INT64_MIN) /* the number without its sign is none that C can write */
        fputs("INT64_MIN", out);
    else
        fprintf(out, "INT64_C(%.*s)", (int)hk_write_i64(value, number), number);
}

static const char *c_type(hk_type type) {
    static const char *const names[HK_TYPE_COUNT] = {
        "double",   "float",   "int8_t",   "uint8_t", "int16_t",  "uint16_t", "int32_t",
        "uint32_t", "int64_t", "uint64_t", "bool",    "hk_bytes", "hk_bytes", "int64_t"};
    return names[type];
}

static void put_start(FILE *out, const hk_variable *v, size_t index) {
    if (!v->start.data)
        return;
    size_t size = hk_store_size(hk_store_of(v->type));
    fprintf(out, "static const %s start_%zu[] = {", c_type(v->type), index);
    for (size_t k = 0; k < v->count; k++) {
        fputs(k ? ", " : "", out);
        put_element(out, v->type, (const char *)v->start.data + k * size);
    }
    fputs("};\n", out);
}

void hk_export_write_model(const hk_export *e, FILE *out) {
    fputs("/* Written by hocket export. */\n#include \"shell_core.h\"\n\n", out);
    for (size_t i = 0; i < e->info->variable_count; i++)
        put_start(out, &e->info->variables[i], i);
    fputs("static const void *const starts[] = {\n", out);
    for (size_t i = 0; i < e->info->variable_count; i++)
        if (e->info->variables[i].start.data)
            fprintf(out, "    start_%zu,\n", i);
        else
            fputs("    NULL,\n", out);
    fputs("    NULL};\n", out);
    hk_export_write_events(e, out);
    fputs("\nconst hk_shell_model hk_shell_data = {\n    .type = ", out);
    put_literal(out, e->info->name, strlen(e->info->name));
    fprintf(out, ",\n    .guid = \"%s\",\n", e->guid);
    if (e->plugin)
        fprintf(out,
                "    .plugin = \"%s_plugin.so\",\n    .load = hk_shell_load_plugin,\n"
                "    .unload = hk_shell_unload_plugin,\n",
                e->identifier);
    else
        fputs("    .types = hk_plugin,\n", out);
    if (hk_export_has_clocks(e)) {
        char step[HK_NUMBER_MAX];
        fputs("    .events = events,\n    .step = ", out);
        put_number(out, step, hk_write_f64(e->options->cycle->length, step));
        fputs(",\n", out);
    }
    fprintf(out, "    .starts = starts,\n    .port_count = %zu,\n%s};\n",
            hk_native_type_of(e->info)->port_count,
            e->options->once_per_process ? "    .once_per_process = true,\n" : "");
}

void hk_export_write_layout(const hk_export *e, FILE *out) {
    const hk_unit_type *type = hk_native_type_of(e->info);
    fprintf(out, "struct %zu\n", type->instance_size);
    for (size_t i = 0; i < type->port_count; i++)
        fprintf(out, "port %zu %d %zu\n", type->ports[i].offset, (int)type->ports[i].type,
                type->ports[i].count);
    size_t streams = e->info->can.has_streams ? type->stream_count : 0;
    for (size_t i = 0; i < streams; i++)
        fprintf(out, "stream %zu %s\n", type->streams[i].offset, type->streams[i].name);
}

void hk_export_write_build(const hk_export *e, FILE *out) {
    const char *unit;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
          "  <BuildConfiguration",
          out);
    hk_export_put_attr(out, "modelIdentifier", e->identifier);
    fputs(">\n    <SourceFileSet language=\"C17\">\n", out);
    for (size_t i = 0; i < e->unit_count; i++) {
        fputs("      <SourceFile", out);
        hk_export_put_attr(out, "name", e->units[i]);
        fputs("/>\n", out);
    }
    for (size_t i = 0; (unit = hk_export_shell_unit(e, i)); i++)
        fprintf(out, "      <SourceFile name=\"%s\"/>\n", unit);
    if (e->options->fmi == 3)
        fputs("      <PreprocessorDefinition name=\"FMI3_OVERRIDE_FUNCTION_PREFIX\" value=\"1\" "
              "optional=\"true\" description=\"For a shared library, whose functions have no "
              "prefix\"/>\n",
              out);
    for (size_t i = 0; i < e->options->define_count; i++) {
        const char *define = e->options->defines[i], *equal = strchr(define, '=');
        fputs("      <PreprocessorDefinition", out);
        hk_export_put_attr(out, "name",
                           equal ? hk_arena_strndup(e->arena, define, (size_t)(equal - define))
                                 : define);
        hk_export_put_attr(out, "value", equal ? equal + 1 : "1");
        fputs("/>\n", out);
    }
    fputs("      <IncludeDirectory name=\".\"/>\n", out);
    for (size_t i = 0; i < e->include_count; i++) {
        fputs("      <IncludeDirectory", out);
        hk_export_put_attr(out, "name", e->includes[i]);
        fputs("/>\n", out);
    }
    fputs("    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n"
          "  </BuildConfiguration>\n</fmiBuildDescription>\n",
          out);
}
