"""The app as seen by a user: the account page, the sign-in window and its pages."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import screen
from accessible import (
    BUTTON, LABEL, LOG, PROGRESS_BAR, Widget, children, exists, find, find_window, focused, has_window, search_all,
    text_of, texts, wait_for_dialog)
from emulator import Emulator, User
from person import Person
from session import Session, end
from waiting import wait_for

# The choices of the first start.
HAVE_ID = "I Have a Client ID"
HAVE_FILE = "I Have a Configuration File"
REGISTER = "Register an App"
ASK = "Ask My Administrator"
ASK_TITLE = "Ask for an App"
DEMO = "Try the Demo"
# Of each user of the demo.
DEMO_PASSWORD = "Entrance-Demo-1"
MAIN = screen.MAIN
SIGN_IN = "Sign In"
CALL_GRAPH = "Call Microsoft Graph API"
SIGN_OUT = "Sign Out"
DEVICE_INFO = "Get device info"

# Expected messages on standard error, with their origin.
KNOWN_COMPLAINTS = (
    # The program itself, if the environment of the test run has such variables; in the tests' languages.
    r"entrance: \[?[^:]+: [A-Z_, ]+\]?",
    # The demo's identity emulator, for each request.
    r"(GET|POST) /\S* \d{3}",
    # The web process, whose sandbox has none of the locales that a test creates.
    r"\(process:\d+\): Gtk-WARNING \*\*: [\d:.]+: Locale not supported by C library\.",
    r"\s*Using the fallback 'C' locale\.",
    # The web process on Wayland, which requests settings from a portal that the tests do not have.
    r"\(process:\d+\): Gdk-WARNING \*\*: [\d:.]+: Failed to read portal settings: .*ServiceUnknown.*",
    # The web process, when the program ends during its start.
    r"\*\* \(process:\d+\): WARNING \*\*: [\d:.]+: Error writing credentials to socket: "
    r".*(Broken pipe|Socket is already closed)",
    # Its sandbox, in the same case: the socket of the bus is gone.
    r"bwrap: Can't find source path \S+/webkitgtk/bus-proxy-\w+: No such file or directory",
    # The web process, when its connection to the program is closed before it has begun to read from it.
    r"\(process:\d+\): GLib-GIO-WARNING \*\*: [\d:.]+: Socket check failed",
    # The web process of newer versions, when its connection to the bus is gone before it is.
    r"\(process:\d+\): GLib-GIO-WARNING \*\*: [\d:.]+: Error releasing name \S+\.WebProcess-\S+: The connection is"
    r" closed",
    # The web process, when its connection to the bus is closed while it begins to watch a name.
    r"\(process:\d+\): GLib-GIO-CRITICAL \*\*: [\d:.]+: Error while sending AddMatch\(\) message: The connection is"
    r" closed",
    # GDK on a compositor that cannot move a popup, such as Debian 12's sway, when a popover changes its size or place
    # while it is open: it is mapped again.
    r"\(\S+:\d+\): Gdk-WARNING \*\*: [\d:.]+: Compositor doesn't support moving popups, relying on remapping",
    # GTK 4.8 about its own scroll bars and info bars, when they appear in the same frame as a
    # resize, and about what is around its text view and libadwaita's flap: with a new width, both ask for another
    # size while they are given one.
    r"\(\S+:\d+\): Gtk-WARNING \*\*: [\d:.]+: Trying to snapshot (GtkGizmo|AdwToastOverlay) 0x[0-9a-f]+ without a"
    r" current allocation",
    # GTK 4.8, when Orca asks where a widget is on the screen.
    r"\(\S+:\d+\): Gtk-WARNING \*\*: [\d:.]+: Screen coordinates not supported, reported positions will be"
    r" wrong",
    # WebKit without a GPU.
    r"libEGL warning: .*",
)


def answer_in_demo(text: str, *keys: str):
    """Types into the page of the sign-in window, and waits for the next page."""
    window = screen.window_id(SIGN_IN)
    wait_for(lambda: not exists(SIGN_IN, PROGRESS_BAR, None), "the page to be loaded")
    screen.wait_until_still(window, "the sign-in page")
    if text:
        screen.type_text(text)
    *ways, last = keys or ["Return"]
    if ways:
        screen.press(*ways)
    # What is typed changes the picture, too.
    typed = screen.wait_until_still(window, "what was typed")
    screen.press(last)
    wait_for(
        lambda: screen.window_id(SIGN_IN) != window or screen.pixels(window) != typed, "the next page")


class App:
    """A run of the program, and its window."""

    def __init__(self, session: Session, stage: Path, home: Path):
        self.session = session
        self.stage = stage
        self.home = home
        self.process: subprocess.Popen | None = None
        self.errors: list[Path] = []
        self.launches = 0
        # A command that starts the program, such as `unshare --mount`.
        self.wrapper: tuple[str, ...] = ()
        # With a blinking caret, a page is never still. Chromium asks GTK 3.
        for version in ("3.0", "4.0"):
            settings = home / "config" / f"gtk-{version}" / "settings.ini"
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text("[Settings]\ngtk-cursor-blink=false\n")

    def connect_to(self, emulator: Emulator, **members):
        """Writes apps.json with a connection called Demo and these additional members."""
        directory = self.home / "config" / "entrance"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "apps.json").write_text(
            json.dumps({"version": 1, "apps": [emulator.connection("Demo") | members]}))

    def start(self, *arguments: str) -> "App":
        self.process = self.launch(*(arguments or ("--app", "Demo")))
        wait_for(lambda: screen.window_id(MAIN), "the window")
        find(MAIN, BUTTON, CALL_GRAPH)
        return self

    def launch(self, *arguments: str) -> subprocess.Popen:
        """Starts the program without waiting for it."""
        self.errors.append(self.home / f"stderr-{self.launches}.txt")
        self.launches += 1
        with open(self.errors[-1], "w") as errors:
            return self.session.spawn(
                [*self.wrapper, str(self.stage / "bin" / "entrance"), *arguments],
                env=self.environment(), stderr=errors)

    def complaints(self) -> list[str]:
        """Unexpected messages on standard error in all runs so far."""
        lines = [line for path in self.errors for line in path.read_text().splitlines()]
        return [
            line for line in lines
            if line and not any(re.fullmatch(known, line) for known in KNOWN_COMPLAINTS)]

    def take_complaints(self) -> str:
        """Returns the messages that a test expects; all others are still checked at the end."""
        text = "\n".join(self.complaints())
        self.errors = []
        return text

    def environment(self) -> dict[str, str]:
        return self.session.environment(self.home) | {
            "XDG_DATA_DIRS": f"{self.stage}/share:/usr/local/share:/usr/share",
            # A GLib or GTK warning aborts the program, and fails the test.
            "G_DEBUG": "fatal-criticals",
            "SWIFT_BACKTRACE": "enable=no",
        }

    def stop(self):
        if self.process:
            end(self.process)
            self.process = None
            wait_for(lambda: not has_window(MAIN), "the window to be gone")

    def close(self):
        """Closes the window with the keyboard, and waits for the program to end."""
        screen.focus(screen.window_id(MAIN))
        screen.press("alt+F4")
        self.wait_for_end()

    def wait_for_end(self):
        """Waits for the program to end successfully."""
        assert self.process.wait(60) == 0
        self.process = None

    def restart(self):
        self.stop()
        self.start()

    @property
    def log(self) -> str:
        return find(MAIN, LOG, "Log").text

    @property
    def account(self) -> str:
        """The user name of who is signed in; while nobody is, what the page says in its place."""
        heading, *details = self.account_texts
        return next((text for text in (heading, *details) if "@" in text), heading)

    @property
    def account_texts(self) -> list[str]:
        """What the account is called, and each part of the line below."""
        label = self.account_label
        heading, *below = [text_of(node) for node in children(label.node.get_parent())]
        return [heading, *(text.strip("\u200f") for line in below for text in line.split(" · "))]

    @property
    def account_label(self) -> Widget:
        """The label that says who is signed in; the switcher of the pages has some of the same name."""
        def look():
            window = find_window(MAIN)
            window.clear_cache()
            found = [node for node in search_all(window, LABEL, "Account") if text_of(node) != "Account"]
            return found[0] if found else None

        return Widget(wait_for(look, "the account label"), MAIN)

    @property
    def words(self) -> str:
        """The texts of the window, except for the log."""
        return "\n".join(texts(MAIN))

    def button(self, name: str) -> Widget:
        return find(MAIN, BUTTON, name)

    def call_graph(self):
        self.button(CALL_GRAPH).click()

    def ask_to_sign_out(self) -> str:
        """Clicks *Sign Out*, and returns the title of the question."""
        title = "Sign Out?"
        self.button(SIGN_OUT).click()
        wait_for_dialog(title)
        return title

    def sign_out(self, choice: str = ""):
        """Signs out, with the choice of this name or the one that is preselected."""
        title = self.ask_to_sign_out()
        if choice:
            find(title, LABEL, choice).click()
        screen.press("Return")
        wait_for(lambda: not has_window(title), "the question to close")

    def get_device_info(self):
        self.button(DEVICE_INFO).click()

    def wait_for_log(self, text: str, times: int = 1, timeout: float = 30):
        try:
            wait_for(lambda: self.log.count(text) >= times, f"'{text}' in the log", timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}; the log says:\n{self.log}") from None

    def press_sign_in(self):
        """Presses *Sign In* of the page in sight, which has the focus; hidden pages have one, too."""
        wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", "the button to have the focus")
        screen.press("space")

    def wait_for_account(self, text: str):
        """Waits for an account by its user name, by the name that it was given, or for what stands in its place."""
        wait_for(lambda: text in self.account_texts, f"the page to say '{text}' of the account")

    def wait_until_idle(self):
        wait_for(lambda: self.button(CALL_GRAPH).is_enabled, "the app to be idle")

    def kill_web_process(self):
        """Kills the web process, like a crash."""
        killed = [
            pid for pid in screen.descendants(self.process.pid)
            if screen.process_name(pid) == "WebKitWebProcess"]
        for pid in killed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        assert killed, "no web process"


class SignIn:
    """The sign-in window. Its page cannot be read from outside, so tests look at the requests to
    the emulator.
    """

    def __init__(self, app: App, emulator: Emulator):
        self.app = app
        self.emulator = emulator
        # A picture of the page when it was last still, and when it was last answered.
        self.picture = b""
        self.answered = b""

    def without_window(self, user: User, connection: str = "Demo"):
        """Signs in with entrancectl: far faster than the pages in the window.

        Its accounts in the keyring or a file are the app's, too; it has none in memory.
        """
        browser, address = self.app.home / "silent-browser", self.app.home / "address-for-browser"
        address.unlink(missing_ok=True)
        browser.write_text(f'#!/bin/sh\necho "$1" >{address}.new\nmv {address}.new {address}\n')
        browser.chmod(0o755)
        command = self.app.session.spawn(
            [str(self.app.stage / "bin" / "entrancectl"), "sign-in", "--app", connection],
            env=self.app.environment() | {"BROWSER": str(browser)})
        wait_for(lambda: address.exists() or command.poll() is not None, "the browser to be started")
        person = Person(self.emulator, user)
        # The last page's form brings the response to entrancectl.
        person.sign_in(person.first_page(address.read_text().strip()))
        assert command.wait(60) == 0, "entrancectl could not sign in: see the session's log"

    def open(self) -> "SignIn":
        """Clicks *Call Microsoft Graph API* and waits for the first page."""
        self.answered = b""
        seen = self.emulator.authorize_count()
        self.app.call_graph()
        self.wait_for_page(seen)
        return self

    def wait_for_page(self, seen: int = 0):
        """Waits until more than `seen` sign-ins have begun and the page is still."""
        wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
        wait_for(lambda: self.emulator.authorize_count() > seen, "the sign-in page to be asked for")
        self.rest()

    def rest(self):
        """Waits until the page after the last answer is shown and still."""
        if self.answered:
            # It may look like the previous page, for example after a second wrong password.
            try:
                wait_for(lambda: screen.pixels(self.window) != self.answered, "another page", 2)
            except AssertionError:
                pass
            self.answered = b""
        def is_at_rest() -> bool:
            wait_for(lambda: not self.is_loading, "the page to be loaded")
            self.picture = screen.wait_until_still(SIGN_IN, "the sign-in page")
            # What was still may have been the page before.
            return not self.is_loading

        wait_for(is_at_rest, "the page to be at rest")

    @property
    def window(self) -> str:
        return wait_for(lambda: screen.window_id(SIGN_IN), "the sign-in window on the screen")

    @property
    def is_loading(self) -> bool:
        return exists(SIGN_IN, PROGRESS_BAR, None)

    @property
    def is_open(self) -> bool:
        return has_window(SIGN_IN)

    @property
    def words(self) -> str:
        return "\n".join(texts(SIGN_IN))

    def answer(self, text: str = "", *keys: str):
        """Types into the focused field, submits the form, and waits for the response."""
        self.rest()
        seen = self.emulator.answer_count()
        if text:
            screen.press("ctrl+a")
            screen.type_text(text)
        screen.press(*(keys or ("Return",)))
        wait_for(lambda: self.emulator.answer_count() > seen, "the form to be sent")
        self.answered = self.picture

    def username(self, user: User):
        self.answer(user.username)

    def password(self, password: str):
        self.answer(password)

    def consent(self):
        self.answer("", "Tab", "Return")

    def refuse_consent(self):
        self.answer("", "Tab", "Tab", "Return")

    def stay_signed_in(self):
        self.answer("", "Tab", "Return")

    def cancel_on_page(self):
        """Clicks the button after *Next* on the page for the user name."""
        self.answer("", "Tab", "Tab", "Return")

    def complete(self, user: User, consents: bool = True):
        """Completes all pages, starting with the user name."""
        self.username(user)
        self.password(user.password)
        if consents:
            self.consent()
        self.stay_signed_in()
        self.wait_until_closed()

    def click(self, name: str):
        find(SIGN_IN, BUTTON, name).click()

    def has_button(self, name: str) -> bool:
        return exists(SIGN_IN, BUTTON, name)

    def wait_until_closed(self):
        wait_for(lambda: not self.is_open, "the sign-in window to close")
