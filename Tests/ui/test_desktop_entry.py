"""What the desktop does with the installed app: actions of its menu, links, and the search."""

import json
import subprocess
from pathlib import Path

import pytest
from gi.repository import Gio, GLib

import screen
from accessible import BUTTON, find, find_windows, has_window, wait_for_dialog
from app import HAVE_ID, MAIN, SIGN_IN
from switcher import ROW
from test_unlock import PROMPTER
from test_windows import UNSOLICITED, logs, wait_for_logs
from waiting import wait_for

NAME = "io.github.entrance.Entrance"
PATH = "/io/github/entrance/Entrance"
ACTIONS = ("new-window", "add-account", "sign-out-all")
SIGN_OUT_ALL = "Sign Out All Accounts?"
SIGNED_OUT = "Account signed out. Updating UX"


class Desktop:
    """Calls the app over the bus, which starts it when it is not running."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, destination: str, path: str, method: str, kind: str, *arguments):
        interface, name = method.rsplit(".", 1)
        answer = self.bus.call_sync(
            destination, path, interface, name, GLib.Variant(kind, arguments), None,
            Gio.DBusCallFlags.NONE, 20000)
        return answer.unpack()

    def activate(self, action: str):
        self.call(
            NAME, PATH, "org.freedesktop.Application.ActivateAction", "(sava{sv})", action, [], {})

    def open(self, uri: str):
        self.call(NAME, PATH, "org.freedesktop.Application.Open", "(asa{sv})", [uri], {})

    def actions(self, path: str) -> set[str]:
        """What every program on the bus can have the app do at `path`; nothing where there is no object."""
        try:
            return set(self.call(NAME, path, "org.gtk.Actions.List", "()")[0])
        except GLib.Error as error:
            assert "org.freedesktop.DBus.Error.Unknown" in error.message
            return set()

    def search(self, method: str, kind: str, *arguments):
        answer = self.call(
            NAME, f"{PATH}/SearchProvider", f"org.gnome.Shell.SearchProvider2.{method}", kind,
            *arguments)
        return answer[0] if answer else None

    def find(self, *terms: str) -> list[str]:
        return self.search("GetInitialResultSet", "(as)", list(terms))

    def metas(self, identifiers: list[str]) -> list[dict]:
        return self.search("GetResultMetas", "(as)", identifiers)

    def ask_bus(self, method: str, kind: str, *arguments):
        return self.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", f"org.freedesktop.DBus.{method}",
            kind, *arguments)

    def is_running(self) -> bool:
        return self.ask_bus("NameHasOwner", "(s)", NAME)[0]

    def quit(self):
        if self.is_running():
            self.activate("quit")
            wait_for(lambda: not self.is_running(), "the app to end")


@pytest.fixture
def desktop(session, stage, app):
    """A desktop with the installed app, which starts it with the environment of the test's user."""
    desktop = Desktop()
    # Not the environment of the bus, which other tests share, and from which nothing can be removed.
    variables = " ".join(f"'{name}={value}'" for name, value in app.environment().items())
    service = (stage / "share" / "dbus-1" / "services" / f"{NAME}.service").read_text()
    session.add_service(NAME, service.replace("Exec=", f"Exec=/usr/bin/env {variables} "))
    yield desktop
    desktop.quit()
    session.remove_service(NAME)


@pytest.fixture
def signed_in(app, emulator, keyring, sign_in):
    """The app with Adele's and Bram's accounts in the keyring, not running."""
    for user in (emulator.adele, emulator.bram):
        sign_in.without_window(user)
    return app


def sandbox(directory: Path) -> list[str]:
    """What runs a command in a sandbox, at whose root Flatpak puts .flatpak-info."""
    information = directory / "flatpak-info"
    information.write_text("[Application]\nname=org.example.Mail\n")
    command = [
        "bwrap", "--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--bind", "/tmp", "/tmp",
        "--ro-bind", "/etc", "/etc", "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "lib", "lib64"):
        command += ["--symlink", f"usr/{name}", f"/{name}"]
    return [*command, "--ro-bind", str(information), "/.flatpak-info"]


def picture(results, name: str):
    screen.wait_until_still(MAIN, "the window")
    screen.capture(results / f"desktop-{name}.png")


# MARK: Actions


def test_desktop_entry_has_the_actions_of_the_app(stage, app, keyring, desktop):
    entry = GLib.KeyFile()
    entry.load_from_file(
        str(stage / "share" / "applications" / f"{NAME}.desktop"), GLib.KeyFileFlags.NONE)
    listed = entry.get_string_list("Desktop Entry", "Actions")
    assert tuple(listed) == ACTIONS
    app.start()
    assert set(listed) <= desktop.actions(PATH)
    for action in listed:
        command = entry.get_string(f"Desktop Action {action}", "Exec")
        assert command.split() == [f"{stage}/bin/entrance", f"--{action}"]
    assert Gio.DesktopAppInfo.new_from_filename(
        str(stage / "share" / "applications" / f"{NAME}.desktop"))


def test_other_programs_cannot_do_what_the_window_can(app, keyring, desktop):
    app.start()
    # The actions of notifications need the number of a question, or of a window, which is random.
    answers = {"show-program", "allow-program-once", "always-allow-program", "deny-program", "show-ended-work"}
    assert desktop.actions(PATH) == {*ACTIONS, *answers, "quit"}
    assert desktop.actions(f"{PATH}/window/1") == set()


def test_two_windows_of_a_connection_share_the_accounts(app, desktop, emulator, keyring, sign_in):
    app.start()
    first = screen.window_id(MAIN)
    wait_for_logs(SIGNED_OUT)
    screen.focus(first)
    screen.press("ctrl+n")
    second, = wait_for(lambda: set(screen.window_ids(MAIN)) - {first}, "another window")
    wait_for_logs(SIGNED_OUT, SIGNED_OUT)
    wait_for(lambda: screen.active_window() == second, "it to be in the foreground")
    screen.press("ctrl+Return")
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    wait_for_logs(SIGNED_OUT, "Result from Graph: {")
    screen.focus(first)
    wait_for_logs("Found a signed in account adele@contoso.example", "Result from Graph: {")
    # The token comes from the store.
    pages = emulator.authorize_count()
    screen.press("ctrl+Return")
    wait_for_logs("Result from Graph: {", "Result from Graph: {")
    assert emulator.authorize_count() == pages

    assert app.launch("--new-window").wait(20) == 0
    wait_for(lambda: len(screen.window_ids(MAIN)) == 3, "a third window")


def test_new_window_starts_the_app(app, desktop, keyring):
    desktop.activate("new-window")
    find(MAIN, BUTTON, "Call Microsoft Graph API")
    wait_for_logs(SIGNED_OUT)
    desktop.activate("new-window")
    wait_for_logs(SIGNED_OUT, SIGNED_OUT)


def test_add_account_starts_the_app_and_a_sign_in(app, desktop, emulator, keyring, sign_in, results):
    desktop.activate("add-account")
    sign_in.wait_for_page()
    screen.capture(results / "desktop-add-account.png")
    sign_in.complete(emulator.adele)
    app.wait_for_account("adele@contoso.example")
    # With the option, in the same window.
    seen = emulator.authorize_count()
    assert app.launch("--add-account").wait(20) == 0
    sign_in.wait_for_page(seen)
    assert len(find_windows(MAIN)) == 1
    sign_in.complete(emulator.bram)
    app.wait_for_account("bram@contoso.example")


def test_sign_out_all_asks_first(desktop, signed_in, emulator, results):
    desktop.activate("sign-out-all")
    wait_for_dialog(SIGN_OUT_ALL)
    picture(results, "sign-out-all")
    screen.press("Escape")
    wait_for(lambda: not has_window(SIGN_OUT_ALL), "the question to go")
    signed_in.wait_for_account("bram@contoso.example")
    assert len(desktop.find("contoso.example")) == 2

    assert signed_in.launch("--sign-out-all").wait(20) == 0
    wait_for_dialog(SIGN_OUT_ALL)
    screen.press("Return")
    signed_in.wait_for_account("Signed out")
    assert desktop.find("contoso.example") == []
    signed_in.wait_until_idle()
    desktop.activate("sign-out-all")
    wait_for(lambda: "No account is signed in." in signed_in.words, "the toast")
    assert not has_window(SIGN_OUT_ALL)


@pytest.mark.parametrize("action", ACTIONS)
def test_first_start_by_an_action(app, desktop, home, action, results):
    (home / "config" / "entrance" / "apps.json").unlink()
    desktop.activate(action)
    find(MAIN, ROW, HAVE_ID)
    assert len(find_windows(MAIN)) == 1
    assert not has_window(SIGN_IN) and not has_window(SIGN_OUT_ALL)
    picture(results, f"first-start-{action}")


# MARK: Links


def test_link_that_nobody_waits_for_starts_the_app_and_is_ignored(app, desktop, keyring):
    desktop.open(UNSOLICITED)
    wait_for_logs("Ignored a sign-in response from outside this window")
    app.wait_for_account("Signed out")
    before = logs()[0]
    assert "code=x" not in before
    desktop.open(UNSOLICITED)
    desktop.activate("new-window")
    wait_for(lambda: len(screen.window_ids(MAIN)) == 2, "the next request to be handled")
    assert logs()[0] == before


# MARK: Search


def test_search_finds_accounts_without_a_window_and_opens_them(
    desktop, emulator, signed_in, results
):
    pages = emulator.authorize_count()
    found = desktop.find("BRÁM")
    assert len(found) == 1
    meta, = desktop.metas(found)
    assert meta["id"] == found[0]
    assert meta["name"] == "bram@contoso.example"
    assert meta["description"] == "Bram Okafor · contoso.example · Work or school account"
    kind, icon = meta["icon"]
    assert kind in ("bytes", "themed") and icon
    both = desktop.find("contoso")
    assert len(both) == 2
    assert desktop.search("GetSubsearchResultSet", "(asas)", both, ["contoso", "adele"]) == [
        identifier for identifier in both if identifier not in found]
    connection, = desktop.find("demo")
    assert desktop.metas([connection])[0]["description"] == "App in Entrance"
    assert desktop.metas(["", "[]", "nonsense"]) == []
    assert not screen.window_ids(MAIN)
    text = json.dumps([desktop.metas(both), both])
    assert not any(secret in text for kind in emulator.secrets().values() for secret in kind)
    assert emulator.authorize_count() == pages
    wait_for(lambda: not desktop.is_running(), "the app to end after the search", 20)

    # What was found is still known.
    adele, = set(both) - set(found)
    desktop.search("ActivateResult", "(sasu)", adele, ["adele"], 0)
    signed_in.wait_for_account("adele@contoso.example")
    picture(results, "found")
    desktop.search("ActivateResult", "(sasu)", found[0], ["bram"], 0)
    signed_in.wait_for_account("bram@contoso.example")
    desktop.search("LaunchSearch", "(asu)", ["anything"], 0)
    assert len(find_windows(MAIN)) == 1
    signed_in.wait_for_account("bram@contoso.example")


def test_search_returns_nothing_to_a_program_in_a_sandbox(desktop, signed_in, tmp_path):
    adele, = desktop.find("adele")
    for method, text in (("GetInitialResultSet", "adele"), ("GetResultMetas", adele)):
        arguments = [
            "gdbus", "call", "--session", "--dest", NAME, "--object-path", f"{PATH}/SearchProvider",
            "--method", f"org.gnome.Shell.SearchProvider2.{method}", GLib.Variant("as", [text]).print_(False)]
        for prefix, is_told in (([], True), (sandbox(tmp_path), False)):
            result = subprocess.run(
                [*prefix, *arguments], env=signed_in.environment(), capture_output=True, text=True, timeout=60)
            assert result.returncode == 0, result.stderr
            # An empty list has its type before it: "(@as [],)".
            assert ("[]" not in result.stdout) == is_told, result.stdout


def test_search_does_not_ask_to_unlock_the_keyring(session, home, desktop, keyring):
    prompted = home / "prompted"
    # It fails, so that the bus does not go on waiting for it.
    session.add_service(
        PROMPTER,
        f"[D-BUS Service]\nName={PROMPTER}\n"
        f"Exec=/bin/sh -c \"touch '{prompted}'; exit 1\"\n")
    keyring.lock()
    assert desktop.find("adele") == []
    connection, = desktop.find("demo")
    desktop.metas([connection])
    assert keyring.is_locked()
    assert not prompted.exists()
    # The window does ask.
    desktop.search("ActivateResult", "(sasu)", connection, ["demo"], 0)
    wait_for(prompted.exists, "the question for the keyring's password")
    desktop.quit()
    session.remove_service(PROMPTER)
