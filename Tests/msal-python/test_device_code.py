"""MSAL Python signs in on another device (RFC 8628)."""

import pytest

from conftest import CONTOSO

SCOPES = ["User.Read"]


@pytest.fixture
def device(emulator):
    """An application, with a flow in progress."""
    application = emulator.application()
    return application, application.initiate_device_flow(SCOPES)


def poll(application, flow):
    """Polls once."""
    return application.acquire_token_by_device_flow(flow, exit_condition=lambda flow: True)


def enter(browser, flow, user="adele@contoso.example", consents=True):
    """Enters the code and completes the pages; returns the last one."""
    browser.open(flow["verification_uri"])
    view = browser.press("next", code=flow["user_code"])
    while not view.name.startswith("device-"):
        if view.name == "enter-username":
            view = browser.press("next", username=user)
        elif view.name == "enter-password":
            view = browser.press("sign-in", password="Entrance-Demo-1")
        elif view.name == "consent":
            view = browser.press("accept" if consents else "decline")
        elif view.name == "stay-signed-in":
            view = browser.press("stay-no")
        else:
            raise AssertionError(f"unexpected page {view.name}: {view.texts}")
    return view


def test_code_can_be_typed(emulator, device):
    _, flow = device
    assert flow["verification_uri"] == emulator.origin + "/devicelogin"
    assert len(flow["user_code"]) == 9 and flow["user_code"].isalpha()
    assert flow["user_code"] in flow["message"] and flow["verification_uri"] in flow["message"]
    assert (flow["expires_in"], flow["interval"]) == (900, 5)


def test_sign_in(emulator, device, browser):
    application, flow = device
    assert enter(browser, flow).name == "device-approved"
    assert "You may close this page" in browser.view.html

    result = application.acquire_token_by_device_flow(flow)
    assert result["id_token_claims"]["preferred_username"] == "adele@contoso.example"
    assert result["id_token_claims"]["tid"] == CONTOSO
    assert "nonce" not in result["id_token_claims"]
    assert emulator.get("/v1.0/me", token=result["access_token"]).status_code == 200
    (account,) = application.get_accounts()
    silent = application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert silent["token_source"] == "identity_provider"


def test_code_is_valid_for_one_sign_in(emulator, device, browser):
    application, flow = device
    enter(browser, flow)
    assert "access_token" in poll(application, flow)
    browser.open(flow["verification_uri"])
    assert browser.press("next", code=flow["user_code"]).name == "enter-code"
    flow["device_code"] += "x"
    flow["latest_attempt_at"] = 0
    assert poll(application, flow)["error"] == "bad_verification_code"


def test_polling_and_slow_down(device):
    application, flow = device
    pending = poll(application, flow)
    assert (pending["error"], pending["error_codes"]) == ("authorization_pending", [70016])
    with pytest.warns(UserWarning, match="too soon"):
        assert poll(application, flow)["error"] == "slow_down"
    assert flow["interval"] == 10


def test_declined(device, browser):
    application, flow = device
    assert enter(browser, flow, consents=False).name == "device-declined"
    assert poll(application, flow)["error"] == "authorization_declined"


def test_expired(emulator, device, browser):
    application, flow = device
    emulator.control("expire-device-codes")
    expired = poll(application, flow)
    assert (expired["error"], expired["error_codes"]) == ("expired_token", [70020])
    browser.open(flow["verification_uri"])
    assert browser.press("next", code=flow["user_code"]).name == "enter-code"


def test_code_format_is_ignored_but_not_its_characters(device, browser):
    _, flow = device
    page = browser.open(flow["verification_uri"])
    assert page.name == "enter-code" and "someone sent you" in page.html
    page = browser.press("next", code="AAAAAAAAA<b>")
    assert "didn't work" in page.texts["message"]
    assert page.inputs["code"][1]["value"] == "AAAAAAAAA<b>"
    code = flow["user_code"].lower()
    assert browser.press("next", code=f" {code[:4]}-{code[4:]} ").name == "enter-username"


def test_signed_in_user_is_still_asked_for_consent(emulator, browser):
    application = emulator.application()
    emulator.sign_in("chiara@outlook.example", application=application, browser=browser)
    flow = application.initiate_device_flow(SCOPES)
    browser.open(flow["verification_uri"])
    assert browser.press("next", code=flow["user_code"]).name == "consent"
    assert poll(application, flow)["error"] == "authorization_pending"


def test_user_of_another_tenant_gets_an_error(emulator, browser):
    application = emulator.application("organizations")
    flow = application.initiate_device_flow(SCOPES)
    browser.open(flow["verification_uri"])
    browser.press("next", code=flow["user_code"])
    page = browser.press("next", username="chiara@outlook.example")
    assert "can't sign in here" in page.texts["message"]


def test_rejected_requests(emulator):
    path = "/common/oauth2/v2.0/devicecode"
    for fields, error in [
        ({"scope": "User.Read"}, "invalid_request"),
        ({"client_id": emulator.client_id}, "invalid_request"),
        ({"client_id": "another", "scope": "User.Read"}, "unauthorized_client"),
        ({"client_id": emulator.client_id, "scope": "No.Such"}, "invalid_scope"),
    ]:
        reply = emulator.post(path, **fields)
        assert (reply.status_code, reply.json()["error"]) == (400, error)
    reply = emulator.post("/no-tenant/oauth2/v2.0/devicecode", client_id=emulator.client_id)
    assert reply.json()["error_codes"] == [90002]
    reply = emulator.post(
        "/common/oauth2/v2.0/token",
        client_id=emulator.client_id,
        grant_type="urn:ietf:params:oauth:grant-type:device_code",
    )
    assert reply.json()["error_codes"] == [900144]
