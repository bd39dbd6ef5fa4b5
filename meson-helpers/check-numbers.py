#!/usr/bin/python3
"""Checks the numbers in test names against the tables of Tests/README.md.

`@Test("Fact 57, C3: …")` needs two rows in Tests/README.md: `| Fact 57 | … |` and `| C3 | … |`. The
script lists numbers without a row, and rows without a test.
"""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent / "Tests"
NAME = re.compile(r'@(?:Test|Suite)\(\s*"([^"]*)"')
LETTERED = r"[A-L]\d+(?:-[A-L]\d+)?"
ITEM = re.compile(rf"(?:(?P<kind>fact|defect)s? (?P<number>\d+)|(?P<row>{LETTERED})|ours)$", re.I)


def numbers(name: str):
    """The numbers at the beginning of a test's name, up to the colon."""
    head, colon, _ = name.partition(":")
    items = [ITEM.match(item) for item in re.split("[,;] ", head)]
    if not colon or not all(items):
        return
    for item in items:
        if item["kind"]:
            yield f"{item['kind'].capitalize()} {item['number']}"
        elif item["row"]:
            first, _, last = item["row"].partition("-")
            for number in range(int(first[1:]), int((last or first)[1:]) + 1):
                yield f"{first[0]}{number}"


used = {
    number: path
    for path in sorted(TESTS.rglob("*.swift"))
    for name in NAME.findall(path.read_text())
    for number in numbers(name)
}
listed = re.findall(r"^\| ((?:Fact |Defect |[A-L])\d+) \| .+ \|$", (TESTS / "README.md").read_text(), re.M)
faults = [f"{used[number]}: {number} is not in Tests/README.md" for number in used if number not in listed]
faults += [f"Tests/README.md: no test is named {number}" for number in listed if number not in used]
faults += [f"Tests/README.md: {number} is listed twice" for number in set(listed) if listed.count(number) > 1]
print("\n".join(faults) or f"{len(used)} numbers, all of them listed")
sys.exit(bool(faults) or not used)
