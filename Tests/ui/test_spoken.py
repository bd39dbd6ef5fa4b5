"""What Orca speaks, compared with the transcripts in `spoken/`; --record replaces them.

Only the keyboard is used. A web page cannot be read with GTK 4.8, so only what the window says of it is spoken.
"""

import re
import subprocess
from pathlib import Path

import pytest

import screen
from accessible import ALERT, BUTTON, exists, find, has_window
from app import CALL_GRAPH, MAIN, SIGN_IN
from screen_reader import Orca
from test_ways import BROWSER, opened, set_to, shown_code  # noqa: F401
from waiting import wait_for

DIRECTORY = Path(__file__).parent / "spoken"
USERNAME = "adele@contoso.example"
PASSWORD = "Entrance-Demo-1"


# Spoken or not, depending on the order in which two programs get to know of a new window.
CONTEXT = re.compile(r".* (frame|panel)\.|Log log\.|Cancel push button\.|Sign In|.* – Entrance")


class Transcript:
    """What is spoken, step by step."""

    def __init__(self, orca: Orca, results: Path, records: bool):
        self.orca = orca
        self.results = results
        self.records = records
        self.steps: list[tuple[str, list[str]]] = []
        # What names a class of a widget.
        self.classes: list[str] = []
        self.seen = len(orca.spoken)

    def wait_for(self, text: str):
        """Waits until `text` is spoken in this step."""
        wait_for(
            lambda: any(text in line for line in self.orca.spoken[self.seen:]), f"Orca to say '{text}'")

    def end_step(self, name: str, until: str = ""):
        """Ends the step called `name`: to it belongs what is spoken until `until`, and on until there is silence."""
        if until:
            self.wait_for(until)
        self.orca.rest(self.seen)
        spoken = self.orca.spoken
        lines = [line for line in spoken[self.seen:] if line]
        self.classes += [line for line in lines if re.search(r"\bGtk|\bAdw|\bWebKit[A-Z]", line)]
        self.steps.append((name, [line for line in lines if not CONTEXT.fullmatch(line)]))
        self.seen = len(spoken)

    def lines(self, name: str) -> list[str]:
        return next(lines for step, lines in self.steps if step == name)

    @property
    def text(self) -> str:
        return "\n".join(
            f"{name}:\n" + "".join(f"    {line}\n" for line in lines) for name, lines in self.steps)

    def check(self, name: str):
        """Compares it with the file in the tree, or replaces that."""
        (self.results / f"spoken-{name}.txt").write_text(self.text)
        assert self.classes == []
        assert PASSWORD not in self.text and not re.search(r"\bey[A-Z]", self.text)
        path = DIRECTORY / f"{name}.txt"
        if self.records:
            path.write_text(self.text)
        assert self.text == path.read_text(), "run with --record if this is better"


@pytest.fixture
def orca(session, tmp_path_factory):
    orca = Orca(session, tmp_path_factory.mktemp("orca"))
    yield orca.start()
    orca.stop()


@pytest.fixture
def transcript(orca, results, request):
    return Transcript(orca, results, request.config.getoption("--record"))


def answer(text: str, *keys: str):
    """Types into the page of the sign-in window, and waits for the next page."""
    window = screen.window_id(SIGN_IN)
    before = screen.wait_until_still(window, "the sign-in page")
    if text:
        screen.type_text(text)
    screen.press(*(keys or ["Return"]))
    wait_for(
        lambda: screen.window_id(SIGN_IN) != window or screen.pixels(window) != before, "the next page")


def test_from_first_start_to_sign_out(app, home, keyring, transcript):
    (home / "config" / "entrance" / "connections.json").unlink()
    # Otherwise the browser, whose pages can be read, would come first.
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='embedded'")
    app.process = app.launch()
    wait_for(lambda: screen.window_id(MAIN), "the window")
    transcript.end_step("Start", "Set Up…")

    screen.press("Tab")
    transcript.end_step("Tab")
    screen.press("Return")
    wait_for(lambda: exists(MAIN, BUTTON, CALL_GRAPH), "the demo")
    transcript.end_step("Try the Demo", "Signed out")

    screen.press("alt+g")
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    screen.wait_until_still(SIGN_IN, "the sign-in page")
    transcript.end_step("Call Microsoft Graph", "read this page")
    screen.press("Escape")
    transcript.end_step("Escape", "canceled")

    screen.press("alt+g")
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    # What is done meanwhile would interrupt it.
    transcript.wait_for("read this page")
    answer(USERNAME)
    answer(PASSWORD)
    answer("", "Tab", "Return")
    answer("", "Tab", "Return")
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    transcript.end_step("Sign in, call Microsoft Graph", "The result from Graph")

    screen.press("alt+g")
    app.wait_for_log("Result from Graph: {", 2)
    transcript.end_step("Call Microsoft Graph again", "The result from Graph")
    screen.press("alt+d")
    app.wait_for_log("Received device info.")
    transcript.end_step("Get device info", "Received")
    for step in range(8):
        screen.press("Tab")
        transcript.end_step(f"Tab {step + 1}")
    screen.press("alt+o")
    wait_for(lambda: has_window(f"Sign Out {USERNAME}?"), "the question")
    transcript.end_step("Sign out", "Sign Out")
    screen.press("Return")
    app.wait_for_log("Sign out completed successfully")
    transcript.end_step("Confirm", "completed")
    transcript.check("demo")
    for step, outcome in (
        ("Start", "No Connection Yet"),
        ("Try the Demo", "This is a demo."),
        ("Escape", "The sign-in was canceled."),
        ("Sign in, call Microsoft Graph", f"Signed in as {USERNAME}. The result from Graph"),
        ("Call Microsoft Graph again", "The result from Graph is in the log."),
        ("Get device info", "Device is in the private mode."),
        ("Confirm", "Sign out completed successfully"),
    ):
        said = [line for line in transcript.lines(step) if outcome in line]
        assert len(said) == 1, f"{outcome} in {transcript.lines(step)}"


def test_setting_up_a_connection(app, home, transcript):
    (home / "config" / "entrance" / "connections.json").unlink()
    app.process = app.launch()
    find(MAIN, BUTTON, "Set Up…")
    transcript.end_step("Start", "Set Up…")
    screen.press("Return")
    wait_for(lambda: has_window("Set Up"), "the first page")
    transcript.end_step("Set up")
    screen.press("alt+n")
    wait_for(lambda: has_window("Register the App"), "the second page")
    transcript.end_step("Next")
    screen.press("alt+n")
    wait_for(lambda: has_window("New Connection"), "the form")
    transcript.end_step("Next again")
    screen.type_text("not an ID")
    screen.press("Return")
    find("New Connection", ALERT, "It must be an ID such as 11111111-2222-3333-4444-555555555555.")
    transcript.end_step("Wrong ID")
    for step in range(6):
        screen.press("Tab")
        transcript.end_step(f"Tab {step + 1}")
    screen.press("Escape")
    wait_for(lambda: not has_window("New Connection"), "the form to be gone")
    transcript.end_step("Escape")
    transcript.check("set-up")


def test_passphrase(app, transcript):
    app.start()
    transcript.end_step("Start", "Signed out")
    screen.press("alt+s")
    wait_for(lambda: has_window("Set a Passphrase"), "the dialog")
    transcript.end_step("Set passphrase")
    screen.type_text("short")
    screen.press("Return")
    transcript.end_step("Return")
    screen.press("Return")
    transcript.end_step("Too short")
    screen.press("Escape")
    wait_for(lambda: not has_window("Set a Passphrase"), "the dialog to be gone")
    transcript.end_step("Escape")
    transcript.check("passphrase")


def test_browser_comes_first_and_the_code_is_spelled(app, keyring, opened, transcript):  # noqa: F811
    app.start()
    app.wait_for_account("Signed out")
    # GNOME's setting is off: Orca is known by itself.
    transcript.end_step("Start", "Signed out")
    screen.press("alt+g")
    opened()
    transcript.end_step(
        "Call Microsoft Graph", "Finish signing in on the page in your browser. This window closes by itself.")
    assert has_window(BROWSER) and not has_window(SIGN_IN)
    screen.press("Escape")
    transcript.end_step("Escape", "canceled")
    screen.press("alt+c")
    page, code = shown_code()
    transcript.wait_for(f"Open {page} in a browser, and enter the code {' '.join(code)}.")
    transcript.end_step("Use a code")
    assert any(line.startswith("Copy Code push button") for line in transcript.lines("Use a code"))
    assert transcript.classes == []


def test_activity_is_read_line_by_line(app, home, emulator, keyring, sign_in, transcript):
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='embedded'")
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.focus(screen.window_id(MAIN))
    transcript.end_step("Sign in", "The result from Graph")
    screen.press("alt+2")
    # The list has the focus, and its latest line is read.
    transcript.end_step("Activity", "Response, Response with status 200")
    screen.press("Down")
    transcript.end_step("Next line", "Request, GET https://")
    screen.press("alt+1")
    transcript.end_step("Account", "Call Microsoft Graph API")
    assert transcript.classes == []
