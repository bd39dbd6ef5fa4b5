"""Drives the list of accounts in the header bar, and the window with all accounts."""

import screen
from accessible import BUTTON, MENU_ITEM, exists, find, find_windows, focused, has_window, search, wait_for_dialog
from app import MAIN
from waiting import wait_for

SWITCH = "Switch Account or App"
ACCOUNTS = "Accounts"
ORGANIZATION = "Another Organization"
RENAME = "Rename Account"
ROW = "list item"


def focus_switcher():
    """Moves the keyboard focus to the switcher, which is the first in the header bar."""
    screen.focus(screen.window_id(MAIN))
    for _ in range(20):
        before = focused(MAIN)
        if (before or "").endswith(SWITCH):
            return
        screen.press("shift+Tab")
        wait_for(lambda: focused(MAIN) != before, "the focus to move")
    raise AssertionError(f"the focus is at {focused(MAIN)}")


def open_switcher():
    focus_switcher()
    screen.press("Down")
    find(MAIN, BUTTON, "Add Account…")


def choose(*keys: str):
    """Chooses a row: the selected one has the focus."""
    open_switcher()
    wait_for(lambda: (focused(MAIN) or "").startswith(ROW), "a focused row")
    for key in keys:
        before = focused(MAIN)
        screen.press(key)
        wait_for(lambda: focused(MAIN) != before, "another row")
    screen.press("Return")
    wait_for(lambda: not is_open(), "the list to close")


def is_open() -> bool:
    return exists(MAIN, BUTTON, "Add Account…")


def add(app, emulator, sign_in, user):
    """Adds an account by the switcher."""
    open_switcher()
    seen = emulator.authorize_count()
    screen.press("alt+a")
    sign_in.answered = b""
    sign_in.wait_for_page(seen)
    sign_in.complete(user)
    app.wait_for_account(user.username)
    app.wait_until_idle()


def open_list():
    open_switcher()
    screen.press("alt+m")
    wait_for_dialog(ACCOUNTS)


def choose_action(user, key: str, item: str):
    """Chooses an item of an account's menu in the list of accounts."""
    find(ACCOUNTS, BUTTON, f"Actions for {user.username}").click()
    wait_for(lambda: exists(ACCOUNTS, MENU_ITEM, item), "the menu")
    screen.press(key)


def names_in_active_window(*names: str) -> set[str]:
    """Those of the names that the switcher of the window with the keyboard has; the first one is there."""
    def found() -> set[str]:
        return {name for name in names for window in find_windows(MAIN) if search(window, ROW, name)}

    screen.press("ctrl+k")
    wait_for(lambda: names[0] in found(), f"'{names[0]}' in the list")
    shown = found()
    screen.press("Escape")
    wait_for(lambda: not found(), "the list to close")
    return shown


def rename_in_active_window(user, name: str):
    """Gives an account another name, in the window that has the keyboard."""
    screen.press("ctrl+k")
    wait_for(
        lambda: any(search(window, BUTTON, "Add Account…") for window in find_windows(MAIN)), "the list")
    screen.press("alt+m")
    wait_for_dialog(ACCOUNTS)
    choose_action(user, "r", "Rename…")
    wait_for_dialog(RENAME)
    screen.press("ctrl+a")
    screen.type_text(name)
    screen.press("Return")
    wait_for(lambda: not has_window(RENAME), "the question to be gone")
    find(ACCOUNTS, ROW, name)
    screen.press("Escape")
    wait_for(lambda: not has_window(ACCOUNTS), "the list to close")


def sign_in_at_organization(emulator, sign_in, user, domain: str):
    """Answers the question for another organization, and signs the user in there."""
    wait_for_dialog(ORGANIZATION)
    seen = emulator.authorize_count()
    screen.press("ctrl+a")
    screen.type_text(domain)
    screen.press("Return")
    sign_in.answered = b""
    sign_in.wait_for_page(seen)
    sign_in.answer(user.password)
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
