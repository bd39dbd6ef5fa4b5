#!/usr/bin/env bash
# The benchmarks, each beside its peer, runs alternating. A line a figure:
#   NAME: ours VALUE UNIT, PEER VALUE UNIT, ratio R, aim A, ok|short
#
# usage: bench.sh          all of them
#        bench.sh startup  time to the first frame, and peak memory, beside the same page in C
#        bench.sh auth     tokens from the cache, new processes and sign-ins, beside MSAL Python
#        bench.sh store    adding one token response to stores of 1 to 10,000 accounts, beside MSAL Python;
#                          one token in a new process, beside all accounts
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

runs=${BENCH_RUNS:-15}
startup_packages=(gcc libx11-dev libxdamage-dev)
store_packages=(dbus gnome-keyring gir1.2-secret-1 libglib2.0-bin python3-gi python3-venv)
auth_packages=(
  ca-certificates libcurl4-openssl-dev libmicrohttpd-dev pkg-config python3-venv strace zlib1g-dev
)
mkdir -p "$build/logs" "$build/bench"

# Runs a command that builds something, and shows the end of what it said when it fails.
building() { # COMMAND...
  "$@" >"$build/logs/bench-build.log" 2>&1 || { tail -25 "$build/logs/bench-build.log" >&2; exit 1; }
}

bench_startup() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${startup_packages[@]}" >&2
  say 'Building' >&2
  building install_stage
  # shellcheck disable=SC2046 # The flags are several words.
  cc -O2 -Wall -o "$build/bench/startup" Benchmarks/startup.c $(pkg-config --cflags --libs libadwaita-1)
  # shellcheck disable=SC2046
  cc -O2 -Wall -o "$build/bench/first-frame" Benchmarks/first-frame.c $(pkg-config --cflags --libs x11 xdamage)
  say "Measuring $runs runs of each" >&2
  /usr/bin/python3 Benchmarks/startup.py "$stage" "$build/bench" "$runs"
}

# Needs neither GTK nor WebKitGTK.
bench_auth() {
  install_missing "${auth_packages[@]}" >&2
  say 'Building' >&2
  building meson-helpers/swift-build.sh "$root" release auth-benchmark "$build/bench/auth-benchmark"
  building meson-helpers/swift-build.sh "$root" release identity-emulator "$build/bench/identity-emulator"
  building msal_python
  say "Measuring $runs runs of each" >&2
  env -u REQUESTS_CA_BUNDLE -u CURL_CA_BUNDLE "$build/venv/bin/python" -B Benchmarks/auth.py \
    "$build/bench/auth-benchmark" "${IDENTITY_EMULATOR:-$build/bench/identity-emulator}" \
    "$build/bench/auth" "$runs"
}

# Needs libsecret and a keyring, and neither GTK nor WebKitGTK.
bench_store() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${store_packages[@]}" >&2
  say 'Building' >&2
  building meson-helpers/swift-build.sh "$root" release store-benchmark "$build/bench/store-benchmark"
  building msal_python
  say "Measuring $runs runs of each" >&2
  "$build/venv/bin/python" -B Benchmarks/store.py "$build/bench/store-benchmark" "$build/bench/store" \
    "$runs"
}

[ $# -gt 0 ] || set -- startup auth store
for name; do
  case $name in
    startup | auth | store) "bench_$name" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
