#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cache of unpacked FMUs, attacked; and what processes leave behind that were killed."""
import os
import shutil
import signal
import subprocess
import time
import zipfile
import zlib

import support
from support import Case, OPTIONS, code

# Reads the first line of a resource and of a file beside its library into y when it is made, then overwrites both.
READS = """
#include <stdio.h>
static double of(const char *uri, const char *file, int rewrite) {
    char path[4096];
    double value = -1;
    snprintf(path, sizeof path, "%s/%s", uri + (strncmp(uri, "file://", 7) ? 0 : 7), file);
    FILE *f = fopen(path, "r");
    if (f) { if (fscanf(f, "%lf", &value) != 1) value = -2; fclose(f); }
    f = rewrite ? fopen(path, "w") : NULL;
    if (f) { fprintf(f, "999"); fclose(f); }
    return value;
}
"""


def with_crc(data, wanted):
    """DATA and four bytes more, so that the CRC-32 of all is WANTED."""
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0xedb88320 if i & 1 else 0)
        table.append(i)
    top = {entry >> 24: index for index, entry in enumerate(table)}
    state, indices = wanted ^ 0xffffffff, []
    for _ in range(4):
        index = top[state >> 24]
        indices.insert(0, index)
        state = (state ^ table[index]) << 8 & 0xffffffff
    state, more = zlib.crc32(data) ^ 0xffffffff, []
    for index in indices:
        more.append((state ^ index) & 0xff)
        state = state >> 8 ^ table[index]
    return data + bytes(more)


class CacheTest(Case):
    def setUp(self):
        super().setUp()
        self.fmus = self.cache / "hocket" / "fmu"

    def make(self, name="grow.fmu", extra=None, **parts):
        """An FMU of FMI 2.0 with a library, and EXTRA entries."""
        self.source_fmu(2, {"grow.c": code(2, **parts)}, name="source.fmu")
        self.hocket("build", "source.fmu", "-o", name, "-q")
        with zipfile.ZipFile(self.folder / name, "a") as archive:
            for entry, text in (extra or {}).items():
                archive.writestr(entry, text)
        return self.folder / name

    def entry(self):
        [entry] = [p for p in self.fmus.iterdir() if not p.name.startswith("built-")]
        return entry

    def start(self, fmu, *words):
        return subprocess.Popen([OPTIONS.hocket, "run", str(fmu), "--step-size", "0.125", "-q", *words], cwd=self.folder,
                                env=self.environment, stderr=subprocess.PIPE, text=True)

    def test_changed_entries(self):
        """Whatever is done to an entry, what runs is what the archive holds, and the entry is made anew."""
        evil = zipfile.ZipFile(self.make("evil.fmu", STEP="x->y += 100;")).read("binaries/linux64/grow.so")
        (self.folder / "evil.so").write_bytes(evil)
        fmu = self.make()
        first = self.record(fmu)
        library = self.entry() / "binaries" / "linux64" / "grow.so"
        right = library.read_bytes()

        def patched():
            library.write_bytes(right[:-1] + bytes([right[-1] ^ 1]))

        def forged():
            library.write_bytes(with_crc(right[:-5] + bytes([right[-5] ^ 1]), zlib.crc32(right)))
            self.assertEqual(zlib.crc32(library.read_bytes()), zlib.crc32(right))
            self.assertEqual(library.stat().st_size, len(right))

        def cut():
            library.write_bytes(right[:1000])

        def other():
            library.write_bytes(evil)

        def link():
            library.unlink()
            library.symlink_to(self.folder / "evil.so")

        def hard_link():
            library.unlink()
            os.link(self.folder / "evil.so", library)

        def link_of_folder():
            shutil.copytree(library.parent, self.folder / "elsewhere", dirs_exist_ok=True)
            shutil.rmtree(library.parent)
            library.parent.symlink_to(self.folder / "elsewhere")

        def link_of_entry():
            shutil.copytree(self.entry(), self.folder / "whole", dirs_exist_ok=True)
            entry = self.entry()
            shutil.rmtree(entry)
            entry.symlink_to(self.folder / "whole")

        def more():
            (library.parent / "libm.so.6").write_bytes(evil)

        def resources():
            (self.entry() / "resources").mkdir()

        def writable():
            self.entry().chmod(0o777)

        def writable_folder():
            library.parent.chmod(0o777)

        def writable_file():
            library.chmod(0o666)

        def less():
            library.unlink()

        def not_a_folder():
            entry = self.entry()
            shutil.rmtree(entry)
            entry.write_text("")

        def of_another():
            os.chown(self.entry(), 65534, -1)

        def file_of_another():
            os.chown(library, 65534, -1)
        attacks = [patched, forged, cut, other, link, hard_link, link_of_folder, link_of_entry, more, resources, writable,
                   writable_folder, writable_file, less, not_a_folder]
        if os.geteuid() == 0:
            attacks += [of_another, file_of_another]
        for attack in attacks:
            attack()
            self.assertEqual(self.record(fmu), first, attack.__name__)
            self.assertEqual(library.read_bytes(), right, attack.__name__)
            for path in (self.entry(), library.parent, library):
                about = path.lstat()
                self.assertFalse(path.is_symlink(), attack.__name__)
                self.assertFalse(about.st_mode & 0o022, attack.__name__)
                self.assertEqual(about.st_uid, os.geteuid(), attack.__name__)
            self.assertEqual({p.name for p in library.parent.iterdir()}, {"grow.so"})
            self.assertEqual(len(list(self.fmus.iterdir())), 1, attack.__name__)

    def test_folders_of_others(self):
        """A cache that others can write to is not used, and that is reported once with what mends it."""
        fmu = self.make()
        first = self.record(fmu)
        for folder in (self.fmus, self.fmus.parent):
            folder.chmod(0o777)
            self.assertEqual(self.record(fmu), first)
            self.assertIn("can be written by others and is not used", self.said)
            self.assertEqual(self.said.count("is not used"), 1)
            folder.chmod(0o700)
        self.cache.chmod(0o777)
        self.assertEqual(self.record(fmu), first)
        self.assertIn("lies in a folder that others can write to and is not used", self.said)
        self.cache.chmod(0o1777)  # as /tmp: nobody can take away what is ours
        self.assertEqual(self.record(fmu), first)
        self.assertNotIn("not used", self.said)
        if os.geteuid() == 0:
            os.chown(self.fmus, 65534, -1)
            self.record(fmu)
            self.assertIn("belongs to another user and is not used", self.said)
            os.chown(self.fmus, os.geteuid(), -1)
        # what is made is private, whatever the umask is
        shutil.rmtree(self.cache)
        subprocess.run(["sh", "-c", f"umask 000; exec {OPTIONS.hocket} run {fmu} -q"], env=self.environment, check=True)
        for path in (self.fmus.parent, self.fmus, self.entry()):
            self.assertEqual(path.stat().st_mode & 0o777, 0o700)
        self.no_leftovers()

    def test_no_cache(self):
        """Without a place for a cache everything is unpacked for the run, and removed."""
        fmu = self.make(extra={"resources/x.txt": "5"})
        first = self.record(fmu)
        blocked = self.folder / "blocked"
        blocked.write_text("a file")
        for environment in ({"XDG_CACHE_HOME": str(blocked)}, {"XDG_CACHE_HOME": "/proc/no"}, {"HK_NO_CACHE": "1"},
                            {"XDG_CACHE_HOME": "", "HOME": ""}):
            self.assertEqual(self.record(fmu, **environment), first)
        self.no_leftovers()

    def test_resources_are_per_run(self):
        """An FMU that rewrites its resources, or writes beside its library, does not change the next run."""
        reads = "x->y = of(resources, \"x.txt\", 1) + 1000 * of(resources, \"../binaries/linux64/beside.txt\", 1);"
        fmu = self.make(extra={"resources/x.txt": "5", "binaries/linux64/beside.txt": "3"}, HEAD=READS, INSTANTIATE=reads)
        for _ in range(3):
            self.assertEqual(self.record(fmu).decode().splitlines()[1].split(",")[-1], "3005")
        new = self.make(name="new.fmu", HEAD=READS, INSTANTIATE="x->y = of(resources, \"new.txt\", 1);")
        with zipfile.ZipFile(new, "a") as archive:
            archive.writestr("resources/other.txt", "1")
        for _ in range(2):
            self.assertEqual(self.record(new).decode().splitlines()[1].split(",")[-1], "-1")
        self.no_leftovers()

    def test_concurrent(self):
        """Many runs at once in an empty cache, while somebody damages it: each is right."""
        fmu = self.make(extra={"resources/x.txt": "5"}, HEAD=READS, INSTANTIATE='x->y = of(resources, "x.txt", 1);')
        jobs = [self.start(fmu, "--stop-time", "1", "-o", f"c{i}.csv") for i in range(12)]
        for _ in range(30):
            for path in self.fmus.glob("*/binaries/linux64/grow.so") if self.fmus.exists() else []:
                try:
                    path.unlink()
                except OSError:
                    pass
            time.sleep(0.002)
        for job in jobs:
            said = job.communicate(timeout=support.TIMEOUT_S)[1]
            # one whose library was taken away between the comparison and the loading may say so; none is wrong
            self.assertIn(job.returncode, (0, 3, 4), said)
        jobs = [self.start(fmu, "--stop-time", "1", "-o", f"c{i}.csv") for i in range(12)]
        for job in jobs:
            said = job.communicate(timeout=support.TIMEOUT_S)[1]
            self.assertEqual(job.returncode, 0, said)
        self.assertEqual(len({(self.folder / f"c{i}.csv").read_bytes() for i in range(12)}), 1)
        self.assertEqual([p.name for p in self.fmus.iterdir() if p.name.startswith("unpacking-")], [])
        self.no_leftovers()

    def test_eviction(self):
        """What is old goes when something new comes; what a run uses stays, however old it is."""
        where = 'snprintf(where, sizeof where, "%s", resources); strcpy(strstr(where, "/resources"), "/binaries/linux64");'
        fmu = self.make(extra={"binaries/linux64/late.txt": "7"}, HEAD=READS + "static char where[4096];",
                        STEP='if (t > 0.9) x->y = of(where, "late.txt", 0);', INSTANTIATE=where)
        second, third = self.make("second.fmu", STEP="x->y += 1;"), self.make("third.fmu", STEP="x->y += 2;")
        running = self.start(fmu, "--stop-time", "900", "--real-time", "-o", "long.csv")
        support.wait_until((self.folder / "long.csv").exists, "the run has begun", running)
        used = self.entry()
        old = self.fmus / ("0" * 64)
        old.mkdir()
        left = self.fmus / "unpacking-AbCdEf"
        left.mkdir()
        long_ago = time.time() - 40 * 86400
        for path in (used, old, left):
            os.utime(path, (long_ago, long_ago))
        self.record(second)
        self.assertTrue(used.exists(), "in use")
        self.assertFalse(old.exists())
        self.assertFalse(left.exists())
        support.wait_until(lambda: ",7\n" in (self.folder / "long.csv").read_text(), "it reads the file", running)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=support.TIMEOUT_S)[1]
        self.assertEqual(running.returncode, 130, said)
        self.assertEqual((self.folder / "long.csv").read_text().splitlines()[-1].split(",")[-1], "7")
        os.utime(used, (long_ago, long_ago))
        self.record(third)
        self.assertFalse(used.exists(), "nobody uses it any more")

    def test_killed(self):
        """What a process left that was killed with -9 goes with the next run; what a living one needs stays."""
        fmu = self.make(extra={"resources/x.txt": "5"})
        def begin():
            before = set(os.listdir(self.temporary))
            job = self.start(fmu, "--stop-time", "900", "--real-time", "--no-parent")  # which would clean up
            def new():
                return set(os.listdir(self.temporary)) - before
            support.wait_until(lambda: new() and all((self.temporary / n / "resources" / "x.txt").exists() for n in new()),
                               "the FMU is unpacked", job)
            return job, new()
        killed, dead = begin()
        alive, kept = begin()
        self.assertEqual(set(os.listdir(self.temporary)), dead | kept)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        self.assertTrue(dead <= set(os.listdir(self.temporary)))
        bystander = self.temporary / "hocket-something"
        bystander.mkdir()
        outside = self.folder / "precious"
        outside.mkdir()
        (outside / "file").write_text("x")
        name = next(iter(dead))
        os.symlink(outside, self.temporary / name / "link")
        trap = self.temporary / (name[:-6] + "trapxx")
        trap.symlink_to(outside)
        self.record(fmu)
        self.assertEqual(set(os.listdir(self.temporary)), kept | {"hocket-something", trap.name})
        self.assertTrue((outside / "file").exists())
        alive.send_signal(signal.SIGTERM)
        alive.communicate(timeout=support.TIMEOUT_S)
        self.assertEqual(set(os.listdir(self.temporary)), {"hocket-something", trap.name})


if __name__ == "__main__":
    support.main()
