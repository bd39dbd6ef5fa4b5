"""The servers that programs talk to."""

from pathlib import Path

from certificates import CertificateAuthority
from session import Session


class Servers:
    """The servers of one run: each is started when it is first needed."""

    def __init__(self, session: Session, directory: Path):
        self.session = session
        self.authority = CertificateAuthority(directory)
        self.running = {}

    def get(self, kind: type):
        if kind not in self.running:
            self.running[kind] = kind(self.session, self.authority)
        return self.running[kind]

    def close(self):
        for server in self.running.values():
            server.close()
