# SPDX-License-Identifier: MIT
"""The texts of an SVG of hocket, and where they are: measured with a font of this machine, not with hocket's own table."""
import pathlib
import re
import struct
import xml.etree.ElementTree as etree

FONTS = pathlib.Path("/usr/share/fonts/truetype")
FACES = {"DejaVu Sans": ("dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf"),
         "Liberation Sans": ("liberation/LiberationSans-Regular.ttf", "liberation/LiberationSans-Bold.ttf")}
SIZES = {"h": (16, True), "k": (11, False), "tiny": (10, False), "l": (12, True)}


def fonts():
    """The fonts of the list in the pictures that are installed: name -> (plain, bold)."""
    return {name: tuple(Face(FONTS / file) for file in files) for name, files in FACES.items()
            if all((FONTS / file).exists() for file in files)}


class Face:
    """Advance widths of a TrueType font, in em."""

    def __init__(self, path):
        self.data = path.read_bytes()
        tables = {}
        for i in range(self.number("H", 4)[0]):
            tag, _, offset, _ = self.number("4sIII", 12 + 16 * i)
            tables[tag] = offset
        em = self.number("H", tables[b"head"] + 18)[0]
        count = self.number("H", tables[b"hhea"] + 34)[0]
        advances = [self.number("H", tables[b"hmtx"] + 4 * i)[0] / em for i in range(count)]
        glyphs = {}
        for i in range(self.number("H", tables[b"cmap"] + 2)[0]):
            offset = tables[b"cmap"] + self.number("HHI", tables[b"cmap"] + 4 + 8 * i)[2]
            if self.number("H", offset)[0] == 4:
                glyphs |= self.segments(offset)
        self.widths = {code: advances[min(glyph, count - 1)] for code, glyph in glyphs.items()}

    def number(self, form, at):
        return struct.unpack_from(">" + form, self.data, at)

    def segments(self, at):
        """A character map of format 4: code -> glyph."""
        count = self.number("H", at + 6)[0] // 2
        words = [self.number(f"{count}H", at + 14 + k * 2 * count + (2 if k else 0)) for k in range(4)]
        found = {}
        for k, (end, start, delta, offset) in enumerate(zip(*words)):
            for code in range(start, min(end, 0xfffe) + 1):
                glyph = code
                if offset:
                    place = at + 16 + 6 * count + 2 * k + offset + 2 * (code - start)
                    glyph = self.number("H", place)[0]
                glyph = (glyph + delta) & 0xffff if glyph or not offset else 0
                if glyph:
                    found[code] = glyph
        return found

    def width(self, text):
        return sum(self.widths.get(ord(c), 0.6) for c in text)


def meet(a, b):
    """Two boxes share more than an edge."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Text:
    """One text of a picture: its words, and its box as left, top, right, bottom."""

    def __init__(self, element, font):
        self.words = "".join([element.text or ""] + [child.tail or "" for child in element])
        tips = [child.text for child in element if child.tag.endswith("title")]
        self.whole = tips[0] if tips else self.words
        self.looks = looks = (element.get("class") or "").split()
        size, bold = next((SIZES[look] for look in looks if look in SIZES), (12, False))
        length = font[bold].width(self.words) * size
        before = {"middle": length / 2, "end": length}.get(element.get("text-anchor"), 0)
        x, y = float(element.get("x")), float(element.get("y"))
        up, down = 0.75 * size, 0.2 * size
        if "rotate(-90" in (element.get("transform") or ""):
            self.box = (x - up, y - (length - before), x + down, y + before)
        else:
            self.box = (x - before, y - up, x - before + length, y + down)

    def overlaps(self, other):
        return meet(self.box, other.box)


class Picture:
    def __init__(self, path, font):
        self.source = pathlib.Path(path).read_text(encoding="utf-8")
        self.root = etree.fromstring(self.source)
        self.size = float(self.root.get("width")), float(self.root.get("height"))
        self.texts = [Text(e, font) for e in self.root.iter() if e.tag.endswith("}text")]

    def words(self):
        return [text.words for text in self.texts]

    def paths(self, look):
        """The paths of curves that have a class, as lists of letters."""
        return [e.get("d") for e in self.root.iter()
                if e.tag.endswith("}path") and look in (e.get("class") or "").split()]

    def faults(self):
        """What is wrong with the places of the texts."""
        found = []
        for i, text in enumerate(self.texts):
            left, top, right, bottom = text.box
            if left < 0 or top < 0 or right > self.size[0] or bottom > self.size[1]:
                found.append(f"'{text.words}' leaves the picture: {text.box} of {self.size}")
            found += [f"'{text.words}' overlaps '{other.words}'" for other in self.texts[:i] if text.overlaps(other)]
        return found + self.covered()

    def covered(self):
        """Texts that lie on a curve's box; labels of limits are beside their line, in the panel."""
        boxes = [box(d) for d in self.curves()]
        return [f"'{text.words}' covers a curve" for text in self.texts if "bad" not in text.looks
                for b in boxes if meet(text.box, b)]

    def curves(self):
        """The paths of curves, without their samples in the legend."""
        return [e.get("d") for e in self.root.iter() if e.tag.endswith("}path")
                and "s" in (looks := (e.get("class") or "").split()) and "key" not in looks]

    def rects(self, look):
        """The boxes that have a class, as left, top, right, bottom."""
        found = [[float(e.get(k)) for k in ("x", "y", "width", "height")] for e in self.root.iter()
                 if e.tag.endswith("}rect") and look in (e.get("class") or "").split()]
        return [(x, y, x + w, y + h) for x, y, w, h in found]


def letters(path):
    """The letters of a path: 'MHVH' is a step."""
    return "".join(re.findall("[A-Za-z]", path))


def points(path):
    """The points of a path of lines."""
    at, found = [0.0, 0.0], []
    for letter, words in re.findall(r"([MLHVh])([-0-9. ]*)", path):
        values = [float(w) for w in words.split()]
        if letter != "h":
            at[0] = at[0] if letter == "V" else values[0]
            at[1] = at[1] if letter == "H" else values[-1]
        found.append(tuple(at))
    return found


def box(path):
    xs, ys = zip(*points(path))
    return min(xs), min(ys), max(xs), max(ys)
