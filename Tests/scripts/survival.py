#!/usr/bin/env python3
"""Asks lifelines and statsmodels whether the numbers of `lifestats compare` are right.

usage: survival.py --lifestats BINARY [--devices N] [--seed N]

Two cohorts are simulated, and the lengths of their visits read from the view. For every state, the horizon, the medians and
the means up to the horizon must be those of lifelines' Kaplan-Meier curves, and the log-rank test that of lifelines; the q
values those of Benjamini and Hochberg in statsmodels, all to 1e-9. `make oracle` installs both into .build/peers. Exits 1 if
anything differs.
"""

import argparse
import collections
import json
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

from lifelines import KaplanMeierFitter
from lifelines.statistics import logrank_test
from lifelines.utils import qth_survival_times, restricted_mean_survival_time
from statsmodels.stats.multitest import multipletests

VISITS = """
    SELECT v.layer, v.state, r.app_version, coalesce(v.dwell_ns, v.at_least_ns) / 1e9, v.dwell_ns IS NOT NULL
    FROM visits AS v JOIN runs AS r USING (run_id)
    WHERE coalesce(v.censored, '') IN ('', 'right') AND coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
"""


def compared(tool, folder, devices, seed):
    """A comparison of simulated cohorts, and the lengths of visits by state and cohort."""

    def lifestats(*arguments):
        done = subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"oracle: lifestats {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout

    database = folder / "lifestats.db"
    lifestats(
        "simulate", "--seed", seed, "--devices", devices, "--spread", 0.5, "--change", "background=1.5", "--callbacks",
        1_500 * devices, "-o", folder / "fleet",
    )
    for cohort in "ab":
        lifestats("ingest", folder / "fleet" / cohort, "--app-version", cohort, "--db", database, "--no-progress")
    document = lifestats(
        "compare", "app_version=a", "app_version=b", "--db", database, "--format", "json", "--fail-on", "never")
    stays = collections.defaultdict(lambda: ([], []))
    for layer, state, cohort, length, is_ended in sqlite3.connect(database).execute(VISITS):
        for key in ((layer, state, cohort), (layer, state, "both")):
            stays[key][0].append(length)
            stays[key][1].append(is_ended)
    return json.loads(document), stays


def numbers(rows, stays):
    """What each number is according to the others, and what lifestats says."""
    for row in rows:
        if row["kind"] != "dwell":
            continue
        state = (row["layer"], row["name"])
        curves = {cohort: KaplanMeierFitter().fit(*stays[(*state, cohort)]) for cohort in ("a", "b", "both")}
        yield f"{state} horizon", qth_survival_times(0.1, curves["both"].survival_function_), row["horizon_s"]
        for cohort in "ab":
            curve, figure = curves[cohort], row[cohort]
            yield f"{state} visits of {cohort}", len(stays[(*state, cohort)][0]), figure["count"]
            yield f"{state} median of {cohort}", curve.median_survival_time_, figure["median_s"]
            yield f"{state} mean of {cohort}", restricted_mean_survival_time(curve, t=row["horizon_s"]), figure["value"]
        (a, seen_a), (b, seen_b) = stays[(*state, "a")], stays[(*state, "b")]
        test = logrank_test(a, b, seen_a, seen_b)
        yield f"{state} log-rank", test.test_statistic, row["log_rank"]["chi_squared"]
        yield f"{state} p of log-rank", test.p_value, row["log_rank"]["p"]
    q = multipletests([row["p"] for row in rows], method="fdr_bh")[1]
    for expected, row in zip(q, rows):
        yield f"q of {row['kind']} {row['name']}", expected, row["q"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--devices", type=int, default=20)
    options.add_argument("--seed", type=int, default=11)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="lifestats-survival-") as folder:
        document, stays = compared(chosen.lifestats.resolve(), pathlib.Path(folder), chosen.devices, chosen.seed)
    count, wrong = 0, 0
    for name, expected, found in numbers(document["rows"], stays):
        count += 1
        if not math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-12):
            wrong += 1
            print(f"differs  {name}: the others say {expected!r}, lifestats {found!r}")
    print(f"{'differs' if wrong else 'agrees '}  {count} numbers of a comparison: lifelines and statsmodels")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
