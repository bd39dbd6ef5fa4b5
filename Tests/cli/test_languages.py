"""Output for users is in their language, and output for programs is the same in all languages."""

import gettext
import json
import os
import re
import subprocess

import pytest

from keyring import Keyring
from languages import locale, outside_brackets, put_in_brackets
from terminal import Terminal

# swift-argument-parser's own texts, in English only.
PARSERS = [
    "OVERVIEW:", "USAGE:", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:", "Show the version.",
    "Show help information.", "See 'entrancectl help <subcommand>' for detailed help.",
    "Error:", "Help:", "Usage:", "--help' for more information.", "See 'entrancectl",
    "The value 'nonsense' is invalid for", "<options>", "<subcommand>", "<subcommands>",
    "(default)",
]


@pytest.fixture
def brackets(cli, stage, home):
    """The command line with a catalog that puts every template in brackets."""
    put_in_brackets(stage, home / "programs" / "locale", "eo")
    cli.environment |= {"LANGUAGE": "eo", "ENTRANCE_DATADIR": str(home / "programs")}
    return cli


@pytest.fixture
def german(cli, home):
    cli.environment |= locale(home / "locales", "de_DE")
    return cli


def not_translated(result, *data: str) -> list[str]:
    """What a command has printed that is neither in brackets nor part of `data`."""
    # The marks of lines, and the program's name.
    text = re.sub(r"^ *(entrancectl:|[✓✗!–→])", "", outside_brackets(result.out + result.err), flags=re.M)
    for word in sorted(data, key=len, reverse=True):
        text = text.replace(word, "")
    return text.split()


COMMANDS = {
    "": ["sign-in", "token", "accounts", "sign-out", "cache", "graph", "http", "run", "credential",
         "device", "doctor", "explain", "app", "programs"],
    "sign-in": ["--browser", "--device-code", "--scope", "--account", "--prompt"],
    "token": [
        "--account", "--scope", "--no-input", "--force-refresh", "--format", "--min-lifetime", "decode"],
    "token decode": [],
    "programs": ["list", "allow", "deny", "forget", "program-access,"],
    "programs list": [],
    "programs allow": [],
    "programs deny": [],
    "programs forget": ["--all"],
    "accounts": [],
    "sign-out": ["--account", "--browser"],
    "cache": ["show", "export", "import"],
    "cache show": [],
    "cache export": ["-o,", "--output", "--force", "--terminal"],
    "cache import": ["--from"],
    "graph": ["request", "upload", "batch", "delta", "explain"],
    "graph request": [
        "-X,", "--method", "-H,", "--header", "-d,", "--body", "--account", "--scope", "--query",
        "-i,", "--include", "-o,", "--output", "--force", "--all", "--paginate", "--table", "--csv",
        "--jsonpath", "--record", "--replay", "--no-input", "--wait"],
    "graph upload": ["--account", "--scope", "--conflict", "--record", "--replay", "--no-input"],
    "graph batch": ["--account", "--scope", "--record", "--replay", "--no-input"],
    "graph delta": ["--account", "--scope", "--state", "--record", "--replay", "--no-input"],
    "graph explain": ["--account"],
    "app": ["list", "create", "add", "check", "remove"],
    "app list": ["--app"],
    "app create": ["--account", "--no-input"],
    "app add": [
        "--client-id", "--name", "--api", "--authority", "--ca-file", "--kind", "--scope", "'az", "ad", "app", "show'", "'-'",
        "/etc/xdg/entrance/apps.json.", "apps.json,"],
    "app check": [],
    "app remove": [],
    "explain": ["AADSTS", "az,", "git,", "kubectl", "-", "50076."],
    "run": ["--account", "--no-input", "--allow", "--env", "--"],
    "http": ["send", "import"],
    "http import": ["-o,", "--output", "--force"],
    "http send": [
        "--account", "--scope", "--record", "--replay", "--no-input", "-i,", "--include", "-o,", "--output", "--force",
        "--all", "--paginate", "--jsonpath", "--table", "--csv", "--wait", "--variable", "--allow-host"],
    "credential": ["git,", "git", "kubectl", "docker", "azd"],
    "credential azd": [
        "--account", "--scope", "--no-input", "--min-lifetime", "-o,", "--output", "--no-prompt", "--tenant-id",
        "--claims"],
    "credential docker": [
        "--account", "--scope", "--no-input", "~/.docker/config.json,", "'credHelpers'", "'entrance'.", "docker",
        "get,", "store,", "erase", "list."],
    "credential git": ["--account", "--scope", "--no-input"],
    "credential kubectl": ["--account", "--scope", "--no-input"],
    "device": [],
    "doctor": [],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_help(brackets, command):
    result = brackets.ok("help", *command.split())
    left = not_translated(
        result, *PARSERS, f"See 'entrancectl help {command} <subcommand>' for detailed help.",
        f"entrancectl {command}".strip(), "--json", "--app",
        "--passphrase-file", "--version", "-h, --help", "/", "...", *COMMANDS[command])
    assert set(left) <= {"<>"}, "values have no other names"


def test_signing_in_and_out(brackets, keyring, person, emulator):
    """Commands with an effect, and the last page of a sign-in."""
    name = "adele@contoso.example"
    assert not_translated(brackets.ok("accounts")) == []
    process = brackets.start("sign-in", "--device-code")
    words = process.stderr.readline()
    assert words.startswith("[") and words.endswith("]\n")
    url, code = re.search(r"open (\S+) in a browser and enter the code (\S+)\.", words).groups()
    person.enter_code(url, code)
    assert not_translated(brackets.finish(process)) == []

    account = brackets.ok("accounts", "--json").json["accounts"][0]
    assert not_translated(
        brackets.ok("accounts"), name, account["homeAccountID"], account["name"]) == []
    assert brackets.ok("token").out.startswith("eyJ")
    assert not_translated(brackets("token", "--scope", "Mail.Read")) == []
    assert json.loads(brackets.ok("graph", "/me").out)["displayName"] == "Adele Vance"
    assert not_translated(brackets("graph", "/nothing")) == []
    assert not_translated(brackets.ok("device")) == []
    assert not_translated(brackets.ok("cache", "show"), name) == []

    assert not_translated(brackets.ok("sign-in")) == []
    page = person.pages[-1]["text"]
    assert '<html lang="eo" dir="auto">' in page
    assert "<h1>[You can close this page]</h1>" in page and "<p>[Return to the app" in page
    assert not_translated(brackets.ok("sign-out", "--browser")) == []


def test_doctor(brackets, keyring, emulator):
    for _ in range(2):
        assert not_translated(brackets("doctor")) == []
        # The second time, everything has failed.
        emulator.stop()
        brackets.connections.unlink(missing_ok=True)
        brackets.environment |= {
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "PATH": "/nonexistent",
            "https_proxy": "http://127.0.0.1:9", "no_proxy": "example.com"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["graph", "-X", "nonsense", "/me"],
        ["graph", "-H", "nonsense", "/me"],
        ["sign-in", "--prompt", "nonsense"],
        ["sign-in", "--device-code", "--account", "x"],
        ["cache", "import", "--from", "nonsense"],
        ["cache", "import", "--from", "az", "x"],
    ])
def test_usage_errors(brackets, arguments):
    result = brackets(*arguments)
    assert result.status == 64
    # The error is followed by the usage, which is the parser's except for the names of values.
    result.err = result.err.partition("\nUsage:")[0]
    options = ["-X <>", "-H <>", "--prompt <>", "--from <>"]
    assert not_translated(result, *PARSERS, *(f"'{option}':" for option in options), *options) == []


def test_failures(brackets, keyring, home):
    broken = home / "broken.json"
    broken.write_text('{"Account": 1,}')
    for arguments in (
        ["token"], ["accounts", "--app", "Fabrikam"], ["cache", "import", "--from", "az"],
        ["cache", "import", str(broken)], ["cache", "import", "/nonexistent"],
        ["http", "import", str(broken)],
        ["graph", "-d", "@/nonexistent", "/me"], ["sign-in"], ["sign-out"],
        ["accounts", "--passphrase-file", "/nonexistent"],
    ):
        result = brackets(*arguments)
        assert not_translated(result) == [], arguments
    brackets.write_connections('{"version": 1, "apps": [\n  {"name": "A",\n   "clientId": "x"}]}')
    assert not_translated(brackets("accounts")) == []
    brackets.write_connections('{"version": 1, "apps": ]}')
    assert not_translated(brackets("accounts")) == []


def test_prompts(brackets, person, home):
    """At a terminal, without a keyring."""
    brackets.environment |= {
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/none", "XDG_RUNTIME_DIR": str(home)}
    terminal = Terminal(brackets, "sign-in")
    terminal.answer("[New passphrase:] ", "correct horse")
    terminal.answer("[Confirm the passphrase:] ", "correct hors")
    terminal.wait_for("[The passphrases do not match.]")
    terminal.answer("[New passphrase:] ", "correct horse")
    terminal.answer("[Confirm the passphrase:] ", "correct horse")
    assert not_translated(terminal.finish()) == []
    terminal = Terminal(brackets, "accounts")
    terminal.answer("[Passphrase of the encrypted accounts:] ", "wrong")
    terminal.wait_for("[This is not the passphrase")
    terminal.kill()


def test_json_is_english(brackets, keyring, person):
    """JSON and exit statuses are the same in every language."""
    brackets.ok("sign-in")
    commands = [
        ["accounts"], ["cache", "show"], ["device"], ["doctor"], ["token", "--scope", "Mail.Read"],
        ["graph", "/nothing"], ["accounts", "--app", "x"], ["graph", "-X", "nonsense", "/me"],
        ["cache", "import", "/nonexistent"], ["cache", "export", "-o", "/nonexistent/file"]]

    def results() -> list:
        results = [brackets(*command, "--json") for command in commands]
        # These differ from run to run.
        varying = (
            r'"(requestID|clientRequestID|correlationID|server|date|(client-)?request-id)": "[^"]*"|\(\d+ ms\)')
        return [(result.status, re.sub(varying, "", result.out), result.err) for result in results]

    theirs = results()
    brackets.environment["LANGUAGE"] = ""
    assert theirs == results()


def test_german(german, keyring):
    assert german.ok("accounts").err == "Es ist kein Konto angemeldet.\n"
    unknown = german("accounts", "--app", "Fabrikam")
    assert unknown.err == (
        "entrancectl: Der Wert von --app kann nicht verwendet werden. Es gibt keine App namens „Fabrikam“.\nZur Wahl stehen: Contoso.\n")
    assert "✓ Der Schlüsselbund ist verfügbar und entsperrt\n" in german("doctor").out
    assert german.ok("--help").out.startswith(
        "OVERVIEW: Bei Microsoft anmelden, Token holen und Microsoft Graph aufrufen.\n")


def test_system_messages(german):
    """They are translated by the system, if its translations are installed."""
    system = gettext.translation("libc", languages=["de"], fallback=True)
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [german.program, "--help"], env=german.environment, stdout=full, stderr=subprocess.PIPE, text=True)
    reason = system.gettext("No space left on device")
    assert f"Die Standardausgabe konnte nicht geschrieben werden: {reason}." in result.stderr


@pytest.mark.parametrize("variables", [
    {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "LOCPATH": "/nonexistent"},
    {"LC_ALL": "xx_YY.nonsense"}, {"LC_ALL": "C", "LANGUAGE": "de"},
    {"LC_ALL": "", "LANG": "zz"}, {"LANGUAGE": "zz:%:/../.."}])
def test_missing_locale(cli, keyring, variables):
    cli.environment |= variables
    assert cli.ok("accounts").err == "No account is signed in.\n"
    assert cli.ok("--help").out.startswith("OVERVIEW: Sign in with Microsoft")


def test_locale_with_another_character_set(german, home, keyring):
    """All output is in UTF-8, as in English."""
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", str(home / "locales" / "de_DE")], check=True)
    german.environment["LC_ALL"] = "de_DE"
    assert "ü" in german("doctor").out


@pytest.mark.parametrize("answer,agrees", [("si", True), ("SÍ", True), ("sip", False), ("", False)])
def test_yes_in_the_users_language(answer, agrees, person, session, home):
    """With or without its accents. Nobody can answer the keyring's own question here."""
    keyring = Keyring(session, home)
    keyring.start(unlocked=False)
    person.cli.environment |= locale(home / "locales", "es_ES")
    try:
        terminal = Terminal(person.cli, "sign-in", "--json")
        terminal.wait_for("[s/N] ")
        os.write(terminal.file, f"{answer}\n".encode())
        if not agrees:
            terminal.wait_for("Frase de paso nueva: ")
            terminal.interrupt()
        assert json.loads(terminal.finish().out)["error"]["code"] == (
            "storageUnavailable" if agrees else "userCanceled")
    finally:
        keyring.stop()
