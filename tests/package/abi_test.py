#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the ABI of libhocket with expected/abi.txt: exported symbols, prototypes, sizes and offsets of all
public structs, values of all public enumerations and numbers.

What programs were built against must stay: nothing may vanish or change. What is new is fine, and is
taken into expected/abi.txt by --update.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from golden import UPDATE  # noqa: E402

GOLDEN = HERE / "expected" / "abi.txt"
# The version is meant to change; hk_plugin is what plugins define, not the library.
NOT_ABI = re.compile(r"HK_VERSION_|HK_\w+_H$")
NOT_EXPORTED = {"hk_plugin"}
# Where every public function gets arguments that are wrong.
MISUSED = ("misuse_test.c", "wrong_arguments_test.c")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=True).stdout


def public_text(cc, include):
    """The public headers as the compiler sees them, without what they include of the system."""
    ours, lines = False, []
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "all.c")
        source.write_text("#include <hk/hk.h>\n", encoding="utf-8")
        text = run(cc, "-std=c17", "-E", f"-I{include}", source)
        macros = run(cc, "-std=c17", "-E", "-dM", f"-I{include}", source)
    for line in text.splitlines():
        marker = re.match(r'#\s+\d+\s+"([^"]*)"', line)
        if marker:
            ours = "/hk/" in marker[1]
        elif ours:
            lines.append(line)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", "\n".join(lines))
    return re.sub(r"\s+", " ", text), macros


def field_names(body):
    """The names in the declarations of a struct."""
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", declaration)
        if pointer:
            yield pointer[1]
            continue
        for declarator in declaration.split(","):
            yield re.search(r"(\w+)\s*(?:\[[^]]*\])*$", declarator.strip())[1]


def layout_program(text, macros):
    """A C program that prints one line per struct, field and number."""
    lines = []
    for name, body in re.findall(r"typedef struct (hk_\w+) \{([^{}]*)\} \1;", text):
        lines.append(f'printf("struct {name}: %zu bytes\\n", sizeof({name}));')
        for field in field_names(body):
            lines.append(f'printf("field {name}.{field}: %zu bytes at %zu\\n", '
                         f"sizeof((({name} *)0)->{field}), offsetof({name}, {field}));")
    for name in re.findall(r"typedef enum (hk_\w+) \{", text):
        lines.append(f'printf("enum {name}: %zu bytes\\n", sizeof({name}));')
    for body in re.findall(r"enum(?: \w+)? \{([^{}]*)\}", text):
        for item in filter(None, (part.strip() for part in body.split(","))):
            name = item.split("=")[0].strip()
            if name.endswith("_COUNT"):  # moves with every new value, so nobody may store it
                continue
            lines.append(f'printf("value {name}: %lld\\n", (long long){name});')
    for name, value in re.findall(r"^#define (HK_\w+) (\d+)$", macros, re.MULTILINE):
        if not NOT_ABI.match(name):
            lines.append(f'printf("number {name}: {value}\\n");')
    body = "\n".join(sorted(set(lines)))
    return f"#include <hk/hk.h>\n#include <stdio.h>\nint main(void) {{\n{body}\nreturn 0;\n}}\n"


def layout(cc, include, text, macros):
    with tempfile.TemporaryDirectory() as scratch:
        source, program = pathlib.Path(scratch, "layout.c"), pathlib.Path(scratch, "layout")
        source.write_text(layout_program(text, macros), encoding="utf-8")
        run(cc, "-std=c17", f"-I{include}", source, "-o", program)
        return run(program).splitlines()


def without_inlines(text):
    """What is left when functions with a body are taken out: those are not symbols."""
    kept, at = [], 0
    for match in re.finditer(r"static (?:inline )?[^;{}=]*\([^;{}]*\)\s*\{", text):
        if match.start() < at:
            continue
        kept.append(text[at:match.start()])
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    return "".join(kept) + text[at:]


def prototypes(text):
    found = {}
    for result, name, arguments in re.findall(r"([\w][\w \*]*?[ \*])(hk_\w+)\(([^;{}]*)\);", text):
        if not result.startswith("typedef"):
            found[name] = re.sub(r"\s+([*,])", r" \1", f"{result.strip()} {name}({arguments})")
    return found


def typedefs(text):
    """Types of functions and numbers, which no struct shows."""
    return [f"type {line.strip()}" for line in re.findall(r"typedef ([^{};]*);", text)
            if "hk_" in line]


def describe(options):
    text, macros = public_text(options.cc, options.include)
    text = without_inlines(text)
    declared = prototypes(text)
    exported = set(run("nm", "-D", "--defined-only", options.library).split()[2::3])
    wrong = []
    for name in sorted(exported - set(declared)):
        wrong.append(f"{name} is exported, but no public header declares it")
    for name in sorted(set(declared) - exported - NOT_EXPORTED):
        wrong.append(f"{name} is declared in a public header, but not exported")
    tests = "".join((HERE.parents[1] / "src/api" / name).read_text(encoding="utf-8") for name in MISUSED)
    for name in sorted(exported):
        if f"{name}(" not in tests:
            wrong.append(f"{name} is never called with wrong arguments (src/api/{MISUSED[1]})")
    lines = [f"symbol {name}" for name in exported]
    lines += [f"function {prototype}" for prototype in declared.values()]
    lines += typedefs(text) + layout(options.cc, options.include, text, macros)
    return sorted(set(lines)), wrong


def has_grown(line, now):
    """A struct that begins with its size may get longer: its old fields are looked at one by one."""
    struct = re.match(r"struct (\w+): (\d+) bytes$", line)
    if not struct or f"field {struct[1]}.size: 8 bytes at 0" not in now:
        return False
    return any(int(size) > int(struct[2]) for size in
               re.findall(rf"^struct {struct[1]}: (\d+) bytes$", "\n".join(now), re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--include", type=pathlib.Path, default=HERE.parents[1] / "include")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--golden", type=pathlib.Path, default=GOLDEN)
    options = parser.parse_args()
    now, wrong = describe(options)
    if UPDATE:
        options.golden.write_text("\n".join(now) + "\n", encoding="utf-8")
    before = options.golden.read_text(encoding="utf-8").splitlines()
    gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    gone = [line for line in gone if not has_grown(line, now)]
    for line in wrong:
        print(f"wrong: {line}")
    for line in gone:
        print(f"- {line}")
    for line in new:
        print(f"+ {line}")
    if gone:
        print("\nPrograms that were built before would break. Keep what is marked '-': add new "
              "functions beside old ones,\nnew fields at the end of structs that begin with their "
              "size, new enumeration values after the others. If the\nbreak is meant, raise "
              "HK_SOVERSION in cmake/package.cmake (HK_UNIT_ABI for components) and run:\n"
              "tests/package/abi_test.py --library LIBRARY --update")
    elif new:
        print("\nOld programs go on working. Take it over: "
              "tests/package/abi_test.py --library LIBRARY --update")
    if not (wrong or gone or new):
        print(f"{len(now)} facts, all as before")
    return 1 if wrong or gone or new else 0


if __name__ == "__main__":
    sys.exit(main())
