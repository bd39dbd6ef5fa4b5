#!/usr/bin/env bash
# Runs the scenario on a Wayland desktop, as an ordinary user. It must be run as root.
#
# usage: wayland.sh STAGE DIRECTORY (for the pictures and the log)
set -euo pipefail
. "$(dirname "$0")/common.sh"

stage=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
chmod 777 "$results"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
mkdir -m 1777 "$place/tmp"
mkdir "$place/stage" "$place/tests" "$place/results" "$place/home"
chown nobody "$place/home"

# The app and the tests may be where an ordinary user cannot read them.
unshare --mount --pid --fork --kill-child bash -euc '
  mount --make-rprivate /
  mount -t proc proc /proc
  mount --bind "$1" "$0/stage"
  mount --bind "$2" "$0/tests"
  mount --bind "$3" "$0/results"
  exec env -i PATH=/usr/bin:/bin HOME="$0/home" TMPDIR="$0/tmp" LANG=C.UTF-8 LLVM_PROFILE_FILE=/dev/null \
    setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs \
    /usr/bin/python3 -B "$0/tests/scenario.py" --wayland "$0/stage" "$0/results"
' "$place" "$stage" "$root/Tests/ui" "$results"
