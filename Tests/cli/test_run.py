"""A program gets tokens from entrancectl, as from a managed identity of Azure."""

import base64
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from service_programs import PYTHON
from waiting import wait_for

from terminal import Terminal

GRAPH = "https://graph.microsoft.com"
VERSION = "2019-08-01"
# An application that the tenant does not have.
UNKNOWN_RESOURCE = {
    "error": "invalid_resource", "error_codes": [500011],
    "error_description": "AADSTS500011: The resource principal was not found in the tenant."}

# Asks for each request of its argument, and prints the statuses and bodies.
ASK = """
import http.client, json, os, sys, urllib.parse
endpoint = urllib.parse.urlsplit(os.environ["IDENTITY_ENDPOINT"])
answers = []
for request in json.loads(sys.argv[1]):
    connection = http.client.HTTPConnection(endpoint.hostname, endpoint.port)
    fields = {"X-IDENTITY-HEADER": os.environ["IDENTITY_HEADER"]} | request.get("fields", {})
    path = request.get("path", endpoint.path) + "?" + urllib.parse.urlencode(request["query"])
    connection.request(
        request.get("method", "GET"), path,
        headers={name: value for name, value in fields.items() if value is not None})
    answer = connection.getresponse()
    answers.append([answer.status, json.loads(answer.read())])
print(json.dumps(answers))
"""
QUERY = {"resource": GRAPH, "api-version": VERSION}


def asking(*requests: dict) -> list[str]:
    return [sys.executable, "-c", ASK, json.dumps(requests)]


def answers(result) -> list:
    assert result.status == 0, result
    return json.loads(result.out)


# Tokens


def test_a_program_gets_a_token_of_the_account(signed_in):
    token = signed_in.ok("token", "--json").json
    [[status, answer]] = answers(signed_in("run", "--", *asking({"query": QUERY})))
    assert status == 200
    assert answer["access_token"] == token["accessToken"]
    assert answer["resource"] == GRAPH and answer["token_type"] == "Bearer"
    assert answer["expires_on"].isdigit()


def test_msal_gets_a_token_as_from_a_managed_identity(signed_in):
    program = (
        "import json, msal, requests\n"
        "client = msal.ManagedIdentityClient(\n"
        "    msal.SystemAssignedManagedIdentity(), http_client=requests.Session())\n"
        f"print(json.dumps(client.acquire_token_for_client(resource='{GRAPH}')))\n")
    answer = answers(signed_in("run", "--", str(PYTHON), "-c", program))
    assert answer["access_token"] == signed_in.ok("token").out.strip(), answer
    assert 0 < answer["expires_in"] <= 86_400


def test_only_what_is_allowed_can_be_asked_for(signed_in):
    vault = {"query": QUERY | {"resource": "https://vault.azure.net"}}
    graph = {"query": QUERY | {"resource": f"{GRAPH}/"}}
    [refused, given] = answers(signed_in("run", "--", *asking(vault, graph)))
    assert refused[0] == 400 and given[0] == 200
    assert "--allow https://vault.azure.net/.default" in refused[1]["message"]
    allowed = ("--allow", "https://graph.microsoft.com/Mail.Read")
    [refused, given] = answers(signed_in("run", *allowed, "--", *asking(vault, graph)))
    assert refused[0] == 400
    # The permission was not consented to, and nobody is asked.
    assert given[0] == 400 and "sign in" in given[1]["message"].lower(), given
    assert f"Run 'entrancectl sign-in --scope {allowed[1]}'." in given[1]["message"]


@pytest.mark.parametrize("request_, status", [
    ({"fields": {"X-IDENTITY-HEADER": "0" * 52}}, 401),
    ({"fields": {"X-IDENTITY-HEADER": None}}, 401),
    ({"fields": {"Host": "rebound.example"}}, 403),
    ({"path": "/metadata/identity/oauth2/token"}, 404),
    ({"method": "POST"}, 405),
    ({"query": QUERY | {"api-version": "2017-09-01"}}, 400),
    ({"query": {"api-version": VERSION}}, 400),
], ids=["secret", "no-secret", "host", "path", "method", "version", "no-resource"])
def test_another_request_gets_nothing(signed_in, request_, status):
    [[answered, answer]] = answers(signed_in("run", "--", *asking({"query": QUERY} | request_)))
    assert answered == status
    assert answer["statusCode"] == status and answer["message"] and "access_token" not in answer


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be another user")
def test_another_user_gets_nothing(signed_in):
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    [[status, _]] = answers(signed_in("run", "--", *other, *asking({"query": QUERY})))
    assert status == 403


def test_two_programs_ask_at_once(signed_in):
    script = 'cd "$1"; shift; "$@" > a & "$@" > b & wait; cat a b'
    home = signed_in.environment["HOME"]
    result = signed_in.ok("run", "--", "sh", "-c", script, "sh", home, *asking({"query": QUERY}))
    first, second = (json.loads(line) for line in result.out.splitlines())
    assert first == second and first[0][0] == 200


def test_after_a_sign_out_the_program_is_told(signed_in):
    script = '"$1" sign-out >&2; shift; "$@"'
    result = signed_in(
        "run", "--", "sh", "-c", script, "sh", str(signed_in.program), *asking({"query": QUERY}))
    [[status, answer]] = answers(result)
    assert status == 400 and "access_token" not in answer
    assert "sign in" in answer["message"].lower(), answer


def test_the_endpoint_ends_with_the_program(signed_in):
    """Also for what the program leaves behind."""
    result = signed_in.ok("run", "--", "sh", "-c", "sleep 60 > /dev/null 2>&1 & echo $IDENTITY_ENDPOINT")
    port = int(result.out.split(":")[2].split("/")[0])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_it_ends_with_the_program_while_a_token_is_awaited(signed_in, emulator):
    """A token service is waited for 5 seconds at most, because of what it may have renewed."""
    route = "/{tenant}/oauth2/v2.0/token"
    emulator.delay(route, 60_000)
    before = emulator.counts()["POST " + route]
    # The program ends when it is told, and leaves behind another one that asks.
    process = signed_in.start(
        "run", "--allow", f"{GRAPH}/Mail.Read", "--", "sh", "-c", '"$@" > /dev/null 2>&1 & read line',
        "sh", *asking({"query": QUERY}))
    wait_for(lambda: emulator.counts()["POST " + route] > before, "the request to arrive")
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.wait(20) == 0
    signed_in.finish(process)


def test_a_variable_has_a_token(signed_in):
    token = signed_in.ok("token").out
    result = signed_in.ok(
        "run", "--env", "PGPASSWORD=User.Read", "--", "sh", "-c", 'echo "$PGPASSWORD"')
    assert result.out == token
    for wrong in ("PGPASSWORD", "=User.Read", "1A=User.Read", "A B=User.Read", "A="):
        assert signed_in("run", "--env", wrong, "--", "true").status == 64, wrong


@pytest.mark.parametrize("name", [
    "PATH", "HOME", "LD_PRELOAD", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "IDENTITY_SERVER_THUMBPRINT",
    "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET", "ENTRANCE_RUN_PORT", "NO_PROXY", "no_proxy"])
def test_a_variable_that_the_program_needs_stays_its_own(signed_in, name):
    result = signed_in("run", "--env", f"{name}=User.Read", "--", "echo", "started")
    assert result.status == 64 and result.out == ""
    assert "The value of --env cannot be used." in result.err and f"“{name}”" in result.err


@pytest.mark.parametrize("name", ["IDENTITY_TOKEN", "IDENTITY_HEADERS", "MSI_TOKEN", "ENTRANCE_TOKEN"])
def test_a_variable_that_only_begins_like_one_of_run_has_a_token(signed_in, name):
    result = signed_in.ok("run", "--env", f"{name}=User.Read", "--", "sh", "-c", f'echo "${name}"')
    assert result.out == signed_in.ok("token").out


def test_a_program_does_not_see_the_managed_identity_around_it(signed_in):
    removed = ("IDENTITY_SERVER_THUMBPRINT", "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET")
    signed_in.environment |= dict.fromkeys(removed, "of before")
    names = {line.partition("=")[0] for line in signed_in.ok("run", "--", "env").out.splitlines()}
    assert not names & set(removed)
    assert {"IDENTITY_ENDPOINT", "IDENTITY_HEADER", "ENTRANCE_RUN_PORT"} <= names


@pytest.mark.parametrize("option, scope", [
    ("--allow", ""), ("--allow", "User.Read Mail.Read"), ("--env", "TOKEN=User.Read Mail.Read")])
def test_a_scope_that_cannot_be_requested_starts_nothing(signed_in, option, scope):
    """As with --scope of the other commands."""
    result = signed_in("run", option, scope, "--", "echo", "started")
    assert result.status == 64 and result.out == ""
    assert f"The value of {option} cannot be used." in result.err


def test_no_token_is_in_an_argument_or_in_this_programs_environment(signed_in):
    token = signed_in.ok("token").out.strip()
    script = (
        "for file in /proc/$PPID/cmdline /proc/$PPID/environ /proc/$$/cmdline; do cat $file; done;"
        " ls -l /proc/$$/fd")
    seen = subprocess.run(
        [signed_in.program, "run", "--env", "TOKEN=User.Read", "--", "sh", "-c", script],
        env=signed_in.environment, capture_output=True, start_new_session=True, timeout=60).stdout
    assert b"entrancectl" in seen and token.encode() not in seen
    assert b"IDENTITY_HEADER" not in seen
    assert b"socket:" not in seen, "the program has no files of entrancectl's"


# Azure's developer credential, which runs azd


AZD = "azd auth token --output json --no-prompt --scope"


def azd(signed_in, command: str, *allowed: str):
    """What a shell says that `entrancectl run` runs, and that runs azd."""
    options = [word for scope in allowed for word in ("--allow", scope)]
    return signed_in("run", *options, "--", "sh", "-c", command)


def test_the_developer_credential_gets_a_token_of_the_account(signed_in):
    program = (
        "from azure.identity import AzureDeveloperCliCredential\n"
        "credential = AzureDeveloperCliCredential(process_timeout=60)\n"
        f"print(credential.get_token_info('{GRAPH}/.default').token)\n")
    token = signed_in.ok("token").out
    assert signed_in.ok("run", "--", str(PYTHON), "-c", program).out == token


def test_azd_gets_only_what_is_allowed(signed_in):
    token = signed_in.ok("token", "--json").json
    for scope in (f"{GRAPH}/.default", f"{GRAPH}//.default", "User.Read"):
        given = azd(signed_in, f"{AZD} {scope}")
        assert given.status == 0, given
        assert given.json == {"token": token["accessToken"], "expiresOn": token["expiresOn"]}
    assert azd(signed_in, f"{AZD} {GRAPH}/User.Read").json["token"].startswith("eyJ")
    for scope in ("https://vault.azure.net/.default", f"{GRAPH}/Mail.Read", "Mail.Read --scope User.Read"):
        refused = azd(signed_in, f"{AZD} {scope}")
        assert refused.status == os.EX_CONFIG and not refused.out, refused
        assert f"add '--allow {scope.split()[0]}' to entrancectl run." in refused.err
    allowed = azd(signed_in, f"{AZD} User.Read", f"{GRAPH}/.default")
    assert allowed.status == 0 and allowed.json["token"].startswith("eyJ")


def test_azd_gets_a_token_of_a_tenant_with_claims(signed_in):
    tenant = signed_in.ok("token", "--json").json["tenantID"]
    wanted = base64.b64encode(b'{"access_token": {"xms_cc": {"values": ["cp2"]}}}').decode()
    token = azd(signed_in, f"{AZD} User.Read --tenant-id {tenant} --claims {wanted}").json["token"]
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["tid"] == tenant and "cp2" in claims["xms_cc"]
    refused = azd(signed_in, f"{AZD} User.Read --claims nonsense")
    assert refused.status == os.EX_USAGE and "--claims" in refused.err


def test_azd_is_told_why_there_is_no_token(signed_in):
    script = f'"$1" sign-out >&2; {AZD} User.Read'
    result = signed_in("run", "--", "sh", "-c", script, "sh", str(signed_in.program))
    assert result.status == os.EX_NOPERM and not result.out
    assert "sign in" in result.err.lower() and "azd auth login" not in result.err
    assert "This account is not signed in. Sign in: 'entrancectl sign-in'." in result.err


def test_azd_is_told_that_a_scope_is_missing(signed_in):
    result = azd(signed_in, "azd auth token --output json --no-prompt")
    assert result.status == os.EX_USAGE and not result.out
    assert "--scope" in result.err and "resource" not in result.err


def test_azd_gets_nothing_after_its_program(signed_in, home):
    """It is left behind, with all variables, and knows the secret."""
    script = (
        "while kill -0 $0 2> error; do sleep 0.1; done;"
        f" {AZD} User.Read > answer 2> error; echo $? > status")
    signed_in.ok(
        "run", "--", "sh", "-c", 'cd "$1"; sh -c "$2" $PPID > /dev/null 2>&1 &', "sh", str(home), script)
    wait_for(lambda: (home / "status").exists() and (home / "status").read_text(), "the end of azd")
    assert ((home / "status").read_text(), (home / "answer").read_text()) == ("1\n", "")
    error = (home / "error").read_text()
    assert "'entrancectl run', which started this program, does not answer." in error
    assert "If it has ended, start the program with 'entrancectl run' again." in error


@pytest.mark.parametrize("answer", [
    '{"access_token": "x", "expires_on": "9223372036854775807"}', '{"access_token": "x", "expires_on": -1}',
    '{"access_token": "x"}', '{"expires_on": "1"}', "[]", "{}", "not JSON"])
def test_what_another_program_answers_at_the_port_of_one_that_ended_is_not_taken(cli, answer):
    with socket.create_server(("127.0.0.1", 0)) as server:
        cli.environment |= {"ENTRANCE_RUN_PORT": str(server.getsockname()[1]), "IDENTITY_HEADER": "of before"}
        process = cli.start("credential", "azd", "--scope", "User.Read")
        server.settimeout(60)
        connection, _ = server.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(f"HTTP/1.1 200 OK\r\n\r\n{answer}".encode())
        result = cli.finish(process)
    assert result.status == 1 and result.out == "", result
    assert "does not answer" in result.err and "'entrancectl run' again" in result.err


def test_an_azd_of_the_person_comes_first(signed_in, home):
    own = home / "own" / "azd"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\necho own\n")
    own.chmod(0o755)
    before = signed_in.environment["PATH"]
    assert azd(signed_in, "echo $PATH").out.startswith(f"{before}:")
    signed_in.environment["PATH"] = f"{before}:{own.parent}"
    assert azd(signed_in, f"{AZD} User.Read").out == "own\n"


# In the program's place


def test_the_status_is_the_programs(signed_in):
    assert signed_in("run", "--", "sh", "-c", "exit 7").status == 7
    assert signed_in("run", "--", "sh", "-c", "kill -TERM $$").status == -signal.SIGTERM
    missing = signed_in("run", "--", "/no/such/program")
    assert missing.status == 127
    assert missing.err == "entrancectl: There is no program “/no/such/program”.\n"
    assert signed_in("run", "--", "/").status == 126
    assert signed_in("run").status == 64
    assert signed_in("run", "--").status == 64


def test_input_output_and_options_are_the_programs(signed_in):
    result = signed_in.ok("run", "--", "sh", "-c", 'cat; echo "$@" >&2', "sh", "--json", "-h", input="text")
    assert result.out == "text" and result.err == "--json -h\n"


@pytest.mark.parametrize("number", [
    signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
    signal.SIGWINCH])
def test_signals_are_passed_on(signed_in, number):
    program = (
        "import signal, sys\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit(9))\n"
        "print('ready', flush=True)\n"
        "while True: signal.pause()\n")
    process = signed_in.start("run", "--", sys.executable, "-c", program)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert signed_in.finish(process).status == 9


def test_a_signal_before_the_program_starts_ends_the_command(signed_in):
    """It is held up where it notes that the program got a token: others note something, too.

    It goes on after a second, so that the signal can be too late.
    """
    lock = Path(signed_in.environment["XDG_RUNTIME_DIR"], "entrance", "programs.lock")
    lock.parent.mkdir(mode=0o700, exist_ok=True)
    libc = ctypes.CDLL(None, use_errno=True)
    with lock.open("a") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        for _ in range(5):
            # inotify(7): IN_OPEN
            events = libc.inotify_init()
            try:
                assert libc.inotify_add_watch(events, os.fsencode(lock), 0x20) >= 0
                process = signed_in.start("run", "--env", "TOKEN=User.Read", "--", "echo", "started")
                assert select.select([events], [], [], 30)[0], "it waits for the lock"
                process.send_signal(signal.SIGTERM)
                result = signed_in.finish(process)
            finally:
                os.close(events)
            if result.out != "started\n":
                break
    assert (result.status, result.out) == (-signal.SIGTERM, ""), result


def test_an_interrupt_of_the_terminal_comes_once(signed_in, home):
    """Also when standard error is no terminal: a second one would end a program that cleans up."""
    program = home / "program.py"
    program.write_text(
        "import signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "open('/dev/tty', 'w').write('ready')\n"
        "signal.sigwait([signal.SIGINT])\n"
        "sys.exit(3 if signal.sigtimedwait([signal.SIGINT], 1) is None else 4)\n")
    shell = SimpleNamespace(program="/bin/sh", environment=signed_in.environment)
    command = f"exec {signed_in.program} run -- {sys.executable} {program} 2>{home}/errors"
    terminal = Terminal(shell, "-c", command)
    terminal.wait_for("ready")
    terminal.interrupt()
    assert terminal.finish().status == 3


def test_an_ignored_signal_stays_ignored(signed_in):
    """As nohup(1) has it."""
    program = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, flush=True); input()"
    process = signed_in.start(
        "run", "--", sys.executable, "-c", program,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert process.stdout.readline() == "True\n"
    process.send_signal(signal.SIGHUP)
    assert signed_in.finish(process, "\n").status == 0


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR1, signal.SIGALRM])
def test_any_ignored_signal_is_ignored_by_the_program(signed_in, number):
    """exec(3) passes on which are ignored; proc(5) shows them."""
    def ignored(**options) -> int:
        process = signed_in.start("run", "--", "grep", "SigIgn", "/proc/self/status", **options)
        return int(signed_in.finish(process).out.split()[1], 16)

    bit = 1 << (number - 1)
    assert ignored() & bit == 0
    assert ignored(preexec_fn=lambda: signal.signal(number, signal.SIG_IGN)) & bit == bit


def test_bytes_that_are_no_text_are_passed_on(signed_in):
    """Neither arguments nor variables have to be UTF-8."""
    program = (
        "import os, sys\n"
        "os.write(1, os.fsencode(sys.argv[1]) + b' ' + os.environb[b'LATIN'] + b'\\n')\n")
    environment = {os.fsencode(name): os.fsencode(value) for name, value in signed_in.environment.items()}
    result = subprocess.run(
        [os.fsencode(signed_in.program), b"run", b"--", os.fsencode(sys.executable), b"-c",
         program.encode(), b"caf\xe9.txt"],
        env=environment | {b"LATIN": b"\xe9"}, stdout=subprocess.PIPE, timeout=60, start_new_session=True)
    assert (result.returncode, result.stdout) == (0, b"caf\xe9.txt \xe9\n")


def test_the_environment_is_the_callers(signed_in, home):
    """Also what entrancectl itself must not use."""
    variables = {"SSLKEYLOGFILE": str(home / "keys"), "CURL_HOME": str(home), "SECRET_BACKEND": "file"}
    signed_in.environment |= variables
    result = signed_in.ok("run", "--", "sh", "-c", 'echo "$SSLKEYLOGFILE $CURL_HOME $SECRET_BACKEND"')
    assert result.out == " ".join(variables.values()) + "\n"
    assert not (home / "keys").exists()


def test_files_and_the_mask_for_new_files_are_those_of_the_caller(signed_in, home):
    with open(home / "text", "w+") as file:
        file.write("text")
        file.flush()
        process = signed_in.start(
            "run", "--", "sh", "-c", f"umask; cat /proc/self/fd/{file.fileno()}",
            pass_fds=[file.fileno()], umask=0o026)
        file.seek(0)
        assert signed_in.finish(process).out == "0026\ntext"


@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
def test_a_proxy_is_not_asked_for_the_token(signed_in, variable):
    signed_in.environment |= {variable: "http://127.0.0.1:1", "no_proxy": "intranet.example"}
    program = (
        "import os, requests\n"
        "query = {'resource': '" + GRAPH + "', 'api-version': '" + VERSION + "'}\n"
        "fields = {'X-IDENTITY-HEADER': os.environ['IDENTITY_HEADER']}\n"
        "answer = requests.get(os.environ['IDENTITY_ENDPOINT'], query, headers=fields)\n"
        "print(answer.status_code, os.environ['no_proxy'] == os.environ['NO_PROXY'], os.environ['no_proxy'])\n")
    result = signed_in.ok("run", "--", str(PYTHON), "-c", program)
    assert result.out == "200 True intranet.example,127.0.0.1,localhost\n"


def test_the_option_with_the_wrong_scope_is_named(signed_in, emulator):
    emulator.prepare_token_reply(400, UNKNOWN_RESOURCE)
    result = signed_in("run", "--env", "TOKEN=https://nowhere.example/.default", "--", "true")
    assert result.status == 64 and "The value of --env cannot be used." in result.err


def test_nobody_is_signed_in(cli, keyring):
    result = cli("run", "--", "true")
    assert result.status == 77 and "No account is signed in." in result.err
