"""Names and messages from outside on a terminal: they are shown, and have no other effect."""

import json
import os
import re
import unicodedata

import pytest

# The emulator's text in names and errors (`hostile-text`), and how it is shown.
HOSTILE = "\r\n2026-11-21T00:00:00Z FORGED \x1b[31m\0\x9b2K\u2028\u202emoc"
SHOWN = r"\u{d}\u{a}2026-11-21T00:00:00Z FORGED \u{1b}[31m\u{0}\u{9b}2K\u{2028}\u{202e}moc"


@pytest.fixture
def hostile(cli, keyring, person, emulator):
    """The command line after Adele, with such names, has signed in."""
    emulator.set_faults("hostile-text")
    cli.signed_in = cli.ok("sign-in")
    return cli


def check(text: str):
    """Checks that the output is lines of text, none of which comes from outside."""
    for character in text.replace("\n", ""):
        assert unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp", "Cs", "Cn"), repr(text)
    assert not [line for line in text.splitlines() if line.startswith("2026")]


def test_names(hostile):
    assert SHOWN in hostile.signed_in.out
    accounts = hostile.ok("accounts")
    assert SHOWN in accounts.out and len(accounts.out.splitlines()) == 1
    assert SHOWN in hostile.ok("cache", "show").out
    hostile.ok("device")
    [account] = hostile.ok("accounts", "--json").json["accounts"]
    assert account["name"].endswith(HOSTILE), "JSON contains the original name"
    missing = hostile("token", "--account", "nobody" + HOSTILE.replace("\0", ""))
    assert missing.status == 77 and "FORGED" in missing.err
    out = hostile.ok("sign-out")
    assert SHOWN in out.out and len(out.out.splitlines()) == 1
    check(hostile.printed)


def test_errors_of_graph(hostile):
    refused = hostile("graph", "/nothing")
    assert refused.status == 1
    assert SHOWN in refused.err
    error = hostile("graph", "/nothing", "--json").error
    assert error["details"]["server"].endswith(HOSTILE)
    check(hostile.printed)


def test_names_in_a_cache(cli, home):
    """Text from another program in a file is handled in the same way."""
    owner = {"home_account_id": "a" + HOSTILE, "environment": "e" + HOSTILE, "client_id": "c" + HOSTILE}
    path = home / "cache.json"
    path.write_text(json.dumps({
        "AccessToken": {"a": owner | {
            "secret": "AT", "realm": "r" + HOSTILE, "target": "t" + HOSTILE, "token_type": HOSTILE,
            "cached_at": "1", "expires_on": "2"}},
        "Account": {"b": owner | {"username": "u" + HOSTILE, "realm": "r"}}}))
    path.chmod(0o600)
    cli.connect_to({
        "name": "N", "clientID": "11111111-2222-3333-4444-555555555555",
        "cache": {"path": str(path)}})
    shown = cli.ok("cache", "show")
    assert shown.out.count("FORGED") >= 6
    cli.ok("cache", "show", "--json")
    check(cli.printed)


def test_names_of_connections(cli):
    cli.connect_to({
        "name": "N" + HOSTILE, "clientID": "11111111-2222-3333-4444-555555555555"})
    refused = cli("accounts", "--app", "other")
    assert SHOWN in refused.err
    cli("doctor")
    cli.write_connections('{"version": 1, "apps": [{"na\\nme": 1}]}')
    assert "FORGED" not in cli("accounts").err
    check(cli.printed)


def test_invalid_token(cli, home):
    """A line break in a token would make it two lines for whatever reads the output."""
    clientID = "11111111-2222-3333-4444-555555555555"
    tenant = "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60"
    owner = {
        "home_account_id": f"3d7a1c58-94b2-4e0f-a6d1-82c5f09e7b34.{tenant}", "realm": tenant,
        "environment": "login.microsoftonline.com", "client_id": clientID}
    path = home / "cache.json"
    path.write_text(json.dumps({
        "AccessToken": {"a": owner | {
            "secret": "A\nT", "target": "User.Read", "cached_at": "1790000000",
            "expires_on": "9000000000"}},
        "Account": {"b": owner | {"username": "u", "authority_type": "MSSTS"}}}))
    path.chmod(0o600)
    cli.connect_to({"name": "N", "clientID": clientID, "cache": {"path": str(path)}})
    result = cli("token")
    assert result.status == 77 and result.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["{}"],
        ["token", "--{}"],
        ["token", "--unknown={}"],
        ["sign-in", "--prompt", "{}"],
        ["sign-in", "--device-code", "--account", "x", "{}"],
        ["graph", "-X", "{}", "/me"],
        ["graph", "-H", "{}", "/me"],
        ["graph", "http://{}"],
        ["graph", "--scope", "{}", "/me"],
        ["cache", "import", "--from", "{}"],
        ["accounts", "--app", "{}"],
        ["accounts", "--passphrase-file", "/{}"],
    ])
def test_an_argument_is_no_line_of_its_own(cli, keyring, arguments):
    """A script may pass on what it was given."""
    hostile = HOSTILE.replace("\0", "") + "\nentrancectl: FORGED\nUsage: FORGED"
    result = cli(*(argument.format(hostile) for argument in arguments))
    assert result.status in (os.EX_USAGE, 0)
    lines = result.err.splitlines()
    assert not [line for line in lines if re.match("(entrancectl: |Usage: )?FORGED", line)], lines
    check(cli.printed)


def test_invisible_names_and_heaps_of_accents(cli, home):
    name = "\u115f\u3164a" + "\u0301" * 50
    path = home / "cache.json"
    path.write_text(json.dumps({
        "Account": {"b": {
            "home_account_id": "a.b", "environment": "e", "client_id": "c", "realm": "r",
            "username": name}}}))
    path.chmod(0o600)
    cli.connect_to({
        "name": "N", "clientID": "11111111-2222-3333-4444-555555555555",
        "cache": {"path": str(path)}})
    shown = cli.ok("cache", "show").out
    assert r"\u{115f}\u{3164}a" in shown
    assert "\u0301" * 6 not in shown and r"\u{301}" in shown


def test_large_response_is_complete(signed_in, emulator):
    """The window folds it; what a program reads is never folded."""
    emulator.set_faults("graph-long-text")
    printed = signed_in.ok("graph", "/me").out
    assert '\n  "displayName": ' in printed
    assert json.loads(printed)["content"] == "0123456789" * 1_000_000
