#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `hocket check` says about wrong scenes, and about the files that they name: tests/support/wrong_files.py."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import wrong_files  # noqa: E402

if __name__ == "__main__":
    sys.exit(wrong_files.main(HERE, (".scene",)))
