"""What is in a token, claim by claim."""

import base64
import json
import subprocess

NOW_AND_THEN = {"iat": 1_600_000_000, "exp": 1_600_003_600}


def encoded(value) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(claims: dict, header: dict | None = None) -> str:
    return ".".join([encoded(header or {"typ": "JWT", "alg": "RS256", "kid": "1"}), encoded(claims), "c2ln"])


TOKEN = jwt({
    "aud": "00000003-0000-0000-c000-000000000000", "scp": "User.Read Mail.Send Unheard.Of", "acct": 1,
    "amr": ["pwd", "mfa"], **NOW_AND_THEN, "tid": "9188040d-6c67-4c5b-b112-36a304b66dad", "other": {"a": [1]}})


def test_claims_are_explained_without_an_app_and_a_network(cli, home):
    cli.connections.unlink(missing_ok=True)
    cli.environment |= {"https_proxy": "http://127.0.0.1:9"}
    for text in (TOKEN, f"Bearer {TOKEN}\n", f'"{TOKEN[:50]}\n{TOKEN[50:]}"\n'):
        lines = cli.ok("token", "decode", input=text).out.splitlines()
        assert lines[0] == "Access token for Microsoft Graph"
        assert lines[1] == "The signature was not checked."
        assert "  aud: 00000003-0000-0000-c000-000000000000 (Microsoft Graph)" in lines
        # date --date @1600000000
        assert any(line.startswith("  iat: 1600000000 (2020-09-13 12:26:40 UTC, ") for line in lines)
        assert "      - Mail.Send: Send mail as the user" in lines
        assert "  acct: 1 (A guest in the tenant)" in lines
        assert '  other: {"a":[1]}' in lines
    assert cli.ok("token", "decode", "-", input=TOKEN).out.splitlines() == lines
    assert not list(home.rglob("*.json"))


def test_programs_get_json(cli):
    answer = cli.ok("token", "decode", "--json", input=TOKEN).json
    assert answer["kind"] == "signed" and answer["type"] == "accessToken" and answer["signature"] == "notChecked"
    assert answer["expiresOn"] == "2020-09-13T13:26:40Z"
    assert answer["header"] == {"typ": "JWT", "alg": "RS256", "kid": "1"}
    claims = {claim["name"]: claim for claim in answer["claims"]}
    assert list(claims) == ["aud", "scp", "acct", "amr", "iat", "exp", "tid", "other"]
    assert claims["exp"]["value"] == 1_600_003_600 and claims["exp"]["time"] == "2020-09-13T13:26:40Z"
    assert [part["name"] for part in claims["scp"]["parts"]] == ["User.Read", "Mail.Send", "Unheard.Of"]
    assert claims["scp"]["parts"][2]["meaning"] is None
    assert claims["tid"]["words"] == "Personal Microsoft accounts"


def test_opaque_tokens_are_called_so(cli):
    for token in ("EwB4A8l6BAAUkj1NuJYtTVha+Mogk+HEiPbQo04AAXM=", "0.AXkAabcdefghijklmno.AgABAwEAAAD--DLA3VO7QrddgJg7"):
        assert cli.ok("token", "decode", input=token).out.startswith("This token is opaque: ")
        assert cli.ok("token", "decode", "--json", input=token).json == {"kind": "opaque"}


def test_a_token_as_an_argument_is_refused_and_not_repeated(cli):
    result = cli("token", "decode", TOKEN)
    assert result.status == 64 and not result.out
    assert TOKEN[:20] not in result.err and "standard input" in result.err


def test_a_damaged_token_is_reported(cli):
    header, payload, signature = TOKEN.split(".")
    for text, words in (
            ("", "There is no token in this text."),
            ("hello", "This text is too short for a token."),
            (f"{header}.{payload}", "A signed token has three parts with dots between them, but this one has 2."),
            (f"{header}..{signature}", "The payload of the token is missing."),
            (f"{header}.{payload}A.{signature}", "The payload is damaged: "),
            (f"{header}.{encoded([1])}.{signature}", "The payload is not a JSON object."),
            (TOKEN + "ä", "This is not a token: it contains characters that tokens do not have, such as “ä”.")):
        result = cli("token", "decode", input=text)
        assert result.status == 1 and result.err.startswith(f"entrancectl: {words}"), (text, result.err)
    assert cli("token", "decode", "--json", input="hello").error["code"] == "invalidToken"


def test_nothing_in_a_text_can_trap(cli):
    deep = encoded({}) + "." + base64.urlsafe_b64encode(b'{"a":' + b"[" * 40_000).decode().rstrip("=") + ".AA"
    many = jwt({f"claim {number}": number for number in range(5_000)})
    for text in (b"\xff\xfe\x00", b"e" * 1_000_000, deep.encode(), many.encode(),
                 jwt({"exp": 1e308, "iat": -1e300, "nbf": "soon", "scp": ["a"] * 3_000}).encode()):
        result = subprocess.run(
            [cli.program, "token", "decode"], input=text, env=cli.environment, capture_output=True, timeout=60)
        assert result.returncode in (0, 1), result
