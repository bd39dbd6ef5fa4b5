"""Writers that are killed, and a reader that checks the result."""

import os
import random
import selectors
import signal
import subprocess
import time

LIMIT = 30  # seconds


class Writer:
    """A process that writes until it is killed."""

    def __init__(self, tool, backend, place, tag, environment):
        self.lines: list[str] = []
        self._rest = b""
        self.process = subprocess.Popen(
            [tool, "write", backend, place, tag], stdout=subprocess.PIPE, env=environment)
        os.set_blocking(self.process.stdout.fileno(), False)

    def wait_until_ready(self):
        deadline = time.monotonic() + LIMIT
        while "ready" not in self.lines:
            assert self.process.poll() is None, f"the writer ended by itself: {self.lines[-3:]}"
            assert time.monotonic() < deadline, "the writer does not start"
            self._listen(1)

    def write_for(self, seconds: float):
        """Lets it write for a while; reads its output, because a full pipe would block it."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._listen(left)

    def kill(self) -> list[str]:
        """Kills it, and returns all its output."""
        assert self.process.poll() is None, f"the writer ended by itself: {self.lines[-3:]}"
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(LIMIT)
        os.set_blocking(self.process.stdout.fileno(), True)
        self._take(self.process.stdout.read())
        self.process.stdout.close()
        return self.lines

    def _listen(self, seconds: float):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if selector.select(seconds):
                self._take(os.read(self.process.stdout.fileno(), 1 << 16))

    def _take(self, data: bytes):
        # Output is in complete lines; the pipe may split them.
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += [line.decode() for line in lines]


class Reader:
    """A process that reads the whole store again on each request."""

    def __init__(self, tool, backend, place, environment):
        self.process = subprocess.Popen(
            [tool, "read", backend, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment)

    def read(self) -> tuple[list[tuple[str, int | None]], str]:
        """All records, and the result of reading."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found = []
        while not (line := self.process.stdout.readline()).startswith("."):
            assert line, "the reader has ended"
            first, second = line.split()
            # A record with mixed contents has no generation.
            found.append((second, -1) if first == "broken" else (first, int(second)))
        return found, line[1:].strip()

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


class Round:
    """A round with one or two writers."""

    def __init__(self, tool, backend, place, environment, writers):
        self.writers = [
            Writer(tool, backend, place, f"w{number}", environment) for number in range(writers)]

    def run(self, seconds: float, meanwhile=lambda: None) -> list[list[str]]:
        # Some are killed while they read.
        if random.random() > 0.15:
            self.writers[0].wait_until_ready()
        part = random.uniform(0, seconds) / len(self.writers)
        said = []
        for writer in self.writers:
            writer.write_for(part)
            meanwhile()
            said.append(writer.kill())
        return said
