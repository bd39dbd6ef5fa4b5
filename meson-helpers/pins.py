#!/usr/bin/python3
"""Keeps the Swift packages that are built at the versions in pins.json.

pins.json is a Package.resolved without the IDs of commits: SwiftPM accepts that, takes these versions, and writes the
IDs that it finds into Package.resolved, which is not in the tree. The IDs depend on where the packages are fetched
from, because a mirror may have others, and with the wrong ones nothing could be built.

usage: pins.py use [DIRECTORY]     copies pins.json to Package.resolved
       pins.py check [DIRECTORY]   fails if other versions are there than in pins.json, and says which
       pins.py record [DIRECTORY]  writes the versions of Package.resolved into pins.json
"""

import json
import sys
from pathlib import Path

PINS = Path(__file__).parent / "pins.json"


def versions(path: Path) -> dict[str, str]:
    """The version of each package. One that is at a branch has none."""
    return {pin["identity"]: pin["state"].get("version", "no version") for pin in json.loads(path.read_text())["pins"]}


def checked_out(directory: Path) -> dict[str, str]:
    """The versions of the sources that SwiftPM builds."""
    state = json.loads((directory / ".build/workspace-state.json").read_text())
    return {
        one["packageRef"]["identity"]: one["state"].get("checkoutState", {}).get("version", "no version")
        for one in state["object"]["dependencies"]}


def without_commits(path: Path) -> str:
    content = json.loads(path.read_text())
    pins = [{**pin, "state": {"version": pin["state"]["version"]}} for pin in content["pins"]]
    return json.dumps({"pins": pins, "version": content["version"]}, indent=2) + "\n"


def check(directory: Path) -> int:
    wanted, faults = versions(PINS), []
    for place, found in [
            ("Package.resolved", versions(directory / "Package.resolved")), (".build/checkouts", checked_out(directory))]:
        for name in sorted(wanted.keys() | found.keys()):
            recorded, actual = wanted.get(name, "none"), found.get(name, "none")
            if actual != recorded:
                faults.append(f"{place}: {name} is {actual}, and {recorded} in {PINS.name}")
    print(*faults or ["The versions are those of pins.json."], sep="\n")
    if faults:
        print("For the recorded versions, run 'meson-helpers/pins.py use' and build again; to record those that were"
              " built, run 'meson-helpers/pins.py record'.")
    return 1 if faults else 0


def main() -> int:
    command, directory = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else PINS.parent.parent)
    resolved = directory / "Package.resolved"
    match command:
        case "use":
            resolved.write_text(PINS.read_text())
        case "record":
            PINS.write_text(without_commits(resolved))
        case "check":
            return check(directory)
        case _:
            sys.exit(__doc__)
    return 0


sys.exit(main())
