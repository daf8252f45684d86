#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hundred damaged descriptions: flipped bytes, elements and attributes that are gone, doubled, elsewhere or
have other values. hocket may refuse them or run them, but ends by itself and in order, what it refuses it says
with a code, a file and words, and `info` says something true of each. Which damage is done depends on the seed
alone. `--keep FOLDER` writes those that failed; numbers choose cases. Standard library only."""
import argparse
import pathlib
import random
import re
import shutil
import sys

import silent_test
from silent_test import THIN, call, read_options

SEED = 12
COUNT = 200
STATUSES = (0, 1, 2, 3, 4)
BROKEN = re.compile(r"Sanitizer|runtime error:|Assertion|internal error|Segmentation")
ERROR = re.compile(r"^(?P<place>[^\n]*?): error\[(?P<code>HK\d{4})\]: (?P<text>.+)$", re.M)
NASTY = ("", " ", "0", "-1", "1e308", "nan", "x", "\u00e9", "a.b", "../../x", "C:\\x", "%zz", "#", "[2]", "true", "unspecified",
         "18446744073709551616", "http://ssp-standard.org/SSP1/SystemStructureCommon")
TAG = re.compile(r"<(/?)([A-Za-z:]+)((?:\s+[\w:.-]+=\"[^\"]*\")*)\s*(/?)>")
VALUE = re.compile(r'="([^"]*)"')


def flip(rng, text):
    data = bytearray(text.encode())
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(rng, text):
    return text[:rng.randrange(len(text))].encode()


def elements(text):
    """Spans of whole elements: pairs of tags, or tags that stand for both."""
    spans, open_tags = [], []
    for tag in TAG.finditer(text):
        if tag[4]:
            spans.append(tag.span())
        elif tag[1]:
            spans.append((open_tags.pop().start(), tag.end()))
        else:
            open_tags.append(tag)
    return spans[:-1]  # without the root


def remove(rng, text):
    for _ in range(rng.randint(1, 3)):
        start, end = rng.choice(elements(text) or [(0, 0)])
        text = text[:start] + text[end:]
    return text.encode()


def double(rng, text):
    start, end = rng.choice(elements(text))
    return (text[:end] + text[start:end] + text[end:]).encode()


def swap(rng, text):
    """Two elements change their places; of two that lie in each other the inner one is moved to the end."""
    spans = elements(text)
    first, second = sorted(rng.sample(spans, 2)) if len(spans) > 1 else spans * 2
    if second[1] <= first[1]:
        inner = text[second[0]:second[1]]
        return (text[:second[0]] + text[second[1]:first[1]] + inner + text[first[1]:]).encode()
    a, b = text[first[0]:first[1]], text[second[0]:second[1]]
    return (text[:first[0]] + b + text[first[1]:second[0]] + a + text[second[1]:]).encode()


def change(rng, text):
    for _ in range(rng.randint(1, 4)):
        spot = rng.choice(list(VALUE.finditer(text)))
        text = text[:spot.start(1)] + rng.choice(NASTY) + text[spot.end(1):]
    return text.encode()


def forget(rng, text):
    """An attribute less."""
    spot = rng.choice(list(re.finditer(r'\s[\w:-]+="[^"]*"', text)))
    return (text[:spot.start()] + text[spot.end():]).encode()


DAMAGES = (flip, cut, remove, remove, double, swap, change, change, change, forget)


def judge(words, done):
    """What is wrong with an answer; None: nothing."""
    said = done.stdout + done.stderr
    if done.returncode not in STATUSES:
        return f"{words}: exit status {done.returncode}"
    if BROKEN.search(said):
        return f"{words}: it broke"
    errors = ERROR.findall(said)
    if (done.returncode in (1, 3)) != bool(errors) and words[0] != "check":
        return f"{words}: exit status {done.returncode} with {len(errors)} errors"
    for place, _, text in errors:
        if not place or len(text.strip()) < 8:
            return f"{words}: an error without a place or words: {place}: {text}"
    if words[0] == "info" and not done.returncode and "components" not in done.stdout:
        return "info finds nothing, and does not say so"
    return None


def true_of(text, done):
    """Components that `info` lists are there: their names are in the file."""
    for line in done.stdout.splitlines():
        listed = re.match(r"(\S+) +FMI \d", line)
        if listed and listed[1].encode() not in text:
            return f"info lists '{listed[1]}', which is not in the file"
    return None


def main():
    paths, rest = read_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("numbers", type=int, nargs="*")
    options = parser.parse_args(rest)
    rig = silent_test.Rig(paths.hocket, paths.fmus)
    failed, refused = 0, 0
    numbers = options.numbers or range(0, COUNT, THIN)
    commands = (["info", "s.ssd"], ["check", "s.ssd"],
                ["run", "s.ssd", "-q", "-o", "out.csv", "--stop-time", "1.5", "--timeout", "600"])
    for number in numbers:
        rng = random.Random(SEED * 1000 + number)
        texts = silent_test.documents("2.0" if number % 2 else "1.0")
        name = rng.choice(("s.ssd", "s.ssd", "s.ssd", "a.ssv", "m.ssm", "d.ssb"))
        damaged = rng.choice(DAMAGES)(rng, texts[name])
        for other, text in texts.items():
            (rig.folder / other).write_bytes(damaged if other == name else text.encode())
        problems = []
        for words in commands:
            done = call(rig.hocket, *words, cwd=rig.folder, exit=None)
            problems.append(judge(words, done))
            if words[0] == "info":
                refused += done.returncode != 0
                problems.append(true_of((rig.folder / "s.ssd").read_bytes(), done))
        problem = next((p for p in problems if p), None)
        if problem:
            failed += 1
            print(f"FAILED {number} ({name}): {problem}", flush=True)
            if options.keep:
                shutil.copytree(rig.folder, options.keep / str(number), dirs_exist_ok=True)
    shutil.rmtree(rig.folder)
    print(f"{len(numbers)} cases, {refused} refused, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
