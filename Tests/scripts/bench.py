#!/usr/bin/env python3
"""Measures lifestats on simulated logs, as ratios to yardsticks measured in the same run.

usage: bench.py --lifestats BINARY [--scale small|modest|full] [--runs N] [--peers PYTHON] [--keep FOLDER]

Dense: every line is a callback. Sparse: one line in a hundred is. Yardsticks: a C program that parses the dense log and
stores one row of four integers for each event (yardstick.c, compiled here), `wc -l`, and one scan of `visits` by SQLite.
With --peers, an interpreter that has DuckDB, polars and chdb, the same job is given to them: from the logs to dwell times
and transition counts (peers.py). Every named query runs once on the dense log. Then the same lines in other shapes:
appended, many small files, compressed, three times as many. Figures are medians; files are in the page cache; the
temporary folder is removed. A figure beside its target is marked where it misses it.
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
# Dense callbacks and files, sparse callbacks and files, many small files.
SCALES = {
    "small": ((100_000, 10), (2_000, 4), 500),
    "modest": ((1_000_000, 10), (20_000, 4), 10_000),
    "full": ((10_000_000, 100), (106_000, 20), 10_000),
}
LINES_OF_SMALL_FILE = 20
TEN_LINES = "".join(
    f"2024-03-09 10:00:0{n}.000 Postbox[412:9001] -[AppDelegate {name}]\n"
    for n, name in enumerate(("applicationDidBecomeActive:", "applicationWillResignActive:") * 5)
)


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


def row(title, figure="", target=None, note=""):
    """A figure, its target where it has one, and a mark where it misses it."""
    shown = figure if isinstance(figure, str) else f"{figure:.3f}"
    wanted = "" if target is None else f"<= {target:g}"
    missed = "" if target is None or figure <= target else "MISSED"
    print(f"  {title:<48}{shown:>12}{wanted:>12}{missed:>9}  {note}".rstrip())


def cells(title, *figures):
    """A row of a table with several figures."""
    print(f"  {title:<48}{''.join(f'{figure:>12}' for figure in figures)}".rstrip(), flush=True)


def remove_database(path):
    for suffix in ("", "-wal", "-shm", "-journal"):
        pathlib.Path(f"{path}{suffix}").unlink(missing_ok=True)


class Bench:
    """One tool, one working folder."""

    def __init__(self, tool, folder, runs, scale, peers):
        self.tool, self.folder, self.runs, self.scale, self.peers = tool, folder, runs, scale, peers
        self.yardstick = folder / "yardstick"

    def ingest(self, logs, database, runs=None):
        def once():
            remove_database(database)
            return measure([self.tool, "ingest", logs, "--db", database, "--no-progress"])
        return median(once, runs or self.runs)

    def simulate(self, name, callbacks, files, sparse):
        logs = self.folder / name
        command = [self.tool, "simulate", "--seed", "1", "--callbacks", str(callbacks), "--files", str(files)]
        measure(command + ["--sparse", str(sparse), "--truth", self.folder / f"{name}.json", "-o", logs])
        return logs

    def start_up(self):
        print("\nstart-up")
        log, database = self.folder / "ten.log", self.folder / "ten.db"
        log.write_text(TEN_LINES)
        row("lifestats --help, ms", median(lambda: measure([self.tool, "--help"]), 11)[0] * 1e3, 10)
        row("ingest of ten lines, ms", self.ingest(log, database, 11)[0] * 1e3, 20)
        remove_database(database)

    def stored_by_yardstick(self, paths):
        out = self.folder / "yardstick.db"

        def once():
            remove_database(out)
            return measure([self.yardstick, out, *paths])
        seconds, _ = median(once, self.runs)
        remove_database(out)
        return seconds

    def log(self, name, callbacks, files, sparse):
        """One kind of log: ingest against the yardsticks, then the questions."""
        logs = self.simulate(name, callbacks, files, sparse)
        database = self.folder / f"{name}.db"
        paths = sorted(logs.glob("*.log"))
        size = sum(path.stat().st_size for path in paths)
        # Some versions of wc -l read ahead badly on many names; all names in one call is what a user would type.
        count = ["wc", "-l", *paths]
        wc, _ = median(lambda: measure(count), self.runs)
        lines = int(subprocess.run(count, capture_output=True, text=True, check=True).stdout.split()[-2])
        seconds, memory = self.ingest(logs, database)
        print(f"\n{name}: {lines:,} lines, {callbacks:,} callbacks, {size / 1e6:,.0f} MB, {files} files")
        row("wc -l, s", wc)
        row("ingest, s", seconds, note=f"{lines / seconds:,.0f} lines/s, {size / seconds / 1e6:,.0f} MB/s")
        if sparse == 1:
            yardstick = self.stored_by_yardstick(paths)
            row("yardstick: parse, one row an event, s", yardstick)
            row("ingest / yardstick", seconds / yardstick, 2)
        else:
            row("ingest / wc -l", seconds / wc, 3)
        row("peak MiB", memory, 64)
        row("database / log, bytes", database.stat().st_size / size, 0.6 if sparse == 1 else 0.05)
        again, _ = median(
            lambda: measure([self.tool, "ingest", logs, "--db", database, "--no-progress"]), self.runs)
        row("ingest again, nothing new / ingest", again / seconds)
        if self.peers:
            self.compare(logs)
        if sparse == 1:
            self.questions(database)
        row("1 % appended / ingest", self.appended(logs, database) / seconds, 0.05)
        remove_database(database)
        if sparse == 1:
            self.shapes(paths, lines, seconds)
        shutil.rmtree(logs)
        return seconds

    def compare(self, logs):
        """Ingest, dwell times and transition counts against the same answers from tools that store nothing."""
        job = [self.peers, HERE / "peers.py", "--lifestats", self.tool, "--only"]
        seconds, memory = median(lambda: measure([*job, "lifestats", logs]), self.runs)
        row("ingest and two answers, s", seconds, note=f"{memory:.0f} MiB")
        for name, target in (("duckdb", 1), ("polars", 1), ("chdb", 3)):
            taken, peak = median(lambda: measure([*job, name, logs]), self.runs)
            row(f"the same / {name}", seconds / taken, target, f"{taken:.2f} s, {peak:.0f} MiB")

    def questions(self, database):
        scan, _ = median(lambda: scan_of_visits(database), self.runs)
        # The targets are for ten million events, where a scan of `visits` takes 2.5 s.
        unit = scan / 2.5
        row("one scan of visits by SQLite, s", scan)
        asked = [
            ("diagram", ["diagram", "-o", self.folder / "app.svg"], 0.5),
            ("check", ["check", "--fail-on", "never"], 1),
            ("check --measures", ["check", "--measures", "--fail-on", "never"], 3),
            ("report", ["report", "-o", self.folder / "report.html"], 2),
            ("verify", ["verify"], 5),
        ]
        for title, command, target in asked:
            taken, peak = measure([self.tool, *command, "--db", database])
            row(f"{title} / (scan / 2.5)", taken / unit, target, f"{taken:.2f} s, {peak:.0f} MiB")
        for query in sorted(path.stem for path in (HERE.parents[1] / "queries").glob("*.sql")):
            command = [self.tool, "query", query, "--db", database, "--format", "ndjson", "--timeout", "300"]
            taken, peak = measure(command)
            row(f"query {query} / (scan / 2.5)", taken / unit, 2, f"{taken:.2f} s, {peak:.0f} MiB")

    def appended(self, logs, database):
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
        self.ingest(logs, database, 1)
        for path, text in rest.items():
            with path.open("ab") as file:
                file.write(text)
        return measure([self.tool, "ingest", logs, "--db", database, "--no-progress"])[0]

    def shapes(self, paths, lines, seconds):
        """The same kind of lines as many small files, as one file, compressed, and three times as many."""
        database = self.folder / "shape.db"
        count = min(SCALES[self.scale][2], lines // LINES_OF_SMALL_FILE)
        needed = count * LINES_OF_SMALL_FILE
        one, many, packed = (self.folder / name for name in ("one", "many", "packed"))
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
        single, peak = self.ingest(one, database)
        row("one file, s", single, note=f"{peak:.0f} MiB")
        taken, peak = self.ingest(many, database)
        row(f"{count:,} files of {LINES_OF_SMALL_FILE} lines / one file", taken / single, 2)
        row("their peak MiB", peak, 80)
        taken, peak = self.ingest(packed, database)
        bare, _ = median(lambda: measure(["gzip", "-dc", packed / "one.log.gz"]), self.runs)
        row("gzip / one file", taken / single, note=f"gzip -dc alone {bare / single:.2f}, {peak:.0f} MiB")
        for path in (one, many, packed):
            shutil.rmtree(path)
        if self.scale == "full":
            (dense, files), _, _ = SCALES[self.scale]
            logs = self.simulate("large", 3 * dense, 3 * files, 1)
            taken, peak = self.ingest(logs, database, 1)
            row("three times the lines / dense", taken / seconds, 3.3)
            row("their peak MiB", peak, 64)
            shutil.rmtree(logs)
        remove_database(database)


def scan_of_visits(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        start = time.perf_counter()
        connection.execute("select count(*), sum(dwell_ns) from visits").fetchone()
        return time.perf_counter() - start, 0


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
    options.add_argument("--peers", type=pathlib.Path, help="an interpreter that has DuckDB, polars and chdb")
    options.add_argument("--keep", type=pathlib.Path, help="work in this folder and leave it")
    chosen = options.parse_args()
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
        bench = Bench(tool, folder, chosen.runs, chosen.scale, chosen.peers)
        dense, sparse, _ = SCALES[chosen.scale]
        bench.start_up()
        bench.log("dense", *dense, 1)
        bench.log("sparse", *sparse, 100)
    finally:
        if not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
