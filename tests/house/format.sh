#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every C source is as clang-format writes it; `./dev format` puts it right.
if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
find include src models fuzz bench tests examples -name '*.[ch]' | xargs clang-format --dry-run -Werror
