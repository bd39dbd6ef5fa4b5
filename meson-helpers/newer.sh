#!/usr/bin/env bash
# Runs the scenario on the next Debian release with the programs that were built here, as an ordinary user: on an
# X11 and on a Wayland desktop. A warning of a library fails it. Then checks there what Orca says.
#
# The root file system of that Debian is created once, in .build/newer, which takes three minutes more. It must be
# run as root.
#
# usage: newer.sh STAGE DIRECTORY (for the pictures and the logs)
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/fresh-root.sh"

newer=$build/newer
# The dependencies of a package of the app, and the tests' desktops.
packages=(
  bubblewrap ca-certificates libadwaita-1-0 libcurl4t64 libmicrohttpd12t64 libqrencode4 librsvg2-common
  libsecret-1-0 libwebkitgtk-6.0-4 xdg-dbus-proxy
  "${scenario_packages[@]}" grim orca python3-pytest sway wmctrl wtype
)

stage=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)

say "root"
make_root "$newer/root" trixie
# The list may have grown since.
if [ "$(cat "$newer/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  in_root "$newer/root" apt-get update -qq
  in_root "$newer/root" apt-get install -y -qq --no-install-recommends "${packages[@]}"
  echo "${packages[*]}" >"$newer/packages"
fi

inside() { # NAME COMMAND...
  say "$1"
  mkdir -p "$results/$1"
  chmod 777 "$results/$1"
  as_user "$newer/root" "$stage=stage" "$root/Tests/ui=tests" "$results/$1=results" -- \
    /usr/bin/python3 -B "${@:2}"
}

inside x11 /tmp/tests/scenario.py /tmp/stage /tmp/results
inside wayland /tmp/tests/scenario.py --wayland /tmp/stage /tmp/results
inside orca -m pytest /tmp/tests/test_spoken_newer.py -q -rf -p no:cacheprovider \
  --stage /tmp/stage --results /tmp/results/failed
