"""The manual pages and the completions list all commands and options, and no others."""

import json
import re
import shlex
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


def test_fields_of_an_app():
    """The table of the README and the fields of the program are in the section APPS.JSON."""
    source = manual.parent.parent / "Sources" / "Connections" / "ConnectionFields.swift"
    known = re.findall(r'= ConnectionField<.+>\(\s*"(\w+)"', source.read_text())
    assert len(known) > 8
    section = manual.read_text().partition(".SH APPS.JSON\n")[2].partition("\n.SH ")[0]
    assert re.findall(r"^\.TP\n\.B (\w+)$", section, re.M) == known


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


DATA = manual.parent
# Of GLib's own options, the manual page has only the one that people need.
GLIB = {"--help-all", "--help-gapplication"}


def options_of(stage: Path, program: str) -> set[str]:
    text = subprocess.run(
        [str(stage / "bin" / program), "--help"], capture_output=True, text=True, check=True,
        timeout=30, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}).stdout
    return set(re.findall(r"--[a-z][a-z-]*", text))


def test_manual_of_the_app(stage):
    text = (DATA / "entrance.1").read_text().replace("\\-", "-")
    described = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert described == options_of(stage, "entrance") - GLIB


@pytest.mark.parametrize("program", ["entrance", "identity-emulator"])
@pytest.mark.parametrize("name, option, shell", (
    ("{}.bash", r"(?<![\w-])--[a-z][a-z-]*(?=[\s'])", "bash"),
    ("_{}", r"(?<![\w-])--[a-z][a-z-]*(?=[\[=}])", "zsh"),
    ("{}.fish", r"-l ([a-z-]+)", "fish"),
))
def test_completions_of_the_app_and_the_emulator(stage, program, name, option, shell):
    script = (DATA / "completions" / name.format(program)).read_text()
    found = {"--" + text.removeprefix("--") for text in re.findall(option, script)}
    assert found == options_of(stage, program)
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=script, text=True, check=True, timeout=30)


def test_bash_completes_the_app(stage):
    script = DATA / "completions" / "entrance.bash"
    words = subprocess.run(
        ["bash", "-c", f"source {script}; _entrance entrance --ne entrance; echo ${{COMPREPLY[*]}};"
         f" _entrance entrance '' --app; echo ${{#COMPREPLY[*]}}"],
        capture_output=True, text=True, check=True, timeout=30).stdout.split("\n")
    assert words[:2] == ["--new-window", "0"]


def completed(cli, stage, home, words: list[str]) -> list[str]:
    """What bash proposes for the last word."""
    script = cli.ok("--generate-completion-script", "bash").out
    line = " ".join(["entrancectl", *words])
    array = shlex.join(["entrancectl", *words])
    found = subprocess.run(
        ["bash", "-c",
         f"source /dev/stdin; COMP_WORDS=({array}); COMP_CWORD={len(words)}; COMP_LINE='{line}';"
         f" COMP_POINT={len(line)}; _entrancectl entrancectl '{words[-1]}' '{words[-2]}';"
         " printf '%s\\n' \"${COMPREPLY[@]}\""],
        input=script, capture_output=True, text=True, check=True, timeout=30, cwd=home,
        env=cli.environment | {"PATH": f"{stage}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}).stdout
    return [word for word in found.splitlines() if word]


@pytest.mark.parametrize("words, proposals", (
    (["graph", "request", "/me/mailF"], ["/me/mailFolders"]),
    (["graph", "request", "/v1.0/me/sendM"], []),
    (["graph", "request", "-X", "POST", "/me/sendM"], ["/me/sendMail"]),
    (["graph", "explain", "GET", "/users/1/joinedT"], ["/users/1/joinedTeams"]),
    (["graph", "explain", "PO"], ["POST"]),
    (["graph", "explain", "re"], ["requests.http"]),
    (["graph", "explain", "folder/"], ["folder/more.http"]),
    # A word that can be left out.
    (["graph", "/me/mailF"], ["/me/mailFolders"]),
    (["graph", "-X", "P"], ["POST", "PUT", "PATCH"]),
    (["graph", "-X", "POST", "/me/sendM"], ["/me/sendMail"]),
    (["graph", "up"], ["upload"]),
    (["http", "req"], ["requests.http"]),
    (["http", "im"], ["import"]),
    (["programs", "--js"], ["--json"]),
    # Names, operations and programs.
    (["token", "--app", "Con"], ["Contoso"]),
    (["app", "check", "Con"], ["Contoso"]),
    (["credential", "git", "e"], ["erase"]),
    (["credential", "docker", "l"], ["list"]),
    (["run", "--", "entrancect"], ["entrancectl"]),
    (["run", "--", "entrancectl", "fol"], ["folder/"]),
))
def test_bash_completes_paths_and_files(cli, stage, home, words, proposals):
    (home / "folder").mkdir()
    for name in ("requests.http", "readme.txt", "folder/more.http", "folder/none.txt"):
        (home / name).touch()
    assert completed(cli, stage, home, words) == proposals


def test_the_name_of_a_file_is_no_command_for_bash(cli, stage, home):
    """`compgen -W` expands its words."""
    name = "it's $(touch found).http"
    (home / name).touch()
    assert name in completed(cli, stage, home, ["graph", "explain", ""])
    assert not (home / "found").exists()


def test_fish_and_zsh_complete_short_forms(cli, stage, home):
    scripts = {shell: cli.ok("--generate-completion-script", shell).out for shell in ("fish", "zsh")}
    for command, usual in (("graph", "request"), ("http", "send"), ("programs", "list"), ("app", "list")):
        assert f"_entrancectl_{command}_{usual} && ret=0\n" in scripts["zsh"]
        assert f"set unparsed_tokens $unparsed_tokens[1] {usual} $unparsed_tokens[2..]\n" in scripts["fish"]
    script = home / "entrancectl.fish"
    script.write_text(scripts["fish"])
    for line, proposals in (("graph -X P", ["PATCH", "POST", "PUT"]), ("graph up", ["upload"])):
        found = subprocess.run(
            ["fish", "-N", "-c", f"source {script}; complete -C 'entrancectl {line}'"],
            capture_output=True, text=True, timeout=30,
            env=cli.environment | {"PATH": f"{stage}/bin:/usr/bin:/bin"}).stdout
        assert sorted(row.split("\t")[0] for row in found.splitlines()) == proposals


def test_files_are_completed(commands):
    """Every argument that is a file."""
    parts = [part for command in commands for part in [command, *command.get("subcommands", [])]]
    files = {
        f"{part['commandName']} {argument['abstract']}": argument.get("completionKind") or {}
        for part in parts
        for argument in part.get("arguments", []) if argument.get("valueName") == "file"}
    assert len(files) > 10
    assert [name for name, kind in files.items() if "file" not in kind] == []


def test_usage_has_only_what_a_command_takes(cli):
    assert "USAGE: entrancectl token [<options>]\n" in cli.ok("token", "--help").out
    text = cli.ok("token", "decode", "--help").out
    assert "USAGE: entrancectl token decode [--json] [-]\n" in text and "ARGUMENTS:" not in text


def test_every_command_takes_the_option_for_json(commands):
    """Those that only group others have no options."""
    for command in commands:
        parts = command.get("subcommands", [])
        named = [part for part in parts if part["commandName"] != "help"]
        for part in named or [command]:
            assert "--json" in options(part), part["commandName"]


@pytest.mark.parametrize("columns", ["0", "5", "-9223372036854775808", "9223372036854775807"])
def test_help_is_readable_in_any_width(cli, columns):
    for arguments in (["help", "token"], ["token", "--help"], []):
        cli.environment.pop("COLUMNS", None)
        words = cli.ok(*arguments).out.split()
        cli.environment["COLUMNS"] = columns
        assert cli.ok(*arguments).out.split() == words
