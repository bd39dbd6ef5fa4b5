"""How entrancectl ends, as a script sees it. The numbers are those of sysexits.h."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

LATER, SIGN_IN = os.EX_TEMPFAIL, os.EX_NOPERM


def check(cli, status: int, *arguments: str) -> dict:
    """Runs a command twice, for people and for programs; both end with this status."""
    plain = cli(*arguments)
    assert plain.status == status, plain
    assert plain.out == "" and plain.err.startswith("entrancectl: ")
    result = cli(*arguments, "--json")
    assert result.status == status, result
    return result.error


@pytest.mark.parametrize("command", [["token"], ["graph", "/me"], ["sign-out", "--browser"]])
def test_nobody_is_signed_in(cli, keyring, command):
    assert check(cli, SIGN_IN, *command)["code"] == "accountNotFound"


def test_someone_else_is_signed_in(signed_in):
    error = check(signed_in, SIGN_IN, "token", "--account", "bram@contoso.example")
    assert error["code"] == "accountNotFound"


def test_a_permission_was_not_accepted(signed_in):
    error = check(signed_in, SIGN_IN, "token", "--scope", "Mail.Read")
    assert error["code"] == "interactionRequired"


def test_the_session_ended(signed_in, emulator):
    emulator.revoke(emulator.adele)
    check(signed_in, SIGN_IN, "token", "--force-refresh")


@pytest.mark.parametrize("fault", ["token-429", "token-503", "token-500"])
def test_the_sign_in_service_is_not_available(signed_in, emulator, fault):
    emulator.set_faults(fault)
    check(signed_in, LATER, "token", "--force-refresh")


def test_there_is_no_network(signed_in, emulator):
    emulator.stop()
    assert check(signed_in, LATER, "token", "--force-refresh")["code"] == "networkUnavailable"
    check(signed_in, LATER, "graph", "/me")


@pytest.mark.parametrize(
    "status, fields, expected",
    [
        (401, {}, SIGN_IN),
        (429, {"Retry-After": "30"}, LATER),
        (500, {}, LATER),
        (503, {}, LATER),
        (409, {"Retry-After": "5"}, LATER),
        (400, {}, 1),
        (403, {}, 1),
        (404, {}, 1),
    ])
def test_the_api_refuses(signed_in, api, status, fields, expected):
    api.status, api.fields = status, fields
    error = check(signed_in, expected, "graph", "/me")
    assert error["details"]["httpStatus"] == status


def test_an_answer_that_makes_no_sense_is_a_failure(signed_in, emulator):
    """Neither waiting nor signing in is known to help."""
    emulator.set_faults("token-truncated")
    check(signed_in, 1, "token", "--force-refresh")


def test_a_problem_found_is_a_failure(cli):
    assert cli("doctor").status == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interruption(cli, keyring, number):
    process = cli.start("sign-in", "--device-code", "--json")
    assert "enter the code" in process.stderr.readline()
    process.send_signal(number)
    result = cli.finish(process)
    assert result.status == -number, "ended by the signal"
    assert result.error["code"] == "userCanceled"


def test_a_shell_shows_the_signal(cli, keyring):
    """POSIX: more than 128 for a command that a signal ended; shells add the number."""
    process = subprocess.Popen(
        ["sh", "-c", f'"{cli.program}" sign-in --device-code; echo "ended with $?"'],
        env=cli.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    assert "enter the code" in process.stderr.readline()
    [child] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(child), signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert out == f"ended with {128 + signal.SIGTERM}\n"


def test_the_manual_lists_the_statuses(cli):
    manual = (Path(__file__).parent.parent.parent / "data" / "entrancectl.1").read_text()
    section = manual.partition(".SH EXIT STATUS")[2].partition(".SH EXAMPLES")[0]
    assert re.findall(r"^\.B (\d+)$", section, re.M) == [
        str(number) for number in (0, 1, os.EX_USAGE, os.EX_NOINPUT, LATER, SIGN_IN, os.EX_CONFIG)]
    words = " ".join(cli.ok("--help").out.split())
    for number in (os.EX_USAGE, os.EX_NOINPUT, LATER, SIGN_IN):
        assert f" {number} " in words


@pytest.mark.parametrize(
    "option, arguments",
    [
        ("-H", ["graph", "-H", "Authorization: Bearer x", "/me"]),
        ("-H", ["graph", "-H", "client-request-id: x", "/me"]),
        ("-H", ["graph", "-H", "Host: evil.example", "/me"]),
        ("-H", ["graph", "-H", "content-length: 5", "/me"]),
        ("-H", ["graph", "-H", "Transfer-Encoding: chunked", "/me"]),
        ("-H", ["graph", "-H", "Connection: close", "/me"]),
        ("-H", ["graph", "-H", "Proxy-Authorization: Basic x", "/me"]),
        ("--header", ["graph", "--header", "no colon", "/me"]),
        ("--method", ["graph", "--method", "BREW", "/me"]),
        ("http://graph.microsoft.com/v1.0/me", ["graph", "http://graph.microsoft.com/v1.0/me"]),
        ("ftp://contoso.example/", ["graph", "ftp://contoso.example/"]),
        ("--scope", ["token", "--scope", ""]),
        ("--scope", ["token", "--scope", "two words"]),
        ("--scope", ["sign-in", "--scope", "openid"]),
        ("--scope", ["graph", "--scope", 'with"quote', "/me"]),
        ("--account", ["token", "--account", ""]),
        ("--account", ["sign-in", "--account", ""]),
        ("--app", ["accounts", "--app", ""]),
        ("--passphrase-file", ["accounts", "--passphrase-file", ""]),
        ("--prompt", ["sign-in", "--prompt", "maybe"]),
        ("--from", ["cache", "import", "--from", "nobody"]),
        ("--output", ["cache", "export", "--output", ""]),
    ])
def test_a_value_that_cannot_be_used(cli, keyring, person, emulator, option, arguments):
    before = sum(emulator.counts().values())
    plain = cli(*arguments)
    assert plain.status == os.EX_USAGE and plain.out == ""
    assert option in plain.err.splitlines()[0]
    result = cli(*arguments, "--json")
    assert result.status == os.EX_USAGE
    assert result.error["code"] == "usage" and option in result.error["message"]
    assert not person.log.exists(), "the browser was not opened"
    assert sum(emulator.counts().values()) == before + 1, "only the request for the counts"


@pytest.mark.parametrize("option, command", [
    ("--scope", ["token"]), ("--scope", ["sign-in"]), ("--scope", ["graph", "/me"]), ("--allow", ["run", "--", "true"]),
])
def test_an_empty_permission_is_called_so(cli, option, command):
    result = cli(command[0], option, "", *command[1:])
    assert result.status == os.EX_USAGE and f"The value of {option} cannot be used. The value is empty." in result.err


def test_a_connection_that_is_not_there(cli, keyring):
    error = check(cli, os.EX_USAGE, "accounts", "--app", "Fabrikam")
    assert error["code"] == "usage" and "--app" in error["message"]
    assert "Contoso" in error["nextStep"]


@pytest.mark.parametrize(
    "option, arguments",
    [
        ("--body", ["graph", "-d", "@{}", "/me"]),
        ("file", ["cache", "import", "{}"]),
        ("--passphrase-file", ["accounts", "--passphrase-file", "{}"]),
    ])
def test_a_file_that_cannot_be_read(cli, home, option, arguments):
    """The reason is the system's (`strerror`)."""
    cli.environment["LC_ALL"] = "C"
    cli.write_connections(cli.connections.read_text().replace(
        '"version": 1', '"version": 1, "storage": "encryptedFile"'))
    (home / "secret").write_text("a passphrase\n")
    (home / "secret").chmod(0o600)
    cli("cache", "import", "--passphrase-file", str(home / "secret"), input="{}")
    for path, number in ((home / "none", 2), (home / "secret" / "none", 20)):
        words = [argument.format(path) for argument in arguments]
        if "--passphrase-file" not in words:
            words += ["--passphrase-file", str(home / "secret")]
        error = check(cli, os.EX_USAGE, *words)
        assert option in error["message"] and str(path) in error["message"]
        assert os.strerror(number) in error["message"]


def test_a_scope_that_the_service_does_not_know(signed_in):
    error = check(signed_in, os.EX_USAGE, "token", "--scope", "User.Raed")
    assert error["code"] == "usage" and "--scope" in error["message"]
    assert "connection" not in error["message"] and error["nextStep"] is None
    assert error["details"]["codes"]


def test_an_address_of_another_host(signed_in):
    error = check(signed_in, os.EX_USAGE, "graph", "https://evil.example/me")
    assert "evil.example" in error["message"]


def test_a_colon_in_a_path_is_no_scheme(signed_in, emulator):
    """Graph addresses files by path so: /me/drive/root:/a.txt"""
    for path in ("/me/drive/root:/a.txt", "me/drive/root:/http://a", "/me?x=http://a"):
        assert signed_in("graph", path).status != os.EX_USAGE


def test_a_cached_token_needs_no_ca_file(signed_in, emulator, home):
    """The file of certificate authorities matters to requests only."""
    gone = home / "gone.pem"
    signed_in.connect_to(
        emulator.connection("Contoso") | {"caFile": str(gone)},
        emulator.connection("Other"))
    emulator.stop()
    signed_in.environment |= {
        "https_proxy": "http://127.0.0.1:1", "LC_ALL": "C",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"}
    assert signed_in.ok("token").err == ""
    assert signed_in.ok("token", "--json").json["source"] == "cache"
    signed_in.ok("accounts")
    error = check(signed_in, 1, "token", "--force-refresh")
    assert error["code"] == "invalidConfiguration"
    assert str(gone) in error["message"] and os.strerror(2) in error["message"]
    error = check(signed_in, 1, "graph", "/me")
    assert str(gone) in error["message"]
    # The other connection has its file.
    assert signed_in("token", "--app", "Other").status == 0
    signed_in.ok("sign-out")


WHO = {
    "sign-in": SIGN_IN, "account": SIGN_IN, "consent": SIGN_IN, "later": LATER,
    # A person can do something, but not by signing in or by waiting.
    "approval": 1, "administrator": 1, "device": 1, "connection": 1, "authority": 1, "scope": 1,
    "redirect": 1, "owner": 1, "done": 1,
    # It is the refresh token that is refused, which a sign-in replaces.
    "developers": SIGN_IN,
}


def test_the_status_is_that_of_who_can_act(signed_in, emulator):
    """For each of Microsoft's numbers, whatever the error is called."""
    lines = (Path(__file__).parent.parent / "microsoft-errors.txt").read_text().splitlines()
    rows = [line.split("\t") for line in lines if "\t" in line]
    assert len(rows) > 90
    for number, who, _ in rows:
        emulator.prepare_token_reply(400, {
            "error": "invalid_grant", "error_codes": [int(number)],
            "error_description": f"AADSTS{number}: The request was refused."})
        result = signed_in("token", "--force-refresh", "--json")
        assert result.error["details"]["codes"] == [f"AADSTS{number}"], result
        assert result.status == WHO[who], (number, who, result)
        code = result.error["code"]
        assert (code == "interactionRequired") == (result.status == SIGN_IN), (number, code)
        step = result.error["nextStep"] or ""
        if who == "developers":
            assert step == "Sign in: 'entrancectl sign-in'." and "eport" not in result.error["message"], result
            continue
        # The message has the next step already, but not the command.
        assert step.startswith("Run 'entrancectl sign-in'.") == (who in ("sign-in", "consent")), (number, step)
        assert (step == "") == (who not in ("sign-in", "consent")), (number, step)


def test_a_request_that_is_malformed_is_for_the_developers(signed_in, emulator):
    """Another one with the same parameters, such as after a sign-in, would be refused, too."""
    emulator.prepare_token_reply(400, {
        "error": "invalid_request", "error_description": "AADSTS9002313: Invalid request."})
    error = signed_in("token", "--force-refresh", "--json").error
    assert error["code"] == "serverError" and error["exitStatus"] == 1 and error["nextStep"] is None
    assert "Report this to the developers" in error["message"]
