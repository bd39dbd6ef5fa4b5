#!/usr/bin/env bash
# Checks that all places with the project's version agree.
set -euo pipefail
cd "$(dirname "$0")/.."

library=$(sed -n 's/.*sdkVersion = "\(.*\)"/\1/p' Sources/AuthCore/Client/PublicClientApplication+Report.swift)
meson=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
metainfo=$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' data/*.metainfo.xml.in | head -1)
changes=$(sed -n 's/^## \([0-9].*\)/\1/p' CHANGELOG.md | head -1)
echo "sdkVersion $library, meson.build $meson, metainfo $metainfo, CHANGELOG.md $changes"
[[ $library =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
[ "$library" = "$meson" ] && [ "$library" = "$metainfo" ] && [ "$library" = "$changes" ]
