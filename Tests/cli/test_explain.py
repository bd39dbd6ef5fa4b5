"""What an error of another program means."""

import os
import signal
import subprocess

import pytest
from terminal import Terminal

TEXT = (
    "ERROR: AADSTS50076: Due to a configuration change made by your administrator, you must use multi-factor"
    " authentication.\nTrace ID: 6ce35f67-1884-4555-af74-205379e30b00\n")
EXPLAINED = (
    "AADSTS50076: Your organization requires multifactor authentication.\n"
    "Sign in again and complete the extra verification.\n"
    "You can solve this.\n"
    "More about it: https://login.microsoftonline.com/error?code=50076\n")


def test_an_error_is_explained_without_an_app_and_a_network(cli, home):
    cli.connections.unlink(missing_ok=True)
    cli.environment |= {"https_proxy": "http://127.0.0.1:9"}
    for arguments in (["50076"], ["AADSTS50076"], TEXT.split()):
        assert cli.ok("explain", *arguments).out == EXPLAINED
    assert cli.ok("explain", input=TEXT).out == EXPLAINED
    assert cli.ok("explain", "-", input=TEXT).out == EXPLAINED
    assert not list(home.rglob("*.json"))


def test_the_first_interrupt_ends_the_wait_for_text(cli):
    terminal = Terminal(cli, "explain")
    terminal.wait_for("Paste the error, then press Ctrl+D.")
    terminal.interrupt()
    assert terminal.finish().status == -signal.SIGINT


@pytest.mark.parametrize("command", [
    ["app", "add", "-"], ["http", "-"], ["http", "import", "-"], ["cache", "import"],
    ["credential", "git", "get"], ["credential", "docker", "get"]], ids=" ".join)
def test_no_command_waits_at_a_terminal_without_a_word(cli, keyring, command):
    terminal = Terminal(cli, *command)
    try:
        terminal.wait_for(", then press Ctrl+D.")
    finally:
        terminal.kill()
        terminal.finish()


@pytest.mark.parametrize(
    "command", [["explain"], ["token", "decode"], ["http", "-"], ["app", "add", "-"]], ids=" ".join)
def test_one_end_of_the_input_is_enough_at_a_terminal(cli, command):
    terminal = Terminal(cli, *command)
    os.write(terminal.file, b"hello\n\x04")
    try:
        terminal.wait_for("entrancectl: ")
    except AssertionError:
        terminal.kill()
        raise
    assert terminal.finish().status > 0


def test_programs_get_json(cli):
    [error] = cli.ok("explain", "--json", "AADSTS65002 and invalid_grant").json["errors"]
    assert error["name"] == "AADSTS65002" and error["solver"] == "owner"
    assert error["nextStep"].startswith("Use the client ID of an app that you")


def test_several_errors_are_apart(cli):
    names = [part.split(":")[0] for part in cli.ok("explain", "AADSTS50076, AADSTS700016").out.split("\n\n")]
    assert names == ["AADSTS50076", "AADSTS700016"]
    names = [error["name"] for error in cli.ok("explain", "--json", "65001", "50076").json["errors"]]
    assert names == ["AADSTS65001", "AADSTS50076"]
    assert cli.ok("explain", "error", "50076").out == EXPLAINED


def test_an_unknown_error_is_reported(cli):
    result = cli("explain", "AADSTS999999")
    assert result.status == 1 and not result.out
    assert result.err == (
        "entrancectl: Entrance has no explanation for AADSTS999999.\n"
        "See Microsoft’s page about it: https://login.microsoftonline.com/error?code=999999\n")
    assert cli("explain", "hello").err.startswith("entrancectl: No known error was found in this text.\n")
    assert cli("explain", "hello", "--json").error["code"] == "unknownError"
    assert cli("explain", input="").status == 1


def test_nothing_in_a_text_can_trap(cli):
    for text in (b"\xff\xfe AADSTS50076 \x00", b"AADSTS" * 100_000, b"AADSTS99999999999999999999"):
        result = subprocess.run(
            [cli.program, "explain"], input=text, env=cli.environment, capture_output=True, timeout=60)
        assert result.returncode in (0, 1), result
