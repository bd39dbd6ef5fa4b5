#!/usr/bin/python3
"""Checks a manual page: no warnings of groff and mandoc, and the JSON in its examples is valid as it is shown.

usage: check-man-page.py PAGE
"""

import json
import os
import re
import subprocess
import sys

page = sys.argv[1]
environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200"}
# Without formatting, which man leaves out where its output is no terminal.
shown = subprocess.run(["man", "-l", "--warnings", page], capture_output=True, text=True, env=environment)
linted = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
faults = shown.stderr.splitlines() + linted.stdout.splitlines()
text = shown.stdout
count = 0


def check(example: str, place: str):
    """Checks one JSON value, or members of an object as they are written in a file."""
    global count
    rest = example.strip()
    while rest:
        member = re.match(r'"[^"]*":\s*', rest)
        try:
            _, end = json.JSONDecoder().raw_decode(rest, member.end() if member else 0)
        except ValueError as error:
            faults.append(f"{place}: not JSON: {error}: {rest[:60]!r}")
            return
        rest = rest[end:].lstrip().removeprefix(",").lstrip()
        count += 1


# What a person would copy into a shell.
for match in re.finditer(r"['\u2018\u2019]\s*([{\[][^'\u2018\u2019]*)['\u2018\u2019]", text):
    check(match[1], "argument")
# What a person would copy into a file: a paragraph that begins like JSON.
for paragraph in re.split(r"\n\s*\n", text):
    lines = paragraph.strip("\n").splitlines()
    if lines and re.match(r'\s*(\{$|\{ "|"\w+": )', lines[0]) and re.search(r"[}\]]\s*$", lines[-1]):
        check(paragraph, "example")

print(*faults, sep="\n")
print(f"{count} JSON values in the examples")
sys.exit(1 if faults else 0)
