#!/usr/bin/env python3
"""Reads every output with a parser that is not ours, on a database full of hostile names.

usage: hostile_names.py --lifestats BINARY

The names of processes, controllers, scenes, files, devices and versions have control characters, marks of direction,
non-characters, half of a surrogate pair, line ends, and what each format quotes. Every export, table, picture, report and
list of findings is read with Python's own parsers (json, csv, sqlite3, expat, html.parser, zlib), or with the few lines
below that walk through Protocol Buffers and Thrift. An output is wrong if it cannot be read, if its elements differ
from those of the same logs with harmless names, if the names that it has are not those of the database, or if control
characters are left in texts that people read. Exits 1 if anything is wrong.
"""

import argparse
import collections
import csv
import html.parser
import io
import json
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree
import zlib

HOSTILE = [
    "a\x1b[2Jb", "a\x00b", "a\x07b", "a\nb", "a\r\nb", "a\tb", "a\x7fb", "a\x85b", "a\x9b2Jb", "a\u2028b", "a\u202eb",
    "a\u2066b", "a\ufeffb", "a\ufffeb", "a\uffffb", "\U0001fffe", "a\ud800b", "a\udfffb", "]]>", "</script><b>", "<!--x",
    "&lt;", "<a & 'b'>", '"q\\', "=1+1", "+1", "-1", "@x", "{{y}}: #", "a|b", "`c`", "%0Ad", "::e::", "\u0639\u0631\u0628",
    "\U0001f600", "e\u0301", "x" * 300,
]
# Characters that no text for people may have: a terminal, an editor or a browser may obey them.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Names that need no escape anywhere but those of the format itself.
PLAIN = re.compile(r"[\w<>&'\"\\:;#{}|`\]! %,\u2215][\w<>&'\"\\:;#{}|`\]! %,\u2215+=@-]*")
# What is given as an option or as the name of a file: all names that an argument can have, at once.
LABEL = "".join(name for name in HOSTILE if len(name) < 100 and not re.search("[\0\ud800-\udfff]", name))


def log(names, day=9):
    """A life of each name as process and controller, with a fault of the clock, as JSON of `log show`."""
    for number, name in enumerate(names):
        def line(second, message):
            return json.dumps({
                "timestamp": f"2024-03-{day:02} 10:{number % 60:02}:{second:02}.000000+0000", "processID": 100 + number,
                "threadID": 1, "messageType": "Default", "processImagePath": "/apps/" + name.replace("/", "\u2215"),
                "eventMessage": message})
        yield line(0, "application:didFinishLaunchingWithOptions:")
        yield line(1, f"-[My{name}Controller viewDidLoad]")
        yield line(2, "applicationDidBecomeActive:")
        yield line(30, "applicationDidEnterBackground:")
        yield line(20, "applicationDidBecomeActive:")


class Outputs:
    """The outputs of one database in a folder of its own."""

    def __init__(self, tool, folder, names, label):
        self.tool, self.folder = tool, folder
        self.log = f"logs/a{label.replace('/', '')}.log"
        (folder / "logs").mkdir(parents=True)
        (folder / self.log).write_text("\n".join(log(names)) + "\n")
        self.run("ingest", "logs", "--device", f"d{label}", "--app-version", f"1{label}", "--keep-messages", "--no-progress")
        # To be compared, a cohort needs six devices.
        for number in range(12):
            (folder / f"{number}.log").write_text("\n".join(log(names[number // 2 :: 6], day=10 + number)) + "\n")
            self.run("ingest", f"{number}.log", "--db", f"{'ab'[number % 2]}.db", "--device", f"{number}{label}", "--no-progress")
        with sqlite3.connect(f"file:{folder}/lifestats.db?mode=ro", uri=True) as database:
            self.names = {name for (name,) in database.execute("SELECT app FROM runs")}
            self.first = f"run:{database.execute('SELECT min(run_id) FROM runs').fetchone()[0]}"
            self.views = {
                view: database.execute(f"SELECT count(*) FROM {view}").fetchone()[0]
                for (view,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall()}
        self.name = next(name for name in sorted(self.names) if len(name) == 6)
        # Their answers cannot be added up, and are not exported.
        self.views.update(dwell_summary=0, transition_summary=0)

    def run(self, *arguments, statuses=(0,)):
        done = subprocess.run([self.tool, *arguments], cwd=self.folder, capture_output=True, timeout=300)
        if done.returncode not in statuses:
            raise ValueError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout


def protobuf(data, schema, found):
    """Walks through a message; the texts of fields that the schema has as `str` are added to what was found."""
    place = 0

    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while place < len(data):
        tag = number()
        kind = tag & 7
        length = number() if kind in (0, 2) else {1: 8, 5: 4}[kind]
        if kind == 0:
            continue
        if place + length > len(data):
            raise ValueError(f"field {tag >> 3} is longer than its message")
        content, place = data[place : place + length], place + length
        inner = schema.get(tag >> 3) if kind == 2 else None
        if inner is str:
            found.append(content.decode())
        elif inner is not None:
            protobuf(content, inner, found)


def thrift(data, place):
    """A structure of the compact protocol: its fields by number, and the place behind it."""
    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    def value(kind):
        nonlocal place
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            raw = number()
            return raw >> 1 ^ -(raw & 1)
        if kind in (3, 7):
            size = 1 if kind == 3 else 8
        elif kind == 8:
            size = number()
        elif kind == 9:
            head = data[place]
            place += 1
            count = head >> 4 if head < 0xF0 else number()
            return [value(head & 15) for _ in range(count)]
        elif kind == 12:
            fields, place = thrift(data, place)
            return fields
        else:
            raise ValueError(f"Thrift has no type {kind} here")
        place += size
        return data[place - size : place]

    fields, field = {}, 0
    while data[place]:
        head = data[place]
        place += 1
        if head >> 4:
            field += head >> 4
        else:
            raw = number()
            field = raw >> 1 ^ -(raw & 1)
        fields[field] = value(head & 15)
    return fields, place + 1


def parquet(path, column):
    """The number of rows, and the texts in the dictionaries of a column."""
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[-8:-4])
    if data[:4] != b"PAR1" or data[-4:] != b"PAR1":
        raise ValueError("no marks of Parquet")
    footer, end = thrift(data, len(data) - 8 - length)
    if end != len(data) - 8:
        raise ValueError("the footer does not end where it says")
    texts = set()
    for group in footer[4]:
        for chunk in (chunk[3] for chunk in group[1]):
            if chunk[5] != group[3]:
                raise ValueError(f"{chunk[3]} has {chunk[5]} values in a group of {group[3]} rows")
            if chunk[3] == [column.encode()] and 11 in chunk:
                header, place = thrift(data, chunk[11])
                for _ in range(header[7][1]):
                    (size,) = struct.unpack("<I", data[place : place + 4])
                    texts.add(data[place + 4 : place + 4 + size].decode())
                    place += 4 + size
    return footer[3], texts


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.scripts, self.within = collections.Counter(), [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements[tag, tuple(sorted(name for name, _ in attributes))] += 1
        self.texts += [value for _, value in attributes if value]
        self.within = tag

    def handle_endtag(self, tag):
        self.elements["/" + tag] += 1
        self.within = None

    def handle_comment(self, text):
        self.elements["comment"] += 1

    def handle_data(self, text):
        (self.scripts if self.within in ("script", "style") else self.texts).append(text)


def xml_document(text):
    root = xml.etree.ElementTree.fromstring(text)
    elements, texts = collections.Counter(), []
    for element in root.iter():
        elements[element.tag, tuple(sorted(element.attrib))] += 1
        texts += [*element.attrib.values(), element.text or "", element.tail or ""]
    return elements, texts


def png(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no signature of PNG")
    place, pixels = 8, b""
    while place < len(data):
        (length,), kind = struct.unpack(">I", data[place : place + 4]), data[place + 4 : place + 8]
        content = data[place + 8 : place + 8 + length]
        if zlib.crc32(kind + content) != struct.unpack(">I", data[place + 8 + length : place + 12 + length])[0]:
            raise ValueError(f"wrong sum of {kind}")
        pixels += content if kind == b"IDAT" else b""
        place += 12 + length
    zlib.decompress(pixels)
    return collections.Counter(), []


# Each reader takes an output and gives its elements (their number must not depend on names), the exact names of
# processes or None, and the texts that people read.

def read_json(outputs, data):
    rows = json.loads(data)
    return shape(rows), {row["app"] for row in rows} if isinstance(rows, list) else None, []


def read_lines(outputs, data):
    rows = [json.loads(line) for line in data.decode().split("\n")[:-1]]
    return shape(rows), {row["app"] for row in rows}, []


def read_entries(outputs, data):
    return collections.Counter(), {json.loads(line).get("process") for line in data.decode().split("\n")[:-1]}, []


def read_csv(outputs, data):
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    place = rows[0].index("app")
    return collections.Counter(map(len, rows)), None, [row[place] for row in rows[1:]] + sum(rows, [])


def read_markdown(outputs, data):
    lines = data.decode().split("\n")
    rows = [line for line in lines if line.startswith("|")]
    return collections.Counter(len(re.findall(r"(?<!\\)\|", row)) for row in rows), None, lines


def read_xml(outputs, data):
    elements, texts = xml_document(data)
    return elements, None, texts


def read_lanes(outputs, data):
    """Words are left out where a bar is too narrow for them, so only the kinds of elements are the same."""
    elements, texts = xml_document(data)
    return collections.Counter(list(elements)), None, texts


def read_html(outputs, data):
    page = Page(data.decode())
    return page.elements, None, page.texts


def read_annotations(outputs, data):
    lines = data.decode().split("\n")[:-1]
    return collections.Counter(re.match(r"::(?:error|warning|notice) [^:]*::|", line).group()[:5] for line in lines), None, lines


def read_png(outputs, data):
    return png(data)[0], None, []


def read_pdf(outputs, data):
    if not data.startswith(b"%PDF-") or not data.rstrip().endswith(b"%%EOF"):
        raise ValueError("no PDF from beginning to end")
    return collections.Counter(re.findall(rb"/Type /(Pages?\b)", data)), None, []


def read_text(outputs, data):
    return collections.Counter(), None, [data.decode()]


def read_perfetto(outputs, data):
    names = []
    protobuf(data, {1: {60: {2: str, 10: str, 3: {6: str}}, 11: {23: str, 4: {10: str, 6: str}}}}, names)
    return collections.Counter(), {name for name in outputs.names if any(name in found for found in names)}, []


def read_ocel(outputs, data):
    objects = [o for o in json.loads(data)["objects"] if o["type"] == "app"]
    return collections.Counter(), {o["id"].removeprefix("app:") for o in objects}, []


def read_ocel_database(outputs, path):
    with sqlite3.connect(path) as database:
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise ValueError("SQLite finds it damaged")
        rows = database.execute("SELECT ocel_id FROM object WHERE ocel_type = 'app'").fetchall()
    return collections.Counter(), {name.removeprefix("app:") for (name,) in rows}, []


def read_sheets(outputs, folder):
    texts = []
    for view, count in outputs.views.items():
        rows = list(csv.reader((folder / f"{view}.csv").open(newline="", encoding="utf-8")))
        if len(rows) != count + 1 or len({*map(len, rows)}) != 1:
            raise ValueError(f"{view}: {len(rows) - 1} rows, not {count}, or of different lengths")
        texts += [row[rows[0].index("app")] for row in rows[1:]] if "app" in rows[0] else []
    return collections.Counter(), None, texts


def read_parquet(outputs, folder):
    for view, count in outputs.views.items():
        rows, names = parquet(folder / f"{view}.parquet", "app")
        if rows != count or names - outputs.names:
            raise ValueError(f"{view}: {rows} rows, not {count}, or names that are not in the database")
    return collections.Counter(), parquet(folder / "runs.parquet", "app")[1], []


def read_telemetry(outputs, folder):
    found = set()
    for name in ("traces", "logs"):
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
            for resource in next(iter(json.loads(line).values())):
                found |= {a["value"].get("stringValue") for a in resource["resource"]["attributes"]}
    return collections.Counter(), found & outputs.names, []


def shape(value):
    """The keys of a document and how often each occurs."""
    counts = collections.Counter()
    for item in value if isinstance(value, list) else value.values() if isinstance(value, dict) else []:
        counts += shape(item)
    return counts + collections.Counter(list(value) if isinstance(value, dict) else [])


# The arguments, and who reads what they write: to standard output, or into the file or folder named last.
ROWS = "SELECT * FROM runs"
TABLE = [
    (["query", ROWS, "--format", "json"], read_json), (["query", ROWS, "--format", "ndjson"], read_lines),
    (["query", ROWS, "--format", "csv"], read_csv), (["query", ROWS, "--format", "markdown"], read_markdown),
    (["query", ROWS], read_text), (["show", "{first}"], read_text), (["timeline"], read_text),
    (["formats", "entries", "{log}"], read_entries),
    (["check", "--format", "json"], read_json), (["check", "--format", "sarif"], read_json),
    (["check", "--format", "junit"], read_xml), (["check", "--format", "github"], read_annotations),
    (["check", "--format", "markdown"], read_markdown), (["check", "--all"], read_text),
    (["compare", "a.db", "b.db", "--format", "json"], read_json),
    (["compare", "a.db", "b.db", "--format", "markdown"], read_markdown),
    (["compare", "a.db", "b.db", "--format", "junit"], read_xml),
    (["export", "parquet", "tables"], read_parquet), (["export", "csv", "sheets"], read_sheets),
    (["export", "ocel", "-o", "log.json"], read_ocel), (["export", "ocel", "-o", "log.sqlite"], read_ocel_database),
    (["export", "xes", "-o", "log.xes"], read_xml), (["export", "perfetto", "-o", "trace.pftrace"], read_perfetto),
    (["export", "otlp", "telemetry"], read_telemetry),
    (["report", "-o", "report.html"], read_html),
    (["diagram", "--format", "json"], read_json), (["diagram", "--layer", "view", "-o", "view.svg"], read_xml),
    (["diagram", "--app", "{name}", "-o", "named.svg"], read_xml), (["diagram", "--app", "{name}", "--format", "dot"], read_text),
    (["diagram", "-o", "app.png"], read_png), (["diagram", "-o", "app.pdf"], read_pdf),
    (["timeline", "-o", "lanes.svg"], read_lanes), (["timeline", "-o", "lanes.png"], read_png),
]


def read(outputs, arguments, reader):
    arguments = [argument.format(log=outputs.log, first=outputs.first, name=outputs.name) if "{" in argument else argument for argument in arguments]
    data = outputs.run(*arguments, statuses=(0, 1) if arguments[0] in ("check", "compare") else (0,))
    target = outputs.folder / arguments[-1]
    if target.is_dir() or target.suffix == ".sqlite":
        return reader(outputs, target)
    return reader(outputs, target.read_bytes() if "-o" in arguments else data)


def problems(hostile, harmless, arguments, reader):
    try:
        elements, names, texts = read(hostile, arguments, reader)
        others, _, _ = read(harmless, arguments, reader)
    except (ValueError, KeyError, IndexError, OSError, sqlite3.Error, struct.error, zlib.error,
            xml.etree.ElementTree.ParseError) as error:
        yield f"cannot be read: {error}"
        return
    if elements != others:
        yield f"other elements: {dict(list(((elements - others) + (others - elements)).items())[:5])}"
    if names is not None and names != hostile.names:
        yield f"other names: {sorted(map(ascii, names ^ hostile.names))[:5]}"
    for text in texts:
        if control := CONTROLS.search(text):
            yield f"a control character at {ascii(text[max(0, control.start() - 30) : control.end() + 10])}"
            break
    if reader in (read_csv, read_sheets) or arguments[:2] == ["export", "xes"]:
        shown = set(texts)
        missing = [name for name in hostile.names if PLAIN.fullmatch(name) and name not in shown]
        if missing:
            yield f"names are missing: {missing[:5]}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lifestats", type=pathlib.Path, required=True)
    tool, wrong = options.parse_args().lifestats.resolve(), 0
    with tempfile.TemporaryDirectory(prefix="lifestats-names-") as folder:
        hostile = Outputs(tool, pathlib.Path(folder) / "hostile", HOSTILE, LABEL)
        # About as wide and as different as the hostile ones; the halves of surrogates are one character that stands for them.
        plain = [f"{chr(97 + place % 26)}{chr(97 + place // 26)}".ljust(len(name), "s") for place, name in enumerate(HOSTILE)]
        plain[HOSTILE.index("a\udfffb")] = plain[HOSTILE.index("a\ud800b")]
        harmless = Outputs(tool, pathlib.Path(folder) / "harmless", plain, "harmless")
        for arguments, reader in TABLE:
            found = list(problems(hostile, harmless, arguments, reader))
            wrong += bool(found)
            print("wrong  " if found else "agrees ", *arguments, flush=True)
            for problem in found:
                print("        ", problem)
    print(f"hostile names: {len(TABLE)} outputs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
