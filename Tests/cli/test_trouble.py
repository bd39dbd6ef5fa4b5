"""Messages of the commands when something is missing, locked or wrong."""

import json
import os
import subprocess

import pytest


def test_no_connection(cli, keyring):
    cli.connections.unlink()
    result = cli("accounts")
    assert result.status == 1
    assert "There is no app" in result.err
    assert "'entrancectl app add" in result.err
    assert str(cli.connections) in result.err
    assert cli("token", "--json").error["code"] == "noApp"


def test_unknown_connection(cli, keyring):
    result = cli("accounts", "--app", "Fabrikam")
    assert result.status == os.EX_USAGE
    assert "There is no app called “Fabrikam”." in result.err
    assert "Contoso" in result.err
    assert cli("accounts", "--app", "x", "--json").error["code"] == "usage"


def test_invalid_connections_file(cli, keyring):
    cli.write_connections('{"version": 1, "apps": [\n  {"name": "A",\n   "clientId": "x"}]}')
    error = cli("accounts", "--json").error
    assert error["code"] == "invalidApps"
    assert error["details"]["line"] == 3
    assert "clientID" in error["message"]


def test_no_keyring(cli, person):
    """Without a way to store the account, nobody is asked to sign in."""
    error = cli("sign-in", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "doctor" in error["nextStep"]
    assert not person.log.exists()


def test_without_a_keyring_nobody_has_signed_in_yet(cli):
    """Nothing was kept, which is no failure; where accounts can be nevertheless is said once."""
    absence = "Accounts in a keyring are not found, because there is no keyring service in this session."
    for command in (["token"], ["graph", "/me"]):
        result = cli(*command, "--json")
        assert result.status == os.EX_NOPERM and result.error["code"] == "accountNotFound", result
        assert result.error["nextStep"] == "Sign in: 'entrancectl sign-in'."
        assert result.err == f"entrancectl: {absence}\n"
    # What lists accounts does not say that there are none.
    for command in (["accounts"], ["cache", "show"]):
        result = cli(*command, "--json")
        assert result.status == os.EX_NOPERM and result.err == "", result
        assert (result.error["code"], result.error["message"]) == ("accountNotFound", absence)
        assert result.error["nextStep"] == "Sign in: 'entrancectl sign-in'."
        result = cli(*command)
        assert result.status == os.EX_NOPERM and result.out == ""
        assert result.err == f"entrancectl: {absence}\nSign in: 'entrancectl sign-in'.\n"
    # Who is in the keyring stays signed in.
    result = cli("sign-out")
    assert result.status == os.EX_NOPERM and result.out == ""
    assert absence in result.err and "No account is signed in." in result.err and "Sign in" not in result.err
    result = cli.ok("graph", "explain", "GET", "/me")
    assert "User.Read" in result.out and "signed in" not in result.out and absence in result.err


def test_nobody_has_signed_in_yet_where_no_keyring_is_to_be_used(cli, emulator):
    """No account can be hidden then."""
    cli.connect_to(emulator.connection("Contoso"), storage="encryptedFile")
    assert cli.ok("accounts", "--json").json == {"accounts": []}
    assert cli.ok("accounts").err == "No account is signed in.\n"
    assert cli.ok("cache", "show", "--json").json["accounts"] == []
    assert "No account is signed in." in cli.ok("graph", "explain", "GET", "/me").out


def test_locked_keyring(signed_in, keyring):
    """All commands say that they could not be done, why, and the same way on."""
    keyring.lock()
    steps = set()
    for command in (["token"], ["accounts"], ["sign-out"], ["cache", "show"], ["sign-in"],
                    ["graph", "explain", "GET", "/me", "--account", "adele@contoso.example"]):
        error = signed_in(*command, "--json").error
        assert error["code"] == "storageUnavailable"
        assert error["message"] == "Accounts cannot be read or kept, because the keyring is locked.", command
        steps.add(error["nextStep"])
    assert len(steps) == 1 and "unlock" in steps.pop().lower(), steps


def test_offline(signed_in, emulator):
    emulator.stop()
    signed_in.ok("token")
    error = signed_in("token", "--force-refresh", "--json").error
    assert error["code"] == "networkUnavailable"
    assert "doctor" in error["nextStep"]
    assert error["details"]["correlationID"]
    assert signed_in("graph", "/me", "--json").error["code"] == "networkUnavailable"


def test_offline_sign_in(cli, keyring, person, emulator):
    emulator.stop()
    error = cli("sign-in", "--json").error
    assert error["code"] == "networkUnavailable"
    assert not person.log.exists()


def test_untrusted_service(cli, keyring, person, emulator):
    connection = emulator.connection("Contoso")
    del connection["caFile"]
    cli.connect_to(connection)
    assert cli("sign-in", "--json").error["code"] == "tlsFailure"


def test_others_can_change_the_connections(signed_in):
    """Whoever can, says where people sign in and who gets their tokens."""
    assert "appsFile" not in signed_in("doctor", "--json").out
    for place in (signed_in.connections, signed_in.connections.parent):
        before = place.stat().st_mode
        place.chmod(0o777 if place.is_dir() else 0o666)
        result = signed_in.ok("token", "--json")
        assert result.json["accessToken"], "the JSON is on its own"
        [line] = result.err.splitlines()
        assert line.startswith("entrancectl: ") and f"'chmod go-w {place}'" in line
        [found] = [
            check for check in signed_in("doctor", "--json").json["checks"]
            if check["name"] == "appsFile"]
        assert found["state"] == "warning" and str(place) in found["message"]
        place.chmod(before)
        assert signed_in.ok("token").err == ""


def test_connections_with_a_byte_order_mark(signed_in):
    text = signed_in.connections.read_text()
    signed_in.connections.write_text(text, encoding="utf-8-sig")
    assert signed_in.connections.read_bytes().startswith(b"\xef\xbb\xbf")
    signed_in.ok("token")


def test_connections_that_cannot_be_read(cli, keyring):
    cli.environment["LC_ALL"] = "C"
    cli.connections.unlink()
    cli.connections.symlink_to(cli.connections.name)
    error = cli("accounts", "--json").error
    assert error["code"] == "invalidApps" and os.strerror(40) in error["message"]


def test_files_without_permission(ordinary, home):
    """The system's reason, for a user who is not root."""
    program, options, files = ordinary
    options["env"]["LC_ALL"] = "C"
    connections = files / "entrance" / "apps.json"
    described = json.loads(connections.read_text())
    authorities = files / "authorities.pem"
    authorities.write_text("")
    authorities.chmod(0)
    described["apps"][0]["caFile"] = str(authorities)
    connections.write_text(json.dumps(described))
    found = subprocess.run(
        [program, "doctor", "--json"], capture_output=True, text=True, **options)
    [check] = [
        check for check in json.loads(found.stdout)["checks"]
        if check["name"] == "certificateAuthorities"]
    assert check["state"] == "problem" and os.strerror(13) in check["message"]

    connections.chmod(0)
    refused = subprocess.run(
        [program, "accounts", "--json"], capture_output=True, text=True, **options)
    error = json.loads(refused.stdout)["error"]
    assert error["message"] == f"The file “{connections}” cannot be read: {os.strerror(13)}."
    assert error["nextStep"] == "Make sure that you may read it, then try again."
