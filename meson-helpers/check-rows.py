#!/usr/bin/python3
"""Checks Tests/security-rows.txt: each row has a test that exists, or a reason why it has none."""

import re
import sys
from pathlib import Path

ROWS = Path("Tests/security-rows.txt")


def fault(line: str, seen: set[str]) -> str | None:
    """What is wrong with a row."""
    parts = [part.strip() for part in line.split(" | ")]
    if len(parts) != 3 or not all(parts):
        return "it must have a name, a sentence and a test"
    name, _sentence, test = parts
    if name in seen:
        return "the name is not unique"
    seen.add(name)
    if test.startswith("none: "):
        return None
    file, separator, test_name = test.partition("::")
    if not separator or not Path(file).is_file():
        return f"there is no file {file}"
    text = Path(file).read_text()
    if file.endswith(".py"):
        found = re.search(rf"^def {re.escape(test_name)}\(", text, re.M)
    else:
        found = test_name in text
    return None if found else f"{file} has no test '{test_name}'"


def main() -> int:
    seen: set[str] = set()
    faults = 0
    for number, line in enumerate(ROWS.read_text().splitlines(), 1):
        if line and not line.startswith("#") and (problem := fault(line, seen)):
            print(f"{ROWS}:{number}: {problem}")
            faults += 1
    print(f"{len(seen)} rows, {faults} faults")
    return 1 if faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
