#!/usr/bin/env python3
"""Compares how lifestats and plaso read Apple's binary unified log, entry by entry.

usage: binary_log.py --lifestats BINARY FOLDER...

Each folder holds tracev3 files with their timesync, uuidtext and dsc. Every log message must have the same time, process
id, thread, activity, subsystem, category, level, sender and text in both, and the same process where plaso names it; what
neither resolves is only counted. plaso comes from PyPI: run this script with the Python of an environment that holds it. `make binary-log`
does so with archives of the tests' encoder.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


UNRESOLVED = "<compose failure [missing precomposed log]>"


def name(path):
    return (path or "").rsplit("/", 1)[-1]


def sender(entry):
    """The image that logged as `log show` prints it: only where it is not the process itself."""
    path = entry.get("sender_image_path")
    return name(path) if path != entry.get("process_image_path") else ""


def of_plaso(folder):
    """The entries of all files below a folder, as plaso reads them."""
    tools = pathlib.Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as work:
        output, storage = pathlib.Path(work) / "entries.jsonl", pathlib.Path(work) / "storage.plaso"
        # Without --include-all psort leaves out entries that differ only in the nanoseconds.
        for command in (
            ["log2timeline", "--parsers", "unified_logging", "--storage-file", storage, "--unattended", "-q", folder],
            ["psort", "--include-all", "-o", "json_line", "-w", output, "--unattended", "-q", storage],
        ):
            subprocess.run([tools / command[0], *command[1:]], check=True, cwd=work, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        for line in output.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["event_type"] != "logEvent":
                continue
            yield (
                entry["date_time"]["timestamp"], entry["process_identifier"], entry["thread_identifier"],
                entry.get("activity_identifier") or 0, entry.get("subsystem") or "", entry.get("category") or "",
                entry["message_type"],
            ), (name(entry.get("process_image_path")), sender(entry), entry["event_message"])


def of_lifestats(tool, folder):
    found = subprocess.run([tool, "formats", "entries", folder], check=True, stdout=subprocess.PIPE).stdout
    for line in found.decode("utf-8").splitlines():
        entry = json.loads(line)
        yield (
            entry["time_ns"], entry["pid"], int(entry["thread"], 0), int(entry.get("activity") or "0", 0),
            entry.get("subsystem") or "", entry.get("category") or "", entry.get("level"),
        ), (
            "" if entry.get("process") in (None, "unknown") else entry["process"], entry.get("library") or "",
            "" if UNRESOLVED in entry["message"] else entry["message"],
        )


def grouped(entries):
    groups = collections.defaultdict(list)
    for key, message in entries:
        groups[key].append(message)
    return groups


def conceals(theirs, own):
    """Whether plaso only conceals private text that lifestats shows: it does not read that of oversize records."""
    pattern = ".*".join(map(re.escape, theirs[-1].split("<private>")))
    return theirs[:-1] == own[:-1] and "<private>" in theirs[-1] and re.fullmatch(pattern, own[-1], re.DOTALL)


def compare(tool, folder):
    """How many entries there are, how many neither resolves, how many plaso alone conceals, and the differences."""
    expected, found = grouped(of_plaso(folder)), grouped(of_lifestats(tool, folder))
    problems, unresolved, concealed = [], 0, 0
    for key in sorted(expected.keys() | found.keys(), key=str):
        texts, own = sorted(expected.get(key, [])), sorted(found.get(key, []))
        unresolved += sum(text[-1] == "" for text in texts)
        if texts == own:
            continue
        if len(texts) == len(own) and all(a == b or conceals(a, b) for a, b in zip(texts, own)):
            concealed += 1
        else:
            problems.append(f"{key}: {texts} of plaso, {own} of lifestats")
    return sum(map(len, expected.values())), unresolved, concealed, problems


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", required=True)
    options.add_argument("folders", nargs="+", metavar="FOLDER")
    options = options.parse_args()
    failed = False
    for folder in options.folders:
        count, unresolved, concealed, problems = compare(options.lifestats, str(pathlib.Path(folder).resolve()))
        failed = failed or bool(problems) or count == 0
        print(f"{folder}: {count} entries, {unresolved} of them without a format string, "
              f"{concealed} with private text that plaso conceals, {len(problems)} differences")
        for problem in problems[:10]:
            print(f"  {problem}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
