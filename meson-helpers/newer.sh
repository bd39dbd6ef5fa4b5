#!/usr/bin/env bash
# Runs the scenario on the next Debian release with the programs that were built here, as an ordinary user. The
# root file system of that Debian is created once, in .build/newer. It must be run as root.
#
# usage: newer.sh STAGE DIRECTORY (for the pictures and the log)
set -euo pipefail
. "$(dirname "$0")/common.sh"

suite=trixie
mirror=http://deb.debian.org/debian
newer=$build/newer
# The dependencies of a package of the app, and the packages of the tests' desktop.
packages=(
  adwaita-icon-theme at-spi2-core bubblewrap ca-certificates dbus-daemon fonts-dejavu-core gir1.2-atspi-2.0
  gnome-keyring imagemagick libadwaita-1-0 libcurl4t64 libglib2.0-bin libmicrohttpd12t64 libqrencode4
  librsvg2-common libsecret-1-0 libwebkitgtk-6.0-4 openbox python3-gi x11-utils xdg-dbus-proxy xdotool xvfb
)

stage=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)

if [ ! -e "$newer/ready" ]; then
  install_missing debootstrap
  rm -rf "$newer/root"
  mkdir -p "$newer"
  debootstrap --variant=minbase "$suite" "$newer/root" "$mirror"
  cp /etc/resolv.conf "$newer/root/etc/"
  unshare --mount bash -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
    DEBIAN_FRONTEND=noninteractive exec chroot "$0" \
      apt-get install -y -qq --no-install-recommends "$@"
  ' "$newer/root" "${packages[@]}"
  chroot "$newer/root" useradd --uid 1000 zoe
  touch "$newer/ready"
fi

chmod 777 "$results"
# Not with chroot, in which the web view's sandbox cannot be created.
unshare --mount --pid --fork --kill-child bash -euc '
  mount --make-rprivate /
  mount --bind "$0" "$0"
  cd "$0"
  mount -t proc proc proc
  mount --rbind /dev dev
  mount --rbind /sys sys
  mount -t tmpfs -o mode=1777 tmpfs tmp
  mkdir -p "tmp/home/zoe" tmp/stage tmp/tests tmp/results mnt/old
  chown -R 1000:1000 tmp/home
  mkdir -m 1777 tmp/.X11-unix
  mount --bind "$1" tmp/stage
  mount --bind "$2" tmp/tests
  mount --bind "$3" tmp/results
  pivot_root . mnt/old
  umount --lazy /mnt/old
  exec env -i PATH=/usr/bin:/bin HOME="/tmp/home/zoe" LANG=C.UTF-8 \
    setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs \
    /usr/bin/python3 -B /tmp/tests/scenario.py /tmp/stage /tmp/results
' "$newer/root" "$stage" "$root/Tests/ui" "$results"
