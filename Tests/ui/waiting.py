"""Waits for conditions: no test sleeps for a fixed time."""

import time

from gi.repository import GLib


def wait_for(condition, what: str, timeout: float = 60):
    """Calls `condition` until it returns a true value, and returns that."""
    deadline = time.monotonic() + timeout
    context = GLib.MainContext.default()
    problem = None
    while True:
        began = time.monotonic()
        # One look may take all of the time, so there is one after it.
        is_last = began > deadline
        while context.iteration(False):
            pass
        try:
            answer = condition()
            problem = None
        except (GLib.Error, LookupError) as error:
            # A widget that is being created or destroyed.
            answer, problem = None, error
        if answer:
            return answer
        if is_last:
            reason = f" ({problem})" if problem else ""
            raise AssertionError(f"timed out after {timeout:g} s waiting for {what}{reason}")
        # What takes long to find out must not keep the program from what it is to do.
        time.sleep(min(0.5, max(0.05, time.monotonic() - began)))
