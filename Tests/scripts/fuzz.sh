#!/usr/bin/env bash
# Runs fuzz targets, one after the other, from the corpus in Tests/fuzz/corpus, the samples and our own data files.
# usage: fuzz.sh SECONDS [TARGET …]
# FUZZ_RUNS=N ends each target after N executions instead; FUZZ_SEED=N makes the same inputs every time.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(Log Readers JSON Times Recognition Replay Model Layout BinaryLog)
build=${FUZZ_BUILD:-.build/fuzz}
swift build --package-path Tests/fuzz --scratch-path "$build" -c release
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
for target in Log Readers JSON Times Recognition Replay Model Layout BinaryLog; do
    mkdir -p "$seeds/$target" "$build/corpus/$target" "Tests/fuzz/corpus/$target"
    tar xzf "Tests/fuzz/corpus/$target.tar.gz" -C "$seeds/$target"
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
# Most inputs are short, because short ones are quick; the last ones may be long, for histories that need length.
shortest() {
    case $1 in
    Replay) echo 193 ;; # 24 facts
    Times) echo 256 ;;
    Model | Layout) echo 768 ;;
    BinaryLog) echo 1536 ;;
    *) echo 384 ;;
    esac
}
long=2048

# run TARGET LENGTH LIMIT: one pass of a target, which ends at its first finding and leaves the input beside the corpus.
run() {
    local log="$build/Fuzz$1.log"
    SWIFT_BACKTRACE=enable=no "$build/release/Fuzz$1" "$3" -seed="${FUZZ_SEED:-0}" -timeout=10 -rss_limit_mb=2048 -entropic=0 \
        -max_len="$2" -artifact_prefix="$build/corpus/$1-" "$build/corpus/$1" "Tests/fuzz/corpus/$1" "$seeds/$1" >"$log" 2>&1 || true
    if ! grep -q '^Done ' "$log"; then
        tail -n 30 "$log" >&2
        echo "fuzz: $1 found something; see $log" >&2
        return 1
    fi
    cp "$log" "$seeds/$1-$2.log"
}

printf '%-12s %12s %8s %9s\n' target executions seconds coverage
for target in "${targets[@]}"; do
    if [ -n "${FUZZ_RUNS:-}" ]; then
        limits=(-runs=$((FUZZ_RUNS - FUZZ_RUNS / 20)) -runs=$((FUZZ_RUNS / 20)))
    else
        # No second at all would be no limit.
        last=$((seconds / 5 + 1))
        limits=(-max_total_time=$((seconds > last ? seconds - last : 1)) -max_total_time=$last)
    fi
    run "$target" "$(shortest "$target")" "${limits[0]}"
    run "$target" "$long" "${limits[1]}"
    sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 \2/p' "$seeds/$target"-*.log |
        awk -v target="$target" -v coverage="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$build/Fuzz$target.log" |
            tail -n 1)" '{ runs += $1; seconds += $2 } END { printf "%-12s %12d %8d %9d\n", target, runs, seconds, coverage }'
done
