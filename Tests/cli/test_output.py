"""Output that cannot be written, and what is said then."""

import json
import os
import resource
import signal
import subprocess

import pytest

COMMANDS = [
    ["token"], ["token", "--json"], ["cache", "export"], ["cache", "show"], ["accounts"],
    ["accounts", "--json"], ["graph", "/me"], ["device"], ["doctor"], ["--help"], ["--version"],
    ["help", "token"]]


def run(cli, *command: str, shell: str = 'exec "$@"', **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["sh", "-c", shell, "sh", str(cli.program), *command], env=cli.environment, text=True,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, start_new_session=True,
        **options)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_full(signed_in, command):
    with open("/dev/full", "w") as full:
        result = run(signed_in, *command, stdout=full)
    assert result.returncode == 1
    assert "Standard output could not be written: No space left on device." in result.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_closed(signed_in, command):
    result = run(signed_in, *command, shell='exec "$@" >&-')
    assert result.returncode == 1
    assert "Standard output could not be written: Bad file descriptor." in result.stderr


def test_nothing_to_print(signed_in, home):
    """Who prints nothing needs nowhere to print."""
    path = home / "export.json"
    result = run(signed_in, "cache", "export", "-o", str(path), shell='exec "$@" >&-')
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(path.read_text())


def test_no_stream_at_all(signed_in, keyring, home):
    """No file of the program's takes the place of a stream, to be written to by whoever prints."""
    signed_in.connect_to(
        json.loads(signed_in.connections.read_text())["connections"][0]
        | {"cache": {"path": str(home / "cache.json")}})
    home.chmod(0o700)
    signed_in.ok("sign-in")
    for command in (["token", "--force-refresh"], ["accounts"], ["graph", "/me"], ["accounts", "x"]):
        assert run(signed_in, *command, shell='exec "$@" <&- >&- 2>&-').returncode != 0
    assert json.loads((home / "cache.json").read_text())["Account"]
    assert signed_in.ok("token").out.startswith("eyJ")


def test_reader_that_has_enough(signed_in):
    """It ends as all programs do then, and says nothing of it."""
    ours, theirs = os.pipe()
    os.close(ours)
    result = run(signed_in, "cache", "export", stdout=theirs)
    os.close(theirs)
    assert result.returncode == -signal.SIGPIPE
    assert result.stderr == ""


def no_room():
    """As on a full disk: no file may grow beyond the size of a lock's."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_new_token_that_cannot_be_kept(cli, keyring, person, emulator, home):
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


def test_an_export_that_fails_leaves_nothing(signed_in, home):
    path = home / "export.json"
    result = run(signed_in, "cache", "export", "-o", str(path), preexec_fn=no_room)
    assert result.returncode == 1 and "was not written" in result.stderr
    assert not [file for file in home.iterdir() if file.name.startswith("export")]
    signed_in.ok("cache", "export", "-o", str(path))


def test_usage(cli):
    """--json goes for the command line's own mistakes, too."""
    for command in (["token", "--json", "--scop"], ["--json", "nothing"], ["graph", "--json"],
                    ["graph", "/me", "-H", "A: b\r\nC: d", "--json"],
                    ["sign-in", "--json", "--device-code", "--prompt", "login"]):
        result = cli(*command)
        assert result.status == 64, result
        assert result.json["error"]["code"] == "usage" and result.json["error"]["message"]
        assert result.err == ""
    plain = cli("graph", "/me", "-H", "A: b\r\nC: d")
    assert plain.status == 64 and plain.out == "" and "characters" in plain.err


def test_no_noise_where_nothing_can_be_written(cli, keyring):
    cli.environment |= {"XDG_CACHE_HOME": "/proc/none", "XDG_DATA_HOME": "/proc/none"}
    cli.environment.pop("XDG_RUNTIME_DIR", None)
    result = cli.ok("accounts")
    assert result.err == "No account is signed in.\n"
