"""Errors when output cannot be written."""

import json
import os
import resource
import signal
import subprocess

import pytest

COMMANDS = [
    ["token"], ["token", "--json"], ["cache", "export"], ["cache", "show"], ["accounts"],
    ["accounts", "--json"], ["graph", "/me"], ["graph", "-o", "-", "/me"], ["device"], ["doctor"], ["--help"], ["--version"],
    ["help", "token"]]


def run(cli, *command: str, shell: str = 'exec "$@"', **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["sh", "-c", shell, "sh", str(cli.program), *command], env=cli.environment, text=True,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, start_new_session=True,
        **options)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_full_disk(signed_in, command):
    with open("/dev/full", "w") as full:
        result = run(signed_in, *command, stdout=full)
    assert result.returncode == 1
    assert "Standard output could not be written: No space left on device." in result.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_closed_pipe(signed_in, command):
    result = run(signed_in, *command, shell='exec "$@" >&-')
    assert result.returncode == 1
    assert "Standard output could not be written: Bad file descriptor." in result.stderr


def test_no_output_needed(signed_in, home):
    """A command without output does not need a working standard output."""
    path = home / "export.json"
    result = run(signed_in, "cache", "export", "-o", str(path), shell='exec "$@" >&-')
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(path.read_text())


def test_missing_streams(signed_in, keyring, home):
    """No other open file takes the place of a missing stream."""
    signed_in.connect_to(
        json.loads(signed_in.connections.read_text())["apps"][0]
        | {"cache": {"path": str(home / "cache.json")}})
    home.chmod(0o700)
    signed_in.ok("sign-in")
    for command in (["token", "--force-refresh"], ["accounts"], ["graph", "/me"], ["accounts", "x"]):
        assert run(signed_in, *command, shell='exec "$@" <&- >&- 2>&-').returncode != 0
    assert json.loads((home / "cache.json").read_text())["Account"]
    assert signed_in.ok("token").out.startswith("eyJ")


def test_reader_that_stops(signed_in):
    """It ends like other programs then, without a message."""
    ours, theirs = os.pipe()
    os.close(ours)
    result = run(signed_in, "cache", "export", stdout=theirs)
    os.close(theirs)
    assert result.returncode == -signal.SIGPIPE
    assert result.stderr == ""


def no_room():
    """Like a full disk: no file may grow beyond the size of a lock file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_new_token_that_cannot_be_stored(cli, keyring, person, emulator, home):
    path = home / "shared" / "cache.json"
    cli.connect_to(emulator.connection("Shared") | {"cache": {"path": str(path)}})
    cli.ok("sign-in")
    before = path.read_text()
    result = run(cli, "token", "--force-refresh", stdout=subprocess.PIPE, preexec_fn=no_room)
    assert result.returncode == 1
    assert result.stdout.startswith("eyJ"), "the token is good"
    assert "The new tokens could not be saved." in result.stderr and "doctor" in result.stderr
    result = run(cli, "token", "--force-refresh", "--json", stdout=subprocess.PIPE, preexec_fn=no_room)
    assert result.returncode == 1 and json.loads(result.stdout)["source"] == "server"
    assert path.read_text() == before
    assert [file.name for file in path.parent.iterdir()] == ["cache.json"]


def test_failed_export_leaves_no_file(signed_in, home):
    path = home / "export.json"
    result = run(signed_in, "cache", "export", "-o", str(path), preexec_fn=no_room)
    assert result.returncode == 1 and "was not written" in result.stderr
    assert not [file for file in home.iterdir() if file.name.startswith("export")]
    signed_in.ok("cache", "export", "-o", str(path))


def test_usage(cli):
    """--json also applies to usage errors."""
    for command in (["token", "--json", "--scop"], ["--json", "nothing"], ["graph", "--json"],
                    ["graph", "/me", "-H", "A: b\r\nC: d", "--json"],
                    ["sign-in", "--json", "--device-code", "--prompt", "login"]):
        result = cli(*command)
        assert result.status == 64, result
        assert result.json["error"]["code"] == "usage" and result.json["error"]["message"]
        assert result.err == ""
    plain = cli("graph", "/me", "-H", "A: b\r\nC: d")
    assert plain.status == 64 and plain.out == "" and "characters" in plain.err


def test_no_message_when_standard_error_is_full(cli, keyring):
    cli.environment |= {"XDG_CACHE_HOME": "/proc/none", "XDG_DATA_HOME": "/proc/none"}
    cli.environment.pop("XDG_RUNTIME_DIR", None)
    result = cli.ok("accounts")
    assert result.err == "No account is signed in.\n"
