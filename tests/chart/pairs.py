# SPDX-License-Identifier: MIT
"""Constructs of RoboChart in pairs. A *piece* is one construct as a part of a machine: nodes that are entered at FIRST and left to
NEXT, and what happens from the cycle K on in which they are entered: inputs that are given, what is emitted, the cycle in which NEXT
is reached. So what two pieces do together is known without running anything. Each pair is four machines: one behind the other, in
both orders; the first in a composite state and the second behind it, both ways. `module(name)` has all pairs of one construct."""
from fragments import Cycle, Expected

PIECES = {}


def piece(make):
    PIECES[make.__name__] = make
    return make


class Part:
    """One piece at one place: ID makes its names unique. Texts for the places of a module that it needs."""

    def __init__(self, part_id, after):
        self.id, self.next = part_id, after
        self.nodes, self.declared, self.first = "", "", f"S{part_id}"
        self.inputs, self.outputs, self.operations, self.variables, self.definitions, self.echoes = [], [], [], [], [], []
        self.given, self.emitted, self.end = [], [], 0

    def name(self, word, kind=None):
        """An event of the platform, with its type."""
        full = f"{word}{self.id}"
        (self.inputs if word in "abn" else self.outputs).append((full, kind))
        return full

    def state(self, body=""):
        self.nodes += f" state S{self.id} {{ {body} }}"

    def leave(self, how="", source=None, number=0):
        self.nodes += f" transition o{self.id}_{number} {{ from {source or self.first} to {self.next} {how} }}"

    def happens(self, after, word, value=None):
        self.emitted.append((after, f"{word}{self.id}", [] if value is None else [str(value)]))

    def gets(self, after, word, value=None):
        self.given.append((after, f"{word}{self.id}", value))


# ---- the constructs

@piece
def entry(p):
    p.state(f"entry send {p.name('x')}")
    p.leave()
    p.happens(0, "x")


@piece
def exit_action(p):
    p.state(f"exit send {p.name('x')}")
    p.leave()
    p.happens(0, "x")


@piece
def during(p):
    p.state(f"during send {p.name('x')} ; wait ( 5 ) ; send {p.name('y')}")
    p.leave(f"trigger {p.name('a')}")
    p.happens(0, "x")
    p.gets(2, "a")
    p.end = 2


@piece
def wait(p):
    p.state(f"entry wait ( 2 ) ; send {p.name('x')}")
    p.leave()
    p.happens(2, "x")
    p.end = 2


@piece
def wait_interval(p):
    p.state(f"entry wait ( [ 1 , 1 ] ) ; send {p.name('x')}")
    p.leave()
    p.happens(1, "x")
    p.end = 1


@piece
def trigger(p):
    p.state()
    p.leave(f"trigger {p.name('a')} action send {p.name('x')}")
    p.gets(1, "a")
    p.happens(1, "x")
    p.end = 1


@piece
def trigger_value(p):
    p.declared = f"var v{p.id} : int"
    p.state()
    p.leave(f"trigger {p.name('n', 'int')} ? v{p.id} action send {p.name('z', 'int')} ! v{p.id}")
    p.gets(1, "n", 5)
    p.happens(1, "z", 5)
    p.end = 1


@piece
def guard_on_value(p):
    p.declared = f"var v{p.id} : int"
    p.state()
    p.leave(f"trigger {p.name('n', 'int')} ? v{p.id} condition v{p.id} > 10 action send {p.name('z', 'int')} ! v{p.id}")
    p.gets(1, "n", 3)
    p.gets(2, "n", 11)
    p.happens(2, "z", 11)
    p.end = 2


@piece
def junction(p):
    p.declared = f"var v{p.id} : int"
    p.state()
    p.nodes += f" junction J{p.id} transition j{p.id} {{ from S{p.id} to J{p.id} }}"
    p.leave(f"condition v{p.id} > 0 action send {p.name('x')}", f"J{p.id}", 1)
    p.leave(f"condition else action send {p.name('y')}", f"J{p.id}", 2)
    p.happens(0, "y")


@piece
def probabilistic(p):
    p.state()
    p.nodes += f" probabilistic J{p.id} transition j{p.id} {{ from S{p.id} to J{p.id} }}"
    p.leave(f"probability 0.0 action send {p.name('x')}", f"J{p.id}", 1)
    p.leave(f"probability 1.0 action send {p.name('y')}", f"J{p.id}", 2)
    p.happens(0, "y")


@piece
def clock(p):
    p.declared = f"clock T{p.id}"
    p.state(f"entry # T{p.id}")
    p.leave(f"condition since ( T{p.id} ) >= 2 action send {p.name('x')}")
    p.happens(2, "x")
    p.end = 2


@piece
def since_entry(p):
    p.state()
    p.leave(f"condition sinceEntry ( S{p.id} ) >= 1 action send {p.name('x')}")
    p.happens(1, "x")
    p.end = 1


@piece
def composite(p):
    p.state(f"initial i state I {{ entry send {p.name('x')} }} state K {{ exit send {p.name('y')} }} transition t0 {{ from i to I }}"
            f" transition t1 {{ from I to K trigger {p.name('a')} }}")
    p.leave(f"trigger {p.name('b')}")
    p.happens(0, "x")
    p.gets(1, "a")
    p.gets(2, "b")
    p.happens(2, "y")
    p.end = 2


@piece
def final(p):
    p.state(f"initial i state I {{ exit send {p.name('x')} }} final f transition t0 {{ from i to I }} transition t1 {{ from I to f }}")
    p.leave(f"trigger {p.name('a')}")
    p.happens(0, "x")
    p.gets(1, "a")
    p.end = 1


@piece
def deadline(p):
    p.state(f"entry ( wait ( 1 ) ; send {p.name('x')} ) <{{ 2 }}")
    p.leave()
    p.happens(1, "x")
    p.end = 1


@piece
def trigger_deadline(p):
    p.state()
    p.leave(f"trigger {p.name('a')} <{{ 3 }} action send {p.name('x')}")
    p.gets(2, "a")
    p.happens(2, "x")
    p.end = 2


@piece
def receive(p):
    p.declared = f"var v{p.id} : int"
    p.state(f"entry {p.name('n', 'int')} ? v{p.id} ; send {p.name('z', 'int')} ! v{p.id}")
    p.leave()
    p.gets(1, "n", 4)
    p.happens(1, "z", 4)
    p.end = 1


@piece
def receive_one_value(p):
    p.state(f"entry {p.name('n', 'int')} . 6 ; send {p.name('x')}")
    p.leave()
    p.gets(1, "n", 4)
    p.gets(2, "n", 6)
    p.happens(2, "x")
    p.end = 2


@piece
def if_statement(p):
    p.declared = f"var v{p.id} : int"
    p.state(f"entry if v{p.id} == 0 then send {p.name('x')} else send {p.name('y')} end")
    p.leave()
    p.happens(0, "x")


@piece
def self_transition(p):
    p.state(f"entry skip ; send {p.name('x')}")
    p.nodes += f" transition s{p.id} {{ from S{p.id} to S{p.id} trigger {p.name('a')} }}"
    p.leave(f"trigger {p.name('b')}")
    p.happens(0, "x")
    p.gets(1, "a")
    p.happens(1, "x")
    p.gets(2, "b")
    p.end = 2


@piece
def visible_operation(p):
    p.operations.append((f"f{p.id}", "q : int"))
    p.state(f"entry f{p.id} ( 7 )")
    p.leave()
    p.happens(0, "f", 7)


@piece
def operation_machine(p):
    p.state(f"entry g ( 1 ) ; send {p.name('x')}")
    p.leave()
    p.happens(1, "x")
    p.end = 1


@piece
def operation_effect(p):
    p.variables.append(f"u{p.id}")
    p.operations.append((f"h{p.id}", "q : int"))
    p.definitions.append(f"operation h{p.id} ( q : int ) {{ requires V terminates postcondition u{p.id} == q + 1 }}")
    p.state(f"entry h{p.id} ( 3 ) ; send {p.name('z', 'int')} ! u{p.id}")
    p.leave()
    p.happens(0, "z", 4)


@piece
def platform_variable(p):
    p.variables.append(f"u{p.id}")
    p.state(f"entry u{p.id} = 8 ; u{p.id} = u{p.id} + 1 ; send {p.name('z', 'int')} ! u{p.id}")
    p.leave()
    p.happens(0, "z", 9)


@piece
def function(p):
    p.state(f"entry send {p.name('z', 'int')} ! down ( 4 )")
    p.leave()
    p.happens(0, "z", 10)


@piece
def record_and_sequence(p):
    p.declared = f"var r{p.id} : R"
    p.state(f"entry r{p.id} = R (| p = 1 , q = < 2 , 3 > |) ; r{p.id} . p = 5 ; send {p.name('z', 'int')} ! ( r{p.id} . p + size ( r{p.id} . q ) )")
    p.leave()
    p.happens(0, "z", 7)


@piece
def vector_and_tuple(p):
    p.declared = f"var w{p.id} : vector ( int , 2 ) = [| 1 , 2 |] , t{p.id} : int * boolean = (| 3 , true |)"
    p.state(f"entry w{p.id} [ 2 ] = 4")
    p.leave(f"condition t{p.id} [ 2 ] action send {p.name('z', 'int')} ! ( w{p.id} [ 1 ] + w{p.id} [ 2 ] + t{p.id} [ 1 ] )")
    p.happens(0, "z", 8)


@piece
def enumeration(p):
    p.declared = f"var e{p.id} : E = E::one"
    p.state(f"entry if e{p.id} == E::one then e{p.id} = E::two end")
    p.leave(f"condition e{p.id} == E::two action send {p.name('x')}")
    p.happens(0, "x")


@piece
def quantifier(p):
    p.state()
    p.leave(f"condition ( exists k : int | k in < 1 , 2 > @ k == 2 ) /\\ ( forall d : E @ d in {{ E::one , E::two }} ) action send {p.name('x')}")
    p.happens(0, "x")


@piece
def let_and_if(p):
    p.state(f"entry send {p.name('z', 'int')} ! ( let q == 2 @ if q > 1 then q * 3 else 0 end )")
    p.leave()
    p.happens(0, "z", 6)


def message(p, how):
    """To another machine, which answers."""
    p.state(f"entry send ping{p.id}")
    p.leave(f"trigger pong{p.id} action send {p.name('x')}")
    p.echoes.append((p.id, how))
    p.happens(2, "x")
    p.end = 2


@piece
def synchronous(p):
    message(p, "")


@piece
def asynchronous(p):
    message(p, "( _async )")


# ---- machines and modules

def build(name, part_id, after):
    p = Part(part_id, after)
    PIECES[name](p)
    return p


class Machine:
    """Two pieces; NESTED: the first is in a composite state that is left by an event when it has ended."""

    def __init__(self, number, first, second, nested):
        self.label = f"{first} {'in a state, then' if nested else 'then'} {second}"
        self.name = f"M{number}"
        one = build(first, f"_{number}_1", "done" if nested else f"S_{number}_2")
        two = build(second, f"_{number}_2", "End")
        self.parts = [one, two]
        self.inputs = []
        if nested:
            self.inputs = [(f"g_{number}", None)]
            nodes = (f"state O {{ initial i final done transition t {{ from i to {one.first} }} {one.nodes} }}"
                     f" transition go {{ from O to {two.first} trigger g_{number} }} {two.nodes}")
            begin = one.end + 1
        else:
            nodes, begin = f"{one.nodes} {two.nodes}", one.end
        self.nodes = f"initial i state End {{ }} transition t {{ from i to {'O' if nested else one.first} }} {nodes}"
        self.given = [(k, event, value) for k, event, value in one.given] + [(begin + k, event, value) for k, event, value in two.given]
        self.given += [(begin, f"g_{number}", None)] if nested else []
        self.emitted = one.emitted + [(begin + k, event, values) for k, event, values in two.emitted]
        self.end = begin + two.end

    def all(self, what):
        return [item for part in self.parts for item in getattr(part, what)]

    def text(self):
        events = {f"event {name}" + (f" : {kind}" if kind else "")
                  for name, kind in self.inputs + self.all("inputs") + self.all("outputs")}
        events |= {f"event {word}{part_id}" for part_id, _ in self.all("echoes") for word in ("ping", "pong")}
        return (f"stm {self.name} {{ requires V requires O requires G {' '.join(sorted(events))} "
                f"{' '.join(part.declared for part in self.parts)}\n  {self.nodes} }}\n")

    def wiring(self):
        lines = [f"connection C on {name} to {self.name} on {name}" for name, _ in set(self.inputs + self.all("inputs"))]
        lines += [f"connection {self.name} on {name} to C on {name}" for name, _ in set(self.all("outputs"))]
        for part_id, how in self.all("echoes"):
            lines += [f"connection {self.name} on ping{part_id} to E{part_id} on ping {how}",
                      f"connection E{part_id} on pong to {self.name} on pong{part_id} {how}",
                      f"stm E{part_id} {{ event ping event pong initial i state W {{ }} transition t0 {{ from i to W }}"
                      f" transition t1 {{ from W to W trigger ping action send pong }} }}"]
        return sorted(lines)


HEAD = """package pairs
enumeration E { one two }
record R { p : int q : Seq ( int ) }
function down ( n : int ) : int { postcondition result == if n <= 0 then 0 else n + down ( n - 1 ) end }
operation g ( d : nat ) { initial i state W { entry wait ( d ) } final e transition t0 { from i to W } transition t1 { from W to e } }
interface G { g ( d : nat ) }
"""


def machines_of(construct):
    """Those of all pairs of CONSTRUCT with itself and with those behind it in the list."""
    names = list(PIECES)
    machines = []
    for other in names[names.index(construct):]:
        for nested in (False, True):
            for first, second in dict.fromkeys([(construct, other), (other, construct)]):
                machines.append(Machine(len(machines), first, second, nested))
    return machines


def module(construct):
    """Its text, and what is expected of it."""
    machines = machines_of(construct)
    inputs = sorted({event for m in machines for event in m.inputs + m.all("inputs")}, key=str)
    outputs = sorted({event for m in machines for event in m.all("outputs")}, key=str)
    events = " ".join(f"event {name}" + (f" : {kind}" if kind else "") for name, kind in inputs + outputs)
    operations = " ".join(f"{name} ( {arguments} )" for m in machines for name, arguments in m.all("operations"))
    variables = " ".join(f"var {name} : int" for m in machines for name in m.all("variables"))
    text = HEAD + f"interface V {{ {variables} var unused : int }}\ninterface O {{ {operations} nothing ( ) }}\n"
    text += "".join(f"{definition}\n" for m in machines for definition in m.all("definitions"))
    text += f"module M {{ robotic platform P {{ provides V provides O {events} }} cref c = C\n"
    text += "".join(f"connection P on {name} to c on {name} ( _async )\n" for name, _ in inputs)
    text += "".join(f"connection c on {name} to P on {name} ( _async )\n" for name, _ in outputs)
    text += f"}}\ncontroller C {{ requires V requires O {events} opref g = g\n"
    text += "".join(m.text() + "".join(f"{line}\n" for line in m.wiring()) for m in machines) + "}\n"
    cycles = [Cycle() for _ in range(max(m.end for m in machines) + 2)]
    for m in machines:
        for k, event, value in m.given:
            cycles[k].given[event] = "1"
            if value is not None:
                cycles[k].given[f"{event}_value"] = str(value)
        for k, event, values in m.emitted:
            cycles[k].emitted[event] = values
        for k in range(len(cycles)):
            if k >= m.end:
                cycles[k].values[f"c.{m.name}.state"] = "End"
    return text, Expected(cycles, {}, []), machines
