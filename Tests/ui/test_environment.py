"""The environment of the program and its child processes, and what they leave behind."""

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
import screen
from app import MAIN, SIGN_IN
from waiting import wait_for


def environment(process: int) -> dict[str, str]:
    """Its variables; none if it has ended meanwhile."""
    try:
        entries = Path("/proc", str(process), "environ").read_bytes().split(b"\0")
    except ProcessLookupError:
        return {}
    return dict(entry.decode().split("=", 1) for entry in entries if b"=" in entry)


def test_children_get_only_desktop_variables(
    app, emulator, keyring, sign_in, home, monkeypatch
):
    keys = home / "keys"
    unwelcome = {
        "SSLKEYLOGFILE": str(keys), "GNUTLS_DEBUG_LEVEL": "99", "WEBKIT_INSPECTOR_SERVER": "127.0.0.1:0",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "SOMETHING_ELSE": "canary",
        # With these three, WebKit goes without a sandbox.
        "SNAP": "/snap/code/1", "SNAP_NAME": "code", "SNAP_REVISION": "1",
    }
    for name, value in unwelcome.items():
        monkeypatch.setenv(name, value)
    app.start()
    sign_in.open()
    children = {
        screen.process_name(process): variables for process in screen.descendants(app.process.pid)
        if (variables := environment(process))}
    assert {"WebKitNetworkProcess", "WebKitWebProcess"} <= set(children), children.keys()
    assert "bwrap" in children
    for name, variables in children.items():
        assert not unwelcome.keys() & variables.keys(), name
        assert variables["HOME"] == str(home)
        assert variables["LANG"] == os.environ["LANG"]
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    assert not keys.exists()
    said = "".join(path.read_text() for path in app.errors)
    assert "gnutls[" not in said and "WEBKIT_INSPECTOR_SERVER" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser is warned")
def test_root_gets_a_warning(app, keyring):
    app.start()
    app.wait_for_log("Running as root")


def end_inside(app):
    """Ends the program; the command that started it ends too."""
    for process in screen.descendants(app.process.pid):
        if screen.process_name(process) == "entrance":
            os.kill(process, signal.SIGTERM)
    app.process.wait(20)
    app.process = None
    wait_for(lambda: not screen.window_id(MAIN), "the window to be gone")


@pytest.fixture
def app_at_home(app, monkeypatch):
    """The app in a session without XDG_RUNTIME_DIR, where sockets are in the home directory."""
    with tempfile.TemporaryDirectory(prefix="e-") as directory:
        def start(name: str):
            monkeypatch.delenv("XDG_RUNTIME_DIR")
            home = Path(directory, name)
            home.mkdir()
            shutil.copytree(app.home / "config", home / "config")
            app.home = home
            # Separate buses, whose paths contain that home directory.
            app.wrapper = ("dbus-run-session", "--")
            app.process = app.launch("--app", "Demo")
            screen.focus(wait_for(lambda: screen.window_id(MAIN), "the window"))
            return app

        yield start
        end_inside(app)
        # The buses print many messages there.
        app.take_complaints()


def call_graph_until(condition, what: str):
    """Presses the button's key until it has an effect: it has none while the accounts are being
    read, and without assistive technology the test cannot know.
    """
    def pressed() -> bool:
        screen.press("ctrl+Return")
        return condition()

    wait_for(pressed, what, 30)


def test_home_path_that_a_bus_address_escapes(app_at_home, emulator):
    app = app_at_home("Zoë Müller")
    call_graph_until(lambda: emulator.authorize_count() > 0, "the sign-in page")
    wait_for(lambda: screen.window_id(SIGN_IN), "the sign-in window")
    assert app.process.poll() is None


def test_home_path_that_is_too_long_for_a_socket(app_at_home, emulator):
    app = app_at_home("x" * 90)
    call_graph_until(
        lambda: any(route.endswith("openid-configuration") for route in emulator.counts()),
        "the connection to be used")
    # A spinner turns in the window until the sign-in has ended.
    screen.wait_until_still(MAIN, "the window")
    assert app.process.poll() is None
    assert not screen.window_id(SIGN_IN)
    assert emulator.authorize_count() == 0


def test_no_backtrace_program_is_installed(stage):
    assert not list(stage.rglob("*backtrace*"))
