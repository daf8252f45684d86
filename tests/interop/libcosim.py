# SPDX-License-Identifier: MIT
"""Asks libcosim (Python package libcosimpy) for the values of a system. A question is a dictionary: file (.ssd, .ssp,
a folder or an OSP file), step (seconds, or None: what the file says), names ("component.variable"), rows (steps to
make), all (every row, or only the last). The answer is one, too: the names it has, and rows with their index and
values. The library writes to the terminal and may end the process: hocket_case.forked() asks in a child."""

from libcosimpy.CosimEnums import CosimVariableType
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver


def open_system(path, step):
    if path.endswith(".xml"):
        return CosimExecution.from_osp_config_file(path)
    return CosimExecution.from_ssp_file(path, step) if step else CosimExecution.from_ssp_file(path)


def readers(execution, observer, names):
    """For each name that libcosim has: a function that gives its value."""
    kinds = {CosimVariableType.REAL: observer.last_real_values, CosimVariableType.INTEGER: observer.last_integer_values,
             CosimVariableType.BOOLEAN: observer.last_boolean_values,
             CosimVariableType.STRING: observer.last_string_values}
    found = {}
    for slave in execution.slave_infos():
        for variable in execution.slave_variables(slave.index):
            name = f"{slave.name.decode()}.{variable.name.decode()}"
            kind = kinds[CosimVariableType(variable.type)]
            found[name] = lambda kind=kind, index=slave.index, reference=variable.reference: kind(index, [reference])[0]
    return {name: found[name] for name in names if name in found}


def plain(value):
    return value.decode() if isinstance(value, bytes) else float(value)


def ask(question):
    execution = open_system(question["file"], question["step"])
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    known = readers(execution, observer, question["names"])
    rows = []
    for index in range(1, question["rows"] + 1):
        if not execution.step():
            raise RuntimeError("libcosim failed")
        if question["all"] or index == question["rows"]:
            rows.append((index, [plain(read()) for read in known.values()]))
    return {"names": list(known), "rows": rows}
