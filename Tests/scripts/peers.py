#!/usr/bin/env python3
"""Gives the same job to other tools: from simulated logs to dwell per state and transition counts.

usage: peers.py --lifestats BINARY --only TOOL LOGS     one tool; prints its answer as JSON, seconds on standard error
       peers.py --lifestats BINARY [--scale small|modest|full] [--runs N]
                                                        all tools; a table, each answer compared with the truth

The job is that of Tests/scripts/recompute.py: visits, completed visits, dwell sums in nanoseconds and observed
transitions of apps without scenes. Each tool runs in a process of its own, so that time and peak memory are its own.
DuckDB, chdb, polars and PM4Py come from PyPI (`make bench-peers` installs them into .build/peers), mawk and lnav from
the system; what is missing is skipped and said.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

TOOLS = ("lifestats", "duckdb", "chdb", "polars", "pm4py", "mawk", "lnav")
NAMES = (
    "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
    "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
    "applicationWillTerminate",
)
CALLBACK = "|".join(NAMES)
LINE = (
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.(\d+)([+-]\d{4})? .+?\[(\d+):[0-9a-f]+\] .*?(" + CALLBACK + ")"
)
# The same with named groups, as polars wants them.
NAMED = LINE
for group in ("second", "fraction", "zone", "pid", "callback"):
    place = next(i for i, c in enumerate(NAMED) if c == "(" and NAMED[i - 1] != "\\" and NAMED[i + 1] != "?")
    NAMED = f"{NAMED[:place]}(?P<{group}>{NAMED[place + 1:]}"


def answer(visits, transitions):
    """The same shape for every tool: rows sorted, whole numbers."""
    return {
        "visits": sorted([s, int(n), int(c), int(d)] for s, n, c, d in visits),
        "transitions": sorted([f, t, c, int(n)] for f, t, c, n in transitions),
    }


# Common to the SQL engines, from a table `event` (file, pid, line, ns, callback). The system gives a pid again: a launch
# begins another run.
# A launch leads to the background when the next callback after it says so.
STATES = """
launched as (
    select *, case when callback = 'willFinishLaunchingWithOptions' or callback = 'didFinishLaunchingWithOptions'
        and ({lag} is null or {lag} <> 'willFinishLaunchingWithOptions') then 1 else 0 end as is_launch
    from event
),
started as (
    select *, sum(is_launch) over (partition by file, pid order by line) as run from launched
),
followed as (
    select file, pid, run, line, ns, callback, {lead} as next1, {lead2} as next2
    from started
),
proven as (
    select *, case
        when callback in ('willFinishLaunchingWithOptions', 'didFinishLaunchingWithOptions') then
            case when (case when next1 = 'didFinishLaunchingWithOptions' then next2 else next1 end)
                in ('applicationDidEnterBackground', 'applicationWillEnterForeground')
            then 'background' else 'inactive' end
        when callback = 'applicationDidBecomeActive' then 'active'
        when callback = 'applicationDidEnterBackground' then 'background'
        when callback = 'applicationWillTerminate' then 'not_running'
        else 'inactive' end as after
    from followed
),
placed as (
    select *, {lag_after} as before_seen from proven
),
moved as (
    select file, pid, run, line, ns, callback, after, case
        when before_seen is not null and before_seen <> '' then before_seen
        when callback in ('willFinishLaunchingWithOptions', 'didFinishLaunchingWithOptions') then 'not_running'
        when callback = 'applicationDidBecomeActive' then 'inactive'
        when callback = 'applicationWillResignActive' then 'active'
        else 'background' end as before_state,
        (before_seen is null or before_seen = '') as is_first
    from placed
    where before_seen is null or before_seen = '' or before_seen <> after
),
stay as (
    select *, {lead_ns} as left_ns from moved
)
"""
# Where a log begins in the middle of a run, its first line may not be the first one of what it tells: the stay that it
# begins (`is_first`, without a launch) is not complete. The same is true where it begins with the second line of a launch.
VISITS = """
select state, cast(sum(n) as bigint), cast(sum(c) as bigint), cast(sum(d) as bigint) from (
    select after as state, count(*) as n, sum(is_complete) as c,
        sum(case when is_complete = 1 then left_ns - ns else 0 end) as d
    from (
        select *, case when {left} and (not is_first or before_state = 'not_running')
            and not (callback = 'didFinishLaunchingWithOptions' and (file, line) in (
                select file, min(line) from event group by file)) then 1 else 0 end as is_complete
        from stay
    ) as ended where after <> 'not_running' group by after
    union all
    select before_state, count(*), 0, 0 from moved where is_first and before_state <> 'not_running' group by before_state
) as together group by state
"""
MOVES = "select before_state, after, callback, count(*) from moved group by 1, 2, 3"


def run_duckdb(paths):
    import duckdb

    db = duckdb.connect()
    process = "over (partition by file, pid order by line)"
    window = "over (partition by file, pid, run order by line)"
    parts = STATES.format(
        lag=f"lag(callback) {process}", lead=f"lead(callback) {window}", lead2=f"lead(callback, 2) {window}",
        lag_after=f"lag(after) {window}", lead_ns=f"lead(ns) {window}",
    )
    db.execute(
        f"""create table event as
        with raw as (
            select filename as file, row_number() over () as line, column0 as text
            from read_csv(?, columns = {{'column0': 'VARCHAR'}}, delim = '\x01', quote = '', escape = '', header = false,
                filename = true, auto_detect = false)
        ),
        found as (
            select file, line, regexp_extract(text, ?, ['second', 'fraction', 'zone', 'pid', 'callback']) as f from raw
            where regexp_matches(text, '{CALLBACK}')
        )
        select file, line, f.pid as pid, f.callback as callback,
            (epoch_us(cast(f.second as timestamp)) + cast(rpad(f.fraction, 6, '0') as bigint)
            - case when f.zone = '' then 0 else (case when f.zone[1] = '-' then -1 else 1 end)
                * (cast(f.zone[2:3] as bigint) * 60 + cast(f.zone[4:5] as bigint)) * 60000000 end) * 1000 as ns
        from found""",
        [[str(p) for p in paths], LINE],
    )
    db.execute(f"create table stay as with {parts} select * from stay")
    db.execute("create view moved as select * from stay")
    return answer(
        db.execute(VISITS.format(left="left_ns is not null")).fetchall(), db.execute(MOVES).fetchall()
    )


def run_chdb(paths):
    from chdb import session

    db = session.Session()
    frame = "order by line rows between unbounded preceding and unbounded following)"
    process = f"over (partition by file, pid {frame}"
    window = f"over (partition by file, pid, run {frame}"
    parts = STATES.format(
        lag=f"lagInFrame(callback) {process}", lead=f"leadInFrame(callback) {window}",
        lead2=f"leadInFrame(callback, 2) {window}", lag_after=f"lagInFrame(after) {window}",
        lead_ns=f"leadInFrame(ns) {window}",
    )
    folder = paths[0].parent
    pattern = LINE.replace("\\", "\\\\").replace("'", "\\'")
    db.query(
        f"""create table event engine = MergeTree order by (file, line) as
        with found as (
            select _file as file, rowNumberInAllBlocks() as place, extractGroups(line, '{pattern}') as f
            from file('{folder}/*.log', 'LineAsString', 'line String') where match(line, '{CALLBACK}')
        )
        select file, f[4] as pid, f[5] as callback,
            (toInt64(toUnixTimestamp(toDateTime(f[1], 'UTC'))) * 1000000 + toInt64(rightPad(f[2], 6, '0'))
            - if(f[3] = '', 0, if(substring(f[3], 1, 1) = '-', -1, 1)
                * (toInt64(substring(f[3], 2, 2)) * 60 + toInt64(substring(f[3], 4, 2))) * 60000000)) * 1000 as ns,
            (ns, place) as line
        from found settings max_threads = 2"""
    )
    db.query(f"create table stay engine = Memory as with {parts} select * from stay")
    db.query("create view moved as select * from stay")
    rows = lambda sql: [json.loads(line) for line in str(db.query(sql, "JSONCompactEachRow")).splitlines()]
    return answer(rows(VISITS.format(left="left_ns > 0")), rows(MOVES))


def run_polars(paths):
    import polars as pl

    process = ["file", "pid"]
    run = [*process, "run"]
    launches = list(NAMES[:2])
    after = {
        "applicationDidBecomeActive": "active", "applicationWillResignActive": "inactive",
        "applicationDidEnterBackground": "background", "applicationWillEnterForeground": "inactive",
        "applicationWillTerminate": "not_running",
    }
    before = {
        NAMES[0]: "not_running", NAMES[1]: "not_running", "applicationDidBecomeActive": "inactive",
        "applicationWillResignActive": "active", "applicationWillEnterForeground": "background",
    }
    zone = pl.col("zone")
    offset = (
        pl.when(zone.str.starts_with("-")).then(-1).otherwise(1)
        * (zone.str.slice(1, 2).cast(pl.Int64) * 60 + zone.str.slice(3, 2).cast(pl.Int64)) * 60_000_000
    ).fill_null(0)
    events = (
        pl.scan_csv(
            [str(p) for p in paths], has_header=False, new_columns=["text"], separator="\x01", quote_char=None,
            include_file_paths="file", schema={"text": pl.String},
        )
        .filter(pl.col("text").str.contains(CALLBACK))
        .select("file", pl.col("text").str.extract_groups(NAMED).alias("f"))
        .unnest("f")
        .with_columns(
            ns=(
                pl.col("second").str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us").dt.epoch("us")
                + pl.col("fraction").str.pad_end(6, "0").cast(pl.Int64) - offset
            ) * 1000
        )
        .collect()
    )
    # The system gives a pid again: a launch begins another run.
    callback = pl.col("callback")
    goes_on = callback.eq(NAMES[1]) & callback.shift(1).over(process).eq(NAMES[0]).fill_null(False)
    events = events.with_columns(
        begins=callback.is_in(launches) & ~goes_on, is_top=pl.col("file").is_first_distinct()
    ).with_columns(
        run=pl.col("begins").cum_sum().over(process)
    )
    lead = lambda n: pl.col("callback").shift(-n).over(run)
    following = pl.when(lead(1) == NAMES[1]).then(lead(2)).otherwise(lead(1))
    woken = following.is_in(["applicationDidEnterBackground", "applicationWillEnterForeground"])
    events = events.with_columns(
        after=pl.when(pl.col("callback").is_in(launches))
        .then(pl.when(woken).then(pl.lit("background")).otherwise(pl.lit("inactive")))
        .otherwise(pl.col("callback").replace(after))
    ).with_columns(seen=pl.col("after").shift(1).over(run))
    moved = events.filter(pl.col("seen").is_null() | (pl.col("seen") != pl.col("after"))).with_columns(
        before=pl.coalesce("seen", pl.col("callback").replace_strict(before, default=None)),
        left=pl.col("ns").shift(-1).over(run),
    )
    # As in VISITS.
    is_cut = pl.col("seen").is_null() & (pl.col("before") != "not_running")
    is_late = is_cut | (pl.col("is_top") & (pl.col("callback") == NAMES[1]))
    moved = moved.with_columns(left=pl.when(~is_late).then("left"))
    done = moved.filter(pl.col("after") != "not_running").group_by("after").agg(
        pl.len().alias("visits"), pl.col("left").count().alias("complete"),
        (pl.col("left") - pl.col("ns")).sum().alias("dwell"),
    )
    visits = {row[0]: list(row[1:]) for row in done.iter_rows()}
    cut = moved.filter(is_cut).group_by("before").len()
    for state, count in cut.iter_rows():
        visits.setdefault(state, [0, 0, 0])[0] += count
    moves = moved.group_by("before", "after", "callback").len()
    return answer([(s, *rest) for s, rest in visits.items()], moves.iter_rows())


def run_pm4py(paths):
    """Parsed by polars; the directly-follows graph of PM4Py, which knows no states."""
    import polars as pl
    import pm4py

    events = (
        pl.scan_csv(
            [str(p) for p in paths], has_header=False, new_columns=["text"], separator="\x01", quote_char=None,
            include_file_paths="file", schema={"text": pl.String},
        )
        .filter(pl.col("text").str.contains(CALLBACK))
        .select("file", pl.col("text").str.extract_groups(NAMED).alias("f"))
        .unnest("f")
        .with_row_index("line")
        .select(
            (pl.col("file") + ":" + pl.col("pid")).alias("case:concept:name"),
            pl.col("callback").alias("concept:name"),
            # The order of lines, which equal times would lose.
            (pl.col("line").cast(pl.Int64) * 1_000_000).cast(pl.Datetime("ns")).dt.replace_time_zone("UTC")
            .alias("time:timestamp"),
        )
        .collect()
        .to_pandas()
    )
    graph, starts, ends = pm4py.discover_dfg(events)
    return {"follows": sorted([a, b, n] for (a, b), n in graph.items()), "starts": starts, "ends": ends}


MAWK = r"""
function after(cb) {
    if (cb == "applicationDidBecomeActive") return "active"
    if (cb == "applicationDidEnterBackground") return "background"
    if (cb == "applicationWillTerminate") return "not_running"
    return "inactive"
}
function move(to, cb, t) {
    if (state == to) return
    moves[state "\t" to "\t" cb]++
    if (state != "not_running") { visits[state]++; if (entered != "") { completed[state]++; dwell[state] += t - entered } }
    state = to; entered = t
}
# A launch waits for what follows it.
function settle(to) { if (launch != "") { move(to, launch, launched); launch = ""; if (late) entered = "" } }
function finish() {
    if (pid == "") return
    settle("inactive")
    if (state != "" && state != "not_running") visits[state]++
}
FNR == 1 { finish(); pid = ""; top = 1 }
match($0, /willFinishLaunchingWithOptions|didFinishLaunchingWithOptions|applicationDidBecomeActive|applicationWillResignActive|applicationDidEnterBackground|applicationWillEnterForeground|applicationWillTerminate/) {
    cb = substr($0, RSTART, RLENGTH)
    match($0, /\[[0-9]+:/); this = substr($0, RSTART + 1, RLENGTH - 2)
    if (this != pid) { finish(); pid = this; state = ""; entered = ""; launch = "" }
    day = substr($0, 1, 10)
    if (day != lastday) {
        y = substr(day, 1, 4) + 0; m = substr(day, 6, 2) + 0; d = substr(day, 9, 2) + 0
        if (m <= 2) { y--; m += 12 }
        days = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 719469
        lastday = day
    }
    s = (days - 19000) * 86400 + substr($0, 12, 2) * 3600 + substr($0, 15, 2) * 60 + substr($0, 18, 2)
    f = substr($0, 21, 6)
    if (substr(f, 4, 1) == " ") us = substr(f, 1, 3) * 1000
    else {
        us = f + 0; z = substr($0, 28, 2) * 3600 + substr($0, 30, 2) * 60
        s -= substr($0, 27, 1) == "-" ? -z : z
    }
    t = s * 1000000 + us
    if (cb == "willFinishLaunchingWithOptions" || cb == "didFinishLaunchingWithOptions") {
        if (launch == "" && state == "") {
            state = "not_running"; launch = cb; launched = t
            # A log that begins with the second line of a launch.
            late = top && cb == "didFinishLaunchingWithOptions"
        }
        top = 0
        next
    }
    top = 0
    settle(cb == "applicationDidEnterBackground" || cb == "applicationWillEnterForeground" ? "background" : "inactive")
    cut = state == ""
    if (cut) {
        state = cb == "applicationDidBecomeActive" ? "inactive" : cb == "applicationWillResignActive" ? "active" : "background"
    }
    move(after(cb), cb, t)
    if (cut) entered = ""
}
END {
    finish()
    for (s in visits) printf "visit\t%s\t%d\t%d\t%.0f000\n", s, visits[s], completed[s], dwell[s]
    for (m in moves) printf "move\t%s\t%d\n", m, moves[m]
}
"""


def run_mawk(paths):
    done = subprocess.run(["mawk", MAWK, *map(str, paths)], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return answer([r[1:] for r in rows if r[0] == "visit"], [r[1:] for r in rows if r[0] == "move"])


def run_lnav(paths):
    """lnav reads and indexes; what it can say headless is how often each callback occurs."""
    with tempfile.TemporaryDirectory() as home:
        sql = (
            ";select regexp_match('(" + CALLBACK + ")', log_body) as callback, count(*) as n from all_logs "
            "where log_body regexp '" + CALLBACK + "' group by 1"
        )
        done = subprocess.run(
            ["lnav", "-n", "-c", sql, "-c", ":write-json-to -", *map(str, paths)], capture_output=True, text=True,
            env={**os.environ, "HOME": home, "TERM": "dumb"},
        )
    return {"counts": done.stdout.strip()[:2000], "error": done.stderr.strip()[:2000]}


def run_lifestats(paths, tool):
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/lifestats.db"
        subprocess.run([tool, "ingest", paths[0].parent, "--db", database, "--no-progress"], check=True, stderr=subprocess.DEVNULL)
        for query in ("dwell_times", "transition_counts"):
            subprocess.run([tool, "query", query, "--db", database, "--format", "json"], check=True, stdout=subprocess.DEVNULL)
        if os.environ.get("PEERS_CHECK") != "1":
            return None
        import recompute

        stored = recompute.from_database(database)
    return from_counts(stored)


def from_counts(counts):
    return answer(
        [(s, v[0], v[1], v[3]) for s, v in counts["visits"].items()],
        [(f, t, c, n) for (f, t, c, e), n in counts["transitions"].items() if e == "observed"],
    )


def one(name, tool, logs):
    paths = sorted(logs.glob("*.log"))
    if name == "lifestats":
        return run_lifestats(paths, tool)
    return globals()[f"run_{name}"](paths)


def is_there(name):
    if name in ("mawk", "lnav"):
        return shutil.which(name) is not None
    if name == "lifestats":
        return True
    import importlib.util

    return importlib.util.find_spec(name) is not None


def table(tool, scale, runs):
    import bench
    import recompute

    with tempfile.TemporaryDirectory(prefix="lifestats-peers-") as folder:
        folder = pathlib.Path(folder)
        print(f"peers, scale {scale}: medians of {runs} runs; {bench.machine()}")
        for kind, (callbacks, files), sparse in zip(("dense", "sparse"), bench.SCALES[scale], (1, 100)):
            logs, truth = folder / kind, folder / f"{kind}.json"
            bench.measure([tool, "simulate", "--seed", "1", "--callbacks", str(callbacks), "--files", str(files),
                           "--sparse", str(sparse), "--truth", truth, "-o", logs])
            counts = recompute.from_truth(truth)
            expected = from_counts(counts)
            print(f"\n{kind}: {counts['lines']:,} lines, {callbacks:,} callbacks, {files} files")
            bench.cells("", "seconds", "lines/s", "peak MiB", "answer")
            for name in TOOLS:
                if not is_there(name):
                    bench.cells(name, "not installed")
                    continue
                command = [sys.executable, __file__, "--lifestats", str(tool), "--only", name, str(logs)]
                check = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PEERS_CHECK": "1"})
                if check.returncode != 0:
                    bench.cells(name, "failed")
                    print(check.stderr[-2000:], file=sys.stderr)
                    continue
                found = json.loads(check.stdout)
                if name in ("pm4py", "lnav"):
                    verdict = "other job"
                else:
                    verdict = "equal" if found == expected else "DIFFERENT"
                seconds, memory = bench.median(lambda: bench.measure(command), runs)
                bench.cells(name, f"{seconds:.2f}", f"{counts['lines'] / seconds:,.0f}", f"{memory:.0f}", verdict)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--only", choices=TOOLS)
    options.add_argument("logs", nargs="?", type=pathlib.Path)
    options.add_argument("--scale", choices=("small", "modest", "full"), default="modest")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    tool = chosen.lifestats.resolve()
    if chosen.only:
        start = time.perf_counter()
        result = one(chosen.only, tool, chosen.logs)
        print(f"{time.perf_counter() - start:.3f}", file=sys.stderr)
        print(json.dumps(result))
    else:
        table(tool, chosen.scale, chosen.runs)


if __name__ == "__main__":
    main()
