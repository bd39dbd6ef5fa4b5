#!/usr/bin/env bash
# Makes the documentation of the libraries, a website in .build/documentation, from the debug build, and
# checks it: docc's warnings are errors, and check-docs.py tells what else has to hold.
#
# usage: docs.sh [OPTION...]    those of the debug build that is there, lest it be built anew
#
# To read it: python3 -m http.server --directory .build/documentation, and open /documentation.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

libraries=(Sentences CurlHTTP AuthCore MicrosoftGraph) # each after those that it builds on
work=$build/documentation-work
archives=()

# Builds the last of the libraries, and so all of them; after a debug build there is nothing to do.
swift build --quiet "$@" --target "${libraries[-1]}"
products=$(swift build --show-bin-path)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')

rm -rf "$work"
for library in "${libraries[@]}"; do
  mkdir -p "$work/$library"
  swift symbolgraph-extract -module-name "$library" -target "$target" -output-dir "$work/$library" \
    -I "$products/Modules" -I Sources/CCurl -I Sources/CZlib \
    -minimum-access-level public -emit-extension-block-symbols \
    -skip-synthesized-members -skip-inherited-docs
  catalog=()
  [ ! -d "Sources/$library/Documentation.docc" ] || catalog=("Sources/$library/Documentation.docc")
  docc convert "${catalog[@]}" --additional-symbol-graph-dir "$work/$library" \
    --output-dir "$work/$library.doccarchive" --warnings-as-errors \
    --fallback-display-name "$library" --fallback-bundle-identifier "io.github.entrance.$library" \
    --fallback-default-module-kind Library
  archives+=("$work/$library.doccarchive")
done

/usr/bin/python3 meson-helpers/check-docs.py "${archives[@]}"
rm -rf "$build/documentation"
docc merge "${archives[@]}" --synthesized-landing-page-name Entrance \
  --output-path "$build/documentation" >/dev/null
echo "the website is in $build/documentation"
