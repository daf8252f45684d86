# SPDX-License-Identifier: MIT
"""The command line: times, values, tables, files to write, states."""
from runner import Case


def times(made):
    probe = {"probe.fmu": made.fmu()}
    fixed = {"probe.fmu": made.described('canHandleVariableCommunicationStepSize="true"', "")}
    run = "run probe.fmu -o out.csv "
    for name, words, exit, says, hint, files in (
            ("horizon_no_multiple", "--stop-time 0.995", 1, "error[HK0405]: *", "*", fixed),
            ("step_zero", "--step-size 0", 2, "error[HK0101]: *", None, probe),
            ("step_negative", "--step-size=-1", 2, "error[HK0101]: *", None, probe),
            ("step_text", "--step-size fast", 2, "error[HK0101]: *", "*", probe),
            ("stop_before_start", "--start-time 2 --stop-time 1", 2, "error[HK0101]: *", "*", probe),
            ("stop_infinite", "--stop-time inf", 2, "error[HK0101]: *", "*", probe),
            ("tick_overflow_step", "--step-size 1/9000000000000000000 --stop-time 100", 1, "error[HK0406]: *", "*", probe),
            ("time_too_long", "--stop-time 1e300", 2, "error[HK0101]: *", "*", probe),
            ("interval_negative", "--output-interval=-1", 2, "error[HK0101]: *", None, probe),
            ("timeout_text", "--timeout never", 2, "error[HK0101]: *", "*", probe),
            ("tolerance", "--tolerance big", 2, "error[HK0101]: *", "*", probe)):
        yield Case(name, run + words, exit, "*" + says, hint, files)


def values(made):
    probe = {"probe.fmu": made.fmu()}
    for name, words, exit, says, hint in (
            ("set_unknown", "--set gian=2", 2, "hocket: error[HK0102]: *", "*"),
            ("set_no_value", "--set gain", 2, "hocket: error[HK0101]: *", "*"),
            ("set_text", "--set gain=two", 2, "*error[HK0306]: *", None),
            ("set_range", "--set fault=3000000000", 2, "*error[HK0306]: *", None),
            ("set_fraction", "--set fault=1.5", 2, "*error[HK0306]: *", None),
            ("set_nan", "--set gain=nan", 4, "*error[HK0505]: *", "*"),
            ("set_unit", "--set fault_time=3kg", 2, "*error[HK0403]: *", None),
            ("set_unit_unknown", "--set fault_time=3furlongs", 2, "*error[HK0306]: *", "*"),
            ("set_output", "--set real_out=1", 2, "*error[HK0404]: *", "*"),
            ("set_boolean", "--set bool_in=maybe", 2, "*error[HK0306]: *", "*"),
            ("output_variable", "--output-variable stat", 2, "*error[HK0102]: *", "*"),
            ("stop_when", "--stop-when stat>1", 2, "*error[HK0102]: *", "*"),
            ("stop_when_text", "--stop-when text_out>1", 2, "*error[HK0101]: *", None)):
        yield Case(name, "run probe.fmu -o out.csv " + words, exit, says, hint, probe)
    yield Case("set_outside", "run probe.fmu -q --set real_in=200", 0, [], None, probe, warnings=1)
    yield Case("set_enumeration", "run probe.fmu -q --set enum_in=7", 0, [], None, probe, warnings=1)


def tables(made):
    probe = {"probe.fmu": made.fmu()}
    for name, text, exit, says, hint in (
            ("unknown_column", "time,real_inn\n0,1\n1,2\n", 2, "t.csv: error[HK0102]: *", "*"),
            ("short_row", "time,real_in\n0,1\n0.5\n1,2\n", 3, "t.csv:3: error[HK0305]: *", "*"),
            ("long_row", "time,real_in\n0,1\n0.5,1,2\n", 3, "t.csv:3: error[HK0305]: *", "*"),
            ("text_cell", "time,real_in\n0,1\n0.5,fast\n1,2\n", 3, "t.csv:3:5: error[HK0305]: *", "*"),
            ("empty_cell", "time,real_in\n0,1\n\n0.5,\n1,2\n", 3, "t.csv:4:5: error[HK0305]: *", "*"),
            ("text_time", "time,real_in\nzero,1\n", 3, "t.csv:2:1: error[HK0305]: *", "*"),
            ("back", "time,real_in\n0,1\n1,1\n0.5,1\n", 3, "t.csv:4:1: error[HK0305]: *", "*"),
            ("empty", "", 3, "t.csv: error[HK0305]: *", "*"),
            ("only_header", "time,real_in\n", 3, "t.csv: error[HK0305]: *", "*"),
            ("only_time", "time\n0\n1\n", 3, "t.csv: error[HK0305]: *", "*"),
            ("no_header", "0,1\n1,2\n", 3, "t.csv:1: error[HK0305]: *", "*"),
            ("same_column", "time,real_in,real_in\n0,1,2\n", 3, "t.csv*: error[HK0305]: *", "*"),
            ("output_column", "time,state\n0,1\n", 1, "t.csv: error[HK0401]: *", "*"),
            ("quote", 'time,"real_in\n0,1\n', 3, "t.csv:1: error[HK0305]: *", "*"),
            ("fraction", "time,int_in\n0,1.5\n", 3, "t.csv:2:3: error[HK0305]: *", "*"),
            ("binary", "PK\x03\x04\x00\x00\x01\n", 3, "t.csv*: error[HK0305]: *", "*")):
        yield Case(f"table_{name}", "run probe.fmu --input-file t.csv -o out.csv", exit, says, hint,
                   {"t.csv": text, **probe})
    yield Case("table_torn", "run probe.fmu --input-file t.csv -q", 0, [], None,
               {"t.csv": "time,real_in\n0,1\n1,2\n2", **probe}, warnings=1)
    yield Case("table_and_set", "run probe.fmu --input-file t.csv --set gain=2 -q", 0, [], None,
               {"t.csv": "time,real_in\n0,1\n1,1\n", **probe})
    yield Case("table_missing", "run probe.fmu --input-file tt.csv -q", 3, "tt.csv: error[HK0201]: *", "*",
               {"t.csv": "time,real_in\n0,1\n1,1\n", **probe})
    yield Case("table_twice", "run probe.fmu --input-file t.csv --input-file u.csv -q", 1, "u.csv: error[HK0402]: *", "*",
               {"t.csv": "time,real_in\n0,1\n", "u.csv": "time,real_in\n0,1\n", **probe})


def files(made):
    probe = {"probe.fmu": made.fmu()}
    yield Case("output_folder", "run probe.fmu -o no/such/out.csv", 3, "no/such/out.csv: error[HK0202]: *", "*", probe)
    yield Case("output_is_folder", "run probe.fmu -o here.csv/", 2, "here.csv/: error[HK0101]: *", "*",
               {"here.csv/x": "", **probe})
    yield Case("output_no_extension", "run probe.fmu -o out", 2, "out: error[HK0101]: *", "*", probe)
    yield Case("output_kind", "run probe.fmu -o out.xls", 2, "out.xls: error[HK0101]: *", "*", probe)
    yield Case("output_full", "run probe.fmu -o full.csv", 3, "full.csv: error[HK0202]: *", "*",
               {"full.csv": lambda path: path.symlink_to("/dev/full"), **probe})
    yield Case("output_is_input_table", "run probe.fmu --input-file t.csv -o t.csv", 2, "t.csv: error[HK0101]: *", "*",
               {"t.csv": "time,real_in\n0,1\n1,1\n", **probe})
    yield Case("output_is_model", "run probe.fmu -o probe.fmu", 2, "probe.fmu: error[HK0101]: *", "*", probe)
    yield Case("plot_folder", "run probe.fmu --plot no/such/p.svg", 3, "no/such/p.svg: error[HK0202]: *", "*", probe)
    yield Case("state_folder", "run probe.fmu --save-state no/such/s.hks", 3, "no/such/s.hks: error[HK0202]: *", "*", probe)


def cases(made):
    for part in (times, values, tables, files):
        yield from part(made)
