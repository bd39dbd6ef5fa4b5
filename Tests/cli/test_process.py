"""What other programs can see of a running entrancectl."""

import contextlib
import fcntl
import os
import pwd
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from waiting import wait_for

CLIENT = "11111111-2222-3333-4444-555555555555"


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


def handles_signals(process: subprocess.Popen) -> bool:
    """proc(5)"""
    status = Path("/proc", str(process.pid), "status").read_text()
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)
    return all(caught >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM))


@pytest.fixture
def ends_with_the_first_signal():
    """Sees that a signal ends a process, once it handles signals and `waits` for something."""
    processes = []

    def check(process: subprocess.Popen, number: int, waits):
        processes.append(process)
        wait_for(lambda: handles_signals(process) and waits(), "the process to wait")
        process.send_signal(number)
        assert process.wait(20) == -number

    yield check
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("command", [["http"], ["app", "add"], ["graph", "batch"]], ids=" ".join)
def test_waiting_for_the_writer_of_a_pipe_ends_with_the_first_signal(
        cli, ends_with_the_first_signal, home, command, number):
    pipe = home / "pipe"
    os.mkfifo(pipe)
    process = cli.start(*command, str(pipe))
    files = Path("/proc", str(process.pid), "fd")

    def has_opened_it() -> bool:
        with contextlib.suppress(FileNotFoundError):
            return any(os.readlink(file) == str(pipe) for file in files.iterdir())
        return False

    ends_with_the_first_signal(process, number, has_opened_it)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_waiting_for_a_reader_of_the_output_ends_with_the_first_signal(
        cli, ends_with_the_first_signal, number):
    apps = [{"name": f"App {index} {'x' * 200}", "clientID": CLIENT} for index in range(400)]
    cli.connect_to(*apps)
    process = cli.start("app", "list", "--json")
    output = process.stdout.fileno()
    size = fcntl.fcntl(output, fcntl.F_GETPIPE_SZ)

    def is_full() -> bool:
        return int.from_bytes(fcntl.ioctl(output, termios.FIONREAD, bytes(4)), sys.byteorder) == size

    ends_with_the_first_signal(process, number, is_full)


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
