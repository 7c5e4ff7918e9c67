#!/usr/bin/env bash
# Runs every fuzz target for some seconds, from the corpus in Tests/fuzz/corpus and the samples.
# usage: fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
build=.build/fuzz
swift build --package-path Tests/fuzz --scratch-path "$build" -c release
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
mkdir -p "$seeds"/{log,model,layout} "$build/corpus"/{log,model,layout}
# The first byte of a log chooses the size of its chunks.
find samples -type f -size -16k | while read -r file; do
    { printf '\100'; head -c 4000 "$file"; } >"$seeds/log/$(echo "$file" | tr / _)"
done
cp Sources/LifecycleModel/models/*.yaml "$seeds/model"
cp Sources/LogReading/formats/*.yaml "$seeds/layout"
for target in log model layout; do
    name=Fuzz$(echo "${target:0:1}" | tr '[:lower:]' '[:upper:]')${target:1}
    echo "fuzz: $name, $seconds s"
    # A fuzzer stops at its first finding and leaves the input beside the corpus.
    "$build/release/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
        -artifact_prefix="$build/corpus/$target-" "$build/corpus/$target" "Tests/fuzz/corpus/$target" "$seeds/$target" \
        2>&1 | tee "$build/$name.log" | grep -E 'cov:.*pulse|DONE|ERROR|SUMMARY|stat::number_of_executed_units|Test unit written' || true
    if grep -q 'ERROR: libFuzzer\|SUMMARY: ' "$build/$name.log"; then
        echo "fuzz: $name found something; see $build/$name.log" >&2
        exit 1
    fi
done
