"""What keeps a program from getting a token, one trouble after the other."""

import os
from collections.abc import Callable, Iterator

from conftest import CommandLine
from emulator import Emulator
from keyring import Keyring


def troubles(
        cli: CommandLine, emulator: Emulator, keyring: Keyring, app: str, expire: Callable[[], None],
        locked: int = 1) -> Iterator[tuple[int, str]]:
    """Makes each, for an account whose access token has expired, and returns the exit status of entrancectl and what
    it says: the status of a locked keyring is `locked`.
    """
    expire()
    emulator.revoke(emulator.adele)
    yield os.EX_NOPERM, "The sign-in was revoked"
    cli.ok("sign-in", "--app", app)
    expire()
    emulator.stop()
    yield os.EX_TEMPFAIL, "connect"
    keyring.lock()
    yield locked, "keyring is locked"
