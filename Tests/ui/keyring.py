"""A real gnome-keyring for one test, inspected from outside the app."""

import subprocess
from pathlib import Path

from gi.repository import Gio, GLib

from session import Session, end
from waiting import wait_for

SERVICE = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
PASSWORD = "a password for tests"


class Keyring:
    def __init__(self, session: Session, home: Path):
        self.session = session
        self.home = home
        self.process: subprocess.Popen | None = None
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def start(self, unlocked: bool = True) -> "Keyring":
        """Starts the daemon unlocked, like a login does, or like a login without a password."""
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        self.process = self.session.spawn(
            command + (["--unlock"] if unlocked else []),
            stdin=subprocess.PIPE, env=self.session.environment(self.home))
        self.process.stdin.write(PASSWORD.encode() if unlocked else b"")
        self.process.stdin.close()
        wait_for(self.is_running, "the keyring")
        if unlocked:
            wait_for(lambda: not self.is_locked(), "the keyring to be unlocked")
        return self

    def stop(self):
        if self.process:
            end(self.process)
            self.process = None
            wait_for(lambda: not self.is_running(), "the keyring to be gone")

    def lock(self):
        """Creates a locked keyring."""
        self.stop()
        self.start(unlocked=False)
        wait_for(self.is_locked, "the keyring to be locked")

    def is_running(self) -> bool:
        answer = self.bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", (SERVICE,)), None, Gio.DBusCallFlags.NONE, 5000)
        return answer.unpack()[0]

    def is_locked(self) -> bool:
        collection = self._call(
            PATH, "org.freedesktop.Secret.Service", "ReadAlias",
            GLib.Variant("(s)", ("default",)))[0]
        if collection == "/":
            raise LookupError("no default collection")
        return self._get(collection, "org.freedesktop.Secret.Collection", "Locked")

    def items(self) -> list[dict]:
        """Label and attributes of each item in each collection.

        Except for the store's index, which remains when the last account is removed, and contains
        only random IDs.
        """
        items = [
            {
                "label": self._get(item, "org.freedesktop.Secret.Item", "Label"),
                "attributes": self._get(item, "org.freedesktop.Secret.Item", "Attributes"),
            }
            for collection in self._get(PATH, "org.freedesktop.Secret.Service", "Collections")
            for item in self._get(collection, "org.freedesktop.Secret.Collection", "Items")
        ]
        return [item for item in items if item["attributes"].get("kind") != "index"]

    def remove_items(self, **attributes: str):
        """Loses the items that have `attributes`."""
        for collection in self._get(PATH, "org.freedesktop.Secret.Service", "Collections"):
            for item in self._get(collection, "org.freedesktop.Secret.Collection", "Items"):
                found = self._get(item, "org.freedesktop.Secret.Item", "Attributes")
                if attributes.items() <= found.items():
                    self._call(item, "org.freedesktop.Secret.Item", "Delete", None)

    def _get(self, path: str, interface: str, name: str):
        return self._call(
            path, "org.freedesktop.DBus.Properties", "Get",
            GLib.Variant("(ss)", (interface, name)))[0]

    def _call(self, path: str, interface: str, method: str, arguments: GLib.Variant):
        return self.bus.call_sync(
            SERVICE, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 5000
        ).unpack()
