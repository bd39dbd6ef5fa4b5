#!/usr/bin/env bash
# Kills processes that write to a store, with files and a keyring in parallel, and prints the results. Also
# tests other keyrings and their prompts.
#
#   Tests/store/run.sh [path of store-tool] [directory for the results] [pytest option…]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=${1:-$here/../../.build/debug/store-tool}
results=${2:-$(mktemp -d)}
shift $(($# < 2 ? $# : 2))
if [ ! -x "$tool" ]; then
  echo "run.sh: no store-tool at $tool; build it with 'swift build --product store-tool'" >&2
  exit 2
fi

# Mounts must not be visible to other processes.
apart=(unshare --mount)
[ "$(id -u)" = 0 ] || apart=(unshare --user --map-root-user --mount)

run() { # NAME TESTS PYTEST_OPTION...
  local name=$1 tests=$2
  shift 2
  "${apart[@]}" /usr/bin/python3 -B -m pytest "$here" -q -s -p no:cacheprovider -k "$tests" \
    --tool "$tool" --junit-xml="$results/store-$name.xml" "$@" >"$results/store-$name.log" 2>&1
}

code=0
run files 'files or control' "$@" &
files=$!
# The prompts are answered on a private display.
run services 'services' "$@" &
services=$!
run keyring 'test_keyring' "$@" || code=$?
wait $files || code=$?
wait $services || code=$?
cat "$results"/store-{files,keyring,services}.log
exit "$code"
