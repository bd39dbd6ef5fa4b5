"""The dialog that explains an error of any program."""

import pytest

import screen
from accessible import MENU_ITEM, exists, find, has_window, texts, wait_for_dialog
from app import MAIN
from test_failures import install
from waiting import wait_for

EXPLAIN = "Explain an Error"
MFA = "Your organization requires multifactor authentication."


def open_dialog(app):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+e")
    wait_for_dialog(EXPLAIN)


def says(text: str):
    wait_for(lambda: any(text in shown for shown in texts(EXPLAIN)), text)


def test_an_error_is_explained_while_it_is_typed(app, keyring, results):
    open_dialog(app)
    screen.resize(screen.window_id(EXPLAIN), 360, 480)
    assert find(EXPLAIN, "text", "Error")
    screen.type_text("hello")
    says("No known error was found in this text.")
    screen.press("ctrl+a")
    screen.type_text("ERROR: AADSTS50076: Due to a configuration change")
    says(MFA)
    says("Sign in again and complete the extra verification. You can solve this.\nAADSTS50076")
    assert not any("No known error" in text for text in texts(EXPLAIN))
    screen.wait_until_still(EXPLAIN, EXPLAIN)
    screen.capture(results / "explain.png", EXPLAIN)
    screen.press("Escape")
    wait_for(lambda: not has_window(EXPLAIN), "the dialog to be gone")


def test_a_long_text_is_read_whole_and_its_beginning_shown(app, keyring):
    open_dialog(app)
    screen.copy("x" * 50_000 + " AADSTS50076")
    screen.press("ctrl+v")
    says(MFA)
    shown = find(EXPLAIN, "text", "Error")
    assert len(shown.text) < 13_000 and shown.text.endswith("x…")
    # What is not shown is still read after an edit.
    screen.press("ctrl+Home")
    screen.type_text("AADSTS50058 ")
    says("AADSTS50058")
    says("AADSTS50076")
    screen.press("ctrl+End", "Return")
    screen.type_text("AADSTS65001")
    says("AADSTS65001")
    says("AADSTS50076")


def test_a_long_text_in_another_script_has_one_mark(app, keyring):
    open_dialog(app)
    screen.copy("ж" * 7_000 + " AADSTS50076")
    screen.press("ctrl+v")
    says(MFA)
    screen.type_text(" AADSTS50058")
    says("AADSTS50058")
    says("AADSTS50076")
    assert find(EXPLAIN, "text", "Error").text.count("…") == 1


@pytest.mark.parametrize("number, words", ((50076, MFA), (9999999, "Entrance has no explanation for AADSTS9999999.")))
def test_the_page_about_it_opens(number, words, app, keyring, home, monkeypatch):
    monkeypatch.delenv("BROWSER", raising=False)
    opened = install(home, "browser", MimeType="x-scheme-handler/https;")
    (home / "config" / "mimeapps.list").write_text(
        "[Default Applications]\nx-scheme-handler/https=browser.desktop\n")
    open_dialog(app)
    screen.type_text(f"AADSTS{number}")
    says(words)
    screen.press("Tab", "Return")
    wait_for(opened.exists, "the browser")
    assert opened.read_text() == f"https://login.microsoftonline.com/error?code={number}\n"


def test_it_is_in_the_menu_and_needs_no_app(app, home):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    wait_for_dialog(MAIN)
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Explain an Error…"), "the menu")
    screen.press("e")
    wait_for(lambda: has_window(EXPLAIN), "the dialog")


def test_a_second_request_brings_the_open_dialog_to_the_front(app, keyring):
    open_dialog(app)
    screen.type_text("50076")
    says(MFA)
    screen.focus(screen.window_id(MAIN))
    wait_for(lambda: screen.active_window() == screen.window_id(MAIN), "the window to have the focus")
    screen.press("ctrl+e")
    wait_for_dialog(EXPLAIN)
    assert len(screen.window_ids(EXPLAIN)) == 1
    says(MFA)
