# Functions for a Debian system of its own in a directory: sourced after common.sh, not run. All of them must
# be run as root.

mirror=http://deb.debian.org/debian

# The desktop of Tests/ui/scenario.py, in addition to what the app needs.
scenario_packages=(
  adwaita-icon-theme at-spi2-core dbus-daemon fonts-dejavu-core gir1.2-atspi-2.0 gir1.2-json-1.0 gnome-keyring
  imagemagick libglib2.0-bin openbox python3-gi x11-utils xdotool xvfb
)

# Creates a minimal Debian with packages and the user zoe, unless the directory has one already.
make_root() { # DIRECTORY SUITE PACKAGE...
  local directory=$1 suite=$2
  shift 2
  [ ! -e "$directory.ready" ] || return 0
  install_missing debootstrap
  rm -rf "$directory"
  mkdir -p "$(dirname "$directory")"
  debootstrap --variant=minbase "$suite" "$directory" "$mirror"
  cp /etc/resolv.conf "$directory/etc/"
  echo "127.0.0.1 localhost" >"$directory/etc/hosts" # As the installer does.
  [ $# = 0 ] || in_root "$directory" apt-get install -y -qq --no-install-recommends "$@"
  chroot "$directory" useradd --uid 1000 --create-home zoe
  touch "$directory.ready"
}

# Runs a command there as root.
in_root() { # DIRECTORY COMMAND...
  unshare --mount bash -c '
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      chroot "$0" "$@"
  ' "$@"
}

# Runs a command there as zoe, with an empty home. /tmp is empty but for directories of this system.
as_user() { # DIRECTORY [PATH=NAME_IN_TMP]... -- COMMAND...
  # Not with chroot, in which the web view's sandbox cannot be created.
  unshare --mount --pid --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount --bind "$0" "$0"
    cd "$0"
    mount -t proc proc proc
    mount --rbind /dev dev
    mount --rbind /sys sys
    mount -t tmpfs -o mode=1777 tmpfs tmp
    mkdir -p tmp/home/zoe
    chown -R 1000:1000 tmp/home
    mkdir -m 1777 tmp/.X11-unix
    while [ "$1" != -- ]; do
      mkdir "tmp/${1#*=}"
      mount --bind "${1%%=*}" "tmp/${1#*=}"
      shift
    done
    shift
    pivot_root . mnt
    umount --lazy /mnt
    exec env -i PATH=/usr/bin:/bin HOME=/tmp/home/zoe LANG=C.UTF-8 \
      setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs "$@"
  ' "$@"
}
