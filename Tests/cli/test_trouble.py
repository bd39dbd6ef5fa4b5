"""Messages of the commands when something is missing, locked or wrong."""

import pytest


def test_no_connection(cli, keyring):
    cli.connections.unlink()
    result = cli("accounts")
    assert result.status == 1
    assert "There is no connection" in result.err
    assert str(cli.connections) in result.err
    assert cli("token", "--json").error["code"] == "noConnection"


def test_unknown_connection(cli, keyring):
    result = cli("accounts", "--connection", "Fabrikam")
    assert result.status == 1
    assert "There is no connection called 'Fabrikam'." in result.err
    assert "'Contoso'" in result.err
    assert cli("accounts", "--connection", "x", "--json").error["code"] == "unknownConnection"


def test_invalid_connections_file(cli, keyring):
    cli.write_connections('{"version": 1, "connections": [\n  {"name": "A",\n   "clientId": "x"}]}')
    error = cli("accounts", "--json").error
    assert error["code"] == "invalidConnections"
    assert error["details"]["line"] == 3
    assert "clientID" in error["message"]


@pytest.mark.parametrize("command", [["accounts"], ["token"], ["sign-in"], ["sign-out"]])
def test_no_keyring(cli, person, command):
    """Without a way to store the account, nobody is asked to sign in."""
    error = cli(*command, "--json").error
    assert error["code"] == "storageUnavailable"
    assert "doctor" in error["nextStep"]
    assert not person.log.exists()


def test_locked_keyring(signed_in, keyring):
    keyring.lock()
    error = signed_in("token", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "locked" in error["message"]


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
