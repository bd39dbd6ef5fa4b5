"""Authlib signs in with the code flow and PKCE, as with any OAuth 2.0 service."""

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from browser import Browser
from conftest import ADELE, SCOPES
from graph_use import Requests, check_all

REDIRECT = "msauth.io.github.entrance.entrance://auth"


def test_authlib(emulator):
    base = f"{emulator.origin}/organizations/oauth2/v2.0"
    http = OAuth2Session(
        emulator.client_id, redirect_uri=REDIRECT, code_challenge_method="S256",
        scope=" ".join(["openid", "profile", "offline_access", *SCOPES]),
        token_endpoint=base + "/token", token_endpoint_auth_method="none")
    http.verify = emulator.ca_file
    verifier = generate_token(48)
    url, _ = http.create_authorization_url(
        base + "/authorize", code_verifier=verifier, nonce=generate_token(16))
    answer = Browser(emulator).sign_in(url, ADELE)
    token = http.fetch_token(authorization_response=answer.location, code_verifier=verifier)
    plain = requests.Session()
    plain.verify = emulator.ca_file
    check_all(emulator.origin, Requests(http, plain))

    # Once more with what came to renew it.
    renewed = http.refresh_token(base + "/token", refresh_token=token["refresh_token"])
    assert renewed["access_token"] != token["access_token"]
    assert http.get(emulator.origin + "/v1.0/me").status_code == 200
