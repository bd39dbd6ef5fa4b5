"""A notification server, like GNOME's or that of other desktops, whose buttons a test presses.

usage: notifications.py gtk|freedesktop   prints "ready"; then reads commands from its input, line by line:
    list               prints the notifications, as JSON: title, body, and the labels of the buttons
    press LABEL        presses a button of the only notification; "click" stands for the notification itself
    press-again LABEL  presses a button of the last notification that is gone
"""

import json
import subprocess
import sys
from pathlib import Path

APPLICATION = "io.github.entrance.Entrance"
NAMES = {"gtk": "org.gtk.Notifications", "freedesktop": "org.freedesktop.Notifications"}
CLICK = "click"


class Notifications:
    """The server, as a test uses it."""

    def __init__(self, session, kind: str):
        self.process = session.spawn(
            ["/usr/bin/python3", str(Path(__file__)), kind], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def _ask(self, command: str):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    @property
    def all(self) -> list[dict]:
        return self._ask("list")

    def press(self, label: str):
        assert self._ask(f"press {label}") is True

    def press_again(self, label: str):
        """A button of a notification that was taken away, which a slow desktop may still show."""
        assert self._ask(f"press-again {label}") is True

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)


GTK = """<node><interface name="org.gtk.Notifications">
  <method name="AddNotification">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
  </method>
  <method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""
FREEDESKTOP = """<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/>
  </method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>"""


def serve(kind: str):
    from gi.repository import Gio, GLib

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    path = "/" + NAMES[kind].replace(".", "/")
    shown: dict = {}
    gone: list = []
    last_number = 0

    def remove(key):
        if key in shown:
            gone.append(shown.pop(key))

    def call(bus, sender, path, interface, method, arguments, invocation):
        nonlocal last_number
        values = arguments.unpack()
        result = None
        match method:
            case "AddNotification":
                _, key, content = values
                buttons = {
                    button["label"]: (button["action"], button.get("target"))
                    for button in content.get("buttons", [])}
                buttons[CLICK] = content["default-action"], content.get("default-action-target")
                shown[key] = {
                    "title": content["title"], "body": content["body"], "buttons": buttons}
            case "RemoveNotification":
                remove(values[1])
            case "Notify":
                _, number, _, title, body, actions, _, _ = values
                if not number:
                    last_number += 1
                    number = last_number
                buttons = {
                    CLICK if action == "default" else label: (number, action)
                    for action, label in zip(actions[::2], actions[1::2])}
                shown[number] = {"title": title, "body": body, "buttons": buttons}
                result = GLib.Variant("(u)", (number,))
            case "CloseNotification":
                remove(values[0])
                bus.emit_signal(
                    sender, path, interface, "NotificationClosed", GLib.Variant("(uu)", (values[0], 3)))
            case "GetCapabilities":
                result = GLib.Variant("(as)", (["actions", "body"],))
            case "GetServerInformation":
                result = GLib.Variant("(ssss)", ("tests", "tests", "1", "1.2"))
        invocation.return_value(result)

    def press(notification: dict, label: str):
        first, second = notification["buttons"][label]
        if kind == "freedesktop":
            # A server takes a notification away with its action, before the app could.
            remove(first)
            for signal, content in (
                    ("ActionInvoked", GLib.Variant("(us)", (first, second))),
                    ("NotificationClosed", GLib.Variant("(uu)", (first, 2)))):
                bus.emit_signal(None, path, NAMES[kind], signal, content)
            return
        target = [] if second is None else [GLib.Variant("s", second)]
        bus.call_sync(
            APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application",
            "ActivateAction", GLib.Variant("(sava{sv})", (first.removeprefix("app."), target, {})),
            None, Gio.DBusCallFlags.NONE, 5000, None)

    def hear(channel, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        command, _, label = line.rstrip("\n").partition(" ")
        answer = True
        match command:
            case "list":
                answer = [
                    {"title": one["title"], "body": one["body"],
                     "buttons": [label for label in one["buttons"] if label != CLICK]}
                    for one in shown.values()]
            case "press":
                [(key, notification)] = shown.items()
                press(notification, label)
            case "press-again":
                press(gone[-1], label)
        print(json.dumps(answer), flush=True)
        return True

    description = Gio.DBusNodeInfo.new_for_xml(GTK if kind == "gtk" else FREEDESKTOP)
    bus.register_object(path, description.interfaces[0], call, None, None)
    Gio.bus_own_name_on_connection(
        bus, NAMES[kind], Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, hear)
    loop = GLib.MainLoop()
    loop.run()


if __name__ == "__main__":
    serve(sys.argv[1])
