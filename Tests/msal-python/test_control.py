"""Deliveries of the redirect, control endpoints, and the program itself."""

import os
import signal
import subprocess
import time

import pytest
import requests

from browser import Browser
from conftest import REDIRECT, Emulator
from test_refusals import authorize_url


@pytest.fixture
def delivered(emulator):
    """Signs in with another delivery of the redirect."""

    def sign_in(delivery, **changes):
        emulator.control("redirect-via", delivery=delivery)
        browser = Browser(emulator)
        browser.open(authorize_url(emulator, login_hint="adele@contoso.example", **changes))
        view = browser.press("sign-in", password="Entrance-Demo-1")
        if view.name == "consent":
            browser.press("accept")
        return browser, browser.press("stay-no")

    yield sign_in
    emulator.control("redirect-via", delivery="302")


def test_redirect_by_status(delivered):
    _, view = delivered("302")
    assert view.uri == REDIRECT and "code" in view.parameters


def test_redirect_in_fragment(delivered):
    _, view = delivered("302", response_mode="fragment")
    assert view.location.startswith(REDIRECT + "#code=")


def test_redirect_by_script(delivered):
    _, page = delivered("script")
    assert page.links["continue"].startswith(REDIRECT + "?code=")
    assert "location.replace" in page.html


def test_redirect_by_form(delivered):
    _, page = delivered("form")
    form, _ = page.buttons["continue"]
    assert (form["action"], form["method"]) == (REDIRECT, "get")
    assert {"code", "state"} <= set(form["fields"])


def test_redirect_after_a_form_restricted_by_csp(delivered):
    browser, page = delivered("form-csp")
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert browser.press("continue").uri == REDIRECT


def test_redirect_by_meta_element(delivered):
    _, page = delivered("meta")
    assert page.refresh.startswith(f"0;url={REDIRECT}?code=")


def test_redirect_in_a_frame(delivered):
    browser, page = delivered("iframe")
    assert browser.open(page.frames[0]).uri == REDIRECT


def test_prepared_reply_replaces_the_next_one(emulator):
    emulator.control("next-token-reply", status=503, **{"retry-after": 7, "body": "busy"})
    first = emulator.post("/common/oauth2/v2.0/token")
    assert (first.status_code, first.headers["Retry-After"], first.text) == (503, "7", "busy")
    assert emulator.post("/common/oauth2/v2.0/token").json()["error"] == "invalid_request"


def test_delayed_route(emulator):
    emulator.control("delay", route="/{tenant}/oauth2/v2.0/token", milliseconds=300)
    started = time.monotonic()
    emulator.post("/common/oauth2/v2.0/token")
    emulator.control("delay", route="/{tenant}/oauth2/v2.0/token", milliseconds=0)
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("control, status", [(True, 200), (False, 404)])
def test_control_is_off_by_default(control, status):
    running = Emulator(control=control)
    try:
        assert running.post("/control/requests").status_code == status
    finally:
        running.stop()


def test_announcement_is_complete(emulator):
    announcement = emulator.announcement
    assert announcement["graph"] == f"{emulator.origin}/v1.0/me"
    assert announcement["redirectURI"] == REDIRECT
    users = {user["username"]: user for user in announcement["users"]}
    assert users["adele@contoso.example"] == {
        "username": "adele@contoso.example",
        "displayName": "Adele Vance",
        "password": "Entrance-Demo-1",
        "kind": "work",
    }
    assert {user["kind"] for user in announcement["users"]} == {"work", "personal", "guest"}


@pytest.mark.parametrize("end", ["input", signal.SIGTERM, signal.SIGINT])
def test_no_files_remain(end):
    running = Emulator()
    directory = os.path.dirname(running.ca_file)
    assert os.stat(directory).st_mode & 0o777 == 0o700
    assert os.listdir(directory) == ["ca.pem"]
    if end != "input":
        running.process.send_signal(end)
        assert running.process.wait(timeout=60) == 0
    code, _ = running.stop()
    assert code == 0
    assert not os.path.exists(directory)


def test_ends_with_an_open_connection():
    running = Emulator()
    with requests.Session() as session:
        session.get(f"{running.origin}/v1.0/me", verify=running.ca_file)
        # The connection would stay open for as long as the session.
        assert running.stop()[0] == 0


def test_log_has_a_line_for_each_request_and_no_secret():
    running = Emulator()
    _, result = running.sign_in("adele@contoso.example")
    running.get("/v1.0/me?$select=id", result["access_token"])
    _, log = running.stop()
    lines = log.splitlines()
    assert "POST /common/oauth2/v2.0/token 200" in lines
    assert "GET /v1.0/me 200" in lines
    for secret in [result["access_token"], result["refresh_token"], "Entrance-Demo-1", "code", "?"]:
        assert secret not in log


def test_closed_log_does_not_end_the_run():
    running = Emulator()
    running.process.stderr.close()
    assert running.get("/v1.0/me").status_code == 401
    assert running.get("/v1.0/me").status_code == 401
    running.process.stdin.close()
    assert running.process.wait(timeout=60) == 0
    assert not os.path.exists(os.path.dirname(running.ca_file))


@pytest.mark.parametrize(
    "arguments", [["--port"], ["--port", "x"], ["--redirect-via", "pigeon"], ["--unknown"]]
)
def test_usage_error_is_explained(arguments):
    program = os.environ["IDENTITY_EMULATOR"]
    run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert run.stdout == "" and "Usage:" in run.stderr


def test_port_in_use_is_an_error(emulator):
    program = os.environ["IDENTITY_EMULATOR"]
    port = emulator.origin.split(":")[-1]
    run = subprocess.run([program, "--port", port], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert f"port {port}" in run.stderr


def test_custom_registered_application():
    client_id = "0d1f7c2a-6b3e-4f58-8a90-1c2d3e4f5a6b"
    running = Emulator("--client-id", client_id, "--redirect-uri", "myapp.example://auth")
    try:
        assert running.client_id == client_id
        url = authorize_url(running, redirect_uri="myapp.example://auth")
        redirect = Browser(running).sign_in(url, "adele@contoso.example")
        assert redirect.uri == "myapp.example://auth"
    finally:
        running.stop()
