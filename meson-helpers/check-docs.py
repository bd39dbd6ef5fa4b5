"""Checks the documentation of the libraries beyond what docc does, and prints the documented share.

- Every library that a program can use is there, with each target of its product.
- Every public symbol has a comment. (Symbols synthesized by the compiler have no source location
  and no comment; extension declarations need none.)
- Every page of a catalog is in a group, and so is every member of a type with a page in `Extensions`, so
  that docc has no default group; and no group has one twice.
- Every table has one row of headers, and rows of its width: otherwise its source is shown.
- Every Swift example, in an article, in the README or in a comment, occurs word for word in a
  compiled file: in `Snippets`, which has complete programs, or in `Tests/DocumentationTests`.

usage: check-docs.py MANIFEST (swift package dump-package) ARCHIVE..., each beside the directory with its symbol graphs
"""

import json
import pathlib
import re
import sys

faults = []


def check_libraries(manifest, archives):
    public = {
        target for product in json.loads(manifest.read_text())["products"] if "library" in product["type"]
        for target in product["targets"]
    }
    faults.extend(f"{name} is a library without pages" for name in sorted(public - {a.stem for a in archives}))


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
    extensions = pathlib.Path(f"Sources/{archive.stem}/Documentation.docc/Extensions").glob("*.md")
    for page in [archive.stem, *(f"{archive.stem}/{path.stem}" for path in sorted(extensions))]:
        text = (archive / "data/documentation" / f"{page.lower()}.json").read_text()
        for section in json.loads(text).get("topicSections", []):
            names = [identifier.split("/")[-1] for identifier in section["identifiers"]]
            # docc lists the default implementations of protocols, which no page can.
            names = [name for name in names if not name.endswith("-Implementations")]
            if section.get("generated") and names:
                faults.append(f"{archive.stem}: not in a group of {page}.md: {', '.join(names)}")


def check_lists(path):
    """Each page is in one list of topics, once, and in a list "See Also" once."""
    for heading, part in re.findall(r"^## (Topics|See Also)\n(.*?)(?=^## |\Z)", path.read_text(), re.M | re.S):
        entries = re.findall(r"^- (\S+)$", part, re.M)
        faults.extend(f"{path}: {entry} is twice in {heading}" for entry in sorted(
            {entry for entry in entries if entries.count(entry) > 1}))


def cells(row):
    """The number of cells of a row of a table."""
    return len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", row.strip()))) - 1


def check_tables(path):
    comment = r"^\s*///? ?" if path.suffix == ".swift" else ""
    table, in_code = [], False
    for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
        line = re.sub(comment, "", line)
        in_code ^= line.startswith("```")
        if line.startswith("|") and not in_code:
            table.append(line)
            continue
        rules = [index for index, row in enumerate(table) if re.fullmatch(r"[|:\- ]+", row)]
        if table and (rules != [1] or len(set(map(cells, table))) > 1):
            faults.append(f"{path}:{number - len(table)}: a table needs one row of headers, a rule, and equal rows")
        table = []


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
    for path in [*sorted(pathlib.Path(".").glob("*.md")), *sorted(documents)]:
        check_tables(path)
        check_lists(path)
        for number, example in examples(path):
            count += 1
            if not any(occurs(example, lines) for lines in compiled):
                faults.append(f"{path}:{number}: this example is not in a compiled file")
    print(f"{count} examples, all of them compiled" if not faults else f"{count} examples")


manifest, *archives = map(pathlib.Path, sys.argv[1:])
check_libraries(manifest, archives)
check_examples()
for archive in archives:
    check_comments(archive)
    if pathlib.Path(f"Sources/{archive.stem}/Documentation.docc").is_dir():
        check_groups(archive)
print(*faults, sep="\n")
sys.exit(1 if faults else 0)
