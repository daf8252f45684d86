#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_names.py finds each kind of name that the sources do not have, and no other."""
import pathlib
import subprocess
import sys
import tempfile

GOOD = ["hk_plan_make", "run_instant", "hk_plan", "engine", "engine/run.c", "relink.c", "exit()",
        "fmi2SetReal", "hocket run", "--threads N", "wheel.p1.f"]
WRONG = ["hk_plan_make_it", "run_instants", "no_such_type", "nowhere", "engine/stroll.c", "sim->at",
         "stroll.c"]

with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder, "page.md")
    page.write_text("\n".join(f"`{name}`" for name in GOOD + WRONG), encoding="utf-8")
    done = subprocess.run([sys.executable, "tools/check_names.py", page], capture_output=True,
                          text=True, check=False)
    found = [line.split("`")[1] for line in done.stdout.splitlines()]
    assert done.returncode == 1 and found == WRONG, done.stdout + done.stderr
