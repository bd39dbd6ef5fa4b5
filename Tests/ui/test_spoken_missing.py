"""What Orca would not speak by itself with GTK 4.8, and the window has it speak."""

import json

import pytest

import screen
from accessible import BUTTON, LABEL, exists, focused, has_window
from app import MAIN
from test_explain import EXPLAIN
from test_preferences import set_preferences
from test_programs import QUESTION, asks, get_token, token  # noqa: F401, one is a fixture
from test_spoken import at_window, goes_to, orca, signs_in_here, transcript  # noqa: F401, four are fixtures
from test_spoken_dialogs import asked_about  # noqa: F401, a fixture
from test_spoken_explorer import SEARCH, opens_list, saves  # noqa: F401
from waiting import wait_for


def is_said(transcript, text: str):
    """Waits until there is silence; then the text is to be among what was said."""
    transcript.orca.rest(transcript.seen)
    spoken = transcript.orca.spoken[transcript.seen:]
    assert any(text in line for line in spoken), f"'{text}' is not in {spoken}"


def test_a_program_s_permissions_are_said_before_they_are_allowed(transcript, asked_about):  # noqa: F811
    transcript.end_step("Sign in", "The result from Graph")
    process = token(asked_about, *get_token())
    wait_for(lambda: has_window(QUESTION), "the question")
    transcript.wait_for(QUESTION)
    try:
        is_said(transcript, "User.Read")
    finally:
        screen.press("Escape")
        process.communicate(timeout=60)


def test_what_to_do_about_an_error_is_said(at_window):
    transcript = at_window
    screen.press("ctrl+e")
    wait_for(lambda: has_window(EXPLAIN), "the dialog")
    screen.type_text("AADSTS50076")
    transcript.wait_for("Your organization requires multifactor authentication.")
    screen.press("Tab")
    is_said(transcript, "Sign in again and complete the extra verification.")


def test_the_name_of_an_account_is_asked_for(at_window):
    transcript = at_window
    screen.press("ctrl+k")
    transcript.leave_out()
    screen.press("alt+m")
    wait_for(lambda: has_window("Accounts"), "the accounts")
    goes_to(transcript, "Actions", "Actions for")
    screen.press("space")
    transcript.wait_for("Sign In Again")
    screen.press("r")
    wait_for(lambda: has_window("Rename Account"), "the question")
    is_said(transcript, "Rename Account")


def test_where_a_request_was_saved_is_said(at_window, home):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("ctrl+s")
    seen = transcript.seen
    saves(transcript, home / "mine.http", "Save Request", "in mine.http")
    transcript.seen = seen
    is_said(transcript, "Saved in mine.http")


def test_the_search_of_samples_is_said(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("F9")
    wait_for(lambda: (focused(MAIN) or "").endswith(SEARCH), "the list")
    is_said(transcript, SEARCH)


def test_the_list_is_closed_without_the_focus(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    opens_list(transcript, "Samples")
    screen.press("ctrl+l")
    transcript.wait_for("Address")
    transcript.leave_out()
    screen.press("F9")
    is_said(transcript, "List closed")


@pytest.fixture
def covering_list(at_window):
    """The list of the Explorer above its page, which has no room beside it, and the transcript."""
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.resize(screen.window_id(MAIN), 360, 640)
    opens_list(transcript, "Samples")
    return transcript


def test_escape_in_a_row_of_the_list_leads_back_to_the_request(covering_list):
    transcript = covering_list
    goes_to(transcript, "The subject of samples", "Profile")
    screen.press("Escape")
    is_said(transcript, "Address")
    assert focused(MAIN).endswith("Address")


def test_a_list_that_covers_the_page_says_that_it_is_closed(covering_list):
    transcript = covering_list
    # What closes it then is no button of the page, and the focus stays.
    screen.press("ctrl+l")
    transcript.wait_for("Address")
    transcript.leave_out()
    screen.press("Escape")
    is_said(transcript, "List closed")


@pytest.mark.parametrize("page", ["Explorer", "Activity"])
def test_a_search_without_results_says_so(page, at_window):
    transcript = at_window
    screen.press("alt+4" if page == "Activity" else "alt+2")
    transcript.leave_out()
    if page == "Activity":
        goes_to(transcript, "Search", "Search activity", "shift+Tab")
    else:
        opens_list(transcript, "Samples")
    screen.type_text("nothing like this")
    wait_for(lambda: exists(MAIN, LABEL, "No Results Found"), "the words without results")
    is_said(transcript, "No Results Found")


@pytest.fixture
def shares_account(app, emulator, home):
    """Another app with the same client ID, and sign-in pages that remember who has signed in."""
    set_preferences(home, **{"keep-web-session": "true", "sign-in-way": "'embedded'"})
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({
        "version": 1, "apps": [emulator.connection("Demo"), emulator.connection("Mail")]}))


def test_what_a_sign_out_does_is_said_to_its_end(transcript, shares_account, signed_in):
    transcript.end_step("Sign in", "The result from Graph")
    screen.press("alt+o")
    wait_for(lambda: has_window("Sign Out?"), "the question")
    transcript.wait_for("same client ID: “Mail”.")
    transcript.orca.rest(transcript.seen)
    spoken = transcript.orca.spoken[transcript.seen:]
    asked = [number for number, line in enumerate(spoken) if "same client ID: “Mail”." in line]
    assert len(asked) == 1, spoken
    # The description of the choice, after the text, would cut it short.
    assert not any("may still remember you" in line for line in spoken[asked[0] + 1:]), spoken
    transcript.leave_out()
    screen.press("Return")
    transcript.wait_for("Signed out")
    transcript.orca.rest(transcript.seen)
    spoken = transcript.orca.spoken[transcript.seen:]
    assert spoken.count("Signed out") == 1, spoken
