"""The emulator rejects what the identity platform rejects, with the same errors."""

import re
from urllib.parse import urlencode

import pytest
import requests

from browser import Browser
from conftest import CONTOSO, FABRIKAM, REDIRECT, Emulator

# RFC 7636, appendix B
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def authorize_url(emulator, tenant="common", **changes):
    parameters = {
        "client_id": emulator.client_id,
        "response_type": "code",
        "redirect_uri": REDIRECT,
        "scope": "openid profile offline_access User.Read",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "xyz",
        **changes,
    }
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return f"{emulator.origin}/{tenant}/oauth2/v2.0/authorize?{query}"


@pytest.fixture
def code(emulator):
    url = authorize_url(emulator)
    return Browser(emulator).sign_in(url, "adele@contoso.example").parameters["code"]


def redeem(emulator, value, tenant="common", **changes):
    fields = {
        "client_id": emulator.client_id,
        "grant_type": "authorization_code",
        "code": value,
        "redirect_uri": REDIRECT,
        "code_verifier": VERIFIER,
        "scope": "User.Read openid",
        **changes,
    }
    return emulator.post(
        f"/{tenant}/oauth2/v2.0/token",
        **{name: value for name, value in fields.items() if value is not None},
    )


def assert_refused(reply, error, number):
    """Checks the whole structure of an error, not only its name."""
    assert reply.status_code == 400
    assert reply.headers["Cache-Control"] == "no-store"
    body = reply.json()
    assert (body["error"], body["error_codes"]) == (error, [number])
    assert re.fullmatch(
        rf"AADSTS{number}: .+ Trace ID: {body['trace_id']} "
        rf"Correlation ID: {body['correlation_id']} Timestamp: {body['timestamp']}",
        body["error_description"],
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", body["timestamp"])


def test_right_verifier_is_accepted(emulator, code):
    assert redeem(emulator, code).status_code == 200


def test_wrong_verifier(emulator, code):
    reply = redeem(emulator, code, code_verifier=VERIFIER[:-1] + "j")
    assert_refused(reply, "invalid_grant", 501481)


def test_missing_verifier(emulator, code):
    assert_refused(redeem(emulator, code, code_verifier=None), "invalid_grant", 50148)


def test_reused_code(emulator, code):
    assert redeem(emulator, code).status_code == 200
    assert_refused(redeem(emulator, code), "invalid_grant", 54005)


def test_expired_code(emulator, code):
    emulator.control("expire-codes")
    assert_refused(redeem(emulator, code), "invalid_grant", 70008)


def test_code_of_another_application():
    running = Emulator("--client-id", "0d1f7c2a-6b3e-4f58-8a90-1c2d3e4f5a6b")
    try:
        url = authorize_url(running)
        stolen = Browser(running).sign_in(url, "adele@contoso.example").parameters["code"]
        reply = redeem(running, stolen, client_id="7c1d9f3e-52a8-4b06-9e7d-3f84c0b2a615")
        assert_refused(reply, "invalid_grant", 700005)
    finally:
        running.stop()


def test_invented_code(emulator):
    assert_refused(redeem(emulator, "1.invented"), "invalid_grant", 9002313)


def test_other_redirect_uri_than_before(emulator, code):
    reply = redeem(emulator, code, redirect_uri="http://localhost")
    assert_refused(reply, "invalid_grant", 500112)


def test_code_of_another_tenant(emulator, code):
    assert_refused(redeem(emulator, code, tenant=FABRIKAM), "invalid_grant", 700005)


def test_unknown_client(emulator, code):
    reply = redeem(emulator, code, client_id="00000000-1111-2222-3333-444444444444")
    assert_refused(reply, "unauthorized_client", 700016)


def test_unknown_tenant(emulator, code):
    assert_refused(redeem(emulator, code, tenant="nowhere.example"), "invalid_request", 90002)
    reply = emulator.get("/nowhere.example/v2.0/.well-known/openid-configuration")
    assert_refused(reply, "invalid_tenant", 90002)


def test_unknown_scope(emulator, code):
    assert_refused(redeem(emulator, code, scope="User.Reed"), "invalid_scope", 70011)


@pytest.mark.parametrize("name", ["client_id", "grant_type", "code", "redirect_uri"])
def test_missing_parameter(emulator, code, name):
    reply = redeem(emulator, code, **{name: None})
    assert_refused(reply, "invalid_request", 900144)
    assert f"'{name}'" in reply.json()["error_description"]


def test_unsupported_grant(emulator, code):
    reply = redeem(emulator, code, grant_type="password")
    assert_refused(reply, "unsupported_grant_type", 70003)


def test_invented_refresh_token(emulator):
    reply = emulator.post(
        "/common/oauth2/v2.0/token",
        client_id=emulator.client_id,
        grant_type="refresh_token",
        refresh_token="1.invented",
        scope="User.Read",
    )
    assert_refused(reply, "invalid_grant", 9002313)


def test_refresh_in_a_tenant_the_user_is_not_in(emulator):
    _, result = emulator.sign_in("adele@contoso.example")
    reply = emulator.post(
        f"/{FABRIKAM}/oauth2/v2.0/token",
        client_id=emulator.client_id,
        grant_type="refresh_token",
        refresh_token=result["refresh_token"],
        scope="User.Read",
    )
    assert_refused(reply, "invalid_grant", 50020)


def test_correlation_id_of_the_client_is_returned(emulator):
    identifier = "0a49cdbc-2e94-4089-bc6f-1162b123592c"
    reply = emulator.get(
        "/nowhere.example/v2.0/.well-known/openid-configuration",
        **{"client-request-id": identifier},
    )
    assert reply.json()["correlation_id"] == identifier
    reply = requests.post(
        f"{emulator.origin}/common/oauth2/v2.0/token",
        headers={"client-request-id": identifier, "return-client-request-id": "true"},
        verify=emulator.ca_file,
    )
    assert reply.json()["correlation_id"] == identifier
    assert reply.headers["client-request-id"] == identifier


def test_oversized_body_is_rejected(emulator):
    reply = emulator.post("/common/oauth2/v2.0/token", code="x" * 2_000_000)
    assert reply.status_code == 413
    assert emulator.post("/common/oauth2/v2.0/token").status_code == 400


@pytest.mark.parametrize(
    "changes, number",
    [
        ({"client_id": "00000000-1111-2222-3333-444444444444"}, 700016),
        ({"client_id": None}, 900144),
        ({"redirect_uri": "msauth.io.github.entrance.entrance://auth/x"}, 50011),
        ({"redirect_uri": "msauth.io.github.entrance.entrance://AUTH"}, 50011),
        ({"redirect_uri": "http://localhost.evil.example"}, 50011),
        ({"redirect_uri": "http://localhost@evil.example"}, 50011),
        ({"redirect_uri": "http://localhost:80/other"}, 50011),
        ({"tenant": "nowhere.example"}, 90002),
    ],
)
def test_errors_without_a_valid_redirect_are_shown_on_a_page(emulator, changes, number):
    page = Browser(emulator).open(authorize_url(emulator, **changes))
    assert (page.name, page.status) == ("error", 400)
    assert page.texts["error-code"] == f"AADSTS{number}"
    assert page.texts["correlation-id"] and page.texts["timestamp"]


@pytest.mark.parametrize("uri", ["http://localhost", "http://localhost:49152", "http://localhost:1/"])
def test_loopback_redirect_may_have_any_port(emulator, uri):
    url = authorize_url(emulator, redirect_uri=uri)
    redirect = Browser(emulator).sign_in(url, "adele@contoso.example")
    assert redirect.uri == uri
    assert redeem(emulator, redirect.parameters["code"], redirect_uri=uri).status_code == 200


@pytest.mark.parametrize(
    "changes, error",
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": None}, "invalid_request"),
        ({"scope": "User.Reed"}, "invalid_scope"),
        ({"code_challenge": None}, "invalid_request"),
        ({"max_age": "soon"}, "invalid_request"),
        ({"claims": "{"}, "invalid_request"),
        ({"resource": "https://graph.microsoft.com"}, "invalid_request"),
        ({"scope": "api://nobody/read"}, "invalid_resource"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "S512"}, "invalid_request"),
        ({"prompt": "maybe"}, "invalid_request"),
        ({"response_mode": "carrier-pigeon"}, "invalid_request"),
    ],
)
def test_errors_with_a_valid_redirect_are_sent_to_the_client(emulator, changes, error):
    redirect = Browser(emulator).open(authorize_url(emulator, **changes))
    assert redirect.uri == REDIRECT
    assert redirect.parameters["error"] == error
    assert redirect.parameters["error_description"].startswith("AADSTS")
    assert redirect.parameters["state"] == "xyz"


@pytest.mark.parametrize(
    "tenant, user",
    [("organizations", "chiara@outlook.example"), ("consumers", "adele@contoso.example")],
)
def test_wrong_kind_of_account_is_reported_on_the_user_name_page(emulator, browser, tenant, user):
    browser.open(authorize_url(emulator, tenant))
    page = browser.press("next", username=user)
    assert page.name == "enter-username"
    assert "You can't sign in" in page.texts["message"]


def test_user_of_another_tenant_is_rejected_after_the_password(emulator, browser):
    browser.open(authorize_url(emulator, FABRIKAM))
    browser.press("next", username="adele@contoso.example")
    page = browser.press("sign-in", password="Entrance-Demo-1")
    assert (page.name, page.texts["error-code"]) == ("error", "AADSTS50020")


def test_request_text_is_escaped(emulator, browser):
    page = browser.open(authorize_url(emulator, login_hint='"><script>alert(1)</script>@x'))
    assert page.inputs["username"][1]["value"] == '"><script>alert(1)</script>@x'
    assert "<script" not in page.html


def test_sign_in_cannot_be_taken_over_by_another_browser(emulator, browser):
    browser.open(authorize_url(emulator))
    thief = Browser(emulator)
    thief.open(authorize_url(emulator))
    thief.view = browser.view
    assert thief.press("next", username="adele@contoso.example").name == "error"


def test_pages_cannot_be_skipped(emulator, browser):
    browser.open(authorize_url(emulator, CONTOSO, login_hint="adele@contoso.example"))
    form, _ = browser.view.buttons["sign-in"]
    for action in ["accept", "stay-yes", "next", "pick"]:
        reply = browser.http.post(form["action"], data={**form["fields"], "action": action})
        assert 'id="enter-password"' in reply.text
