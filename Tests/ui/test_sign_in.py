"""Signing in, calling Graph and signing out, like a user."""

import screen
from accessible import MENU_ITEM, exists, focused
from app import MAIN, SIGN_IN, SIGN_OUT
from waiting import wait_for


def tokens_in_log(app) -> list[str]:
    """What the log shows of each token."""
    mark = "Access token is "
    return [line.partition(mark)[2] for line in app.log.split("\n") if mark in line]


def test_from_the_first_sign_in_to_the_next(app, emulator, keyring, sign_in):
    app.start()
    app.wait_for_account("Signed out")
    app.wait_for_log("Account signed out. Updating UX")
    assert not app.button(SIGN_OUT).is_enabled
    before = keyring.items()

    # The first sign-in shows the profile; the token is shortened.
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_for_log('"displayName"')
    app.wait_for_account(emulator.adele.username)
    assert emulator.adele.display_name in app.log
    assert app.button(SIGN_OUT).is_enabled
    [token] = tokens_in_log(app)
    assert len(token) < 100 and "." not in token.rstrip(".")
    wait_for(lambda: len(keyring.items()) > len(before), "the tokens in the keyring")
    stored = str(keyring.items())
    assert emulator.adele.username not in stored and "contoso" not in stored

    # After a restart, no page is needed; the token is shown in full on request.
    pages = emulator.authorize_count()
    app.restart()
    app.wait_for_log(f"Found a signed in account {emulator.adele.username}.")
    app.wait_for_account(emulator.adele.username)
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "About Entrance"), "the menu")
    screen.press("t")
    wait_for(lambda: not exists(MAIN, MENU_ITEM, "About Entrance"), "the menu to close")
    app.call_graph()
    app.wait_for_log("Access token is ")
    app.wait_for_log("Result from Graph: {")
    assert not sign_in.is_open
    assert emulator.authorize_count() == pages
    [token] = tokens_in_log(app)
    assert len(token.split(".")) == 3

    # Signing out empties the keyring, and the next call signs in.
    app.wait_until_idle()
    app.sign_out()
    app.wait_for_log("Sign out completed successfully")
    app.wait_for_account("Signed out")
    wait_for(lambda: keyring.items() == before, "the keyring to be empty")
    app.wait_until_idle()
    sign_in.open()
    assert sign_in.is_open


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


def test_every_kind_of_redirect_is_caught(app, emulator, keyring, sign_in):
    app.start()
    # Redirects with status 302 are in all other tests.
    for delivery in ("script", "form", "form-csp", "meta"):
        print(delivery)
        emulator.set_redirect_delivery(delivery)
        sign_in.open()
        # The consent is remembered.
        sign_in.complete(emulator.adele, consents=delivery == "script")
        app.wait_for_account(emulator.adele.username)
        app.wait_until_idle()
        app.sign_out()
        app.wait_for_account("Signed out")
        app.wait_until_idle()


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
    app.wait_for_log("Correlation ID: ")


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
