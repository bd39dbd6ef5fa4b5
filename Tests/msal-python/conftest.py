"""Starts the emulator named by IDENTITY_EMULATOR, once for each test module."""

import json
import os
import subprocess

import msal
import pytest
import requests

from browser import Browser

REDIRECT = "msauth.io.github.entrance.entrance://auth"
CONTOSO = "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60"
FABRIKAM = "0b6e9a41-3c57-4f2d-8e1a-d9c4b7f05a23"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"


class Emulator:
    """A running emulator, with functions for tests."""

    def __init__(self, *arguments, control=True):
        arguments += ("--control",) if control else ()
        self.process = subprocess.Popen(
            [os.environ["IDENTITY_EMULATOR"], "--until-stdin-closes", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.announcement = json.loads(self.process.stdout.readline())
        self.authority = self.announcement["authority"]
        self.origin = self.authority.removesuffix("/common")
        self.ca_file = self.announcement["caFile"]
        self.client_id = self.announcement["clientID"]

    def stop(self):
        """Closes the emulator's standard input; returns exit code and log."""
        _, log = self.process.communicate(timeout=60)
        return self.process.returncode, log

    def get(self, path, token=None, **headers):
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return requests.get(self.origin + path, headers=headers, verify=self.ca_file)

    def post(self, path, /, allow_redirects=False, **fields):
        return requests.post(
            self.origin + path, data=fields, verify=self.ca_file, allow_redirects=allow_redirects
        )

    def control(self, action, /, **fields):
        reply = self.post(f"/control/{action}", **fields)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def application(self, tenant="common", **arguments):
        """MSAL Python with its default settings, configured for the emulator."""
        defaults = {"authority": f"{self.origin}/{tenant}", "instance_discovery": False}
        return msal.PublicClientApplication(
            self.client_id, verify=self.ca_file, **{**defaults, **arguments}
        )

    def sign_in(self, user, scopes=("User.Read",), application=None, browser=None, **arguments):
        """Signs in with MSAL Python; returns the application and its result."""
        application = application or self.application()
        flow = application.initiate_auth_code_flow(
            list(scopes), redirect_uri=REDIRECT, response_mode="form_post", **arguments
        )
        answer = (browser or Browser(self)).sign_in(flow["auth_uri"], user)
        return application, application.acquire_token_by_auth_code_flow(flow, answer.parameters)


@pytest.fixture(scope="module")
def emulator():
    running = Emulator()
    yield running
    running.stop()


@pytest.fixture
def browser(emulator):
    return Browser(emulator)


@pytest.fixture
def short_lived(emulator):
    """Tokens that count as expired: MSAL refreshes five minutes ahead."""
    emulator.control("token-lifetime", seconds=60)
    yield emulator
    emulator.control("token-lifetime", seconds=3600)
