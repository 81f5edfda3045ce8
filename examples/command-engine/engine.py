"""An engine for Tidemark in a few lines: scans, filters and projects, row by row. See docs/command-protocol.md."""

import json
import operator as op
import sys

TRAITS = {"mode": "batch", "watermarkDelayMs": 0, "fireEarlyMs": {"window": 0}, "watermarkScope": "reader",
          "watermarkEmission": "every-row", "sessionTouching": "merge", "subtaskWithoutPartition": "holds",
          "values": {"integerDivision": "truncates", "divisionByZero": "fails", "integerOverflow": "widens",
                     "sumOverflow": "fails", "nullOrder": "as-asked", "stringUnit": "code-point"},
          "stops": ["drain"], "transports": ["files"]}
FUNCTIONS = {  # of values that are not NULL; a NULL argument makes the result NULL
    "add": op.add, "subtract": op.sub, "multiply": op.mul, "modulo": lambda a, b: (abs(a) % abs(b)) * (1 if a >= 0 else -1),
    "eq": op.eq, "ne": op.ne, "lt": op.lt, "le": op.le, "gt": op.gt, "ge": op.ge, "not": op.not_,
    "to_double": float, "to_bigint": int, "to_string": str, "hour": lambda ms: ms // 3_600_000 % 24,
    "lower": str.lower, "upper": str.upper, "char_length": len, "concat": op.add, "replace": str.replace,
    "split_index": lambda text, by, n: dict(enumerate(text.split(by))).get(n),
}


class Unsupported(Exception):
    pass


def value(expression, row):
    if "col" in expression:
        return row[expression["col"]]
    if "lit" in expression:  # a BIGINT beyond 2^53 comes as text
        lit, kind = expression["lit"], expression["type"]
        return lit if lit is None else {"BIGINT": int, "DOUBLE": float}.get(kind, lambda same: same)(lit)
    fn, args = expression["fn"], expression["args"]
    if fn == "case":
        arms = zip(args[0:-1:2], args[1::2])
        return value(next((then for when, then in arms if value(when, row) is True), args[-1]), row)
    values = [value(arg, row) for arg in args]
    if fn == "is_null":
        return values[0] is None
    if fn in ("and", "or"):  # three-valued: one FALSE decides AND, one TRUE decides OR
        decisive = fn == "or"
        return decisive if decisive in values else None if None in values else not decisive
    if fn not in FUNCTIONS:
        raise Unsupported(f"the function {fn}")
    return None if None in values else FUNCTIONS[fn](*values)


def rows(plan, files):
    if plan["op"] == "scan":
        with open(files[plan["stream"]], encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    elif plan["op"] == "filter":
        yield from (row for row in rows(plan["input"], files) if value(plan["where"], row) is True)
    elif plan["op"] == "project":
        for row in rows(plan["input"], files):
            yield {column["as"]: value(column["value"], row) for column in plan["columns"]}
    else:
        raise Unsupported(f"the operator {plan['op']}")


def answer(message):
    if message["m"] == "hello":
        return {"ok": True, "protocol": 1, "name": "per-record example", "version": "1", "traits": TRAITS}
    files = {stream["schema"]["name"]: stream["file"] for stream in message["dataset"]["streams"]}
    try:
        with open(message["output"], "w", encoding="utf-8") as output:
            for row in rows(message["query"]["plan"], files):
                output.write(json.dumps(row, ensure_ascii=False) + "\n")
    except Unsupported as reason:
        return {"unsupported": str(reason)}
    except Exception as error:  # its message may quote a row: its class says enough
        return {"ok": False, "step": "run", "code": "engine-error", "message": type(error).__name__, "valueFree": True}
    return {"ok": True, "format": "rows"}


for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({"id": message["id"], **answer(message)}), flush=True)
