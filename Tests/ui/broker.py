"""An identity broker on the session bus: the same stand-in as in the broker's own tests."""

import base64
import json
import subprocess
import sys
from pathlib import Path

from session import Session, end

# The broker's account.
OBJECT_ID = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
PROGRAM = Path(__file__).parent.parent / "IdentityBrokerTests" / "stand_in.py"


class Broker:
    def __init__(self, session: Session):
        self.session = session
        self.seen: list[dict] = []

    def start(self, dialect: str = "native") -> "Broker":
        self.process = self.session.spawn(
            [sys.executable, str(PROGRAM), dialect], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the broker did not start")
        return self

    def gives(self, claims: dict):
        """Sets the claims of the access token that the next sign-in returns."""
        parts = [{"alg": "RS256"}, claims, {"signature": True}]
        token = ".".join(
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in parts)
        client_info = base64.urlsafe_b64encode(json.dumps(
            {"uid": OBJECT_ID, "utid": TENANT}).encode()).decode().rstrip("=")
        response = {
            "accessToken": token, "clientInfo": client_info, "expiresOn": 4_000_000_000_000}
        self._tell(
            "acquireTokenInteractively", [{"text": json.dumps({"brokerTokenResponse": response})}])

    def calls(self) -> list[str]:
        """The names of the methods that were called since the last time."""
        self._tell("none", [])
        seen, self.seen = self.seen, []
        return [call["method"] for call in seen]

    def requests(self, method: str) -> list[dict]:
        """What was requested of a method since the last `calls`."""
        self._tell("none", [])
        return [json.loads(call["arguments"][2]) for call in self.seen if call["method"] == method]

    def _tell(self, method: str, answers: list[dict]):
        self.process.stdin.write(json.dumps({"method": method, "answers": answers}) + "\n")
        self.process.stdin.flush()
        while (line := self.process.stdout.readline()) not in ("done\n", ""):
            self.seen.append(json.loads(line))

    def stop(self):
        end(self.process)
