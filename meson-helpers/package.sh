#!/usr/bin/env bash
# Makes the Debian source package, builds the binary packages from it, and tests them: lintian, hardening, the same
# bytes from a second source package and build, and installing, upgrading, running and removing them on a fresh Debian.
# It must be run as root. The source package is then in .build/package/source, the others in .build/package/packages.
#
# The first build continues where the one before ended; the second always starts from nothing, and elsewhere.
#
# usage: package.sh          everything, which takes half an hour
#        package.sh STEP...  some of: source build lint again debian-12 debian-13 figures
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/fresh-root.sh"
cd "$root"

work=$build/package
version=$(dpkg-parsechangelog -l meson-helpers/debian/changelog -S Version)
upstream=${version%-*}
names=(entrance entrance-common entrancectl identity-emulator)
debian_packages=(apparmor debhelper debootstrap devscripts lintian python3-venv rsync)

fail() {
  echo "error: $*" >&2
  exit 1
}

# The same files make the same tarball: whoever makes it, and when.
make_tarball() { # FILE DIRECTORY NAME
  tar --create --xz --file="$1" --directory="$2" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --mtime="@$(dpkg-parsechangelog -l meson-helpers/debian/changelog -S Timestamp)" "$3"
}

# Makes the source package in a directory: the tarballs of the repository and of the Swift packages, in the versions of
# pins.json, and Debian's files.
make_source_in() { # DIRECTORY
  local fetched=$1/fetched tree=$1/entrance-$upstream
  rm -rf "$1"
  mkdir -p "$fetched" "$tree"
  git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create | tar -x -C "$tree"
  make_tarball "$1/entrance_$upstream.orig.tar.xz" "$1" "entrance-$upstream"

  cp Package.swift "$fetched/"
  meson-helpers/pins.py use "$fetched"
  (cd "$fetched" && swift package resolve)
  meson-helpers/pins.py check "$fetched"
  cp -r "$fetched/.build/checkouts" "$tree/swift-packages"
  # No program is built of these.
  rm -rf "$tree"/swift-packages/*/{.[!.]*,Benchmarks,Examples,Scripts,Snippets,Tests,dev,scripts}
  make_tarball "$1/entrance_$upstream.orig-swift-packages.tar.xz" "$tree" swift-packages

  cp -r meson-helpers/debian "$tree/"
  chmod -R u=rwX,go=rX "$tree/debian"
  # Nothing is built here, so nothing else must be installed, and there is nothing to clean.
  (cd "$tree" && dpkg-buildpackage --no-sign --build=source --no-check-builddeps --no-pre-clean)
  rm -rf "$fetched" "$tree"
}

step_source() {
  make_source_in "$work/source"
}

# Builds the packages of a source package in a directory, without a network, and moves them to another one.
build_packages_in() { # SOURCE DIRECTORY PACKAGES
  rm -rf "$work/extracted" "$3"
  mkdir -p "$2" "$3"
  dpkg-source --extract "$1"/*.dsc "$work/extracted"
  # Files that are the same are not touched, so that SwiftPM does not build them again.
  rsync --recursive --links --perms --checksum --delete --exclude=/.build "$work/extracted/" "$2/"
  (cd "$2" && unshare --net dpkg-buildpackage --no-sign --build=binary --no-pre-clean)
  # Without a network, git could still have a copy of them on this computer.
  ! compgen -G "$2/.build/repositories/*" || fail 'the build fetched Swift packages'
  mv "$(dirname "$2")"/*.deb "$(dirname "$2")"/*.changes "$(dirname "$2")"/*.buildinfo "$3/"
}

step_build() {
  local copy=$work/build/entrance-$version
  [ -e "$work/source" ] || fail "there is no source package yet: run 'package.sh source build'"
  build_packages_in "$work/source" "$copy" "$work/packages"
  # An independent tool reads the list of what is linked.
  local spdx=$work/venv/bin/pyspdxtools
  [ -x "$spdx" ] || { /usr/bin/python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet spdx-tools; }
  "$spdx" --version SPDX-2.3 --infile \
    "$copy/debian/entrance-common/usr/share/doc/entrance-common/entrance.spdx.json"
}

# Everything that lintian says counts, its hints too.
step_lint() {
  local said=$build/logs/lintian.log
  lintian --allow-root -EvIL +pedantic "$work"/{source,packages}/*.changes >"$said" 2>&1 || true
  cat "$said"
  # The packages' own test runs the same scenario as this script.
  diff <(printf '%s\n' @ "${scenario_packages[@]}" | sort) \
    <(sed -n 's/^ \(.*\),$/\1/p' meson-helpers/debian/tests/control | sort) || fail 'debian/tests needs other packages'
  ! grep -E '^[EWIPX]: ' "$said" || fail 'lintian has findings'
  local program
  for program in entrance entrancectl identity-emulator; do
    hardening-check --nocfprotection \
      "$work/build/entrance-$version/debian/$program/usr/bin/$program"
  done
}

# Another directory, umask, time zone, language and home; the time is another one anyway.
step_again() {
  rm -rf "$work/again"
  (
    umask 027
    export TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 HOME=$work/again/home
    mkdir -p "$HOME"
    make_source_in "$work/again/source"
    build_packages_in "$work/again/source" "$work/again/elsewhere/entrance" "$work/again/packages"
  )
  local file differing=0
  for file in "$work"/source/*.{dsc,tar.xz} "$work"/packages/*.deb; do
    cmp "$file" "$work/again/${file#"$work/"}" || differing=1
  done
  [ $differing = 0 ] || fail 'the second build is different'
  rm -rf "$work/again"
  echo 'Both source packages and both builds have the same bytes.'
}

# Packages of an earlier version, which are the same otherwise.
make_earlier() { # DIRECTORY
  local package content
  for package in "$work"/packages/*.deb; do
    content=$(mktemp -d)
    dpkg-deb --raw-extract "$package" "$content"
    sed -i "s/$version/$version~rc/" "$content/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$content" "$1" >/dev/null
    rm -r "$content"
  done
}

# Every file, except where Debian's tools keep records of their own.
list_files() { # ROOT
  (cd "$1" && find . -xdev | grep -vE '^\./(tmp|home|packages|var/(log|lib/(dpkg|apt)|cache/apt))(/|$)' | sort)
}

# Installs the packages on a new Debian with nothing else than what they depend on, upgrades, removes, and installs
# them again.
test_install() { # SUITE
  local base=$work/$1 fresh=$work/fresh needed before program
  make_root "$base" "$1"
  rm -rf "$fresh"
  cp --archive --reflink=auto "$base" "$fresh"
  mkdir -p "$fresh/packages/earlier"
  make_earlier "$fresh/packages/earlier"
  cp "$work"/packages/*.deb "$fresh/packages/"
  in_root "$fresh" apt-get update -qq
  needed=$(in_root "$fresh" sh -c 'apt-get install --simulate --no-install-recommends /packages/*.deb' \
    | sed -n 's/^Inst \([^ ]*\).*/\1/p' | grep -vxF "$(printf '%s\n' "${names[@]}")")
  echo "$needed" >"$work/dependencies-$1"
  echo "Needs $(wc -l <<<"$needed") packages that are not on a minimal $1"
  # AppArmor is on most systems, and no dependency.
  # shellcheck disable=SC2086 # One argument for each package.
  in_root "$fresh" apt-get install -y -qq --no-install-recommends apparmor $needed
  # They need not be fetched the next time.
  cp --update "$fresh"/var/cache/apt/archives/*.deb "$base/var/cache/apt/archives/"

  before=$(list_files "$fresh")
  mkdir -p "$fresh/home/zoe/.config/entrance" "$fresh/home/zoe/.local/state/entrance"
  echo '{}' | tee "$fresh/home/zoe/.config/entrance/apps.json" "$fresh/home/zoe/.local/state/entrance/index"
  for program in 'earlier/*' '*'; do
    in_root "$fresh" sh -c "apt-get install -y -qq --no-install-recommends /packages/$program.deb"
    as_user "$fresh" -- entrance --version
    as_user "$fresh" -- entrancectl --version
    as_user "$fresh" -- sh -c 'identity-emulator --until-stdin-closes </dev/null | grep -q authority'
    in_root "$fresh" dpkg --verify "${names[@]}" | grep . && fail 'installed files were changed'
    test_profile "$fresh"
  done
  test_deleted_link "$fresh"
  [ "$(in_root "$fresh" dpkg-query -W -f '${Version}' entrance)" = "$version" ] || fail 'not upgraded'
  in_root "$fresh" apt-get remove -y -qq "${names[@]}"
  # Not with apt, which does not know them any more.
  in_root "$fresh" dpkg --purge "${names[@]}"
  diff <(echo "$before") <(list_files "$fresh") || fail 'files were left behind, or removed'
  [ "$(cat "$fresh/home/zoe/.config/entrance/apps.json" "$fresh/home/zoe/.local/state/entrance/index")" \
    = $'{}\n{}' ] || fail "a user's files were changed"
  echo 'Nothing was left behind.'
  in_root "$fresh" sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb'
}

# AppArmor 4 gets the profile, and reads it; earlier versions do not get it.
test_profile() { # ROOT
  local profile=/etc/apparmor.d/entrance
  if [ -e "$1/etc/apparmor.d/abi/4.0" ]; then
    in_root "$1" apparmor_parser --skip-kernel-load --skip-cache "$profile"
    [ "$(in_root "$1" apparmor_parser --names --skip-cache "$profile")" = entrance ] || fail 'the profile is not read'
  else
    [ ! -e "$1$profile" ] || fail 'a profile that AppArmor 3 rejects was installed'
  fi
}

# What an administrator has deleted stays deleted, until the package is purged.
test_deleted_link() { # ROOT
  local link=$1/etc/apparmor.d/entrance
  [ -L "$link" ] || return 0
  rm "$link"
  in_root "$1" dpkg-reconfigure entrance
  in_root "$1" dpkg-trigger --by-package=entrance /etc/apparmor.d/abi/4.0
  in_root "$1" dpkg --configure --pending
  [ ! -L "$link" ] || fail 'the link to the AppArmor profile is back after it was deleted'
}

step_debian-12() {
  test_install bookworm
  in_root "$work/fresh" apt-get install -y -qq --no-install-recommends "${scenario_packages[@]}"
  mkdir -p "$work/results"
  chmod 777 "$work/results"
  as_user "$work/fresh" "$root/Tests/ui=tests" "$work/results=results" -- \
    /usr/bin/python3 -B /tmp/tests/scenario.py /usr /tmp/results
}

step_debian-13() {
  test_install trixie
}

step_figures() {
  local package
  for package in "$work"/packages/*.deb; do
    say "$(basename "$package"): $(($(stat --format=%s "$package") / 1000)) kB," \
      "installed $(dpkg-deb --field "$package" Installed-Size) KiB," \
      "$(dpkg-deb --field "$package" Depends | tr ',' '\n' | grep -c .) direct dependencies"
  done
  for package in "$work"/dependencies-*; do
    say "all packages together need $(wc -l <"$package") others on a minimal ${package##*-}"
  done
}

[ "$(id -u)" = 0 ] || fail 'run it as root, which creates the other Debian systems'
mkdir -p "$work" "$build/logs"
install_missing "${build_packages[@]}" "${debian_packages[@]}"
[ $# -gt 0 ] || set -- source build lint again debian-12 debian-13 figures
for name; do
  say "$name"
  "step_$name"
done
