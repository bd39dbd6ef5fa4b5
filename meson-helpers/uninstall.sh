#!/usr/bin/env bash
# Removes everything that `meson install` has installed from BUILD_DIR, and updates the desktop's caches,
# which Meson made but does not know.
#
# usage: uninstall.sh BUILD_DIR
set -euo pipefail

log=${1:?usage: uninstall.sh BUILD_DIR}/meson-logs/install-log.txt
[ -f "$log" ] || { echo "Nothing has been installed from $1." >&2; exit 1; }

# The files and directories, from the inside out.
mapfile -t installed < <(grep -v '^#' "$log")

ninja -C "$1" uninstall

# Updates a cache, or removes it when nothing else is left beside it.
update() { # CACHE COMMAND...
  local cache=$1 directory=${1%/*}
  shift
  [ -f "$cache" ] || return 0
  if [ -z "$(find "$directory" -type f ! -path "$cache" -print -quit)" ]; then
    rm "$cache"
  else
    "$@" "$directory"
  fi
}
for path in "${installed[@]}"; do
  case $path in
    */glib-2.0/schemas/*) update "${path%/*}/gschemas.compiled" glib-compile-schemas ;;
    */icons/hicolor/scalable/apps/*)
      update "${path%/scalable/*}/icon-theme.cache" gtk4-update-icon-cache --quiet --ignore-theme-index
      ;;
    */applications/*) update "${path%/*}/mimeinfo.cache" update-desktop-database ;;
  esac
done
for path in "${installed[@]}"; do
  if [ -d "$path" ]; then rmdir --ignore-fail-on-non-empty "$path"; fi
done
