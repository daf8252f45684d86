# SPDX-License-Identifier: MIT
"""Simulations in which something is under way at any time, of the quarter truck and of a small plant."""

# Every kind of event, action and expectation; things overlap, so that any time is in the middle of some of them.
BUSY = """Simulation busy (ms)
system SYSTEM;
simulationTime [0, 2000]:1;
seed 5;
scenarios {
  Scenario other logs { other.csv timed(1) { "P.z"; } }
  Scenario busy [3]
    begin { BEGIN }
    events {
      EVENTS
      instant 1400 { repair "P.z"; }
    }
    expects {
      expect always "P.z" < LOW "it jumps";
      expect always "P.z" < 900 from 300 to 1700;
      expect eventually "P.z" > LOW within 1900;
      expect at 1000 "P.z" > -900;
      expect "P.z" > LOW within 700 after "P.z" > LOW;
      require "highest" maximum of "P.z" during [100, 1900] max 3;
      require "middle" mean of "P.z" max 3;
    }
    logs {
      fine.csv timed(1) { "P.z"; }
      coarse.csv timed(90) { "P.z"; }
    }
}
"""
TRUCK = {
    "SYSTEM": "quarter_truck", "P.z": "chassis.z", "LOW": "1.02", 'repair "chassis.z"': 'repair "wheel.p.e"',
    "BEGIN": """"chassis.Mass.m" = 420; fault "wheel.p1.f" -> "chassis.p.f" noise 0.01;""",
    "EVENTS": """
      during [200, 900] { fault "ground.p.f" bias 0.02; fault "chassis.p.e" drop 0.3; }
      during [400, 1300] { fault "ground.p.f" bias 0.03; fault "ground.p.f" delay 3; }
      during [1000, 1100] { fault "ground.p.f" delay 2; }
      every 300 from 100 { fault "chassis.p.e" quantise 3; }
      every 170 { repair "chassis.p.e"; }
      when "chassis.z" > 1.02 until "chassis.z" < 1.01 { fault "wheel.p.e" bias 3; }
      when "wheel.z" > 0.505 once { fault "wheel.p.e" stuck; }
      instant 600 { "ground".Stop(); }
      instant 660 { "ground".Start(); }
      during [1500, 1600] { "wheel".Stop(); }
""",
}
PLANT = """system plant { composite c {
  leaf r : hk.Ramp { period 1 ms; param end = 2; param to = 4; }
  leaf slow : hk.Gain { period 7 ms; offset 2 ms; }
  leaf g : hk.Gain { period 1 ms; }
  leaf z : hk.Integrator { period 4 ms; }
  link r.y -> slow.u, g.u;
  link g.y -> z.u;
} }
"""
SETS = {
    "SYSTEM": "plant", '"P.z"': '"plant.c.z.y"', "LOW": "0.2", 'repair "plant.c.z.y"': 'repair "plant.c.g.y"',
    "BEGIN": """"plant.c.slow.gain" = 3; ramp "plant.c.g.offset" to 2 over 700;""",
    "EVENTS": """
      during [200, 900] { "plant.c.g.gain" = 2; "plant.c.slow.offset" = 1; "plant.c.z".Stop(); }
      during [400, 1300] { "plant.c.g.gain" = 3; ramp "plant.c.slow.offset" to 5 over 500; }
      during [1000, 1100] { ramp "plant.c.g.gain" to 7 over 50; "plant.c.slow".Stop(); }
      during [150, 1800] { ramp "plant.c.slow.gain" to 50 over 1000; }
      every 300 from 100 { ramp "plant.c.g.offset" to 14 over 150; }
      every 170 { "plant.c.g.offset" = 15; }
      when "plant.c.z.y" > 3 until "plant.c.z.y" < 2 { fault "plant.c.r.y" -> "plant.c.g.u" stuck; }
      when "plant.c.slow.y" > 1 once { fault "plant.c.g.y" noise 0.5; }
      during [1500, 1600] { "plant.c.r".Stop(); }
""",
}


def write_out(words):
    text = BUSY
    for name, value in words.items():
        text = text.replace(name, value)
    return text
