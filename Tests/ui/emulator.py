"""The identity emulator as a process of its own, and what it has been asked."""

import json
import ssl
import subprocess
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

    def start(self, *arguments: str) -> "Emulator":
        self.process = self.session.spawn(
            [str(self.program), "--control", *arguments], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the emulator did not start")
        self.description = json.loads(line)
        self.base = self.description["authority"].rpartition("/")[0]
        self.context = ssl.create_default_context(cafile=self.description["caFile"])
        self.users = [
            User(user["username"], user["displayName"], user["password"], user["kind"])
            for user in self.description["users"]]
        return self

    def stop(self):
        if self.process:
            end(self.process)
            self.process.stdout.close()
            self.process = None

    def connection(self, name: str) -> dict:
        """The emulator as an entry of connections.json."""
        return {
            "name": name,
            "clientID": self.description["clientID"],
            "authority": self.description["authority"],
            "redirectURI": self.description["redirectURI"],
            "scopes": ["User.Read"],
            "api": self.description["graph"],
            "caFile": self.description["caFile"],
        }

    @property
    def adele(self) -> User:
        return self.users[0]

    @property
    def bram(self) -> User:
        return self.users[1]

    def counts(self) -> dict[str, int]:
        """How many requests each route has answered, such as `GET /{tenant}/oauth2/v2.0/token`."""
        return self._control("GET", "requests")

    def request_count(self) -> int:
        return sum(self.counts().values())

    def authorize_count(self) -> int:
        return sum(
            count for route, count in self.counts().items()
            if route.startswith("GET") and route.endswith("/authorize"))

    def set_redirect_delivery(self, delivery: str):
        self._control("POST", "redirect-delivery", {"delivery": delivery})

    def _control(self, method: str, path: str, body: dict | None = None):
        request = urllib.request.Request(
            f"{self.base}/control/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, context=self.context, timeout=30) as response:
            content = response.read()
        return json.loads(content) if content else None
