#!/usr/bin/env bash
# Fails when a file with translatable texts is missing in po/POTFILES, or a listed file does not
# exist.
set -euo pipefail
cd "$(dirname "$0")/.."

with_texts() {
  grep -rlP --include='*.swift' '(?<!func )(\b(tr|Sentence)|\.plural)\(("|$)' Sources
  grep -rlE --include='*.ui' 'translatable="(yes|true)"' data
  find data -name '*.desktop.in' -o -name '*.metainfo.xml.in' -o -name '*.gschema.xml'
}

difference=$(diff <(grep -v '^#' po/POTFILES | LC_ALL=C sort) <(with_texts | LC_ALL=C sort)) || {
  echo 'po/POTFILES (<) differs from the files with translatable texts (>):'
  echo "$difference" | grep '^[<>]'
  exit 1
}
