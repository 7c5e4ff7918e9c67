#!/usr/bin/env python3
"""Asks DuckDB for dwell times and transition counts on the rows of a database, and lifestats for the same.

usage: questions.py --lifestats BINARY [--scale small|modest|full|huge] [--runs N]

The rows of `visits` and `transitions` are loaded into a DuckDB file before the clock starts. Each answer is that of a
process of its own, from start to printed rows; the answers are compared.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

ROWS = {
    "visits": "SELECT layer, state, complete, CASE WHEN complete THEN dwell_ns END AS dwell_ns FROM visits",
    "transitions": "SELECT layer, from_state, to_state, callback, verdict, evidence, dwell_ns FROM transitions",
}
QUESTIONS = {
    "dwell_times": (
        """select layer, state, count(*) as visits, cast(sum(complete) as bigint) as complete,
            quantile_cont(dwell_ns, [0.5, 0.9, 0.99]) as q, min(dwell_ns), max(dwell_ns), sum(dwell_ns)
        from visits group by layer, state order by layer, state""",
        lambda r: [r["layer"], r["state"], r["visits"], r["complete"]] + [r[p] for p in ("p50_s", "p90_s", "p99_s")],
        lambda r: [*r[:4], *(q / 1e9 for q in r[4])],
    ),
    "transition_counts": (
        """select layer, from_state, to_state, callback, verdict, evidence, count(*) as n, quantile_cont(dwell_ns, 0.5)
        from transitions group by all order by all""",
        lambda r: [r[c] for c in ("layer", "from_state", "to_state", "callback", "verdict", "evidence", "count")],
        lambda r: list(r[:7]),
    ),
}


def load(tool, database, target):
    """The rows that the questions are about, in a DuckDB file."""
    import duckdb

    engine = duckdb.connect(str(target))
    for table, sql in ROWS.items():
        rows = target.with_suffix(".csv")
        with rows.open("wb") as file:
            command = [tool, "query", sql, "--db", database, "--format", "csv", "--timeout", "3600"]
            subprocess.run(command, stdout=file, check=True)
        engine.execute(f"create table {table} as select * from read_csv(?, header = true)", [str(rows)])
        rows.unlink()
    engine.close()


def ask(target, question):
    """The answer of DuckDB, printed."""
    import duckdb

    engine = duckdb.connect(str(target), read_only=True)
    csv.writer(sys.stdout).writerows(engine.execute(QUESTIONS[question][0]).fetchall())


def agree(tool, database, target, question):
    """Whether both give the same answer, save for the last digit of a percentile."""
    import duckdb

    sql, of_ours, of_theirs = QUESTIONS[question]
    command = [tool, "query", question, "--db", database, "--format", "json"]
    ours = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    theirs = duckdb.connect(str(target), read_only=True).execute(sql).fetchall()
    # One order for both: by text, whatever each engine thinks of NULL.
    shape = lambda rows: sorted(([f"{c:.9g}" if isinstance(c, float) else str(c) for c in row] for row in rows))
    return shape(map(of_ours, ours)) == shape(map(of_theirs, theirs))


def main():
    import bench

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--scale", choices=bench.SCALES, default="modest")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--ask", nargs=2, metavar=("FILE", "QUESTION"), help="the answer of DuckDB alone")
    chosen = options.parse_args()
    if chosen.ask:
        ask(*chosen.ask)
        return
    tool = chosen.lifestats.resolve()
    with tempfile.TemporaryDirectory(prefix="lifestats-questions-") as folder:
        folder = pathlib.Path(folder)
        (callbacks, files), _ = bench.SCALES[chosen.scale]
        logs, database, target = folder / "logs", folder / "lifestats.db", folder / "rows.duckdb"
        bench.measure([tool, "simulate", "--seed", "1", "--callbacks", str(callbacks), "--files", str(files), "-o", logs])
        bench.measure([tool, "ingest", logs, "--db", database, "--no-progress"])
        load(tool, database, target)
        print(f"questions on {callbacks:,} events; medians of {chosen.runs} runs; {bench.machine()}")
        bench.cells("", "lifestats s", "DuckDB s", "ratio", "answer")
        for question in QUESTIONS:
            ours, _ = bench.median(lambda: bench.measure([tool, "query", question, "--db", database]), chosen.runs)
            command = [sys.executable, __file__, "--lifestats", tool, "--ask", target, question]
            theirs, _ = bench.median(lambda: bench.measure(command), chosen.runs)
            verdict = "equal" if agree(tool, database, target, question) else "DIFFERENT"
            bench.cells(question, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}", verdict)


if __name__ == "__main__":
    main()
