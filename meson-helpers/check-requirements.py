#!/usr/bin/python3
"""Checks Tests/requirements.txt: each row has tests that exist, or a reason why it has none."""

import re
import sys
from pathlib import Path

ROWS = Path("Tests/requirements.txt")


def fault_in_row(line: str, seen: set[str]) -> str | None:
    """What is wrong with a row."""
    name, separator, requirement = line.partition(" | ")
    if not separator or not requirement.strip():
        return "it must have a name and a requirement"
    if name in seen:
        return "the name is not unique"
    seen.add(name)
    return None


def fault_in_test(line: str) -> str | None:
    """What is wrong with the test of a row."""
    if line.startswith("none: "):
        return None
    file, separator, name = line.partition("::")
    if not separator or not Path(file).is_file():
        return f"there is no file {file}"
    text = Path(file).read_text()
    if file.endswith(".py"):
        found = re.search(rf"^def {re.escape(name)}\(", text, re.M)
    elif file.endswith(".swift"):
        found = f'"{name}"' in text or re.search(rf"\bfunc {re.escape(name)}\(", text)
    else:
        found = name in text
    return None if found else f"{file} has no test '{name}'"


def main() -> int:
    seen: set[str] = set()
    faults = []
    row, has_test = "", True
    for line in [*ROWS.read_text().splitlines(), "#"]:
        if line.startswith("  "):
            has_test = True
            problem = fault_in_test(line.strip())
        else:
            problem = None if has_test else f"{row} has no test"
            if line and not line.startswith("#"):
                row, has_test = line.partition(" | ")[0], False
                problem = problem or fault_in_row(line, seen)
        if problem:
            faults.append(f"{ROWS}: {problem}: {line}")
    print(*faults, f"{len(seen)} rows, {len(faults)} faults", sep="\n")
    return 1 if faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
