"""Signing out: the question, its choices, and what is said about each part."""

import json

import pytest

import screen
from accessible import BUTTON, cut_off, exists, find, focused, has_window, texts
from app import MAIN, SIGN_OUT
from test_preferences import set_preferences
from waiting import wait_for

THIS_APP = "This app only"
PAGE = "This app and its sign-in page"
EVERYWHERE = "Everywhere on this computer"
SUCCESS = "Sign out completed successfully"
STILL_KNOWN = "Signed out here. The sign-in page may still remember you."
OTHER_CLIENT = "22222222-3333-4444-5555-666666666666"


@pytest.fixture
def signed_in(app, emulator, keyring, sign_in, home):
    """With a sign-in page that remembers the account."""
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    return app


def logouts(emulator) -> int:
    return sum(count for route, count in emulator.counts().items() if route.endswith("/logout"))


def toast(text: str) -> bool:
    return text in texts(MAIN)


def test_this_app_only_shows_no_page(signed_in, emulator, results):
    title = signed_in.ask_to_sign_out()
    assert title == f"Sign Out {emulator.adele.username}?"
    wait_for(lambda: PAGE in texts(title), "the choices")
    assert EVERYWHERE not in texts(title)
    screen.wait_until_still(title, title)
    screen.capture(results / "sign-out.png")
    # Enter takes the default, also from a choice.
    wait_for(lambda: focused(title) == f"check box {THIS_APP}", f"the focus: {focused(title)}")
    screen.press("Return")
    signed_in.wait_for_log(SUCCESS)
    wait_for(lambda: toast(SUCCESS), "the toast")
    signed_in.wait_for_account("Signed out")
    assert logouts(emulator) == 0


def test_escape_cancels_and_the_focus_returns(signed_in):
    title = signed_in.ask_to_sign_out()
    screen.press("Escape")
    wait_for(lambda: not has_window(title), "the question to close")
    assert signed_in.button(SIGN_OUT).is_enabled
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_OUT}", f"the focus: {focused(MAIN)}")


def test_sign_in_page_is_signed_out_and_the_choice_is_kept(signed_in, emulator, sign_in):
    title = signed_in.ask_to_sign_out()
    # By keyboard: the next choice, then Enter.
    wait_for(lambda: focused(title) == f"check box {THIS_APP}", "the focus")
    screen.press("Down")
    wait_for(lambda: focused(title) == f"check box {PAGE}", "the other choice")
    screen.press("Return")
    signed_in.wait_for_log(SUCCESS)
    assert logouts(emulator) == 1
    signed_in.wait_until_idle()
    sign_in.open().complete(emulator.adele, consents=False)
    signed_in.wait_for_account(emulator.adele.username)
    signed_in.wait_until_idle()
    title = signed_in.ask_to_sign_out()
    wait_for(lambda: focused(title) == f"check box {PAGE}", "the last choice")


def test_everywhere_removes_the_account_of_other_apps(app, emulator, keyring, sign_in, home):
    cache = home / "cache.json"
    app.connect_to(emulator, cache={"path": str(cache)})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    # Another program with the same account.
    text = cache.read_text()
    other = json.loads(text.replace(emulator.connection("Demo")["clientID"], OTHER_CLIENT))
    both = json.loads(text)
    for kind, entries in other.items():
        both[kind] = both.get(kind, {}) | entries
    cache.write_text(json.dumps(both))
    app.sign_out(EVERYWHERE)
    app.wait_for_log(SUCCESS)
    left = json.loads(cache.read_text())
    kinds = ("Account", "AccessToken", "RefreshToken", "IdToken")
    assert not any(left.get(kind) for kind in kinds), left


def test_closed_page_is_told_and_tried_again(signed_in, emulator, sign_in, results):
    emulator.delay("/{tenant}/oauth2/v2.0/logout", 60_000)
    signed_in.sign_out(PAGE)
    wait_for(lambda: sign_in.is_open, "the sign-out page")
    sign_in.click("Cancel")
    wait_for(lambda: STILL_KNOWN in signed_in.words, "the notice")
    signed_in.wait_for_account("Signed out")
    assert not toast(SUCCESS)
    signed_in.wait_until_idle()
    screen.wait_until_still(MAIN, MAIN)
    screen.capture(results / "sign-out-in-part.png")
    emulator.delay("/{tenant}/oauth2/v2.0/logout", 0)
    find(MAIN, BUTTON, "Try Again").click()
    signed_in.wait_for_log(SUCCESS)
    wait_for(lambda: STILL_KNOWN not in signed_in.words, "the notice to go")


def test_without_the_server_the_account_is_gone_here(signed_in, emulator, sign_in, results):
    emulator.stop()
    signed_in.sign_out(PAGE)
    wait_for(lambda: sign_in.is_open, "the sign-out page, which says what is wrong")
    sign_in.click("Cancel")
    signed_in.wait_for_account("Signed out")
    wait_for(lambda: STILL_KNOWN in signed_in.words, "the notice")
    # There is nothing to sign in to.
    assert "The Sign-In Page Is Not Available" not in signed_in.words
    find(MAIN, BUTTON, "Details").click()
    wait_for(lambda: "Correlation ID: " in signed_in.words, "the reason")
    screen.capture(results / "sign-out-without-server.png", MAIN)
    find(MAIN, BUTTON, "Dismiss").click()
    wait_for(lambda: STILL_KNOWN not in signed_in.words, "the notice to go")


@pytest.mark.parametrize("size", ["narrow", "large-text"])
def test_question_fits(size, app, emulator, keyring, sign_in, home, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    if size == "large-text":
        with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
            settings.write("gtk-font-name=DejaVu Sans 18\n")
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_account(emulator.adele.username)
    app.wait_until_idle()
    screen.resize(screen.window_id(MAIN), 360, 640)
    title = app.ask_to_sign_out()
    wait_for(lambda: PAGE in texts(title), "the choices")
    screen.wait_until_still(title, title)
    screen.capture(results / f"sign-out-{size}.png")
    assert cut_off(title) == []


def test_without_a_session_there_is_nothing_to_choose(app, emulator, keyring, sign_in, home):
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_account(emulator.adele.username)
    app.wait_until_idle()
    title = app.ask_to_sign_out()
    assert not exists(title, "check box", THIS_APP)
    assert any("stay signed in" in text for text in texts(title))
    screen.press("Return")
    app.wait_for_log(SUCCESS)
