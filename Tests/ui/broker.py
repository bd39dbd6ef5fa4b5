"""An identity broker on the session bus: the stand-in that the broker's own tests have, too."""

import subprocess
import sys
from pathlib import Path

from session import Session, end

PROGRAM = Path(__file__).parent.parent / "IdentityBrokerTests" / "stand_in.py"


class Broker:
    def __init__(self, session: Session):
        self.session = session

    def start(self, dialect: str = "native") -> "Broker":
        self.process = self.session.spawn(
            [sys.executable, str(PROGRAM), dialect], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the broker did not start")
        return self

    def stop(self):
        end(self.process)
