#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases of a set (a folder with cases.json, see README.md) with hocket, and those that name a peer with
that too. `--show` prints what hocket says; names, or beginnings of them, choose cases; `--keep` leaves the folders.
Standard library only; libcosim is asked where the Python package libcosimpy is installed."""
import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import call, environment, forked, read_options  # noqa: E402

TOLERANCE = 1e-9
MESSAGE = re.compile(r"^(?:(?P<place>.*?): )?(?P<level>error|warning|note)(?:\[(?P<code>HK\d{4})\])?: (?P<text>.*)$")
KEYS = {"name", "feature", "files", "fmus", "packages", "command", "exit", "messages", "prints", "prints_not", "notes_not", "last",
        "peer", "only"}


class Failed(Exception):
    pass


def pack(folder, path, mode="w"):
    with zipfile.ZipFile(path, mode, zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix())


def lay_out(case, source, fmus, folder):
    """The files of a case, as they are used, into FOLDER."""
    if source.is_dir():
        shutil.copytree(source, folder, dirs_exist_ok=True)
    for path, name in case.get("fmus", {}).items():
        name, *added = [name] if isinstance(name, str) else name
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(fmus / f"{name}.fmu", folder / path)
        for more in added:
            pack(folder / more, folder / path, "a")
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix in (".ssd", ".xml", ".ssv", ".ssm", ".ssb"):
            data = file.read_bytes()
            file.write_bytes(data.replace(b"@HERE@", str(folder).encode()))
    for path, inner in case.get("packages", {}).items():
        pack(folder / inner, folder / path)


def read_messages(text):
    found = [MESSAGE.match(line) for line in text.splitlines()]
    return [(m["level"], m["code"] or "", m["text"], m["place"] or "") for m in found if m]


def judge_messages(case, messages):
    """All errors and warnings are named in the case, once each and in order; its notes are among those that were
    said. "warning[HK0304] some words of it"."""
    said = [m for m in messages if m[0] != "note"]
    wanted = [w for w in case.get("messages", []) if not w.startswith("note")]
    if len(said) != len(wanted):
        raise Failed(f"{len(wanted)} errors and warnings expected, {len(said)} said: {said}")
    for (level, code, text, _), expected in zip(said, wanted):
        head, _, words = expected.partition(" ")
        if head != f"{level}[{code}]" or words not in text:
            raise Failed(f"expected '{expected}', was '{level}[{code}]: {text}'")
    for expected in case.get("messages", []):
        words = expected.partition(" ")[2]
        if expected.startswith("note") and not any(m[0] == "note" and words in m[2] for m in messages):
            raise Failed(f"no note with '{words}'")


def judge_silence(case, messages):
    for words in case.get("notes_not", []):
        if any(words in text for _, _, text, _ in messages):
            raise Failed(f"says '{words}'")


def read_record(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def number(text):
    return {"true": 1.0, "false": 0.0}.get(text, None) if text in ("true", "false") else float(text)


def same(text, wanted):
    """TEXT of a record and a value: texts are equal, numbers differ by no more than the tolerance."""
    if isinstance(wanted, str):
        return text == wanted
    try:
        value = number(text)
    except ValueError:
        return False
    return abs(value - wanted) <= TOLERANCE * max(1.0, abs(wanted))


def judge_record(case, folder):
    header, rows = read_record(folder / "out.csv")
    if not rows:
        raise Failed("the record has no rows")
    last = dict(zip(header, rows[-1]))
    for name, wanted in case["last"].items():
        if name not in last:
            raise Failed(f"no column '{name}'; there are {header}")
        if not same(last[name], wanted):
            raise Failed(f"'{name}' is {last[name]}, expected {wanted}")
    if case.get("only") and set(header) != set(case["last"]):
        raise Failed(f"columns {sorted(header)}, expected {sorted(case['last'])}")


def start(hocket, case, folder):
    words = case["command"].split()
    if words[0] == "run" and "last" in case:
        words += ["-o", "out.csv"]
    return call(hocket, *words, cwd=folder, env=environment(HOME=folder.parent), exit=None)


def judge(case, folder, done):
    if done.returncode != case.get("exit", 0):
        raise Failed(f"exit status {done.returncode}, expected {case.get('exit', 0)}")
    judge_messages(case, read_messages(done.stdout + done.stderr))
    judge_silence(case, read_messages(done.stdout + done.stderr))
    for words in case.get("prints", []):
        if words not in done.stdout:
            raise Failed(f"does not print '{words}'")
    for words in case.get("prints_not", []):
        if words in done.stdout:
            raise Failed(f"prints '{words}'")
    if "last" in case:
        judge_record(case, folder)


def ask_libcosim(case, folder):
    """What libcosim finds, compared with the record: names of the variables that were compared."""
    header, rows = read_record(folder / "out.csv")
    peer = case["peer"]
    question = {"file": str(folder / peer["file"]), "step": peer.get("step"), "names": header[1:],
                "rows": len(rows) - 1, "all": bool(peer.get("trajectory"))}
    import libcosim
    answer, said = forked(libcosim.ask, question, cwd=folder)
    if not answer:
        raise Failed(f"libcosim cannot open it: {said[-400:]}")
    if not answer["names"]:
        raise Failed("libcosim has none of the recorded variables")
    for index, values in answer["rows"]:
        row = dict(zip(header, rows[index]))
        for name, value in zip(answer["names"], values):
            if not same(row[name], value):
                raise Failed(f"row {index}: '{name}' is {row[name]}, and {value} in libcosim")
    return len(answer["rows"]) * len(answer["names"])


def run_case(options, base, case, has_peer):
    """Values that were compared with a peer."""
    unknown = set(case) - KEYS
    if unknown:
        raise Failed(f"unknown keys {sorted(unknown)}")
    root = pathlib.Path(tempfile.mkdtemp(prefix="interop-"))
    folder = root / "case"
    folder.mkdir()
    said = ""
    try:
        lay_out(case, base / case.get("files", case["name"]), options.fmus, folder)
        done = start(options.hocket, case, folder)
        said = done.stdout + done.stderr
        if options.show:
            print(f"--- {case['name']}: hocket {case['command']}\n{said}", end="")
        judge(case, folder, done)
        return ask_libcosim(case, folder) if has_peer and "peer" in case else 0
    except Failed:
        if not options.show:
            print(f"--- {case['name']}: hocket {case['command']}\n{said}", end="")
        raise
    finally:
        if options.keep:
            print(f"{case['name']}: {folder}")
        else:
            shutil.rmtree(root)


def main():
    options, words = read_options(flags=("--show", "--keep"))
    options.set, options.names = pathlib.Path(words[0]), words[1:]
    cases = json.loads((options.set / "cases.json").read_text(encoding="utf-8"))
    names = [case["name"] for case in cases]
    if len(set(names)) != len(names):
        sys.exit("two cases have one name")
    has_peer = importlib.util.find_spec("libcosimpy") is not None and not os.environ.get("HK_NO_PEERS")
    done = failed = compared = peers = 0
    for case in cases:
        if options.names and not any(case["name"].startswith(name) for name in options.names):
            continue
        done += 1
        try:
            values = run_case(options, options.set.absolute(), case, has_peer)
            compared += values
            peers += values > 0
        except Failed as failure:
            failed += 1
            print(f"FAILED {case['name']}: {failure}", flush=True)
    told = f"{compared} values of {peers} cases compared with libcosim" if has_peer else "libcosim is not asked"
    print(f"{done} cases, {failed} failed; {told}")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
