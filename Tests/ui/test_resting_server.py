"""A service that closes idle connections must not fail the sign-in."""

import os
import time

import pytest
from certificates import CertificateAuthority
from emulator import Emulator
from resting import NETWORK_OF_ITS_OWN, RestingServer, listen
from waiting import wait_for

# How long a user looks at a page, in seconds, and when the server closes an idle connection.
PAUSES = [float(pause) for pause in os.environ.get("ENTRANCE_PAUSES", "3").split(",")]
REST = float(os.environ.get("ENTRANCE_REST", "1"))


@pytest.fixture
def emulator(session, stage):
    """The emulator in a network of its own, and a listener on the same port of this one.

    The port is free there, but it can be that of a connection here: then another is tried.
    """
    for is_last in (False, False, True):
        emulator = Emulator(session, stage)
        emulator.wrapper = NETWORK_OF_ITS_OWN
        emulator.start()
        try:
            emulator.listener = listen(emulator)
            break
        except OSError:
            emulator.stop()
            if is_last:
                raise
    yield emulator
    emulator.listener.close()
    emulator.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can make a network")
@pytest.mark.parametrize("pause", PAUSES)
def test_sign_in_and_call_work_after_idle_connections_close(app, emulator, keyring, sign_in, home, pause):
    authority = CertificateAuthority(home / "resting")
    server = RestingServer(emulator, authority.context("localhost"), REST)
    emulator.context.load_verify_locations(authority.file)
    app.connect_to(emulator, caFile=str(authority.file))
    app.start()
    sign_in.open()
    let_rest(server, pause)
    sign_in.username(emulator.adele)
    sign_in.rest()
    let_rest(server, pause)
    sign_in.password(emulator.adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    let_rest(server, pause)
    app.call_graph()
    app.wait_for_log("Result from Graph: {", times=2)
    assert "Could not" not in app.log
    assert emulator.authorize_count() == 1
    assert any(path.endswith("/token") for path in server.paths), server.paths
    assert server.closed >= 2


def let_rest(server: RestingServer, pause: float):
    """Waits until the server has closed all connections, and for the rest of the pause."""
    begin = time.monotonic()
    wait_for(
        lambda: time.monotonic() >= begin + pause and not server.open,
        "the connections to be closed", pause + 20)
