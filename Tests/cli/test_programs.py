"""Which programs got tokens, and what was decided about each."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

DENIED = os.EX_CONFIG


@pytest.fixture
def script(signed_in, home) -> Path:
    """A program that asks for a token."""
    script = home / "sync-mail"
    script.write_text(
        "#!/usr/bin/python3\nimport subprocess, sys\n"
        f"sys.exit(subprocess.run(['{signed_in.program}', *sys.argv[1:]]).returncode)\n")
    script.chmod(0o755)
    return script


def run(cli, script: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [script, *arguments], env=cli.environment, capture_output=True, text=True, timeout=60,
        start_new_session=True)


def programs(cli) -> dict[str, dict]:
    return {entry["name"]: entry for entry in cli.ok("programs", "--json").json["programs"]}


def book(cli) -> Path:
    return Path(cli.environment["XDG_STATE_HOME"]) / "entrance" / "programs.json"


def set_policy(cli, policy: str):
    cli.environment["GSETTINGS_BACKEND"] = "keyfile"
    file = Path(cli.environment["XDG_CONFIG_HOME"]) / "glib-2.0" / "settings" / "keyfile"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[io/github/entrance/Entrance]\nprogram-access='{policy}'\n")


def test_nothing_was_given_yet(cli):
    result = cli.ok("programs")
    assert result.out == "" and result.err == "No program has asked for a token.\n"
    assert cli.ok("programs", "--json").json == {"policy": "allow", "programs": []}


def test_each_token_is_noted(signed_in, script, emulator):
    assert run(signed_in, script, "token").returncode == 0
    assert run(signed_in, script, "token", "--json").returncode == 0
    entry = programs(signed_in)["sync-mail"]
    assert (entry["program"], entry["kind"], entry["decision"]) == (str(script), "file", None)
    [grant] = entry["grants"]
    assert (grant["app"], grant["username"]) == ("Contoso", emulator.adele.username)
    assert grant["scopes"] == ["User.Read"] and grant["count"] == 2
    assert grant["first"] <= grant["last"]
    out = signed_in.ok("programs").out
    assert "sync-mail\n" in out and "2 tokens" in out
    assert stat.S_IMODE(book(signed_in).stat().st_mode) == 0o600
    token = run(signed_in, script, "token").stdout.strip()
    assert token and token not in book(signed_in).read_text()


def test_a_token_for_kubectl_and_one_for_a_program_that_is_run_are_noted(signed_in, script):
    graph = "https://graph.microsoft.com/User.Read"
    assert run(signed_in, script, "credential", "kubectl", "--scope", "User.Read").returncode == 0
    assert programs(signed_in)["sync-mail"]["grants"][0]["count"] == 1
    assert run(
        signed_in, script, "run", "--env", "TOKEN=User.Read", "--", "true").returncode == 0
    # The program that called `run` is the one that decides what gets the token.
    assert programs(signed_in)["sync-mail"]["grants"][0]["count"] == 2


def test_a_denied_program_gets_no_token_and_learns_how_to_be_allowed(signed_in, script):
    assert run(signed_in, script, "token").returncode == 0
    assert signed_in.ok("programs", "deny", "sync-mail").err == "Denied 'sync-mail'.\n"
    refused = run(signed_in, script, "token")
    assert refused.returncode == DENIED and refused.stdout == ""
    assert refused.stderr == (
        "entrancectl: You denied 'sync-mail' access to your accounts.\n"
        f"To allow it, run 'entrancectl programs allow {script}'.\n")
    error = json.loads(run(signed_in, script, "token", "--json").stdout)["error"]
    assert (error["code"], error["exitStatus"]) == ("programDenied", DENIED)
    for command in (["credential", "kubectl"], ["run", "--env", "A=User.Read", "--", "true"]):
        assert run(signed_in, script, *command).returncode == DENIED
    assert programs(signed_in)["sync-mail"]["grants"][0]["count"] == 1
    signed_in.ok("programs", "allow", str(script))
    assert run(signed_in, script, "token").returncode == 0


def test_a_program_that_never_asked_can_be_denied_by_its_path(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    assert run(signed_in, script, "token").returncode == DENIED


def test_a_program_is_denied_by_a_link_to_it(signed_in, script, home):
    link = home / "link"
    link.symlink_to(script)
    assert signed_in.ok("programs", "deny", str(link)).err == "Denied 'sync-mail'.\n"
    assert run(signed_in, script, "token").returncode == DENIED
    signed_in.ok("programs", "allow", str(link))
    assert run(signed_in, script, "token").returncode == 0


def test_a_program_is_forgotten(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    signed_in.ok("programs", "forget", "sync-mail")
    assert programs(signed_in) == {}
    assert run(signed_in, script, "token").returncode == 0
    assert signed_in.ok("programs", "forget", "--all").err == "Forgot all programs.\n"
    assert programs(signed_in) == {}


@pytest.mark.parametrize(
    "arguments", [["forget"], ["forget", "--all", "git"], ["deny"], ["allow", "a", "b"]])
def test_a_command_line_that_says_too_little_or_too_much_is_refused(cli, arguments):
    assert cli("programs", *arguments).status == os.EX_USAGE


def test_an_unknown_program_and_one_of_two_with_the_same_name_are_not_guessed(signed_in):
    assert signed_in("programs", "deny", "nobody", "--json").error["code"] == "programNotFound"
    for directory in ("/a", "/b"):
        signed_in.ok("programs", "deny", f"{directory}/git")
    result = signed_in("programs", "allow", "git")
    assert result.status == 1 and "/b/git, /a/git" in result.err


def test_a_new_program_is_refused_until_it_was_allowed(signed_in, script):
    set_policy(signed_in, "ask")
    refused = run(signed_in, script, "token", "--no-input")
    assert refused.returncode == DENIED and f"programs allow {script}" in refused.stderr
    assert programs(signed_in)["sync-mail"]["grants"][0]["refused"] == ["User.Read"]
    signed_in.ok("programs", "allow", "sync-mail")
    assert run(signed_in, script, "token").returncode == 0
    # What it did not ask for is another question.
    other = run(signed_in, script, "token", "--scope", "Mail.Read", "--no-input")
    assert other.returncode == DENIED


def test_no_program_gets_a_token_when_the_preference_denies_it(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    signed_in.ok("programs", "allow", str(script))
    set_policy(signed_in, "deny")
    refused = run(signed_in, script, "token")
    assert refused.returncode == DENIED and "administrator" in refused.stderr


@pytest.mark.parametrize("fault", ["unwritable", "directory", "damaged", "exposed"])
def test_a_list_that_cannot_be_used_keeps_no_token_back(signed_in, script, fault):
    file = book(signed_in)
    file.parent.mkdir(parents=True, exist_ok=True)
    if fault == "unwritable":
        signed_in.environment["XDG_STATE_HOME"] = "/proc/no"
    elif fault == "directory":
        file.mkdir()
    else:
        file.write_text("{" if fault == "damaged" else '{"programs":[]}')
        file.chmod(0o600 if fault == "damaged" else 0o644)
    result = run(signed_in, script, "token")
    assert result.returncode == 0 and result.stdout and not result.stderr, result


def test_many_at_a_time_are_all_noted(signed_in, script):
    processes = [
        subprocess.Popen([script, "token"], env=signed_in.environment, stdout=subprocess.DEVNULL)
        for _ in range(8)]
    assert [process.wait(60) for process in processes] == [0] * 8
    assert programs(signed_in)["sync-mail"]["grants"][0]["count"] == 8
