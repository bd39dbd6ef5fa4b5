"""Real KeePassXC and KWallet, and a user who answers their prompts."""

import base64
import subprocess
import sys
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "ui"))

import screen  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402
from session import Session, end  # noqa: E402
from waiting import wait_for  # noqa: E402

SERVICE = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
PASSWORD = "a password for tests"


def wait_until_drawn(window: str):
    """Waits until a program has drawn its window: before that, the first key can be lost on a busy computer.

    Text cursors blink, so the last pictures may be of two kinds.
    """
    pictures: list[bytes] = []
    turns = screen.Turns(with_pages=False)

    def is_drawn() -> bool:
        picture = screen.pixels(window)
        if not turns.all_had_theirs(window):
            return False
        pictures.append(picture)
        del pictures[:-6]
        return (len(pictures) == 6 and len(set(pictures)) <= 2 and pictures.count(picture) >= 3
                and not screen.is_blank(picture))

    wait_for(is_drawn, "a prompt to be drawn")


class Service:
    """A provider of the Secret Service, with its own home directory."""

    window_class: str

    def __init__(self, session: Session, home: Path):
        self.session = session
        self.home = home
        self.environment = session.environment(home) | {"QT_QPA_PLATFORM": "xcb"}
        self.process: subprocess.Popen | None = None
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def stop(self):
        end(self.process)
        wait_for(lambda: not self.is_running(), "the service to be gone")

    def kill(self):
        self.process.kill()
        self.process.wait()
        wait_for(lambda: not self.is_running(), "the service to be gone")

    def is_running(self) -> bool:
        return self.bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", (SERVICE,)), None, Gio.DBusCallFlags.NONE, 5000).unpack()[0]

    def call(self, path: str, interface: str, method: str, arguments: GLib.Variant):
        return self.bus.call_sync(
            SERVICE, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 20000
        ).unpack()

    def default_collection(self) -> str | None:
        path = self.call(
            PATH, "org.freedesktop.Secret.Service", "ReadAlias",
            GLib.Variant("(s)", ("default",)))[0]
        return None if path == "/" else path

    def is_locked(self) -> bool:
        return self.call(
            self.default_collection(), "org.freedesktop.DBus.Properties", "Get",
            GLib.Variant("(ss)", ("org.freedesktop.Secret.Collection", "Locked")))[0]

    def lock(self):
        self.call(
            PATH, "org.freedesktop.Secret.Service", "Lock",
            GLib.Variant("(ao)", ([self.default_collection()],)))
        wait_for(self.is_locked, "the collection to be locked")

    def item_count(self, **attributes: str) -> int:
        return sum(map(len, self.call(
            PATH, "org.freedesktop.Secret.Service", "SearchItems",
            GLib.Variant("(a{ss})", (attributes,)))))

    # Prompts

    def window(self) -> str | None:
        """The window of the prompt on the screen."""
        raise NotImplementedError

    def wait_for_question(self) -> str:
        """Waits until a prompt is shown, has the keyboard focus and follows the keys."""
        window = wait_for(self.window, "a question")
        screen.focus(window)
        wait_until_drawn(window)
        return window

    def wait_until_answered(self, window: str):
        wait_for(lambda: self.window() != window, "the question to go")

    def agree(self):
        """Accepts the next prompt unchanged."""
        window = self.wait_for_question()
        screen.press("Return")
        self.wait_until_answered(window)

    def enter_password(self):
        window = self.wait_for_question()
        screen.type_text(PASSWORD)
        screen.press("Return")
        self.wait_until_answered(window)

    def decline(self):
        window = self.wait_for_question()
        screen.press("Escape")
        self.wait_until_answered(window)

    def windows(self) -> list[str]:
        return screen.search("--class", self.window_class)


class KeePassXC(Service):
    """An unlocked database for the Secret Service without a recycle bin; otherwise with
    KeePassXC's default settings.
    """

    window_class = "keepassxc"
    # Its main window, whose title begins with the name of the database.
    NAME = "Passwords"

    def start(self, unlocked: bool = True) -> "KeePassXC":
        database = self.home / "passwords.kdbx"
        if not database.exists():
            self._make(database)
        settings = self.home / "keepassxc.ini"
        settings.write_text(
            "[General]\nConfigVersion=2\nUpdateCheckMessageShown=true\n"
            "[FdoSecrets]\nEnabled=true\n")
        self.process = self.session.spawn(
            ["keepassxc", "--config", str(settings), "--localconfig", f"{settings}.local",
             *(["--pw-stdin"] if unlocked else []), str(database)],
            stdin=subprocess.PIPE, env=self.environment)
        self.process.stdin.write(f"{PASSWORD}\n".encode() if unlocked else b"")
        self.process.stdin.close()
        wait_for(lambda: self.is_running() and self.default_collection(), "KeePassXC")
        wait_for(lambda: self.is_locked() is not unlocked, "the database to be as it should")
        return self

    def start_without_database(self) -> "KeePassXC":
        settings = self.home / "keepassxc.ini"
        self.process = self.session.spawn(
            ["keepassxc", "--config", str(settings), "--localconfig", f"{settings}.other"],
            stdin=subprocess.DEVNULL, env=self.environment)
        wait_for(self.is_running, "KeePassXC")
        return self

    def window(self) -> str | None:
        for window in self.windows():
            name = subprocess.run(
                ["xdotool", "getwindowname", window], capture_output=True, text=True, timeout=30
            ).stdout.strip()
            if name and not name.startswith(self.NAME) and not name.endswith("[Locked] - KeePassXC"):
                return window
        return None

    def agree_to_remove(self):
        """Accepts a prompt whose default answer is no."""
        window = self.wait_for_question()
        before = screen.wait_until_still(window)
        screen.press("Tab")
        wait_for(lambda: screen.pixels(window) != before, "another button to have the focus")
        screen.press("Return")
        self.wait_until_answered(window)

    def _make(self, database: Path):
        group = uuid.uuid4()
        text = self.home / "database.xml"
        text.write_text(
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><KeePassFile><Meta>'
            f"<DatabaseName>{self.NAME}</DatabaseName><RecycleBinEnabled>False</RecycleBinEnabled>"
            "<CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key>"
            f"<Value>{{{group}}}</Value></Item></CustomData></Meta><Root><Group>"
            f"<UUID>{base64.b64encode(group.bytes).decode()}</UUID><Name>Root</Name>"
            "</Group></Root></KeePassFile>")
        subprocess.run(
            ["keepassxc-cli", "import", "-p", "-t", "100", text, database],
            input=f"{PASSWORD}\n{PASSWORD}\n", text=True, check=True, capture_output=True,
            env=self.environment, timeout=60)


class KWallet(Service):
    """KWallet before the first wallet is created."""

    window_class = "kwalletd5"

    def start(self) -> "KWallet":
        settings = self.home / "config" / "kwalletrc"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(
            "[Wallet]\nFirst Use=false\nEnabled=true\n[org.freedesktop.secrets]\napiEnabled=true\n")
        self.process = self.session.spawn(["kwalletd5"], env=self.environment)
        wait_for(self.is_running, "KWallet")
        return self

    def window(self) -> str | None:
        # There is always one window of one pixel.
        return next((w for w in self.windows() if screen.geometry(w)[2] > 50), None)

    def choose_password(self):
        """Completes the assistant for a new wallet: a classic one, with a password."""
        window = self.wait_for_question()
        # The radio button, which has no mnemonic.
        screen.run("xdotool", "mousemove", "--window", window, "109", "167", "click", "1")
        screen.press("alt+f")
        self.wait_until_answered(window)
        window = self.wait_for_question()
        screen.type_text(PASSWORD)
        screen.press("Tab")
        screen.type_text(PASSWORD)
        screen.press("Return")
        self.wait_until_answered(window)
