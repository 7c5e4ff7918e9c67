#!/usr/bin/env python3
"""Kills ingest at random moments, and looks for what that breaks.

usage: torture.py --lifestats BINARY [--kills N] [--callbacks N] [--seed N]

Simulates logs, ingests them once undisturbed, and notes the digest. Then, until so many kills have hit: begins an
ingest, kills it with SIGKILL at a random moment (several times in a row in some rounds, with the logs still growing in
others, or following them, so that they are stored as they come), ingests again undisturbed, and asks `lifestats verify` for a healthy database and the same digest. Exits 1 at
the first round that differs, and keeps its folder.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time


class Torture:
    def __init__(self, tool, folder, chance):
        self.tool, self.folder, self.chance = tool, folder, chance
        self.logs = folder / "logs"
        self.database = folder / "lifestats.db"
        self.kills = self.rounds = self.too_late = 0

    def ingest(self, logs):
        return [self.tool, "ingest", str(logs), "--db", str(self.database), "--no-progress"]

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            self.fail(f"{' '.join(command)} exited {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def digest(self):
        found = re.search(r"digest ([0-9a-f]{64})", self.run([self.tool, "verify", "--db", str(self.database)]))
        if not found:
            self.fail("verify printed no digest")
        return found.group(1)

    def fail(self, what):
        sys.exit(f"torture: round {self.rounds}: {what}\ntorture: the folder is kept: {self.folder}")

    def forget(self):
        for path in self.folder.glob("lifestats.db*"):
            path.unlink()

    def kill_once(self, logs, longest, *options):
        process = subprocess.Popen([*self.ingest(logs), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Early moments are the interesting ones as well as late ones: half of the kills within the first fifth.
        time.sleep(self.chance.uniform(0, longest * self.chance.choice((0.2, 1.05))))
        if process.poll() is None:
            process.kill()
            self.kills += 1
        else:
            self.too_late += 1
        process.wait()

    def grown(self, whole, fraction):
        """A folder whose logs hold the first part of each log, cut anywhere."""
        part = self.folder / "part"
        part.mkdir(exist_ok=True)
        for path in whole.glob("*.log"):
            content = path.read_bytes()
            (part / path.name).write_bytes(content[: int(len(content) * fraction)])
        return part

    def play(self, kills, callbacks):
        self.run([
            self.tool, "simulate", "--seed", str(self.chance.randrange(1 << 31)), "--callbacks", str(callbacks), "--files", "6",
            "--sparse", "2", "--truth", str(self.folder / "truth.json"), "-o", str(self.logs),
        ])
        part = self.grown(self.logs, 1)
        start = time.monotonic()
        self.run(self.ingest(part))
        longest = time.monotonic() - start
        expected = self.digest()
        while self.kills < kills:
            self.rounds += 1
            self.forget()
            kind = self.chance.choice(("once", "thrice", "growing", "following"))
            if kind == "following":
                for _ in range(3):
                    self.kill_once(part, longest, "--follow")
            elif kind == "growing":
                self.grown(self.logs, self.chance.uniform(0.1, 0.9))
                self.kill_once(part, longest)
                self.grown(self.logs, self.chance.uniform(0.9, 1))
                self.kill_once(part, longest)
                self.grown(self.logs, 1)
            else:
                for _ in range(1 if kind == "once" else 3):
                    self.kill_once(part, longest)
            self.run(self.ingest(part))
            found = self.digest()
            if found != expected:
                self.fail(f"({kind}) the digest is {found}, but that of an undisturbed ingest is {expected}")
            if self.rounds % 25 == 0:
                print(f"torture: {self.kills} kills in {self.rounds} rounds, all well", flush=True)
        print(
            f"torture: {self.kills} kills in {self.rounds} rounds ({self.too_late} came after the end): "
            f"every second ingest gave the digest of an undisturbed one"
        )


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--callbacks", type=int, default=60_000, help="length of the logs")
    options.add_argument("--seed", type=int, default=None)
    chosen = options.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1 << 31)
    print(f"torture: seed {seed}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lifestats-torture-"))
    Torture(str(chosen.lifestats.resolve()), folder, random.Random(seed)).play(chosen.kills, chosen.callbacks)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
