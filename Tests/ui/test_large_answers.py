"""Large answers of Microsoft Graph: the window stays usable, and the log shows all of them on request."""

import json
import socket
import threading
from contextlib import contextmanager

import pytest

import screen
from accessible import BUTTON, LOG, Atspi, exists, find, focused
from app import MAIN, SIGN_OUT
from responsiveness import PauseTooLong, Responsiveness
from test_explorer import explorer, wait_for_words  # noqa: F401, a fixture
from waiting import wait_for

# What a person notices is 100 ms; the program aims at 50.
LONGEST = 0.1
SIZE = 10_000_000
SHOW_ALL = "Show All"
ME = "GET /v1.0/me"
# The most that is taken of an answer.
LIMIT = 32 << 20
TOO_LARGE = "is too large: it is larger than 32 MB. Ask for less, for example with $select or $top."


def length(app) -> int:
    """The number of characters of the log. Its text would be too much to ask for."""
    return Atspi.Text.get_character_count(find(MAIN, LOG, "Log").node)


def end_of_log(app) -> str:
    node = find(MAIN, LOG, "Log").node
    count = Atspi.Text.get_character_count(node)
    return Atspi.Text.get_text(node, max(count - 300, 0), count)


@pytest.fixture
def play(signed_in, emulator, sign_in):
    """Plays a story that begins signed in; up to twice more after a long pause.

    The computer may stop for a moment, which looks like work. A pause of the app's own comes each time.
    """
    def play(story):
        for is_last in (False, False, True):
            try:
                return story()
            except PauseTooLong as error:
                if is_last:
                    raise
                print(error)
            signed_in.stop()
            emulator.set_faults()
            sign_in.without_window(emulator.adele)
            signed_in.start()
            signed_in.wait_for_account(emulator.adele.username)
    return play


@pytest.mark.parametrize("fault, shown", [("graph-many-items", 0.9), ("graph-long-text", 0.99)])
def test_the_window_stays_usable(signed_in, emulator, play, fault, shown):
    play(lambda: show_all_of_an_answer(signed_in, emulator, fault, shown))


def show_all_of_an_answer(app, emulator, fault: str, shown: float):
    emulator.set_faults(fault)

    with Responsiveness(app.process.pid) as answer:
        app.call_graph()
        wait_for(lambda: exists(MAIN, BUTTON, SHOW_ALL), "the answer", 120)
        app.wait_until_idle()
    print(f"{fault}: {answer.longest * 1000:.0f} ms, {(answer.memory - answer.start_memory) >> 20} MB,"
          f" {answer.answers} answers")
    assert answer.answers > 10
    answer.check(LONGEST)
    assert answer.memory - answer.start_memory < 6 * SIZE
    assert length(app) < 100_000
    assert "…" in end_of_log(app)

    with Responsiveness(app.process.pid) as resizing:
        window = screen.window_id(MAIN)
        for width in (400, 900, 600):
            screen.resize(window, width, 700)
            wait_for(lambda: screen.geometry(window)[2] == width, "the new size")
            screen.wait_until_still(MAIN)
    print(f"{fault}, resized: {resizing.longest * 1000:.0f} ms")
    resizing.check(LONGEST)

    # The button is reached with the keyboard, and the log gets the focus from it.
    with Responsiveness(app.process.pid) as everything:
        find(MAIN, BUTTON, SHOW_ALL).press_with_keys()
        wait_for(lambda: not exists(MAIN, BUTTON, SHOW_ALL), "the button to be gone")
        assert focused(MAIN) == f"{LOG} Log"
        wait_for(lambda: length(app) > 200_000, "more of the answer")
        # Signing out works meanwhile.
        app.sign_out()
        app.wait_for_account("Signed out")
        wait_for(lambda: length(app) > shown * SIZE, "all of the answer", 240)
    print(f"{fault}, all: {everything.longest * 1000:.0f} ms,"
          f" {(everything.memory - everything.start_memory) >> 20} MB")
    everything.check(LONGEST)
    wait_for(lambda: "Sign out completed successfully" in end_of_log(app), "the last line")


def test_signing_out_works_as_soon_as_an_answer_has_arrived(signed_in, emulator):
    app = signed_in
    emulator.set_faults("graph-many-items")
    asked = emulator.counts()[ME]
    app.call_graph()
    wait_for(lambda: emulator.counts()[ME] > asked, "the request")
    wait_for(lambda: app.button(SIGN_OUT).is_enabled, "the answer to arrive")
    app.sign_out()
    app.wait_for_account("Signed out")
    app.close()


def test_a_large_response_is_pasted_in_another_program(explorer, emulator):  # noqa: F811
    emulator.set_faults("graph-many-items")
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    for _ in range(2):
        screen.press("ctrl+shift+c")
        wait_for_words("Response copied")
        pasted = screen.copied()
        # All of it is there, and the window goes on.
        assert len(pasted) > 0.9 * SIZE and json.loads(pasted)
        screen.press("ctrl+l")
        wait_for(lambda: focused(MAIN) == "text Address", "the address to have the focus")
        screen.press("Tab")
        wait_for(lambda: focused(MAIN) != "text Address", "the next place to have the focus")
    assert screen.copied("text/plain") == pasted
    # What is selected, too.
    find(MAIN, LOG, "Response").click_into()
    screen.press("ctrl+a", "ctrl+c")
    wait_for(lambda: 10_000 < len(screen.copied()) < 200_000, "what is in sight of it")
    assert pasted.startswith(screen.copied()[:1000])


def test_large_header_fields_are_pasted_in_another_program(explorer):  # noqa: F811
    text = "\n".join(f"X-Number: {number:06}" for number in range(20_000))
    screen.copy(text)
    screen.press("alt+f")
    screen.wait_until_still(MAIN, "the header fields")
    fields = find(MAIN, "text", "Header fields")
    fields.click_into()
    screen.press("ctrl+v")
    wait_for(lambda: Atspi.Text.get_character_count(fields.node) == len(text), "the header fields to be pasted")
    for keys in ("ctrl+c", "ctrl+x"):
        # Nothing is left of what was copied before.
        screen.copy("")
        screen.press("ctrl+a", keys)
        wait_for(lambda: screen.copied() == text, "the header fields to be copied")
    wait_for(lambda: Atspi.Text.get_character_count(fields.node) == 0, "the header fields to be cut")


class Relay:
    """A port whose connections lead to the emulator's, and on which an answer can be held up in its middle."""

    def __init__(self, emulator):
        self.target = int(emulator.base.rpartition(":")[2])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # What arrives on a connection after so many bytes waits until this is set.
        self.held_after = LIMIT // 2
        self.goes_on = threading.Event()
        # How many bytes each connection has brought.
        self.received: dict[int, int] = {}
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self):
        """Holds up the next answer that is large."""
        self.received = dict.fromkeys(self.received, 0)
        self.goes_on.clear()

    @property
    def is_holding(self) -> bool:
        return not self.goes_on.is_set() and max(self.received.values(), default=0) >= self.held_after

    def let_go(self):
        self.goes_on.set()

    def close(self):
        self.let_go()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                service = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            number = len(self.received)
            self.received[number] = 0
            threading.Thread(target=self._pass_on, args=(client, service, None), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(service, client, number), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, number: int | None):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
                if number is not None:
                    self.received[number] += len(data)
                    if self.received[number] >= self.held_after:
                        self.goes_on.wait()
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@pytest.fixture
def relay(emulator):
    relay = Relay(emulator)
    yield relay
    relay.close()


@pytest.fixture
def called_through_the_relay(app, emulator, relay):
    """The app is connected before Adele signs in."""
    app.connect_to(emulator, api=f"https://localhost:{relay.port}/v1.0/me")


@contextmanager
def receiving(app, emulator, relay):
    """While the app has half of what it can take of an answer of 100 MB. Its main loop is measured from before."""
    relay.hold()
    emulator.set_faults("graph-huge")
    with Responsiveness(app.process.pid) as answer:
        app.call_graph()
        wait_for(lambda: relay.is_holding, "half of the answer", 60)
        yield
    print(f"{answer.longest * 1000:.0f} ms, {(answer.memory - answer.start_memory) >> 20} MB,"
          f" {answer.answers} answers")
    assert answer.answers > 10
    # The body grows by doubling, and is copied then.
    assert answer.memory - answer.start_memory < 3 * LIMIT
    answer.check(LONGEST)


def test_signing_out_works_while_a_huge_answer_arrives(
        called_through_the_relay, signed_in, emulator, relay, play):
    app = signed_in

    def story():
        with receiving(app, emulator, relay):
            assert app.button(SIGN_OUT).is_enabled
            app.sign_out()
            app.wait_for_account("Signed out")
            relay.let_go()
            app.wait_for_log("Sign out completed successfully")
            app.wait_until_idle()
            assert TOO_LARGE not in app.log

    play(story)


def test_an_answer_that_is_too_large_is_refused_with_what_to_do(
        called_through_the_relay, signed_in, emulator, relay, play, results):
    app = signed_in

    def story():
        with receiving(app, emulator, relay):
            relay.let_go()
            app.wait_for_log(TOO_LARGE)
            app.wait_until_idle()
            wait_for(lambda: TOO_LARGE in app.words, "the notice")
        # Nothing else of it was taken.
        assert max(relay.received.values()) < 3 * LIMIT

    play(story)
    screen.capture(results / "large-answer-refused.png", screen.window_id(MAIN))
