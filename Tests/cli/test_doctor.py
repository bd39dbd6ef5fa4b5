"""The checks of the doctor command."""

import os
import subprocess
from pathlib import Path

import pytest

from other_time import OtherTime
from test_programs import set_policy


def states(result) -> dict[str, str]:
    assert result.status == (1 if result.json["problems"] else 0)
    for entry in result.json["checks"]:
        # Who can change a file is said with what to do.
        if entry["name"] != "appsFile":
            assert bool(entry["advice"]) == (entry["state"] in ("problem", "warning")), entry
    return {check["name"]: check["state"] for check in result.json["checks"]}


def check(result, name: str) -> dict:
    return next(check for check in result.json["checks"] if check["name"] == name)


def test_no_problems(cli, keyring, person):
    result = cli("doctor", "--json")
    found = states(result)
    for name in (
        "app", "sessionBus", "keyring", "certificateAuthorities", "signInService", "clock",
        "browser",
    ):
        assert found[name] == "ok", check(result, name)
    assert found["broker"] == "absent"
    assert set(found) >= {"webKit", "sandbox", "proxy"}

    plain = cli("doctor")
    assert plain.status == result.status
    assert "✓ The keyring is available and unlocked\n" in plain.out
    assert "– There is no identity broker" in plain.out
    assert plain.err == ""


def test_locked_keyring_stays_locked(cli, keyring):
    keyring.lock()
    result = cli("doctor", "--json")
    found = check(result, "keyring")
    assert (found["state"], found["mark"]) == ("problem", "✗")
    assert "locked" in found["message"] and found["advice"]
    assert keyring.is_locked()
    plain = cli("doctor")
    assert plain.status == 1
    assert "✗ The keyring is locked.\n  → Log in to the desktop with your password, or unlock" in plain.out


def test_no_keyring(cli):
    found = check(cli("doctor", "--json"), "keyring")
    assert found["state"] == "problem" and "gnome-keyring" in found["advice"]


def test_no_session_bus(cli, home):
    cli.environment |= {
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/none", "XDG_RUNTIME_DIR": str(home)}
    result = cli("doctor", "--json")
    assert states(result)["sessionBus"] == "problem"
    assert states(result)["keyring"] == "problem"


def test_broker(cli, keyring, session):
    session.add_service(
        "com.microsoft.identity.broker1",
        "[D-BUS Service]\nName=com.microsoft.identity.broker1\nExec=/bin/false\n")
    found = check(cli("doctor", "--json"), "broker")
    assert found["state"] == "warning" and found["advice"], "a broker that does not start is a warning"
    (session.directory / "services" / "com.microsoft.identity.broker1.service").unlink()
    session.reload_services()


def test_service_that_does_not_answer(cli, keyring, emulator):
    emulator.stop()
    result = cli("doctor", "--json")
    assert states(result)["signInService"] == "problem"
    assert states(result)["clock"] == "absent"
    assert result.status == 1


def test_service_that_does_not_know_the_authority(cli, keyring, emulator):
    authority = emulator.base + "/unknown.example"
    cli.connect_to(emulator.connection("Contoso") | {"authority": authority, "knownAuthorities": [authority]})
    result = cli("doctor", "--json")
    assert result.status == 1
    found = check(result, "signInService")
    assert found["state"] == "problem" and f"does not know {authority} (HTTP 4" in found["message"], found
    assert "'authority'" in found["advice"]


def test_without_a_display_the_way_in_is_that_of_the_app(cli, emulator):
    cli.connect_to(emulator.connection("Contoso"), emulator.connection("Other"))
    found = check(cli("doctor", "--app", "Other", "--json"), "browser")
    assert "'entrancectl sign-in --device-code --app Other' works without one" in found["message"]


def test_untrusted_service(cli, keyring, emulator):
    connection = emulator.connection("Contoso")
    del connection["caFile"]
    cli.connect_to(connection)
    found = check(cli("doctor", "--json"), "signInService")
    assert found["state"] == "problem" and "caFile" in found["advice"]


def test_invalid_ca_file(cli, keyring, emulator, home):
    path = home / "ca.pem"
    path.write_text("nothing\n")
    cli.connect_to(emulator.connection("Contoso") | {"caFile": str(path)})
    found = check(cli("doctor", "--json"), "certificateAuthorities")
    assert found["state"] == "problem" and str(path) in found["message"]


def test_without_connections_microsoft_is_checked(cli, keyring):
    """A missing proxy simulates no network; its password is not printed."""
    cli.connections.unlink()
    cli.environment["https_proxy"] = "http://someone:password-canary@127.0.0.1:9"
    result = cli("doctor", "--json")
    assert states(result)["app"] == "problem"
    assert check(result, "proxy")["message"] == "Proxy: http://…@127.0.0.1:9 (https_proxy)"
    assert states(result)["signInService"] == "problem"
    assert "canary" not in result.out + result.err


@pytest.mark.parametrize("value, shown", [
    ("http://proxy.example:3128", "http://proxy.example:3128"),
    ("proxy.example:3128/", "proxy.example:3128"),
    ("socks5h://[::1]:1080", "socks5h://[::1]:1080"),
    ("someone:canary@proxy.example:3128", "…@proxy.example:3128"),
    ("http://someone:can@canary@proxy.example", "http://…@proxy.example"),
    ("http://proxy.example:3128/?token=canary", "http://proxy.example:3128/…"),
    ("http://proxy.example#canary", "http://proxy.example/…"),
    ("http://someone:can/canary@proxy.example:3128", "…"),
    ("http://someone:can#canary@proxy.example:3128", "…"),
    ("http://proxy.example/?user=me@canary.example", "…"),
    ("http://canary canary", "…"),
    ("canary=canary", "…"),
    ("http://proxy.example\x1b[2Jcanary", "…"),
])
def test_proxy_without_secrets(cli, value, shown):
    cli.connections.unlink()
    cli.environment["https_proxy"] = value
    result = cli("doctor", "--json")
    assert check(result, "proxy")["message"] == f"Proxy: {shown} (https_proxy)"
    assert "canary" not in result.out + result.err


def test_proxy_of_the_desktop(cli, keyring, home):
    """The desktop's network settings are used if the environment names no proxy."""
    cli.connections.unlink()
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        "[system/proxy]\nmode='manual'\n"
        "[system/proxy/https]\nhost='127.0.0.1'\nport=9\n")
    cli.environment |= {"GSETTINGS_BACKEND": "keyfile", "XDG_CURRENT_DESKTOP": "GNOME"}
    result = cli("doctor", "--json")
    assert check(result, "proxy")["message"] == "Proxy: http://127.0.0.1:9 (the desktop’s settings)"
    assert "proxy" in check(result, "signInService")["message"]


def test_no_sandbox(cli, keyring):
    cli.environment["PATH"] = "/nonexistent"
    found = check(cli("doctor", "--json"), "sandbox")
    assert found["state"] == "problem" and "bubblewrap" in found["advice"]


def test_no_sandbox_is_needed_without_the_window(cli, keyring, home):
    """On a server, for example, which has only this command."""
    program = home / "entrancectl"
    program.write_bytes(cli.program.read_bytes())
    program.chmod(0o755)
    cli.program = program
    cli.environment["PATH"] = "/nonexistent"
    found = check(cli("doctor", "--json"), "sandbox")
    assert found["state"] == "absent" and "bwrap" in found["message"] and not found["advice"]
    # The window can be elsewhere.
    directory = home / "bin"
    directory.mkdir()
    (directory / "entrance").touch(0o755)
    cli.environment["PATH"] = str(directory)
    found = check(cli("doctor", "--json"), "sandbox")
    assert found["state"] == "problem" and "bubblewrap" in found["advice"]


@pytest.mark.parametrize(
    "offset, state, words",
    [(-3600, "problem", "3600 seconds fast"), (3600, "problem", "3600 seconds slow"),
     (-240, "ok", "The clock is correct"), (240, "ok", "The clock is correct")])
def test_clock(cli, keyring, home, offset, state, words):
    """Microsoft's services tolerate five minutes."""
    service = OtherTime(home, offset)
    try:
        cli.connect_to(service.connection)
        found = check(cli("doctor", "--json"), "clock")
    finally:
        service.stop()
    assert found["state"] == state
    # The result may vary by a second.
    message = found["message"]
    for seconds in ("3599", "3601", "3602"):
        message = message.replace(seconds, "3600")
    assert words in message
    assert state == "ok" or "timedatectl" in found["advice"]


def test_the_caches_of_other_programs_are_found(cli, home):
    assert states(cli("doctor", "--json"))["otherCache"] == "absent"
    for name in (".azure/msal_token_cache.json", ".azure/msal_token_cache.sig", ".gcm/msal.cache"):
        file = Path(cli.environment["HOME"]) / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
        os.utime(file, (1_790_000_000 + len(name), 1_790_000_000 + len(name)))
    os.utime(
        Path(cli.environment["HOME"]) / ".azure/msal_token_cache.sig", (1_800_000_000,) * 2)
    found = [
        entry["message"] for entry in cli("doctor", "--json").json["checks"]
        if entry["name"] == "otherCache"]
    directory = cli.environment["HOME"]
    assert found == [
        "Azure CLI last kept its tokens in the keyring’s item “Microsoft Azure CLI”, with the file"
        f" {directory}/.azure/msal_token_cache.sig; with other settings, or in another version, in"
        f" the file {directory}/.azure/msal_token_cache.json",
        "Git Credential Manager keeps its tokens in the keyring’s item “msal.cache”, with the file"
        f" {directory}/.gcm/msal.cache",
    ]


def test_denied_programs_are_reported(cli):
    cli.ok("programs", "deny", "/usr/bin/git")
    message = check(cli("doctor", "--json"), "programs")
    assert message["state"] == "warning" and "git" in message["message"]
    assert message["advice"] == "To allow it, run 'entrancectl programs allow /usr/bin/git'."


def test_no_program_is_looked_at_while_the_apps_are_not_known(cli, home, installed):
    """It would be said to ask for tokens of an app that does not exist."""
    installed("git")
    assert programs(cli("doctor", "--json"))
    cli.write_connections("{")
    result = cli("doctor", "--json")
    assert check(result, "app")["state"] == "problem" and programs(result) == []


# Programs


def programs(result) -> list[tuple[str, str]]:
    return [
        (entry["state"], entry["message"]) for entry in result.json["checks"]
        if entry["name"] == "program"]


@pytest.fixture
def installed(cli, home):
    """A directory of programs, which are all that can be found by their names."""
    directory = home / "installed"
    directory.mkdir()
    cli.environment["PATH"] = str(directory)

    def install(*names: str):
        for name in names:
            program = directory / name
            program.write_text("#!/bin/sh\ntouch \"$0.was-run\"\n")
            program.chmod(0o755)
    return install


def write(home, name: str, text: str):
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_programs_that_are_not_installed_are_named(cli, installed):
    [(state, message)] = programs(cli("doctor", "--json"))
    assert state == "absent"
    assert message == (
        "Not installed: git, kubectl, docker, podman, mutt, neomutt, msmtp, mbsync, aerc, offlineimap,"
        " getmail, az")


RECIPES = {
    "kubectl": (
        ".kube/config",
        "users:\n- user:\n    token: canary\n    exec:\n      command: entrancectl\n      args:\n"
        "      - credential\n      - kubectl\n      - --app\n      - Contoso\n"),
    "docker": (".docker/config.json", '{"auths": {"x": {"auth": "canary"}}, "credHelpers": {"x.azurecr.io": "entrance"}}'),
    "podman": ("config/containers/auth.json", '{"credHelpers": {"x.azurecr.io": "entrance"}}'),
    "mutt": (".muttrc", 'set my_token = "entrancectl token --app Contoso"\nset imap_pass = "canary"\n'),
    "neomutt": ("config/neomutt/neomuttrc", 'set my_token = "/usr/bin/entrancectl token"\n'),
    "msmtp": (".msmtprc", "password canary\npasswordeval entrancectl token --app Contoso\n"),
    "mbsync": (".mbsyncrc", 'PassCmd "entrancectl token --app Contoso --no-input"\n'),
    "aerc": ("config/aerc/accounts.conf", "source-cred-cmd = entrancectl token --app Contoso\n"),
    "offlineimap": (
        ".offlineimap.py", 'subprocess.check_output(\n    ["entrancectl", "token", "--app", "Contoso"])\n'),
    "getmail": (
        "config/getmail/getmailrc", 'password_command = ("entrancectl", "token", "--app", "Contoso")\n'),
}


@pytest.mark.parametrize("name", RECIPES)
def test_the_token_that_a_program_would_get_is_reported(cli, installed, home, name):
    installed(name)
    page = "entrancectl" if name in ("kubectl", "docker", "podman") else "entrance-mail"
    absent = ("absent", f"{name} is not set up to ask Entrance; 'man {page}' shows how")
    assert absent in programs(cli("doctor", "--json"))
    path, text = RECIPES[name]
    if not text.startswith("{"):
        write(home, path, "".join(f"  # {line}\n" for line in text.splitlines()))
        assert absent in programs(cli("doctor", "--json"))
    write(home, path, text)
    result = cli("doctor", "--json")
    assert ("ok", f"{name} gets tokens of the app “Contoso” from Entrance") in programs(result)
    assert "canary" not in result.out + result.err
    assert not (home / "installed" / f"{name}.was-run").exists()
    cli.ok("programs", "deny", str(home / "installed" / name))
    result = cli("doctor", "--json")
    assert ("warning", f"{name} asks Entrance for tokens, and you denied it.") in programs(result)
    assert f"programs allow {home}/installed/{name}" in check(result, "program")["advice"]


def test_kubectl_gets_no_token_without_an_app_for_its_service(cli, installed, home, emulator):
    installed("kubectl")
    path, text = RECIPES["kubectl"]
    first = text.replace("      - --app\n      - Contoso\n", "")
    none = ("warning", "kubectl asks Entrance for tokens, and gets none.")
    write(home, path, first)
    result = cli("doctor", "--json")
    assert none in programs(result)
    advice = check(result, "program")["advice"]
    assert "No app signs in with Microsoft Entra ID in the cloud of Azure Kubernetes Service." in advice
    assert "entrancectl app add" in advice and "--app" in advice
    # Tokens for other scopes are the first app's.
    write(home, path, f"{first}      - --scope\n      - api://cluster/.default\n")
    assert ("ok", "kubectl gets tokens of the app “Contoso” from Entrance") in programs(cli("doctor", "--json"))

    authority = emulator.base + "/id"
    own = {"authority": authority, "knownAuthorities": [authority], "authorityKind": "oidc"}
    cluster = {"scopes": ["6dae42f8-4368-4678-94ff-3960e28e3630/.default"]}
    cli.connect_to(
        emulator.connection("Contoso"), emulator.connection("Own") | own, emulator.connection("Cluster") | cluster)
    write(home, path, text.replace("Contoso", "Own"))
    result = cli("doctor", "--json")
    assert none in programs(result)
    assert "“Own” does not sign in with Microsoft Entra ID" in check(result, "program")["advice"]
    write(home, path, first)
    assert ("ok", "kubectl gets tokens of the app “Cluster” from Entrance") in programs(cli("doctor", "--json"))


@pytest.mark.parametrize("name, service", [
    ("git", "Azure Repos"), ("docker", "Azure Container Registry"), ("podman", "Azure Container Registry")])
def test_git_and_docker_get_no_token_without_an_app_for_azure(cli, installed, home, emulator, name, service):
    """Of a server of one's own, and without an API of one's own."""
    app = emulator.connection("Contoso") | {"api": "https://graph.microsoft.com/v1.0/me"}
    if name == "git":
        cli.environment |= {"PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(
            ["git", "config", "--global", "credential.helper", "entrance"], env=cli.environment, check=True)
    else:
        installed(name)
        write(home, *RECIPES[name])
    for apps, expected in (
            ([app], ("warning", f"{name} asks Entrance for tokens, and gets none.")),
            ([app, emulator.connection("Own")], ("ok", f"{name} gets tokens of the app “Own” from Entrance"))):
        cli.connect_to(*apps)
        result = cli("doctor", "--json")
        assert expected in programs(result)
        advice = next(entry["advice"] for entry in result.json["checks"] if entry["message"] == expected[1])
        assert (f"No app signs in with Microsoft Entra ID in the cloud of {service}." in (advice or "")) == (
            expected[0] == "warning")


def test_a_missing_app_is_reported(cli, installed, home):
    installed("msmtp")
    write(home, ".msmtprc", "passwordeval entrancectl token --app Mail\n")
    result = cli("doctor", "--json")
    assert (
        "warning", "msmtp asks Entrance for tokens of the app “Mail”, which does not exist."
    ) in programs(result)
    assert "'entrancectl app add --client-id ID --name Mail'" in check(result, "program")["advice"]


@pytest.mark.parametrize("name, path, text", [
    ("msmtp", ".msmtprc", 'passwordeval entrancectl token --app "My App" --no-input\n'),
    ("msmtp", ".msmtprc", "passwordeval entrancectl token --app=My\\ App\n"),
    ("mutt", ".muttrc", 'set imap_oauth_refresh_command = "entrancectl token --app=\'My App\'"\n'),
    ("aerc", "config/aerc/accounts.conf", "source-cred-cmd = entrancectl token --app 'My App'\n"),
    ("getmail", "config/getmail/getmailrc",
     'password_command = ("entrancectl", "token", "--app", "My App")\n'),
    ("kubectl", ".kube/config",
     "users:\n- user:\n    exec:\n      command: entrancectl\n      args:\n      - credential\n"
     "      - kubectl\n      - --app\n      - My App\n"),
])
def test_the_name_of_an_app_can_have_blanks(cli, installed, home, emulator, name, path, text):
    installed(name)
    cli.connect_to(*(emulator.connection(app) for app in ("Contoso", "My", "My App")))
    write(home, path, text)
    expected = ("ok", f"{name} gets tokens of the app “My App” from Entrance")
    assert expected in programs(cli("doctor", "--json"))


@pytest.mark.parametrize("variable, path", [
    (None, ".docker/config.json"), ("DOCKER_CONFIG", "docker/config.json"),
    ("XDG_RUNTIME_DIR", "runtime/containers/auth.json")])
def test_podman_reads_the_file_of_docker_and_one_for_this_session(cli, installed, home, variable, path):
    """containers-auth.json(5) lists the files."""
    installed("podman")
    if variable:
        cli.environment[variable] = str(home / path.split("/")[0])
    write(home, path, '{"credHelpers": {"x.azurecr.io": "entrance"}}')
    expected = ("ok", "podman gets tokens of the app “Contoso” from Entrance")
    assert expected in programs(cli("doctor", "--json"))


@pytest.mark.parametrize("helper", [
    ("credential.helper", "entrance"),
    ("credential.https://dev.azure.com.helper", "!/opt/bin/entrancectl credential git")])
def test_git_is_asked_for_its_helper(cli, home, helper):
    cli.environment["PATH"] = "/usr/bin:/bin"
    cli.environment["GIT_CONFIG_NOSYSTEM"] = "1"
    absent = "git is not set up to ask Entrance; 'man entrancectl' shows how"
    assert ("absent", absent) in programs(cli("doctor", "--json"))
    subprocess.run(["git", "config", "--global", *helper], env=cli.environment, check=True)
    assert ("ok", "git gets tokens of the app “Contoso” from Entrance") in programs(cli("doctor", "--json"))
    set_policy(cli, "ask")
    assert (
        "ok", "git asks Entrance for tokens of the app “Contoso”; you are asked first"
    ) in programs(cli("doctor", "--json"))
    set_policy(cli, "deny")
    assert (
        "warning", "git asks Entrance for tokens, and gets none.") in programs(cli("doctor", "--json"))


def test_git_gets_the_tokens_of_the_app_for_azure_repos(cli, home, emulator):
    cli.environment |= {"PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
    repos = {"scopes": ["499b84ac-1321-427f-aa17-267ca6975798/.default"]}
    cli.connect_to(emulator.connection("Contoso"), emulator.connection("Repos") | repos)
    subprocess.run(
        ["git", "config", "--global", "credential.helper", "entrance"], env=cli.environment, check=True)
    assert ("ok", "git gets tokens of the app “Repos” from Entrance") in programs(cli("doctor", "--json"))


def test_azure_cli_may_share_its_cache(cli, installed, emulator):
    installed("az")
    assert ("absent", "az signs in by itself; an app with its token cache would share its tokens") in programs(
        cli("doctor", "--json"))
    cli.connect_to(emulator.connection("Contoso") | {"cache": {"preset": "az"}})
    assert ("ok", "az shares its tokens with the app “Contoso”") in programs(cli("doctor", "--json"))


def test_a_program_gets_tokens_of_the_app_that_it_was_allowed(cli, installed, home):
    installed("msmtp")
    write(home, ".msmtprc", "passwordeval entrancectl token --app Contoso\n")
    set_policy(cli, "ask")
    for decision in ("deny", "allow"):
        cli.ok("programs", decision, str(home / "installed" / "msmtp"))
    assert (
        "ok", "msmtp asks Entrance for tokens of the app “Contoso”; you are asked first"
    ) in programs(cli("doctor", "--json"))
