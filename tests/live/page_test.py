# SPDX-License-Identifier: MIT
"""The page in a browser: Debian's Chromium, driven by playwright-core (page.mjs). Skipped where they are missing."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import Served  # noqa: E402
from serve_case import ROWS, SYSTEM  # noqa: E402

import hocket_case  # noqa: E402
from hocket_case import Case, main  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WEB = HERE.parent.parent / "web"

for what, there in (("node", shutil.which("node")), ("/usr/bin/chromium", os.path.exists("/usr/bin/chromium")),
                    ("web/node_modules (./dev web)", (WEB / "node_modules/playwright-core/package.json").exists())):
    if not there:
        print(f"skipped: {what} is not there")
        sys.exit(hocket_case.SKIPPED)


class Page(Case):
    def write(self, name, text):
        pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")
        return name

    def scene(self, name, *words):
        with Served(*words, cwd=self.folder) as served:
            self.play(name, served.address)

    def command(self, name, address):
        # HK_PICTURES=FOLDER keeps what was to be seen.
        return ["node", HERE / "page.mjs", WEB, name, address] + [x for x in [os.environ.get("HK_PICTURES")] if x]

    def play(self, name, address):
        hocket_case.call(*self.command(name, address), timeout=hocket_case.TIMEOUT_S)

    def test_quarter_truck(self):
        self.scene("truck", pathlib.Path(hocket_case.OPTIONS.models, "quarter_truck.ssp"), "--stop-time", "60")

    def test_parameters(self):
        self.scene("tank", self.write("tank.system", SYSTEM), "--stop-time", "10")

    def test_record(self):
        self.scene("record", self.write("x.csv", ROWS))

    def test_read_only(self):
        self.scene("readonly", self.write("tank.system", SYSTEM), "--stop-time", "10", "--read-only")

    def test_restart(self):
        words = [self.write("tank.system", SYSTEM), "--stop-time", "10", "--token", "again"]
        with Served(*words, cwd=self.folder) as first:
            port, address = first.port, first.address
            words_of_page = [str(w) for w in self.command("restart", address)]
            with subprocess.Popen(words_of_page, env=hocket_case.environment(), stdout=subprocess.PIPE, text=True) as page:
                self.assertEqual(page.stdout.readline(), "now\n")
                first.end()
                with Served(*words, "--port", port, cwd=self.folder):
                    self.assertEqual(page.wait(timeout=hocket_case.TIMEOUT_S), 0)


main()
