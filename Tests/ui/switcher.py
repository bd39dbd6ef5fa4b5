"""Drives the list of accounts in the header bar, and the window with all accounts."""

import screen
from accessible import BUTTON, MENU_ITEM, exists, find, focused, has_window
from app import MAIN
from waiting import wait_for

SWITCH = "Switch Account or App"
ACCOUNTS = "Accounts"
ORGANIZATION = "Another Organization"
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
    wait_for(
        lambda: has_window(ACCOUNTS) and screen.active_window() == screen.window_id(ACCOUNTS),
        "the list of accounts")


def choose_action(user, key: str, item: str):
    """Chooses an item of an account's menu in the list of accounts."""
    find(ACCOUNTS, BUTTON, f"Actions for {user.username}").click()
    wait_for(lambda: exists(ACCOUNTS, MENU_ITEM, item), "the menu")
    screen.press(key)


def sign_in_at_organization(emulator, sign_in, user, domain: str):
    """Answers the question for another organization, and signs the user in there."""
    wait_for(
        lambda: has_window(ORGANIZATION)
        and screen.active_window() == screen.window_id(ORGANIZATION), "the question")
    seen = emulator.authorize_count()
    screen.press("ctrl+a")
    screen.type_text(domain)
    screen.press("Return")
    sign_in.answered = b""
    sign_in.wait_for_page(seen)
    sign_in.answer(user.password)
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
