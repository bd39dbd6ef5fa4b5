"""The Explorer page: a request, its answer in several views, and what prevents or cancels it."""

import json
import os
import subprocess

import pytest
import screen
import switcher
import tree
from accessible import (
    BUTTON, LOG, MENU_ITEM, Atspi, Widget, exists, find, find_window, focused, has_window, search, search_all,
    texts)
from app import MAIN
from test_privacy import words_in
from waiting import wait_for

ANSWER = "Answer"
ENTRY = "text"
TAB = "page tab"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.fixture
def explorer(signed_in):
    """The app, at the Explorer page."""
    screen.press("alt+2")
    wait_for(lambda: any(text.startswith("For adele@") for text in texts(MAIN)), "the page")
    return signed_in


def address():
    return find(MAIN, ENTRY, "Address")


def type_address(text: str):
    """Replaces the address, which is clicked a second time if GTK has lost the first click: see `open_more`."""
    def has_focus() -> bool:
        return focused(MAIN) == f"{ENTRY} Address"

    address().click()
    try:
        wait_for(has_focus, "the address to have the focus", 5)
    except AssertionError:
        address().click()
        wait_for(has_focus, "the address to have the focus after a second click")
    screen.press("ctrl+a")
    screen.type_text(text)


def answer() -> str:
    return find(MAIN, LOG, ANSWER).text if exists(MAIN, LOG, ANSWER) else ""


def says(text: str) -> bool:
    return any(text in shown for shown in texts(MAIN))


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


def choose(view: str):
    """Chooses a view of the answer."""
    find(MAIN, TAB, view).click()


def calls(emulator):
    """What was asked of Graph so far."""
    return {route: count for route, count in emulator.counts().items() if "/v1.0/" in route}


def test_a_request_is_sent_with_keys_alone_and_its_answer_is_shown(explorer, results):
    take(results, "start")
    screen.press("ctrl+a")
    screen.type_text("/v1.0/me?$select=displayName,jobTitle")
    screen.press("Return")
    wait_for_words("200 OK")
    wait_for(lambda: '"displayName": "Adele' in answer(), "the answer")
    take(results, "answer")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "narrow")
    screen.press("ctrl+f")
    screen.type_text("jobtitle")
    take(results, "search")
    screen.press("Escape")
    screen.press("ctrl+Return")
    wait_for_words("200 OK")


def test_signed_out_the_page_offers_to_sign_in(app, emulator, keyring, sign_in, results):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for_words("Sign in to send requests")
    take(results, "signed-out")
    app.press_sign_in()
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for_words("For adele@contoso.example")
    screen.press("ctrl+Return")
    wait_for_words("200 OK")


@pytest.fixture
def reads_users(app, emulator):
    """The app asks for a permission more."""
    app.connect_to(emulator, scopes=["User.Read", "User.ReadBasic.All"])


def test_views_of_a_list_and_its_pages(reads_users, explorer, results):
    type_address("/v1.0/users?$top=3")
    find(MAIN, BUTTON, "Send").click()
    wait_for_words("items, and there are more")
    choose("Table")
    take(results, "table")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_words("200 OK")
    find(MAIN, BUTTON, "All Pages").click()
    # The button is gone, and the keys still work.
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the focus")
    choose("Headers")
    take(results, "headers")
    choose("Table")
    wait_for(lambda: not says("there are more"), "all pages")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "table-narrow")


def test_an_answer_is_filtered_and_its_links_become_requests(reads_users, explorer, emulator, results):
    type_address("/v1.0/users?$top=3")
    screen.press("Return")
    wait_for_words("items, and there are more")
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
    wait_for(lambda: focused(MAIN) and "Filter with JSONPath" in focused(MAIN), "the filter")
    screen.type_text("$.value[*].displayName")
    wait_for_words("Values: 3")
    wait_for(lambda: answer().startswith("[") and "odata" not in answer(), "the names")
    take(results, "filter")
    screen.resize(screen.window_id(MAIN), 360, 640)
    screen.type_text("[")
    wait_for_words("Not a JSONPath, character 24")
    take(results, "filter-narrow")
    screen.press("Escape")
    wait_for(lambda: "odata.nextLink" in answer(), "the whole answer")
    choose("Table")
    # Its rows are made when it is shown.
    screen.wait_until_still(MAIN, "the table")
    screen.press("Tab", "Tab", "Return")
    take(results, "table-row")
    wait_for(lambda: address().text.startswith("/v1.0/users/"), "the row")
    assert calls(emulator) == requests


def test_what_cannot_be_sent_is_told(explorer, results):
    type_address("https://evil.example/v1.0/me")
    wait_for_words("was not sent to 'evil.example'")
    assert not find(MAIN, BUTTON, "Send").is_enabled
    type_address("/users?$filter=startsWith(displayName,'A b')")
    wait_for_words("startsWith(displayName,'A%20b')")
    take(results, "sent-as")


def test_a_change_has_header_fields_and_a_body(explorer, results):
    type_address("/me")
    choose_method("PATCH")
    wait_for(lambda: exists(MAIN, "text", "Body"), "the body")
    find(MAIN, "text", "Body").click()
    screen.type_text('{"jobTitle": "Engineer",}')
    wait_for_words("The body is not valid JSON, line 1")
    take(results, "body")
    screen.press("BackSpace", "BackSpace")
    screen.type_text("}")
    wait_for(lambda: not says("not valid JSON"), "the problem to be gone")
    screen.press("ctrl+Return")
    wait_for_words("403 Forbidden")
    wait_for_words("The account or the app is not allowed to do this (HTTP 403).")
    wait_for_words("The request needs the permission User.ReadWrite.")
    assert not says("may be missing")
    take(results, "forbidden")


def test_a_missing_permission_is_told_asked_for_and_used(explorer, emulator, sign_in, results):
    type_address("/me/messages?$top=2&$select=subject")
    wait_for_words("Not granted yet: Mail.ReadBasic")
    take(results, "mark")
    screen.press("Return")
    wait_for_words("The request needs the permission Mail.ReadBasic.")
    wait_for_words("The token has: ")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "explained")
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


@pytest.mark.parametrize("look", ["normal", "narrow"])
def test_an_address_is_completed_with_keys(look, explorer, results):
    if look == "narrow":
        screen.resize(screen.window_id(MAIN), 360, 640)
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
    screen.type_text("?$s")
    wait_for(lambda: proposals() == ["$search=", "$select=", "$skip="], "the options")
    screen.press("Down", "Down", "Return")
    # What it can be set to is proposed at once.
    wait_for(lambda: "displayName, property" in proposals(), "the properties")
    screen.wait_until_still(MAIN)
    screen.press("Down", "Down")
    screen.capture(results / f"explorer-completion-{look}.png")
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


@pytest.mark.parametrize("look", ["normal", "narrow"])
def test_header_fields_are_completed_with_keys(look, explorer, results):
    if look == "narrow":
        screen.resize(screen.window_id(MAIN), 360, 640)
    screen.press("alt+f")
    screen.wait_until_still(MAIN, "the header fields")

    def fields():
        return find(MAIN, "text", "Header fields")

    fields().click()
    screen.type_text("acc")
    wait_for(lambda: proposals() == ["Accept-Language: ", "Accept: "], "the names")
    # Without a choice, Enter begins a line, for which nothing is proposed yet.
    screen.press("Return")
    wait_for(lambda: fields().text == "acc\n" and proposals() == [], "the line")
    screen.press("ctrl+a", "Delete")
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
    screen.capture(results / f"explorer-field-completion-{look}.png")
    screen.press("Down", "Down", "Return")
    # What is missing is written between the quotation marks.
    screen.type_text("UTC")
    wait_for(lambda: fields().text.endswith('\nprefer: outlook.timezone="UTC"'), "the preference")
    assert proposals() == []
    screen.press("ctrl+Return")
    wait_for_words("200 OK")


def test_delete_asks_before_it_is_sent(explorer, emulator, results):
    type_address("/me/messages/1")
    choose_method("DELETE")
    screen.press("ctrl+Return")
    wait_for(lambda: has_window("Send DELETE?"), "the question")
    wait_for(lambda: any("For adele@contoso.example" in text for text in texts("Send DELETE?")), "the account")
    take(results, "delete", "Send DELETE?")
    screen.press("Escape")
    wait_for(lambda: not has_window("Send DELETE?"), "the question to be gone")
    assert not any(route.startswith("DELETE") for route in emulator.counts())


def test_a_request_is_canceled(explorer, emulator, results):
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the answer")
    assert not says("No Request Yet")
    # It is never still, because something turns.
    screen.capture(results / "explorer-waiting.png")
    screen.press("Escape")
    wait_for_words("The request was canceled.")
    assert find(MAIN, BUTTON, "Send").is_enabled


def row(name: str):
    """The line of the list that begins with `name`."""
    def look():
        return next((place.node for place in tree.walk(find_window(MAIN))
                     if place.role == "list item" and place.name.startswith(name)), None)

    return Widget(wait_for(look, f"the line '{name}'"), MAIN)


def test_an_api_that_is_not_graph_is_called_by_its_host(app, emulator, keyring, sign_in, results):
    app.connect_to(emulator, api=f"{emulator.base}/profile")
    host = emulator.base.removeprefix("https://")
    app.start()
    app.wait_for_account("Signed out")
    screen.press("alt+2")
    wait_for_words(f"Sign in to send requests to {host} and see its answers.")
    app.press_sign_in()
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the focus to be on the page that follows")
    wait_for_words(f"Send a request to see the answer of {host} here.")
    assert not exists(MAIN, BUTTON, "Show Samples")
    screen.press("F9")
    history = find(MAIN, TAB, "History").node
    wait_for(lambda: history.get_state_set().contains(Atspi.StateType.SELECTED), "the history to be shown")
    assert not exists(MAIN, TAB, "Samples")
    take(results, "other-api")


def test_samples_and_history_are_chosen_with_keys(explorer, results):
    screen.press("F9")
    row("My profile, GET · User.Read")
    take(results, "samples")
    screen.type_text("job")
    row("Name, job and mail address only")
    screen.press("Return")
    wait_for(lambda: address().text == "/v1.0/me?$select=displayName,jobTitle,mail", "the sample")
    find(MAIN, "entry", "Search samples and history").click()
    screen.press("ctrl+a", "Delete")
    row("My photo")
    screen.press("Tab", "Tab", "Tab", "Tab")
    wait_for(lambda: (focused(MAIN) or "").startswith("list item"), "the focus in the list")
    screen.press("Down", "Return")
    wait_for(lambda: "jobTitle" in address().text, "the second sample")
    screen.press("Return")
    wait_for_words("200 OK")
    find(MAIN, TAB, "History").click()
    row("GET /v1.0/me?$select=displayName,jobTitle,mail, 200 OK")
    take(results, "history")
    screen.resize(screen.window_id(MAIN), 360, 640)
    screen.press("F9")
    row("GET /v1.0/me")
    take(results, "history-narrow")
    find(MAIN, BUTTON, "Clear History").click()
    wait_for_words("What you send appears here.")


def test_a_placeholder_of_a_sample_is_replaced_before_it_is_sent(explorer, emulator, results):
    screen.press("F9")
    row("My profile, GET · User.Read")
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


def test_a_picture_is_shown_and_a_request_is_copied_without_its_token(explorer, results):
    type_address("/me/photo/$value")
    screen.press("Return")
    wait_for_words("200 OK")
    wait_for(lambda: "Picture from /me/photo/$value" in shown_names(), "the picture")
    take(results, "picture")
    find(MAIN, BUTTON, "More About This Request").click()
    wait_for(lambda: exists(MAIN, MENU_ITEM, "curl"), "the menu")
    screen.press("c")
    wait_for_words("Copied as curl, without the token")
    copied = screen.run("xclip", "-o", "-selection", "clipboard")
    assert copied.startswith("curl --request GET '") and "Bearer $TOKEN" in copied
    assert "eyJ" not in copied


def test_answer_says_what_it_answers_once_another_request_is_written(explorer, results):
    type_address("/me")
    screen.press("Return")
    wait_for_words("200 OK")
    assert not says("Answer to")
    type_address("/me/drive")
    wait_for_words("Answer to GET /me")
    take(results, "answered")
    screen.press("Return")
    wait_for(lambda: not says("Answer to"), "its own answer")


def test_signing_out_cancels_a_request_and_removes_what_it_left(explorer, emulator):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for_words("Waiting for the answer")
    screen.press("alt+1")
    explorer.sign_out()
    explorer.wait_for_account("Signed out")
    screen.press("alt+2")
    wait_for_words("Sign in to send requests")
    assert not says("200 OK")
    state = explorer.home / "state" / "entrance" / "explorer"
    assert not state.exists() or list(state.iterdir()) == []


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


def open_file(path, dialog="Open Requests"):
    """Chooses a file in the dialog, by its path."""
    wait_for(lambda: screen.window_id(dialog), "the dialog")
    screen.wait_until_still(dialog, "the dialog to be ready")
    screen.type_text(str(path))
    screen.press("Return")
    wait_for(lambda: not screen.window_id(dialog), "the dialog to be gone")


def save_file(path, dialog="Save Request"):
    """Gives the new file in the dialog its path."""
    wait_for(lambda: screen.window_id(dialog), "the dialog")
    screen.wait_until_still(dialog, "the dialog to be ready")
    screen.press("ctrl+a")
    screen.type_text(str(path))
    screen.press("Return")


def saves_to(path, text: str):
    wait_for(lambda: path.exists() and text in path.read_text(), f"'{text}' in the file")


def choose_saved(name: str):
    """Clicks a request of a file, after the tooltip of another one is gone, which may cover it."""
    address().click()
    row(name).click()


def test_requests_of_a_file_are_sent_edited_and_saved(explorer, emulator, results, home):
    path = requests_for(emulator, home)
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    wait_for_words("Open a file of requests")
    take(results, "saved-none")
    screen.press("ctrl+o")
    open_file(path)
    row("tasks.http")
    take(results, "saved")
    choose_saved("People, GET")
    wait_for(lambda: address().text == "/v1.0/users?$top={{top}}", "the request")
    wait_for_words("/v1.0/users?$top=2")
    wait_for_words("People in tasks.http")
    take(results, "saved-variables")
    choose_saved("Missing, GET")
    wait_for_words("The variable 'id' has no value.")
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
    wait_for(lambda: has_window("Discard Changes?"), "the question")
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
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "saved-narrow")
    explorer.restart()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for_words("For adele@contoso.example")
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    row("Me, GET")


def test_a_request_is_saved_to_a_new_file(explorer, emulator, results, home):
    type_address("/me?$select=mail")
    screen.press("ctrl+s")
    path = home / "new.http"
    save_file(path)
    saves_to(path, "### GET /me\nGET ")
    assert "eyJ" not in path.read_text()
    wait_for_words("GET /me in new.http")
    screen.type_text("&$top=1")
    wait_for_words("not saved")
    screen.close(screen.window_id(MAIN))
    wait_for(lambda: has_window("Discard Changes?"), "the question")
    screen.press("Escape")
    wait_for(lambda: not has_window("Discard Changes?"), "the question to be gone")
    find(MAIN, BUTTON, "Save Request").click()
    saves_to(path, "$select=mail&$top=1\n")


COLLECTION = """{"info": {"name": "Tasks",
  "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
 "item": [{"name": "My mail", "request": {"method": "GET", "url": "https://HOST/v1.0/me?$select=mail",
   "header": [{"key": "Authorization", "value": "Bearer eyJsecret"}, {"key": "Cookie", "value": "a=hunter2"}]}}]}
"""


def test_requests_of_other_programs_are_imported(explorer, emulator, results, home):
    host = emulator.description["graph"].split("/")[2]
    source = home / "tasks.json"
    source.write_text(COLLECTION.replace("HOST", host))
    screen.press("F9")
    find(MAIN, TAB, "Saved").click()
    find(MAIN, BUTTON, "Import…").click()
    open_file(source, "Import Requests")
    path = home / "new & old.http"
    save_file(path, "Save Imported Requests")
    wait_for(lambda: has_window("Imported with Changes"), "what was left out")
    wait_for(lambda: any("the header field 'Cookie' is left out" in text for text in texts("Imported with Changes")),
             "the reason")
    take(results, "imported", "Imported with Changes")
    screen.press("Escape")
    wait_for(lambda: not has_window("Imported with Changes"), "the dialog to be gone")
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
    open_file(source, "Import Requests")
    wait_for(lambda: has_window("Nothing Was Imported"), "the reason")
    take(results, "not-imported", "Nothing Was Imported")
    screen.press("Escape")


def test_a_curl_command_is_pasted_as_the_request(explorer, emulator, results):
    host = emulator.description["graph"].split("/")[2]
    command = f"curl 'https://{host}/v1.0/me?$select=mail' \\\n  -H 'Authorization: Bearer eyJsecret'"
    # It goes on in the background, until another program copies something.
    subprocess.run(
        ["xclip", "-selection", "clipboard"], input=command, text=True, check=True, timeout=20,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address().click()
    screen.press("ctrl+a", "ctrl+v")
    wait_for(lambda: address().text == "/v1.0/me?$select=mail", "the request")
    screen.press("Return")
    wait_for_words("200 OK")
    take(results, "pasted")


def test_the_query_is_a_table(explorer, results):
    type_address("/me?$select=id")
    screen.press("alt+q")
    wait_for(lambda: exists(MAIN, ENTRY, "Value 1"), "the table")
    assert find(MAIN, ENTRY, "Name 1").text == "$select"
    find(MAIN, ENTRY, "Value 1").click()
    screen.press("End")
    screen.type_text(",mail")
    wait_for(lambda: address().text == "/me?$select=id,mail", "the address")
    screen.press("Return")
    wait_for_words("200 OK")
    find(MAIN, ENTRY, "Name 2").click()
    screen.type_text("q")
    screen.press("Tab")
    screen.type_text("a b&c")
    wait_for(lambda: address().text == "/me?$select=id,mail&q=a%20b%26c", "the second option")
    take(results, "query")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "query-narrow")
    type_address("/me?x=1")
    wait_for(lambda: find(MAIN, ENTRY, "Name 1").text == "x", "the option of the address")
    find(MAIN, BUTTON, "Remove Option").click()
    wait_for(lambda: address().text == "/me", "the option to be gone")


def test_the_option_of_its_row_is_removed_also_below_an_emptied_one(explorer):
    type_address("/me?$select=id&$top=5&$filter=x")
    screen.press("alt+q")
    for name in ("Name 1", "Value 1"):
        wait_for(lambda: exists(MAIN, ENTRY, name), name)
        find(MAIN, ENTRY, name).click()
        screen.press("ctrl+a", "Delete")
    wait_for(lambda: address().text == "/me?$top=5&$filter=x", "the first option to be gone")
    Widget(search_all(find_window(MAIN), BUTTON, "Remove Option")[1], MAIN).click()
    wait_for(lambda: address().text == "/me?$filter=x", "the second option to be gone")


def open_more():
    """Opens the menu of the answer.

    GTK 4.8 may lose the first click after another menu was closed, about one in 20. A person clicks again.
    """
    def is_open() -> bool:
        return (focused(MAIN) or "").startswith(MENU_ITEM)

    button = find(MAIN, BUTTON, "More About This Request")
    button.click()
    try:
        wait_for(is_open, "the menu", 5)
    except AssertionError:
        button.click()
        wait_for(is_open, "the menu after a second click")


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
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "differences-narrow")
    find(MAIN, BUTTON, "Stop Comparing").click()
    wait_for(lambda: not says("Compared with"), "the end")
    assert not exists(MAIN, TAB, "Differences")


def test_the_same_request_is_compared_with_another_version_and_account(explorer, emulator, sign_in, results):
    screen.press("alt+1")
    switcher.add(explorer, emulator, sign_in, emulator.bram)
    screen.press("alt+2")
    type_address("/v1.0/me?$select=displayName")
    screen.press("Return")
    wait_for_words("200 OK")
    open_compare_with()
    screen.wait_until_still(MAIN)
    screen.capture(results / "explorer-compare-menu.png")
    # From the item that leads back, over that of the version.
    screen.press("Down", "Down", "Return")
    row("Changed, $.displayName")
    wait_for_words("adele@contoso.example · contoso.example")
    take(results, "compared-account")
    choose("Pretty")
    open_compare_with()
    screen.press("v")
    wait_for_words("/beta/me?$select=displayName")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "compared-version")
    assert any("/beta/" in route for route in emulator.counts())
    # What changes something is not sent twice.
    type_address("/v1.0/me")
    choose_method("PATCH")
    screen.press("ctrl+Return")
    wait_for_words("403 Forbidden")
    open_compare_with()
    assert not find(MAIN, MENU_ITEM, "Other Version (v1.0 or beta)").is_enabled


def copied() -> str:
    return screen.run("xclip", "-o", "-selection", "clipboard")


def test_shortcuts_mean_what_the_page_is_for(explorer, results):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    screen.press("ctrl+shift+c")
    wait_for_words("Answer copied")
    assert '"displayName": "Adele Vance"' in copied()
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
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Renew Now", "the Tokens page")
    screen.press("ctrl+Prior", "ctrl+Prior", "ctrl+Prior")
    wait_for(lambda: focused(MAIN) not in (None, f"{BUTTON} Renew Now", f"{ENTRY} Address"), "the Activity page")
    screen.press("ctrl+shift+c")
    wait_for_words("Log copied")
    assert "Account signed out" in copied()
    screen.press("ctrl+l")
    wait_for(lambda: (focused(MAIN) or "").endswith(" Log"), "the log of the Account page")


def test_text_is_larger_by_a_key_and_stays_so(explorer, home):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    usual = screen.wait_until_still(MAIN, "the answer")
    screen.press("ctrl+plus")
    wait_for(lambda: screen.wait_until_still(MAIN) != usual, "larger text")
    assert "log-text-size=110" in (home / "config/glib-2.0/settings/keyfile").read_text()
    screen.press("ctrl+minus", "ctrl+minus", "ctrl+0")
    wait_for(lambda: screen.wait_until_still(MAIN) == usual, "text of the usual size")


def test_a_request_and_its_answer_are_copied_without_secrets_and_names(explorer, results):
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    open_more()
    screen.wait_until_still(MAIN)
    screen.capture(results / "explorer-menu.png")
    screen.press("m")
    wait_for_words("Copied as Markdown, without secrets and names")
    take(results, "copied")
    text = copied()
    assert text.startswith("GET `https://") and "- Status: 200 OK" in text and "```json" in text
    assert '"displayName": "name-0' in text and "Adele" not in text and "adele" not in text
    screen.resize(screen.window_id(MAIN), 360, 640)
    screen.wait_until_still(MAIN, "the narrow window")
    open_more()
    screen.capture(results / "explorer-menu-narrow.png")
    screen.press("r")
    wait_for_words("Copied as HAR, without secrets and names")
    text = copied()
    entry = json.loads(text)["log"]["entries"][0]
    assert entry["response"]["status"] == 200 and "eyJ" not in text and "adele" not in text.lower()


def choose_in_more(mnemonic: str):
    """Chooses an item of the menu of the answer."""
    open_more()
    screen.press(mnemonic)


def open_compare_with():
    """Opens the submenu *Compare With* of the menu of the answer."""
    choose_in_more("p")
    wait_for(lambda: focused(MAIN) == f"{MENU_ITEM} Compare With", "the submenu")


def test_what_is_exchanged_is_recorded_and_replayed(explorer, emulator, results, home):
    path = home / "session.har"
    choose_in_more("d")
    save_file(path, "Record")
    wait_for_words("Recording in session.har, without secrets and names")
    address().click()
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "recording")
    find(MAIN, BUTTON, "Stop Recording").click()
    wait_for(lambda: not says("Recording in"), "the end")
    entry = json.loads(path.read_text())["log"]["entries"][0]
    assert entry["request"]["url"].endswith("/v1.0/me") and "adele" not in path.read_text().lower()
    requests = calls(emulator)
    type_address("/v1.0/me/messages")
    choose_in_more("o")
    open_file(path, "Open Recording")
    wait_for_words("Answers are from the recording session.har. Nothing is sent.")
    row("GET /v1.0/me, 200 OK")
    take(results, "replay-list")
    row("GET /v1.0/me, 200 OK").click()
    wait_for(lambda: address().text == "/v1.0/me", "the request of the recording")
    wait_for_words("For the recording session.har")
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    wait_for(lambda: '"displayName": "name-' in answer(), "the answer")
    take(results, "replay")
    assert calls(emulator) == requests
    find(MAIN, BUTTON, "Stop Replaying").click()
    wait_for_words("For adele@contoso.example")
    wait_for_words("No Request Yet")


def test_what_is_inside_is_folded_and_searched(explorer, emulator, results):
    items = [{"id": str(number), "displayName": f"Person {number}"} for number in range(3)]
    emulator.prepare_graph_reply(
        200, json.dumps({"value": items}), **{"content-type": "application/json"})
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    whole = answer()
    find(MAIN, LOG, "Answer").click()
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
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "unfolded-narrow")


def test_what_is_not_shown_is_searched_and_shown(explorer, emulator, results):
    numbers = list(range(3_000))
    # Each level is indented, which makes the text long.
    for _ in range(15):
        numbers = [numbers]
    emulator.prepare_graph_reply(200, json.dumps(numbers), **{"content-type": "application/json"})
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    wait_for(lambda: exists(MAIN, BUTTON, "Show All"), "the start of the answer")
    screen.press("ctrl+f")
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


def test_the_first_page_of_a_document_is_shown(explorer, emulator, results):
    emulator.prepare_graph_reply(200, DOCUMENT, **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "quarterlyreport")
    # There is nothing to turn.
    assert not exists(MAIN, BUTTON, "Next Page")
    take(results, "document")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "document-narrow")


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


def test_the_pages_of_a_document_are_turned(explorer, emulator, results):
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
    screen.resize(screen.window_id(MAIN), 360, 640)
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


# In place of bwrap: page 2 never ends, and the limit of time is another one.
SANDBOX = """#!/usr/bin/python3
import os, sys
arguments = sys.argv[1:]
program = arguments.index("timeout")
assert arguments[program:program + 3] == ["timeout", "--signal=KILL", "20"]
arguments[program + 2] = "{limit}"
arguments[program:program] = [
    "--ro-bind", "/usr/bin/pdftocairo", "/tmp/pdftocairo", "--ro-bind", "{program}", "/usr/bin/pdftocairo"]
os.execv("/usr/bin/bwrap", ["bwrap", *arguments])
"""
ENDLESS = """#!/bin/sh
case " $* " in *" -f 2 "*) exec sleep 1000 ;; esac
exec /tmp/pdftocairo "$@"
"""


@pytest.fixture
def time_limit(request, tmp_path, monkeypatch):
    """Replaces the limit of the time in which a page is drawn, in seconds, and has page 2 of each document never end."""
    programs = tmp_path / "programs"
    programs.mkdir()
    endless = programs / "endless"
    endless.write_text(ENDLESS)
    (programs / "bwrap").write_text(SANDBOX.format(limit=request.param, program=endless))
    for file in programs.iterdir():
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return request.param


def drawing(app) -> list[str]:
    """The programs that draw a page, and those around them."""
    names = [screen.process_name(pid) for pid in screen.descendants(app.process.pid)]
    return [name for name in names if name in ("bwrap", "timeout", "prlimit", "pdftocairo", "sleep")]


# Long enough for the other pages on a busy computer.
@pytest.mark.parametrize("time_limit", [8], indirect=True)
def test_a_page_that_takes_too_long_is_given_up(time_limit, explorer, emulator, results):
    emulator.prepare_graph_reply(
        200, document("Alpha", "Bravo", "Charlie", says=3), **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "alpha")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for(lambda: "sleep" in drawing(explorer), "the page to be drawn")
    wait_for_words("Page 2 of the document cannot be shown.")
    wait_for(lambda: not drawing(explorer), "its programs to be gone")
    take(results, "document-slow-page")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_page(3, "charlie")


@pytest.mark.parametrize("time_limit", [1000], indirect=True)
def test_a_page_is_no_longer_drawn_when_it_is_turned(time_limit, explorer, emulator):
    emulator.prepare_graph_reply(
        200, document("Alpha", "Bravo", "Charlie", says=3), **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_page(1, "alpha")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for(lambda: "sleep" in drawing(explorer), "the page to be drawn")
    find(MAIN, BUTTON, "Next Page").click()
    wait_for_page(3, "charlie")
    wait_for(lambda: not drawing(explorer), "its programs to be gone")
    assert not says("of the document cannot be shown")


def test_content_is_shown_as_what_it_is(explorer, emulator, results):
    page = "<html>\n  <h1>Café</h1>\n</html>"
    emulator.prepare_graph_reply(200, page, **{"content-type": "text/html"})
    screen.press("ctrl+Return")
    wait_for(lambda: exists(MAIN, LOG, "Raw answer") and find(MAIN, LOG, "Raw answer").text == page, "the source")
    take(results, "html")
    emulator.prepare_graph_reply(200, "%PDF-1.7\n\u0001", **{"content-type": "application/pdf"})
    screen.press("ctrl+Return")
    wait_for_words("PDF document, 10 B")
    take(results, "pdf")
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "pdf-narrow")
    screen.press("ctrl+shift+s")
    wait_for(lambda: screen.window_id("Save Answer"), "the dialog")
    screen.press("Escape")
    wait_for(lambda: not screen.window_id("Save Answer"), "the dialog to be gone")
