"""A person's computer with a program that gets tokens from entrancectl, and the server that the program talks to."""

import os
import re
import signal
import subprocess
from pathlib import Path

from conftest import Person
from emulator import Emulator
from keyring import Keyring
from screen import Screen
from servers import Servers

MANUALS = Path(__file__).parents[2] / "data"
HELPERS = ["entrancectl", "git-credential-entrance", "docker-credential-entrance"]
# Some programs hide what entrancectl writes to standard error, and how it ends. Their configuration is elsewhere.
RECORDER = """#!/bin/sh
error=$(mktemp)
XDG_CONFIG_HOME={config} {stage}/$(basename "$0") "$@" 2>"$error"
status=$?
cat "$error" >>{said}
echo $status >>{statuses}
cat "$error" >&2
rm "$error"
exit $status
"""


class Desk:
    """The computer, before anyone has signed in."""

    def __init__(
            self, kind: "type[Program]", person: Person, emulator: Emulator, keyring: Keyring, servers: Servers):
        self.kind, self.person, self.emulator, self.keyring = kind, person, emulator, keyring
        self.cli = person.cli
        self.home = Path(self.cli.environment["HOME"])
        self.server = servers.get(kind.server)
        self.tokens = self.server.tokens
        self.tokens.begin(emulator)
        # The file with the authorities that the programs trust.
        self.trusted = str(servers.authority.file)
        self.said, self.statuses = self.home / "said", self.home / "statuses"
        self.screens: list[Screen] = []
        self.bin = self.home / "bin"
        for directory in (self.bin, self.home / "tmp"):
            directory.mkdir()
        stage = self.cli.program.parent
        self.add_program("editor", '#!/bin/sh\necho "At one" >"$1"\n')
        for name in HELPERS:
            self.add_program(name, RECORDER.format(
                config=self.cli.environment["XDG_CONFIG_HOME"], stage=stage, said=self.said, statuses=self.statuses))
        self.cli.environment |= {
            "PATH": f"{self.bin}:{stage}:{os.environ['PATH']}", "TERM": "xterm", "EDITOR": "editor",
            "TMPDIR": str(self.home / "tmp")}
        self.connect()

    def add_program(self, name: str, script: str):
        path = self.bin / name
        path.write_text(script)
        path.chmod(0o755)

    def connect(self, **members: str):
        self.cli.connect_to(*self.kind.connections(self), **members)

    def leaves(self):
        """The person comes back by ssh: there is no display, browser, bus or keyring."""
        for name in ("BROWSER", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            del self.cli.environment[name]
        key = self.home / "credentials" / "entrance.store-key"
        key.parent.mkdir(mode=0o700)
        key.write_bytes(bytes(range(32)))
        key.chmod(0o600)
        self.cli.environment["CREDENTIALS_DIRECTORY"] = str(key.parent)
        self.connect(storage="encryptedFile")

    def sign_in(self):
        self.cli.ok("sign-in", "--app", self.kind.app)

    def sign_in_elsewhere(self):
        """With a code, which is entered in a browser of another computer."""
        process = self.cli.start("sign-in", "--app", self.kind.app, "--device-code")
        url, code = re.search(
            r"open (\S+) in a browser and enter the code (\S+)\.", process.stderr.readline()).groups()
        self.person.enter_code(url, code)
        assert self.cli.finish(process).status == 0

    def let_time_pass(self):
        """Makes the token in the cache expire, and the servers refuse it."""
        self.tokens.expired.update(self.tokens.accepted)
        self.cli.expire_tokens(self.kind.app, self.home / "cache.json")

    def forget_what_was_said(self):
        for file in (self.said, self.statuses):
            file.unlink(missing_ok=True)

    def close(self):
        for screen in self.screens:
            screen.close()


class ProgramHangs(AssertionError):
    """A program did not end."""


class Program:
    """How a person uses a program. `use` returns whether that worked, and what the program says."""

    app = "Contoso"
    # What starts its server.
    server: type
    # The exit status of entrancectl for a locked keyring: other than 1 where the recipe has --no-input.
    locked = 1
    # What the person sees of a failure of entrancectl: its message, or else only its exit status.
    shows_message = True
    # Whether entrancectl ends with the status that the program ends with.
    is_run = False
    # How many times it may hang by a fault of its own; a person starts it again.
    hangs = 0

    def __init__(self, desk: Desk, number: int = 0):
        self.desk, self.server, self.number = desk, desk.server, number
        # Of its own, for two at once.
        self.home = desk.home / f"home-{number}"
        self.home.mkdir()

    @classmethod
    def connections(cls, desk: Desk) -> list[dict]:
        """The apps of the person, with the one that the program is used with."""
        return [desk.emulator.connection(cls.app) | {"scopes": [f"{cls.server.resource}/.default"]}]

    @property
    def environment(self) -> dict[str, str]:
        return self.desk.cli.environment | {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config")}

    def run(self, *command: str, input: str = "") -> subprocess.CompletedProcess:
        for _ in range(self.hangs):
            try:
                return self.run_once(command, input)
            except ProgramHangs as hang:
                print(hang)
        return self.run_once(command, input)

    def run_once(self, command: tuple[str, ...], input: str) -> subprocess.CompletedProcess:
        process = subprocess.Popen(
            command, env=self.environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.home,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            text, _ = process.communicate(input, timeout=60)
        except subprocess.TimeoutExpired:
            # What it waits for is still there: entrancectl, or the server.
            running = subprocess.run(
                ["ps", "-eo", "pid,ppid,etimes,stat,wchan:24,args"], capture_output=True, text=True).stdout
            lines = [line for line in running.splitlines() if re.search("entrance|getmail|dovecot", line)]
            # A Python program with a fault handler says where it is.
            process.send_signal(signal.SIGABRT)
            text, _ = process.communicate()
            said = self.desk.said.read_text() if self.desk.said.exists() else ""
            raise ProgramHangs("\n".join([
                f"{command[0]} did not end: {text}", f"entrancectl said: {said}",
                f"tokens: {len(self.server.tokens.accepted)} accepted, {len(self.server.tokens.refused)} refused",
                f"server: {getattr(self.server, 'log', '')}", *lines])) from None
        return subprocess.CompletedProcess(command, process.returncode, text)

    def use(self) -> tuple[bool, str]:
        raise NotImplementedError

    def works(self) -> str:
        """Uses the program, which must work, and returns what it says."""
        worked, text = self.use()
        assert worked, text
        return text
