#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a document names what is not there, or does not name what is.

- Functions, types and macros (hk_..., HK_...), files, links, verbs and options in the documents exist: README.md,
  docs/, man/ and every README of the tree.
- The README of a room of src/ names every source file of the room, and no other; `x.h` and `x.c` are named by either.
  Tests need no name.
- The tables of README.md and docs/architecture.md name every room; README.md names every folder of models/ and every
  page of docs/.
- Tables of files, rooms and pages (README.md, docs/architecture.md, every README of the tree) name nothing twice.
- man/hocket.1.scd lists every verb, and its own page begins, with the summary that the program has for it.
- docs/security.md names every environment variable that the program reads.

Run from anywhere:  python3 tools/check_docs.py [--root TREE]
"""
import argparse
import pathlib
import re
import sys

TOPS = ("src", "include", "tests", "tools", "models", "examples", "docs", "man", "fuzz", "bench", "cmake")
# Options of other programs: CMake, ./dev bench.
FOREIGN_OPTIONS = {"build", "target", "list", "steps"}
# Names of emitted C that a page shows.
NAMES_OF_EXAMPLES = {"hk_leaf_2_flight_dynamics", "hk_leaf_0_elevator"}
# Words behind "hocket" that are not verbs.
NOT_VERBS = {"tool", "fused"}


class Tree:
    """The sources as they are."""

    def __init__(self, root):
        self.root = root
        self.wrong = []
        kinds = ("*.[ch]", "*.def", "*.in", "*.py", "*.cmake", "CMakeLists.txt", "*.cpp")
        paths = [p for top in TOPS if top not in ("docs", "man") for kind in kinds for p in (root / top).rglob(kind)]
        paths += [root / "dev", root / "CMakeLists.txt"]
        texts = [p.read_text(encoding="utf-8", errors="replace") for p in paths if p.is_file()]
        self.words = set()
        for text in texts:
            self.words.update(re.findall(r"\b[A-Za-z_]\w*\b", text))
        self.cli = "\n".join(p.read_text(encoding="utf-8") for p in (root / "src/cli").rglob("*.[ch]"))
        self.verbs = {m for p in (root / "src/cli").glob("*.c")
                      for m in re.findall(r'^    \.name = "([a-z]+)"', p.read_text(encoding="utf-8"), re.M)}
        self.options = set(re.findall(r'\.name = "([a-z0-9-]+)"', self.cli))
        scripts = [p.read_text(encoding="utf-8") for p in paths if p.suffix == ".py"]
        self.options |= {o for text in scripts for o in re.findall(r'(?:add_argument|main)\("--([a-z][a-z0-9-]+)', text)}
        self.options |= {o for text in scripts for o in re.findall(r'"--([a-z][a-z0-9-]+)" in sys\.argv', text)}
        self.options |= FOREIGN_OPTIONS

    def say(self, path, line, text):
        self.wrong.append(f"{path.relative_to(self.root)}:{line}: {text}")


def documents(root):
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "man").glob("*.scd"))]
    for top in ("src", "models", "examples", "tests", "fuzz", "bench", "include"):
        pages += sorted((root / top).rglob("README.md"))
    return [p for p in pages if p.is_file()]


def code_of(path, text):
    """Yields (line number, text) of what is code in a page: fenced blocks and spans; in man pages all of it."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or path.suffix == ".scd":
            yield number, line
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span


def file_exists(root, page, name):
    places = [root, root / "src", root / "include", page.parent]
    name = name.rstrip("/.")
    if any(list(place.glob(name)) if "*" in name else (place / name).exists() for place in places):
        return True
    folder, _, file = name.rpartition("/")  # a room may have folders of its own: `lang/parse_types.c`
    return bool(folder) and (root / "src" / folder).is_dir() and any((root / "src" / folder).rglob(file))


def check_names(tree, page, number, code):
    for name in re.findall(r"\b(?:hk_[a-z0-9]\w*|HK_[A-Z0-9]\w*)\b", code):
        known = name in tree.words or name in NAMES_OF_EXAMPLES
        if not known and (name.endswith("_") or f"{name}*" in code or f"{name}_*" in code or f"{name}..." in code):
            known = any(word.startswith(name) for word in tree.words)
        if not known:
            tree.say(page, number, f"the sources have no '{name}'")


def check_files(tree, page, number, code):
    rooms = "|".join(p.name for p in (tree.root / "src").iterdir() if p.is_dir())
    pattern = rf"(?<![\w./-])(?:(?:{'|'.join(TOPS)})/[\w./*-]*\w|(?:{rooms})/[\w*-]+\.(?:[ch]|def|md))"
    for name in re.findall(pattern, code):
        if not file_exists(tree.root, page, name) and not is_made(tree, name):
            tree.say(page, number, f"there is no file '{name}'")


def is_made(tree, name):
    """Folders that a build or an installation makes have the names of ours: include/hk, share/man/man1."""
    return name.startswith(("bench/results", "man/man", "fmus/")) or (tree.root / "examples" / name).exists()


def check_verbs(tree, page, number, code):
    for verb in re.findall(r"(?:^|[`$*'( ])hocket ([a-z]{3,})\b", code):
        if verb not in tree.verbs and verb not in NOT_VERBS and (page.suffix != ".scd" or f"*hocket {verb}" in code):
            tree.say(page, number, f"there is no verb '{verb}'")


def check_options(tree, page, number, code):
    for option in re.findall(r"(?<![\w-])--([a-z][a-z0-9-]+)", code):
        if option not in tree.options and option.rstrip("-") not in tree.options:
            tree.say(page, number, f"there is no option '--{option}'")


def anchors_of(page):
    """What a link may name behind '#': the headings of a page, as GitHub writes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def check_links(tree, page, text):
    for number, line in enumerate(text.splitlines(), 1):
        for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", line):
            place = page.parent / target if target else page
            if "://" in target:
                continue
            if not place.exists():
                tree.say(page, number, f"the link leads nowhere: {target}")
            elif anchor and place.suffix == ".md" and anchor not in anchors_of(place):
                tree.say(page, number, f"the page has no heading for the link: {target}#{anchor}")


def check_rows(tree, page, text):
    """A table that lists things lists each once."""
    seen = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            seen = set()
            continue
        cell = line.split("|")[1].strip()
        if cell in seen and not re.fullmatch(r":?-+:?", cell):
            tree.say(page, number, f"the table names {cell} twice")
        seen.add(cell)


def check_page(tree, page):
    text = page.read_text(encoding="utf-8")
    for number, code in code_of(page, text):
        check_names(tree, page, number, code)
        check_files(tree, page, number, code)
        check_verbs(tree, page, number, code)
        check_options(tree, page, number, code)
    check_links(tree, page, text)
    if page.name == "README.md" or page.name == "architecture.md":
        check_rows(tree, page, text)


def sources_of(room):
    """Names of the files that its README is to name."""
    files = [p for kind in ("*.c", "*.h", "*.def") for p in room.rglob(kind)]
    return {p.name for p in files if not re.search(r"_(test|rig)\.[ch]$", p.name)}


def files_named(room, span):
    """The files of the room that a text in backticks names: `x.c` and `x.h` are a pair, `x` is both, `fmiN_x.c` and
    `x*.c` are several. None: it is not the name of a file."""
    pattern = re.sub(r"(?<=fmi)N", "[0-9]", span)
    if re.fullmatch(r"[\w-]+", span):
        found = [*room.rglob(f"{span}.c"), *room.rglob(f"{span}.h")]
        return {p.name for p in found} or None
    if not re.fullmatch(r"([\w-]+/)*[\w*-]+\.([ch]|def)", span) or re.match(r"[A-Z]+[._]", span):
        return None
    found = {p.name for p in room.rglob(pattern.rpartition("/")[2])}
    for name in list(found):
        twin = name[:-1] + ("h" if name.endswith(".c") else "c")
        found |= {p.name for p in room.rglob(twin)} if name[-2] == "." else set()
    return found


def check_room(tree, room):
    readme = room / "README.md"
    if not readme.is_file():
        tree.say(readme, 1, "the room has no README.md")
        return
    named = set()
    for number, line in enumerate(readme.read_text(encoding="utf-8").splitlines(), 1):
        for span in re.findall(r"`([^`]+)`", line):
            found = files_named(room, span)
            named |= found or set()
            if span.endswith("/") and (room / span).is_dir():  # a folder as a whole
                named |= {p.name for p in (room / span).rglob("*")}
            if found is not None and not found and not file_exists(tree.root, readme, span):
                tree.say(readme, number, f"the room has no file '{span}'")
    for name in sorted(sources_of(room) - named):
        tree.say(readme, 1, f"does not name {name}")


def check_tables(tree):
    readme = (tree.root / "README.md").read_text(encoding="utf-8")
    architecture = (tree.root / "docs/architecture.md").read_text(encoding="utf-8")
    for room in sorted(p.name for p in (tree.root / "src").iterdir() if p.is_dir()):
        if f"| `src/{room}/` |" not in readme:
            tree.say(tree.root / "README.md", 1, f"the table of rooms does not name src/{room}/")
        if f"| `{room}` |" not in architecture:
            tree.say(tree.root / "docs/architecture.md", 1, f"the table of rooms does not name {room}")
    for model in sorted(p.name for p in (tree.root / "models").iterdir() if p.is_dir()):
        if f"`models/{model}/`" not in readme:
            tree.say(tree.root / "README.md", 1, f"the table of rooms does not name models/{model}/")
    for name in re.findall(r"`(src/\w+/|models/\w+/)`", readme):
        if not (tree.root / name).is_dir():
            tree.say(tree.root / "README.md", 1, f"there is no folder '{name}'")
    for page in sorted((tree.root / "docs").rglob("*.md")):
        if page.parent == tree.root / "docs" and f"(docs/{page.name})" not in readme:
            tree.say(tree.root / "README.md", 1, f"does not name docs/{page.name}")


def check_verb_pages(tree):
    """`hocket help` and `hocket version` have no pages of their own."""
    front = tree.root / "man/hocket.1.scd"
    listed = front.read_text(encoding="utf-8")
    pattern = r'^    \.name = "([a-z]+)",\n    \.summary = "([^"\n]*)"'
    summaries = {verb: summary for p in (tree.root / "src/cli").glob("*.c")
                 for verb, summary in re.findall(pattern, p.read_text(encoding="utf-8"), re.M)}
    for verb, summary in sorted(summaries.items()):
        page = tree.root / f"man/hocket-{verb}.1.scd"
        if verb in ("help", "version"):
            continue
        if f"*hocket-{verb}*(1)\n\t{summary}\n" not in listed:
            tree.say(front, 1, f"does not list *hocket-{verb}*(1) with '{summary}'")
        if not page.is_file() or f"\nhocket-{verb} - {summary}\n" not in page.read_text(encoding="utf-8"):
            tree.say(page, 1, f"does not begin with 'hocket-{verb} - {summary}'")


def check_environment(tree):
    page = tree.root / "docs/security.md"
    named = set(re.findall(r"`([A-Z][A-Z0-9_]+)", page.read_text(encoding="utf-8")))
    pattern = r'\b(?:getenv|is_set|hk_wish_of|hk_compiler_words)\((?:[^;"]|"[^A-Z"][^"]*")*"([A-Z][A-Z0-9_]+)"'
    read = {v for p in (tree.root / "src").rglob("*.c") if not p.name.endswith("_test.c")
            for v in re.findall(pattern, p.read_text(encoding="utf-8"))}
    for variable in sorted(read - named):
        tree.say(page, 1, f"does not name the environment variable {variable}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    tree = Tree(parser.parse_args().root.resolve())
    for page in documents(tree.root):
        check_page(tree, page)
    for room in sorted(p for p in (tree.root / "src").iterdir() if p.is_dir()):
        check_room(tree, room)
    check_tables(tree)
    check_verb_pages(tree)
    check_environment(tree)
    for line in tree.wrong:
        print(line)
    if tree.wrong:
        print(f"{len(tree.wrong)} mistakes in the documents")
    return 1 if tree.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
