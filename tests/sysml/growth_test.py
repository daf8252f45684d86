#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What grows with a multi-model grows as it does: rules and proofs of large systems, by time of the processor, which others
that compute beside it do not make longer, and by what is said."""
import pathlib
import resource
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main, plain  # noqa: E402

GOOD = (HERE / "wrong" / "good.sysml").read_text(encoding="utf-8")
BLOCK = '''package P {
  private import ScalarValues::*;
  private import CoSim::*;
  #ecomponent part def B {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.Integrator"; cycle = 0.1; }
    in attribute u : Real = 0.0;
    out attribute y : Real;
%s  }
'''


def ring(count, more=""):
    parts = "".join(f"    part b{i} : B;\n" for i in range(count))
    flows = "".join(f"    flow from b{i}.y to b{(i + 1) % count}.u;\n" for i in range(count))
    return BLOCK % more + f"  #system part def S {{\n{parts}  }}\n  part s : S {{\n{flows}  }}\n}}\n"


class Growth(Case):
    def time_of(self, *words, **more):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = self.hocket(*words, **more)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said

    def grows(self, of, limit):
        """OF(count) is its time: four times as much takes less than eight times as long, and less than LIMIT."""
        small, large = min(of(1000) for _ in range(2)), min(of(4000) for _ in range(2))
        self.assertLess(large, limit)
        self.assertLess(large, 8 * small + 0.1)

    @plain
    def test_proofs(self):
        def prove(count):
            self.write("ring.sysml", ring(count))
            time, said = self.time_of("prove", "ring.sysml", "--spin=never", "--stop-time", "1")
            self.assertIn(f"every order of the {3 * count} calls of a cycle is get, set, step", said.stdout)
            return time
        self.grows(prove, 3)

    @plain
    def test_traces(self):
        def trace(count):
            self.write("ring.sysml", ring(count, "    dependency from y to u { @feedthrough; }\n"))
            self.write("empty.txt", "")
            time, said = self.time_of("prove", "ring.sysml", "--trace", "empty.txt", exit=None)
            self.assertIn("trace ", said.stdout)
            return time
        self.grows(trace, 3)

    @plain
    def test_loops(self):
        """Of a long loop the beginning and the end are said."""
        def check(count):
            self.write("ring.sysml", ring(count, "    dependency from y to u { @feedthrough; }\n"))
            time, said = self.time_of("check", "--level", "rules", "--profile", "into-sysml", "ring.sysml")
            line = next(line for line in said.stdout.splitlines() if "C8" in line)
            self.assertIn("C8: algebraic loop: b0.u ~> b0.y -> b1.u ~> ", line)
            self.assertIn(f" -> b5.u ... ({2 * count - 20} more) ... ~> b{count - 5}.y -> ", line)
            self.assertTrue(line.endswith(f"-> b{count - 1}.u ~> b{count - 1}.y -> b0.u"), line)
            return time
        self.grows(check, 2)

    def test_short_loops_are_said_whole(self):
        for count in (1, 2, 10):
            self.write("ring.sysml", ring(count, "    dependency from y to u { @feedthrough; }\n"))
            said = self.hocket("check", "--level", "rules", "--profile", "into-sysml", "ring.sysml").stdout
            whole = " -> ".join(f"b{i}.u ~> b{i}.y" for i in range(count)) + " -> b0.u"
            self.assertIn(f"C8: algebraic loop: {whole}\n", said)

    def test_long_names(self):
        """A name has a thousand parts at most; one of 600 kB is refused for that, and not for its memory."""
        for parts, wrong in ((1000, "C3: there is no instance"), (1001, "a name has 1000 parts at most"),
                             (300000, "a name has 1000 parts at most")):
            chain = ".".join("x" * parts)
            self.write("long.sysml", GOOD.replace("to b.u", "to " + chain))
            time, said = self.time_of("check", "--level", "rules", "--profile", "into-sysml", "long.sysml", exit=None)
            lines = [line for line in said.stdout.splitlines() if "error" in line and "errors" not in line]
            self.assertIn(wrong, " ".join(lines)[:3000])
            self.assertLess(time, 2)


if __name__ == "__main__":
    main()
