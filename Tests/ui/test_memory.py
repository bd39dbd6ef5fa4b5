"""What the app's memory holds of an account that is signed out."""

import memory
from waiting import wait_for


def test_nothing_is_left_after_signing_out(app, emulator, keyring, sign_in):
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
        # WebKit has an allocator of its own, in which texts of its pages stay behind. The password is
        # counted and not asked for: it is typed into the page, and only WebKit ever has it.
        found.clear()
        found.update(memory.count(app.process.pid, secrets))
        print(found)
        return not [kind for kind, place in found if place == "malloc" and kind != "password"]

    try:
        # Five seconds do on a quiet machine; a scan alone takes one of them on a busy one.
        wait_for(is_gone, "the account's secrets to be gone", 20)
    except AssertionError as error:
        raise AssertionError(f"{error}: {found}") from None
