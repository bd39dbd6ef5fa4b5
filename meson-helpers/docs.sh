#!/usr/bin/env bash
# Builds the documentation of the libraries, a website in .build/documentation, from the debug build, and checks
# it: docc's warnings are errors, and check-docs.py has further checks. Then it compares the public interface
# with Tests/API.
#
# usage: docs.sh [OPTION...]               with the options of the existing debug build, to avoid a rebuild
#        docs.sh --update-api [OPTION...]  updates Tests/API
#
# To read it: /usr/bin/python3 -m http.server --directory .build/documentation, and open /documentation.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

update=
if [ "${1-}" = --update-api ]; then
  update=$1
  shift
fi
# Each after those that it builds on.
libraries=(Sentences CurlHTTP AuthCore MicrosoftGraph Connections SecretStore IdentityBroker Clients IdentityEmulator)
work=$build/documentation-work
graphs=$build/symbol-graphs
archives=()

[ -e Package.resolved ] || meson-helpers/pins.py use
# Two libraries, and so all that they depend on; after a debug build there is nothing to do.
swift build --quiet "$@" --target Clients
swift build --quiet "$@" --target IdentityEmulator
products=$(swift build --show-bin-path)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')

# Writes a library's symbol graphs into its own directory.
extract() { # LIBRARY DIRECTORY
  local flags
  flags=$(pkg-config --cflags libsecret-1 | sed -E 's/(^| )(-\S+)/\1-Xcc \2/g')
  mkdir -p "$2"
  # shellcheck disable=SC2086 # The flags are several words.
  swift symbolgraph-extract -module-name "$1" -target "$target" -output-dir "$2" \
    -I "$products/Modules" -I Sources/CCurl -I Sources/CZlib -I Sources/CGio -I Sources/CSecret -I Sources/CMicroHTTPD \
    -I Sources/CGraphTables/include $flags \
    -minimum-access-level public -emit-extension-block-symbols \
    -skip-synthesized-members -skip-inherited-docs
}

rm -rf "$work" "$graphs"
for library in "${libraries[@]}"; do
  extract "$library" "$work/$library"
  mkdir -p "$graphs/$library"
  cp "$work/$library"/*.json "$graphs/$library"
  catalog=()
  [ ! -d "Sources/$library/Documentation.docc" ] || catalog=("Sources/$library/Documentation.docc")
  docc convert "${catalog[@]}" --additional-symbol-graph-dir "$work/$library" \
    --output-dir "$work/$library.doccarchive" --warnings-as-errors \
    --fallback-display-name "$library" --fallback-bundle-identifier "io.github.entrance.$library" \
    --fallback-default-module-kind Library
  archives+=("$work/$library.doccarchive")
done

swift package dump-package >"$work/manifest.json"
/usr/bin/python3 meson-helpers/check-docs.py "$work/manifest.json" "${archives[@]}"
rm -rf "$build/documentation"
docc merge "${archives[@]}" --synthesized-landing-page-name Entrance \
  --output-path "$build/documentation" >/dev/null
echo "the website is in $build/documentation"
/usr/bin/python3 meson-helpers/api.py $update "$graphs"
