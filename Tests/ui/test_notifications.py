"""Notifications about what ends while the window is not in front."""

import pytest

import screen
from accessible import BUTTON, exists, find, focused, has_window
from app import MAIN
from notifications import CLICK
from test_explorer import explorer, reads_users, says, type_address, wait_for_words  # noqa: F401, fixtures
from test_explorer_waiting import CONTENT, folder  # noqa: F401, a fixture
from test_preferences import set_preferences
from test_programs import server  # noqa: F401, a fixture
from test_ways import CODE, person, shown_code, start  # noqa: F401, a fixture
from waiting import wait_for

DOWNLOAD = "/drive/download/{drive}/{id}"
CONTENT_ADDRESS = "/me/drive/items/1/content"
# What no notification may say.
PRIVATE = ("adele", "contoso", "eyJ", "/", "v1.0", "localhost")


def minimize():
    window = screen.window_id(MAIN)
    screen.run("xdotool", "windowminimize", window)
    wait_for(lambda: not screen.is_shown(window), "the window to be out of sight")
    return window


def come_to_front(window: str):
    screen.focus(window)
    wait_for(lambda: screen.active_window() == window, "the window to be in front")


def told(server, title: str, body: str) -> dict:  # noqa: F811
    """The only notification, once it has this title."""
    wait_for(lambda: [one["title"] for one in server.all] == [title], f"the notification '{title}'")
    [notification] = server.all
    assert notification == {"title": title, "body": body, "buttons": []}
    for word in PRIVATE:
        assert word not in title + body, word
    return notification


def wait_for_none(server, when: str):  # noqa: F811
    wait_for(lambda: not server.all, f"the notification to be gone {when}")


def begin_download(emulator, path, status: int = 200):
    """Begins to save content that arrives some seconds later."""
    emulator.prepare_graph_reply(
        302, "", path=CONTENT_ADDRESS, times="10", header=f"Location: {emulator.base}/drive/download/1/1")
    type_address(CONTENT_ADDRESS)
    screen.press("Return")
    wait_for_words("The content is at another address")
    emulator.delay(DOWNLOAD, 6000)
    emulator.prepare_transfer_reply(status, CONTENT)
    screen.press("ctrl+shift+s")
    screen.save_file(path, "Save Response")
    wait_for(lambda: not has_window("Save Response"), "the dialog to be gone")
    wait_for(lambda: exists(MAIN, BUTTON, "Cancel"), "the download to begin")


@pytest.mark.parametrize("server", ["gtk", "freedesktop"], indirect=True)
def test_a_download_that_ends_behind_other_windows_is_told(server, explorer, emulator, folder):  # noqa: F811
    begin_download(emulator, folder / "report.bin")
    # Another page does not show it.
    screen.press("alt+1")
    window = minimize()
    assert server.all == []
    told(server, "Download Finished", "“report.bin” is saved.")
    assert (folder / "report.bin").read_text() == CONTENT
    # A click leads to the window, and to the page.
    server.press(CLICK)
    wait_for(lambda: screen.is_shown(window), "the window to be in sight")
    wait_for(lambda: screen.active_window() == window, "the window to be in front")
    wait_for(lambda: (focused(MAIN) or "").endswith(" Address"), "the Explorer page")
    wait_for_none(server, "after the click")


def test_the_name_of_a_file_is_hidden_with_personal_details(server, explorer, emulator, folder, home):  # noqa: F811
    begin_download(emulator, folder / "adele.bin")
    window = minimize()
    wait_for(lambda: [one["body"] for one in server.all] == ["“adele.bin” is saved."], "the file's own name")
    # What was sent is sent anew.
    set_preferences(home, **{"hide-personal-details": "true"})
    wait_for(lambda: [one["body"] for one in server.all] == ["The file is saved."], "no name")
    told(server, "Download Finished", "The file is saved.")
    come_to_front(window)
    wait_for_none(server, "in front")


def test_a_download_that_fails_is_told(server, explorer, emulator, folder):  # noqa: F811
    begin_download(emulator, folder / "report.bin", 404)
    window = minimize()
    told(server, "Download Failed", "“report.bin” is not saved.")
    come_to_front(window)
    wait_for_none(server, "in front")


def test_a_long_request_is_told_and_a_short_one_is_not(server, explorer, emulator):  # noqa: F811
    emulator.delay("/v1.0/me", 12_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    window = minimize()
    told(server, "Response Received", "The service has answered your request.")
    come_to_front(window)
    wait_for_none(server, "in front")
    wait_for_words("200 OK")
    # Short, and long enough for a busy computer to see that it is waited for.
    emulator.delay("/v1.0/me", 8000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    minimize()
    wait_for(lambda: not says("Waiting for the response"), "the response")
    wait_for_words("200 OK")
    assert server.all == []


def test_a_window_in_front_tells_nothing_and_a_dialog_over_it_is_in_front(server, explorer, emulator):  # noqa: F811
    emulator.delay("/v1.0/me", 12_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    wait_for(lambda: not says("Waiting for the response"), "the response")
    wait_for_words("200 OK")
    assert server.all == []
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    screen.press("ctrl+comma")
    wait_for(lambda: has_window("Preferences"), "the preferences")
    wait_for(lambda: not says("Waiting for the response"), "the response")
    wait_for_words("200 OK")
    assert server.all == []


def test_all_pages_are_told(reads_users, server, explorer, emulator):  # noqa: F811
    type_address("/v1.0/users?$top=2")
    screen.press("Return")
    wait_for_words("items, more available")
    emulator.delay("/v1.0/users", 3000)
    find(MAIN, BUTTON, "All Pages").click()
    wait_for(lambda: exists(MAIN, BUTTON, "Cancel"), "the pages to be asked for")
    window = minimize()
    told(server, "All Pages Received", "The list is complete.")
    come_to_front(window)
    wait_for_none(server, "in front")


def test_a_sign_in_with_a_code_is_told(server, app, keyring, session, person):  # noqa: F811
    start(app)
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+c")
    url, code = shown_code()
    other = session.spawn(["xmessage", "-title", "Another", "another window"])
    wait_for(lambda: screen.window_id("Another"), "another window")
    screen.focus(screen.window_id("Another"))
    person.enter_code(url, code)
    told(server, "Signed In", "You can continue in Entrance.")
    wait_for(lambda: not has_window(CODE), "the dialog to be closed")
    server.press(CLICK)
    wait_for(lambda: screen.active_window() == screen.window_id(MAIN), "the window to be in front")
    wait_for_none(server, "after the click")
    app.wait_for_account("adele@contoso.example")
    other.terminate()


def test_what_was_told_goes_with_the_window_and_the_app(server, explorer, emulator, folder):  # noqa: F811
    begin_download(emulator, folder / "one.bin")
    minimize()
    told(server, "Download Finished", "“one.bin” is saved.")
    explorer.stop()
    wait_for_none(server, "with the app")


def test_without_anything_that_shows_notifications_there_is_none(explorer, emulator, folder):  # noqa: F811
    """GLib would complain, which fails the test."""
    begin_download(emulator, folder / "one.bin")
    window = minimize()
    wait_for(lambda: (folder / "one.bin").exists(), "the file")
    come_to_front(window)
    assert find(MAIN, BUTTON, "Send").is_enabled
