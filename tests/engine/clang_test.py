#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The engine's tests with those of its files that make lists, as clang compiles them for its undefined-behaviour sanitizer. It
finds what that of gcc does not: an offset of 0 to a null pointer, which an empty list is. The rest is taken as it is."""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
CLANG = ["clang", "-g", "-O0", "-fsanitize=undefined", "-fno-sanitize=function", "-fno-sanitize-recover=all"]
FILES = ("wiring.c", "layout.c", "order_cells.c", "ports.c", "copies.c", "places.c", "access.c")
TESTS = ("run", "lag", "threads", "convert", "extrapolate")


def compiled(build, entry, folder):
    """The object of a file of the engine."""
    words = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
    kept = [w for w in words if w.startswith(("-I", "-isystem", "-D", "-std"))]
    source = pathlib.Path(entry["file"])
    done = folder / f"{source.stem}.o"
    subprocess.run([*CLANG, *kept, "-c", source, "-o", done], cwd=build, check=True)
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--hocket")
    build = parser.parse_args().build.resolve()
    if not shutil.which("clang") or not shutil.which("ninja") or not (build / "compile_commands.json").exists():
        print("there is no clang, or this is not a build with ninja")
        return SKIPPED
    entries = {e["file"]: e for e in json.loads((build / "compile_commands.json").read_text())
               if e["file"].endswith(tuple(f"/src/engine/{name}" for name in FILES))}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="engine-clang-") as scratch, ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(lambda e: compiled(build, e, pathlib.Path(scratch)), entries.values()))
        for test in TESTS:
            name, program = f"tests/engine_{test}_test", pathlib.Path(scratch, test)
            made = subprocess.run(["ninja", "-t", "commands", "-s", name], cwd=build, capture_output=True, text=True, check=True)
            words = shlex.split(made.stdout.replace(": && ", "").replace(" && :", ""))
            at = words.index("-o")
            own = [w for w in words[:at] if w.endswith(".o")]  # before the libraries: their own objects are not taken
            subprocess.run([*CLANG, *own, *objects, "-o", program, *words[at + 2:]], cwd=build, check=True)
            done = subprocess.run([program], cwd=build, capture_output=True, text=True, check=False)
            if done.returncode or "runtime error" in done.stderr:
                failed += 1
                print(f"FAILED {name}:\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    print(f"{len(entries)} files, {len(TESTS)} tests, {failed} failed")
    return 1 if failed or len(entries) != len(FILES) else 0


if __name__ == "__main__":
    sys.exit(main())
