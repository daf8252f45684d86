# SPDX-License-Identifier: MIT
"""RoboChart machines by a seed: well formed, with states in states, junctions, draws, and texts of all lengths."""
import random

WORDS = ("speed", "angle", "limit", "near", "level", "obstacleDistance", "turnTime", "x", "filteredConcentration", "n")
EVENTS = ("go", "stop", "found", "obstacleIsNear", "tick", "e")


class Machine:
    """A module with one machine of STATES states, in all levels."""

    def __init__(self, seed, states):
        self.draw = random.Random(seed)
        self.left, self.names, self.ways = states, 0, 0
        body = self.level(0)
        self.text = self.module(body)

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}" if self.draw.random() < 0.8 else f"{kind}WithALongerName{self.names}"

    def number(self):
        return self.draw.choice(WORDS)

    def comparison(self):
        return f"{self.number()} {self.draw.choice(('<', '>', '<=', '=='))} {self.draw.choice((self.number(), '3'))}"

    def condition(self):
        return " /\\ ".join(self.comparison() for _ in range(self.draw.choice((1, 1, 1, 2, 6))))

    def action(self):
        def one():
            return self.draw.choice((f"{self.number()} = {self.number()} + 1", f"{self.number()} = 0", "skip",
                                     f"if {self.comparison()} then {self.number()} = 2 else {self.number()} = 3 end"))
        return " ; ".join(one() for _ in range(self.draw.choice((1, 1, 1, 2, 3, 12))))

    def state(self, depth):
        self.left -= 1
        lines = [f"{word} {self.action()}" for word in ("entry", "during", "exit") if self.draw.random() < 0.25]
        if depth < 3 and self.left > 3 and self.draw.random() < 0.25:
            lines += self.level(depth + 1)
        name = self.name("S")
        return name, [f"state {name} {{"] + lines + ["}"]

    def transition(self, source, target, *parts):
        self.ways += 1
        return f"transition t{self.ways} {{ from {source} to {target} {' '.join(parts)} }}"

    def leaving(self, source, targets):
        """A transition out of a state."""
        parts = [f"trigger {self.draw.choice(EVENTS)}"] if self.draw.random() < 0.6 else []
        if self.draw.random() < 0.3:
            parts.append("# C")
        if self.draw.random() < 0.4 or not parts:
            parts.append(f"condition {self.condition()}")
        if self.draw.random() < 0.3:
            parts.append(f"action {self.action()}")
        return self.transition(source, self.draw.choice(targets), *parts)

    def level(self, depth):
        """What is in a machine or a state."""
        count = max(1, self.left if depth == 0 else min(self.left, self.draw.randint(1, 6)))
        lines, states = [], []
        while count > 0 and self.left > 0:
            before = self.left
            name, text = self.state(depth)
            states.append(name)
            lines += text
            count -= before - self.left if depth == 0 else 1
        initial, ends = self.name("i"), list(states)
        lines.append(f"initial {initial}")
        lines.append(self.transition(initial, states[0]))
        if self.draw.random() < 0.5:
            ends.append(self.name("f"))
            lines.append(f"final {ends[-1]}")
        for kind in ("junction", "probabilistic"):
            if self.draw.random() < 0.5:
                lines += self.junction(kind, states, ends)
        for a, b in zip(states, states[1:]):
            lines.append(self.leaving(a, [b]))
        for state in states:
            lines += [self.leaving(state, ends) for _ in range(self.draw.choice((0, 1, 1, 2)))]
        return lines

    def junction(self, kind, states, ends):
        name = self.name("j")
        shares = {2: ("0.25", "0.75"), 3: ("0.1", "0.2", "0.7")}[self.draw.choice((2, 3))]
        lines = [f"{kind} {name}", self.leaving(self.draw.choice(states), [name])]
        for k, share in enumerate(shares):
            part = f"probability {share}" if kind == "probabilistic" else \
                f"condition {self.condition()}" if k + 1 < len(shares) else "condition else"
            lines.append(self.transition(name, self.draw.choice(ends), part))
        return lines

    def module(self, body):
        events = " ".join(f"event {e}" for e in EVENTS)
        lines = ["package Generated", "module M {", f"  robotic platform P {{ {events} }}", "  controller K {", f"    {events}",
                 f"    stm m {{ {events}", "      clock C", "      var " + ", ".join(f"{w} : int" for w in WORDS)]
        lines += ["      " + line for line in body] + ["    }"]
        lines += [f"    connection K on {e} to m on {e}" for e in EVENTS] + ["  }"]
        lines += [f"  connection P on {e} to K on {e} ( _async )" for e in EVENTS] + ["}"]
        return "\n".join(lines) + "\n"
