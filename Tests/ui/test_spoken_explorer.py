"""What Orca speaks of the Explorer, by which a request is written, saved, sent and explained by ear alone."""

import pytest

import screen
from accessible import focused, texts
from app import MAIN
from test_explorer_waiting import ADDRESS, folder, prepare_half  # noqa: F401, one is a fixture
# The last four are fixtures.
from test_spoken import (  # noqa: F401
    closes, goes_through, goes_to, opens, says, at_window, orca, signs_in_here, transcript)
from test_window import type_right_after_the_start
from waiting import wait_for

SEARCH = "Search samples and history"


def writes(transcript, name: str, address: str, until: str = ""):
    """Replaces the address by another one."""
    screen.press("ctrl+l")
    transcript.leave_out()
    screen.type_text(address)
    transcript.end_step(name, until)


def saves(transcript, path, dialog: str, text: str, is_spoken: bool = False):
    """Saves to a file, until the page says `text`, and Orca, too, if `is_spoken`.

    What Orca says of GTK's dialog depends on the directory.
    """
    wait_for(lambda: screen.window_id(dialog), dialog)
    screen.save_file(path, dialog)
    wait_for(lambda: any(text in shown for shown in texts(MAIN)), text)
    if is_spoken:
        transcript.wait_for(text, dialog)
    transcript.leave_out()


def opens_list(transcript, name: str, key: str = "F9"):
    """Opens the list beside the request, whose search has the focus then."""
    screen.press(key)
    wait_for(lambda: (focused(MAIN) or "").endswith(SEARCH), "the list")
    transcript.end_step(name)


@pytest.mark.recorded("by-ear")
def test_from_an_empty_explorer_to_a_saved_request_and_an_explained_refusal(at_window, home):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    opens_list(transcript, "Samples")
    screen.type_text("job")
    transcript.end_step("Search a sample")
    # It is selected before or after it gets the focus.
    transcript.hide("mail selected.", "mail")
    screen.press("Return")
    says(transcript, "Take it", "/v1.0/me?$select=displayName,jobTitle,mail")
    screen.press("Return")
    transcript.end_step("Send it", "200 OK")
    goes_to(transcript, "To the response", "Response log")
    screen.press("ctrl+End")
    transcript.leave_out()
    for step in range(3):
        screen.press("Up")
        transcript.end_step(f"A line of it, {step + 1}")
    path = home / "mine.http"
    screen.press("ctrl+s")
    saves(transcript, path, "Save Request", "in mine.http")
    assert "$select=displayName,jobTitle,mail" in path.read_text() and "eyJ" not in path.read_text()
    writes(transcript, "Write another address", "/v1.0/me/messages", "Not granted yet: Mail.ReadBasic")
    screen.press("Return")
    transcript.end_step("Send it, too", "The request needs the permission Mail.ReadBasic.")
    goes_to(transcript, "To what the service says", "ErrorAccessDenied")
    goes_to(transcript, "To what it means", "The request needs the permission Mail.ReadBasic.")
    goes_to(transcript, "To what helps", "Request Permission")
    transcript.check()


@pytest.mark.recorded("lists")
def test_samples_history_and_files_of_requests(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("Return")
    transcript.end_step("Send", "200 OK")
    opens_list(transcript, "Samples and history")
    goes_through(transcript, "Lists", 4)
    screen.press("Down")
    transcript.end_step("Next sample")
    opens_list(transcript, "History", "ctrl+h")
    goes_to(transcript, "The last request", "GET /v1.0/me")
    goes_to(transcript, "Clear the history", "Clear History")
    goes_to(transcript, "Saved", "Saved", "shift+Tab")
    screen.press("space")
    transcript.end_step("Files of requests")
    goes_through(transcript, "Files of requests", 3)
    screen.press("F9")
    transcript.end_step("Close the list", "Address")
    transcript.check()


@pytest.mark.recorded("writing")
def test_what_is_proposed_and_the_query_and_a_question(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("ctrl+a")
    screen.type_text("/v1.0/me/mailf")
    transcript.end_step("Begin a name")
    screen.press("Down")
    transcript.end_step("Proposal", "mailFolders, list of mailFolder")
    screen.press("Return")
    transcript.end_step("Take it")
    writes(transcript, "An address with a query", "/v1.0/me?$select=mail")
    screen.press("Escape")
    transcript.leave_out()
    screen.press("alt+q")
    transcript.end_step("Query options")
    goes_through(transcript, "Query options", 4)
    screen.press("alt+f")
    transcript.end_step("Header fields and body")
    goes_to(transcript, "Header fields", "Header fields text")
    goes_to(transcript, "Body from a file", "Body From File")
    goes_to(transcript, "Body", "Body text")
    opens_list(transcript, "Samples")
    screen.type_text("delete a message")
    transcript.leave_out()
    screen.press("Return")
    says(transcript, "A sample with a placeholder", "Replace “{id}” with a value.")
    writes(transcript, "Its value", "/v1.0/me/messages/1")
    opens(transcript, "Send", "Send DELETE Request?", "ctrl+Return")
    goes_through(transcript, "Question", 2)
    closes(transcript, "Escape", "Send DELETE Request?", "Escape")
    transcript.check()


@pytest.mark.recorded("reading")
def test_a_response_is_searched_filtered_folded_and_compared(at_window, emulator):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    emulator.prepare_graph_reply(200, {"value": [{"id": "1", "displayName": "Person 1"}]})
    screen.press("ctrl+Return")
    transcript.end_step("Send", "200 OK")
    screen.press("ctrl+f")
    transcript.end_step("Search", "Search response")
    screen.type_text("zzz")
    transcript.end_step("Nothing found", "No Results Found")
    screen.press("Escape")
    transcript.end_step("End the search")
    screen.press("ctrl+Home", "Down")
    transcript.leave_out()
    screen.press("F4")
    transcript.end_step("Fold")
    screen.press("F4")
    transcript.end_step("Unfold", "Unfolded")
    screen.press("ctrl+shift+f")
    transcript.end_step("Filter", "Filter With JSONPath")
    screen.type_text("$.value[*].id")
    transcript.end_step("Type a filter", "Values: 1")
    goes_through(transcript, "Filter", 1)
    screen.press("space")
    transcript.end_step("Remove the filter")
    goes_to(transcript, "Menu", "More Actions", "shift+Tab")
    screen.press("space")
    transcript.end_step("Open the menu")
    screen.press("k")
    transcript.end_step("Keep the response", "Compared with GET /v1.0/me")
    emulator.prepare_graph_reply(200, {"value": [{"id": "2", "displayName": "Person 1"}]})
    screen.press("ctrl+l")
    transcript.leave_out()
    screen.press("Return")
    transcript.end_step("Send again", "Differences: 2")
    goes_to(transcript, "Views", "Formatted")
    goes_to(transcript, "Differences", "Differences page tab")
    screen.press("space")
    transcript.end_step("Show the differences")
    goes_to(transcript, "First difference", "Added")
    goes_to(transcript, "Stop comparing", "Stop Comparing")
    transcript.check()


@pytest.mark.recorded("download")
def test_a_download_that_is_paused(at_window, emulator, folder):  # noqa: F811
    transcript = at_window
    emulator.prepare_graph_reply(
        302, "", path=ADDRESS, times="10", header=f"Location: {emulator.base}/drive/download/1/1")
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    writes(transcript, "Address", ADDRESS, "Not granted yet: Files.Read")
    screen.press("Return")
    transcript.end_step("Send", "302")
    prepare_half(emulator)
    screen.press("ctrl+shift+s")
    # The service asks to wait after the first half.
    saves(transcript, folder / "report.bin", "Save Response", "The service asked Entrance to wait.", is_spoken=True)
    goes_to(transcript, "Pause", "Pause")
    screen.press("space")
    says(transcript, "Paused", "To continue, choose “Resume”.")
    transcript.check()


def test_what_is_typed_while_orca_learns_of_the_window_stays(app, orca, emulator, keyring, sign_in):  # noqa: F811
    sign_in.without_window(emulator.adele)
    type_right_after_the_start(app, emulator)


@pytest.mark.recorded("signed-out")
def test_pages_without_an_account(app, keyring, transcript):  # noqa: F811
    app.start()
    app.wait_for_account("Signed out")
    transcript.end_step("Account", "Signed out")
    for page, title in (("2", "Explorer"), ("3", "Tokens")):
        screen.press(f"alt+{page}")
        transcript.end_step(title)
        goes_through(transcript, title, 2)
    transcript.check()


def test_the_list_of_a_choice_is_not_called_by_its_class(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("shift+Tab")
    transcript.leave_out()
    screen.press("space")
    transcript.end_step("Methods")
    assert transcript.classes == []
