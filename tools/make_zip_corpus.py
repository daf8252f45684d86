#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the corpus of the zip fuzz target: python3 tools/make_zip_corpus.py fuzz/zip/corpus

Small archives, good and hostile; the same bytes every time."""
import io
import struct
import sys
import zipfile
from pathlib import Path


def entry(name, mode=0o100644, method=zipfile.ZIP_DEFLATED):
    info = zipfile.ZipInfo(name)  # its time is 1980-01-01
    info.external_attr = mode << 16
    info.create_system = 3
    info.compress_type = method
    return info


def archive(*files, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for info, data in files:
            z.writestr(info, data)
        z.comment = comment
    return out.getvalue()


def patched(data, signature, offset, fmt, value):
    """The archive with one field of its first record of a kind replaced."""
    at = data.index(signature) + offset
    return data[:at] + struct.pack(fmt, value) + data[at + struct.calcsize(fmt):]


CENTRAL, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"


def streamed():
    """Sizes are in a descriptor behind the data, as packers write that cannot seek."""
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, piece):
            self.data += bytes(piece)
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w") as z:
        z.writestr(entry("a.txt"), b"streamed")
    return pipe.data


def corpus():
    xml = b'<fmiModelDescription fmiVersion="2.0"/>'
    plain = archive((entry("modelDescription.xml"), xml),
                    (entry("resources/", 0o040755), b""),
                    (entry("resources/table.txt", method=zipfile.ZIP_STORED), b"1 2 3\n"))
    one = archive((entry("a.txt"), b"aaaaaaaa"))
    yield "plain.zip", plain
    yield "one.zip", one
    yield "empty.zip", archive()
    yield "comment.zip", archive((entry("a"), b"a"), comment=b"a comment")
    yield "streamed.zip", streamed()
    yield "prefix.zip", b"#!/bin/sh\n" + one
    yield "truncated.zip", plain[:-30]
    yield "slip.zip", archive((entry("../../evil.txt"), b"x"))
    yield "slip_inside.zip", archive((entry("a/../../evil.txt"), b"x"))
    yield "absolute.zip", archive((entry("/etc/evil"), b"x"))
    yield "drive.zip", archive((entry("C:/evil"), b"x"))
    yield "dot.zip", archive((entry("./a.txt"), b"x"), (entry("./b/./c.txt"), b"y"))
    backslash = entry("a?b.txt")
    backslash.filename = "dir\\b.txt"
    yield "backslash.zip", archive((backslash, b"x"))
    yield "link.zip", archive((entry("link", 0o120777), b"/etc/passwd"))
    yield "device.zip", archive((entry("fifo", 0o010644), b""))
    yield "file_and_folder.zip", archive((entry("a"), b"x"), (entry("a/b"), b"y"))
    two = archive((entry("a.txt"), b"x"), (entry("b.txt"), b"y"))
    yield "duplicate.zip", two.replace(b"b.txt", b"a.txt")
    yield "bomb_declared.zip", patched(one, CENTRAL, 24, "<I", 0xFFFFFFF0)
    yield "bomb_small.zip", archive((entry("zeros"), bytes(200000)))
    yield "wrong_size.zip", patched(one, CENTRAL, 24, "<I", 7)
    yield "wrong_crc.zip", patched(one, CENTRAL, 16, "<I", 1)
    yield "encrypted.zip", patched(one, CENTRAL, 8, "<H", 1)
    yield "method.zip", patched(one, CENTRAL, 10, "<H", 12)
    yield "offset.zip", patched(one, CENTRAL, 42, "<I", 0x7FFFFFFF)
    yield "count.zip", patched(one, END, 10, "<H", 0xFFFF)
    yield "directory_size.zip", patched(one, END, 12, "<I", 0xFFFFFFFF)
    yield "local_name.zip", patched(one, LOCAL, 26, "<H", 0xFFFF)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in corpus():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
