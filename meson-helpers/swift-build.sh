#!/usr/bin/env bash
# Builds one product with SwiftPM and copies it to OUTPUT, stripped when it is a release build.
# usage: swift-build.sh SOURCE_DIR debug|release PRODUCT [OUTPUT]
set -euo pipefail

source_dir=$1
configuration=$2
product=$3
output=${4-}

arguments=(--package-path "$source_dir" --configuration "$configuration")
if [ "$configuration" = release ]; then
  # Debian has no Swift runtime to link to. No library is loaded from the program's directory, where
  # others may be able to put one, and relocations are read-only before the program begins.
  arguments+=(--static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z
    -Xlinker now)
  # Only the libraries that are used are needed at run time. SwiftPM writes those of pkg-config before any option for
  # the linker, and --as-needed affects what comes after it: so clang, which links, is told to begin with it.
  export CCC_OVERRIDE_OPTIONS='#^-Wno-unused-command-line-argument ^-Wl,--as-needed'
  # C code, which is BoringSSL above all, is hardened as in Debian's packages. The checks of C functions are for
  # C++ only, because Swift cannot import the headers with them.
  arguments+=(-Xcc -fstack-protector-strong -Xcc -fstack-clash-protection -Xcxx -D_FORTIFY_SOURCE=2)
  # The program does not depend on where it was built, so that anyone can build the same again: no paths, no debug
  # information, which names files of the compiler's cache and is stripped anyway, and no hashes of the compiler's
  # arguments.
  arguments+=(-Xswiftc -file-prefix-map -Xswiftc "$source_dir=." -Xcc "-ffile-prefix-map=$source_dir=."
    -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
else
  # The debug build of the tests measures coverage: in one directory, each would undo the other's work.
  arguments+=(--scratch-path "$source_dir/.build/run")
fi

[ -e "$source_dir/Package.resolved" ] || "$source_dir/meson-helpers/pins.py" use "$source_dir"
echo "Building $product ($configuration)"
# SwiftPM warns in each module about compiler flags in .pc files that it does not pass on, such as
# -pthread. They do not matter here, and hide other warnings.
swift build "${arguments[@]}" --product "$product" 2>&1 \
  | { grep --line-buffered -v 'prohibited flag(s)' || true; }
printf 'Built %s in %d:%02d\n' "$product" $((SECONDS / 60)) $((SECONDS % 60))

if [ -n "$output" ]; then
  built=$(swift build "${arguments[@]}" --show-bin-path 2>/dev/null)/$product
  fresh=$(mktemp "$output.XXXXXX")
  if [ "$configuration" = release ]; then
    strip -o "$fresh" "$built"
  else
    cp "$built" "$fresh"
  fi
  chmod 755 "$fresh"
  # An unchanged program keeps its modification time, so that nothing that depends on it is rebuilt.
  if cmp -s "$fresh" "$output"; then rm "$fresh"; else mv "$fresh" "$output"; fi
fi
