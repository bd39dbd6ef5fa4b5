"""The Explorer page: a request, its answer in several views, and what prevents or cancels it."""

import base64
import json
import os

import pytest
import screen
import tree
from accessible import (
    BUTTON, KNOWS_PLACES, LABEL, LOG, MENU_ITEM, STATUS, Atspi, Widget, exists, find, find_window, focused, has_window,
    search, search_all, texts, wait_for_dialog)
from app import MAIN
from test_preferences import set_preferences
from test_privacy import words_in
from waiting import wait_for

ANSWER = "Response"
ENTRY = "text"
TAB = "page tab"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.fixture
def explorer(signed_in):
    """The app, at the Explorer page."""
    screen.press("alt+2")
    wait_for(lambda: any(text.startswith("As adele@") for text in texts(MAIN)), "the page")
    return signed_in


def address():
    return find(MAIN, ENTRY, "Address")


def type_address(text: str):
    """Replaces the address."""
    address().click_into()
    screen.press("ctrl+a")
    screen.type_text(text)


def answer() -> str:
    return find(MAIN, LOG, ANSWER).text if exists(MAIN, LOG, ANSWER) else ""


def says(text: str) -> bool:
    return any(text in shown for shown in texts(MAIN))


def finds_nothing() -> bool:
    return any(exists(MAIN, role, "No Results Found") for role in STATUS)


def choose_method(name: str):
    """From the address, goes to the method before it, and chooses one. `name` is not the one chosen so far."""
    screen.press("shift+Tab")
    wait_for(lambda: (focused(MAIN) or "").removeprefix(f"{BUTTON} ") in METHODS, "the method to have the focus")
    screen.press("space")
    wait_for(lambda: (focused(MAIN) or "").startswith("list item"), "the list to open")
    screen.press("Home", *["Down"] * METHODS.index(name), "Return")
    # The list still has the keyboard while it closes.
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {name}", "the list to close")


def wait_for_words(text: str):
    try:
        wait_for(lambda: says(text), f"'{text}'")
    except AssertionError as error:
        # Not before: on a busy computer, all texts take longer than a toast is there.
        raise AssertionError(f"{error} in {texts(MAIN)}") from None


def shown_names() -> list[str]:
    return [place.name for place in tree.walk(find_window(MAIN))]


def take(results, name: str, window: str = MAIN):
    screen.wait_until_still(window, name)
    (results / f"explorer-{name}.png").write_bytes(screen.picture_of(screen.window_id(window)))


def resize(width: int):
    screen.resize(screen.window_id(MAIN), width, 640)


def choose(view: str):
    """Chooses a view of the answer."""
    find(MAIN, TAB, view).click()


def calls(emulator):
    """What was asked of Graph so far."""
    return {route: count for route, count in emulator.counts().items() if "/v1.0/" in route}


def send_again(emulator):
    """Sends the same request once more. Its answer looks like the one before, so what counts is what the API got."""
    before = sum(calls(emulator).values())
    screen.press("ctrl+Return")
    wait_for(lambda: sum(calls(emulator).values()) > before, "the request")
    find(MAIN, BUTTON, "Send")
    wait_for_words("200 OK")


def wait_for_another_answer(before: str):
    """Waits for an answer with another text than `before`: that stays in sight until then, with its status."""
    wait_for(lambda: answer() not in ("", before), "another answer")
    wait_for_words("200 OK")


def test_a_request_is_sent_with_keys_alone_and_its_answer_is_shown(explorer, emulator, results):
    take(results, "start")
    screen.press("ctrl+a")
    screen.type_text("/v1.0/me?$select=displayName,jobTitle")
    screen.press("Return")
    wait_for_words("200 OK")
    wait_for(lambda: '"displayName": "Adele' in answer(), "the answer")
    take(results, "answer")
    resize(360)
    take(results, "narrow")
    screen.press("ctrl+f")
    screen.type_text("jobtitle")
    # The other one is in the context.
    wait_for_words("Match 1 of 2")
    screen.press("Return")
    wait_for_words("Match 2 of 2")
    take(results, "search")
    screen.press("ctrl+a")
    screen.type_text("zzz")
    wait_for(finds_nothing, "the words without results")
    take(results, "nothing-found")
    # Nothing is known about the next answer.
    send_again(emulator)
    wait_for(lambda: not finds_nothing(), "the words to go")
    screen.press("Escape")
    send_again(emulator)


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where widgets are")
def test_the_list_does_not_open_when_the_window_becomes_wide(explorer):
    def is_list_in_sight() -> bool:
        # A list that is not shown is beside the window.
        place, window = (
            node.get_extents(Atspi.CoordType.WINDOW)
            for node in (find(MAIN, "entry", "Search samples and history").node, find_window(MAIN)))
        return place.width > 0 and place.x >= window.x

    for width in (360, 860):
        resize(width)
        wait_for(lambda: screen.geometry(screen.window_id(MAIN))[2] == width, "the width")
        screen.wait_until_still(MAIN, "the page")
        assert not is_list_in_sight()
    screen.press("F9")
    wait_for(is_list_in_sight, "the list")


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where widgets are")
def test_a_low_window_has_room_for_the_answer_and_the_list(explorer):
    def room(role: str, name: str) -> int:
        """How much of the height of a widget is in the window."""
        place, window = (
            node.get_extents(Atspi.CoordType.WINDOW) for node in (find(MAIN, role, name).node, find_window(MAIN)))
        return min(place.y + place.height, window.y + window.height) - max(place.y, window.y)

    type_address("/v1.0/me")
    screen.press("Return")
    wait_for_words("200 OK")
    screen.resize(screen.window_id(MAIN), 700, 500)
    # Six lines of text.
    wait_for(lambda: room(LOG, ANSWER) >= 90, "the answer")
    screen.press("F9")
    wait_for(lambda: exists(MAIN, "entry", "Search samples and history"), "the list")
    wait_for(lambda: room("list", "Samples") >= 90 and room(LOG, ANSWER) >= 90, "both")


def test_signed_out_the_page_offers_to_sign_in(app, emulator, keyring, sign_in, results):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for_words("Sign in to send requests")
    take(results, "signed-out")
    app.press_sign_in()
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for_words("As adele@contoso.example")
    screen.press("ctrl+Return")
    wait_for_words("200 OK")


@pytest.fixture
def reads_users(app, emulator):
    """The app asks for a permission more."""
    app.connect_to(emulator, scopes=["User.Read", "User.ReadBasic.All"])


def test_views_of_a_list_and_its_pages(reads_users, explorer, results):
    type_address("/v1.0/users?$top=3")
    find(MAIN, BUTTON, "Send").click()
    wait_for_words("items, more available")
    first = wait_for(answer, "the first page")
    choose("Table")
    take(results, "table")
    find(MAIN, BUTTON, "Next Page").click()
    choose("Formatted")
    wait_for_another_answer(first)
    choose("Table")
    find(MAIN, BUTTON, "All Pages").click()
    # The button is gone, and the keys still work.
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the focus")
    choose("Header Fields")
    take(results, "headers")
    choose("Table")
    wait_for(lambda: not says("there are more"), "all pages")
    resize(360)
    take(results, "table-narrow")


def test_an_answer_is_filtered_and_its_links_become_requests(reads_users, explorer, emulator, results):
    type_address("/v1.0/users?$top=3")
    screen.press("Return")
    wait_for_words("items, more available")
    # The second line has the context, the third the link to the next page.
    find(MAIN, LOG, ANSWER).click()
    screen.press("ctrl+Home", "Down")
    assert not exists(MAIN, BUTTON, "Use as Request")
    while not exists(MAIN, BUTTON, "Use as Request"):
        screen.press("Down")
        screen.wait_until_still(MAIN, "the cursor")
    take(results, "link")
    requests = calls(emulator)
    screen.press("ctrl+u")
    wait_for(lambda: "$skiptoken=" in address().text, "the link")
    assert calls(emulator) == requests
    screen.press("ctrl+shift+f")
    wait_for(lambda: focused(MAIN) and "Filter With JSONPath" in focused(MAIN), "the filter")
    screen.type_text("$.value[*].displayName")
    wait_for_words("Values: 3")
    wait_for(lambda: answer().startswith("[") and "odata" not in answer(), "the names")
    take(results, "filter")
    resize(360)
    screen.type_text("[")
    wait_for_words("Not a JSONPath, character 24")
    take(results, "filter-narrow")
    screen.press("Escape")
    wait_for(lambda: "odata.nextLink" in answer(), "the whole answer")
    choose("Table")
    # Its rows are made when it is shown.
    screen.wait_until_still(MAIN, "the table")
    screen.press("Tab", "Tab", "Down", "ctrl+c")
    wait_for_words("Row copied")
    assert "\t" in screen.copied() and "@" in screen.copied()
    screen.press("Return")
    take(results, "table-row")
    wait_for(lambda: address().text.startswith("/v1.0/users/"), "the row")
    assert calls(emulator) == requests


def what_cannot_be_sent_is_told(results):
    type_address("https://evil.example/v1.0/me")
    wait_for_words("cannot be sent to “evil.example”")
    assert not find(MAIN, BUTTON, "Send").is_enabled
    type_address("/users?$filter=startsWith(displayName,'A b')")
    wait_for_words("startsWith(displayName,'A%20b')")
    take(results, "sent-as")


def answer_says_what_it_answers_once_another_request_is_written(results):
    type_address("/me")
    screen.press("Return")
    wait_for_words("200 OK")
    assert not says("Response to")
    type_address("/me/drive")
    wait_for_words("Response to GET /me")
    take(results, "answered")
    screen.press("ctrl+a", "Delete")
    wait_for(lambda: not address().text and says("Response to GET /me"), "it without an address, too")
    type_address("/me/drive")
    screen.press("Return")
    wait_for(lambda: not says("Response to"), "its own answer")


def the_query_is_a_table(emulator, results):
    type_address("/me?$select=id")
    screen.press("alt+q")
    wait_for(lambda: exists(MAIN, ENTRY, "Value 1"), "the table")
    assert find(MAIN, ENTRY, "Name 1").text == "$select"
    find(MAIN, ENTRY, "Value 1").click()
    screen.press("End")
    screen.type_text(",mail")
    wait_for(lambda: address().text == "/me?$select=id,mail", "the address")
    before = answer()
    screen.press("ctrl+Return")
    wait_for_another_answer(before)
    requests = calls(emulator)
    # Return goes on, from the value to the next row.
    find(MAIN, ENTRY, "Value 1").click_into()
    screen.press("Return")
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Name 2", "the next row to have the focus")
    screen.type_text("q")
    screen.press("Return")
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Value 2", "the value to have the focus")
    screen.type_text("a b&c")
    assert calls(emulator) == requests
    wait_for(lambda: address().text == "/me?$select=id,mail&q=a%20b%26c", "the second option")
    take(results, "query")
    resize(360)
    take(results, "query-narrow")
    type_address("/me?x=1")
    wait_for(lambda: find(MAIN, ENTRY, "Name 1").text == "x", "the option of the address")
    find(MAIN, BUTTON, "Remove Option").click()
    wait_for(lambda: address().text == "/me", "the option to be gone")
    resize(860)


def the_option_of_its_row_is_removed_also_below_an_emptied_one():
    type_address("/me?$select=id&$top=5&$filter=x")
    for name in ("Name 1", "Value 1"):
        wait_for(lambda: exists(MAIN, ENTRY, name), name)
        find(MAIN, ENTRY, name).click_into()
        screen.press("ctrl+a", "Delete")
    wait_for(lambda: address().text == "/me?$top=5&$filter=x", "the first option to be gone")
    Widget(search_all(find_window(MAIN), BUTTON, "Remove Option")[1], MAIN).click()
    wait_for(lambda: address().text == "/me?$filter=x", "the second option to be gone")
    screen.press("alt+q")
    wait_for(lambda: not exists(MAIN, ENTRY, "Name 1"), "the table to be closed")


def a_curl_command_is_pasted_as_the_request(emulator, results):
    host = emulator.description["graph"].split("/")[2]
    command = f"curl 'https://{host}/v1.0/me?$select=mail' \\\n  -H 'Authorization: Bearer eyJsecret'"
    screen.copy(command)
    address().click_into()
    screen.press("ctrl+a", "ctrl+v")
    wait_for(lambda: address().text == "/v1.0/me?$select=mail", "the request")
    before = answer()
    screen.press("Return")
    wait_for_another_answer(before)
    take(results, "pasted")


def a_curl_command_that_cannot_be_imported_leaves_the_address_as_it_was():
    type_address("/me/drive")
    screen.copy("$ curl -u adele:hunter2 'https://graph.microsoft.com/v1.0/me")
    screen.press("ctrl+a", "ctrl+v")
    wait_for_dialog("Nothing Was Imported")
    screen.press("Escape")
    wait_for(lambda: not has_window("Nothing Was Imported"), "the dialog to be gone")
    wait_for(lambda: address().text == "/me/drive", "the address")
    # What is typed letter by letter is no request, either.
    type_address("curl https://graph.microsoft.com/v1.0/me")
    wait_for_words("The address is a command.")
    assert not find(MAIN, BUTTON, "Send").is_enabled


def a_request_with_its_method_is_pasted_and_undone(emulator):
    type_address("/me/drive")
    screen.copy('POST /me/messages\nPrefer: return=minimal\n\n{"subject": "Hello"}\n')
    screen.press("ctrl+a", "ctrl+v")
    wait_for(lambda: address().text == "/me/messages" and exists(MAIN, BUTTON, "POST"), "the request")
    wait_for(lambda: find(MAIN, ENTRY, "Body").text == '{"subject": "Hello"}', "the body")
    undo("Request replaced")
    wait_for(lambda: address().text == "/me/drive" and exists(MAIN, BUTTON, "GET"), "what was typed")
    address().click_into()
    screen.press("ctrl+a", "ctrl+v")
    wait_for(lambda: address().text == "/me/messages" and exists(MAIN, BUTTON, "POST"), "the request once more")
    # The key does what the button does.
    screen.press("ctrl+z")
    wait_for(lambda: address().text == "/me/drive" and exists(MAIN, BUTTON, "GET"), "what was typed to be back")
    wait_for_words("Request restored")
    wait_for(lambda: not exists(MAIN, ENTRY, "Body"), "the body to be gone")
    # What is typed is undone as ever.
    screen.press("End")
    screen.type_text("s")
    wait_for(lambda: address().text == "/me/drives", "the letter")
    screen.press("ctrl+z")
    wait_for(lambda: address().text == "/me/drive", "the letter to be gone")
    # What is typed letter by letter is not sent.
    type_address("GET /me")
    wait_for_words("The address begins with a method.")
    before = calls(emulator)
    screen.press("Return")
    screen.wait_until_still(MAIN, "the page")
    assert not find(MAIN, BUTTON, "Send").is_enabled and calls(emulator) == before


def a_picture_is_shown_and_a_request_is_copied_without_its_token(results):
    type_address("/me/photo/$value")
    screen.press("Return")
    wait_for(lambda: "Picture from /me/photo/$value" in shown_names(), "the picture")
    take(results, "picture")
    find(MAIN, BUTTON, "More Actions").click()
    wait_for(lambda: exists(MAIN, MENU_ITEM, "curl"), "the menu")
    screen.press("c")
    wait_for(lambda: screen.copied().startswith("curl --request GET '"), "the request")
    wait_for_words("Copied as curl, without the token")
    copied = screen.copied()
    assert "Bearer $TOKEN" in copied
    assert "eyJ" not in copied


def test_a_request_is_an_address_a_table_and_a_command(explorer, emulator, results):
    what_cannot_be_sent_is_told(results)
    answer_says_what_it_answers_once_another_request_is_written(results)
    the_query_is_a_table(emulator, results)
    the_option_of_its_row_is_removed_also_below_an_emptied_one()
    a_curl_command_is_pasted_as_the_request(emulator, results)
    a_curl_command_that_cannot_be_imported_leaves_the_address_as_it_was()
    a_request_with_its_method_is_pasted_and_undone(emulator)
    a_picture_is_shown_and_a_request_is_copied_without_its_token(results)


def delete_asks_before_it_is_sent(emulator, results):
    type_address("/me/messages/1")
    choose_method("DELETE")
    screen.press("ctrl+Return")
    wait_for_dialog("Send DELETE Request?")
    wait_for(lambda: any("As adele@contoso.example" in text for text in texts("Send DELETE Request?")), "the account")
    take(results, "delete", "Send DELETE Request?")
    screen.press("Escape")
    wait_for(lambda: not has_window("Send DELETE Request?"), "the question to be gone")
    assert not any(route.startswith("DELETE") for route in emulator.counts())


def a_change_has_header_fields_and_a_body(results):
    type_address("/me")
    choose_method("PATCH")
    wait_for(lambda: exists(MAIN, "text", "Body"), "the body")
    find(MAIN, "text", "Body").click_into()
    screen.type_text('{"jobTitle": "Engineer",}')
    wait_for_words("The body is not valid JSON, line 1")
    take(results, "body")
    screen.press("BackSpace", "BackSpace")
    screen.type_text("}")
    wait_for(lambda: not says("not valid JSON"), "the problem to be gone")
    screen.press("ctrl+a", "ctrl+x")
    wait_for(lambda: not find(MAIN, "text", "Body").text, "the body to be cut")
    assert screen.copied() == '{"jobTitle": "Engineer"}'
    screen.press("ctrl+v")
    wait_for(lambda: find(MAIN, "text", "Body").text == '{"jobTitle": "Engineer"}', "the body to be pasted")
    screen.press("ctrl+Return")
    wait_for_words("403 Forbidden")
    wait_for_words("The account or the app is not allowed to do this (HTTP 403).")
    wait_for_words("The request needs the permission User.ReadWrite.")
    assert not says("may be missing")
    take(results, "forbidden")


def a_request_is_canceled(emulator, results):
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    assert not says("No Request Yet")
    # It is never still, because something turns.
    screen.capture(results / "explorer-waiting.png")
    screen.press("Escape")
    wait_for_words("The request was canceled.")
    assert find(MAIN, BUTTON, "Send").is_enabled


def test_changes_are_asked_about_and_sent_and_a_request_is_canceled(explorer, emulator, results):
    delete_asks_before_it_is_sent(emulator, results)
    a_change_has_header_fields_and_a_body(results)
    type_address("/v1.0/me")
    choose_method("GET")
    a_request_is_canceled(emulator, results)


def test_a_missing_permission_is_shown_requested_and_used(explorer, emulator, sign_in, results):
    type_address("/me/messages?$top=2&$select=subject")
    wait_for_words("Not granted yet: Mail.ReadBasic")
    take(results, "mark")
    screen.press("Return")
    wait_for_words("The request needs the permission Mail.ReadBasic.")
    # Each permission has a line of its own.
    wait_for_words("Required · Read mail without its content")
    wait_for_words("In the token")
    resize(360)
    take(results, "explained")
    # They scroll with the page, below the buttons, and not in a place of their own that cuts them off.
    permissions = search(find_window(MAIN), "list", "Permissions")
    assert search(permissions.get_parent(), BUTTON, "Request Permission") is not None
    pages = emulator.authorize_count()
    find(MAIN, BUTTON, "Request Permission").click()
    sign_in.wait_for_page(pages)
    sign_in.password(emulator.adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
    wait_for_words("200 OK")
    wait_for(lambda: not says("Not granted yet"), "the mark to be gone")


def proposals() -> list[str]:
    """What is proposed below the address, or in the header fields."""
    shown = search(find_window(MAIN), "list", "Suggestions")
    return [] if shown is None else [place.name for place in tree.walk(shown) if place.role == "list item"]


def test_an_address_is_completed_with_keys(explorer, results):
    type_address("/v1.0/me/mailf")
    wait_for(lambda: proposals() == ["mailFolders, list of mailFolder"], "the relationship")
    # They are for what is before the cursor.
    screen.press("Left", "Left", "Down")
    wait_for(lambda: proposals() == [], "the proposals to be gone")
    assert address().text == "/v1.0/me/mailf"
    type_address("/v1.0/me/mailf")
    wait_for(lambda: proposals() == ["mailFolders, list of mailFolder"], "the relationship")
    screen.press("Down", "Return")
    wait_for(lambda: address().text == "/v1.0/me/mailFolders", "the name")
    assert proposals() == []
    resize(360)
    screen.type_text("?$s")
    wait_for(lambda: proposals() == ["$search=", "$select=", "$skip="], "the options")
    screen.press("Down", "Down", "Return")
    # What it can be set to is proposed at once.
    wait_for(lambda: "displayName, property" in proposals(), "the properties")
    screen.wait_until_still(MAIN)
    screen.press("Down", "Down")
    screen.capture(results / "explorer-completion-narrow.png")
    screen.press("Escape")
    wait_for(lambda: proposals() == [], "the proposals to be gone")
    assert address().text == "/v1.0/me/mailFolders?$select="
    screen.type_text("displ")
    wait_for(lambda: proposals() == ["displayName, property"], "the property")
    # Without a choice, Enter sends what was typed.
    screen.press("Return")
    wait_for_words("403 Forbidden")
    assert address().text == "/v1.0/me/mailFolders?$select=displ"
    assert proposals() == []


def test_header_fields_are_completed_with_keys(explorer, results):
    screen.press("alt+f")
    screen.wait_until_still(MAIN, "the header fields")

    def fields():
        return find(MAIN, "text", "Header fields")

    fields().click_into()
    screen.type_text("acc")
    wait_for(lambda: proposals() == ["Accept-Language: ", "Accept: "], "the names")
    # Without a choice, Enter begins a line, for which nothing is proposed yet.
    screen.press("Return")
    wait_for(lambda: fields().text == "acc\n" and proposals() == [], "the line")
    screen.press("ctrl+a", "Delete")
    resize(360)
    screen.type_text("consis")
    wait_for(lambda: proposals() == ["ConsistencyLevel: "], "the name")
    screen.press("Down", "Return")
    # What it can say is proposed at once.
    wait_for(lambda: proposals() == ["eventual"], "the value")
    screen.press("Down", "Return", "Return")
    wait_for(lambda: fields().text == "ConsistencyLevel: eventual\n", "the line")
    assert proposals() == []
    screen.type_text("prefer:")
    wait_for(lambda: "respond-async" in proposals(), "the preferences")
    screen.type_text(" outlook.")
    wait_for(lambda: len(proposals()) == 4, "those of Outlook")
    screen.press("Down", "Down")
    screen.wait_until_still(MAIN)
    screen.capture(results / "explorer-field-completion-narrow.png")
    screen.press("Down", "Down", "Return")
    # What is missing is written between the quotation marks.
    screen.type_text("UTC")
    wait_for(lambda: fields().text.endswith('\nprefer: outlook.timezone="UTC"'), "the preference")
    assert proposals() == []
    screen.press("ctrl+Return")
    wait_for_words("200 OK")


def test_tab_takes_a_suggestion_and_shift_tab_leaves_it(explorer):
    type_address("/v1.0/me/mailf")
    wait_for(lambda: proposals() == ["mailFolders, list of mailFolder"], "the relationship")
    # Without a choice, it takes the first one.
    screen.press("Tab")
    wait_for(lambda: address().text == "/v1.0/me/mailFolders", "the name")
    wait_for(lambda: proposals() == [], "the proposals to be gone")
    assert focused(MAIN) == f"{ENTRY} Address"
    screen.type_text("?$s")
    wait_for(lambda: proposals() == ["$search=", "$select=", "$skip="], "the options")
    screen.press("Down", "Down", "Tab")
    wait_for(lambda: address().text == "/v1.0/me/mailFolders?$select=", "the option")
    wait_for(lambda: "displayName, property" in proposals(), "the properties")
    assert focused(MAIN) == f"{ENTRY} Address"
    screen.press("shift+Tab")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} GET", "the method to have the focus")
    wait_for(lambda: proposals() == [], "the proposals to be gone")
    assert address().text == "/v1.0/me/mailFolders?$select="
    screen.press("alt+f")
    screen.wait_until_still(MAIN, "the header fields")
    find(MAIN, ENTRY, "Header fields").click_into()
    screen.type_text("consis")
    wait_for(lambda: proposals() == ["ConsistencyLevel: "], "the name")
    screen.press("Tab")
    wait_for(lambda: proposals() == ["eventual"], "the value")
    screen.press("Tab")
    wait_for(lambda: find(MAIN, ENTRY, "Header fields").text == "ConsistencyLevel: eventual", "the field")
    wait_for(lambda: proposals() == [], "the proposals to be gone")
    assert focused(MAIN) == f"{ENTRY} Header fields"
    # Where nothing is proposed, Tab moves the focus.
    screen.press("Tab")
    wait_for(lambda: focused(MAIN) not in (None, f"{ENTRY} Header fields"), "the focus to go on")
    # Nor does it take what is for another place of the cursor.
    type_address("/v1.0/me/mailf")
    wait_for(lambda: proposals() == ["mailFolders, list of mailFolder"], "the relationship again")
    screen.press("Left", "Tab")
    wait_for(lambda: focused(MAIN) not in (None, f"{ENTRY} Address"), "the focus to leave the address")
    assert address().text == "/v1.0/me/mailf"


def find_row(name: str) -> Atspi.Accessible | None:
    return next((place.node for place in tree.walk(find_window(MAIN))
                 if place.role == "list item" and place.name.startswith(name)), None)


def row(name: str):
    """The line of the list that begins with `name`."""
    return Widget(wait_for(lambda: find_row(name), f"the line '{name}'"), MAIN)


def test_an_api_that_is_not_graph_is_called_by_its_host(app, emulator, keyring, sign_in, results):
    app.connect_to(emulator, api=f"{emulator.base}/profile")
    host = emulator.base.removeprefix("https://")
    app.start()
    app.wait_for_account("Signed out")
    screen.press("alt+2")
    wait_for_words(f"Sign in to send requests to {host} and see its responses.")
    app.press_sign_in()
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the focus to be on the page that follows")
    wait_for_words(f"Send a request to see the response from {host} here.")
    assert not exists(MAIN, BUTTON, "Show Samples")
    screen.press("F9")
    history = find(MAIN, TAB, "History").node
    wait_for(lambda: history.get_state_set().contains(Atspi.StateType.SELECTED), "the history to be shown")
    assert not exists(MAIN, TAB, "Samples")
    take(results, "other-api")


def undo(message: str):
    """Clicks *Undo* beside a message."""
    wait_for_words(message)
    # The message before may still be going.
    screen.wait_until_still(MAIN, "the message")
    # GTK 4.8 calls the button of a toast "Undo Undo".
    find(MAIN, LABEL, "Undo").click()
    wait_for(lambda: not says(message), "the message to go")


def test_what_is_typed_comes_back_at_the_next_start_and_with_undo(explorer, results):
    body = '{"message": {"subject": "Hello"}}'
    type_address("/v1.0/me/sendMail")
    choose_method("POST")
    wait_for(lambda: exists(MAIN, ENTRY, "Body"), "the body")
    find(MAIN, ENTRY, "Body").click_into()
    screen.type_text(body)
    wait_for(lambda: find(MAIN, ENTRY, "Body").text == body, "the body to be typed")
    explorer.close()
    explorer.process = explorer.launch("--app", "Demo")

    def is_there() -> bool:
        return (exists(MAIN, BUTTON, "POST") and exists(MAIN, ENTRY, "Body")
                and address().text == "/v1.0/me/sendMail" and find(MAIN, ENTRY, "Body").text == body)

    wait_for(lambda: screen.window_id(MAIN), "the window")
    # The page that was shown last is shown again.
    wait_for_words("As adele@contoso.example")
    wait_for(is_there, "what was typed")
    take(results, "draft")
    address().click_into()
    screen.press("F9")
    find(MAIN, "entry", "Search samples and history").click()
    screen.press("ctrl+a")
    screen.type_text("job")
    row("Name, job, and email address only")
    wait_for(lambda: not find_row("My profile"), "the other samples to be gone")
    screen.press("Return")
    wait_for(lambda: "jobTitle" in address().text, "the sample")
    wait_for_words("Request replaced")
    take(results, "undo")
    undo("Request replaced")
    wait_for(is_there, "what was typed to be back")


def a_placeholder_of_a_sample_is_replaced_before_it_is_sent(emulator, results):
    screen.press("F9")
    row("My profile, User.Read")
    take(results, "samples")
    screen.type_text("xyzzy")
    wait_for_words("No Results Found")
    take(results, "no-samples")
    screen.press("ctrl+a")
    screen.type_text("members of")
    row("Members of a group")
    screen.press("Return")
    wait_for(lambda: address().text == "/v1.0/groups/{id}/members", "the sample")
    wait_for_words("Replace “{id}” with a value.")
    take(results, "placeholder")
    before = sum(calls(emulator).values())
    screen.press("Return")
    assert not find(MAIN, BUTTON, "Send").is_enabled
    # The placeholder is selected.
    screen.type_text("1")
    wait_for(lambda: address().text == "/v1.0/groups/1/members", "the identifier")
    wait_for(lambda: not says("Replace “{id}”"), "the line to go")
    screen.press("Return")
    wait_for_words("GroupMember.ReadBasic.All")
    assert sum(calls(emulator).values()) == before + 1


def the_tabs_of_the_list_are_as_wide_as_its_search():
    search, first, last = (
        find(MAIN, role, name).node.get_extents(Atspi.CoordType.WINDOW)
        for role, name in (("entry", "Search samples and history"), (TAB, "Samples"), (TAB, "Saved")))
    if KNOWS_PLACES:
        # GTK tells where their contents are; around them are paddings.
        assert abs(first.x - search.x) <= 8
        assert abs(last.x + last.width - search.x - search.width) <= 8


def samples_and_history_are_chosen_with_keys(results):
    find(MAIN, "entry", "Search samples and history").click()
    screen.press("ctrl+a")
    screen.type_text("job")
    row("Name, job, and email address only")
    wait_for(lambda: not find_row("My profile"), "the other samples to be gone")
    screen.press("Return")
    wait_for(lambda: address().text == "/v1.0/me?$select=displayName,jobTitle,mail", "the sample")
    find(MAIN, "entry", "Search samples and history").click()
    screen.press("ctrl+a", "Delete")
    row("My photo")
    screen.press("Tab", "Tab", "Tab", "Tab")
    wait_for(lambda: (focused(MAIN) or "").startswith("list item"), "the focus in the list")
    # The first line is a heading.
    screen.press("Down", "Down", "Return")
    wait_for(lambda: "jobTitle" in address().text, "the second sample")
    screen.press("Return")
    wait_for_words("200 OK")
    find(MAIN, TAB, "History").click()
    row("GET /v1.0/me?$select=displayName,jobTitle,mail, 200 OK")
    take(results, "history")
    resize(360)
    row("GET /v1.0/me")
    take(results, "history-narrow")
    # Not with the pointer: a message may be above the button.
    screen.press("alt+h")
    wait_for_words("What you send appears here.")
    undo("History cleared")
    row("GET /v1.0/me?$select=displayName,jobTitle,mail, 200 OK")


def test_requests_come_from_samples_and_the_history(explorer, emulator, results):
    a_placeholder_of_a_sample_is_replaced_before_it_is_sent(emulator, results)
    the_tabs_of_the_list_are_as_wide_as_its_search()
    samples_and_history_are_chosen_with_keys(results)


def test_signing_out_cancels_a_request_and_removes_what_it_left(explorer, emulator):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the response")
    state = explorer.home / "state" / "entrance" / "explorer"
    wait_for(lambda: state.exists() and list(state.iterdir()), "the history to be kept")
    screen.press("alt+1")
    explorer.sign_out()
    explorer.wait_for_account("Signed out")
    screen.press("alt+2")
    wait_for_words("Sign in to send requests")
    assert not says("200 OK")
    wait_for(lambda: not state.exists() or list(state.iterdir()) == [], "the history to be removed")


REQUESTS = """@top = 2

### Me
GET https://graph.microsoft.com/v1.0/me
Authorization: Bearer {{$aadV2Token}}

### People
GET https://graph.microsoft.com/v1.0/users?$top={{top}}

### Missing
GET https://graph.microsoft.com/v1.0/users/{{id}}
"""


def requests_for(emulator, home):
    """A file of requests to the emulator's API."""
    path = home / "tasks.http"
    path.write_text(REQUESTS.replace("graph.microsoft.com", emulator.description["graph"].split("/")[2]))
    return path


def saves_to(path, text: str):
    wait_for(lambda: path.exists() and text in path.read_text(), f"'{text}' in the file")


def choose_saved(name: str):
    """Clicks a request of a file, after the tooltip of another one is gone, which may cover it."""
    address().click()
    row(name).click()


COLLECTION = """{"info": {"name": "Tasks",
  "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
 "item": [{"name": "My mail", "request": {"method": "GET", "url": "https://HOST/v1.0/me?$select=mail",
   "header": [{"key": "Authorization", "value": "Bearer eyJsecret"}, {"key": "Cookie", "value": "a=hunter2"}]}}]}
"""


def a_request_is_saved_to_a_new_file(home):
    type_address("/me?$select=mail")
    screen.press("ctrl+s")
    path = home / "new.http"
    screen.save_file(path, "Save Request")
    saves_to(path, "### GET /me\nGET ")
    assert "eyJ" not in path.read_text()
    wait_for_words("GET /me in new.http")
    screen.type_text("&$top=1")
    wait_for_words("not saved")
    screen.close(screen.window_id(MAIN))
    wait_for_dialog("Discard Changes?")
    screen.press("Escape")
    wait_for(lambda: not has_window("Discard Changes?"), "the question to be gone")
    find(MAIN, BUTTON, "Save Request").click()
    saves_to(path, "$select=mail&$top=1\n")
    type_address("/me/drive")
    find(MAIN, BUTTON, "Add Request to new.http").click()
    saves_to(path, "### GET /me/drive\nGET ")
    assert "$select=mail&$top=1\n" in path.read_text()


def requests_of_a_file_are_sent_edited_and_saved(explorer, emulator, results, home):
    path = requests_for(emulator, home)
    screen.press("ctrl+o")
    screen.open_file(path, "Open Requests")
    row("tasks.http")
    take(results, "saved")
    choose_saved("People, GET")
    wait_for(lambda: address().text == "/v1.0/users?$top={{top}}", "the request")
    wait_for_words("/v1.0/users?$top=2")
    wait_for_words("People in tasks.http")
    take(results, "saved-variables")
    choose_saved("Missing, GET")
    wait_for_words("The variable “id” has no value.")
    assert not find(MAIN, BUTTON, "Send").is_enabled
    take(results, "saved-unknown-variable")
    choose_saved("Me, GET")
    wait_for(lambda: address().text == "/v1.0/me", "the request")
    screen.press("End")
    screen.type_text("?$select=mail")
    wait_for_words("Me in tasks.http, not saved")
    take(results, "saved-edited")
    # Another one does not take its place without a question.
    choose_saved("People, GET")
    wait_for_dialog("Discard Changes?")
    screen.wait_until_still("Discard Changes?", "the question to be ready")
    take(results, "saved-question", "Discard Changes?")
    screen.press("Escape")
    wait_for(lambda: not has_window("Discard Changes?"), "the question to be gone")
    address().click()
    screen.press("ctrl+s")
    saves_to(path, "/v1.0/me?$select=mail\nAuthorization: Bearer {{$aadV2Token}}\n")
    wait_for(lambda: not says("not saved"), "the edits to be saved")
    address().click()
    screen.press("Return")
    wait_for_words("200 OK")
    # What another program writes is read.
    path.write_text(path.read_text().replace("$select=mail", "$select=id"))
    wait_for(lambda: address().text == "/v1.0/me?$select=id", "the change")
    resize(360)
    take(results, "saved-narrow")
    explorer.restart()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for_words("As adele@contoso.example")
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    row("Me, GET")


def requests_of_other_programs_are_imported(emulator, results, home):
    host = emulator.description["graph"].split("/")[2]
    source = home / "tasks.json"
    source.write_text(COLLECTION.replace("HOST", host))
    find(MAIN, BUTTON, "Import…").click()
    screen.open_file(source, "Import Requests")
    path = home / "new & old.http"
    screen.save_file(path, "Save Imported Requests")
    wait_for_dialog("Imported With Changes")
    wait_for(lambda: any("the header field “Cookie” is left out" in text for text in texts("Imported With Changes")),
             "the reason")
    take(results, "imported", "Imported With Changes")
    screen.press("Escape")
    wait_for(lambda: not has_window("Imported With Changes"), "the dialog to be gone")
    row("new & old.http")
    take(results, "import")
    choose_saved("My mail, GET")
    wait_for(lambda: address().text == "/v1.0/me?$select=mail", "the request")
    screen.press("Return")
    wait_for_words("200 OK")
    assert "eyJ" not in path.read_text() and "hunter2" not in path.read_text()
    # What is no such file is told, too.
    source.write_text("hello")
    find(MAIN, BUTTON, "Import…").click()
    screen.open_file(source, "Import Requests")
    wait_for_dialog("Nothing Was Imported")
    take(results, "not-imported", "Nothing Was Imported")
    screen.press("Escape")


def a_search_in_files_that_finds_nothing_says_so(results):
    find(MAIN, "entry", "Search samples and history").click()
    screen.type_text("xyzzy")
    wait_for_words("No Results Found")
    take(results, "saved-nothing-found")
    screen.press("ctrl+a", "BackSpace")
    row("Me, GET")


def test_requests_are_kept_in_files(explorer, emulator, results, home):
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    wait_for_words("Open a request file")
    take(results, "saved-none")
    a_request_is_saved_to_a_new_file(home)
    requests_of_a_file_are_sent_edited_and_saved(explorer, emulator, results, home)
    a_search_in_files_that_finds_nothing_says_so(results)
    requests_of_other_programs_are_imported(emulator, results, home)


def open_more():
    """Opens the menu of the answer.

    GTK 4.8 may lose the first click after another menu was closed, about one in 20. A person clicks again.
    """
    def is_open() -> bool:
        return (focused(MAIN) or "").startswith(MENU_ITEM)

    button = find(MAIN, BUTTON, "More Actions")
    button.click()
    try:
        wait_for(is_open, "the menu", 20)
    except AssertionError:
        button.click()
        wait_for(is_open, "the menu after a second click")


@pytest.fixture
def clears_clipboard(home):
    set_preferences(home, **{"clear-clipboard-after": "5"})


def test_a_copied_request_with_variables_leaves_the_clipboard(clears_clipboard, explorer, emulator, home):
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    wait_for_words("Open a request file")
    screen.press("ctrl+o")
    screen.open_file(requests_for(emulator, home), "Open Requests")
    choose_saved("People, GET")
    wait_for(lambda: "{{top}}" in address().text, "the request")
    screen.press("Return")
    wait_for_words("403 Forbidden")
    open_more()
    screen.press("c")
    wait_for(lambda: "top=2" in screen.copied(), "the request")
    wait_for_words("Copied as curl, without the token. The clipboard will be cleared in 5 seconds.")
    wait_for(lambda: screen.copied() == "", "the clipboard to be empty")


def test_an_answer_is_kept_and_compared_with_the_next(explorer, results):
    type_address("/v1.0/me?$select=displayName,jobTitle,mail")
    screen.press("Return")
    wait_for_words("200 OK")
    open_more()
    screen.press("k")
    wait_for_words("Compared with GET /v1.0/me")
    take(results, "kept")
    type_address("/v1.0/me?$select=displayName,surname,mail")
    screen.press("Return")
    wait_for_words("Differences: 3")
    choose("Differences")
    wait_for(lambda: exists(MAIN, "list item", "Added, $.surname, Now: \"Vance\""), "the differences")
    take(results, "differences")
    # Who looks at them sees those of the next answer, too.
    type_address("/v1.0/me?$select=displayName,givenName,mail")
    screen.press("Return")
    wait_for(lambda: exists(MAIN, "list item", "Added, $.givenName, Now: \"Adele\""), "the next differences")
    resize(360)
    take(results, "differences-narrow")
    find(MAIN, BUTTON, "Stop Comparing").click()
    wait_for(lambda: not says("Compared with"), "the end")
    assert not exists(MAIN, TAB, "Differences")


@pytest.fixture
def bram_is_signed_in(emulator, keyring, sign_in):
    """Before Adele, whose account the app shows then."""
    sign_in.without_window(emulator.bram)


def test_the_same_request_is_compared_with_another_version_and_account(
        bram_is_signed_in, explorer, emulator, results):
    type_address("/v1.0/me?$select=displayName")
    screen.press("Return")
    wait_for_words("200 OK")
    open_compare_with()
    screen.wait_until_still(MAIN)
    screen.capture(results / "explorer-compare-menu.png")
    # From the item that leads back, over that of the version.
    screen.press("Down", "Down", "Return")
    row("Changed, $.displayName")
    wait_for_words("bram@contoso.example · contoso.example")
    # Beside the status, because the request is Adele's.
    assert any(text.startswith("bram@contoso.example · contoso.example · ") for text in texts(MAIN))
    take(results, "compared-account")
    choose("Formatted")
    open_compare_with()
    screen.press("v")
    wait_for_words("/beta/me?$select=displayName")
    resize(360)
    take(results, "compared-version")
    assert any("/beta/" in route for route in emulator.counts())
    # What changes something is not sent twice.
    type_address("/v1.0/me")
    choose_method("PATCH")
    screen.press("ctrl+Return")
    wait_for_words("403 Forbidden")
    open_compare_with()
    assert not find(MAIN, MENU_ITEM, "Other Version (v1.0 or beta)").is_enabled


def test_an_answer_stays_when_the_account_to_compare_with_must_sign_in(bram_is_signed_in, explorer, emulator, results):
    type_address("/v1.0/me?$select=displayName")
    screen.press("Return")
    wait_for_words("200 OK")
    emulator.revoke(emulator.bram)
    emulator.expire()
    open_compare_with()
    screen.wait_until_still(MAIN)
    screen.press("Down", "Down", "Return")
    wait_for_words("bram@contoso.example · contoso.example has to sign in first")
    take(results, "not-compared")
    assert says("200 OK") and '"displayName": "Adele Vance"' in answer()
    wait_for(lambda: not says("Compared with"), "no comparison")


def text_is_larger_by_a_key_and_stays_so(home):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    usual = screen.wait_until_still(MAIN, "the answer")
    screen.press("ctrl+plus")
    wait_for(lambda: screen.wait_until_still(MAIN) != usual, "larger text")
    assert "log-text-size=110" in (home / "config/glib-2.0/settings/keyfile").read_text()
    screen.press("ctrl+minus", "ctrl+minus", "ctrl+0")
    wait_for(lambda: screen.wait_until_still(MAIN) == usual, "text of the usual size")


def a_request_and_its_answer_are_copied_without_secrets_and_names(results):
    open_more()
    screen.wait_until_still(MAIN)
    screen.capture(results / "explorer-menu.png")
    screen.press("m")
    wait_for_words("Copied as Markdown, without secrets and names")
    take(results, "copied")
    text = screen.copied()
    assert text.startswith("GET `https://") and "- Status: 200 OK" in text and "```json" in text
    assert '"displayName": "name-0' in text and "Adele" not in text and "adele" not in text
    resize(360)
    screen.wait_until_still(MAIN, "the narrow window")
    open_more()
    screen.capture(results / "explorer-menu-narrow.png")
    screen.press("r")
    wait_for_words("Copied as HAR, without secrets and names")
    text = screen.copied()
    entry = json.loads(text)["log"]["entries"][0]
    assert entry["response"]["status"] == 200 and "eyJ" not in text and "adele" not in text.lower()


def shortcuts_mean_what_the_page_is_for(emulator, results):
    send_again(emulator)
    screen.press("ctrl+shift+c")
    wait_for_words("Response copied")
    assert '"displayName": "Adele Vance"' in screen.copied()
    screen.press("ctrl+h")
    row("GET /v1.0/me")
    take(results, "history-by-key")
    screen.press("F9")
    # libadwaita 1.2 has GTK warn when something else changes while the list slides.
    screen.wait_until_still(MAIN, "the list to close")
    screen.press("ctrl+l")
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the address to have the focus")
    screen.type_text("/v1.0/users")
    wait_for(lambda: address().text == "/v1.0/users", "the address to be replaced")
    screen.press("Escape")
    screen.wait_until_still(MAIN, "the proposals to be gone")

    screen.press("ctrl+Next")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Renew Tokens", "the Tokens page")
    screen.press("ctrl+Prior", "ctrl+Prior", "ctrl+Prior")
    wait_for(lambda: focused(MAIN) not in (None, f"{BUTTON} Renew Tokens", f"{ENTRY} Address"), "the Activity page")
    screen.press("ctrl+shift+c")
    wait_for_words("Log copied")
    assert "Found a signed in account" in screen.copied()
    screen.press("ctrl+l")
    wait_for(lambda: (focused(MAIN) or "").endswith(" Log"), "the log of the Account page")


def test_an_answer_is_made_larger_and_copied_and_shortcuts_mean_what_the_page_is_for(
        explorer, emulator, results, home):
    text_is_larger_by_a_key_and_stays_so(home)
    a_request_and_its_answer_are_copied_without_secrets_and_names(results)
    resize(860)
    screen.wait_until_still(MAIN, "the menu to be closed")
    shortcuts_mean_what_the_page_is_for(emulator, results)


def choose_in_more(mnemonic: str):
    """Chooses an item of the menu of the answer."""
    open_more()
    screen.press(mnemonic)


def open_compare_with():
    """Opens the submenu *Compare With* of the menu of the answer."""
    choose_in_more("p")
    wait_for(lambda: focused(MAIN) == f"{MENU_ITEM} Compare With", "the submenu")


def a_report_is_saved_with_the_recording(results, home):
    choose_in_more("t")
    screen.save_file(home / "report.md", "Save Report")
    wait_for_words("Saved as report.md and report.har, without secrets and names")
    take(results, "report")
    text, recording = (home / "report.md").read_text(), (home / "report.har").read_text()
    assert "- Status: 200 OK" in text and "[`report.har`](report.har)" in text
    assert json.loads(recording)["log"]["entries"][0]["request"]["url"].endswith("/v1.0/me")
    for file in (text, recording):
        assert "adele" not in file.lower() and "eyJ" not in file


def test_what_is_exchanged_is_recorded_and_replayed(explorer, emulator, results, home):
    path = home / "session.har"
    choose_in_more("d")
    screen.save_file(path, "Record")
    wait_for_words("Recording in session.har, without secrets and names")
    address().click()
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    resize(360)
    take(results, "recording")
    find(MAIN, BUTTON, "Stop Recording").click()
    wait_for(lambda: not says("Recording in"), "the end")
    entry = json.loads(path.read_text())["log"]["entries"][0]
    assert entry["request"]["url"].endswith("/v1.0/me") and "adele" not in path.read_text().lower()
    a_report_is_saved_with_the_recording(results, home)
    requests = calls(emulator)
    type_address("/v1.0/me/messages")
    choose_in_more("o")
    screen.open_file(path, "Open Recording")
    wait_for_words("Responses are from the recording session.har. Nothing is sent.")
    row("GET /v1.0/me, 200 OK")
    take(results, "replay-list")
    row("GET /v1.0/me, 200 OK").click()
    wait_for(lambda: address().text == "/v1.0/me", "the request of the recording")
    assert not says("As adele@")
    screen.press("ctrl+Return")
    wait_for(lambda: '"displayName": "name-' in answer(), "the answer")
    take(results, "replay")
    assert calls(emulator) == requests
    find(MAIN, BUTTON, "Stop Replaying").click()
    wait_for_words("As adele@contoso.example")
    wait_for_words("No Request Yet")


def what_is_inside_is_folded_and_searched(emulator, results):
    items = [{"id": str(number), "displayName": f"Person {number}"} for number in range(3)]
    emulator.prepare_graph_reply(
        200, json.dumps({"value": items}), **{"content-type": "application/json"})
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    whole = answer()
    find(MAIN, LOG, ANSWER).click()
    screen.press("ctrl+Home")
    # The list, in its third line, and its first item.
    lines = whole.split("\n")
    list_line = next(number for number, line in enumerate(lines) if line.endswith("["))
    screen.press(*["Down"] * (list_line + 1))
    screen.press("F4")
    inside = next(number for number, line in enumerate(lines[list_line + 2:]) if line == "    },")
    wait_for(lambda: f"{{ … {inside} lines" in answer(), "the first item to be folded")
    # The next visible line is the end of the item.
    screen.press("Up", "F4")
    wait_for(lambda: "[ … " in answer(), "the list to be folded")
    screen.wait_until_still(MAIN)
    take(results, "folded")
    # Below the list is its end.
    screen.press("Down")
    wait_for(lambda: not exists(MAIN, BUTTON, "Fold") and not exists(MAIN, BUTTON, "Unfold"), "nothing to fold")
    screen.press("Up")
    find(MAIN, BUTTON, "Unfold").click()
    wait_for(lambda: answer() == whole, "everything inside to be shown")
    screen.press("F4")
    wait_for(lambda: "[ … " in answer(), "the list to be folded")
    # A match that is hidden is shown.
    screen.press("ctrl+f")
    screen.type_text("displayName")
    screen.press("Return")
    wait_for(lambda: answer() == whole, "what was searched")
    resize(360)
    take(results, "unfolded-narrow")


def what_is_not_shown_is_searched_and_shown(emulator, results):
    numbers = list(range(3_000))
    # Each level is indented, which makes the text long.
    for _ in range(15):
        numbers = [numbers]
    emulator.prepare_graph_reply(200, json.dumps(numbers), **{"content-type": "application/json"})
    screen.press("ctrl+Return")
    wait_for(lambda: exists(MAIN, BUTTON, "Show All"), "the start of the answer")
    screen.press("ctrl+f", "ctrl+a")
    screen.type_text("2876")
    screen.press("Return")
    wait_for(lambda: not exists(MAIN, BUTTON, "Show All"), "the whole answer")
    node = find(MAIN, LOG, ANSWER).node
    wait_for(lambda: Atspi.Text.get_n_selections(node) == 1, "what was found")
    found = Atspi.Text.get_selection(node, 0)
    assert Atspi.Text.get_text(node, found.start_offset, found.end_offset) == "2876"
    # The lines around it are in sight; in the entry is only the number itself.
    wait_for(lambda: "2875" in words_in(screen.picture_of(screen.window_id(MAIN))), "the place to be shown")
    take(results, "found")


def test_a_long_answer_is_folded_searched_and_shown(explorer, emulator, results):
    what_is_inside_is_folded_and_searched(emulator, results)
    resize(860)
    what_is_not_shown_is_searched_and_shown(emulator, results)


# A page with a line of text, as PDF 1.4 (ISO 32000-1, annex H.3) has it.
DOCUMENT = """%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R
  /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length 47 >> stream
BT /F1 30 Tf 30 100 Td (Quarterly report) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
"""


def wait_for_page(number: int, word: str):
    name = f"Page {number} of the document from /v1.0/me"
    wait_for(lambda: name in shown_names(), f"page {number}")
    wait_for(lambda: word in words_in(screen.picture_of(screen.window_id(MAIN))), f"'{word}'")


def document(*pages: str, says: int) -> str:
    """A PDF document with these words on its pages, that says how many pages it has."""
    kids = " ".join(f"{10 + number} 0 R" for number in range(len(pages)))
    objects = [
        "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
        f"2 0 obj << /Type /Pages /Kids [{kids}] /Count {says} >> endobj",
        "3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj"]
    for number, word in enumerate(pages):
        content = f"BT /F 40 Tf 30 100 Td ({word}) Tj ET"
        objects.append(
            f"{10 + number} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] "
            f"/Contents {100 + number} 0 R /Resources << /Font << /F 3 0 R >> >> >> endobj\n"
            f"{100 + number} 0 obj << /Length {len(content)} >> stream\n{content}\nendstream endobj")
    return "%PDF-1.4\n" + "\n".join(objects) + "\ntrailer << /Root 1 0 R >>\n"


def the_first_page_of_a_document_is_shown(emulator, results):
    emulator.prepare_graph_reply(200, DOCUMENT, **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "quarterlyreport")
    # There is nothing to turn.
    assert not exists(MAIN, BUTTON, "Next Page")
    take(results, "document")
    resize(360)
    take(results, "document-narrow")


def the_pages_of_a_document_are_turned(emulator, results):
    # It has two, and lies about the others.
    emulator.prepare_graph_reply(
        200, document("Alpha", "Bravo", says=4), **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "alpha")
    wait_for_words("Page 1 of 4")
    assert not find(MAIN, BUTTON, "Previous Page").is_enabled
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_page(2, "bravo")
    wait_for_words("Page 2 of 4")
    take(results, "document-page")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_words("Page 3 of the document cannot be shown.")
    take(results, "document-broken-page")
    resize(360)
    take(results, "document-broken-page-narrow")
    # With the keyboard alone: at the end, the focus goes to the picture, which turns pages, too.
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_words("Page 4 of the document cannot be shown.")
    wait_for(lambda: "Page 4 of the document" in (focused(MAIN) or ""), "the focus on the picture")
    screen.press("Page_Up", "Page_Up", "Page_Up")
    wait_for_page(1, "alpha")
    screen.press("Page_Up", "Page_Down")
    wait_for_page(2, "bravo")
    assert not says("of the document cannot be shown")
    take(results, "document-page-narrow")


def content_is_shown_as_what_it_is(emulator, results):
    page = "<html>\n  <h1>Café</h1>\n</html>"
    emulator.prepare_graph_reply(200, page, **{"content-type": "text/html"})
    screen.press("ctrl+Return")
    wait_for(lambda: exists(MAIN, LOG, "Raw response") and find(MAIN, LOG, "Raw response").text == page, "the source")
    take(results, "html")
    emulator.prepare_graph_reply(200, "%PDF-1.7\n\u0001", **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_words("PDF document, 10 B")
    take(results, "pdf")
    resize(360)
    take(results, "pdf-narrow")
    screen.press("ctrl+shift+s")
    wait_for(lambda: screen.active_window() == screen.window_id("Save Response"), "the dialog")
    screen.press("Escape")
    wait_for(lambda: not screen.window_id("Save Response"), "the dialog to be gone")


def test_documents_and_other_content_are_shown_as_what_they_are(explorer, emulator, results):
    the_first_page_of_a_document_is_shown(emulator, results)
    resize(860)
    the_pages_of_a_document_are_turned(emulator, results)
    resize(860)
    content_is_shown_as_what_it_is(emulator, results)


# In place of bwrap: a page never ends, and the limit of time is the one in a file.
SANDBOX = """#!/usr/bin/python3
import os, sys
arguments = sys.argv[1:]
program = arguments.index("timeout")
assert arguments[program:program + 3] == ["timeout", "--signal=KILL", "20"]
arguments[program + 2] = open("{limit}").read()
arguments[program:program] = [
    "--ro-bind", "/usr/bin/pdftocairo", "/tmp/pdftocairo", "--ro-bind", "{program}", "/usr/bin/pdftocairo"]
os.execv("/usr/bin/bwrap", ["bwrap", *arguments])
"""
ENDLESS = """#!/bin/sh
case " $* " in *" -f {page} "*) exec sleep 1000 ;; esac
exec /tmp/pdftocairo "$@"
"""


@pytest.fixture
def set_time_limit(tmp_path, monkeypatch):
    """Has a page of each document never end, and sets the time in which a page must be drawn, in seconds."""
    programs = tmp_path / "programs"
    programs.mkdir()
    endless, limit = programs / "endless", programs / "limit"
    endless.write_text(ENDLESS.format(page=2))
    (programs / "bwrap").write_text(SANDBOX.format(limit=limit, program=endless))
    for file in programs.iterdir():
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    def set_limit(seconds: int, page: int = 2):
        endless.write_text(ENDLESS.format(page=page))
        limit.write_text(str(seconds))

    return set_limit


def drawing(app) -> list[str]:
    """The programs that draw a page, and those around them."""
    names = [screen.process_name(pid) for pid in screen.descendants(app.process.pid)]
    return [name for name in names if name in ("bwrap", "timeout", "prlimit", "pdftocairo", "sleep")]


def test_a_page_that_takes_long_is_no_longer_drawn_when_it_is_turned_or_too_slow(
        set_time_limit, explorer, emulator, results):
    set_time_limit(1000)
    emulator.prepare_graph_reply(
        200, document("Alpha", "Bravo", "Charlie", says=3), **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "alpha")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for(lambda: "sleep" in drawing(explorer), "the page to be drawn")
    # The page before is still in sight.
    wait_for_words("Page 2 of 3 · Preparing the preview…")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_page(3, "charlie")
    wait_for(lambda: not drawing(explorer), "its programs to be gone")
    assert not says("of the document cannot be shown") and not says("Preparing the preview…")

    set_time_limit(2)
    find(MAIN, BUTTON, "Previous Page").click()
    wait_for_words("Page 2 of the document cannot be shown.")
    wait_for(lambda: not drawing(explorer), "its programs to be gone")
    take(results, "document-slow-page")
    # Long enough for the other pages on a busy computer.
    set_time_limit(1000)
    find(MAIN, BUTTON, "Previous Page").click()
    wait_for_page(1, "alpha")


def test_a_document_that_takes_long_is_not_said_to_be_nothing_that_can_be_shown(
        set_time_limit, explorer, emulator, results):
    set_time_limit(10, page=1)
    emulator.prepare_graph_reply(200, document("Alpha", says=1), **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_words("Preparing the preview…")
    assert not says("This content cannot be shown here.")
    take(results, "document-preparing")
    wait_for(lambda: says("This content cannot be shown here."), "the end of the time", timeout=60)
    assert not says("Preparing the preview…")


def test_a_damaged_picture_says_that_it_cannot_be_shown(explorer, emulator, results, home):
    # Its header is whole, and nothing follows.
    size = (8).to_bytes(4, "big")
    header = bytes.fromhex("89504e470d0a1a0a0000000d49484452") + size + size
    path = home / "picture.har"
    path.write_text(json.dumps({"log": {"entries": [{
        "request": {"method": "GET", "url": emulator.description["graph"], "headers": []},
        "response": {
            "status": 200, "headers": [{"name": "Content-Type", "value": "image/png"}],
            "content": {"encoding": "base64", "text": base64.b64encode(header).decode()}}}]}}))
    choose_in_more("o")
    screen.open_file(path, "Open Recording")
    wait_for_words("Responses are from the recording picture.har. Nothing is sent.")
    row("GET /v1.0/me, 200 OK").click()
    wait_for(lambda: address().text == "/v1.0/me", "the request of the recording")
    screen.press("ctrl+Return")
    wait_for_words("The picture is damaged and cannot be shown.")
    take(results, "damaged-picture")


def edit_saved_request(path):
    """Saves a request to a file, and changes it."""
    type_address("/me?$select=mail")
    screen.press("ctrl+s")
    screen.save_file(path, "Save Request")
    saves_to(path, "GET ")
    wait_for_words("GET /me in edited.http")
    type_address("/me?$select=id")
    wait_for_words("not saved")


def test_quitting_twice_asks_once_whether_to_discard_edits(explorer, home):
    edit_saved_request(home / "edited.http")
    question = "Discard Changes?"
    for _ in range(2):
        screen.press("ctrl+q")
        wait_for_dialog(question)
        screen.wait_until_still(question, "the question to be ready")
    screen.press("Escape")
    wait_for(lambda: not has_window(question), "the only question to be gone")
    assert explorer.process.poll() is None


def test_quitting_offers_to_save_edits(explorer, home):
    path = home / "edited.http"
    edit_saved_request(path)
    question = "Discard Changes?"
    screen.press("ctrl+q")
    wait_for_dialog(question)
    screen.wait_until_still(question, "the question to be ready")
    assert "Your changes to “GET /me” in edited.http are not saved." in texts(question)
    find(question, BUTTON, "Save").click()
    explorer.wait_for_end()
    assert "$select=id" in path.read_text()
