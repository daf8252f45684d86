#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages, help, man pages and documents are in plain English: "is not a time", and not "is no time".

Looked at by all rules: the strings of C, those that go on in the next line put together, and all of a page: README.md of
the tree and of every folder, docs/, man/, the templates of `hocket new`, ./dev. By the first rule alone: everything else
that is text, comments included. "there is no" is plain, and so are "is no longer" and the like.

Rooms that speak of systems in any language, or in hocket's own, have no words of SSP in their messages.

Run from anywhere:  python3 tests/house/words_test.py [FILE...]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NONE_THERE = r"(?<![Tt]here )" + "".join(f"(?<!there {word} )" for word in ("to", "may", "must", "can", "will", "need"))
RULES = [
    (NONE_THERE + r"\b(?:is|are|was|were|be) no (?!more\b|longer\b|better\b|less\b|need\b|doubt\b|2\b)[a-zA-Z%.'\\]", '"is not a"'),
    (r"\bin good order\b", '"normally"'),
    (r"\buntold\b", '"not passed on"'),
    (r"\b[Ww]hoever\b", '"the one who"'),
    (r"\b(?:error|mistake|failure|warning|it|this|that|decide) is told\b", '"is reported"'),
    (r"\bstands (?:in|here|there|before|behind|beside|twice|where)\b(?! for)(?! the way)", '"is"'),
]
SSP_WORDS = [(r"\b(?:SSD|SSV|SSM|[Cc]onnectors?|DefaultExperiment|Parameter(?:Binding|Set|Mapping)s?|SystemStructure)\b",
              "a word of every language: port, variable, connection, value")]
# Of lang what writes system files is left out: it speaks of what it has read.
SSP_FREE = ("src/model", "src/text", "src/native", "src/chart", "src/lang", "src/plan", "src/engine", "src/play", "src/fuse")
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


def texts_of_source(text):
    """Yields (line, text) of every paragraph, without the marks of comments."""
    yield from texts_of_page(re.sub(r"(?m)^[ \t]*(?:\*|//+|#+|/\*)[ \t]?", "", text))


def sources_of_words():
    """What all rules are for."""
    c = (".c", ".h", ".def")
    yield from sorted(p for top in ("src", "models") for p in (ROOT / top).rglob("*")
                      if p.suffix in c and not p.name.endswith("_test.c"))
    yield from sorted((ROOT / "include").rglob("*.def"))
    yield from [ROOT / "README.md", ROOT / "dev"]
    yield from sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name != "glossary.md")
    for top in ("src", "models", "examples", "tests", "fuzz", "bench", "include"):
        yield from sorted((ROOT / top).rglob("README.md"))
    yield from sorted((ROOT / "man").glob("*.scd"))
    yield from sorted(p for p in (ROOT / "src/cli/templates").iterdir() if p.suffix == ".in")


def everything():
    """All that is text, but for what fuzzers are fed with, what was read and found good, and the tests of these rules."""
    kinds = (".c", ".h", ".def", ".inc", ".in", ".py", ".sh", ".cmake", ".txt", ".xml", ".md", ".scd", ".cpp", ".types",
             ".system", ".simulation", ".schedule", ".master")
    for top in ("src", "include", "models", "examples", "tests", "fuzz", "bench", "tools", "cmake", "docs", "man"):
        yield from sorted(p for p in (ROOT / top).rglob("*") if p.suffix in kinds and p.is_file()
                          and not {"corpus", "expected"} & set(p.parts) and not p.match("tests/house/words*_test.py"))
    yield from [ROOT / "dev", ROOT / "README.md", ROOT / "CMakeLists.txt"]


def check(path, texts, rules):
    text = path.read_text(encoding="utf-8", errors="replace")
    for line, found in texts(text):
        for pattern, plain in rules:
            for m in re.finditer(pattern, found):
                shown = found[max(0, m.start() - 30):m.end() + 25]
                yield f"{path}:{line}: '{shown}': write {plain}"


def check_words(path):
    texts = texts_of_c if path.suffix in (".c", ".h", ".def") else texts_of_page
    yield from check(path, texts, RULES)
    free = any(f"/{room}/" in f"/{path.as_posix()}" for room in SSP_FREE) and not path.name.startswith("write_")
    if free and path.suffix == ".c":
        yield from check(path, texts, SSP_WORDS)


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    wrong = [line for path in named or sources_of_words() for line in check_words(path)]
    wrong += [line for path in named or everything() for line in check(path, texts_of_source, RULES[:1])]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
