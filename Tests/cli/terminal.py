"""A terminal with a user, who answers questions."""

import codecs
import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

from conftest import CommandLine, Result


class Terminal:
    """entrancectl with a terminal; its results still go to a pipe."""

    def __init__(self, cli: CommandLine, *arguments: str):
        self.text = ""
        # What is read at once can end within a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        reader, writer = os.pipe()
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.dup2(writer, 1)
            os.execve(cli.program, [str(cli.program), *arguments], cli.environment)
        os.close(writer)
        self.output = reader

    def answer(self, question: str, text: str):
        """Waits for a question, and types the answer when echo is off."""
        self.wait_for(question)
        deadline = time.monotonic() + 60
        while termios.tcgetattr(self.file)[3] & termios.ECHO:
            assert time.monotonic() < deadline, "echo is still on"
            time.sleep(0.01)
        os.write(self.file, text.encode() + b"\n")

    def interrupt(self):
        """Ctrl+C"""
        os.write(self.file, b"\x03")

    def wait_for(self, text: str):
        """Waits for `text` after what was waited for before."""
        deadline = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < deadline, f"timed out waiting for {text!r}: {self.text!r}"
            self.read(0.1)
        self.text = self.text.partition(text)[2]

    def read(self, timeout: float) -> bool:
        if not select.select([self.file], [], [], timeout)[0]:
            return True
        try:
            data = os.read(self.file, 4096)
        except OSError:
            return False
        self.text += self.decoder.decode(data)
        return bool(data)

    def finish(self) -> Result:
        """Waits for the end; `err` is what the terminal showed after the last question."""
        while self.read(1):
            pass
        os.close(self.file)
        with os.fdopen(self.output) as output:
            out = output.read()
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return Result(status, out, re.sub("\r\n", "\n", self.text))

    def kill(self):
        os.kill(self.process, signal.SIGKILL)


def shown(cli: CommandLine, *arguments: str) -> str:
    """What a command prints on a terminal, which acts on none of it."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [cli.program, *arguments], env=cli.environment, stdin=subprocess.DEVNULL, stdout=end, start_new_session=True)
    os.close(end)
    data = b""
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 4096):
            data += piece
    os.close(terminal)
    assert process.wait(60) == 0
    text = data.decode()
    assert not any(
        ord(letter) < 32 and letter not in "\r\n" or "\x7f" <= letter < "\xa0" for letter in text), text
    return text
