#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages, help, man pages and documents are in plain English: "is not a time", and not "is no time".

Texts of C are its strings, those that go on in the next line put together. "there is no" is plain, and so are "is no
longer" and the like.

Run from anywhere:  python3 tests/house/words_test.py [FILE...]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NONE_THERE = r"(?<!there )(?<!There )(?<!there to )(?<!there may )(?<!there must )(?<!there can )(?<!there will )"
RULES = [
    (NONE_THERE + r"\b(?:is|are|was|were|be) no (?!more\b|longer\b|better\b|less\b|need\b|doubt\b|2\b)[a-zA-Z%.'\\]", '"is not a"'),
    (r"\bin good order\b", '"normally"'),
    (r"\buntold\b", '"not passed on"'),
    (r"\b[Ww]hoever\b", '"the one who"'),
    (r"\b(?:error|mistake|failure|warning|it|this|that|decide) is told\b", '"is reported"'),
    (r"\bstands (?:in|here|there|before|behind|beside|twice|where)\b(?! for)(?! the way)", '"is"'),
]
STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def texts_of_c(text):
    """Yields (line, text) of every string; neighbours are one."""
    line, found, end = 0, None, 0
    for m in STRING.finditer(text):
        if m.group(1) is None:
            continue
        if found is not None and text[end:m.start()].isspace():
            found += m.group(1)
        else:
            if found is not None:
                yield line, found
            line, found = text.count("\n", 0, m.start()) + 1, m.group(1)
        end = m.end()
    if found is not None:
        yield line, found


def texts_of_page(text):
    """Yields (line, text) of every paragraph, in one line."""
    line = 1
    for part in re.split(r"(\n\s*\n)", text):
        yield line, re.sub(r"\s+", " ", part)
        line += part.count("\n")


def pages():
    yield from sorted(p for p in (ROOT / "src").rglob("*") if p.suffix in (".c", ".h", ".def") and not p.name.endswith("_test.c"))
    yield from sorted((ROOT / "include").rglob("*.def"))
    yield ROOT / "README.md"
    yield from sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name != "glossary.md")
    yield from sorted((ROOT / "man").glob("*.scd"))
    yield from sorted(p for p in (ROOT / "src/cli/templates").iterdir() if p.suffix == ".in")


def check(path):
    text = path.read_text(encoding="utf-8")
    texts = texts_of_c if path.suffix in (".c", ".h", ".def") else texts_of_page
    for line, found in texts(text):
        for pattern, plain in RULES:
            for m in re.finditer(pattern, found):
                shown = found[max(0, m.start() - 30):m.end() + 25]
                yield f"{path}:{line}: '{shown}': write {plain}"


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    wrong = [line for path in named or pages() for line in check(path)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
