"""Device info, and shared devices, on the command line."""

import platform
from pathlib import Path

import pytest
from broker import Broker


@pytest.fixture
def broker(session):
    broker = Broker(session).start()
    yield broker
    broker.stop()


@pytest.fixture
def shared(cli, home):
    """The command line with the administrator's setting for a shared device."""
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text("[io/github/entrance/Entrance]\nshared-device=true\n")
    cli.environment["GSETTINGS_BACKEND"] = "keyfile"
    return cli


def test_device(cli):
    system = platform.uname()
    plain = cli.ok("device").out
    assert plain.startswith("Mode: private\n")
    assert f"Kernel: {system.release}\n" in plain
    assert "Identity broker: none\n" in plain
    assert "Compliance: not known: the device ID is not known\n" in plain
    device = cli.ok("device", "--json").json
    assert device["mode"] == "private"
    assert device["kernelVersion"] == system.release
    assert device["architecture"] == system.machine
    assert device["operatingSystemID"] == platform.freedesktop_os_release()["ID"]
    assert device["brokerVersion"] is None
    assert device["deviceID"] is None
    assert device["isCompliant"] is None
    assert device["systemEncryption"] in ("encrypted", "notFound", None)
    firmware = Path(
        "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c")
    if not firmware.exists():
        assert device["isSecureBootOn"] is None


def test_broker(cli, broker):
    assert "Identity broker: 3.0.1\n" in cli.ok("device").out
    assert cli.ok("device", "--json").json["brokerVersion"] == "3.0.1"


def test_shared_device(shared, keyring, person, emulator):
    assert shared.ok("device", "--json").json["mode"] == "shared"
    shared.ok("sign-in")
    person.sits_down(emulator.bram.username)
    shared.ok("sign-in")
    accounts = shared.ok("accounts", "--json").json["accounts"]
    assert [account["username"] for account in accounts] == [emulator.bram.username]

    result = shared.ok("sign-out", "--json")
    assert result.json["signedOutOfBrowser"]
    assert shared.ok("accounts", "--json").json["accounts"] == []
    # The browser has no session of this account any longer.
    count = len(person.pages)
    shared.ok("sign-in", "--account", emulator.bram.username, "--prompt", "if_necessary")
    assert person.pages[count]["name"] == "enter-password"


def test_shared_device_without_a_display(shared, keyring, person):
    shared.ok("sign-in")
    del shared.environment["BROWSER"]
    assert not shared.ok("sign-out", "--json").json["signedOutOfBrowser"]


def test_settings_schema_not_installed(cli, stage, home, session):
    """A copied program has no settings schema, and uses the default mode."""
    program = home / "entrancectl"
    program.write_bytes((stage / "bin" / "entrancectl").read_bytes())
    program.chmod(0o755)
    cli.program = program
    cli.environment |= {"XDG_DATA_DIRS": "/nonexistent", "GSETTINGS_BACKEND": "keyfile"}
    assert cli.ok("device", "--json").json["mode"] == "private"
