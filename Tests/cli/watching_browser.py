#!/usr/bin/python3
"""A browser that writes down what others on this computer can see of it, and what it has of the program that
started it; then it does what `browser.py` does, or waits."""

import json
import os
import sys
from pathlib import Path


def processes():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            pass  # It has ended.


def descriptors():
    names = os.listdir("/proc/self/fd")
    return sorted(int(name) for name in names if os.path.lexists(f"/proc/self/fd/{name}"))


status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
sight = {
    "address": sys.argv[-1],
    "descriptors": descriptors(),
    "processes": list(processes()),
    # Without 32 and 33, which the C library ignores in all child processes.
    "signals": {name: int(status[name], 16) & ~(3 << 31) for name in ("SigBlk", "SigIgn")},
}
path = Path(os.environ["BROWSER_SIGHT"])
path.with_suffix(".new").write_text(json.dumps(sight))
path.with_suffix(".new").rename(path)

if os.environ.get("BROWSER_WAITS") != "yes":
    browser = Path(__file__).with_name("browser.py")
    os.execv(browser, [str(browser), sys.argv[-1]])
