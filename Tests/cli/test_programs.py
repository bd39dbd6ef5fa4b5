"""Which programs got tokens, and what was decided about each."""

import contextlib
import json
import os
import pty
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


def programs_file(cli) -> Path:
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
    assert stat.S_IMODE(programs_file(signed_in).stat().st_mode) == 0o600
    token = run(signed_in, script, "token").stdout.strip()
    assert token and token not in programs_file(signed_in).read_text()


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
    assert signed_in.ok("programs", "deny", "sync-mail").err == "Denied “sync-mail”.\n"
    refused = run(signed_in, script, "token")
    assert refused.returncode == DENIED and refused.stdout == ""
    assert refused.stderr == (
        "entrancectl: You denied “sync-mail” access to your accounts.\n"
        f"To allow it, run 'entrancectl programs allow {script}'.\n")
    error = json.loads(run(signed_in, script, "token", "--json").stdout)["error"]
    assert (error["code"], error["exitStatus"]) == ("programDenied", DENIED)
    for command in (["credential", "kubectl", "--scope", "User.Read"], ["run", "--env", "A=User.Read", "--", "true"]):
        assert run(signed_in, script, *command).returncode == DENIED
    assert programs(signed_in)["sync-mail"]["grants"][0]["count"] == 1
    signed_in.ok("programs", "allow", str(script))
    assert run(signed_in, script, "token").returncode == 0


@pytest.fixture
def requests(emulator, home) -> Path:
    """A file that several commands send."""
    url = f"{emulator.description['graph'].split('/v1.0')[0]}/v1.0/me"
    (home / "me.http").write_text(f"GET {url}\nAuthorization: Bearer {{{{$aadV2Token}}}}\n")
    (home / "batch.json").write_text('[{"url": "/me"}]')
    return home


@pytest.mark.parametrize("command", [
    "graph /me", "graph batch {}/batch.json", "graph delta /users/delta --state {}/changes",
    "graph upload {}/batch.json /me/drive/root:/a.json:", "http {}/me.http", "cache export",
    "cache export -o {}/export.json"])
def test_a_denied_program_gets_nothing_that_tokens_are_for(signed_in, script, requests, emulator, command):
    arguments = command.format(*[requests] * command.count("{}")).split()
    signed_in.ok("programs", "deny", str(script))
    before = emulator.program_counts()
    refused = run(signed_in, script, *arguments)
    assert refused.returncode == DENIED and refused.stdout == "" and "You denied" in refused.stderr, refused
    assert emulator.program_counts() == before
    assert not (requests / "export.json").exists()
    signed_in.ok("programs", "forget", str(script))
    set_policy(signed_in, "deny")
    assert run(signed_in, script, *arguments).returncode == DENIED


def test_what_a_program_got_by_tokens_is_noted(signed_in, script, requests):
    assert run(signed_in, script, "graph", "/me").returncode == 0
    assert run(signed_in, script, "http", str(requests / "me.http")).returncode == 0
    [grant] = programs(signed_in)["sync-mail"]["grants"]
    assert grant["scopes"] == ["User.Read"] and grant["count"] == 2
    assert run(signed_in, script, "cache", "export").returncode == 0
    export, grant = programs(signed_in)["sync-mail"]["grants"]
    assert grant["scopes"] == ["User.Read"] and grant["count"] == 2
    assert (export["app"], export["username"], export["homeAccountID"]) == ("Contoso", None, None)
    assert export["scopes"] == ["cache export"] and export["count"] == 1
    assert "  All accounts, Contoso: 1 token, last " in (out := signed_in.ok("programs").out)
    assert ": All tokens (cache export)\n" in out


def test_a_program_that_may_have_tokens_is_not_given_all_of_them(signed_in, script):
    set_policy(signed_in, "ask")
    run(signed_in, script, "token", "--no-input")
    signed_in.ok("programs", "allow", "sync-mail")
    assert run(signed_in, script, "token").returncode == 0
    refused = run(signed_in, script, "cache", "export")
    assert refused.returncode == DENIED and f"programs allow {script}" in refused.stderr
    assert "to export the tokens of the app “Contoso”" in refused.stderr
    assert programs(signed_in)["sync-mail"]["grants"][0]["refused"] == ["cache export"]
    assert "All accounts, Contoso: was refused All tokens (cache export)\n" in signed_in.ok("programs").out
    signed_in.ok("programs", "allow", "sync-mail")
    assert run(signed_in, script, "cache", "export").returncode == 0


@pytest.mark.parametrize("place", ["apps.json", "--scope", "--env"])
def test_no_scope_of_a_token_allows_an_export(signed_in, script, emulator, place):
    set_policy(signed_in, "ask")
    scopes = ["User.Read", "offline_access"]
    command = ["token", "--no-input"]
    if place == "apps.json":
        signed_in.connect_to(emulator.connection("Contoso") | {"scopes": scopes})
    elif place == "--scope":
        command += ["--scope", scopes[0], "--scope", scopes[1]]
    assert run(signed_in, script, *command).returncode == DENIED
    if place == "--env":
        # What stands for an export in the list cannot be asked for.
        run(signed_in, script, "run", "--no-input", "--env", "A=cache export", "--", "true")
    signed_in.ok("programs", "allow", "sync-mail")
    assert run(signed_in, script, *command).returncode == 0
    assert run(signed_in, script, "cache", "export").returncode == DENIED


def test_a_program_that_asks_for_the_scopes_of_its_token_is_not_asked_about_again(signed_in, script):
    set_policy(signed_in, "ask")
    run(signed_in, script, "token", "--no-input")
    signed_in.ok("programs", "allow", "sync-mail")
    scopes = [*json.loads(run(signed_in, script, "token", "--json").stdout)["scopes"], "OpenID", "offline_access"]
    options = [option for scope in scopes for option in ("--scope", scope)]
    assert run(signed_in, script, "token", "--no-input", *options).returncode == 0


@pytest.fixture
def shared(signed_in, emulator, home) -> Path:
    """The token cache of the app, which other programs can write to."""
    (home / "shared").mkdir(mode=0o700)
    file = home / "shared" / "cache.json"
    signed_in.connect_to(emulator.connection("Contoso") | {"cache": {"path": str(file)}})

    def write(sections: dict):
        file.write_text(json.dumps(sections))
        file.chmod(0o600)
    return write


def test_tokens_without_an_account_are_not_exported_to_a_denied_program(signed_in, script, shared):
    shared({"RefreshToken": {"x": {"credential_type": "RefreshToken", "secret": "s3cret"}}})
    signed_in.ok("programs", "deny", str(script))
    refused = run(signed_in, script, "cache", "export")
    assert refused.returncode == DENIED and refused.stdout == ""


def test_the_tokens_of_many_accounts_are_allowed_at_once(signed_in, script, shared):
    shared({"RefreshToken": {str(number): {
        "credential_type": "RefreshToken", "home_account_id": f"{number}.t", "client_id": "c", "secret": "s3cret",
        "environment": "login.microsoftonline.com"} for number in range(60)}})
    set_policy(signed_in, "ask")
    assert run(signed_in, script, "cache", "export").returncode == DENIED
    assert len(programs(signed_in)["sync-mail"]["grants"]) == 1
    signed_in.ok("programs", "allow", "sync-mail")
    exported = run(signed_in, script, "cache", "export")
    assert exported.returncode == 0 and exported.stdout.count("s3cret") == 60
    [grant] = programs(signed_in)["sync-mail"]["grants"]
    assert grant["count"] == 1


def test_a_person_at_a_terminal_is_not_asked(signed_in, home):
    set_policy(signed_in, "deny")
    process, terminal = pty.fork()
    if process == 0:
        os.execve("/bin/sh", ["sh"], signed_in.environment)
    export = home / "export.json"
    command = f"{signed_in.program} graph /me && {signed_in.program} cache export -o {export}; exit $?\n"
    os.write(terminal, command.encode())
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert export.exists() and "You, at a terminal\n" in signed_in.ok("programs").out


def test_a_program_that_never_asked_can_be_denied_by_its_path(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    assert run(signed_in, script, "token").returncode == DENIED


def test_a_program_is_denied_by_a_link_to_it(signed_in, script, home):
    link = home / "link"
    link.symlink_to(script)
    assert signed_in.ok("programs", "deny", str(link)).err == "Denied “sync-mail”.\n"
    assert run(signed_in, script, "token").returncode == DENIED
    signed_in.ok("programs", "allow", str(link))
    assert run(signed_in, script, "token").returncode == 0


def test_a_program_is_forgotten(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    signed_in.ok("programs", "forget", "sync-mail")
    assert programs(signed_in) == {}
    assert run(signed_in, script, "token").returncode == 0
    assert signed_in.ok("programs", "forget", "--all").err == "Removed all programs from the list.\n"
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


def test_a_program_that_never_asked_cannot_be_allowed(signed_in, script):
    set_policy(signed_in, "ask")
    error = signed_in("programs", "allow", str(script), "--json").error
    assert error["code"] == "programNotFound" and programs(signed_in) == {}
    # To end a denial is something else.
    signed_in.ok("programs", "deny", str(script))
    result = signed_in.ok("programs", "allow", str(script))
    assert result.err.startswith("“sync-mail” is no longer denied. It has not asked")
    assert run(signed_in, script, "token", "--no-input").returncode == DENIED
    assert signed_in.ok("programs", "allow", str(script)).err == "Allowed “sync-mail”.\n"
    assert run(signed_in, script, "token", "--no-input").returncode == 0


def test_no_program_gets_a_token_when_the_preference_denies_it(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    signed_in.ok("programs", "allow", str(script))
    set_policy(signed_in, "deny")
    refused = run(signed_in, script, "token")
    assert refused.returncode == DENIED and "administrator" in refused.stderr
    # It is not enough then to allow a program.
    allowed = signed_in.ok("programs", "allow", str(script)).err
    assert "“sync-mail” is allowed, but gets no tokens" in allowed and "administrator" in allowed
    assert run(signed_in, script, "token").returncode == DENIED


def test_a_list_that_cannot_be_kept_keeps_no_token_back(signed_in, script):
    """Nothing was denied in a list that is not there."""
    signed_in.environment["XDG_STATE_HOME"] = "/proc/no"
    result = run(signed_in, script, "token")
    assert result.returncode == 0 and result.stdout and not result.stderr, result


@pytest.mark.parametrize("fault", ["directory", "damaged", "exposed"])
@pytest.mark.parametrize("command", ["token", "graph /me", "run --env A=User.Read -- true", "cache export"])
def test_no_program_gets_a_token_by_a_list_that_cannot_be_used(signed_in, script, fault, command):
    """It may have been denied there."""
    file = programs_file(signed_in)
    file.parent.mkdir(parents=True, exist_ok=True)
    if fault == "directory":
        file.mkdir()
    else:
        file.write_text("{" if fault == "damaged" else '{"programs":[]}')
        file.chmod(0o600 if fault == "damaged" else 0o644)
    result = run(signed_in, script, *command.split())
    assert result.returncode == DENIED and result.stdout == "", result
    said, refused, advice = result.stderr.splitlines()
    assert said.startswith(
        f"entrancectl: Every program needs your approval again, because the list of programs cannot be used: {file}:")
    assert "“sync-mail” has not been allowed to" in refused
    if fault != "damaged":
        assert advice == "Correct the file, or remove it."
        return
    assert advice == f"To allow it, run 'entrancectl programs allow {script}'."
    signed_in.ok("programs", "allow", str(script))
    assert run(signed_in, script, *command.split()).returncode == 0


def test_a_person_at_a_terminal_needs_no_list(signed_in, home):
    programs_file(signed_in).parent.mkdir(parents=True, exist_ok=True)
    programs_file(signed_in).write_text("{")
    programs_file(signed_in).chmod(0o600)
    process, terminal = pty.fork()
    if process == 0:
        os.execve("/bin/sh", ["sh"], signed_in.environment)
    command = (
        f"{signed_in.program} token > {home}/one && {signed_in.program} run --env A=User.Read -- true; exit $?\n")
    os.write(terminal, command.encode())
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert (home / "one").read_text().startswith("eyJ")


def test_after_a_damaged_list_programs_are_allowed_again(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    programs_file(signed_in).write_text("{")
    damaged = f"the list of programs cannot be used: {programs_file(signed_in)}: it is damaged."
    for command in (["programs"], ["programs", "allow", "sync-mail"], ["programs", "forget", "sync-mail"]):
        result = signed_in(*command)
        assert result.status == 1 and result.out == "" and damaged in result.err, result
        assert "No program has asked" not in result.err and "There is no program" not in result.err
        assert signed_in(*command, "--json").error["code"] == "invalidPrograms"
    assert damaged in signed_in("doctor").out
    # The refusal begins a new list, and the damaged one is kept, which may have denied any program.
    refused = run(signed_in, script, "token")
    assert refused.returncode == DENIED and damaged in refused.stderr
    [copy] = programs_file(signed_in).parent.glob("programs.json.corrupt-*")
    for said in (signed_in.ok("programs").err, signed_in("doctor").out, run(signed_in, script, "token").stderr):
        assert str(copy) in said and damaged not in said
    assert run(signed_in, script, "token").returncode == DENIED
    signed_in.ok("programs", "allow", "sync-mail")
    assert run(signed_in, script, "token").returncode == 0
    assert run(signed_in, script, "token", "--scope", "User.Read", "--scope", "Mail.Read").returncode == DENIED
    signed_in.ok("programs", "forget", "sync-mail")
    assert run(signed_in, script, "token").returncode == DENIED
    copy.unlink()
    assert signed_in.ok("programs").err == ""
    result = run(signed_in, script, "token")
    assert result.returncode == 0 and result.stderr == ""


def test_all_programs_of_a_damaged_list_are_forgotten(signed_in):
    signed_in.ok("programs", "deny", "/usr/bin/git")
    programs_file(signed_in).write_text("{")
    assert signed_in.ok("programs", "forget", "--all").err == "Removed all programs from the list.\n"
    assert programs(signed_in) == {}
    [copy] = programs_file(signed_in).parent.glob("programs.json.corrupt-*")
    assert str(copy) in signed_in.ok("programs").err


def test_a_decision_that_is_not_known_allows_nothing(signed_in, script):
    signed_in.ok("programs", "deny", str(script))
    file = programs_file(signed_in)
    file.write_text(file.read_text().replace('"deny"', '"denied"'))
    assert run(signed_in, script, "token").returncode == DENIED


def test_programs_at_the_same_time_are_all_noted(signed_in, script):
    def count() -> int:
        return programs(signed_in)["sync-mail"]["grants"][0]["count"]

    def are_both_noted() -> bool:
        before = count()
        processes = [
            subprocess.Popen([script, "token"], env=signed_in.environment, stdout=subprocess.DEVNULL)
            for _ in range(2)]
        assert [process.wait(60) for process in processes] == [0, 0]
        return count() == before + 2

    assert run(signed_in, script, "token").returncode == 0
    # What waits for its turn for longer than a second goes without it, and then a note may be lost. That is allowed
    # on a busy computer, but not each time.
    for _ in range(4):
        assert any(are_both_noted() for _ in range(5)), "a note was lost each time"
