# SPDX-License-Identifier: MIT
"""The page that is committed is the one of the sources: by their number, and, slow, by building it anew."""
import hashlib
import pathlib
import shutil
import subprocess
import unittest

import sys
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main, slow  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEB = ROOT / "web"
DIST = WEB / "dist"
FIRST_LOAD = 60000  # bytes at most


def sources():
    """As web_sources of ./dev has it."""
    paths = [p for top in ("src", "public") for p in (WEB / top).rglob("*") if p.is_file()]
    paths += [*WEB.glob("*.json"), *WEB.glob("*.ts"), WEB / "index.html"]
    names = sorted(str(p.relative_to(WEB)) for p in paths)
    lines = [f"{hashlib.sha256((WEB / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def bytes_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Bytes(Case):
    def test_sources(self):
        said = (WEB / "dist.sha256").read_text(encoding="utf-8").strip()
        self.assertEqual(said, sources(), "the page is older than its sources: ./dev web")

    def test_size(self):
        self.assertLess(sum(len(b) for b in bytes_of(DIST).values()), FIRST_LOAD)

    @slow
    @unittest.skipUnless(shutil.which("npm"), "npm is not there")
    def test_same_bytes(self):
        # In a copy: other tests use the packages that are there.
        copy = pathlib.Path(self.folder, "tree")
        shutil.copytree(WEB, copy / "web", ignore=shutil.ignore_patterns("node_modules", "build"))
        shutil.copy(ROOT / "dev", copy / "dev")
        built = subprocess.run([copy / "dev", "web"], capture_output=True, text=True, check=False, timeout=600)
        if built.returncode != 0 and any(w in built.stderr for w in ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT")):
            self.skipTest("npm reaches no registry")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertEqual(bytes_of(copy / "web/dist"), bytes_of(DIST))


main()
