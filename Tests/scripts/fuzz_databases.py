#!/usr/bin/env python3
"""Mutates a database at random, and runs every command that reads one: none may crash or hang.

usage: fuzz_databases.py --lifestats BINARY [--runs N] [--seed N]

A mutation changes bytes or pages of the file, cuts it, or changes it through SQLite: cells, views, triggers, tables and
indexes. Exit codes 0, 1 and 2 are answers; a signal, another code, or more than a minute is a fault. Prints the first
faults, keeps their databases, and exits 1.
"""

import argparse
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

COMMANDS = [
    ["query", "dwell_times", "--timeout", "10"], ["query", "select * from events", "--timeout", "10"],
    ["verify", "--timeout", "10"], ["check", "--timeout", "10"], ["diagram", "--timeout", "10", "-o", "x.svg"],
    ["timeline", "--timeout", "10", "-o", "t.svg"], ["report", "--timeout", "10", "-o", "r.html"],
    ["export", "xes", "--timeout", "10", "-o", "x.xes"], ["show", "run:65537", "--timeout", "10"], ["replay"],
    ["ingest", "more.log", "--no-progress"], ["check", "--format", "sarif", "--timeout", "10"],
    ["model", "coverage", "--timeout", "10"], ["export", "csv", "tables", "--timeout", "10"],
    ["compare", "now.db", "intact.db", "--timeout", "10"], ["merge", "merged.db", "now.db", "intact.db"],
    ["forget", "logs/harbour-0001.log"],
]
VALUES = [None, 0, -1, 2**63 - 1, -2**63, 1e308, float("nan"), "", "\x1b]52;c;AAAA\x07", "x" * 100_000, b"\xff" * 40]
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


def damage_bytes(chance, path):
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 1, 3, 20, 200])):
        place = chance.randrange(100) if chance.random() < 0.2 else chance.randrange(len(data))
        data[place] = chance.randrange(256)
    path.write_bytes(data)


def damage_pages(chance, path):
    data = path.read_bytes()
    pages = [data[place:place + 4096] for place in range(0, len(data), 4096)]
    first, second = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[first] = chance.choice([pages[second], bytes(4096), chance.randbytes(4096), b""])
    path.write_bytes(b"".join(pages))


def cut(chance, path):
    data = path.read_bytes()
    path.write_bytes(data[:chance.randrange(len(data))])


def damage_rows(chance, path):
    """Changes cells as somebody with the sqlite3 shell may, past all constraints."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA ignore_check_constraints = on")
        database.execute("PRAGMA writable_schema = on")
        if chance.random() < 0.5:
            database.execute("UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '') WHERE type = 'table'")
            database.commit()
            database.execute("PRAGMA schema_version = 999999")
        tables = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(chance.choice([1, 2, 10])):
            table = chance.choice(tables)
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            try:
                database.execute(f'UPDATE OR REPLACE "{table}" SET "{chance.choice(columns)}" = ? WHERE random() % 3 = 0',
                                 [chance.choice(VALUES)])
            except sqlite3.Error:
                pass


def damage_schema(chance, path):
    """Replaces views, adds triggers and drops tables and indexes."""
    with sqlite3.connect(path) as database:
        names = list(database.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL"))
        kind, name = chance.choice(names)
        table = chance.choice([name for kind, name in names if kind == "table"])
        statements = chance.choice([
            [f'DROP {kind} "{name}"'],
            [f'DROP {kind} "{name}"', f'CREATE VIEW "{name}" AS {ENDLESS}'],
            [f'DROP {kind} "{name}"', f'CREATE VIEW "{name}" AS SELECT * FROM "{name}"'],
            [f'CREATE TRIGGER hostile AFTER INSERT ON "{table}" BEGIN DELETE FROM raw_settings; END'],
            [f'ALTER TABLE "{table}" ADD COLUMN more DEFAULT 7'],
            [f"PRAGMA user_version = {chance.randrange(-2**31, 2**31)}"],
        ])
        for statement in statements:
            try:
                database.execute(statement)
            except sqlite3.Error:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lifestats", required=True)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.lifestats).resolve())
    chance = random.Random(options.seed or None)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fuzz-databases-"))
    subprocess.run([binary, "simulate", "--seed", "7", "--callbacks", "300", "-o", str(folder / "logs")], check=True,
                   capture_output=True)
    intact = folder / "intact.db"
    subprocess.run([binary, "ingest", str(folder / "logs"), "--db", str(intact), "--no-progress"], check=True,
                   capture_output=True)
    (folder / "more.log").write_text("2024-03-09 10:00:00 Demo[7:1] applicationDidBecomeActive:\n")
    faults = 0
    for number in range(options.runs):
        mutated, database = folder / f"{number}.db", folder / "now.db"
        shutil.copy(intact, mutated)
        for _ in range(chance.choice([1, 1, 2])):
            mutation = chance.choice([damage_bytes, damage_pages, cut, damage_rows, damage_schema])
            try:
                mutation(chance, mutated)
            except (sqlite3.Error, ValueError, IndexError):
                pass
        found = []
        for command in COMMANDS:
            shutil.copy(mutated, database)
            try:
                named = [] if command[0] == "merge" else ["--db", str(database)]
                code = subprocess.run([binary, *command, *named], cwd=folder, capture_output=True,
                                      stdin=subprocess.DEVNULL, timeout=60).returncode
            except subprocess.TimeoutExpired:
                code = "more than a minute"
            if code not in (0, 1, 2):
                found.append(f"{' '.join(command)}: {code}")
            for file in [*folder.glob("now.db*"), *folder.glob("merged.db*")]:
                file.unlink()
            shutil.rmtree(folder / "tables", ignore_errors=True)
        if found:
            faults += 1
            print(f"{mutated} ({mutation.__name__}):", *found, sep="\n  ")
        else:
            mutated.unlink()
    print(f"{'databases':12} {options.runs * len(COMMANDS):12} commands, {faults} faults")
    if not faults:
        shutil.rmtree(folder)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
