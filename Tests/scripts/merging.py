#!/usr/bin/env python3
"""Splits logs over shards in every way that is allowed, and compares what `lifestats merge` makes of them with one ingest.

usage: merging.py --lifestats BINARY [--logs N] [--shards N,N,…] [--seed N]

Simulates logs of devices that have one to three each, one of them sometimes with evidence only. All of them are ingested
into one database. Then, for each number of shards, devices are divided among the shards at random, some logs go into a
second shard as well, and shards are merged in random order. The first merges are killed at random moments, and must
leave neither a database nor a changed shard. `lifestats verify` must find the digest of the one ingest, and every named query
must give the same rows, apart from ids. Then logs are divided one by one, so that devices are split. In the end a log that
is split over two shards must be refused by its name. Exits 1 if anything differs, and keeps the folder.
"""

import argparse
import csv
import hashlib
import io
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import exactness

LINE = re.compile(rb"(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)\.\d{3} (\w+)\[(\d+):1\] (.*)", re.DOTALL)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
IDS = {"run_id", "instance_id", "event_id", "visit_id", "finding_id"}


class Merging:
    def __init__(self, tool, folder, chance):
        self.tool, self.folder, self.chance = str(tool), folder, chance

    def fail(self, what):
        sys.exit(f"merging: {what}\nmerging: the folder is kept: {self.folder}")

    def run(self, *arguments, expected=0):
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != expected:
            self.fail(f"lifestats {' '.join(map(str, arguments))} exited {done.returncode}\n{done.stderr}")
        return done.stdout + done.stderr

    def ingest(self, database, logs):
        self.run("ingest", *logs, "--db", database, "--year", 2026, "--no-progress")

    def digest(self, database):
        return re.search(r"digest ([0-9a-f]{64})", self.run("verify", "--db", database))[1]

    def answers(self, database):
        answers = {}
        for name in sorted(path.stem for path in (pathlib.Path(__file__).parents[2] / "queries").glob("*.sql")):
            text = self.run("query", name, "--db", database, "--format", "csv")
            rows = csv.DictReader(io.StringIO(text))
            answers[name] = sorted(str({k: v for k, v in row.items() if k not in IDS}) for row in rows)
        return answers

    def make_logs(self, count):
        """The logs by device: paths relative to the folder."""
        devices = []
        made = 0
        while made < count:
            device = f"phone-{len(devices)}"
            number = min(self.chance.choice((1, 1, 2, 3)), count - made)
            begin = 1772352000000 + self.chance.randrange(10**9)
            pids = [50 + self.chance.randrange(9) for _ in range(3)]
            paths = []
            for place in range(number):
                is_told = place == 0 or self.chance.random() < 0.5
                path = pathlib.Path("logs") / f"{device}-{place}.log"
                (self.folder / path).parent.mkdir(exist_ok=True)
                lines = exactness.lines_of(self.chance, self.chance.randrange(5, 80), begin, pids, is_told)
                (self.folder / path).write_bytes(b"".join(self.syslog(line, device) for line in lines))
                paths.append(path)
            devices.append(paths)
            made += number
        return devices

    @staticmethod
    def syslog(line, device):
        found = LINE.fullmatch(line)
        if not found:
            return b""
        _, month, day, clock, process, pid, text = found.groups()
        date = f"{MONTHS[int(month) - 1]} {int(day):2}".encode()
        return b"%s %s %s %s[%s] <Notice>: %s" % (date, clock, device.encode(), process, pid, text.replace(b"\n", b" ") + b"\n")

    def shards(self, groups, count):
        """Databases of groups of logs, each in one shard, some in another one as well."""
        parts = [[] for _ in range(count)]
        for group in groups:
            chosen = self.chance.sample(parts, min(len(parts), 2 if self.chance.random() < 0.1 else 1))
            for part in chosen:
                part += group
        databases = []
        for number, part in enumerate(parts):
            if part:
                self.chance.shuffle(part)
                databases.append(f"shard-{count}-{number}.db")
                self.ingest(databases[-1], part)
        self.chance.shuffle(databases)
        return databases

    def hashes(self, databases):
        return [hashlib.sha256((self.folder / name).read_bytes()).digest() for name in databases]

    def merge(self, databases, kills, expected):
        before = self.hashes(databases)
        output = self.folder / "merged.db"
        start = time.monotonic()
        self.run("merge", output.name, *databases)
        longest = time.monotonic() - start
        output.unlink()
        hits = 0
        for _ in range(kills):
            process = subprocess.Popen(
                [self.tool, "merge", output.name, *databases], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                cwd=self.folder)
            time.sleep(self.chance.uniform(0, longest))
            process.kill()
            if process.wait() == 0:
                output.unlink()
                continue
            hits += 1
            # Killed after the database got its name, it is whole.
            if output.exists():
                if self.digest(output.name) != expected:
                    self.fail("a killed merge left a database that is not whole")
                output.unlink()
        self.run("merge", output.name, *databases)
        if self.hashes(databases) != before:
            self.fail("a merge changed a shard")
        if left := [path.name for path in self.folder.glob("merged.db?*")]:
            self.fail(f"a merge left {', '.join(left)}")
        return hits

    def compare(self, databases, kills, expected, answers, what):
        hits = self.merge(databases, kills, expected)
        if self.digest("merged.db") != expected:
            self.fail(f"{what}: the digest is another one: {' '.join(databases)}")
        for name, rows in self.answers("merged.db").items():
            if rows != answers[name]:
                other = next((pair for pair in zip(answers[name], rows) if pair[0] != pair[1]), (len(answers[name]), len(rows)))
                self.fail(f"{what}: {name}: {other[0]} became {other[1]}")
        (self.folder / "merged.db").unlink()
        print(f"agrees   {what}, {len(databases)} databases, {hits} kills", flush=True)

    def play(self, logs, counts, kills):
        devices = self.make_logs(logs)
        self.ingest("whole.db", sorted(path for paths in devices for path in paths))
        expected, answers = self.digest("whole.db"), self.answers("whole.db")
        print(f"merging: {logs} logs of {len(devices)} devices", flush=True)
        for count in counts:
            self.compare(self.shards(devices, count), kills, expected, answers, f"{count} shards by device")
        single = [[path] for paths in devices for path in paths]
        self.compare(self.shards(single, 7), kills, expected, answers, "7 shards by log")
        path = max((self.folder / "logs").iterdir(), key=lambda path: path.stat().st_size)
        text = path.read_bytes()
        self.ingest("first.db", [path])
        path.write_bytes(text + text[text.rfind(b"\n", 0, -1) + 1:])
        self.ingest("second.db", [path])
        refusal = self.run("merge", "merged.db", "first.db", "second.db", expected=2)
        if path.stem not in refusal or (self.folder / "merged.db").exists():
            self.fail(f"a split log was not refused by its name: {refusal}")
        print("agrees   a log that is split over shards is refused")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--logs", type=int, default=200)
    options.add_argument("--shards", default="1,7,40")
    options.add_argument("--kills", type=int, default=5)
    options.add_argument("--seed", type=int, default=31)
    chosen = options.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lifestats-merging-"))
    merging = Merging(chosen.lifestats.resolve(), folder, random.Random(chosen.seed))
    merging.play(chosen.logs, [int(count) for count in chosen.shards.split(",")], chosen.kills)
    subprocess.run(["rm", "-rf", folder], check=True)


if __name__ == "__main__":
    main()
