#!/usr/bin/env bash
# Runs fuzz targets, one after the other, from the corpus in Tests/fuzz/corpus, the samples and our own data files.
# usage: fuzz.sh SECONDS [TARGET …]
# FUZZ_RUNS=N ends each target after N executions instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(Log Readers JSON Times Recognition Replay Model Layout)
build=${FUZZ_BUILD:-.build/fuzz}
swift build --package-path Tests/fuzz --scratch-path "$build" -c release
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
for target in Log Readers JSON Times Recognition Replay Model Layout; do
    mkdir -p "$seeds/$target" "$build/corpus/$target" "Tests/fuzz/corpus/$target"
done
# The first bytes of a log choose its format and the size of its chunks.
number=0
find samples -type f -size -16k | sort | while read -r file; do
    number=$((number + 1))
    name=$(echo "$file" | tr / _)
    { printf '\100'; head -c 4000 "$file"; } >"$seeds/Log/$name"
    { printf "\\$(printf '%03o' $((number % 256)))\100"; head -c 4000 "$file"; } >"$seeds/Readers/$name"
    { printf "\\$(printf '%03o' $((number % 8)))\100"; head -c 4000 "$file"; } >"$seeds/JSON/$name"
    head -c 4000 "$file" >"$seeds/Recognition/$name"
    head -c 2000 "$file" >"$seeds/Replay/$name"
done
grep -ho 'time: .*' Sources/LogReading/formats/*.yaml | sed "s/time: *//; s/['\"]//g" | sort -u | while read -r pattern; do
    number=$((number + 1))
    printf '%s\nEurope/Zurich\n2024-03-31 02:30:00.123456+0200\nMar  9 07:30:00\n07:30:00,5\n2024-03-09T07:30:00Z\n' \
        "$pattern" >"$seeds/Times/$number"
done
cp Sources/LifecycleModel/models/*.yaml samples/models/* "$seeds/Model"
cp Sources/LogReading/formats/*.yaml "$seeds/Layout"
limit=(-max_total_time="$seconds")
[ -z "${FUZZ_RUNS:-}" ] || limit=(-runs="$FUZZ_RUNS")
printf '%-12s %12s %8s %9s\n' target executions seconds coverage
for target in "${targets[@]}"; do
    log="$build/Fuzz$target.log"
    # A fuzzer stops at its first finding and leaves the input beside the corpus.
    SWIFT_BACKTRACE=enable=no "$build/release/Fuzz$target" "${limit[@]}" -timeout=10 -rss_limit_mb=2048 -max_len="${FUZZ_LENGTH:-2048}" -print_final_stats=1 \
        -artifact_prefix="$build/corpus/$target-" "$build/corpus/$target" "Tests/fuzz/corpus/$target" "$seeds/$target" \
        >"$log" 2>&1 || true
    if ! grep -q '^Done ' "$log"; then
        tail -n 30 "$log" >&2
        echo "fuzz: $target found something; see $log" >&2
        exit 1
    fi
    printf '%-12s %12s %8s %9s\n' "$target" $(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 \2/p' "$log") \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
done
