#!/usr/bin/env python3
"""Measures lifestats on simulated logs, as ratios to yardsticks measured in the same run.

usage: bench.py --lifestats BINARY [--scale small|modest|full|huge] [--runs N] [--keep FOLDER]

Dense: every line is a callback. Sparse: one line in a hundred is. Yardsticks: `wc -l` of the same files, a bare
multi-row insert of the same rows into SQLite (yardstick.c, compiled here), `sqlite3 .import` of the same rows, one scan
of `visits`, and the decompressors. Every named query is asked once. Then the same lines in other shapes: many small
files, compressed, ten times fewer. Figures are medians; files are in the page cache; the temporary folder is removed.
"""

import argparse
import gzip
import itertools
import os
import pathlib
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
MIB = 1 << 20
# Dense callbacks and files, sparse callbacks and files.
SCALES = {
    "small": ((100_000, 10), (2_000, 4)),
    "modest": ((1_000_000, 10), (20_000, 4)),
    "full": ((10_000_000, 100), (186_000, 20)),
    "huge": ((30_000_000, 300), (558_000, 60)),
}
# Small files, and the lines in each of them.
SMALL_FILES = {"small": 1_000, "modest": 10_000, "full": 10_000, "huge": 10_000}
LINES_OF_SMALL_FILE = 100


def measure(command, **options):
    """Wall-clock seconds and peak memory in MiB of one command, which must succeed."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, **options)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"bench: {' '.join(map(str, command))}\n{errors.read().decode(errors='replace')}")
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_maxrss * unit / MIB


def median(function, runs):
    results = [function() for _ in range(runs)]
    return statistics.median(r[0] for r in results), max(r[1] for r in results)


def row(*cells):
    print("  " + f"{cells[0]:<46}" + "".join(f"{cell:>14}" for cell in cells[1:]))


def remove_database(path):
    for suffix in ("", "-wal", "-shm", "-journal"):
        pathlib.Path(f"{path}{suffix}").unlink(missing_ok=True)


def bench(name, tool, folder, runs, callbacks, files, sparse):
    logs = folder / name
    truth = folder / f"{name}.json"
    database = folder / f"{name}.db"
    simulate = [tool, "simulate", "--seed", "1", "--callbacks", str(callbacks), "--files", str(files)]
    measure(simulate + ["--sparse", str(sparse), "--truth", truth, "-o", logs])
    paths = sorted(logs.glob("*.log"))
    size = sum(path.stat().st_size for path in paths)
    # Some versions of wc -l read ahead badly on many names; all names in one call is what a person would type.
    count = ["wc", "-l", *paths]
    wc, _ = median(lambda: measure(count), runs)
    lines = int(subprocess.run(count, capture_output=True, text=True, check=True).stdout.split()[-2])

    def ingest():
        remove_database(database)
        return measure([tool, "ingest", logs, "--db", database, "--no-progress"])

    def bare(journal, tables):
        out = folder / "bare.db"
        remove_database(out)
        command = [folder / "yardstick", database, out, journal, *tables]
        seconds = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])
        remove_database(out)
        return seconds, 0

    seconds, memory = median(ingest, runs)
    tables = stored_tables(database)
    bare_events, _ = median(lambda: bare("off", ["raw_steps"]), runs)
    bare_off, _ = median(lambda: bare("off", tables), runs)
    bare_wal, _ = median(lambda: bare("wal", tables), runs)
    print(f"\n{name}: {lines:,} lines, {callbacks:,} callbacks, {size / 1e6:,.0f} MB, {files} files")
    row("", "seconds", "lines/s", "MB/s", "peak MiB")
    row("wc -l", f"{wc:.3f}", f"{lines / wc:,.0f}", f"{size / wc / 1e6:,.0f}")
    row("bare multi-row insert of the events", f"{bare_events:.3f}")
    row("bare multi-row insert of all rows", f"{bare_off:.3f}")
    row("the same in WAL mode", f"{bare_wal:.3f}")
    row("lifestats ingest", f"{seconds:.3f}", f"{lines / seconds:,.0f}", f"{size / seconds / 1e6:,.0f}", f"{memory:.0f}")
    row("ingest / wc -l", f"{seconds / wc:.2f}")
    row("ingest / bare insert of the events", f"{seconds / bare_events:.2f}")
    row("ingest / bare insert of all rows", f"{seconds / bare_off:.2f}")
    row("ingest / the same in WAL mode", f"{seconds / bare_wal:.2f}")
    row("database / log, bytes", f"{database.stat().st_size / size:.2f}")

    imported = sqlite_import(database, folder)
    row("ingest / sqlite3 .import of its rows", f"{seconds / imported:.2f}")

    again, _ = median(lambda: measure([tool, "ingest", logs, "--db", database, "--no-progress"]), runs)
    row("ingest again, nothing new", f"{again:.3f}")
    row("ingest again / ingest", f"{again / seconds:.3f}")
    row("1 % appended / ingest", f"{appended(tool, logs, database, folder) / seconds:.3f}")
    scan, _ = median(lambda: scan_of_visits(database), runs)
    row("one scan of visits", f"{scan:.3f}")
    asked = [
        ("diagram", ["diagram", "-o", folder / "app.svg"]),
        ("check", ["check", "--fail-on", "never"]),
        ("check --measures", ["check", "--measures", "--fail-on", "never"]),
        ("report", ["report", "-o", folder / "report.html"]),
        ("verify", ["verify"]),
    ]
    row("", "seconds", "/ scan", "", "peak MiB")
    for title, command in asked:
        taken, peak = median(lambda: measure([tool, *command, "--db", database]), 1 if title == "verify" else runs)
        row(title, f"{taken:.3f}", f"{taken / scan:.2f}", "", f"{peak:.0f}")
    catalogue(tool, database, scan)
    remove_database(database)
    if sparse == 1:
        shapes(tool, paths, lines, folder, runs)
    shutil.rmtree(logs)
    return seconds, lines


def catalogue(tool, database, scan):
    """Every named query once, without a restriction, and all together."""
    total = 0
    for query in sorted(path.stem for path in (HERE.parents[1] / "queries").glob("*.sql")):
        taken, peak = measure([tool, "query", query, "--db", database, "--format", "ndjson", "--timeout", "300"])
        row(f"query {query}", f"{taken:.3f}", f"{taken / scan:.2f}", "", f"{peak:.0f}")
        total += taken
    row("all named queries, once each", f"{total:.3f}", f"{total / scan:.2f}")


def stored_tables(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        sql = "select name from sqlite_schema where type = 'table' and name like 'raw\\_%' escape '\\'"
        return [name for (name,) in connection.execute(sql)]


def scan_of_visits(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        start = time.perf_counter()
        connection.execute("select count(*), sum(dwell_ns) from visits").fetchone()
        return time.perf_counter() - start, 0


def sqlite_import(database, folder):
    """Seconds that the stock shell takes to import the rows of the events as CSV."""
    table, out = folder / "rows.csv", folder / "imported.db"
    shell = lambda path, *commands: ["sqlite3", path, *commands]
    with open(table, "wb") as file:
        subprocess.run(shell(database, "-csv", "select * from raw_steps"), stdout=file, check=True)
    remove_database(out)
    columns = "step_id integer primary key, kind, stay, time, instance, opener, source, line"
    commands = ["pragma journal_mode = off", f"create table rows ({columns})", ".mode csv", f".import {table} rows"]
    seconds, _ = measure(shell(out, *commands))
    remove_database(out)
    table.unlink()
    return seconds


def appended(tool, logs, database, folder):
    """Seconds for the last hundredth of every file, when the database has the rest."""
    rest = {}
    for path in logs.glob("*.log"):
        # Only the end is read: what this program holds would count into the peak of the programs that it starts.
        size = path.stat().st_size
        with path.open("rb+") as file:
            file.seek(size - size // 100)
            file.readline()
            kept = file.tell()
            rest[path] = file.read()
            file.truncate(kept)
    remove_database(database)
    ingest = [tool, "ingest", logs, "--db", database, "--no-progress"]
    measure(ingest)
    for path, text in rest.items():
        with path.open("ab") as file:
            file.write(text)
    return measure(ingest)[0]


def shapes(tool, paths, lines, folder, runs):
    """The same kind of lines as many small files, as one file, compressed, and ten times fewer."""
    database = folder / "shape.db"

    def ingest(inputs):
        def once():
            remove_database(database)
            return measure([tool, "ingest", inputs, "--db", database, "--no-progress"])
        return median(once, runs)

    count = SMALL_FILES[chosen_scale]
    needed = min(count * LINES_OF_SMALL_FILE, lines)
    one, many, packed = folder / "one", folder / "many", folder / "packed"
    for path in (one, many, packed):
        path.mkdir()

    # Line by line: what this program holds would count into the peak of the programs that it starts.
    with (one / "one.log").open("wb") as file:
        file.writelines(itertools.islice(lines_of(paths), needed))
    with gzip.open(packed / "one.log.gz", "wb", compresslevel=6) as file:
        file.writelines(lines_of([one / "one.log"]))
    rest = lines_of([one / "one.log"])
    for number in range(count):
        (many / f"{number:06}.log").write_bytes(b"".join(itertools.islice(rest, LINES_OF_SMALL_FILE)))
    print(f"\nshapes: {needed:,} lines")
    row("", "seconds", "ratio", "", "peak MiB")
    single, peak = ingest(one)
    row("one file", f"{single:.3f}", "", "", f"{peak:.0f}")
    taken, peak = ingest(many)
    row(f"{count:,} small files / one file", f"{taken:.3f}", f"{taken / single:.2f}", "", f"{peak:.0f}")
    taken, peak = ingest(packed)
    row("gzip / one file", f"{taken:.3f}", f"{taken / single:.2f}", "", f"{peak:.0f}")
    bare, _ = median(lambda: measure(["gzip", "-dc", packed / "one.log.gz"]), runs)
    row("gzip -dc of it", f"{bare:.3f}")
    with (one / "one.log").open("wb") as file:
        file.writelines(itertools.islice(lines_of(paths), needed // 10))
    tenth, peak = ingest(one)
    row("a tenth of the lines / one file", f"{tenth:.3f}", f"{tenth / single:.2f}", "", f"{peak:.0f}")
    remove_database(database)
    for path in (one, many, packed):
        shutil.rmtree(path)


def lines_of(paths):
    for path in paths:
        with path.open("rb") as file:
            yield from file


def machine():
    model = platform.processor() or platform.machine()
    try:
        for line in open("/proc/cpuinfo", encoding="utf-8"):
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{os.cpu_count()} cores, {model}, {platform.system()}, {time.strftime('%Y-%m-%d')}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--scale", choices=SCALES, default="modest")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--keep", type=pathlib.Path, help="work in this folder and leave it")
    chosen = options.parse_args()
    global chosen_scale
    chosen_scale = chosen.scale
    tool = chosen.lifestats.resolve()
    folder = chosen.keep or pathlib.Path(tempfile.mkdtemp(prefix="lifestats-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        compiler = os.environ.get("CC", "cc")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "sqlite3"], capture_output=True, text=True, check=True)
        subprocess.run(
            [compiler, "-O2", "-o", folder / "yardstick", HERE / "yardstick.c", *flags.stdout.split()], check=True
        )
        print(f"lifestats bench, scale {chosen.scale}: medians of {chosen.runs} runs; {machine()}")
        start_up, memory = median(lambda: measure([tool, "--help"]), max(5, chosen.runs))
        row("start-up: lifestats --help", f"{start_up:.3f}", "", "", f"{memory:.0f}")
        dense, sparse = SCALES[chosen.scale]
        bench("dense", tool, folder, chosen.runs, *dense, 1)
        bench("sparse", tool, folder, chosen.runs, *sparse, 100)
    finally:
        if not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
