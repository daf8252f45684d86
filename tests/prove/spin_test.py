#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove` and spin: one limit over all that it needs, and nothing of it outlives hocket."""
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, TIMEOUT_S, Case, main, wait_until  # noqa: E402

SPIN = shutil.which("spin") is not None


def ring(count, parallel=False):
    """A ring of instances; PARALLEL: with a master that has very many states."""
    def each(text):
        return "".join(text % {"i": i, "next": (i + 1) % count} for i in range(count))
    text = ("scenario ring { " + each("instance i%(i)d { in u; out y; } ")
            + each("connect i%(i)d.y -> i%(next)d.u; ") + "}\n")
    if parallel:
        text += ("algorithm { init { " + each("get i%(i)d.y; ") + each("set i%(i)d.u; ")
                 + "} step { par { " + each("step i%(i)d; ") + "} par { " + each("get i%(i)d.y; ")
                 + "} par { " + each("set i%(i)d.u; ") + "} } }\n")
    return text


class Spin(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()

    def start(self, text, *words, **env):
        (self.folder / "m.master").write_text(text)
        return subprocess.Popen([OPTIONS.hocket, "prove", "m.master", *words], cwd=self.folder,
                                env={**os.environ, "TMPDIR": str(self.folder / "tmp"), **env},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def inside(self):
        """Programs that work in a temporary folder of hocket."""
        found = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                place, name = os.readlink(process / "cwd"), (process / "comm").read_text().strip()
            except OSError:
                continue
            if process.name.isdigit() and place.startswith(str(self.folder / "tmp")):
                found.append(name)
        return found

    def slow_compiler(self):
        """A compiler that never ends and has a child of its own, as real ones have."""
        path = self.folder / "slow_cc"
        path.write_text("#!/bin/sh\nsleep 1000 &\nwait\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def compiler_of_a_search_without_end(self):
        """How long a real search takes depends on the machine; this one is never done."""
        path = self.folder / "endless_cc"
        path.write_text("#!/bin/sh\nprintf '#!/bin/sh\\nsleep 1000 &\\nwait\\n' >pan\nchmod +x pan\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_thousand_instances(self):
        """Answered by default, in less than two seconds of computing, without spin."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with self.start(ring(1000)) as process:
            text = process.communicate(timeout=TIMEOUT_S)[0]
        self.assertEqual(process.returncode, 0, text)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)
        self.assertRegex(text, "spin +not done: more than 20 instances")

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_the_compiler_is_in_the_limit(self):
        begin = time.monotonic()
        with self.start(ring(2), CC=self.slow_compiler()) as process:
            text = process.communicate(timeout=TIMEOUT_S)[0]
        self.assertEqual(process.returncode, 0, text)
        self.assertGreater(time.monotonic() - begin, 4)
        self.assertRegex(text, "spin +not done: no answer in 5 s")
        wait_until(lambda: not self.inside(), "the compiler is gone")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_a_compiler_of_several_words(self):
        said = []
        for compiler in ("cc", "cc -g0"):
            with self.start(ring(2), "--spin", CC=compiler) as process:
                said.append([line for line in process.communicate(timeout=TIMEOUT_S)[0].splitlines()
                             if line.lstrip().startswith("spin")])
        self.assertNotIn("not done", said[0][0])
        self.assertEqual(said[1], said[0])

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_the_search_is_in_the_limit(self):
        with self.start(ring(2), CC=self.compiler_of_a_search_without_end()) as process:
            text = process.communicate(timeout=TIMEOUT_S)[0]
        self.assertEqual(process.returncode, 0, text)
        self.assertRegex(text, "spin +not done: no answer in 5 s")
        wait_until(lambda: not self.inside(), "the search is gone")

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_children_die_with_hocket(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            for child, env in (("sleep", {"CC": self.slow_compiler()}), ("pan", {})):
                with self.subTest(signal=number.name, child=child):
                    with self.start(ring(20, parallel=True), "--spin", **env) as process:
                        wait_until(lambda: child in self.inside(), f"{child} runs", process)
                        process.send_signal(number)
                        process.communicate(timeout=TIMEOUT_S)
                    self.assertEqual(process.returncode, -number)
                    wait_until(lambda: not self.inside(), "the children are gone")
                    left = list((self.folder / "tmp").iterdir())
                    if number != signal.SIGKILL:
                        self.assertEqual(left, [])
                    for path in left:
                        shutil.rmtree(path)


if __name__ == "__main__":
    main()
