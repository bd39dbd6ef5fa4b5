#!/usr/bin/env bash
# Runs programs and libraries that others wrote, unchanged, with a built identity emulator: they sign in and use its
# Microsoft Graph.
#
#   Tests/clients/run.sh EMULATOR [pytest option…]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../meson-helpers/common.sh"

IDENTITY_EMULATOR=$(realpath "$1")
export IDENTITY_EMULATOR
shift
python_packages "$build/clients" "$here/requirements.txt"

# A CA bundle from the environment would replace the emulator's own.
unset REQUESTS_CA_BUNDLE CURL_CA_BUNDLE SSL_CERT_FILE
cd "$here"
exec "$build/clients/bin/python" -B -m pytest -q -rf -p no:cacheprovider "$@"
