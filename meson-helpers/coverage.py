#!/usr/bin/python3
"""Prints the line coverage of a target, for each file from lowest to highest; fails below a limit.

usage: coverage.py JSON TARGET PERCENT    JSON as exported by llvm-cov
"""
import json
import sys

report, target, least = sys.argv[1], sys.argv[2], float(sys.argv[3])
with open(report, encoding="utf-8") as file:
    files = json.load(file)["data"][0]["files"]
lines = [
    (entry["filename"].split(f"/Sources/{target}/")[1], entry["summary"]["lines"])
    for entry in files
    if f"/Sources/{target}/" in entry["filename"]
]
total = sum(count["count"] for _, count in lines)
covered = sum(count["covered"] for _, count in lines)
for name, count in sorted(lines, key=lambda line: line[1]["percent"])[:12]:
    print(f"{count['percent']:6.1f} %  {name}")
share = 100 * covered / total if total else 0
print(f"{target}: {share:.1f} % of {total} lines")
sys.exit(share < least)
