"""A token cache in an item of a real gnome-keyring, or in a file, used by MSAL Python and by the
auth core in turn.
"""

import json
import os

import pytest
from msal_extensions import FilePersistence, LibsecretPersistence, build_encrypted_persistence

from conftest import CONTOSO
from keyring import Keyring
from shared_cache import Cache

ADELE = "adele@contoso.example"
BRAM = "bram@contoso.example"


@pytest.fixture(scope="module")
def keyring(tmp_path_factory):
    keyring = Keyring(tmp_path_factory.mktemp("keyring"))
    # libsecret in this process keeps the first bus that it connects to: this one.
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = keyring.environment["DBUS_SESSION_BUS_ADDRESS"]
    yield keyring
    keyring.stop()
    del os.environ["DBUS_SESSION_BUS_ADDRESS"]


class KeyringCache(Cache):
    def __init__(self, emulator, keyring, path, location: dict | str, persistence):
        super().__init__(emulator, path)
        self.location = location if isinstance(location, str) else json.dumps(location)
        self.environment = keyring.environment
        self.persistence = persistence


def file(home):
    """A file that only its mode protects."""
    path = home / "cache.json"
    return path, str(path), lambda: FilePersistence(str(path))


def encrypted(home):
    """The configuration of an app with the defaults of msal-extensions."""
    path = home / "encrypted.bin"
    return path, {"preset": "msal-extensions", "path": str(path)}, lambda: (
        build_encrypted_persistence(str(path)))


def azure_identity(home):
    """The configuration that azure-identity passes to msal-extensions."""
    path = home / ".IdentityService" / "msal.cache.nocae"
    return path, {"preset": "azure-identity"}, lambda: LibsecretPersistence(
        str(path), "msal.cache.nocae", {"MsalClientID": "Microsoft.Developer.IdentityService"},
        label="MSALCache")


@pytest.fixture(params=[file, encrypted, azure_identity])
def cache(request, emulator, keyring):
    path, location, persistence = request.param(keyring.directory / "home")
    path.parent.mkdir(mode=0o700, exist_ok=True)
    yield KeyringCache(emulator, keyring, path, location, persistence)
    if path.exists():
        if request.param != file:
            persistence()._agent.clear()
        path.unlink()
    assert not [name for name in os.listdir(path.parent) if "lockfile" in name]


def test_python_uses_the_cores_cached_token(cache):
    mine = cache.core_sign_in(ADELE)
    result = cache.python_silent(tenant=CONTOSO)
    assert result["token_source"] == "cache"
    assert result["access_token"] == mine["access_token"]


def test_python_renews_the_cores_token_with_another_authority(cache):
    """MSAL Python stores access tokens under the tenant name in the authority, not under the
    tenant's ID.
    """
    cache.core_sign_in(ADELE)
    assert cache.python_silent(tenant="common")["token_source"] == "identity_provider"
    assert [account["username"] for account in cache.python().get_accounts()] == [ADELE]


@pytest.mark.parametrize("tenant", ["common", "organizations", CONTOSO])
def test_core_uses_pythons_cached_token(cache, tenant):
    token = cache.python_sign_in(ADELE, tenant=tenant)
    assert cache.core("silent", tenant=tenant) == {
        "source": "cache", "access_token": token, "username": ADELE, "tenant": CONTOSO,
    }


def test_two_accounts_from_two_programs(cache):
    cache.python_sign_in(ADELE)
    cache.core_sign_in(BRAM)
    app = cache.python()
    assert {account["username"] for account in app.get_accounts()} == {ADELE, BRAM}
    assert cache.core("renew")["source"] == "server"
    # The existing instance notices the change.
    for user in (ADELE, BRAM):
        assert cache.python_silent(tenant=CONTOSO, user=user) is not None
        assert app.get_accounts(user)


def test_removing_in_one_removes_for_the_other(cache):
    cache.core_sign_in(ADELE)
    app = cache.python()
    app.remove_account(app.get_accounts()[0])
    assert cache.core("silent") == {"error": "no account"}
    cache.python_sign_in(ADELE)
    cache.core("remove")
    assert cache.python().get_accounts() == []
    assert "secret" not in cache.persistence().load()


def test_keyring_without_a_password_remains_readable(emulator, tmp_path):
    """gnome-keyring stores it in a text file, one line for each value: a line break makes all of
    it unreadable.
    """
    keyring = Keyring(tmp_path, password=None)
    try:
        path = tmp_path / "home" / "cache.bin"
        cache = KeyringCache(
            emulator, keyring, path,
            {"schema": "test.cache", "attributes": {"app": "test"}, "encoding": "raw",
             "signalFile": str(path)}, None)
        keyring.python(STORE, "Other", "another's secret", "other")
        # As other programs may have written it, except for what cannot be repaired.
        strange = {"Account": {}, "Odd": {"a": "tab\t, line\nbreak, \"quotes\", back\\slash \\n, é 😀, \r, \b"}}
        keyring.python(STORE, "test.cache", json.dumps(strange, indent=1), "test")
        assert cache.core_sign_in(ADELE)["source"] == "server"
        keyring.restart()
        assert keyring.python(LOAD, "Other", "other") == "another's secret"
        content = json.loads(keyring.python(LOAD, "test.cache", "test"))
        assert content["Odd"] == strange["Odd"]
        assert [a["username"] for a in content["Account"].values()] == [ADELE]
        assert cache.core("silent")["source"] == "cache"
        assert cache.core("renew")["source"] == "server"
        keyring.restart()
        assert json.loads(keyring.python(LOAD, "test.cache", "test"))["Odd"] == strange["Odd"]
    finally:
        keyring.stop()


STORE = """
import sys, keyring, gi
gi.require_version("Secret", "1")
from gi.repository import Secret
schema = Secret.Schema.new(sys.argv[1], Secret.SchemaFlags.NONE, {"app": Secret.SchemaAttributeType.STRING})
Secret.password_store_sync(schema, {"app": sys.argv[3]}, Secret.COLLECTION_DEFAULT, "", sys.argv[2], None)
"""
LOAD = """
import sys, keyring, gi
gi.require_version("Secret", "1")
from gi.repository import Secret
schema = Secret.Schema.new(sys.argv[1], Secret.SchemaFlags.NONE, {"app": Secret.SchemaAttributeType.STRING})
print(Secret.password_lookup_sync(schema, {"app": sys.argv[2]}, None), end="")
"""
