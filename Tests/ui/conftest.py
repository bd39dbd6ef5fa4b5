"""Fixtures of the UI tests: a desktop for the whole run, and a home directory, a keyring, an
emulator and the app for each test.

A failed test saves a picture of the screen and the log to the results directory.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from session import Session  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--stage", type=Path, required=True, help="where the app is installed")
    parser.addoption("--results", type=Path, default=Path(".build/ui-results"))
    parser.addoption(
        "--record", action="store_true",
        help="replace the pictures and transcripts in the tree by those of this run")
    parser.addoption(
        "--tools", type=Path, default=Path(".build/debug"), help="where programs for tests are")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    setattr(item, f"report_{report.when}", report)


def pytest_configure(config):
    config.addinivalue_line("markers", "recorded(name): what is spoken is in the file `name` of each release")
    # The workers of a parallel run share the directory.
    if not hasattr(config, "workerinput"):
        directory = config.getoption("--results")
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)


# The files that take longest: if they began last, the other workers would wait for them.
LONG_FILES = ("test_pictures", "test_explorer")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.stem not in LONG_FILES)


@pytest.fixture(scope="session")
def results(request) -> Path:
    return request.config.getoption("--results").absolute()


@pytest.fixture(scope="session")
def stage(request) -> Path:
    return request.config.getoption("--stage").absolute()


@pytest.fixture(scope="session")
def tools(request) -> Path:
    return request.config.getoption("--tools").absolute()


@pytest.fixture(scope="session")
def session(results):
    session = Session()
    try:
        yield session.start()
    finally:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        shutil.copy(session.directory / "session.log", results / f"session-{worker}.log")
        session.close()


@pytest.fixture
def home(session, tmp_path) -> Path:
    return tmp_path


@pytest.fixture
def keyring(session, home):
    """An unlocked keyring, like after a login."""
    from keyring import Keyring

    keyring = Keyring(session, home)
    keyring.start()
    yield keyring
    keyring.stop()


@pytest.fixture
def broker(session):
    """An identity broker with Adele's account."""
    from broker import Broker

    broker = Broker(session).start()
    yield broker
    broker.stop()


@pytest.fixture
def emulator(session, stage):
    from emulator import Emulator

    emulator = Emulator(session, stage).start()
    yield emulator
    emulator.stop()


@pytest.fixture
def app(session, stage, home, emulator, request, results):
    """The app, configured for the emulator but not started."""
    from app import App
    import screen

    app = App(session, stage, home)
    app.connect_to(emulator)
    yield app
    if screen.capture_failure(request.node, results):
        try:
            (results / f"{request.node.name}.log").write_text(app.log)
        except (AssertionError, LookupError):
            pass
    app.stop()
    assert app.complaints() == [], "unexpected messages on standard error"


@pytest.fixture
def set_text_scale(session):
    """Sets the size of text in programs that are started from now on; the next test has the usual one."""
    import screen

    yield screen.set_text_scale
    screen.set_text_scale(1)


@pytest.fixture
def sign_in(app, emulator):
    from app import SignIn

    return SignIn(app, emulator)


@pytest.fixture
def signed_in(app, emulator, keyring, sign_in):
    """The app, in which Adele is signed in and has called the API; its window has the keyboard.

    It has shown no sign-in page.
    """
    import screen
    from app import MAIN

    sign_in.without_window(emulator.adele)
    app.start()
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.focus(screen.window_id(MAIN))
    return app
