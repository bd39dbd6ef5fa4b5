"""Each page and state in each look, compared with the pictures in `pictures/`.

A story leads through the program and yields the pictures: a name, the window, and what to paint over. To add a
state, add a line to a story, then run these tests with --record. To add a look, add it to `LOOKS`.
"""

import json
import shutil
import subprocess

import pytest

import screen
from accessible import BUTTON, LABEL, exists, find, has_window
from app import CALL_GRAPH, MAIN, SIGN_IN, App, SignIn
from emulator import Emulator
from languages import locale
from pictures import LOOKS, Album
from waiting import wait_for

CLIENT_ID = "11111111-2222-3333-4444-555555555555"


class World:
    """A user with a connection to the emulator, in one look."""

    def __init__(self, session, stage, home, emulator, look):
        self.emulator = emulator
        self.look = look
        self.home = home
        self.app = App(session, stage, home)
        self.sign_in = SignIn(self.app, emulator)
        self.cache = home / "cache.json"
        self.file = home / "config" / "entrance" / "connections.json"
        with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
            settings.write("gtk-enable-animations=false\n" + look.settings)

    def connect(self, **members):
        """Writes a connection whose accounts are in a file of their own."""
        self.app.connect_to(self.emulator, cache={"path": str(self.cache)}, **members)

    def launch(self, *arguments: str):
        self.app.process = self.app.launch(*arguments)
        window = wait_for(lambda: screen.window_id(MAIN), "the window")
        screen.resize(window, self.look.width, self.look.height)

    def press(self, *keys: str):
        screen.focus(screen.window_id(MAIN))
        screen.press(*keys)

    def fit(self, title: str) -> str:
        """Waits for a dialog, and makes it as narrow as the screen."""
        window = wait_for(lambda: screen.window_id(title), title)
        width, height = screen.geometry(window)[2:]
        if width > self.look.width:
            screen.resize(window, self.look.width, height)
        return title


@pytest.fixture(scope="module")
def service(session, stage):
    emulator = Emulator(session, stage).start()
    yield emulator
    emulator.stop()


@pytest.fixture(scope="module")
def signed_in(session, stage, service, tmp_path_factory):
    """A file with Adele's account."""
    home = tmp_path_factory.mktemp("signed-in")
    world = World(session, stage, home, service, LOOKS[0])
    world.connect()
    world.app.start()
    world.sign_in.open().complete(service.adele)
    world.app.wait_for_log("Result from Graph: {")
    world.app.stop()
    return world.cache


@pytest.fixture(scope="module")
def stage_in_arabic(stage, tmp_path_factory):
    """The app with a catalog for Arabic, which makes GTK use right-to-left layout."""
    copy = tmp_path_factory.mktemp("arabic") / "stage"
    shutil.copytree(stage, copy)
    messages = copy / "share" / "locale" / "ar" / "LC_MESSAGES"
    messages.mkdir(parents=True)
    subprocess.run(
        ["msgfmt", "--output-file", str(messages / "entrance.mo"), "-"], check=True, text=True,
        input='msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    return copy


def set_up(world: World, signed_in):
    """The first start, and the mistakes of connections.json."""
    world.launch()
    yield "first-start", MAIN
    world.press("Return")
    yield "set-up", world.fit("Set Up")


def signed_out(world: World, signed_in):
    world.connect()
    world.launch("--connection", "Demo")
    yield "signed-out", MAIN


STORIES = [set_up, signed_out]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_picture(
    story, look, session, stage, home, service, signed_in, request, results, monkeypatch
):
    for variable, value in look.environment.items():
        monkeypatch.setenv(variable, value)
    if look.language:
        for variable, value in locale(session.directory / "locales", look.language).items():
            monkeypatch.setenv(variable, value)
    if look.language == "ar_EG":
        stage = request.getfixturevalue("stage_in_arabic")
    album = Album(results, request.config.getoption("--record"))
    world = World(session, stage, home, service, look)
    try:
        for name, title, *hidden in story(world, signed_in):
            if title == MAIN or look.has_dialogs:
                album.add(name, title, look, *hidden)
    finally:
        world.app.stop()
    assert album.problems == []
    assert world.app.complaints() == []
