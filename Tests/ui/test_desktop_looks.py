"""Different desktop settings: a color scheme from the portal only, a missing icon theme."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import screen
from accessible import LABEL, find
from app import MAIN
from session import Session, end
from waiting import wait_for


# Root can inspect every process, and nobody else can inspect root's.
ORDINARY = ["setpriv", "--bounding-set=-all"] if os.geteuid() == 0 else []


@pytest.fixture
def portal(session):
    """A settings portal that is dark at first."""
    process = session.spawn(
        [*ORDINARY, sys.executable, str(Path(__file__).parent / "portal.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    yield process
    end(process)


def brightness() -> float:
    picture = screen.pixels(MAIN)
    return sum(picture) / len(picture)


def test_window_follows_the_portal(app, session, keyring, portal, monkeypatch):
    monkeypatch.delenv("ADW_DISABLE_PORTAL")
    monkeypatch.setattr(
        session, "spawn",
        lambda command, **options: Session.spawn(session, [*ORDINARY, *command], **options))
    app.start()
    wait_for(lambda: brightness() < 100, "the window to be dark, as the portal says")
    portal.stdin.write("light\n")
    portal.stdin.flush()
    wait_for(lambda: brightness() > 150, "the window to be light, as the portal says by now")


def test_avatar_is_visible_without_the_icon_theme(app, keyring, monkeypatch):
    monkeypatch.setenv("GTK_THEME", "none-of-this-name")
    app.start()
    app.wait_for_account("Signed out")
    left, top, width, _ = screen.geometry(screen.window_id(MAIN))
    picture = screen.wait_until_still(MAIN)
    label = app.account_label
    _, y = label.resting_center()
    row = round(y - top) * width
    # The row of pixels through the center of the name, from the left edge to the text: the avatar.
    begin = round(label.center()[0] - left - label.node.get_extents(1).width / 2)
    avatar = picture[row * 3:(row + begin) * 3]
    assert min(avatar) < 100, "the avatar's text is dark"
