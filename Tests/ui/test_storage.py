"""Without a keyring service: accounts are stored with a passphrase, and the page explains it."""

import base64
import json
import signal
import subprocess

import pytest
import screen
from accessible import (
    BUTTON, LABEL, exists, find, find_window, focused, has_window, search, text_of, texts, wait_for_dialog)
from app import DEVICE_INFO, MAIN
from keyring import Keyring
from test_preferences import PREFERENCES, open_preferences, show_page
from test_unlock import prompter, wait_for_prompt, wait_until_answered
from waiting import wait_for

SET = "Set a Passphrase"
ENTER = "Enter the Passphrase"
PASSPHRASE = "correct horse"
RULE = "Use at least eight characters."


def open_dialog(app, button: str, title: str):
    app.button(button).click()
    wait_for_dialog(title)


def enter(title: str, *passphrases: str):
    """Types into each field and submits the last one, with the keyboard only."""
    wait_for(lambda: find(title, "text", "Passphrase").is_enabled, "the first field")
    for passphrase in passphrases:
        screen.press("ctrl+a")
        screen.type_text(passphrase)
        screen.press("Return")


def says(title: str, problem: str) -> bool:
    """Whether screen readers get a problem, as an alert and with the field."""
    window = find_window(title)
    window.clear_cache()
    field = search(window, "text", "Passphrase")
    return search(window, "alert", problem) is not None and field.get_description() == problem


def test_accounts_are_stored_with_a_passphrase(app, emulator, sign_in, home):
    app.start()
    wait_for(lambda: "There is no keyring" in app.words, "the notice")

    open_dialog(app, "Set Passphrase…", SET)
    assert find(SET, "text", "Passphrase").node.get_description() == RULE
    enter(SET, PASSPHRASE, "something else")
    wait_for(lambda: says(SET, "The passphrases do not match."), "a word about the mistake")
    assert text_of(search(find_window(SET), "text", "Passphrase")) == ""
    # Also from the button in the field, the focus goes back to the text.
    screen.type_text("short")
    screen.press("Tab")
    wait_for(lambda: (focused(SET) or "").startswith(BUTTON), "the button in the field to have the focus")
    screen.press("alt+s")
    wait_for(lambda: text_of(search(find_window(SET), "text", "Passphrase")) == "", "the field to be empty")
    enter(SET, PASSPHRASE, PASSPHRASE)
    wait_for(lambda: not has_window(SET), "the dialog to be done")
    wait_for(lambda: "keyring" not in app.words, "the notice to go")

    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    app.button(DEVICE_INFO).click()
    app.wait_for_log("Accounts are kept in encrypted files")

    app.restart()
    wait_for(lambda: "Enter the passphrase to use them." in app.words, "the notice")
    app.wait_for_account("Account Not Available")
    open_dialog(app, "Enter Passphrase…", ENTER)
    enter(ENTER, "wrong")
    state = home / "state" / "entrance"
    wait_for(
        lambda: says(
            ENTER, "This passphrase is wrong. If you forgot it, run "
            f"'mv \"{state}\" \"{state}.old\"' and sign in again."),
        "a word about the passphrase")
    enter(ENTER, PASSPHRASE)
    wait_for(lambda: not has_window(ENTER), "the dialog to be done")
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log("Access token is ")

    kept = b"".join(path.read_bytes() for path in home.rglob("state/**/*") if path.is_file())
    assert kept and b"adele" not in kept and PASSPHRASE.encode() not in kept


def records(home) -> list[str]:
    """The encrypted files of accounts."""
    return [path.name for path in (home / "state" / "entrance").rglob("account.*") if path.is_file()]


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(f"{text}===")


def sign_in_with_a_passphrase(app, emulator, sign_in, home):
    """Keeps Adele's account in encrypted files."""
    app.start()
    open_dialog(app, "Set Passphrase…", SET)
    enter(SET, PASSPHRASE, PASSPHRASE)
    wait_for(lambda: "keyring" not in app.words, "the notice to go")
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    assert records(home)


@pytest.fixture
def late_keyring(app, emulator, session, sign_in, home):
    """A keyring that appears once Adele's account is in encrypted files."""
    sign_in_with_a_passphrase(app, emulator, sign_in, home)
    keyring = Keyring(session, home).start()
    yield keyring
    # A test may have stopped it.
    keyring.process.send_signal(signal.SIGCONT)
    app.stop()
    keyring.stop()


def test_accounts_are_moved_into_a_keyring_that_appeared(late_keyring, app, emulator, home):
    open_preferences()
    show_page("Privacy")
    find(PREFERENCES, BUTTON, "Move to Keyring").press_with_keys()
    wait_for(lambda: "The accounts are in the keyring now." in app.log, "the move")
    wait_for(lambda: not exists(PREFERENCES, BUTTON, "Move to Keyring"), "the button to go")
    assert "Accounts are kept in the keyring." in texts(PREFERENCES)
    assert not records(home)

    # Another program finds them.
    found = subprocess.run(
        ["secret-tool", "search", "--all", "xdg:schema", "io.github.entrance.TokenCache"],
        capture_output=True, text=True, timeout=30, check=True).stdout
    secrets = [line.removeprefix("secret = ") for line in found.splitlines() if "secret = " in line]
    assert any(b"adele@contoso.example" in decoded(json.loads(decoded(secret))["payload"])
               for secret in secrets)
    app.restart()
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log("Access token is ")


def test_preferences_say_why_accounts_were_not_moved(late_keyring, session, home):
    with prompter(session):
        late_keyring.lock()
        open_preferences()
        show_page("Privacy")
        find(PREFERENCES, BUTTON, "Move to Keyring").press_with_keys()
        wait_for_prompt()
        screen.press("Escape")
        wait_until_answered()
        wait_for(
            lambda: any("the keyring is locked" in text for text in texts(PREFERENCES)), "the reason")
    assert find(PREFERENCES, BUTTON, "Move to Keyring").is_enabled
    assert records(home)


def test_a_move_leaves_the_focus_on_another_page(late_keyring):
    open_preferences()
    show_page("Privacy")
    move = find(PREFERENCES, BUTTON, "Move to Keyring")
    before = next(
        text for text in texts(PREFERENCES) if text.startswith("Accounts are kept in encrypted files"))
    # It can be read while its page is not shown.
    place = find(PREFERENCES, LABEL, before)
    late_keyring.process.send_signal(signal.SIGSTOP)
    move.press_with_keys()
    show_page("Appearance")
    tab = focused(PREFERENCES)
    screen.press("Tab")
    wait_for(lambda: focused(PREFERENCES) not in (None, tab), "the focus to move")
    focus = focused(PREFERENCES)
    late_keyring.process.send_signal(signal.SIGCONT)
    wait_for(lambda: place.text != before, "the end of the move")
    assert focused(PREFERENCES) == focus


def test_account_from_before_the_passphrase_is_stored(app, emulator, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    open_dialog(app, "Set Passphrase…", SET)
    enter(SET, PASSPHRASE, PASSPHRASE)
    wait_for(lambda: "keyring" not in app.words, "the notice to go")
    assert app.account == emulator.adele.username

    app.restart()
    open_dialog(app, "Enter Passphrase…", ENTER)
    enter(ENTER, PASSPHRASE)
    app.wait_for_account(emulator.adele.username)


def test_dialog_can_be_canceled(app, emulator, sign_in, home):
    app.start()
    open_dialog(app, "Set Passphrase…", SET)
    enter(SET, PASSPHRASE)
    screen.press("Escape")
    wait_for(lambda: not has_window(SET), "the dialog to close")
    assert "There is no keyring" in app.words
    assert not list(home.rglob("passphrase.json"))
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    assert find(MAIN, BUTTON, "Set Passphrase…").is_enabled

    # The dialog closes with its window.
    open_dialog(app, "Set Passphrase…", SET)
    screen.press("ctrl+q")
    app.wait_for_end()
    assert not screen.window_ids(SET)
