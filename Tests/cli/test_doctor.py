"""The checks of the doctor command."""

import pytest

from other_time import OtherTime


def states(result) -> dict[str, str]:
    assert result.status == (1 if result.json["problems"] else 0)
    return {check["name"]: check["state"] for check in result.json["checks"]}


def check(result, name: str) -> dict:
    return next(check for check in result.json["checks"] if check["name"] == name)


def test_no_problems(cli, keyring, person):
    result = cli("doctor", "--json")
    found = states(result)
    for name in (
        "connection", "sessionBus", "keyring", "certificateAuthorities", "signInService", "clock",
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
    assert "✗ The keyring is locked.\n  → Unlock it" in plain.out


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
    assert states(result)["connection"] == "problem"
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
    assert check(result, "proxy")["message"] == "Proxy: http://127.0.0.1:9 (the desktop's settings)"
    assert "proxy" in check(result, "signInService")["message"]


def test_no_sandbox(cli, keyring):
    cli.environment["PATH"] = "/nonexistent"
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
