"""A keyring that is locked when the app starts: the user is asked once to unlock it."""

import contextlib
import os
import signal

import pytest
from gi.repository import Gio, GLib

import screen
from accessible import BUTTON, exists, find
from app import MAIN
from keyring import PASSWORD
from waiting import wait_for

PROMPTER = "org.gnome.keyring.SystemPrompter"
PROMPT = "Unlock Login Keyring"


@contextlib.contextmanager
def prompter(session):
    """A desktop that can show the prompt, which must be shown."""
    session.add_service(
        PROMPTER,
        f"[D-BUS Service]\nName={PROMPTER}\n"
        # It would end by itself ten seconds after the last prompt.
        f"Exec=/usr/bin/env GCR_PERSIST=1 DISPLAY={os.environ['DISPLAY']} GDK_BACKEND=x11 NO_AT_BRIDGE=1"
        " /usr/libexec/gcr-prompter\n")
    try:
        yield
    finally:
        session.remove_service(PROMPTER)
        # It waits for the next prompt.
        if ask_bus("NameHasOwner"):
            os.kill(ask_bus("GetConnectionUnixProcessID"), signal.SIGTERM)
            wait_for(lambda: not ask_bus("NameHasOwner"), "the prompter to be gone")


def ask_bus(method: str):
    """What the bus says of the prompter."""
    return Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", method, GLib.Variant("(s)", (PROMPTER,)), None,
        Gio.DBusCallFlags.NONE, 30_000).unpack()[0]


@pytest.fixture
def locked(session, keyring, emulator, sign_in):
    """A locked keyring with Adele's account, and a desktop that can show the prompt."""
    sign_in.without_window(emulator.adele)
    with prompter(session):
        keyring.lock()
        yield keyring


def wait_for_prompt():
    wait_for(lambda: screen.window_id(PROMPT), "the question for the keyring's password")
    screen.focus(screen.window_id(PROMPT))


def wait_until_answered():
    wait_for(lambda: screen.window_id(PROMPT) is None, "the question to go")


def test_unlocking_shows_the_account(app, locked, emulator, results):
    app.start()
    wait_for_prompt()
    # The prompt grabs keyboard and pointer, so a user can do nothing else meanwhile.
    wait_for(lambda: "Waiting for your accounts." in app.words, "a word about the wait")
    assert app.account == "Loading Accounts…"
    assert locked.is_locked()
    screen.capture(results / "unlock.png")
    screen.type_text(PASSWORD)
    screen.press("Return")
    app.wait_for_account(emulator.adele.username)
    wait_until_answered()
    assert not locked.is_locked()


def test_after_declining_the_user_is_asked_again_only_on_request(app, locked, emulator, results):
    app.start()
    wait_for_prompt()
    screen.press("Escape")
    wait_until_answered()
    wait_for(lambda: "The keyring is locked. Unlock it to see your accounts." in app.words,
             "a word about the keyring")
    assert exists(MAIN, BUTTON, "Sign In")
    app.wait_for_account("Account Not Available")
    app.wait_for_log("Couldn't query current account with error: ")
    assert "Account signed out" not in app.log
    screen.capture(results / "locked.png", MAIN)

    app.get_device_info()
    app.wait_for_log("Received device info.")
    app.wait_until_idle()
    assert screen.window_id(PROMPT) is None
    assert locked.is_locked()

    for answer in ("Escape", "Return"):
        find(MAIN, BUTTON, "Unlock").click()
        wait_for_prompt()
        if answer == "Return":
            screen.type_text(PASSWORD)
        screen.press(answer)
        wait_until_answered()
    app.wait_for_account(emulator.adele.username)
    wait_for(lambda: not exists(MAIN, BUTTON, "Unlock"), "the notice to go")
