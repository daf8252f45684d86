/* SPDX-License-Identifier: MIT
 *
 * Holds a tree of XML to a table of rows, as a schema would, but goes on after each fault. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

/* A row, read: what it says about attributes and children. */
typedef struct attribute {
    const char *name, *kind; /* KIND ends with KIND_LENGTH */
    size_t name_length, kind_length;
    bool required;
} attribute;

enum { ATTRIBUTES_MAX = 40, PARTICLES_MAX = 24 };

/* One place in the order of children: the names that may be there, and how often. */
typedef struct particle {
    const char *names; /* "A=T|B=T" */
    size_t length;
    bool required, repeated;
} particle;

typedef struct row {
    attribute attributes[ATTRIBUTES_MAX];
    particle particles[PARTICLES_MAX];
    size_t attribute_count, particle_count;
    bool any_attribute, any_child;
} row;

typedef struct schema {
    hk_lint *lint;
    const hk_schema_row *rows;
    row *read; /* one for each of them */
} schema;

/* The table has every row that it names. */
static size_t find_row(const hk_schema_row *rows, const char *type, size_t length) {
    size_t i = 0;
    while (rows[i].type &&
           (strlen(rows[i].type) != length || memcmp(rows[i].type, type, length) != 0))
        i++;
    HK_ASSERT(rows[i].type);
    return i;
}

static void read_attributes(const hk_schema_row *rows, const char *text, row *ret) {
    size_t length;
    for (const char *word; (word = hk_lint_word(&text, &length));) {
        if (*word == '*') {
            ret->any_attribute = true;
        } else if (*word == '+') {
            read_attributes(rows, rows[find_row(rows, word + 1, length - 1)].attributes, ret);
        } else {
            const char *colon = memchr(word, ':', length);
            HK_ASSERT(colon && ret->attribute_count < ATTRIBUTES_MAX);
            bool required = colon[-1] == '!';
            ret->attributes[ret->attribute_count++] = (attribute){
                .name = word,
                .name_length = (size_t)(colon - word) - required,
                .kind = colon + 1,
                .kind_length = length - (size_t)(colon + 1 - word),
                .required = required,
            };
        }
    }
}

static void read_children(const char *text, row *ret) {
    size_t length;
    for (const char *word; (word = hk_lint_word(&text, &length));) {
        if (length == 3 && memcmp(word, "any", 3) == 0) {
            ret->any_child = true;
            continue;
        }
        HK_ASSERT(ret->particle_count < PARTICLES_MAX);
        char last = word[length - 1];
        bool marked = last == '?' || last == '*' || last == '+';
        length -= marked;
        bool choice = *word == '(';
        ret->particles[ret->particle_count++] = (particle){
            .names = word + choice,
            .length = length - 2 * (size_t)choice,
            .required = !marked || last == '+',
            .repeated = marked && last != '?',
        };
    }
}

static bool is_word_of(const char *text, size_t length, const char *words, size_t words_length) {
    for (const char *p = words, *end = words + words_length; p < end;) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        size_t size = (size_t)((bar ? bar : end) - p);
        if (size == length && memcmp(p, text, length) == 0)
            return true;
        p += size + 1;
    }
    return false;
}

/* XML Schema writes doubles without "inf" and "nan" in small letters. */
static bool is_f64(const char *text, size_t length) {
    double value;
    for (size_t i = 0; i < length; i++)
        if (!strchr("0123456789+-.eE \t\r\n", text[i]) || !text[i])
            return false;
    return hk_read_f64(text, length, &value);
}

static bool is_special(const char *text, size_t length) {
    return is_word_of(text, length, "INF|-INF|NaN", 12);
}

static bool is_signed(const char *text, size_t length, int bytes) {
    int64_t value, limit = INT64_MAX >> (64 - 8 * bytes);
    return hk_read_i64(text, length, &value) && value <= limit && value >= -limit - 1;
}

static bool is_unsigned(const char *text, size_t length, int bytes) {
    uint64_t value;
    return hk_read_u64(text, length, &value) && value <= UINT64_MAX >> (64 - 8 * bytes);
}

/* Reads COUNT digits; false if there are none such. */
static bool digits(const char **p, const char *end, int count, int *ret_value) {
    *ret_value = 0;
    for (int i = 0; i < count; i++, (*p)++) {
        if (*p == end || **p < '0' || **p > '9')
            return false;
        *ret_value = 10 * *ret_value + (**p - '0');
    }
    return true;
}

static bool mark(const char **p, const char *end, char c) {
    return *p < end && *(*p)++ == c;
}

/* YYYY-MM-DDThh:mm:ss with an optional fraction and zone. */
static bool is_date(const char *text, size_t length) {
    const char *p = text, *end = text + length;
    int year, month, day, hour, minute, second;
    if (!digits(&p, end, 4, &year) || !mark(&p, end, '-') || !digits(&p, end, 2, &month) ||
        !mark(&p, end, '-') || !digits(&p, end, 2, &day) || !mark(&p, end, 'T') ||
        !digits(&p, end, 2, &hour) || !mark(&p, end, ':') || !digits(&p, end, 2, &minute) ||
        !mark(&p, end, ':') || !digits(&p, end, 2, &second))
        return false;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12 || day < 1 || day > days[month - 1] + (month == 2 && leap) ||
        hour > 24 || minute > 59 || second > 59 || (hour == 24 && (minute || second)))
        return false;
    if (p < end && *p == '.') {
        size_t count = 0;
        for (p++; p < end && *p >= '0' && *p <= '9'; p++)
            count++;
        if (!count)
            return false;
    }
    if (p == end || (*p == 'Z' && p + 1 == end))
        return true;
    return (*p == '+' || *p == '-') && (p++, digits(&p, end, 2, &hour)) && mark(&p, end, ':') &&
           digits(&p, end, 2, &minute) && p == end && hour <= 14 && minute <= 59;
}

static bool is_hex(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (hk_read_hex_digit(text[i]) < 0)
            return false;
    return length % 2 == 0;
}

static size_t number_length(const char *p) {
    size_t length = strspn(p, "0123456789");
    return length > 1 && *p == '0' ? 0 : length;
}

/* 3.N[.P][-suffix] */
static bool is_version(const char *text, size_t length) {
    char copy[64];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    const char *p = copy;
    if (p[0] != '3' || p[1] != '.' || !number_length(p + 2))
        return false;
    p += 2 + number_length(p + 2);
    if (*p == '.') {
        if (!number_length(p + 1))
            return false;
        p += 1 + number_length(p + 1);
    }
    return !*p || (*p == '-' && p[1]);
}

static bool is_value(const char *text, size_t length, const char *kind, size_t kind_length) {
    switch (kind[0]) {
    case 't':
        return true;
    case 's':
        return strcspn(text, "\t\r\n") >= length;
    case 'b': {
        bool value, capitals = false; /* hk_read_bool takes "True" too, which the schema does not */
        for (size_t i = 0; i < length; i++)
            capitals |= text[i] >= 'A' && text[i] <= 'Z';
        return !capitals && hk_read_bool(text, length, &value);
    }
    case 'f':
        return is_special(text, length) || is_f64(text, length);
    case 'i':
        return is_signed(text, length, kind[1] - '0');
    case 'u':
        return is_unsigned(text, length, kind[1] - '0');
    case 'n': /* any number of digits */
        return length && strspn(text, "0123456789") >= length;
    case 'd':
        return is_date(text, length);
    case 'x':
        return is_hex(text, length);
    case 'v':
        return is_version(text, length);
    case '=':
        return length == kind_length - 1 && memcmp(text, kind + 1, length) == 0;
    default:
        HK_ASSERT(kind[0] == '{');
        return is_word_of(text, length, kind + 1, kind_length - 2);
    }
}

static const char *kind_text(hk_lint *lint, const char *kind, size_t length) {
    static const struct {
        const char *kind, *text;
    } all[] = {{"s", "text without line breaks"},
               {"b", "'true' or 'false'"},
               {"f4", "a number"},
               {"f8", "a number"},
               {"i1", "a whole number of 8 bits"},
               {"i2", "a whole number of 16 bits"},
               {"i4", "a whole number of 32 bits"},
               {"i8", "a whole number of 64 bits"},
               {"u1", "a whole number from 0 to 255"},
               {"u2", "a whole number from 0 to 65535"},
               {"u4", "a whole number from 0 to 4294967295"},
               {"u8", "a whole number from 0 to 18446744073709551615"},
               {"n", "a whole number that is not negative"},
               {"d", "a date and time as in 2026-01-31T12:00:00Z"},
               {"x", "pairs of hexadecimal digits"},
               {"v", "a version such as 3.0"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i].kind) == length && memcmp(all[i].kind, kind, length) == 0)
            return all[i].text;
    char *text = hk_arena_strndup(lint->arena, kind, length);
    if (*kind == '=')
        return hk_arena_printf(lint->arena, "'%s'", text + 1);
    text[length - 1] = '\0';
    for (char *p = text; (p = strchr(p, '|'));)
        *p = ' ';
    return hk_arena_printf(lint->arena, "one of: %s", text + 1);
}

/* LISTED: the word is one of a list, whose kind is in brackets. */
static void check_word(schema *s, const hk_xml *e, const attribute *a, const char *text,
                       size_t length, bool listed) {
    hk_lint *lint = s->lint;
    const char *kind = listed ? a->kind + 1 : a->kind;
    size_t kind_length = listed ? a->kind_length - 2 : a->kind_length;
    int shown = length > 60 ? 60 : (int)length;
    if (!is_value(text, length, kind, kind_length))
        hk_lint_add(lint, HK_RULE_SCHEMA_VALUE, e, NULL, "%.*s=\"%.*s\" is not %s",
                    (int)a->name_length, a->name, shown, text, kind_text(lint, kind, kind_length));
    else if (*kind == 'f' && is_special(text, length) && lint->version == 2)
        hk_lint_add(lint, HK_RULE_NOT_FINITE, e, "leave the attribute out",
                    "%.*s=\"%.*s\" is not a finite number", (int)a->name_length, a->name, shown,
                    text);
}

static void check_value(schema *s, const hk_xml *e, const attribute *a, const char *text) {
    if (a->kind[0] == '[') {
        size_t length;
        for (const char *word; (word = hk_lint_word(&text, &length));)
            check_word(s, e, a, word, length, true);
        return;
    }
    size_t length = strlen(text);
    if (a->kind[0] != 't' && a->kind[0] != 's') { /* blanks around other kinds do not count */
        size_t skip = strspn(text, " \t\r\n");
        text += skip;
        length -= skip;
        while (length && strchr(" \t\r\n", text[length - 1]))
            length--;
    }
    check_word(s, e, a, text, length, false);
}

static const char *closest_attribute(schema *s, const row *r, const char *name) {
    const char *names[ATTRIBUTES_MAX];
    for (size_t i = 0; i < r->attribute_count; i++)
        names[i] =
            hk_arena_strndup(s->lint->arena, r->attributes[i].name, r->attributes[i].name_length);
    const char *close = r->attribute_count ? hk_closest(name, names, r->attribute_count) : NULL;
    return hk_hint_name(s->lint->arena, close, NULL);
}

static void check_attributes(schema *s, const row *r, const hk_xml *e) {
    for (size_t i = 0; i < r->attribute_count; i++) {
        const attribute *a = &r->attributes[i];
        bool found = false;
        for (size_t k = 0; k < e->attr_count && !found; k++) {
            const hk_xml_attr *attr = &e->attrs[k];
            found = !*attr->ns && strlen(attr->name) == a->name_length &&
                    memcmp(attr->name, a->name, a->name_length) == 0;
            if (found)
                check_value(s, e, a, attr->value);
        }
        if (!found && a->required)
            hk_lint_add(s->lint, HK_RULE_SCHEMA_REQUIRED, e, NULL,
                        "the attribute '%.*s' is missing", (int)a->name_length, a->name);
    }
    for (size_t k = 0; k < e->attr_count; k++) {
        const hk_xml_attr *attr = &e->attrs[k];
        if (strcmp(attr->ns, "http://www.w3.org/2001/XMLSchema-instance") == 0)
            continue;
        bool known = false;
        for (size_t i = 0; i < r->attribute_count && !known && !*attr->ns; i++)
            known = strlen(attr->name) == r->attributes[i].name_length &&
                    memcmp(attr->name, r->attributes[i].name, r->attributes[i].name_length) == 0;
        if (known)
            continue;
        if (r->any_attribute)
            hk_lint_add(s->lint, HK_RULE_UNKNOWN_CAPABILITY, e, NULL,
                        "the attribute '%.100s' is not known to this version and is ignored",
                        attr->name);
        else
            hk_lint_add(s->lint, HK_RULE_SCHEMA_ATTRIBUTE, e, closest_attribute(s, r, attr->name),
                        "the attribute '%.100s' does not exist here", attr->name);
    }
}

/* The row of the child NAME in the particle, or false. */
static bool find_name(const schema *s, const particle *p, const char *name, size_t *ret_row) {
    size_t length = strlen(name);
    for (const char *at = p->names, *end = at + p->length; at < end;) {
        const char *equal = memchr(at, '=', (size_t)(end - at));
        HK_ASSERT(equal);
        const char *bar = memchr(equal, '|', (size_t)(end - equal));
        const char *stop = bar ? bar : end;
        if ((size_t)(equal - at) == length && memcmp(at, name, length) == 0) {
            *ret_row = find_row(s->rows, equal + 1, (size_t)(stop - equal - 1));
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* "Real, Integer or Boolean" */
static const char *names_of(schema *s, const particle *p) {
    char *text = hk_arena_strdup(s->lint->arena, "");
    for (const char *at = p->names, *end = at + p->length; at < end;) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;
        text = hk_arena_printf(s->lint->arena, "%s%s%.*s", text,
                               !*text ? ""
                               : bar  ? ", "
                                      : " or ",
                               (int)strcspn(at, "="), at);
        at = stop + 1;
    }
    return text;
}

static void unknown_child(schema *s, const row *r, const hk_xml *e, const hk_xml *child) {
    const char *known[256];
    size_t count = 0;
    for (size_t i = 0; i < r->particle_count; i++) {
        const particle *p = &r->particles[i];
        for (const char *at = p->names, *end = at + p->length; at < end && count < 256;) {
            const char *bar = memchr(at, '|', (size_t)(end - at));
            known[count++] = hk_arena_strndup(s->lint->arena, at, strcspn(at, "="));
            at = (bar ? bar : end) + 1;
        }
    }
    const char *close = count ? hk_closest(child->name, known, count) : NULL;
    hk_lint_add(s->lint, HK_RULE_SCHEMA_ELEMENT, child, hk_hint_name(s->lint->arena, close, NULL),
                "there is no element '%.100s' inside '%.60s'", child->name, e->name);
}

static void check_element(schema *s, size_t index, const hk_xml *e);

static void check_children(schema *s, const row *r, const hk_xml *e) {
    size_t counts[PARTICLES_MAX] = {0}, place = 0;
    for (const hk_xml *child = e->child; child; child = child->next) {
        if (*child->ns) {
            hk_lint_add(s->lint, HK_RULE_SCHEMA_NAMESPACE, child, NULL,
                        "the element is in the namespace '%.200s'", child->ns);
            continue;
        }
        size_t i = 0, type = 0;
        while (i < r->particle_count && !find_name(s, &r->particles[i], child->name, &type))
            i++;
        if (i == r->particle_count) {
            unknown_child(s, r, e, child);
            continue;
        }
        if (i < place)
            hk_lint_add(s->lint, HK_RULE_SCHEMA_ORDER, child, NULL, "the element comes behind '%s'",
                        names_of(s, &r->particles[place]));
        else
            place = i;
        if (counts[i]++ && !r->particles[i].repeated)
            hk_lint_add(s->lint, HK_RULE_SCHEMA_COUNT, child, NULL,
                        "'%s' has more than one element %s", e->name,
                        names_of(s, &r->particles[i]));
        check_element(s, type, child);
    }
    for (size_t i = 0; i < r->particle_count; i++)
        if (r->particles[i].required && !counts[i])
            hk_lint_add(s->lint, HK_RULE_SCHEMA_COUNT, e, NULL, "an element %s is missing",
                        names_of(s, &r->particles[i]));
}

static void check_element(schema *s, size_t index, const hk_xml *e) {
    const row *r = &s->read[index];
    check_attributes(s, r, e);
    if (r->any_child)
        return;
    if (e->text[strspn(e->text, " \t\r\n")])
        hk_lint_add(s->lint, HK_RULE_SCHEMA_TEXT, e, NULL, "there is text inside the element");
    check_children(s, r, e);
}

void hk_lint_schema(hk_lint *lint, const hk_schema_row *rows, const char *type,
                    const hk_xml *element) {
    size_t count = 0;
    while (rows[count].type)
        count++;
    schema s = {.lint = lint, .rows = rows, .read = HK_NEW_ARRAY(lint->arena, row, count)};
    for (size_t i = 0; i < count; i++) {
        read_attributes(rows, rows[i].attributes, &s.read[i]);
        read_children(rows[i].children, &s.read[i]);
    }
    if (*element->ns)
        hk_lint_add(lint, HK_RULE_SCHEMA_NAMESPACE, element, NULL,
                    "the element is in the namespace '%.200s'", element->ns);
    check_element(&s, find_row(rows, type, strlen(type)), element);
}
