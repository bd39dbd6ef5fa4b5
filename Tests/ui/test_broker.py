"""The sign-in window of a computer with an identity broker."""

import json

import pytest
import screen
from app import MAIN
from microsoft import ELSEWHERE, HOST, Microsoft
from waiting import wait_for


@pytest.fixture
def microsoft(home):
    microsoft = Microsoft(home)
    yield microsoft
    microsoft.close()


@pytest.fixture
def app_at_microsoft(app, home, microsoft, monkeypatch):
    """The app with a connection to Microsoft's worldwide cloud, which is the stand-in."""
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, microsoft.proxy)
    (home / "config" / "entrance" / "connections.json").write_text(json.dumps({
        "version": 1,
        "connections": [{
            "name": "Demo",
            "clientID": "11111111-2222-3333-4444-555555555555",
            "caFile": str(microsoft.ca_file),
        }],
    }))
    return app


def test_the_first_page_has_the_cookies_of_the_broker(
    app_at_microsoft, broker, keyring, microsoft, results
):
    app_at_microsoft.start()
    app_at_microsoft.call_graph()
    cookies = wait_for(lambda: microsoft.cookies(HOST, "/authorize"), "the first page", 60)
    assert cookies == {
        "x-ms-RefreshTokenCredential": "cookie-canary.of.adele",
        "x-ms-DeviceCredential": "device-canary",
    }
    # They are for that host alone.
    wait_for(lambda: microsoft.cookies(ELSEWHERE, "/page") is not None, "the second page", 60)
    assert microsoft.cookies(ELSEWHERE, "/page") == {}
    app_at_microsoft.wait_for_log("Account signed out. Updating UX")
    assert "canary" not in app_at_microsoft.log
    screen.capture(results / "broker.png", screen.window_id(MAIN))


def test_without_a_broker_there_are_none(app_at_microsoft, keyring, microsoft):
    app_at_microsoft.start()
    app_at_microsoft.call_graph()
    wait_for(lambda: microsoft.cookies(HOST, "/authorize") is not None, "the first page", 60)
    assert microsoft.cookies(HOST, "/authorize") == {}
