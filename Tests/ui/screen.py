"""The display as a user sees and uses it: windows, pointer, keyboard, pictures."""

import os
import re
import subprocess
import time
from pathlib import Path

import x11
from waiting import wait_for


def run(*command: str) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=30).stdout


# The main window's title begins with its account and app registration, if there are any.
MAIN = "Entrance"


def title_pattern(title: str) -> str:
    """The regular expression for a window's whole title."""
    return ("(.* – )?" if title == MAIN else "") + re.escape(title)


def window_id(title: str) -> str | None:
    """The visible window with this title; the newest if there are several."""
    found = window_ids(title)
    return found[-1] if found else None


def window_ids(title: str) -> list[str]:
    """All visible windows with this title, in the order in which they were opened."""
    return [str(window) for window, name in x11.windows() if re.fullmatch(title_pattern(title), name)]


def search(*properties: str) -> list[str]:
    """The visible windows with these properties."""
    command = ["xdotool", "search", "--onlyvisible", *properties]

    def look() -> subprocess.CompletedProcess | None:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        # If any window is closed meanwhile, the search is aborted: with BadWindow or, more rarely, BadDrawable.
        return None if "X Error" in done.stderr else done

    return wait_for(look, "a search that no window disturbs").stdout.split()


def popovers(pid: int) -> list[str]:
    """The windows of a program that are not main windows: GTK's popovers have no title."""
    main = window_ids(MAIN)
    return [window for window in search("--pid", str(pid)) if window not in main]


# Stands for the title of the window that has the focus.
ACTIVE = "the active window"


def shown(window: str) -> str:
    """The visible window with this title; a window's number, and `root`, stand for themselves."""
    if window == ACTIVE:
        return active_window()
    found = window if window == "root" or window.isdigit() else window_id(window)
    if found is None:
        raise LookupError(f"no window '{window}' on the screen")
    return found


def look_at(window: str, *command: str) -> bytes:
    """What a command prints about a window. If it fails because the window was closed meanwhile, that is a
    `LookupError`, after which `wait_for` looks again.
    """
    done = subprocess.run(command, capture_output=True, timeout=60)
    if done.returncode == 0 and done.stdout:
        return done.stdout
    if window != "root" and not is_shown(window):
        raise LookupError(f"window {window} is no longer on the screen")
    raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")


def is_shown(window: str) -> bool:
    done = subprocess.run(["xwininfo", "-id", window], capture_output=True, text=True, timeout=30)
    return "Map State: IsViewable" in done.stdout


def geometry(window: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window, in screen pixels."""
    return x11.geometry(int(window))


def click(x: float, y: float):
    # Without --sync, which waits forever if the pointer is already there.
    run("xdotool", "mousemove", str(round(x)), str(round(y)), "click", "1")


def move_pointer(x: int, y: int):
    run("xdotool", "mousemove", str(x), str(y))


def press(*keys: str):
    run("xdotool", "key", "--clearmodifiers", *keys)


def type_text(text: str):
    """Types `text`. It is passed on standard input, because arguments must not contain
    passwords.
    """
    subprocess.run(
        ["xdotool", "type", "--clearmodifiers", "--delay", "15", "--file", "-"],
        input=text, text=True, check=True, timeout=60)


def copy(text: str):
    """Copies a text, as another program does."""
    # It goes on in the background, until another program copies something.
    subprocess.run(
        ["xclip", "-selection", "clipboard"], input=text, text=True, check=True, timeout=20,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def copied(kind: str = "UTF8_STRING") -> str:
    """What is on the clipboard, as this kind of content; an empty text if there is none."""
    return subprocess.run(
        ["xclip", "-selection", "clipboard", "-out", "-target", kind], capture_output=True, text=True,
        timeout=20).stdout


def open_file(path: Path, dialog: str):
    """Chooses a file in the dialog, by its path."""
    wait_for(lambda: active_window() == window_id(dialog), "the dialog")
    wait_until_still(dialog, "the dialog to be ready")
    type_text(str(path))
    press("Return")
    wait_for(lambda: not window_id(dialog), "the dialog to be gone")


def save_file(path: Path, dialog: str):
    """Gives the new file in the dialog its path."""
    wait_for(lambda: active_window() == window_id(dialog), "the dialog")
    wait_until_still(dialog, "the dialog to be ready")
    press("ctrl+a")
    type_text(str(path))
    press("Return")


def focus(window: str):
    run("xdotool", "windowactivate", "--sync", window)


def active_window() -> str:
    found = x11.active_window()
    if found is None:
        raise LookupError("no window has the focus")
    return str(found)


def close(window: str):
    """Asks the window manager to close a window, like the button in a task bar."""
    run("wmctrl", "-i", "-c", hex(int(window)))


def scroll_up(x: float, y: float, clicks: int):
    """Turns the mouse wheel."""
    run("xdotool", "mousemove", str(round(x)), str(round(y)), "click", "--repeat", str(clicks),
        "--delay", "1", "4")


def resize(window: str, width: int, height: int):
    run("xdotool", "windowsize", "--sync", window, str(width), str(height))


def set_text_scale(scale: float):
    """Sets the size of text in programs that are started from now on."""
    run("xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER",
        f"Xft.dpi:\t{round(96 * scale)}\n")


def capture(path: Path, window: str = "root"):
    """Saves a picture of a window or the screen, as it is now."""
    path.parent.mkdir(parents=True, exist_ok=True)

    path.write_bytes(
        wait_for(lambda: picture_of(shown(window)), f"a picture of '{window}'"))


def capture_failure(test, results: Path) -> bool:
    """Saves a picture if the test has failed; an interrupted test has no report."""
    report = getattr(test, "report_call", None)
    if report is None or not report.failed:
        return False
    capture(results / f"{test.name}.png")
    return True


def pixels(window: str, areas=()) -> bytes:
    """Red, green and blue of each pixel of a window, with some areas of it in gray."""
    width, height, picture = x11.pixels(int(shown(window)))
    for left, top, right, bottom in areas:
        begin, end = max(0, left), min(width, right + 1)
        for row in range(max(0, top), min(height, bottom + 1)):
            picture[(row * width + begin) * 3:(row * width + end) * 3] = GRAY * max(0, end - begin)
    return bytes(picture)


GRAY = b"\x80" * 3


def picture_of(window: str) -> bytes:
    """A picture of a window, as a PNG file."""
    # Not with `convert`, which has the user choose another window if there is none of this number.
    return look_at(window, "import", "-silent", "-window", window, "-quality", "10", "png:-")


def edited(picture: bytes, *arguments: str) -> bytes:
    """What ImageMagick makes of a picture."""
    return subprocess.run(
        ["convert", "-", "+repage", *arguments], input=picture, check=True, capture_output=True,
        timeout=60).stdout


def painted(areas) -> list[str]:
    """ImageMagick's arguments that paint over areas: left, top, right and bottom of each."""
    return [part for left, top, right, bottom in areas
            for part in ("-draw", f"rectangle {left},{top} {right},{bottom}")]


def is_blank(picture: bytes) -> bool:
    """Whether the lower half of a picture has only one color."""
    half = picture[len(picture) // 6 * 3:]
    return half == half[:3] * (len(half) // 3)


def wait_until_still(window: str, what: str = "", find_areas=tuple) -> bytes:
    """Waits until a window shows something and no longer changes: four pictures in a row, a tenth of a second
    apart, are the same.

    A window is found by its title or number. On a busy computer, a program may not have had the time to draw
    what comes next, so a picture counts only if the program had its turn since the one before. What is in the
    areas may change.
    """
    seen: list[bytes] = []
    turns = Turns()
    # To ask for them takes far longer than a picture, so it is done again only after something changed.
    areas = None
    next_picture = 0.0

    def still() -> bool:
        nonlocal areas, next_picture
        if time.monotonic() < next_picture:
            return False
        next_picture = time.monotonic() + 0.1
        try:
            found = shown(window)
            if areas is None:
                areas = find_areas()
            picture = pixels(found, areas)
        except LookupError:
            seen.clear()
            areas = None
            raise
        had_turns = turns.all_had_theirs(found)
        if seen and seen[-1] != picture:
            seen.clear()
            areas = None
            return False
        if seen and not had_turns:
            return False
        seen.append(picture)
        if len(seen) < 4 or is_blank(picture):
            return False
        if (now := find_areas()) == areas:
            return True
        areas = now
        seen.clear()
        return False

    wait_for(still, f"{what or window} to come to rest", 60)
    return seen[-1]


class Turns:
    """Tells whether the programs that draw a window could do all that they had to since the last question.

    A program that waits for something has nothing to do at the moment. One that has begun to wait several times
    has been at its main loop.
    """

    def __init__(self, with_pages: bool = True):
        # Whether those that draw web pages count, too; a page may never rest.
        self.with_pages = with_pages
        self.waits: dict[int, int] = {}
        self.owners: dict[str, int | None] = {}

    def all_had_theirs(self, window: str) -> bool:
        before = self.waits
        self.waits = {}
        had = True
        if window not in self.owners:
            self.owners[window] = owner(window)
        for pid in drawing_processes(self.owners[window], self.with_pages):
            try:
                status = dict(
                    line.split(":\t", 1) for line in
                    Path("/proc", str(pid), "status").read_text().splitlines() if ":\t" in line)
            except OSError:
                continue
            self.waits[pid] = int(status["voluntary_ctxt_switches"])
            had = had and (
                status["State"].startswith("S") or self.waits[pid] - before.get(pid, 1 << 60) > 2)
        return had


def drawing_processes(pid: int | None, with_pages: bool = True) -> list[int]:
    """The program of a window, and those that draw its web pages."""
    return [] if pid is None else [pid] + [
        child for child in (descendants(pid) if with_pages else [])
        if process_name(child) in ("WebKitWebProcess", "WebKitNetworkProcess")]


def owner(window: str) -> int | None:
    """The program of a window, if it says so."""
    done = subprocess.run(
        ["xdotool", "getwindowpid", window], capture_output=True, text=True, timeout=30)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip().isdigit() else None


def descendants(pid: int) -> list[int]:
    """All descendants of the process `pid`."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            found.append(child)
            waiting.append(child)
    return found


def process_name(pid: int) -> str:
    try:
        return os.path.basename(
            Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")[0].decode())
    except OSError:
        return ""
