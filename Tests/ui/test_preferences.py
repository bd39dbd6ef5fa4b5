"""The preferences: each row takes effect at once, and an administrator can lock it."""

import contextlib
import ctypes
import json
import os
import subprocess

import pytest

import screen
import x11
from accessible import (
    BUTTON, KNOWS_PLACES, LABEL, MENU_ITEM, cut_off, exists, find, focused, has_window, texts, wait_for_dialog)
from app import MAIN, SIGN_IN
from test_desktop_looks import ORDINARY
from test_sign_in_window import choose
from waiting import wait_for

PREFERENCES = "Preferences"
# The pages with their mnemonics.
PAGES = {"Sign-In": "s", "Privacy": "p", "Appearance": "n"}
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
    wait_for_dialog(PREFERENCES)


def show_page(name: str):
    """Presses the mnemonic of the page's tab: it is at the top, or at the bottom of a narrow window."""
    window = screen.window_id(PREFERENCES)
    before = screen.wait_until_still(window, PREFERENCES)
    screen.press(f"alt+{PAGES[name]}")
    if name != "Sign-In":
        wait_for(lambda: screen.pixels(window) != before, f"the page {name}")
    screen.wait_until_still(window, name)


def test_pages_have_room_with_large_text(app, home):
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 18\n")
    app.start()
    open_preferences()
    screen.resize(screen.window_id(PREFERENCES), 360, 620)
    for page in PAGES:
        show_page(page)
        screen.wait_until_still(PREFERENCES, page)
        assert cut_off(PREFERENCES) == [], page


def test_preferences_are_kept(app, home, emulator):
    file = home / "config" / "entrance" / "apps.json"
    file.write_text("// Mine.\n" + json.dumps(
        {"version": 1, "apps": [emulator.connection("Demo")]}, indent=2))
    app.start()
    # The menu opens them, and Escape closes them.
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Preferences"), "the menu")
    screen.press("p")
    wait_for_dialog(PREFERENCES)
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")

    open_preferences()
    find(PREFERENCES, LABEL, "Stay Signed In on Sign-In Pages").click()
    wait_for(lambda: preference(home, "keep-web-session") == "true", "the preference")

    # Permissions are in apps.json, whose comments are kept.
    find(PREFERENCES, "text", "Add Permission").click()
    screen.type_text("Mail.Read")
    screen.press("Return")
    wait_for(lambda: "Mail.Read" in file.read_text(), "the permission")
    assert file.read_text().startswith("// Mine.\n")
    find(PREFERENCES, BUTTON, "Remove “Mail.Read”").click()
    wait_for(lambda: "Mail.Read" not in file.read_text(), "it to be gone")

    show_page("Privacy")
    find(PREFERENCES, LABEL, "Keep Bodies in History").click()
    wait_for(lambda: preference(home, "keep-request-bodies") == "true", "the preference for bodies")

    show_page("Appearance")
    find(PREFERENCES, LABEL, "Wrap Long Lines").click()
    wait_for(lambda: preference(home, "wrap-log-lines") == "false", "the other preference")

    # The program can be quit while they are open.
    screen.focus(screen.window_id(PREFERENCES))
    screen.press("ctrl+q")
    app.wait_for_end()


def kept_requests(home) -> str:
    """What the files of the Explorer's requests have."""
    folder = home / "state" / "entrance" / "explorer"
    return "".join(file.read_text() for file in folder.glob("*.json")) if folder.is_dir() else ""


def test_requests_are_not_kept_once_the_person_says_so(signed_in, home):
    screen.press("alt+2")
    wait_for(lambda: any(text.startswith("As adele@") for text in texts(MAIN)), "the Explorer")
    screen.press("ctrl+Return")
    wait_for(lambda: "/v1.0/me" in kept_requests(home), "the request in the file")
    open_preferences()
    show_page("Privacy")
    find(PREFERENCES, LABEL, "Forever").click()
    find(PREFERENCES, LABEL, "Do not keep")
    # The first of the list.
    screen.press("Home", "Return")
    wait_for(lambda: preference(home, "keep-requests-for") == "'nothing'", "the preference")
    wait_for(lambda: not kept_requests(home), "the file to be gone")
    screen.wait_until_still(PREFERENCES, "the list of times to be closed")
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")
    screen.press("ctrl+h")
    wait_for(lambda: any("Requests are not kept." in text for text in texts(MAIN)), "why there is no history")
    screen.press("ctrl+Return")
    wait_for(lambda: any("200 OK" in text for text in texts(MAIN)), "the response")
    assert not kept_requests(home)


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


def ask_to_clear_all_data():
    # It is below what the window shows at first.
    find(PREFERENCES, BUTTON, "Clear All Data…").press_with_keys()
    wait_for_dialog("Clear All Data?")


def test_all_data_is_cleared_after_a_question_even_during_a_call(signed_in, emulator, keyring, home):
    programs = home / "state" / "entrance" / "programs.json"
    programs.parent.mkdir(parents=True, exist_ok=True)
    programs.write_text('{"version": 1, "programs": []}')
    assert keyring.items()
    emulator.delay("/v1.0/me", 60_000)
    signed_in.call_graph()
    open_preferences()
    show_page("Privacy")
    ask_to_clear_all_data()
    screen.press("Escape")
    wait_for(lambda: not has_window("Clear All Data?"), "the question to close")
    assert signed_in.account == emulator.adele.username
    ask_to_clear_all_data()
    # Enter would cancel.
    screen.press("alt+a")
    signed_in.wait_for_account("Signed out")
    wait_for(lambda: not keyring.items(), "the keyring to be empty")
    wait_for(lambda: "All data was cleared." in texts(PREFERENCES), "the answer")
    wait_for(lambda: focused(PREFERENCES) == f"{BUTTON} Clear All Data…", "the focus, which the button had before")
    assert "Result from Graph" not in signed_in.log
    assert not programs.exists()


def test_accounts_of_removed_apps_are_cleared_without_an_app(signed_in, keyring, home):
    signed_in.close()
    assert keyring.items()
    (home / "config" / "entrance" / "apps.json").write_text('{"version": 1, "apps": []}')
    signed_in.process = signed_in.launch()
    wait_for(lambda: "Welcome to Entrance" in texts(MAIN), "the first page")
    open_preferences()
    show_page("Privacy")
    ask_to_clear_all_data()
    screen.press("alt+a")
    wait_for(lambda: "All data was cleared." in texts(PREFERENCES), "the answer")
    assert not keyring.items()


def test_kept_sessions_are_deleted_at_once(app, emulator, keyring, sign_in, home):
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    sessions = home / "state" / "entrance" / "web-sessions"
    wait_for(lambda: list(sessions.glob("*/cookies.sqlite")), "the cookies")
    open_preferences()
    wait_for(lambda: "For 1 app" in texts(PREFERENCES), "the number of sessions")
    find(PREFERENCES, BUTTON, "Delete Now").click()
    wait_for(lambda: "None" in texts(PREFERENCES), "no sessions")
    assert not sessions.exists()
    assert not find(PREFERENCES, BUTTON, "Delete Now").is_enabled


@pytest.mark.parametrize("role, name", [(BUTTON, "Delete Now"), (LABEL, "Stay Signed In on Sign-In Pages")])
def test_preferences_say_which_sessions_were_not_deleted(app, keyring, home, role, name):
    set_preferences(home, **{"keep-web-session": "true"})
    session = home / "state" / "entrance" / "web-sessions" / "demo"
    session.mkdir(parents=True)
    (session / "cookies.sqlite").touch()
    session.parent.chmod(0o500)
    app.wrapper = tuple(ORDINARY)
    app.start()
    open_preferences()
    find(PREFERENCES, role, name).click()
    wait_for(
        lambda: any("Delete the folder yourself." in text for text in texts(PREFERENCES)), "what remains")


@pytest.fixture
def shows_full_tokens(home):
    set_preferences(home, **{"token-display": "'full'", "clear-clipboard-after": "4"})


def test_copied_tokens_leave_the_clipboard(shows_full_tokens, signed_in, emulator):
    app = signed_in
    tokens = [secret for values in emulator.secrets().values() for secret in values]
    toast = "Log copied. The clipboard will be cleared in 4 seconds."
    app.button("Copy Log").click()
    wait_for(lambda: any(token in screen.copied() for token in tokens), "the log")
    wait_for(lambda: exists(MAIN, LABEL, toast), "the toast")
    wait_for(lambda: screen.copied() == "", "the clipboard to be empty")
    wait_for(lambda: not exists(MAIN, LABEL, toast), "the toast to be gone")

    # What the user copies meanwhile stays. The toast stays longer than the secret would.
    app.button("Copy Log").click()
    wait_for(lambda: any(token in screen.copied() for token in tokens), "the log")
    screen.copy("mine")
    wait_for(lambda: not exists(MAIN, LABEL, toast), "the toast to be gone")
    assert screen.copied() == "mine"


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


def test_locked_preferences_say_so(locked):
    locked.start()
    open_preferences()
    wait_for(lambda: LOCKED in texts(PREFERENCES), "the reason")
    assert texts(PREFERENCES).count(LOCKED) == 2
    assert "Window" in texts(PREFERENCES)
    # The window cannot show more than the administrator allows.
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    assert not find(MAIN, "check menu item", "Show Full Tokens in Log").is_enabled


# Secrets on the clipboard


# The kinds of XFixes' SelectionNotify: a program gave the selection another owner, or its owner went away. A
# clipboard manager takes over what an owner that goes away leaves behind.
SET_OWNER, WINDOW_DESTROYED, CLIENT_CLOSED = range(3)


class SelectionNotify(ctypes.Structure):
    """`XFixesSelectionNotifyEvent`, with room for all of `XEvent`."""

    _fields_ = [
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("subtype", ctypes.c_int),
        ("owner", ctypes.c_ulong), ("rest", ctypes.c_byte * 256)]


@contextlib.contextmanager
def clipboard_changes():
    """Gives a function that returns how the clipboard lost its owner since: the kinds of the changes."""
    xlib, display = x11.connection(os.environ["DISPLAY"])
    fixes = ctypes.CDLL("libXfixes.so.3")
    fixes.XFixesQueryExtension.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    fixes.XFixesSelectSelectionInput.argtypes = [
        ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
    xlib.XPending.argtypes = [ctypes.c_void_p]
    xlib.XNextEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    xlib.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
    first, error = ctypes.c_int(), ctypes.c_int()
    assert fixes.XFixesQueryExtension(display, ctypes.byref(first), ctypes.byref(error))
    root, clipboard = xlib.XDefaultRootWindow(display), xlib.XInternAtom(display, b"CLIPBOARD", 0)
    kinds = []

    def look() -> list[int]:
        while xlib.XPending(display):
            event = SelectionNotify()
            xlib.XNextEvent(display, ctypes.byref(event))
            if event.type == first.value and event.owner == 0:
                kinds.append(event.subtype)
        return kinds

    fixes.XFixesSelectSelectionInput(display, root, clipboard, 0b111)
    xlib.XSync(display, 0)
    try:
        yield look
    finally:
        fixes.XFixesSelectSelectionInput(display, root, clipboard, 0)
        xlib.XSync(display, 0)
        look()


@pytest.fixture
def clears_clipboard(home, request):
    """Shows tokens, and clears the clipboard after this many seconds."""
    set_preferences(home, **{"token-display": "'full'", "clear-clipboard-after": str(request.param)})


@pytest.mark.parametrize("clears_clipboard", [600], indirect=True)
def test_copied_tokens_leave_the_clipboard_before_the_app_ends(clears_clipboard, signed_in, emulator):
    tokens = [secret for values in emulator.secrets().values() for secret in values]
    signed_in.button("Copy Log").click()
    wait_for(lambda: any(token in screen.copied() for token in tokens), "the log")
    with clipboard_changes() as changes:
        signed_in.close()
        wait_for(changes, "the clipboard to be without an owner")
        assert changes() == [SET_OWNER]


@pytest.mark.parametrize("clears_clipboard", [1], indirect=True)
def test_one_second_is_said_as_one(clears_clipboard, signed_in):
    signed_in.button("Copy Log").click()
    toast = "Log copied. The clipboard will be cleared in 1 second."
    wait_for(lambda: exists(MAIN, LABEL, toast), "the toast")


@pytest.mark.parametrize("clears_clipboard", [5], indirect=True)
def test_the_copied_link_of_a_sign_in_leaves_the_clipboard(clears_clipboard, app, keyring, sign_in):
    app.start()
    sign_in.open()
    choose("l")
    wait_for(lambda: screen.copied().startswith("http"), "the link")
    wait_for(
        lambda: any(text.endswith("The clipboard will be cleared in 5 seconds.") for text in texts(SIGN_IN)),
        "the toast")
    wait_for(lambda: screen.copied() == "", "the clipboard to be empty")
