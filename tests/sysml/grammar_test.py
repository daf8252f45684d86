#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every multi-model that is shipped parses in a grammar of others: the package tree-sitter-sysml of PyPI. docs/sysml.md lists
what that grammar does not know."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main, need  # noqa: E402

need("tree_sitter", "tree_sitter_sysml")
import tree_sitter  # noqa: E402
import tree_sitter_sysml  # noqa: E402

# What the grammar does not know: dependencies in a part definition.
DEPENDENCY = re.compile(rb"^ *dependency [^;{]*(;|\{\s*@feedthrough;\s*\})", re.MULTILINE)


class Grammar(Case):
    def wrong(self, text):
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_sysml.language()))
        lines = []

        def walk(node):
            if node.is_error or node.is_missing:
                lines.append(node.start_point[0] + 1)
            else:
                for child in node.children:
                    walk(child)
        walk(parser.parse(text).root_node)
        return lines

    def test_p7_every_shipped_file(self):
        source = self.options.source
        files = sorted([*source.glob("models/**/*.sysml"), *source.glob("examples/**/*.sysml"), source / "src/sysml/cosim.sysml",
                        *source.glob("tests/sysml/models/*.sysml"), source / "tests/sysml/wrong/good.sysml"])
        self.assertGreaterEqual(len(files), 5)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual(self.wrong(DEPENDENCY.sub(b"", file.read_bytes())), [])

    def test_what_convert_writes(self):
        self.hocket("convert", self.options.models / "quarter_truck.ssp", "x.sysml")
        self.hocket("convert", self.options.source / "models" / "detector" / "ChemicalDetector.rct", "--skeleton", "y.sysml")
        for name in ("x.sysml", "y.sysml"):
            self.assertEqual(self.wrong(DEPENDENCY.sub(b"", (self.folder / name).read_bytes())), [])

    def test_the_grammar_can_say_no(self):
        self.assertTrue(self.wrong(b"package P { part def ; in in }"))
        self.assertTrue(self.wrong(b"package P { part def A { dependency from y to u; } }"), "docs/sysml.md lists this")


if __name__ == "__main__":
    main()
