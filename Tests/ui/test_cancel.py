"""Giving up a sign-in, in each way there is, leaves nothing pending."""

import pytest

import screen


def by_escape(sign_in):
    screen.press("Escape")


def by_button(sign_in):
    sign_in.click("Cancel")


def by_closing_the_window(sign_in):
    screen.focus(sign_in.window)
    screen.press("alt+F4")


def by_the_page(sign_in):
    sign_in.cancel_on_page()


@pytest.mark.parametrize("cancel", (by_escape, by_button, by_closing_the_window, by_the_page))
def test_cancelled_sign_in_is_logged_and_can_be_repeated(
        cancel, app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    cancel(sign_in)

    sign_in.wait_until_closed()
    app.wait_for_log("Could not acquire token:")
    assert "cancelled" in app.log
    app.wait_for_account("Signed out")
    app.wait_until_idle()

    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")


def test_consent_that_is_refused_ends_the_sign_in(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.username(emulator.adele)
    sign_in.password(emulator.adele.password)
    sign_in.refuse_consent()

    sign_in.wait_until_closed()
    app.wait_for_log("Could not acquire token:")
    app.wait_for_account("Signed out")


def test_request_under_way_can_be_cancelled(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()

    emulator.delay("/v1.0/me", 60_000)
    app.call_graph()
    app.wait_for_log("Refreshed Access token is ")
    app.button("Cancel").click()
    app.wait_for_log("Couldn't get graph result: ")
    app.wait_until_idle()


def test_main_window_closed_in_mid_flow_ends_the_program(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    app.process.terminate()
    app.process.wait(10)
    assert app.process.returncode is not None
