"""Signing in, calling Graph and signing out, like a user."""

import pytest

import screen
from accessible import BUTTON, MENU_ITEM, exists, find, focused
from app import CALL_GRAPH, MAIN, SIGN_IN, SIGN_OUT
from waiting import wait_for

REDIRECT_DELIVERIES = ("302", "script", "form", "form-csp", "meta")


def test_first_sign_in_shows_the_profile(app, emulator, keyring, sign_in):
    app.start()
    app.wait_for_account("Signed out")
    app.wait_for_log("Account signed out. Updating UX")
    assert not app.button(SIGN_OUT).is_enabled

    sign_in.open()
    sign_in.complete(emulator.adele)

    app.wait_for_log("Access token is ")
    app.wait_for_log("Result from Graph: {")
    app.wait_for_log('"displayName"')
    app.wait_for_account(emulator.adele.username)
    assert emulator.adele.display_name in app.log
    assert app.button(SIGN_OUT).is_enabled


def test_log_shortens_the_token(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")

    line = next(line for line in app.log.split("\n") if "Access token is " in line)
    assert len(line) < 120
    assert "." not in line.split("Access token is ")[1].rstrip(".")


def test_full_token_is_shown_on_request(app, emulator, keyring, sign_in):
    app.start()
    screen.press("F10")
    screen.press("t")
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")

    line = next(line for line in app.log.split("\n") if "Access token is " in line)
    assert len(line.split("Access token is ")[1].split(".")) == 3


def test_wrong_password_can_be_corrected(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.username(emulator.adele)
    sign_in.password("not the password")
    assert sign_in.is_open

    sign_in.password(emulator.adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()

    app.wait_for_log("Result from Graph: {")


def test_restart_signs_in_without_a_page(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    pages = emulator.authorize_count()

    app.restart()
    app.wait_for_log(f"Found a signed in account {emulator.adele.username}.")
    app.wait_for_account(emulator.adele.username)
    app.call_graph()

    app.wait_for_log("Refreshed Access token is ")
    app.wait_for_log("Result from Graph: {")
    assert not sign_in.is_open
    assert emulator.authorize_count() == pages


def test_sign_out_empties_the_keyring_and_the_next_call_signs_in(app, emulator, keyring, sign_in):
    app.start()
    before = keyring.items()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    wait_for(lambda: len(keyring.items()) > len(before), "the tokens in the keyring")
    stored = str(keyring.items())
    assert emulator.adele.username not in stored and "contoso" not in stored

    app.sign_out()
    app.wait_for_log("Sign out completed successfully")
    app.wait_for_account("Signed out")
    wait_for(lambda: keyring.items() == before, "the keyring to be empty")

    app.wait_until_idle()
    sign_in.open()
    assert sign_in.is_open


def test_two_accounts_in_turn(app, emulator, keyring, sign_in):
    app.start()
    for user in (emulator.adele, emulator.bram):
        sign_in.open()
        sign_in.complete(user)
        app.wait_for_account(user.username)
        wait_for(lambda: user.display_name in app.log, "the profile")
        app.wait_until_idle()
        app.sign_out()
        app.wait_for_account("Signed out")
        app.wait_until_idle()


@pytest.mark.parametrize("delivery", REDIRECT_DELIVERIES)
def test_every_kind_of_redirect_is_caught(delivery, app, emulator, keyring, sign_in):
    emulator.set_redirect_delivery(delivery)
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")


def test_redirect_in_a_frame_is_rejected(app, emulator, keyring, sign_in):
    emulator.set_redirect_delivery("iframe")
    app.start()
    sign_in.open()
    sign_in.username(emulator.adele)
    sign_in.password(emulator.adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.rest()

    assert sign_in.is_open
    assert "Access token is " not in app.log
    screen.press("Escape")
    app.wait_for_log("Could not acquire token:")


def test_device_info_is_logged(app, keyring):
    app.start()
    app.get_device_info()
    app.wait_for_log("Received device info. Device is in the private mode.")


def test_graph_can_be_called_with_the_keyboard(app, emulator, keyring, sign_in):
    app.start()
    app.wait_for_log("Account signed out. Updating UX")
    seen = emulator.authorize_count()
    screen.press("ctrl+Return")
    sign_in.wait_for_page(seen)
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    assert find(MAIN, BUTTON, CALL_GRAPH)


def test_page_can_be_zoomed_with_keys_and_the_menu(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    # Past the details of the site.
    for name in (": Secure connection", "Page Menu"):
        screen.press("shift+Tab")
        wait_for(lambda: name in (focused(SIGN_IN) or ""), f"'{name}' to have the focus")
    screen.wait_until_still(SIGN_IN, "the page")

    def page() -> bytes:
        """The window without its bars, which change by themselves: GTK hides the focus ring of a button and the
        page's scroll bar after some seconds.
        """
        picture = screen.pixels(SIGN_IN)
        row = screen.geometry(sign_in.window)[2] * 3
        return b"".join(
            picture[start:start + row - 180] for start in range(len(picture) // 4 // row * row, len(picture), row))

    normal = page()
    for key in ("ctrl+plus", "ctrl+minus"):
        screen.press(key)
        wait_for(lambda: page() != normal, "the page to have another size")
        screen.press("ctrl+0")
        wait_for(lambda: page() == normal, "the page to be as it was")
    screen.press("ctrl+plus")
    wait_for(lambda: page() != normal, "the page to be larger")
    screen.press("space")
    wait_for(lambda: exists(SIGN_IN, MENU_ITEM, "Normal Size"), "the menu")
    screen.press("n")
    wait_for(lambda: page() == normal, "the page to be as it was")
