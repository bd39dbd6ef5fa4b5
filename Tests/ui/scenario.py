"""A complete sign-in with real clicks and keys, on a private desktop.

Each step is checked before the next begins. Saves a numbered picture of each step and the log.

usage: scenario.py [--wayland] [--no-runtime-directory] STAGE DIRECTORY
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from session import Session  # noqa: E402


class Steps:
    """Counts the steps, prints them, and takes a picture of each."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.begin = time.monotonic()
        self.number = 0
        for picture in directory.glob("[0-9][0-9]-*.png"):
            picture.unlink()

    def done(self, what: str):
        import screen

        self.number += 1
        name = f"{self.number:02}-{what.lower().replace(' ', '-')}.png"
        screen.capture(self.directory / name)
        print(f"{time.monotonic() - self.begin:6.1f} s  {self.number:2}  {what}", flush=True)


def run(session: Session, stage: Path, directory: Path):
    from app import SIGN_OUT, App, SignIn
    from emulator import Emulator
    from keyring import Keyring
    from waiting import wait_for

    home = session.directory / "home"
    home.mkdir()
    steps = Steps(directory)
    keyring = Keyring(session, home).start()
    emulator = Emulator(session, stage).start()
    adele = emulator.adele
    app = App(session, stage, home)
    app.connect_to(emulator)
    sign_in = SignIn(app, emulator)
    log = ""
    try:
        app.start()
        app.wait_for_account("Signed out")
        app.wait_for_log("Account signed out. Updating UX")
        assert not app.button(SIGN_OUT).is_enabled
        steps.done("Signed out")

        sign_in.open()
        steps.done("Sign-in page")
        sign_in.username(adele)
        sign_in.rest()
        steps.done("Password page")
        sign_in.password("not the password")
        sign_in.rest()
        assert sign_in.is_open
        steps.done("Wrong password")
        sign_in.password(adele.password)
        sign_in.rest()
        steps.done("Consent page")
        sign_in.consent()
        sign_in.rest()
        steps.done("Stay signed in")
        sign_in.stay_signed_in()
        sign_in.wait_until_closed()
        app.wait_for_log("Access token is ")
        app.wait_for_log("Result from Graph: {")
        app.wait_for_log(adele.display_name)
        app.wait_for_account(adele.username)
        app.wait_until_idle()
        steps.done("Result from Graph")

        app.get_device_info()
        app.wait_for_log("Received device info. Device is in the private mode.")
        app.wait_until_idle()
        steps.done("Device info")

        pages = emulator.authorize_count()
        log = app.log.rstrip() + "\n\n"
        app.restart()
        app.wait_for_log(f"Found a signed in account {adele.username}.")
        app.wait_for_account(adele.username)
        app.wait_until_idle()
        steps.done("Restarted")
        app.call_graph()
        app.wait_for_log("Refreshed Access token is ")
        app.wait_for_log("Result from Graph: {")
        assert emulator.authorize_count() == pages, "a sign-in page was asked for"
        app.wait_until_idle()
        steps.done("Silent result from Graph")

        app.sign_out()
        app.wait_for_log("Sign out completed successfully")
        app.wait_for_account("Signed out")
        wait_for(lambda: not keyring.items(), "the keyring to be empty")
        steps.done("Signed out again")
    except Exception:
        steps.done("Failed")
        print("\n".join(app.complaints()), file=sys.stderr)
        raise
    finally:
        try:
            log += app.log
        except (AssertionError, LookupError):
            pass
        (directory / "log.txt").write_text(log)
        app.stop()
        emulator.stop()
        keyring.stop()
    complaints = app.complaints()
    assert not complaints, f"unexpected messages on standard error: {complaints}"


def main() -> int:
    *options, stage, directory = sys.argv[1:]
    stage, directory = Path(stage).absolute(), Path(directory).absolute()
    directory.mkdir(parents=True, exist_ok=True)
    session = Session()
    if "--wayland" in options:
        import wayland

        wayland.use()
        session = wayland.Session()
    try:
        session.start()
        if "--no-runtime-directory" in options:
            del os.environ["XDG_RUNTIME_DIR"]
        run(session, stage, directory)
    except Exception as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    finally:
        session.close()
    print(f"every step succeeded; pictures and log are in {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
