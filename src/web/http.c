/* SPDX-License-Identifier: MIT
 *
 * HTTP/1.1 as browsers write it (RFC 9112), and nothing more: one request line, fields, no body.
 * What two readers could understand differently (a field twice, space before a colon, folded lines,
 * bytes beyond ASCII in names) is refused. */
#include "web/http.h"

#include <string.h>
#include <strings.h>

bool hk_http_is(hk_http_text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.at, word, text.size) == 0;
}

bool hk_http_is_alike(hk_http_text text, const char *word) {
    return text.size == strlen(word) && strncasecmp(text.at, word, text.size) == 0;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t';
}

static hk_http_text trim(hk_http_text text) {
    while (text.size && is_space(text.at[0])) {
        text.at++;
        text.size--;
    }
    while (text.size && is_space(text.at[text.size - 1]))
        text.size--;
    return text;
}

bool hk_http_item(hk_http_text *list, hk_http_text *ret_item) {
    if (!list->size)
        return false;
    const char *comma = memchr(list->at, ',', list->size);
    size_t size = comma ? (size_t)(comma - list->at) : list->size;
    size_t used = comma ? size + 1 : size;
    *ret_item = trim((hk_http_text){list->at, size});
    list->at += used;
    list->size -= used;
    return true;
}

const char *hk_http_reason(int status) {
    static const struct {
        int status;
        const char *reason;
    } all[] = {{101, "Switching Protocols"},
               {200, "OK"},
               {400, "Bad Request"},
               {403, "Forbidden"},
               {404, "Not Found"},
               {405, "Method Not Allowed"},
               {413, "Content Too Large"},
               {426, "Upgrade Required"},
               {431, "Request Header Fields Too Large"},
               {503, "Service Unavailable"},
               {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].status == status)
            return all[i].reason;
    return "Error";
}

/* The size of the head, with its empty line; 0: there is no end yet. */
static size_t head_size(const char *data, size_t size) {
    for (size_t i = 3; i < size; i++)
        if (data[i] == '\n' && memcmp(data + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return 0;
}

/* Takes a line without its end; false: there is no "\r\n" any more, or it holds a lone one. */
static bool take_line(hk_http_text *rest, hk_http_text *ret_line) {
    const char *end = memchr(rest->at, '\n', rest->size);
    if (!end || end == rest->at || end[-1] != '\r')
        return false;
    size_t size = (size_t)(end - rest->at) - 1;
    *ret_line = (hk_http_text){rest->at, size};
    rest->at += size + 2;
    rest->size -= size + 2;
    return !memchr(ret_line->at, '\r', size) && !memchr(ret_line->at, '\0', size);
}

static bool take_word(hk_http_text *line, hk_http_text *ret_word) {
    const char *space = memchr(line->at, ' ', line->size);
    size_t size = space ? (size_t)(space - line->at) : line->size;
    *ret_word = (hk_http_text){line->at, size};
    line->at += size + (space ? 1 : 0);
    line->size -= size + (space ? 1 : 0);
    return size > 0;
}

/* "GET /path?question HTTP/1.1" */
static int read_request_line(hk_http_text line, hk_http_request *request) {
    hk_http_text version;
    if (!take_word(&line, &request->method) || !take_word(&line, &request->path) ||
        !take_word(&line, &version) || line.size)
        return 400;
    for (size_t i = 0; i < request->path.size; i++)
        if (request->path.at[i] <= ' ' || request->path.at[i] >= 0x7f)
            return 400;
    if (request->path.at[0] != '/')
        return 400;
    const char *question = memchr(request->path.at, '?', request->path.size);
    if (question)
        request->path.size = (size_t)(question - request->path.at);
    return hk_http_is(version, "HTTP/1.1") || hk_http_is(version, "HTTP/1.0") ? 200 : 505;
}

/* A field that counts; each is given once at most. */
typedef struct field_place {
    const char *name;
    hk_http_text *to;
} field_place;

static int keep(hk_http_text name, hk_http_text value, const field_place *places) {
    for (const field_place *p = places; p->name; p++) {
        if (!hk_http_is_alike(name, p->name))
            continue;
        if (p->to->at) /* an empty value counts as given */
            return 400;
        *p->to = value;
    }
    return 200;
}

static int read_field(hk_http_text line, const field_place *places) {
    const char *colon = memchr(line.at, ':', line.size);
    if (!colon || colon == line.at)
        return 400;
    hk_http_text name = {line.at, (size_t)(colon - line.at)};
    for (size_t i = 0; i < name.size; i++)
        if (name.at[i] <= ' ' || name.at[i] >= 0x7f)
            return 400;
    hk_http_text value = trim((hk_http_text){colon + 1, line.size - name.size - 1});
    for (size_t i = 0; i < value.size; i++)
        if ((unsigned char)value.at[i] < ' ' && value.at[i] != '\t')
            return 400;
    return keep(name, value, places);
}

static bool has_item(hk_http_text list, const char *word) {
    hk_http_text item;
    while (hk_http_item(&list, &item))
        if (hk_http_is_alike(item, word))
            return true;
    return false;
}

/* Nobody who asks for a page has something to send with it. */
static bool has_body(hk_http_text length, hk_http_text coding) {
    return coding.at || (length.at && !hk_http_is(length, "0"));
}

int hk_http_read(const char *data, size_t size, hk_http_request *ret_request) {
    hk_http_request r = {0};
    hk_http_text upgrade = {0}, connection = {0}, length = {0}, coding = {0}, line;
    const field_place places[] = {{"Host", &r.host},
                                  {"Origin", &r.origin},
                                  {"Upgrade", &upgrade},
                                  {"Connection", &connection},
                                  {"Content-Length", &length},
                                  {"Transfer-Encoding", &coding},
                                  {"Sec-WebSocket-Key", &r.key},
                                  {"Sec-WebSocket-Version", &r.version},
                                  {"Sec-WebSocket-Protocol", &r.protocols},
                                  {NULL, NULL}};
    r.size = head_size(data, size < HK_HTTP_HEAD_MAX ? size : HK_HTTP_HEAD_MAX);
    if (!r.size)
        return size >= HK_HTTP_HEAD_MAX ? 431 : 0;
    hk_http_text rest = {data, r.size - 2};
    int status = take_line(&rest, &line) ? read_request_line(line, &r) : 400;
    for (int fields = 0; status == 200 && rest.size; fields++) {
        status = take_line(&rest, &line) ? read_field(line, places) : 400;
        if (fields >= HK_HTTP_FIELDS_MAX)
            status = 431;
    }
    if (status == 200 && has_body(length, coding))
        status = 413;
    r.upgrades = has_item(upgrade, "websocket") && has_item(connection, "upgrade");
    if (status == 200)
        *ret_request = r;
    return status;
}
