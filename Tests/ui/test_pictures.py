"""Each page and state in each look, compared with the pictures in `pictures/`.

A story leads through the program and yields the pictures: a name, the window, and what to paint over. To add a
state, add a line to a story, then run these tests with --record. To add a look, add it to `LOOKS`.
"""

import gettext
import json
import re
import shutil
import socket
import tempfile
from pathlib import Path

import pytest

import screen
import tree
from accessible import (
    ALERT, BUTTON, LOG, MENU_ITEM, exists, find, find_window, has_window, texts, wait_for_dialog)
from app import MAIN, App, SignIn
from emulator import Emulator
from languages import locale, mirrored
from pictures import KEEPS_PLACES, LOOKS, NO_LOG, SCROLL_BAR, Album
from test_desktop_entry import sandbox
from test_programs import GIT, MAIL, get_token, token, write
from waiting import wait_for

# The name of the file with two accounts.
TWO = "two.json"
# Of the emulator in the pictures.
PORT = 47111
CLIENT_ID = "11111111-2222-3333-4444-555555555555"


class World:
    """A user with a connection to the emulator, in one look."""

    def __init__(self, session, stage, home, emulator, look):
        self.emulator = emulator
        # A file with Adele's account.
        self.account: Path | None = None
        self.look = look
        self.home = home
        self.app = App(session, stage, home)
        self.sign_in = SignIn(self.app, emulator)
        self.language = look.language.partition("_")[0] or "en"
        self.catalog = gettext.translation(
            "entrance", stage / "share" / "locale", [self.language], fallback=True)
        self.cache = home / "cache.json"
        self.file = home / "config" / "entrance" / "apps.json"
        with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
            settings.write("gtk-enable-animations=false\n")
        # GTK hides the ring around the focused widget three seconds after the last key, and libadwaita shows that
        # around the row with the focus from then on.
        (home / "config" / "gtk-4.0" / "gtk.css").write_text("* { outline-style: none; }\n")
        screen.run("xdotool", "mousemove", "1919", "1079")

    def connect(self, **members):
        """Writes a connection whose accounts are in a file of their own."""
        self.app.connect_to(self.emulator, cache={"path": str(self.cache)}, **members)

    def launch(self, *arguments: str):
        self.app.process = self.app.launch(*arguments)
        window = wait_for(lambda: screen.window_id(MAIN), "the window")
        screen.resize(window, self.look.width, self.look.height)

    def start(self):
        self.launch("--app", "Demo")
        wait_for(lambda: len(self.log.splitlines()) > 1, "the log")

    @property
    def log(self) -> str:
        return find(MAIN, LOG, self.tr("Log")).text

    def wait_for_log(self, text: str):
        wait_for(lambda: text in self.log, f"'{text}' in the log")

    def tr(self, text: str) -> str:
        """A text in the user's language."""
        return self.catalog.gettext(text)

    def letter(self, label: str) -> str:
        """The mnemonic of a label, in the user's language."""
        translated = self.tr(label)
        return translated[translated.index("_") + 1].lower()

    def press_mnemonic(self, label: str):
        screen.press(f"alt+{self.letter(label)}")

    def press(self, *keys: str):
        screen.focus(screen.window_id(MAIN))
        screen.press(*keys)

    def wait_until_idle(self):
        wait_for(
            lambda: find(MAIN, BUTTON, self.tr("Get device info")).is_enabled, "the app to be idle")

    def wait_for_text(self, text: str):
        """Waits for a label."""
        wait_for(lambda: self.tr(text) in texts(MAIN), text)

    def find_popover(self) -> str:
        """The window of an open list."""
        return wait_for(lambda: screen.popovers(self.app.process.pid), "the list")[0]

    def renew_token(self):
        """Makes the app ask for a new token at the next call: the one that it has is old."""
        cache = json.loads(self.cache.read_text())
        for token in cache["AccessToken"].values():
            token["expires_on"] = token["extended_expires_on"] = "1"
        new = self.cache.with_suffix(".new")
        new.write_text(json.dumps(cache))
        new.chmod(0o600)
        new.replace(self.cache)

    def dialog(self, title: str) -> str:
        """Waits for a dialog to have the focus, and makes it as narrow as the screen."""
        title = self.tr(title)
        wait_for_dialog(title)
        window = screen.window_id(title)
        width, height = screen.geometry(window)[2:]
        if width > self.look.width:
            screen.resize(window, self.look.width, height)
        return title


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def is_served(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def service(session, stage):
    emulator = Emulator(session, stage)
    # The port is in the pictures. Another run may have the first one, and a connection that was closed has it for
    # a minute.
    try:
        wait_for(lambda: is_free(PORT) or is_served(PORT), "the port", 70)
    except AssertionError as error:
        print(error)
    for port in range(PORT, PORT + 9):
        try:
            emulator.start("--port", str(port))
            break
        except RuntimeError:
            continue
    yield emulator
    emulator.stop()


@pytest.fixture(scope="module")
def account(session, stage, service, tmp_path_factory):
    """A file with Adele's account, beside one with Dara's too."""
    home = tmp_path_factory.mktemp("signed-in")
    world = World(session, stage, home, service, LOOKS[0])
    world.connect()
    world.sign_in.without_window(service.adele)
    adele = home / "adele.json"
    shutil.copy(world.cache, adele)
    world.sign_in.without_window(service.users[3])
    shutil.copy(world.cache, adele.with_name(TWO))
    return adele


@pytest.fixture(scope="module")
def stage_in_arabic(stage, tmp_path_factory):
    return mirrored(stage, tmp_path_factory.mktemp("arabic") / "stage")


def first_start(world: World):
    """The first start, a mistake in apps.json, no keyring, and nobody is signed in."""
    world.launch()
    yield "first-start", MAIN
    if world.look.has_dialogs:
        yield from assistant(world)
    world.file.parent.mkdir(parents=True, exist_ok=True)
    world.file.write_text('{"version": 1, "apps": [{"name": "Demo"}]}')
    wait_for(lambda: exists(MAIN, BUTTON, world.tr("Try _Again").replace("_", "")), "the mistake")
    yield "bad-connection", MAIN, str(world.home)
    world.app.connect_to(world.emulator, clientID=CLIENT_ID)
    passphrase = world.tr("_Set Passphrase…").replace("_", "")
    wait_for(lambda: exists(MAIN, BUTTON, passphrase), "the notice about the keyring")
    wait_for(lambda: len(world.log.splitlines()) > 1, "the log")
    yield "no-keyring", MAIN
    if world.look.has_dialogs:
        world.press(f"alt+{world.letter('_Set Passphrase…')}")
        yield "passphrase", world.dialog("Set a Passphrase")
        screen.press("Escape")
        wait_for(lambda: not has_window(world.tr("Set a Passphrase")), "the dialog to be gone")
    # Another app, whose accounts are in a file.
    world.connect()
    wait_for(lambda: not exists(MAIN, BUTTON, passphrase), "the notice to go")
    wait_for(lambda: len(world.log.splitlines()) > 1, "the log")
    yield "signed-out", MAIN
    if world.look.has_dialogs:
        yield from signing_in(world)


def assistant(world: World):
    """The dialogs of the first start."""
    world.press("Down", "Down", "Down", "Return")
    yield "ask", world.dialog("Ask for an App")
    screen.press("Escape")
    world.press("Up", "Return")
    yield "register", world.dialog("Register an App")
    world.press_mnemonic("_Next")
    yield "new-connection", world.dialog("New App")
    screen.type_text("not an ID")
    screen.press("Return")
    wait_for(lambda: any(
        place.role == ALERT and CLIENT_ID in place.name
        for place in tree.walk(find_window(world.tr("New App")))), "the mistake")
    yield "wrong-client-id", world.dialog("New App")
    screen.press("Escape")
    world.dialog("Discard Changes?")
    world.press_mnemonic("_Discard")
    wait_for(lambda: not has_window(world.tr("New App")), "the form to be gone")


def signing_in(world: World):
    """The shortcuts, and the ways to sign in."""
    world.press("ctrl+question")
    yield "shortcuts", world.dialog("Keyboard Shortcuts")
    screen.press("Escape")
    pages = world.emulator.authorize_count()
    world.press("ctrl+Return")
    title = world.dialog("Sign In")
    wait_for(lambda: world.emulator.authorize_count() > pages, "the sign-in page to be asked for")
    yield "sign-in", title, SCROLL_BAR
    screen.press("Escape")
    wait_for(lambda: not has_window(title), "the sign-in window to be closed")
    world.wait_until_idle()
    world.press_mnemonic("Use a _Browser")
    yield "browser", world.dialog("Continue in the Browser")
    screen.press("Escape")
    if not world.look.has_all:
        return
    world.wait_until_idle()
    world.press_mnemonic("Use a _Code")
    title = world.tr("Sign In With a Code")
    code = wait_for(
        lambda: next((text for text in texts(title) if re.fullmatch("[A-Z0-9]{8,9}", text)), None),
        "the code")
    # The dialog has grown to its content, and can be made narrow.
    world.dialog("Sign In With a Code")
    yield ("code", title, code, world.tr("QR code with the page’s address"),
           world.tr("The code expires in {time}.").partition("{")[0])
    screen.press("Escape")


def signed_in(world: World):
    """Somebody is signed in."""
    shutil.copy(world.account, world.cache)
    world.connect()
    world.start()
    yield "signed-in", MAIN
    world.press("ctrl+Return")
    world.wait_for_log('"displayName"')
    yield "result", MAIN
    world.press("alt+2")
    wait_for(lambda: exists(MAIN, "text", world.tr("Address")), "the Explorer page")
    yield "explorer", MAIN, NO_LOG
    screen.press("ctrl+a")
    screen.type_text("/me?$select=jobTitle")
    screen.press("Return")
    wait_for(lambda: "200 OK" in texts(MAIN), "the answer")
    # How long it took, as each language says it.
    took = world.tr("{count} ms").replace("{count}", "") + " · "
    yield "explorer-answer", MAIN, NO_LOG, took
    screen.press("F9")
    wait_for(lambda: exists(MAIN, "entry", world.tr("Search samples and history")), "the list")
    wait_for(lambda: any(place.name.endswith(", User.Read") for place in tree.walk(find_window(MAIN))),
             "the permissions of the samples")
    yield "explorer-samples", MAIN, NO_LOG, KEEPS_PLACES, took
    screen.press("Escape")
    world.press("alt+3")
    world.wait_for_text("ID Token")
    # Times and sizes differ in each run.
    yield "tokens", MAIN, NO_LOG, " (", "["
    world.press("alt+4")
    wait_for(lambda: any(
        place.name.startswith(world.tr("Response") + ", ")
        for place in tree.walk(find_window(MAIN))), "the response")
    # The ID of the request is in the details, which a wide window shows at once.
    varying = (NO_LOG, world.tr("Details"), "localhost")
    yield "activity", MAIN, *varying
    screen.press("Down")
    screen.press("Home")
    wait_for(lambda: exists(MAIN, LOG, world.tr("Details")), "the details")
    yield "activity-details", MAIN, *varying
    if not world.look.has_dialogs:
        return
    world.press("alt+1")
    wait_for(lambda: exists(MAIN, LOG, world.tr("Log")), "the account page")
    world.press_mnemonic("Sign _Out")
    question = world.tr("Sign Out?")
    yield "sign-out", world.dialog(question)
    screen.press("Escape")
    wait_for(lambda: not has_window(question), "the question to be gone")
    world.press("ctrl+comma")
    yield "preferences", world.dialog("Preferences"), KEEPS_PLACES
    if world.look.has_all:
        for page in ("_Privacy", "Appeara_nce"):
            before = screen.pixels(world.tr("Preferences"))
            screen.press(f"alt+{world.letter(page)}")
            wait_for(
                lambda: screen.pixels(world.tr("Preferences")) != before, page)
            yield f"preferences-{page.replace('_', '').lower()}", world.tr("Preferences"), KEEPS_PLACES
    screen.press("Escape")
    wait_for(lambda: not has_window(world.tr("Preferences")), "the preferences to be gone")
    world.press("F10", world.letter("App_s"))
    yield "connections", world.dialog("Apps")


def two_accounts(world: World):
    """Two accounts, of which one is used."""
    shutil.copy(world.account.with_name(TWO), world.cache)
    world.connect()
    world.start()
    world.press("ctrl+Return")
    world.wait_for_log('"displayName"')
    world.wait_until_idle()
    screen.press("shift+Tab", "Down")
    yield "switcher", world.find_popover()
    screen.press(f"alt+{world.letter('_Manage Accounts')}")
    title = world.dialog("Accounts")
    yield "accounts", title
    name = world.tr("Actions for {username}").replace("{username}", world.emulator.adele.username)
    find(title, BUTTON, name).click()
    wait_for(lambda: exists(title, MENU_ITEM, world.tr("_Rename…").replace("_", "")), "the menu")
    screen.press(world.letter("_Rename…"))
    yield "rename", world.dialog("Rename Account")
    screen.type_text("Adele at work")
    screen.press("Return")
    wait_for(lambda: not has_window(world.tr("Rename Account")), "the question to be gone")
    yield "renamed", title


def notices(world: World):
    """What went wrong, and a wrong clock."""
    shutil.copy(world.account, world.cache)
    world.connect()
    world.start()
    world.renew_token()
    world.emulator.prepare_token_reply(400, {
        "error": "temporarily_unavailable", "error_codes": [90033],
        "error_description": "AADSTS90033: A transient error has occurred."})
    world.press("ctrl+Return")
    world.wait_for_text("Service Not Available")
    world.wait_until_idle()
    world.press_mnemonic("Detai_ls")
    codes = world.tr("Codes: {codes}").partition("{")[0]
    wait_for(lambda: any(codes in text for text in texts(MAIN)), "the details")
    yield "failure", MAIN, codes, LOG
    try:
        world.emulator.set_faults("future-iat")
        world.press("ctrl+Return")
        world.wait_for_text("The Clock Seems to Be Wrong")
        world.wait_for_log('"displayName"')
        world.wait_until_idle()
        yield "wrong-clock", MAIN, LOG
        find(MAIN, BUTTON, world.tr("Dismiss")).click()
        screen.run("xdotool", "mousemove", "1919", "1079")
        world.emulator.set_faults("token-429")
        world.renew_token()
        world.press("ctrl+Return")
        world.wait_for_text("Too Many Requests")
        world.wait_until_idle()
        yield "pause", MAIN, " 0:", LOG
    finally:
        world.emulator.set_faults()


# {"typ":"JWT","alg":"RS256"}.{"aud":"00000003-0000-0000-c000-000000000000","name":"Adele Vance",
# "scp":"Mail.Send User.Read","ver":"2.0"}
TOKEN = (
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiIwMDAwMDAwMy0wMDAwLTAwMDAtYzAwMC0wMDAwMDAwMDAwMDAiLCJuYW1lIjoiQWR"
    "lbGUgVmFuY2UiLCJzY3AiOiJNYWlsLlNlbmQgVXNlci5SZWFkIiwidmVyIjoiMi4wIn0.c2ln")


def dialogs(world: World):
    """The dialogs that explain, decode, allow, and ask before something is removed."""
    world.app.connect_to(world.emulator)
    world.sign_in.without_window(world.emulator.adele)
    world.start()
    world.wait_until_idle()
    world.press("ctrl+e")
    title = world.dialog("Explain an Error")
    screen.type_text("AADSTS50076")
    wait_for(lambda: any("\nAADSTS50076" in text for text in texts(title)), "the explanation")
    yield "explain", title
    close(title)
    world.press("F10", world.letter("_About Entrance"))
    # The window is libadwaita's.
    title = gettext.translation("libadwaita", "/usr/share/locale", [world.language], fallback=True).gettext("About")
    wait_for_dialog(title)
    version = next(text for text in texts(title) if re.fullmatch(r"\d+\.\d+\.\d+\S*", text))
    yield "about", title, version
    close(title)
    world.press("alt+3")
    world.wait_for_text("ID Token")
    world.press_mnemonic("_Decode Another Token…")
    title = world.dialog("Decode a Token")
    screen.type_text(TOKEN)
    wait_for(lambda: any("Adele Vance" in text for text in texts(title)), "the claims")
    # Where there is no room for all of the token, its beginning is in sight.
    screen.press("ctrl+Home")
    screen.scroll_up(*find(title, "text", world.tr("Token")).center(), 20)
    screen.move_pointer(0, 0)
    yield "decode", title
    close(title)
    world.press("alt+1")
    write(world.home, GIT, MAIL | {"program": "org.example.Calendar"})
    world.press("F10", world.letter("Access by P_rograms"))
    title = world.dialog("Access by Programs")
    wait_for(lambda: "git" in texts(title), "the programs")
    yield "programs", title
    close(title)
    # What is in a sandbox has a name that is no path, and needs an answer.
    asking = token(world.app, *sandbox(world.home), *get_token())
    title = world.tr("Allow “{program}” to Use Your Account?").replace("{program}", "org.example.Mail")
    wait_for_dialog(title)
    yield "consent", title
    screen.press("Escape")
    asking.communicate(timeout=60)
    world.press("ctrl+k")
    wait_for(lambda: exists(MAIN, BUTTON, world.tr("_Manage Accounts").replace("_", "")), "the switcher")
    screen.press(f"alt+{world.letter('_Manage Accounts')}")
    title = world.dialog("Accounts")
    name = world.tr("Actions for {username}").replace("{username}", world.emulator.adele.username)
    find(title, BUTTON, name).click()
    wait_for(lambda: exists(title, MENU_ITEM, world.tr("_Rename…").replace("_", "")), "the menu")
    screen.press(world.letter("Sign In to _Another Organization…"))
    yield "organization", world.dialog("Another Organization")
    close(world.tr("Another Organization"))
    world.press("ctrl+shift+a")
    title = world.dialog("Apps")
    find(title, BUTTON, world.tr("Actions for “{name}”").replace("{name}", "Demo")).click()
    wait_for(lambda: exists(title, MENU_ITEM, world.tr("_Remove").replace("_", "")), "the menu")
    screen.press(world.letter("_Remove"))
    wait_for_dialog(question := world.tr("Remove “{name}”?").replace("{name}", "Demo"))
    yield "remove-app", question
    close(question)
    close(title)
    world.press("ctrl+comma")
    title = world.dialog("Preferences")
    before = screen.pixels(title)
    screen.press(f"alt+{world.letter('_Privacy')}")
    wait_for(lambda: screen.pixels(title) != before, "the page")
    # A page that is not there yet takes no key.
    screen.wait_until_still(title)
    screen.press(f"alt+{world.letter('Clear _All Data…')}")
    yield "clear-all-data", world.dialog("Clear All Data?")
    close(world.tr("Clear All Data?"))
    close(title)


def close(title: str):
    """Closes the dialog that has the keyboard."""
    wait_for_dialog(title)
    screen.press("Escape")
    wait_for(lambda: not has_window(title), f"'{title}' to be gone")


STORIES = [first_start, signed_in, two_accounts, notices, dialogs]
# The stories of which not every look has a picture.
FEW = [two_accounts, notices]
# Those that are about dialogs, and of somebody whose accounts are in a keyring.
OF_DIALOGS = [dialogs]


def is_pictured(story, look) -> bool:
    return look.has_dialogs if story in OF_DIALOGS else look.has_all or story not in FEW


@pytest.fixture
def home():
    """A home directory whose path is as long in each run."""
    with tempfile.TemporaryDirectory(prefix="entrance-", dir="/tmp") as directory:
        yield Path(directory)


@pytest.mark.parametrize("story,look", [
    pytest.param(story, look, id=f"{story.__name__}-{look.name}")
    for story in STORIES for look in LOOKS if is_pictured(story, look)])
def test_picture(
    story, look, session, stage, home, service, account, request, results, monkeypatch, set_text_scale
):
    for variable, value in look.environment.items():
        monkeypatch.setenv(variable, value)
    if look.language:
        for variable, value in locale(session.directory / "locales", look.language).items():
            monkeypatch.setenv(variable, value)
    if look.language == "ar_EG":
        stage = request.getfixturevalue("stage_in_arabic")
    if story in OF_DIALOGS:
        request.getfixturevalue("keyring")
    set_text_scale(look.scale)
    # No browser is needed to picture the wait for it.
    monkeypatch.setenv("BROWSER", "true")
    other_port = () if service.base.endswith(f":{PORT}") else (service.base.removeprefix("https://"),)
    album = Album(results, request.config.getoption("--record"))
    world = World(session, stage, home, service, look)
    world.account = account
    try:
        for name, title, *hidden in story(world):
            album.add(name, title, look, *hidden, *other_port)
    finally:
        world.app.stop()
    assert album.problems == []
    assert world.app.complaints() == []
