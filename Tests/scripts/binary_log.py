#!/usr/bin/env python3
"""Compares how lifestats and plaso read Apple's binary unified log, entry by entry.

usage: binary_log.py --lifestats BINARY FOLDER...

Each folder holds tracev3 files with their timesync, uuidtext and dsc. Every log message must have the same time, process
id, thread, subsystem, category and text in both; what plaso cannot resolve (an empty text) is only counted.
plaso comes from PyPI: run this script with the Python of an environment that holds it.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def of_plaso(folder):
    """The entries of all files below a folder, as plaso reads them."""
    psteal = pathlib.Path(sys.executable).parent / "psteal"
    with tempfile.TemporaryDirectory() as work:
        output = pathlib.Path(work) / "entries.jsonl"
        subprocess.run(
            [psteal, "--parsers", "unified_logging", "--source", folder, "-o", "json_line", "-w", output,
             "--storage-file", pathlib.Path(work) / "storage.plaso", "--unattended", "-q"],
            check=True, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for line in output.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["event_type"] != "logEvent":
                continue
            yield (
                entry["date_time"]["timestamp"], entry["process_identifier"], entry["thread_identifier"],
                entry.get("subsystem") or "", entry.get("category") or "",
            ), entry["event_message"]


def of_lifestats(tool, folder):
    found = subprocess.run([tool, "formats", "entries", folder], check=True, stdout=subprocess.PIPE).stdout
    for line in found.decode("utf-8").splitlines():
        entry = json.loads(line)
        yield (
            entry["time_ns"], entry["pid"], int(entry["thread"], 0), entry.get("subsystem") or "",
            entry.get("category") or "",
        ), entry["message"]


def grouped(entries):
    groups = collections.defaultdict(list)
    for key, message in entries:
        groups[key].append(message)
    return groups


def compare(tool, folder):
    """The number of entries, of those that plaso does not resolve, and the differences."""
    expected, found = grouped(of_plaso(folder)), grouped(of_lifestats(tool, folder))
    problems, unresolved = [], 0
    for key in sorted(expected.keys() | found.keys(), key=str):
        texts, own = sorted(expected.get(key, [])), sorted(found.get(key, []))
        unresolved += texts.count("")
        if len(texts) != len(own):
            problems.append(f"{key}: {len(texts)} entries of plaso, {len(own)} of lifestats")
        elif "" not in texts and texts != own:
            problems.append(f"{key}: {texts} of plaso, {own} of lifestats")
    return sum(map(len, expected.values())), unresolved, problems


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", required=True)
    options.add_argument("folders", nargs="+", metavar="FOLDER")
    options = options.parse_args()
    failed = False
    for folder in options.folders:
        count, unresolved, problems = compare(options.lifestats, str(pathlib.Path(folder).resolve()))
        failed = failed or bool(problems) or count == 0
        print(f"{folder}: {count} entries, {unresolved} of them without a format string, {len(problems)} differences")
        for problem in problems[:10]:
            print(f"  {problem}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
