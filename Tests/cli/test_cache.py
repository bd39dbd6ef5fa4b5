"""The token cache of a connection: show, export and import; Entrance's own, a file, and a
keyring item.
"""

import base64
import json
import os
import pty
import stat
import subprocess

import pytest
from terminal import shown

ADELE = "adele@contoso.example"


def secrets(text: str) -> list[str]:
    """The secrets of a cache in MSAL's schema."""
    return [entry["secret"] for section in json.loads(text).values() if isinstance(section, dict)
            for entry in section.values() if isinstance(entry, dict) and "secret" in entry]


@pytest.fixture
def shared(cli, emulator, home):
    """The command line with a connection that shares a file, and one that does not."""
    (home / "shared").mkdir(mode=0o700)
    path = home / "shared" / "cache.json"
    cli.connect_to(
        emulator.connection("Shared") | {"cache": {"path": str(path)}},
        emulator.connection("Own"))
    cli.path = path
    return cli


def test_show(signed_in, emulator):
    plain = signed_in.ok("cache", "show").out
    assert plain.startswith("The token cache is Entrance’s own.\n\n" + ADELE)
    assert "    refresh token\n" in plain and "    access token for " in plain
    result = signed_in.ok("cache", "show", "--json").json
    [account] = result["accounts"]
    assert account["username"] == ADELE
    [app] = account["apps"]
    assert app["clientID"] == emulator.description["clientID"]
    assert app["refreshToken"] is True and app["familyID"] is None
    [token] = app["accessTokens"]
    assert "User.Read" in token["scopes"] and token["tokenType"] == "Bearer"
    assert token["isExpired"] is False and token["expiresOn"].endswith("Z")
    assert result["tokensOfNoAccount"] == 0
    for secret in secrets(signed_in.start("cache", "export").communicate()[0]):
        assert secret not in signed_in.printed


def test_show_of_an_empty_cache(cli, keyring):
    assert cli.ok("cache", "show").out == (
        "The token cache is Entrance’s own.\nThe cache contains no accounts.\n")
    assert cli.ok("cache", "show", "--json").json["accounts"] == []
    assert cli.ok("cache", "export").json == {}


@pytest.mark.parametrize("text", ["", "\n", "{}", '{"Account": {}, "AccessToken": {}}'])
def test_an_import_without_an_account_has_failed(cli, keyring, text):
    """As where the export before the pipe failed."""
    result = cli("cache", "import", input=text)
    assert result.status == 1 and result.out == ""
    assert result.err.startswith("entrancectl: No accounts were found.\nCheck the program that wrote the cache")
    assert cli("cache", "import", "--json", input=text).error["code"] == "noTokenCache"


def test_an_import_for_an_app_that_is_not_here(signed_in, emulator):
    export = signed_in.start("cache", "export").communicate()[0]
    own = emulator.description["clientID"]
    said = "No app here has the client ID {}, so nothing can use these tokens until you add one: 'entrancectl app add"
    assert "No app here" not in signed_in.ok("cache", "import", input=export).out
    other = "5b0d2f7e-8c41-4a96-b3d8-0e6f1c29a754"
    out = signed_in.ok("cache", "import", input=export.replace(own, other)).out
    assert f"was imported, for the app {other}\n" in out
    assert f"{said.format(other)} --client-id ID'." in out


def test_export_to_a_file(signed_in, home):
    path = home / "export.json"
    assert signed_in.ok("cache", "export", "-o", str(path)).out == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(secrets(path.read_text())) == 3
    path.write_text("mine")
    refused = signed_in("cache", "export", "-o", str(path), "--json").error
    assert refused["code"] == "fileNotWritten" and "it already exists" in refused["message"]
    assert path.read_text() == "mine"
    result = signed_in.ok("cache", "export", "--output", str(path), "--force", "--json").json
    assert result == {"path": str(path)}
    assert len(secrets(path.read_text())) == 3
    assert sorted(file.name for file in home.iterdir() if file.name.startswith("export")) == [
        "export.json"]


def test_an_earlier_export_stays_when_no_keyring_is_found(cli, home):
    """Accounts can be in a keyring, which a job of cron does not find."""
    path = home / "export.json"
    path.write_text("earlier")
    error = cli("cache", "export", "-o", str(path), "--force", "--json").error
    assert error["code"] == "storageUnavailable" and "there is no keyring service" in error["message"]
    assert path.read_text() == "earlier"


def test_export_refuses_a_terminal(signed_in):
    ours, theirs = pty.openpty()
    command = [signed_in.program, "cache", "export", "--app", "Contoso"]
    process = subprocess.run(
        command, env=signed_in.environment, stdout=theirs, stderr=subprocess.PIPE, text=True)
    assert process.returncode == 1
    assert "which should not be shown on a screen" in process.stderr
    assert "'entrancectl cache export --app Contoso -o FILE'" in process.stderr
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        os.read(ours, 1)
    process = subprocess.run(
        [*command, "--terminal"], env=signed_in.environment, stdout=theirs, timeout=30)
    assert process.returncode == 0
    assert os.read(ours, 2) == b'{"'


def test_export_gives_a_terminal_no_control_characters(shared, person, keyring):
    shared.ok("sign-in")
    content = json.loads(shared.path.read_text())
    content["Unknown"] = "\x9b31m\x7f"
    shared.path.write_text(json.dumps(content, ensure_ascii=False))
    assert "\\u{9b}31m\\u{7f}" in shown(shared, "cache", "export", "--terminal")


def test_import_of_an_export(signed_in, emulator, keyring, stage, session, home):
    path = home / "export.json"
    signed_in.ok("cache", "export", "-o", str(path))
    assert signed_in.ok("cache", "import", str(path), "--json").json == {
        "accounts": [{
            "result": "unchanged", "username": ADELE,
            "homeAccountID": signed_in.ok("accounts", "--json").json["accounts"][0]["homeAccountID"],
            "clientID": emulator.description["clientID"]}],
        "tokensLeftOut": 0}
    token = signed_in.ok("token").out
    signed_in.ok("sign-out")
    assert signed_in.ok("cache", "show", "--json").json["accounts"] == []
    assert "adele@contoso.example was imported," in signed_in.ok("cache", "import", str(path)).out
    assert signed_in.ok("token").out == token
    assert signed_in.ok("token", "--force-refresh", "--json").json["source"] == "server"


def test_newer_token_is_kept(signed_in):
    new = signed_in.start("cache", "export").communicate()[0]
    content = json.loads(new)
    for entry in content["AccessToken"].values():
        entry |= {"secret": "OLD", "cached_at": str(int(entry["cached_at"]) - 100)}
    old = json.dumps(content)

    def bring_in(text: str) -> list[str]:
        result = signed_in.ok("cache", "import", "-", "--json", input=text).json
        return [account["result"] for account in result["accounts"]]

    token = signed_in.ok("token").out
    assert bring_in(old) == ["unchanged"]
    assert signed_in.ok("token").out == token
    signed_in.ok("sign-out")
    assert bring_in(old) == ["new"]
    assert signed_in.ok("token").out == "OLD\n"
    assert bring_in(new) == ["changed"]
    assert signed_in.ok("token").out == token


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"AccessToken": 7}'])
def test_import_of_an_invalid_file(cli, keyring, home, text):
    path = home / "x.json"
    path.write_text(text)
    error = cli("cache", "import", str(path), "--json").error
    assert error["code"] == "noTokenCache" and str(path) in error["message"]
    assert cli("cache", "import", str(home / "none"), "--json").error["code"] == "usage"


def test_import_of_a_missing_file(cli):
    error = cli("cache", "import", "--from", "word", "--json").error
    assert error["code"] == "usage" and "azure-identity" in error["message"]
    assert cli("cache", "import", "--from", "az", "file").status == 64


def test_connection_with_a_shared_file(shared, person, keyring):
    """An account that signs in with it is in the file, and not in the keyring."""
    shared.ok("sign-in")
    assert keyring.items() == []
    content = json.loads(shared.path.read_text())
    assert [account["username"] for account in content["Account"].values()] == [ADELE]
    assert str(shared.path) in shared.ok("cache", "show").out
    assert shared.ok("token").status == 0
    findings = {check["name"]: check for check in shared("doctor", "--json").json["checks"]}
    assert str(shared.path) in findings["storage"]["message"]
    # The file is exported byte for byte.
    content["Unknown"] = {"a": [1, 2.50]}
    shared.path.write_text(json.dumps(content, indent=4))
    export = shared.start("cache", "export").communicate()[0]
    assert json.loads(export) == content

    shared.ok("cache", "import", "--app", "Own", str(shared.path))
    assert ADELE in shared.ok("accounts", "--app", "Own").out
    shared.ok("sign-out")
    assert json.loads(shared.path.read_text())["Unknown"] == {"a": [1, 2.50]}
    assert shared.ok("accounts", "--json").json["accounts"] == []
    assert ADELE in shared.ok("accounts", "--app", "Own").out


def test_other_entries_of_a_file_are_kept(shared, keyring, person):
    shared.ok("sign-in", "--app", "Own")
    other = {
        "home_account_id": "a.b", "environment": "login.microsoftonline.com", "client_id": "other",
        "secret": "RT", "credential_type": "RefreshToken"}
    shared.path.write_text(json.dumps({"RefreshToken": {"x": other}, "Other": 1}))
    shared.path.chmod(0o600)
    export = shared.start("cache", "export", "--app", "Own").communicate()[0]
    assert "was imported" in shared.ok("cache", "import", input=export).out
    content = json.loads(shared.path.read_text())
    assert content["Other"] == 1 and other in content["RefreshToken"].values()
    assert len(content["RefreshToken"]) == 2
    assert ADELE in shared.ok("accounts").out
    assert [file.name for file in shared.path.parent.iterdir()] == ["cache.json"]


def test_connection_with_a_shared_keyring_item(cli, person, keyring, emulator, home):
    """Like MSAL.NET: two attributes, a label, and base64."""
    signal = home / "signal"
    cli.connect_to(emulator.connection("N") | {"cache": {
        "schema": "com.contoso.devtools.tokencache", "ignoresSchema": True,
        "attributes": {"Version": "1", "ProductGroup": "MyApps"}, "label": "Contoso's tools",
        "encoding": "base64", "signalFile": str(signal)}})
    cli.ok("sign-in")
    assert keyring.items() == [{
        "label": "Contoso's tools",
        "attributes": {
            "Version": "1", "ProductGroup": "MyApps",
            "xdg:schema": "com.contoso.devtools.tokencache"}}]
    secret = subprocess.run(
        ["secret-tool", "lookup", "ProductGroup", "MyApps"], stdout=subprocess.PIPE).stdout
    assert len(secrets(base64.b64decode(secret))) == 3
    assert signal.exists()
    assert "the item “com.contoso.devtools.tokencache”" in cli.ok("cache", "show").out
    keyring.lock()
    error = cli("cache", "show", "--json").error
    assert error["code"] == "storageUnavailable" and "is locked" in error["message"]


def test_import_from_another_program(cli, person, keyring, emulator, home):
    """azure-identity's cache is imported, and stays unchanged."""
    cli.environment["HOME"] = str(home)
    cli.connect_to(
        emulator.connection("Azure") | {"cache": {"preset": "azure-identity"}},
        emulator.connection("Own"))
    cli.ok("sign-in")
    before = keyring.items()
    assert "was imported" in cli.ok(
        "cache", "import", "--app", "Own", "--from", "azure-identity").out
    assert ADELE in cli.ok("accounts", "--app", "Own").out
    assert [item for item in keyring.items() if item in before] == before


def test_usage_error(cli, emulator):
    cli.connect_to(emulator.connection("N") | {"cache": {"preset": "azure"}})
    error = cli("cache", "show", "--json").error
    assert error["code"] == "invalidApps"
    assert error["details"]["field"] == "apps[0].cache.preset"


@pytest.mark.parametrize("kind, text", [
    ("key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----\n"),
    ("UTF-16", json.dumps({"Account": {}}).encode("utf-16").decode("latin-1")),
    ("base64", base64.b64encode(json.dumps({"Account": {}}).encode()).decode()),
    ("null", '{"AccessToken": null}'), ("settings", '{"editor": {"tabs": 2}}')])
def test_file_that_is_no_cache(shared, person, keyring, kind, text):
    """It is left unchanged by every command, and each reports it."""
    shared.path.write_bytes(text.encode("latin-1"))
    shared.path.chmod(0o600)
    def state() -> list:
        stats = [path.stat() for path in (shared.path, shared.path.parent)]
        return [(s.st_ino, s.st_size, s.st_mode, s.st_mtime_ns, s.st_ctime_ns) for s in stats]

    before = state()
    for command in (["cache", "show"], ["accounts"], ["cache", "export"], ["token"]):
        error = shared(*command, "--json").error
        assert error["code"] == "storageUnavailable"
        assert "it is not a token cache" in error["message"], "and was not changed"
    found = {check["name"]: check for check in shared("doctor", "--json").json["checks"]}
    assert found["storage"]["state"] == "problem"
    assert found["storage"]["advice"].startswith("'cache' names a file that is not a token cache.")
    assert state() == before
    assert shared("sign-in").status == 1
    assert shared("cache", "import", "-", input="{}").status == 1
    assert shared.path.read_bytes() == text.encode("latin-1")
    assert [file.name for file in shared.path.parent.iterdir()] == ["cache.json"]


def test_a_cache_that_others_can_read_is_one_all_the_same(shared, person, keyring):
    shared.ok("sign-in")
    shared.path.chmod(0o644)
    found = {check["name"]: check for check in shared("doctor", "--json").json["checks"]}
    assert found["storage"]["state"] == "problem" and str(shared.path) in found["storage"]["message"]
    assert found["storage"]["advice"] == "Until this is corrected, accounts cannot be used or kept."


def test_the_same_account_in_two_clouds(cli, home):
    """The connection determines which one is meant."""
    client = "11111111-2222-3333-4444-555555555555"
    tenant = "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60"
    account = f"3d7a1c58-94b2-4e0f-a6d1-82c5f09e7b34.{tenant}"
    path = home / "cache.json"
    content = {"AccessToken": {}, "Account": {}}
    for cached_at, host in enumerate(["login.microsoftonline.com", "login.microsoftonline.us"]):
        owner = {
            "home_account_id": account, "environment": host, "realm": tenant, "client_id": client}
        content["AccessToken"][host] = owner | {
            "secret": host, "target": "User.Read", "cached_at": f"179000000{cached_at}",
            "expires_on": "9000000000"}
        content["Account"][host] = owner | {"username": ADELE, "authority_type": "MSSTS"}
    path.write_text(json.dumps(content))
    path.chmod(0o600)
    home.chmod(0o700)
    connection = {"clientID": client, "cache": {"path": str(path)}}
    hosts = ["login.microsoftonline.com", "login.microsoftonline.us"]
    cli.connect_to(*(
        connection | {"name": host, "authority": f"https://{host}/common"} for host in hosts))
    for host in hosts:
        for options in ([], ["--account", ADELE], ["--account", account]):
            assert cli.ok("token", "--app", host, *options).out == f"{host}\n"
    cli.ok("sign-out", "--app", hosts[1], "--account", account)
    assert list(json.loads(path.read_text())["Account"]) == hosts[:1]


def test_import_from_azure_cli_with_a_directory_of_its_own(signed_in, home):
    """azure-cli-core's _environment.py: an empty variable counts as none."""
    export = signed_in.start("cache", "export").communicate()[0]
    signed_in.ok("sign-out")
    for name, content in ((".azure", "{}"), ("az", export)):
        (home / name).mkdir(mode=0o700)
        file = home / name / "msal_token_cache.json"
        file.write_text(content)
        file.chmod(0o600)
    signed_in.environment["AZURE_CONFIG_DIR"] = ""
    assert ADELE not in signed_in("cache", "import", "--from", "az").out
    signed_in.environment["AZURE_CONFIG_DIR"] = str(home / "az")
    assert f"{ADELE} was imported" in signed_in.ok("cache", "import", "--from", "az").out
    found = [
        entry["message"] for entry in signed_in("doctor", "--json").json["checks"]
        if entry["name"] == "otherCache"]
    assert found == [f"Azure CLI keeps its tokens in the file {home}/az/msal_token_cache.json"]


def test_import_from_a_missing_program(cli, keyring, home):
    cli.environment["HOME"] = str(home)
    for program in ("az", "azure-identity"):
        error = cli("cache", "import", "--from", program, "--json").error
        assert error["code"] == "noTokenCache" and program in error["message"]
