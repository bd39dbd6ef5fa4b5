"""Walks through the accessible objects of a window with few calls.

libatspi asks for one child at a time, which GTK finds by counting from the first one: that takes a program four
times as long as to name all children at once.
"""

import functools

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE = "org.a11y.atspi.Accessible"
TEXT = "org.a11y.atspi.Text"
TIMEOUT = 5000  # milliseconds


class Place:
    """An accessible object by its place in the tree."""

    def __init__(self, root: Atspi.Accessible, path: str, parent: "Place | None" = None, index: int = 0):
        self.root = root
        self.path = path
        self.parent = parent
        self.index = index

    @property
    def role(self) -> str:
        return role_name(self._call(ACCESSIBLE, "GetRole")[0])

    @property
    def name(self) -> str:
        return self._call(
            "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (ACCESSIBLE, "Name")))[0]

    @property
    def is_focused(self) -> bool:
        state = int(Atspi.StateType.FOCUSED)
        return bool(self._call(ACCESSIBLE, "GetState")[0][state // 32] >> state % 32 & 1)

    @property
    def has_text(self) -> bool:
        return TEXT in self._call(ACCESSIBLE, "GetInterfaces")[0]

    @property
    def text(self) -> str:
        # GTK 4.8 returns nothing up to -1.
        return self._call(TEXT, "GetText", GLib.Variant("(ii)", (0, (1 << 31) - 1)))[0]

    @property
    def children(self) -> "list[Place]":
        return [
            Place(self.root, path, self, index)
            for index, (_, path) in enumerate(self._call(ACCESSIBLE, "GetChildren")[0])]

    @property
    def node(self) -> Atspi.Accessible:
        """The object for libatspi; raises `LookupError` if another one is at its place by now."""
        if self.parent is None:
            return self.root
        parent = self.parent.node
        for index in [self.index, *range(parent.get_child_count())]:
            child = parent.get_child_at_index(index)
            # In GTK 4.8, a stack has its pages between itself and their contents only for who asks for one child.
            for node in (child, child and child.get_child_at_index(0)):
                if node is not None and node.path == self.path:
                    return node
        raise LookupError("the widgets have changed meanwhile")

    def _call(self, interface: str, method: str, arguments: GLib.Variant | None = None) -> tuple:
        return bus().call_sync(
            self.root.app.bus_name, self.path, interface, method, arguments, None,
            Gio.DBusCallFlags.NONE, TIMEOUT, None).unpack()


def walk(root: Atspi.Accessible):
    """All descendants of an object, in reading order."""
    waiting = Place(root, root.path).children[::-1]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += place.children[::-1]


@functools.cache
def role_name(number: int) -> str:
    return Atspi.role_get_name(Atspi.Role(number))


@functools.cache
def bus() -> Gio.DBusConnection:
    """A connection to the accessibility bus."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address, = session.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
        Gio.DBusCallFlags.NONE, TIMEOUT, None).unpack()
    flags = Gio.DBusConnectionFlags
    return Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
