"""Walks through the accessible objects of a window with few calls.

libatspi asks for one child at a time, which GTK finds by counting from the first one, and then for its role and its
name: 3 seconds for a window of 500 objects, of which most are on pages that are not shown.
"""

import functools
import json
from typing import NamedTuple

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("Json", "1.0")
from gi.repository import Atspi, Gio, GLib, Json  # noqa: E402

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
TEXT = "org.a11y.atspi.Text"
CACHE = "/org/a11y/atspi/cache"
TIMEOUT = 30_000  # milliseconds


class Place:
    """An accessible object by its place in the tree."""

    def __init__(
        self, tree: "Tree", own: tuple[str, str], parent: "Place | None" = None, index: int = 0
    ):
        self.tree = tree
        # The name on the bus of the program that it is of, which may be another one for a web page, and its path.
        self.own = own
        self.parent = parent
        self.index = index

    @property
    def role(self) -> str:
        known = self.tree.known.get(self.own)
        return role_name(known.role if known else self._call(ACCESSIBLE, "GetRole")[0])

    @property
    def name(self) -> str:
        known = self.tree.known.get(self.own)
        return known.name if known else self._call(
            "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (ACCESSIBLE, "Name")))[0]

    @property
    def description(self) -> str:
        known = self.tree.known.get(self.own)
        return known.description if known else self._call(
            "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (ACCESSIBLE, "Description")))[0]

    @property
    def is_focused(self) -> bool:
        known = self.tree.known.get(self.own)
        states = known.states if known else self._call(ACCESSIBLE, "GetState")[0]
        state = int(Atspi.StateType.FOCUSED)
        return bool(states[state // 32] >> state % 32 & 1)

    @property
    def has_text(self) -> bool:
        known = self.tree.known.get(self.own)
        return TEXT in (known.interfaces if known else self._call(ACCESSIBLE, "GetInterfaces")[0])

    @property
    def text(self) -> str:
        # GTK 4.8 returns nothing up to -1.
        return self._call(TEXT, "GetText", GLib.Variant("(ii)", (0, (1 << 31) - 1)))[0]

    @property
    def extents(self) -> tuple[int, int, int, int] | None:
        """Left, top, width and height within the window; None if it was never shown."""
        try:
            left, top, width, height = self._call(
                COMPONENT, "GetExtents", GLib.Variant("(u)", (int(Atspi.CoordType.WINDOW),)))[0]
        except GLib.Error:
            return None
        return (left, top, width, height) if width > 0 else None

    @property
    def children(self) -> "list[Place]":
        known = self.tree.known.get(self.own)
        if known and known.child_count == 0:
            return []
        # Not those that are known: one may be hidden, while another that is shown is not known yet.
        found = self._call(ACCESSIBLE, "GetChildren")[0]
        return [Place(self.tree, own, self, index) for index, own in enumerate(found)]

    @property
    def node(self) -> Atspi.Accessible:
        """The object for libatspi; raises `LookupError` if another one is at its place by now."""
        if self.parent is None:
            return self.tree.root
        parent = self.parent.node
        child = parent.get_child_at_index(self.index)
        if child is not None and child.path == self.own[1]:
            return child
        # In GTK 4.8, a stack has its pages between itself and their contents only for who asks for one child.
        for index in range(parent.get_child_count()):
            page = parent.get_child_at_index(index)
            child = page and page.get_child_at_index(0)
            for node in (page, child):
                if node is not None and node.path == self.own[1]:
                    return node
        raise LookupError("the widgets have changed meanwhile")

    def _call(self, interface: str, method: str, arguments: GLib.Variant | None = None) -> tuple:
        return call(self.own, interface, method, arguments)


class Known(NamedTuple):
    """What an application tells about an object in `GetItems`."""

    own: tuple[str, str]
    application: tuple[str, str]
    parent: tuple[str, str]
    index: int
    child_count: int
    interfaces: list[str]
    name: str
    role: int
    description: str
    states: list[int]


class Tree:
    """The objects of an application, as they are now.

    One call tells about all objects that somebody has asked for before; GTK adds others only when they are asked for.
    """

    def __init__(self, root: Atspi.Accessible):
        self.root = root
        self.known = {item.own: item for item in self._items()}

    def _items(self) -> list[Known]:
        try:
            reply = reply_to((self.root.app.bus_name, CACHE), "org.a11y.atspi.Cache", "GetItems")
            # By way of JSON, reading it takes a quarter of the time.
            items, = json.loads(Json.gvariant_serialize_data(reply)[0])
            return [Known(*(tuple(part) for part in item[:3]), *item[3:]) for item in items]
        except (GLib.Error, TypeError):
            # A toolkit without it, or with that of the time before GTK 4.
            return []


def call(
    own: tuple[str, str], interface: str, method: str, arguments: GLib.Variant | None = None
) -> tuple:
    return reply_to(own, interface, method, arguments).unpack()


def reply_to(
    own: tuple[str, str], interface: str, method: str, arguments: GLib.Variant | None = None
) -> GLib.Variant:
    return bus().call_sync(
        *own, interface, method, arguments, None, Gio.DBusCallFlags.NONE, TIMEOUT, None)


def walk(root: Atspi.Accessible):
    """All descendants of an object, in reading order."""
    waiting = Place(Tree(root), (root.app.bus_name, root.path)).children[::-1]
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
