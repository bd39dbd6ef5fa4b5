"""Checks that D-Bus can start the app with the installed service file and pass it a URI.

usage: activation.py STAGE
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from session import Session  # noqa: E402

NAME = "io.github.entrance.Entrance"
OBJECT = "/io/github/entrance/Entrance"
URI = "msauth.io.github.entrance.entrance://auth?code=x&state=y"


def run(session: Session, stage: Path):
    from gi.repository import Gio, GLib

    from app import MAIN, App
    from waiting import wait_for

    home = session.directory / "home"
    home.mkdir()
    app = App(session, stage, home)
    service = (stage / "share" / "dbus-1" / "services" / f"{NAME}.service").read_text()
    session.add_service(NAME, service)
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(destination: str, path: str, interface: str, method: str, arguments):
        return bus.call_sync(
            destination, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 30000)

    call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "UpdateActivationEnvironment", GLib.Variant("(a{ss})", (app.environment(),)))
    call(NAME, OBJECT, "org.freedesktop.Application", "Activate", GLib.Variant("(a{sv})", ({},)))
    wait_for(lambda: app_window(), f"window '{MAIN}' after Activate")
    print("Activate: the window is there")
    call(
        NAME, OBJECT, "org.freedesktop.Application", "Open",
        GLib.Variant("(asa{sv})", ([URI], {})))
    wait_for(lambda: app_window(), f"window '{MAIN}' after Open")
    print("Open: the window is still there")
    call(
        NAME, OBJECT, "org.freedesktop.Application", "ActivateAction",
        GLib.Variant("(sava{sv})", ("quit", [], {})))
    wait_for(lambda: not app_window(), "the app to quit")
    print("ActivateAction quit: the app has ended")


def app_window():
    import screen
    from app import MAIN

    return screen.window_id(MAIN)


def main() -> int:
    stage = Path(sys.argv[1]).absolute()
    session = Session()
    try:
        run(session.start(), stage)
    except Exception as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    finally:
        session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
