"""What Orca speaks of the Activity page, of dialogs and of notices, compared with the transcripts in `spoken/`.

`test_spoken_places.py` has the list of all pages and dialogs.
"""

import re

import pytest

import screen
from accessible import BUTTON, has_window
from app import CALL_GRAPH
from screen_reader import IS_NEWER
from test_ways import BROWSER, CODE, WRONG_ADDRESS, opened, set_to, shown_code  # noqa: F401, one is a fixture
from test_programs import QUESTION, asks, get_token, token  # noqa: F401, one is a fixture
# The last four are fixtures.
from test_spoken import (  # noqa: F401
    USERNAME, closes, goes_through, goes_to, opens, says, at_window, orca, signs_in_here, transcript)
from waiting import wait_for

# {"typ":"JWT","alg":"RS256"}.{"aud":"00000003-0000-0000-c000-000000000000","name":"Adele Vance",
# "scp":"Mail.Send User.Read","ver":"2.0"}
TOKEN = (
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiIwMDAwMDAwMy0wMDAwLTAwMDAtYzAwMC0wMDAwMDAwMDAwMDAiLCJuYW1lIjoiQWR"
    "lbGUgVmFuY2UiLCJzY3AiOiJNYWlsLlNlbmQgVXNlci5SZWFkIiwidmVyIjoiMi4wIn0.c2ln")


def is_canceled(transcript):
    """Waits for the end of a sign-in. Of two texts about it, one may come before the window is in front again."""
    transcript.wait_for("canceled")
    transcript.leave_out()


@pytest.mark.recorded("activity")
def test_activity_and_its_details(at_window):
    transcript = at_window
    screen.press("alt+4")
    transcript.end_step("Activity", "Response, Response with status 200")
    if IS_NEWER:
        # GTK 4.18 selects the line that has the focus at first.
        screen.press("Down")
        transcript.leave_out()
    screen.press("Down")
    transcript.end_step("Next line", "Request, GET https://")
    goes_to(transcript, "Button of the details", "Close Details")
    screen.press("Tab")
    transcript.end_step("Details")
    screen.press("ctrl+Home")
    transcript.leave_out()
    screen.press("Down")
    transcript.end_step("A line of the details")
    goes_to(transcript, "Back to the button", "Close Details", "shift+Tab")
    # How many lines there are depends on who runs the tests: of root there is one more.
    screen.press("space")
    transcript.leave_out()
    transcript.steps = [
        (step, [line for line in lines if "List with " not in line]) for step, lines in transcript.steps]
    for name in ("Account", "Kind of activity", "Save Support Details…", "Copy Support Details", "Search activity"):
        goes_to(transcript, name, name, "shift+Tab")
    transcript.check()


@pytest.mark.recorded("code")
def test_code_dialog(app, emulator, keyring, transcript):  # noqa: F811
    app.start()
    app.wait_for_account("Signed out")
    transcript.end_step("Start", "Signed out")
    screen.press("alt+c")
    page, code = shown_code()
    spelled = " ".join(code)
    transcript.hide(spelled, "C O D E")
    transcript.hide(code, "CODE")
    transcript.wait_for(f"Open {page} in a browser, and enter the code {spelled}.")
    transcript.end_step("Use a code")
    # The code itself, which is in the sentence, is said or not: it is there before or after Orca looks.
    step, lines = transcript.steps.pop()
    transcript.steps.append((step, [line for line in lines if line != "C O D E."]))
    goes_through(transcript, "Code", 8)
    screen.press("Escape")
    wait_for(lambda: not has_window(CODE), "the dialog to be gone")
    is_canceled(transcript)
    app.wait_until_idle()
    emulator.set_faults("device-expired")
    screen.press("alt+c")
    transcript.wait_for("The code was not entered in time.")
    # Before it, there may be a code for a moment.
    transcript.leave_out()
    screen.press("Tab")
    transcript.end_step("Expired code")
    screen.press("shift+Tab")
    transcript.end_step("Way on", "Get a New Code")
    screen.press("Escape")
    wait_for(lambda: not has_window(CODE), "the dialog to be gone")
    is_canceled(transcript)
    transcript.check()


@pytest.mark.recorded("browser")
def test_browser_dialog(app, home, keyring, opened, transcript):  # noqa: F811
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='browser'")
    app.start()
    app.wait_for_account("Signed out")
    transcript.end_step("Start", "Signed out")
    screen.press("alt+g")
    opened()
    transcript.end_step(
        "Call Microsoft Graph", "Finish signing in on the page in your browser. This window closes by itself.")
    assert has_window(BROWSER)
    goes_through(transcript, "Browser", 6)
    screen.press("alt+p")
    transcript.end_step("Paste address")
    if not IS_NEWER:
        # With GTK 4.18, an alert is said only if it appears in sight: here it is scrolled to after that.
        screen.type_text("x")
        screen.press("Return")
        transcript.end_step("Wrong address", WRONG_ADDRESS)
    screen.press("Escape")
    wait_for(lambda: not has_window(BROWSER), "the dialog to be gone")
    is_canceled(transcript)
    transcript.check()


@pytest.fixture
def asked_about(asks, signed_in):  # noqa: F811
    """The app asks about a new program. It has shown no sign-in page."""
    return signed_in


@pytest.mark.recorded("consent")
def test_question_about_a_program(transcript, asked_about):  # noqa: F811
    transcript.end_step("Sign in", "The result from Graph")
    transcript.steps.clear()
    screen.move_pointer(0, 0)
    process = token(asked_about, *get_token())
    wait_for(lambda: has_window(QUESTION), "the question")
    transcript.end_step("A program asks", "User.Read")
    goes_through(transcript, "Question", 3)
    screen.press("Escape")
    wait_for(lambda: not has_window(QUESTION), "the question to be gone")
    process.communicate(timeout=60)
    transcript.end_step("Escape")
    transcript.check()


@pytest.mark.recorded("remove-app")
def test_an_app_with_accounts_is_removed(at_window):
    transcript = at_window
    opens(transcript, "Apps", "Apps", "ctrl+shift+a")
    goes_through(transcript, "Apps", 3)
    screen.press("space")
    transcript.end_step("Actions", "Open in New Window")
    for step in range(2):
        screen.press("Down")
        transcript.end_step(f"Actions, Down {step + 1}")
    opens(transcript, "Remove", "Remove “Demo”?", "r")
    goes_through(transcript, "Question", 3)
    screen.press("Escape")
    wait_for(lambda: not has_window("Remove “Demo”?"), "the question to be gone")
    # The focus is on the button again. Orca says so or only names the window, depending on which it gets to know last.
    transcript.leave_out()
    goes_to(transcript, "Next after the question", "Try the Demo")
    goes_to(transcript, "Back to the button", "Actions for “Demo”", "shift+Tab")
    # Of its menu, and of the list around it, something is told before or not.
    step, lines = transcript.steps.pop()
    transcript.steps.append((step, lines[-1:]))
    transcript.check()


# The mnemonic of each page of the preferences, and how many rows the focus goes to.
PREFERENCES = [("Privacy", "p", 10), ("Appearance", "n", 4)]


@pytest.mark.recorded("preferences")
def test_all_preferences_and_clearing_all_data(at_window):
    transcript = at_window
    opens(transcript, "Preferences", "Preferences", "ctrl+comma")
    goes_through(transcript, "Sign-In", 5)
    for page, letter, tabs in PREFERENCES:
        screen.press(f"alt+{letter}")
        transcript.end_step(page)
        goes_through(transcript, page, tabs)
        if page == "Privacy":
            goes_to(transcript, "Clear All Data", "Clear All Data")
    screen.press("alt+p")
    transcript.end_step("Privacy again")
    opens(transcript, "Clear all data", "Clear All Data?", "alt+a")
    goes_through(transcript, "Question", 2)
    closes(transcript, "Question, Escape", "Clear All Data?", "Escape")
    transcript.check()


@pytest.mark.recorded("decode")
def test_a_token_is_decoded(at_window):
    transcript = at_window
    screen.press("alt+3")
    transcript.end_step("Tokens")
    opens(transcript, "Decode another token", "Decode a Token", "alt+d")
    screen.type_text("not a token")
    transcript.end_step("Not a token", "This is not a token")
    # Pasted, because each pause in typing would have an answer.
    screen.copy(TOKEN)
    screen.press("ctrl+a")
    transcript.leave_out()
    screen.press("ctrl+v")
    transcript.end_step("Token", "Access token for Microsoft Graph")
    goes_through(transcript, "Claims", 3)
    screen.press("alt+c")
    transcript.end_step("Compare", "What differs from the current token:")
    closes(transcript, "Escape", "Decode a Token", "Escape")
    transcript.check()


@pytest.mark.recorded("explain")
def test_an_error_is_explained(at_window):
    transcript = at_window
    opens(transcript, "Explain an error", "Explain an Error", "ctrl+e")
    screen.type_text("hello")
    transcript.end_step("Unknown error", "No known error was found in this text.")
    screen.press("ctrl+a")
    transcript.leave_out()
    screen.type_text("AADSTS50076")
    transcript.end_step("Known error", "Your organization requires multifactor authentication.")
    screen.press("Tab")
    transcript.end_step("Explanation", "Sign in again and complete the extra verification.")
    closes(transcript, "Escape", "Explain an Error", "Escape")
    transcript.check()


@pytest.mark.recorded("rename-account")
def test_an_account_is_renamed(at_window):
    transcript = at_window
    screen.press("ctrl+k")
    transcript.end_step("Switcher")
    opens(transcript, "Accounts", "Accounts", "alt+m")
    goes_through(transcript, "Accounts", 2)
    screen.press("space")
    transcript.end_step("Actions", "Sign In Again")
    # What Orca says of the button before depends on how soon the menu is there.
    step, lines = transcript.steps.pop()
    transcript.steps.append((step, lines[lines.index(f"Actions for {USERNAME} menu"):]))
    for step in range(2):
        screen.press("Down")
        transcript.end_step(f"Actions, Down {step + 1}")
    screen.press("r")
    wait_for(lambda: has_window("Rename Account"), "the question")
    transcript.end_step("Rename", "This name is shown only in Entrance.", is_sorted=True)
    screen.press("ctrl+a")
    screen.type_text("Adele at work")
    transcript.end_step("New name")
    goes_through(transcript, "Rename", 2)
    closes(transcript, "Rename, Escape", "Rename Account", "Escape")
    transcript.check()


@pytest.mark.recorded("notices")
def test_what_went_wrong_is_said_with_the_ways_on(at_window, signed_in, emulator):
    transcript = at_window
    emulator.expire()
    emulator.prepare_token_reply(400, {
        "error": "temporarily_unavailable", "error_codes": [90033],
        "error_description": "AADSTS90033: A transient error has occurred."})
    screen.press("alt+g")
    says(transcript, "Call Microsoft Graph", "Service Not Available")
    signed_in.wait_until_idle()
    goes_to(transcript, "Dismiss", "Dismiss", "shift+Tab")
    goes_to(transcript, "What helps", "Try Again")
    goes_to(transcript, "Details", "Details")
    emulator.set_faults("token-429")
    screen.press("alt+g")
    transcript.wait_for("Too Many Requests", "Call again")
    emulator.set_faults()
    transcript.check()


@pytest.mark.recorded("show-details")
def test_hidden_details_of_an_app_are_shown_on_request(at_window):
    transcript = at_window
    screen.press("F10")
    transcript.leave_out()
    screen.press("h")
    transcript.end_step("Hide personal details")
    opens(transcript, "Apps", "Apps", "ctrl+shift+a")
    goes_through(transcript, "Apps", 2)
    opens(transcript, "Edit", "Show Details?", "space")
    goes_through(transcript, "Question", 2)
    closes(transcript, "Question, Escape", "Show Details?", "Escape")
    transcript.check()
