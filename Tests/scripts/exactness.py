#!/usr/bin/env python3
"""Cuts logs into files in every way that happens to logs, and compares what comes of it with one clean ingest.

usage: exactness.py --lifestats BINARY [--cases N] [--first SEED | --seed SEED]

Each case makes one to three logs, of one device or of none, and lets them come into being in a folder: they grow by any
number of bytes, are rotated, compressed, copied and forgotten, and are ingested between any two of these steps: all or
one of them, in any order, twice, while a second ingest runs, killed, followed while they grow, or derived again. In the
end everything is ingested once more. `lifestats verify` must find a sound database with the digest of one clean ingest
of the whole logs. Exits 1 at the first case that differs, and keeps its folder with a list of the steps; `--seed` plays
that case again, `--first` the cases of that seed and of those after it, so that a run can be repeated.
"""

import argparse
import gzip
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

APP = [
    "application(_:willFinishLaunchingWithOptions:)", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
    "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
    "applicationWillTerminate", "applicationDidReceiveMemoryWarning",
]
SCENE = [
    "scene(_:willConnectTo:options:)", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
    "sceneDidEnterBackground", "sceneDidDisconnect",
]
VIEW = ["viewDidLoad", "viewWillAppear:", "viewDidAppear:", "viewWillDisappear:", "viewDidDisappear:"]
NOISE = [
    "uploading 3 photos", "[Network] connection 7: rtt 31 ms", "Purging 12 images, 4.2 MB", "größer als gewünscht: 7 µs",
    "cells: (\n    green,\n    black\n)", "state is {\n\ta = 1;\n}", "",
]
EVIDENCE = [
    "Suspending task.", "Calculated state for app<com.example.tour(0F0E0D0C)>: running-suspended (role: None)",
    "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating application lifecycle event: 0",
]
EVIDENCE_OF_PROCESS = [
    "[app<com.example.tour(0F0E0D0C)>:{pid}] Suspending task.", "[app<com.example.tour(0F0E0D0C)>:{pid}] Resuming task.",
    "Now tracking process: [app<com.example.tour(0F0E0D0C)>:{pid}]", "memorystatus: killing process {pid} [Tour]",
]


def lines_of(chance, count, begin, pids, is_told=True):
    """The lines of one log; a line may have continuation lines, but no process, no time, or a time in the past.

    A log in which nothing is told has no callbacks: it bears witness to the processes of the others.
    """
    clock = begin + chance.randrange(10**6)
    # What the clock of the log shows: nanoseconds, milliseconds, seconds or minutes.
    resolution = chance.choice(("ns", "ms", "s", "min"))
    pid = pids[0]
    tour = 0
    for _ in range(count):
        clock += int(chance.choice((0, 1, 40, 900, 9000, 400000, 4000000)) * chance.random())
        if chance.random() < 0.01:
            clock -= chance.randrange(5000)
        if chance.random() < 0.03:
            pid = chance.choice(pids)
        process = chance.choice(("Tour", "Tour", "Tour", "Other"))
        number = pid if process == "Tour" else 77
        kind = chance.random() * (1 if is_told else 0.3) + (0 if is_told else 0.7)
        if kind < 0.45:
            text = APP[tour % len(APP)] if chance.random() < 0.8 else chance.choice(APP)
            tour += 1
        elif kind < 0.55:
            text = chance.choice(SCENE)
        elif kind < 0.7:
            text = f"-[{chance.choice(('Home', 'Map', 'List'))}ViewController {chance.choice(VIEW)}]"
        elif kind < 0.76:
            text = chance.choice(EVIDENCE + EVIDENCE_OF_PROCESS).format(pid=number)
            process, number = "runningboardd", 33
        else:
            text = chance.choice(NOISE)
        form = chance.random()
        stamp = time.strftime(f"%Y-%m-%d %H:%M:{'00' if resolution == 'min' else '%S'}", time.gmtime(clock // 1000))
        stamp += {"ns": f".{clock % 1000:03}{chance.randrange(10**6):06}", "ms": f".{clock % 1000:03}"}.get(resolution, "")
        if form < 0.9:
            line = f"{stamp} {process}[{number}:1] {text}\n"
        elif form < 0.95:
            line = f"-> {text}\n"
        else:
            line = f"{process}[{number}:1] {text}\n"
        yield line.encode()
        if chance.random() < 0.04:
            # The same line once more, or a burst of it: copies, which count once.
            yield from [line.encode()] * chance.choice((1, 1, 4))


class Log:
    """A log that comes into being: `written` bytes of it are in its files so far, the newest of which is `path`."""

    def __init__(self, folder, name, entries):
        self.path = folder / name
        self.entries = entries
        self.content = b"".join(entries)
        self.written = 0
        # Where the file that is being written begins, and the places at which a log may be rotated: before entries that say
        # their time and process, because a file inherits nothing from the one before it.
        self.began = 0
        self.ends = []
        at = 0
        for entry, following in itertools.zip_longest(entries, entries[1:]):
            at += len(entry)
            if following is None or following[:2] == b"20":
                self.ends.append(at)

    def files(self):
        """The files of the log, newest first."""
        found = sorted(
            self.path.parent.glob(self.path.name + ".*"), key=lambda path: int(re.search(r"\.(\d+)", path.name)[1]))
        return ([self.path] if self.path.exists() else []) + found

    def grow(self, to):
        to = max(to, self.written)
        with open(self.path, "ab") as file:
            file.write(self.content[self.written:to])
        self.written = to

    def grow_to_an_end(self):
        self.grow(next((end for end in self.ends if end >= self.written), len(self.content)))

    def rotate(self):
        self.grow_to_an_end()
        for path in reversed(self.files()):
            match = re.match(r"(.*?)(?:\.(\d+))?(\.gz)?$", path.name[len(self.path.name):])
            path.rename(path.with_name(f"{self.path.name}.{int(match[2] or 0) + 1}{match[3] or ''}"))
        self.began = self.written
        self.path.write_bytes(b"")

    def compress(self, chance):
        plain = [path for path in self.files() if path != self.path and path.suffix != ".gz"]
        if plain:
            path = chance.choice(plain)
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()


class Case:
    def __init__(self, tool, seed):
        self.tool = tool
        self.seed = seed
        self.chance = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lifestats-exactness-"))
        self.steps = []
        self.kills = 0
        # Logs of one device belong together.
        self.device = ["--device", "Phone"] if self.chance.random() < 0.6 else []

    def fail(self, what):
        (self.folder / "steps.txt").write_text("\n".join(self.steps) + "\n")
        sys.exit(f"exactness: seed {self.seed}: {what}\nexactness: the folder is kept: {self.folder}; see steps.txt")

    def command(self, *words, database="lifestats.db"):
        device = self.device if words[0] == "ingest" else []
        return [self.tool, words[0], *map(str, words[1:]), *device, "--db", str(self.folder / database)]

    def run(self, *words, database="lifestats.db"):
        command = self.command(*words, database=database)
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=120)
        if done.returncode != 0:
            self.fail(f"{' '.join(command)} exited {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def digest(self, database):
        return re.search(r"digest ([0-9a-f]{64})", self.run("verify", database=database))[1]

    def start(self, *words):
        return subprocess.Popen(
            self.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)

    def kill(self, process, within):
        time.sleep(self.chance.uniform(0, within))
        if process.poll() is None:
            process.send_signal(self.chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
            self.kills += 1
        process.wait(timeout=60)

    def ingest(self, logs):
        way = self.chance.choice(("all", "all", "some", "twice", "together", "killed", "followed", "replayed"))
        present = [path for log in logs for path in log.files()]
        self.steps.append(f"ingest {way}")
        if not present:
            return
        if way == "all":
            self.run("ingest", "logs")
        elif way == "some":
            chosen = self.chance.sample(present, self.chance.randrange(1, len(present) + 1))
            self.steps[-1] += f" {[path.name for path in chosen]}"
            self.run("ingest", *[path.relative_to(self.folder) for path in chosen])
        elif way == "twice":
            self.run("ingest", "logs")
            self.run("ingest", "logs")
        elif way == "together":
            both = [self.start("ingest", "logs") for _ in range(2)]
            if any(process.wait(timeout=60) != 0 for process in both):
                self.fail("one of two ingests at the same time failed")
        elif way == "killed":
            self.kill(self.start("ingest", "logs"), 0.15)
        elif way == "replayed":
            self.run("ingest", "logs")
            if self.chance.random() < 0.5:
                self.run("replay")
            else:
                self.kill(self.start("replay"), 0.1)
        else:
            follower = self.start("ingest", "logs", "--follow")
            for _ in range(self.chance.randrange(1, 4)):
                time.sleep(self.chance.uniform(0, 0.4))
                self.change(logs)
            self.kill(follower, 0.4)

    def change(self, logs):
        log = self.chance.choice(logs)
        kind = self.chance.choice(("grow", "grow", "grow", "rotate", "compress"))
        self.steps.append(f"{kind} {log.path.name} at {log.written} of {len(log.content)}")
        if kind == "grow":
            log.grow(min(len(log.content), log.written + self.chance.randrange(1 + len(log.content) // 3)))
        elif kind == "rotate" and log.written > log.began:
            log.rotate()
        elif kind == "compress":
            log.compress(self.chance)

    def play(self):
        folder = self.folder / "logs"
        whole = self.folder / "whole"
        folder.mkdir()
        whole.mkdir()
        names = self.chance.sample(("app.log", "other.log", "device.log"), self.chance.randrange(1, 4))
        begin = 1772352000000 + self.chance.randrange(10**9)
        pids = [self.chance.randrange(100, 60000) for _ in range(3)]
        logs = [
            Log(folder, name, list(lines_of(
                self.chance, self.chance.randrange(1, 120), begin, pids, is_told=self.chance.random() < 0.6)))
            for name in names]
        for log in logs:
            (whole / log.path.name).write_bytes(log.content)
        for _ in range(self.chance.randrange(1, 12)):
            self.change(logs)
            if self.chance.random() < 0.5:
                self.ingest(logs)
        for log in logs:
            log.grow(len(log.content))
        if self.chance.random() < 0.3:
            # Rotations one by one, in any order.
            present = [path for log in logs for path in log.files()]
            self.chance.shuffle(present)
            self.steps.append(f"one by one: {[path.name for path in present]}")
            for path in present:
                self.run("ingest", path.relative_to(self.folder))
        self.run("ingest", "logs")
        self.run("ingest", "whole", database="whole.db")
        self.compare("whole.db", "one clean ingest of the whole logs")
        if self.chance.random() < 0.5:
            self.forget(logs)
        shutil.rmtree(self.folder)

    def forget(self, logs):
        """Forgets a file; the database must then be what an ingest without that file gives."""
        present = [path for log in logs for path in log.files() if path.stat().st_size > 0]
        gone = self.chance.choice(present)
        rows = self.run("query", "select path from sources", "--format", "csv").splitlines()[1:]
        name = str(gone.relative_to(self.folder))
        if name not in rows:
            return
        self.steps.append(f"forget {name}")
        self.run("forget", name)
        gone.unlink()
        self.run("ingest", "logs", database="without.db")
        self.compare("without.db", f"an ingest without {name}")

    def compare(self, other, what):
        found, expected = self.digest("lifestats.db"), self.digest(other)
        if found != expected:
            self.fail(f"the digest is {found}, but that of {what} is {expected}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--cases", type=int, default=200)
    options.add_argument("--first", type=int, default=None)
    options.add_argument("--seed", type=int, default=None)
    chosen = options.parse_args()
    os.environ["NO_COLOR"] = "1"
    # A shell lets what it runs in the background ignore SIGINT, and so all that this runs: a follower would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if chosen.seed is not None:
        Case(str(chosen.lifestats.resolve()), chosen.seed).play()
        return print(f"exactness: seed {chosen.seed}: exact")
    kills = 0
    for number in range(1, chosen.cases + 1):
        seed = random.randrange(1 << 31) if chosen.first is None else chosen.first + number - 1
        case = Case(str(chosen.lifestats.resolve()), seed)
        case.play()
        kills += case.kills
        if number % 25 == 0:
            print(f"exactness: {number} cases, {kills} kills, all exact", flush=True)
    print(f"exactness: {chosen.cases} cases with {kills} kills: every one gave the digest of one clean ingest")


if __name__ == "__main__":
    main()
