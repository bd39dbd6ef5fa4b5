"""MSAL Python signs in, acquires tokens silently and refreshes them."""

import json

import jwt
import pytest

from browser import Browser
from conftest import CONTOSO, FABRIKAM, PERSONAL, REDIRECT
from test_refusals import authorize_url

TOKEN_ROUTE = "POST /{tenant}/oauth2/v2.0/token"


def test_first_sign_in_goes_through_all_pages(emulator, browser):
    application = emulator.application()
    flow = application.initiate_auth_code_flow(
        ["User.Read"], redirect_uri=REDIRECT, response_mode="form_post"
    )
    page = browser.open(flow["auth_uri"])

    assert (page.name, page.title) == ("enter-username", "Sign in")
    assert "adele@contoso.example" in page.texts["demo-users"]
    assert "Entrance-Demo-1" in page.texts["demo-users"]
    page = browser.press("next", username="nobody@contoso.example")
    assert "no account" in page.texts["message"]
    assert page.inputs["username"][1]["value"] == "nobody@contoso.example"
    page = browser.press("next", username=" Adele@Contoso.example ")

    assert page.name == "enter-password"
    assert page.texts["identity"] == "adele@contoso.example"
    page = browser.press("back")
    assert page.name == "enter-username"
    browser.press("next", username="adele@contoso.example")
    page = browser.press("sign-in", password="wrong")
    assert "incorrect" in page.texts["message"]
    page = browser.press("sign-in", password="Entrance-Demo-1")

    assert page.name == "consent"
    assert "read your profile" in page.texts["scopes"]
    page = browser.press("accept")

    assert page.name == "stay-signed-in"
    page = browser.press("stay-no")

    assert page.name == "return"
    form, _ = page.buttons["continue"]
    assert (form["action"], form["method"]) == (REDIRECT, "post")
    result = application.acquire_token_by_auth_code_flow(flow, page.parameters)

    assert result["token_type"] == "Bearer"
    assert "User.Read" in result["scope"].split()
    claims = result["id_token_claims"]
    assert claims["iss"] == f"{emulator.origin}/{CONTOSO}/v2.0"
    assert claims["aud"] == emulator.client_id
    assert claims["preferred_username"] == "adele@contoso.example"
    assert (claims["ver"], claims["tid"], claims["name"]) == ("2.0", CONTOSO, "Adele Vance")
    assert emulator.get("/v1.0/me", result["access_token"]).json()["displayName"] == "Adele Vance"


def test_id_and_access_token_verify_with_the_published_key(emulator):
    _, result = emulator.sign_in("adele@contoso.example")
    keys = jwt.PyJWKSet.from_dict(emulator.get(f"/{CONTOSO}/discovery/v2.0/keys").json())

    for token, audience in [
        (result["id_token"], emulator.client_id),
        (result["access_token"], "00000003-0000-0000-c000-000000000000"),
    ]:
        header = jwt.get_unverified_header(token)
        assert header["alg"] == "RS256"
        claims = jwt.decode(
            token, keys[header["kid"]], algorithms=["RS256"], audience=audience
        )
        assert claims["tid"] == CONTOSO


def test_silent_call_uses_the_cache(emulator):
    application, result = emulator.sign_in("adele@contoso.example")
    before = emulator.control("requests")
    silent = application.acquire_token_silent(["User.Read"], application.get_accounts()[0])
    assert silent["access_token"] == result["access_token"]
    assert emulator.control("requests") == {**before, "POST /control/requests": 1 + before.get(
        "POST /control/requests", 0)}


@pytest.mark.parametrize("user", ["adele@contoso.example", "chiara@outlook.example"])
def test_expired_token_is_refreshed_and_works(short_lived, user):
    application, result = short_lived.sign_in(user)
    account = application.get_accounts()[0]
    silent = application.acquire_token_silent(["User.Read"], account)
    assert silent["access_token"] != result["access_token"]
    assert silent["token_source"] == "identity_provider"
    me = short_lived.get("/v1.0/me", silent["access_token"]).json()
    assert me["userPrincipalName"] == user
    assert [a["home_account_id"] for a in application.get_accounts()] == [
        account["home_account_id"]
    ]


def test_refresh_returns_a_new_refresh_token_and_keeps_the_old_one(emulator):
    _, first = emulator.sign_in("adele@contoso.example")
    refresh = {
        "client_id": emulator.client_id,
        "grant_type": "refresh_token",
        "refresh_token": first["refresh_token"],
        "scope": "User.Read openid profile offline_access",
    }
    second = emulator.post("/common/oauth2/v2.0/token", **refresh).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert emulator.post("/common/oauth2/v2.0/token", **refresh).status_code == 200


def test_long_lived_tokens_have_refresh_in(emulator):
    emulator.control("token-lifetime", seconds=7200)
    application, _ = emulator.sign_in("adele@contoso.example")
    emulator.control("token-lifetime", seconds=3600)
    (token,) = application.token_cache.search(application.token_cache.CredentialType.ACCESS_TOKEN)
    assert 0 < int(token["refresh_on"]) - int(token["cached_at"]) <= 3600
    assert int(token["expires_on"]) - int(token["cached_at"]) == 7200


def test_scope_needs_interaction_until_consent_is_given(emulator, browser):
    application, _ = emulator.sign_in("bram@contoso.example", browser=browser)
    account = application.get_accounts()[0]
    error = application.acquire_token_silent_with_error(["Mail.Read"], account)
    assert (error["error"], error["suberror"]) == ("invalid_grant", "consent_required")
    assert error["error_codes"] == [65001]

    flow = application.initiate_auth_code_flow(
        ["Mail.Read"],
        redirect_uri=REDIRECT,
        login_hint=account["username"],
        response_mode="form_post",
    )
    page = browser.open(flow["auth_uri"])
    assert page.name == "consent"
    page = browser.press("accept")
    result = application.acquire_token_by_auth_code_flow(flow, page.parameters)
    # Earlier consents are granted as well.
    assert {"Mail.Read", "User.Read"} <= set(result["scope"].split())


def test_revoked_refresh_token_needs_interaction(short_lived):
    application, _ = short_lived.sign_in("bram@contoso.example")
    short_lived.control("revoke", username="bram@contoso.example")
    error = application.acquire_token_silent_with_error(
        ["User.Read"], application.get_accounts()[0]
    )
    assert (error["error"], error["suberror"]) == ("invalid_grant", "bad_token")
    assert error["error_codes"] == [50173]


def test_personal_account_has_opaque_token_and_the_well_known_tenant(emulator):
    for tenant in ["common", "consumers", PERSONAL]:
        application, result = emulator.sign_in(
            "chiara@outlook.example", application=emulator.application(tenant)
        )
        assert result["id_token_claims"]["tid"] == PERSONAL
        with pytest.raises(jwt.DecodeError):
            jwt.get_unverified_header(result["access_token"])
        account = application.get_accounts()[0]
        home = f"00000000-0000-0000-6a1f-4c2e9b3d7085.{PERSONAL}"
        assert account["home_account_id"] == home
        assert emulator.get("/v1.0/me", result["access_token"]).json()["id"] == "6a1f4c2e9b3d7085"


@pytest.mark.parametrize("tenant", [FABRIKAM, "fabrikam.example"])
def test_guest_has_another_object_id_in_the_second_tenant(emulator, tenant):
    at_home, home = emulator.sign_in("dara@contoso.example")
    away, guest = emulator.sign_in(
        "dara@contoso.example", application=emulator.application(tenant)
    )
    assert guest["id_token_claims"]["tid"] == FABRIKAM
    assert guest["id_token_claims"]["oid"] != home["id_token_claims"]["oid"]
    assert guest["id_token_claims"]["idp"] == f"{emulator.origin}/{CONTOSO}/"
    assert away.get_accounts()[0]["home_account_id"] == at_home.get_accounts()[0]["home_account_id"]
    me = emulator.get("/v1.0/me", guest["access_token"]).json()
    assert me["userPrincipalName"] == "dara_contoso.example#EXT#@fabrikam.example"


def test_home_refresh_token_works_in_the_second_tenant(emulator):
    _, home = emulator.sign_in("dara@contoso.example")
    reply = emulator.post(
        f"/{FABRIKAM}/oauth2/v2.0/token",
        client_id=emulator.client_id,
        grant_type="refresh_token",
        refresh_token=home["refresh_token"],
        scope="User.Read openid",
        client_info="1",
    ).json()
    claims = jwt.decode(reply["id_token"], options={"verify_signature": False})
    assert claims["tid"] == FABRIKAM


def test_instance_discovery_knows_its_own_host_only(emulator):
    def ask(endpoint):
        return emulator.get(
            "/common/discovery/instance?api-version=1.1&authorization_endpoint=" + endpoint
        )

    known = ask(f"{emulator.origin}/{CONTOSO}/oauth2/v2.0/authorize").json()
    host = emulator.origin.removeprefix("https://")
    assert known["tenant_discovery_endpoint"] == (
        f"{emulator.origin}/{CONTOSO}/v2.0/.well-known/openid-configuration"
    )
    assert known["metadata"][0]["aliases"] == [host]
    unknown = ask(f"{emulator.origin}.evil.example/common/oauth2/v2.0/authorize")
    assert (unknown.status_code, unknown.json()["error"]) == (400, "invalid_instance")


@pytest.mark.parametrize(
    "tenant, issuer",
    [
        ("common", "{tenantid}"),
        ("organizations", "{tenantid}"),
        ("consumers", PERSONAL),
        (CONTOSO, CONTOSO),
        ("contoso.example", CONTOSO),
    ],
)
def test_openid_configuration_names_the_issuer(emulator, tenant, issuer):
    metadata = emulator.get(f"/{tenant}/v2.0/.well-known/openid-configuration").json()
    assert metadata["issuer"] == f"{emulator.origin}/{issuer}/v2.0"
    for name in ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"]:
        assert metadata[name].startswith(emulator.origin + "/")


def test_response_identifies_account_and_session(emulator, browser):
    url = authorize_url(emulator, state="a b&c=d", client_info="1")
    first = browser.sign_in(url, "adele@contoso.example")
    assert first.uri == REDIRECT
    assert first.parameters["state"] == "a b&c=d"
    info = json.loads(jwt.utils.base64url_decode(first.parameters["client_info"]))
    assert info["utid"] == CONTOSO
    assert browser.open(url).parameters["session_state"] == (
        first.parameters["session_state"]
    )
    other = Browser(emulator).sign_in(url, "adele@contoso.example")
    assert other.parameters["session_state"] != first.parameters["session_state"]
