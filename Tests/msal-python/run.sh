#!/usr/bin/env bash
# Runs MSAL Python from PyPI, unchanged, with a built identity emulator, and with the auth core on the same
# token cache.
#
#   Tests/msal-python/run.sh [path of identity-emulator] [pytest option…]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

export IDENTITY_EMULATOR=${1:-$root/.build/debug/identity-emulator}
[ $# -gt 0 ] && shift
if [ ! -x "$IDENTITY_EMULATOR" ]; then
  echo "run.sh: no emulator at $IDENTITY_EMULATOR; build it with 'swift build --product identity-emulator'" >&2
  exit 2
fi

export CACHE_TOOL=$root/.build/debug/cache-tool
if [ ! -x "$CACHE_TOOL" ]; then
  echo "run.sh: no cache-tool; build it with 'swift build --product cache-tool'" >&2
  exit 2
fi

. "$root/meson-helpers/common.sh"
msal_python

# A CA bundle from the environment would replace the emulator's own.
unset REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
cd "$here"
exec "$build/venv/bin/python" -B -m pytest -q -p no:cacheprovider "$@"
