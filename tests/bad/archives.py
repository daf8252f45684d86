# SPDX-License-Identifier: MIT
"""Archives: cut off, lying about themselves, leading out of their folder, too large."""
import io
import stat
import zipfile

from material import PLAIN_TIME, archive, declare_size, rename_raw
from runner import Case


def link_entry():
    info = zipfile.ZipInfo("resources/link", PLAIN_TIME)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, b"/etc/passwd"


def zeros(path, size, copies=1):
    """An archive of COPIES entries of SIZE zeros each, written in pieces."""
    block = bytes(1 << 20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for copy in range(copies):
            with out.open(f"resources/zeros{copy}", "w", force_zip64=True) as entry:
                for _ in range(size >> 20):
                    entry.write(block)


def lengths(size):
    """Where archives are cut: everywhere near the ends, a few places between."""
    some = [0, 1, 3, 4, 21, 22, 29, 30, 31, 50, 100]
    some += [size * k // 16 for k in range(1, 16)]
    return some + [size - n for n in (200, 100, 60, 46, 30, 23, 22, 21, 20, 12, 6, 4, 2, 1)]


def truncated(made):
    for kind, data in (("fmu", made.fmu("chassis")), ("ssp", made.truck())):
        for length in lengths(len(data)):
            yield Case(f"truncated_{kind}_{length}", f"run cut.{kind} -o out.csv", 3,
                       f"cut.{kind}: error[HK0203]: *", "fetch or export the file again",
                       {f"cut.{kind}": data[:length]}, pinned=False)


def escaping(made):
    """Names that lead out of the folder."""
    probe = made.entries(made.fmu())
    for name, bad, why in (
            ("dots", "../evil", "the path leads out of the folder with '..'"),
            ("dots_inside", "resources/../../evil", "the path leads out of the folder with '..'"),
            ("backslash", "..\\evil", "the path leads out of the folder with '..'"),
            ("absolute", "/evil", "the path is absolute"),
            ("absolute_backslash", "\\evil", "the path is absolute"),
            ("drive", "C:evil", "the path begins with a drive letter")):
        plain = "x" * len(bad)
        data = rename_raw(archive(probe + [(plain, b"x")]), plain, bad)
        shown = bad.replace("\\", "*")
        for verb in ("check bad.fmu", "run bad.fmu -o out.csv"):
            yield Case(f"zip_slip_{name}_{verb.split()[0]}", verb, 3,
                       f"bad.fmu: error[HK0204]: entry '{shown}': {why}", "nothing was unpacked",
                       {"bad.fmu": data})
    yield Case("zip_slip_ssp", "run bad.ssp", 3,
               "bad.ssp: error[HK0204]: entry '../evil': the path leads out of the folder with '..'",
               "nothing was unpacked",
               {"bad.ssp": rename_raw(archive([("SystemStructure.ssd", b""), ("xxxxxxx", b"")]),
                                      "xxxxxxx", "../evil")})
    yield Case("zip_link", "run bad.fmu", 3,
               "bad.fmu: error[HK0204]: entry 'resources/link': it is a link",
               "nothing was unpacked", {"bad.fmu": archive(probe + [link_entry()])})
    yield Case("zip_twice", "run bad.fmu", 3,
               "bad.fmu: error[HK0204]: entry 'resources/note.txt': another entry has the same name and other contents",
               "pack the file again",
               {"bad.fmu": rename_raw(archive(probe + [("resources/note.tyt", b"")]),
                                      "resources/note.tyt", "resources/note.txt")})


def nested_bomb(path, made):
    """10 GB of zeros, packed twice: 10 MB, which pack to 30 kB. hocket unpacks one layer only."""
    inner = io.BytesIO()
    zeros(inner, 64 << 20)
    entries = made.entries(made.fmu()) + [(f"resources/{n}.zip", inner.getvalue()) for n in range(160)]
    path.write_bytes(archive(entries))


def bombs(made):
    yield Case("bomb_zeros", "run bad.fmu", 3,
               "bad.fmu: error[HK0204]: entry 'resources/zeros0': it would unpack to more than 1000 times its size",
               "nothing was unpacked", {"bad.fmu": lambda path: zeros(path, 512 << 20)})
    yield Case("bomb_nested", "run bad.fmu --stop-time 0.1 -q", 0, [],
               None, {"bad.fmu": lambda path: nested_bomb(path, made)})
    with_note = archive(made.entries(made.fmu()) + [("resources/lie", bytes(200_000))])
    yield Case("bomb_declared_small", "run bad.fmu -o out.csv", 3, "bad.fmu: error[HK020?]: entry 'resources/lie': *",
               "*", {"bad.fmu": declare_size(with_note, "resources/lie", 10)})
    yield Case("bomb_declared_large", "run bad.fmu -o out.csv", 3, "bad.fmu: error[HK020?]: entry 'resources/lie': *",
               "*", {"bad.fmu": declare_size(with_note, "resources/lie", 4_000_000_000)})
    yield Case("bomb_description_declared_small", "check bad.fmu", 3,
               "bad.fmu: error[HK020?]: entry 'modelDescription.xml': *", "*",
               {"bad.fmu": declare_size(made.fmu(), "modelDescription.xml", 10)})


def others(made):
    yield Case("zip_text", "run bad.fmu", 3, "bad.fmu: error[HK0203]: *", "fetch or export the file again",
               {"bad.fmu": "this is a text of some length, and no archive\n" * 9})
    yield Case("zip_crc", "run bad.fmu", 3, "bad.fmu: error[HK0203]: entry '*': *", "fetch or export the file again",
               {"bad.fmu": flip(archive(made.entries(made.fmu("chassis")), zipfile.ZIP_STORED))})
    yield Case("zip_no_description", "check bad.fmu", 1,
               "bad.fmu: error[HK0418]: modelDescription.xml is not at the top of the archive but at *",
               "pack the contents of the folder, not the folder",
               {"bad.fmu": archive([("folder/modelDescription.xml", b"")])})
    yield Case("ssp_no_ssd", "check bad.ssp", 3, "bad.ssp: error[HK0304]: the package has no SystemStructure.ssd",
               "an SSP package has that file at its top level", {"bad.ssp": archive([("readme.txt", b"")])})


def flip(data):
    """One wrong byte in the middle of what is packed."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xff]) + data[middle + 1:]


def cases(made):
    yield from truncated(made)
    yield from escaping(made)
    yield from bombs(made)
    yield from others(made)
