"""What Orca speaks with a GTK that has announcements and reads web pages: on newer releases of Debian."""

import pytest

import screen
from accessible import BUTTON, exists, find, has_window
from app import CALL_GRAPH, DEMO_PASSWORD, HAVE_ID, MAIN, SIGN_IN
from screen_reader import IS_NEWER
# The last two are fixtures.
from test_spoken import USERNAME, orca, transcript  # noqa: F401
from waiting import wait_for


pytestmark = pytest.mark.skipif(not IS_NEWER, reason="Orca does not say announcements")


def test_pages_are_read_and_outcomes_said_once(app, home, keyring, transcript):  # noqa: F811
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    wait_for(lambda: screen.window_id(MAIN), "the window")
    transcript.end_step("Start", HAVE_ID)
    screen.press("alt+d")
    wait_for(lambda: exists(MAIN, BUTTON, CALL_GRAPH), "the demo")
    transcript.end_step("Demo", "Signed out")
    screen.press("F10")
    transcript.end_step("Menu", "New Window")
    screen.press("Down")
    transcript.end_step("Next item", "Apps")
    screen.press("Escape")
    transcript.end_step("Menu closed")

    screen.press("alt+g")
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    transcript.end_step("Sign-in page", "E-mail address entry")
    screen.type_text(USERNAME)
    screen.press("Return")
    transcript.end_step("Password page", "Password password text")
    screen.type_text(DEMO_PASSWORD)
    screen.press("Return")
    find(SIGN_IN, BUTTON, "Accept")
    screen.press("Tab", "Return")
    find(SIGN_IN, BUTTON, "Yes")
    screen.press("Tab", "Return")
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    transcript.end_step("Result", "The result from Graph")
    screen.press("alt+d")
    app.wait_for_log("Received device info.")
    transcript.end_step("Device info", "Received")
    screen.press("alt+o")
    wait_for(lambda: has_window("Sign Out?"), "the question")
    transcript.end_step("Question", "Sign Out")
    screen.press("Return")
    app.wait_for_log("Sign out completed successfully")
    transcript.end_step("Signed out", "Signed out")

    assert transcript.classes == [] and DEMO_PASSWORD not in transcript.text
    assert "cannot read this page" not in transcript.text
    for step, outcome in (
        ("Start", "Welcome to Entrance"),
        ("Demo", "This is a demo."),
        ("Result", f"Signed in as {USERNAME}. The result from Graph"),
        ("Device info", "Device is in the private mode."),
        ("Signed out", "Signed out"),
    ):
        said = [line for line in transcript.lines(step) if outcome in line]
        assert len(said) == 1, f"{outcome} in {transcript.lines(step)}"
