"""Apps to sign in with: the person's own, and those that an administrator set up for everyone."""

import argparse
import errno
import json
import os
import re
import shlex
import signal
import subprocess

import pytest
from test_output import no_room, run
from waiting import wait_for

ID = "11111111-2222-3333-4444-555555555555"
OTHER_ID = "22222222-2222-3333-4444-555555555555"
B2C = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin"


@pytest.fixture
def everyone(cli, home):
    """The file of an administrator, with these apps."""
    directory = home / "xdg" / "entrance"
    directory.mkdir(parents=True)
    cli.environment["XDG_CONFIG_DIRS"] = f"relative:{home / 'none'}:{home / 'xdg'}"
    cli.connections.unlink(missing_ok=True)

    def write(*apps: dict, text: str | None = None):
        (directory / "apps.json").write_text(text or json.dumps({"version": 1, "apps": apps}))
        return directory / "apps.json"

    return write


def names(cli) -> list[str]:
    return [app["name"] for app in cli.ok("app", "--json").json["apps"]]


def said_of(name: str, usual: str | None = None) -> str:
    """What is said of a new app, after which other commands use the app `usual`, or the new one."""
    if not usual:
        return f"Added “{name}”.\nSign in: 'entrancectl sign-in'.\n"
    return (f"Added “{name}”.\nSign in: 'entrancectl sign-in --app {name}'.\n"
            f"Without --app, commands use “{usual}”.\n")


def test_from_nothing_to_an_account(cli, emulator, keyring, person, home):
    """The way in on a server: an app is added, checked, and signed in with."""
    app = emulator.connection("Contoso")
    cli.connections.unlink(missing_ok=True)
    missing = cli("accounts")
    assert missing.status == 1
    assert "Add one: 'entrancectl app add --client-id ID' or 'entrancectl app add FILE'." in missing.err
    assert "'entrancectl app create'" in missing.err
    # What an administrator would send: an entry of apps.json.
    added = cli.ok("app", "add", "-", input=json.dumps(app))
    assert f"The imported app trusts certificates from {app['caFile']}." in added.err
    assert added.err.endswith(said_of("Contoso"))
    assert json.loads(cli.connections.read_text())["apps"] == [app]
    assert cli.ok("app", "check").out == (
        "The sign-in service knows the client ID and accepts the redirect URI.\n")
    cli.ok("sign-in")
    assert cli.ok("accounts", "--json").json["accounts"]


def test_a_tenant_that_does_not_exist_is_named(cli, keyring, emulator):
    authority = emulator.base + "/nosuch.example"
    wrong = emulator.connection("Wrong") | {"authority": authority, "knownAuthorities": [authority]}
    cli.connect_to(emulator.connection("Contoso"), wrong)
    for command in (["app", "check", "Wrong"], ["sign-in", "--device-code", "--app", "Wrong"]):
        result = cli(*command, "--json")
        error = result.error
        assert result.status == 1 and error["message"].startswith("This organization does not exist.")
        # A sign-in would end in the same way.
        assert error["nextStep"].startswith(f"Correct 'authority' of the app in {cli.connections}")
        assert error["details"]["codes"] == ["AADSTS90002"] and error["details"]["correlationID"]
        assert "'nosuch.example' not found" in error["details"]["server"]


def test_advice_after_a_check_names_the_app_unless_it_is_the_first(cli, emulator):
    authority = "https://localhost:9/common"
    wrong = emulator.connection("Elsewhere") | {"authority": authority, "knownAuthorities": [authority]}
    for apps, command in (
            ([emulator.connection("Contoso"), wrong], "doctor --app Elsewhere"),
            ([wrong, emulator.connection("Contoso")], "doctor")):
        cli.connect_to(*apps)
        error = cli("app", "check", "Elsewhere", "--json").error
        assert error["nextStep"] == f"To find the cause, run 'entrancectl {command}'.", error


# What an application has for Entrance, as Microsoft Graph's reference writes it.
APPLICATION = {
    "displayName": "Entrance", "signInAudience": "AzureADMyOrg", "isFallbackPublicClient": True,
    "publicClient": {"redirectUris": ["msauth.io.github.entrance.entrance://auth", "http://localhost"]},
    "requiredResourceAccess": [{
        "resourceAppId": "00000003-0000-0000-c000-000000000000",
        "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]}]}


def test_a_registration_is_printed_for_azure_cli_and_for_microsoft_graph(cli):
    """Its options are those of `az rest`, which takes no others; `az ad app create` would change an existing app."""
    cli.connections.unlink(missing_ok=True)
    assert cli.ok("app", "create", "--json").json == APPLICATION
    line = cli.ok("app", "create").out
    assert line.count("\n") == 1
    az = argparse.ArgumentParser(allow_abbrev=False)
    az.add_argument("--method", type=str.lower)
    az.add_argument("--url")
    az.add_argument("--headers", nargs="+")
    az.add_argument("--body")
    az.add_argument("--output", choices=["json", "jsonc", "none", "table", "tsv", "yaml", "yamlc"])
    words = shlex.split(line)
    assert words[:2] == ["az", "rest"]
    given = az.parse_args(words[2:])
    assert (given.method, given.url) == ("post", "https://graph.microsoft.com/v1.0/applications")
    assert (given.headers, given.output) == (["Content-Type=application/json"], "json")
    assert json.loads(given.body) == APPLICATION
    assert not cli.connections.exists()


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["command", "request"])
def test_what_creates_an_app_is_not_added_as_one(cli, form):
    """As the two commands do without the shell that is to be between them."""
    before = cli.connections.read_text()
    refused = cli("app", "add", "-", input=cli.ok("app", "create", *form).out)
    assert refused.status == 64 and "this is what creates the app, not the response;" in refused.err, refused
    assert cli.connections.read_text() == before


def test_from_nothing_to_an_account_with_a_registration_of_azure_cli(cli, emulator, keyring, person, home):
    """The shell runs what is printed; a stand-in for az answers as Microsoft does."""
    app = emulator.connection("Entrance")
    cli.connections.unlink(missing_ok=True)
    answer = APPLICATION | {"appId": app["clientID"], "publisherDomain": "contoso.onmicrosoft.com"}
    (home / "answer.json").write_text(json.dumps(answer))
    az = home / "bin" / "az"
    az.parent.mkdir()
    # The person has chosen tables, which Azure CLI then writes unless it is told otherwise.
    az.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/arguments"\n'
        'case " $* " in\n*" --output json "*) cat "$HOME/answer.json" ;;\n*) echo "AppId  DisplayName" ;;\nesac\n')
    az.chmod(0o755)
    result = subprocess.run(
        ["sh", "-c", 'set -e; "$0" app create | sh | "$0" app add -', str(cli.program)], text=True,
        env=cli.environment | {"PATH": f"{az.parent}:{os.environ['PATH']}"}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=60)
    assert (result.returncode, result.stderr) == (0, said_of("Entrance"))
    arguments = (home / "arguments").read_text().splitlines()
    assert json.loads(arguments[arguments.index("--body") + 1]) == APPLICATION
    [added] = cli.ok("app", "--json").json["apps"]
    assert added["clientID"] == app["clientID"]
    assert added["authority"] == "https://login.microsoftonline.com/contoso.onmicrosoft.com"
    # A private CA and a private host are not part of a registration; they are in the file.
    cli.connect_to(app)
    cli.ok("sign-in")
    assert cli.ok("token").out.startswith("eyJ")


# With an account, through Microsoft Graph

CREATE = "Application.ReadWrite.All"
GUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@pytest.fixture
def creator(cli, keyring, person):
    """Adele, who has granted the permission."""
    cli.ok("sign-in", "--scope", "User.Read", "--scope", CREATE)
    return cli


def requests(emulator) -> int:
    return emulator.counts().get("POST /v1.0/applications", 0)


def test_from_an_account_to_another_app(creator, emulator):
    created = creator.ok("app", "create", "--account", emulator.adele.username)
    assert re.fullmatch(GUID + "\n", created.out)
    assert created.err == said_of("Entrance", usual="Contoso")
    assert names(creator) == ["Contoso", "Entrance"]
    creator.ok("sign-in", "--app", "Entrance")
    assert creator.ok("token", "--app", "Entrance").out.startswith("eyJ")
    # Another time, it is another one.
    again = creator.ok("app", "create", "--account", emulator.adele.username, "--app", "Contoso", "--json").json
    assert again["name"] == "Entrance 2" and re.fullmatch(GUID, again["clientID"])
    assert again["clientID"] != created.out.strip()
    assert again["authority"].endswith("/contoso.example")
    assert requests(emulator) == 2


def test_without_the_permission_someone_has_to_sign_in(signed_in, emulator):
    result = signed_in("app", "create", "--account", emulator.adele.username)
    assert result.status == 77 and f"entrancectl sign-in --scope {CREATE}" in result.err
    assert names(signed_in) == ["Contoso"] and requests(emulator) == 0


def test_an_account_that_may_not_register_apps_is_told_whom_to_ask(creator, emulator):
    emulator.prepare_graph_reply(
        403, {"error": {"code": "Authorization_RequestDenied",
                        "message": "Insufficient privileges to complete the operation."}}, path="/applications")
    result = creator("app", "create", "--account", emulator.adele.username)
    assert result.status == 1
    assert "This account may not register apps in its organization" in result.err
    assert "Ask an administrator to register the app" in result.err
    assert names(creator) == ["Contoso"]


def test_a_personal_account_is_told_why_it_cannot(cli, keyring, person, emulator):
    chiara = next(user for user in emulator.users if user.kind == "personal")
    person.sits_down(chiara.username)
    cli.ok("sign-in")
    result = cli("app", "create", "--account", chiara.username)
    assert result.status == 1 and "A personal account cannot register apps" in result.err
    assert requests(emulator) == 0


@pytest.mark.parametrize("status, first, code", [
    # The first was refused; the second could have created an app, and another request would create another one.
    (429, 75, "throttled"), (503, 1, "appMayExist"),
])
def test_a_pause_and_an_answer_that_is_lost_are_not_the_same(creator, emulator, status, first, code):
    create = ("app", "create", "--account", emulator.adele.username, "--json")
    emulator.prepare_graph_reply(
        status, {"error": {"code": "Unavailable"}}, path="/applications", **{"retry-after": "600"})
    refused = creator(*create)
    assert refused.status == first and refused.error["code"] == code
    assert refused.error["details"]["retryAfter"] == 600
    assert ("may have been created nonetheless" in refused.error["message"]) == (status == 503)
    # What is not sent during the pause creates nothing, whatever the status was.
    paused = creator(*create)
    assert paused.status == 75 and paused.error["code"] in ("throttled", "serverUnavailable")
    assert "was not sent" in paused.error["message"] and "created" not in paused.error["message"]
    assert requests(emulator) == 1 and names(creator) == ["Contoso"]


TOKEN = "POST /{tenant}/oauth2/v2.0/token"


def test_what_is_interrupted_while_its_token_is_renewed_is_not_created(creator, emulator, home):
    creator.expire_tokens("Contoso", home / "cache.json")
    # Longer than it takes to send the signal, and less than the five seconds that are waited for an answer.
    emulator.delay(TOKEN.removeprefix("POST "), 2_000)
    before = emulator.counts()[TOKEN]
    process = creator.start("app", "create", "--account", emulator.adele.username)
    wait_for(lambda: emulator.counts()[TOKEN] > before, "the token to be renewed")
    result = creator.interrupt(process)
    assert result.status == -signal.SIGINT and result.out == ""
    assert requests(emulator) == 0 and names(creator) == ["Contoso"]


def test_what_was_sent_before_the_interruption_is_created(creator, emulator):
    # Long enough for the slowest computer to send the signal meanwhile.
    emulator.delay("/v1.0/applications", 2_000)
    process = creator.start("app", "create", "--account", emulator.adele.username)
    wait_for(lambda: requests(emulator) == 1, "the request to arrive")
    result = creator.interrupt(process)
    assert result.err == said_of("Entrance", usual="Contoso")
    assert names(creator) == ["Contoso", "Entrance"] and requests(emulator) == 1


def test_what_cannot_be_written_down_is_not_created(creator, emulator):
    creator.connections.chmod(0o400)
    result = creator("app", "create", "--account", emulator.adele.username)
    assert result.status == 1 and f"{creator.connections} cannot be changed." in result.err
    assert requests(emulator) == 0


def test_a_file_that_may_not_be_written_is_no_administrators(cli):
    before = cli.connections.read_text()
    cli.connections.chmod(0o400)
    for command in [["add", "--client-id", OTHER_ID, "--name", "Other"], ["remove", "Contoso"]]:
        error = cli("app", *command, "--json").error
        assert error["code"] == "fileNotWritten" and "administrator" not in error["message"], error
        assert f"“{cli.connections}”" in error["message"] and os.strerror(errno.EACCES) in error["message"]
        assert error["nextStep"].startswith("Make sure that you may change it")
    assert cli.connections.read_text() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_own_file_of_another_user_is_an_administrators(cli):
    os.chown(cli.connections, 65534, -1)
    error = cli("app", "remove", "Contoso", "--json").error
    assert "the file was set by your administrator" in error["message"]


@pytest.mark.parametrize("option", [("--app", "Contoso"), ("--no-input",), ("--passphrase-file", "x")])
def test_what_is_for_an_account_needs_one(cli, option):
    result = cli("app", "create", *option)
    assert result.status == 64 and f"{option[0]} needs --account." in result.err


def test_apps_are_added_and_removed(cli):
    cli.connections.unlink(missing_ok=True)
    assert cli.ok("app").err == "There is no app to sign in with.\n"
    assert cli.ok("app", "add", "--client-id", ID).err == said_of("My App")
    added = cli.ok(
        "app", "add", "--client-id", ID, "--authority", "contoso.example", "--scope", "Mail.Read", "--json").json
    assert added["name"] == "My App 2" and added["scopes"] == ["Mail.Read"]
    assert added["authority"] == "https://login.microsoftonline.com/contoso.example"
    assert names(cli) == ["My App", "My App 2"]
    assert os.stat(cli.connections).st_mode & 0o777 == 0o600
    assert cli.ok("app", "remove", "My App").err == "Removed “My App”.\n"
    assert names(cli) == ["My App 2"]
    missing = cli("app", "remove", "My App")
    assert missing.status == 64
    assert missing.err == (
        "entrancectl: There is no app called “My App”.\nChoose one of these: My App 2.\n")


def test_one_of_several_apps_is_chosen(cli):
    """As of 'az ad app list'."""
    before = cli.connections.read_text()
    described = json.dumps([{"appId": ID, "displayName": "A"}, {"appId": OTHER_ID, "displayName": "B"}])
    for arguments in ([], ["--client-id", "33333333-2222-3333-4444-555555555555"]):
        refused = cli("app", "add", "-", *arguments, input=described)
        assert refused.status == 64, refused
        assert f"several apps: A ({ID}), B ({OTHER_ID})." in refused.err
        assert "'--client-id ID'" in refused.err
    assert cli.connections.read_text() == before
    assert cli.ok("app", "add", "-", "--client-id", OTHER_ID, input=described).err == said_of("B", usual="Contoso")
    same = json.dumps([{"appId": ID, "displayName": "A"}, {"appId": ID, "displayName": "C"}])
    assert cli.ok("app", "add", "-", input=same).err == said_of("A", usual="Contoso")


def test_an_app_whose_tokens_are_not_for_microsoft_graph_has_its_api(cli):
    cli.ok("app", "add", "--client-id", ID, "--authority", B2C, "--api", "https://api.contoso.com/me", "--name", "B")
    assert json.loads(cli.connections.read_text())["apps"][-1]["api"] == "https://api.contoso.com/me"


def test_an_app_of_another_provider_has_its_kind(cli):
    issuer = "https://id.contoso.example/realms/one"
    options = ["--client-id", "desktop", "--authority", issuer, "--api", "https://api.contoso.example/me"]
    refused = cli("app", "add", *options)
    assert refused.status == 64 and "--client-id: a client ID looks like" in refused.err
    assert "'--kind oidc'" in refused.err
    cli.ok("app", "add", *options, "--kind", "oidc", "--name", "Other")
    assert json.loads(cli.connections.read_text())["apps"][-1] == {
        "name": "Other", "clientID": "desktop", "authority": issuer, "authorityKind": "oidc",
        "api": "https://api.contoso.example/me", "knownAuthorities": [issuer]}
    # The option takes the place of what a file says.
    described = json.dumps({
        "clientID": "desktop", "authority": "https://id.contoso.example/adfs", "authorityKind": "oidc",
        "api": "https://api.contoso.example/me"})
    cli.ok("app", "add", "-", "--kind", "adfs", input=described)
    assert json.loads(cli.connections.read_text())["apps"][-1]["authorityKind"] == "adfs"


@pytest.mark.parametrize("options, authority, known", [
    # An organization of Microsoft's, by a word, its domain or its ID.
    (["consumers"], "https://login.microsoftonline.com/consumers", None),
    (["contoso.example"], "https://login.microsoftonline.com/contoso.example", None),
    ([OTHER_ID], f"https://login.microsoftonline.com/{OTHER_ID}", None),
    # An address, which whoever enters it trusts unless Microsoft does; https:// can be left out.
    (["https://login.microsoftonline.us/common"], "https://login.microsoftonline.us/common", None),
    (["login.microsoftonline.us/common"], "https://login.microsoftonline.us/common", None),
    # A host of Microsoft's is no organization's domain.
    (["contoso.ciamlogin.com"], "https://contoso.ciamlogin.com", None),
    (["https://localhost:37115/common"], "https://localhost:37115/common", ["https://localhost:37115/common"]),
    (["localhost:37115/common"], "https://localhost:37115/common", ["https://localhost:37115/common"]),
    (["id.contoso.example", "--kind", "oidc", "--api", "https://api.contoso.example"],
     "https://id.contoso.example", ["https://id.contoso.example"]),
])
def test_the_authority_is_an_organization_or_an_address(cli, options, authority, known):
    cli.ok("app", "add", "--client-id", ID, "--name", "New", "--authority", *options)
    app = json.loads(cli.connections.read_text())["apps"][-1]
    assert (app["authority"], app.get("knownAuthorities")) == (authority, known)
    # It takes the place of what a file says, with whom that trusts.
    described = json.dumps({
        "clientID": ID, "authority": "https://id.other.example/common",
        "knownAuthorities": ["https://id.other.example/common"]})
    cli.ok("app", "add", "-", "--authority", *options, input=described)
    app = json.loads(cli.connections.read_text())["apps"][-1]
    assert (app["authority"], app.get("knownAuthorities")) == (authority, known)


def test_an_app_of_a_service_of_ones_own_can_be_used_at_once(cli, emulator, keyring, person):
    """An emulator, of which an address is all that there is to enter."""
    app = emulator.connection("Contoso")
    cli.connections.unlink()
    cli.ok(
        "app", "add", "--client-id", app["clientID"], "--authority", app["authority"].removeprefix("https://"),
        "--api", app["api"], "--ca-file", os.path.relpath(app["caFile"]))
    [added] = json.loads(cli.connections.read_text())["apps"]
    assert os.path.isabs(added["caFile"]) and os.path.samefile(added["caFile"], app["caFile"])
    assert "knows the client ID" in cli.ok("app", "check").out
    cli.ok("sign-in")


def test_an_api_that_would_get_tokens_for_microsoft_graph_is_not_taken(cli):
    described = json.dumps({"client_id": ID, "endpoint": "https://evil.example/me", "scope": ["User.Read"]})
    added = cli.ok("app", "add", "-", input=described)
    assert "https://evil.example, is left out" in added.err
    refused = cli("app", "add", "--client-id", ID, "--api", "https://evil.example/me")
    assert refused.status == 64 and "--api: the permissions are for a Microsoft service" in refused.err
    assert "evil" not in cli.connections.read_text()
    own = ["--api", "https://api.example/me", "--scope", "api://x/read"]
    assert "left out" not in cli.ok("app", "add", "-", *own, input=described).err


def test_what_is_left_out_of_an_entry_is_said_before_what_follows_from_it(cli):
    entry = {
        "clientID": "desktop", "authority": "https://login.microsoftonline.com/common", "authoritykind": "oidc"}
    refused = cli("app", "add", "-", input=json.dumps(entry))
    assert refused.status == 64
    wrong = "There is an error in standard input: clientID: a client ID looks like"
    assert refused.err.index("The correct name is authorityKind.") < refused.err.index(wrong)
    assert "'--kind oidc'" in refused.err


def test_what_does_not_fit_is_named_where_it_was_written(cli, home):
    """A template, as Microsoft's samples have it: nobody has typed an option."""
    template = home / "parameters.json"
    template.write_text(json.dumps({
        "authority": "https://login.microsoftonline.com/common", "client_id": "your_client_id", "scope": ["User.Read"]}))
    refused = cli("app", "add", str(template))
    assert refused.status == 64 and "--client-id: " not in refused.err, refused
    assert "Replace “your_client_id” with the client ID of your app in the file" in refused.err
    assert f"There is an error in {template}: clientID: a client ID looks like" in refused.err
    # What is typed in place of it is that of the option.
    refused = cli("app", "add", str(template), "--client-id", "also no ID")
    assert refused.status == 64 and "--client-id: a client ID looks like" in refused.err
    cli.ok("app", "add", str(template), "--client-id", ID)


def test_each_field_that_is_left_out_has_its_reason(cli, home):
    described = home / "described.json"
    described.write_text(json.dumps({"clientID": ID, "cafile": "/a/ca.pem", "caFile": "ca.pem", "color": "red"}))
    said = cli.ok("app", "add", str(described)).err
    assert "The field cafile is unknown and is left out. The correct name is caFile." in said
    assert "Unknown fields are left out: color." in said
    assert "The field caFile is left out: ca.pem is not an absolute path." in said
    assert "caFile" not in json.loads(cli.connections.read_text())["apps"][-1]


def test_what_a_registration_is_missing_is_said(cli):
    """As of 'az ad app show': a web app of one organization, without a domain."""
    described = json.dumps({
        "appId": ID, "displayName": "Web", "signInAudience": "AzureADMyOrg", "isFallbackPublicClient": None,
        "web": {"redirectUris": ["https://contoso.example/signin"]}, "publicClient": {"redirectUris": []}})
    said = cli.ok("app", "add", "-", input=described).err
    assert "domain or tenant ID of the organization. Name it with '--authority'.\n" in said
    assert "not registered as a public client. In the Microsoft Entra admin center," in said
    assert "“Allow public client flows”" in said
    said = cli.ok("app", "add", "-", "--authority", "contoso.example", input=described).err
    assert "--authority" not in said and "public client" in said
    said = cli.ok("app", "add", "-", input=json.dumps({"client_id": ID, "secret": "hidden"})).err
    assert "The client secret is not used here and was not kept." in said
    assert "hidden" not in said + cli.connections.read_text()


@pytest.mark.parametrize(
    "encoding, mark", [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-8", b"\xef\xbb\xbf")])
def test_texts_of_powershell_are_read(cli, keyring, home, encoding, mark):
    """Windows PowerShell writes the output of a program in UTF-16."""
    def file(text: str) -> str:
        path = home / "written"
        path.write_bytes(mark + text.encode(encoding))
        return str(path)

    assert cli.ok("app", "add", file(json.dumps({"appId": ID, "displayName": "Büro"}))).err.startswith("Added “Büro”.")
    assert "https://a.example" in cli.ok("http", "import", file("curl https://a.example")).out
    for text, command, said in (
            ("AADSTS50076", ["explain"], "AADSTS50076: "), ("{}", ["cache", "import"], "No accounts were found.")):
        with open(file(text), "rb") as written:
            result = subprocess.run(
                [cli.program, *command], stdin=written, env=cli.environment, capture_output=True, text=True,
                start_new_session=True, timeout=60)
        assert said in result.stdout + result.stderr, result


def test_a_page_of_the_admin_center_in_another_language(cli):
    page = f"Anwendungs-ID (Client): {ID}\nVerzeichnis-ID (Mandant): {OTHER_ID}\n"
    assert cli.ok("app", "add", "-", "--json", input=page).json["authority"].endswith(OTHER_ID)
    refused = cli("app", "add", "-", input=f"Klient: {ID}\nKatalog: {OTHER_ID}\n")
    assert refused.status == 64 and "set the admin center to English, or enter the IDs." in refused.err
    assert "'--client-id ID --authority ORGANIZATION'" in refused.err


@pytest.mark.parametrize("members, reason", [
    ({"authorityKind": "OIDC"}, "authorityKind: the value must be one of"),
    ({"caFile": "/no/such/ca.pem"}, "caFile: The CA file /no/such/ca.pem cannot be used: it cannot be opened"),
])
def test_an_entry_with_a_value_that_does_not_fit_is_not_added(cli, members, reason):
    before = cli.connections.read_text()
    refused = cli("app", "add", "-", input=json.dumps({"clientID": ID} | members))
    assert refused.status == 64 and reason in refused.err
    assert cli.connections.read_text() == before


def test_an_app_is_taken_to_another_computer_as_it_is_listed(cli, emulator):
    """With every field; what only the list says is of no use there, and of no interest."""
    app = emulator.connection("Contoso") | {
        "authorityKind": "entra", "cache": {"preset": "azure-identity"}, "isBrokerRedirectURIRegistered": True}
    cli.connect_to(app)
    listed = cli.ok("app", "list", "--json")
    assert listed.json["apps"] == [app | {"isReadOnly": False}]
    assert cli.ok("app", "remove", "Contoso", "--json").json == app | {"isReadOnly": False}
    added = cli.ok("app", "add", "-", "--json", input=listed.out)
    assert added.json == app | {"isReadOnly": False}
    assert "isReadOnly" not in added.err and "left out" not in added.err
    assert json.loads(cli.connections.read_text())["apps"] == [app]


def test_apps_of_an_administrator_are_listed_with_every_field(cli, everyone, emulator):
    app = emulator.connection("Company")
    everyone(app)
    assert cli.ok("app", "--json").json["apps"] == [app | {"isReadOnly": True}]


def test_comments_stay(cli):
    cli.write_connections(f'// mine\n{{"version": 1, "apps": [ {{"name": "A", "clientID": "{ID}"}} ]}}\n')
    cli.ok("app", "add", "--client-id", OTHER_ID, "--name", "B")
    cli.ok("app", "remove", "A")
    assert cli.connections.read_text().startswith("// mine\n")
    assert names(cli) == ["B"]


@pytest.mark.parametrize("arguments, reason", [
    (["--client-id", "nonsense"], "--client-id: a client ID looks like"),
    (["--client-id", ID, "--name", "Contoso"], "--name: another app has the same name."),
    (["--client-id", ID, "--name", "  "], "--name: the value must be one line, without spaces at its ends"),
    (["--client-id", ID, "--name", "Contoso "], "--name: the value must be one line"),
    (["--client-id", ID, "--name", "Con\ntoso"], "--name: the value must be one line"),
    (["--client-id", ID, "--name", "a" * 5000], "--name: the value must have at most 256 characters."),
    (["--client-id", ID, "--authority", "no way"], "“no way” is not the domain or ID of an organization"),
    (["--client-id", ID, "--authority", "localhots"], "The value of --authority cannot be used. “localhots” is not"),
    (["--client-id", ID, "--authority", "contoso,com"], "“contoso,com” is not the domain or ID of an organization"),
    (["--client-id", ID, "--authority", "mail.contoso,com"], "“mail.contoso,com” is not the domain or ID"),
    (["--client-id", ID, "--authority", "no way/common"], "--authority: The address"),
    (["--client-id", ID, "--authority", "login.microsoftonline.us"],
     "“https://login.microsoftonline.us” of a sign-in service cannot be used: it must have a tenant"),
    (["--client-id", ID, "--authority", "https://id.contoso.example"],
     "If the app is registered with another service than Microsoft’s, name its kind: '--kind oidc'"),
    (["--client-id", "desktop", "--kind", "oidc", "--authority", "word"], "--authority: The address"),
    (["--client-id", ID, "--scope", "a b"], "--scope: "),
    (["--client-id", ID, "--scope", ""], "The value of --scope cannot be used. The value is empty."),
    (["--client-id", ID, "--kind", "saml"], "--kind"),
    (["--client-id", "desktop", "--kind", "oidc"], "--authority: enter the address of the sign-in service"),
    (["--client-id", ID, "--authority", B2C], "--api: "),
    (["--client-id", ID, "--api", "http://api.example"], "--api: "),
    (["--client-id", ""], "--client-id"),
    (["--client-id", ID, "--ca-file", "/no/such/ca.pem"],
     "--ca-file: The CA file /no/such/ca.pem cannot be used: it cannot be opened"),
    (["--client-id", ID, "--ca-file", "/dev/null"], "--ca-file: The CA file /dev/null cannot be used"),
    (["--client-id", ID, "--ca-file", ""], "--ca-file"),
    ([], "Specify --client-id, or a file that describes the app."),
    (["/no/such/file"], "The file “/no/such/file” cannot be read"),
    (["/dev/null"], "no application (client) ID was found"),
], ids=[
    "id", "name", "blanks", "blank", "line break", "long name", "authority", "tenant", "comma", "comma in a domain",
    "address", "cloud", "provider", "word", "scope", "no scope", "kind", "no authority", "no API", "API", "empty",
    "no CA file", "CA file", "no name of a CA file", "nothing",
    "file", "text",
])
def test_a_value_that_does_not_fit_changes_nothing(cli, emulator, arguments, reason):
    cli.connect_to(emulator.connection("Contoso"))
    before = cli.connections.read_text()
    result = cli("app", "add", *arguments)
    assert result.status == 64 and reason in result.err, result
    assert cli.connections.read_text() == before


@pytest.mark.parametrize("name", ["Contoso", "My other app", "-x", "it's"])
def test_a_name_that_is_taken_can_be_freed_by_the_advised_command(cli, emulator, name):
    cli.connect_to(emulator.connection("First"), emulator.connection(name))
    add = ["app", "add", "--client-id", ID, f"--name={name}"]
    step = cli(*add, "--json").error["nextStep"]
    command = re.fullmatch(r"Remove it first: 'entrancectl (.*)', or choose another name\.", step)[1]
    cli.ok(*shlex.split(command))
    cli.ok(*add)


def test_a_damaged_file_is_not_changed(cli):
    cli.write_connections("{ broken")
    result = cli("app", "add", "--client-id", ID)
    assert result.status == 1 and f"There is an error in {cli.connections}" in result.err
    assert cli.connections.read_text() == "{ broken"


# For everyone of the computer


def test_apps_of_an_administrator_come_after_ones_own(cli, everyone):
    everyone({"name": "Company", "clientID": ID}, {"name": "Mine", "clientID": ID})
    assert names(cli) == ["Company", "Mine"]
    # As somebody has written it, before or after the administrator.
    cli.connect_to({"name": "Mine", "clientID": OTHER_ID})
    apps = cli.ok("app", "--json").json["apps"]
    assert [(app["name"], app["clientID"], app["isReadOnly"]) for app in apps] == [
        ("Mine", OTHER_ID, False), ("Company", ID, True)]


def test_no_new_app_hides_one_of_an_administrator(cli, everyone):
    everyone({"name": "Company", "clientID": ID}, {"name": "My App", "clientID": ID})
    refused = cli("app", "add", "--client-id", OTHER_ID, "--name", "Company")
    assert refused.status == 64 and "--name: another app has the same name.\nChoose another name.\n" in refused.err
    assert names(cli) == ["Company", "My App"] and not cli.connections.exists()
    # A name that nobody chose is another one.
    described = json.dumps({"appId": OTHER_ID, "displayName": "Company"})
    cli.ok("app", "add", "-", input=described)
    cli.ok("app", "add", "--client-id", OTHER_ID)
    assert names(cli) == ["Company 2", "My App 2", "Company", "My App"]


def test_apps_of_an_administrator_cannot_be_removed(cli, everyone):
    path = everyone({"name": "Company", "clientID": ID})
    before = path.read_text()
    result = cli("app", "remove", "Company")
    assert result.status == 1
    assert "set up by your administrator for everyone of this computer" in result.err
    assert path.read_text() == before


def test_one_can_sign_in_with_an_app_of_an_administrator(cli, everyone, emulator, keyring, person):
    everyone(emulator.connection("Company"))
    cli.ok("sign-in")
    assert cli.ok("token").out.startswith("eyJ")


def test_a_damaged_file_of_an_administrator_takes_no_own_app_away(cli, everyone, emulator):
    path = everyone(text="{ broken")
    cli.connect_to(emulator.connection("Contoso"))
    assert names(cli) == ["Contoso"]
    result = cli("doctor")
    assert result.status == 1
    assert f"✗ There is an error in {path}: line 1" in result.out
    assert "→ Ask your administrator to correct it." in result.out


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can make another user's file")
def test_a_file_that_others_can_change_is_reported(cli, everyone):
    path = everyone({"name": "Company", "clientID": ID})
    os.chown(path, 65534, 65534)
    assert f"Other users of this computer can change {path}" in cli("accounts").err


def test_an_older_error_of_the_file_is_not_that_of_the_new_app(cli):
    cli.write_connections(
        '{"version": 1, "apps": [\n'
        f'  {{"name": "Old", "clientID": "{ID}", "authority": "https://login.microsoftonline.com/common",\n'
        '   "scopes": "User.Read"}]}')
    result = cli("app", "add", "--client-id", OTHER_ID, "--scope", "User.Read", "--json")
    assert result.status == 1 and result.error["code"] == "invalidApps", result
    assert "--scope" not in result.error["message"] and str(cli.connections) in result.error["message"]
    assert result.error["details"] == {"line": 3, "field": "apps[0].scopes"}
    # What is wrong with the new one is that of its option.
    cli.connections.unlink()
    result = cli("app", "add", "--client-id", OTHER_ID, "--api", "http://api.contoso.example", "--json")
    assert result.status == 64 and "--api" in result.error["message"], result


def test_a_file_that_cannot_be_written_has_no_error(cli, emulator):
    cli.connect_to(emulator.connection("Contoso"), emulator.connection("Other"))
    before = cli.connections.read_text()
    for command in (["add", "--client-id", OTHER_ID], ["remove", "Contoso"]):
        result = run(cli, "app", *command, preexec_fn=no_room)
        assert result.returncode == 1, result
        assert f"The file “{cli.connections}” was not written: " in result.stderr
        assert "There is an error in" not in result.stderr and "Correct the file" not in result.stderr
        assert cli.connections.read_text() == before
