"""Large answers of Microsoft Graph: the window stays usable, and the log shows all of them on request."""

import socket
import threading

import pytest

import screen
from accessible import BUTTON, LOG, Atspi, exists, find, focused
from app import MAIN, SIGN_OUT
from responsiveness import Responsiveness
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


@pytest.mark.parametrize("fault, shown", [("graph-many-items", 0.9), ("graph-long-text", 0.99)])
def test_the_window_stays_usable(app, emulator, keyring, sign_in, fault, shown):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    emulator.set_faults(fault)

    with Responsiveness(app.process.pid) as answer:
        app.call_graph()
        wait_for(lambda: exists(MAIN, BUTTON, SHOW_ALL), "the answer", 120)
        app.wait_until_idle()
    print(f"{fault}: {answer.longest * 1000:.0f} ms, {(answer.memory - answer.start_memory) >> 20} MB,"
          f" {answer.answers} answers")
    assert answer.answers > 10
    assert answer.longest < LONGEST
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
    assert resizing.longest < LONGEST

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
    assert everything.longest < LONGEST
    wait_for(lambda: "Sign out completed successfully" in end_of_log(app), "the last line")


def test_signing_out_works_as_soon_as_an_answer_has_arrived(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    emulator.set_faults("graph-many-items")
    asked = emulator.counts()[ME]
    app.call_graph()
    wait_for(lambda: emulator.counts()[ME] > asked, "the request")
    wait_for(lambda: app.button(SIGN_OUT).is_enabled, "the answer to arrive")
    app.sign_out()
    app.wait_for_account("Signed out")
    app.close()


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
        self.received: list[int] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def is_holding(self) -> bool:
        return not self.goes_on.is_set() and max(self.received, default=0) >= self.held_after

    def close(self):
        self.goes_on.set()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                service = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            number = len(self.received)
            self.received.append(0)
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
def receiving(app, emulator, keyring, sign_in, relay):
    """The app, which has the half of what it can take of an answer of 100 MB, and how it answers since before."""
    app.connect_to(emulator, api=f"https://localhost:{relay.port}/v1.0/me")
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    emulator.set_faults("graph-huge")
    with Responsiveness(app.process.pid) as answer:
        app.call_graph()
        wait_for(lambda: relay.is_holding, "half of the answer", 60)
        yield answer


def check(answer: Responsiveness, name: str):
    print(f"{name}: {answer.longest * 1000:.0f} ms, {(answer.memory - answer.start_memory) >> 20} MB,"
          f" {answer.answers} answers")
    assert answer.answers > 10
    assert answer.longest < LONGEST
    # The body grows by doubling, and is copied then.
    assert answer.memory - answer.start_memory < 3 * LIMIT


def test_signing_out_works_while_a_huge_answer_arrives(app, receiving, relay):
    assert app.button(SIGN_OUT).is_enabled
    app.sign_out()
    app.wait_for_account("Signed out")
    relay.goes_on.set()
    app.wait_for_log("Sign out completed successfully")
    app.wait_until_idle()
    assert TOO_LARGE not in app.log
    check(receiving, "signed out")


def test_an_answer_that_is_too_large_is_refused_with_what_to_do(app, receiving, relay, results):
    relay.goes_on.set()
    app.wait_for_log(TOO_LARGE)
    app.wait_until_idle()
    wait_for(lambda: TOO_LARGE in app.words, "the notice")
    # Nothing else of it was taken.
    assert max(relay.received) < 3 * LIMIT
    check(receiving, "refused")
    screen.capture(results / "large-answer-refused.png", screen.window_id(MAIN))
