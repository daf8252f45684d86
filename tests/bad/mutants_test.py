#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hundred damaged FMUs of every version: hocket may refuse them or run them, but ends by itself, in order; and what `info` shows of them is true.

Which damage is done depends on the seed alone. `--keep FOLDER` writes the FMUs of failed cases there; numbers on
the command line choose cases. Standard library only."""
import argparse
import concurrent.futures
import html
import io
import pathlib
import random
import re
import sys
import zipfile

import material
from runner import SANITIZER, THIN, Case, Failed, Run, read_options

SEED = 4
COUNT = 200
BASES = ("probe", "probe1", "probe3", "feedthrough3", "wheel")
COMMANDS = ("check x.fmu", "info x.fmu", "run x.fmu --timeout 5 --stop-time 0.1 -q")
# Fine, a check failed, usage, unreadable input, a component failed, time limit.
STATUSES = (0, 1, 2, 3, 4, 124)
# The loader of the system checks little of a library, and ends the process itself where it does.
LOADER = (127, "Inconsistency detected by ld.so")
NASTY = ("0", "1", "-1", "2", "255", "4294967295", "4294967296", "18446744073709551615", "1e308", "-1e-308", "nan",
         "inf", "", " ", "true", "x", "\u00e9", "1 2 3", "time", "output", "input", "2.0", "3.0", "1.0")
ATTRIBUTE = re.compile(rb'="([^"]*)"')


def flip(rng, data, most):
    out = bytearray(data)
    for _ in range(rng.randint(1, most)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut(rng, data):
    return data[:rng.randrange(len(data))]


def change_values(rng, data):
    """Other values for some attributes."""
    for _ in range(rng.randint(1, 4)):
        spot = rng.choice(list(ATTRIBUTE.finditer(data)))
        data = data[:spot.start(1)] + rng.choice(NASTY).encode() + data[spot.end(1):]
    return data


def shuffle_lines(rng, data):
    """Lines left out, doubled, or somewhere else."""
    lines = data.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        line = lines.pop(at) if rng.random() < 0.6 and len(lines) > 1 else lines[at]
        if rng.random() < 0.6:
            lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


def blank(rng, data):
    """A block of zeros."""
    at = rng.randrange(len(data))
    size = min(rng.choice((8, 64, 4096)), len(data) - at)
    return data[:at] + bytes(size) + data[at + size:]


def is_description(name):
    return name == "modelDescription.xml"


def is_library(name):
    return name.endswith(".so")


def within(change, wanted):
    """The archive made anew with one kind of entry damaged."""
    def mutate(rng, made, base):
        return made.changed(lambda name, data: (name, change(rng, data) if wanted(name) else data), base)
    return mutate


def swap(rng, made, base):
    """The description or the library of another FMU."""
    other = rng.choice([name for name in made.bases if name != base])
    wanted = rng.choice((is_description, is_library))
    theirs = next(data for name, data in made.entries(made.fmu(other)) if wanted(name))
    return made.changed(lambda name, data: (name, theirs if wanted(name) else data), base)


KINDS = {
    "archive_bits": lambda rng, made, base: flip(rng, made.fmu(base), 8),
    "archive_cut": lambda rng, made, base: cut(rng, made.fmu(base)),
    "description_bits": within(lambda rng, data: flip(rng, data, 3), is_description),
    "description_values": within(change_values, is_description),
    "description_lines": within(shuffle_lines, is_description),
    "library_bits": within(lambda rng, data: flip(rng, data, 3), is_library),
    "library_cut": within(cut, is_library),
    "library_blank": within(blank, is_library),
    "swapped": swap,
}


def mutant(made, seed, number):
    """Case NUMBER, the same whichever cases are chosen: its name and the bytes of its FMU."""
    rng = random.Random(seed * 1000 + number)
    kind = list(KINDS)[number % len(KINDS)]
    base = made.bases[number // len(KINDS) % len(made.bases)]
    return f"{number} {kind} {base}", KINDS[kind](rng, made, base)


def judge(run):
    if run.exit == LOADER[0] and run.text.startswith(LOADER[1]):
        return
    if SANITIZER.search(run.text):
        raise Failed("a sanitizer or an assertion spoke")
    if run.exit not in STATUSES:
        raise Failed(f"exit status {run.exit}")
    if run.exit and "error[HK" not in run.text:
        raise Failed(f"exit status {run.exit} without a word of why")
    left = [str(p.relative_to(run.root)) for p in run.temporary.iterdir()]
    left += [str(p.relative_to(run.root)) for p in run.cache.rglob("unpacking-*")]
    left += [name for name, _ in set(run.listing().items()) - set(run.before.items())]
    if left:
        raise Failed(f"files are left: {left}")


def entry_text(data):
    """The description inside the archive, as text; None: it cannot be unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read("modelDescription.xml").decode("utf-8", "replace")
    except Exception:  # damage has many faces
        return None


def judge_truth(run, data):
    """What `info` says of the model is in the file, and it counts no more variables than there are."""
    facts = dict(line.split(None, 1) for line in run.text.splitlines() if line.startswith(("identifier ", "guid ")))
    text = entry_text(data)
    if text is None or not facts:
        return
    text = re.sub(r"\s", " ", html.unescape(text))
    for name, value in facts.items():
        if re.sub(r"\s", " ", value.strip()) not in text:
            raise Failed(f"the {name} {value!r} is not in the file")
    count = re.search(r"^(?:\d+ of )?(\d+) variables?\b", run.text, re.M)
    if not count:
        raise Failed("the number of variables is not said")
    most = text.count("valueReference=") + text.count("<Alias") + text.count("<ScalarVariable")
    if int(count[1]) > most:
        raise Failed(f"{count[1]} variables are said, and the file names {most} at most")


def try_mutant(hocket, commands, name, data):
    """What went wrong, as text; None: nothing."""
    for command in commands:
        run = Run(hocket, Case(name, command, 0, [], files={"x.fmu": data}))
        try:
            run.start()
            judge(run)
            if command.startswith("info"):
                judge_truth(run, data)
        except Failed as failure:
            return f"{name}: hocket {command}: {failure}\n{getattr(run, 'text', '')}"
        finally:
            run.close()
    return None


def commands_for(name, sanitized):
    """A sanitizer rightly ends the process for what damaged machine code does: such code is not run then."""
    return COMMANDS[:-1] if sanitized and "library" in name else COMMANDS


def main():
    paths, rest = read_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--sanitized", action="store_true", help="hocket and the FMUs are built with sanitizers")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args(rest)
    made = material.Material(paths.fmus, None)
    made.bases = BASES
    mutants = {n: mutant(made, options.seed, n) for n in options.numbers or range(0, COUNT, THIN)}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = {n: pool.submit(try_mutant, paths.hocket, commands_for(name, options.sanitized), name,
                                  data) for n, (name, data) in mutants.items()}
        for number, result in results.items():
            problem = result.result()
            if not problem:
                continue
            failed += 1
            print(problem)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.fmu").write_bytes(mutants[number][1])
    print(f"{len(mutants)} damaged FMUs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
