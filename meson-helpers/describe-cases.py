#!/usr/bin/python3
"""Gives the cases of an enum the descriptions that are in their raw values, as in
`case oldExpiry = "old-exp: exp is a day ago"`, so that the documentation has what the program says.

usage: describe-cases.py DIRECTORY (with symbol graphs)
"""

import json
import re
import sys
from pathlib import Path

for path in Path(sys.argv[1]).glob("*.symbols.json"):
    graph = json.loads(path.read_text())
    for symbol in graph["symbols"]:
        if symbol["kind"]["identifier"] != "swift.enum.case" or "docComment" in symbol or "location" not in symbol:
            continue
        place = symbol["location"]
        lines = Path(place["uri"].removeprefix("file://")).read_text().splitlines()[place["position"]["line"]:]
        if match := re.match(r'\s*case \w+ =\s*"[\w-]+: ([^"]*)"', "\n".join(lines[:3])):
            # The signs of Markdown are meant as they are.
            text = re.sub(r"([\\`*_<\[])", r"\\\1", match[1])
            symbol["docComment"] = {"lines": [{"text": f"{text[0].upper()}{text[1:]}."}]}
    path.write_text(json.dumps(graph))
