"""Signing in and out on the command line, with a real keyring and the emulator."""

import re

import pytest


def test_browser(cli, keyring, person):
    result = cli.ok("sign-in")
    assert result.out == "Signed in as Adele Vance (adele@contoso.example).\n"
    assert result.err.startswith("Continue in the browser.")
    assert "http://localhost" in result.err, "the message names the required redirect URI"

    last = person.pages[-1]
    assert re.fullmatch(r"http://localhost:\d+", last["url"].rstrip("/")), "the URL contains no code"
    assert "You can close this page" in last["text"]
    assert last["fields"]["cache-control"] == "no-store"
    assert [page["name"] for page in person.pages[:-1]] == [
        "enter-username", "enter-password", "consent", "stay-signed-in", "return"]
    assert len(keyring.items()) >= 1


@pytest.mark.parametrize("scope", [".default", "https://graph.microsoft.com/.default"])
def test_all_permissions_of_the_registration(cli, keyring, person, scope):
    """Without an API before it, it is Microsoft Graph's; the service lists what it stands for."""
    scopes = cli.ok("sign-in", "--json", "--scope", scope).json["scopes"]
    assert scope in scopes
    assert cli.ok("token", "--json", "--scope", scope).json["source"] == "cache"


def test_browser_json(cli, keyring, person):
    result = cli.ok("sign-in", "--json", "--scope", "User.Read", "--scope", "Mail.Read")
    assert result.json["account"]["username"] == "adele@contoso.example"
    assert result.json["account"]["name"] == "Adele Vance"
    assert {"User.Read", "Mail.Read"} <= set(result.json["scopes"])
    assert "eyJ" not in result.out


def test_registered_loopback_uri_needs_no_hint(cli, keyring, person, emulator):
    cli.connect_to(emulator.connection("Contoso") | {"redirectURI": "http://localhost"})
    assert "AADSTS50011" not in cli.ok("sign-in").err


@pytest.mark.parametrize("prompt", [[], ["--prompt", "if_necessary"]], ids=["default", "if_necessary"])
def test_account_and_prompt_are_passed_to_the_pages(cli, keyring, person, prompt):
    """Microsoft: "You can't use both login_hint and select_account."

    https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc#send-the-sign-in-request
    """
    cli.ok("sign-in", "--account", "adele@contoso.example", *prompt)
    assert person.pages[0]["name"] == "enter-password", "the user name is filled in"
    assert "prompt=" not in person.pages[0]["url"]


def test_a_prompt_that_a_person_asks_for_is_shown_in_spite_of_the_account(cli, keyring, person):
    cli.ok("sign-in", "--account", "adele@contoso.example", "--prompt", "select_account")
    assert "prompt=select_account" in person.pages[0]["url"]


def test_declined(cli, keyring, person):
    person.sits_down("adele@contoso.example", consents=False)
    error = cli("sign-in", "--json").error
    assert error["code"] == "userCanceled"
    assert error["details"]["codes"] == ["AADSTS65004"]
    assert "The sign-in was canceled" in person.pages[-1]["text"]

    plain = cli("sign-in", "--browser")
    assert plain.status == 1 and plain.out == ""
    assert "Codes: AADSTS65004" in plain.err
    assert "Correlation ID: " in plain.err


def test_no_display(cli, keyring):
    result = cli("sign-in")
    assert result.status == 1
    assert "sign-in --device-code" in result.err
    assert cli("sign-in", "--json").error["code"] == "webAuthenticationFailed"


def test_no_display_and_no_device_codes(cli, keyring, emulator):
    """Azure AD B2C has no device codes, so the error must not suggest them."""
    cli.connect_to(emulator.connection("Shop") | {
        "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_sign_in",
        "knownAuthorities": []})
    result = cli("sign-in")
    assert result.status == 1
    assert "--device-code" not in result.err
    assert "Sign in on a computer with a browser" in result.err


def test_no_browser(cli, keyring):
    cli.environment |= {"BROWSER": "false", "PATH": "/nonexistent"}
    result = cli("sign-in")
    assert result.status == 1
    assert "xdg-utils" in result.err


def test_interrupted(cli, keyring, person):
    person.is_away()
    process = cli.start("sign-in", "--json")
    assert process.stderr.readline().startswith("Continue in the browser.")
    assert cli.interrupt(process).error["code"] == "userCanceled"
    assert cli.ok("accounts").out == ""


def test_device_code(cli, keyring, person, emulator):
    process = cli.start("sign-in", "--device-code")
    words = process.stderr.readline()
    url, code = re.search(r"open (\S+) in a browser and enter the code (\S+)\.", words).groups()
    assert "only if you started this" in words
    person.enter_code(url, code)
    result = cli.finish(process)
    assert result.status == 0, result
    assert result.out == "Signed in as Adele Vance (adele@contoso.example).\n"
    assert emulator.counts().get("GET /{tenant}/oauth2/v2.0/authorize") is None


@pytest.mark.parametrize("options, expected", [
    ((), [
        "The sign-in service cannot be reached. Entrance keeps trying until the code expires.\n",
        "The sign-in service can be reached again.\n"]),
    (("--json",), []),
], ids=["person", "program"])
def test_an_outage_while_a_code_is_entered_is_said_once(cli, keyring, person, emulator, options, expected):
    emulator.prepare_token_reply(503, {}, **{"retry-after": "1"})
    process = cli.start("sign-in", "--device-code", *options)
    url, code = re.search(
        r"open (\S+) in a browser and enter the code (\S+)\.", process.stderr.readline()).groups()
    assert [process.stderr.readline() for _ in expected] == expected
    person.enter_code(url, code)
    result = cli.finish(process)
    assert result.status == 0 and result.err == "", result


def test_a_code_that_expired_is_replaced_by_another_one(cli, keyring, emulator):
    """On a server, advice to use a browser would lead to the next error."""
    cli.connect_to(emulator.connection("Contoso"), emulator.connection("Other"))
    # RFC 8628, section 3.5.
    emulator.prepare_token_reply(400, {"error": "expired_token"})
    command = ["sign-in", "--device-code", "--app", "Other", "--scope", "Mail.Read"]
    result = cli(*command, "--json")
    assert result.status == 77 and result.error["code"] == "deviceCodeExpired"
    assert result.error["nextStep"] == f"Sign in: 'entrancectl {' '.join(command)}'."


def test_without_device_codes_there_is_the_browser(cli, keyring, emulator):
    emulator.set_faults("no-device-endpoint")
    error = cli("sign-in", "--device-code", "--json").error
    assert error["code"] == "deviceCodeNotSupported"
    assert error["nextStep"] == "Sign in: 'entrancectl sign-in'."


def test_device_code_interrupted(cli, keyring):
    process = cli.start("sign-in", "--device-code", "--json")
    assert "enter the code" in process.stderr.readline()
    assert cli.interrupt(process).error["code"] == "userCanceled"


def test_two_accounts(signed_in, person):
    assert signed_in.ok("accounts").out.startswith("adele@contoso.example  ")
    person.sits_down("bram@contoso.example")
    signed_in.ok("sign-in")

    accounts = signed_in.ok("accounts", "--json").json["accounts"]
    assert [account["username"] for account in accounts] == [
        "bram@contoso.example", "adele@contoso.example"]
    assert signed_in.ok("graph", "/me", "--json").json["body"]["displayName"] == "Bram Okafor"
    for name in ("ADELE@contoso.example", accounts[1]["homeAccountID"]):
        body = signed_in.ok("graph", "/me", "--json", "--account", name).json["body"]
        assert body["displayName"] == "Adele Vance"

    assert signed_in.ok("sign-out", "--account", "adele@contoso.example").out == (
        "adele@contoso.example is signed out.\n")
    assert len(signed_in.ok("accounts", "--json").json["accounts"]) == 1
    error = signed_in("token", "--json", "--account", "adele@contoso.example").error
    assert error["code"] == "accountNotFound"


def test_sign_out(signed_in, keyring, emulator, person):
    other = signed_in("sign-out", "--account", "bram@contoso.example")
    assert other.status == 77 and "run 'entrancectl accounts'" in other.err
    result = signed_in.ok("sign-out", "--json")
    assert result.json["account"]["username"] == "adele@contoso.example"
    assert result.json["signedOutOfBrowser"] is False
    assert signed_in.ok("accounts", "--json").json == {"accounts": []}
    # There is nothing more to do.
    again = signed_in.ok("sign-out")
    assert (again.out, again.err) == ("No account is signed in.\n", "")
    assert signed_in.ok("sign-out", "--json").json == {"account": None, "signedOutOfBrowser": False}
    signed_in.ok("sign-out", "--account", "adele@contoso.example")
    # In the browser, somebody can still be signed in.
    refused = signed_in("sign-out", "--browser")
    assert (refused.status, refused.err) == (77, "entrancectl: No account is signed in.\n")
    # The browser still has her session.
    signed_in.ok("sign-in", "--prompt", "if_necessary")
    assert person.pages[-2]["name"] == "return"


def test_sign_out_of_the_browser(signed_in, person):
    result = signed_in.ok("sign-out", "--browser", "--json")
    assert result.json["signedOutOfBrowser"] is True
    count = len(person.pages)
    signed_in.ok("sign-in", "--prompt", "if_necessary")
    assert person.pages[count]["name"] == "enter-username"


def test_no_secret_is_printed(signed_in, person):
    token = signed_in.ok("token").out.strip()
    for arguments in (["accounts"], ["graph", "/me"], ["doctor"], ["device"], ["sign-out"]):
        signed_in(*arguments)
        signed_in(*arguments, "--json")
    assert token not in signed_in.printed
    assert "eyJ" not in signed_in.printed and "code=" not in signed_in.printed
