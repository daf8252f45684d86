#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of docs/uav.md: the hash of the record of one search, for every number of nodes, transport and load.

    python3 tests/uav/same_hash.py                       prints it, with the program and the models of build/
    python3 tests/uav/same_hash.py --write docs/uav.md   puts it there
"""
import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from busy import busy  # noqa: E402

NODES = (1, 2, 3, 4, 8)
TRANSPORTS = ("shm", "unix")
HEAD = "| processes | transport | load | SHA-256 of search.csv |\n|---|---|---|---|\n"


def hash_of(hocket, simulation, *words):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(hocket), "run", str(simulation), "-q", "-o", folder, *words], check=True)
        return hashlib.sha256((pathlib.Path(folder) / "search.csv").read_bytes()).hexdigest()


def rows(hocket, simulation):
    """(processes, transport, load, hash) of each run."""
    for load in ("none", "all processors busy"):
        with busy() if load != "none" else tempfile.TemporaryDirectory():
            yield "one process", "", load, hash_of(hocket, simulation)
            for nodes in NODES:
                for transport in TRANSPORTS:
                    words = ("--nodes", str(nodes), "--transport", transport)
                    name = f"{nodes} node{'s' if nodes > 1 else ''}"
                    yield name, transport, load, hash_of(hocket, simulation, *words)


def table(found):
    return HEAD + "".join("| " + " | ".join((*cells[:3], f"`{cells[3]}`")) + " |\n" for cells in found)


def written(document):
    """The rows of the table in DOCUMENT."""
    text = pathlib.Path(document).read_text(encoding="utf-8")
    lines = text[text.index(HEAD) + len(HEAD):].splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("|")), len(lines))
    return [tuple(cell.strip().strip("`") for cell in line.strip("|").split("|")) for line in lines[:end]]


def put(document, made):
    text = pathlib.Path(document).read_text(encoding="utf-8")
    begin = text.index(HEAD)
    end = begin
    while text.startswith("|", end):
        end = text.index("\n", end) + 1
    pathlib.Path(document).write_text(text[:begin] + made + text[end:], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hocket", type=pathlib.Path, default=ROOT / "build/bin/hocket")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build/models")
    parser.add_argument("--write", metavar="DOCUMENT")
    options = parser.parse_args()
    found = list(rows(options.hocket, options.models / "uav" / "search.simulation"))
    if options.write:
        put(options.write, table(found))
    else:
        sys.stdout.write(table(found))
    return 0 if len({hash_ for *_, hash_ in found}) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
