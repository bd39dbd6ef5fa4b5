"""The window itself: the demo, a second start, what it remembers."""

import screen
from accessible import has_window
from app import MAIN, SIGN_IN
from waiting import wait_for


def test_demo_needs_nothing(app, keyring):
    items = keyring.items()
    app.start("--demo")
    wait_for(lambda: "This is a demo." in app.words, "the notice")

    app.call_graph()
    wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
    screen.wait_until_still(screen.window_id(SIGN_IN), "the sign-in page")
    screen.type_text("adele@contoso.example\n")
    screen.press("Escape")
    app.wait_for_log("Could not acquire token:")
    assert keyring.items() == items


def test_size_is_remembered(app, keyring):
    app.start()
    screen.resize(screen.window_id(MAIN), 600, 500)
    app.close()

    app.start()
    wait_for(
        lambda: screen.geometry(screen.window_id(MAIN))[2:] == (600, 500), "the former size")


def test_second_start_raises_the_running_window(app, session, keyring):
    app.start()
    main = screen.window_id(MAIN)
    other = session.spawn(["xmessage", "-title", "Another", "another window"])
    wait_for(lambda: screen.window_id("Another"), "another window")
    wait_for(lambda: screen.active_window() != main, "the other window to have the focus")

    second = app.launch()
    assert second.wait(20) == 0
    wait_for(lambda: screen.active_window() == main, "the window to be raised")
    other.terminate()
