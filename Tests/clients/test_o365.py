"""O365, a library for mail, calendars and files."""

import O365
import pytest
from O365.utils.token import MemoryTokenBackend

from browser import Browser
from conftest import ADELE, LARGE, SCOPES

REDIRECT = "msauth.io.github.entrance.entrance://auth"


@pytest.fixture
def account(emulator):
    class Protocol(O365.MSGraphProtocol):
        _protocol_url = emulator.origin + "/"

        def __init__(self):
            super().__init__()
            self.protocol_url = emulator.origin + "/"
            self.service_url = emulator.origin + "/v1.0/"

    account = O365.Account(
        (emulator.client_id,), auth_flow_type="public", protocol=Protocol(),
        token_backend=MemoryTokenBackend(), verify_ssl=emulator.ca_file)
    # It has no option for another authority.
    account.con._msal_authority = emulator.origin + "/organizations"
    account.con._msal_client = emulator.application(
        "organizations", token_cache=account.con.token_backend)
    url, flow = account.get_authorization_url(requested_scopes=SCOPES, redirect_uri=REDIRECT)
    answer = Browser(emulator).sign_in(url, ADELE)
    assert account.request_token(answer.location, flow=flow)
    return account


def test_profile(account):
    assert account.directory(resource="me").get_current_user().mail == ADELE


def test_users_in_pages(account):
    users = account.directory().get_users(limit=None, batch=100)
    assert len({user.object_id for user in users}) == 253


def test_photo(account):
    assert account.directory(resource="me").get_current_user().get_profile_photo().startswith(b"\x89PNG")


def test_mail_with_its_attachment(account):
    message = next(
        message for message in account.mailbox().get_messages(limit=200)
        if message.has_attachments)
    assert message.attachments.download_attachments()
    assert message.attachments[0].content


def test_files(account, tmp_path):
    root = account.storage().get_default_drive().get_root_folder()
    (tmp_path / "large.bin").write_bytes(LARGE)
    item = root.upload_file(tmp_path / "large.bin")
    assert item.name == "large.bin"
    (tmp_path / "down").mkdir()
    assert item.download(to_path=tmp_path / "down")
    assert (tmp_path / "down/large.bin").read_bytes() == LARGE
