"""A complete sign-in with real clicks and keys, on a private desktop, and what the Explorer and the command line do
with it.

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

    def done(self, what: str, find_areas=tuple):
        """Takes the picture of a step as soon as the active window is at rest, except for what is in the areas."""
        import screen

        screen.wait_until_still(screen.ACTIVE, what, find_areas)
        self.capture(what)

    def capture(self, what: str):
        import screen

        name = f"{self.number + 1:02}-{what.lower().replace(' ', '-')}.png"
        screen.capture(self.directory / name)
        self.say(what)

    def say(self, what: str):
        """Tells of a step that nothing on the screen shows."""
        self.number += 1
        print(f"{time.monotonic() - self.begin:6.1f} s  {self.number:2}  {what}", flush=True)


def run(session: Session, stage: Path, directory: Path):
    from accessible import find
    from app import MAIN, REGISTER, SIGN_OUT, App, SignIn
    from emulator import Emulator
    from keyring import Keyring
    from switcher import ROW
    from waiting import wait_for

    home = session.directory / "home"
    home.mkdir()
    steps = Steps(directory)
    keyring = Keyring(session, home).start()
    emulator = Emulator(session, stage).start()
    adele = emulator.adele
    app = App(session, stage, home)
    sign_in = SignIn(app, emulator)
    log = ""
    try:
        app.process = app.launch()
        find(MAIN, ROW, REGISTER)
        steps.done("First start")
        see_assistant(steps)
        # The window notices that the file was written.
        app.connect_to(emulator)
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
        app.wait_for_log("Access token is ")
        app.wait_for_log("Result from Graph: {")
        assert emulator.authorize_count() == pages, "a sign-in page was asked for"
        app.wait_until_idle()
        steps.done("Silent result from Graph")

        use_explorer(app, emulator, sign_in, steps)
        use_several_accounts(app, emulator, sign_in, steps)

        for user in (emulator.users[3], emulator.bram, adele):
            app.wait_for_account(user.username)
            app.sign_out()
            app.wait_until_idle()
        app.wait_for_account("Signed out")
        assert app.log.count("Signed out ") == 2 and "Sign out completed successfully" in app.log
        wait_for(lambda: not keyring.items(), "the keyring to be empty")
        steps.done("Signed out again")

        use_code(app, emulator, steps)
        use_command_line(app, emulator, steps)
    except Exception:
        steps.capture("Failed")
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


def see_assistant(steps: Steps):
    """Goes through the pages of the assistant for the first connection, and cancels it."""
    import screen
    from accessible import BUTTON, find, has_window, wait_for_dialog
    from app import MAIN, REGISTER
    from switcher import ROW
    from waiting import wait_for

    find(MAIN, ROW, REGISTER).click()
    find(REGISTER, BUTTON, "Next")
    steps.done("Register an app")
    find(REGISTER, BUTTON, "Next").click()
    wait_for_dialog("New App")
    steps.done("New connection")
    screen.press("Escape")
    wait_for(lambda: not has_window("New App"), "the form to be gone")


def use_explorer(app, emulator, sign_in, steps: Steps):
    """Sends a sample, gives the permission that it needs, keeps the answer, and hides who it is for a shared screen."""
    import json

    import screen
    import tree
    from accessible import BUTTON, LOG, MENU_ITEM, exists, find, find_window, texts
    from app import MAIN
    from test_privacy import PERSONAL, check
    from waiting import wait_for

    adele = emulator.adele

    def wait_for_words(text: str):
        wait_for(lambda: any(text in shown for shown in texts(MAIN)), f"'{text}'")

    def rows() -> list[str]:
        return [place.name for place in tree.walk(find_window(MAIN)) if place.role == "list item"]

    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for_words(f"As {adele.username}")
    screen.press("F9")
    wait_for(lambda: any(row.startswith("My profile") for row in rows()), "the samples")
    screen.type_text("my events")
    wait_for(
        lambda: any(row.startswith("My events") for row in rows())
        and not any(row.startswith("My profile") for row in rows()), "the sample")
    screen.press("Return")
    wait_for(lambda: find(MAIN, "text", "Address").text.startswith("/v1.0/me/events?"), "the request")
    wait_for_words("Not granted yet: Calendars.ReadBasic")
    steps.done("Request from the samples")

    screen.press("Return")
    wait_for_words("403 Forbidden")
    wait_for_words("The request needs the permission Calendars.ReadBasic.")
    steps.done("Refused request explained in the window")
    pages = emulator.authorize_count()
    find(MAIN, BUTTON, "Request Permission").click()
    sign_in.answered = b""
    sign_in.wait_for_page(pages)
    sign_in.password(adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
    wait_for_words("200 OK")
    wait_for(lambda: not any("Not granted yet" in text for text in texts(MAIN)), "the mark to be gone")
    steps.done("Permission granted in the window")

    answer = json.loads(find(MAIN, LOG, "Response").text)
    subjects = {event["subject"] for event in answer["value"]}
    assert "Weekly review" in subjects
    find(MAIN, "page tab", "Table").click()
    wait_for(lambda: subjects <= set(texts(MAIN)), "the table")
    steps.done("Table of events")

    file = app.home / "events.json"
    find(MAIN, BUTTON, "Save Response…").click()
    screen.save_file(file, "Save Response")
    wait_for(file.exists, "the file")
    assert json.loads(file.read_text()) == answer
    steps.done("Response saved")

    screen.press("alt+3")
    wait_for_words("Access Token")
    wait_for_words(f"Belongs to {adele.username}")
    wait_for_words("Calendars.ReadBasic")
    steps.done("Token read")

    def toggle_personal_details():
        screen.press("F10")
        wait_for(lambda: exists(MAIN, MENU_ITEM, "Access by Programs"), "the menu")
        screen.press("h")

    toggle_personal_details()
    wait_for_words("Account 1")
    check(PERSONAL, "the Tokens page")
    steps.done("Personal details hidden")
    toggle_personal_details()
    wait_for_words(adele.username)
    screen.press("alt+1")
    find(MAIN, LOG, "Log")
    app.wait_for_account(adele.username)
    app.wait_until_idle()


def use_several_accounts(app, emulator, sign_in, steps: Steps):
    """Adds an account, switches between both, and signs a third one in to a tenant as a guest."""
    import screen
    from accessible import has_window
    from switcher import (
        ACCOUNTS, add, choose, choose_action, open_list, open_switcher, sign_in_at_organization)
    from waiting import wait_for

    dara = emulator.users[3]
    add(app, emulator, sign_in, emulator.bram)
    steps.done("Second account")
    open_switcher()
    steps.done("List of accounts")
    screen.press("Escape")
    choose("Down")
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log('"displayName": "Adele Vance"')
    app.wait_until_idle()
    steps.done("Switched account")

    add(app, emulator, sign_in, dara)
    open_list()
    steps.done("All accounts")
    choose_action(dara, "a", "Sign In to Another Organization…")
    sign_in_at_organization(emulator, sign_in, dara, "fabrikam.example")
    wait_for(lambda: "fabrikam.example · Guest account" in app.words, "the organization")
    app.wait_until_idle()
    app.call_graph()
    app.wait_for_log("#EXT#@fabrikam.example")
    app.wait_until_idle()
    steps.done("Guest in another organization")
    if has_window(ACCOUNTS):
        screen.close(screen.window_id(ACCOUNTS))


def use_code(app, emulator, steps: Steps):
    """Signs in with a code, which somebody enters on another device."""
    import re

    from accessible import has_window, texts
    from person import Person
    from pictures import areas_with
    from waiting import wait_for

    title = "Sign In With a Code"
    app.button("Use a Code").click()

    def shown(pattern: str):
        return next((text for text in texts(title) if re.fullmatch(pattern, text)), None)

    code = wait_for(lambda: shown("[A-Z0-9]{8,9}"), "the code")
    # Its seconds never rest.
    steps.done("Code for another device", lambda: areas_with(title, "The code expires"))
    Person(emulator).enter_code(shown(r"https://\S+"), code)
    app.wait_for_account(emulator.adele.username)
    wait_for(lambda: not has_window(title), "the dialog to be closed")
    app.wait_until_idle()
    steps.done("Signed in with a code")


def use_command_line(app, emulator, steps: Steps):
    """Goes on with the app's account at the command line, without anyone at the window."""
    import csv
    import io
    import json
    import re
    import subprocess

    from person import Person

    program = [str(app.stage / "bin" / "entrancectl")]

    def run(*arguments: str, status: int = 0, input: str = "") -> str:
        """What a command prints: on standard output, or on standard error if it is to fail."""
        done = subprocess.run(
            [*program, *arguments], env=app.environment(), input=input, capture_output=True, text=True, timeout=60)
        assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stderr}"
        return done.stderr if status else done.stdout

    # A sample of the Explorer.
    profile = json.loads(run("graph", "/me?$select=displayName,jobTitle,mail"))
    assert profile["displayName"] == emulator.adele.display_name
    assert emulator.adele.username in run("accounts")
    steps.say("Request at the command line")

    messages = "/me/messages?$top=2&$select=subject"
    refusal = run("graph", messages, status=77)
    assert "HTTP 403" in refusal and "A permission may be missing." in refusal, refusal
    needs = run("graph", "explain", "GET", messages)
    assert "Mail.ReadBasic" in needs, needs
    steps.say("Refused request explained")

    # The person at the other device accepts the permission.
    signing_in = subprocess.Popen(
        [*program, "sign-in", "--device-code", "--scope", "Mail.ReadBasic"], env=app.environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    url, code = re.search(r"open (\S+) in a browser and enter the code (\w+)", signing_in.stderr.readline()).groups()
    Person(emulator).enter_code(url, code)
    assert emulator.adele.username in signing_in.communicate(timeout=60)[0] and signing_in.returncode == 0
    steps.say("Permission granted")

    rows = list(csv.DictReader(io.StringIO(run("graph", messages, "--csv"))))
    assert len(rows) == 2 and all(row["subject"] for row in rows), rows
    steps.say("Table of messages")

    photo = app.home / "photo.png"
    run("graph", "/me/photo/$value", "--output", str(photo))
    assert photo.read_bytes().startswith(b"\x89PNG")
    steps.say("Photo saved")

    claims = run("token", "decode", input=run("token"))
    assert claims.startswith("Access token for Microsoft Graph\n") and "Mail.ReadBasic" in claims
    steps.say("Token decoded")


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
