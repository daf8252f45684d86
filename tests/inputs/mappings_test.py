#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the mapping of a parameter binding does to arrays, element by element, and to large integers."""
import rig

SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
  xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" name="s" version="1.0">
<ssd:System name="s"><ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
<ssv:ParameterSet version="1.0" name="p"><ssv:Parameters><ssv:Parameter name="b">
<ssv:{kind} value="{value}"/>
</ssv:Parameter></ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>
<ssd:ParameterMapping><ssm:ParameterMapping version="1.0"><ssm:MappingEntry source="b" target="f.{target}">
{transform}
</ssm:MappingEntry></ssm:ParameterMapping></ssd:ParameterMapping></ssd:ParameterBinding></ssd:ParameterBindings>
<ssd:Elements><ssd:Component name="f" source="f.fmu"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""


def table(kind, *entries):
    rows = "\n".join(f'<ssc:MapEntry source="{a}" target="{b}"/>' for a, b in entries)
    return f"<ssc:{kind}MappingTransformation>\n{rows}</ssc:{kind}MappingTransformation>"


def linear(factor, offset=0):
    return f'<ssc:LinearTransformation factor="{factor}" offset="{offset}"/>'


class Mappings(rig.Rig):
    def setUp(self):
        super().setUp()
        self.fmu("feedthrough3", "f.fmu")

    def system(self, kind, value, target, transform):
        self.write("s.ssd", SYSTEM.format(kind=kind, value=value, target=target, transform=transform))

    def after(self, kind, value, target, transform, **more):
        self.system(kind, value, target, transform)
        self.hocket("run", "s.ssd", "--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable",
                    f"f.{target}*", **more)
        return [text for name, text in self.rows()[0].items() if name != "time"]

    def test_tables(self):
        self.assertEqual(self.after("Integer", "1 2  1 3 1", "int32_vector_parameter",
                                    table("Integer", (1, 9), (3, 7))), ["9", "2", "9", "7", "9"])
        self.assertEqual(self.after("Integer", "1", "int32_vector_parameter", table("Integer", (1, 9))), ["9"] * 5)
        self.assertEqual(self.after("Boolean", "true false 1 0 true", "boolean_vector_parameter",
                                    table("Boolean", ("true", "false"), ("false", "true"))),
                         ["0", "1", "0", "1", "0"])

    def test_linear(self):
        self.assertEqual([float(x) for x in self.after("Real", "1 2 3 4 5", "float64_vector_parameter", linear(2, 1))],
                         [3, 5, 7, 9, 11])
        self.system("Real", "1 2 3", "float64_vector_parameter", linear(2))
        self.refused("run", "s.ssd", says="s.ssd:7")
        self.system("Real", "1 2 x 4 5", "float64_vector_parameter", linear(2))
        self.refused("run", "s.ssd", says="'x' is not a number, so 'b' cannot be transformed")

    def test_one_source_twice(self):
        for first, second in ((1, 1), (1, "1.0")):
            self.system("Integer", "1", "int32_parameter", table("Integer", (first, 9), (second, 8)))
            self.refused("run", "s.ssd", says=("s.ssd:13:", "error[HK0409]", "is mapped to '9' and to '8'"))
        self.assertEqual(self.after("Integer", "1", "int32_parameter", table("Integer", (1, 9), (1, 9)),
                                    says="two MapEntry map '1' to '9'"), ["9"])

    def test_large_integers(self):
        lost = "is calculated as a Float64"
        self.after("Int64", 2**53 + 1, "int64_parameter", linear(1, 1), says=("s.ssd:7", "warning", lost))
        self.assertEqual(self.after("Int64", 2**53 - 2, "int64_parameter", linear(1, 1), silent=lost), [str(2**53 - 1)])
        self.assertEqual(self.after("Int64", 2**53 + 1, "int64_parameter", "", silent=lost), [str(2**53 + 1)])


if __name__ == "__main__":
    rig.main()
