"""Large answers of Microsoft Graph: the window stays usable, and the log shows all of them on request."""

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
