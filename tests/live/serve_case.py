# SPDX-License-Identifier: MIT
"""What is served in the tests: a system with a parameter, and a record."""

SYSTEM = """system tank {
  composite all {
    leaf ramp : hk.Ramp { period 100ms; param end = 10; param to = 10; }
    leaf gain : hk.Gain { period 100ms; param gain = 2; }
    link ramp.y -> gain.u;
  }
}
"""
ROWS = "time,a.x,a.y,b\n" + "".join(f"{i / 10},{i},{-i},{i % 2}\n" for i in range(101))
