#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/base/pow10_table.h: the powers of ten that base/number.c multiplies with.

Entry k is 10^k scaled by a power of two into [2^127, 2^128) and rounded up, as two 64-bit halves.
Run from the top of the source tree:  python3 tools/gen_pow10.py > src/base/pow10_table.h
"""

FIRST, LAST = -292, 324  # what doubles need: from 10^-292 for the largest to 10^324


def scaled(k):
    """ceil(10^k * 2^s) with s such that the result has 128 bits."""
    num, den = (10**k, 1) if k >= 0 else (1, 10**-k)
    shift = 128 - (num.bit_length() - den.bit_length())
    num, den = (num << shift, den) if shift >= 0 else (num, den << -shift)
    while num // den >= 1 << 128:
        den *= 2
    value = -(-num // den)
    assert 1 << 127 <= value < 1 << 128
    return value


print("/* SPDX-License-Identifier: MIT */")
print("/* Written by tools/gen_pow10.py; do not edit. */")
print("/* clang-format off */")
print(f"enum {{ POW10_FIRST = {FIRST}, POW10_LAST = {LAST} }};")
print("static const struct pow10 {")
print("    uint64_t high, low;")
print("} pow10_table[POW10_LAST - POW10_FIRST + 1] = {")
for k in range(FIRST, LAST + 1):
    g = scaled(k)
    print(f"    {{0x{g >> 64:016x}, 0x{g & (1 << 64) - 1:016x}}}, /* {k} */")
print("};")
print("/* clang-format on */")
