"""A refresh token that is used up is replaced by the next one, also when the command is interrupted."""

import json
import os
import signal
import time

import pytest
from waiting import wait_for


@pytest.fixture
def rotating(signed_in, emulator, person):
    """The command line, signed in at a service that accepts each refresh token once."""
    authority = emulator.base + "/realms/Contoso"
    connection = emulator.connection("Realm") | {
        "authority": authority, "authorityKind": "oidc", "knownAuthorities": [authority],
        "scopes": ["demo.read"], "api": emulator.base + "/api/me"}
    signed_in.connect_to(connection)
    signed_in.ok("sign-in")
    return signed_in


TOKEN = "/realms/{realm}/token"
KEYS = "/realms/{realm}/keys"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_renewal(rotating, emulator, number):
    """The service has answered, and the answer takes its time."""
    # Longer than it takes to send the signal, and less than the five seconds that are waited for an answer.
    emulator.delay(TOKEN, 2_000)
    before = emulator.counts()["POST " + TOKEN]
    process = rotating.start("token", "--force-refresh", "--json")
    wait_for(lambda: emulator.counts()["POST " + TOKEN] > before, "the request to arrive")
    process.send_signal(number)
    result = rotating.finish(process)
    assert result.status == -number, result
    assert result.error["code"] == "userCanceled"
    emulator.delay(TOKEN, 0)
    # The service does not accept a refresh token again.
    rotating.ok("token", "--force-refresh")


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_interrupted_check(rotating, emulator, number):
    """The answer is there, and the signing keys take their time."""
    emulator.delay(KEYS, 60_000)
    before = emulator.counts()["GET " + KEYS]
    process = rotating.start("token", "--force-refresh")
    wait_for(lambda: emulator.counts()["GET " + KEYS] > before, "the keys to be asked for")
    process.send_signal(number)
    process.wait(30)
    rotating.finish(process)
    emulator.delay(KEYS, 0)
    rotating.ok("token", "--force-refresh")


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGHUP])
def test_two_signals_at_once_are_one(rotating, emulator, second):
    """timeout(1) sends its signal to the command and then to its group; systemd sends SIGHUP after SIGTERM."""
    emulator.delay(TOKEN, 2_000)
    before = emulator.counts()["POST " + TOKEN]
    process = rotating.start("token", "--force-refresh")
    wait_for(lambda: emulator.counts()["POST " + TOKEN] > before, "the request to arrive")
    process.send_signal(signal.SIGTERM)
    # The first one was seen, so that they are two.
    assert "canceled" in process.stderr.readline()
    process.send_signal(second)
    assert rotating.finish(process).status == -signal.SIGTERM
    emulator.delay(TOKEN, 0)
    # The service does not accept a refresh token again.
    rotating.ok("token", "--force-refresh")


def test_a_later_signal_ends_at_once(rotating, emulator):
    emulator.delay(TOKEN, 60_000)
    before = emulator.counts()["POST " + TOKEN]
    process = rotating.start("token", "--force-refresh")
    wait_for(lambda: emulator.counts()["POST " + TOKEN] > before, "the request to arrive")
    process.send_signal(signal.SIGINT)
    assert "canceled" in process.stderr.readline()

    def has_ended() -> bool:
        process.send_signal(signal.SIGTERM)
        return process.poll() is not None

    wait_for(has_ended, "a signal to end it")
    # The first one would end it some seconds later.
    assert process.returncode == -signal.SIGTERM
    rotating.finish(process)


def test_slow_service_is_not_waited_for(rotating, emulator):
    """A few seconds are enough for an answer."""
    emulator.delay(TOKEN, 60_000)
    before = emulator.counts()["POST " + TOKEN]
    process = rotating.start("token", "--force-refresh")
    wait_for(lambda: emulator.counts()["POST " + TOKEN] > before, "the request to arrive")
    process.send_signal(signal.SIGINT)
    process.wait(30)
    assert process.returncode == -signal.SIGINT
    rotating.finish(process)


def test_a_reader_that_stops_loses_no_renewal(rotating, emulator, home):
    """A token is renewed in the background while its predecessor is used."""
    cache = home / "shared" / "cache.json"
    [app] = json.loads(rotating.connections.read_text())["apps"]
    rotating.connect_to(app | {"cache": {"path": str(cache)}})
    rotating.ok("sign-in")
    content = json.loads(cache.read_text())
    for token in content["AccessToken"].values():
        token["refresh_on"] = str(int(time.time()) - 60)
    cache.write_text(json.dumps(content))

    emulator.delay("/api/me", 2000)
    emulator.delay(TOKEN, 4000)
    before = emulator.counts()["POST " + TOKEN]
    process = rotating.start("graph", emulator.base + "/api/me")
    # Nobody reads what is printed.
    process.stdout.close()
    process.stdout = open(os.devnull)
    wait_for(lambda: emulator.counts()["POST " + TOKEN] > before, "the request to arrive")
    assert rotating.finish(process).status == -signal.SIGPIPE
    emulator.delay(TOKEN, 0)
    # The service does not accept a refresh token again.
    rotating.ok("token", "--force-refresh")
