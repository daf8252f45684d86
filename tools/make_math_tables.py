#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes include/hk/math_tables.h: the numbers behind hk/math.h, computed with 400 bits.

usage: make_math_tables.py [--check] FILE

Needs mpmath. --check compares and exits 1 if the file is not what would be written."""
import pathlib
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 400


def double(x):
    """X rounded to the nearest double, ties to even."""
    return float(mpmath.nstr(x, 60)) if x else 0.0


def rounded(x, bits):
    """X rounded to a whole number of 2^-BITS."""
    return mpmath.nint(x * mpf(2) ** bits) / mpf(2) ** bits


def text(x):
    return repr(float(x))  # the shortest decimal that is read as this number: C++ before 17 knows no others


def array(name, numbers, per_line=2, type_="double", show=text):
    rows = [", ".join(map(show, numbers[i:i + per_line])) for i in range(0, len(numbers), per_line)]
    return f"static const {type_} {name}[{len(numbers)}] = {{\n    " + ",\n    ".join(rows) + "};\n"


def constant(name, x):
    return f"#define {name} {text(double(x))}\n"


def fit(f, low, high, count):
    """COUNT coefficients, the constant first, of a polynomial that is near the best one for F."""
    coefficients = mpmath.chebyfit(f, [mpf(low), mpf(high)], count)
    return [double(c) for c in reversed(coefficients)]


def from_series(coefficients):
    """A function of x by its (long) power series."""
    return lambda x: mpmath.polyval(list(reversed(coefficients)), x)


def asin_series(count):
    """Of (asin(x) - x) / x^3 in x^2."""
    return [mpmath.binomial(2 * n, n) / (mpf(4) ** n * (2 * n + 1)) for n in range(1, count + 1)]


# --- exp ------------------------------------------------------------------------------------------

def exp_part():
    steps = 128
    table = []
    for i in range(steps):
        exact = mpf(2) ** (mpf(i) / steps)
        high = double(exact)
        table += [high, double((exact - mpf(high)) / exact)]
    step = mp.ln2 / steps
    high = rounded(step, 42)  # with numbers below 2^18 a product of it is exact
    exact = from_series([1 / mpmath.factorial(n + 2) for n in range(20)])
    expm1 = from_series([1 / mpmath.factorial(n + 2) for n in range(30)])
    return ("/* 2^(i/128), and by which part of itself it is too small. */\n" +
            array("hk_math_exp_table_", table) +
            constant("HK_MATH_EXP_STEPS_", steps / mp.ln2) +
            constant("HK_MATH_EXP_HIGH_", high) + constant("HK_MATH_EXP_LOW_", step - high) +
            "/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/256 */\n" +
            array("hk_math_exp_poly_", fit(exact, -step / 2, step / 2, 4)) +
            "/* (exp(x) - 1 - x) / x^2 for |x| <= 0.25 */\n" +
            array("hk_math_expm1_poly_", fit(expm1, -0.25, 0.25, 12)))


# --- log ------------------------------------------------------------------------------------------

def log_part():
    """Numbers z from 0.6875 to 1.375 fall into 128 parts by their leading bits; each part has a
    short number near 1/z (11 bits, so that products are exact) and minus its logarithm. The part
    around 1 has 1 and 0."""
    table, widest = [], mpf(0)
    for i in range(128):
        first = 0.6875 + i / 256 if i < 80 else 1 + (i - 80) / 128
        last = first + (1 / 256 if i < 80 else 1 / 128)
        short = rounded(2 / (mpf(first) + mpf(last)), 10)
        if last == 1 or first == 1:
            short = mpf(1)
        for z in (first, last):
            widest = max(widest, abs(mpf(z) * short - 1))
        table.append(float(short))
        for base in (mp.e, mpf(2), mpf(10)):
            minus = -mpmath.log(short) / mpmath.log(base)
            high = rounded(minus, 42)
            table += [double(high), double(minus - high)]
    high = rounded(mp.ln2, 42)
    # (log(1 + r) - r + r^2/2) / r^3
    exact = from_series([mpf(-1) ** n / (n + 3) for n in range(60)])
    square = from_series([mpf(-1) ** (n + 1) / (n + 2) for n in range(60)])
    inverse, ten = 1 / mp.ln2, 1 / mp.ln10
    return (f"/* |r| is at most {float(widest)} */\n" +
            "/* A short 1/z, and minus its logarithms to e, 2 and 10 in two parts each. */\n" +
            array("hk_math_log_table_", table, 7) +
            constant("HK_MATH_LN2_HIGH_", high) + constant("HK_MATH_LN2_LOW_", mp.ln2 - high) +
            constant("HK_MATH_LN2_", mp.ln2) +
            constant("HK_MATH_LN2_REST_", mp.ln2 - mpf(double(mp.ln2))) +
            "/* log2(e) and log10(e): short, so that a product with 38 bits is exact, and the rest. */\n" +
            constant("HK_MATH_LOG2E_", rounded(inverse, 13)) +
            constant("HK_MATH_LOG2E_LOW_", inverse - rounded(inverse, 13)) +
            constant("HK_MATH_LOG10E_", rounded(ten, 15)) +
            constant("HK_MATH_LOG10E_LOW_", ten - rounded(ten, 15)) +
            constant("HK_MATH_LOG10_2_", rounded(mp.ln2 * ten, 42)) +
            constant("HK_MATH_LOG10_2_LOW_", mp.ln2 * ten - rounded(mp.ln2 * ten, 42)) +
            "/* (log(1 + r) - r + r^2/2) / r^3 */\n" +
            array("hk_math_log_cube_poly_", fit(exact, -widest, widest, 6)) +
            "/* (log(1 + r) - r) / r^2, to the bases e, 2 and 10 */\n" +
            array("hk_math_log_poly_", fit(square, -widest, widest, 6)) +
            array("hk_math_log2_poly_", fit(lambda r: square(r) * inverse, -widest, widest, 6)) +
            array("hk_math_log10_poly_", fit(lambda r: square(r) * ten, -widest, widest, 6)))


# --- hyperbolic functions, near 0 -----------------------------------------------------------------

def hyperbolic_part():
    limit = mpf(1) / 16  # x^2 for |x| <= 0.25
    sinh = from_series([1 / mpmath.factorial(2 * n + 3) for n in range(20)])
    odd_tanh = [mpf(2) ** m * (mpf(2) ** m - 1) * mpmath.bernoulli(m) / mpmath.factorial(m)
                for m in range(4, 100, 2)]
    odd_asinh = [mpf(-1) ** (n + 1) * c for n, c in enumerate(asin_series(50))]
    odd_atanh = [mpf(1) / (2 * n + 3) for n in range(80)]
    near_1 = mpf("0.0636")  # x^2 - 1 for x <= 1 + 1/32
    return ("/* (f(x) - x) / x^3 as a polynomial of x^2: |x| <= 1 for sinh, |x| <= 0.252 for asinh, 0.25 for\n"
            " * the others; for asinh also |x| <= 1/28 */\n" +
            array("hk_math_sinh_poly_", fit(sinh, 0, 1, 9)) +
            array("hk_math_tanh_poly_", fit(from_series(odd_tanh), 0, limit, 9)) +
            array("hk_math_asinh_poly_", fit(from_series(odd_asinh), 0, near_1, 10)) +
            array("hk_math_asinh_short_poly_", fit(from_series(odd_asinh), 0, mpf(1) / 784, 4)) +
            array("hk_math_atanh_poly_", fit(from_series(odd_atanh), 0, limit, 10)) + area_tables())


def area_tables():
    """Numbers from 1/4 to 8, and from 1/32 to 8, fall into 16 parts per power of 2; c is the middle."""
    sinh, cosh = [], []
    for low, tables in ((-2, (sinh,)), (-5, (cosh,))):
        for exponent in range(low, 3):
            for i in range(16):
                c = (1 + (mpf(i) + mpf("0.5")) / 16) * mpf(2) ** exponent
                if tables[0] is sinh:
                    other, value = mpmath.sqrt(c * c + 1), mpmath.asinh(c)
                else:
                    other, value = mpmath.sqrt(c * (c + 2)), mpmath.acosh(c + 1)
                tables[0].extend([double(c), double(other), double(value), double(value - mpf(double(value)))])
    return ("/* c, sqrt(c^2 + 1), asinh(c) in two parts: 16 for each power of 2 from 1/4 to 8 */\n" +
            array("hk_math_asinh_table_", sinh, 4) +
            "/* c, sqrt((c + 1)^2 - 1), acosh(c + 1) in two parts: 16 for each power of 2 from 1/32 to 8 */\n" +
            array("hk_math_acosh_table_", cosh, 4))


# --- sin, cos, tan --------------------------------------------------------------------------------

def tangent_part():
    table = []
    for i in range(27):
        tangent = mpmath.tan(mpf(i) / 32)
        for value in (tangent, 1 / tangent if i else mpf(0)):
            table += [double(value), double(value - mpf(double(value))), double(1 + value ** 2)]
    odd = [mpf(2) ** m * (mpf(2) ** m - 1) * abs(mpmath.bernoulli(m)) / mpmath.factorial(m)
           for m in range(4, 120, 2)]
    return ("/* f = tan(i/32), then 1/tan(i/32): f in two parts, and 1 + f^2 */\n" +
            array("hk_math_tan_table_", table, 3) +
            "/* (tan(x) - x) / x^3 as a polynomial of x^2: |x| <= 0.11, |x| <= 1/63 */\n" +
            array("hk_math_tan_poly_", fit(from_series(odd), 0, mpf("0.0125"), 6)) +
            array("hk_math_tan_short_poly_", fit(from_series(odd), 0, mpf(1) / 3969, 3)))


def trigonometric_part():
    half = mp.pi / 2
    parts, rest = [], half
    for place in (32, 65, 98):
        part = rounded(rest, place)
        parts.append(float(part))
        rest -= part
    parts.append(double(rest))
    limit = (mp.pi / 4) ** 2 * mpf("1.001")
    sin = from_series([mpf(-1) ** (n + 1) / mpmath.factorial(2 * n + 3) for n in range(20)])
    cos = from_series([mpf(-1) ** n / mpmath.factorial(2 * n + 4) for n in range(20)])
    mp.prec = 1400
    bits = int(mpmath.floor(2 / mp.pi * mpf(2) ** 1216))
    mp.prec = 400
    words = [(bits >> (1216 - 32 * (i + 1))) & 0xffffffff for i in range(38)]
    return ("/* pi/2 in four parts; products of the first three with numbers below 2^20 are exact. */\n" +
            array("hk_math_half_pi_parts_", parts) +
            "/* All of it behind the first part. */\n" +
            constant("HK_MATH_HALF_PI_REST_", half - mpf(parts[0])) +
            constant("HK_MATH_TWO_OVER_PI_", 2 / mp.pi) +
            constant("HK_MATH_HALF_PI_", half) +
            constant("HK_MATH_HALF_PI_LOW_", half - mpf(double(half))) +
            "/* (sin(x) - x) / x^3 and (cos(x) - 1 + x^2/2) / x^4 as polynomials of x^2, |x| <= pi/4 */\n" +
            array("hk_math_sin_poly_", fit(sin, 0, limit, 6)) +
            array("hk_math_cos_poly_", fit(cos, 0, limit, 6)) +
            tangent_part() + "/* The bits of 2/pi behind the point, most significant first. */\n" +
            array("hk_math_two_over_pi_words_", words, 6, "uint32_t", "0x{:08x}".format))


def inverse_part():
    table = []
    for i in range(33):
        exact = mpmath.atan(mpf(i) / 32)
        table += [double(exact), double(exact - mpf(double(exact)))]
    small = from_series([mpf(-1) ** (n + 1) / (2 * n + 3) for n in range(60)])
    odd = asin_series(200)
    return ("/* atan(i/32) in two parts */\n" + array("hk_math_atan_table_", table) +
            "/* (atan(x) - x) / x^3 as a polynomial of x^2: |x| <= 0.11, |x| <= 1/63 */\n" +
            array("hk_math_atan_poly_", fit(small, 0, mpf("0.0125"), 7)) +
            array("hk_math_atan_short_poly_", fit(small, 0, mpf(1) / 3969, 4)) +
            "/* (asin(x) - x) / x^3 as a polynomial of x^2, |x| <= 0.5 */\n" +
            array("hk_math_asin_poly_", fit(from_series(odd), 0, 0.25, 13)))


def whole():
    return ("/* SPDX-License-Identifier: MIT\n *\n"
            " * Tables and coefficients of hk/math.h. Made by tools/make_math_tables.py; do not edit. */\n"
            "#ifndef HK_MATH_TABLES_H\n#define HK_MATH_TABLES_H\n\n#include <stdint.h>\n\n"
            "/* clang-format off */\n\n" +
            "\n".join((exp_part(), log_part(), hyperbolic_part(), trigonometric_part(), inverse_part())) +
            "\n/* clang-format on */\n\n#endif\n")


def main():
    words = sys.argv[1:]
    check = "--check" in words
    path = pathlib.Path(next(w for w in words if w != "--check"))
    made = whole()
    if check:
        return int(path.read_text(encoding="utf-8") != made)
    path.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
