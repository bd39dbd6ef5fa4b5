"""The commands without user interaction."""

import json
import os
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest

from api import Reply


def test_token(signed_in):
    plain = signed_in.ok("token")
    assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+\n", plain.out), "only the token is printed"
    assert plain.err == ""

    result = signed_in.ok("token", "--json").json
    assert result["accessToken"] == plain.out.strip()
    assert result["source"] == "cache"
    assert result["tokenType"] == "Bearer"
    assert "User.Read" in result["scopes"]
    expires = datetime.fromisoformat(result["expiresOn"].replace("Z", "+00:00"))
    assert 3000 < (expires - datetime.now(timezone.utc)).total_seconds() < 4000


def test_new_token(signed_in, emulator):
    first = signed_in.ok("token").out
    second = signed_in.ok("token", "--force-refresh", "--json").json
    assert second["source"] == "server"
    assert second["accessToken"] != first.strip()


def test_token_for_a_scope(signed_in):
    error = signed_in("token", "--scope", "Mail.Read", "--json").error
    assert error["code"] == "interactionRequired"
    assert error["details"]["codes"] == ["AADSTS65001"]


def test_graph(signed_in):
    plain = signed_in.ok("graph", "/me")
    assert json.loads(plain.out)["displayName"] == "Adele Vance"
    assert "\n  \"displayName\"" in plain.out
    result = signed_in.ok("graph", "--json", "me").json
    assert result["status"] == 200
    assert result["contentType"].startswith("application/json")
    assert result["body"]["userPrincipalName"] == "adele@contoso.example"


def test_graph_urls(signed_in, emulator):
    signed_in.ok("graph", emulator.description["graph"])
    signed_in.ok("graph", "/v1.0/me")
    signed_in.ok("graph", "/me?$select=displayName, jobTitle")
    assert emulator.counts()["GET /v1.0/me"] == 3
    other = signed_in("graph", "https://evil.example/me", "--json").error
    assert other["code"] == "invalidURL"


def test_graph_photo(signed_in):
    result = signed_in.ok("graph", "--json", "/me/photo/$value").json
    assert result["contentType"].startswith("image/")
    assert "bodyBase64" in result and "body" not in result


def test_graph_error(signed_in):
    error = signed_in("graph", "--json", "/nothing").error
    assert error["details"]["httpStatus"] == 501
    assert error["details"]["requestID"]
    plain = signed_in("graph", "/nothing")
    assert plain.out == ""
    assert plain.err.startswith("entrancectl: Microsoft Graph does not support this request (HTTP 501).\n")
    assert "  Request ID: " in plain.err


def test_graph_methods(signed_in, emulator, tmp_path):
    body = tmp_path / "body.json"
    body.write_text("{}")
    for arguments in (["-d", "{}"], ["-d", f"@{body}"], ["--body", "@-"]):
        result = signed_in(
            "graph", "-X", "patch", "-H", "Prefer: x", *arguments, "/me", input="{}")
        assert result.status == os.EX_NOPERM and "HTTP 403" in result.err
    error = signed_in("graph", "-d", "@/no/such/file", "/me", "--json").error
    assert error["code"] == "usage" and "--body" in error["message"]


def test_a_body_is_posted_unless_another_method_is_given(signed_in, api, tmp_path):
    signed_in.ok("graph", "/item")
    signed_in.ok("graph", "-d", "{}", "/item")
    signed_in.ok("graph", "-X", "GET", "-d", "{}", "/item")
    assert api.methods == ["GET", "POST", "GET"]
    # Only a GET has pages.
    result = signed_in("graph", "-d", "{}", "/items", "--all")
    assert result.status == 64 and "GET" in result.err and len(api.methods) == 3
    # So it is in a batch.
    batch = tmp_path / "batch.json"
    batch.write_text('[{"url": "/item", "body": {}}, {"url": "/item"}]')
    answers = [{"id": name, "status": 200, "body": {}} for name in ("0", "1")]
    api.replies = [Reply(200, body=json.dumps({"responses": answers}).encode())]
    signed_in("graph", "batch", str(batch))
    parts = json.loads(api.bodies[-1])["requests"]
    assert [part["method"] for part in parts] == ["POST", "GET"]


def test_connections(cli, keyring, person, emulator):
    cli.connect_to(
        emulator.connection("Broken") | {"clientID": "11111111-2222-3333-4444-555555555555"},
        emulator.connection("Contoso"))
    cli.ok("sign-in", "--app", "Contoso")
    assert cli.ok("accounts", "--json").json["accounts"] == []
    assert len(cli.ok("accounts", "--json", "--app", "Contoso").json["accounts"]) == 1


@pytest.mark.parametrize(
    "wrong, command, arguments",
    [
        ("nonsense", "", ["nonsense"]),
        ("--nonsense", "token", ["token", "--nonsense"]),
        ("path", "graph request", ["graph"]),
        ("--device-code", "sign-in", ["sign-in", "--browser", "--device-code"]),
        ("--prompt", "sign-in", ["sign-in", "--prompt", "nonsense"]),
        ("--account", "sign-in", ["sign-in", "--device-code", "--account", "x"]),
        ("-X", "graph request", ["graph", "-X", "BREW", "/me"]),
        ("-H", "graph request", ["graph", "-H", "nonsense", "/me"]),
        ("--jsonpath", "graph request", ["graph", "--jsonpath", "nonsense[", "/me"]),
        ("--query", "graph request", ["graph", "--query", "nonsense", "/me"]),
        ("--env", "run", ["run", "--env", "nonsense", "--", "true"]),
        ("--min-lifetime", "token", ["token", "--min-lifetime", "nonsense"]),
        ("--format", "token", ["token", "--format", "nonsense"]),
        ("--kind", "app add", ["app", "add", "--kind", "nonsense", "x"]),
        ("--from", "cache import", ["cache", "import", "--from", "az", "x"]),
        ("--state", "graph delta", ["graph", "delta", "/users/delta"]),
        ("--all", "programs forget", ["programs", "forget"]),
    ])
def test_usage(cli, wrong, command, arguments):
    """An error in the command line names what is wrong, and how to get help."""
    result = cli(*arguments)
    assert result.status == 64
    assert result.out == ""
    assert wrong in result.err.splitlines()[0] and "Usage: entrancectl" in result.err
    help_ = f"See '{' '.join(['entrancectl', *command.split()])} --help' for more information."
    assert result.err.splitlines()[-1].strip() == help_
    assert cli.ok(*command.split(), "--help").out.startswith("OVERVIEW: ")
    if not command:
        return
    place = arguments.index("--") if "--" in arguments else len(arguments)
    error = cli(*arguments[:place], "--json", *arguments[place:]).error
    assert wrong in error["message"] and error["nextStep"] == help_


def test_help_and_version(cli):
    assert "SUBCOMMANDS:" in cli.ok("--help").out
    project = (Path(__file__).parents[2] / "meson.build").read_text()
    version = re.search(r"^  version: '(.+)'", project, re.MULTILINE)[1]
    assert cli.ok("--version").out == f"{version}\n"


def test_cached_token_needs_no_request(signed_in, emulator):
    before = sum(emulator.counts().values())
    signed_in.ok("token")
    assert sum(emulator.counts().values()) == before + 1, "only the request for the counts"
