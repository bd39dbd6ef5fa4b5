"""The preferences: each row takes effect at once, and an administrator can lock it."""

import json
import os
import subprocess

import pytest

import screen
from accessible import (
    BUTTON, KNOWS_PLACES, LABEL, MENU_ITEM, Widget, cut_off, exists, find, find_window, has_window, search_all, texts)
from app import MAIN
from waiting import wait_for

PREFERENCES = "Preferences"
PAGES = ("Sign-In", "Privacy", "Appearance", "Storage")
LOCKED = "Set by your administrator"


def set_preferences(home, **values: str):
    """Writes preferences before a start."""
    file = home / "config" / "glib-2.0" / "settings" / "keyfile"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key}={value}" for key, value in values.items()]
    file.write_text("\n".join(["[io/github/entrance/Entrance]", *lines, ""]))


def preference(home, key: str) -> str | None:
    """The stored value of a preference."""
    file = home / "config" / "glib-2.0" / "settings" / "keyfile"
    lines = file.read_text().splitlines() if file.exists() else []
    return next((line.split("=", 1)[1] for line in lines if line.startswith(f"{key}=")), None)


def open_preferences():
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+comma")
    wait_for(lambda: has_window(PREFERENCES), "the preferences")
    wait_for(
        lambda: screen.active_window() == screen.window_id(PREFERENCES), "the preferences' focus")


def show_page(name: str):
    """Clicks the page's tab: at the top, or at the bottom of a narrow window."""
    window = screen.window_id(PREFERENCES)
    before = screen.wait_until_still(window, PREFERENCES)
    tabs = [Widget(node, PREFERENCES) for node in search_all(find_window(PREFERENCES), "page tab", name)]
    # Of three switchers, the one with the names beside the icons has no room.
    tabs[-1 if screen.geometry(window)[2] < 500 else -2].click()
    if name != PAGES[0]:
        wait_for(lambda: screen.pixels(window) != before, f"the page {name}")


def picture(results, name: str):
    screen.wait_until_still(PREFERENCES, PREFERENCES)
    screen.capture(results / f"preferences-{name}.png", PREFERENCES)


@pytest.mark.parametrize("look", ["normal", "dark", "narrow", "large-text"])
def test_pages_look_right(look, app, home, results, monkeypatch):
    if look == "dark":
        monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    if look == "large-text":
        with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
            settings.write("gtk-font-name=DejaVu Sans 18\n")
    app.start()
    open_preferences()
    if look in ("narrow", "large-text"):
        screen.resize(screen.window_id(PREFERENCES), 360, 620)
    for page in PAGES:
        show_page(page)
        picture(results, f"{look}-{page.lower()}")
        assert cut_off(PREFERENCES) == []


def test_menu_opens_them_and_escape_closes_them(app):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Preferences"), "the menu")
    screen.press("p")
    wait_for(lambda: has_window(PREFERENCES), "the preferences")
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")


def test_quitting_while_they_are_open(app):
    app.start()
    open_preferences()
    screen.focus(screen.window_id(PREFERENCES))
    screen.press("ctrl+q")
    app.wait_for_end()


def test_web_session_and_wrapping_are_kept(app, home):
    app.start()
    open_preferences()
    find(PREFERENCES, LABEL, "Keep Web Session").click()
    wait_for(lambda: preference(home, "keep-web-session") == "true", "the preference")
    show_page("Appearance")
    find(PREFERENCES, LABEL, "Wrap Long Lines").click()
    wait_for(lambda: preference(home, "wrap-log-lines") == "false", "the other preference")


@pytest.mark.skipif(not KNOWS_PLACES, reason="an item of an open list cannot be clicked")
def test_style_applies_at_once(app, home):
    app.start()
    before = screen.wait_until_still(MAIN, MAIN)
    open_preferences()
    show_page("Appearance")
    find(PREFERENCES, LABEL, "System").click()
    find(PREFERENCES, LABEL, "Dark").click()
    wait_for(lambda: preference(home, "style") == "'dark'", "the preference")
    screen.wait_until_still(PREFERENCES, "the list of styles to be closed")
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")
    after = screen.wait_until_still(MAIN, MAIN)
    assert after != before


def test_library_lines_appear_in_the_log(app, emulator, keyring, sign_in, home):
    set_preferences(home, **{"log-level": "'info'"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_for_log("[info] ")
    lines = [line for line in app.log.splitlines() if "  [" in line]
    assert lines and not any(emulator.adele.username in line for line in lines), lines
    text = app.log
    assert not any(secret in text for values in emulator.secrets().values() for secret in values)


def test_permissions_are_written_with_comments_kept(app, home, emulator):
    file = home / "config" / "entrance" / "apps.json"
    file.write_text("// Mine.\n" + json.dumps(
        {"version": 1, "apps": [emulator.connection("Demo")]}, indent=2))
    app.start()
    open_preferences()
    find(PREFERENCES, "text", "Add Permission").click()
    screen.type_text("Mail.Read")
    screen.press("Return")
    wait_for(lambda: "Mail.Read" in file.read_text(), "the permission")
    assert file.read_text().startswith("// Mine.\n")
    find(PREFERENCES, BUTTON, "Remove “Mail.Read”").click()
    wait_for(lambda: "Mail.Read" not in file.read_text(), "it to be gone")


def ask_to_clear_all_data():
    # It is below what the window shows at first.
    find(PREFERENCES, BUTTON, "Clear All Data…").press_with_keys()
    wait_for(lambda: screen.active_window() == screen.window_id("Clear All Data?"), "the question")


def test_all_data_is_cleared_after_a_question(app, emulator, keyring, sign_in, home):
    programs = home / "state" / "entrance" / "programs.json"
    programs.parent.mkdir(parents=True)
    programs.write_text('{"version": 1, "programs": []}')
    app.start()
    before = keyring.items()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    open_preferences()
    show_page("Privacy")
    ask_to_clear_all_data()
    screen.press("Escape")
    wait_for(lambda: not has_window("Clear All Data?"), "the question to close")
    assert app.account == emulator.adele.username
    ask_to_clear_all_data()
    # Enter would cancel.
    screen.press("alt+a")
    app.wait_for_account("Signed out")
    wait_for(lambda: keyring.items() == before, "the keyring to be empty")
    assert "Result from Graph" not in app.log
    assert not programs.exists()
    assert "All data was cleared." in texts(PREFERENCES)


def test_all_data_is_cleared_while_a_call_waits(app, emulator, keyring, sign_in):
    app.start()
    before = keyring.items()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    emulator.delay("/v1.0/me", 60_000)
    app.call_graph()
    open_preferences()
    show_page("Privacy")
    ask_to_clear_all_data()
    screen.press("alt+a")
    app.wait_for_account("Signed out")
    wait_for(lambda: keyring.items() == before, "the keyring to be empty")
    wait_for(lambda: "All data was cleared." in texts(PREFERENCES), "the answer")


def test_accounts_of_removed_apps_are_cleared_without_an_app(app, emulator, keyring, sign_in, home):
    app.start()
    before = keyring.items()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.close()
    assert keyring.items() != before
    (home / "config" / "entrance" / "apps.json").write_text('{"version": 1, "apps": []}')
    app.process = app.launch()
    wait_for(lambda: "Welcome to Entrance" in texts(MAIN), "the first page")
    open_preferences()
    show_page("Privacy")
    ask_to_clear_all_data()
    screen.press("alt+a")
    wait_for(lambda: "All data was cleared." in texts(PREFERENCES), "the answer")
    assert keyring.items() == before


def test_kept_sessions_are_deleted_at_once(app, emulator, keyring, sign_in, home, results):
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    sessions = home / "state" / "entrance" / "web-sessions"
    wait_for(lambda: list(sessions.glob("*/cookies.sqlite")), "the cookies")
    open_preferences()
    wait_for(lambda: "Of 1 app" in texts(PREFERENCES), "the number of sessions")
    picture(results, "sessions")
    find(PREFERENCES, BUTTON, "Delete Now").click()
    wait_for(lambda: "None" in texts(PREFERENCES), "no sessions")
    assert not sessions.exists()
    assert not find(PREFERENCES, BUTTON, "Delete Now").is_enabled


def clipboard() -> str:
    """The text on the clipboard; empty when nobody offers one."""
    return subprocess.run(
        ["xclip", "-o", "-selection", "clipboard"], capture_output=True, text=True,
        timeout=20).stdout


def test_copied_tokens_leave_the_clipboard(app, emulator, keyring, sign_in, home):
    set_preferences(home, **{"token-display": "'full'", "clear-clipboard-after": "2"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    tokens = [secret for values in emulator.secrets().values() for secret in values]
    toast = "Log copied. It will be cleared in 2 seconds."
    app.button("Copy Log").click()
    wait_for(lambda: toast in texts(MAIN), "the toast")
    assert any(token in clipboard() for token in tokens)
    wait_for(lambda: clipboard() == "", "the clipboard to be empty")
    wait_for(lambda: toast not in texts(MAIN), "the toast to be gone")

    # What the user copies meanwhile stays. The toast stays longer than the secret would.
    app.button("Copy Log").click()
    wait_for(lambda: any(token in clipboard() for token in tokens), "the log")
    subprocess.run(
        ["xclip", "-selection", "clipboard"], input="mine", text=True, timeout=20, check=True)
    wait_for(lambda: toast not in texts(MAIN), "the toast to be gone")
    assert clipboard() == "mine"


@pytest.fixture
def locked(app, tmp_path):
    """The app on a computer whose administrator has locked two preferences.

    GLib's keyfile backend reads locks from /etc, of which the app gets a copy.
    """
    if os.geteuid() != 0:
        pytest.skip("only the superuser can replace /etc")
    etc = tmp_path / "etc"
    subprocess.run(["cp", "--archive", "/etc", etc], check=True, timeout=60)
    settings = etc / "glib-2.0" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    path = "/io/github/entrance/Entrance"
    (settings / "defaults").write_text(f"[{path[1:]}]\nsign-in-way='embedded'\n")
    (settings / "locks").write_text(f"{path}/sign-in-way\n{path}/token-display\n")
    app.wrapper = (
        "unshare", "--mount", "sh", "-c", f"mount --bind '{etc}' /etc && exec \"$@\"", "sh")
    return app


def test_locked_preferences_say_so(locked, results):
    locked.start()
    open_preferences()
    wait_for(lambda: LOCKED in texts(PREFERENCES), "the reason")
    assert texts(PREFERENCES).count(LOCKED) == 2
    assert "Window" in texts(PREFERENCES)
    picture(results, "locked")
    # The window cannot show more than the administrator allows.
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    assert not find(MAIN, "check menu item", "Show Full Tokens in Log").is_enabled
