#!/usr/bin/env bash
# Tests on the next Debian release what was built here, as an ordinary user. A warning of a library fails it.
#
# The root file system of that Debian is created once, in .build/newer, which takes three minutes more. It must be
# run as root.
#
# usage: newer.sh STAGE DIRECTORY PART... (DIRECTORY is for the pictures and the logs), where the parts are
#   x11      the scenario on an X11 desktop
#   wayland  the scenario on a Wayland desktop
#   orca     what Orca says
#   ui       those tests of the windows that know how the newer release differs; they need gtk-tool and web-tool
#            in .build/debug
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/fresh-root.sh"

newer=$build/newer
# The dependencies of a package of the app, and the tests' desktops.
packages=(
  bubblewrap ca-certificates libadwaita-1-0 libcurl4t64 libmicrohttpd12t64 libqrencode4 librsvg2-common
  libsecret-1-0 libwebkitgtk-6.0-4 xdg-dbus-proxy
  "${scenario_packages[@]}" grim orca python3-pytest sway wmctrl wtype
  chromium curl desktop-file-utils fonts-ipafont-gothic gettext libsecret-tools locales openssl python3-h2 python3-pytest-xdist
  xclip xdg-utils zbar-tools
)

stage=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
shift 2

say "root"
make_root "$newer/root" trixie
# The list may have grown since.
if [ "$(cat "$newer/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  in_root "$newer/root" apt-get update -qq
  in_root "$newer/root" apt-get install -y -qq --no-install-recommends "${packages[@]}"
  echo "${packages[*]}" >"$newer/packages"
fi

# The programs for tests use Swift's libraries, which that system does not have.
tools=$(readlink -f "$build/debug")
runtime=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/swift/linux

inside() { # NAME COMMAND...
  say "$1"
  mkdir -p "$results/$1"
  chmod 777 "$results/$1"
  as_user "$newer/root" "$stage=stage" "$root/Tests/ui=tests" "$results/$1=results" "$tools=tools" \
    "$runtime=runtime" -- env LLVM_PROFILE_FILE=/dev/null LD_LIBRARY_PATH=/tmp/runtime \
    /usr/bin/python3 -B "${@:2}"
}

run_tests() { # OPTION... of pytest
  inside "$part" -m pytest "$@" -q -rf -p no:cacheprovider --stage=/tmp/stage --tools=/tmp/tools \
    --results=/tmp/results/failed --junit-xml=/tmp/results/results.xml
}

for part; do
  case $part in
    x11) inside x11 /tmp/tests/scenario.py /tmp/stage /tmp/results ;;
    wayland) inside wayland /tmp/tests/scenario.py --wayland /tmp/stage /tmp/results ;;
    orca) run_tests /tmp/tests/test_spoken{,_dialogs,_explorer,_newer}.py ;;
    ui)
      run_tests /tmp/tests/test_{cancel,focus,gtk_layer,sign_in,sign_in_window,ways,window}.py -n 3 \
        --dist loadfile
      ;;
    *)
      echo "unknown part: $part" >&2
      exit 2
      ;;
  esac
done
