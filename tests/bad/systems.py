# SPDX-License-Identifier: MIT
"""Systems: wiring, units, types, schedules, parameters, files that are not there."""
from material import archive, component, connection, ssd, values
from runner import Case

SSV = """<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet name="set" version="1.0" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">
  <ssv:Parameters>
    <ssv:Parameter name="a.gian"><ssv:Real value="2"/></ssv:Parameter>
  </ssv:Parameters>
</ssv:ParameterSet>
"""
EXTERNAL = ('    <ssd:ParameterBindings><ssd:ParameterBinding source="values.ssv"/>'
            "</ssd:ParameterBindings>")


def both(made, name, text, exit, says, hint, at=None, extra=None, **more):
    """The same answer of `check` and of `run`."""
    files = {"s.ssd": text, "probe.fmu": made.fmu(), **(extra or {})}
    leaves = ("out.csv",) if more.pop("leaves", False) else ()
    yield Case(f"{name}_check", "check s.ssd", exit, says, hint, files, at, **more)
    yield Case(f"{name}_run", "run s.ssd -o out.csv", exit, says, hint, files, at, leaves=leaves, **more)


def wiring(made):
    yield from both(made, "two_drivers", ssd(connections=[
        connection("a.real_out", "b.real_in"), connection("b.real_out", "b.real_in")]), 1,
        "s.ssd:LINE:*: error[HK0402]: *", "*", 'startElement="b"')
    yield from both(made, "unit_mismatch", ssd(connections=[connection("a.state", "b.real_in")]), 1,
                    "s.ssd:LINE:*: error[HK0403]: *", "*", "<ssd:Connection ")
    yield from both(made, "type_mismatch", ssd(connections=[connection("a.text_out", "b.real_in")]), 1,
                    "s.ssd:LINE:*: error[HK0401]: *", None, "<ssd:Connection ")
    yield from both(made, "unknown_connector", ssd(connections=[connection("a.real_out", "b.real_inn")]), 1,
                    "s.ssd:LINE:*: error[HK0401]: *", "*", "<ssd:Connection ")
    yield from both(made, "unknown_element", ssd([component("engine"), component("wheel")],
                    [connection("engin.real_out", "wheel.real_in")]), 1,
                    "s.ssd:LINE:*: error[HK0401]: *", "*", "<ssd:Connection ")
    yield from both(made, "two_inputs", ssd(connections=[connection("a.real_in", "b.real_in")]), 1,
                    "s.ssd:LINE:*: error[HK0401]: *", "*", "<ssd:Connection ")
    yield from both(made, "same_name", ssd([component("a"), component("a")]), 1,
                    "s.ssd:*: error[HK0409]: *", "*")
    yield from both(made, "wrong_connector", ssd([component("a").replace('"real_in" kind="input"', '"real_in" kind="imput"')]),
                    3, "s.ssd:LINE:*: error[HK0304]: *", "*", "imput")


def schedules(made):
    first = component("b")
    for name, schedule, says, hint in (
            ("offset_beyond_period", 'period="0.02" offset="0.03"', "error[HK0405]: *", "*"),
            ("offset_is_period", 'period="0.02" offset="0.02"', "error[HK0405]: *", "*"),
            ("offset_negative", 'period="0.02" offset="-0.01"', "error[HK0405]: *", None),
            ("period_zero", 'period="0"', "error[HK0405]: *", None),
            ("period_text", 'period="often"', "error[HK0306]: *", "*"),
            ("period_misspelt", 'peroid="0.02"', "error[HK0304]: *", "*")):
        exit = 3 if "HK03" in says else 1
        yield from both(made, name, ssd([component("a", schedule=schedule), first]), exit,
                        "s.ssd:*: " + says, hint)
    yield from both(made, "tick_overflow", ssd([component("a", schedule='period="1/1000000007"'),
                    component("b", schedule='period="1/998244353"'), component("c", schedule='period="1/1000000009"')]),
                    1, "*error[HK0406]: *", "*")
    yield from both(made, "delay_negative", ssd(connections=[connection("a.real_out", "b.real_in", 'delay="-0.1"')]),
                    1, "s.ssd:LINE:*: error[HK0405]: *", None, "<hk:Link")
    yield from both(made, "lag_unknown", ssd(connections=[connection("a.real_out", "b.real_in", 'lag="previus"')]),
                    3, "s.ssd:LINE:*: error[HK0306]: *", "*", "<hk:Link")
    fixed = made.described('canHandleVariableCommunicationStepSize="true"', "")
    yield from both(made, "horizon", ssd([component("a", "fixed.fmu", 'period="0.03"'), component("b")]), 1,
                    "*error[HK0405]: *", "*", extra={"fixed.fmu": fixed})


def scheduled(made):
    """Schedule files: the message points into the schedule, or at the connection that it is about."""
    system = ssd(connections=[connection("a.real_out", "b.real_in"), connection("b.real_out", "a.real_in")])
    one_way = ssd(connections=[connection("a.real_out", "b.real_in")])
    link = "link a.real_out -> b.real_in "
    for name, text, at, says, hint in (
            ("unknown_component", "processor P: a b\nprocessor Q: engine\n", "engine", "14: error[HK0413]: *", None),
            ("unknown_link", "cut hla\nlink a.real_out -> b.gain lag previous\n", "gain", "6: error[HK0413]: *", "*"),
            ("two_processors", "processor P: a b\nprocessor Q: a\n", "Q", "14: error[HK0413]: *", "*"),
            ("no_processor", "# b runs nowhere\nprocessor P: a\n", "processor", "1: error[HK0413]: *", "*"),
            ("cut_unknown", "cut service\n", "cut", "5: error[HK0413]: *", None),
            ("latency_max", "latency a -> b max 5ms\n", "latency", "1: error[HK0414]: *", "*"),
            ("latency_min", "latency a -> b min 50ms\n", "latency", "1: error[HK0414]: *", "*"),
            ("latency_empty", "latency a -> b min 50ms max 5ms\n", "latency", "1: error[HK0413]: *", "*"),
            ("latency_no_path", "latency a -> b -> b max 5ms\n", "latency", "19: error[HK0413]: *", "*"),
            ("freshness", "freshness b max 5ms\n", "freshness", "1: error[HK0414]: *", "*"),
            ("delay_negative", link + "delay -1ms\n", "delay", "36: error[HK0405]: *", None),
            ("delay_text", link + "delay long\n", "delay", "36: error[HK0413]: *", "*")):
        yield Case(f"schedule_{name}", "check s.ssd --schedule p.schedule", 1, "p.schedule:LINE:" + says, hint,
                   {"p.schedule": text, "s.ssd": system, "probe.fmu": made.fmu()}, at)
    # No error: the tick becomes as fine as the delay asks for. Only where 64 bits do not hold it, it is one.
    for name, delay, exit, says, hint in (
            ("delay_third", "1/3", 0, [], None),
            ("delay_too_fine", "1/9000000000000000000", 1, "*error[HK0406]: *", "*")):
        yield Case(f"schedule_{name}", "check s.ssd --schedule p.schedule", exit, says, hint,
                   {"p.schedule": link + f"delay {delay}\n", "s.ssd": one_way, "probe.fmu": made.fmu()})
    # Start-stamped components that wait for each other.
    ring = "".join(f"link fcc{i}b.master -> fcc{3 - i}b.other_master lag observe\n" for i in (1, 2))
    for verb, words in (("check", ""), ("run", " -o out.csv"), ("plan", "")):
        yield Case(f"schedule_zero_lag_cycle_{verb}", f"{verb} r_rosace.ssp --schedule p.schedule" + words, 1,
                   "r_rosace.ssp/SystemStructure.ssd:*: error[HK0407]: connection fcc*", "*",
                   {"p.schedule": ring, "r_rosace.ssp": made.rosace()}, pinned=False)


def parameters(made):
    yield from both(made, "ssv_inline_unknown", ssd(bindings=values(
        '      <ssv:Parameter name="a.gian"><ssv:Real value="2"/></ssv:Parameter>')), 0, [], None,
        warnings=1, leaves=True)
    yield from both(made, "ssv_unknown", ssd(bindings=EXTERNAL), 0, [], None, extra={"values.ssv": SSV},
                    warnings=1, leaves=True)
    yield from both(made, "ssv_missing", ssd(bindings=EXTERNAL), 3, "s.ssd:LINE:*: error[HK0201]: *", "*", "values.ssv")
    yield from both(made, "ssv_value", ssd(bindings=values(
        '      <ssv:Parameter name="a.gain"><ssv:Real value="two"/></ssv:Parameter>')), 3,
        "s.ssd:LINE:*: error[HK0306]: *", None, "two")
    yield from both(made, "ssv_type", ssd(bindings=values(
        '      <ssv:Parameter name="a.gain"><ssv:String value="two"/></ssv:Parameter>')), 3,
        "s.ssd:LINE:*: error[HK0306]: *", None, "two")
    yield from both(made, "ssv_prefix", ssd(bindings=values(
        '      <ssv:Parameter name="a.gain"><ssv:Real value="2"/></ssv:Parameter>')).replace(
            '    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"\n', ""), 3,
        "s.ssd:*: error[HK0301]: *", "*")


def structure(made):
    yield from both(made, "no_system", ssd().replace("ssd:System ", "ssd:Sistem ").replace("/ssd:System>", "/ssd:Sistem>"),
                    3, "s.ssd:*: error[HK0304]: *", "*", warnings=1)
    yield from both(made, "missing_fmu", ssd([component("a", "prob.fmu")]), 3, "s.ssd:LINE:*: error[HK0201]: *", "*",
                    "prob.fmu")
    yield from both(made, "outside_fmu", ssd([component("a", "../probe.fmu")]), 3, "s.ssd:LINE:*: error[HK0201]: *", "*",
                    "../probe.fmu")
    yield from both(made, "no_source", ssd([component("a").replace(' source="probe.fmu"', "")]), 3,
                    "s.ssd:*: error[HK0304]: *", "*")
    yield from both(made, "itself", ssd([component("a", "s.ssd").replace(
        "source=", 'type="application/x-ssp-definition" source=')]), 3, "s.ssd:LINE:*: error[HK0304]: *", "*",
        'source="s.ssd"')
    yield from both(made, "empty", "", 3, "s.ssd*: error[HK0301]: *", "*")
    yield Case("missing_fmu_in_ssp", "run bad.ssp -o out.csv", 3, "bad.ssp/SystemStructure.ssd:*: error[HK0201]: *", "*",
               {"bad.ssp": archive([("SystemStructure.ssd", ssd([component("a", "resources/a.fmu")])),
                                    ("resources/aa.fmu", b"")])})
    yield Case("many_errors", "check s.ssd", 1, ["s.ssd:*: error[HK0401]: *"] * 3, None,
               {"s.ssd": ssd(connections=[connection("a.x", "b.real_in"), connection("a.real_out", "b.y"),
                                          connection("c.x", "b.real_in")]), "probe.fmu": made.fmu()})


def cases(made):
    for part in (wiring, schedules, scheduled, parameters, structure):
        yield from part(made)
