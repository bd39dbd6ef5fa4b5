"""What other programs can learn of a running entrancectl."""

import os
import re
import subprocess
from pathlib import Path

from waiting import wait_for


def wait_for_code(process: subprocess.Popen) -> None:
    """It has signed in with the service and now waits for a person."""
    while line := process.stderr.readline():
        if "enter the code" in line:
            return
    raise AssertionError("no code")


def test_no_core_dump_holds_tokens(signed_in):
    process = signed_in.start("sign-in", "--device-code")
    try:
        wait_for_code(process)
        limits = Path("/proc", str(process.pid), "limits").read_text()
        assert re.search(r"^Max core file size +0 +0 ", limits, re.M)
    finally:
        signed_in.interrupt(process)


def test_memory_is_closed_to_other_programs(ordinary):
    """/proc shows a process that may not be dumped as root's, whoever runs it."""
    program, options, _ = ordinary
    process = subprocess.Popen(
        [program, "graph", "--body", "@-", "/me"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        # It closes itself first of all, and then waits for its input.
        wait_for(
            lambda: os.stat(f"/proc/{process.pid}/environ").st_uid == 0,
            "the process to be root's in /proc")
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
