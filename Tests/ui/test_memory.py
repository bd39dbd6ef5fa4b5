"""The app's memory after an account has signed out."""

import memory
from waiting import wait_for


def test_no_secret_remains_after_signing_out(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    secrets = emulator.secrets() | {"password": [emulator.adele.password]}
    found = memory.count(app.process.pid, secrets)
    assert found["access_token", "malloc"], f"the scan finds what is there: {found}"

    app.sign_out()
    app.wait_for_account("Signed out")
    found = {}

    def is_gone() -> bool:
        # WebKit has its own allocator, which keeps texts of its pages. The password is counted but
        # not checked: it is typed into the page, and only WebKit has it.
        found.clear()
        found.update(memory.count(app.process.pid, secrets))
        print(found)
        return not [kind for kind, place in found if place == "malloc" and kind != "password"]

    try:
        # Five seconds are enough on an idle computer; a scan alone takes one of them on a busy one.
        wait_for(is_gone, "the account's secrets to be gone")
    except AssertionError as error:
        raise AssertionError(f"{error}: {found}") from None
