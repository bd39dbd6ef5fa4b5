"""Makes the pictures of the README and of software centers, with clicks and keys, on a private desktop.

usage: screenshots.py STAGE DIRECTORY
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from session import Session  # noqa: E402

# Without a compositor, a window has a border instead of round corners and a shadow.
BORDER = 3
RADIUS = 12


def take(title: str, path: Path, find_areas=tuple):
    """Saves a picture of a window, at rest except for some areas, as it looks with a compositor."""
    import screen
    from waiting import wait_for

    window = wait_for(lambda: screen.window_id(title), title)
    screen.focus(window)
    screen.wait_until_still(window, title, find_areas)
    screen.capture(path, window)
    width, height = (side - 2 * BORDER for side in screen.geometry(window)[2:])
    subprocess.run(
        ["convert", str(path), "-shave", f"{BORDER}x{BORDER}", "+repage", "-alpha", "set",
         "(", "-size", f"{width}x{height}", "xc:none", "-fill", "white", "-draw",
         f"roundrectangle 0,0 {width - 1},{height - 1} {RADIUS},{RADIUS}", ")",
         "-compose", "DstIn", "-composite", "-compose", "Over",
         "(", "+clone", "-background", "black", "-shadow", "35x8+0+3", ")", "+swap",
         "-background", "none", "-layers", "merge", "+repage", "-strip",
         "-define", "png:exclude-chunks=date,time", str(path)],
        check=True, timeout=60)
    print(path.name, *(subprocess.check_output(["identify", "-format", "%wx%h", str(path)], text=True),))


def take_explorer(path: Path):
    """The Explorer with a table of users, and its samples beside it."""
    import screen
    from accessible import exists, find, texts
    from app import MAIN
    from waiting import wait_for

    screen.resize(screen.window_id(MAIN), 960, 640)
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    wait_for(lambda: exists(MAIN, "text", "Address"), "the Explorer")
    screen.press("F9")
    wait_for(lambda: exists(MAIN, "entry", "Search samples and history"), "the samples")
    screen.wait_until_still(MAIN, "the samples")
    find(MAIN, "text", "Address").click_into()
    screen.press("ctrl+a")
    screen.type_text("/v1.0/users?$select=givenName,surname,jobTitle,mail")
    screen.press("Return")
    wait_for(lambda: any(text.startswith("200 OK") for text in texts(MAIN)), "the answer")
    find(MAIN, "page tab", "Table").click()
    screen.run("xdotool", "mousemove", "1919", "1079")
    take(MAIN, path)
    screen.press("F9")


def run(session: Session, stage: Path, directory: Path):
    from accessible import BUTTON, find, has_window, texts
    from app import CALL_GRAPH, MAIN, SIGN_IN, App, SignIn
    from emulator import Emulator
    from keyring import Keyring
    from pictures import areas_with
    from switcher import ACCOUNTS, add, choose_action, open_list, sign_in_at_organization
    from waiting import wait_for

    import screen

    home = session.directory / "home"
    home.mkdir()
    keyring = Keyring(session, home).start()
    emulator = Emulator(session, stage).start()
    dara = emulator.users[3]
    app = App(session, stage, home)
    sign_in = SignIn(app, emulator)
    # The ring around the focused widget is seen only while keys are pressed.
    (home / "config" / "gtk-4.0" / "gtk.css").write_text("* { outline-style: none; }\n")
    app.connect_to(emulator, name="Contoso", scopes=["User.Read", "User.ReadBasic.All"])
    screen.run("xdotool", "mousemove", "1919", "1079")
    try:
        app.start("--app", "Contoso")
        app.wait_for_account("Signed out")
        sign_in.open()
        take(SIGN_IN, directory / "sign-in.png")
        sign_in.complete(emulator.adele)
        app.wait_for_log("Result from Graph: {")
        app.wait_until_idle()
        find(MAIN, BUTTON, "Clear Log").click()
        wait_for(lambda: not app.log, "the log to be empty")
        app.call_graph()
        app.wait_for_log("Result from Graph: {")
        app.wait_until_idle()
        take(MAIN, directory / "account.png")
        take_explorer(directory / "explorer.png")
        screen.press("alt+1")
        find(MAIN, BUTTON, CALL_GRAPH)

        add(app, emulator, sign_in, emulator.bram)
        add(app, emulator, sign_in, dara)
        open_list()
        choose_action(dara, "a", "Sign In to Another Organization…")
        sign_in_at_organization(emulator, sign_in, dara, "fabrikam.example")
        wait_for(lambda: "fabrikam.example · Guest account" in app.words, "the organization")
        app.wait_until_idle()
        if has_window(ACCOUNTS):
            screen.close(screen.window_id(ACCOUNTS))
        open_list()
        take(ACCOUNTS, directory / "accounts.png")
        screen.press("Escape")
        wait_for(lambda: not has_window(ACCOUNTS), "the list to be closed")

        for user in (dara, emulator.bram, emulator.adele):
            app.wait_for_account(user.username)
            app.sign_out()
            app.wait_until_idle()
        app.wait_for_account("Signed out")
        title = "Sign In With a Code"
        app.button("Use a Code").click()
        wait_for(
            lambda: any(text.startswith("The code expires") for text in texts(title)), "the code")
        # Its seconds never rest.
        take(title, directory / "code.png", lambda: areas_with(title, "The code expires"))
    finally:
        app.stop()
        emulator.stop()
        keyring.stop()


def main() -> int:
    stage, directory = (Path(argument).absolute() for argument in sys.argv[1:])
    session = Session()
    try:
        run(session.start(), stage, directory)
    finally:
        session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
