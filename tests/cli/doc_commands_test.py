#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every hocket command that README.md, docs/*.md, the EXAMPLES of man/*.scd and the READMEs of
the examples show.

Each document gets a scratch folder with the demo models and their schedules in it (an example: its
own folder as built) and the built program on the PATH; its commands run there in order and must
succeed. A line may end in `# exit N` if another status is right.
A block that is fenced with a name, as in "```text truck.schedule", is a file in that folder.
Commands that are not hocket's (./dev, git ...) are listed, not run; those of the tutorials are all
run, with nothing but the built program: hocket is not installed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import TIMEOUT_S, quick_cc, read_options  # noqa: E402

SHELL_FENCES = {"sh", "bash", "console", "shell"}
TUTORIALS = {pathlib.Path("docs") / f"{name}.md" for name in ("tutorial", "robochart-tutorial", "sysml-tutorial")}


def fenced_blocks(text, languages):
    """Yields (name of the file or None, line number, lines) of each ``` block."""
    language, name, start, lines = None, None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*```\s*(\w*)(?:\s+([\w.-]+))?", line)
        if fence and language is None:
            (language, name), start, lines = fence.groups(), number, []
        elif fence:
            if languages is None or language in languages:
                yield name, start, lines
            language = None
        elif language is not None:
            lines.append(line)


def commands_of(path):
    """Yields (line number, command) as the document shows them."""
    text = path.read_text(encoding="utf-8")
    offset, languages = 0, SHELL_FENCES
    if path.suffix == ".scd":
        head, found, text = text.partition("# EXAMPLES\n")
        text = text.split("\n# ")[0] if found else ""
        offset, languages = head.count("\n") + 1, None
    for _, start, lines in fenced_blocks(text, languages):
        prompted = any(line.lstrip().startswith("$ ") for line in lines)
        pending = ""
        for number, line in enumerate(lines, offset + start + 1):
            line = line.strip()
            if prompted and not pending:
                if not line.startswith("$ "):
                    continue
                line = line[2:]
            if line.endswith("\\"):
                pending += line[:-1] + " "
                continue
            command = (pending + line).strip()
            pending = ""
            if command and not command.startswith("#"):
                yield number, command


def is_ours(command, scratch):
    """True for hocket's commands, for those of programs that it has made, and for a printf that makes a file for them. A
    page is served until somebody ends that (tests/live)."""
    if command.startswith("hocket serve "):
        return False
    made = re.match(r"\./(\w+)\b", command)
    if made and pathlib.Path(scratch, made.group(1)).is_file():
        return True
    return re.match(r"printf '.*' > [\w.]+$", command) or re.match(
        r"(\w+=\S+\s+)*(source <\()?(build/bin/|\./build/bin/)?hocket\b", command)


def run(command, scratch, environment):
    status = re.search(r"#\s*exit (\d+)\s*$", command)
    expected = int(status.group(1)) if status else 0
    command = re.sub(r"(\./)?build/bin/hocket\b", "hocket", command)
    done = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, timeout=TIMEOUT_S,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done, expected


def check_document(path, name, options, environment):
    """Returns (commands run, failures)."""
    count = failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        example = options.examples / path.parent.name
        if path.parent.parent.name == "examples":
            shutil.copytree(example, scratch, dirs_exist_ok=True)
        for model in [*options.models.glob("*.ssp"), *options.models.glob("*.schedule")]:
            shutil.copy(model, scratch)
            # Documents may name a model by the place where the build puts it.
            placed = pathlib.Path(scratch, "build", "models")
            placed.mkdir(parents=True, exist_ok=True)
            shutil.copy(model, placed)
        for folder in ("language", "detector"):
            placed.joinpath(folder).symlink_to(options.models / folder)
        for file, _, lines in fenced_blocks(path.read_text(encoding="utf-8"), {"text"}):
            if file:
                pathlib.Path(scratch, file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        for number, command in commands_of(path):
            if not is_ours(command, scratch) and name not in TUTORIALS:
                print(f"{name}:{number}: not run: {command}")
                continue
            count += 1
            done, expected = run(command, scratch, environment)
            if done.returncode == 3 and b"which is not there" in done.stderr:
                print(f"{name}:{number}: not run, a tool of another package is not there: {command}")
                continue
            good = done.returncode == expected
            print(f"{name}:{number}: {'ok' if good else 'FAILED'}: {command}")
            if not good:
                failures += 1
                print(f"  exit {done.returncode}, expected {expected}")
                print("  " + done.stderr.decode(errors="replace").replace("\n", "\n  "))
    return count, failures


def main():
    options, _ = read_options()
    environment = dict(os.environ, CI="1", NO_COLOR="1", CC=quick_cc())
    environment["PATH"] = f"{options.hocket.resolve().parent}{os.pathsep}{environment['PATH']}"
    documents = [options.source / "README.md"]
    documents += sorted((options.source / "docs").glob("**/*.md"))
    documents += sorted((options.source / "man").glob("*.scd"))
    documents += sorted((options.source / "examples").glob("*/README.md"))
    total = failed = 0
    for path in documents:
        if path.exists():
            count, failures = check_document(path, path.relative_to(options.source), options,
                                             environment)
            total += count
            failed += failures
    print(f"{total} commands, {failed} failed")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
