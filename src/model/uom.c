/* SPDX-License-Identifier: MIT
 *
 * The factor of an expression is kept as numerator / denominator * 10^power until the end, so that
 * prefixes cancel exactly: mm to m is 0.001, km/h is the double nearest to 1000 / 3600. */
#include "model/uom.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXPONENT_MAX = 99, POWER_MAX = 300, NESTING_MAX = 16 };

const char *const hk_base_unit_names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

static const double pi = 3.14159265358979323846;

typedef struct measure {
    int exponent[HK_BASE_UNITS];
    double num, den;
    int power;
    double offset; /* only ever of a unit that is alone */
} measure;

typedef struct named_unit {
    const char *name;
    int exponent[HK_BASE_UNITS]; /* kg m s A K mol cd rad */
    double num, den, offset;
    int power;
    bool prefixes;
} named_unit;

static const named_unit units[] = {
    {"m", {[HK_M] = 1}, 1, 1, 0, 0, true},
    {"g", {[HK_KG] = 1}, 1, 1, 0, -3, true},
    {"s", {[HK_S] = 1}, 1, 1, 0, 0, true},
    {"A", {[HK_A] = 1}, 1, 1, 0, 0, true},
    {"K", {[HK_K] = 1}, 1, 1, 0, 0, true},
    {"mol", {[HK_MOL] = 1}, 1, 1, 0, 0, true},
    {"cd", {[HK_CD] = 1}, 1, 1, 0, 0, true},
    {"rad", {[HK_RAD] = 1}, 1, 1, 0, 0, true},
    {"sr", {[HK_RAD] = 2}, 1, 1, 0, 0, true},
    {"Hz", {[HK_S] = -1}, 1, 1, 0, 0, true},
    {"N", {1, 1, -2}, 1, 1, 0, 0, true},
    {"Pa", {1, -1, -2}, 1, 1, 0, 0, true},
    {"J", {1, 2, -2}, 1, 1, 0, 0, true},
    {"W", {1, 2, -3}, 1, 1, 0, 0, true},
    {"V", {1, 2, -3, -1}, 1, 1, 0, 0, true},
    {"C", {0, 0, 1, 1}, 1, 1, 0, 0, true},
    {"F", {-1, -2, 4, 2}, 1, 1, 0, 0, true},
    {"Ohm", {1, 2, -3, -2}, 1, 1, 0, 0, true},
    {"ohm", {1, 2, -3, -2}, 1, 1, 0, 0, true},
    {"\u03a9", {1, 2, -3, -2}, 1, 1, 0, 0, true}, /* Greek capital omega */
    {"\u2126", {1, 2, -3, -2}, 1, 1, 0, 0, true}, /* the ohm sign */
    {"S", {-1, -2, 3, 2}, 1, 1, 0, 0, true},
    {"Wb", {1, 2, -2, -1}, 1, 1, 0, 0, true},
    {"T", {1, 0, -2, -1}, 1, 1, 0, 0, true},
    {"H", {1, 2, -2, -2}, 1, 1, 0, 0, true},
    {"lm", {[HK_CD] = 1, [HK_RAD] = 2}, 1, 1, 0, 0, true},
    {"lx", {[HK_M] = -2, [HK_CD] = 1, [HK_RAD] = 2}, 1, 1, 0, 0, true},
    {"Bq", {[HK_S] = -1}, 1, 1, 0, 0, true},
    {"Gy", {0, 2, -2}, 1, 1, 0, 0, true},
    {"Sv", {0, 2, -2}, 1, 1, 0, 0, true},
    {"kat", {[HK_S] = -1, [HK_MOL] = 1}, 1, 1, 0, 0, true},
    {"degC", {[HK_K] = 1}, 1, 1, 273.15, 0, false},
    {"\u00b0C", {[HK_K] = 1}, 1, 1, 273.15, 0, false},
    {"degF", {[HK_K] = 1}, 5, 9, 459.67 * 5 / 9, 0, false},
    {"\u00b0F", {[HK_K] = 1}, 5, 9, 459.67 * 5 / 9, 0, false},
    {"deg", {[HK_RAD] = 1}, pi, 180, 0, 0, false},
    {"\u00b0", {[HK_RAD] = 1}, pi, 180, 0, 0, false},
    {"rev", {[HK_RAD] = 1}, 2 * pi, 1, 0, 0, false},
    {"rpm", {[HK_S] = -1, [HK_RAD] = 1}, pi, 30, 0, 0, false},
    {"min", {[HK_S] = 1}, 60, 1, 0, 0, false},
    {"h", {[HK_S] = 1}, 3600, 1, 0, 0, false},
    {"d", {[HK_S] = 1}, 86400, 1, 0, 0, false},
    {"l", {[HK_M] = 3}, 1, 1, 0, -3, true},
    {"L", {[HK_M] = 3}, 1, 1, 0, -3, true},
    {"t", {[HK_KG] = 1}, 1, 1, 0, 3, false},
    {"bar", {1, -1, -2}, 1, 1, 0, 5, true},
    {"atm", {1, -1, -2}, 101325, 1, 0, 0, false},
    {"Wh", {1, 2, -2}, 3600, 1, 0, 0, true},
    {"eV", {1, 2, -2}, 1.602176634, 1, 0, -19, true},
    {"kn", {0, 1, -1}, 1852, 3600, 0, 0, false},
    {"nmi", {[HK_M] = 1}, 1852, 1, 0, 0, false},
    {"ft", {[HK_M] = 1}, 3048, 1, 0, -4, false},
    {"in", {[HK_M] = 1}, 254, 1, 0, -4, false},
    {"%", {0}, 1, 1, 0, -2, false},
    {"ppm", {0}, 1, 1, 0, -6, false},
};

static const struct {
    const char *name;
    int power;
} prefixes[] = {
    {"da", 1},      {"Y", 24},  {"Z", 21},      {"E", 18},  {"P", 15},  {"T", 12},
    {"G", 9},       {"M", 6},   {"k", 3},       {"h", 2},   {"d", -1},  {"c", -2},
    {"m", -3},      {"u", -6},  {"\u00b5", -6}, /* micro sign */
    {"\u03bc", -6},                             /* Greek mu */
    {"n", -9},      {"p", -12}, {"f", -15},     {"a", -18}, {"z", -21}, {"y", -24},
};

static const named_unit *find_unit(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
            return &units[i];
    return NULL;
}

/* A whole name wins over prefix and name: "min" is a minute, "Pa" no peta-year, "cd" no centiday.
 */
static bool look_up(const char *name, size_t length, measure *ret_measure) {
    const named_unit *unit = find_unit(name, length);
    int power = 0;
    for (size_t i = 0; !unit && i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t skip = strlen(prefixes[i].name);
        if (skip >= length || memcmp(prefixes[i].name, name, skip) != 0)
            continue;
        unit = find_unit(name + skip, length - skip);
        if (unit && !unit->prefixes)
            unit = NULL;
        power = prefixes[i].power;
    }
    if (!unit)
        return false;
    *ret_measure = (measure){
        .num = unit->num, .den = unit->den, .power = unit->power + power, .offset = unit->offset};
    for (size_t i = 0; i < HK_BASE_UNITS; i++)
        ret_measure->exponent[i] = unit->exponent[i];
    return true;
}

static bool raise(measure *m, int exponent) {
    if (exponent == 1)
        return true;
    if (m->offset != 0)
        return false;
    measure raised = {.num = 1, .den = 1, .power = m->power * exponent};
    int times = exponent < 0 ? -exponent : exponent;
    double num = exponent < 0 ? m->den : m->num, den = exponent < 0 ? m->num : m->den;
    for (int i = 0; i < times; i++) {
        raised.num *= num;
        raised.den *= den;
    }
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        raised.exponent[i] = m->exponent[i] * exponent;
        if (raised.exponent[i] > EXPONENT_MAX || raised.exponent[i] < -EXPONENT_MAX)
            return false;
    }
    *m = raised;
    return raised.power <= POWER_MAX && raised.power >= -POWER_MAX;
}

static bool multiply(measure *a, const measure *b) {
    if (a->offset != 0 || b->offset != 0)
        return false;
    a->num *= b->num;
    a->den *= b->den;
    a->power += b->power;
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        a->exponent[i] += b->exponent[i];
        if (a->exponent[i] > EXPONENT_MAX || a->exponent[i] < -EXPONENT_MAX)
            return false;
    }
    return a->power <= POWER_MAX && a->power >= -POWER_MAX;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool starts_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

#define SUPERSCRIPT_2 "\u00b2"
#define SUPERSCRIPT_3 "\u00b3"
#define MIDDLE_DOT    "\u00b7"

static bool is_name(const char *c) {
    if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' || *c == '%')
        return true;
    return (unsigned char)*c >= 0x80 && !starts_with(c, SUPERSCRIPT_2) &&
           !starts_with(c, SUPERSCRIPT_3) && !starts_with(c, MIDDLE_DOT);
}

/* "2", "-1", "+2" at *TEXT. */
static bool read_integer(const char **text, int *ret_value) {
    const char *c = *text;
    bool negative = *c == '-';
    c += *c == '-' || *c == '+';
    if (!is_digit(*c))
        return false;
    int value = 0;
    for (; is_digit(*c); c++) {
        value = 10 * value + (*c - '0');
        if (value > EXPONENT_MAX)
            return false;
    }
    *text = c;
    *ret_value = negative ? -value : value;
    return true;
}

/* What may follow a name, a number or a parenthesis; none means 1. */
static bool read_exponent(const char **text, bool after_number, int *ret_exponent) {
    *ret_exponent = 1;
    if (starts_with(*text, SUPERSCRIPT_2) || starts_with(*text, SUPERSCRIPT_3)) {
        *ret_exponent = starts_with(*text, SUPERSCRIPT_2) ? 2 : 3;
        *text += strlen(SUPERSCRIPT_2);
        return true;
    }
    bool marked = **text == '^' || starts_with(*text, "**");
    if (marked)
        *text += **text == '^' ? 1 : 2;
    if (marked && **text == '(') {
        ++*text;
        return read_integer(text, ret_exponent) && *(*text)++ == ')';
    }
    if (marked)
        return read_integer(text, ret_exponent);
    if (!after_number && (is_digit(**text) || **text == '-' || **text == '+'))
        return read_integer(text, ret_exponent);
    return true;
}

/* A '.' belongs to the number only if a digit follows, an 'e' only if an exponent does. */
static bool read_number(const char **text, double *ret_value) {
    const char *c = *text;
    while (is_digit(*c))
        c++;
    if (*c == '.' && is_digit(c[1]))
        for (c++; is_digit(*c);)
            c++;
    if ((*c == 'e' || *c == 'E') &&
        (is_digit(c[1]) || ((c[1] == '-' || c[1] == '+') && is_digit(c[2]))))
        for (c += 2; is_digit(*c);)
            c++;
    const char *start = *text;
    *text = c;
    return hk_read_f64(start, (size_t)(c - start), ret_value) && *ret_value > 0 &&
           isfinite(*ret_value);
}

static bool read_product(const char **text, int depth, measure *ret_measure);

static bool read_factor(const char **text, int depth, measure *ret_measure) {
    measure m = {.num = 1, .den = 1};
    bool number = is_digit(**text);
    if (**text == '(') {
        ++*text;
        if (depth == NESTING_MAX || !read_product(text, depth + 1, &m) || *(*text)++ != ')')
            return false;
    } else if (number) {
        if (!read_number(text, &m.num) || is_name(*text))
            return false;
    } else {
        const char *name = *text;
        while (is_name(*text))
            ++*text;
        if (*text == name || !look_up(name, (size_t)(*text - name), &m))
            return false;
    }
    int exponent;
    if (!read_exponent(text, number, &exponent) || !raise(&m, exponent))
        return false;
    *ret_measure = m;
    return true;
}

static const char *skip_spaces(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* Factors from left to right: "J/kg.K" is (J/kg).K, as in UCUM. */
static bool read_product(const char **text, int depth, measure *ret_measure) {
    *text = skip_spaces(*text);
    measure product;
    if (!read_factor(text, depth, &product))
        return false;
    for (;;) {
        const char *next = skip_spaces(*text);
        bool divide = *next == '/';
        if (divide || *next == '.' || *next == '*')
            next = skip_spaces(next + 1);
        else if (starts_with(next, MIDDLE_DOT))
            next = skip_spaces(next + strlen(MIDDLE_DOT));
        else if (next == *text || !*next || *next == ')') {
            *text = next;
            break;
        }
        measure factor;
        if (!read_factor(&next, depth, &factor) || (divide && !raise(&factor, -1)) ||
            !multiply(&product, &factor))
            return false;
        *text = next;
    }
    *ret_measure = product;
    return true;
}

static double power_of_ten(int power) {
    double value = 1;
    for (int i = 0; i < power; i++)
        value *= 10; /* exact up to 10^22 */
    return value;
}

bool hk_uom_parse(const char *text, hk_uom *ret_uom) {
    measure m;
    const char *end = text;
    if (!read_product(&end, 0, &m) || *end)
        return false;
    double factor = m.power >= 0 ? m.num * power_of_ten(m.power) / m.den
                                 : m.num / (m.den * power_of_ten(-m.power));
    if (!isnormal(factor))
        return false;
    *ret_uom = (hk_uom){.name = text, .factor = factor, .offset = m.offset};
    for (size_t i = 0; i < HK_BASE_UNITS; i++)
        ret_uom->exponent[i] = (int8_t)m.exponent[i];
    return true;
}

bool hk_uom_multiply(const hk_uom *a, const hk_uom *b, hk_uom *ret_product) {
    hk_uom product = {.factor = a->factor * b->factor};
    if (a->offset != 0 || b->offset != 0 || !isnormal(product.factor))
        return false;
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        int exponent = a->exponent[i] + b->exponent[i];
        if (exponent > EXPONENT_MAX || exponent < -EXPONENT_MAX)
            return false;
        product.exponent[i] = (int8_t)exponent;
    }
    *ret_product = product;
    return true;
}

bool hk_uom_power(const hk_uom *a, int exponent, hk_uom *ret_power) {
    if (a->offset != 0 || exponent > EXPONENT_MAX || exponent < -EXPONENT_MAX)
        return false;
    hk_uom power = {.factor = 1};
    for (int i = 0; i < exponent || i < -exponent; i++)
        power.factor *= a->factor;
    if (exponent < 0)
        power.factor = 1 / power.factor;
    if (!isnormal(power.factor))
        return false;
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        int raised = a->exponent[i] * exponent;
        if (raised > EXPONENT_MAX || raised < -EXPONENT_MAX)
            return false;
        power.exponent[i] = (int8_t)raised;
    }
    *ret_power = power;
    return true;
}

bool hk_uom_same_dimension(const hk_uom *a, const hk_uom *b) {
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

bool hk_uom_same_name(const hk_uom *a, const hk_uom *b) {
    return a->name && b->name && strcmp(a->name, b->name) == 0;
}

/* Tools write the factor of "deg" with six digits or with seventeen, and mean the same. */
static bool differ_by_rounding(const hk_uom *a, const hk_uom *b) {
    const double rounding = 1e-6;
    return hk_uom_same_name(a, b) && fabs(a->factor - b->factor) <= rounding * fabs(a->factor) &&
           fabs(a->offset - b->offset) <= rounding * fabs(a->offset);
}

bool hk_uom_conversion(const hk_uom *from, const hk_uom *to, bool relative, double *ret_factor,
                       double *ret_offset) {
    if (!hk_uom_same_dimension(from, to) || to->factor == 0)
        return false;
    bool same = differ_by_rounding(from, to);
    *ret_factor = same ? 1 : from->factor / to->factor;
    *ret_offset = same || relative ? 0 : (from->offset - to->offset) / to->factor;
    return true;
}

const char *hk_uom_dimension(const hk_uom *uom, char *buffer) {
    size_t length = 0;
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        if (!uom->exponent[i])
            continue;
        const char *dot = length ? "." : "";
        int added = uom->exponent[i] == 1
                        ? snprintf(buffer + length, 96 - length, "%s%s", dot, hk_base_unit_names[i])
                        : snprintf(buffer + length, 96 - length, "%s%s%d", dot,
                                   hk_base_unit_names[i], uom->exponent[i]);
        length += (size_t)added;
    }
    if (!length)
        memcpy(buffer, "1", 2);
    return buffer;
}
