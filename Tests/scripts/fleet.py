#!/usr/bin/env python3
"""Asks DuckDB and Spark every named query, and runs docs/fleet.md as it is written.

usage: fleet.py --lifestats BINARY [--callbacks N] [--database FILE]

Simulated logs and the samples are ingested and exported as Parquet. Each query, in the words of `--show NAME --dialect`, must
give the rows that SQLite gives: floats to 1e-9, in the same order, except where the order is that of an id. The same holds
for the portable twins on SQLite, and with parameters. Then the commands of docs/fleet.md run one after another. `make oracle`
installs what is needed into .build/peers. Exits 1 if anything differs.
"""

import argparse
import decimal
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
# Ids have other values in exported tables.
IDS = {"run_id", "instance_id", "finding_id"}
# Queries whose rows are in the order of an id that they do not show.
BY_ID = {"source_accounting"}
# Values that restrict something in any database of the samples and of simulated logs.
PARAMETERS = {
    "app": "Harbour", "layer": "app", "since": "2024-03-09", "until": "2026-01-01", "by": "day", "most": "3", "state": "active",
    "severity": "warning", "within_s": "1.5", "limit_s": "9", "lines": "2",
}


class Fleet:
    def __init__(self, tool, folder):
        self.tool, self.folder = str(tool), folder
        self.wrong = 0

    def lifestats(self, *arguments):
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"fleet: lifestats {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout

    def say(self, what, problems):
        problems = list(problems)
        print(f"{'differs' if problems else 'agrees '}  {what}", flush=True)
        for problem in problems[:5]:
            print(f"         {problem}"[:600])
        self.wrong += bool(problems)

    def prepare(self, callbacks, database):
        self.database = database or self.folder / "lifestats.db"
        if not database:
            self.lifestats("simulate", "--callbacks", callbacks, "--files", 20, "-o", self.folder / "logs")
            self.lifestats(
                "ingest", ROOT / "samples", self.folder / "logs", "--year", 2024, "--date", "2024-03-09", "--db", self.database,
                "--no-progress")
        self.tables = self.folder / "tables"
        self.lifestats("export", "parquet", self.tables, "--db", self.database)

    def expected(self, name, options):
        text = self.lifestats("query", name, *options, "--db", self.database, "--format", "json", "--timeout", 600)
        return [tuple(row.values()) for row in json.loads(text)]

    def shown(self, name, dialect, options):
        return self.lifestats("query", "--show", name, "--dialect", dialect, *options).rstrip().rstrip(";")

    def columns(self, name):
        text = (ROOT / "queries" / f"{name}.sql").read_text()
        header = text[: text.index("\nWITH" if "\nWITH" in text else "\nSELECT")]
        return re.findall(r"^--   (\w+)  +\w+ ", header[header.index("Columns:"):], re.M)

    def parameters(self, name):
        text = (ROOT / "queries" / f"{name}.sql").read_text()
        return re.findall(r"^--   \$(\w+)", text, re.M)

    def compare(self, engine, run):
        for path in sorted((ROOT / "queries").glob("*.sql")):
            name = path.stem
            names = self.columns(name)
            kept = [place for place, column in enumerate(names) if column not in IDS]
            choices = [()] + [
                ("--param", f"{p}={PARAMETERS[p]}") for p in self.parameters(name) if p in PARAMETERS]
            problems = []
            for options in choices:
                expected = [tuple(row[place] for place in kept) for row in self.expected(name, options)]
                try:
                    found = [tuple(plain(row[place]) for place in kept) for row in run(self.shown(name, engine, options))]
                except Exception as error:
                    problems.append(f"{' '.join(options)}: {str(error).splitlines()[0]}")
                    continue
                if len(kept) < len(names) or name in BY_ID:
                    expected, found = sorted(expected, key=order), sorted(found, key=order)
                problems += (f"{' '.join(options)}: {problem}" for problem in rows_compared(expected, found))
            self.say(f"{engine}: {name}, {len(choices)} times", problems)

    def duckdb(self):
        import duckdb

        engine = duckdb.connect()
        engine.execute("SET default_null_order = 'nulls_first'")
        for path in sorted(self.tables.glob("*.parquet")):
            times = [n for n, kind, *_ in engine.execute(f"DESCRIBE FROM '{path}'").fetchall() if "TIMESTAMP" in kind]
            numbers = ", ".join(f'epoch_ns("{n}") AS "{n}"' for n in times)
            engine.execute(
                f"CREATE VIEW {path.stem} AS SELECT * {f'REPLACE ({numbers})' if times else ''} FROM '{path}'")
        self.compare("duckdb", lambda sql: engine.execute(sql).fetchall())

    def spark(self):
        from pyspark.sql import SparkSession

        spark = (
            SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.legacy.parquet.nanosAsLong", "true").getOrCreate()
        )
        spark.sparkContext.setLogLevel("OFF")
        for path in sorted(self.tables.glob("*.parquet")):
            spark.read.parquet(str(path)).createOrReplaceTempView(path.stem)
        self.compare("spark", lambda sql: [tuple(row) for row in spark.sql(sql).collect()])
        spark.stop()

    def walk(self):
        """The commands of docs/fleet.md, in order, in a folder of their own."""
        folder = self.folder / "walk"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "lifestats").symlink_to(self.tool)
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        environment.update(PYSPARK_PYTHON=sys.executable)
        problems = []
        blocks = re.findall(r"^```(sh|python)\n(.*?)^```", (ROOT / "docs" / "fleet.md").read_text(), re.M | re.S)
        for language, text in blocks:
            command = ["bash", "-euc", text] if language == "sh" else [sys.executable, "-c", text]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode != 0:
                problems.append(f"{text.splitlines()[0]}: {done.stderr[-400:]}")
                break
        self.say(f"docs/fleet.md: {len(blocks)} pieces", problems)


def plain(value):
    return float(value) if isinstance(value, decimal.Decimal) else value


def order(row):
    return [(cell is not None, f"{cell:.6g}" if isinstance(cell, (int, float)) else str(cell)) for cell in row]


def rows_compared(expected, found):
    if len(expected) != len(found):
        yield f"{len(expected)} rows, but {len(found)}"
        return
    for one, other in zip(expected, found):
        for a, b in zip(one, other):
            if isinstance(a, (int, float)) and isinstance(b, (int, float)):
                if not math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9):
                    yield f"{one}: {other}"
                    return
            elif a != b:
                yield f"{one}: {other}"
                return


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--callbacks", type=int, default=40_000)
    options.add_argument("--database", type=pathlib.Path)
    options.add_argument("--engines", default="duckdb,spark,walk")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="lifestats-fleet-") as folder:
        fleet = Fleet(chosen.lifestats.resolve(), pathlib.Path(folder))
        fleet.prepare(chosen.callbacks, chosen.database)
        for engine in chosen.engines.split(","):
            getattr(fleet, engine)()
    return 1 if fleet.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
