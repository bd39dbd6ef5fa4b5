#!/usr/bin/env bash
# Fails when a script is run by whichever Python comes first in PATH. Only Debian's, /usr/bin/python3, has the
# modules that these scripts install, as Debian packages.
set -euo pipefail
cd "$(dirname "$0")/.."

faults=0
# Prints the lines that match, and what is wrong with them.
forbid() { # MESSAGE PATTERN PATH...
  local message=$1
  shift
  if git grep --untracked -nP "$@"; then
    echo "  $message"
    faults=1
  fi
}

forbid 'start it with #!/usr/bin/python3' '^#!.*(env.*python|local.*python|/python$)'
# Comments too, because they are copied. Words of sentences have no option or file after them.
forbid 'call /usr/bin/python3' '(?<![\w./-])(?<!-m )(python|pip|pytest)3?\s+(-\w|\S+\.py\b)' \
  -- '*.sh' '*.md' '*.yml' '*.json' '*meson.build' .ci meson-helpers/debian
forbid 'call /usr/bin/python3' '(?<![\w)\]])\[\s*["'\''](python|pip|pytest)3?["'\'']' -- '*.py'
exit $faults
