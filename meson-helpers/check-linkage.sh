#!/usr/bin/env bash
# Checks the built program: Swift must be linked statically, with only the essentials of Foundation (about
# 15 MB; all of Foundation would be 60 MB and start three times slower). Libraries must come from the system
# only, be used, and be bound at startup.
# usage: check-linkage.sh PROGRAM (with its symbols)
set -euo pipefail

program=$1
failed=0
tell() {
  echo "$program: $1"
  failed=1
}

dynamic=$(readelf --dynamic "$program")
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
echo "needs:" $needed
if grep -E '\((RPATH|RUNPATH)\)' <<<"$dynamic"; then
  tell 'looks for libraries elsewhere than where the system has them'
fi
grep -qE '\(FLAGS_1\).*\bNOW\b' <<<"$dynamic" || tell 'binds libraries while it runs'
readelf --program-headers --wide "$program" | grep -q GNU_RELRO || tell 'can be written to where it binds'
if grep -E '^lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime|icu)' <<<"$needed"; then
  tell 'needs a Swift or ICU library at run time'
fi
unused=$(ldd --unused "$program" | grep '^\s*/' || true)
[ -z "$unused" ] || tell "needs libraries that it does not use:"$'\n'"$unused"

# A symbol begins with the length and the name of its module.
symbols=$(nm --defined-only "$program")
grep -q '\$s20FoundationEssentials' <<<"$symbols" && echo 'has symbols of FoundationEssentials'
if count=$(grep -c '\$s10Foundation[0-9]' <<<"$symbols"); then
  tell "has $count symbols of Foundation"
fi

size=$(stat --format=%s "$program")
echo "size: $size bytes with symbols"
exit $failed
