#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket build --emit-c`: what is written compiles without a warning and is what README.c says; files of others stay."""
import pathlib
import re
import subprocess

from support import FuseCase, compilers, main

STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Werror")


def squeezed(text):
    """The lines that have something, whatever is between their words."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


class Emit(FuseCase):
    def emit(self, system, folder="emitted", exit=0):
        done = self.run_hocket("build", system, "--emit-c", folder, exit=exit)
        return self.folder / folder, done.stderr

    def models(self):
        models = self.options.models
        return (models / "language" / "r_rosace.system", models / "language" / "quarter_truck.system",
                models / "language" / "quarter_truck_fmus.system", models / "auv" / "AuvSimulation.simulation")

    def test_without_warnings(self):
        for model in self.models():
            folder, said = self.emit(model, model.stem)
            self.assertIn("README.c", said)
            cells = sorted(p for p in folder.glob("*.c") if not p.name.startswith("leaf_"))
            self.assertTrue([p for p in cells if p.name.startswith("cell_")], folder)
            for cc in compilers():
                for cell in cells:
                    done = subprocess.run([cc, "-c", "-std=gnu17", "-O2", "-fPIC", *STRICT, "-I", folder, "-o", "/dev/null",
                                           cell], capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_readme(self):
        """The commands of README.c, as they stand there, make a library with the table of the engine."""
        folder, _ = self.emit(self.models()[0])
        text = (folder / "README.c").read_text(encoding="utf-8")
        block = text[text.index("FLAGS='"):text.index(" * With -flto")]
        script = re.sub(r"^ \*     ", "", block, flags=re.MULTILINE)
        subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=True, capture_output=True)
        names = subprocess.run(["nm", "-D", folder / "fused.so"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(names, r"\bhk_fused\b")

        self.assertRegex(text, r"leaf_\* +wrappers: each includes a source of a plugin by its path")
        self.assertIn("fused.so is for looking at", text)

    def test_page(self):
        """docs/fused.md shows what is emitted: all of a cell, and lines of other files."""
        folder, _ = self.emit(self.models()[0])
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "fused.md").read_text(encoding="utf-8")
        blocks = [squeezed(block) for block in re.findall(r"^ *```c\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)]
        self.assertEqual(len(blocks), 3)
        self.assertEqual(blocks[0], squeezed((folder / "cell_0_1.c").read_text(encoding="utf-8")))
        for block, name in zip(blocks[1:], ("system.h", "instant_7.c")):
            lines = squeezed((folder / name).read_text(encoding="utf-8"))
            self.assertEqual([line for line in block if line not in lines + ["..."]], [], name)
        everything = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.c"))
        for call in re.findall(r"`(HK_STEP\([^`]*\))`", page):
            self.assertIn(call, everything)

    def test_again(self):
        """The same text each time; what is not part of it any more goes; what hocket has not written stays."""
        rosace, truck = self.models()[:2]
        folder, _ = self.emit(rosace)
        first = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
        self.emit(rosace)
        self.assertEqual(first, {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()})
        (folder / "mine.c").write_text("/* my own */\n", encoding="utf-8")
        self.emit(truck)
        left = {p.name for p in folder.iterdir() if p.is_file()}
        self.assertIn("mine.c", left)
        other, _ = self.emit(truck, "other")
        self.assertEqual(left - {"mine.c"}, {p.name for p in other.iterdir() if p.is_file()})

    def test_files_of_others(self):
        self.write("emitted", "a file\n")
        _, said = self.emit(self.models()[1], exit=3)
        (self.folder / "emitted").unlink()
        folder = self.folder / "emitted"
        folder.mkdir()
        (folder / "system.h").write_text("/* mine */\n", encoding="utf-8")
        _, said = self.emit(self.models()[1], exit=3)
        self.assertIn("system.h: error[HK0202]: it is there already, and hocket has not written it", said)
        self.assertEqual([p.name for p in folder.iterdir()], ["system.h"], "nothing is written then")

    def test_other_options(self):
        model = self.models()[1]
        said = self.run_hocket("build", model, "--emit-c", "x", "--cc", "gcc", exit=2).stderr
        self.assertIn("--emit-c writes text and compiles nothing", said)
        said = self.run_hocket("build", "nowhere.system", "--emit-c", "x", exit=3).stderr
        self.assertIn("nowhere.system", said)
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    main("--hocket", "--models")
