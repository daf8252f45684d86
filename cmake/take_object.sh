#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: take_object.sh BUILD CC WORD...
# Stands before the compiler: what it would compile as -o OBJECT is taken from BUILD, another build of the same tree,
# if it is there. The file of dependencies (-MF) names that object, so that it is taken again when it changes.
build=$1
shift
object= depends= before=
for word; do
    case $before in
    -o) object=$word ;;
    -MF) depends=$word ;;
    esac
    before=$word
done
if [ -n "$object" ] && [ -n "$depends" ] && cp "$build/$object" "$object" 2>/dev/null; then
    echo "$object: $build/$object" >"$depends"
    exit
fi
exec "$@"
