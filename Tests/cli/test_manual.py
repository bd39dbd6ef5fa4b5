"""The manual page and the completions list all commands and options, and no others."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

manual = Path(__file__).parent.parent.parent / "data" / "entrancectl.1"


@pytest.fixture
def commands(cli) -> list[dict]:
    root = json.loads(cli.ok("--experimental-dump-help").out)["command"]
    return [command for command in root["subcommands"] if command["commandName"] != "help"]


def options(command: dict) -> set[str]:
    return {
        ("--" if name["kind"] == "long" else "-") + name["name"]
        for part in [command, *command.get("subcommands", [])]
        for argument in part.get("arguments", [])
        for name in argument.get("names", [])
    } - {"--help", "-h", "--version"}


def test_commands(commands):
    text = manual.read_text().replace("\\-", "-")
    described = set(re.findall(r'^\.SS "entrancectl ([a-z-]+)', text, re.M))
    assert described == {command["commandName"] for command in commands}
    for command in commands:
        described = set(re.findall(rf'^\.SS "entrancectl {command["commandName"]} ([a-z]+)', text, re.M))
        assert described == {
            part["commandName"] for part in command.get("subcommands", [])}


def test_options(commands):
    text = manual.read_text().replace("\\-", "-")
    described = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", text)) - {"--help", "--version"}
    known = set().union(*(options(command) for command in commands))
    assert known - described == set(), "undocumented"
    assert described - known == set(), "documented, but missing"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(cli, commands, shell):
    script = cli.ok("--generate-completion-script", shell).out
    for command in commands:
        assert command["commandName"] in script
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=script, text=True, check=True, timeout=30)
