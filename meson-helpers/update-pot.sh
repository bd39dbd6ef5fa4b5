#!/usr/bin/env bash
# Collects the texts of the sources in .build/entrance.pot, and updates the translations.
#
# usage: update-pot.sh           updates them
#        update-pot.sh --check   checks that they are complete, and changes nothing
#
# gettext has no scanner for Swift. Its Vala scanner reads plain literals in calls of tr, Sentence
# and Sentence.plural correctly; the compiler accepts nothing else there (Sentence.Template).
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
pot=.build/entrance.pot
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
options=(
  --package-name=entrance --package-version="$version" --copyright-holder='The Entrance contributors'
  --from-code=UTF-8 --add-comments=Translators --sort-by-file --add-location=file
)

{ grep -rlE --include='*.ui' 'translatable="(yes|true)"' data
  find data -name '*.desktop.in' -o -name '*.metainfo.xml.in' -o -name '*.gschema.xml'; } \
  | LC_ALL=C sort \
  | xgettext "${options[@]}" --files-from=- --output="$pot" 2> >(grep -v 'unit tests' >&2 || true)
grep -rlP --include='*.swift' '(?<!func )(\b(tr|Sentence)|\.plural)\(("|$)' Sources | LC_ALL=C sort \
  | xgettext "${options[@]}" --files-from=- --output="$pot" --join-existing --language=Vala \
    --keyword= --keyword=tr --keyword=Sentence --keyword=plural:1,2

# An empty text takes the place of the header.
if [ "$(grep -m1 -A1 '^msgid' "$pot")" != $'msgid ""\nmsgstr ""' ]; then
  echo "A call has an empty text: search for '\"\"' near 'Sentence(' and 'tr('." >&2
  exit 1
fi

if [ "${1-}" = --check ]; then
  exec meson-helpers/check-translations.py "$pot" po/*.po
fi
for language in $(grep -v "^#" po/LINGUAS); do
  msgmerge --quiet --update --add-location=file --backup=none --no-fuzzy-matching "po/$language.po" "$pot"
done
