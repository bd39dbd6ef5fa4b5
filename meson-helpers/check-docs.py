"""Checks the documentation of the libraries beyond what docc does, and prints the documented share.

- Every public symbol has a comment. (Symbols synthesized by the compiler have no source location
  and no comment; extension declarations need none.)
- Every page of a catalog is in a group, so that docc has no default group.
- Every Swift example, in an article, in the README or in a comment, occurs word for word in a
  compiled file: in `Snippets`, which has complete programs, or in `Tests/DocumentationTests`.

usage: check-docs.py ARCHIVE..., each beside the directory with its symbol graphs
"""

import json
import pathlib
import re
import sys

faults = []


def check_comments(archive):
    symbols = [
        symbol
        for path in archive.with_suffix("").glob("*.symbols.json")
        for symbol in json.loads(path.read_text())["symbols"]
        if "location" in symbol and symbol["kind"]["identifier"] != "swift.extension"
    ]
    missing = [".".join(symbol["pathComponents"]) for symbol in symbols if "docComment" not in symbol]
    documented = len(symbols) - len(missing)
    print(f"{archive.stem}: {documented} of {len(symbols)} public symbols documented"
          f" ({100 * documented / max(len(symbols), 1):.1f} %)")
    faults.extend(f"{archive.stem}: {name} has no documentation" for name in missing)


def check_groups(archive):
    page = archive / "data/documentation" / f"{archive.stem.lower()}.json"
    for section in json.loads(page.read_text()).get("topicSections", []):
        if section.get("generated"):
            names = ", ".join(identifier.split("/")[-1] for identifier in section["identifiers"])
            faults.append(f"{archive.stem}: not in a group of {archive.stem}.md: {names}")


def examples(path):
    """The Swift examples of a file, each with the number of its first line."""
    comment = r"^\s*///? ?" if path.suffix == ".swift" else ""
    lines = [re.sub(comment, "", line) for line in path.read_text().splitlines()]
    start = None
    for number, line in enumerate(lines):
        if start is None and line == "```swift":
            start = number + 1
        elif start is not None and line == "```":
            yield start + 1, lines[start:number]
            start = None


def occurs(example, lines):
    """Whether the example occurs in a file as a whole, with any indentation."""
    for start, line in enumerate(lines[: len(lines) - len(example) + 1]):
        indent = line[: len(line) - len(example[0])]
        if not indent.isspace() and indent:
            continue
        if all((indent + wanted).rstrip() == found.rstrip()
               for wanted, found in zip(example, lines[start:])):
            return True
    return False


def check_examples():
    compiled = [
        path.read_text().splitlines()
        for folder in ("Snippets", "Tests/DocumentationTests")
        for path in sorted(pathlib.Path(folder).rglob("*.swift"))
    ]
    count = 0
    documents = [*pathlib.Path("Sources").rglob("*.md"), *pathlib.Path("Sources").rglob("*.swift")]
    for path in [pathlib.Path("README.md"), *sorted(documents)]:
        for number, example in examples(path):
            count += 1
            if not any(occurs(example, lines) for lines in compiled):
                faults.append(f"{path}:{number}: this example is not in a compiled file")
    print(f"{count} examples, all of them compiled" if not faults else f"{count} examples")


check_examples()
for archive in map(pathlib.Path, sys.argv[1:]):
    check_comments(archive)
    if pathlib.Path(f"Sources/{archive.stem}/Documentation.docc").is_dir():
        check_groups(archive)
print(*faults, sep="\n")
sys.exit(1 if faults else 0)
