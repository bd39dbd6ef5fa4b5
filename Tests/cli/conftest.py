"""Fixtures of the command-line tests: a session bus for the whole run, and a home directory, a
keyring, an emulator and a browser for each test. There is no display.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

here = Path(__file__).parent
sys.path[:0] = [str(here), str(here.parent / "ui")]

from api import API  # noqa: E402
from emulator import Emulator  # noqa: E402
from keyring import Keyring  # noqa: E402
from mail_servers import IMAP, RESOURCE, SMTP  # noqa: E402
from servers import Servers  # noqa: E402
from service_servers import PERMISSION, RESOURCES  # noqa: E402
from session import Session  # noqa: E402


# A caller such as nohup ignores signals, and so would all programs that the tests start.
for _number, _handler in [
        (signal.SIGHUP, signal.SIG_DFL), (signal.SIGTERM, signal.SIG_DFL), (signal.SIGQUIT, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler)]:
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, _handler)


class BusSession(Session):
    """Only a session bus."""

    def start(self) -> "BusSession":
        os.environ.update(
            DBUS_SESSION_BUS_ADDRESS=self._start_bus(),
            XDG_RUNTIME_DIR=str(self._private_directory("runtime")),
            LANG="C.UTF-8",
            LC_ALL="C.UTF-8",
        )
        for name in list(os.environ):
            if name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER") or name.lower().endswith("_proxy"):
                del os.environ[name]
        return self


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)

    @property
    def error(self) -> dict:
        """The error in the JSON, which the exit status agrees with."""
        error = self.json["error"]
        # Python has the negative number of a signal, and a shell 128 and the number.
        status = 128 - self.status if self.status < 0 else self.status
        assert status > 0 and error["exitStatus"] == status, self
        return error


class CommandLine:
    """entrancectl with this home directory."""

    def __init__(self, session: Session, stage: Path, home: Path):
        self.session = session
        self.program = stage / "bin" / "entrancectl"
        self.environment = session.environment(home)
        self.connections = home / "config" / "entrance" / "apps.json"
        # All output so far, except for that of `token`.
        self.printed = ""

    def connect_to(self, *connections: dict, **members: str):
        """Writes apps.json, with `members` at its top level."""
        self.write_connections(
            json.dumps({"version": 1} | members | {"apps": connections}))

    def write_connections(self, text: str):
        self.connections.parent.mkdir(parents=True, exist_ok=True)
        self.connections.write_text(text)

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        # In a separate session, so that nothing is asked on the terminal of the test run.
        return subprocess.Popen(
            [self.program, *arguments], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            **options)

    def finish(self, process: subprocess.Popen, input: str = "") -> Result:
        try:
            out, err = process.communicate(input, timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        result = Result(process.returncode, out, err)
        if process.args[1:2] != ["token"]:
            self.printed += out + err
        return result

    def __call__(self, *arguments: str, input: str = "") -> Result:
        return self.finish(self.start(*arguments), input)

    def ok(self, *arguments: str, input: str = "") -> Result:
        result = self(*arguments, input=input)
        assert result.status == 0, result
        return result

    def expire_tokens(self, app: str, file: Path):
        """Makes the access tokens in the cache of an app expire; `file` is used for that."""
        content = json.loads(self.start("cache", "export", "--app", app).communicate(timeout=60)[0])
        for token in content["AccessToken"].values():
            token |= {name: str(int(time.time()) - 60) for name in ("expires_on", "extended_expires_on")}
            token.pop("refresh_on", None)
        file.write_text(json.dumps(content))
        file.chmod(0o600)
        self.ok("sign-out", "--app", app)
        self.ok("cache", "import", "--app", app, str(file))

    def interrupt(self, process: subprocess.Popen) -> Result:
        process.send_signal(signal.SIGINT)
        return self.finish(process)


class Person:
    """A user at the browser that entrancectl opens."""

    def __init__(self, cli: CommandLine, emulator: Emulator, home: Path):
        self.cli = cli
        self.log = home / "browser.log"
        cli.environment |= {
            "BROWSER": f"/no/such/program:{here / 'browser.py'} %s",
            "BROWSER_LOG": str(self.log),
            "BROWSER_CA": emulator.description["caFile"],
            "BROWSER_COOKIES": str(home / "cookies.txt"),
        }
        self.emulator = emulator

    def __getattr__(self, name):
        return getattr(self.cli, name)

    def sits_down(self, username: str, consents: bool = True):
        self.cli.environment |= {
            "BROWSER_USER": username, "BROWSER_CONSENTS": "yes" if consents else "no"}

    def is_away(self):
        """The browser opens, and nobody uses it."""
        self.cli.environment["BROWSER"] = "true"

    @property
    def pages(self) -> list[dict]:
        """The pages that the browser has shown: URL, title, header fields, and text."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def enter_code(self, url: str, code: str):
        subprocess.run(
            [here / "browser.py", url], check=True, timeout=120,
            env=self.cli.environment | {"BROWSER_CODE": code})


def pytest_addoption(parser):
    parser.addoption("--stage", type=Path, required=True, help="where the programs are installed")


@pytest.fixture(scope="session")
def stage(request) -> Path:
    return request.config.getoption("--stage").absolute()


@pytest.fixture(scope="session")
def session():
    session = BusSession()
    try:
        yield session.start()
    finally:
        session.close()


@pytest.fixture
def home(tmp_path) -> Path:
    return tmp_path


@pytest.fixture
def keyring(session, home):
    """An unlocked keyring, like after a login."""
    keyring = Keyring(session, home)
    keyring.start()
    yield keyring
    keyring.stop()


@pytest.fixture(scope="session")
def resources(session) -> Path:
    """What the emulator is told of the servers of the tests."""
    file = session.directory / "emulator.json"
    file.write_text(json.dumps({"resources": [
        {"identifier": RESOURCE, "scopes": [IMAP, SMTP]},
        *({"identifier": resource, "scopes": [PERMISSION]} for resource in RESOURCES)]}))
    return file


@pytest.fixture
def emulator(session, stage, resources):
    emulator = Emulator(session, stage).start("--configuration", str(resources))
    yield emulator
    emulator.stop()


@pytest.fixture(scope="session")
def servers(session, tmp_path_factory):
    servers = Servers(session, tmp_path_factory.mktemp("servers"))
    yield servers
    servers.close()


@pytest.fixture
def cli(session, stage, home, emulator):
    """The command line with a connection to the emulator, and no browser."""
    cli = CommandLine(session, stage, home)
    cli.connect_to(emulator.connection("Contoso"))
    return cli


@pytest.fixture
def ordinary(cli):
    """A process of entrancectl for a user who is not root: its command, its options, and its
    home directory.
    """
    # Root can inspect its own processes anyway, so as root the tests run it as nobody.
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        shutil.copy(cli.program, home)
        shutil.copytree(cli.connections.parent, home / "entrance")
        for path in [home, *home.rglob("*")]:
            path.chmod(0o755)
        environment = cli.environment | {
            "HOME": directory, "XDG_CONFIG_HOME": directory, "XDG_STATE_HOME": f"{directory}/state"}
        yield str(home / "entrancectl"), {"user": user, "env": environment}, home


@pytest.fixture
def person(cli, emulator, home):
    person = Person(cli, emulator, home)
    person.sits_down(emulator.adele.username)
    return person


@pytest.fixture
def signed_in(cli, keyring, person):
    """The command line after Adele has signed in."""
    cli.ok("sign-in")
    return cli


@pytest.fixture
def api(signed_in, emulator, home):
    """An API of its own for the app of the account."""
    api = API(home / "api")
    both = home / "authorities.pem"
    both.write_text(Path(emulator.ca.name).read_text() + api.ca_file.read_text())
    signed_in.connect_to(emulator.connection("Contoso") | {"api": api.url, "caFile": str(both)})
    yield api
    api.close()


@pytest.fixture
def desk_for(person, emulator, keyring, servers):
    """Makes the desk of the person, who uses a program of a kind."""
    # It needs this module.
    from desk import Desk

    desks = []

    def make(kind: type) -> Desk:
        desks.append(Desk(kind, person, emulator, keyring, servers))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()
