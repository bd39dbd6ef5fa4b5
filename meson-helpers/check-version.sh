#!/usr/bin/env bash
# Checks that all places with the project's version agree with `sdkVersion`, which programs and
# requests use, and with a version's tag on this commit, if there is one; and that shops are told the
# releases and the address of the program.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/.*sdkVersion = "\(.*\)"/\1/p' Sources/AuthCore/Client/*.swift)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "sdkVersion is '$version'"; exit 1; }
series=${version%.*}.0 # What a program that uses the libraries names.
faults=0

# Prints the version in a place, and whether it is right.
hold() { # PLACE NAMED WANTED
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  but it should be $3"; faults=1; }
}

hold meson.build "$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)" "$version"
hold metainfo "$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' data/*.metainfo.xml.in | head -1)" "$version"
hold CHANGELOG.md "$(sed -n 's/^## \([0-9].*\)/\1/p' CHANGELOG.md | head -1)" "$version"
releases=$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' data/*.metainfo.xml.in | paste -sd' ')
hold "all releases of the metainfo" "$releases" "$(sed -n 's/^## \([0-9].*\)/\1/p' CHANGELOG.md | paste -sd' ')"
hold meson-helpers/debian/changelog "$(sed -n '1s/^entrance (\([^)]*\)-[^-)]*).*/\1/p' meson-helpers/debian/changelog)" "$version"
for page in data/*.[17]; do
  hold "$page" "$(sed -n 's/^\.TH .* "Entrance \([^"]*\)".*/\1/p' "$page")" "$version"
done
for text in README.md Sources/AuthCore/Documentation.docc/Articles/{SignIn,UsingGraph}FromACommandLine.md; do
  hold "$text" "$(sed -n 's/.*\.upToNextMinor(from: "\([^"]*\)").*/\1/p' "$text")" "$series"
done
website=$(sed -n 's/.*website = "\(.*\)"/\1/p' Sources/Connections/EntranceIdentity.swift)
hold "homepage of the metainfo" "$(sed -n 's|.*<url type="homepage">\(.*\)</url>.*|\1|p' data/*.metainfo.xml.in)" "$website"
hold "homepage of the packages" "$(sed -n 's/^Homepage: //p' meson-helpers/debian/control)" "$website"
tag=$(git tag --points-at HEAD 2>/dev/null | grep -E '^v?[0-9]+\.' || true)
[ -z "$tag" ] || hold "the tag of this commit" "$tag" "$version"
exit $faults
