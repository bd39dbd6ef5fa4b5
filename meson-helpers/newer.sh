#!/usr/bin/env bash
# Runs the scenario on the next Debian release with the programs that were built here, as an ordinary user. The
# root file system of that Debian is created once, in .build/newer. It must be run as root.
#
# usage: newer.sh STAGE DIRECTORY (for the pictures and the log)
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/fresh-root.sh"

newer=$build/newer
# The dependencies of a package of the app.
packages=(
  bubblewrap ca-certificates libadwaita-1-0 libcurl4t64 libmicrohttpd12t64 libqrencode4 librsvg2-common
  libsecret-1-0 libwebkitgtk-6.0-4 xdg-dbus-proxy
)

stage=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)

make_root "$newer/root" trixie "${packages[@]}" "${scenario_packages[@]}"
chmod 777 "$results"
as_user "$newer/root" "$stage=stage" "$root/Tests/ui=tests" "$results=results" -- \
  /usr/bin/python3 -B /tmp/tests/scenario.py /tmp/stage /tmp/results
