"""Errors when output cannot be written."""

import contextlib
import json
import os
import resource
import signal
import stat
import subprocess
import time
import urllib.parse

import pytest

from api import Reply

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


@pytest.fixture
def shared(cli, keyring, person, emulator, home):
    """The command line of Adele, whose tokens are in a file."""
    path = home / "shared" / "cache.json"
    cli.connect_to(emulator.connection("Shared") | {
        "scopes": ["User.Read", "User.Read.All"], "cache": {"path": str(path)}})
    cli.ok("sign-in")
    return cli


@pytest.fixture
def expired(shared, home):
    """The same after the access token has expired."""
    path = home / "shared" / "cache.json"
    content = json.loads(path.read_text())
    for token in content["AccessToken"].values():
        token |= {name: str(int(time.time()) - 60) for name in ("expires_on", "extended_expires_on")}
    path.write_text(json.dumps(content))
    return shared


UNSAVED = "The new tokens could not be saved."


def test_tokens_of_the_first_page_that_cannot_be_stored(expired):
    result = run(expired, "graph", "--all", "/users?$top=1", stdout=subprocess.PIPE, preexec_fn=no_room)
    assert result.returncode == 1 and result.stderr.count(UNSAVED) == 1, result
    assert len(json.loads(result.stdout)["value"]) > 1, "the result is good"


def test_tokens_that_cannot_be_stored_before_an_error(expired):
    result = run(expired, "graph", "--json", "/nothing", stdout=subprocess.PIPE, preexec_fn=no_room)
    error = json.loads(result.stdout)["error"]
    assert result.returncode == 1 and error["details"]["httpStatus"] == 501
    assert UNSAVED in result.stderr


def host(emulator) -> str:
    return urllib.parse.urlsplit(emulator.description["graph"]).netloc


def test_tokens_for_docker_that_cannot_be_stored_before_an_error(expired, emulator):
    """The host of the API is no registry."""
    process = expired.start("credential", "docker", "get", preexec_fn=no_room)
    result = expired.finish(process, host(emulator) + "\n")
    assert result.status == 1 and "did not accept the account" in result.err
    assert UNSAVED in result.err


def test_tokens_for_git_that_cannot_be_stored(shared, emulator):
    token = shared.ok("token").out.strip()
    process = shared.start("credential", "git", "erase", preexec_fn=no_room)
    result = shared.finish(process, f"protocol=https\nhost={host(emulator)}\npassword={token}\n\n")
    assert result.status == 1 and UNSAVED in result.err


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["new", "force"])
@pytest.mark.parametrize(
    "command", [["cache", "export"], ["http", "import", "-"], ["graph", "/me"]], ids=" ".join)
def test_a_pipe_is_not_replaced(signed_in, home, command, force):
    pipe = home / "pipe"
    os.mkfifo(pipe)
    error = signed_in(
        *command, "-o", str(pipe), *force, "--json", input="curl https://a.example\n").error
    assert error["code"] == "fileNotWritten" and "it is not a regular file" in error["message"]
    assert "--force" not in error["nextStep"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [file.name for file in home.glob("pipe*")] == ["pipe"]


@pytest.mark.parametrize(
    "command", [["cache", "export"], ["http", "import", "-"], ["http", "x.http"], ["graph", "/me"]], ids=" ".join)
def test_force_without_a_file_is_refused(cli, command):
    error = cli(*command, "--force", "--json").error
    assert error["code"] == "usage" and "--force is for --output" in error["message"]


def test_a_file_for_everyone_keeps_its_permissions(cli, home):
    """A new one has those of any new file."""
    path = home / "requests.http"

    def make(*options: str) -> int:
        process = cli.start("http", "import", "-", "-o", str(path), *options, umask=0o027)
        assert cli.finish(process, "curl https://a.example\n").status == 0
        return stat.S_IMODE(path.stat().st_mode)

    assert make() == 0o640
    path.chmod(0o664)
    assert make("--force") == 0o664


def test_a_recording_is_whole_when_the_reader_stops(signed_in, home):
    file = home / "recording.har"
    ours, theirs = os.pipe()
    os.close(ours)
    result = run(signed_in, "graph", "/me", "--record", str(file), stdout=theirs)
    os.close(theirs)
    assert (result.returncode, result.stderr) == (-signal.SIGPIPE, "")
    assert json.loads(file.read_text())["log"]["entries"]


def test_a_reader_that_stops_while_the_signal_is_ignored(signed_in):
    """As after trap '' PIPE: the error is said then."""
    ours, theirs = os.pipe()
    os.close(ours)
    result = run(signed_in, "accounts", stdout=theirs, shell="trap '' PIPE; exec \"$@\"")
    os.close(theirs)
    assert result.returncode == 1
    assert "Standard output could not be written: Broken pipe." in result.stderr


def test_another_program_that_adds_to_the_file_does_not_get_in_between(signed_in, api, home):
    """write(2): what one call adds to a file (O_APPEND) stays together."""
    path = home / "all.json"
    api.replies = [Reply(200, body=json.dumps({"text": "x" * 8_000_000}).encode())]
    with path.open("ab", buffering=0) as file:
        process = subprocess.Popen(
            [signed_in.program, "graph", "/me"], env=signed_in.environment, stdin=subprocess.DEVNULL,
            stdout=file, start_new_session=True)
        while process.poll() is None:
            file.write(b"\n")
    assert process.returncode == 0
    # JSON has no line end within a text (RFC 8259, section 7).
    assert len(json.loads(path.read_bytes())["text"]) == 8_000_000


def test_a_signal_ends_what_is_read_slowly_and_nothing_comes_behind_it(signed_in, api):
    size = 2_000_000
    api.replies = [Reply(200, body=json.dumps({"text": "x" * size}).encode())]
    process = signed_in.start("graph", "/me", "--json")
    output = process.stdout.fileno()
    # It has begun.
    text = os.read(output, 4096)
    process.send_signal(signal.SIGTERM)
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        text += os.read(output, 4096)
    result = signed_in.finish(process)
    assert result.status == -signal.SIGTERM
    assert len(text) + len(result.out) < size
    assert b'"error"' not in text and '"error"' not in result.out
    assert "Standard output could not be written: Operation canceled." in result.err
