"""Opens answers in the Explorer page and in the C program in turn, sends requests beside curl, and switches pages.

Nothing but keys and the pointer goes in, and what counts is on the screen. Accessibility is off, because GTK would
send each text to the accessibility bus, and the C program far more of it than the app.

usage: ui.py STAGE BENCH_DIRECTORY RUNS
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import in_turn, line, milliseconds, note, output

sys.path.insert(0, str(Path(__file__).parent.parent / "Tests" / "ui"))

import screen  # noqa: E402
from accessible import BUTTON, find  # noqa: E402
from app import MAIN, App, SignIn  # noqa: E402
from certificates import CertificateAuthority  # noqa: E402
from emulator import Emulator  # noqa: E402
from keyring import Keyring  # noqa: E402
from responsiveness import Responsiveness, resident, work  # noqa: E402
from session import Session, end  # noqa: E402
from waiting import wait_for  # noqa: E402

# In megabytes.
SIZES = (1, 10, 100)
# Each page of a list makes two: a request and a response.
EVENTS = 100_000
AIM = 1.1
# In milliseconds.
FRAME_AIM, SEND_AIM, PAGE_AIM = 50, 10, 30
# The color of text, in the app and in the C program.
OURS, THEIRS = "333333", "000000"
# The block has more pixels of it than that; all that is as dark in the rest of the window together has fewer.
BLOCK = 4000
EXPLORER, ACTIVITY = "2", "4"
PAGES = ("1", EXPLORER, "3", ACTIVITY)


class Programs:
    """The app with an account that is signed in, the C program, and what they need."""

    def __init__(self, session: Session, stage: Path, bench: Path, home: Path, api: str):
        self.session = session
        self.bench = bench
        self.home = home
        self.api = api
        self.ca_file = home / "ca.pem"
        self.app = App(session, stage, home)
        # Where the buttons are.
        self.send_place = self.all_pages_place = (0, 0)

    def sign_in(self, emulator: Emulator, authority: Path):
        """Signs in once, for all starts that follow."""
        self.ca_file.write_bytes(Path(emulator.ca.name).read_bytes() + authority.read_bytes())
        self.app.connect_to(emulator, api=f"{self.api}/me", caFile=str(self.ca_file))
        self.app.start()
        SignIn(self.app, emulator).open().complete(emulator.adele)
        self.app.wait_for_log("Result from Graph: {")
        self.app.wait_until_idle()
        screen.focus(screen.window_id(MAIN))
        self.show_explorer()
        self.send_place = find(MAIN, BUTTON, "Send").resting_center()
        self.type_address("/v1.0/pages?$top=2")
        screen.press("Return")
        self.all_pages_place = find(MAIN, BUTTON, "All Pages").resting_center()
        self.app.stop()
        os.environ["GTK_A11Y"] = "none"

    def start(self) -> subprocess.Popen:
        """Starts the app, in its usual size and at the Account page."""
        (self.home / "config" / "glib-2.0" / "settings" / "keyfile").unlink(missing_ok=True)
        process = self.app.launch("--app", "Demo")
        wait_for(lambda: screen.window_id(MAIN), "the window")
        wait_for(lambda: "adele" in screen.run(
            "xdotool", "getwindowname", screen.window_id(MAIN)), "the account")
        screen.focus(screen.window_id(MAIN))
        # The app loads WebKit a second after its start, if nobody is signed in.
        settle(process.pid)
        return process

    def show_explorer(self):
        screen.press(f"alt+{EXPLORER}")
        screen.wait_until_still(MAIN, "the Explorer")

    def type_address(self, path: str):
        screen.press("ctrl+a")
        screen.type_text(path)
        screen.wait_until_still(MAIN, "the address")

    def paint(self, what: str, *keys: str) -> float:
        """Milliseconds from a key or click until what comes of it is on the screen."""
        shown = ["page"] if what == "page" else [what, BLOCK]
        return float(output(self.bench / "input-paint", *shown, *keys))

    def open(self, size: int) -> tuple[float, float]:
        """Milliseconds from *Send* to the first line, and the megabytes that the answer adds at most."""
        process = self.start()
        try:
            self.show_explorer()
            self.type_address(f"/v1.0/large/{size}")
            return self._open(process.pid, OURS)
        finally:
            stop(process, MAIN)

    def open_in_c(self, path: str) -> tuple[float, float]:
        process = self.session.spawn(
            [str(self.bench / "answer"), f"{self.api}/{path}", str(self.ca_file)],
            env=self.app.environment())
        try:
            wait_for(lambda: screen.window_id("Answer"), "the window")
            settle(process.pid)
            return self._open(process.pid, THEIRS)
        finally:
            stop(process, "Answer")

    def _open(self, pid: int, color: str) -> tuple[float, float]:
        before = resident(pid)
        # Forgets the most memory that it had.
        Path(f"/proc/{pid}/clear_refs").write_text("5")
        painted = self.paint(color, "Return")
        settle(pid)
        return painted, peak(pid) - before / 1e6

    def longest_frame(self, size: int) -> float:
        """The longest time, in milliseconds, that the app answers nothing else while an answer opens."""
        process = self.start()
        try:
            self.show_explorer()
            self.type_address(f"/v1.0/large/{size}")
            with Responsiveness(process.pid) as opening:
                self.paint(OURS, "Return")
                settle(process.pid)
            return opening.longest * 1e3
        finally:
            stop(process, MAIN)

    def show_events(self) -> tuple[float, float, float, float]:
        """The longest frames while a list of many pages comes and while its events are shown, the milliseconds until
        they are on the screen, and the megabytes that they add at most.
        """
        process = self.start()
        try:
            self.show_explorer()
            self.type_address(f"/v1.0/pages?$top={EVENTS // 2}")
            self.paint(OURS, "Return")
            settle(process.pid)
            before = resident(process.pid)
            with Responsiveness(process.pid) as adding:
                screen.move_pointer(*map(round, self.all_pages_place))
                screen.run("xdotool", "click", "1")
                settle(process.pid, 600)
            screen.move_pointer(0, 0)
            settle(process.pid)
            with Responsiveness(process.pid) as showing:
                painted = self.paint("page", "Alt_L", ACTIVITY)
                settle(process.pid)
            memory = (resident(process.pid) - before) / 1e6
            return adding.longest * 1e3, showing.longest * 1e3, painted, memory
        finally:
            stop(process, MAIN)

    def measure_sending(self, runs: int):
        process = self.start()
        try:
            self.show_explorer()
            self.type_address("/v1.0/in-turn")

            def curl() -> float:
                return milliseconds(
                    "curl", "--silent", "--fail", "--cacert", self.ca_file, f"{self.api}/in-turn")

            def click() -> float:
                # An answer without the block, and then one with it.
                self._point_at_send()
                screen.run("xdotool", "click", "1")
                settle(process.pid)
                self._point_at_send()
                taken = self.paint(OURS, "click")
                settle(process.pid)
                return taken

            ours, theirs = (statistics.median(taken) for taken in in_turn(
                runs, click, lambda: (curl(), curl())[1]))
            line("ui-send", ours, "curl", theirs, "ms")
            note("ui-send-after-curl", ours - theirs, "ms more", SEND_AIM)
        finally:
            stop(process, MAIN)

    def _point_at_send(self):
        """Moves the pointer to the button, whose look changes for 0.2 s. After 0.5 s there is a tooltip."""
        screen.move_pointer(0, 0)
        screen.move_pointer(*map(round, self.send_place))
        time.sleep(0.3)

    def switch(self) -> tuple[list[float], list[float]]:
        """Milliseconds of the first look at each page, and of others."""
        process = self.start()
        try:
            def show(page: str) -> float:
                taken = self.paint("page", "Alt_L", page)
                settle(process.pid)
                return taken

            first = [show(page) for page in PAGES[1:]]
            return first, [show(page) for page in PAGES * 3]
        finally:
            stop(process, MAIN)


def settle(pid: int, limit: float = 120):
    """Waits until the main thread has done nothing for half a second, except for a little."""
    done = -1.0

    def rests() -> bool:
        nonlocal done
        time.sleep(0.5)
        before, done = done, work(pid)
        return done - before < 0.02

    wait_for(rests, "the program to come to rest", limit)


def peak(pid: int) -> float:
    """The most memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) << 10) / 1e6 for line in lines if line.startswith("VmHWM:"))


def stop(process: subprocess.Popen, window: str):
    end(process)
    wait_for(lambda: screen.window_id(window) is None, "the window to be gone")


def run_events(programs: Programs, runs: int):
    ours, theirs = in_turn(
        max(1, runs // 5), programs.show_events, lambda: programs.open_in_c(f"lines/{EVENTS}"))
    for index, name in enumerate(("add", "show")):
        note(f"ui-events-{name}-longest-frame", max(sample[index] for sample in ours), "ms", FRAME_AIM)
    for index, (name, unit) in enumerate((("first-line", "ms"), ("memory", "MB"))):
        line(f"ui-events-{name}", statistics.median(sample[index + 2] for sample in ours), "GtkSourceView",
             statistics.median(sample[index] for sample in theirs), unit, AIM)


def run(programs: Programs, runs: int):
    run_events(programs, runs)
    programs.measure_sending(2 * runs)
    looks = [programs.switch() for _ in range(max(3, runs // 3))]
    for name, taken in zip(("ui-page-first", "ui-page"), zip(*looks)):
        note(name, statistics.median(sum(taken, [])), "ms", PAGE_AIM)
    for size in SIZES:
        samples = in_turn(
            runs, lambda: programs.open(size), lambda: programs.open_in_c(f"large/{size}"))
        for index, (name, unit) in enumerate((("first-line", "ms"), ("memory", "MB"))):
            ours, theirs = (statistics.median(sample[index] for sample in taken) for taken in samples)
            line(f"ui-open-{size}-{name}", ours, "GtkSourceView", theirs, unit, AIM)
        longest = max(programs.longest_frame(size) for _ in range(max(3, runs // 5)))
        note(f"ui-open-{size}-longest-frame", longest, "ms", FRAME_AIM)


stage, bench, runs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
session = Session()
try:
    session.start()
    authority = CertificateAuthority(session.directory / "ca")
    authority.context("localhost")
    keyring = Keyring(session, session.directory / "keyring").start()
    emulator = Emulator(session, stage).start()
    with tempfile.TemporaryDirectory(dir=session.directory) as home, subprocess.Popen(
            [bench / "graph-server", authority.directory / "host.pem", authority.directory / "host.key"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = int(server.stdout.readline())
            programs = Programs(session, stage, bench, Path(home), f"https://localhost:{port}/v1.0")
            programs.sign_in(emulator, authority.file)
            run(programs, runs)
        finally:
            server.stdin.close()
            emulator.stop()
            keyring.stop()
finally:
    session.close()
