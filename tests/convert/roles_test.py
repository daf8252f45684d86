# SPDX-License-Identifier: MIT
"""Roles of composites, there and back: the canonical form, SSP, and what `hocket info` shows of them."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

SYSTEM = """system s {
  composite all {
    composite Drone role controlled {
      output core.double y;
      composite Engine {
        output core.double y;
        leaf a : hk.Ramp;
        link a.y -> y;
      }
      composite Rudder role controlled {
        input core.double u;
        leaf b : hk.Gain;
        link u -> b.u;
      }
      link Engine.y -> y, Rudder.u;
    }
    composite Sea role environment {
      leaf c : hk.Ramp;
    }
    composite Rest {
      input core.double u;
      leaf d : hk.Gain;
      link u -> d.u;
    }
    link Drone.y -> Rest.u;
  }
}
"""
HEAD = '<SystemStructureDescription version="1.0" name="x" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription"' \
       ' xmlns:c="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:h="urn:org.hocket:system:1">'


def role(*names):
    return "<Annotations>" + "".join(f'\n<c:Annotation type="org.hocket.system"><h:Role {name}/></c:Annotation>' for name in names) + "</Annotations>"


def description(outer, inner):
    leaf = '<Elements><Component name="a" type="application/x-hocket-builtin" source="hk.Ramp"/></Elements>'
    return f'{HEAD}<System name="s"><Elements><System name="t">{leaf}{inner}</System></Elements>{outer}</System></SystemStructureDescription>'


class Roles(hocket_case.Case):
    def roles(self, path):
        answer = json.loads(self.hocket("info", "--json", path).stdout)
        return {c["name"].rpartition(".")[2]: c.get("role") for c in answer["components"]}

    def test_there_and_back(self):
        self.write("s.system", SYSTEM)
        self.hocket("fmt", "--check", "s.system")
        expected = {"a": "controlled", "b": "controlled", "c": "environment", "d": None}
        self.assertEqual(self.roles("s.system"), expected)
        for name in ("s.ssd", "s.ssp"):
            self.hocket("convert", "-q", "s.system", name)
            self.assertEqual(self.roles(name), expected)
            self.hocket("convert", "-q", name, f"{name}.system")
            self.assertEqual(self.roles(f"{name}.system"), expected)
            text = (self.folder / f"{name}.system").read_text(encoding="utf-8")
            self.assertEqual(text.count(" role "), 3)
            for words in ("composite Drone role controlled {", "composite Rudder role controlled {", "composite Sea role environment {", "composite Rest {"):
                self.assertIn(words, text)
        (self.folder / "s.ssd").unlink()

    def test_info_for_people(self):
        self.write("s.system", SYSTEM)
        lines = self.hocket("info", "s.system").stdout.splitlines()
        self.assertTrue(any(line.startswith("Sea.c ") and line.endswith(", role environment") for line in lines), lines)
        self.assertTrue(any(line.startswith("Rest.d ") and "role" not in line for line in lines), lines)

    def test_wrong_roles_in_ssp(self):
        known = role('name="sensors"')
        self.write("good.ssd", description("", known))
        self.hocket("check", "good.ssd")
        for outer, inner, line, status, words in (
                ("", role('name="sensor"'), 2, 3, "there is no role 'sensor'"),
                ("", role("nam='sensors'"), 2, 3, "'Role' has no attribute 'name'"),
                ("", role('name="sensors"', 'name="sensors"'), 3, 1, "the system 't' has two roles"),
                (role('name="user"'), known, 2, 3, "the system 't' is 'sensors', and 's', which it is in, is 'user'")):
            self.write("x.ssd", description(outer, inner))
            done = self.hocket("check", "x.ssd", exit=status)
            self.assertIn(f"x.ssd:{line}:", done.stdout)
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
