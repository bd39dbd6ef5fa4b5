"""The sign-in window alone, without the app, and the service whose pages it shows."""

import re
import stat
import subprocess
from pathlib import Path

import screen
from accessible import BUTTON, children, find, find_window, has_window, texts
from app import KNOWN_COMPLAINTS, SIGN_IN
from certificates import CertificateAuthority
from hostile import DRIVER, HOST, OTHER, Hostile, Reply
from session import Session, end
from waiting import wait_for

REDIRECT = "msauth.io.github.entrance.entrance://auth"
STATE = "1234567890"
BROWSER_SCRIPT = """#!/bin/sh
printf '%s\\n' "$1" >> "$0.log"
"""


class WebTool:
    def __init__(self, session: Session, stage: Path, tools: Path, home: Path):
        self.session = session
        self.resources = stage / "share" / "entrance" / "entrance.gresource"
        self.program = tools / "web-tool"
        self.home = home
        self.authority = CertificateAuthority(home / "known")
        self.service = Hostile(self.authority.context(HOST, OTHER, "third.localhost"))
        self.browser = home / "browser"
        self.browser.write_text(BROWSER_SCRIPT)
        self.browser.chmod(self.browser.stat().st_mode | stat.S_IXUSR)
        self.process: subprocess.Popen | None = None
        self.output = home / "output.txt"
        self.errors = home / "errors.txt"

    @property
    def start_url(self) -> str:
        return self.service.url(
            f"/common/oauth2/v2.0/authorize?state={STATE}&redirect_uri={REDIRECT}")

    def open(self, *options: str, first: Reply | None = None):
        """Opens the window, and waits for its page."""
        self.service.first = first or Reply(DRIVER)
        seen = len(self.service.pages)
        self.launch(*options)
        wait_for(lambda: screen.window_id(SIGN_IN), "the sign-in window")
        if first is None:
            wait_for(lambda: len(self.service.pages) > seen, "the page", 30)
            screen.focus(screen.window_id(SIGN_IN))
        return self

    def launch(self, *options: str):
        with open(self.output, "w") as output, open(self.errors, "a") as errors:
            self.process = self.session.spawn(
                [str(self.program), str(self.resources), str(self.authority.file), REDIRECT,
                 self.start_url, *options],
                stdout=output, stderr=errors,
                env=self.session.environment(self.home) | {
                    "BROWSER": str(self.browser), "G_DEBUG": "fatal-criticals",
                    "SWIFT_BACKTRACE": "enable=no", "LLVM_PROFILE_FILE": "/dev/null",
                })

    def result(self) -> list[str]:
        """Waits for the end of the sign-in, and returns what was printed."""
        assert self.process.wait(20) == 0
        self.process = None
        return self.output.read_text().splitlines()

    def close(self):
        if self.process:
            end(self.process)
            self.process = None
            wait_for(lambda: not has_window(SIGN_IN), "the window to be gone")
        self.service.close()

    @property
    def opened_links(self) -> list[str]:
        log = Path(f"{self.browser}.log")
        return log.read_text().splitlines() if log.exists() else []

    @property
    def words(self) -> str:
        return "\n".join(self.words_of(SIGN_IN))

    def wait_for_words(self, text: str):
        try:
            wait_for(lambda: text in self.words, f"'{text}' in the sign-in window", 30)
        except AssertionError as error:
            raise AssertionError(f"{error}; it says:\n{self.words}") from None

    def words_of(self, title: str) -> list[str]:
        """The texts of a window, with those that screen readers announce; none when it is gone."""
        def alerts(node):
            for child in children(node):
                if child.get_role_name() == "alert" and child.get_name():
                    yield child.get_name()
                yield from alerts(child)

        try:
            return [*texts(title), *alerts(find_window(title))]
        except LookupError:
            return []

    def complaints(self) -> list[str]:
        """Unexpected messages on standard error."""
        lines = self.errors.read_text().splitlines() if self.errors.exists() else []
        return [
            line for line in lines
            if line and not any(re.fullmatch(known, line) for known in KNOWN_COMPLAINTS)]

    def click(self, name: str):
        find(SIGN_IN, BUTTON, name).click()

    def run(self, script: str):
        return self.service.run(script)
