"""Access by Programs: the list, the questions, and tokens over D-Bus."""

import json
import os
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

import screen
from accessible import (
    BUTTON, LABEL, MENU_ITEM, alerts, cut_off, exists, find, focused, has_window, texts, wait_for_dialog)
from app import MAIN
from notifications import CLICK, Notifications
from test_desktop_entry import desktop, sandbox  # noqa: F401, a fixture
from test_preferences import preference, set_preferences
from waiting import wait_for

PROGRAMS = "Access by Programs"
EMPTY = "No program has asked for a token yet."


def programs_file(home) -> Path:
    return home / "state" / "entrance" / "programs.json"


def grant(ago=310, **members) -> dict:
    """What a program got, the last time so many seconds before the file is written."""
    return {
        "app": "Demo", "account": "id", "username": "adele@contoso.example",
        "scopes": ["Mail.Read", "User.Read"], "count": 12, "ago": ago,
    } | members


def write(home, *programs: dict):
    now = int(time.time())

    def dated(grant: dict) -> dict:
        return {name: value for name, value in grant.items() if name != "ago"} | {
            "first": now - 7200, "last": now - grant["ago"]}

    file = programs_file(home)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps({"version": 1, "programs": [
        program | {"grants": [dated(grant) for grant in program["grants"]]} for program in programs]}))
    new.chmod(0o600)
    new.rename(file)


GIT = {"kind": "file", "program": "/usr/bin/git", "grants": [grant()]}
MAIL = {
    "kind": "flatpak", "program": "org.example.Mail", "decision": "deny",
    "grants": [grant(3 * 86400, count=1)]}
PERSON = {"kind": "person", "program": "terminal", "grants": [grant(count=3)]}


def open_window(app):
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, PROGRAMS), "the menu")
    screen.press("r")
    wait_for_dialog(PROGRAMS)


def says(text: str, window: str = PROGRAMS):
    wait_for(lambda: any(text in shown for shown in texts(window)), text)


def test_the_list_has_room_with_large_text_at_360_pixels(app, home, set_text_scale):
    write(home, GIT, MAIL, PERSON)
    set_text_scale(1.5)
    app.start()
    open_window(app)
    screen.resize(screen.window_id(PROGRAMS), 360, 620)
    says("5 minutes ago · 12 times")
    says("3 days ago · 1 time · Denied")
    screen.wait_until_still(PROGRAMS, PROGRAMS)
    assert screen.geometry(screen.window_id(PROGRAMS))[2] == 360
    assert cut_off(PROGRAMS) == []
    find(PROGRAMS, LABEL, "git").click()
    says("Mail.Read User.Read")
    screen.wait_until_still(PROGRAMS, PROGRAMS)
    assert cut_off(PROGRAMS) == []
    screen.press("Escape")
    wait_for(lambda: not has_window(PROGRAMS), "the window to be gone")


def test_an_empty_list_says_so_and_follows_the_file(app, home):
    app.start()
    open_window(app)
    says(EMPTY)
    write(home, GIT)
    says("12 times")
    assert EMPTY not in texts(PROGRAMS)
    write(home, GIT | {"grants": [grant(count=13)]})
    says("13 times")


def test_a_damaged_list_says_so_and_what_to_do(app, home):
    file = programs_file(home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{")
    file.chmod(0o600)
    app.start()
    open_window(app)
    screen.resize(screen.window_id(PROGRAMS), 360, 620)
    problem = f"the list of programs cannot be used: {file}: it is damaged. Correct the file, or remove it."
    wait_for(lambda: any(problem in text for text in alerts(PROGRAMS)), "the problem")
    assert EMPTY not in texts(PROGRAMS) and exists(PROGRAMS, BUTTON, "Open File")
    screen.wait_until_still(PROGRAMS, PROGRAMS)
    assert cut_off(PROGRAMS) == []
    # A new list begins, and the damaged one is kept.
    copy = file.with_name("programs.json.corrupt-1-2")
    copy.write_text("{")
    copy.chmod(0o600)
    write(home, GIT)
    kept = f"What was decided before is in “{copy}”."
    wait_for(lambda: any(kept in text for text in alerts(PROGRAMS)), "where it is kept")
    says("12 times")
    copy.unlink()
    write(home, GIT | {"grants": [grant(count=13)]})
    says("13 times")
    assert not exists(PROGRAMS, BUTTON, "Open File") and alerts(PROGRAMS) == []


def test_a_program_is_denied_and_removed_until_that_is_undone(app, home):
    write(home, GIT, MAIL)
    app.start()
    open_window(app)
    says("12 times")
    find(PROGRAMS, LABEL, "git").click()
    says("/usr/bin/git")
    find(PROGRAMS, LABEL, "Access").click()
    wait_for(lambda: exists(PROGRAMS, LABEL, "Deny"), "the choices")
    screen.press("Down", "Down", "Return")

    def decision() -> dict:
        return {
            entry["program"]: entry.get("decision")
            for entry in json.loads(programs_file(home).read_text())["programs"]}

    wait_for(lambda: decision().get("/usr/bin/git") == "deny", "the decision")
    find(PROGRAMS, BUTTON, "Remove From List").click()
    wait_for(lambda: list(decision()) == ["org.example.Mail"], "the program to be forgotten")
    wait_for(lambda: not exists(PROGRAMS, LABEL, "git"), "its row to be gone")
    says("“git” removed")
    find(PROGRAMS, LABEL, "Undo").click()
    wait_for(lambda: decision().get("/usr/bin/git") == "deny", "the program to be back, with the decision")
    wait_for(lambda: exists(PROGRAMS, LABEL, "git"), "its row to be back")


def test_the_preference_is_set_in_the_window(app, home):
    app.start()
    open_window(app)
    find(PROGRAMS, LABEL, "Access to Tokens").click()
    wait_for(lambda: (focused(PROGRAMS) or "").startswith("list item"), "the list to open")
    screen.press("Down", "Return")
    wait_for(lambda: preference(home, "program-access") == "'ask'", "the preference")


# Questions


def token(app, *arguments: str, **options) -> subprocess.Popen:
    """A program that asks for a token."""
    script = app.home / "sync-mail"
    script.write_text(
        "#!/usr/bin/python3\nimport subprocess, sys\n"
        "sys.exit(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL).returncode)\n")
    script.chmod(0o755)
    return subprocess.Popen(
        [script, *arguments], env=app.environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True, **options)


def entrancectl(app, *arguments: str) -> list[str]:
    return [str(app.stage / "bin" / "entrancectl"), *arguments]


def get_token(*scopes: str) -> list[str]:
    return [
        "gdbus", "call", "--session", "--timeout", "300", "--dest", "io.github.entrance.Entrance",
        "--object-path", "/io/github/entrance/Entrance/Programs",
        "--method", "io.github.entrance.Entrance.Programs.GetToken",
        "Demo", "", json.dumps(list(scopes)), "{}"]


QUESTION = "Allow “sync-mail” to Use Your Account?"


@pytest.fixture
def asks(home):
    """Has the app ask about new programs."""
    set_preferences(home, **{"program-access": "'ask'"})


@pytest.fixture
def signed_in(asks, signed_in):
    """The app after Adele has signed in, which asks about new programs."""
    return signed_in


def answer(name: str):
    wait_for(lambda: has_window(QUESTION), "the question")
    find(QUESTION, BUTTON, name).click()
    wait_for(lambda: not has_window(QUESTION), "the question to be gone")


def allow_always(app, *command: str):
    """Answers a new program's question for good: its next call gets the same token without a question."""
    process = token(app, *command)
    wait_for(lambda: has_window(QUESTION), "the question")
    says("User.Read", QUESTION)
    answer("Always Allow")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out, err
    process = token(app, *command)
    again, err = process.communicate(timeout=60)
    assert process.returncode == 0 and again.split(",")[0] == out.split(",")[0], err
    assert not has_window(QUESTION)


def test_a_new_program_is_asked_about_once(signed_in):
    allow_always(signed_in, *entrancectl(signed_in, "token"))


@pytest.mark.parametrize("way", ["entrancectl", "D-Bus"])
def test_a_denied_program_is_not_asked_about_again(way, signed_in):
    command = entrancectl(signed_in, "token") if way == "entrancectl" else get_token()
    process = token(signed_in, *command)
    answer("Deny")
    for _ in range(2):
        out, err = process.communicate(timeout=60)
        assert process.returncode != 0 and not out
        assert "You denied “sync-mail”" in err or "Programs.Error.Denied" in err, err
        process = token(signed_in, *command)
    process.communicate(timeout=60)
    assert not has_window(QUESTION)


@pytest.mark.parametrize("width", (860, 360), ids=("wide", "narrow"))
def test_keys_that_were_meant_for_another_window_allow_nothing(width, signed_in, home):
    # Over a narrow window, the answers are one below the other, the last one first.
    screen.resize(screen.window_id(MAIN), width, 640)
    process = token(signed_in, *get_token())
    wait_for(lambda: has_window(QUESTION), "the question")
    screen.focus(screen.window_id(QUESTION))
    wait_for(lambda: focused(QUESTION) == f"{BUTTON} Deny", "the answer that allows nothing to have the focus")
    screen.press("Return")
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and not out and "Programs.Error.Denied" in err, err
    [entry] = json.loads(programs_file(home).read_text())["programs"]
    assert entry["decision"] == "deny"


def test_a_question_without_an_answer_ends_nothing_when_the_window_is_closed(signed_in):
    process = token(signed_in, *entrancectl(signed_in, "token"))
    wait_for(lambda: has_window(QUESTION), "the question")
    signed_in.stop()
    out, err = process.communicate(timeout=60)
    assert process.returncode == os.EX_CONFIG and not out, err


def test_without_the_window_and_without_input_a_new_program_is_refused_at_once(signed_in):
    for arguments in (["--no-input"], []):
        if not arguments:
            signed_in.stop()
        process = token(signed_in, *entrancectl(signed_in, "token", *arguments))
        out, err = process.communicate(timeout=60)
        assert process.returncode == os.EX_CONFIG and not out
        assert "entrancectl programs allow" in err and "asks you" not in err


# Notifications


@pytest.fixture
def server(session, request):
    """What shows notifications."""
    server = Notifications(session, getattr(request, "param", "gtk"))
    yield server
    server.stop()


class Behind:
    """The app's window, which is not in front."""

    def __init__(self, app):
        self.app = app
        self.window = screen.window_id(MAIN)
        self.minimize()

    def minimize(self):
        screen.run("xdotool", "windowminimize", self.window)
        wait_for(lambda: not screen.is_shown(self.window), "the window to be out of sight")

    def come_to_front(self):
        screen.focus(self.window)
        wait_for(lambda: has_window(QUESTION), "the question")


@pytest.fixture
def behind(server, signed_in):
    return Behind(signed_in)


def notified(server, app, *arguments: str) -> tuple[subprocess.Popen, dict]:
    """A program that asks, and the notification about it."""
    process = token(app, *(arguments or get_token()))
    [notification] = wait_for(lambda: server.all, "the notification")
    return process, notification


@pytest.mark.parametrize("server", ["gtk", "freedesktop"], indirect=True)
def test_behind_other_windows_a_notification_asks(behind, server, home):
    for label, decision in (("Allow Once", None), ("Always Allow", "allow"), ("Deny", "deny")):
        # No program is known.
        write(home)
        process, notification = notified(server, behind.app)
        assert notification["title"] == QUESTION
        assert notification["buttons"] == ["Allow Once", "Always Allow", "Deny"]
        for text in ("adele@contoso.example", "User.Read", "app “Demo”", str(home / "sync-mail")):
            assert text in notification["body"]
        assert not has_window(QUESTION)
        server.press(label)
        out, err = process.communicate(timeout=60)
        assert (process.returncode == 0) == (label != "Deny") == bool(out), f"{label}: {err}"
        assert out.split("'")[1] not in notification["body"] if out else "Denied" in err
        [entry] = json.loads(programs_file(home).read_text())["programs"]
        assert entry["decision"] == decision, label
        wait_for(lambda: not server.all, f"the notification to be gone after '{label}'")


@pytest.mark.parametrize("server", ["gtk", "freedesktop"], indirect=True)
def test_the_window_and_the_notification_have_one_answer(behind, server, home):
    process, _ = notified(server, behind.app, *entrancectl(behind.app, "token"))
    behind.come_to_front()
    assert len(server.all) == 1
    answer("Allow Once")
    assert process.communicate(timeout=60)[0].startswith("eyJ")
    wait_for(lambda: not server.all, "the notification to be gone")
    # Its button may still be on the screen.
    server.press_again("Always Allow")
    behind.minimize()
    process, _ = notified(server, behind.app, *entrancectl(behind.app, "token"))
    behind.come_to_front()
    server.press_again("Deny")
    server.press("Allow Once")
    assert process.communicate(timeout=60)[0].startswith("eyJ")
    wait_for(lambda: not has_window(QUESTION), "the question to be gone")
    assert json.loads(programs_file(home).read_text())["programs"][0]["decision"] is None


def test_a_window_in_front_asks_without_a_notification(server, signed_in):
    screen.focus(screen.window_id(MAIN))
    process = token(signed_in, *get_token())
    wait_for(lambda: has_window(QUESTION), "the question")
    assert server.all == []
    answer("Allow Once")
    assert process.communicate(timeout=60)[0]


def test_a_notification_hides_personal_details(behind, server, home):
    set_preferences(home, **{"program-access": "'ask'", "hide-personal-details": "true"})
    process, notification = notified(server, behind.app)
    assert "adele" not in notification["body"] and "User.Read" in notification["body"]
    # What was sent is sent anew.
    set_preferences(home, **{"program-access": "'ask'", "hide-personal-details": "false"})
    wait_for(lambda: "adele@contoso.example" in server.all[0]["body"], "the account's name")
    server.press("Deny")
    process.communicate(timeout=60)


def test_without_a_window_a_notification_asks_and_opens_one(server, signed_in, desktop):
    signed_in.stop()
    process, _ = notified(server, signed_in)
    assert not has_window(MAIN)
    server.press("Allow Once")
    assert process.communicate(timeout=60)[0]
    process, _ = notified(server, signed_in)
    server.press(CLICK)
    wait_for(lambda: has_window(QUESTION), "the question")
    answer("Deny")
    assert "Denied" in process.communicate(timeout=60)[1]
    wait_for(lambda: not server.all, "the notification to be gone")


def test_a_notification_ends_with_the_app(behind, server):
    process, _ = notified(server, behind.app)
    behind.app.stop()
    assert process.communicate(timeout=60)[0] == ""
    wait_for(lambda: not server.all, "the notification to be gone")


# D-Bus


def failure(app, *arguments: str) -> str:
    process = token(app, *arguments)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and not out
    return err.partition("Programs.Error.")[2].split(":")[0]


def arguments(app: str, account: str, scopes: list[str]) -> list[str]:
    return [*get_token()[:-4], app, account, json.dumps(scopes), "{}"]


def methods(interfaces: str) -> list:
    """The methods of the interface in a description of D-Bus interfaces."""
    [interface] = [
        interface for interface in ElementTree.fromstring(interfaces).iter("interface")
        if interface.get("name") == "io.github.entrance.Entrance.Programs"]
    return [
        (method.get("name"), [dict(sorted(arg.items())) for arg in method.iter("arg")])
        for method in interface.iter("method")]


def test_a_program_asks_over_d_bus(stage, signed_in, emulator, home):
    # The installed interface is the one that the app has.
    installed = stage / "share" / "dbus-1" / "interfaces" / "io.github.entrance.Entrance.Programs.xml"
    shown = subprocess.run(
        ["gdbus", "introspect", "--session", "--xml", "--dest", "io.github.entrance.Entrance",
         "--object-path", "/io/github/entrance/Entrance/Programs"],
        capture_output=True, text=True, check=True).stdout
    assert methods(installed.read_text()) == methods(shown) != []

    # What cannot be answered has a name, and nobody is asked about it.
    assert failure(signed_in, *arguments("Nobody", "", [])) == "AppNotFound"
    assert failure(signed_in, *arguments("", "x@contoso.example", [])) == "AccountNotFound"
    assert failure(signed_in, *arguments("", "", ["a b"])) == "InvalidArguments"
    assert not has_window(QUESTION) and not programs_file(home).exists()

    allow_always(signed_in, *get_token())

    # It is asked about another permission, too. A session that ended opens no page.
    emulator.revoke(emulator.adele)
    process = token(signed_in, *arguments("", "", ["Mail.Read"]))
    answer("Allow Once")
    _, err = process.communicate(timeout=60)
    assert "Programs.Error.SignInRequired" in err
    assert not has_window("Sign In")

    # Of an unknown program, Escape allows nothing and decides nothing.
    write(home)
    process = token(signed_in, *get_token())
    wait_for(lambda: has_window(QUESTION), "the question")
    screen.focus(screen.window_id(QUESTION))
    screen.press("Escape")
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and not out and "NoAnswer" in err
    [entry] = json.loads(programs_file(home).read_text())["programs"]
    assert entry["decision"] is None and entry["grants"][0]["refused"] == ["User.Read"]


def test_a_sandbox_is_known_by_its_id(signed_in, home, tmp_path):
    # What is in a sandbox asks, although other programs need not.
    set_preferences(home, **{"program-access": "'allow'"})
    process = token(signed_in, *sandbox(tmp_path), *get_token())
    question = "Allow “org.example.Mail” to Use Your Account?"
    wait_for(lambda: has_window(question), "the question")
    find(question, BUTTON, "Allow Once").click()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out, err
    [entry] = json.loads(programs_file(home).read_text())["programs"]
    assert (entry["kind"], entry["program"]) == ("flatpak", "org.example.Mail")


def test_a_call_starts_the_app_without_a_window(signed_in, desktop, home):
    signed_in.stop()
    set_preferences(home, **{"program-access": "'allow'"})
    process = token(signed_in, *get_token())
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    value, expiry = out.strip("()\n").split(", ")
    assert not has_window(MAIN)
    assert value.strip("'") == subprocess.run(
        entrancectl(signed_in, "token"), env=signed_in.environment(), capture_output=True,
        text=True, check=True).stdout.strip()
    assert int(expiry.split()[-1]) > time.time()
    set_preferences(home, **{"program-access": "'deny'"})
    assert failure(signed_in, *get_token()) == "Denied"


def test_forgetting_the_last_program_keeps_the_focus_in_the_window(app, home):
    write(home, GIT)
    app.start()
    open_window(app)
    says("12 times")
    find(PROGRAMS, LABEL, "git").click()
    says("/usr/bin/git")
    find(PROGRAMS, BUTTON, "Remove From List").click()
    says(EMPTY)
    wait_for(lambda: (focused(PROGRAMS) or "").endswith("Access to Tokens"), "what is left to have the focus")
