"""The display as a person sees and uses it: windows, pointer, keyboard, pictures."""

import os
import re
import subprocess
from pathlib import Path

from waiting import wait_for


def run(*command: str) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=30).stdout


def window_id(title: str) -> str | None:
    """The visible window whose title is exactly `title`; the newest when there are several."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", f"^{re.escape(title)}$"],
        capture_output=True, text=True, timeout=30).stdout.split()
    return found[-1] if found else None


def geometry(window: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window, in pixels of the screen."""
    values = dict(
        line.split("=", 1)
        for line in run("xdotool", "getwindowgeometry", "--shell", window).split("\n")
        if "=" in line)
    return int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"])


def click(x: float, y: float):
    run("xdotool", "mousemove", "--sync", str(round(x)), str(round(y)), "click", "1")


def press(*keys: str):
    run("xdotool", "key", "--clearmodifiers", *keys)


def type_text(text: str):
    """Types `text`. It goes through standard input, as passwords do not belong in arguments."""
    subprocess.run(
        ["xdotool", "type", "--clearmodifiers", "--delay", "15", "--file", "-"],
        input=text, text=True, check=True, timeout=60)


def focus(window: str):
    run("xdotool", "windowactivate", "--sync", window)


def active_window() -> str:
    return run("xdotool", "getactivewindow").strip()


def resize(window: str, width: int, height: int):
    run("xdotool", "windowsize", "--sync", window, str(width), str(height))


def capture(path: Path, window: str = "root"):
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["import", "-silent", "-window", window, str(path)], check=True, timeout=60)


def pixels(window: str) -> bytes:
    """What a window shows, as bytes that can be compared."""
    return subprocess.run(
        ["import", "-silent", "-window", window, "-depth", "8", "rgb:-"],
        check=True, capture_output=True, timeout=60).stdout


def wait_until_still(window: str, what: str):
    """Waits until a window shows the same picture four times in a row."""
    seen: list[int] = []

    def still() -> bool:
        seen.append(hash(pixels(window)))
        return len(seen) >= 4 and len(set(seen[-4:])) == 1

    wait_for(still, f"{what} to come to rest")


def descendants(pid: int) -> list[int]:
    """All processes that `pid` started, and those that they started."""
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
