"""The display as a user sees and uses it: windows, pointer, keyboard, pictures."""

import os
import re
import subprocess
from pathlib import Path

from waiting import wait_for


def run(*command: str) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=30).stdout


def window_id(title: str) -> str | None:
    """The visible window whose title is exactly `title`; the newest if there are several."""
    found = window_ids(title)
    return found[-1] if found else None


def window_ids(title: str) -> list[str]:
    """All visible windows whose title is exactly `title`."""
    command = ["xdotool", "search", "--onlyvisible", "--name", f"^{re.escape(title)}$"]

    def search() -> subprocess.CompletedProcess | None:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        # If any window is closed meanwhile, the search is aborted.
        return None if "BadWindow" in done.stderr else done

    return wait_for(search, "a search that no window disturbs").stdout.split()


def geometry(window: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window, in screen pixels."""
    values = dict(
        line.split("=", 1)
        for line in run("xdotool", "getwindowgeometry", "--shell", window).split("\n")
        if "=" in line)
    return int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"])


def click(x: float, y: float):
    # Without --sync, which waits forever if the pointer is already there.
    run("xdotool", "mousemove", str(round(x)), str(round(y)), "click", "1")


def press(*keys: str):
    run("xdotool", "key", "--clearmodifiers", *keys)


def type_text(text: str):
    """Types `text`. It is passed on standard input, because arguments must not contain
    passwords.
    """
    subprocess.run(
        ["xdotool", "type", "--clearmodifiers", "--delay", "15", "--file", "-"],
        input=text, text=True, check=True, timeout=60)


def focus(window: str):
    run("xdotool", "windowactivate", "--sync", window)


def active_window() -> str:
    return run("xdotool", "getactivewindow").strip()


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
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["import", "-silent", "-window", window, str(path)], check=True, timeout=60)


def capture_failure(test, results: Path) -> bool:
    """Saves a picture if the test has failed; an interrupted test has no report."""
    report = getattr(test, "report_call", None)
    if report is None or not report.failed:
        return False
    capture(results / f"{test.name}.png")
    return True


def pixels(window: str) -> bytes:
    """The contents of a window, as comparable bytes."""
    return subprocess.run(
        ["import", "-silent", "-window", window, "-depth", "8", "rgb:-"],
        check=True, capture_output=True, timeout=60).stdout


def is_blank(picture: bytes) -> bool:
    """Whether the lower half of a picture has only one color."""
    half = picture[len(picture) // 6 * 3:]
    return half == half[:3] * (len(half) // 3)


def wait_until_still(window: str, what: str) -> bytes:
    """Waits until a window shows something, and is unchanged four times in a row."""
    seen: list[bytes] = []

    def still() -> bool:
        seen.append(pixels(window))
        last = seen[-4:]
        return len(last) == 4 and len(set(last)) == 1 and not is_blank(last[0])

    wait_for(still, f"{what} to come to rest")
    return seen[-1]


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
