"""Pictures of the windows in different settings: narrow, dark, high contrast, large text, right to
left.

They are saved for visual inspection.
"""

import gettext
import re
import shutil

import pytest

import screen
from accessible import BUTTON, LOG, cut_off, exists, find
from app import CALL_GRAPH, MAIN, SIGN_IN, SIGN_OUT
from languages import locale, mirrored, put_in_brackets
from waiting import wait_for


def test_window_works_at_360_pixels(app, emulator, keyring, sign_in, results):
    app.start()
    screen.resize(screen.window_id(MAIN), 360, 640)
    assert screen.geometry(screen.window_id(MAIN))[2] == 360
    sign_in.open()
    screen.capture(results / "narrow-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.capture(results / "narrow.png", MAIN)


def test_window_is_dark_if_the_desktop_is(app, emulator, keyring, sign_in, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    app.start()
    sign_in.open()
    screen.capture(results / "dark-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    picture = screen.pixels(MAIN)
    screen.capture(results / "dark.png", MAIN)
    assert sum(picture) / len(picture) < 100


@pytest.fixture
def speak(session, monkeypatch):
    """Sets the language of programs from now on."""
    def speak(name: str):
        for variable, value in locale(session.directory / "locales", name).items():
            monkeypatch.setenv(variable, value)

    return speak


def test_window_in_high_contrast(app, emulator, keyring, sign_in, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_HIGH_CONTRAST", "1")
    app.start()
    sign_in.open()
    assert cut_off(SIGN_IN) == []
    screen.capture(results / "high-contrast-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    assert cut_off(MAIN) == []
    screen.capture(results / "high-contrast.png", MAIN)


@pytest.fixture
def stage_in_arabic(stage, home):
    return mirrored(stage, home / "stage")


def test_window_in_right_to_left_layout(
    app, emulator, keyring, sign_in, results, speak, stage_in_arabic
):
    speak("ar_EG")
    app.stage = stage_in_arabic
    app.start()
    screen.resize(screen.window_id(MAIN), 700, 560)
    sign_in.open()
    assert cut_off(SIGN_IN) == []
    screen.capture(results / "right-to-left-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    assert cut_off(MAIN) == []
    # The first button is at the right, and so is the start of its text.
    first, second = find(MAIN, BUTTON, CALL_GRAPH), find(MAIN, BUTTON, SIGN_OUT)
    assert first.center()[0] > second.center()[0]
    screen.capture(results / "right-to-left.png", MAIN)


@pytest.mark.parametrize("width", (360, 760))
def test_window_with_large_text(width, app, emulator, home, keyring, sign_in, results):
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 20\n")
    app.start()
    screen.resize(screen.window_id(MAIN), width, 700)
    sign_in.open()
    assert cut_off(SIGN_IN) == []
    screen.capture(results / f"large-text-sign-in-{width}.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.capture(results / f"large-text-{width}.png", MAIN)
    assert cut_off(MAIN) == []
    assert screen.geometry(screen.window_id(MAIN))[2] == width


@pytest.mark.parametrize("name", ("ar_EG", "de_DE", "es_ES", "fr_FR", "ja_JP"))
def test_window_in_each_language(name, app, emulator, keyring, results, speak, stage):
    speak(name)
    language = name[:2]
    catalog = gettext.translation("entrance", stage / "share" / "locale", [language])
    app.process = app.launch("--app", "Demo")
    wait_for(lambda: catalog.gettext("Signed out") in app.words, f"words in {name}")
    window = screen.window_id(MAIN)
    for width in (760, 360):
        screen.resize(window, width, 640)
        screen.wait_until_still(window, "the window")
        screen.capture(results / f"language-{language}-{width}.png", window)
        assert cut_off(MAIN) == []


@pytest.mark.parametrize("name, points", [
    ("en_US", 16.5), ("ar_EG", 11), ("de_DE", 11), ("es_ES", 11), ("fr_FR", 11), ("ja_JP", 11)])
def test_no_page_makes_a_narrow_window_wider(
    name, points, app, emulator, home, signed_in, results, speak, stage
):
    """A window that was wider for a moment stays as wide."""
    def look_at(page: str):
        screen.wait_until_still(MAIN, page)
        screen.capture(results / f"{page}-{name}.png", MAIN)
        assert screen.geometry(window)[2] == 360, page

    def tr(text: str) -> str:
        return gettext.translation(
            "entrance", stage / "share" / "locale", [name[:2]], fallback=True).gettext(text)

    app.stop()
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
        screen.capture(results / f"waiting-{page}-{name}.png", MAIN)
        screen.press("Escape")
        wait_for(lambda: tr("The request was canceled.") in str(app.words), "the end of the request")
    emulator.delay("/v1.0/me", 0)
    screen.press("ctrl+Return")
    wait_for(lambda: "200 OK" in app.words, "the answer")
    look_at("answer")
    screen.press("alt+3")
    wait_for(lambda: tr("ID Token") in app.words, "the tokens")
    look_at("tokens")
    screen.press("alt+4")
    wait_for(lambda: exists(MAIN, BUTTON, tr("Copy Support Details")), "the activity")
    look_at("activity")


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


def test_every_sentence_can_be_translated(
    app, emulator, keyring, results, speak, stage_in_brackets
):
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
        lambda: "[Could not acquire token: [Could not connect to localhost.]]" in log(), "the error")
    wait_for(lambda: "[Step: " in log() and "[Correlation ID: " in log(), "its details")
    screen.capture(results / "brackets.png", MAIN)
    found = [line for line in not_looked_up(app.words) if not re.fullmatch(r"\d\d:\d\d:\d\d", line)]
    # GTK's own word for an empty choice, which it has in Esperanto.
    assert set(found) - {"(Neniu)"} == {MAIN, "Demo"}, "only the names of app and connection"
