"""The dialog that explains an error of any program."""

import pytest
import screen
from accessible import MENU_ITEM, exists, find, find_window, has_window, texts
from app import MAIN
from test_failures import install
from waiting import wait_for

EXPLAIN = "Explain an Error"
MFA = "Your organization requires multifactor authentication."


def open_dialog(app):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+e")
    wait_for(lambda: has_window(EXPLAIN), "the dialog")
    wait_for(lambda: screen.active_window() == screen.window_id(EXPLAIN), "the dialog to have the focus")


def says(text: str):
    wait_for(lambda: any(text in shown for shown in texts(EXPLAIN)), text)


@pytest.mark.parametrize("look", ["normal", "dark", "narrow", "large-text"])
def test_an_error_is_explained_while_it_is_typed(look, app, keyring, results, monkeypatch, set_text_scale):
    if look == "dark":
        monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    if look == "large-text":
        set_text_scale(1.5)
    open_dialog(app)
    if look == "narrow":
        screen.resize(screen.window_id(EXPLAIN), 360, 480)
    assert find(EXPLAIN, "text", "Error")
    screen.type_text("hello")
    says("This text has no error that is known here.")
    screen.press("ctrl+a")
    screen.type_text("ERROR: AADSTS50076: Due to a configuration change")
    says(MFA)
    says("Sign in again and complete that step. You can solve this.\nAADSTS50076")
    assert not any("no error that is known" in text for text in texts(EXPLAIN))
    screen.wait_until_still(EXPLAIN, EXPLAIN)
    screen.capture(results / f"explain-{look}.png", EXPLAIN)
    screen.press("Escape")
    wait_for(lambda: not has_window(EXPLAIN), "the dialog to be gone")


def test_the_page_about_it_opens(app, keyring, home, monkeypatch):
    monkeypatch.delenv("BROWSER", raising=False)
    opened = install(home, "browser", MimeType="x-scheme-handler/https;")
    (home / "config" / "mimeapps.list").write_text(
        "[Default Applications]\nx-scheme-handler/https=browser.desktop\n")
    open_dialog(app)
    screen.type_text("50076")
    says(MFA)
    screen.press("Tab", "Return")
    wait_for(opened.exists, "the browser")
    assert opened.read_text() == "https://login.microsoftonline.com/error?code=50076\n"


def test_it_is_in_the_menu_and_needs_no_app(app, home):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    wait_for(lambda: find_window(MAIN), "the window")
    wait_for(lambda: screen.active_window() == screen.window_id(MAIN), "the window to have the focus")
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Explain an Error…"), "the menu")
    screen.press("e")
    wait_for(lambda: has_window(EXPLAIN), "the dialog")
