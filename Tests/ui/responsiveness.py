"""Measures from outside how long the app's main loop does not answer, and its memory."""

import threading
import time
from pathlib import Path

from gi.repository import Gio, GLib

NAME = "io.github.entrance.Entrance"
PATH = "/io/github/entrance/Entrance"


class PauseTooLong(AssertionError):
    """The main loop did not answer for too long."""


class Responsiveness:
    """While it is entered, asks the app without a pause for its actions, which only the main loop answers.

    The time that counts is that of the main thread's own work between question and answer, so that other
    programs on a busy computer do not matter.
    """

    def __init__(self, pid: int):
        self.pid = pid
        # The longest time without an answer, in seconds, and the number of answers.
        self.longest = 0.0
        self.answers = 0
        # The most memory so far, and that at the start, in bytes.
        self.memory = self.start_memory = resident(pid)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> "Responsiveness":
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def check(self, limit: float):
        """Raises an error if the main loop did not answer for longer than the limit, in seconds.

        The limit is for a usual computer; for a slower one, it is longer.
        """
        limit *= slowness()
        if self.longest >= limit:
            raise PauseTooLong(f"no answer for {self.longest * 1000:.0f} ms")

    def _ask(self):
        bus = Gio.DBusConnection.new_for_address_sync(
            Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION),
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        while not self._ends.wait(0.005):
            before = work(self.pid)
            try:
                bus.call_sync(
                    NAME, PATH, "org.gtk.Actions", "List", None, None, Gio.DBusCallFlags.NONE, 120_000)
            except GLib.Error:
                # The program has ended.
                return
            self.longest = max(self.longest, work(self.pid) - before)
            self.answers += 1
            self.memory = max(self.memory, resident(self.pid))


def work(pid: int) -> float:
    """The time that the main thread has worked so far, in seconds."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def slowness() -> float:
    """How many times as long as on a usual computer work takes here and now; 1 for a faster one."""
    began, total = time.thread_time(), 0
    for number in range(300_000):
        total += number * number
    return max(1, (time.thread_time() - began) / 0.03)


def resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:"))
