"""A private desktop for the tests: display, window manager, D-Bus session, accessibility bus.

It does not affect the desktop of the user who runs the tests.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import urllib.parse
from pathlib import Path

# The session bus activates only the accessibility bus and the app: the computer's own portal or
# keyring must not replace those of a test.
BUS_CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={address}</listen>
  <servicedir>{directory}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

ACCESSIBILITY_SERVICE = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
SCREEN = "1920x1080x24"
VARIABLES_OF_A_DESKTOP = ("AT_SPI_BUS_ADDRESS", "DISPLAY", "SWAYSOCK", "WAYLAND_DISPLAY")


class Session:
    """The display and the buses, one for a whole run: libatspi connects only once per process."""

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="entrance-ui-"))
        self.log = open(self.directory / "session.log", "w")
        self.processes: list[subprocess.Popen] = []

    def start(self) -> "Session":
        # The buses and their children inherit these, so that two concurrent runs share nothing.
        for name in ("RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME"):
            os.environ[f"XDG_{name}"] = str(self._private_directory(name.lower().split("_")[0]))
        for name in list(os.environ):
            if name in VARIABLES_OF_A_DESKTOP or name.lower().endswith("_proxy"):
                del os.environ[name]
        os.environ.update(self._start_display())
        os.environ.update(
            DBUS_SESSION_BUS_ADDRESS=self._start_bus(),
            GTK_A11Y="atspi",
            GSK_RENDERER="cairo",
            LIBGL_ALWAYS_SOFTWARE="1",
            # Prevents requests for the color scheme to the settings portal, which does not exist.
            ADW_DISABLE_PORTAL="1",
            GSETTINGS_BACKEND="keyfile",
            LANG="C.UTF-8",
            LC_ALL="C.UTF-8",
        )
        # Toolkits check at their start whether assistive technology is running.
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path",
             "/org/a11y/bus", "--method", "org.freedesktop.DBus.Properties.Set",
             "org.a11y.Status", "IsEnabled", "<true>"],
            check=True, stdout=self.log, stderr=self.log, timeout=30)
        return self

    def spawn(self, command: list[str], **options) -> subprocess.Popen:
        options.setdefault("stdout", self.log)
        options.setdefault("stderr", self.log)
        process = subprocess.Popen(command, **options)
        self.processes.append(process)
        return process

    def environment(self, home: Path) -> dict[str, str]:
        """The environment of a user whose files are all in `home`."""
        return os.environ | {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CACHE_HOME": str(home / "cache"),
        }

    def close(self):
        for process in reversed(self.processes):
            end(process)
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def add_service(self, name: str, content: str):
        """Makes the bus activate the program for `name`, like an installed service file."""
        (self.directory / "services" / f"{name}.service").write_text(content)
        self.reload_services()

    def remove_service(self, name: str):
        """Undoes `add_service`."""
        (self.directory / "services" / f"{name}.service").unlink()
        self.reload_services()

    def reload_services(self):
        """Makes the bus reload its service files."""
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
             "--method", "org.freedesktop.DBus.ReloadConfig"],
            check=True, stdout=self.log, timeout=30)

    def _start_display(self) -> dict[str, str]:
        """Starts the display, and returns its environment variables."""
        reader, writer = os.pipe()
        self.spawn(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp",
             # A key that is pressed while the computer stands still would repeat: no test holds one.
             "-noreset", "-r"],
            pass_fds=(writer,))
        os.close(writer)
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        display = {"DISPLAY": f":{number}", "XDG_SESSION_TYPE": "x11", "GDK_BACKEND": "x11"}
        self.spawn(
            ["openbox", "--sm-disable", "--config-file", str(self._window_rules())],
            env=os.environ | display)
        return display

    def _start_bus(self) -> str:
        services = self._private_directory("services")
        if ACCESSIBILITY_SERVICE.exists():
            # Without the line about systemd, which may be missing.
            lines = ACCESSIBILITY_SERVICE.read_text().splitlines()
            (services / ACCESSIBILITY_SERVICE.name).write_text(
                "\n".join(line for line in lines if not line.startswith("Systemd")) + "\n")
        configuration = self.directory / "bus.conf"
        configuration.write_text(BUS_CONFIGURATION.format(
            directory=self.directory, address=urllib.parse.quote(str(self.directory))))
        bus = self.spawn(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"],
            stdout=subprocess.PIPE, text=True)
        return bus.stdout.readline().strip()

    def _window_rules(self) -> Path:
        """New windows get the focus, and Alt+F4 closes the focused one."""
        rules = self.directory / "openbox.xml"
        rules.write_text(
            '<?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">'
            "<focus><focusNew>yes</focusNew></focus>"
            "<placement><policy>Smart</policy></placement>"
            '<keyboard><keybind key="A-F4"><action name="Close"/></keybind></keyboard>'
            "</openbox_config>")
        return rules

    def _private_directory(self, name: str) -> Path:
        directory = self.directory / name
        directory.mkdir(mode=0o700)
        return directory


def end(process: subprocess.Popen, timeout: float = 20):
    """Ends a process started here, by force if necessary."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
