#!/usr/bin/env python3
"""Compares the databases of random logs with a second replayer, which was written without knowledge of the code.

usage: second_opinion.py --lifestats BINARY [--cases N] [--first SEED]

Each case is a log of one to four processes of all layers, with the clock of one of four resolutions (1 ns, 1 ms, 1 s,
1 min): legal lives, some with callbacks left out, in the wrong place, of the other kind of app, or printed in bursts of
identical lines, some logs cut at the beginning, or with a block or a line written twice. Runs, events, visits and
transitions must be equal. Prints the first differences of each case that differs, keeps its log, and exits 1.
"""

import argparse
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from second_replayer import SECOND, replay

RESOLUTIONS = {"1 ns": 1, "1 ms": 1_000_000, "1 s": SECOND, "1 min": 60 * SECOND}
APP = {
    "will": ["application:willFinishLaunchingWithOptions:", "willFinishLaunchingWithOptions"],
    "did": ["application:didFinishLaunchingWithOptions:", "application(_:didFinishLaunchingWithOptions:)"],
    "active": ["applicationDidBecomeActive:", "applicationDidBecomeActive", "-[AppDelegate applicationDidBecomeActive:]"],
    "resign": ["applicationWillResignActive:", "-[AppDelegate applicationWillResignActive:]"],
    "background": ["applicationDidEnterBackground:", "applicationDidEnterBackground(_:)"],
    "foreground": ["applicationWillEnterForeground:", "applicationWillEnterForeground"],
    "terminate": ["applicationWillTerminate:"],
    "memory": ["applicationDidReceiveMemoryWarning:"],
    "fetch": ["application:performFetchWithCompletionHandler:"],
}
SCENE = {
    "configure": ["application:configurationForConnectingSceneSession:options:"],
    "connect": ["scene:willConnectToSession:options:", "scene(_:willConnectTo:options:)"],
    "foreground": ["sceneWillEnterForeground:", "sceneWillEnterForeground(_:)"],
    "active": ["sceneDidBecomeActive:", "-[SceneDelegate sceneDidBecomeActive:]"],
    "resign": ["sceneWillResignActive:"],
    "background": ["sceneDidEnterBackground:"],
    "disconnect": ["sceneDidDisconnect:"],
    "discard": ["application:didDiscardSceneSessions:"],
}


class Process:
    """One process that lives legally, callback by callback."""

    def __init__(self, chance, pid, scenes):
        self.chance, self.pid, self.state, self.views = chance, pid, "new", {}
        self.scenes = {f"S-{index}": None for index in range(chance.randint(1, 3))} if scenes else {}
        self.done = False

    def app(self, name):
        return self.chance.choice(APP[name])

    def scene(self, name, label):
        return f"{self.chance.choice(SCENE[name])} scene={label}"

    def next(self):
        """The callbacks of the next thing that happens, in order."""
        chance = self.chance
        if self.state == "new":
            launch = ([self.app("will")] if chance.random() < 0.6 else []) + [self.app("did")]
            if self.scenes:
                self.state = "running"
                return launch
            self.state = chance.choice(["active", "active", "background"])
            shown = self.view_step("RootVC") + self.view_step("RootVC") if chance.random() < 0.5 else []
            return launch + shown + [self.app(self.state)]
        if chance.random() < 0.35:
            return self.view_step(f"VC{chance.randint(1, 3)}")
        if chance.random() < 0.1:
            return [self.app("memory")]
        if self.scenes:
            return self.scene_step()
        if chance.random() < 0.02:
            self.scenes = {"S-9": None}
            return self.scene_step()
        step = {
            "active": [(["resign"], "inactive"), (["resign", "background"], "background")],
            "inactive": [(["active"], "active"), (["background"], "background")],
            "background": [(["foreground", "active"], "active"), (["background"], "background"), (["fetch"], "background"),
                           (["foreground", "active"], "active"), (["terminate"], "gone")],
        }[self.state]
        names, self.state = chance.choice(step)
        self.done = self.state == "gone"
        return [self.app(name) for name in names]

    def scene_step(self):
        label = self.chance.choice(list(self.scenes))
        step = {
            None: [(["configure", "connect", "foreground", "active"], "active"), (["connect", "foreground"], "inactive"),
                   (["connect", "background"], "background")],
            "active": [(["resign"], "inactive"), (["resign", "background"], "background")],
            "inactive": [(["active"], "active"), (["background"], "background")],
            "background": [(["foreground", "active"], "active"), (["disconnect"], None), (["disconnect", "discard"], "gone")],
            "gone": [([], "gone")],
        }[self.scenes[label]]
        names, self.scenes[label] = self.chance.choice(step)
        if self.chance.random() < 0.02:
            self.done = True
            return [self.app("terminate")]
        if self.chance.random() < 0.1:
            # The system posts the notifications of an app without scenes as well.
            return [self.app(self.chance.choice(["active", "resign", "background", "foreground"]))]
        return [self.scene(name, label) for name in names]

    def view_step(self, label):
        state = self.views.get(label)
        steps = {
            None: [("viewDidLoad", "loaded")],
            "loaded": [("viewWillAppear:", "appearing"), ("dealloc", None)],
            "appearing": [("viewDidAppear:", "appeared"), ("viewIsAppearing:", "appearing"), ("viewWillDisappear:", "disappearing"),
                          ("viewWillLayoutSubviews", "appearing"), ("viewDidLayoutSubviews", "appearing")],
            "appeared": [("viewWillDisappear:", "disappearing"), ("viewDidLayoutSubviews", "appeared")],
            "disappearing": [("viewDidDisappear:", "disappeared"), ("viewWillAppear:", "appearing"), ("viewDidAppear:", "appeared")],
            "disappeared": [("viewWillAppear:", "appearing"), ("dealloc", None)],
        }[state]
        name, self.views[label] = self.chance.choice(steps)
        return [f"-----{label}----- {name}"]


class LogWriter:
    """Writes the callbacks of processes with a clock of one resolution, and damages some logs."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.resolution = list(RESOLUTIONS.values())[seed % 4]
        self.now = 1_709_978_400 * SECOND + self.chance.randrange(SECOND)
        self.lines = []

    def write(self, pid, message):
        ns = self.now // self.resolution * self.resolution
        clock = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(ns // SECOND))
        fraction = {1: f".{ns % SECOND:09d}", 1_000_000: f".{ns % SECOND // 1_000_000:03d}"}.get(self.resolution, "")
        self.lines.append(f"{clock}{fraction} Demo[{pid}:1] {message}")

    def pause(self, short):
        longest = 50_000_000 if short else self.chance.choice([SECOND // 2, 5 * SECOND, 90 * SECOND, 3600 * SECOND])
        self.now += self.chance.randrange(1, longest)

    def text(self):
        chance = self.chance
        processes = [Process(chance, 100 + index, chance.random() < 0.4) for index in range(chance.randint(1, 4))]
        if len(processes) > 1 and chance.random() < 0.3:
            processes[1].pid = processes[0].pid
        faulty, bursts = chance.random() < 0.4, chance.random() < 0.4
        for process in processes:
            mine = []
            for _ in range(chance.randint(3, 25)):
                self.pause(short=chance.random() < 0.3)
                for message in [] if process.done else process.next():
                    self.pause(short=True)
                    if faulty and chance.random() < 0.05:
                        continue
                    self.write(process.pid, message)
                    mine.append(message)
                    if bursts and chance.random() < 0.2:
                        self.lines += self.lines[-1:] * chance.randint(1, 4)
                if faulty and mine and chance.random() < 0.05:
                    self.pause(short=chance.random() < 0.5)
                    self.write(process.pid, chance.choice(mine))
        if chance.random() < 0.2:
            del self.lines[:chance.randrange(len(self.lines))]
        if bursts and chance.random() < 0.3:
            first = chance.randrange(len(self.lines))
            last = min(len(self.lines), first + chance.randint(2, 9))
            block = self.lines[first:last]
            if chance.random() < 0.3:
                del block[chance.randrange(len(block))]
            self.lines[last:last] = block
        elif chance.random() < 0.25 and len(self.lines) > 4:
            # One line stands there once more, later in the same lives: the clock steps back to it.
            first = chance.randrange(len(self.lines) - 2)
            place = chance.randrange(first + 2, len(self.lines))
            line, last = self.lines[first], self.lines[place - 1]
            if line.split(" Demo")[0] < last.split(" Demo")[0]:
                self.lines.insert(place, line)
        return "\n".join(self.lines) + "\n"


def database_runs(path):
    """What a database says of each log, in the same shape as the second replayer's runs."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        def rows(query):
            result = {}
            for run, layer, instance, *values in database.execute(query):
                result.setdefault(run, {}).setdefault((layer, instance.lower()), []).append(tuple(values))
            return result
        events = rows("SELECT run_id, layer, instance, callback, time_ns FROM events ORDER BY line")
        visits = rows("SELECT run_id, layer, instance, state, iif(complete OR censored = 'right' AND evidence = 'observed', entered_ns, NULL), left_ns, complete FROM visits ORDER BY seq, left_ns IS NULL")
        transitions = rows("SELECT run_id, layer, instance, from_state, to_state, callback, time_ns, verdict = 'documented' "
                           "FROM transitions WHERE evidence = 'observed' ORDER BY seq")
        first = dict(database.execute("SELECT run_id, min(line) FROM events GROUP BY run_id"))
        logs = {}
        for run, reason, log in database.execute("SELECT run_id, end_reason, path FROM runs JOIN sources USING (source_id)"):
            logs.setdefault(pathlib.Path(log).name, []).append((first[run], {
                "reason": reason, "events": events.get(run, {}), "visits": visits.get(run, {}),
                "transitions": transitions.get(run, {})}))
    return {log: [run for _, run in sorted(runs, key=lambda run: run[0])] for log, runs in logs.items()}


def differences(ours, theirs):
    """What differs between the second replayer and the database, as sentences."""
    if len(ours) != len(theirs):
        return [f"{len(ours)} runs here, {len(theirs)} in the database"]
    found = []
    for number, (run, other) in enumerate(zip(ours, theirs), 1):
        if run.reason != other["reason"]:
            found.append(f"run {number} ends as {run.reason} here, as {other['reason']} in the database")
        for table in ("events", "visits", "transitions"):
            mine, other_table = getattr(run, table), other[table]
            for name in sorted(set(mine) | set(other_table)):
                here, there = mine.get(name, []), other_table.get(name, [])
                at = next((index for index, pair in enumerate(zip(here, there)) if pair[0] != pair[1]), min(len(here), len(there)))
                if at < max(len(here), len(there)):
                    found.append(f"run {number}, {name[0]} {name[1]}, {table} {at + 1}: "
                                 f"{here[at] if at < len(here) else 'none'} here, {there[at] if at < len(there) else 'none'} there")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lifestats", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="second-opinion-"))
    wrong = 0
    seeds = range(options.first, options.first + options.cases)
    for some in (seeds[place : place + 100] for place in range(0, len(seeds), 100)):
        logs, database = folder / "logs", folder / "lifestats.db"
        logs.mkdir()
        for seed in some:
            (logs / f"{seed}.log").write_text(LogWriter(seed).text())
        subprocess.run([options.lifestats, "ingest", str(logs), "--db", str(database), "--no-progress"],
                       check=True, capture_output=True, timeout=600)
        theirs = database_runs(database)
        for seed in some:
            log = logs / f"{seed}.log"
            found = differences(replay(log.read_text()), theirs.get(log.name, []))
            if found:
                wrong += 1
                print(f"case {seed} ({list(RESOLUTIONS)[seed % 4]}), {log.rename(folder / log.name)}:", *found[:4], sep="\n  ")
        shutil.rmtree(logs)
        database.unlink()
    print(f"second opinion: {options.cases} logs, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
