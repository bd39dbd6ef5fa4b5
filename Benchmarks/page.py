"""Opens the sign-in page in the app and in the C program in turn, and prints the medians from click to paint.

usage: page.py STAGE BENCH_DIRECTORY RUNS
"""

import ssl
import statistics
import sys
import tempfile
import urllib.parse
from pathlib import Path

from figures import in_turn, line, output

sys.path.insert(0, str(Path(__file__).parent.parent / "Tests" / "ui"))

import screen  # noqa: E402
from accessible import BUTTON, find  # noqa: E402
from app import App, CALL_GRAPH, MAIN  # noqa: E402
from emulator import Emulator  # noqa: E402
from keyring import Keyring  # noqa: E402
from session import Session, end  # noqa: E402
from waiting import wait_for  # noqa: E402

AIM = 1.3
# The accent color of the emulator's pages, which GTK does not use. The page has more pixels of it than that; what
# merely looks like it has fewer.
COLOR, PIXELS = "2456c4", 200


class Programs:
    """The app, the C program, and what they need."""

    def __init__(self, session: Session, stage: Path, bench: Path, emulator: Emulator):
        self.session = session
        self.stage = stage
        self.bench = bench
        self.emulator = emulator
        place = urllib.parse.urlsplit(emulator.base)
        self.certificate = session.directory / "certificate.pem"
        self.certificate.write_text(ssl.get_server_certificate(
            (place.hostname, place.port), ca_certs=emulator.ca.name))

    def app(self) -> float:
        with tempfile.TemporaryDirectory(dir=self.session.directory) as home:
            app = App(self.session, self.stage, Path(home))
            app.connect_to(self.emulator)
            app.start()
            app.wait_until_idle()
            try:
                return self._click(MAIN, CALL_GRAPH)
            finally:
                app.stop()

    def c(self) -> float:
        process = self.session.spawn(
            [str(self.bench / "page"), self._url(), str(self.certificate)],
            env=self.session.environment(self.session.directory / "c-home"))
        try:
            return self._click("Page", "Sign In")
        finally:
            end(process)
            wait_for(lambda: screen.window_id("Page") is None, "the window to be gone")

    def _url(self) -> str:
        """An app's authorization request, whose challenge is never answered."""
        query = urllib.parse.urlencode({
            "client_id": self.emulator.description["clientID"], "response_type": "code",
            "redirect_uri": "msauth.io.github.entrance.entrance://auth",
            "scope": "User.Read openid profile offline_access", "state": "state", "nonce": "nonce",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method": "S256",
        })
        return f"{self.emulator.description['authority']}/oauth2/v2.0/authorize?{query}"

    def _click(self, window: str, name: str) -> float:
        """Milliseconds from the click on a button until the page is on the screen."""
        x, y = find(window, BUTTON, name).resting_center()
        # The last click may have left the pointer there.
        screen.move_pointer(1919, 1079)
        screen.move_pointer(round(x), round(y))
        return float(output(self.bench / "input-paint", COLOR, PIXELS, "click"))


def run(programs: Programs, runs: int):
    for taker in (programs.app, programs.c):
        taker()  # Into the page cache.
    ours, floor = (statistics.median(taken) for taken in in_turn(runs, programs.app, programs.c))
    line("page-paint", ours, "c-webkit", floor, "ms", AIM)


stage, bench, runs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
session = Session()
try:
    session.start()
    keyring = Keyring(session, session.directory / "keyring").start()
    emulator = Emulator(session, stage).start()
    try:
        run(Programs(session, stage, bench, emulator), runs)
    finally:
        emulator.stop()
        keyring.stop()
finally:
    session.close()
