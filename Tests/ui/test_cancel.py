"""Canceling a sign-in in any way leaves nothing pending."""

import pytest

import screen
from accessible import BUTTON, LABEL, MENU_ITEM, exists, find, focused, texts
from app import CALL_GRAPH, MAIN, SIGN_IN, SIGN_OUT
from waiting import wait_for


def by_escape(sign_in):
    screen.press("Escape")


def by_button(sign_in):
    sign_in.click("Cancel")


def by_closing_the_window(sign_in):
    screen.focus(sign_in.window)
    screen.press("alt+F4")


def by_the_page(sign_in):
    sign_in.cancel_on_page()


def test_canceled_sign_in_is_logged_and_can_be_repeated(app, emulator, keyring, sign_in):
    app.start()
    for number, cancel in enumerate((by_escape, by_button, by_closing_the_window, by_the_page), 1):
        print(cancel.__name__)
        sign_in.open()
        cancel(sign_in)

        sign_in.wait_until_closed()
        app.wait_for_log("Sign-in canceled\n", number)
        app.wait_for_account("Signed out")
        app.wait_until_idle()

    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")


def test_declined_consent_ends_the_sign_in(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.username(emulator.adele)
    sign_in.password(emulator.adele.password)
    sign_in.refuse_consent()

    sign_in.wait_until_closed()
    app.wait_for_log("Could not acquire token:")
    app.wait_for_account("Signed out")
    wait_for(lambda: "The Permissions Have Not Been Accepted" in app.words, "the notice")
    assert "To use the app, sign in again and accept them." in app.words
    assert exists(MAIN, BUTTON, "Try Again")


def by_ctrl_q():
    screen.press("ctrl+q")


def by_the_desktop():
    screen.close(screen.window_id(MAIN))


@pytest.mark.parametrize("close", (by_ctrl_q, by_the_desktop))
def test_closing_the_main_window_during_a_sign_in_ends_the_program(app, emulator, keyring, sign_in, close):
    app.start()
    sign_in.open()
    children = screen.descendants(app.process.pid)
    assert "WebKitWebProcess" in map(screen.process_name, children)
    close()
    app.wait_for_end()
    assert not screen.window_ids(SIGN_IN)
    wait_for(
        lambda: not any(screen.process_name(pid).startswith("WebKit") for pid in children),
        "the web view's processes to be gone")
    assert not any(route.endswith("/token") for route in emulator.counts())


def begin_endless_call(app, count: int):
    """Calls the API, which does not answer, for the `count`th time after the sign-in."""
    app.call_graph()
    app.wait_for_log("Access token is ", count + 1)


def test_call_in_progress_is_shown_and_can_be_canceled(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    assert "Signing in…" in app.words
    emulator.delay("/v1.0/me", 60_000)
    sign_in.complete(emulator.adele)
    app.wait_for_log("Access token is ")
    wait_for(lambda: "Calling Microsoft Graph…" in app.words, "a word about the call")
    app.button("Cancel").click()
    app.wait_for_log("Couldn't get graph result: ", 1)
    app.wait_until_idle()

    # A call with the stored token, and the keyboard: the focus is on a button afterwards.
    screen.focus(screen.window_id(MAIN))
    begin_endless_call(app, 1)
    # The log has the focus while work is in progress, and Cancel is several widgets before it.
    for _ in range(3):
        screen.press("shift+Tab")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Cancel", "Cancel to have the focus")
    screen.press("space")
    app.wait_for_log("Couldn't get graph result: ", 2)
    app.wait_until_idle()
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {CALL_GRAPH}", "a button to have the focus")

    # Escape closes the menu first, then it cancels.
    begin_endless_call(app, 2)
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "About Entrance"), "the menu")
    screen.press("Escape")
    wait_for(lambda: not exists(MAIN, MENU_ITEM, "About Entrance"), "the menu to close")
    assert "Calling Microsoft Graph…" in app.words
    screen.press("Escape")
    app.wait_for_log("Couldn't get graph result: ", 3)
    app.wait_until_idle()

    # Closing the window ends the program during a call.
    begin_endless_call(app, 3)
    screen.close(screen.window_id(MAIN))
    app.wait_for_end()


def test_call_in_progress_leaves_the_other_pages_alone(signed_in, emulator):
    asked = emulator.counts()["GET /v1.0/me"]
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for(lambda: emulator.counts()["GET /v1.0/me"] > asked, "the request")
    screen.press("alt+3")
    find(MAIN, BUTTON, "Renew Tokens").click()
    wait_for(lambda: "Tokens renewed" in texts(MAIN), "new tokens")
    screen.press("alt+1")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_OUT}", "the account page to have the focus")
    assert "Calling Microsoft Graph…" in signed_in.words
    # A toast would take Escape.
    wait_for(lambda: not exists(MAIN, LABEL, "Tokens renewed"), "the toast to be gone")
    screen.press("Escape")
    signed_in.wait_for_log("Couldn't get graph result: ")
    signed_in.wait_until_idle()
