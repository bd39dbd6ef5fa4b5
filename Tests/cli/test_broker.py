"""Commands with an identity broker on the session bus."""

import json
import time

import pytest

from broker import OBJECT_ID, TENANT, Broker
from test_doctor import check

CLIENT = "11111111-2222-3333-4444-555555555555"


@pytest.fixture
def broker(session):
    broker = Broker(session).start()
    yield broker
    broker.stop()


@pytest.fixture
def managed(cli, home):
    """The command line of a user whose broker signs in, with a shared file."""
    path = home / "shared" / "cache.json"
    path.parent.mkdir(mode=0o700)
    cli.path = path
    cli.connect_to({
        "name": "Managed", "clientID": CLIENT, "isBrokerRedirectURIRegistered": True,
        "cache": {"path": str(path)}})
    return cli


def test_broker_accounts(managed, broker):
    [account] = managed.ok("accounts", "--json").json["accounts"]
    assert account["homeAccountID"] == f"{OBJECT_ID}.{TENANT}"
    found = check(managed("doctor", "--json"), "broker")
    assert found["state"] == "ok" and found["message"].endswith("accounts: 1")


def test_cached_token_does_not_call_the_broker(managed, broker):
    owner = {
        "home_account_id": f"{OBJECT_ID}.{TENANT}", "realm": TENANT,
        "environment": "login.microsoftonline.com", "client_id": CLIENT}
    managed.path.write_text(json.dumps({
        "AccessToken": {"a": owner | {
            "secret": "AT", "target": "User.Read", "cached_at": "1790000000",
            "expires_on": "9000000000"}},
        "Account": {"b": owner | {"username": "adele@contoso.example", "authority_type": "MSSTS"}}}))
    managed.path.chmod(0o600)
    for options in ([], ["--account", "adele@contoso.example"]):
        assert managed.ok("token", *options).out == "AT\n"
    assert broker.calls() == []


def test_broker_signs_in_without_a_browser(managed, broker):
    managed.environment["BROWSER"] = "false"
    result = managed.ok("sign-in")
    assert result.out.startswith("Signed in as Adele Vance")
    assert result.err == "", "no browser is needed"


def test_sign_out_of_a_broker_that_cannot_remove_accounts(managed, session):
    managed.environment["BROWSER"] = "false"
    broker = Broker(session).start()
    broker._tell("removeAccount", [{"error": ["org.freedesktop.DBus.Error.Failed", "Not implemented"]}])
    try:
        managed.ok("sign-in")
        managed.ok("sign-out")
        assert "removeAccount" in broker.calls()
        assert managed.ok("accounts", "--json").json["accounts"] == []
        for options in ([], ["--account", "adele@contoso.example"]):
            assert managed("token", "--json", *options).error["code"] == "accountNotFound"
        assert check(managed("doctor", "--json"), "broker")["message"].endswith("accounts: 0")
        assert not {"acquireTokenSilently", "acquireTokenInteractively"} & set(broker.calls())
        managed.ok("sign-in")
        assert managed.ok("token").out.startswith("broker-canary-")
        assert len(managed.ok("accounts", "--json").json["accounts"]) == 1
    finally:
        broker.stop()


def test_doctor_has_no_complaint_about_a_broker_that_is_not_enrolled(managed, broker):
    unenrolled = {"error": {"context": "no device", "status": 17}}
    broker._tell("getAccounts", [{"text": json.dumps(unenrolled)}])
    found = check(managed("doctor", "--json"), "broker")
    assert found["state"] == "absent" and "sign-in pages" in found["message"]
    assert managed.ok("accounts").err == "No account is signed in.\n"


def test_failing_broker(managed, session):
    """A failing broker is distinguished from one without accounts."""
    session.add_service(
        "com.microsoft.identity.broker1",
        "[D-BUS Service]\nName=com.microsoft.identity.broker1\nExec=/bin/false\n")
    try:
        error = managed("accounts", "--json").error
        assert error["code"] == "brokerUnavailable" and "doctor" in error["nextStep"]
        assert managed("token", "--json").error["code"] == "brokerUnavailable"
        found = check(managed("doctor", "--json"), "broker")
        assert found["state"] == "problem" and found["advice"]
    finally:
        session.remove_service("com.microsoft.identity.broker1")


def test_a_sign_in_does_not_wait_for_a_failing_broker(managed, session):
    """As for a local user of a computer that has one for others."""
    managed.environment |= {
        "BROWSER": "false", "PATH": "/nonexistent", "https_proxy": "http://127.0.0.1:1"}
    session.add_service(
        "com.microsoft.identity.broker1",
        "[D-BUS Service]\nName=com.microsoft.identity.broker1\nExec=/bin/false\n")
    try:
        for options in ([], ["--device-code"], ["--account", "adele@contoso.example"]):
            error = managed("sign-in", "--json", *options).error
            # It got as far as without a broker: there is neither a browser nor a network.
            assert error["code"] in ("webAuthenticationFailed", "networkUnavailable"), error
    finally:
        session.remove_service("com.microsoft.identity.broker1")


def test_hanging_broker(managed, broker):
    broker._tell("getAccounts", [{"silence": True}])
    start = time.monotonic()
    error = managed("accounts", "--json").error
    assert error["code"] == "brokerUnavailable"
    assert time.monotonic() - start < 30
