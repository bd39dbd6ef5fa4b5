"""Prints how many tests passed and how many failed in the given JUnit XML files.

A truncated file, whose writer was stopped, counts as a failed test.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for path in filter(os.path.exists, sys.argv[1:]):
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except ElementTree.ParseError:
        failed += 1
        continue
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is None:
            passed += 1
print(passed, failed)
