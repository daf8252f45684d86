#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/house/words_test.py finds what is not plain wherever it is written, and nothing in what is right."""
import pathlib
import subprocess
import sys
import tempfile

SAME_LINE = "'%s' is no time"
NEXT_LINE = [
    ("message.c", 'say("the file is "\n    "no archive");\n'),
    ("comment.h", "/* What is\n * no time ends it. */\nint x;\n"),
    ("line.c", "// a row that is\n// no row\n"),
    ("page.md", "A file that is\nno archive.\n"),
    ("page.1.scd", "A file that is\nno archive.\n"),
    ("script.py", '"""That was\nno answer."""\n'),
    ("words.cmake", "# these are\n# no folders\n"),
    ("tank.types", "// a pump that is no pump\n"),
]
PLAIN = [
    ("message.c", 'say("there is no file", "it is no longer there", "it is not an archive");\n'),
    ("comment.h", "/* There is\n * no end of it, and there need be no tick. */\n"),
    ("page.md", "There is no such file. It is no more.\n"),
    ("src/ssp/message.c", 'say("connector \'%s\'");\n'),
    ("src/lang/write_links.c", 'say("connector \'%s\'");\n'),
]
OTHERS = [("message.c", 'say("it stands in line 3");\n'), ("src/lang/message.c", 'say("connector \'%s\'");\n'),
          ("src/plan/message.c", 'say("the SSD has it");\n'), ("page.md", "The rest stays untold.\n")]


def look(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "tests/house/words_test.py", str(path)], capture_output=True, text=True,
                              check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode


for name, text in NEXT_LINE + OTHERS + [("one.c", f'say("{SAME_LINE}");\n'), ("one.md", SAME_LINE + "\n")]:
    assert look(name, text) == 1, (name, text)
for name, text in PLAIN:
    assert look(name, text) == 0, (name, text)
