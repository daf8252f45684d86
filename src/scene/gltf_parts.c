/* SPDX-License-Identifier: MIT */
#include "scene/gltf_parts.h"

#include "format/uri.h"

#include <string.h>

#define BUFFER_BYTES_MAX ((size_t)1 << 29)
enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };

static const char DATA_URI[] = "data:";
static const char BASE64[] = ";base64,";

hk_status hk_gltf_wrong(const gltf *g, const hk_json_value *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(g->from.arena, format, args);
    va_end(args);
    hk_where where = {
        .file = g->from.file, .line = at ? at->line : 0, .column = at ? at->column : 0};
    return hk_error(g->from.ctx, HK_E_MESH, where, NULL, "%s", text);
}

bool hk_gltf_index(const hk_json_value *value, size_t *ret_index) {
    if (value->kind != HK_JSON_NUMBER || !(value->number >= 0) || value->number > 4294967295.0 ||
        value->number != (double)(uint32_t)value->number)
        return false;
    *ret_index = (size_t)value->number;
    return true;
}

/* The elements of a list of the root, in a row: they are asked for by index, again and again. */
static const hk_gltf_list *list_of(gltf *g, const char *name) {
    size_t i = 0;
    while (i < HK_GLTF_LISTS && g->lists[i].name && strcmp(g->lists[i].name, name) != 0)
        i++;
    HK_ASSERT(i < HK_GLTF_LISTS);
    hk_gltf_list *list = &g->lists[i];
    const hk_json_value *array = hk_json_member(g->root, name);
    if (list->name)
        return list;
    list->name = name;
    if (!array || array->kind != HK_JSON_ARRAY)
        return list;
    list->all = HK_NEW_ARRAY(g->from.arena, const hk_json_value *, array->count + 1);
    for (const hk_json_value *v = array->first; v; v = v->next)
        list->all[list->count++] = v;
    return list;
}

hk_status hk_gltf_element(gltf *g, const char *list, const hk_json_value *index,
                          const hk_json_value **ret_element) {
    const hk_gltf_list *array = list_of(g, list);
    size_t at;
    if (!hk_gltf_index(index, &at))
        return hk_gltf_wrong(g, index, "this is not an index of '%s'", list);
    if (at >= array->count)
        return hk_gltf_wrong(g, index, "'%s' has no element %zu", list, at);
    *ret_element = array->all[at];
    return HK_OK;
}

/* A size that may be left out. */
static hk_status read_size(const gltf *g, const hk_json_value *object, const char *name,
                           size_t fallback, size_t *ret_size) {
    const hk_json_value *value = hk_json_member(object, name);
    *ret_size = fallback;
    if (value && !hk_gltf_index(value, ret_size))
        return hk_gltf_wrong(g, value, "'%s' is not a whole number from 0", name);
    return HK_OK;
}

/* ---- buffers ---- */

static int value_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static hk_status decode(const gltf *g, const hk_json_value *at, const char *text,
                        hk_gltf_buffer *ret_buffer) {
    size_t length = strlen(text), size = 0;
    char *data = hk_arena_alloc(g->from.arena, length / 4 * 3 + 4);
    uint32_t bits = 0;
    while (length && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) {
        int value = value_of(text[i]);
        if (value < 0)
            return hk_gltf_wrong(g, at, "the data of a buffer is not base64");
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 == 3)
            for (int k = 2; k >= 0; k--)
                data[size++] = (char)(bits >> (8 * k) & 255);
    }
    if (length % 4 == 2)
        data[size++] = (char)(bits >> 4 & 255);
    if (length % 4 == 3) {
        data[size++] = (char)(bits >> 10 & 255);
        data[size++] = (char)(bits >> 2 & 255);
    }
    *ret_buffer = (hk_gltf_buffer){data, size};
    return HK_OK;
}

static hk_status read_beside(const gltf *g, const hk_json_value *uri, hk_gltf_buffer *ret_buffer) {
    char *name = hk_arena_strdup(g->from.arena, uri->text);
    char *data;
    size_t size;
    if (!g->folder)
        return hk_gltf_wrong(g, uri, "a file beside it is not opened here");
    if (!hk_uri_decode(name) || strstr(name, "..") || name[0] == '/' || strchr(name, ':'))
        return hk_gltf_wrong(g, uri, "'%s' is not a file beside it or below", uri->text);
    HK_TRY(hk_file_read(g->from.ctx, hk_path_join(g->from.arena, g->folder, name), BUFFER_BYTES_MAX,
                        &data, &size));
    char *kept = hk_arena_alloc(g->from.arena, size + 1);
    memcpy(kept, data, size);
    hk_free(data);
    *ret_buffer = (hk_gltf_buffer){kept, size};
    return HK_OK;
}

static hk_status open_buffer(const gltf *g, const hk_json_value *buffer, size_t index,
                             hk_gltf_buffer *ret_buffer) {
    const hk_json_value *uri = hk_json_member(buffer, "uri");
    size_t says;
    HK_TRY(read_size(g, buffer, "byteLength", 0, &says));
    if (uri && uri->kind != HK_JSON_STRING)
        return hk_gltf_wrong(g, uri, "the uri of a buffer is not a text");
    const char *base64 = uri ? strstr(uri->text, BASE64) : NULL;
    if (!uri && (index || !g->binary))
        return hk_gltf_wrong(g, buffer, "a buffer has no data");
    if (!uri)
        *ret_buffer = (hk_gltf_buffer){g->binary, g->binary_size};
    else if (strncmp(uri->text, DATA_URI, sizeof DATA_URI - 1) != 0)
        HK_TRY(read_beside(g, uri, ret_buffer));
    else if (base64)
        HK_TRY(decode(g, uri, base64 + sizeof BASE64 - 1, ret_buffer));
    else
        return hk_gltf_wrong(g, uri, "the data of a buffer is not base64");
    if (ret_buffer->size < says)
        return hk_gltf_wrong(g, buffer, "a buffer says that it has %zu bytes, and has %zu", says,
                             ret_buffer->size);
    return HK_OK;
}

static hk_status find_buffer(gltf *g, const hk_json_value *index,
                             const hk_gltf_buffer **ret_buffer) {
    const hk_json_value *buffer, *all = hk_json_member(g->root, "buffers");
    size_t at = 0;
    HK_TRY(hk_gltf_element(g, "buffers", index, &buffer));
    if (!g->buffers) {
        g->buffer_count = all->count;
        g->buffers = HK_NEW_ARRAY(g->from.arena, hk_gltf_buffer, all->count);
    }
    (void)hk_gltf_index(index, &at);
    if (!g->buffers[at].data)
        HK_TRY(open_buffer(g, buffer, at, &g->buffers[at]));
    *ret_buffer = &g->buffers[at];
    return HK_OK;
}

/* ---- accessors ---- */

static size_t component_size(size_t component) {
    return component == HK_GLTF_U8      ? 1
           : component == HK_GLTF_U16   ? 2
           : component == HK_GLTF_U32   ? 4
           : component == HK_GLTF_FLOAT ? 4
                                        : 0;
}

static hk_status view_of(gltf *g, const hk_json_value *accessor, size_t width,
                         hk_gltf_view *ret_view) {
    const hk_json_value *index = hk_json_member(accessor, "bufferView"), *view, *which;
    const hk_gltf_buffer *buffer;
    size_t begin, length, offset, stride;
    if (!index)
        return hk_gltf_wrong(g, accessor, "an accessor has no bufferView");
    HK_TRY(hk_gltf_element(g, "bufferViews", index, &view));
    which = hk_json_member(view, "buffer");
    if (!which)
        return hk_gltf_wrong(g, view, "a bufferView has no buffer");
    HK_TRY(find_buffer(g, which, &buffer));
    HK_TRY(read_size(g, view, "byteOffset", 0, &begin));
    HK_TRY(read_size(g, view, "byteLength", 0, &length));
    HK_TRY(read_size(g, view, "byteStride", width, &stride));
    HK_TRY(read_size(g, accessor, "byteOffset", 0, &offset));
    if (begin > buffer->size || length > buffer->size - begin)
        return hk_gltf_wrong(g, view, "a bufferView reaches beyond its buffer of %zu bytes",
                             buffer->size);
    if (stride < width)
        return hk_gltf_wrong(g, view, "the byteStride of a bufferView is less than an element");
    size_t room =
        offset < length && length - offset >= width ? (length - offset - width) / stride + 1 : 0;
    if (ret_view->count > room)
        return hk_gltf_wrong(g, accessor,
                             "an accessor has %zu elements, and its bufferView room "
                             "for %zu",
                             ret_view->count, room);
    ret_view->data = buffer->data + begin + offset;
    ret_view->stride = stride;
    return HK_OK;
}

hk_status hk_gltf_accessor(gltf *g, const hk_json_value *index, const char *type,
                           hk_gltf_view *ret_view) {
    const hk_json_value *accessor, *has;
    HK_TRY(hk_gltf_element(g, "accessors", index, &accessor));
    has = hk_json_member(accessor, "type");
    if (!has || has->kind != HK_JSON_STRING || strcmp(has->text, type) != 0)
        return hk_gltf_wrong(g, has ? has : accessor, "the type of this accessor is not %s", type);
    if (hk_json_member(accessor, "sparse"))
        return hk_gltf_wrong(g, accessor, "sparse accessors are not read");
    *ret_view = (hk_gltf_view){0};
    HK_TRY(read_size(g, accessor, "count", 0, &ret_view->count));
    HK_TRY(read_size(g, accessor, "componentType", 0, &ret_view->component));
    size_t each = component_size(ret_view->component);
    if (!each)
        return hk_gltf_wrong(g, accessor, "componentType %zu is not read", ret_view->component);
    return view_of(g, accessor, each * (strcmp(type, "VEC3") == 0 ? 3 : 1), ret_view);
}

/* ---- .glb ---- */

hk_status hk_gltf_unwrap(gltf *g, const hk_file_text *text, hk_file_text *ret_json) {
    const char *data = text->data;
    if (text->size < 4 || memcmp(data, "glTF", 4) != 0)
        return HK_OK;
    if (text->size < GLB_HEADER + CHUNK_HEADER)
        return hk_gltf_wrong(g, NULL, "the file ends in the header of a .glb");
    if (hk_mesh_u32(data + 4) != 2)
        return hk_gltf_wrong(g, NULL, "this .glb is of version %u, and 2 is read",
                             hk_mesh_u32(data + 4));
    if (hk_mesh_u32(data + 8) != text->size)
        return hk_gltf_wrong(g, NULL, "this .glb says that it has %u bytes, and has %zu",
                             hk_mesh_u32(data + 8), text->size);
    size_t at = GLB_HEADER, json = hk_mesh_u32(data + at);
    if (memcmp(data + at + 4, "JSON", 4) != 0)
        return hk_gltf_wrong(g, NULL, "the first part of this .glb is not JSON");
    at += CHUNK_HEADER;
    if (json > text->size - at)
        return hk_gltf_wrong(g, NULL, "the JSON of this .glb is cut off");
    *ret_json = (hk_file_text){text->file, data + at, json};
    at += json;
    if (text->size - at < CHUNK_HEADER)
        return HK_OK;
    size_t binary = hk_mesh_u32(data + at);
    if (memcmp(data + at + 4, "BIN\0", 4) != 0)
        return HK_OK;
    at += CHUNK_HEADER;
    if (binary > text->size - at)
        return hk_gltf_wrong(g, NULL, "the binary part of this .glb is cut off");
    g->binary = data + at;
    g->binary_size = binary;
    return HK_OK;
}
