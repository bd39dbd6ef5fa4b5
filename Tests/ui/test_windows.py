"""Several connections at a time, each with its own window."""

import json

import pytest

import memory
import screen
from accessible import LOG, Widget, find_windows, has_window, search, texts_of
from app import MAIN
from switcher import names_in_active_window, rename_in_active_window
from test_trouble import UNSOLICITED
from waiting import wait_for


@pytest.fixture
def both(app, emulator, home):
    """The app with windows for two connections, Demo and Other, whose accounts are kept in
    memory.
    """
    file = home / "config" / "entrance" / "apps.json"
    file.write_text(json.dumps({"version": 1, "storage": "memory", "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    app.start()
    open_window(app, "--app", "Other")
    return app


def open_window(app, *arguments: str) -> str:
    """Starts the program again, and waits for the new window."""
    before = screen.window_ids(MAIN)
    assert app.launch(*arguments).wait(20) == 0
    opened, = wait_for(lambda: set(screen.window_ids(MAIN)) - set(before), "another window")
    wait_for(lambda: screen.active_window() == opened, "it to be in the foreground")
    return opened


def logs() -> list[str]:
    """The logs of the windows, in the order in which they were opened."""
    found = []
    for window in find_windows(MAIN):
        log = search(window, LOG, "Log")
        found.append(Widget(log, MAIN).text if log else "")
    return found


def wait_for_logs(*parts: str):
    """Waits until the log of each window contains its part."""
    found = []

    def are_there() -> bool:
        found[:] = logs()
        return len(found) == len(parts) and all(part in log for part, log in zip(parts, found))

    try:
        wait_for(are_there, f"the logs to have {parts}")
    except AssertionError as error:
        raise AssertionError(f"{error}; they are {found}") from None


def test_starting_again_raises_the_connections_window(both):
    other, demo = screen.active_window(), None
    for arguments in (("--app", "Demo"), ("--app", "Other"), ("--app", "Demo")):
        before = screen.active_window()
        assert both.launch(*arguments).wait(20) == 0
        wait_for(lambda: screen.active_window() != before, "the other window to be raised")
        demo = screen.active_window() if arguments[1] == "Demo" else demo
    assert len(screen.window_ids(MAIN)) == 2
    assert demo != other


def test_start_without_arguments_raises_the_last_used_window(both, session):
    other = screen.active_window()
    demo, = set(screen.window_ids(MAIN)) - {other}
    for window in (demo, other, demo):
        screen.focus(window)
        third = session.spawn(["xmessage", "-title", "Another", "another window"])
        wait_for(lambda: screen.window_id("Another"), "another window")
        wait_for(lambda: screen.active_window() not in (demo, other), "it to be in the foreground")
        assert both.launch().wait(20) == 0
        wait_for(lambda: screen.active_window() == window, "the window to be raised")
        third.terminate()
        wait_for(lambda: not screen.window_id("Another"), "the other window to be gone")


def test_redirect_is_logged_in_the_window_of_its_connection(both):
    wait_for_logs("Account signed out. Updating UX", "Account signed out. Updating UX")
    told = "Ignored a sign-in response from outside this window"
    assert both.launch("--app", "Demo", UNSOLICITED).wait(20) == 0
    wait_for_logs(told, "Account signed out. Updating UX")
    assert told not in logs()[1]


def test_closed_window_releases_its_account_only(both, emulator, sign_in):
    demo, other = find_windows(MAIN)
    assert demo != other
    wait_for_logs("Account signed out. Updating UX", "Account signed out. Updating UX")
    window = screen.active_window()
    screen.press("ctrl+Return")
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for_logs("Account signed out. Updating UX", "Result from Graph: {")
    secrets = emulator.secrets()
    assert memory.count(both.process.pid, secrets)["access_token", "malloc"], "the scan finds existing secrets"

    screen.close(window)
    wait_for(lambda: len(screen.window_ids(MAIN)) == 1, "the window to be gone")
    found = {}

    def is_gone() -> bool:
        found.clear()
        found.update(memory.count(both.process.pid, secrets))
        return not [kind for kind, place in found if place == "malloc"]

    try:
        wait_for(is_gone, "all that the window knew to be gone", 20)
    except AssertionError as error:
        raise AssertionError(f"{error}: {found}") from None
    # The other window is not affected.
    assert "Signed out" in texts_of(find_windows(MAIN)[0])
    both.get_device_info()
    both.wait_for_log("Received device info.")
    both.close()


def test_sign_in_blocks_only_its_own_window(both, emulator, sign_in):
    wait_for_logs("Account signed out. Updating UX", "Account signed out. Updating UX")
    window = screen.active_window()
    screen.press("ctrl+Return")
    sign_in.wait_for_page()
    both.launch("--app", "Demo").wait(20)
    wait_for(lambda: screen.active_window() not in (window, sign_in.window), "the other window")
    screen.press("alt+d")
    wait_for_logs("Received device info.", "")
    assert sign_in.is_open
    screen.close(sign_in.window)
    sign_in.wait_until_closed()
    wait_for_logs("Received device info.", "Could not acquire token: The sign-in was canceled.")


def test_shared_device_setting_applies_to_all_windows_immediately(both, home):
    wait_for_logs("Account signed out. Updating UX", "Account signed out. Updating UX")
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True, exist_ok=True)
    for is_shared in (True, False):
        settings.write_text(f"[io/github/entrance/Entrance]\nshared-device={str(is_shared).lower()}\n")
        wait_for(
            lambda: [any("This device is shared." in text for text in texts_of(window))
                     for window in find_windows(MAIN)] == [is_shared] * 2, "both windows to know")
    wait_for_logs("Account signed out. Updating UX", "Account signed out. Updating UX")


def window_of(account: str, connection: str) -> str:
    """The title of a connection's window in which an account is selected."""
    return f"{account} · {connection} – Entrance"


def wait_for_names(**names: str):
    """Waits until the window of each connection calls its account by this name, and not as another one does."""
    for connection, name in names.items():
        wait_for(lambda: has_window(window_of(name, connection)), f"'{window_of(name, connection)}'")
        screen.focus(screen.window_id(window_of(name, connection)))
        others = set(names.values()) - {name}
        assert names_in_active_window(name, *others) == {name}


def test_accounts_are_renamed_in_the_windows_of_two_apps(app, emulator, keyring, home, sign_in):
    file = home / "config" / "entrance" / "apps.json"
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    user = emulator.adele
    app.start()
    sign_in.open().complete(user)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    open_window(app, "--app", "Other")
    wait_for_names(Demo=user.username, Other=user.username)

    screen.focus(screen.window_id(window_of(user.username, "Demo")))
    rename_in_active_window(user, "Adele in Demo")
    wait_for_names(Demo="Adele in Demo", Other=user.username)
    screen.focus(screen.window_id(window_of(user.username, "Other")))
    rename_in_active_window(user, "Adele in Other")
    wait_for_names(Demo="Adele in Demo", Other="Adele in Other")

    app.restart()
    open_window(app, "--app", "Other")
    wait_for_names(Demo="Adele in Demo", Other="Adele in Other")


def test_account_is_renamed_in_all_windows_of_an_app(app, emulator, keyring, sign_in):
    user = emulator.adele
    app.start()
    sign_in.open().complete(user)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    first = screen.window_id(MAIN)
    second = open_window(app, "--new-window")
    before = user.username
    for renamer, reader, name in ((second, first, "Adele at work"), (first, second, "Adele")):
        wait_for(lambda: len(find_windows(window_of(before, "Demo"))) == 2, "both windows to show the account")
        screen.focus(renamer)
        rename_in_active_window(user, name)
        wait_for(lambda: len(find_windows(window_of(name, "Demo"))) == 2, "both windows to have the new name")
        screen.focus(reader)
        assert names_in_active_window(name, before) == {name}
        before = name
