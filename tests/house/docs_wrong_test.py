#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_docs.py finds each kind of mistake, and nothing in what is right."""
import pathlib
import subprocess
import sys
import tempfile

FILES = {
    "src/room/walk.c": "void hk_walk(void) {}\n",
    "src/room/walk.h": "void hk_walk(void);\n#define HK_WALK_MAX 3\n",
    "src/room/run.c": 'void hk_run(void) { getenv("SPEED"); hk_wish_of(value(a, "way"), "HK_WAY"); }\n',
    "src/room/walk_test.c": "int main(void) { return 0; }\n",
    "src/cli/verb_run.c": 'const hk_verb hk_verb_run = {\n    .name = "run",\n    .summary = "run it",\n};\nstatic const hk_option o = {.name = "stop-time"};\n',
    "models/truck/truck.c": "int truck;\n",
    "src/cli/README.md": "`verb_run.c`\n",
    "docs/page.md": "`hk_walk` `hk_wa*` `HK_WALK_MAX` `hocket run --stop-time 1` `src/room/walk.c` `room/walk.h` `models/truck/`\n",
    "docs/security.md": "`SPEED` `HK_WAY`\n",
    "docs/architecture.md": "| `room` | x |\n| `cli` | y |\n",
    "src/room/README.md": "`walk` walks, `run.c` runs\n",
    "README.md": "[a](docs/page.md) [b](docs/architecture.md) [c](docs/security.md)\n| `src/room/` | x |\n| `src/cli/` | y |\n| `models/truck/` | z |\n",
    "man/hocket.1.scd": "*hocket run*(1) *--stop-time*\n*hocket-run*(1)\n\trun it\n",
    "man/hocket-run.1.scd": "# NAME\n\nhocket-run - run it\n",
}
WRONG = [
    ("docs/page.md", "`hk_wander`", "the sources have no 'hk_wander'"),
    ("docs/page.md", "`HK_WANDER`", "the sources have no 'HK_WANDER'"),
    ("docs/page.md", "`hk_zig*`", "the sources have no 'hk_zig'"),
    ("docs/page.md", "`src/room/fly.c`", "there is no file 'src/room/fly.c'"),
    ("docs/page.md", "`room/fly.c`", "there is no file 'room/fly.c'"),
    ("docs/page.md", "`hocket fly`", "there is no verb 'fly'"),
    ("docs/page.md", "```sh\nhocket run --stop-tme 1\n```", "there is no option '--stop-tme'"),
    ("docs/page.md", "[x](nowhere.md)", "the link leads nowhere: nowhere.md"),
    ("docs/page.md", "[x](architecture.md#walls)", "the page has no heading for the link: architecture.md#walls"),
    ("docs/page.md", "# A page\n[x](#a-pge)", "the page has no heading for the link: #a-pge"),
    ("README.md", "| `models/truck/` | again |", "the table names `models/truck/` twice"),
    ("docs/architecture.md", "| `cli` | again |", "the table names `cli` twice"),
    ("man/hocket.1.scd", "*--fly*", "there is no option '--fly'"),
    ("src/room/README.md", "`fly.c`", "the room has no file 'fly.c'"),
]
GONE = [
    ("src/room/README.md", "`run.c`", "does not name run.c"),
    ("README.md", "| `src/room/` | x |", "the table of rooms does not name src/room/"),
    ("README.md", "| `models/truck/` | z |", "the table of rooms does not name models/truck/"),
    ("README.md", "[a](docs/page.md)", "does not name docs/page.md"),
    ("docs/security.md", "`SPEED`", "does not name the environment variable SPEED"),
    ("docs/security.md", "`HK_WAY`", "does not name the environment variable HK_WAY"),
    ("docs/architecture.md", "| `room` | x |", "the table of rooms does not name room"),
    ("man/hocket.1.scd", "\trun it\n", "does not list *hocket-run*(1) with 'run it'"),
    ("man/hocket-run.1.scd", "run it", "does not begin with 'hocket-run - run it'"),
]


def check(change):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(change(name, text), encoding="utf-8")
        done = subprocess.run([sys.executable, "tools/check_docs.py", "--root", folder], capture_output=True, text=True,
                              check=False)
        assert done.returncode in (0, 1), done.stderr
        return [line.split(": ", 1)[1] for line in done.stdout.splitlines()[:-1]]


assert check(lambda name, text: text) == []
for page, added, said in WRONG:
    found = check(lambda name, text: text + added + "\n" if name == page else text)
    assert found == [said], (added, found)
for page, removed, said in GONE:
    found = check(lambda name, text: text.replace(removed, "") if name == page else text)
    assert found == [said], (removed, found)
