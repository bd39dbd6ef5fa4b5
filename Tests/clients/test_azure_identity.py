"""azure-identity, which all of Azure's libraries for Python use."""

import threading

import httpx
import pytest
import requests
from azure.identity import (
    AuthenticationRecord, AuthenticationRequiredError, DeviceCodeCredential,
    InteractiveBrowserCredential)

from browser import Browser
from conftest import ADELE, SCOPES
from graph_use import Answer, check_all

GRAPH = "https://graph.microsoft.com/User.Read"


def options(emulator):
    return {
        "client_id": emulator.client_id, "authority": emulator.origin,
        "tenant_id": "organizations", "disable_instance_discovery": True,
        "connection_verify": emulator.ca_file,
    }


def profile(emulator, token):
    return requests.get(
        emulator.origin + "/v1.0/me", verify=emulator.ca_file,
        headers={"Authorization": "Bearer " + token.token}).json()


def test_device_code(emulator):
    def enter(address, code, expires):
        emulator.control("enter-device-code", code=code, username=ADELE)

    credential = DeviceCodeCredential(prompt_callback=enter, **options(emulator))
    record = credential.authenticate(scopes=[GRAPH])
    assert record.username == ADELE
    assert AuthenticationRecord.deserialize(record.serialize()).tenant_id == record.tenant_id
    token = credential.get_token(GRAPH)
    assert profile(emulator, token)["userPrincipalName"] == ADELE
    # From its cache, silently.
    assert credential.get_token(GRAPH).token == token.token


class Signed(httpx.Auth):
    """Signs requests as Azure's own libraries do: with the credential's token for the scopes, from its cache."""

    def __init__(self, credential):
        self.credential = credential

    def auth_flow(self, request):
        token = self.credential.get_token(*(f"https://graph.microsoft.com/{scope}" for scope in SCOPES))
        request.headers["Authorization"] = "Bearer " + token.token
        yield request


def test_graph(emulator):
    entered = []

    def enter(address, code, expires):
        entered.append(code)
        emulator.control("enter-device-code", code=code, username=ADELE)

    auth = Signed(DeviceCodeCredential(prompt_callback=enter, **options(emulator)))
    with httpx.Client(verify=emulator.ca_file, follow_redirects=True, timeout=60) as http:
        def send(method, url, body=b"", headers=None, json=None, signed=True):
            answer = http.request(
                method, url, content=body or None, headers=headers, json=json, auth=auth if signed else None)
            return Answer(answer.status_code, answer.content, answer.json)

        check_all(emulator.origin, send)
    assert len(entered) == 1


def test_browser(emulator, monkeypatch):
    def open_browser(url, *_, **__):
        answer = Browser(emulator).sign_in(url, ADELE)
        # The page sends a form to the credential, which listens once this has returned.
        form = answer.buttons["continue"][0]
        send = lambda: requests.post(form["action"], data=form["fields"], timeout=10)
        threading.Thread(target=send).start()
        return True

    monkeypatch.setattr("azure.identity._credentials.browser._open_browser", open_browser)
    credential = InteractiveBrowserCredential(**options(emulator))
    assert profile(emulator, credential.get_token(GRAPH))["userPrincipalName"] == ADELE


def test_a_person_is_needed(emulator):
    credential = DeviceCodeCredential(disable_automatic_authentication=True, **options(emulator))
    with pytest.raises(AuthenticationRequiredError):
        credential.get_token(GRAPH)
