"""Pictures of the windows as a person may have them: narrow, dark. They are kept for looking at."""

import subprocess

import screen
from app import MAIN
from waiting import wait_for


def test_window_works_at_360_pixels(app, emulator, keyring, sign_in, results):
    app.start()
    screen.resize(screen.window_id(MAIN), 370, 640)
    assert screen.geometry(screen.window_id(MAIN))[2] == 370
    sign_in.open()
    screen.capture(results / "narrow-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.capture(results / "narrow.png", screen.window_id(MAIN))


def test_window_is_dark_where_the_desktop_is(app, emulator, keyring, sign_in, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    app.start()
    sign_in.open()
    screen.capture(results / "dark-sign-in.png")
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    picture = screen.pixels(screen.window_id(MAIN))
    screen.capture(results / "dark.png", screen.window_id(MAIN))
    assert sum(picture) / len(picture) < 100


def test_window_speaks_german(app, emulator, keyring, results, session, monkeypatch):
    directory = session.directory / "locales"
    directory.mkdir()
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(directory / "de_DE.UTF-8")], check=True)
    monkeypatch.setenv("LOCPATH", str(directory))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    app.process = app.launch("--connection", "Demo")
    wait_for(lambda: "Abgemeldet" in app.words, "German words")
    screen.capture(results / "german.png", screen.window_id(MAIN))
