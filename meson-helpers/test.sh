#!/usr/bin/env bash
# Installs what is missing, builds the project and runs every test and check.
#
# A stage that fails does not end the run. Each writes to .build/logs; the end of a failed log is shown. The
# last line is "N passed, M failed"; the exit code is 0 only if M is 0. Stages with a plus sign between them run at the
# same time.
#
# usage: test.sh            all stages
#        test.sh STAGE...   some of them: style data translations unit store docs release desktop msal cli
#                           ui; also these, which are not run by default because they take long:
#                           threads            ThreadSanitizer on the headless tests
#                           memory             AddressSanitizer on the headless tests, with leak detection
#                           fuzz [SECONDS]     libFuzzer on each parser of input from outside, for a minute
#                           newer              the scenario, Orca and the tests of the window on the next Debian
#                                              release, as root
#                           example            the program of an article, in a package of its own
#                           clients            libraries and programs of others with the emulator
#                           package            Debian packages: built twice, checked and installed
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$root"

test_packages=(
  aerc binutils chromium curl dovecot-imapd fish fonts-ipafont-gothic getmail6 grim isync keepassxc libkf5wallet-bin
  libqca-qt5-2-plugins libsasl2-modules-kdexoauth2 libsecret-tools libxml2-utils man-db mandoc msmtp mutt neomutt
  offlineimap3 openssl orca poppler-utils python3-h2 python3-polib python3-pytest-xdist python3-venv rclone skopeo sway
  tesseract-ocr tesseract-ocr-eng wtype xdg-utils zbar-tools
)
# Any version will do, and Debian's cannot be installed beside that of Kubernetes or Google.
command -v kubectl >/dev/null || test_packages+=(kubernetes-client)
stages=()
fuzz_seconds=60
for argument; do
  if [[ $argument =~ ^[0-9]+$ ]]; then fuzz_seconds=$argument; else stages+=("$argument"); fi
done
# Those that mostly wait run at the same time.
[ ${#stages[@]} -gt 0 ] || stages=(style+data+translations unit store+docs release desktop+msal+cli ui)

suite_limit=2400 # seconds
leak_options="suppressions=$root/meson-helpers/memory.supp:print_suppressions=0"
# A line for each suite: its name, and how many of its tests passed and failed.
results=$build/logs/results.txt

# Keeps the results of a suite and prints them.
count() { # NAME PASSED FAILED
  echo "$*" >>"$results"
  if [ "$3" = 0 ]; then
    say "  ok    $1: $2 passed"
  else
    say "  FAIL  $1: $2 passed, $3 failed (.build/logs/$1.log)"
  fi
}

# Runs a command as one check.
check() { # NAME COMMAND...
  local name=$1 log=$build/logs/$1.log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    count "$name" 1 0
  else
    tail -25 "$log" | sed 's/^/        /'
    count "$name" 0 1
  fi
}

# Runs a suite that writes JUnit XML files, and counts its tests. A suite that ends without results
# has failed, and one that takes too long is stopped.
suite() { # NAME RESULTS_PATTERN COMMAND...
  local name=$1 pattern=$2 log=$build/logs/$1.log code=0 counts
  shift 2
  # shellcheck disable=SC2086 # The pattern is to be expanded.
  rm -f $pattern
  timeout --kill-after=20 "$suite_limit" "$@" >"$log" 2>&1 </dev/null || code=$?
  # How far it came is before that line.
  [ "$code" != 124 ] || printf '\nerror: stopped after %s seconds\n' "$suite_limit" >>"$log"
  # shellcheck disable=SC2086
  counts=$(/usr/bin/python3 meson-helpers/count-tests.py $pattern)
  # shellcheck disable=SC2086 # Two numbers.
  set -- $counts
  if [ "$code" != 0 ] && [ "$2" = 0 ]; then
    set -- "$1" 1
  elif [ "$1" = 0 ] && [ "$2" = 0 ]; then
    set -- 0 1
  fi
  if [ "$2" != 0 ]; then
    { [ "$code" != 124 ] && grep -E '✘|error:|^(FAILED|ERROR|E  )' "$log" || tail -25 "$log"; } \
      | uniq | tail -20 | sed 's/^/        /'
  fi
  count "$name" "$1" "$2"
}

# Fails when a pattern occurs in the sources, and prints where.
absent() { # PATTERN PATH...
  ! grep -rnE --include='*.swift' --include='*.h' "$@"
}

stage_style() {
  check swift-format swift format lint --strict --parallel --recursive Sources Tests Snippets Benchmarks \
    Package.swift
  # Of several files, bash reads the first alone.
  check shell-syntax sh -c 'for file; do bash -n "$file" || faults=1; done; exit ${faults:-0}' sh \
    meson-helpers/*.sh meson-helpers/debian/entrance.p* meson-helpers/debian/tests/scenario .ci/run Tests/*/*.sh
  # Only FoundationEssentials: all of Foundation includes ICU, 50 MB.
  check no-foundation absent '^\s*((public|internal|package|private|fileprivate|@\w+(\([^)]*\))?)\s+)*import (Foundation|FoundationNetworking)\b' Sources
  check no-tls-bypass absent 'TLS_ERRORS_POLICY_IGNORE|SSL_VERIFY(PEER|HOST)[^A-Z]*\b0\b' Sources
  check no-password-grant absent 'grant_type.*password|"password"' Sources/AuthCore
  # Which module owns the type in a file that imports Testing depends on the order of the build.
  check no-stat-in-tests absent '\bstat\(\)' Tests/*Tests
  check python meson-helpers/check-python.sh
  check tools meson-helpers/check-tools.py
  check requirements meson-helpers/check-requirements.py
  check architecture meson-helpers/check-architecture.py
  check setup meson-helpers/check-setup.sh
  check versions meson-helpers/check-version.sh
  check no-curl-verbose absent 'CURLOPT_VERBOSE|CURLOPT_DEBUGFUNCTION' Sources
}

stage_data() {
  local page app=io.github.entrance.Entrance
  check settings-schema glib-compile-schemas --strict --dry-run data
  check metainfo appstreamcli validate --pedantic --no-net "data/$app.metainfo.xml.in"
  check screenshots meson-helpers/check-screenshots.sh
  check resources sh -c 'glib-compile-resources --sourcedir=data --target=.build/check.gresource \
    data/entrance.gresource.xml'
  for page in data/*.[17]; do
    check "man-page-$(basename "$page")" meson-helpers/check-man-page.py "$page"
  done
  check xml xmllint --noout data/*.xml data/*.xml.in data/icons/hicolor/*/apps/*.svg
  # gtk4-builder-tool knows only GTK's own widgets. With libadwaita 1.2 preloaded, it still rejects
  # the widgets of later versions.
  check ui-files env LD_PRELOAD="$(ui_libraries)" GSK_RENDERER=cairo GTK_A11Y=none \
    xvfb-run -a sh -c 'for ui; do gtk4-builder-tool validate "$ui" || faults=1; done; exit ${faults:-0}' \
    sh data/ui/*.ui
}

ui_libraries() {
  local library
  for library in libadwaita-1.so.0 libwebkitgtk-6.0.so.4; do
    ldconfig -p | sed -n "s/^\s*$library .* => //p" | head -1
  done | paste -sd: -
}

stage_translations() {
  local language
  check sentences meson-helpers/check-sentences.py
  check complete-translations meson-helpers/update-pot.sh --check
  check mnemonics meson-helpers/check-mnemonics.py
  for language in $(grep -v '^#' po/LINGUAS); do
    check "translation-$language" msgfmt --check --output-file=/dev/null "po/$language.po"
  done
}

# Coverage costs little, and one build serves all stages. SwiftPM finds the tests in the index, so that is written.
debug_options=(--enable-code-coverage)

# Timing-sensitive, or in need of a closed port: run alone.
alone='^CurlHTTPTests\.|BrokerPresenceTests/noBus\(\)|does not delay the stop'

# How many tests run in parallel. Without a limit all start at once, and their time limits include
# waiting for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

# Builds the tests, and the programs that tests run: once, before the first stage that needs them.
build_debug() {
  [ -z "${debug_is_built-}" ] || return 0
  debug_is_built=1
  # Without the option, a target can import any module that happens to have been built before it.
  check debug-build swift build --build-tests "${debug_options[@]}" \
    --explicit-target-dependency-import-check error
}

stage_unit() {
  check pins meson-helpers/pins.py check
  # SwiftPM discards the coverage of the run before.
  suite swift-test-alone "$build/logs/swift-test-alone*.xml" \
    env LLVM_PROFILE_FILE=/dev/null swift test --skip-build --filter "$alone" \
    --xunit-output "$build/logs/swift-test-alone.xml"
  suite swift-test "$build/logs/swift-test-crowd*.xml" \
    swift test --skip-build "${debug_options[@]}" --skip "$alone" \
    --xunit-output "$build/logs/swift-test-crowd.xml"
  check coverage meson-helpers/coverage.py "$(swift test --show-codecov-path)" AuthCore 95
  tail -1 "$build/logs/coverage.log" | sed 's/^/        /'
}

# ThreadSanitizer on everything headless, as without GTK.
stage_threads() {
  local options=(--sanitize=thread --scratch-path "$root/.build-threads")
  export ENTRANCE_HEADLESS=1
  export TSAN_OPTIONS="halt_on_error=1"
  check threads-build swift build --build-tests "${options[@]}"
  suite threads-alone "$build/logs/threads-alone*.xml" swift test --skip-build "${options[@]}" \
    --filter "$alone" --xunit-output "$build/logs/threads-alone.xml"
  suite threads "$build/logs/threads-crowd*.xml" swift test --skip-build "${options[@]}" \
    --skip "$alone" --xunit-output "$build/logs/threads-crowd.xml"
}

# AddressSanitizer on the same, with leak detection.
stage_memory() {
  local options=(--sanitize=address --scratch-path "$root/.build-memory")
  local -x ENTRANCE_HEADLESS=1
  local -x LSAN_OPTIONS=$leak_options
  check memory-build swift build --build-tests "${options[@]}"
  suite memory-alone "$build/logs/memory-alone*.xml" swift test --disable-xctest --skip-build "${options[@]}" \
    --filter "$alone" --xunit-output "$build/logs/memory-alone.xml"
  suite memory "$build/logs/memory-crowd*.xml" swift test --disable-xctest --skip-build "${options[@]}" \
    --skip "$alone" --xunit-output "$build/logs/memory-crowd.xml"
}

# Findings are kept in .build-fuzz/findings, to be fixed and added to Tests/FuzzTests/Corpora.
stage_fuzz() {
  local options=(-c release --product fuzz --sanitize fuzzer --sanitize address
    -Xswiftc -enable-testing --scratch-path "$root/.build-fuzz")
  # With Swift's own crash report, libFuzzer would not save the input.
  local -x ENTRANCE_FUZZING=1 SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=$leak_options FUZZ_TARGET
  check fuzz-build swift build "${options[@]}"
  local program seeds
  program=$(swift build "${options[@]}" --show-bin-path 2>/dev/null)/fuzz
  mkdir -p .build-fuzz/findings
  for seeds in Tests/FuzzTests/Corpora/*; do
    FUZZ_TARGET=$(basename "$seeds")
    mkdir -p ".build-fuzz/corpora/$FUZZ_TARGET"
    check "fuzz-$FUZZ_TARGET" "$program" -max_total_time="$fuzz_seconds" -timeout=5 -max_len=8192 \
      -rss_limit_mb=1024 -artifact_prefix=".build-fuzz/findings/$FUZZ_TARGET-" \
      ".build-fuzz/corpora/$FUZZ_TARGET" "$seeds"
    tail -1 "$build/logs/fuzz-$FUZZ_TARGET.log" | sed 's/^/        /'
  done
}

stage_store() {
  suite store "$build/logs/store-*.xml" Tests/store/run.sh .build/debug/store-tool "$build/logs"
  grep -hE '^(files|keyring|control): ' "$build/logs/store.log" | sed 's/^/        /'
}

stage_docs() {
  check documentation meson-helpers/docs.sh "${debug_options[@]}"
}

stage_release() {
  check install install_stage
  check release-pins meson-helpers/pins.py check
  local programs
  programs=$(swift build -c release --static-swift-stdlib --show-bin-path 2>/dev/null)
  check linkage meson-helpers/check-linkage.sh "$programs/entrance"
  check linkage-entrancectl meson-helpers/check-linkage.sh "$programs/entrancectl"
  check no-gtk-in-entrancectl sh -c '! readelf --dynamic "$0" | grep -E "libgtk|libadwaita|libwebkit"' \
    "$programs/entrancectl"
  check install-and-uninstall meson-helpers/check-install.sh "$build/meson"
  check desktop-file desktop-file-validate --warn-kde \
    "$stage/share/applications/io.github.entrance.Entrance.desktop"
  check version run_staged entrance --version
}

stage_desktop() {
  check wayland meson-helpers/wayland.sh "$stage" "$build/wayland-results"
}

stage_msal() {
  suite msal-python "$build/logs/msal-python.xml" env LLVM_PROFILE_FILE=/dev/null \
    PYTEST_ADDOPTS="--junit-xml=$build/logs/msal-python.xml" \
    Tests/msal-python/run.sh "$stage/bin/identity-emulator" -n 3
}

stage_cli() {
  check cli-libraries msal_python
  suite cli "$build/logs/cli.xml" /usr/bin/python3 -m pytest Tests/cli -q -rf -p no:cacheprovider \
    -n 4 --stage "$stage" --junit-xml="$build/logs/cli.xml"
}

stage_ui() {
  local suite_limit=3600
  # The tests mostly wait for the app, so three at a time, each file on a desktop of its own.
  suite ui "$build/logs/ui.xml" /usr/bin/python3 -m pytest Tests/ui -q -rf -p no:cacheprovider \
    -n 3 --dist loadfile --stage "$stage" --results "$build/ui-results" \
    --junit-xml="$build/logs/ui.xml"
}

stage_newer() {
  check newer meson-helpers/newer.sh "$stage" "$build/newer-results" x11 wayland orca
  suite newer-ui "$build/newer-results/ui/results.xml" \
    meson-helpers/newer.sh "$stage" "$build/newer-results" ui
}

stage_example() {
  local place
  place=$(mktemp -d)
  check example meson-helpers/check-example.py "$place"
  rm -rf "$place"
}

stage_clients() {
  suite clients "$build/logs/clients.xml" \
    Tests/clients/run.sh "$stage/bin/identity-emulator" -W ignore --junit-xml="$build/logs/clients.xml"
}

stage_package() {
  local step
  for step in source build lint again debian-12 debian-13; do
    check "debian-packages-$step" meson-helpers/package.sh "$step"
  done
  meson-helpers/package.sh figures
}

# Installs PostgreSQL's programs. By default, its package also makes a database, and runs a server for it from then on.
install_postgresql() {
  local settings=/etc/postgresql-common/createcluster.d/none.conf
  ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || return 0
  install_missing postgresql-common
  as_root install -D /dev/stdin "$settings" <<<'create_main_cluster = false'
  install_missing postgresql
  as_root rm "$settings"
}

mkdir -p "$build/logs"
install_postgresql
install_missing "${build_packages[@]}" "${desktop_packages[@]}" "${test_packages[@]}"
[ -e Package.resolved ] || meson-helpers/pins.py use
rm -f "$results"
for group in "${stages[@]}"; do
  say "$group"
  [[ ! $group =~ unit|store|docs|ui|newer ]] || build_debug
  running=()
  for name in ${group//+/ }; do
    "stage_$name" &
    running+=("$name=$!")
  done
  for one in "${running[@]}"; do
    wait "${one#*=}" || count "stage-${one%=*}" 0 1
  done
done

read -r passed failed failures < <(awk '{ passed += $2; failed += $3 } $3 { names = names " " $1 }
  END { print passed + 0, failed + 0, names }' "$results")
say "done${failures:+; failed: $failures}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
