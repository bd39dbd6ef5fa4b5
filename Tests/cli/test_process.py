"""What other programs can learn of a running entrancectl."""

import os
import re
import shutil
import subprocess
import tempfile
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


def test_memory_is_closed_to_other_programs(cli, emulator):
    """/proc shows a process that may not be dumped as root's, whoever runs it."""
    # Root's are root's anyway, so root runs it as nobody.
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory, "entrancectl")
        shutil.copy(cli.program, program)
        shutil.copytree(cli.connections.parent, Path(directory, "entrance"))
        for path in [Path(directory), *Path(directory).rglob("*")]:
            path.chmod(0o755)
        process = subprocess.Popen(
            [program, "graph", "--body", "@-", "/me"], user=user, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=cli.environment | {"HOME": directory, "XDG_CONFIG_HOME": directory})
        try:
            # It closes itself first of all, and then waits for its input.
            wait_for(
                lambda: os.stat(f"/proc/{process.pid}/environ").st_uid == 0,
                "the process to be root's in /proc")
            assert process.poll() is None
        finally:
            process.kill()
            process.wait()
