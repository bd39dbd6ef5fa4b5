#!/usr/bin/env bash
# Runs the benchmarks. One line per figure:
#   NAME: ours VALUE UNIT, PEER VALUE UNIT, ratio R, aim A, ok|short
#
# Absolute times differ from machine to machine, so an aim is the largest ratio that is acceptable: to MSAL Python
# where it does the same, else to a floor, a program that does the same without this project. Both sides are
# sampled in turn, and medians count. Benchmarks/README.md says what each figure is and why its floor is fair.
#
# usage: bench.sh          all of them
#        bench.sh startup  the first frame and peak memory, and the same page in C
#        bench.sh page     from a click to the sign-in page, and a web view in C
#        bench.sh request  HTTPS requests, and libcurl
#        bench.sh graph    Microsoft Graph: a request, pages, a batch and large files, and msgraph-core and curl
#        bench.sh auth     tokens from memory, new processes and sign-ins
#        bench.sh programs tokens for programs by new processes, and Azure CLI and oidc-agent
#        bench.sh ui       large answers, requests and pages in the window, and GtkSourceView and curl
#        bench.sh store    adding one token response to stores of 1 to 10,000 accounts, and reading them
#
# BENCH_RUNS is the number of runs of each side (15).
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

runs=${BENCH_RUNS:-15}
bench=$build/bench
startup_packages=(gcc libx11-dev libxdamage-dev)
page_packages=("${startup_packages[@]}" libxtst-dev)
request_packages=(ca-certificates curl gcc libcurl4-openssl-dev libmicrohttpd-dev pkg-config python3 zlib1g-dev)
graph_packages=("${request_packages[@]}" jq openssl python3-venv)
auth_packages=(ca-certificates libcurl4-openssl-dev libmicrohttpd-dev pkg-config python3-venv strace zlib1g-dev)
programs_packages=(oidc-agent-cli python3-venv)
ui_packages=("${page_packages[@]}" curl libgtksourceview-5-dev openssl)
store_packages=(dbus gnome-keyring gir1.2-secret-1 libglib2.0-bin python3-gi python3-venv)
mkdir -p "$build/logs" "$bench"

# Runs a command that builds something, and shows the end of what it said when it fails.
building() { # COMMAND...
  "$@" >"$build/logs/bench-build.log" 2>&1 || { tail -25 "$build/logs/bench-build.log" >&2; exit 1; }
}

build_c() { # NAME PKG_CONFIG_MODULE...
  local name=$1
  shift
  # shellcheck disable=SC2046 # The flags are several words.
  building cc -O2 -Wall -Werror -o "$bench/$name" "Benchmarks/$name.c" $(pkg-config --cflags --libs "$@")
}

build_swift() { # PRODUCT...
  local product
  for product; do
    building meson-helpers/swift-build.sh "$root" release "$product" "$bench/$product"
  done
}

# Installs a package of PyPI into $bench/PACKAGE, once.
from_pypi() { # PACKAGE
  [ ! -e "$bench/$1/done" ] || return 0
  building /usr/bin/python3 -m venv "$bench/$1"
  building "$bench/$1/bin/pip" install --quiet --disable-pip-version-check "$1"
  touch "$bench/$1/done"
}

measuring() {
  say "Measuring $runs runs of each, at a load of $(cut -d' ' -f1-3 /proc/loadavg)" >&2
}

bench_startup() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${startup_packages[@]}" >&2
  building install_stage
  build_c startup libadwaita-1
  build_c first-frame x11 xdamage
  measuring
  # The app starts again without a variable that it must not keep, which is not what is measured.
  env -u CURL_CA_BUNDLE /usr/bin/python3 -B Benchmarks/startup.py "$stage" "$bench" "$runs"
}

bench_page() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${page_packages[@]}" >&2
  building install_stage
  build_c page libadwaita-1 webkitgtk-6.0
  build_c input-paint x11 xdamage xtst
  measuring
  /usr/bin/python3 -B Benchmarks/page.py "$stage" "$bench" "$runs"
}

# Needs neither GTK nor WebKitGTK.
bench_request() {
  install_missing "${request_packages[@]}" >&2
  build_swift request-benchmark identity-emulator
  build_c request-thread libcurl
  measuring
  /usr/bin/python3 -B Benchmarks/request.py "$bench" "${IDENTITY_EMULATOR:-$bench/identity-emulator}" "$runs"
}

# Needs neither GTK nor WebKitGTK.
bench_graph() {
  install_missing "${graph_packages[@]}" >&2
  build_swift graph-benchmark
  build_c request-thread libcurl
  build_c graph-server libmicrohttpd
  from_pypi msgraph-core
  measuring
  /usr/bin/python3 -B Benchmarks/graph.py "$bench" "$bench/msgraph-core/bin/python" "$runs"
}

# Needs neither GTK nor WebKitGTK.
bench_auth() {
  install_missing "${auth_packages[@]}" >&2
  build_swift auth-benchmark token-floor identity-emulator
  building msal_python
  measuring
  env -u REQUESTS_CA_BUNDLE -u CURL_CA_BUNDLE "$build/venv/bin/python" -B Benchmarks/auth.py \
    "$bench" "${IDENTITY_EMULATOR:-$bench/identity-emulator}" "$runs"
}

bench_programs() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${programs_packages[@]}" >&2
  building install_stage
  from_pypi azure-cli
  measuring
  env -u REQUESTS_CA_BUNDLE -u CURL_CA_BUNDLE /usr/bin/python3 -B Benchmarks/programs.py "$stage" \
    "$bench/azure-cli/bin/python" "$runs"
}

bench_ui() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${ui_packages[@]}" >&2
  building install_stage
  build_c input-paint x11 xdamage xtst
  build_c answer gtksourceview-5 libcurl
  build_c graph-server libmicrohttpd
  measuring
  # The app starts again without a variable that it must not keep.
  env -u CURL_CA_BUNDLE /usr/bin/python3 -B Benchmarks/ui.py "$stage" "$bench" "$runs"
}

# Needs libsecret and a keyring, and neither GTK nor WebKitGTK.
bench_store() {
  install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${store_packages[@]}" >&2
  build_swift store-benchmark
  building msal_python
  measuring
  "$build/venv/bin/python" -B Benchmarks/store.py "$bench" "$runs"
}

[ $# -gt 0 ] || set -- startup page request graph auth programs ui store
for name; do
  case $name in
    startup | page | request | graph | auth | programs | ui | store) "bench_$name" ;;
    *) sed -n '9,19s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
