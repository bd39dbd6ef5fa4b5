"""The sign-in window on a computer with an identity broker."""

import json

import pytest
import screen
from accessible import has_window
from app import MAIN, SIGN_IN
from microsoft import ELSEWHERE, HOST, Microsoft
from waiting import wait_for


@pytest.fixture
def microsoft(home):
    microsoft = Microsoft(home)
    yield microsoft
    microsoft.close()


@pytest.fixture
def app_at_microsoft(app, home, microsoft, monkeypatch):
    """The app with a connection to the stand-in for Microsoft's worldwide cloud."""
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, microsoft.proxy)
    connect(home, microsoft)
    return app


def connect(home, microsoft, **fields):
    (home / "config" / "entrance" / "apps.json").write_text(json.dumps({
        "version": 1,
        "apps": [{
            "name": "Demo",
            "clientID": "11111111-2222-3333-4444-555555555555",
            "caFile": str(microsoft.ca_file),
        } | fields],
    }))


def test_first_page_has_the_brokers_cookies(
    app_at_microsoft, broker, keyring, microsoft, results
):
    app_at_microsoft.start()
    app_at_microsoft.call_graph()
    cookies = wait_for(lambda: microsoft.cookies(HOST, "/authorize"), "the first page", 60)
    assert cookies == {
        "x-ms-RefreshTokenCredential": "cookie-canary.of.adele",
        "x-ms-DeviceCredential": "device-canary",
    }
    # The cookies are for this host only.
    wait_for(lambda: microsoft.cookies(ELSEWHERE, "/page") is not None, "the second page", 60)
    assert microsoft.cookies(ELSEWHERE, "/page") == {}
    app_at_microsoft.wait_for_log("Account signed out. Updating UX")
    assert "canary" not in app_at_microsoft.log
    screen.capture(results / "broker.png", MAIN)


def test_without_a_broker_there_are_no_cookies(app_at_microsoft, keyring, microsoft):
    app_at_microsoft.start()
    app_at_microsoft.call_graph()
    wait_for(lambda: microsoft.cookies(HOST, "/authorize") is not None, "the first page", 60)
    assert microsoft.cookies(HOST, "/authorize") == {}


def test_broker_signs_in_and_reports_the_device(
    app_at_microsoft, broker, home, keyring, microsoft, results
):
    app = app_at_microsoft
    connect(home, microsoft, isBrokerRedirectURIRegistered=True)
    device = "11d2c2a4-7a0f-4d2a-9a51-3d1f0e7b6c55"
    broker.gives({"deviceid": device})
    microsoft.graph["/v1.0/me"] = {"displayName": "Adele Vance"}
    app.start()
    app.call_graph()
    app.wait_for_log('"displayName": "Adele Vance"')
    app.wait_for_account("adele@contoso.example")
    assert not has_window(SIGN_IN)
    [request] = broker.requests("acquireTokenInteractively")
    assert request["parentWindowHandle"] == int(screen.window_id(MAIN))
    assert microsoft.cookies(HOST, "/authorize") is None
    app.wait_until_idle()

    app.get_device_info()
    app.wait_for_log("Identity broker: 3.0.1\n")
    app.wait_for_log(f"Device ID: {device}\n")
    app.wait_for_log("Compliance: not known: The account or the app is not allowed to do this")
    app.wait_until_idle()
    microsoft.graph[f"/v1.0/devices(deviceId='{device}')"] = {"isCompliant": True}
    app.get_device_info()
    app.wait_for_log("Compliance: compliant")
    app.wait_until_idle()
    screen.capture(results / "broker-device.png", MAIN)

    app.restart()
    app.wait_for_account("adele@contoso.example")
    app.sign_out()
    app.wait_for_log("Sign out completed successfully")
    assert "removeAccount" in broker.calls()
