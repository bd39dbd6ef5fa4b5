"""The faults of the emulator."""

import base64
import hashlib
import hmac
import os
import re
import subprocess

import jwt
import pytest
from cryptography.hazmat.primitives import serialization

from conftest import Emulator

ADELE = "adele@contoso.example"


def run(*arguments):
    return subprocess.run(
        [os.environ["IDENTITY_EMULATOR"], *arguments], capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def fault(emulator):
    """Activates faults."""
    yield lambda *names: emulator.control("faults", fault=names)
    emulator.control("faults")


def verified(emulator, result):
    """The result of an independent library's check of the ID token."""
    keys = jwt.PyJWKSet.from_dict(emulator.get("/common/discovery/v2.0/keys").json())
    header = jwt.get_unverified_header(result["id_token"])
    return jwt.decode(
        result["id_token"], keys[header["kid"]], algorithms=["RS256"],
        audience=emulator.client_id, options={"require": ["exp", "iat", "sub", "iss", "aud"]},
    )


def test_faults_are_listed():
    listed = run("--faults")
    assert listed.returncode == 0
    lines = listed.stdout.splitlines()
    assert len(lines) >= 70
    assert all(re.fullmatch(r"[a-z0-9-]+ {2,}\S.*", line) for line in lines)
    assert "wrong-issuer" in [line.split()[0] for line in lines]
    assert "--fault NAME" in run("--help").stdout


def test_unknown_fault_suggests_the_nearest():
    refused = run("--fault", "wrong-isuer")
    assert refused.returncode == 2
    assert "no fault 'wrong-isuer'" in refused.stderr
    assert "wrong-issuer" in refused.stderr.splitlines()[0]
    assert run("--fault").returncode == 2


def test_fault_of_the_command_line():
    emulator = Emulator("--fault", "wrong-audience", "--fault", "missing-nbf")
    try:
        _, result = emulator.sign_in(ADELE)
        claims = result["id_token_claims"]
        assert claims["aud"] == "another-application" and "nbf" not in claims
    finally:
        emulator.stop()


def test_unknown_fault_is_rejected_by_control(emulator):
    assert emulator.post("/control/faults", fault="wrong-isuer").status_code == 400


@pytest.mark.parametrize(
    "name, error",
    [
        ("wrong-audience", jwt.InvalidAudienceError),
        ("audiences-without-azp", None),
        ("missing-exp", jwt.MissingRequiredClaimError),
        ("old-exp", jwt.ExpiredSignatureError),
        ("text-exp", jwt.DecodeError),
        ("missing-iat", jwt.MissingRequiredClaimError),
        ("future-iat", jwt.ImmatureSignatureError),
        ("future-nbf", jwt.ImmatureSignatureError),
        ("missing-nbf", None),
        ("missing-sub", jwt.MissingRequiredClaimError),
        ("wrong-signature", jwt.InvalidSignatureError),
        ("alg-none", (jwt.InvalidAlgorithmError, jwt.DecodeError)),
        ("alg-hs256", jwt.InvalidAlgorithmError),
        ("unknown-kid", KeyError),
        ("unknown-crit", jwt.InvalidTokenError),
        ("rotated-key", None),
        ("foreign-jku", None),
    ],
)
def test_id_token_faults(emulator, fault, name, error):
    fault(name)
    _, result = emulator.sign_in(ADELE)
    if error:
        with pytest.raises(error):
            verified(emulator, result)
    else:
        assert verified(emulator, result)["name"] == "Adele Vance"
    fault()
    _, result = emulator.sign_in(ADELE)
    assert verified(emulator, result)["name"] == "Adele Vance"


def test_hs256_is_signed_with_the_public_key(emulator, fault):
    fault("alg-hs256")
    _, result = emulator.sign_in(ADELE)
    header = jwt.get_unverified_header(result["id_token"])
    assert header["alg"] == "HS256"
    # PyJWT rejects a PEM as a secret, so the signature is made manually.
    keys = jwt.PyJWKSet.from_dict(emulator.get("/common/discovery/v2.0/keys").json())
    key = keys[header["kid"]].key
    pem = key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    ).decode()
    text, _, signature = result["id_token"].rpartition(".")
    expected = [
        base64.urlsafe_b64encode(hmac.digest(secret.encode(), text.encode(), hashlib.sha256))
        .rstrip(b"=")
        .decode()
        for secret in (pem, pem.rstrip("\n"))
    ]
    assert signature in expected


@pytest.mark.parametrize(
    "name, status, start",
    [
        ("token-429", 429, ""), ("token-500", 500, ""), ("token-503", 503, ""),
        ("token-html", 200, "<html>"), ("token-redirect", 307, ""),
        ("token-error-200", 200, '{"error"'),
    ],
)
def test_token_endpoint_faults(emulator, fault, name, status, start):
    _, result = emulator.sign_in(ADELE)
    fault(name)
    reply = emulator.post(
        "/common/oauth2/v2.0/token", client_id=emulator.client_id, grant_type="refresh_token",
        refresh_token=result["refresh_token"], scope="User.Read",
    )
    assert reply.status_code == status and reply.text.startswith(start)
    assert ("Retry-After" in reply.headers) == (status in (429, 503))


def test_refresh_returns_another_user(emulator, fault):
    application, result = emulator.sign_in(ADELE)
    fault("refresh-other-user")
    silent = application.acquire_token_silent(
        ["User.Read"], application.get_accounts()[0], force_refresh=True
    )
    assert silent["access_token"] != result["access_token"]
    assert silent["id_token_claims"]["preferred_username"] == "bram@contoso.example"


@pytest.mark.parametrize("name", ["wrong-nonce", "missing-nonce", "wrong-state", "missing-state"])
def test_msal_python_rejects_it_too(emulator, fault, name):
    fault(name)
    with pytest.raises((RuntimeError, ValueError)):
        emulator.sign_in(ADELE)
