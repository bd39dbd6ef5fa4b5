"""A Wayland desktop instead of X11: a session, and the functions of `screen`.

sway runs headless and has no pointer: tests type, and press the app's buttons with assistive
technology.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import accessible
import screen
import session as x11
import switcher
from app import MAIN
from waiting import wait_for

CONFIGURATION = """
output * resolution 960x720 background #303030 solid_color
xwayland disable
default_border none
focus_on_window_activation focus
for_window [app_id=".*"] floating enable
"""
MODIFIERS = ("alt", "ctrl", "shift")


class Session(x11.Session):
    def _start_display(self) -> dict[str, str]:
        configuration = self.directory / "sway.conf"
        configuration.write_text(CONFIGURATION)
        control = self.directory / "sway.sock"
        self.spawn(
            ["sway", "--config", str(configuration)],
            env=os.environ | {
                "SWAYSOCK": str(control), "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
                "WLR_LIBINPUT_NO_DEVICES": "1"})
        runtime = Path(os.environ["XDG_RUNTIME_DIR"])
        socket = wait_for(
            lambda: next((path for path in runtime.glob("wayland-?") if path.is_socket()), None),
            "the compositor")
        wait_for(control.is_socket, "the compositor's control")
        display = {
            "WAYLAND_DISPLAY": socket.name, "SWAYSOCK": str(control), "XDG_SESSION_TYPE": "wayland",
            "GDK_BACKEND": "wayland"}
        # A permanent virtual keyboard: the first key of a new one is lost.
        self.spawn(["wtype", "-s", "3600000"], env=os.environ | display)
        return display

    def environment(self, home: Path) -> dict[str, str]:
        # With a blinking cursor, a page is never still. On Wayland, GTK asks GSettings, and not the file that
        # `App` writes.
        settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text("[org/gnome/desktop/interface]\ncursor-blink=false\n")
        return super().environment(home)


def run(*command: str) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=30).stdout


def sway(*command: str):
    for answer in json.loads(run("swaymsg", "--raw", "--", *command)):
        assert answer["success"], answer


def windows() -> list[dict]:
    def collect(node: dict):
        if node["type"] in ("con", "floating_con") and node.get("pid") and node["visible"]:
            yield node
        for child in node["nodes"] + node["floating_nodes"]:
            yield from collect(child)

    return list(collect(json.loads(run("swaymsg", "--raw", "--type", "get_tree"))))


def window_id(title: str) -> str | None:
    return next(
        (str(node["id"]) for node in windows() if re.fullmatch(screen.title_pattern(title), node["name"] or "")),
        None)


def window(identifier: str) -> dict:
    for node in windows():
        if str(node["id"]) == identifier:
            return node
    raise LookupError(f"no window {identifier}")


def geometry(identifier: str) -> tuple[int, int, int, int]:
    rect = window(identifier)["rect"]
    return rect["x"], rect["y"], rect["width"], rect["height"]


def press(*keys: str):
    for key in keys:
        *modifiers, key = key.split("+")
        assert all(modifier in MODIFIERS for modifier in modifiers), modifiers
        command = ["wtype"]
        for modifier in modifiers:
            command += ["-M", modifier]
        run(*command, "-k", key)


def type_text(text: str):
    subprocess.run(["wtype", "-d", "15", "-"], input=text, text=True, check=True, timeout=60)


def focus(identifier: str):
    sway(f"[con_id={identifier}]", "focus")


def active_window() -> str:
    for node in windows():
        if node["focused"]:
            return str(node["id"])
    raise LookupError("no window has the focus")


def pixels(window: str, areas=()) -> bytes:
    left, top, width, height = geometry(screen.shown(window))
    picture = subprocess.run(
        ["grim", "-t", "ppm", "-g", f"{left},{top} {width}x{height}", "-"],
        check=True, capture_output=True, timeout=60).stdout
    return screen.edited(picture, "-fill", "gray", *screen.painted(areas), "-depth", "8", "rgb:-")


def owner(identifier: str) -> int:
    return window(identifier)["pid"]


def capture(path: Path, identifier: str = ""):
    path.parent.mkdir(parents=True, exist_ok=True)
    run("grim", str(path))


def use():
    """Makes everything that uses `screen` use this desktop."""
    for function in (
        window_id, geometry, press, type_text, focus, active_window, pixels, owner, capture
    ):
        setattr(screen, function.__name__, function)
    accessible.Widget.click = press_widget
    switcher.open_switcher = open_switcher


def open_switcher():
    """Opens the list of accounts like a screen reader."""
    accessible.find(MAIN, accessible.BUTTON, switcher.SWITCH).click()
    accessible.find(MAIN, accessible.BUTTON, "Add Account…")


def press_widget(widget: accessible.Widget):
    """Presses a button like a screen reader, and a row of a list, which has no action, with the keyboard."""
    if not widget.press():
        widget.press_with_keys()
