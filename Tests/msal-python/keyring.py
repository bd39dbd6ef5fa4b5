"""A session bus with a real gnome-keyring, for the test processes."""

import os
import subprocess
import sys
from pathlib import Path

# Debian's bindings for GLib and libsecret, which are not on PyPI; packages from PyPI take
# precedence.
sys.path.append("/usr/lib/python3/dist-packages")

CONFIGURATION = """<busconfig>
  <type>session</type>
  <listen>unix:path={directory}/bus</listen>
  <policy context="default">
    <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
  </policy>
</busconfig>
"""
# The text file in which gnome-keyring stores a keyring without a password.
WITHOUT_PASSWORD = "[keyring]\ndisplay-name=Login\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"


class Keyring:
    def __init__(self, directory: Path, password: str | None = "a password for tests"):
        self.directory = directory
        self.password = password
        self.file = directory / "data" / "keyrings" / "login.keyring"
        for name in ("home", "run", "data"):
            (directory / name).mkdir(mode=0o700)
        if password is None:
            self.file.parent.mkdir(mode=0o700)
            self.file.write_text(WITHOUT_PASSWORD)
            (self.file.parent / "default").write_text("login")
        configuration = directory / "bus.conf"
        configuration.write_text(CONFIGURATION.format(directory=directory))
        self.environment = os.environ | {
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={directory}/bus",
            "HOME": str(directory / "home"),
            "XDG_RUNTIME_DIR": str(directory / "run"),
            "XDG_DATA_HOME": str(directory / "data"),
        }
        self.bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus.stdout.readline()
        self.start()

    def start(self):
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        self.daemon = subprocess.Popen(
            command + (["--unlock"] if self.password else []), env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        self.daemon.stdin.write(self.password or "")
        self.daemon.stdin.close()
        subprocess.run(
            ["gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.secrets"],
            env=self.environment, check=True)

    def restart(self):
        """Restarts it, like the next login."""
        self.daemon.terminate()
        self.daemon.wait(60)
        self.start()

    def stop(self):
        for process in (self.daemon, self.bus):
            process.kill()
            process.wait(60)

    def python(self, script: str, *arguments: str) -> str:
        """The output of a separate process: libsecret keeps the first bus that it connects to."""
        return subprocess.run(
            [sys.executable, "-B", "-c", script, *arguments], env=self.environment, check=True,
            cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True, timeout=60).stdout
