#!/usr/bin/python3
"""Writes the public declarations of the libraries to Tests/API/MODULE.txt, one per line, or lists
the changes since then, so that no change of the public interface goes unnoticed.

usage: api.py [--update-api] DIRECTORY   the directory has the symbol graphs, one subdirectory per
module
"""

import json
import sys
from pathlib import Path

DIGESTS = Path(__file__).parent.parent / "Tests" / "API"


def digest(graphs: Path) -> list[str]:
    """The declarations of a module, sorted by name; a type with its conformances."""
    declarations, conformances, names = set(), {}, {}
    files = [json.loads(path.read_text()) for path in sorted(graphs.glob("*.symbols.json"))]
    for graph in files:
        for symbol in graph["symbols"]:
            names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo":
                to = relation.get("targetFallback") or names.get(relation["target"], relation["target"])
                conformances.setdefault(relation["source"], set()).add(to.removeprefix("Swift."))
    # Conformances that every copyable type has are omitted.
    silent = {"Copyable", "Escapable", "SendableMetatype"}
    for graph in files:
        for symbol in graph["symbols"]:
            identifier = symbol["identifier"]["precise"]
            # Declarations synthesized by the compiler, such as !=, have no source location.
            if "location" not in symbol or symbol["kind"]["identifier"] == "swift.extension":
                continue
            text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
            line = f"{names[identifier]}: {' '.join(text.split())}"
            if extra := sorted(conformances.get(identifier, set()) - silent):
                line += f" : {', '.join(extra)}"
            declarations.add(line)
    return sorted(declarations)


def main(update: bool, directory: Path) -> int:
    changes = 0
    for graphs in sorted(directory.iterdir()):
        path = DIGESTS / f"{graphs.name}.txt"
        new = digest(graphs)
        if update:
            DIGESTS.mkdir(exist_ok=True)
            path.write_text("\n".join(new) + "\n")
            continue
        old = path.read_text().splitlines() if path.exists() else []
        gone, added = sorted(set(old) - set(new)), sorted(set(new) - set(old))
        print(f"{graphs.name}: {len(new)} declarations, {len(gone)} removed, {len(added)} added")
        for line in gone:
            print(f"  - {line}")
        for line in added:
            print(f"  + {line}")
        changes += len(gone) + len(added)
    if changes:
        print("If this is intended: run meson-helpers/docs.sh --update-api, and add a line to CHANGELOG.md.")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main("--update-api" in sys.argv, Path(sys.argv[-1])))
