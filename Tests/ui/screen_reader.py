"""Orca, the screen reader: what it would speak, as text.

It runs in the session of the tests, with a speech server that writes to a file instead of a loudspeaker.
"""

import os
import platform
import re
import subprocess
import time
from pathlib import Path

from session import Session, end
from waiting import wait_for

# Orca imports this file at its start.
CUSTOMIZATIONS = '''
from gi.repository import Atspi
from orca import settings_manager, speech, speechserver

# By default, what a busy program does not answer within a second is not there.
Atspi.set_timeout(30000, 30000)


class SpeechServer(speechserver.SpeechServer):
    """Writes a line for each text that it should speak."""

    @staticmethod
    def getFactoryName():
        return "Transcript"

    @classmethod
    def getSpeechServers(cls):
        return [cls()]

    @classmethod
    def getSpeechServer(cls, info=None):
        return cls()

    def speak(self, text=None, acss=None, interrupt=True):
        self.write(text)

    def speakCharacter(self, character, acss=None):
        self.write(character)

    def speakKeyEvent(self, event, acss=None):
        self.write(event.getKeyName())

    # Their names since Orca 48.
    speak_character = speakCharacter

    def speak_key_event(self, event, acss=None):
        self.write(event.get_key_name())

    def shutdown(self):
        pass

    def write(self, text):
        with open({path!r}, "a") as file:
            file.write(" ".join((text or "").split()) + "\\n")


def start(*_):
    speech._speechserver = SpeechServer()


speech._initSpeechServer = speech._init_speech_server = start
# The user knows which keys were pressed.
if hasattr(settings_manager, "get_manager"):
    customized = settings_manager.get_manager().customized_settings
else:
    customized = settings_manager.getManager().customizedSettings
customized["enableKeyEcho"] = False
'''

# What Orca says depends on the versions of GTK and Orca, so on the release of the system.
RELEASE = "{ID}-{VERSION_ID}".format_map(platform.freedesktop_os_release())


def version() -> int:
    """The first number of Orca's version."""
    done = subprocess.run(["orca", "--version"], capture_output=True, text=True, timeout=60)
    found = re.search(r"\d+", done.stdout)
    return int(found[0]) if found else 0


# Whether it says announcements, and reads the pages in the sign-in window.
IS_NEWER = version() >= 46


class Orca:
    """A run of Orca, and what it has spoken so far."""

    def __init__(self, session: Session, directory: Path):
        self.session = session
        self.directory = directory
        self.path = directory / "spoken.txt"
        self.process: subprocess.Popen | None = None

    def start(self) -> "Orca":
        data = self.directory / "data"
        orca = data / "orca"
        orca.mkdir(parents=True)
        self.path.write_text("")
        (orca / "orca-customizations.py").write_text(
            CUSTOMIZATIONS.replace("{path!r}", repr(str(self.path))))
        # Orca ends all others of the same user, which other tests run at the same time, and waits for
        # those that have ended: it is not to find any.
        programs = self.directory / "programs"
        programs.mkdir()
        (programs / "pgrep").write_text("#!/bin/sh\n")
        (programs / "pgrep").chmod(0o755)
        self.process = self.session.spawn(
            ["orca", "--disable", "braille", "--disable", "braille-monitor"],
            env=self.session.environment(self.directory) | {"PATH": f"{programs}:{os.environ['PATH']}"})
        wait_for(lambda: self.spoken, "Orca to say that it is on", 60)
        return self

    def stop(self):
        if self.process:
            end(self.process)
            self.process = None

    @property
    def spoken(self) -> list[str]:
        return self.path.read_text().splitlines()

    def rest(self, known: int):
        """Waits until it has said more than `known` texts, if it does, and then nothing for a second."""
        since: list[tuple[float, int]] = []

        try:
            wait_for(lambda: len(self.spoken) > known, "Orca to speak", 5)
        except AssertionError:
            pass

        def silent() -> bool:
            now, count = time.monotonic(), len(self.spoken)
            if not since or since[-1][1] != count:
                since.append((now, count))
            return now - since[-1][0] > 1

        wait_for(silent, "Orca to be silent")
