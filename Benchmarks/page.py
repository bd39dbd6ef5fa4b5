"""Opens the sign-in page in the app and in the C program in turn, and prints the medians from click to paint.

The C program is run a third time with its web process started before the click, and what that costs while
nobody clicks is measured: memory, wake-ups and time of the processor.

usage: page.py STAGE BENCH_DIRECTORY RUNS
"""

import os
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from figures import in_turn, line, note

sys.path.insert(0, str(Path(__file__).parent.parent / "Tests" / "ui"))

import screen  # noqa: E402
from accessible import BUTTON, find  # noqa: E402
from app import App, CALL_GRAPH, MAIN  # noqa: E402
from emulator import Emulator  # noqa: E402
from keyring import Keyring  # noqa: E402
from session import Session, end  # noqa: E402
from waiting import wait_for  # noqa: E402

AIM = 1.3
# The accent color of the emulator's pages, which GTK does not use.
COLOR = "2456c4"
# How long a program waits for the click while it is measured, in seconds.
WAIT = 10
# How long the pointer is on the button before the click, in seconds.
HOVER = 0.3


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

    def c(self, *options: str, hover: float = 0) -> float:
        process = self._start_c(*options)
        try:
            return self._click("Page", "Sign In", hover)
        finally:
            self._stop(process)

    def resting(self, *options: str) -> dict:
        """The load of the C program and all its processes while it waits for the click."""
        process = self._start_c(*options)
        try:
            find("Page", BUTTON, "Sign In")
            family = [process.pid, *screen.descendants(process.pid)]
            before = [usage(pid) for pid in family]
            time.sleep(WAIT)
            after = [usage(pid) for pid in family]
            return {
                "memory": sum(memory(pid) for pid in family),
                "wake-ups": sum(new[0] - old[0] for new, old in zip(after, before)) / WAIT,
                "processor": sum(new[1] - old[1] for new, old in zip(after, before)) * 1e3 / WAIT,
            }
        finally:
            self._stop(process)

    def _start_c(self, *options: str) -> subprocess.Popen:
        home = self.session.directory / "c-home"
        return self.session.spawn(
            [str(self.bench / "page"), *options, self._url(), str(self.certificate)],
            env=self.session.environment(home))

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

    def _click(self, window: str, name: str, hover: float = 0) -> float:
        """Milliseconds from the click on a button until the page is on the screen."""
        x, y = find(window, BUTTON, name).resting_center()
        # The last click may have left the pointer there.
        screen.run("xdotool", "mousemove", "1919", "1079")
        screen.run("xdotool", "mousemove", str(round(x)), str(round(y)))
        with subprocess.Popen(
                [self.bench / "page-paint", COLOR], stdout=subprocess.PIPE, text=True) as watcher:
            watcher.stdout.readline()
            time.sleep(hover)
            start = time.monotonic()
            screen.run("xdotool", "click", "1")
            painted = watcher.stdout.readline()
        assert painted, "the page was not painted"
        return float(painted) - start * 1e3

    @staticmethod
    def _stop(process: subprocess.Popen):
        end(process)
        wait_for(lambda: screen.window_id("Page") is None, "the window to be gone")


def usage(pid: int) -> tuple[int, float]:
    """The number of wake-ups of the threads of a process so far, and the seconds that they ran."""
    wake_ups = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        for entry in status.read_text().splitlines():
            if entry.startswith("voluntary_ctxt_switches:"):
                wake_ups += int(entry.split()[1])
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return wake_ups, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """The memory of a process in MB; what it shares with others counts in parts."""
    for entry in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if entry.startswith("Pss:"):
            return int(entry.split()[1]) / 1024
    return 0


def run(programs: Programs, runs: int):
    for taker in (programs.app, programs.c):
        taker()  # Into the page cache.
    ours, floor, warm, hover = (
        statistics.median(taken) for taken in in_turn(
            runs, programs.app, programs.c, lambda: programs.c("--warm"),
            lambda: programs.c("--hover", hover=HOVER)))
    line("page-paint", ours, "c-webkit", floor, "ms", AIM)
    line("page-paint-warm", ours, "c-webkit warm", warm, "ms")
    line("page-paint-hover", ours, "c-webkit hover", hover, "ms")
    cold, warm = programs.resting(), programs.resting("--warm")
    note("page-warm-memory", warm["memory"] - cold["memory"], "MB more than without a web process")
    note("page-warm-wake-ups", warm["wake-ups"] - cold["wake-ups"], "a second more")
    note("page-warm-processor", warm["processor"] - cold["processor"], "ms a second more")


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
