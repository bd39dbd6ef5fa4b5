#!/usr/bin/env bash
# Checks that `meson setup` names what is missing: on a system with none of the libraries and an old Swift, every
# Debian package and Swift, and without Swift, Swift alone. Also that the scripts install each package that it names, and
# that it warns when the app would not read the apps.json of the option client_id.
set -euo pipefail
. "$(dirname "$0")/common.sh"

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
fail() {
  cat "$scratch/log"
  echo "error: $*"
  exit 1
}
refused() { # VARIABLE...
  rm -rf "$scratch/build"
  if env "$@" meson setup "$scratch/build" "$root" >"$scratch/log" 2>&1; then fail 'nothing is missing'; fi
}

mkdir "$scratch/bin" "$scratch/none" "$scratch/without-swift"
ln -s /usr/bin/* "$scratch/without-swift"
rm -f "$scratch/without-swift/swift"
printf '#!/bin/sh\necho "Swift version 6.2.4 (swift-6.2.4-RELEASE)"\n' >"$scratch/bin/swift"
chmod +x "$scratch/bin/swift"
refused PATH="$scratch/bin:$scratch/without-swift" PKG_CONFIG_LIBDIR="$scratch/none"
grep -q 'Swift 6.3 or later.*found: 6.2.4' "$scratch/log" || fail 'an old Swift is not named'
named=$(sed -n 's/^  \(lib[^ ]*\|zlib[^ ]*\) (.*/\1/p' "$scratch/log")
for package in "${build_packages[@]}"; do
  case $package in
    libc6-dev | libgtk-4-bin | librsvg2-common) continue ;; # No library that SwiftPM links.
    lib*-dev | zlib1g-dev) grep -qx "$package" <<<"$named" || fail "$package is not named" ;;
  esac
done
for package in $named; do
  [[ " ${build_packages[*]} " == *" $package "* ]] || fail "no script installs $package"
done

refused PATH="$scratch/without-swift"
grep -q 'Swift 6.3 or later.*found: none' "$scratch/log" || fail 'a missing Swift is not named'
! grep -q '^  lib' "$scratch/log" || fail 'a library that is there is named'

set_up() { # OPTION...
  rm -rf "$scratch/build"
  meson setup "$scratch/build" "$root" -Dclient_id=11111111-2222-3333-4444-555555555555 "$@" >"$scratch/log" 2>&1 \
    || fail 'nothing is missing, but it failed'
}
warning='WARNING: apps.json .*--sysconfdir=/etc'
set_up --prefix=/usr/local
grep -q "$warning" "$scratch/log" || fail 'apps.json is where the app does not read it, and nothing warns'
set_up --prefix=/usr/local --sysconfdir=/etc
! grep -q "$warning" "$scratch/log" || fail 'apps.json is where the app reads it, and there is a warning'

echo "named: $named"
