#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_sizes.py finds each kind of function and file that is too large, and no other."""
import pathlib
import subprocess
import sys
import tempfile

BODY = "{\n" + "    work();\n" * 69 + "}\n"
GOOD = """
#define SEVEN(a, b, c, d, e, f, g) \\
    f(a, b, c, d, e, f, g)
/* int comment(int a, int b, int c, int d, int e, int f, int g); */
typedef int hk_fn(int a, int b, int c, int d, int e, int f, int g);
struct s {
    int (*call)(int a, int b, int c, int d, int e, int f, int g);
} one = {0};
static int (*pointer)(int a, int b, int c, int d, int e, int f, int g);
static const int list[] = {f(1, 2, 3, 4, 5, 6, 7)};
int printed(int a, int b, int c, int d, int e, int f, ...) __attribute__((format(printf, 6, 7)));
int with_function(int a, int (*b)(int, int), int c, int d, int e, int f);
void nothing(void);
MACRO(a, b, c, d, e, f, g)
/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
int marked(int a, int b, int c, int d, int e, int f, int g);
static void calls(void) {
    char c = '{';
    seven(1, 2, 3, 4, 5, 6, c, "(,,,,,,,,");
}
static void lines(void) """ + BODY
WRONG = {
    "declared": "int declared(int a, int b, int c, int d, int e, int f, int g);",
    "defined": "static int\ndefined(int a, int b, int c, int d, int e, int f, int g) { return a; }",
    "behind": "struct t {\n    int x;\n};\nvoid behind(int a, int b, int c, int d, int e, int f, int g);",
    "joined": "int NAME(joined)(int a, int b, int c, int d, int e, int f, int g) {\n}",
    "attributed": "int attributed(int a, int b, int c, int d, int e, int f, int g) __attribute__((cold));",
    "long_one": "void long_one(void) " + BODY.replace("}", "    work();\n    work();\n}"),
}


def complaints(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.c")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "tools/check_sizes.py", path], capture_output=True,
                              text=True, check=False)
        lines = done.stdout.splitlines()[:-1]
        assert done.returncode == bool(lines), done.stdout + done.stderr
        return lines


assert complaints(GOOD) == [], complaints(GOOD)
for name, text in WRONG.items():
    found = complaints(GOOD + text + "\n")
    assert len(found) == 1 and f"'{name}'" in found[0], (name, found)
found = complaints("int x;\n" * 501)
assert len(found) == 1 and "501 lines" in found[0], found
assert complaints("int x;\n" * 500) == []
