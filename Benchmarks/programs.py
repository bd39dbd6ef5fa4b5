"""Gets a token that is there already by a new process, as scripts do: from entrancectl, Azure CLI and oidc-agent.

The emulator signs all of them in, and has ended when they are measured: nothing is renewed, and nothing asks a network.

usage: programs.py STAGE AZURE_CLI_PYTHON RUNS
"""

import contextlib
import json
import statistics
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from figures import in_turn, line, milliseconds, note, output

tests = Path(__file__).parent.parent / "Tests"
sys.path[:0] = [str(tests / "cli"), str(tests / "ui")]

from conftest import BusSession, CommandLine, Emulator, Keyring, Person  # noqa: E402
from waiting import wait_for  # noqa: E402

stage, azure_cli, runs = Path(sys.argv[1]).absolute(), sys.argv[2], int(sys.argv[3])

AZURE_CLI_ID = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
GRAPH = "https://graph.microsoft.com"

# What is measured: returns the milliseconds of one run.
Measurement = Callable[[], float]


def measurement(command: list, environment: dict[str, str], **options) -> Measurement:
    assert "eyJ" in output(*command, env=environment, **options), command
    return lambda: milliseconds(*command, env=environment, **options)


def directory(path: Path) -> Path:
    path.mkdir(parents=True, mode=0o700)
    return path


def az(person: Person, emulator: Emulator, config: Path) -> Measurement:
    """Azure CLI after a sign-in in the browser, started as Microsoft's own package does."""
    origin = emulator.description["authority"].removesuffix("/common")
    environment = person.environment | {
        "AZURE_CONFIG_DIR": str(config), "AZURE_CORE_COLLECT_TELEMETRY": "false",
        "AZURE_CORE_INSTANCE_DISCOVERY": "false", "REQUESTS_CA_BUNDLE": emulator.ca.name,
        # Without a desktop it uses no browser. It begins to listen when the browser's command has returned.
        "XDG_CURRENT_DESKTOP": "GNOME", "BROWSER": f"{tests / 'cli' / 'browser.py'} %s &"}

    def run(*arguments: str):
        output(azure_cli, "-m", "azure.cli", *arguments, "--only-show-errors", env=environment)

    run("cloud", "register", "--name", "emulator", "--skip-endpoint-discovery",
        "--endpoint-active-directory", origin, "--endpoint-active-directory-resource-id", GRAPH,
        "--endpoint-resource-manager", origin)
    run("cloud", "set", "--name", "emulator")
    tenant = json.loads(output(person.program, "token", "--json", env=person.environment))["tenantID"]
    run("login", "--tenant", tenant, "--skip-subscription-discovery", "--allow-no-subscriptions")
    return measurement(
        [azure_cli, "-m", "azure.cli", "account", "get-access-token", "--scope", f"{GRAPH}/User.Read",
         "--query", "accessToken", "--output", "tsv"], environment)


@contextlib.contextmanager
def issuer(token: str):
    """A provider that gives oidc-agent a token; its URL. The emulator refuses it as Entra ID would: the agent sends the
    ID of its client as a user name, also without a secret.
    """
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps({
                "issuer": url, "token_endpoint": f"{url}/token", "scopes_supported": ["openid"],
                "grant_types_supported": ["refresh_token"], "response_types_supported": ["code"],
                "access_token": token, "token_type": "Bearer", "expires_in": 3600}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield url
    server.shutdown()
    server.server_close()


def oidc_token(session: BusSession, home: Path, token: str) -> Measurement:
    """oidc-agent with an account, which has the token in memory."""
    socket = home / "socket"
    environment = session.environment(home) | {
        "OIDC_CONFIG_DIR": str(directory(home / "accounts")), "OIDC_SOCK": str(socket),
        "OIDC_ENCRYPTION_PW": "a password for benchmarks", "OIDC_REFRESH_TOKEN": "a refresh token"}
    session.spawn(["oidc-agent", "--console", "--quiet", "-a", str(socket)], env=environment)
    wait_for(socket.exists, "oidc-agent")
    with issuer(token) as url:
        output(
            "oidc-gen", "contoso", "--manual", "--issuer", url, "--client-id", "contoso", "--client-secret", "none",
            "--redirect-uri", "", "--scope", "openid", "--rt-env", "--pw-env", "--confirm-default", "--prompt", "none",
            env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return measurement(["oidc-token", "contoso"], environment)


def git(person: Person, emulator: Emulator, helper: str) -> Measurement:
    """git's question for a password, which a helper answers."""
    environment = person.environment | {
        "PATH": f"{stage / 'bin'}:{person.environment['PATH']}", "GIT_CONFIG_NOSYSTEM": "1"}
    return measurement(
        ["git", "-c", f"credential.helper={helper}", "credential", "fill"], environment,
        input=f"protocol=https\nhost={api_host(emulator)}\n\n")


def api_host(emulator: Emulator) -> str:
    return urllib.parse.urlsplit(emulator.description["graph"]).netloc


def main(session: BusSession):
    home = directory(session.directory / "home")
    keyring = Keyring(session, home).start()
    emulator = Emulator(session, stage).start("--client-id", AZURE_CLI_ID, "--redirect-uri", "http://localhost")
    people = {}
    for name in ("keyring", "files"):
        cli = CommandLine(session, stage, directory(home / name))
        people[name] = Person(cli, emulator, home / name)
        people[name].sits_down(emulator.adele.username)
    credentials = directory(home / "credentials")
    key = credentials / "entrance.store-key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o600)
    people["files"].environment["CREDENTIALS_DIRECTORY"] = str(credentials)
    config = home / "azure"
    shared = emulator.connection("Azure CLI") | {
        "clientID": AZURE_CLI_ID, "cache": {"path": str(config / "msal_token_cache.json")}}
    people["keyring"].connect_to(emulator.connection("Contoso"), shared)
    people["files"].connect_to(emulator.connection("Contoso"), storage="encryptedFile")
    for person in people.values():
        person.ok("sign-in", "--app", "Contoso")

    person = people["keyring"]
    token = output(person.program, "token", env=person.environment).strip()
    passwords = home / "passwords"
    passwords.write_text(f"https://entrance:{token}@{api_host(emulator)}\n")
    passwords.chmod(0o600)
    others = [
        az(person, emulator, config), oidc_token(session, directory(home / "agent"), token),
        git(person, emulator, "entrance"), git(person, emulator, f"store --file={passwords}")]
    ours = {
        "shared": measurement([person.program, "token", "--app", "Azure CLI"], person.environment),
        "files": measurement([person.program, "token"], people["files"].environment),
        "keyring": measurement([person.program, "token", "--app", "Contoso"], person.environment)}
    emulator.stop()
    *times, az_time, agent_time, helper_time, store_time = (
        statistics.median(taken) for taken in in_turn(runs, *ours.values(), *others))
    for name, time in zip(ours, times):
        line(f"programs-{name}", time, "az", az_time, "ms", 0.1)
        line(f"programs-{name}", time, "oidc-token", agent_time, "ms", 1)
        note(f"programs-{name}", time, "ms", 50)
    line("programs-git", helper_time, "git-credential-store", store_time, "ms")
    note("programs-git", helper_time, "ms", 50)
    keyring.stop()


session = BusSession()
try:
    main(session.start())
finally:
    session.close()
