"""Requests to the authority that programs other than MSAL send, and what is refused."""

import json
import time

import jwt
import pytest
import requests

from browser import Browser
from conftest import CONTOSO, REDIRECT, Emulator
from test_refusals import VERIFIER, assert_refused, authorize_url, redeem

ADELE = "adele@contoso.example"
PLAIN = {"code_challenge": None, "code_challenge_method": None}


def code_for(emulator, browser=None, **changes):
    redirect = (browser or Browser(emulator)).sign_in(authorize_url(emulator, **changes), ADELE)
    return redirect.parameters["code"]


# Proof Key for Code Exchange


def test_a_native_app_needs_no_proof_key(emulator):
    code = code_for(emulator, **PLAIN)
    assert redeem(emulator, code, code_verifier=None).status_code == 200


def test_a_verifier_without_a_challenge_is_refused(emulator):
    # RFC 9700, section 4.8.2: somebody has removed the challenge.
    assert_refused(redeem(emulator, code_for(emulator, **PLAIN)), "invalid_grant", 501481)


@pytest.mark.parametrize("method", ["plain", None])
def test_a_plain_challenge(emulator, method):
    challenge = {"code_challenge": VERIFIER, "code_challenge_method": method}
    code = code_for(emulator, **challenge)
    wrong = VERIFIER[:-1] + "0"
    assert_refused(redeem(emulator, code, code_verifier=wrong), "invalid_grant", 501481)
    assert redeem(emulator, code).status_code == 200


def test_a_web_page_needs_a_proof_key_and_redeems_the_code_itself(tmp_path):
    uri, client_id = "https://page.example/", "0d1f7c2a-6b3e-4f58-8a90-1c2d3e4f5a6b"
    file = tmp_path / "page.json"
    file.write_text(json.dumps({"applications": [
        {"clientID": client_id, "pageRedirectURIs": [uri]}]}))
    running = Emulator("--configuration", str(file))
    try:
        refused = Browser(running).open(authorize_url(running, redirect_uri=uri, **PLAIN))
        assert refused.parameters["error_description"].startswith("AADSTS9002325: ")
        code = code_for(running, redirect_uri=uri)
        assert_refused(redeem(running, code, redirect_uri=uri), "invalid_request", 9002327)
        reply = requests.post(
            f"{running.origin}/common/oauth2/v2.0/token", verify=running.ca_file,
            headers={"Origin": "https://page.example"}, data={
                "client_id": client_id, "grant_type": "authorization_code", "code": code,
                "redirect_uri": uri, "code_verifier": VERIFIER})
        assert reply.status_code == 200 and reply.headers["Access-Control-Allow-Origin"] == "*"
    finally:
        running.stop()


def test_pages_of_other_origins_may_ask(emulator):
    def preflight(path):
        return requests.options(
            emulator.origin + path, verify=emulator.ca_file, headers={
                "Origin": "https://page.example", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type"})

    for path in ["/common/oauth2/v2.0/token", "/v1.0/me"]:
        reply = preflight(path)
        assert reply.status_code == 204
        assert reply.headers["Access-Control-Allow-Headers"] == "content-type"
    # Not the pages, nor the control.
    for path in ["/common/signin", "/control/secrets"]:
        assert "Access-Control-Allow-Origin" not in preflight(path).headers


# Requests


def test_an_authorization_request_can_be_posted(emulator):
    url, _, query = authorize_url(emulator, login_hint=ADELE).partition("?")
    reply = requests.post(
        url, data=query, verify=emulator.ca_file,
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert reply.status_code == 200 and "Enter password" in reply.text


def test_an_old_sign_in_is_not_enough(emulator):
    browser = Browser(emulator)
    code_for(emulator, browser)
    # Signed in: no page asks for a password, unless it was given too long ago.
    again = browser.open(authorize_url(emulator, login_hint=ADELE, max_age=3600))
    assert "code" in again.parameters
    assert browser.open(authorize_url(emulator, login_hint=ADELE, max_age=0)).name == "enter-password"
    refused = browser.open(authorize_url(emulator, login_hint=ADELE, max_age=0, prompt="none"))
    assert refused.parameters["error"] == "interaction_required"


def test_the_time_of_the_sign_in_is_told_when_it_is_asked_for(emulator):
    def claims(**changes):
        reply = redeem(emulator, code_for(emulator, **changes)).json()
        options = {"verify_signature": False}
        return [jwt.decode(reply[name], options=options) for name in ("id_token", "access_token")]

    assert "auth_time" not in claims()[0]
    assert abs(claims(max_age=600)[0]["auth_time"] - time.time()) < 60
    wanted = {
        "id_token": {"auth_time": {"essential": True}},
        "access_token": {"xms_cc": {"values": ["CP1"]}}}
    identity, access = claims(claims=json.dumps(wanted))
    assert "auth_time" in identity and access["xms_cc"] == ["cp1"]


# Resources


@pytest.mark.parametrize("scope, audience", [
    ("https://management.azure.com//.default", "https://management.azure.com"),
    ("499b84ac-1321-427f-aa17-267ca6975798/.default", "https://app.vssps.visualstudio.com"),
    ("https://outlook.office.com/SMTP.Send", "https://outlook.office.com"),
    ("Files.ReadWrite.All", "00000003-0000-0000-c000-000000000000"),
])
def test_a_token_is_for_the_api_of_its_scopes(emulator, scope, audience):
    code = code_for(emulator, scope=f"openid {scope}")
    token = redeem(emulator, code, scope=scope).json()["access_token"]
    assert jwt.decode(token, options={"verify_signature": False})["aud"] == audience


def test_a_token_is_for_one_api(emulator):
    both = "User.Read https://vault.azure.net/user_impersonation"
    code = code_for(emulator, scope=both)
    assert_refused(redeem(emulator, code, scope=both), "invalid_request", 28000)


# What it does not play


@pytest.mark.parametrize("fields, status, error, number", [
    ({"grant_type": "client_credentials", "client_secret": "x"}, 401, "invalid_client", 700025),
    ({"grant_type": "client_credentials"}, 401, "invalid_client", 7000218),
    ({"grant_type": "refresh_token", "client_assertion": "x"}, 401, "invalid_client", 700025),
    ({"grant_type": "refresh_token", "resource": "x"}, 400, "invalid_request", 901002),
    ({"grant_type": "password"}, 400, "unsupported_grant_type", 70003),
])
def test_confidential_clients_and_v1_are_refused(emulator, fields, status, error, number):
    reply = emulator.post(
        "/common/oauth2/v2.0/token", client_id=emulator.client_id, scope="User.Read", **fields)
    assert reply.status_code == status
    assert (reply.json()["error"], reply.json()["error_codes"]) == (error, [number])


def test_the_endpoints_of_v1_are_refused(emulator):
    assert_refused(emulator.post("/common/oauth2/token"), "invalid_request", 901002)
    page = Browser(emulator).open(f"{emulator.origin}/common/oauth2/authorize?client_id=x")
    assert page.texts["error-code"] == "AADSTS901002"


# Tokens


def test_keys_have_certificates_and_no_algorithm(emulator):
    _, result = emulator.sign_in(ADELE)
    keys = emulator.get("/common/discovery/v2.0/keys").json()["keys"]
    assert len(keys) == 2 and all("alg" not in key for key in keys)
    used = jwt.get_unverified_header(result["id_token"])["kid"]
    (key,) = [key for key in keys if key["kid"] == used]
    from base64 import b64decode
    from cryptography import x509

    certificate = x509.load_der_x509_certificate(b64decode(key["x5c"][0]))
    jwt.decode(
        result["id_token"], certificate.public_key(), algorithms=["RS256"],
        audience=emulator.client_id)


def test_userinfo_is_about_the_subject_of_the_id_token(emulator):
    _, result = emulator.sign_in(ADELE)
    document = emulator.get("/common/v2.0/.well-known/openid-configuration").json()
    path = document["userinfo_endpoint"].removeprefix(emulator.origin)
    user = emulator.get(path, result["access_token"]).json()
    assert user["sub"] == result["id_token_claims"]["sub"] and user["name"] == "Adele Vance"
    assert emulator.get(path).status_code == 401


# Device codes


@pytest.mark.parametrize("name", ["device_code", "urn:ietf:params:oauth:grant-type:device_code"])
def test_the_grant_of_a_device_code_has_two_names(emulator, name):
    device = emulator.post(
        "/common/oauth2/v2.0/devicecode", client_id=emulator.client_id, scope="User.Read").json()
    refused = emulator.post("/control/enter-device-code", code="NONESUCH", username=ADELE)
    assert refused.status_code == 400
    emulator.control("enter-device-code", code=device["user_code"], username=ADELE)
    reply = emulator.post(
        "/common/oauth2/v2.0/token", client_id=emulator.client_id, grant_type=name,
        device_code=device["device_code"])
    assert emulator.get("/v1.0/me", reply.json()["access_token"]).status_code == 200


# The configuration file


def test_tenants_users_and_apis_from_a_file(tmp_path):
    tenant, client_id = "11111111-2222-4333-8444-555555555555", "0d1f7c2a-6b3e-4f58-8a90-1c2d3e4f5a6b"
    file = tmp_path / "emulator.json"
    file.write_text(json.dumps({
        "applications": [{
            "clientID": client_id, "displayName": "Trial", "redirectURIs": [REDIRECT]}],
        "resources": [{"identifier": "api://trial", "scopes": ["things.read"]}],
        "tenants": [{"id": tenant, "domain": "tailwind.example", "displayName": "Tailwind"}],
        "users": [{
            "username": "tom@tailwind.example", "givenName": "Tom", "surname": "Berg",
            "password": "Tailwind-1"}],
        "colleagues": 0}))
    running = Emulator("--configuration", str(file))
    try:
        user = [user for user in running.announcement["users"] if "tom" in user["username"]]
        assert user[0]["password"] == "Tailwind-1" and running.client_id == client_id
        scope = "openid api://trial/things.read"
        browser = Browser(running)
        browser.open(authorize_url(running, "tailwind.example", scope=scope, login_hint=user[0]["username"]))
        browser.press("sign-in", password="Tailwind-1")
        browser.press("accept")
        code = browser.press("stay-no").parameters["code"]
        reply = redeem(running, code, "tailwind.example", scope=scope).json()
        claims = jwt.decode(reply["access_token"], options={"verify_signature": False})
        assert (claims["aud"], claims["scp"], claims["tid"]) == ("api://trial", "things.read", tenant)
        adele = Browser(running).sign_in(authorize_url(running, CONTOSO), ADELE)
        reply = redeem(running, adele.parameters["code"], CONTOSO, scope="User.Read")
        assert reply.status_code == 200
    finally:
        running.stop()


@pytest.mark.parametrize("text, words", [
    ("{", "no JSON object"), ("[]", "no JSON object"),
    ('{"tenant": []}', "tenant: There is no such member"),
    ('{"users": [{"username": "a@b.example"}]}', "users[0].username"),
    ('{"applications": [{"clientID": "x"}]}', "applications[0].clientID: 'x' is no GUID"),
    ('{"applications": [{}]}', "applications[0].clientID: It is missing"),
    ('{"colleagues": -1}', "colleagues"), ('{"users": 1}', "users: This is no list"),
])
def test_a_file_with_an_error_is_refused_with_its_place(tmp_path, text, words):
    import os
    import subprocess

    file = tmp_path / "emulator.json"
    file.write_text(text)
    run = subprocess.run(
        [os.environ["IDENTITY_EMULATOR"], "--configuration", str(file)], capture_output=True,
        text=True, timeout=60)
    assert run.returncode == 2 and words in run.stderr.splitlines()[0]
