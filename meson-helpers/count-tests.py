"""Prints how many tests passed and how many failed, by the JUnit XML files named."""

import os
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for path in filter(os.path.exists, sys.argv[1:]):
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is None:
            passed += 1
print(passed, failed)
