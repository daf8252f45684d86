# SPDX-License-Identifier: MIT
"""Random RoboChart modules that are well formed: states in states, junctions, chance, clocks, waits, deadlines,
events of all kinds between machines and the platform, operations of all kinds, functions, sequences and records.

    random_charts.py FOLDER FIRST COUNT    writes FOLDER/r0001.rct ...; the same number gives the same text
"""
import pathlib
import random
import sys

COLOURS = ("red", "green", "blue")
# What a machine may receive and send; the platform's side has the same names.
INPUTS = {"e0": None, "e1": "int", "e2": "real", "e3": "Colour", "e4": "Seq(int)"}
OUTPUTS = {"o0": None, "o1": "int", "o2": "real", "o3": "Pair"}
# From the first machine to the second and back: name, type, asynchronous.
BETWEEN = {"m0": (None, False), "m1": ("int", True), "m2": ("Colour", False)}

HEAD = """package Random
enumeration Colour {{ red green blue }}
datatype Pair {{ p : int q : real }}
datatype Count {{ n : nat s : Seq(nat) }}
interface Vars {{ var pv : int = {pv} , pr : real }}
interface Ops {{ seen ( a : int , b : real ) counted ( n : nat ) effect ( a : int ) hidden ( ) }}
operation effect ( a : int ) {{ terminates postcondition pv == a + 1 /\\ pr == 0.5 }}
operation hidden ( ) {{ terminates }}
function twice ( x : int ) : int {{ postcondition result == 2 * x }}
function down ( n : int ) : int {{ postcondition result == if n <= 0 then 0 else 1 + down ( n - 2 ) end }}
function sum ( s : Seq(int) ) : int {{ postcondition result ==
  if size ( s ) == 0 then 0 else head ( s ) + sum ( tail ( s ) ) end }}
function middle ( s : Seq(int) ) : int {{ precondition size ( s ) > 0 postcondition result == s [ ( size ( s ) + 1 ) / 2 ] }}
"""


class Chart:
    def __init__(self, number):
        self.dice = random.Random(number)
        self.number = number
        self.count = 0
        self.reckless = self.dice.random() < 0.25  # its runs may fail
        self.budget = 0  # what the action that is being written may still emit

    def chance(self, p):
        return self.dice.random() < p

    def pick(self, items):
        return self.dice.choice(list(items))

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    # ---- expressions

    def integer(self, depth):
        if depth == 0 or self.chance(0.3):
            return self.pick(["i1", "i2", "k", "pv", "rec . p", str(self.dice.randrange(9))])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        divisor = b if self.reckless else str(self.dice.randrange(2, 9))
        return self.pick([
            f"( {a} + {b} )", f"( {a} - {b} )", f"( {a} % 7 ) * ( {b} % 5 )", f"( {a} / {divisor} )",
            f"( {a} % {divisor} )", f"( if {self.boolean(depth - 1)} then {a} else {b} end )", f"abs ( {a} )",
            f"min ( {a} , {b} )", f"max ( {a} , {b} )", "size ( sq )", f"twice ( {a} % 100 )",
            f"down ( {a} % {120 if self.reckless else 40} )", "sum ( sq )", "( - i1 )",
            f"( let x == {a} @ ( x + x % 3 ) )", "vec [ 2 ]", "mat [ 2 , 1 ]",
            "middle ( sq )" if self.reckless else "size ( sq ^ < 1 > )",
            "cnt . n", "last ( cnt . s )",
            f"sq [ {b} ]" if self.reckless else "( if size ( sq ) > 0 then last ( sq ) else 4 end )",
        ])

    def natural(self, depth):
        """An integer where a nat is wanted: below 0 it ends the run."""
        return f"( {self.integer(depth)} % 50 - {2 if self.reckless else 0} )"

    def real(self, depth):
        if depth == 0 or self.chance(0.3):
            return self.pick(["x1", "x2", "pr", "rec . q", "0.25", f"{self.dice.randrange(40)}.{self.dice.randrange(10)}"])
        a, b = self.real(depth - 1), self.real(depth - 1)
        return self.pick([f"( {a} + {b} )", f"( {a} - {b} )", f"( {a} * 0.5 )", f"( {a} / {b} )" if self.reckless else f"( {a} / 4.0 )",
                          f"max ( {a} , {b} )", f"abs ( {a} )", f"( {a} + {self.integer(depth - 1)} )",
                          f"( if {self.boolean(depth - 1)} then {a} else {b} end )"])

    def boolean(self, depth, clocks=False):
        simple = ["b1", "i1 > 3", "x1 < x2", f"c1 == Colour::{self.pick(COLOURS)}", "pv <= i2", "i1 in [ 2 , 6 ]",
                  "x1 >= 1.5", "rec == rec2", "i2 in sq", "i1 in { 1 , 3 , i2 }",
                  "i1 in cnt . s", "k in { i1 , 2 }", "cnt . s == < 1 , i1 >"]
        if clocks:
            simple += [f"since ( C ) >= {self.dice.randrange(4)}", f"since ( D ) < {self.dice.randrange(1, 5)}"] * 3
        if depth == 0 or self.chance(0.3):
            return f"( {self.pick(simple)} )"
        a, b = self.boolean(depth - 1, clocks), self.boolean(depth - 1, clocks)
        return self.pick([f"( {a} /\\ {b} )", f"( {a} \\/ {b} )", f"( not {a} )", f"( {a} => {b} )", f"( {a} iff {b} )",
                          f"( {self.integer(depth - 1)} != {self.integer(depth - 1)} )",
                          f"( {self.real(depth - 1)} <= {self.real(depth - 1)} )",
                          "( exists g : int | g in sq @ g > i1 )", f"( forall g : int | g in sq @ g < {self.integer(0)} )",
                          "( forall y : Colour @ y != c1 \\/ b1 )", "( exists g : int | g in sq /\\ g > 2 @ g != i2 )"])

    def colour(self):
        return self.pick([f"Colour::{self.pick(COLOURS)}", "c1"])

    def value(self, kind, depth=1):
        if kind == "int":
            return self.integer(depth)
        if kind == "real":
            return self.real(depth)
        if kind == "boolean":
            return self.boolean(depth)
        if kind == "Colour":
            return self.colour()
        if kind == "Pair":
            return self.pick(["rec", "rec2"])
        return self.pick(["sq", f"< {self.integer(0)} , {self.integer(0)} >", "( if size ( sq ) > 3 then tail ( sq ) else sq ^ < 5 > end )"])

    VARIABLES = {"int": ["i1", "i2"], "real": ["x1", "x2"], "Colour": ["c1"], "Seq(int)": ["sq"], "Pair": ["rec2"]}

    # ---- statements

    def assignment(self):
        return self.pick([
            f"i1 = {self.integer(2)} % 50", f"i2 = {self.integer(2)} % 50", f"x1 = {self.real(2)}", f"b1 = {self.boolean(2)}",
            f"c1 = {self.colour()}", f"sq = {self.value('Seq(int)')}", f"rec . p = {self.integer(1)} % 20", "rec2 = rec",
            f"rec . q = {self.real(1)}", f"vec [ {self.dice.randrange(1, 4)} ] = {self.integer(1)} % 9",
            f"mat [ {self.dice.randrange(1, 3)} , {self.dice.randrange(1, 3)} ] = {self.integer(0)}", f"pv = {self.integer(1)} % 30",
            f"k = {self.integer(1)} % 5" if self.reckless else "k = abs ( i1 ) % 5", "x2 = x2 + 0.125",
            f"cnt = Count (| n = {self.natural(1)} , s = < 1 , {self.natural(1)} > |)"])

    def communication(self, machine):
        name = self.pick(machine["sends"])
        kind = machine["sends"][name]
        return f"send {name}" if kind is None else f"{name} ! ( {self.value(kind)} )"

    def reception(self, machine):
        name = self.pick(machine["receives"])
        kind = machine["receives"][name]
        if kind is None:
            return name
        return f"{name} ? {self.pick(self.VARIABLES[kind])}"

    def statement(self, machine, blocking, depth=2):
        choices = ["assign"] * 6 + ["reset", "skip"]
        if self.budget > 0:
            choices += ["send"] * 4 + ["call"] * 3
        if depth:
            choices += ["if", "deadline"]
        if blocking:
            choices += ["wait", "wait", "receive", "perform"]
        what = self.pick(choices)
        if what == "assign":
            return self.assignment()
        if what in ("send", "call"):
            self.budget -= 1
        if what == "send":
            return self.communication(machine)
        if what == "call":
            return self.pick([f"seen ( {self.integer(1)} , {self.real(1)} )", f"counted ( {self.natural(1)} )", f"effect ( {self.integer(1)} % 40 )", "hidden ( )"])
        if what == "reset":
            return self.pick(["# C", "# D"])
        if what == "if":
            other = f" else {self.action(machine, blocking, depth - 1)}" if self.chance(0.5) else ""
            return f"if {self.boolean(1)} then {self.action(machine, blocking, depth - 1)}{other} end"
        if what == "deadline":
            limit = self.dice.randrange(3) if self.reckless else 9
            return f"( {self.action(machine, blocking and self.chance(0.5), depth - 1)} ) <{{ {limit} }}"
        if what == "wait":
            return self.pick([f"wait ( {self.dice.randrange(4)} )", f"wait ( [ {self.dice.randrange(2)} , {self.dice.randrange(2, 5)} ] )"])
        if what == "receive":
            return self.reception(machine) if self.chance(0.3) else "wait ( 1 )"
        if what == "perform":
            return f"work ( {self.integer(1)} % 6 )" if machine["performs"] else "wait ( 0 )"
        return "skip"

    def emitting(self, machine, blocking, chance):
        """An action that may emit: the same twice in a cycle ends the run, so most emit little."""
        self.budget = 3 if self.reckless else int(self.chance(chance))
        text = self.action(machine, blocking)
        self.budget = 0
        return text

    def action(self, machine, blocking, depth=2):
        return " ; ".join(self.statement(machine, blocking, depth) for _ in range(self.dice.randrange(1, 4)))

    # ---- machines

    def transition(self, lines, source, target, words):
        lines.append(f"transition {self.name('t')} {{ from {source} to {target} {words} }}")

    def ways(self, machine, lines, source, targets):
        """Transitions out of a state."""
        for _ in range(self.dice.randrange(0, 4)):
            words = []
            target = self.pick(targets)
            guarded = self.chance(0.5)
            if self.chance(0.6):
                name = self.pick(machine["receives"])
                kind = machine["receives"][name]
                if kind is None:
                    words.append(f"trigger {name}")
                else:
                    words.append(f"trigger {name} ? {self.pick(self.VARIABLES[kind])}")
                if self.reckless and self.chance(0.1):
                    words.append("<{ 6 }")
            else:
                guarded = True
            if self.chance(0.3):
                words.append("# C")
            if guarded:
                words.append(f"condition {self.boolean(1, clocks=True)}")
            if self.chance(0.5):
                words.append(f"action {self.emitting(machine, self.chance(0.3), 0.5)}")
            # where nothing has to happen for it, the machine would never rest
            if not any(word.startswith("trigger") for word in words):
                words = [word for word in words if not word.startswith("condition")]
                words.insert(0, f"condition since ( C ) >= {self.dice.randrange(1, 4)} /\\ {self.boolean(1, clocks=True)}")
                if self.chance(0.9):
                    words.insert(0, "# C")
            self.transition(lines, source, target, " ".join(self.ordered(words)))

    @staticmethod
    def ordered(words):
        order = ("trigger", "#", "<{", "condition", "action")
        unique = []
        for word in words:
            if word not in unique:
                unique.append(word)
        return sorted(unique, key=lambda word: next(i for i, o in enumerate(order) if word.startswith(o)))

    def body(self, machine, depth, in_state):
        """Nodes and transitions of a machine or of a composite state."""
        lines = []
        initial = self.name("i")
        lines.append(f"initial {initial}")
        states = [self.name("S") for _ in range(self.dice.randrange(1, 4))]
        targets = list(states)
        junctions = []
        for kind, chance in (("junction", 0.4), ("probabilistic", 0.4)):
            if self.chance(chance):
                junctions.append((self.name("j"), kind))
                targets.append(junctions[-1][0])
        final = None
        if self.chance(0.3 if in_state or machine["operation"] else 0.1) or machine["operation"] and not in_state:
            final = self.name("f")
            lines.append(f"final {final}")
            targets.append(final)
        for state in states:
            inner = []
            if self.chance(0.6):
                inner.append(f"entry {self.emitting(machine, self.chance(0.3), 0.2)}")
            if self.chance(0.3):
                inner.append(f"during {self.emitting(machine, self.chance(0.5), 0.2)}")
            if self.chance(0.3):
                inner.append(f"exit {self.emitting(machine, self.chance(0.15), 0.1)}")
            if depth and self.chance(0.35):
                inner += self.body(machine, depth - 1, True)
            lines.append("state " + state + " { " + "\n  ".join(inner) + " }")
            self.ways(machine, lines, state, targets)
        for name, kind in junctions:
            lines.append(f"{kind} {name}")
            self.transition(lines, self.pick(states), name, f"trigger {self.pick([n for n, k in machine['receives'].items() if k is None])}")
            if kind == "junction":
                self.transition(lines, name, self.pick(states), f"condition {self.boolean(1)}")
                if self.chance(0.8):
                    self.transition(lines, name, self.pick(states), "condition else")
                else:
                    self.transition(lines, name, self.pick(states), f"condition {self.boolean(1)} action {self.assignment()}")
            else:
                for p in self.pick([("0.25", "0.75"), ("0.1", "0.2", "0.7"), ("1.0",), ("0.5", "0.0", "0.5")]):
                    self.transition(lines, name, self.pick(states), f"probability {p}" + (f" action {self.assignment()}" if self.chance(0.3) else ""))
        if final:
            self.transition(lines, self.pick(states), final, f"condition since ( D ) >= {self.dice.randrange(1, 6)}")
        self.transition(lines, initial, self.pick(states), f"action {self.action(machine, False)}" if self.chance(0.4) else "")
        return lines

    def machine(self, head, machine):
        lines = [head + " {", "requires Vars requires Ops"]
        if machine["performs"]:
            lines.append("requires Works")
        if not machine["operation"]:
            lines.append(f"const lim : nat = {self.dice.randrange(1, 5)}")
        lines.append("var i1 : int = 1 , i2 : int , x1 : real = 0.5 , x2 : real , b1 : boolean , c1 : Colour = Colour::green , k : nat")
        lines.append("var sq : Seq(int) = < 3 , 1 , 2 > , rec : Pair , rec2 : Pair , vec : vector(int,3) , mat : matrix(int,2,2) , "
                     "cnt : Count = Count (| n = 2 , s = < 1 > |)")
        for name, kind in {**machine["receives"], **machine["sends"]}.items():
            lines.append(f"event {name}" + (f" : {kind}" if kind else ""))
        lines.append("clock C clock D")
        lines += self.body(machine, 2, False)
        return "\n  ".join(lines) + "\n}"

    def text(self):
        first_in = {n: k for n, k in INPUTS.items() if n in ("e0", "e1") or self.chance(0.5)}
        rest_in = {n: k for n, k in INPUTS.items() if n not in first_in}
        first_out = {n: k for n, k in OUTPUTS.items() if n == "o0" or self.chance(0.5)}
        rest_out = {n: k for n, k in OUTPUTS.items() if n not in first_out}
        forth = {n: BETWEEN[n][0] for n in ("m0", "m1")}
        back = {"m2": BETWEEN["m2"][0]}
        a = {"receives": {**first_in, **back}, "sends": {**first_out, **forth}, "performs": True, "operation": False}
        b = {"receives": {**rest_in, **forth}, "sends": {**rest_out, **back}, "performs": False, "operation": False}
        work = {"receives": {"e0": None}, "sends": {"o0": None}, "performs": False, "operation": True}
        parts = [HEAD.format(pv=self.dice.randrange(5)), "interface Works { work ( w : int ) }"]
        parts.append(self.machine("operation work ( w : int )", work))
        parts.append(self.machine("stm A", a))
        parts.append(self.machine("stm B", b))
        one = self.chance(0.5)  # both machines in one controller
        parts.append(self.controllers(a, b, one))
        parts.append(self.module(a, b, one))
        return "\n".join(parts) + "\n"

    @staticmethod
    def events(of):
        return " ".join(f"event {n}" + (f" : {k}" if k else "") for n, k in of.items())

    def controllers(self, a, b, one):
        async_ = {n: " ( _async )" if BETWEEN[n][1] else "" for n in BETWEEN}
        texts = []
        if one:
            outer = {n: k for m in (a, b) for n, k in {**m["receives"], **m["sends"]}.items() if n not in BETWEEN}
            lines = ["controller K {", "requires Vars requires Ops", "opref work = work", self.events(outer), "sref a = A", "sref b = B"]
            for ref, m in (("a", a), ("b", b)):
                lines += [f"connection K on {n} to {ref} on {n}" for n in m["receives"] if n not in BETWEEN]
                lines += [f"connection {ref} on {n} to K on {n}" for n in m["sends"] if n not in BETWEEN]
            lines += [f"connection a on {n} to b on {n}{async_[n]}" for n in ("m0", "m1")]
            lines.append("connection b on m2 to a on m2")
            texts.append("\n  ".join(lines) + "\n}")
        else:
            for ref, m in (("a", a), ("b", b)):
                name = "K" + ref
                lines = [f"controller {name} {{", "requires Vars requires Ops", self.events({**m["receives"], **m["sends"]})]
                if m["performs"]:
                    lines.append("opref work = work")
                lines.append(f"sref {ref} = {ref.upper()}")
                lines += [f"connection {name} on {n} to {ref} on {n}" for n in m["receives"]]
                lines += [f"connection {ref} on {n} to {name} on {n}" for n in m["sends"]]
                texts.append("\n  ".join(lines) + "\n}")
        return "\n".join(texts)

    def module(self, a, b, one):
        cycle = self.pick(["1", "1", "1", "2", "3", "0.1", "0.7"])
        lines = [f"module R{self.number:04d} {{", f"cycleDef cycle == {cycle}",
                 "robotic platform P { provides Vars provides Ops " + self.events(INPUTS) + " " + self.events(OUTPUTS) + " }"]
        lines += ["cref c = K"] if one else ["cref ca = Ka", "cref cb = Kb"]
        for ref, m in (("c" if one else "ca", a), ("c" if one else "cb", b)):
            lines += [f"connection P on {n} to {ref} on {n} ( _async )" for n in m["receives"] if n not in BETWEEN]
            lines += [f"connection {ref} on {n} to P on {n} ( _async )" for n in m["sends"] if n not in BETWEEN]
        if not one:
            lines += [f"connection ca on {n} to cb on {n}" + (" ( _async )" if BETWEEN[n][1] else "") for n in ("m0", "m1")]
            lines.append("connection cb on m2 to ca on m2")
        return "\n  ".join(lines) + "\n}"


def write(folder, first, count):
    """The files, in order."""
    files = []
    for number in range(first, first + count):
        file = pathlib.Path(folder) / f"r{number:04d}.rct"
        file.write_text(Chart(number).text(), encoding="utf-8")
        files.append(file)
    return files


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
