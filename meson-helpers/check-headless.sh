#!/usr/bin/env bash
# Fails when AuthCore or its tests depend, directly or indirectly, on a system library other than
# libcurl and zlib. They must build where neither GTK, WebKitGTK nor libsecret is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

ENTRANCE_HEADLESS=1 swift package describe --type json 2>/dev/null | /usr/bin/python3 -c '
import json, sys

targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
reached, queue = set(), ["AuthCore", "AuthCoreTests"]
while queue:
    name = queue.pop()
    if name not in reached:
        reached.add(name)
        queue += targets[name].get("target_dependencies", [])
libraries = {name for name in reached if targets[name]["type"] == "system-target"}
print("targets:", *sorted(reached))
print("system libraries:", *sorted(libraries))
sys.exit(libraries != {"CCurl", "CZlib"})'
