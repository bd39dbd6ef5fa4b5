"""MSAL Python signs in at every kind of authority that it supports."""

import jwt
import pytest

from conftest import CONTOSO

CUSTOMERS = "6d2f8b07-c4e1-4a35-b9f6-17a0e3d58c92"
SHOP = "a94c1e63-5f0b-4d78-8c2a-e6b7094d3f15"
ADELE = "adele@contoso.example"


def external_id(emulator):
    # Its host is not External ID's own, so MSAL needs `oidc_authority`.
    return emulator.application(
        authority=None, oidc_authority=f"{emulator.origin}/customers.example/v2.0"
    )


def b2c(emulator):
    return emulator.application("shop.example/b2c_1_signin")


def adfs(emulator):
    return emulator.application("adfs")


def oidc(emulator):
    return emulator.application(
        authority=None, oidc_authority=f"{emulator.origin}/realms/Contoso"
    )


SERVICES = {
    "external_id": (external_id, "User.Read", "/v1.0/me"),
    "b2c": (b2c, "https://shop.example/api/demo.read", "/api/me"),
    "adfs": (adfs, "https://api.contoso.example/demo.read", "/api/me"),
    "oidc": (oidc, "demo.read", "/api/me"),
}


@pytest.fixture(params=SERVICES)
def service(request, emulator):
    make, scope, api = SERVICES[request.param]
    return request.param, make(emulator), scope, api


def test_sign_in_and_cached_token(emulator, service):
    _, application, scope, api = service
    _, result = emulator.sign_in(ADELE, [scope], application)
    assert emulator.get(api, result["access_token"]).json()["displayName"] == "Adele Vance"
    (account,) = application.get_accounts()
    silent = application.acquire_token_silent([scope], account)
    assert silent["access_token"] == result["access_token"]
    assert silent["token_source"] == "cache"


def test_expired_token_is_refreshed_twice(short_lived, service):
    _, application, scope, api = service
    _, result = short_lived.sign_in(ADELE, [scope], application)
    (account,) = application.get_accounts()
    tokens = [result["access_token"]]
    for _ in range(2):
        silent = application.acquire_token_silent_with_error([scope], account)
        assert silent["token_source"] == "identity_provider"
        tokens.append(silent["access_token"])
    assert len(set(tokens)) == 3
    assert short_lived.get(api, tokens[-1]).status_code == 200
    assert len(application.get_accounts()) == 1


def test_accounts_have_the_services_names(emulator, service):
    name, application, scope, _ = service
    _, result = emulator.sign_in(ADELE, [scope], application)
    claims = result["id_token_claims"]
    (account,) = application.get_accounts()
    home = {
        "external_id": lambda: f"{claims['oid']}.{CUSTOMERS}",
        "b2c": lambda: f"{claims['oid']}-b2c_1_signin.{SHOP}",
        "adfs": lambda: claims["sub"],
        "oidc": lambda: claims["sub"],
    }[name]()
    assert account["home_account_id"] == home
    # MSAL Python reads the name of an AD FS user from `upn`.
    if name != "b2c":
        assert account["username"] == ADELE


@pytest.mark.parametrize(
    "path, keys, issuer",
    [
        ("/customers.example/v2.0", f"/{CUSTOMERS}/discovery/v2.0/keys",
         f"https://{CUSTOMERS}.ciamlogin.com/{CUSTOMERS}/v2.0"),
        ("/shop.example/B2C_1_signin/v2.0",
         "/shop.example/discovery/v2.0/keys?p=b2c_1_signin", f"@/{SHOP}/v2.0/"),
        ("/tfp/shop.example/b2c_1_signin/v2.0",
         "/te/shop.example/b2c_1_signin/discovery/v2.0/keys",
         f"@/tfp/{SHOP}/b2c_1_signin/v2.0/"),
        ("/adfs", "/adfs/discovery/keys", "@/adfs"),
        ("/realms/Contoso", "/realms/Contoso/keys", "@/realms/Contoso"),
    ],
)
def test_each_kind_has_its_metadata_and_keys(emulator, path, keys, issuer):
    metadata = emulator.get(f"{path}/.well-known/openid-configuration").json()
    assert metadata["issuer"] == issuer.replace("@", emulator.origin)
    assert metadata["jwks_uri"] == emulator.origin + keys
    count = len(jwt.PyJWKSet.from_dict(emulator.get(keys).json()).keys)
    assert count == (2 if path.startswith("/customers") else 1)


@pytest.mark.parametrize(
    "path",
    ["/shop.example/b2c_1_none", "/shop.example", "/tfp/customers.example/b2c_1_signin",
     "/realms/contoso", "/realms/Fabrikam", "/adfs/v2.0"],
)
def test_unknown_paths_are_not_found(emulator, path):
    for prefix in ["", "/v2.0"]:
        reply = emulator.get(f"{path}{prefix}/.well-known/openid-configuration")
        assert reply.status_code in (400, 404)


def test_first_line_of_output_lists_all_kinds(emulator):
    places = {place["kind"]: place for place in emulator.announcement["authorities"]}
    assert set(places) == {"entra", "externalID", "b2c", "adfs", "oidc"}
    for name, place in places.items():
        suffix = "" if name in ("adfs", "oidc") else "/v2.0"
        path = place["authority"].removeprefix(emulator.origin) + suffix
        assert emulator.get(f"{path}/.well-known/openid-configuration").status_code == 200
    assert {place["scope"] for place in places.values()} == {
        "User.Read", *(scope for _, scope, _ in SERVICES.values())
    }


def test_device_code_at_adfs(emulator):
    application = adfs(emulator)
    flow = application.initiate_device_flow([SERVICES["adfs"][1]])
    assert flow["verification_uri"] == f"{emulator.origin}/devicelogin"


def test_grants_of_one_service_are_rejected_by_others(emulator):
    _, result = emulator.sign_in(ADELE)
    refresh = {
        "client_id": emulator.client_id,
        "grant_type": "refresh_token",
        "refresh_token": result["refresh_token"],
        "scope": "openid",
    }
    assert emulator.post(f"/{CONTOSO}/oauth2/v2.0/token", **refresh).status_code == 200
    for path in [
        f"/{CUSTOMERS}/oauth2/v2.0/token",
        "/shop.example/oauth2/v2.0/token?p=b2c_1_signin",
        "/adfs/oauth2/token/",
        "/realms/Contoso/token",
    ]:
        reply = emulator.post(path, **refresh)
        assert (reply.status_code, reply.json()["error"]) == (400, "invalid_grant")


def test_adfs_redirects_only_known_users_after_sign_out(emulator, browser):
    application = adfs(emulator)
    _, result = emulator.sign_in(ADELE, [SERVICES["adfs"][1]], application, browser=browser)
    url = f"{emulator.origin}/adfs/oauth2/logout?post_logout_redirect_uri=http://localhost"
    assert browser.open(url).name == "signed-out"
    assert browser.open(url + "&id_token_hint=" + result["id_token"]).name == "redirect"
