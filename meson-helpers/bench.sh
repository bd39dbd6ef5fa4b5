#!/usr/bin/env bash
# The benchmarks, each beside its peer, runs alternating. A line a figure:
#   NAME: ours VALUE UNIT, PEER VALUE UNIT, ratio R, aim A, ok|short
#
# usage: bench.sh          all of them
#        bench.sh startup  time to the first frame, and peak memory, beside the same page in C
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

runs=${BENCH_RUNS:-15}
bench_packages=(gcc libx11-dev libxdamage-dev)
name=${1-startup}
[ "$name" = startup ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }

install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${bench_packages[@]}" >&2
mkdir -p "$build/logs" "$build/bench"
say 'Building' >&2
install_stage >"$build/logs/bench-build.log" 2>&1 || { tail -25 "$build/logs/bench-build.log" >&2; exit 1; }

# shellcheck disable=SC2046 # The flags are several words.
cc -O2 -Wall -o "$build/bench/startup" Benchmarks/startup.c $(pkg-config --cflags --libs libadwaita-1)
# shellcheck disable=SC2046
cc -O2 -Wall -o "$build/bench/first-frame" Benchmarks/first-frame.c $(pkg-config --cflags --libs x11 xdamage)

say "Measuring $runs runs of each" >&2
exec /usr/bin/python3 Benchmarks/startup.py "$stage" "$build/bench" "$runs"
