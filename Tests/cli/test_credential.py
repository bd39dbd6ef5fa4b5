"""Tokens for other programs: in their formats, for git, and for kubectl."""

import base64
import copy
import json
import os
import shlex
import subprocess
import time
import urllib.parse
from pathlib import Path

import pytest
from api import API, Proxy, Reply
from service_programs import PYTHON

INPUT_REQUIRED = os.EX_NOINPUT


@pytest.fixture
def api(signed_in, emulator, home):
    """An API of its own for the app."""
    api = API(home / "api")
    connect(signed_in, emulator, home, api, api=api.url)
    yield api
    api.close()


def connect(cli, emulator, home: Path, service: API, **fields):
    both = home / "authorities.pem"
    both.write_text(Path(emulator.ca.name).read_text() + service.ca_file.read_text())
    cli.connect_to(emulator.connection("Contoso") | {"caFile": str(both)} | fields)


def host(api: API) -> str:
    return f"localhost:{api.server.server_address[1]}"


def git_asks(cli, operation: str, *options: str, **attributes: str):
    lines = [f"{name}={value}\n" for name, value in attributes.items()]
    return cli("credential", "git", operation, *options, input="".join(lines) + "\n")


def answered(result) -> dict[str, str]:
    assert result.status == 0 and not result.err, result
    return dict(line.split("=", 1) for line in result.out.splitlines())


# Formats


def test_a_token_is_printed_in_each_format(signed_in, emulator):
    token = signed_in.ok("token").out.strip()
    document = signed_in.ok("token", "--json").json
    assert signed_in.ok("token", "--format", "raw").out == f"{token}\n"
    assert json.loads(signed_in.ok("token", "--format", "json").out)["accessToken"] == token
    assert signed_in.ok("token", "--format", "header").out == f"Authorization: Bearer {token}\n"
    xoauth2 = base64.b64decode(signed_in.ok("token", "--format", "xoauth2").out, validate=False)
    assert xoauth2.decode() == f"user={emulator.adele.username}\x01auth=Bearer {token}\x01\x01"
    script = signed_in.ok("token", "--format", "env").out + 'echo "$ACCESS_TOKEN $EXPIRES_ON"'
    shown, expiry = subprocess.run(
        ["sh", "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert shown == token
    assert time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(expiry))) == document["expiresOn"]


def test_a_token_that_expires_too_soon_is_renewed(signed_in):
    token = signed_in.ok("token").out
    for time_left in ("5m", "300", "0h", "1s"):
        assert signed_in.ok("token", "--min-lifetime", time_left).out == token
    assert signed_in.ok("token", "--min-lifetime", "3h").out != token


@pytest.mark.parametrize("time_left", ["", "m", "-5m", "5 m", "5d", "1e3", "٣"])
def test_a_lifetime_that_is_no_time_is_refused(signed_in, time_left):
    result = signed_in("token", "--min-lifetime", time_left)
    assert result.status == os.EX_USAGE and "--min-lifetime" in result.err


def test_a_lifetime_of_any_size_is_taken(signed_in):
    assert signed_in.ok("token", "--min-lifetime", "9223372036854775807h").out


def test_the_format_json_has_failures_too(cli, keyring):
    cli.environment["LC_ALL"] = "C.UTF-8"
    for arguments, code in (
            (["--format", "json"], "accountNotFound"), (["--format=json", "--scop"], "usage")):
        result = cli("token", *arguments)
        assert result.error["code"] == code and result.err == ""


def test_two_formats_at_a_time_are_refused(signed_in):
    assert signed_in("token", "--json", "--format", "env").status == os.EX_USAGE


# Without asking


def test_a_locked_keyring_stays_locked(signed_in, keyring):
    keyring.lock()
    error = signed_in("token", "--no-input", "--json").error
    assert (error["code"], error["exitStatus"]) == ("inputRequired", INPUT_REQUIRED)
    assert keyring.is_locked()
    asked = git_asks(
        signed_in, "get", "--no-input", "--app", "Contoso", protocol="https", host="dev.azure.com")
    assert asked.status == INPUT_REQUIRED and not asked.out


def test_a_passphrase_is_not_asked_for(person, session, home):
    person.environment.pop("DBUS_SESSION_BUS_ADDRESS")
    file = home / "passphrase"
    file.write_text("a passphrase\n")
    file.chmod(0o600)
    person.ok("sign-in", "--passphrase-file", str(file))
    error = person.cli("token", "--no-input", "--json").error
    assert (error["code"], error["exitStatus"]) == ("inputRequired", INPUT_REQUIRED)
    assert person.ok("token", "--no-input", "--passphrase-file", str(file)).out.startswith("eyJ")


# Git


def test_git_gets_the_token_with_its_expiry(signed_in, api):
    answer = answered(git_asks(signed_in, "get", protocol="https", host=host(api)))
    document = signed_in.ok("token", "--json").json
    assert answer["password"] == document["accessToken"]
    assert time.strftime(
        "%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(answer["password_expiry_utc"]))) == document["expiresOn"]
    later = git_asks(
        signed_in, "get", **{"capability[]": "authtype"}, protocol="https", host=host(api))
    assert answered(later) == {
        "capability[]": "authtype", "authtype": "Bearer", "credential": document["accessToken"],
        "ephemeral": "1", "password_expiry_utc": answer["password_expiry_utc"]}


@pytest.mark.parametrize(
    "attributes",
    [
        {"protocol": "https", "host": "github.com"},
        {"protocol": "https", "host": "dev.azure.com.contoso.example"},
        {"protocol": "https", "host": "evil.contoso.visualstudio.com"},
        {"protocol": "https", "host": ".visualstudio.com"},
        {"protocol": "https", "host": "contoso.example/dev.azure.com"},
        {"protocol": "http", "host": "dev.azure.com"},
        {"protocol": "ssh", "host": "dev.azure.com"},
        {"protocol": "https"},
        {},
    ])
def test_other_hosts_get_no_answer(signed_in, attributes):
    for operation in ("get", "store", "erase", "capability"):
        assert answered(git_asks(signed_in, operation, **attributes)) == {}


def test_an_api_of_ones_own_gets_no_token_for_a_microsoft_service(cli, keyring, emulator):
    cli.connect_to({
        "name": "Own", "clientID": emulator.description["clientID"], "api": "https://code.example/",
        "scopes": ["api://code/read"]})
    for result in (
            git_asks(cli, "get", "--scope", "User.Read", protocol="https", host="code.example"),
            docker_asks(cli, "get", "code.example", "--scope", "https://graph.microsoft.com/.default")):
        assert result.status == os.EX_USAGE and not result.out, result
        assert "whose tokens are not sent to “code.example”" in result.err
    # With those of the app, only the account is missing.
    assert git_asks(cli, "get", protocol="https", host="code.example").status == os.EX_NOPERM


def test_nothing_is_stored(signed_in, api):
    assert answered(git_asks(signed_in, "store", protocol="https", host=host(api), password="x")) == {}


@pytest.mark.parametrize(
    "text", ["protocol=https\rhost=dev.azure.com\n\n", "protocol\n", "host=a\0b\n", "\udcff\n"])
def test_what_git_does_not_write_is_refused(signed_in, text):
    process = signed_in.start("credential", "git", "get", errors="surrogateescape")
    result = signed_in.finish(process, text)
    assert result.status == os.EX_USAGE and not result.out


def test_a_refused_token_is_renewed(signed_in, api):
    def get() -> str:
        return answered(git_asks(signed_in, "get", protocol="https", host=host(api)))["password"]

    token = get()
    answered(git_asks(signed_in, "erase", protocol="https", host=host(api), password="another"))
    assert get() == token
    answered(git_asks(signed_in, "erase", protocol="https", host=host(api), password=token))
    assert get() != token


def test_the_tenant_of_azure_repos_is_found_and_kept(signed_in, emulator, home):
    service = API(home / "azure", "dev.azure.com")
    tenant = signed_in.ok("token", "--json").json["tenantID"]
    service.fields = {"X-VSS-ResourceTenant": tenant}
    proxy = Proxy(service.server.server_address[1])
    connect(signed_in, emulator, home, service)
    signed_in.environment |= {"https_proxy": proxy.url, "no_proxy": "localhost"}
    token = ""
    try:
        for attributes in ({"path": "Contoso/_git/app"}, {"username": "contoso"}):
            answer = answered(git_asks(
                signed_in, "get", "--app", "Contoso", "--scope", "User.Read", protocol="https",
                host="dev.azure.com", **attributes))
            token = answer["password"]
        assert proxy.hosts == ["dev.azure.com:443"] and service.paths == ["/Contoso"]
        assert "Authorization" not in service.requests[0]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert claims["tid"] == tenant
        answered(git_asks(
            signed_in, "erase", "--app", "Contoso", "--scope", "User.Read", protocol="https",
            host="dev.azure.com", username="contoso", password=token))
        answered(git_asks(
            signed_in, "get", "--app", "Contoso", "--scope", "User.Read", protocol="https",
            host="contoso.visualstudio.com"))
        assert service.paths == ["/Contoso", "/contoso"]
    finally:
        proxy.socket.close()
        service.close()


# Azure's services


ASK = {
    "dev.azure.com": ("credential", "git", "get"), "contoso.visualstudio.com": ("credential", "git", "get"),
    "contoso.azurecr.io": ("credential", "docker", "get"), "Azure Kubernetes Service": ("credential", "kubectl"),
}


def asks_for(cli, service: str, *options: str):
    text = f"{service}\n" if ASK[service][1] == "docker" else f"protocol=https\nhost={service}\n\n"
    return cli(*ASK[service], *options, input=text)


@pytest.mark.parametrize("service", ASK)
def test_the_service_gets_no_token_of_somebodys_own_server(signed_in, emulator, service):
    before = emulator.program_counts()
    result = asks_for(signed_in, service)
    assert result.status == 1 and not result.out, result
    assert f"No app signs in with Microsoft Entra ID in the cloud of {service}." in result.err
    assert "entrancectl app add" in result.err and "--app" in result.err
    assert emulator.program_counts() == before


@pytest.mark.parametrize("service", ASK)
def test_the_service_gets_no_token_of_a_server_of_another_kind(cli, keyring, emulator, service):
    entra = {
        "name": "Work", "clientID": emulator.description["clientID"],
        "authority": "https://login.microsoftonline.us/common" if "azurecr" in service else emulator.base + "/common"}
    entra["knownAuthorities"] = [entra["authority"]]
    entra["api"] = emulator.description["graph"]
    other = emulator.connection("Own") | {
        "authority": emulator.base + "/id", "knownAuthorities": [emulator.base + "/id"], "authorityKind": "oidc",
        "scopes": ["499b84ac-1321-427f-aa17-267ca6975798/x", "https://containerregistry.azure.net/x"]}
    cli.connect_to(other, entra)
    before = emulator.program_counts()
    assert "in the cloud of" in asks_for(cli, service).err
    named = asks_for(cli, service, "--app", "Own")
    assert named.status == os.EX_USAGE and not named.out, named
    assert "“Own” does not sign in with Microsoft Entra ID" in named.err
    assert emulator.program_counts() == before


def test_git_may_forget_what_it_was_not_given(signed_in):
    assert answered(git_asks(signed_in, "erase", protocol="https", host="dev.azure.com", password="x")) == {}
    assert answered(git_asks(signed_in, "store", protocol="https", host="dev.azure.com", password="x")) == {}


# kubectl


def test_the_version_of_kubectl_is_answered(signed_in):
    for information, expected in (
            ("", "client.authentication.k8s.io/v1"),
            ('{"apiVersion": "client.authentication.k8s.io/v1alpha1"}',
             "client.authentication.k8s.io/v1alpha1")):
        signed_in.environment["KUBERNETES_EXEC_INFO"] = information
        answer = signed_in.ok("credential", "kubectl", "--scope", "User.Read").json
        assert (answer["apiVersion"], answer["kind"]) == (expected, "ExecCredential")
        token = signed_in.ok("token", "--scope", "User.Read", "--json").json
        assert answer["status"] == {
            "token": token["accessToken"], "expirationTimestamp": token["expiresOn"]}


@pytest.mark.parametrize("information", ["x", "[]", '{"apiVersion": "v1"}', "[" * 100000])
def test_what_kubectl_does_not_say_is_refused(signed_in, information):
    signed_in.environment["KUBERNETES_EXEC_INFO"] = information
    result = signed_in("credential", "kubectl")
    assert result.status == os.EX_USAGE and not result.out


def test_the_advised_command_signs_in_as_the_program_needs_it(cli, keyring, person, emulator):
    other = emulator.connection("My other app")
    cli.connect_to(emulator.connection("Contoso"), other | {"scopes": ["Mail.Read"]})
    refused = cli("credential", "kubectl", "--app", "My other app", "--scope", "User.Read", "--scope", "Mail.Read")
    assert refused.status == os.EX_NOPERM
    advice = "Sign in: 'entrancectl sign-in --app 'My other app' --scope User.Read --scope Mail.Read'.\n"
    assert refused.err.endswith(advice), refused.err
    _, *arguments = shlex.split(advice.removeprefix("Sign in: '").removesuffix("'.\n"))
    cli.ok(*arguments)
    cli.ok("credential", "kubectl", "--app", "My other app", "--scope", "User.Read", "--scope", "Mail.Read")


def test_an_option_that_was_not_given_is_not_named(signed_in, emulator):
    emulator.prepare_token_reply(400, {
        "error": "invalid_resource", "error_codes": [500011],
        "error_description": "AADSTS500011: The resource principal was not found in the tenant."})
    result = signed_in("credential", "kubectl", "--app", "Contoso")
    assert result.status == 1 and "--scope" not in result.err and "AADSTS500011" in result.err


# Docker


@pytest.fixture
def registry(api):
    api.replies = [Reply(200, body=json.dumps({"refresh_token": "of the registry"}).encode())]
    return api


def docker_asks(cli, operation: str, address: str, *options: str):
    return cli("credential", "docker", operation, *options, input=f"{address}\n")


def test_docker_gets_a_token_of_the_registry(signed_in, registry):
    for address in (host(registry), f"https://{host(registry)}", f"https://{host(registry)}/v2/"):
        registry.replies = [Reply(200, body=json.dumps({"refresh_token": "of the registry"}).encode())]
        answer = json.loads(docker_asks(signed_in, "get", address).out)
        assert answer == {
            "ServerURL": address, "Username": "<token>", "Secret": "of the registry"}
    assert set(registry.paths) == {"/oauth2/exchange"}
    sent = urllib.parse.parse_qs(registry.bodies[-1].decode(), strict_parsing=True)
    account = signed_in.ok("accounts", "--json").json["accounts"][0]
    assert sent == {
        "grant_type": ["access_token"], "service": [host(registry)],
        "tenant": [account["homeAccountID"].split(".")[1]],
        "access_token": [signed_in.ok("token").out.strip()]}


def test_docker_finds_it_by_its_name(signed_in, registry, home):
    helper = home / "docker-credential-entrance"
    helper.symlink_to(signed_in.program)
    answer = subprocess.run(
        [helper, "get"], input=host(registry), env=signed_in.environment, stdout=subprocess.PIPE, text=True,
        check=True, timeout=60).stdout
    assert json.loads(answer)["Secret"] == "of the registry"


@pytest.mark.parametrize("address", [
    "docker.io", "https://index.docker.io/v1/", "evilazurecr.io", "contoso.azurecr.io.evil.example",
    "evil.contoso.azurecr.io",
    "http://contoso.azurecr.io", "user@contoso.azurecr.io", "contoso.azurecr.io\\.evil.example", ""])
def test_other_registries_are_used_without_signing_in(signed_in, registry, address):
    result = docker_asks(signed_in, "get", address)
    # These words are docker's: it goes on without credentials. They are no JSON with --json, either.
    assert docker_asks(signed_in, "get", address, "--json") == result
    assert (result.status, result.out, result.err) == (1, "credentials not found in native keychain\n", "")
    assert not registry.paths


def test_docker_has_nothing_to_store(signed_in, registry):
    assert signed_in.ok("credential", "docker", "list").out == "{}\n"
    for operation in ("store", "erase"):
        result = docker_asks(signed_in, operation, json.dumps({"ServerURL": host(registry)}))
        assert result.status == 0 and not result.out and not result.err
    assert signed_in("credential", "docker", "version").status == os.EX_USAGE
    assert not registry.paths


@pytest.mark.parametrize("request_", [
    json.dumps({"ServerURL": "ghcr.io", "Username": "adele", "Secret": "canary"}),
    json.dumps({"ServerURL": "https://index.docker.io/v1/", "Username": "adele", "Secret": "canary"}),
    json.dumps({"Username": "adele"}), "canary", ""])
def test_docker_is_told_that_a_password_is_not_kept(signed_in, request_):
    """Otherwise docker says that the login succeeded, and the next pull is anonymous."""
    result = docker_asks(signed_in, "store", request_)
    assert result.status == 1 and not result.out, result
    assert "keeps no passwords" in result.err and "'credHelpers'" in result.err
    assert "canary" not in result.err
    assert docker_asks(signed_in, "erase", "ghcr.io").status == 0


def test_docker_that_stores_all_its_passwords_here_is_reported(cli, home):
    """podman, which reads the same file, knows only the helpers of registries: containers-auth.json(5)."""
    for name in ("docker", "podman"):
        (home / name).touch(0o755)
    cli.environment["PATH"] = str(home)
    config = home / ".docker" / "config.json"
    config.parent.mkdir()
    config.write_text('{"credsStore": "entrance", "credHelpers": {"x.azurecr.io": "entrance"}}')

    def found(name: str) -> dict:
        [found] = [
            check for check in cli("doctor", "--json").json["checks"]
            if check["name"] == "program" and check["message"].startswith(f"{name} ")]
        return found

    assert found("docker")["state"] == "warning", found("docker")
    assert "'credHelpers' instead of 'credsStore'" in found("docker")["advice"]
    assert found("podman")["state"] == "ok", found("podman")
    config.write_text('{"credsStore": "entrance"}')
    assert found("podman")["state"] == "absent", found("podman")


@pytest.mark.parametrize("reply, status, words", [
    (Reply(401, body=b'{"errors": [{"code": "UNAUTHORIZED"}]}'), 1, "did not accept the account"),
    (Reply(200, body=b"[]"), 1, "did not accept the account"),
    (Reply(200, body=b"not JSON"), 1, "did not accept the account"),
    (Reply(503), os.EX_TEMPFAIL, "is not available at the moment"),
])
def test_a_refusal_of_the_registry_is_reported(signed_in, registry, reply, status, words):
    registry.replies = [reply]
    result = docker_asks(signed_in, "get", host(registry))
    assert result.status == status and not result.out and words in result.err, result


def test_docker_without_a_network_and_without_an_account(signed_in, registry):
    address = host(registry)
    registry.close()
    assert docker_asks(signed_in, "get", address).status == os.EX_TEMPFAIL
    signed_in.ok("sign-out")
    result = docker_asks(signed_in, "get", address)
    assert result.status == os.EX_NOPERM and not result.out


# The Azure Developer CLI's form


# As azure-identity asks: in Python, .NET, Java and JavaScript; in Go; and earlier.
AZD = ["auth", "token", "--output", "json", "--no-prompt"]
AZD_FORMS = [AZD, ["auth", "token", "-o", "json", "--no-prompt"], ["auth", "token", "--output", "json"]]


@pytest.fixture
def azd(cli, home):
    """The program by the name that Azure's libraries look for."""
    azd = copy.copy(cli)
    azd.program = home / "azd" / "azd"
    azd.program.parent.mkdir()
    azd.program.symlink_to(cli.program)
    return azd


def claims_of(token: str) -> dict:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


@pytest.mark.parametrize("arguments", AZD_FORMS, ids=["most", "go", "earlier"])
def test_azd_gives_a_token_for_the_scopes(signed_in, azd, arguments):
    answer = azd.ok(*arguments, "--scope", "User.Read").json
    token = signed_in.ok("token", "--scope", "User.Read", "--json").json
    assert answer == {"token": token["accessToken"], "expiresOn": token["expiresOn"]}
    # As the libraries parse it: in UTC, without fractions.
    time.strptime(answer["expiresOn"], "%Y-%m-%dT%H:%M:%SZ")
    assert signed_in.ok("credential", "azd", "--scope", "User.Read").json == answer


def test_azd_gives_a_token_of_a_tenant_with_claims(signed_in, azd):
    tenant = signed_in.ok("token", "--json").json["tenantID"]
    answer = azd.ok(*AZD, "--scope", "User.Read", "--tenant-id", tenant).json
    assert claims_of(answer["token"])["tid"] == tenant
    wanted = base64.b64encode(b'{"access_token": {"xms_cc": {"values": ["cp2"]}}}').decode()
    other = azd.ok(*AZD, "--scope", "User.Read", "--tenant-id", tenant, "--claims", wanted).json
    assert other["token"] != answer["token"] and "cp2" in claims_of(other["token"])["xms_cc"]
    unknown = azd(*AZD, "--scope", "User.Read", "--tenant-id", "11111111-2222-3333-4444-555555555555")
    assert unknown.status not in (0, os.EX_USAGE) and not unknown.out and unknown.err, unknown
    unknown = azd(*AZD, "--scope", "User.Read", "--tenant-id", "nosuch.example")
    assert unknown.status == 1 and "This organization does not exist." in unknown.err, unknown
    assert "sign-in'" not in unknown.err and "the options of the command" in unknown.err


def test_azd_is_not_answered_by_an_app_of_another_service(cli, keyring, person, emulator, azd):
    other = emulator.connection("Own") | {
        "clientID": "of-another-server", "authority": emulator.base + "/id",
        "knownAuthorities": [emulator.base + "/id"], "authorityKind": "oidc"}
    cli.connect_to(other, emulator.connection("Contoso"))
    cli.ok("sign-in", "--app", "Contoso")
    token = cli.ok("token", "--app", "Contoso", "--scope", "User.Read", "--json").json["accessToken"]
    assert azd.ok(*AZD, "--scope", "User.Read").json["token"] == token
    assert azd(*AZD, "--scope", "User.Read", "--app", "Own").status == os.EX_NOPERM


def test_azd_renews_a_token_that_expires_too_soon(azd, signed_in):
    first = azd.ok(*AZD, "--min-lifetime", "5m").json
    assert azd.ok(*AZD).json == first
    assert azd.ok(*AZD, "--min-lifetime", "3h").json["token"] != first["token"]


@pytest.mark.parametrize("arguments", [
    ["up"], ["auth", "login"], [*AZD, "--tenant-id", "contoso/../x"], [*AZD, "--tenant-id", ""],
    [*AZD, "--tenant-id", ".."], [*AZD, "--claims", "{}"], [*AZD, "--claims", "eyI="],
    ["auth", "token", "--output", "table"]],
    ids=["command", "login", "tenant", "no tenant", "dots", "claims", "JSON", "format"])
def test_azd_refuses_what_it_cannot_do(signed_in, azd, arguments):
    result = azd(*arguments)
    assert result.status == os.EX_USAGE and not result.out and result.err, result


def test_azd_never_asks(signed_in, azd, keyring):
    keyring.lock()
    result = azd(*AZD, "--scope", "User.Read")
    assert result.status == INPUT_REQUIRED and not result.out
    assert keyring.is_locked()


def test_azd_says_how_to_sign_in_in_words_that_the_libraries_show(cli, keyring, azd):
    """They replace a text with the words of azd by advice for azd, which would not help."""
    result = azd(*AZD, "--scope", "User.Read")
    assert result.status == os.EX_NOPERM and not result.out
    assert result.err.endswith("Sign in: 'entrancectl sign-in'.\n"), result.err
    assert "azd auth login" not in result.err and "not found" not in result.err


# Prints the token, when it expires, and what went wrong.
AZURE_IDENTITY = """
import json, sys
from azure.identity import AzureDeveloperCliCredential
try:
    token = AzureDeveloperCliCredential(process_timeout=60).get_token_info(*sys.argv[1:])
    print(json.dumps([token.token, token.expires_on, ""]))
except Exception as error:
    print(json.dumps(["", 0, str(error)]))
"""


def test_azure_identity_gets_its_tokens_from_it(signed_in, azd):
    """Microsoft's library, unchanged; it takes the time for one of this computer's time zone."""
    environment = azd.environment | {"PATH": f"{azd.program.parent}:{os.environ['PATH']}", "TZ": "UTC"}

    def ask() -> list:
        return json.loads(subprocess.run(
            [PYTHON, "-c", AZURE_IDENTITY, "User.Read"], env=environment, stdout=subprocess.PIPE, check=True,
            timeout=120).stdout)

    token, expires_on, error = ask()
    document = signed_in.ok("token", "--scope", "User.Read", "--json").json
    assert (token, error) == (document["accessToken"], "")
    assert time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(expires_on)) == document["expiresOn"]
    signed_in.ok("sign-out")
    token, _, error = ask()
    assert not token and "entrancectl sign-in" in error and "azd auth login" not in error, error
