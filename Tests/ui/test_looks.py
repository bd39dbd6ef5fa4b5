"""The windows in other languages, narrow and with large text. How they look is in `test_pictures.py`."""

import gettext
import re
import shutil

import pytest

import screen
from accessible import BUTTON, LOG, cut_off, exists, find, wait_for_dialog
from app import CALL_GRAPH, MAIN
from languages import locale, put_in_brackets
from waiting import wait_for


@pytest.fixture
def speak(session, monkeypatch):
    """Sets the language of programs from now on."""
    def speak(name: str):
        for variable, value in locale(session.directory / "locales", name).items():
            monkeypatch.setenv(variable, value)

    return speak


@pytest.mark.parametrize("name, points", [
    ("en_US", 16.5), ("ar_EG", 11), ("de_DE", 11), ("es_ES", 11), ("fr_FR", 11), ("ja_JP", 11)])
def test_no_page_makes_a_narrow_window_wider(
    name, points, app, emulator, home, keyring, sign_in, speak, stage
):
    """A window that was wider for a moment stays as wide."""
    def look_at(page: str, width: int = 360):
        screen.wait_until_still(MAIN, page)
        assert screen.geometry(window)[2] == width, page
        assert cut_off(MAIN) == [], page

    def tr(text: str) -> str:
        return gettext.translation(
            "entrance", stage / "share" / "locale", [name[:2]], fallback=True).gettext(text)

    # Where the pointer happens to be, a tooltip would be wider than the window.
    screen.move_pointer(1919, 1079)
    sign_in.without_window(emulator.adele)
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write(f"gtk-font-name=DejaVu Sans {points}\n")
    speak(name)
    app.process = app.launch("--app", "Demo")
    wait_for(lambda: emulator.adele.username in app.words, "the account")
    window = screen.window_id(MAIN)
    screen.resize(window, 360, 640)
    screen.focus(window)
    look_at("account")
    emulator.delay("/v1.0/me", 60_000)
    asked = emulator.counts().get("GET /v1.0/me", 0)
    for page in ("alt+1", "alt+2"):
        screen.press(page)
        if page == "alt+2":
            wait_for(lambda: exists(MAIN, "text", tr("Address")), "the Explorer page")
        screen.press("ctrl+Return")
        asked += 1
        wait_for(lambda: emulator.counts().get("GET /v1.0/me", 0) == asked, "the request")
        screen.press("Escape")
        wait_for(lambda: tr("The request was canceled.") in str(app.words), "the end of the request")
    emulator.delay("/v1.0/me", 0)
    screen.press("ctrl+Return")
    wait_for(lambda: "200 OK" in app.words, "the answer")
    look_at("answer")
    if points == 11:
        screen.press("ctrl+l")
        screen.type_text("/v1.0/me/messages")
        screen.press("Return")
        wait_for(lambda: "403 Forbidden" in app.words, "the refusal")
        look_at("refusal")
    screen.press("alt+3")
    wait_for(lambda: tr("ID Token") in app.words, "the tokens")
    look_at("tokens")
    screen.press("alt+4")
    wait_for(lambda: exists(MAIN, BUTTON, tr("Copy Support Details")), "the activity")
    look_at("activity")
    screen.press("alt+1")
    # In Japanese, GTK leaves out the mnemonic with its parentheses.
    find(MAIN, BUTTON, re.sub(r"\(_\w\)|_", "", tr("Sign _Out"))).click()
    question = tr("Sign Out?")
    wait_for_dialog(question)
    screen.press("Return")
    wait_for(lambda: tr("Signed out") in app.words, "the account to be signed out")
    look_at("signed out")
    screen.resize(window, 760, 640)
    look_at("signed out, wide", 760)


@pytest.mark.parametrize("is_signed_in", (False, True))
def test_pages_fit_into_a_narrow_window_when_text_is_twice_as_large(
    is_signed_in, app, emulator, keyring, sign_in, set_text_scale
):
    set_text_scale(2)
    # Where the pointer happens to be, a tooltip would be wider than the window.
    screen.move_pointer(1919, 1079)
    if is_signed_in:
        sign_in.without_window(emulator.adele)
    app.start()
    app.wait_for_account(emulator.adele.username if is_signed_in else "Signed out")
    window = screen.window_id(MAIN)
    screen.resize(window, 360, 640)
    screen.focus(window)
    before = screen.wait_until_still(MAIN, "the first page")
    for page in ("alt+2", "alt+3", "alt+4", "alt+1"):
        screen.press(page)
        wait_for(lambda: screen.pixels(MAIN) != before, f"the page of {page}")
        before = screen.wait_until_still(MAIN, f"the page of {page}")
        assert screen.geometry(window)[2] == 360, page
        assert cut_off(MAIN) == [], page


@pytest.fixture
def stage_in_brackets(stage, home):
    """The app with a catalog that puts every template in brackets."""
    copy = home / "stage"
    shutil.copytree(stage, copy)
    put_in_brackets(stage, copy / "share" / "locale", "eo")
    return copy


def not_looked_up(text: str) -> list[str]:
    """The lines of a text that are not completely in brackets."""
    return [line for line in text.splitlines() if not (line.startswith("[") and line.endswith("]"))]


def test_every_sentence_can_be_translated(app, emulator, keyring, speak, stage_in_brackets):
    def log() -> str:
        return find(MAIN, LOG, "[Log]").text

    speak("eo")
    app.stage = stage_in_brackets
    app.process = app.launch("--app", "Demo")
    wait_for(lambda: "[Signed out]" in app.words, "words in brackets")
    # Text from a library within the window's own text.
    emulator.stop()
    find(MAIN, BUTTON, f"[{CALL_GRAPH}]").click()
    wait_for(
        lambda: "[Could not acquire token: [Could not connect to localhost:" in log(), "the error")
    wait_for(lambda: "[Step: " in log() and "[Correlation ID: " in log(), "its details")
    found = [line for line in not_looked_up(app.words) if not re.fullmatch(r"\d\d:\d\d:\d\d", line)]
    # GTK's own word for an empty choice, which it has in Esperanto.
    assert set(found) - {"(Neniu)"} == {MAIN, "Demo"}, "only the names of app and connection"
