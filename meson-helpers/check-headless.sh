#!/usr/bin/env bash
# Fails when AuthCore or its tests depend, directly or indirectly, on a system library other than
# libcurl and zlib: they must build where neither GTK, WebKitGTK nor libsecret is installed. Also
# fails when the tutorial names a product that does not exist, or has the reader install other
# packages than its program and the emulator are built with, as listed in Package.swift.
set -euo pipefail
cd "$(dirname "$0")/.."

ENTRANCE_HEADLESS=1 swift package dump-package 2>/dev/null | /usr/bin/python3 -c '
import json, pathlib, re, sys

manifest = json.load(sys.stdin)
targets = {target["name"]: target for target in manifest["targets"]}


def reached(*names):
    """The targets that those depend on, directly or indirectly."""
    found, queue = set(), list(names)
    while queue:
        name = queue.pop()
        if name in targets and name not in found:
            found.add(name)
            queue += [kind["byName"][0] for kind in targets[name]["dependencies"] if "byName" in kind]
    return found


def libraries(names):
    return {name for name in names if targets[name]["type"] == "system"}


def packages(names):
    providers = [provider for name in libraries(names) for provider in targets[name]["providers"]]
    return {package for provider in providers for package in provider["apt"][0]}


core = reached("AuthCore", "AuthCoreTests", "MicrosoftGraph")
print("targets:", *sorted(core))
print("system libraries:", *sorted(libraries(core)))
faults = libraries(core) != {"CCurl", "CZlib"}

article = pathlib.Path("Sources/AuthCore/Documentation.docc/Articles/SignInFromACommandLine.md").read_text()
told = [set(line.split()) for line in re.findall("`apt install ([^`]*)`", article)]
needed = [packages(core), packages(reached("IdentityEmulator"))]
print("the tutorial installs:", told, "needed:", needed)
used = set(re.findall(r"\.product\(name: \"(\w+)\", package: \"" + manifest["name"] + "\"", article))
unknown = used - {product["name"] for product in manifest["products"]}
print("the tutorial uses:", *sorted(used), "unknown:", *sorted(unknown))
sys.exit(faults or told != needed or not used or bool(unknown))'
