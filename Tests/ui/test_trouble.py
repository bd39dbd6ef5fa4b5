"""When something fails, the app shows a message and remains usable."""

import subprocess
from pathlib import Path

import pytest

import screen
from accessible import BUTTON, exists, find, focused, has_window
from app import MAIN
from waiting import wait_for


def test_emulator_stopped_during_a_sign_in(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    emulator.stop()
    screen.type_text("adele@contoso.example\n")
    sign_in.rest()

    screen.press("Escape")
    sign_in.wait_until_closed()
    app.wait_for_log("Correlation ID: ")
    app.wait_until_idle()


def test_emulator_stopped_before_graph_is_called(signed_in, emulator):
    emulator.stop()
    signed_in.call_graph()
    signed_in.wait_for_log("Couldn't get graph result: ")
    signed_in.wait_until_idle()


@pytest.mark.parametrize("page, key", [("Explorer", "alt+2"), ("Tokens", "alt+3")])
def test_a_sign_in_that_fails_is_shown_on_the_page_where_it_began(page, key, app, emulator, keyring, results):
    app.start()
    emulator.stop()
    screen.press(key)
    for count in (1, 2):
        if count == 1:
            app.press_sign_in()
        else:
            find(MAIN, BUTTON, "Try Again").click()
        app.wait_for_log("Could not acquire token: ", count)
        app.wait_until_idle()
        wait_for(lambda: "Could not connect to localhost:" in app.words, "the notice")
    # Only on the account page, the keys of the notice's buttons cannot mean others, too.
    screen.press("alt+a", "alt+1", "alt+a")
    app.wait_for_log("Could not acquire token: ", 3)
    app.wait_until_idle()
    assert app.log.count("Could not acquire token: ") == 3
    screen.press(key)
    screen.wait_until_still(MAIN, "the notice")
    screen.capture(results / f"failed-sign-in-{page.lower()}.png", MAIN)
    # A low window does not become higher, but scrolls.
    window = screen.window_id(MAIN)
    screen.press("alt+4")
    screen.resize(window, 720, 360)
    screen.wait_until_still(MAIN, "the low window")
    assert screen.geometry(window)[2:] == (720, 360)
    screen.resize(window, 860, 640)
    screen.press(key)
    screen.wait_until_still(MAIN, "the notice")
    # A click with the pointer needs a place on the screen.
    find(MAIN, BUTTON, "Dismiss").click()
    wait_for(lambda: not exists(MAIN, BUTTON, "Dismiss"), "the notice to go")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Sign In", f"the focus, which is at {focused(MAIN)}")


def test_locked_keyring_leaves_the_app_usable(app, emulator, keyring, sign_in):
    keyring.lock()
    app.start()
    app.get_device_info()
    app.wait_for_log("Received device info.")
    wait_for(lambda: "keyring" in app.words.lower(), "a word about the keyring")

    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    assert keyring.is_locked()


def test_without_a_keyring_the_app_works_from_memory(app, emulator, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    wait_for(lambda: "keyring" in app.words.lower(), "a word about the keyring")

    app.wait_until_idle()
    app.call_graph()
    app.wait_for_log("Access token is ", 2)

    app.restart()
    app.wait_for_account("Signed out")


def test_killed_web_process_reloads_the_page(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    seen = emulator.authorize_count()
    app.kill_web_process()

    wait_for(lambda: emulator.authorize_count() > seen, "the page to be loaded again")
    sign_in.rest()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")


def test_unknown_connection_has_an_error_message(app, keyring):
    app.process = app.launch("--app", "Nobody")
    wait_for(lambda: "Nobody" in app.words, "the name of the connection in the window")


@pytest.mark.parametrize("fault, words", (
    ({"authority": "https://login.example/a b"}, "Unable to create authority URL\n"),
    ({"clientID": ""}, "Unable to create Application Context "),
))
def test_invalid_connection_has_the_tutorials_message(
    fault, words, app, emulator, keyring, results
):
    app.connect_to(emulator, **fault)
    app.process = app.launch()
    wait_for(lambda: words in app.words, f"'{words}' in the window")
    assert f"apps[0].{next(iter(fault))}" in app.words
    screen.capture(results / f"bad-{next(iter(fault))}.png", screen.window_id(MAIN))
    app.connect_to(emulator)
    find(MAIN, BUTTON, "Try Again").click()
    app.wait_for_account("Signed out")


def test_unreadable_store_is_read_again_on_request(app, emulator, keyring, home, results):
    (home / "shared").mkdir(mode=0o700)
    cache = home / "shared" / "cache.json"
    cache.write_text("{}")
    cache.chmod(0o666)
    app.connect_to(emulator, cache={"path": str(cache)})
    app.start()
    app.wait_for_log("Couldn't query current account with error: ")
    app.wait_for_account("Account Not Available")
    screen.capture(results / "store-unavailable.png", MAIN)
    cache.chmod(0o600)
    find(MAIN, BUTTON, "Try Again").click()
    app.wait_for_account("Signed out")
    app.wait_for_log("Account signed out. Updating UX")
    assert not exists(MAIN, BUTTON, "Try Again")


def test_dialog_opens_while_webkit_is_loaded(app, keyring, tmp_path):
    """GtkBuilder looks up classes in the loaded libraries, while another thread loads WebKit."""
    library = tmp_path / "slow-load.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("slow-load.c"), "-ldl"],
        check=True)
    # With a variable that it must not keep, the program would start again, without the library.
    app.wrapper = ("env", "--unset=CURL_CA_BUNDLE", f"LD_PRELOAD={library}", f"SLOW_LOAD={tmp_path}")
    app.start()
    wait_for(lambda: (tmp_path / "loading").exists(), "WebKit to be loaded")

    screen.press("ctrl+question")
    wait_for(lambda: (tmp_path / "waiting").exists(), "the dialog to be built")
    (tmp_path / "go").touch()
    wait_for(lambda: has_window("Keyboard Shortcuts"), "the shortcuts")
