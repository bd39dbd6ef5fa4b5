#!/usr/bin/env bash
# Installs what is missing, makes a debug build of the app, and opens it with the demo app, which
# needs no account and no network.
#
# usage: run.sh                 opens the app
#        run.sh --headless DIR  needs no display: runs a whole sign-in with clicks and keys, goes on at the command
#                               line, and saves a picture of each step and the log in DIR
set -euo pipefail
. "$(dirname "$0")/common.sh"

case ${1-} in
  '') headless= ;;
  --headless)
    headless=${2:?--headless needs the name of a directory}
    mkdir -p "$headless"
    headless=$(cd "$headless" && pwd)
    ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

# A debug build takes half the time of a release build, and far less after a change.
build=$build/run
stage=$build/stage

install_missing "${build_packages[@]}" ${headless:+"${desktop_packages[@]}"}
say 'Building the app and the emulator of its demo; the first time takes some minutes'
command_line=false
[ -z "$headless" ] || command_line=true
install_stage --buildtype=debug -Dcommand_line=$command_line
say 'Built'
if [ -n "$headless" ]; then
  say 'Running a sign-in'
  exec /usr/bin/python3 "$root/Tests/ui/scenario.py" "$stage" "$headless"
fi
say 'Opening the app'
run_staged entrance --demo
