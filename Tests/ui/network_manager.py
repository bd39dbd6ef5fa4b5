"""A stand-in for NetworkManager, with only what GIO asks it: whether this computer has a network.

usage: network_manager.py   prints "ready", then reads the connectivity from its input, line by line
"""

import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.NetworkManager"
PATH = "/org/freedesktop/NetworkManager"
DESCRIPTION = f"""<node><interface name="{NAME}">
  <property name="State" type="u" access="read"/>
  <property name="Connectivity" type="u" access="read"/>
  <property name="Metered" type="u" access="read"/>
</interface></node>"""
# State and connectivity: connected to the site behind a page, and to the world.
STATES = {"portal": (60, 2), "full": (70, 4)}


def describe(name: str):
    state, connectivity = STATES[name]
    properties.update({
        "State": GLib.Variant("u", state), "Connectivity": GLib.Variant("u", connectivity)})


# It is not metered.
properties = {"Metered": GLib.Variant("u", 2)}
describe("portal")


def hear(channel, condition, bus):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    describe(line.strip())
    bus.emit_signal(
        None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        GLib.Variant("(sa{sv}as)", (NAME, properties, [])))
    return True


bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
bus.register_object(
    PATH, Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0], None,
    lambda bus, sender, path, interface, name: properties[name], None)
Gio.bus_own_name_on_connection(
    bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, hear, bus)
loop = GLib.MainLoop()
loop.run()
