# SPDX-License-Identifier: MIT
"""Components that fail while they run, and states that are not what they say."""
from material import archive, component, ssd
from runner import Case

NAN, DISCARD, ERROR, FATAL, CRASH, HANG = 1, 2, 4, 5, 6, 7
PENDING_ERROR, INIT_ERROR, INFINITE, EXIT, ABORT = 10, 12, 14, 15, 16
AT = "--set fault_time=0.5 -o out.csv --set fault="


def faults(made):
    probe = {"probe.fmu": made.fmu()}
    for name, words, exit, says, hint in (
            ("nan", AT + str(NAN), 4, "error[HK0505]: *", "*"),
            ("infinite", AT + str(INFINITE), 4, "error[HK0505]: *", "*"),
            ("discard", AT + str(DISCARD), 4, "error[HK0504]: *", "*"),
            ("error", AT + str(ERROR), 4, "error[HK0503]: *", None),
            ("fatal", AT + str(FATAL), 4, "error[HK0503]: *", "*"),
            ("pending_error", AT + str(PENDING_ERROR), 4, "error[HK0503]: *", "*"),
            ("crash", AT + str(CRASH), 4, "error[HK0506]: *", "*"),
            ("exit", AT + str(EXIT), 4, "error[HK0506]: *", "*"),
            ("abort", AT + str(ABORT), 4, "error[HK0506]: *", "*"),
            ("hang", AT + str(HANG) + " --timeout 3", 124, "error[HK0507]: *", "*")):
        yield Case(f"fault_{name}", "run probe.fmu " + words, exit, "*: " + says, hint, probe, leaves=("out.csv",))
    yield Case("fault_init", f"run probe.fmu -o out.csv --set fault={INIT_ERROR}", 4, "probe.fmu: error[HK0503]: *", None, probe)
    package = {"bad.ssp": archive([("SystemStructure.ssd", ssd([component("a", "resources/a.fmu")])),
                                   ("resources/a.fmu", made.fmu())])}
    for name, fault, exit, says, hint in (("crash", CRASH, 4, "error[HK0506]: *", "*"), ("exit", EXIT, 4, "error[HK0506]: *", "*"),
                                          ("error", ERROR, 4, "error[HK0503]: *", None),
                                          ("hang", HANG, 124, "error[HK0507]: *", "*")):
        yield Case(f"fault_{name}_ssp", f"run bad.ssp --timeout {3 if fault == HANG else 600} --set a.fault_time=0.5 -o out.csv --set a.fault={fault}",
                   exit, "*: " + says, hint, package, leaves=("out.csv",), environment={"HK_NO_CACHE": "1"})


def edit(change):
    """A function that changes the bytes of the saved state."""
    def damage(here):
        path = here / "s.hks"
        path.write_bytes(change(path.read_bytes()))
    return damage


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]


def states(made):
    files = {"probe.fmu": made.fmu(), "chassis.fmu": made.fmu("chassis")}
    save = "run probe.fmu -q --stop-time 0.5 --save-state s.hks"
    load = "run probe.fmu -o out.csv --load-state s.hks"
    for name, damage in (("empty", edit(lambda data: b"")), ("short", edit(lambda data: data[:20])),
                         ("half", edit(lambda data: data[:len(data) // 2])),
                         ("last_byte", edit(lambda data: data[:-1])), ("flipped", edit(flip)),
                         ("longer", edit(lambda data: data + b"x")),
                         ("text", edit(lambda data: b"this is a text\n" * 20))):
        yield Case(f"state_{name}", load, 3, "s.hks: error[HK0307]: *", "*", files, first=save, damage=damage)
    yield Case("state_missing", load, 3, "s.hks: error[HK0201]: *", "*", files)
    yield Case("state_of_another", "run chassis.fmu -o out.csv --load-state s.hks", 3, "s.hks: error[HK0307]: *", "*",
               files, first=save)
    yield Case("state_too_late", load + " --stop-time 0.5", 1, "s.hks: error[HK0405]: *", "*", files, first=save)


def cases(made):
    yield from faults(made)
    yield from states(made)
