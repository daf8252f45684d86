# SPDX-License-Identifier: MIT
"""Small modules around one machine, for tests of what can be explored."""


def module(body, inputs=("a", "b"), outputs=("x", "y"), variables="", types="", declarations="", operations=""):
    """A module with a machine S; an event is a name, or a name with its type: "n : nat"."""
    def events(names):
        return " ".join(f"event {name}" for name in names)

    def plain(name):
        return name.split(":", 1)[0].strip()
    every = events(inputs) + " " + events(outputs)
    required = "requires Ops" if operations else ""
    lines = [f"connection C on {plain(e)} to S on {plain(e)}" for e in inputs]
    lines += [f"connection S on {plain(e)} to C on {plain(e)}" for e in outputs]
    around = [f"connection P on {plain(e)} to C on {plain(e)} ( _async )" for e in inputs]
    around += [f"connection C on {plain(e)} to P on {plain(e)} ( _async )" for e in outputs]
    interface = f"interface Ops {{ {operations} }}" if operations else ""
    provided = "provides Ops" if operations else ""
    new = "\n"
    return f"""{types}
{interface}
module M {{
  robotic platform P {{ {provided} {every} }}
  controller C {{
    {required}
    {every}
    stm S {{
      {required}
      {every}
      {variables}
      {declarations}
      {body}
    }}
    {new.join(lines)}
  }}
  {new.join(around)}
}}
"""


# Machines whose verdicts spin finds, too: name -> (text, options, what is broken, what is never reached).
STATES = """initial i state A {} state B {} transition t0 { from i to A } """

# Two machines: one sends what the other receives under another name.
PAIR = """module M {
  robotic platform P { event a event b event x }
  controller C { event a event b event x
    stm S { event a event b event ping : nat initial i state A {} state B {} transition t0 { from i to A }
      transition t1 { from A to B trigger a action ping ! 2 } transition t2 { from B to A trigger b } }
    stm T { event pong : nat event x var v : nat initial i state D {} transition t0 { from i to D }
      transition t1 { from D to D trigger pong ? v action x } }
    connection C on a to S on a  connection C on b to S on b  connection S on ping to T on pong
    connection T on x to C on x }
  connection P on a to C on a ( _async )  connection P on b to C on b ( _async )  connection C on x to P on x ( _async )
}
"""

SPUN = {
    "what a machine receives": (PAIR, ["--property", "always ping then pong within 1 cycles", "--property", "never pong == 1",
                                       "--property", "always T.pong then x within 0 cycles", "--property", "never ping and pong and not S takes t1"],
                                set(), set()),
    "what is received is not what is sent": (PAIR, ["--property", "always ping then pong within 0 cycles"], {"property1"}, None),
    "a counter that nobody reads": (module(STATES + """transition t1 { from A to B trigger a action n = n + 1 }
        transition t2 { from B to A trigger b }""", variables="var n : nat"), [], set(), set()),
    "nothing is wrong": (module(STATES + """transition t1 { from A to B trigger a action x }
        transition t2 { from B to A trigger b }"""), [], set(), set()),
    "an output comes twice": (module(STATES + """transition t1 { from A to B trigger a action x }
        transition t2 { from B to A trigger b action x }"""), [], {"timelock"}, None),
    "a state without a way out": (module(STATES + """transition t1 { from A to B trigger a }"""), [],
                                  {"deadlock"}, None),
    "no progress": (module(STATES + """transition t1 { from A to B trigger a } transition t2 { from B to B }"""), [],
                    {"divergence"}, None),
    "a nat below 0": (module(STATES + """transition t1 { from A to A trigger a action n = n - 1 }
        transition t2 { from A to B trigger b action n = 2 } transition t3 { from B to A trigger b }""",
                             variables="var n : nat = 1"), [], {"arithmetic"}, None),
    "states that are never reached": (module(STATES + """state D {}
        transition t1 { from A to B trigger a condition n > 0 } transition t2 { from B to D trigger b }
        transition t3 { from D to A trigger b } transition t4 { from A to A trigger b }""", variables="var n : int"), [],
        set(), {"B", "D", "t1", "t2", "t3"}),
    "a clock": (module(STATES + """transition t1 { from A to B trigger a # T }
        transition t2 { from B to A condition since ( T ) >= 3 action x }
        transition t3 { from B to B trigger a condition since ( T ) > 3 }""", declarations="clock T"), [], set(),
        {"t3"}),
    "a deadline of a statement": (module("""initial i state A {} state B { entry ( wait ( n ) ; x ) <{ 2 } }
        transition t0 { from i to A } transition t1 { from A to B trigger a action n = 3 }
        transition t2 { from B to A }""", variables="var n : nat"), [], {"timelock"}, None),
    "a deadline that is kept": (module("""initial i state A {} state B { entry ( wait ( n ) ; x ) <{ 3 } }
        transition t0 { from i to A } transition t1 { from A to B trigger a action n = 3 }
        transition t2 { from B to A }""", variables="var n : nat"), [], set(), set()),
    "a trigger with a deadline": (module(STATES + """transition t1 { from A to B trigger a }
        transition t2 { from B to A trigger b <{ 2 } }"""), [], {"timelock"}, None),
    "a property when a deadline is missed": (module(STATES + """transition t1 { from A to B trigger b <{ 1 } condition k == 1 }
        transition t2 { from B to A trigger a action x }""", variables="var k : int"),
        ["--property", "always a then x within 1 cycles"], {"timelock", "property1"}, None),
    "waiting for any of some times": (module("""initial i state A { entry wait ( [ 1 , 3 ] ) ; x } state B {}
        transition t0 { from i to A } transition t1 { from A to B trigger a } transition t2 { from B to A trigger b }"""),
        ["--property", "always S takes t0 then x within 2 cycles"], {"property1"}, None),
    "waiting longer than 15 bits": (module("""initial i state A {} state B { entry wait ( 40000 ) ; x } transition t0 { from i to A }
        transition t1 { from A to B trigger a } transition t2 { from B to A trigger a }""", inputs=("a",), outputs=("x",)),
        ["--property", "always S takes t1 then x within 5 cycles"], {"property1"}, None),
    "waiting long enough": (module("""initial i state A { entry wait ( [ 1 , 3 ] ) ; x } state B {}
        transition t0 { from i to A } transition t1 { from A to B trigger a } transition t2 { from B to A trigger b }"""),
        ["--property", "always S takes t0 then x within 3 cycles"], set(), set()),
    "junctions and chances": (module("""initial i state A {} state B {} junction j probabilistic p
        transition t0 { from i to A } transition t1 { from A to j trigger a } transition t2 { from j to p condition n == 0 }
        transition t3 { from j to A condition else } transition t4 { from p to B probability 0.25 }
        transition t5 { from p to A probability 0.75 action n = 1 } transition t6 { from B to A trigger b }""",
                                     variables="var n : nat"), ["--property", "never S in B and n == 1"], set(), set()),
    "a chance that is not there": (module("""initial i state A {} state B {} probabilistic p
        transition t0 { from i to A } transition t1 { from A to p trigger a } transition t2 { from p to B probability 0.0 }
        transition t3 { from p to A probability 1.0 } transition t4 { from B to A trigger b }"""), [], set(),
        {"B", "t2", "t4"}),
    "states in a state": (module("""initial i state A {} state O { entry x exit y
            initial k state I {} state J { exit n = n + 1 } transition s0 { from k to I }
            transition s1 { from I to J trigger a } final f transition s2 { from J to f trigger b condition n == 1 } }
        transition t0 { from i to A } transition t1 { from A to O trigger a action n = 0 }
        transition t2 { from O to A trigger b condition n == 2 } transition t3 { from O to A trigger b condition n == 0 }""",
                                 variables="var n : nat"), ["--property", "never n > 1"], set(), {"f", "s2", "t2"}),
    "the end of a state in a state": (module("""initial i state A {} state O { entry x exit y
            initial k state I {} final f transition s0 { from k to I } transition s1 { from I to f trigger b } }
        transition t0 { from i to A } transition t1 { from A to O trigger a action n = 0 }
        transition t2 { from O to A trigger a }""", variables="var n : nat"),
                                      ["--property", "always y then S in A within 0 cycles"], set(), set()),
    "during actions": (module("""initial i state A { during wait ( 2 ) ; x } state B { during n = n + 1 }
        transition t0 { from i to A } transition t1 { from A to B trigger a } transition t2 { from B to A trigger b action n = 0 }""",
                              variables="var n : nat"),
                       ["--property", "never x and not S in A", "--property", "always n < 2"], set(), set()),
    "a during action that goes on": (module("""initial i state A { during wait ( 2 ) ; x } state B {}
        transition t0 { from i to A } transition t1 { from A to B trigger a } transition t2 { from B to A trigger b }"""),
        ["--property", "always S takes t2 then x within 1 cycles"], {"property1"}, None),
    "receiving in an action": (module("""initial i state A { entry n ? v ; x } state B {}
        transition t0 { from i to A } transition t1 { from A to B trigger a condition v == 2 }
        transition t2 { from B to A trigger a } transition t3 { from A to A trigger a condition v != 2 }""",
                                      inputs=("a", "n : nat"), variables="var v : nat"),
                               ["--range", "n=1,2", "--property", "always x then v > 0 within 0 cycles"], set(), set()),
    "values that are guarded": (module(STATES + """transition t1 { from A to B trigger n ? v condition v == 2 }
        transition t2 { from B to A trigger n ? v condition v != 2 action o ! v }""", inputs=("n : nat",),
                                       outputs=("o : nat",), variables="var v : nat"),
                                ["--range", "n=0..3", "--property", "never o == 3"], {"property1"}, None),
    "a record": (module(STATES + """transition t1 { from A to B trigger a action r . p = 1 ; r . q = r . p + 1 ; s = r }
        transition t2 { from B to A trigger b condition s . q == 2 /\\ r == s }""",
                        types="record R { p : int q : int }", variables="var r : R , s : R"), [], set(), set()),
    "a sequence": (module(STATES + """transition t1 { from A to B trigger n ? v condition size ( v ) > 1 action w = tail ( v ) }
        transition t2 { from B to A trigger a condition exists e : nat | e in w @ e == 1 }
        transition t3 { from B to A trigger a condition not ( exists e : nat | e in w @ e == 1 ) action x }""",
                          inputs=("a", "n : Seq ( nat )"), variables="var v : Seq ( nat ) , w : Seq ( nat )"),
                   ["--range", "n=0,1", "--length", "n=2", "--property", "never x and w.size == 1"], {"property1"}, None),
    "else beside a state around it": (module("""initial i state O { initial k state I {} state J {} transition s0 { from k to I }
            transition s1 { from I to J trigger a condition else } transition s2 { from J to I trigger b } }
        transition t0 { from i to O } transition t1 { from O to O trigger a action x }"""), [], set(), set()),
    "halves": (module(STATES + """transition t1 { from A to B trigger a action v = v + 0.5 }
        transition t2 { from B to A trigger b condition v <= 1.0 } transition t3 { from B to A condition v > 1.0 action v = 0.0 }""",
                      variables="var v : real"), ["--property", "always v <= 1.5", "--property", "never v == 1.5"],
               set(), set()),
    "products with a constant": (module(STATES + """transition t1 { from A to B trigger a action v = v * k + 0.5 }
        transition t2 { from B to A trigger b condition 2.0 * v <= 5.0 } transition t3 { from B to A condition v * 2.0 > 5.0 action v = 2.0 * 0.0 }""",
                                        variables="var v : real const k : real = 3.0"),
                                 ["--property", "always v <= 7.0", "--property", "never v == 2.0"], {"property2"}, None),
    "termination": (module("""initial i state A {} final f transition t0 { from i to A }
        transition t1 { from A to f trigger a }"""), ["--property", "never S terminated"], {"property1"}, None),
    "an operation twice": (module(STATES + """transition t1 { from A to B trigger a action go ( 1 ) }
        transition t2 { from B to A trigger b action go ( 2 ) }""", operations="go ( n : int )"), [], {"timelock"}, None),
    "an operation with a value": (module(STATES + """transition t1 { from A to B trigger a action go ( 1 ) ; wait ( 1 ) }
        transition t2 { from B to A trigger b action wait ( 1 ) ; go ( 2 ) ; wait ( 1 ) }""", operations="go ( n : int )"),
                                  ["--property", "never go_n == 2"], {"property1"}, None),
}
