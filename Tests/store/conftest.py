"""Places to write to, with their faults."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

here = Path(__file__).parent
PASSWORD = b"a password for tests"


def pytest_addoption(parser):
    parser.addoption("--tool", required=True, help="the built store-tool")
    parser.addoption("--kills", type=int, default=1000, help="how many writers to kill")


@pytest.fixture(scope="session")
def tool(request) -> str:
    return str(Path(request.config.getoption("--tool")).resolve())


@pytest.fixture(scope="session")
def kills(request) -> int:
    return request.config.getoption("--kills")


@pytest.fixture(scope="session")
def faults(tmp_path_factory) -> Path:
    """A library that makes file operations fail."""
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    compiler = next(name for name in ("cc", "clang", "gcc") if shutil.which(name))
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, here / "faults.c", "-ldl"], check=True)
    return library


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    """The environment of a user whose files are all in one directory."""
    (tmp_path / "runtime").mkdir(mode=0o700)
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {
        "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / "runtime"),
        "XDG_DATA_HOME": str(tmp_path / "data"), "LANG": "C.UTF-8", "LLVM_PROFILE_FILE": "/dev/null",
    }


@pytest.fixture
def talk(tool, environment):
    """Runs commands on the store at a place, and returns the output and the exit status."""

    def run(place, *commands, **variables) -> tuple[list[str], int]:
        result = subprocess.run(
            [tool, "talk", "file", place], input="".join(f"{command}\n" for command in commands),
            capture_output=True, text=True, env=environment | variables, timeout=60)
        return result.stdout.splitlines(), result.returncode

    return run


class SmallDisk:
    """A disk of one megabyte that can be full or read-only."""

    def __init__(self, path: Path):
        self.path = path
        self.store = str(path / "store")
        path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path], check=True)

    def fill(self, room: int):
        """Fills it except for `room` bytes."""
        status = os.statvfs(self.path)
        size = status.f_bavail * status.f_bsize - room
        (self.path / "filler").write_bytes(b"\0" * max(size, 0))

    def make_room(self):
        (self.path / "filler").unlink(missing_ok=True)

    def set_writable(self, is_writable: bool):
        mode = "rw" if is_writable else "ro"
        deadline = time.monotonic() + 10
        while True:
            # A file of a process that was just killed may still be open.
            done = subprocess.run(
                ["mount", "-o", f"remount,{mode}", self.path], stderr=subprocess.PIPE)
            if done.returncode == 0:
                return
            assert time.monotonic() < deadline, done.stderr.decode()
            time.sleep(0.02)

    def unmount(self):
        subprocess.run(["umount", "-l", self.path], check=True)


@pytest.fixture
def disk(tmp_path):
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.unmount()


class Keyring:
    """A real gnome-keyring on its own bus."""

    def __init__(self, environment: dict[str, str], directory: Path):
        self.environment = environment
        self.process = None
        configuration = directory / "bus.conf"
        configuration.write_text(
            f"<busconfig><type>session</type><listen>unix:path={directory}/bus</listen>"
            '<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>'
            '<allow own="*"/></policy></busconfig>')
        self.bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"],
            stdout=subprocess.PIPE, env=environment)
        environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().decode().strip()

    def start(self):
        """Starts it unlocked, like a login does."""
        self.process = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.environment)
        self.process.stdin.write(PASSWORD)
        self.process.stdin.close()
        self._gdbus("wait", "--timeout", "20", "org.freedesktop.secrets")

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self):
        self.kill()
        self.start()

    def lock(self):
        self._gdbus(
            "call", "--dest", "org.freedesktop.secrets", "--object-path",
            "/org/freedesktop/secrets", "--method", "org.freedesktop.Secret.Service.Lock",
            "['/org/freedesktop/secrets/aliases/default']")

    def count(self) -> int:
        """The number of items in it."""
        answer = self._gdbus(
            "call", "--dest", "org.freedesktop.secrets", "--object-path",
            "/org/freedesktop/secrets/aliases/default", "--method",
            "org.freedesktop.DBus.Properties.Get", "org.freedesktop.Secret.Collection", "Items")
        return answer.count("/org/freedesktop/secrets/collection")

    def end(self):
        self.kill()
        self.bus.kill()
        self.bus.wait()

    def _gdbus(self, command: str, *arguments: str) -> str:
        address = ["--address", self.environment["DBUS_SESSION_BUS_ADDRESS"]]
        return subprocess.run(
            ["gdbus", command, *address, *arguments], check=True, text=True,
            stdout=subprocess.PIPE, timeout=30, env=self.environment).stdout


@pytest.fixture
def keyring(environment, tmp_path):
    keyring = Keyring(environment, tmp_path)
    keyring.start()
    yield keyring
    keyring.end()
