# SPDX-License-Identifier: MIT
"""What cases are made of: archives taken apart and put together again, and small systems as text."""
import functools
import io
import struct
import zipfile

PLAIN_TIME = (1980, 1, 1, 0, 0, 0)

SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="bad" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:hk="urn:org.hocket:schedule:1">
  <ssd:System name="root">
%(bindings)s
    <ssd:Elements>
%(elements)s
    </ssd:Elements>
    <ssd:Connections>
%(connections)s
    </ssd:Connections>
  </ssd:System>
  <ssd:Units>
    <ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>
    <ssc:Unit name="m/s"><ssc:BaseUnit m="1" s="-1"/></ssc:Unit>
  </ssd:Units>
  <ssd:DefaultExperiment startTime="0" stopTime="1">
    <ssd:Annotations>
      <ssc:Annotation type="org.hocket.schedule"><hk:Experiment stepSize="0.01"/></ssc:Annotation>
    </ssd:Annotations>
  </ssd:DefaultExperiment>
</ssd:SystemStructureDescription>
"""

# Connectors of the probe that systems use, as (name, kind, type).
CONNECTORS = [("real_in", "input", '<ssc:Real unit="m/s"/>'), ("real_out", "output", '<ssc:Real unit="m/s"/>'),
              ("state", "output", '<ssc:Real unit="m"/>'), ("text_in", "input", "<ssc:String/>"),
              ("text_out", "output", "<ssc:String/>"), ("gain", "parameter", "<ssc:Real/>")]


def component(name, source="probe.fmu", schedule="", inside=""):
    lines = [f'      <ssd:Component name="{name}" source="{source}">', "        <ssd:Connectors>"]
    lines += [f'          <ssd:Connector name="{c}" kind="{kind}">{kind_of}</ssd:Connector>'
              for c, kind, kind_of in CONNECTORS]
    lines += ["        </ssd:Connectors>", inside] if inside else ["        </ssd:Connectors>"]
    if schedule:
        lines += ['        <ssd:Annotations><ssc:Annotation type="org.hocket.schedule">',
                  f"          <hk:Schedule {schedule}/>", "        </ssc:Annotation></ssd:Annotations>"]
    return "\n".join(lines + ["      </ssd:Component>"])


def connection(start, end, schedule=""):
    (e1, c1), (e2, c2) = start.split("."), end.split(".")
    line = (f'      <ssd:Connection startElement="{e1}" startConnector="{c1}" '
            f'endElement="{e2}" endConnector="{c2}"')
    if not schedule:
        return line + "/>"
    return (line + '>\n        <ssd:Annotations><ssc:Annotation type="org.hocket.schedule">\n'
            f"          <hk:Link {schedule}/>\n"
            "        </ssc:Annotation></ssd:Annotations>\n      </ssd:Connection>")


def ssd(elements=None, connections=(), bindings=""):
    return SSD % {"elements": "\n".join(elements or [component("a"), component("b")]),
                  "connections": "\n".join(connections), "bindings": bindings}


def values(*lines):
    """Inline parameter values, one line of XML each."""
    return "\n".join(["    <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>",
                      '      <ssv:ParameterSet name="set" version="1.0"><ssv:Parameters>',
                      *lines, "      </ssv:Parameters></ssv:ParameterSet>",
                      "    </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"])


def archive(entries, method=zipfile.ZIP_DEFLATED):
    """A ZIP archive of (name or ZipInfo, bytes)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as out:
        for name, data in entries:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name, PLAIN_TIME)
            info.compress_type = method
            out.writestr(info, data)
    return buffer.getvalue()


def rename_raw(data, old, new):
    """Puts another name of the same length into an archive: zipfile would clean it."""
    assert len(old) == len(new) and old.encode() in data
    return data.replace(old.encode(), new.encode())


def declare_size(data, name, size):
    """Another uncompressed size in the central directory and before the entry itself."""
    out = bytearray(data)
    for mark, size_at, name_at in ((b"PK\x01\x02", 24, 46), (b"PK\x03\x04", 22, 30)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            if data[at + name_at:at + name_at + len(name)] == name.encode():
                out[at + size_at:at + size_at + 4] = struct.pack("<I", size)
    return bytes(out)


class Material:
    def __init__(self, fmus, models):
        self.fmus = fmus
        self.models = models

    @functools.lru_cache(maxsize=None)
    def fmu(self, name="probe"):
        return (self.fmus / f"{name}.fmu").read_bytes()

    def truck(self):
        return (self.models / "quarter_truck.ssp").read_bytes()

    def rosace(self):
        return (self.models / "r_rosace.ssp").read_bytes()

    def entries(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as source:
            return [(name, source.read(name)) for name in source.namelist()]

    def changed(self, change, name="probe"):
        """The FMU with each (name, bytes) passed through CHANGE; None leaves one out."""
        kept = (change(entry, data) for entry, data in self.entries(self.fmu(name)))
        return archive([entry for entry in kept if entry])

    def described(self, old, new):
        """The probe with something else in its model description."""
        def change(name, data):
            if name != "modelDescription.xml":
                return name, data
            assert old.encode() in data, old
            return name, data.replace(old.encode(), new.encode(), 1)
        return self.changed(change)

    def with_description(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        return self.changed(lambda name, old: (name, data if name == "modelDescription.xml" else old))
