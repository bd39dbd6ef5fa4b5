"""Several connections at a time, each with its own window."""

import json

import pytest

import memory
import screen
from accessible import LOG, Widget, find_windows, has_window, search, texts_of, wait_for_dialog
from app import MAIN, SIGN_IN
from switcher import names_in_active_window, rename_in_active_window
from test_preferences import preference
from waiting import wait_for

UNSOLICITED = "msauth.io.github.entrance.entrance://auth?code=x&state=y"
SIGNED_OUT = "Account signed out. Updating UX"


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


def test_starting_again_raises_a_window(both, session):
    """That of the connection; without arguments, the one that was used last."""
    other = screen.active_window()
    demo, = set(screen.window_ids(MAIN)) - {other}
    for name, window in (("Demo", demo), ("Other", other), ("Demo", demo)):
        assert both.launch("--app", name).wait(20) == 0
        wait_for(lambda: screen.active_window() == window, f"the window of {name} to be raised")
    for window in (demo, other, demo):
        screen.focus(window)
        third = session.spawn(["xmessage", "-title", "Another", "another window"])
        wait_for(lambda: screen.window_id("Another"), "another window")
        wait_for(lambda: screen.active_window() not in (demo, other), "it to be in the foreground")
        assert both.launch().wait(20) == 0
        wait_for(lambda: screen.active_window() == window, "the window to be raised")
        third.terminate()
        wait_for(lambda: not screen.window_id("Another"), "the other window to be gone")
    assert set(screen.window_ids(MAIN)) == {demo, other}


def test_what_concerns_one_connection_leaves_the_other_window_alone(both, emulator, home, sign_in):
    demo, other = find_windows(MAIN)
    assert demo != other
    wait_for_logs(SIGNED_OUT, SIGNED_OUT)
    window = screen.active_window()

    # A redirect is logged in the window of its connection.
    before = logs()
    assert both.launch("--app", "Demo", UNSOLICITED).wait(20) == 0
    wait_for_logs("Ignored a sign-in response from outside this window", SIGNED_OUT)
    added = logs()[0][len(before[0]):].strip()
    assert len(added.split("\n")) == 1 and "code=x" not in added
    assert logs()[1] == before[1]

    # That the device is shared concerns both, at once.
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True, exist_ok=True)
    for is_shared in (True, False):
        settings.write_text(f"[io/github/entrance/Entrance]\nshared-device={str(is_shared).lower()}\n")
        wait_for(
            lambda: [any("This computer is shared." in text for text in texts_of(window))
                     for window in find_windows(MAIN)] == [is_shared] * 2, "both windows to know")

    # A sign-in blocks only its own window.
    screen.focus(window)
    screen.press("ctrl+Return")
    sign_in.wait_for_page()
    assert both.launch("--app", "Demo").wait(20) == 0
    wait_for(lambda: screen.active_window() not in (window, sign_in.window), "the other window")
    screen.press("alt+d")
    wait_for_logs("Received device info.", "")
    assert sign_in.is_open
    screen.close(sign_in.window)
    sign_in.wait_until_closed()
    wait_for_logs("Received device info.", "Sign-in canceled")

    # A closed window releases its account.
    screen.focus(window)
    seen = emulator.authorize_count()
    screen.press("ctrl+Return")
    sign_in.wait_for_page(seen)
    sign_in.complete(emulator.adele)
    wait_for_logs(SIGNED_OUT, "Result from Graph: {")
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
        wait_for(is_gone, "all that the window knew to be gone")
    except AssertionError as error:
        raise AssertionError(f"{error}: {found}") from None
    assert "Signed out" in texts_of(find_windows(MAIN)[0])
    both.get_device_info()
    both.wait_for_log("Received device info.", 2)
    both.close()


def test_all_accounts_are_signed_out_also_those_that_another_app_has_in_memory(both, emulator, sign_in):
    wait_for_logs(SIGNED_OUT, SIGNED_OUT)
    other = screen.active_window()
    seen = emulator.authorize_count()
    screen.press("ctrl+Return")
    sign_in.wait_for_page(seen)
    sign_in.complete(emulator.adele)
    wait_for_logs(SIGNED_OUT, "Result from Graph: {")

    question = "Sign Out All Accounts?"
    assert both.launch("--app", "Demo", "--sign-out-all").wait(20) == 0
    wait_for_dialog(question)
    screen.press("Return")
    wait_for(lambda: not has_window(question), "the question to close")
    # A window reads its accounts when it comes to the foreground.
    screen.focus(other)
    wait_for(
        lambda: ["Signed out" in texts_of(window) for window in find_windows(MAIN)] == [True, True],
        "both windows to show nobody")


def start_again(app, name: str):
    """Starts the program without an argument, which is to open the app of this name."""
    app.process = app.launch()
    wait_for(lambda: has_window(f"{name} – {MAIN}"), f"the window of {name}")


def test_a_start_opens_the_app_that_was_used_last(both, home):
    """The one whose window was in front, also under another name; the first one if it is gone."""
    file = home / "config" / "entrance" / "apps.json"
    demo, = set(screen.window_ids(MAIN)) - {screen.active_window()}
    wait_for(lambda: preference(home, "app") == "'Other'", "the app to be noted")
    screen.focus(demo)
    wait_for(lambda: preference(home, "app") == "'Demo'", "the other app to be noted")
    screen.press("ctrl+q")
    both.wait_for_end()
    start_again(both, "Demo")
    both.close()

    both.start("--app", "Other")
    file.write_text(file.read_text().replace('"Other"', '"Last"'))
    wait_for(lambda: has_window(f"Last – {MAIN}"), "the new name")
    wait_for(lambda: preference(home, "app") == "'Last'", "the new name to be noted")
    both.close()
    # The demo is not one of the apps.
    both.start("--demo")
    assert preference(home, "app") == "'Last'"
    both.close()
    start_again(both, "Last")
    both.close()

    listed = json.loads(file.read_text())
    file.write_text(json.dumps(listed | {"apps": listed["apps"][:1]}))
    start_again(both, "Demo")


def window_of(account: str, connection: str) -> str:
    """The title of a connection's window in which an account is selected."""
    return f"{account} · {connection} – Entrance"


def test_a_sign_in_ends_with_its_window_and_leaves_the_other_windows_alone(both, emulator, sign_in):
    other, window = screen.window_ids(MAIN)
    screen.focus(window)
    screen.press("ctrl+Return")
    sign_in.wait_for_page()
    screen.close(window)
    wait_for(lambda: screen.window_ids(MAIN) == [other], "the window to be gone")
    wait_for(lambda: not has_window(SIGN_IN), "the sign-in window to be gone")
    assert not any(route.endswith("/token") for route in emulator.counts())
    # Nothing waits for it: the window that is left signs in, and the program ends with that.
    screen.focus(other)
    seen = emulator.authorize_count()
    screen.press("ctrl+Return")
    sign_in.wait_for_page(seen)
    sign_in.complete(emulator.adele)
    wait_for_logs("Result from Graph: {")
    screen.close(other)
    both.wait_for_end()


def in_switcher(name: str, user) -> str:
    """What the switcher calls an account: by the person's own name where the window's title has the user name."""
    return user.display_name if name == user.username else name


def wait_for_names(user, **names: str):
    """Waits until the window of each connection calls its account by this name, and not as another one does."""
    for connection, name in names.items():
        wait_for(lambda: has_window(window_of(name, connection)), f"'{window_of(name, connection)}'")
        screen.focus(screen.window_id(window_of(name, connection)))
        own, *others = [in_switcher(each, user) for each in (name, *set(names.values()) - {name})]
        assert names_in_active_window(own, *others) == {own}


def test_accounts_are_renamed_in_the_windows_of_two_apps(app, emulator, keyring, home, sign_in):
    file = home / "config" / "entrance" / "apps.json"
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    user = emulator.adele
    sign_in.without_window(user)
    app.start()
    open_window(app, "--app", "Other")
    wait_for_names(user, Demo=user.username, Other=user.username)

    screen.focus(screen.window_id(window_of(user.username, "Demo")))
    rename_in_active_window(user, "Adele in Demo")
    wait_for_names(user, Demo="Adele in Demo", Other=user.username)
    screen.focus(screen.window_id(window_of(user.username, "Other")))
    rename_in_active_window(user, "Adele in Other")
    wait_for_names(user, Demo="Adele in Demo", Other="Adele in Other")

    app.restart()
    open_window(app, "--app", "Other")
    wait_for_names(user, Demo="Adele in Demo", Other="Adele in Other")


def test_account_is_renamed_in_all_windows_of_an_app(app, emulator, keyring, sign_in):
    user = emulator.adele
    sign_in.without_window(user)
    app.start()
    app.wait_for_account(user.username)
    first = screen.window_id(MAIN)
    second = open_window(app, "--new-window")
    before = user.username
    for renamer, reader, name in ((second, first, "Adele at work"), (first, second, "Adele")):
        wait_for(lambda: len(find_windows(window_of(before, "Demo"))) == 2, "both windows to show the account")
        screen.focus(renamer)
        rename_in_active_window(user, name)
        wait_for(lambda: len(find_windows(window_of(name, "Demo"))) == 2, "both windows to have the new name")
        screen.focus(reader)
        assert names_in_active_window(name, in_switcher(before, user)) == {name}
        before = name


def test_another_window_follows_a_sign_in_and_a_sign_out(app, emulator, keyring, sign_in):
    """At once: it does not have the keyboard meanwhile."""
    user = emulator.adele
    app.start()
    first = screen.window_id(MAIN)
    open_window(app, "--new-window")
    wait_for_logs(SIGNED_OUT, SIGNED_OUT)
    screen.focus(first)
    wait_for(lambda: screen.active_window() == first, "the first window to have the keyboard")

    seen = emulator.authorize_count()
    screen.press("ctrl+Return")
    sign_in.wait_for_page(seen)
    sign_in.complete(user)
    wait_for_logs("Result from Graph: {", f"Found a signed in account {user.username}.")
    wait_for(lambda: len(find_windows(window_of(user.username, "Demo"))) == 2, "both windows to show the account")

    wait_for(lambda: screen.active_window() == first, "the first window to have the keyboard again")
    question = "Sign Out?"
    screen.press("ctrl+shift+o")
    wait_for_dialog(question)
    screen.press("Return")
    wait_for(lambda: not has_window(question), "the question to close")
    wait_for(lambda: len(find_windows("Demo – Entrance")) == 2, "both windows to show nobody")
    wait_for(lambda: logs()[1].count(SIGNED_OUT) == 2, "the second window to say so")
    assert "Sign out completed successfully" in logs()[0]
    assert screen.active_window() == first
