# Functions for the scripts in this directory: sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/.build
# Where the app is installed for running, testing and measuring: as in /usr, but in the source tree.
stage=$build/stage

# Packages for building the app, in addition to Swift, and for running it.
build_packages=(
  appstream bubblewrap ca-certificates desktop-file-utils fonts-dejavu-core gettext git
  libadwaita-1-dev libc6-dev libcurl4-openssl-dev libglib2.0-dev libgtk-4-bin libmicrohttpd-dev
  libqrencode-dev librsvg2-common libsecret-1-dev libwebkitgtk-6.0-dev meson pkg-config xdg-dbus-proxy
  zlib1g-dev
)

# Packages for a private desktop: for the tests, and for the scenario without a display.
desktop_packages=(
  at-spi2-core dbus gir1.2-atspi-2.0 gir1.2-json-1.0 gnome-keyring imagemagick iproute2 libglib2.0-bin locales openbox
  python3-gi python3-pytest wmctrl x11-utils xauth xclip xdotool xvfb
)

# Prints a line of progress, with the time since the script began.
say() {
  printf '[%2d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs the missing ones of the given Debian packages; does nothing if all are installed.
install_missing() {
  local package missing=() log=$build/logs/apt.log
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] \
      || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Installing ${missing[*]}"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "Please install them as root: apt-get install ${missing[*]}" >&2
    return 1
  fi
  mkdir -p "$build/logs"
  if ! { as_root apt-get update -qq \
    && as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 \
      "${missing[@]}"; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    return 1
  fi
}

# Builds the release and installs it into $stage. SwiftPM and Meson build only what has changed.
install_stage() { # OPTION... of Meson
  rm -rf "$build/meson" \
    && meson setup "$@" --prefix "$stage" "$build/meson" "$root" \
    && meson compile -C "$build/meson" \
    && rm -rf "$stage" \
    && meson install --no-rebuild -C "$build/meson"
}

# Starts a program of $stage like from /usr.
run_staged() {
  local program=$1
  shift
  XDG_DATA_DIRS=$stage/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share} \
    "$stage/bin/$program" "$@"
}

# Installs packages from PyPI into a virtual environment: once, and again when the requirements change.
# Otherwise it needs no network. Who comes meanwhile waits.
python_packages() { # ENVIRONMENT REQUIREMENTS
  (
    flock 9
    ! cmp -s "$2" "$1/requirements.txt" || exit 0
    # Debian's Python, for its bindings of libsecret.
    /usr/bin/python3 -m venv "$1" \
      && "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2" \
      && cp "$2" "$1/requirements.txt"
  ) 9>"$1.lock"
}

msal_python() { python_packages "$build/venv" "$root/Tests/msal-python/requirements.txt"; }
