"""Pages and dialogs by keyboard alone: Tab reaches every control and comes back, and every control has a name.

libadwaita 1.2 does not tell that an entry row has the focus, so dialogs with such rows are in `test_spoken.py`.
"""

import re

import pytest

import screen
from accessible import BUTTON, LOG, MENU_ITEM, exists, find, focused, has_window, texts, wait_for_dialog
from app import CALL_GRAPH, HAVE_FILE, HAVE_ID, MAIN, REGISTER, SIGN_IN, SIGN_OUT
from switcher import ROW
from test_preferences import set_preferences
from test_unlock import locked, wait_for_prompt, wait_until_answered  # noqa: F401, one is a fixture
from waiting import wait_for


def walk(title: str, key: str = "Tab") -> list[str]:
    """Presses a key until the focus is back where it began; returns what had it, from there on."""
    wait_for(
        lambda: screen.active_window() == screen.window_id(title) and focused(title), f"focus in '{title}'")
    places = [focused(title)]
    while len(places) < 40:
        screen.press(key)
        try:
            wait_for(lambda: focused(title) not in (None, places[-1]), "the focus to move")
        except AssertionError:
            raise AssertionError(f"{key} does not lead on from {places[-1]}, after {places}") from None
        if focused(title) == places[0]:
            return places
        places.append(focused(title))
    raise AssertionError(f"the focus does not come back: {places}")


def check(title: str, *names: str):
    """Walks forth and back; `names` are some that must be reached."""
    # A page that is sliding in has no widgets for the focus yet.
    screen.wait_until_still(title, title)
    forth, back = walk(title), walk(title, "shift+Tab")
    assert [forth[0], *reversed(back[1:])] == forth, f"{forth} forth, {back} back"
    for place in forth:
        role, _, name = place.partition(" ")
        assert place.removeprefix(BUTTON).removeprefix(role).strip(), f"no name: {place}"
        assert not re.search(r"\b(Gtk|Adw)[A-Z]", place), place
    reached = "\n".join(forth)
    for name in names:
        assert name in reached, f"{name} is not in {forth}"


def test_account_page(app):
    app.start()
    find(MAIN, BUTTON, "Set Passphrase…")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", "the suggested button to have the focus")
    check(MAIN, SIGN_IN, CALL_GRAPH, "Get device info", "Copy Log", "Clear Log", "Log", "Main Menu", "Set Passphrase…")


@pytest.mark.parametrize("start", (CALL_GRAPH, SIGN_OUT))
def test_sign_in_has_the_focus_after_a_sign_out(start, signed_in):
    screen.focus(screen.window_id(MAIN))
    wait_for(lambda: focused(MAIN), "the focus")
    for _ in range(20):
        before = focused(MAIN)
        if before == f"{BUTTON} {start}":
            break
        screen.press("Tab")
        wait_for(lambda: focused(MAIN) not in (None, before), "the focus to move")
    assert before == f"{BUTTON} {start}"
    screen.press("alt+o")
    wait_for_dialog("Sign Out?")
    screen.press("Return")
    signed_in.wait_for_account("Signed out")
    signed_in.wait_until_idle()
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", f"the focus, at {focused(MAIN)}")


def test_first_start(app, home):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    wait_for(lambda: focused(MAIN) == f"{ROW} {HAVE_ID}", "the first choice to have the focus")
    # A list is one stop, in which the arrows lead on.
    check(MAIN, HAVE_ID, "Main Menu")
    screen.press("Down")
    wait_for(lambda: focused(MAIN) == f"{ROW} {HAVE_FILE}", "the second choice to have the focus")
    screen.press("Down")
    wait_for(lambda: focused(MAIN) == f"{ROW} {REGISTER}", "the third choice to have the focus")
    screen.press("Return")
    wait_for(lambda: has_window(REGISTER), "the steps")
    check(REGISTER, "Cancel", "Next", "Open", "Copy Redirect URI", "Paste Client ID")
    screen.press("alt+n")
    wait_for_dialog("New App")
    screen.press("Escape")
    wait_for(lambda: not has_window("New App"), "the form to be gone")
    wait_for(lambda: focused(MAIN) == f"{ROW} {REGISTER}", "the focus to be back")


def test_dialogs_give_the_focus_back(app):
    app.start()
    find(MAIN, BUTTON, "Set Passphrase…")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", "the suggested button to have the focus")
    screen.press("alt+s")
    wait_for_dialog("Set a Passphrase")
    screen.press("Escape")
    wait_for(lambda: not has_window("Set a Passphrase"), "the dialog to be gone")
    wait_for(lambda: focused(MAIN), "the focus to be back")
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Apps"), "the menu")
    screen.press("s")
    wait_for(lambda: has_window("Apps"), "the connections")
    check("Apps", "Add App", "Edit “Demo”", "Actions for “Demo”")
    screen.press("Escape")
    wait_for(lambda: not has_window("Apps"), "the connections to be gone")
    wait_for(lambda: focused(MAIN), "the focus to be back")
    for keys in ("ctrl+question", "F1"):
        screen.press(keys)
        wait_for_dialog("Keyboard Shortcuts")
        screen.press("Escape")
        wait_for(lambda: not has_window("Keyboard Shortcuts"), "the shortcuts to be gone")
        wait_for(lambda: focused(MAIN), "the focus to be back")


# Focus on pages that come by themselves, or have nothing for it


def tab_leads_on_and_back():
    place = focused(MAIN)
    screen.press("Tab")
    wait_for(lambda: focused(MAIN) not in (None, place), f"Tab to lead on from {place}")
    screen.press("shift+Tab")
    wait_for(lambda: focused(MAIN) == place, f"the way back to {place}")


@pytest.mark.parametrize("page, place", (
    ("explorer", f"{BUTTON} Sign In"), ("tokens", f"{BUTTON} Sign In"),
    ("activity", "entry Search activity")))
def test_a_page_that_the_app_starts_with_has_the_focus(app, home, keyring, page, place):
    set_preferences(home, page=f"'{page}'")
    app.start()
    screen.focus(screen.window_id(MAIN))
    wait_for(lambda: focused(MAIN) == place, f"'{place}' to have the focus")
    tab_leads_on_and_back()


def test_clearing_the_log_from_another_page_leaves_the_focus_there(signed_in):
    screen.press("alt+2")
    wait_for(lambda: focused(MAIN) == "text Address", "the address to have the focus")
    screen.press("ctrl+shift+l", "ctrl+a")
    screen.type_text("/me/drive")
    wait_for(lambda: find(MAIN, "text", "Address").text == "/me/drive", "the address to be typed")
    assert signed_in.log == ""


def open_and_close_menu():
    """Leaves the focus at the menu's button, outside of the page."""
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Apps"), "the menu")
    screen.press("Escape")
    wait_for(lambda: not exists(MAIN, MENU_ITEM, "Apps"), "the menu to close")
    wait_for(lambda: "Main Menu" in (focused(MAIN) or ""), "its button to have the focus")


def test_the_keys_of_the_explorer_work_while_the_focus_is_in_the_header_bar(signed_in, emulator):
    screen.press("alt+2")
    wait_for(lambda: focused(MAIN) == "text Address", "the address to have the focus")
    screen.press("ctrl+a")
    screen.type_text("/v1.0/me")
    wait_for(lambda: find(MAIN, "text", "Address").text == "/v1.0/me", "the address to be typed")
    screen.press("ctrl+Return")
    wait_for(lambda: exists(MAIN, LOG, "Response"), "the response")
    open_and_close_menu()
    # Not on another page, which has no such key.
    screen.press("alt+3")
    find(MAIN, BUTTON, "Renew Tokens")
    open_and_close_menu()
    screen.press("ctrl+f")
    screen.press("alt+2")
    wait_for(lambda: focused(MAIN) == "text Address", "the address to have the focus")
    assert not exists(MAIN, "entry", "Search response")
    open_and_close_menu()
    screen.press("ctrl+f")
    wait_for(lambda: (focused(MAIN) or "").endswith("Search response"), "the search to have the focus")
    screen.press("Escape")
    # So does the one that cancels.
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for(lambda: any("Waiting for the response" in text for text in texts(MAIN)), "the request")
    open_and_close_menu()
    screen.press("Escape")
    wait_for(lambda: any("The request was canceled." in text for text in texts(MAIN)), "its end")


def test_the_explorer_leaves_the_focus_usable_while_the_keyring_is_locked(app, locked):  # noqa: F811
    app.start()
    wait_for_prompt()
    screen.press("Escape")
    wait_until_answered()
    app.wait_for_account("Account Not Available")
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for(
        lambda: any("Unlock it to see your accounts." in text for text in texts(MAIN)), "the page")
    hidden = f"{BUTTON} {CALL_GRAPH}", f"{BUTTON} Sign In"
    wait_for(lambda: focused(MAIN) not in (None, *hidden), "the focus to be on the screen")
    tab_leads_on_and_back()


def test_the_focus_goes_through_a_notice_with_details(signed_in, emulator):
    emulator.expire()
    emulator.prepare_token_reply(400, {
        "error": "temporarily_unavailable", "error_codes": [90033],
        "error_description": "AADSTS90033: A transient error has occurred."})
    screen.press("alt+g")
    wait_for(lambda: exists(MAIN, BUTTON, "Dismiss"), "the notice")
    signed_in.wait_until_idle()
    places = "\n".join(walk(MAIN))
    for name in ("Try Again", "Details", "Dismiss"):
        assert name in places
