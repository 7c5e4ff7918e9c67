#!/usr/bin/env python3
"""Answers every named query from simulated logs alone, without any code or SQL of lifestats, and compares.

usage: catalogue.py LOGS DATABASE

LOGS is a folder of `lifestats simulate`, DATABASE what `lifestats ingest` made of it. The logs are read by
recompute.py's reader; each function below is named like the query whose answer it works out in plain loops. The queries
run through Python's own SQLite. Exits 1 when an answer differs, or when a query has no function here.
"""

import argparse
import bisect
import collections
import datetime
import math
import pathlib
import sqlite3
import sys

import recompute

DAY = 86_400_000_000_000
AWAY = {"background", "not_running", None}


class Run:
    def __init__(self, path, app, pid):
        self.path, self.app, self.pid = path, app, pid
        self.events, self.signs, self.lines = [], [], []

    def close(self, following, begin):
        """Works out the changes (from, to, callback, time, dwell before) and stays (state, entered, left).

        Unless a whole launch begins it, the stay that the first callback seems to begin may be older: `shown` has the
        time since when the log, which begins at `begin` (None: with an earlier launch), shows it.
        """
        self.following = following
        self.changes, self.stays, self.shown = [], [], {}
        state = entered = previous = seen = None
        for index, (time, name) in enumerate(self.events):
            if name in recompute.LAUNCH:
                if previous in recompute.LAUNCH:
                    continue
                after = next((n for _, n in self.events[index:] if n not in recompute.LAUNCH), None)
                woken = after in ("applicationDidEnterBackground", "applicationWillEnterForeground")
                before, after = "not_running", "background" if woken else "inactive"
            else:
                before, after = recompute.MEANING[name]
                before = state or before
            previous = name
            if before == after:
                continue
            dwell = time - entered if entered is not None and before != "not_running" else None
            self.changes.append((before, after, name, time, dwell))
            if before != "not_running":
                self.stays.append((before, entered, time))
                self.shown[self.stays[-1]] = seen
            isNew = state or before == "not_running" and not recompute.may_follow_cut_launch(name, time, begin)
            state, seen, entered = after, time, time if isNew else None
        self.end, self.evidence = "terminated", "observed"
        if state != "not_running":
            self.stays.append((state, entered, None))
            self.shown[self.stays[-1]] = seen
            self.evidence = "inferred"
            self.end = "log_end"
            if following is not None:
                self.end = "killed_in_background" if state == "background" else "abnormal_in_foreground"
                self.changes.append((state, "not_running", None, None, None))
        self.asleep = [
            (earlier + recompute.GRACE, later)
            for earlier, later in zip(self.signs, self.signs[1:])
            if later - earlier > recompute.GRACE
            and any(
                stay[0] == "background" and begin is not None and begin <= earlier and (stay[2] is None or stay[2] > earlier)
                for stay, begin in self.shown.items()
            )
        ]


def read(folder):
    runs = []
    for path in sorted(folder.glob("*.log")):
        mine = []
        for number, line in enumerate(path.open(encoding="utf-8"), 1):
            second, fraction, zone, app, pid, message = recompute.LINE.fullmatch(line.rstrip("\n")).groups()
            if not mine or mine[-1].pid != int(pid):
                mine.append(Run(path.name, app, int(pid)))
            time = recompute.nanoseconds(second, fraction, zone)
            mine[-1].signs.append(time)
            found = recompute.CALLBACK.search(message)
            if found:
                mine[-1].events.append((time, found.group(1)))
                mine[-1].lines.append(number)
        launched = math.inf
        for run, following in zip(mine, mine[1:] + [None]):
            run.close(following.signs[0] if following else None, None if launched < run.pid else mine[0].signs[0])
            if any(name in recompute.LAUNCH for _, name in run.events):
                launched = min(launched, run.pid)
        runs += mine
    return runs


def quantile(values, share):
    """R's type 7."""
    if not values:
        return None
    values = sorted(values)
    h = (len(values) - 1) * share
    low = math.floor(h)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (h - low)


def seconds(nanoseconds):
    return None if nanoseconds is None else nanoseconds / 1e9


def iso(time):
    if time is None:
        return None
    moment = datetime.datetime.fromtimestamp(time // 10**9, datetime.timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{time % 10**9:09d}Z"


def day(time):
    return iso(time)[:10]


def spread(values, *shares):
    low, high = (min(values), max(values)) if values else (None, None)
    return [seconds(v) for v in (low, *(quantile(values, s) for s in shares), high)]


def grouped(pairs):
    groups = collections.defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


class Catalogue:
    """Each method gives the rows of the query of its name, in any order."""

    def __init__(self, runs, numbers, database):
        self.runs, self.numbers, self.database = runs, numbers, database

    def number(self, run):
        return self.numbers[run.path, run.pid]

    def dwells(self, key, shares=(0.5, 0.9)):
        groups = grouped((key(run, stay), stay) for run in self.runs for stay in run.stays)
        for group, stays in groups.items():
            whole = [e - b for _, b, e in stays if b is not None and e is not None]
            total = sum(whole) if whole else None
            mean = total / len(whole) if whole else None
            low, *rest = spread(whole, *shares)
            yield [*group, len(stays), len(whole), len(stays) - len(whole), seconds(total), seconds(mean), low, *rest]

    def dwell_times(self, by=None):
        """With what each stay is grouped by, where that is asked for."""
        part = PARTS[by](self)
        rows = list(self.dwells(lambda run, stay: (part(run, stay), "app", stay[0]), (0.5, 0.9, 0.99)))
        whole = collections.Counter()
        for row in rows:
            whole[row[0]] += row[6] or 0
        return [[*row[1:], row[6] / whole[row[0]] if row[6] is not None else None, row[0]] for row in rows]

    def dwell_survival(self):
        """Kaplan-Meier, time by time."""
        def stays():
            for run in self.runs:
                for state, begin, end in run.stays:
                    if begin is not None:
                        last = end if end is not None else run.signs[-1]
                        yield state, (last - begin, end is not None)
        for state, sample in grouped(stays()).items():
            ended = collections.Counter(t for t, whole in sample if whole)
            times = sorted(t for t, _ in sample)
            quantiles, longer = [None] * 4, 1.0
            for time in sorted(ended):
                longer *= 1 - ended[time] / (len(times) - bisect.bisect_left(times, time))
                for place, bound in enumerate((0.75, 0.5, 0.25, 0.1)):
                    if quantiles[place] is None and longer <= bound + 1e-12:
                        quantiles[place] = seconds(time)
            yield ["app", state, sum(ended.values()), len(sample) - sum(ended.values()), *quantiles]

    def background_stays(self):
        groups = grouped((r.app, (r, s)) for r in self.runs for s in r.stays if s[0] == "background")
        for app, stays in groups.items():
            whole = [e - b for _, (_, b, e) in stays if b is not None and e is not None]
            asleep = [[z for z in r.asleep if z[0] >= (b or 0) and (e is None or z[1] <= e)] for r, (_, b, e) in stays]
            known = [[until - begin for begin, until in zs] for zs in asleep]
            yield [app, "app", len(stays), len(whole), seconds(sum(whole)), *spread(whole, 0.5, 0.9)[1:],
                   seconds(sum(map(sum, known)))]

    def suspended_stays(self):
        groups = grouped((r.app, u - b) for r in self.runs for b, u in r.asleep)
        return [[app, seconds(sum(v)), *spread(v, 0.5, 0.9, 0.99)] for app, v in groups.items()]

    def stays_over_limit(self):
        return [[r.app, self.number(r), iso(b), seconds(length)] for r, b, length in self.lengths("background") if length > 5 * 10**9]

    def lengths(self, only=None):
        for run in self.runs:
            for state, begin, end in run.stays:
                if only in (None, state):
                    shown, last = run.shown[state, begin, end], end if end is not None else run.signs[-1]
                    yield run, shown, last - (shown if shown is not None else run.signs[0])

    def longest_stays(self):
        return [[seconds(length)] for length in sorted((x for _, _, x in self.lengths()), reverse=True)[:20]]

    def moves(self):
        """Every change with how often, and the dwells before it."""
        return grouped(((f, t, c), d) for run in self.runs for f, t, c, _, d in run.changes)

    def transition_counts(self):
        out = collections.Counter(f for run in self.runs for f, _, c, _, _ in run.changes if c)
        for (before, after, callback), dwells in self.moves().items():
            share = len(dwells) / out[before] if callback else None
            known = [d for d in dwells if d is not None]
            yield [before, after, callback, len(dwells), share, seconds(quantile(known, 0.5))]

    def transition_matrix(self):
        cells = collections.Counter((f, t) for run in self.runs for f, t, *_ in run.changes)
        silent = collections.Counter((f, t) for run in self.runs for f, t, c, *_ in run.changes if c is None)
        out = collections.Counter(f for run in self.runs for f, *_ in run.changes)
        return [[f, t, n, silent[f, t], n / out[f]] for (f, t), n in cells.items()]

    def coverage(self):
        return [[f, t, n] for f, t, n, _, _ in self.transition_matrix()]

    def first_passage(self):
        found = collections.defaultdict(list)
        for run in self.runs:
            for index, (before, after, _, time, _) in enumerate(run.changes):
                kind = "launch to active" if before == "not_running" else "background to active"
                if time is not None and (before == "not_running" or after == "background"):
                    arrival = next((t for _, to, _, t, _ in run.changes[index:] if to == "active"), None)
                    found[kind].append(None if arrival is None else arrival - time)
        for kind, taken in found.items():
            known = [t for t in taken if t is not None]
            yield ["app", kind, len(taken), len(known), *spread(known, 0.5, 0.9, 0.99)]

    def launch_times(self):
        found = collections.defaultdict(list)
        for run in self.runs:
            # A run whose launch is not shown has most likely been active before.
            been, came = all(change[0] != "not_running" for change in run.changes), None
            for before, after, _, _, dwell in run.changes:
                if (before, after) == ("inactive", "active"):
                    if dwell is not None and came in ("not_running", "background"):
                        kind = "cold" if came == "not_running" else "resume" if been else "background"
                        found[kind].append(dwell)
                been, came = been or after == "active", before
        return [["app", kind, len(v), *spread(v, 0.5, 0.9, 0.99)] for kind, v in found.items()]

    def variants(self):
        paths = collections.Counter()
        for run in self.runs:
            states = [run.changes[0][0], *(c[1] for c in run.changes[:40])] if run.changes else []
            if states:
                paths[" > ".join(states) + (" > …" if len(run.changes) > 40 else "")] += 1
        return [["app", path, n, n / sum(paths.values())] for path, n in paths.items()]

    def directly_follows(self):
        pairs = collections.Counter()
        for run in self.runs:
            names = [None, *(n for _, n in run.events), None]
            pairs.update(zip(names, names[1:]))
        out = collections.Counter()
        for (a, _), n in pairs.items():
            out[a] += n
        return [[a, b, n, n / out[a]] for (a, b), n in pairs.items()]

    def flapping(self):
        for run in self.runs:
            flaps = [
                change[4] for earlier, change in zip(run.changes, run.changes[1:])
                if earlier[0] == "active" and change[:2] == ("inactive", "active") and change[4] is not None and change[4] <= 2 * 10**9
            ]
            if flaps:
                yield [run.app, self.number(run), len(flaps), seconds(sum(flaps))]

    def foreground_sessions(self):
        found = collections.defaultdict(list)
        for run in self.runs:
            borders = [(t, b not in AWAY) for a, b, _, t, _ in run.changes if (a in AWAY) != (b in AWAY)]
            for (time, comes), (until, _) in zip(borders, borders[1:] + [(None, None)]):
                if comes:
                    found[day(time), run.app].append(until and until - time)
        for (date, app), lengths in found.items():
            known = [x for x in lengths if x is not None]
            total = sum(known) if known else None
            yield [date, app, "app", len(lengths), len(known), seconds(total),
                   seconds(total / len(known)) if known else None, seconds(max(known)) if known else None]

    def time_of_day(self):
        rows = {}
        for run in self.runs:
            for before, after, _, time, dwell in run.changes:
                if time is not None:
                    row = rows.setdefault(time // 3_600_000_000_000 % 24, [0, 0, None, 0])
                    row[0] += before == "not_running"
                    row[1] += after == "active"
                    row[3] += after == "background" and before in ("active", "inactive")
                    if before == "active" and dwell is not None:
                        row[2] = (row[2] or 0) + dwell
        return [[hour, a, b, seconds(c), d] for hour, (a, b, c, d) in rows.items()]

    def end_reasons(self):
        all_runs = collections.Counter(r.app for r in self.runs)
        ends = collections.Counter((r.app, r.end, r.evidence) for r in self.runs)
        return [[*key, n, n / all_runs[key[0]]] for key, n in ends.items()]

    def time_to_death(self):
        killed = [(r, r.shown[r.stays[-1]], r.stays[-1][1]) for r in self.runs if r.end == "killed_in_background"]
        groups = grouped((r.app, (r.signs[-1] - b, r.following - e if e is not None else None)) for r, b, e in killed)
        for app, bounds in groups.items():
            least = [bound for bound, _ in bounds]
            most = [bound for _, bound in bounds if bound is not None]
            yield [app, len(bounds), *map(seconds, (quantile(least, 0.5), quantile(most, 0.5), min(most), max(least)))]

    def killed_in_background(self):
        for run in self.runs:
            if run.end == "killed_in_background":
                last = list(zip(run.events, run.lines))[::-1][:1]
                for place, ((time, name), line) in enumerate(last, 1):
                    yield [self.number(run), run.app, run.pid, run.signs[-1], run.following, place, iso(time), name, line]

    def runs_without_launch(self):
        return [[self.number(r), r.app, r.pid] for r in self.runs if not any(c[0] == "not_running" for c in r.changes)]

    def run_summary(self):
        for run in self.runs:
            whole = lambda state: [e - b for s, b, e in run.stays if s == state and b is not None and e is not None]
            total = lambda state: seconds(sum(whole(state))) if whole(state) else None
            yield [self.number(run), run.app, run.pid, run.end, total("active"), total("background"),
                   sum(after == "active" for _, after, *_ in run.changes)]

    def source_accounting(self):
        for path, runs in grouped((r.path, r) for r in self.runs).items():
            lines = sum(len(r.signs) for r in runs)
            yield [path, lines, lines, 0, 0, 0, sum(len(r.events) for r in runs),
                   seconds(max(max(r.signs) for r in runs) - min(min(r.signs) for r in runs))]

    def events_by_kind(self):
        return [[n, c] for n, c in collections.Counter(n for r in self.runs for _, n in r.events).items()]

    def limit_overruns(self):
        """Of the documented limits these logs overrun two: inactive for more than 10 s, and 5 s for entering the background."""
        for run in self.runs:
            taken = [("TL-09", e - b) for s, b, e in run.stays if s == "inactive" and None not in (b, e) and e - b > 10 * 10**9]
            for (begun, name), (answered, _) in zip(run.events, run.events[1:]):
                # Where the process fell silent before the next callback, nobody knows when this one returned.
                signs = [time for time in run.signs if begun <= time <= answered]
                silent = any(later - earlier > recompute.GRACE for earlier, later in zip(signs, signs[1:]))
                # A process that goes on after 10 s was not ended: the method had returned.
                if name == "applicationDidEnterBackground" and not silent and 5 * 10**9 < answered - begun <= 10 * 10**9:
                    taken.append(("TL-02", answered - begun))
            for rule, length in taken:
                limit = 5 if rule == "TL-02" else 10
                yield [self.number(run), rule, float(limit), seconds(length), seconds(length - limit * 10**9)]

    def findings_by_rule(self):
        found = collections.Counter(row[1] for row in self.limit_overruns())
        found["R-APP-01"] = len(list(self.runs_without_launch()))
        for rule, end in (("R-APP-16", "killed_in_background"), ("R-APP-17", "abnormal_in_foreground")):
            found[rule] = sum(run.end == end for run in self.runs)
        return [[rule, count] for rule, count in found.items() if count > 0]

    def scenario_times(self):
        """Those that are two changes in a row, or the silent end."""
        found = collections.defaultdict(list)
        for run in self.runs:
            for number, ((before, state, _, begun, _), (_, after, callback, time, _)) in enumerate(zip(run.changes, run.changes[1:]), 2):
                path, dwell = (before, state, after), None if callback is None else time - begun
                if path == ("background", "inactive", "active"):
                    # Longer ones are no resume of this scenario.
                    if dwell < 2 * 10**9:
                        found["SC-A04"].append(dwell)
                elif path == ("active", "inactive", "active"):
                    found["SC-A09"].append(dwell)
                elif path == ("active", "inactive", "background") and not any(
                    callback and to == "not_running" for _, to, callback, _, _ in run.changes[number : number + 1]
                ):
                    if dwell < 10**9:
                        found["SC-A02"].append(dwell)
            if run.end == "killed_in_background":
                found["SC-A18"].append(0)
        return [[*CLASSES[name], len(v), *spread(v, 0.5, 0.9, 0.99)] for name, v in found.items()]

    # The simulator's apps have no scenes, no view controllers, no clock that goes back and no payloads.

    def overlapping_scenes(self):
        return []

    undeallocated_controllers = clock_faults = daily_totals_compared = overlapping_scenes


# What a stay is grouped by, for each value of `$by`. No log names a version or a device.
PARTS = {
    None: lambda catalogue: lambda run, stay: None,
    "app": lambda catalogue: lambda run, stay: run.app,
    "run": lambda catalogue: lambda run, stay: catalogue.number(run),
    "day": lambda catalogue: lambda run, stay: day(stay[2] if run.shown[stay] is None else run.shown[stay]),
    **dict.fromkeys(("app_version", "os_version", "device"), lambda catalogue: lambda run, stay: None),
}
# Parameters that a query is asked with beside none at all.
QUESTIONS = {"dwell_times": [{"by": by} for by in PARTS if by]}

# The columns of an answer that are worked out above; all of them when a query is not named here.
COLUMNS = {
    "background_stays": "app layer stays complete total_s p50_s p90_s max_s suspended_s",
    "suspended_stays": "app total_s min_s p50_s p90_s p99_s max_s",
    "stays_over_limit": "app run_id entered stay_s",
    "longest_stays": "stay_s",
    "transition_counts": "from_state to_state callback count probability p50_dwell_s",
    "transition_matrix": "from_state to_state count inferred share",
    "coverage": "from_state to_state count",
    "directly_follows": "callback next_callback count share",
    "flapping": "app run_id flaps total_s",
    "killed_in_background": "run_id app pid last_seen_ns next_seen_ns place time what line",
    "runs_without_launch": "run_id app pid",
    "run_summary": "run_id app pid end_reason active_s background_s activations",
    "source_accounting": "path lines entry_lines continuation_lines other_lines rejected_lines events span_s",
    "events_by_kind": "callback events",
    "limit_overruns": "run_id rule limit_s taken_s margin_s",
    "findings_by_rule": "rule findings",
    "scenario_times": "class members matches min_s p50_s p90_s p99_s max_s",
}
# The class of a scenario, and the members of it that runs without scenes may have.
CLASSES = {
    "SC-A02": ("EQ-1", "SC-A02, SC-A03"), "SC-A04": ("EQ-3", "SC-A04, SC-A05"),
    "SC-A09": ("EQ-2", "SC-A09, SC-A10, SC-A12, SC-A13"), "SC-A18": ("EQ-5", "SC-A18, SC-A19, SC-A06"),
}
# Scenarios that take more than two changes are told by the documented models, not by the states.
ONLY = {"scenario_times": lambda row: tuple(row[:2]) in CLASSES.values(),
        "transition_matrix": lambda row: row[2] > 0, "coverage": lambda row: row[2] > 0}


def bare(name, row):
    """Paths are compared by the file alone, and a coverage row for each model counts once."""
    return [pathlib.Path(cell).name if name == "source_accounting" and i == 0 else cell for i, cell in enumerate(row)]


def key(row):
    return [str(cell) for cell in row if not isinstance(cell, float)], [cell for cell in row if isinstance(cell, float)]


def differences(expected, found):
    if len(expected) != len(found):
        yield f"{len(expected)} rows, but lifestats gives {len(found)}"
    for one, other in zip(sorted(expected, key=key), sorted(found, key=key)):
        for a, b in zip(one, other):
            same = a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-9))
            if not same:
                yield f"{one}, but lifestats gives {other}"
                break


def compared(catalogue, name, sql, asked):
    """How an answer differs from the one worked out here; says that they agree where they do."""
    cursor = catalogue.database.execute(sql, {p: asked.get(p) for p in recompute.re.findall(r"[$](\w+)", sql)})
    columns = [column[0] for column in cursor.description]
    wanted = COLUMNS.get(name, " ".join(columns)).split()
    # A name that is no column stands for one that is not compared.
    places = [columns.index(column) if column in columns else None for column in wanted]
    found = [bare(name, [None if place is None else row[place] for place in places]) for row in cursor]
    expected = [list(row) for row in getattr(catalogue, name)(**asked)]
    keep = ONLY.get(name, lambda row: True)
    found, expected = [row for row in found if keep(row)], [row for row in expected if keep(row)]
    if name == "coverage":
        found = [list(row) for row in {tuple(row) for row in found}]
        expected = [row for row in expected if row in found]
    problems = list(differences(expected, found))
    question = " ".join([name, *(f"{parameter}={value}" for parameter, value in asked.items())])
    if not problems:
        print(f"agrees   {question}, {len(found):,} rows")
    return [f"{question}: {problem}" for problem in problems[:5]]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("logs", type=pathlib.Path)
    options.add_argument("database", type=pathlib.Path)
    chosen = options.parse_args()
    database = sqlite3.connect(f"file:{chosen.database}?mode=ro", uri=True)
    numbers = {
        (pathlib.Path(path).name, pid): run
        for run, path, pid in database.execute("select r.run_id, s.path, r.pid from runs r join sources s using (source_id)")
    }
    catalogue = Catalogue(read(chosen.logs), numbers, database)
    wrong = 0
    for path in sorted((pathlib.Path(__file__).parents[2] / "queries").glob("*.sql")):
        name = path.stem
        if not hasattr(catalogue, name):
            problems = ["there is no answer worked out for it here"]
        else:
            sql = path.read_text(encoding="utf-8")
            problems = [p for asked in [{}, *QUESTIONS.get(name, [])] for p in compared(catalogue, name, sql, asked)]
        if problems:
            wrong += 1
            print(f"differs  {name}")
            for problem in problems:
                print(f"         {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
