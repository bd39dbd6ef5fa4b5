"""The Explorer page while personal details are hidden: answers about others, and the address."""

import screen
from accessible import BUTTON, exists, find, texts
from app import MAIN
from test_explorer import (
    ENTRY, address, answer, choose, choose_method, explorer, reads_users, row, says, send_again,  # noqa: F401
    type_address, wait_for_words)
from test_privacy import check, everything_shown, press, take, words_in
from waiting import wait_for

# Users of the emulator, besides the one who is signed in.
OTHERS = ("bram", "okafor", "lindqvist", "abara")
USERS = "/v1.0/users?$select=displayName,jobTitle,preferredLanguage"
BRAM = "/v1.0/users/bram@contoso.example"
MARK = "•" * 8


def picture(name: str) -> str:
    """The words that can be read on the screen."""
    screen.wait_until_still(MAIN, name)
    return words_in(screen.picture_of(screen.window_id(MAIN)))


def answers_show_nobody(results):
    type_address(USERS)
    screen.press("Return")
    wait_for(lambda: '"jobTitle": "Support Engineer"' in answer(), "the answer")
    # What is hidden later is there now.
    shown = everything_shown().lower()
    assert [word for word in OTHERS if word in shown] == list(OTHERS)
    choose("Table")
    read = picture("the table")
    assert any(word in read for word in OTHERS)
    press("F10", "h")
    wait_for(lambda: any(text.startswith("As Account 1") for text in texts(MAIN)), "the name to be hidden")
    # The answer stays, without the names.
    choose("Formatted")
    wait_for(
        lambda: f'"jobTitle": "{MARK}"' in answer() and '"preferredLanguage": "en-US"' in answer(),
        "the answer without names")
    assert not says("No Request Yet")
    for view in ("Formatted", "Table", "Raw", "Header Fields"):
        choose(view)
        screen.wait_until_still(MAIN, view)
        check(OTHERS, f"the view {view}")
        take(results, f"explorer-{view.lower().replace(' ', '-')}")
    choose("Table")
    read = picture("the table")
    # What is not hidden can be read.
    assert any(word in read for word in ("language", "en-us"))
    assert not [word for word in ("manager", "engineer", "designer") if word in read]
    assert not [word for word in OTHERS if word in read]
    choose("Formatted")
    screen.press("ctrl+shift+c")
    wait_for_words("Response copied")
    copied = screen.copied().lower()
    assert "en-us" in copied and not [word for word in (*OTHERS, "engineer") if word in copied]


def an_address_is_covered_until_somebody_opens_it(emulator, results):
    type_address(BRAM)
    screen.press("Return")
    wait_for(lambda: '"value"' not in answer() and '"jobTitle"' in answer(), "the answer")
    type_address("/v1.0/me")
    screen.press("ctrl+h")
    row(f"GET /v1.0/users/{MARK}").click()
    find(MAIN, BUTTON, "Show Address")
    assert not exists(MAIN, ENTRY, "Address")
    check(OTHERS, "the request of the history")
    read = picture("the covered address")
    assert not [word for word in OTHERS if word in read]
    take(results, "explorer-covered")
    # What is sent is the address itself.
    send_again(emulator)
    wait_for(lambda: f'"jobTitle": "{MARK}"' in answer(), "the answer")
    find(MAIN, BUTTON, "Show Address").press_with_keys()
    wait_for(lambda: exists(MAIN, ENTRY, "Address") and address().text == BRAM, "the address")
    # It is covered again when nobody reads it.
    screen.press("Tab")
    find(MAIN, BUTTON, "Show Address")
    press("F10", "h")
    wait_for(lambda: exists(MAIN, ENTRY, "Address") and address().text == BRAM, "the address to be shown")
    assert says("As adele@")


def another_method_does_not_open_a_body_with_details():
    type_address("/v1.0/me")
    choose_method("POST")
    wait_for(lambda: exists(MAIN, ENTRY, "Body"), "the body")
    body = '{"mail": "bram@contoso.example"}'
    find(MAIN, ENTRY, "Body").click_into()
    screen.type_text(body)
    wait_for(lambda: find(MAIN, ENTRY, "Body").text == body, "the body to be typed")
    press("F10", "h")
    wait_for(lambda: not exists(MAIN, ENTRY, "Body"), "the body to be closed")
    address().click_into()
    choose_method("PATCH")
    screen.wait_until_still(MAIN, "the other method")
    assert not exists(MAIN, ENTRY, "Body")
    check(OTHERS, "another method")
    press("F10", "h")
    wait_for(lambda: says("As adele@"), "the name to be shown")


def test_a_search_stays_open_when_personal_details_are_hidden_or_shown(explorer):  # noqa: F811
    def search() -> str:
        return find(MAIN, "entry", "Search response").text

    screen.press("ctrl+Return")
    wait_for(lambda: '"displayName"' in answer(), "the answer")
    screen.press("ctrl+f")
    screen.type_text("displayName")
    wait_for(lambda: search() == "displayName", "the search")
    for whose in ("Account 1", "adele@"):
        press("F10", "h")
        wait_for(lambda: says(f"As {whose}") and '"displayName"' in answer(), whose)
        assert search() == "displayName"
    # What would show a name is removed, and the search stays open.
    find(MAIN, "entry", "Search response").click_into()
    screen.press("ctrl+a")
    screen.type_text("adele@contoso.example")
    wait_for(lambda: search() == "adele@contoso.example", "the name")
    press("F10", "h")
    wait_for(lambda: says("As Account 1") and search() == "", "the search without the name")
    press("F10", "h")
    wait_for(lambda: says("As adele@"), "the name to be shown")


def test_nothing_names_others_while_personal_details_are_hidden(
        reads_users, explorer, emulator, results):  # noqa: F811
    answers_show_nobody(results)
    an_address_is_covered_until_somebody_opens_it(emulator, results)
    another_method_does_not_open_a_body_with_details()
