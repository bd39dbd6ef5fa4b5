#!/usr/bin/env bash
# Checks that the pictures for software centers are those that the metainfo names, in the sizes that it states,
# and as small as they want them. Tests/ui/screenshots.py makes the pictures.
set -euo pipefail
cd "$(dirname "$0")/.."

faults=0
named=$(sed -n 's|.*width="\(.*\)" height="\(.*\)">.*/\(data/screenshots/.*\)</image>|\3 \1 \2|p' \
  data/*.metainfo.xml.in | sort)
present=$(for picture in data/screenshots/*.png; do
  echo "$picture $(identify -format '%w %h' "$picture")"
done | sort)
[ "$named" = "$present" ] || { diff <(echo "$named") <(echo "$present") || true; faults=1; }
while read -r picture width height; do
  [ "$width" -le 1000 ] && [ "$height" -le 700 ] || { echo "too large: $picture"; faults=1; }
done <<<"$present"
exit $faults
