# SPDX-License-Identifier: MIT
"""A slave for PythonFMU: a first-order lag that carries every kind of value, and fails on demand."""
from pythonfmu import Boolean, Fmi2Causality, Fmi2Slave, Fmi2Variability, Integer, Real, String


class Lag(Fmi2Slave):
    author = "hocket"
    description = "y follows u with the time constant tau"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.y = 0.0
        self.tau = 0.5
        self.fail_at = -1.0
        self.steps = 0
        self.step_offset = 0
        self.above = False
        self.inverted = False
        self.label = "lag"
        self.report = ""
        inputs = {"causality": Fmi2Causality.input}
        outputs = {"causality": Fmi2Causality.output}
        parameters = {"causality": Fmi2Causality.parameter, "variability": Fmi2Variability.tunable}
        discrete = {"variability": Fmi2Variability.discrete}
        self.register_variable(Real("u", **inputs))
        self.register_variable(Real("y", **outputs))
        self.register_variable(Real("tau", **parameters))
        self.register_variable(Real("fail_at", **parameters))
        self.register_variable(Integer("step_offset", **inputs, **discrete))
        self.register_variable(Integer("steps", **outputs, **discrete))
        self.register_variable(Boolean("inverted", **inputs, **discrete))
        self.register_variable(Boolean("above", **outputs, **discrete))
        self.register_variable(String("label", **parameters))
        self.register_variable(String("report", **outputs, **discrete))

    def do_step(self, current_time, step_size):
        if 0 <= self.fail_at <= current_time:
            raise ValueError("the lag has had enough")
        self.y += step_size * (self.u - self.y) / self.tau
        self.steps += 1 + self.step_offset
        self.above = (self.y > 0.5) != self.inverted
        self.report = f"{self.label} {self.steps}"
        return True
