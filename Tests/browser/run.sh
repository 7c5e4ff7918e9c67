#!/usr/bin/env bash
# Opens the reports of the samples, also with models of one's own, of a comparison, of hostile names and of a large database
# in a headless Chromium.
#
# Usage: run.sh LIFESTATS [CALLBACKS [DATABASE]]
#
# CALLBACKS is the size of the large database, which is simulated unless DATABASE is one.
# Needs the Debian packages chromium and chromium-driver; installs selenium from PyPI beside the build.
set -euo pipefail

lifestats=$(realpath "$1")
callbacks=${2:-10000000}
large=${3:-}
[ -z "$large" ] || large=$(realpath "$large")
cd "$(dirname "$0")/../.."

for command in chromium chromedriver python3; do
    command -v "$command" >/dev/null 2>&1 && continue
    echo "test-browser: there is no command '$command'. On Debian: apt-get install chromium chromium-driver python3-venv" >&2
    exit 1
done
python=.build/browser/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv .build/browser
    "$python" -m pip install --quiet selenium
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names that would be markup, end a text early, turn the reading direction, or fill the page.
python3 - "$work/hostile" <<'END'
import pathlib, sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir()
names = [
    "<script>alert(1)</script>", "\u0600<img src=x onerror=alert(1)>", "\"onfocus=\"alert(1)", "]]>", "%n%s", "a'b`c",
    "\u202eevil", "مرحبا", "👩‍👩‍👧", "x" * 10_000,
]
steps = [
    "application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationDidEnterBackground:",
    "applicationDidBecomeActive:", "applicationWillResignActive:",
]
for number, name in enumerate(names):
    lines = [f"2026-05-04 07:1{number % 10}:{second:02}.000 {name}[{100 + number}:1] -[AppDelegate {step}]"
             for second, step in enumerate(steps)]
    lines += [f"2026-05-04 07:1{number % 10}:{second:02}.500 MyApp[{100 + number}:1] -[{name} {step}]"
              for second, step in enumerate(["viewDidLoad", "viewWillAppear:", "viewDidAppear:"])]
    (folder / f"hostile-{number}.log").write_text("\n".join(lines) + "\n")
END
[ -n "$large" ] || "$lifestats" simulate --callbacks "$callbacks" --files 4 -o "$work/large" 2>/dev/null

"$lifestats" simulate --devices 12 --change background=2 --callbacks 6000 -o "$work/fleet" 2>/dev/null
for side in a:1.0 b:1.1; do
    "$lifestats" ingest "$work/fleet/${side%:*}" --app-version "${side#*:}" --db "$work/compared.db" --no-progress 2>/dev/null
done

for name in samples models usual compared hostile large; do
    case $name in
        samples) logs=(samples) ;;
        models) logs=(samples --model samples/models/player.yaml --model samples/models/session.yaml) ;;
        usual) logs=(samples/day samples/deviations) ;;
        *) logs=("$work/$name") ;;
    esac
    compared=()
    if [ "$name" = compared ]; then
        compared=(--compare app_version=1.0 app_version=1.1)
    elif [ "$name" = large ] && [ -n "$large" ]; then
        ln -s "$large" "$work/large.db"
    else
        "$lifestats" ingest "${logs[@]}" --db "$work/$name.db" --no-progress 2>/dev/null
    fi
    "$lifestats" report --db "$work/$name.db" "${compared[@]}" -o "$work/$name.html" 2>/dev/null
    "$lifestats" report --db "$work/$name.db" "${compared[@]}" >"$work/again.html" 2>/dev/null
    cmp "$work/$name.html" "$work/again.html" || { echo "test-browser: two reports of $name.db differ" >&2; exit 1; }
done
"$python" Tests/browser/report.test.py "$work"/{samples,models,usual,compared,hostile,large}.html
