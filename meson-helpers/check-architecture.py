#!/usr/bin/python3
"""Checks ARCHITECTURE.md against the package: its targets, and what it names.

Checks the sources too: the compiler rejects the import of a Swift module that is not a dependency,
but not of a C module, and only one target may call the toolkit.

Checks that AuthCore and its tests need no other system library than libcurl and zlib, because they
must build where neither GTK, WebKitGTK nor libsecret is installed, and that the tutorial names
products that exist, and the packages that its program and the emulator are built with.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TEXT = Path("ARCHITECTURE.md").read_text()


def section(title: str) -> list[list[str]]:
    """The rows of the table in a section, as lists of cells."""
    text = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


IMPORT = re.compile(r"^\s*(?:(?:public|internal|package|private|fileprivate|@\w+(?:\([^)]*\))?)\s+)*"
                    r"import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.M)
TOOLKIT = re.compile(r"\b(?:gtk|adw|gdk|gsk|pango)_\w+")


def imports(builds_on: dict[str, set[str]]) -> list[str]:
    """Sources that import a C module of another target, or call the toolkit without `Gtk`."""
    faults = []
    for target, dependencies in builds_on.items():
        for source in sorted(Path("Sources", target).rglob("*.swift")):
            text = source.read_text()
            for name in IMPORT.findall(text):
                if name in builds_on and name not in dependencies:
                    faults.append(f"{source} imports {name}, which is not a dependency of {target}")
            if target != "Gtk":
                faults += [f"{source} calls {name}" for name in TOOLKIT.findall(text)]
    return faults


def manifest(**variables: str) -> dict:
    return json.loads(subprocess.run(
        ["swift", "package", "dump-package"], check=True, capture_output=True, env=os.environ | variables).stdout)


def headless() -> list[str]:
    """What is wrong with the part of the package that needs no desktop, and with its tutorial."""
    package = manifest(ENTRANCE_HEADLESS="1")
    targets = {target["name"]: target for target in package["targets"]}

    def libraries(*names: str) -> list[dict]:
        """The system libraries that targets depend on, directly or indirectly."""
        found, queue = {}, list(names)
        while queue:
            name = queue.pop()
            if name in targets and name not in found:
                found[name] = targets[name]
                queue += [kind["byName"][0] for kind in targets[name]["dependencies"] if "byName" in kind]
        return [target for target in found.values() if target["type"] == "system"]

    def packages(*names: str) -> set[str]:
        return {
            package for library in libraries(*names) for provider in library["providers"]
            for package in provider["apt"][0]}

    faults = []
    core = ("AuthCore", "AuthCoreTests", "MicrosoftGraph")
    if (needed := {library["name"] for library in libraries(*core)}) != {"CCurl", "CZlib"}:
        faults.append(f"AuthCore, its tests or MicrosoftGraph need {sorted(needed)}")
    article = Path("Sources/AuthCore/Documentation.docc/Articles/SignInFromACommandLine.md").read_text()
    told = [set(line.split()) for line in re.findall("`apt install ([^`]*)`", article)]
    needed = [packages(*core), packages("IdentityEmulator")]
    if told != needed:
        faults.append(f"the tutorial installs {told}, and {needed} are needed")
    used = set(re.findall(rf'\.product\(name: "(\w+)", package: "{package["name"]}"', article))
    if not used or used - {product["name"] for product in package["products"]}:
        faults.append(f"the tutorial uses the products {sorted(used)}")
    return faults


def main() -> int:
    package = manifest()
    shipped = {
        target["name"]: target["dependencies"] for target in package["targets"]
        if target["type"] != "test" and not (target.get("path") or "").startswith(("Tests", "Benchmarks"))}
    builds_on = {
        name: {next(iter(item.values()))[0] for item in dependencies} & shipped.keys()
        for name, dependencies in shipped.items()}
    faults = imports(builds_on) + headless()
    told = {name for row in section("Targets") for name in names(row[0])}
    for name in sorted(told ^ builds_on.keys()):
        faults.append(f"{name}: is in only one of ARCHITECTURE.md and Package.swift")
    folders = {name for row in section("Inside AuthCore") for name in names(row[0])}
    for folder in sorted(folders):
        if not Path("Sources/AuthCore", folder).is_dir():
            faults.append(f"AuthCore has no folder {folder}")
    for folder in sorted(Path("Sources/AuthCore").iterdir()):
        if folder.suffix != ".docc" and folder.name not in folders:
            faults.append(f"the folder {folder} is not in ARCHITECTURE.md")
    words = {word for source in Path("Sources").rglob("*.swift") for word in re.findall(r"\w+", source.read_text())}
    words |= {folder.name for folder in Path("Sources").rglob("*") if folder.is_dir()}
    # What the rules forbid, and the package's own file.
    words |= {"Foundation", "Package"}
    for name in sorted(set(re.findall(r"`([A-Za-z]\w+[a-z])(?:\.\w+)*`", TEXT)) - words):
        faults.append(f"{name} is in no source")
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
