"""The identity emulator as a separate process, and the requests to it."""

import errno
import json
import socket
import ssl
import subprocess
import tempfile
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from session import Session, end


@dataclass
class User:
    username: str
    display_name: str
    password: str
    kind: str


class Emulator:
    def __init__(self, session: Session, stage: Path):
        self.session = session
        self.program = stage / "bin" / "identity-emulator"
        self.process: subprocess.Popen | None = None
        # A command that starts the program, such as `unshare --net`.
        self.wrapper: tuple[str, ...] = ()

    def start(self, *arguments: str) -> "Emulator":
        self.process = self.session.spawn(
            [*self.wrapper, str(self.program), "--control", "--colleagues", "5", *arguments], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the emulator did not start")
        self.description = json.loads(line)
        self.base = self.description["authority"].rpartition("/")[0]
        # A copy that any user can read, and that remains when the emulator has ended.
        self.ca = tempfile.NamedTemporaryFile(prefix="entrance-ca-", suffix=".pem")
        self.ca.write(Path(self.description["caFile"]).read_bytes())
        self.ca.flush()
        Path(self.ca.name).chmod(0o644)
        self.context = ssl.create_default_context(cafile=self.ca.name)
        self.users = [
            User(user["username"], user["displayName"], user["password"], user["kind"])
            for user in self.description["users"]]
        return self

    def stop(self):
        """Ends it. Its port stays taken until the end of the test, so that no other test's server answers there."""
        if self.process:
            end(self.process)
            self.process.stdout.close()
            self.process = None
            if not self.wrapper:
                self.port = socket.socket()
                self.port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    self.port.bind(("127.0.0.1", urllib.parse.urlsplit(self.base).port))
                except OSError as error:
                    # It is taken already: ports are given to connections, too.
                    if error.errno != errno.EADDRINUSE:
                        raise

    def connection(self, name: str) -> dict:
        """The emulator as an entry of apps.json."""
        return {
            "name": name,
            "clientID": self.description["clientID"],
            "authority": self.description["authority"],
            "redirectURI": self.description["redirectURI"],
            "scopes": ["User.Read"],
            "knownAuthorities": [self.description["authority"]],
            "api": self.description["graph"],
            "caFile": self.ca.name,
        }

    @property
    def adele(self) -> User:
        return self.users[0]

    @property
    def bram(self) -> User:
        return self.users[1]

    def counts(self) -> dict[str, int]:
        """The number of requests for each route, such as `POST /{tenant}/signin`."""
        return self._control("requests")

    def program_counts(self) -> dict[str, int]:
        """The same without the requests of the tests themselves."""
        return {route: count for route, count in self.counts().items() if "/control/" not in route}

    def secrets(self) -> dict[str, list[str]]:
        """All codes and tokens issued so far."""
        return self._control("secrets")

    def authorize_count(self) -> int:
        """The number of sign-ins that were begun, that is, requests for a first page."""
        return self._count(lambda route: route.endswith("/authorize"))

    def answer_count(self) -> int:
        """The number of submitted forms of sign-in pages."""
        return self._count(lambda route: route.startswith("POST ") and route.endswith("/signin"))

    def set_redirect_delivery(self, delivery: str):
        self._control("redirect-via", delivery=delivery)

    def set_faults(self, *faults: str):
        self._control("faults", fault=faults)

    def prepare_token_reply(self, status: int, body: dict, **fields: str):
        """Replaces the token endpoint's next reply; several are used in order."""
        self._control(
            "next-token-reply", status=str(status), body=json.dumps(body),
            **{"content-type": "application/json"} | fields)

    def prepare_graph_reply(self, status: int, body: dict | str, **fields: str):
        """Replaces Microsoft Graph's next reply; several are used in order. A text is no JSON."""
        self._control(
            "next-graph-reply", status=str(status), body=body if isinstance(body, str) else json.dumps(body),
            **{"content-type": "application/json"} | fields)

    def prepare_transfer_reply(self, status: int, body: str, *header: str, **fields: str):
        """Replaces the next reply of the address of a download; several are used in order."""
        self._control(
            "next-transfer-reply", status=str(status), body=body, header=header,
            **{"content-type": "application/octet-stream"} | fields)

    def revoke(self, user: User):
        """Makes the token endpoint reject every refresh token of a user issued so far."""
        self._control("revoke", username=user.username)

    def expire(self):
        """Makes Graph reject every access token issued so far."""
        self._control("expire")

    def delay(self, route: str, milliseconds: int):
        self._control("delay", route=route, milliseconds=str(milliseconds))

    def _count(self, matches) -> int:
        return sum(count for route, count in self.counts().items() if matches(route))

    def _control(self, path: str, /, **fields: str | tuple[str, ...]):
        request = urllib.request.Request(
            f"{self.base}/control/{path}", data=urllib.parse.urlencode(fields, doseq=True).encode())
        with urllib.request.urlopen(request, context=self.context, timeout=30) as response:
            return json.load(response)
