"""Several accounts: the switcher, the list of accounts, guests, photos."""

import json
import stat

import pytest

import screen
from accessible import (
    BUTTON, KNOWS_PLACES, MENU_ITEM, Atspi, cut_off, exists, find, focused, has_window, texts, wait_for_dialog)
from app import MAIN
from switcher import (
    ACCOUNTS, ORGANIZATION, RENAME, ROW, SWITCH, add, choose, choose_action, is_open, open_list, open_switcher,
    sign_in_at_organization)
from waiting import wait_for

SIGN_OUT_ALL = "Sign Out All Accounts?"
GUEST = "fabrikam.example, Guest account"


def close_switcher():
    wait_for(lambda: (focused(MAIN) or "").startswith(ROW), "a focused row")
    screen.press("Escape")
    wait_for(lambda: not is_open(), "the list to close")


def start_with_two(app, emulator, sign_in):
    """Starts the app with Adele's and Bram's accounts; Bram's is selected."""
    sign_in.without_window(emulator.adele)
    sign_in.without_window(emulator.bram)
    app.start()
    app.wait_for_account(emulator.bram.username)


def use_adele(app):
    """Selects Adele's account, and calls the API with it."""
    choose("Down")
    app.wait_for_account("adele@contoso.example")
    app.call_graph()
    app.wait_for_log('"displayName": "Adele Vance"')
    app.wait_until_idle()


@pytest.fixture
def two(app, emulator, keyring, sign_in):
    start_with_two(app, emulator, sign_in)
    return app


def test_added_account_is_selected_and_used(signed_in, emulator, sign_in):
    app = signed_in
    add(app, emulator, sign_in, emulator.bram)
    app.wait_for_log("Account: bram@contoso.example · contoso.example\n", 1)
    app.call_graph()
    app.wait_for_log('"displayName": "Bram Okafor"')
    app.wait_until_idle()
    open_switcher()
    wait_for(lambda: focused(MAIN) == f"{ROW} {emulator.bram.display_name}", "the selected row to be focused")
    # The state says which one is selected, and no word beside it.
    for user, is_selected in ((emulator.bram, True), (emulator.adele, False)):
        row = find(MAIN, ROW, user.display_name)
        # Once: the title is said before.
        assert row.node.get_description() == f"{user.username} · Work or school account"
        assert row.is_selected is is_selected, user.username
    close_switcher()
    wait_for(lambda: (focused(MAIN) or "").endswith(SWITCH), "the focus to be back")

    before = app.log.count("Adele Vance")
    choose("Down")
    app.wait_for_account("adele@contoso.example")
    app.wait_for_log("Switched to adele@contoso.example · contoso.example.")
    pages = emulator.authorize_count()
    app.call_graph()
    app.wait_for_log('"displayName": "Adele Vance"', before + 1)
    app.wait_until_idle()
    assert emulator.authorize_count() == pages, "a sign-in page was asked for"


def test_the_arrow_keys_go_on_to_the_buttons_below_the_rows_and_back(two):
    open_switcher()
    wait_for(lambda: (focused(MAIN) or "").startswith(ROW), "a focused row")
    add_button, manage_button, apps_button = (
        f"{BUTTON} {name}" for name in ("Add Account…", "Manage Accounts", "Manage Apps"))
    screen.press("Down")
    wait_for(lambda: "Adele" in (focused(MAIN) or ""), "the last row")
    for key, expected in (
            ("Down", add_button), ("Down", manage_button), ("Down", apps_button), ("Up", manage_button),
            ("Down", apps_button)):
        screen.press(key)
        wait_for(lambda: focused(MAIN) == expected, f"{expected} after {key}")
    # Below the last one, there is nothing; it stays open.
    screen.press("Down", "Up", "Up")
    wait_for(lambda: focused(MAIN) == add_button, "the first button")
    screen.press("Up")
    wait_for(lambda: "Adele" in (focused(MAIN) or ""), "the last row again")
    close_switcher()


def test_restart_remembers_the_selected_account(two, home):
    use_adele(two)
    files = home / "state" / "entrance" / "selection"
    wait_for(
        lambda: [file for file in files.iterdir()
                 if json.loads(file.read_text())["account"].startswith("3d7a1c58")],
        "the selection to be written")
    for file in files.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        remembered = json.loads(file.read_text())
        assert set(remembered) == {"account", "cloud", "accounts"}
        for account in remembered["accounts"]:
            assert set(account) == {"account", "cloud", "day"}
    two.restart()
    two.wait_for_account("adele@contoso.example")


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where the list's rows are")
def test_account_is_chosen_with_the_pointer(two):
    find(MAIN, BUTTON, SWITCH).click()
    row = find(MAIN, ROW, "Adele Vance").node
    window, = wait_for(lambda: screen.popovers(two.process.pid), "the list")
    screen.wait_until_still(window, "the list")
    # GTK's coordinates do not know where the popover is: only distances within it are right.
    popover = find(MAIN, "filler", "Accounts and Apps").node.get_extents(Atspi.CoordType.WINDOW)
    place = row.get_extents(Atspi.CoordType.WINDOW)
    left, top, width, height = screen.geometry(window)
    screen.click(
        left + (width - popover.width) / 2 + place.x - popover.x + place.width / 2,
        top + (height - popover.height) / 2 + place.y - popover.y + place.height / 2)
    two.wait_for_account("adele@contoso.example")


def test_account_whose_tokens_were_revoked_needs_a_sign_in(two, emulator, sign_in):
    choose("Down")
    two.wait_for_account("adele@contoso.example")
    emulator.revoke(emulator.adele)
    emulator.expire()
    seen = emulator.authorize_count()
    two.call_graph()
    sign_in.wait_for_page(seen)
    screen.press("Escape")
    sign_in.wait_until_closed()
    two.wait_until_idle()
    wait_for(lambda: "Sign-in required" in two.words, "the words")
    open_switcher()
    assert find(MAIN, ROW, "Adele Vance").node.get_description() == (
        "Sign-in required · adele@contoso.example · Work or school account")
    assert find(MAIN, ROW, "Adele Vance").is_selected
    close_switcher()
    assert exists(MAIN, BUTTON, "Sign In Again")

    open_list()
    seen = emulator.authorize_count()
    choose_action(emulator.adele, "g", "Sign In Again")
    sign_in.answered = b""
    sign_in.wait_for_page(seen)
    sign_in.answer(emulator.adele.password)
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
    wait_for(lambda: "Sign-in required" not in two.words, "the words to be gone")
    wait_for(lambda: not exists(MAIN, BUTTON, "Sign In Again"), "the button to be gone")


def test_guest_signs_in_to_another_organization(app, emulator, keyring, sign_in):
    dara = emulator.users[3]
    sign_in.without_window(dara)
    app.start()
    app.call_graph()
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    open_list()
    choose_action(dara, "a", "Sign In to Another Organization…")
    wait_for_dialog(ORGANIZATION)
    screen.type_text("fabrikam")
    screen.press("Return")
    find(ORGANIZATION, "alert", "Enter a domain such as contoso.com, or an ID such as"
         " 00000000-0000-0000-0000-000000000000.")
    sign_in_at_organization(emulator, sign_in, dara, "fabrikam.example")
    wait_for(lambda: "fabrikam.example · Guest account" in app.words, "the organization")
    app.wait_until_idle()
    app.call_graph()
    app.wait_for_log("#EXT#@fabrikam.example")
    app.wait_until_idle()
    choose("Up")
    wait_for(lambda: "contoso.example · Work or school account" in app.words, "the home tenant")
    app.call_graph()
    app.wait_for_log('"userPrincipalName": "dara@contoso.example"', 2)
    app.wait_until_idle()


def test_token_of_another_account_is_refused(two, emulator, sign_in):
    emulator.expire()
    emulator.set_faults("refresh-other-user")
    seen = emulator.counts().get("GET /v1.0/me", 0)
    choose("Down")
    two.wait_for_account("adele@contoso.example")
    shown = emulator.authorize_count()
    two.call_graph()
    two.wait_for_log("tokens for another account. Nothing was saved.")
    sign_in.answered = b""
    sign_in.wait_for_page(shown)
    screen.press("Escape")
    sign_in.wait_until_closed()
    two.wait_until_idle()
    # The expired token, but not the other account's.
    assert emulator.counts().get("GET /v1.0/me", 0) == seen + 1
    assert two.log.count('"displayName": "Bram Okafor"') == 0
    emulator.set_faults()

    # Somebody else signs in on the pages.
    emulator.revoke(emulator.adele)
    seen, shown = emulator.counts().get("GET /v1.0/me", 0), emulator.authorize_count()
    two.call_graph()
    sign_in.answered = b""
    sign_in.wait_for_page(shown)
    # The button after the one that submits the password leads back to the user name.
    sign_in.answer("", "Tab", "Tab", "Return")
    sign_in.username(emulator.bram)
    sign_in.password(emulator.bram.password)
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
    two.wait_for_log(
        "The token was not used: it belongs to bram@contoso.example · contoso.example, not to"
        " adele@contoso.example · contoso.example.")
    two.wait_until_idle()
    assert emulator.counts().get("GET /v1.0/me", 0) == seen + 1, "only the expired token"
    assert two.account == "adele@contoso.example"


def test_account_is_renamed(two, emulator):
    use_adele(two)
    choose("Up")
    two.wait_for_account("bram@contoso.example")
    open_list()
    choose_action(emulator.adele, "r", "Rename…")
    wait_for_dialog(RENAME)
    screen.type_text("Adele at work")
    screen.press("Return")
    wait_for(lambda: not has_window(RENAME), "the question to be gone")
    row = find(ACCOUNTS, ROW, "Adele at work").node
    assert row.get_description() == (
        "adele@contoso.example · Work or school account, Last used today")
    # Also in a list whose rows were made again.
    assert find(ACCOUNTS, ROW, "Adele at work").is_selected is False
    assert find(ACCOUNTS, ROW, emulator.bram.display_name).is_selected
    # A row opens its menu: accounts are managed here, and switched elsewhere.
    find(ACCOUNTS, ROW, "Adele at work").click()
    wait_for(lambda: exists(ACCOUNTS, MENU_ITEM, "Rename…"), "the menu")
    screen.press("Escape")
    wait_for(lambda: not exists(ACCOUNTS, MENU_ITEM, "Rename…"), "the menu to close")
    assert has_window(ACCOUNTS)
    screen.press("Escape")
    wait_for(lambda: not has_window(ACCOUNTS), "the list to close")
    assert two.account == "bram@contoso.example"
    # All pages show the name.
    choose("Down")
    two.wait_for_account("Adele at work")
    choose("Up")
    two.wait_for_account("bram@contoso.example")
    two.restart()
    two.wait_for_account("bram@contoso.example")
    open_switcher()
    find(MAIN, ROW, "Adele at work")
    close_switcher()

    # Without such a name, it has the person's own again; Escape changes nothing.
    for key, name in (("Escape", "Adele at work"), ("Return", "Adele Vance")):
        open_list()
        choose_action(emulator.adele, "r", "Rename…")
        wait_for_dialog(RENAME)
        screen.press("ctrl+a", "BackSpace", key)
        wait_for(lambda: not has_window(RENAME), "the question to be gone")
        find(ACCOUNTS, ROW, name)
        screen.press("Escape")
        wait_for(lambda: not has_window(ACCOUNTS), "the list to close")


def sign_out_of_list(user):
    choose_action(user, "o", "Sign Out")
    wait_for_dialog("Sign Out?")
    screen.press("Return")


def test_account_that_is_not_selected_is_signed_out(two, emulator, keyring):
    open_list()
    sign_out_of_list(emulator.adele)
    wait_for(lambda: len(keyring.items()) == 1, "the account to be gone")
    two.wait_for_log("Signed out adele@contoso.example.")
    two.wait_for_account("bram@contoso.example")
    assert "Switched to" not in two.log


def test_all_accounts_are_signed_out_from_their_list(two, emulator, keyring):
    open_list()
    screen.press("alt+s")
    wait_for_dialog(SIGN_OUT_ALL)
    assert not has_window(ACCOUNTS)
    assert any("All accounts are removed from “Demo”" in text for text in texts(SIGN_OUT_ALL))
    screen.press("Escape")
    wait_for(lambda: not has_window(SIGN_OUT_ALL), "the question to be gone")
    assert len(keyring.items()) == 2
    open_list()
    find(ACCOUNTS, BUTTON, "Sign Out All Accounts…").click()
    wait_for_dialog(SIGN_OUT_ALL)
    screen.press("Return")
    two.wait_for_account("Signed out")
    wait_for(lambda: not keyring.items(), "the accounts to be gone")


def test_account_that_is_signed_out_leaves_nothing(two, emulator, keyring, home):
    use_adele(two)
    photos = home / "cache" / "entrance" / "photos"
    wait_for(lambda: len(list(photos.iterdir())) == 1, "Adele's photo")
    photo, = photos.iterdir()
    assert stat.S_IMODE(photo.stat().st_mode) == 0o600
    assert stat.S_IMODE(photos.stat().st_mode) == 0o700
    open_list()
    sign_out_of_list(emulator.adele)
    two.wait_for_log("Signed out adele@contoso.example. Switched to bram@contoso.example.")
    two.wait_for_account("bram@contoso.example")
    wait_for(lambda: not list(photos.iterdir()), "the photo to be gone")
    wait_for(lambda: not has_window(ACCOUNTS), "the list to close")
    open_list()
    assert not exists(ACCOUNTS, BUTTON, "Actions for adele@contoso.example")
    screen.press("Escape")
    wait_for(lambda: not has_window(ACCOUNTS), "the list to close")
    two.sign_out()
    two.wait_for_account("Signed out")
    assert not exists(MAIN, BUTTON, SWITCH)
    wait_for(lambda: not keyring.items(), "the keyring to be empty")
    assert not list((home / "state" / "entrance" / "selection").iterdir())


# MARK: Looks


def test_switcher_has_room_with_large_text(app, emulator, keyring, sign_in, home):
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 20\n")
    start_with_two(app, emulator, sign_in)
    screen.resize(screen.window_id(MAIN), 360, 640)
    open_switcher()
    screen.wait_until_still(MAIN, "the list")
    assert cut_off(MAIN) == []
    screen.press("alt+m")
    wait_for(lambda: has_window(ACCOUNTS), "the list of accounts")
    screen.wait_until_still(ACCOUNTS, ACCOUNTS)
    assert cut_off(ACCOUNTS) == []


def test_a_search_that_is_no_longer_needed_hides_nothing(app, emulator, home):
    file = home / "config" / "entrance" / "apps.json"

    def write(letters: str):
        names = ["Demo", *(f"App {letter}" for letter in letters)]
        file.write_text(json.dumps({"version": 1, "apps": [emulator.connection(name) for name in names]}))

    write("QRSTUVWXY")
    app.start()
    wait_for(lambda: "Signed out" in texts(MAIN), "the account page")
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+k")
    wait_for(lambda: focused(MAIN) == "entry Search accounts and apps", "the search to have the focus")
    screen.type_text("app v")
    wait_for(lambda: exists(MAIN, ROW, "App V") and not exists(MAIN, ROW, "App W"), "the app")
    # Another program has removed most of them.
    write("VW")
    wait_for(lambda: exists(MAIN, ROW, "App W"), "the others")
    assert not exists(MAIN, "entry", "Search accounts and apps")
    screen.press("Escape")
    wait_for(lambda: not is_open(), "the list to close")


def test_escape_closes_the_switcher_with_a_search(app, emulator, home):
    names = ["Demo", *(f"App {letter}" for letter in "QRSTUVWXY")]
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({
        "version": 1, "apps": [emulator.connection(name) for name in names]}))
    app.start()
    wait_for(lambda: "Signed out" in texts(MAIN), "the account page")
    screen.focus(screen.window_id(MAIN))
    for text in ("", "app v"):
        screen.press("ctrl+k")
        wait_for(lambda: focused(MAIN) == "entry Search accounts and apps", "the search to have the focus")
        if text:
            screen.type_text(text)
            wait_for(lambda: exists(MAIN, ROW, "App V") and not exists(MAIN, ROW, "App W"), "the app")
        screen.press("Escape")
        wait_for(lambda: not is_open(), "the list to close")
