#!/usr/bin/env bash
# Installs a build that was set up and compiled into an empty root, as a package does, checks that everything
# is where the desktop looks for it, uninstalls it, and checks that nothing is left.
#
# usage: check-install.sh BUILD_DIR
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

build_dir=$1
app=io.github.entrance.Entrance
prefix=$(meson introspect --buildoptions "$build_dir" \
  | /usr/bin/python3 -c 'import json, sys; print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
DESTDIR=$(mktemp -d)
trap 'rm -rf "$DESTDIR"' EXIT
export DESTDIR
meson install --no-rebuild -C "$build_dir" >/dev/null
installed=$DESTDIR$prefix

expected=(
  bin/entrance bin/docker-credential-entrance bin/entrancectl bin/git-credential-entrance bin/identity-emulator
  libexec/entrance/azd
  share/applications/$app.desktop share/dbus-1/services/$app.service
  share/entrance/entrance.gresource share/glib-2.0/schemas/$app.gschema.xml
  share/gnome-shell/search-providers/$app.search-provider.ini
  share/icons/hicolor/{scalable/apps/$app,symbolic/apps/$app-symbolic}.svg
  share/metainfo/$app.metainfo.xml share/man/man1/{{docker,git}-credential-,}entrance.1 share/man/man1/{entrancectl,identity-emulator}.1
  share/man/man7/entrance-mail.7
  share/entrance/apparmor/entrance
)
for program in entrance entrancectl identity-emulator; do
  expected+=(
    "share/bash-completion/completions/$program" "share/zsh/site-functions/_$program"
    "share/fish/vendor_completions.d/$program.fish"
  )
done
for language in $(grep -v '^#' po/LINGUAS); do
  expected+=("share/locale/$language/LC_MESSAGES/entrance.mo")
done
faults=0
for file in "${expected[@]}"; do
  [ -s "$installed/$file" ] || { echo "missing: $file"; faults=1; }
done

# Each file belongs to a Debian package: its path, or that of a directory, is in a list.
mapfile -t packaged < <(sed 's/ .*//' meson-helpers/debian/*.install)
while read -r file; do
  for path in "${packaged[@]}"; do
    case usr/$file in "$path" | "$path"/*) continue 2 ;; esac
  done
  echo "in no Debian package: $file"
  faults=1
done < <(cd "$installed" && find . -type f -printf '%P\n')

# A path of the build, or of the root, would be wrong on another computer. The search provider names no program.
wrong=$(grep -rlF -e "$DESTDIR" -e "$root/data" "$installed/share" || true)
[ -z "$wrong" ] || { echo "with a path of the build: $wrong"; faults=1; }
for file in "share/applications/$app.desktop" "share/dbus-1/services/$app.service"; do
  while read -r program; do
    [ "$program" = "$prefix/bin/entrance" ] || { echo "$file starts $program"; faults=1; }
  done < <(sed -n 's/^\(Try\)\?Exec=\([^ ]*\).*/\2/p' "$installed/$file")
done

# The caches that an installation outside of a package makes.
glib-compile-schemas "$installed/share/glib-2.0/schemas"
gtk4-update-icon-cache --quiet --ignore-theme-index "$installed/share/icons/hicolor"
update-desktop-database "$installed/share/applications"
meson-helpers/uninstall.sh "$build_dir"
left=$(cd "$DESTDIR" && find . -mindepth 1)
[ -z "$left" ] || { printf 'left after uninstalling:\n%s\n' "$left"; faults=1; }
exit $faults
