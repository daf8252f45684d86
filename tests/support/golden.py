# SPDX-License-Identifier: MIT
"""Words that were read and found good, and are compared with what is said now.

They are in the folder `expected` beside the test, in files NAME.txt: each a text, or one file of sections, each begun
by a line `--- NAME` or `--- NAME: a note for readers`. Where HK_UPDATE is set, or --update is a word of the command
line, what is said now is written down instead: ./dev test --update does that for all tests with the label `golden`.
Read the difference (git diff) before you keep it."""
import difflib
import os
import sys

UPDATE = bool(os.environ.get("HK_UPDATE")) or "--update" in sys.argv
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--update"]


class Golden:
    def __init__(self, path):
        """PATH: the folder, or the file of sections."""
        self.path = path
        self.titles, self.texts = {}, {}  # of a file of sections: the whole first line, and the rest
        if path.is_file():
            name = None
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                if line.startswith("--- "):
                    name = line[4:].rstrip("\n").split(":")[0]
                    self.titles[name], self.texts[name] = line, ""
                else:
                    self.texts[name] += line

    def known(self, name):
        """The words of NAME; None: there are none."""
        if not self.path.is_dir():
            return self.texts.get(name)
        return (self.path / name).read_text(encoding="utf-8") if (self.path / name).exists() else None

    def compare(self, name, said, note=""):
        """What is different, as text; None: nothing, or it was written down."""
        known = self.known(name)
        if UPDATE and self.path.is_dir():
            (self.path / name).write_text(said, encoding="utf-8")
        elif UPDATE:
            self.titles[name], self.texts[name] = f"--- {name}{': ' if note else ''}{note}\n", said
        elif known is None:
            return f"no words of '{name}' are known in {self.path.name}; --update writes them down"
        elif known != said:
            return "other words than before; --update writes them down\n" + "".join(difflib.unified_diff(
                known.splitlines(True), said.splitlines(True), f"{self.path.name}: {name}", "now"))
        return None

    def close(self, order=None):
        """Writes the file, if it is to be. ORDER: the names that belong into it, in their order; those that were not
        compared keep their words."""
        if UPDATE and not self.path.is_dir():
            names = self.titles if order is None else [name for name in order if name in self.titles]
            self.path.write_text("".join(self.titles[name] + self.texts[name] for name in names), encoding="utf-8")
