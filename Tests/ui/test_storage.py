"""Without a keyring service: accounts are stored with a passphrase, and the page explains it."""

import base64
import json
import subprocess

import screen
from accessible import BUTTON, exists, find, find_window, has_window, search, text_of
from app import DEVICE_INFO, MAIN
from keyring import Keyring
from test_preferences import PREFERENCES, open_preferences, picture, show_page
from waiting import wait_for

SET = "Set a Passphrase"
ENTER = "Enter the Passphrase"
PASSPHRASE = "correct horse"
RULE = "Use at least eight characters."


def open_dialog(app, button: str, title: str):
    app.button(button).click()
    wait_for(lambda: has_window(title), f"the dialog '{title}'")
    wait_for(
        lambda: screen.active_window() == screen.window_id(title), "the dialog to have the focus")


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


def test_accounts_are_stored_with_a_passphrase(app, emulator, sign_in, results, home):
    app.start()
    wait_for(lambda: "There is no keyring" in app.words, "the notice")
    screen.capture(results / "passphrase-notice.png")

    open_dialog(app, "Set Passphrase…", SET)
    assert find(SET, "text", "Passphrase").node.get_description() == RULE
    enter(SET, PASSPHRASE, "something else")
    wait_for(lambda: says(SET, "The passphrases do not match."), "a word about the mistake")
    assert text_of(search(find_window(SET), "text", "Passphrase")) == ""
    screen.capture(results / "passphrase-dialog.png")
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
    app.wait_for_account("Account not available")
    open_dialog(app, "Enter Passphrase…", ENTER)
    enter(ENTER, "wrong")
    wait_for(lambda: says(ENTER, "This passphrase is wrong."), "a word about the passphrase")
    enter(ENTER, PASSPHRASE)
    wait_for(lambda: not has_window(ENTER), "the dialog to be done")
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log("Refreshed Access token is ")

    kept = b"".join(path.read_bytes() for path in home.rglob("state/**/*") if path.is_file())
    assert kept and b"adele" not in kept and PASSPHRASE.encode() not in kept


def records(home) -> list[str]:
    """The encrypted files of accounts."""
    return [path.name for path in (home / "state" / "entrance").rglob("account.*") if path.is_file()]


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(f"{text}===")


def test_accounts_are_moved_into_a_keyring_that_appeared(
    app, emulator, session, sign_in, home, results
):
    app.start()
    open_dialog(app, "Set Passphrase…", SET)
    enter(SET, PASSPHRASE, PASSPHRASE)
    wait_for(lambda: "keyring" not in app.words, "the notice to go")
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    assert records(home)
    keyring = Keyring(session, home).start()
    try:
        open_preferences()
        show_page("Storage")
        find(PREFERENCES, BUTTON, "Move to Keyring")
        picture(results, "move")
        find(PREFERENCES, BUTTON, "Move to Keyring").click()
        wait_for(lambda: "The accounts are in the keyring now." in app.log, "the move")
        wait_for(lambda: not exists(PREFERENCES, BUTTON, "Move to Keyring"), "the button to go")
        picture(results, "moved")
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
        app.wait_for_log("Refreshed Access token is ")
    finally:
        app.stop()
        keyring.stop()


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


def test_dialog_closes_with_its_window(app):
    app.start()
    open_dialog(app, "Set Passphrase…", SET)
    screen.press("ctrl+q")
    app.wait_for_end()
    assert not screen.window_ids(SET)
