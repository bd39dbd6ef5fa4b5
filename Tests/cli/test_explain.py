"""`entrancectl graph explain`: the expected permissions are those of Microsoft's pages."""

import re


def test_explain_without_an_account(cli, keyring):
    result = cli.ok("graph", "explain", "GET", "/me/messages?$top=5", "--json").json
    assert result["least"] == [{"permission": "Mail.ReadBasic", "alsoRequires": []}]
    assert {"Mail.Read", "Mail.ReadWrite"} <= {one["permission"] for one in result["higher"]}
    assert result["accountKind"] == "work"
    assert result["account"] is None and result["missing"] is None and result["command"] is None
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", result["tableDate"])

    plain = cli.ok("graph", "explain", "get", "/me/messages").out
    assert plain.splitlines()[0] == "Least permission: Mail.ReadBasic"
    assert "No account is signed in." in plain


def test_explain_what_a_token_has(signed_in, emulator):
    emulator.stop()  # Nothing is sent.
    result = signed_in.ok("graph", "explain", "GET", "/me", "--json").json
    assert result["account"]["username"] == "adele@contoso.example"
    assert result["missing"] == [] and result["command"] is None
    plain = signed_in.ok("graph", "explain", "GET", "/v1.0/me")
    assert "adele@contoso.example has what is needed." in plain.out


def test_explain_what_a_token_lacks(signed_in):
    result = signed_in.ok("graph", "explain", "POST", "/me/sendMail", "--json").json
    assert result["missing"] == ["Mail.Send"]
    assert result["command"] == "entrancectl sign-in --scope Mail.Send"
    plain = signed_in.ok("graph", "explain", "POST", "/me/sendMail").out
    assert "adele@contoso.example does not have: Mail.Send" in plain
    assert "run 'entrancectl sign-in --scope Mail.Send'" in plain


def test_explain_without_a_keyring(cli):
    plain = cli.ok("graph", "explain", "GET", "/me/messages")
    assert plain.out.splitlines()[0] == "Least permission: Mail.ReadBasic"
    assert "No account" not in plain.out and "no keyring" in plain.err
    named = cli("graph", "explain", "GET", "/me", "--account", "x", "--json").error
    assert named["code"] == "storageUnavailable"


def test_explain_what_else_is_required(cli):
    path = "/servicePrincipals/{id}/appRoleAssignments"
    plain = cli.ok("graph", "explain", "POST", path).out
    assert "Application.Read.All also requires AppRoleAssignment.ReadWrite.All" in plain
    assert ("AppRoleAssignment.ReadWrite.All also requires one of:"
            " Application.Read.All, Directory.Read.All") in plain


def test_explain_what_is_not_known(cli):
    error = cli("graph", "explain", "GET", "/no/such/thing", "--json").error
    assert error["code"] == "unknownRequest"
    assert cli("graph", "explain", "BREW", "/me").status == 64
    assert cli("graph", "explain", "GET").status == 64
