"""Each command that a sentence of the programs advises can be used as it is written."""

import json
import re
import shlex
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent.parent / "Sources"
# An ID that is no placeholder.
VALUE = "11111111-2222-3333-4444-555555555555"


def advised() -> set[str]:
    """The commands in the sentences, with values in place of what differs."""
    found = set()
    for file in SOURCES.rglob("*.swift"):
        lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("//")]
        # A sentence can be in several literals.
        text = re.sub(r'"\s*\+\s*"', "", "\n".join(lines))
        found |= set(re.findall(r"['“](entrancectl [a-z][^'”\"\\\n]*)['”]", text))
        found |= {f"entrancectl {command} --app x" for command in re.findall(r'signIn\.other\("([^"]+)"', text)}
    return {re.sub(r"\{\w+\}", "x", command) for command in found if "…" not in command}


def problem(words: list[str], command: dict) -> str | None:
    """What the parser would refuse; nil for the name of a command alone, which a sentence may only mention."""
    parts = {part["commandName"]: part for part in command.get("subcommands", [])}
    while words and words[0] in parts:
        command = parts[words.pop(0)]
        parts = {part["commandName"]: part for part in command.get("subcommands", [])}
    if not words:
        return None
    if default := command.get("defaultSubcommand"):
        command = parts[default]
    elif parts and not words[0].startswith("-"):
        return f"{words[0]} is no subcommand"
    arguments = command.get("arguments", [])
    options = {
        ("--" if name["kind"] == "long" else "-") + name["name"]: argument
        for argument in arguments for name in argument.get("names") or []}
    values = []
    while words:
        name, equals, _ = words.pop(0).partition("=")
        if name == "-" or not name.startswith("-"):
            values.append(name)
        elif name not in options:
            return f"{name} is no option"
        elif options[name]["kind"] == "option" and not equals and (not words or words.pop(0).startswith("-")):
            return f"{name} has no value"
    places = [argument for argument in arguments if argument["kind"] == "positional"]
    if len(values) > len(places) and not any(place["isRepeating"] for place in places):
        return f"{values[-1]} is one argument too many"
    needed = [place["valueName"] for place in places if not place["isOptional"]]
    return f"{needed[len(values)]} is missing" if len(values) < len(needed) else None


@pytest.fixture
def root(cli) -> dict:
    return json.loads(cli.ok("--experimental-dump-help").out)["command"]


def test_advised_commands_are_understood(root):
    commands = advised()
    assert len(commands) > 20, commands
    for command in commands:
        for part in command.split(" | "):
            program, *words = shlex.split(part)
            if program == "entrancectl":
                assert problem(words, root) is None, command


@pytest.mark.parametrize("command, expected", [
    ("graph /me", None), ("graph", None), ("app add --client-id ID --name=-x", None),
    ("credential gti get", "gti is no subcommand"), ("doctor --all", "--all is no option"),
    ("token --app", "--app has no value"), ("accounts x", "x is one argument too many"),
    ("programs allow --json", "program is missing"),
])
def test_what_the_parser_would_refuse_is_found(root, command, expected):
    assert problem(shlex.split(command), root) == expected


def command_in(text: str) -> list[str]:
    """The arguments of the first command in a text, with an ID and an organization."""
    words = shlex.split(re.search(r"'entrancectl (app add .*?)'(?=[.,;])", text)[1])
    return [word.replace("ORGANIZATION", "contoso.example") if word != "ID" else VALUE for word in words]


@pytest.mark.parametrize("program, service", [
    ("git", "dev.azure.com"), ("docker", "contoso.azurecr.io"), ("docker", "contoso.azurecr.us"),
    ("docker", "contoso.azurecr.cn")])
def test_the_app_that_a_service_lacks_is_added_by_the_advised_command(cli, keyring, program, service):
    asked = f"protocol=https\nhost={service}\n\n" if program == "git" else f"{service}\n"
    refused = cli("credential", program, "get", input=asked)
    assert f"No app signs in with Microsoft Entra ID in the cloud of {service}." in refused.err
    cli.ok(*command_in(refused.err))
    # Somebody must sign in to it next.
    result = cli("credential", program, "get", input=asked)
    assert "No account is signed in." in result.err and "sign-in --app" in result.err, result


def test_advice_names_the_app_unless_it_is_the_first(signed_in, emulator):
    other = emulator.connection("-Contoso")
    signed_in.connect_to(emulator.connection("First"), other)
    for option, command in ((["--app=First"], "accounts"), (["--app=-Contoso"], "accounts --app=-Contoso")):
        error = signed_in("token", *option, "--account", "bram@contoso.example", "--json").error
        assert error["nextStep"].endswith(f"run 'entrancectl {command}'.")
        signed_in.ok(*shlex.split(command))
    emulator.stop()
    error = signed_in("token", "--app=-Contoso", "--force-refresh", "--json").error
    assert error["nextStep"].endswith("run 'entrancectl doctor --app=-Contoso'.")


@pytest.mark.parametrize("command", [
    ["token", "--scope", "Mail.Read"], ["graph", "--scope", "Mail.Read", "/me/messages"],
    ["credential", "azd", "--scope", "Mail.Read"], ["credential", "kubectl", "--scope", "Mail.Read"],
], ids=" ".join)
def test_a_permission_that_was_not_accepted_is_asked_for_by_the_advised_command(signed_in, command):
    refused = signed_in(*command)
    assert refused.status == 77, refused
    [advice] = re.findall(r"Run 'entrancectl (.*)'\.", refused.err)
    assert advice == "sign-in --scope Mail.Read"
    signed_in.ok(*shlex.split(advice))
    signed_in.ok(*command)


def test_a_first_sign_in_for_another_permission_is_no_dead_end(cli, keyring, person):
    """The permissions of the app were never accepted: there are two ways on, and each of them works."""
    cli.ok("sign-in", "--scope", "Mail.Read")
    messages = ("graph", "/me/messages?$top=1")
    step = cli(*messages, "--json").error["nextStep"]
    assert step.startswith("Run 'entrancectl sign-in'. ") and "name them with --scope" in step
    cli.ok(*messages, "--scope", "Mail.Read")
    cli.ok("sign-in")
    cli.ok("graph", "/me")


def test_advice_to_sign_in_again_names_the_app(signed_in, emulator):
    signed_in.connect_to(emulator.connection("First"), emulator.connection("Contoso"))
    emulator.revoke(emulator.adele)
    error = signed_in("token", "--app", "Contoso", "--force-refresh", "--json").error
    assert error["nextStep"] == "Run 'entrancectl sign-in --app Contoso'."
