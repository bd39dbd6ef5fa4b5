"""A failed sign-in or call shows what happened and the ways on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import screen
from accessible import (
    ALERT, BUTTON, KNOWS_PLACES, LABEL, Atspi, alerts, exists, find, focused, has_window, texts, wait_for_dialog)
from app import MAIN, SIGN_IN
from session import end
from waiting import wait_for


EDIT = "Edit App"
FIELD = "text"
DISCARD = "Discard Changes?"


def reject_next_code(emulator, number: int):
    emulator.prepare_token_reply(400, {
        "error": "invalid_grant", "error_codes": [number],
        "error_description": f"AADSTS{number}: The request was refused."})


def type_into_field_in_focus(name: str, text: str):
    """Types where the form has the keyboard focus, which is to be the field called `name`, and discards it.

    Screen readers do not know which row of an entry has the focus, with libadwaita 1.2.
    """
    wait_for_dialog(EDIT)
    screen.press("ctrl+a")
    screen.type_text(text)
    wait_for(lambda: find(EDIT, FIELD, name).text == text, f"the text in '{name}'")
    screen.press("Escape")
    wait_for_dialog(DISCARD)
    screen.press("alt+d")
    wait_for(lambda: not has_window(EDIT), "the form to be gone")


def place(role: str, name: str):
    """Where the form's widget of this role and name is in its window."""
    return find(EDIT, role, name).node.get_extents(Atspi.CoordType.WINDOW)


def wait_until_in_sight(name: str, role: str = FIELD):
    """Waits until all of the form's field called `name` is between what is above and below the fields."""
    def is_in_sight() -> bool:
        field, above, below = place(role, name), place(BUTTON, "Cancel"), place(BUTTON, "Check Registration")
        return field.height > 0 and above.y + above.height <= field.y and field.y + field.height <= below.y

    if KNOWS_PLACES:
        wait_for(is_in_sight, f"'{name}' to be in sight")
        screen.wait_until_still(EDIT, EDIT)
        assert is_in_sight(), f"'{name}' is scrolled out of sight again"


def wait_for_words(app, words: str):
    wait_for(lambda: words in app.words, f"'{words}' in the window")


def test_app_that_needs_approval_has_a_request_to_copy(app, emulator, keyring, sign_in):
    app.start()
    reject_next_code(emulator, 90094)
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "Your Organization Must Approve This App")
    app.wait_until_idle()

    find(MAIN, BUTTON, "Copy Request").click()
    wait_for_words(app, "Copied")
    copied = screen.copied()
    assert "/adminconsent?client_id=" + emulator.description["clientID"] in copied

    # Support needs the code and the correlation ID.
    find(MAIN, BUTTON, "Details").click()
    wait_for_words(app, "Codes: AADSTS90094")
    assert "Correlation ID: " in app.words

    # The next sign-in removes the notice.
    find(MAIN, BUTTON, "Use Another Account").click()
    sign_in.wait_for_page()
    wait_for(lambda: "Must Approve" not in app.words, "the notice to be gone")
    sign_in.complete(emulator.bram)
    app.wait_for_account(emulator.bram.username)


def test_app_that_the_service_does_not_know_is_corrected(
    app, emulator, keyring, sign_in, home
):
    """The sign-in page shows the error and sends nothing: there is no address that it trusts."""
    file = home / "config" / "entrance" / "apps.json"
    connection = emulator.connection("Demo")
    file.write_text(json.dumps({"version": 1, "apps": [
        connection | {"clientID": "11111111-2222-3333-4444-555555555555"}]}))
    app.start()
    sign_in.open()
    screen.press("Escape")
    sign_in.wait_until_closed()
    wait_for_words(app, "Check the App")
    assert "There is no app with this client ID, or the account’s organization does not have it." in app.words
    app.wait_until_idle()
    find(MAIN, BUTTON, "Edit App…").click()
    type_into_field_in_focus("Application (client) ID", connection["clientID"])
    file.write_text(json.dumps({"version": 1, "apps": [connection]}))
    # It is another app now, so the window begins anew.
    wait_for(lambda: "Check the App" not in app.words, "the notice to be gone")
    app.wait_for_account("Signed out")
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")


def test_details_for_who_can_help_can_be_copied(app, emulator, keyring, sign_in):
    app.start()
    reject_next_code(emulator, 50105)
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "This Account Cannot Sign In Here")
    app.wait_until_idle()
    for name in ("Use Another Account", "Edit App…"):
        assert exists(MAIN, BUTTON, name)
    find(MAIN, BUTTON, "Copy Details").click()
    wait_for_words(app, "Copied")
    lines = screen.copied().splitlines()
    assert lines[0] in app.words
    assert f"Application (client) ID: {emulator.description['clientID']}" in lines
    assert "Codes: AADSTS50105" in lines
    assert any(line.startswith("Correlation ID: ") for line in lines)


def test_permissions_can_be_accepted_or_asked_for(app, emulator, keyring, sign_in):
    app.start()
    reject_next_code(emulator, 65001)
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "The Permissions Have Not Been Accepted")
    app.wait_until_idle()
    find(MAIN, BUTTON, "Copy Request").click()
    wait_for_words(app, "Copied")
    copied = screen.copied()
    assert "/adminconsent?client_id=" + emulator.description["clientID"] in copied

    find(MAIN, BUTTON, "Try Again").click()
    # The pages may still know who signed in.
    wait_for(
        lambda: screen.window_id(SIGN_IN) or app.account == emulator.adele.username,
        "another sign-in")
    wait_for(lambda: "Have Not Been Accepted" not in app.words, "the notice to be gone")


def test_wrong_redirect_uri_can_be_copied_and_corrected(app, emulator, keyring, sign_in):
    app.start()
    reject_next_code(emulator, 50011)
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "The Redirect URI Is Not Registered")
    app.wait_until_idle()
    find(MAIN, BUTTON, "Copy Redirect URI").click()
    wait_for_words(app, "Copied")
    assert screen.copied() == emulator.description["redirectURI"]

    # One error is in one place of the page, and in the log.
    assert sum("not registered" in text.lower() for text in texts(MAIN)) <= 2, "title and text of the notice"

    find(MAIN, BUTTON, "Edit App…").click()
    wait_for_dialog(EDIT)
    # The part of the form that it is in is unfolded, and scrolled to.
    wait_until_in_sight("Redirect URI")
    screen.resize(screen.window_id(EDIT), 360, 400)
    wait_until_in_sight("Redirect URI")
    type_into_field_in_focus("Redirect URI", "https://localhost/other")
    find(MAIN, BUTTON, "Dismiss").click()
    wait_for(lambda: "Not Registered" not in app.words, "the notice to be gone")


def test_problem_in_a_folded_field_is_scrolled_to(app):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+shift+a")
    find("Apps", BUTTON, "Edit “Demo”").click()
    wait_for_dialog(EDIT)
    screen.resize(screen.window_id(EDIT), 540, 900)
    screen.wait_until_still(EDIT, EDIT)
    find(EDIT, LABEL, "Advanced").click()
    screen.wait_until_still(EDIT, EDIT)
    find(EDIT, FIELD, "Redirect URI").click()
    screen.press("ctrl+a")
    screen.type_text("nowhere")
    wait_for(lambda: find(EDIT, FIELD, "Redirect URI").text == "nowhere", "the text")
    find(EDIT, LABEL, "Advanced").click()
    screen.wait_until_still(EDIT, EDIT)
    screen.resize(screen.window_id(EDIT), 360, 400)
    find(EDIT, BUTTON, "Save").click()
    wait_until_in_sight("Redirect URI")
    # What is wrong is said once, below the field, and is in sight, too.
    mistake, = alerts(EDIT)
    assert mistake not in texts(EDIT)
    wait_until_in_sight(mistake, ALERT)
    if KNOWS_PLACES:
        field, message = place(FIELD, "Redirect URI"), place(ALERT, mistake)
        assert 0 <= message.y - (field.y + field.height) < field.height // 2, "the message is at the field"
    type_into_field_in_focus("Redirect URI", "https://localhost/other")


@pytest.mark.parametrize("number, field", [
    (90002, "Address of the Sign-In Service"), (70011, "Permissions (Optional)")])
def test_form_begins_in_the_field_that_the_failure_is_about(number, field, app, emulator, keyring, sign_in):
    app.start()
    reject_next_code(emulator, number)
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "Check the App")
    app.wait_until_idle()
    find(MAIN, BUTTON, "Edit App…").click()
    wait_for_dialog(EDIT)
    screen.resize(screen.window_id(EDIT), 360, 400)
    wait_until_in_sight(field)
    type_into_field_in_focus(field, "other.example")


def test_a_tenant_that_does_not_exist_is_named_and_corrected(app, emulator, keyring, home):
    entry = emulator.connection("Demo")
    entry["authority"] = entry["authority"].replace("/common", "/comon")
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({"version": 1, "apps": [entry]}))
    app.process = app.launch("--app", "Demo")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Sign In", "the focus")
    screen.focus(screen.window_id(MAIN))
    screen.press("Return")
    wait_for_words(app, "Check the App")
    wait_for_words(app, "This organization does not exist.")
    app.wait_until_idle()
    find(MAIN, BUTTON, "Edit App…").click()
    type_into_field_in_focus("Address of the Sign-In Service", "other.example")


def test_an_app_without_an_api_is_corrected_where_the_explorer_says_so(app, emulator, keyring, sign_in, home):
    entry = emulator.connection("Demo")
    del entry["api"]
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({"version": 1, "apps": [entry]}))
    sign_in.without_window(emulator.adele)
    app.process = app.launch("--app", "Demo")
    wait_for(lambda: any(emulator.adele.username in text for text in texts(MAIN)), "the account")
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for(lambda: any("This app has no API address" in text for text in texts(MAIN)), "the reason")
    find(MAIN, BUTTON, "Edit App…").click()
    type_into_field_in_focus("API Address", "https://api.example/me")


def test_the_focus_is_on_the_page_after_a_notice_has_led_to_the_form(app, emulator, keyring, sign_in, home):
    entry = emulator.connection("Demo")
    api = entry.pop("api")
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({"version": 1, "apps": [entry]}))
    sign_in.without_window(emulator.adele)
    app.process = app.launch("--app", "Demo")
    app.wait_for_account(emulator.adele.username)
    app.wait_until_idle()
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+Return")
    wait_for_words(app, "Check the App")
    find(MAIN, BUTTON, "Edit App…").press_with_keys()
    wait_for_dialog(EDIT)
    screen.type_text(api)
    wait_for(lambda: find(EDIT, FIELD, "API Address").text == api, "the address")
    find(EDIT, BUTTON, "Save").click()
    wait_for(lambda: not has_window(EDIT), "the form to be gone")
    wait_for(lambda: "Check the App" not in app.words, "the notice to be gone")
    # Not in the header bar, where GTK would have it begin again.
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Call Microsoft Graph API", "the focus to be on the first button")


def test_pause_is_counted_down_and_can_be_canceled(signed_in, emulator):
    app = signed_in
    emulator.expire()
    emulator.set_faults("token-429")

    app.call_graph()
    wait_for_words(app, "Too Many Requests")
    wait_for_words(app, "will be repeated in 0:2")
    app.wait_until_idle()
    find(MAIN, BUTTON, "Cancel").click()
    wait_for(lambda: "Too Many Requests" not in app.words, "the notice to be gone")
    assert exists(MAIN, BUTTON, "Sign Out")


def test_after_a_pause_only_the_person_opens_the_sign_in_window_again(app, emulator, keyring, sign_in):
    app.start()
    emulator.set_faults("token-429")
    sign_in.open()
    sign_in.complete(emulator.adele)
    wait_for_words(app, "Too Many Requests")
    wait_for_words(app, "Try again in 0:2")
    app.wait_until_idle()
    emulator.set_faults()
    wait_for(lambda: "Try again later." in app.words, "the end of the pause", 60)
    app.wait_until_idle()
    assert not has_window(SIGN_IN)

    find(MAIN, BUTTON, "Try Again").click()
    sign_in.complete(emulator.adele, consents=False)
    app.wait_for_account(emulator.adele.display_name)
    wait_for(lambda: "Too Many Requests" not in app.words, "the notice to be gone")


def connect_to_microsoft(app, emulator, home):
    """Writes a connection to a service that is not on this computer."""
    app.connect_to(
        emulator, authority="https://login.microsoftonline.com/common", knownAuthorities=[],
        api="https://graph.microsoft.com/v1.0/me")
    connections = home / "config" / "entrance" / "apps.json"
    described = json.loads(connections.read_text())
    del described["apps"][0]["caFile"]
    connections.write_text(json.dumps(described))


def install(home, program: str, **entries: str):
    """Installs a program of the user that writes its arguments to a file, which is returned."""
    written = home / f"{program}.txt"
    script = home / program
    script.write_text(f"#!/bin/sh\necho \"$*\" > {written}.new && mv {written}.new {written}\n")
    script.chmod(0o755)
    applications = home / "data" / "applications"
    applications.mkdir(parents=True, exist_ok=True)
    lines = [f"{key}={value}" for key, value in entries.items()]
    (applications / f"{program}.desktop").write_text("\n".join(
        ["[Desktop Entry]", "Type=Application", f"Name={program}", f"Exec={script} %u", *lines, ""]))
    return written


@pytest.fixture
def network_manager(session, monkeypatch):
    """A stand-in for NetworkManager, at first behind a page where the user has to sign in."""
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", os.environ["DBUS_SESSION_BUS_ADDRESS"])
    program = Path(__file__).parent / "network_manager.py"
    process = session.spawn(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    yield process
    end(process)


def test_network_that_asks_for_a_sign_in(
    app, emulator, home, keyring, network_manager, monkeypatch
):
    monkeypatch.delenv("BROWSER", raising=False)
    opened = install(home, "browser", MimeType="x-scheme-handler/http;")
    (home / "config" / "mimeapps.list").write_text(
        "[Default Applications]\nx-scheme-handler/http=browser.desktop\n")
    connect_to_microsoft(app, emulator, home)
    app.start()
    wait_for_words(app, "This network asks you to sign in to it first.")
    find(MAIN, BUTTON, "Open Network Sign-In Page").click()
    wait_for(opened.exists, "the browser")
    assert opened.read_text() == "http://nmcheck.gnome.org/\n"

    def say(connectivity: str):
        network_manager.stdin.write(f"{connectivity}\n")
        network_manager.stdin.flush()

    say("full")
    wait_for(lambda: "This network asks" not in app.words, "the notice to be gone")
    say("portal")
    wait_for_words(app, "This network asks you to sign in to it first.")


def test_wrong_clock_has_a_notice_and_can_be_set(
    app, emulator, home, keyring, sign_in, monkeypatch
):
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME")
    started = install(home, "gnome-datetime-panel", NoDisplay="true")
    emulator.set_faults("future-iat")
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    wait_for_words(app, "The Clock Seems to Be Wrong")
    # The emulator's tokens are valid since five minutes before.
    assert "is about 24 hours behind the sign-in service’s clock." in app.words
    assert app.account == emulator.adele.username
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+t")
    wait_for(started.exists, "the settings")

    # The next token shows that it was set.
    emulator.set_faults()
    emulator.expire()
    app.call_graph()
    app.wait_for_log("Result from Graph: {", 2)
    wait_for(lambda: "The Clock Seems" not in app.words, "the notice to be gone")


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can make a network")
def test_offline_has_a_notice_until_it_ends(app, emulator, keyring, home, sign_in):
    """With the network of a namespace of its own, which has none at first."""
    connect_to_microsoft(app, emulator, home)
    app.wrapper = ("unshare", "--net")
    app.start()
    wait_for_words(app, "You are offline.")

    app.call_graph()
    wait_for(lambda: screen.window_id(SIGN_IN), "the sign-in window")
    wait_for(lambda: "could not be reached" in sign_in.words, "the reason in the sign-in window")
    screen.press("Escape")
    wait_for_words(app, "No Connection")
    app.wait_until_idle()

    def in_namespace(*command: str):
        subprocess.run(["nsenter", f"--net=/proc/{app.process.pid}/ns/net", *command], check=True)

    in_namespace("ip", "link", "add", "test0", "type", "veth", "peer", "name", "test1")
    in_namespace("ip", "address", "add", "192.0.2.2/24", "dev", "test0")
    in_namespace("ip", "link", "set", "test1", "up")
    in_namespace("ip", "link", "set", "test0", "up")
    in_namespace("ip", "route", "add", "default", "via", "192.0.2.1")
    wait_for(lambda: "You are offline." not in app.words, "the notice to be gone")
