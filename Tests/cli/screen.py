"""A program in a terminal, and what it shows."""

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path

# What moves the cursor and sets colors.
CONTROL = re.compile(
    r"\x1b(?:\[[0-9;?>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-Z]|[=>78MDc])|[\x0e\x0f]")


class Screen:
    def __init__(self, command: tuple[str, ...], environment: dict[str, str], directory: Path):
        self.shown = ""
        # What is read at once can end within a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(directory)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self.status: int | None = None

    @property
    def text(self) -> str:
        """All that was shown so far, without control sequences and with little space."""
        return re.sub(r" {3,}", "  ", CONTROL.sub("", self.shown))

    def type(self, text: str):
        os.write(self.file, text.encode())

    def wait_for(self, *texts: str) -> str:
        """Waits until one of these is shown, and returns the first."""
        return self.wait_until(lambda: next((text for text in texts if text in self.text), None), f"{texts}")

    def wait_until(self, condition, what: str, timeout: float = 60):
        """Reads what is shown until the condition returns a true value, and returns that."""
        deadline = time.monotonic() + timeout
        is_open = True
        while not (answer := condition()):
            assert is_open, f"ended without {what}: {self.text!r}"
            assert time.monotonic() < deadline, f"timed out waiting for {what}: {self.text!r}"
            is_open = self._read(0.1)
        return answer

    def end(self, timeout: float = 60) -> int:
        """Waits until the program has ended, and returns its exit status."""
        deadline = time.monotonic() + timeout
        while self._read(0.1):
            assert time.monotonic() < deadline, f"still runs: {self.text!r}"
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return self.status

    def close(self):
        """Ends the program, by force if it still runs."""
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.file)

    def _read(self, timeout: float) -> bool:
        if not select.select([self.file], [], [], timeout)[0]:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.shown += self.decoder.decode(data)
        return bool(data)
