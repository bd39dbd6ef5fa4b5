"""What other programs can see of a running entrancectl."""

import os
import pwd
import re
import signal
import subprocess
from pathlib import Path

from waiting import wait_for


def wait_for_code(process: subprocess.Popen) -> None:
    """Waits until it has a device code and waits for the user."""
    while line := process.stderr.readline():
        if "enter the code" in line:
            return
    raise AssertionError("no device code")


def test_no_core_dump_contains_tokens(signed_in, home):
    """Neither in a file nor in a program that collects dumps: with a limit of one byte, the
    kernel starts none.
    """
    process = signed_in.start("sign-in", "--device-code", cwd=home)
    try:
        wait_for_code(process)
        limits = Path("/proc", str(process.pid), "limits").read_text()
        assert re.search(r"^Max core file size +1 +1 ", limits, re.M)
        # If a dump were written anyway, it would contain no memory.
        assert int(Path("/proc", str(process.pid), "coredump_filter").read_text(), 16) == 0
        # One of the signals with a core dump that Swift's runtime does not handle.
        process.send_signal(signal.SIGSYS)
        process.wait(20)
        assert process.returncode == -signal.SIGSYS
        assert not list(home.glob("core*"))
    finally:
        process.kill()
        process.communicate()


def test_keyring_can_identify_the_program(ordinary):
    """KeePassXC shows it, and warns about a program that hides itself."""
    program, options, _ = ordinary
    process = subprocess.Popen(
        [program, "graph", "--body", "@-", "/me"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        # It hardens itself at startup, and then waits for its input.
        filter = Path("/proc", str(process.pid), "coredump_filter")
        wait_for(lambda: int(filter.read_text(), 16) == 0, "the process to have hardened itself")
        seen = subprocess.run(
            ["readlink", f"/proc/{process.pid}/exe"], capture_output=True, text=True,
            user=options["user"])
        assert seen.stdout.strip() == program
    finally:
        process.kill()
        process.wait()


def test_without_home_the_user_database_is_used(cli):
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        cli.environment.pop(name)
    home = pwd.getpwuid(os.geteuid()).pw_dir
    error = cli("accounts", "--app", "none of these", "--json").error
    if error["code"] == "noApp":
        assert f"{home}/.config/entrance/apps.json" in error["nextStep"]
    else:
        # This user has connections.
        assert error["code"] == "usage" and "--app" in error["message"]
