"""Signing out: the question, its choices, and what is said about each part."""

import fcntl
import json
import os
import signal
from pathlib import Path

import pytest

import screen
from accessible import BUTTON, cut_off, exists, find, focused, has_window, texts
from app import MAIN, SIGN_OUT
from test_preferences import set_preferences
from waiting import wait_for

THIS_APP = "“Demo” only"
PAGE = "“Demo” and its sign-in page"
EVERYWHERE = "Everywhere on this computer"
SUCCESS = "Sign out completed successfully"
STILL_KNOWN = (
    "You are signed out of “Demo”, but not everything was removed. The sign-in page may still remember you.")
OTHER_CLIENT = "22222222-3333-4444-5555-666666666666"


@pytest.fixture
def with_session(app, emulator, keyring, sign_in, home):
    """The app, in which Adele has signed in on a page that remembers the account."""
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    return app


def logouts(emulator) -> int:
    return sum(count for route, count in emulator.counts().items() if route.endswith("/logout"))


def says_so() -> bool:
    """Whether a toast says that nobody is signed in any more, as the heading does."""
    return texts(MAIN).count("Signed out") == 2


def test_this_app_only_shows_no_page(with_session, emulator):
    title = with_session.ask_to_sign_out()
    assert title == "Sign Out?"
    wait_for(lambda: {emulator.adele.username, PAGE} <= set(texts(title)), "whose it is, and the choices")
    assert EVERYWHERE not in texts(title)
    # Enter takes the default, also from a choice.
    wait_for(lambda: focused(title) == f"check box {THIS_APP}", f"the focus: {focused(title)}")
    screen.press("Return")
    wait_for(says_so, "the toast")
    with_session.wait_for_log(SUCCESS)
    with_session.wait_for_account("Signed out")
    # The status line does not repeat it.
    assert SUCCESS not in texts(MAIN)
    assert logouts(emulator) == 0


def test_sign_in_page_is_signed_out_and_the_choice_is_kept(with_session, emulator, sign_in):
    title = with_session.ask_to_sign_out()
    # By keyboard: the next choice, then Enter.
    wait_for(lambda: focused(title) == f"check box {THIS_APP}", "the focus")
    screen.press("Down")
    wait_for(lambda: focused(title) == f"check box {PAGE}", "the other choice")
    screen.press("Return")
    with_session.wait_for_log(SUCCESS)
    assert logouts(emulator) == 1
    with_session.wait_until_idle()
    sign_in.open().complete(emulator.adele, consents=False)
    with_session.wait_for_account(emulator.adele.username)
    with_session.wait_until_idle()
    title = with_session.ask_to_sign_out()
    wait_for(lambda: focused(title) == f"check box {PAGE}", "the last choice")


def test_everywhere_removes_the_account_of_other_apps(app, emulator, keyring, sign_in, home):
    cache = home / "cache.json"
    app.connect_to(emulator, cache={"path": str(cache)})
    sign_in.without_window(emulator.adele)
    app.start()
    app.wait_for_account(emulator.adele.username)
    # Another program with the same account.
    text = cache.read_text()
    other = json.loads(text.replace(emulator.connection("Demo")["clientID"], OTHER_CLIENT))
    both = json.loads(text)
    for kind, entries in other.items():
        both[kind] = both.get(kind, {}) | entries
    cache.write_text(json.dumps(both))
    app.sign_out(EVERYWHERE)
    app.wait_for_log(SUCCESS)
    left = json.loads(cache.read_text())
    kinds = ("Account", "AccessToken", "RefreshToken", "IdToken")
    assert not any(left.get(kind) for kind in kinds), left


def test_closed_page_is_reported_and_tried_again(with_session, emulator, sign_in):
    emulator.delay("/{tenant}/oauth2/v2.0/logout", 60_000)
    with_session.sign_out(PAGE)
    wait_for(lambda: has_window(SIGN_OUT), "the sign-out page")
    find(SIGN_OUT, BUTTON, "Cancel").click()
    wait_for(lambda: STILL_KNOWN in with_session.words, "the notice")
    with_session.wait_for_account("Signed out")
    assert not says_so()
    with_session.wait_until_idle()
    emulator.delay("/{tenant}/oauth2/v2.0/logout", 0)
    find(MAIN, BUTTON, "Try Again").click()
    with_session.wait_for_log(SUCCESS)
    wait_for(lambda: STILL_KNOWN not in with_session.words, "the notice to go")


def test_without_the_server_the_account_is_gone_here(with_session, emulator, sign_in):
    emulator.stop()
    with_session.sign_out(PAGE)
    wait_for(lambda: has_window(SIGN_OUT), "the sign-out page, which says what is wrong")
    find(SIGN_OUT, BUTTON, "Cancel").click()
    with_session.wait_for_account("Signed out")
    wait_for(lambda: STILL_KNOWN in with_session.words, "the notice")
    # There is nothing to sign in to.
    assert "Sign-In Page Not Available" not in with_session.words
    find(MAIN, BUTTON, "Details").click()
    wait_for(lambda: "Correlation ID: " in with_session.words, "the reason")
    find(MAIN, BUTTON, "Dismiss").click()
    wait_for(lambda: STILL_KNOWN not in with_session.words, "the notice to go")


def test_question_has_room_with_large_text(app, emulator, keyring, sign_in, home):
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 18\n")
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_account(emulator.adele.username)
    app.wait_until_idle()
    screen.resize(screen.window_id(MAIN), 360, 640)
    title = app.ask_to_sign_out()
    wait_for(lambda: PAGE in texts(title), "the choices")
    screen.wait_until_still(title, title)
    assert cut_off(title) == []


def test_without_a_session_there_is_nothing_to_choose(signed_in):
    title = signed_in.ask_to_sign_out()
    assert not exists(title, "check box", THIS_APP)
    assert any("stay signed in" in text for text in texts(title))
    # Escape cancels, and the focus returns.
    screen.press("Escape")
    wait_for(lambda: not has_window(title), "the question to close")
    assert signed_in.button(SIGN_OUT).is_enabled
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_OUT}", f"the focus: {focused(MAIN)}")
    signed_in.ask_to_sign_out()
    screen.press("Return")
    signed_in.wait_for_log(SUCCESS)


def test_program_ends_at_once_with_a_sign_out_page(with_session, emulator, sign_in):
    emulator.delay("/{tenant}/oauth2/v2.0/logout", 60_000)
    with_session.sign_out(PAGE)
    wait_for(lambda: has_window(SIGN_OUT), "the sign-out page")
    with_session.process.send_signal(signal.SIGTERM)
    # What is still to be done would be waited for five seconds.
    assert with_session.process.wait(4) == 0


class OtherProgram:
    """A program that holds the lock of a shared cache until it leaves."""

    def __init__(self, cache: Path):
        self.path = cache.with_name(f"{cache.name}.lockfile")
        self.file = open(self.path, "x")
        fcntl.flock(self.file, fcntl.LOCK_EX)
        self.go_on()

    def go_on(self) -> bool:
        """Takes another turn, because each has a time limit."""
        self.file.write(f"{os.getpid()} test\n")
        self.file.flush()
        return True

    def leave(self):
        self.path.unlink()
        self.file.close()


def handles(process: int, number: int) -> bool:
    """Whether a process has a handler of a signal; the app has none any more when the signal has arrived."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return int(line.split()[1], 16) >> (number - 1) & 1 == 1
    return False


@pytest.mark.parametrize("way", ["window", "signal"])
def test_program_ends_after_a_sign_out_that_was_confirmed(app, emulator, keyring, sign_in, home, way):
    (home / "shared").mkdir(mode=0o700)
    cache = home / "shared" / "cache.json"
    app.connect_to(emulator, cache={"path": str(cache)})
    sign_in.without_window(emulator.adele)
    app.start()
    app.wait_for_account(emulator.adele.username)
    app.wait_until_idle()
    app.ask_to_sign_out()
    other = OtherProgram(cache)
    screen.press("Return")
    wait_for(lambda: other.go_on() and "Signing out…" in app.words, "a word about the sign-out")
    if way == "window":
        screen.close(screen.window_id(MAIN))
        wait_for(lambda: other.go_on() and screen.window_id(MAIN) is None, "the window to go")
    else:
        app.process.send_signal(signal.SIGTERM)
        wait_for(lambda: other.go_on() and not handles(app.process.pid, signal.SIGTERM), "the signal")
    assert app.process.poll() is None, "the account is still in the cache"
    other.leave()
    app.wait_for_end()
    assert not json.loads(cache.read_text()).get("Account")
