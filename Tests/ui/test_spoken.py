"""What Orca speaks, compared with the transcripts in `spoken/` of this release; --record replaces them.

A step ends when the last line of its transcript is spoken: then the focus is where the next key is to go.
Only the keyboard is used. A web page cannot be read with GTK 4.8, so only what the window says of it is spoken;
`test_spoken_newer.py` has the sign-in of newer releases.
"""

import re
from difflib import unified_diff
from pathlib import Path

import pytest

import drop
import screen
from accessible import ALERT, BUTTON, exists, find, focused, has_window
from app import (
    ASK, ASK_TITLE, CALL_GRAPH, DEMO, DEMO_PASSWORD, HAVE_FILE, HAVE_ID, MAIN, REGISTER, SIGN_IN, answer_in_demo)
from screen_reader import IS_NEWER, RELEASE, Orca
from switcher import ORGANIZATION, ROW
from test_connections import UNOPENED, without_a_mail_program
from test_programs import GIT, MAIL, write
from test_ways import BROWSER, opened, set_to, shown_code  # noqa: F401
from waiting import wait_for

DIRECTORY = Path(__file__).parent / "spoken" / RELEASE
USERNAME = "adele@contoso.example"


# Spoken or not, depending on the order in which two programs get to know of a new window.
CONTEXT = re.compile(
    r"Accounts|Add Account (push )?button\.|.* (frame|panel)\.?|Log log\.|Cancel (push )?button\."
    r"|Sign In|Continue in the Browser|.* – Entrance"
    # What is around the focus, with the texts that are in it by then.
    r"|(Entrance|Account)( (There|This) is .*)?|Notices status ?bar")

# What Orca says of what is typed, and of a selection that is typed over, if it comes to it before the next key.
TYPED = re.compile(r"/|not an ID|not a domain|(entire document )?selected|Selection deleted\."
    r"|Pasted contents from clipboard\.")

# A row that is not selected by its state, and is by its words.
CONTRADICTION = re.compile(r"not selected\.\n.*\bSelected\b")

# What differs in each run: the emulator's port, which is a free one, its key, lengths with it, and times.
VARYING = [
    (re.compile(r"localhost:\d+"), "localhost:PORT"),
    (re.compile(r"\[\d+ characters hidden\]"), "[N characters hidden]"),
    (re.compile(r"\b\d+ (second|minute)s?\b( ago)? \([^)]*\)"), "TIME"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b|((?<=repeated in )|(?<=expires in ))\d+:\d\d\b"), "TIME"),
    (re.compile(r"\b\d+/\d+/\d+ \d\d:\d\d\b"), "TIME"),
    (re.compile(r"/\S+(?=/sync-mail\b)"), "/HOME"),
]


class Transcript:
    """What is spoken, step by step, compared with the file `name` of this release, or recorded there."""

    def __init__(self, orca: Orca, results: Path, records: bool, name: str | None):
        self.orca = orca
        self.results = results
        self.records = records
        self.path = DIRECTORY / f"{name}.txt" if name else None
        self.expected = {} if records or not name else read_steps(self.path.read_text())
        self.steps: list[tuple[str, list[str]]] = []
        # What differs in this run only, and what stands for it.
        self.hidden: list[tuple[str, str]] = []
        # What names a class of a widget.
        self.classes: list[str] = []
        self.seen = len(orca.spoken)

    def wait_for(self, text: str, step: str = ""):
        """Waits until `text` is spoken in this step."""
        self.wait_until(lambda: any(text in line for line in self.orca.spoken[self.seen:]), text, step)

    def wait_until(self, condition, text: str, step: str):
        try:
            wait_for(condition, f"Orca to say '{text}'")
        except AssertionError as error:
            where = f" in the step '{step}'" if step else ""
            raise AssertionError(f"{error}{where}; it said {self.orca.spoken[self.seen:]}") from None

    def end_step(self, name: str, until: str = "", is_sorted: bool = False):
        """Ends the step called `name`: to it belongs what is spoken until `until`, and on until there is silence.

        The lines are sorted where Orca is told of several things at once, in either order.
        """
        if until:
            self.wait_for(until, name)
        if lines := self.expected.get(name):
            # The next key must not be pressed before the focus is where this step ends.
            last = lines[-1]
            self.wait_until(lambda: last in self.lines_since(name, self.seen), last, name)
        self.orca.rest(self.seen)
        self.classes += [
            line for line in self.orca.spoken[self.seen:]
            if re.search(r"\bGtk|\bAdw|\bWebKit[A-Z]|^image push", line)]
        lines = self.lines_since(name, self.seen)
        self.steps.append((name, sorted(lines) if is_sorted else lines))
        self.seen = len(self.orca.spoken)

    def lines_since(self, step: str, seen: int) -> list[str]:
        """The lines that are spoken after the first `seen` ones, without what differs in each run."""
        lines = [line for line in self.orca.spoken[seen:] if line]
        lines = [line for line in lines if not CONTEXT.fullmatch(line) and not TYPED.fullmatch(line)]
        if step == "Start":
            # Of a new window, the list around the focus is spoken or not.
            lines = [line for line in lines if not re.fullmatch(r"List with \d+ items?\.?", line)]
        for pattern, word in VARYING:
            lines = [pattern.sub(word, line) for line in lines]
        for text, word in self.hidden:
            lines = [line.replace(text, word) for line in lines]
        # GTK tells of a description that changed before only together with the focus, unless someone has asked for it
        # until then. So Orca may say it twice, the second time without a period, which it adds to no parenthesis.
        return [
            line for number, line in enumerate(lines)
            if (line if line.endswith(")") else f"{line}.") not in lines[:number]]

    def hide(self, text: str, word: str):
        """Writes `word` in place of a text that differs in each run."""
        self.hidden.append((text, word))

    def leave_out(self):
        """Leaves out what is spoken until there is silence: it varies."""
        self.orca.rest(self.seen)
        self.seen = len(self.orca.spoken)

    def lines(self, name: str) -> list[str]:
        return next(lines for step, lines in self.steps if step == name)

    @property
    def text(self) -> str:
        return "\n".join(
            f"{name}:\n" + "".join(f"    {line}\n" for line in lines) for name, lines in self.steps)

    def check(self):
        """Compares it with the file in the tree, or replaces that."""
        assert self.classes == []
        assert not CONTRADICTION.search(self.text)
        assert DEMO_PASSWORD not in self.text and not re.search(r"\bey[\w-]{20}", self.text)
        if self.records:
            DIRECTORY.mkdir(exist_ok=True)
            self.path.write_text(self.text)
        # All of both texts would be more than the end of a log that is shown.
        difference = "\n".join(unified_diff(
            self.path.read_text().splitlines(), self.text.splitlines(), "expected", "spoken", n=1, lineterm=""))
        assert not difference, f"run with --record if this is better\n{difference}"


def read_steps(text: str) -> dict[str, list[str]]:
    """The lines of each step of a transcript's file."""
    steps: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("    "):
            steps[name].append(line.strip())
        elif line:
            name = line.removesuffix(":")
            steps[name] = []
    return steps


@pytest.fixture
def orca(session, tmp_path_factory):
    orca = Orca(session, tmp_path_factory.mktemp("orca"))
    yield orca.start()
    orca.stop()


@pytest.fixture
def transcript(orca, results, request):
    recorded = request.node.get_closest_marker("recorded")
    transcript = Transcript(
        orca, results, request.config.getoption("--record"), recorded and recorded.args[0])
    yield transcript
    (results / f"spoken-{request.node.name}.txt").write_text(transcript.text)


@pytest.mark.skipif(IS_NEWER, reason="the pages are read: see test_spoken_newer")
@pytest.mark.recorded("demo")
def test_from_first_start_to_sign_out(app, home, keyring, transcript):
    (home / "config" / "entrance" / "apps.json").unlink()
    # Otherwise the browser, whose pages can be read, would come first.
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='embedded'")
    app.process = app.launch()
    wait_for(lambda: screen.window_id(MAIN), "the window")
    transcript.end_step("Start", HAVE_ID)

    # The demo has a list of its own, below the other choices.
    screen.press("End", "Down")
    transcript.end_step("End, Down", DEMO)
    screen.press("Return")
    wait_for(lambda: exists(MAIN, BUTTON, CALL_GRAPH), "the demo")
    transcript.end_step("Try the Demo", "Signed out")

    screen.press("alt+g")
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    screen.wait_until_still(SIGN_IN, "the sign-in page")
    transcript.end_step("Call Microsoft Graph", "read this page")
    screen.press("Escape")
    # A dialog closes, its window gets the focus, and a message appears there.
    transcript.end_step("Escape", "canceled", is_sorted=True)

    screen.press("alt+g")
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    # What is done meanwhile would interrupt it.
    transcript.wait_for("read this page")
    answer_in_demo(USERNAME)
    answer_in_demo(DEMO_PASSWORD)
    answer_in_demo("", "Tab", "Return")
    answer_in_demo("", "Tab", "Return")
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
    wait_for(lambda: has_window("Sign Out?"), "the question")
    transcript.end_step("Sign out", "Sign Out")
    screen.press("Return")
    app.wait_for_log("Sign out completed successfully")
    transcript.end_step("Confirm", "Signed out")
    transcript.check()
    for step, outcome in (
        ("Start", "Welcome to Entrance"),
        ("Try the Demo", "This is a demo."),
        ("Escape", "Sign-in canceled"),
        ("Sign in, call Microsoft Graph", f"Signed in as {USERNAME}. The result from Graph"),
        ("Call Microsoft Graph again", "The result from Graph is in the log."),
        ("Get device info", "Device is in the private mode."),
        ("Confirm", "Signed out"),
    ):
        said = [line for line in transcript.lines(step) if outcome in line]
        assert len(said) == 1, f"{outcome} in {transcript.lines(step)}"


@pytest.mark.recorded("import")
def test_a_file_without_an_app(app, home, transcript):
    (home / "config" / "entrance" / "apps.json").unlink()
    notes = home / "notes.txt"
    notes.write_text("Ask for the app.\n")
    app.process = app.launch()
    row = find(MAIN, ROW, HAVE_FILE)
    transcript.end_step("Start", HAVE_ID)
    drop.files([notes], screen.window_id(MAIN), *row.resting_center())
    transcript.end_step("A file without an app", "cannot be imported")
    screen.press("Return")
    transcript.end_step("Close", HAVE_ID)
    transcript.check()


@pytest.mark.recorded("no-mail")
def test_no_mail_program(app, home, transcript):
    (home / "config" / "entrance" / "apps.json").unlink()
    without_a_mail_program(home)
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    transcript.end_step("Start", HAVE_ID)
    goes_to(transcript, "Ask my administrator", ASK, "Down")
    screen.press("Return")
    wait_for(lambda: has_window(ASK_TITLE), "the message")
    transcript.leave_out()
    goes_to(transcript, "Button", "Write Email")
    screen.press("space")
    transcript.end_step("Write an email", "No mail program")
    closes(transcript, "Escape", UNOPENED, "Escape")
    transcript.check()


@pytest.mark.recorded("set-up")
def test_setting_up_a_connection(app, home, transcript):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    transcript.end_step("Start", HAVE_ID)
    screen.press("Down")
    transcript.end_step("Down", HAVE_FILE)
    screen.press("Down")
    transcript.end_step("Down once more", REGISTER)
    screen.press("Return")
    wait_for(lambda: has_window(REGISTER), "the steps")
    transcript.end_step("Register an app")
    for step in range(3):
        screen.press("Tab")
        transcript.end_step(f"Step {step + 1}")
    screen.press("Escape")
    wait_for(lambda: not has_window(REGISTER), "the steps to be gone")
    transcript.end_step("Escape from the steps")
    screen.press("Down")
    transcript.end_step("Down again", ASK)
    screen.press("Return")
    wait_for(lambda: has_window(ASK_TITLE), "the message")
    transcript.end_step("Ask my administrator", "Send this message")
    screen.press("alt+n")
    wait_for(lambda: has_window("New App"), "the form")
    transcript.end_step("Next")
    screen.type_text("not an ID")
    screen.press("Return")
    find("New App", ALERT, "A client ID looks like 11111111-2222-3333-4444-555555555555.")
    transcript.end_step("Wrong ID")
    for step in range(6):
        screen.press("Tab")
        transcript.end_step(f"Tab {step + 1}")
    screen.press("Escape")
    wait_for(lambda: has_window("Discard Changes?"), "the question")
    transcript.end_step("Escape")
    screen.press("alt+d")
    wait_for(lambda: not has_window("New App"), "the form to be gone")
    transcript.end_step("Discard", ASK)
    transcript.check()


@pytest.mark.recorded("passphrase")
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
    transcript.check()


@pytest.mark.skipif(IS_NEWER, reason="the pages are read, so the window comes first")
def test_browser_comes_first(app, keyring, opened, transcript):  # noqa: F811
    app.start()
    app.wait_for_account("Signed out")
    # GNOME's setting is off: Orca is known by itself.
    transcript.end_step("Start", "Signed out")
    screen.press("alt+g")
    opened()
    transcript.end_step(
        "Call Microsoft Graph", "Finish signing in on the page in your browser. This window closes by itself.")
    assert has_window(BROWSER) and not has_window(SIGN_IN)
    screen.press("alt+p")
    transcript.end_step("Paste address")
    screen.type_text("x")
    for step in ("Wrong address", "Wrong address again"):
        screen.press("Return")
        transcript.end_step(
            step, "This is not the address of the last page of this sign-in. Copy the whole address.")
    screen.press("Escape")
    transcript.end_step("Escape", "canceled")
    assert transcript.classes == []


def test_code_is_spelled(app, keyring, transcript):
    app.start()
    app.wait_for_account("Signed out")
    transcript.end_step("Start", "Signed out")
    screen.press("alt+c")
    page, code = shown_code()
    transcript.wait_for(f"Open {page} in a browser, and enter the code {' '.join(code)}.")
    transcript.end_step("Use a code")
    # Once, and not while the time runs.
    for text in ("The code expires in ", "Enter the code only if you started this sign-in yourself."):
        said = [line for line in transcript.lines("Use a code") if text in line]
        assert len(said) == 1, transcript.lines("Use a code")
    assert any(line.startswith(f"Copy Code {BUTTON}") for line in transcript.lines("Use a code"))
    assert transcript.classes == []


@pytest.fixture
def at_window(transcript, signs_in_here, signed_in):
    """The transcript, after a sign-in."""
    transcript.end_step("Sign in", "The result from Graph")
    # What is spoken of it depends on how soon the page is loaded; another test has it.
    transcript.steps.clear()
    # Where the pointer happens to be, a tooltip appears and is spoken.
    screen.move_pointer(0, 0)
    return transcript


@pytest.fixture
def signs_in_here(home):
    """Otherwise the browser, whose pages can be read, would come first."""
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='embedded'")


def test_activity_is_read_line_by_line(at_window):
    transcript = at_window
    screen.press("alt+4")
    # The list has the focus, and its latest line is read.
    transcript.end_step("Activity", "Response, Response with status 200")
    screen.press("Down")
    if IS_NEWER:
        # GTK 4.18 selects the line that has the focus at first.
        screen.press("Down")
    transcript.end_step("Next line", "Request, GET https://")
    screen.press("alt+1")
    transcript.end_step("Account", "Call Microsoft Graph API")
    assert transcript.classes == []


# What opens it, its title, and what is spoken of it.
DIALOGS = [
    ("Preferences", ["ctrl+comma"], "Preferences", 6),
    ("Shortcuts", ["ctrl+question"], "Keyboard Shortcuts", 2),
    ("Apps", ["ctrl+shift+a"], "Apps", 3),
    ("Explain an error", ["ctrl+e"], "Explain an Error", 3),
    ("About", ["F10", "Up", "Return"], "About", 3),
]


@pytest.mark.recorded("dialogs")
def test_dialogs(at_window):
    transcript = at_window
    for name, keys, title, tabs in DIALOGS:
        screen.press(*keys)
        wait_for(lambda: has_window(title), title)
        transcript.end_step(name)
        if title == "Preferences":
            # Whether GTK begins with the first tab or the button before it depends on when the tabs are laid out.
            transcript.steps.pop()
            for _ in range(tabs):
                if focused(title) == "page tab Sign-In":
                    break
                screen.press("Tab")
                transcript.end_step("On the way")
                transcript.steps.pop()
            assert focused(title) == "page tab Sign-In"
        for tab in range(tabs):
            screen.press("Tab")
            transcript.end_step(f"{name}, Tab {tab + 1}")
        screen.press("Escape")
        wait_for(lambda: not has_window(title), f"{title} to be gone")
        transcript.end_step(f"{name}, Escape")
    # Whether the menu and its button tell their state depends on how soon the window comes to the front.
    menu = ("collapsed", "collapsed.", "expanded", "Main Menu menu")
    transcript.steps = [
        (step, [line for line in lines if line not in menu])
        for step, lines in transcript.steps]
    screen.press("F10")
    transcript.end_step("Main menu")
    for step in range(3):
        screen.press("Down")
        transcript.end_step(f"Main menu, Down {step + 1}")
    screen.press("Escape")
    transcript.end_step("Main menu, Escape")
    screen.press("ctrl+k")
    transcript.end_step("Switcher")
    screen.press("Down")
    transcript.end_step("Switcher, Down")
    screen.press("Escape")
    transcript.end_step("Switcher, Escape")
    transcript.check()


def opens(transcript, name: str, title: str, *keys: str):
    """Presses keys, and ends the step at which the window called `title` has said what it is."""
    screen.press(*keys)
    wait_for(lambda: has_window(title), title)
    transcript.end_step(name, title)


def closes(transcript, name: str, title: str, *keys: str):
    screen.press(*keys)
    wait_for(lambda: not has_window(title), f"{title} to be gone")
    transcript.end_step(name)
    # What has the focus again may be told twice, by the desktop and by the window, and with the list around it or not,
    # depending on which Orca gets to know first.
    step, lines = transcript.steps.pop()
    lines = [line for line in dict.fromkeys(lines) if not line.startswith("List with ")]
    transcript.steps.append((step, lines))


def goes_through(transcript, name: str, tabs: int):
    for tab in range(tabs):
        screen.press("Tab")
        transcript.end_step(f"{name}, Tab {tab + 1}")


def goes_to(transcript, name: str, text: str, key: str = "Tab"):
    """Presses a key until Orca says `text`. What it says on the way is left out: more may come there."""
    begin = transcript.seen
    for _ in range(30):
        seen = transcript.seen
        screen.press(key)
        transcript.orca.rest(seen)
        if any(text in line for line in transcript.orca.spoken[seen:]):
            return transcript.end_step(name)
        transcript.leave_out()
    raise AssertionError(f"{key} does not lead to '{text}', but to {transcript.orca.spoken[begin:]}")


def says(transcript, name: str, text: str):
    """Ends a step of which only what has `text` is always said: what else is depends on what comes first."""
    transcript.wait_for(text, name)
    transcript.end_step(name)
    step, lines = transcript.steps.pop()
    transcript.steps.append((step, [line for line in lines if text in line]))


@pytest.mark.recorded("accounts")
def test_accounts(at_window):
    transcript = at_window
    screen.press("ctrl+k")
    transcript.end_step("Switcher")
    opens(transcript, "Accounts", "Accounts", "alt+m")
    goes_through(transcript, "Accounts", 2)
    screen.press("space")
    transcript.end_step("Actions")
    # What Orca says of the button before depends on how soon the menu is there.
    step, lines = transcript.steps.pop()
    transcript.steps.append((step, lines[lines.index(f"Actions for {USERNAME} menu"):]))
    opens(transcript, "Another organization", ORGANIZATION, "a")
    screen.type_text("not a domain")
    screen.press("Return")
    transcript.end_step("Wrong organization")
    goes_through(transcript, "Another organization", 2)
    closes(transcript, "Another organization, Escape", ORGANIZATION, "Escape")
    transcript.check()


@pytest.mark.recorded("rename")
def test_an_app_is_renamed(at_window):
    transcript = at_window
    opens(transcript, "Apps", "Apps", "ctrl+shift+a")
    goes_through(transcript, "Apps", 2)
    opens(transcript, "Edit", "Edit App", "space")
    screen.press("shift+Tab")
    transcript.end_step("Edit, back", "Name")
    screen.press("ctrl+a")
    screen.type_text("Contoso")
    transcript.end_step("New name")
    closes(transcript, "Save", "Edit App", "Return")
    # The list is made anew meanwhile, so Orca may speak of a button that is going, too.
    assert transcript.steps.pop()[1][-1] == f"Edit “Contoso” {BUTTON}."
    closes(transcript, "Apps, Escape", "Apps", "Escape")
    transcript.check()


@pytest.mark.recorded("explorer")
def test_explorer_from_nothing_to_a_refused_request(at_window):
    transcript = at_window
    screen.press("alt+2")
    transcript.end_step("Explorer", "Address")
    screen.press("ctrl+a")
    screen.type_text("/v1.0/me?$select=displayName")
    transcript.end_step("Type an address")
    screen.press("Return")
    transcript.end_step("Send", "200 OK")
    screen.press("ctrl+a")
    transcript.leave_out()
    screen.type_text("/v1.0/me/messages")
    transcript.end_step("Type another address", "Not granted yet: Mail.ReadBasic")
    screen.press("Return")
    transcript.wait_for("The request needs the permission Mail.ReadBasic.")
    transcript.end_step("Send again", "403 Forbidden")
    goes_through(transcript, "After the address", 12)
    screen.press("Down")
    transcript.end_step("The next permission")
    transcript.check()


def test_what_comes_of_a_typed_text_is_said(at_window):
    transcript = at_window
    opens(transcript, "Explain an error", "Explain an Error", "ctrl+e")
    screen.type_text("AADSTS50076")
    transcript.end_step("Known error", "Your organization requires multifactor authentication.")
    screen.press("ctrl+a")
    screen.type_text("hello")
    transcript.end_step("Unknown error", "No known error was found in this text.")
    closes(transcript, "Escape", "Explain an Error", "Escape")
    screen.press("alt+2")
    transcript.end_step("Explorer")
    screen.press("ctrl+Return")
    transcript.end_step("Send", "200 OK")
    screen.press("ctrl+f")
    screen.type_text("zzz")
    transcript.end_step("Search", "No Results Found")
    screen.press("Return")
    transcript.end_step("Search again", "No Results Found")
    screen.press("Escape", "ctrl+shift+f")
    screen.type_text("$.displayName")
    transcript.end_step("Filter", "Values: 1")
    assert transcript.classes == []


@pytest.mark.recorded("tokens")
def test_tokens(at_window):
    transcript = at_window
    screen.press("alt+3")
    transcript.end_step("Tokens")
    goes_through(transcript, "Tokens", 10)
    transcript.check()


@pytest.mark.recorded("programs")
def test_programs(home, at_window):
    transcript = at_window
    write(home, GIT, MAIL)
    screen.press("F10")
    transcript.end_step("Main menu")
    screen.press("r")
    transcript.end_step("Access by Programs", "Programs that get tokens of your accounts")
    goes_through(transcript, "Access by Programs", 2)
    screen.press("space")
    transcript.end_step("Program")
    goes_through(transcript, "Program", 3)
    transcript.check()
