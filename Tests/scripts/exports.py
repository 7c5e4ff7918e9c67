#!/usr/bin/env python3
"""Reads every export with the libraries of others, and compares it with the views.

usage: exports.py --lifestats BINARY

pyarrow, DuckDB and chdb read the Parquet files of the samples and of simulated logs, whole and partitioned; PM4Py checks and
reads OCEL in both forms, and finds the graph of `directly_follows` in XES, also where clocks step back; the bindings of
Perfetto and OpenTelemetry parse the traces. Exits 1 if anything differs.
"""

import argparse
import base64
import collections
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

os.environ["PM4PY_SHOW_PROGRESS_BAR"] = "False"
PROJECT = pathlib.Path(__file__).parents[2]
SKEWED = """\
2024-03-09 10:00:05.000 Shop[7:1] application:didFinishLaunchingWithOptions:
2024-03-09 10:00:06.000 Shop[7:1] applicationDidBecomeActive:
2024-03-09 10:00:01.000 Shop[7:1] applicationWillResignActive:
2024-03-09 10:00:02.000 Shop[7:1] applicationDidEnterBackground:
2024-03-09 10:00:09.000 Shop[7:1] applicationWillEnterForeground:
2024-03-09 10:00:03.000 Shop[7:1] applicationDidBecomeActive:
"""
failures = 0


def say(what, problems):
    global failures
    problems = list(problems)
    print(f"{'differs' if problems else 'agrees '}  {what}", flush=True)
    for problem in problems[:10]:
        print(f"         {problem}")
    failures += bool(problems)


def run(tool, *arguments):
    done = subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True, cwd=PROJECT)
    if done.returncode != 0:
        sys.exit(f"exports: lifestats {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def parquet(folder, parts, database):
    import chdb
    import duckdb
    import pyarrow
    import pyarrow.dataset
    import pyarrow.parquet

    views = [name for (name,) in database.execute("select name from sqlite_schema where type = 'view'")]
    problems = []
    for view in views:
        path = folder / f"{view}.parquet"
        table = pyarrow.parquet.read_table(path)
        names = [row[1] for row in database.execute(f"pragma table_info({view})")]
        if table.column_names != names:
            problems.append(f"{view}: other columns")
        # Kept answers cannot be added up, and have no rows.
        rows = [] if view in ("dwell_summary", "transition_summary") else database.execute(f"select * from {view}").fetchall()
        counts = {
            "pyarrow": table.num_rows,
            "DuckDB": duckdb.sql(f"select count(*) from '{path}'").fetchall()[0][0],
            "chdb": int(str(chdb.query(f"select count() from file('{path}', Parquet)", "CSV"))),
        }
        problems += [f"{view}: {n} rows in {who}, not {len(rows)}" for who, n in counts.items() if n != len(rows)]
        for index, name in enumerate(names if rows and table.num_rows == len(rows) else []):
            column = table.column(name)
            if pyarrow.types.is_timestamp(column.type):
                column = column.cast(pyarrow.int64())
            found, expected = column.to_pylist(), [row[index] for row in rows]
            if name == "seq":
                continue
            if name.endswith("_id"):
                if len(set(found)) != len(set(expected)):
                    problems.append(f"{view}.{name}: {len(set(found))} ids, not {len(set(expected))}")
            elif found != expected:
                problems.append(f"{view}.{name}: other values")
    say(f"Parquet: columns, counts and values of {len(views)} views", problems)
    problems = []
    for view in ("events", "visits", "runs"):
        found = pyarrow.dataset.dataset(parts / view, partitioning="hive").to_table()
        whole = pyarrow.parquet.read_table(folder / f"{view}.parquet")
        count = lambda table: collections.Counter(table.column("app").to_pylist())
        if count(found) != count(whole):
            problems.append(f"{view}: other apps or counts")
        engine = duckdb.sql(f"select count(*) from read_parquet('{parts}/{view}/**/*.parquet', hive_partitioning = true)")
        if engine.fetchall()[0][0] != whole.num_rows:
            problems.append(f"{view}: another count in DuckDB")
    say("Parquet by app and date: the same rows", problems)


def xes_schema():
    """The schema of IEEE 1849, in short: which elements follow each other, and the types of their attributes."""
    from lxml import etree

    many = 'minOccurs="0" maxOccurs="unbounded"'
    element = lambda name, kind: f'<xs:element name="{name}" type="{kind}" {many}/>'
    sequence = lambda *parts: f"<xs:sequence>{''.join(parts)}</xs:sequence>"
    typed = lambda name, body="", /, **attributes: f'<xs:complexType name="{name}">{body}' + "".join(
        f'<xs:attribute name="{a.replace("_", ".")}" type="xs:{kind.rstrip("?")}" '
        f'use="{"optional" if kind.endswith("?") else "required"}"/>' for a, kind in attributes.items()) + "</xs:complexType>"
    values = {"string": "string", "date": "dateTime", "int": "long", "float": "double", "boolean": "boolean", "id": "string"}
    group = '<xs:group ref="attributes"/>'
    return etree.XMLSchema(etree.fromstring(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="log" type="log"/>'
        f'<xs:group name="attributes"><xs:sequence><xs:choice {many}>'
        + "".join(f'<xs:element name="{name}" type="{name}"/>' for name in values)
        + "</xs:choice></xs:sequence></xs:group>"
        + "".join(typed(name, group, key="Name", value=kind) for name, kind in values.items())
        + typed("extension", name="NCName", prefix="NCName", uri="anyURI")
        + typed("global", group, scope="NCName?")
        + typed("classifier", name="NCName", scope="NCName?", keys="token")
        + typed("event", group)
        + typed("trace", sequence(group, element("event", "event")))
        + typed("log", sequence(
            element("extension", "extension"), element("global", "global"), element("classifier", "classifier"), group,
            element("trace", "trace"), element("event", "event")), xes_version="decimal", xes_features="token?")
        + "</xs:schema>"))


def process_mining(tool, folder, database, path):
    import pandas
    import pm4py
    from pm4py.objects.ocel.validation import ocel20_rel_validation

    for name in ("log.sqlite", "log.json"):
        run(tool, "export", "ocel", "-o", folder / name, "--db", path)
    say("OCEL: PM4Py's relational checks", ocel20_rel_validation.apply(str(folder / "log.sqlite"))[1])
    one = pm4py.read_ocel2_sqlite(str(folder / "log.sqlite"))
    other = pm4py.read_ocel2_json(str(folder / "log.json"))
    events = database.execute("select count(*) from events where time_ns is not null").fetchall()[0][0]
    rows = lambda frame, columns: collections.Counter(frame[columns].itertuples(index=False, name=None))
    problems = [] if len(one.events) == events else [f"{len(one.events)} events, not {events}"]
    for part, columns in (
        ("events", ["ocel:eid", "ocel:activity", "ocel:timestamp"]), ("objects", ["ocel:oid", "ocel:type"]),
        ("relations", ["ocel:eid", "ocel:oid", "ocel:qualifier"]), ("o2o", ["ocel:oid", "ocel:oid_2", "ocel:qualifier"]),
    ):
        if rows(getattr(one, part), columns) != rows(getattr(other, part), columns):
            problems.append(f"{part} of SQLite and JSON")
    say(f"OCEL: {events:,} events, equal in SQLite and JSON", problems)

    from lxml import etree

    schema = xes_schema()
    run(tool, "export", "xes", "-o", folder / "log.xes", "--db", path)
    schema.validate(etree.parse(str(folder / "log.xes"), etree.XMLParser(huge_tree=True)))
    say("XES: the schema of IEEE 1849", map(str, schema.error_log))
    log, skewed = folder / "skewed.log", folder / "skewed.db"
    log.write_text(SKEWED)
    run(tool, "ingest", log, "--db", skewed, "--no-progress")
    run(tool, "export", "xes", "-o", folder / "skewed.xes", "--db", skewed)
    frame = pm4py.read_xes(str(folder / "skewed.xes"))
    frame["order"] = pandas.to_datetime(frame["order"])  # PM4Py sorts by times only.
    found, _, _ = pm4py.discover_dfg(frame, timestamp_key="order")
    answers = json.loads(run(tool, "query", "directly_follows", "--format", "json", "--db", skewed))
    expected = {(r["callback"], r["next_callback"]): r["count"] for r in answers if r["callback"] and r["next_callback"]}
    say("XES: the graph of a log whose clock steps back", [] if dict(found) == expected else [f"{found} {expected}"])


def traces(tool, folder, database, path):
    from google.protobuf import json_format
    from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2

    run(tool, "export", "perfetto", "-o", folder / "trace.pftrace", "--db", path)
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString((folder / "trace.pftrace").read_bytes())
    tracks = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
    known = {track.uuid for track in tracks}
    problems = [] if len(known) == len(tracks) else ["two tracks with one id"]
    problems += [f"{t.name}: no parent" for t in tracks if t.HasField("parent_uuid") and t.parent_uuid not in known]
    packets = sorted((p for p in trace.packet if p.HasField("track_event")), key=lambda p: p.timestamp)
    depth, flows = collections.Counter(), collections.Counter()
    for packet in packets:
        event = packet.track_event
        depth[event.track_uuid] += {1: 1, 2: -1}.get(event.type, 0)
        flows.update(event.flow_ids)
        if event.track_uuid not in known or not 0 <= depth[event.track_uuid] <= 1:
            problems.append(f"track {event.track_uuid}: not declared, or slices that do not nest")
    problems += [f"flow {flow}: {ends} ends" for flow, ends in flows.items() if ends != 2]
    say(f"Perfetto: {len(packets):,} events on {len(tracks):,} tracks, {len(flows):,} arrows", problems)

    run(tool, "export", "otlp", folder / "telemetry", "--db", path)

    def parsed(name, message):
        for line in (folder / "telemetry" / name).open(encoding="utf-8"):
            yield json_format.ParseDict(as_bytes(json.loads(line)), message())

    spans = [s for data in parsed("traces.jsonl", TracesData) for r in data.resource_spans for c in r.scope_spans for s in c.spans]
    ids = {(s.trace_id, s.span_id) for s in spans}
    problems = [] if len(ids) == len(spans) else ["two spans with one id"]
    problems += [s.name for s in spans if s.parent_span_id and (s.trace_id, s.parent_span_id) not in ids]
    say(f"OpenTelemetry: {len(spans):,} spans", problems)
    logs = [e for data in parsed("logs.jsonl", LogsData) for r in data.resource_logs for c in r.scope_logs for e in c.log_records]
    events = database.execute("select count(*) from events").fetchall()[0][0]
    say(f"OpenTelemetry: {len(logs):,} log records", [] if len(logs) == events else [f"not {events}"])


def as_bytes(value):
    """OTLP/JSON writes ids as hexadecimal digits, where the bindings expect base64."""
    if isinstance(value, list):
        return [as_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId", "parentSpanId") else as_bytes(item)
        for key, item in value.items()
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    tool = options.parse_args().lifestats.resolve()
    with tempfile.TemporaryDirectory(prefix="lifestats-exports-") as name:
        folder = pathlib.Path(name)
        path = folder / "lifestats.db"
        run(tool, "simulate", "--seed", 3, "--callbacks", 20_000, "--files", 6, "-o", folder / "logs")
        run(tool, "ingest", "samples", folder / "logs", "--year", 2024, "--date", "2024-03-09", "--db", path, "--no-progress")
        database = sqlite3.connect(path)
        run(tool, "export", "parquet", folder / "tables", "--db", path)
        run(tool, "export", "parquet", folder / "parts", "--partition-by", "app,date", "--db", path)
        parquet(folder / "tables", folder / "parts", database)
        process_mining(tool, folder, database, path)
        traces(tool, folder, database, path)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
