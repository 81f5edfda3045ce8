"""Runs cases on Clink for Tidemark: one JSON object a line in, one a line out.

Standard library and pyclink only. Started with the path of a libclink, or with "" for the one that pyclink holds.
Holds no state between cases: each has an engine of its own. Rows go to the case's output file and nowhere else.
"""

import ctypes
import json
import os
import queue
import re
import resource
import sys
import threading
import time

# The native library may print: it gets stderr, and the protocol a descriptor that it does not know of.
protocol = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)

import pyarrow as pa  # noqa: E402  (what it prints must not reach the protocol either)
import pyarrow.compute as pc  # noqa: E402
import pyclink  # noqa: E402

# Batches are put together up to this many rows before they are written, since engines emit small ones.
ROWS_PER_WRITE = 65_536

# Closing an engine sleeps for half a second, four times as long as a small case runs: the next one need not wait.
closing = threading.BoundedSemaphore(8)

# Between two looks at whether a job over endless input has failed.
SECONDS_BETWEEN_LOOKS = 0.2

OPS = {"insert": "+I", "update_after": "+U", "update_before": "-U", "delete": "-D"}
CONTROL = re.compile(rb"[\x00-\x1f]")


def main():
    lib_path = sys.argv[1] or None
    if lib_path is not None:
        # pyclink would fall back to the library it holds, and another one would be judged than was asked for.
        ctypes.CDLL(lib_path)
    cases = queue.SimpleQueue()
    # A case blocks in C: only another thread can notice that whoever asked is gone.
    threading.Thread(target=read_cases, args=(cases,), daemon=True).start()
    with pyclink.Engine(lib_path=lib_path) as engine:
        say({"ready": engine.version})
    while True:
        case = cases.get()
        say(run_until_told(case, lib_path, cases) if case.get("endless") else run(case, lib_path))


def read_cases(cases):
    for line in sys.stdin.buffer:
        cases.put(json.loads(line))
    os._exit(0)


def say(message):
    protocol.write(json.dumps(message).encode() + b"\n")


def run(case, lib_path):
    started, cpu = time.monotonic(), cpu_seconds()
    closing.acquire()
    try:
        engine = pyclink.Engine(parallelism=case["parallelism"], lib_path=lib_path)
    except Exception as error:  # noqa: BLE001  (whatever went wrong, the next case must run)
        closing.release()
        return {"failed": "error", "detail": type(error).__name__}
    try:
        try:
            for statement in case["statements"]:
                engine.execute(statement)
        except pyclink.ClinkError as error:
            # Refusals quote the SQL, never a row.
            return {"failed": "refused", "detail": str(error).strip()}
        with open(case["output"], "wb") as output:
            write_rows(engine.collect(case["table"]), case["changelog"], output)
        engine.await_all(case["limit_ms"])
    except Exception as error:  # noqa: BLE001
        # The message may quote rows: its class says enough.
        return {"failed": "error", "detail": type(error).__name__}
    finally:
        threading.Thread(target=close, args=(engine,), daemon=True).start()
    return {"seconds": time.monotonic() - started, "cpu_seconds": cpu_seconds() - cpu}


def run_until_told(case, lib_path, orders):
    """Runs a case whose input does not end: says that it started, and cancels it once it is told anything."""
    started, cpu = time.monotonic(), cpu_seconds()
    cancelled = {}
    try:
        engine = pyclink.Engine(parallelism=case["parallelism"], lib_path=lib_path)
        try:
            for statement in case["statements"]:
                engine.execute(statement)
        except pyclink.ClinkError as error:
            return {"failed": "refused", "detail": str(error).strip()}
        say({"started": True})
        while True:
            try:
                orders.get(timeout=SECONDS_BETWEEN_LOOKS)
                break
            except queue.Empty:
                still_runs(engine)
        engine.cancel_all()
        try:
            engine.await_all(case["cancel_ms"])
        except Exception as error:  # noqa: BLE001  (it often reports a lost channel after a correct run)
            cancelled = {"cancel_raised": type(error).__name__}
    except Exception as error:  # noqa: BLE001
        return {"failed": "error", "detail": type(error).__name__}
    return {"seconds": time.monotonic() - started, "cpu_seconds": cpu_seconds() - cpu, **cancelled}


def still_runs(engine):
    try:
        engine.await_all(1)
    except TimeoutError:
        return
    raise RuntimeError("a job over endless input ended")


def close(engine):
    try:
        engine.close()
    finally:
        closing.release()


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def write_rows(reader, changelog, output):
    waiting, rows = [], 0
    for batch in reader:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= ROWS_PER_WRITE:
            write_lines(waiting, changelog, output)
            waiting, rows = [], 0
    write_lines(waiting, changelog, output)


def write_lines(batches, changelog, output):
    """One JSON line a row, made a column at a time: the bytes of one array of lines, end to end."""
    if not batches:
        return
    table = pa.Table.from_batches(batches).combine_chunks()
    if table.num_rows == 0:
        return
    names = [name for name in table.column_names if not (changelog and name == "row_kind")]
    pieces = []
    for index, name in enumerate(names):
        pieces.append(scalar(("{" if index == 0 else ",") + json.dumps(name) + ":"))
        pieces.append(json_values(table.column(name).combine_chunks()))
    if changelog:
        pieces = [scalar('{"op":"'), ops(table.column("row_kind").combine_chunks()), scalar('","row":'), *pieces, scalar("}")]
    lines = pc.binary_join_element_wise(*pieces, scalar("}\n"), scalar(""))
    for chunk in lines.chunks if isinstance(lines, pa.ChunkedArray) else [lines]:
        output.write(data_of(chunk))


def scalar(text):
    return pa.scalar(text.encode(), pa.large_binary())


def data_of(array):
    """The bytes of all values of a large_binary array, end to end."""
    _, offsets, data = array.buffers()
    if data is None:
        return b""
    ends = pa.Array.from_buffers(pa.int64(), len(array) + 1, [None, offsets], offset=array.offset)
    return memoryview(data)[ends[0].as_py() : ends[len(array)].as_py()]


def ops(kinds):
    known = pa.array(OPS.keys(), kinds.type)
    marks = pa.array([mark.encode() for mark in OPS.values()], pa.large_binary())
    indices = pc.index_in(kinds, known)
    if indices.null_count > 0:
        raise ValueError("unknown row kind")
    return marks.take(indices)


def json_values(array):
    """The values as JSON: integers exact, doubles by their shortest digits, bytes as they are."""
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        text = json_strings(array)
    elif pa.types.is_decimal(kind):
        text = pa.array([None if v is None else f'"{v.as_py():f}"'.encode() if v.is_valid else None for v in array], pa.large_binary())
    elif pa.types.is_floating(kind):
        text = json_doubles(array)
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        text = as_bytes(pc.cast(array, pa.large_string()))
    else:
        raise TypeError(f"no JSON form for the type {kind}")
    return pc.fill_null(text, b"null") if text.null_count > 0 else text


def as_bytes(strings):
    return strings.cast(pa.large_binary())


def json_doubles(array):
    text = as_bytes(pc.cast(array, pa.large_string()))
    if pc.all(pc.is_finite(array), skip_nulls=True).as_py() is not False:
        return text
    # JSON has no number for these.
    text = pc.if_else(pc.is_nan(array), scalar('"NaN"'), text)
    text = pc.if_else(pc.equal(array, float("inf")), scalar('"Infinity"'), text)
    return pc.if_else(pc.equal(array, float("-inf")), scalar('"-Infinity"'), text)


def json_strings(array):
    # Without a check of UTF-8: what the engine wrote is what must be judged.
    raw = array.view(pa.large_binary() if pa.types.is_large_string(array.type) else pa.binary()).cast(pa.large_binary())
    if CONTROL.search(data_of(raw)):
        return pa.array([None if value is None else json_string(value) for value in raw.to_pylist()], pa.large_binary())
    escaped = pc.replace_substring(raw, pattern=b"\\", replacement=b"\\\\")
    escaped = pc.replace_substring(escaped, pattern=b'"', replacement=b'\\"')
    return pc.binary_join_element_wise(scalar('"'), escaped, scalar('"'), scalar(""))


def json_string(value):
    text = value.decode("utf-8", "surrogateescape")
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogateescape")


main()
