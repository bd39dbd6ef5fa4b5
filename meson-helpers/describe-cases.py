#!/usr/bin/python3
"""Gives the cases of an enum the descriptions that are in its table, a file beside it with lines as in
`case .oldExpiry: Entry("old-exp", "exp is a day ago", …`, so that the documentation has what the program says.

usage: describe-cases.py DIRECTORY (with symbol graphs)
"""

import json
import re
import sys
from functools import cache
from pathlib import Path

LINE = re.compile(r'case \.(\w+):\s*Entry\(\s*"[\w-]+",\s*"([^"]*)"')


@cache
def descriptions(enum: Path) -> dict[str, str]:
    """The descriptions in the table of the enum in a file."""
    table = enum.with_name(f"{enum.stem}+Entry.swift")
    return dict(LINE.findall(table.read_text())) if table.exists() else {}


for path in Path(sys.argv[1]).glob("*.symbols.json"):
    graph = json.loads(path.read_text())
    for symbol in graph["symbols"]:
        if symbol["kind"]["identifier"] != "swift.enum.case" or "docComment" in symbol or "location" not in symbol:
            continue
        file = Path(symbol["location"]["uri"].removeprefix("file://"))
        if description := descriptions(file).get(symbol["names"]["title"].split(".")[-1]):
            # The signs of Markdown are meant as they are.
            text = re.sub(r"([\\`*_<\[])", r"\\\1", description)
            symbol["docComment"] = {"lines": [{"text": f"{text[0].upper()}{text[1:]}."}]}
    path.write_text(json.dumps(graph))
