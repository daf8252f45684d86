#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: optional.sh SCRATCH [BUILD]
# With every optional library absent, and with every option switched off, the build succeeds and
# says what it leaves out.
set -eu
scratch=$1
tested=${2-build}
rm -rf "$scratch"
mkdir -p "$scratch/modules"

fail() {
    echo "optional.sh: $*"
    exit 1
}

configure() { # BUILD [OPTION...]
    build=$1
    shift
    cmake -G Ninja -S . -B "$scratch/$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 "$@" \
        >"$scratch/$build.log" 2>&1 || { cat "$scratch/$build.log"; fail "$build: cannot configure"; }
}

expect() { # BUILD TEXT
    grep -qF "$2" "$scratch/$1.log" || { cat "$scratch/$1.log"; fail "$1: the report lacks '$2'"; }
}

# Builds the tool. What is compiled by the same words as in the build under test is known to compile, and is left
# out, unless HK_SLOW is set.
build() { # BUILD
    if [ -n "${HK_SLOW-}" ] || ! python3 tests/house/other_objects.py "$scratch/$1" "$tested" >"$scratch/objects"; then
        echo hocket >"$scratch/objects"
    fi
    echo "$1: $(wc -l <"$scratch/objects") to build"
    xargs cmake --build "$scratch/$1" --target <"$scratch/objects" >"$scratch/build.log" 2>&1 ||
        { tail -n 40 "$scratch/build.log"; fail "$1: cannot build"; }
    if [ -n "${HK_SLOW-}" ]; then "$scratch/$1/bin/hocket" --version; fi
}

# A machine without them, as far as CMake can see: all modules but cmocka, no scdoc, no Python,
# no HDF5, no TIFF.
pkg-config --variable pc_path pkg-config | tr ':' '\n' | while read -r folder; do
    for module in "$folder"/*.pc; do
        case "$module" in
        *'*.pc' | */cmocka.pc) ;;
        *) ln -sf "$module" "$scratch/modules/" ;;
        esac
    done
done
export PKG_CONFIG_LIBDIR="$scratch/modules" PKG_CONFIG_PATH=
configure absent -DHK_SCDOC= -DHK_PYTHON= -DHK_HDF5_FILE= -DHK_HDF5_HEADERS= -DHK_TIFF_FILE= -DHK_TIFF_HEADERS=
unset PKG_CONFIG_LIBDIR PKG_CONFIG_PATH
expect absent "tests: left out (libcmocka-dev is missing)"
expect absent "man pages: left out (scdoc is missing)"
expect absent "records as HDF5: left out (libhdf5-dev is missing)"
expect absent "sea beds from GeoTIFF: left out (libtiff-dev is missing)"
build absent

configure no_python -DHK_PYTHON=
expect no_python "tests: yes"
expect no_python "tests written in Python: left out (python3 is missing)"

configure off -DHK_WITH_TESTS=OFF -DHK_WITH_MAN=OFF -DHK_WITH_HDF5=OFF -DHK_WITH_TIFF=OFF
expect off "tests: switched off"
expect off "man pages: switched off"
expect off "records as HDF5: switched off"
expect off "sea beds from GeoTIFF: switched off"
rm -rf "$scratch"
