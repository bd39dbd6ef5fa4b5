"""Device info, and shared devices, in the app."""

import pytest
import screen
from accessible import cut_off
from app import MAIN
from waiting import wait_for

SHARED = "This computer is shared."


@pytest.fixture
def shared(app, home):
    """The app with the administrator's setting for a shared device."""
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text("[io/github/entrance/Entrance]\nshared-device=true\n")
    return app


def test_device_info_lists_facts_and_finds_a_broker_that_starts_later(app, keyring, request):
    app.start()
    app.get_device_info()
    app.wait_for_log("Received device info. Device is in the private mode.\n")
    app.wait_for_log("Identity broker: none\n")
    app.wait_for_log("Device ID: not known: no token from an identity broker contains it\n")
    app.wait_for_log("Compliance: not known: the device ID is not known")
    app.wait_until_idle()
    request.getfixturevalue("broker")
    app.get_device_info()
    app.wait_for_log("Identity broker: 3.0.1\n")


def test_shared_device_has_a_notice_and_signs_everyone_out(shared, emulator, keyring, sign_in):
    shared.start()
    wait_for(lambda: SHARED in shared.words, "the notice that the device is shared")
    # The notice has room in a narrow window.
    screen.resize(screen.window_id(MAIN), 360, 640)
    shared.get_device_info()
    shared.wait_for_log("Received device info. Device is in the shared mode.\n")
    shared.wait_until_idle()
    screen.wait_until_still(MAIN, MAIN)
    assert screen.geometry(screen.window_id(MAIN))[2] == 360
    assert cut_off(MAIN) == []

    sign_in.open().complete(emulator.adele)
    shared.wait_for_log("Result from Graph: {")
    shared.wait_until_idle()
    shared.sign_out()
    shared.wait_for_log("Sign out completed successfully")
    shared.wait_for_account("Signed out")
    # The session of the sign-in page, too: the next user starts with the user name.
    counts = emulator.counts()
    assert any(route.endswith("/logout") for route in counts), counts
    shared.wait_until_idle()
    sign_in.open().complete(emulator.bram)
    shared.wait_for_account(emulator.bram.username)
    shared.wait_until_idle()
    shared.sign_out()
    shared.wait_for_account("Signed out")
    shared.restart()
    shared.wait_for_account("Signed out")
