#!/usr/bin/env python3
"""Counts simulated logs again, without any code of lifestats, and compares.

usage: recompute.py LOGS [--truth truth.json] [--database lifestats.db]

LOGS is a folder of NSLog-form logs of apps without scenes, each file one stream. Reads every line with a
regular expression, drives its own five-state machine, and prints visits, dwell and transitions as JSON. With --truth or
--database, compares with the simulator's truth or with what ingest stored, and exits 1 if anything differs.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re
import sqlite3
import sys

LINE = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.(\d+)([+-]\d{4})? (.+?)\[(\d+):[0-9a-fA-F]+\] (.*)"
)
CALLBACK = re.compile(
    r"(?<![A-Za-z])(willFinishLaunchingWithOptions|didFinishLaunchingWithOptions|applicationDidBecomeActive"
    r"|applicationWillResignActive|applicationDidEnterBackground|applicationWillEnterForeground"
    r"|applicationWillTerminate)(?![A-Za-z])"
)
# A log that begins this long before a launch callback, or less, may lack the one before it, unless it has an earlier launch.
CUT_LAUNCH = 120_000_000_000
LAUNCH = {"willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"}
# Callback: the only state in which it can come (None: several), the state after it.
MEANING = {
    "applicationDidBecomeActive": ("inactive", "active"),
    "applicationWillResignActive": ("active", "inactive"),
    "applicationDidEnterBackground": (None, "background"),
    "applicationWillEnterForeground": ("background", "inactive"),
    "applicationWillTerminate": (None, "not_running"),
}
GRACE = 5_000_000_000
SECONDS = {}


def nanoseconds(second, fraction, zone):
    """Time since 1970 UTC; a time without a zone is UTC."""
    whole = SECONDS.get(second)
    if whole is None:
        if len(SECONDS) > 100_000:
            SECONDS.clear()
        moment = datetime.datetime.fromisoformat(second + "+00:00")
        whole = SECONDS[second] = int(moment.timestamp())
    if zone:
        offset = int(zone[1:3]) * 3600 + int(zone[3:5]) * 60
        whole -= -offset if zone[0] == "-" else offset
    return whole * 1_000_000_000 + int(fraction.ljust(9, "0"))


def may_follow_cut_launch(name, time, begin):
    """Whether the first callback of a launch may lie before the log, which begins at a time (None: with a launch before)."""
    if begin is None:
        return False
    return name == "didFinishLaunchingWithOptions" and time - begin <= CUT_LAUNCH


class Count:
    def __init__(self):
        self.callbacks = self.lines = self.runs = 0
        self.end_reasons = collections.Counter()
        self.visits = collections.Counter()
        self.completed = collections.Counter()
        self.dwell = collections.Counter()
        self.transitions = collections.Counter()
        self.suspensions = self.suspended = 0

    def run(self, events, signs, is_last, begin):
        """One process: its callbacks as (time, name), the times of all its lines, whether the log ends with it, and when
        it begins, if no process with a smaller pid was launched in it before."""
        self.runs += 1
        stays = []  # state, since when the log shows it, left, whether it may be older
        state = entered = None
        isOlder = True
        previous = None
        for index, (time, name) in enumerate(events):
            if name in LAUNCH:
                if previous in LAUNCH:
                    previous = name
                    continue
                following = next((n for _, n in events[index:] if n not in LAUNCH), None)
                woken = following in ("applicationDidEnterBackground", "applicationWillEnterForeground")
                before, after = "not_running", "background" if woken else "inactive"
            else:
                before, after = MEANING[name]
                before = state or before
            previous = name
            if before == after:
                continue
            if before is None:
                raise SystemExit(f"the log begins with {name}, which comes in several states")
            self.transitions[before, after, name, "observed"] += 1
            if before != "not_running":
                stays.append((before, entered, time, isOlder))
            # The first callback of a log may be a repetition; a whole launch begins a life.
            isOlder = state is None and (before != "not_running" or may_follow_cut_launch(name, time, begin))
            state, entered = after, time
        if state == "not_running":
            self.end_reasons["terminated"] += 1
        else:
            stays.append((state, entered, None, isOlder))
            if is_last:
                self.end_reasons["log_end"] += 1
            else:
                away = state == "background"
                self.end_reasons["killed_in_background" if away else "abnormal_in_foreground"] += 1
                self.transitions[state, "not_running", None, "inferred"] += 1
        for state, begin, end, isOlder in stays:
            self.visits[state] += 1
            if end is not None and not isOlder:
                self.completed[state] += 1
                self.dwell[state] += end - begin
        self.silences(stays, signs)

    def silences(self, stays, signs):
        away = iter([s for s in stays if s[0] == "background" and s[1] is not None])
        stay = next(away, None)
        for earlier, later in zip(signs, signs[1:]):
            while stay and stay[2] is not None and stay[2] <= earlier:
                stay = next(away, None)
            if stay and earlier >= stay[1] and later - earlier > GRACE:
                self.suspensions += 1
                self.suspended += later - earlier - GRACE

    def file(self, path):
        pid, events, signs, begin, launched = None, [], [], None, float("inf")
        with open(path, encoding="utf-8") as log:
            for line in log:
                self.lines += 1
                second, fraction, zone, _, this, message = LINE.fullmatch(line.rstrip("\n")).groups()
                if this != pid:
                    if events:
                        self.run(events, signs, is_last=False, begin=None if launched < int(pid) else begin)
                        if any(callback in LAUNCH for _, callback in events):
                            launched = min(launched, int(pid))
                    pid, events, signs = this, [], []
                time = nanoseconds(second, fraction, zone)
                begin = begin or time
                signs.append(time)
                found = CALLBACK.search(message)
                if found:
                    self.callbacks += 1
                    events.append((time, found.group(1)))
        if events:
            self.run(events, signs, is_last=True, begin=None if launched < int(pid) else begin)

    def result(self):
        return {
            "lines": self.lines,
            "callbacks": self.callbacks,
            "runs": self.runs,
            "end_reasons": dict(self.end_reasons),
            "suspensions": {"count": self.suspensions, "suspended_ns": self.suspended, "grace_ns": GRACE},
            "visits": {
                state: (n, self.completed[state], n - self.completed[state], self.dwell[state])
                for state, n in self.visits.items()
            },
            "transitions": dict(self.transitions),
        }


def from_truth(path):
    truth = json.loads(pathlib.Path(path).read_text())
    return {
        "lines": truth["lines"],
        "callbacks": truth["callbacks"],
        "runs": truth["runs"],
        "end_reasons": truth["end_reasons"],
        "suspensions": truth["suspensions"],
        "visits": {
            v["state"]: (v["visits"], v["completed"], v["censored"], v["dwell_ns"]) for v in truth["visits"]
        },
        "transitions": {
            (t["from"], t["to"], t.get("callback"), t["evidence"]): t["count"] for t in truth["transitions"]
        },
    }


def from_database(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    one = lambda sql: database.execute(sql).fetchone()
    count, suspended = one(
        "select count(*), ifnull(sum(suspended_ns), 0) from suspensions where until_ns is not null"
    )
    return {
        "lines": one("select sum(lines) from sources")[0],
        "callbacks": one("select count(*) from events")[0],
        "runs": one("select count(*) from runs")[0],
        "end_reasons": dict(database.execute("select end_reason, count(*) from runs group by 1")),
        "suspensions": {"count": count, "suspended_ns": suspended, "grace_ns": GRACE},
        "visits": {
            row[0]: tuple(row[1:])
            for row in database.execute(
                "select state, count(*), sum(complete), sum(not complete), "
                "ifnull(sum(case when complete then dwell_ns end), 0) "
                "from visits where layer = 'app' group by 1"
            )
        },
        "transitions": {
            tuple(row[:4]): row[4]
            for row in database.execute(
                "select from_state, to_state, callback, evidence, count(*) from transitions "
                "where layer = 'app' group by 1, 2, 3, 4"
            )
        },
    }


def differences(name, expected, found):
    for key, value in expected.items():
        other = found[key]
        if isinstance(value, dict):
            for part in sorted(set(value) | set(other), key=str):
                if value.get(part) != other.get(part):
                    yield f"{name}: {key} {part}: recomputed {value.get(part)}, found {other.get(part)}"
        elif value != other:
            yield f"{name}: {key}: recomputed {value}, found {other}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("logs", type=pathlib.Path)
    options.add_argument("--truth", type=pathlib.Path)
    options.add_argument("--database", type=pathlib.Path)
    chosen = options.parse_args()
    count = Count()
    for path in sorted(chosen.logs.glob("*.log")):
        count.file(path)
    result = count.result()
    problems = []
    if chosen.truth:
        problems += differences("truth", result, from_truth(chosen.truth))
    if chosen.database:
        problems += differences("database", result, from_database(chosen.database))
    printable = dict(result, transitions=[[*key, n] for key, n in result["transitions"].items()])
    print(json.dumps(printable, indent=1, sort_keys=True))
    for problem in problems:
        print(problem, file=sys.stderr)
    if (chosen.truth or chosen.database) and not problems:
        print("recompute: everything agrees", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
