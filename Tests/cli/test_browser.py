"""What the browser is started with, and who else could use it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from waiting import wait_for

NOBODY = 65534


class Watch:
    """What the browser saw when it was started."""

    def __init__(self, cli, home: Path):
        self.cli = cli
        self.path = home / "sight.json"
        cli.environment |= {
            "BROWSER": str(Path(__file__).with_name("watching_browser.py")),
            "BROWSER_SIGHT": str(self.path)}

    def stays_on_the_address(self):
        self.cli.environment["BROWSER_WAITS"] = "yes"

    @property
    def sight(self) -> dict:
        wait_for(self.path.exists, "the browser to start")
        return json.loads(self.path.read_text())


@pytest.fixture
def watch(cli, person, home) -> Watch:
    return Watch(cli, home)


def visit(address: str, user: int = os.geteuid()) -> tuple[int, str]:
    """Requests a URL as a given user, and returns the status and the redirect."""
    script = """if True:
        import http.client, sys, urllib.parse
        url = urllib.parse.urlsplit(sys.argv[1])
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        connection.request("GET", (url.path or "/") + (url.query and "?" + url.query))
        response = connection.getresponse()
        print(response.status, response.headers.get("Location", ""))
    """
    output = subprocess.run(
        [sys.executable, "-c", script, address], user=user, check=True, timeout=30,
        stdout=subprocess.PIPE, text=True).stdout
    status, _, location = output.strip().partition(" ")
    return int(status), location


def test_process_list_reveals_nothing(cli, keyring, person, watch, emulator):
    for arguments in (["sign-in"], ["sign-out", "--browser"]):
        watch.path.unlink(missing_ok=True)
        cli.ok(*arguments)
        sight = watch.sight
        assert any(sight["address"] in process for process in sight["processes"]), "the process list contains the URL"
        assert re.fullmatch(r"http://localhost:\d+/[\w-]{22}", sight["address"])
        for process in sight["processes"]:
            for secret in ("state=", "id_token_hint", "logout_hint", "eyJ", "code_challenge"):
                assert secret not in process
    # The authority got the usual request.
    assert cli.ok("accounts").out == ""


def test_browser_inherits_nothing(cli, keyring, person, watch):
    reading, writing = os.pipe()
    try:
        def ignore_and_block():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM})

        process = cli.start("sign-in", pass_fds=(writing,), preexec_fn=ignore_and_block)
        assert cli.finish(process).status == 0
    finally:
        os.close(reading)
        os.close(writing)
    assert watch.sight["signals"] == {"SigBlk": 0, "SigIgn": PYTHON_IGNORES}
    assert watch.sight["descriptors"] == [0, 1, 2]


# Signals that Python itself ignores, in the browser of this test.
PYTHON_IGNORES = (1 << signal.SIGPIPE - 1) | (1 << signal.SIGXFSZ - 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be someone else")
def test_other_users_can_neither_get_the_page_nor_answer(cli, keyring, person, watch):
    watch.stays_on_the_address()
    process = cli.start("sign-in", "--json")
    address = watch.sight["address"]
    assert visit(address, NOBODY) == (403, "")

    status, page = visit(address)
    assert status == 302
    assert visit(address) == (410, "")
    sent = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)
    answer = f"{sent['redirect_uri'][0]}/?error=access_denied&state={sent['state'][0]}"
    assert visit(answer, NOBODY) == (403, "")
    assert process.poll() is None, "entrancectl still waits"

    assert visit(answer)[0] == 200
    assert cli.finish(process).error["code"] == "userCanceled"


def test_invalid_requests_do_not_end_the_wait(cli, keyring, person, watch):
    watch.stays_on_the_address()
    process = cli.start("sign-in", "--json")
    port = urllib.parse.urlsplit(watch.sight["address"]).port
    for bytes in (b"\r\n\r\n", b"\n\n", b"\0" * 5000, b" \r\n" * 9000, b"GET\r\n\r\n"):
        with socket.create_connection(("localhost", port)) as connection:
            connection.sendall(bytes)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100).startswith(b"HTTP/1.1 4")
    assert process.poll() is None
    assert cli.interrupt(process).error["code"] == "userCanceled"


def test_response_to_another_request_is_reported_and_the_wait_continues(cli, keyring, person, watch):
    watch.stays_on_the_address()
    process = cli.start("sign-in", "--json")
    _, page = visit(watch.sight["address"])
    sent = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)
    answer = f"{sent['redirect_uri'][0]}/?code=code-canary&state="
    assert visit(answer + "state-canary")[0] == 400
    if os.geteuid() == 0:
        assert visit(answer + "another-user", NOBODY)[0] == 400
    # It is said while the command still waits.
    said = ""
    while "another request" not in said:
        said += (line := process.stderr.readline())
        assert line, said
    assert process.poll() is None
    assert visit(answer + sent["state"][0].replace("=", "%3D") + "&error=x")[0] == 200
    result = cli.finish(process)
    assert "canary" not in said + result.err + result.out
    assert "another request" not in result.err, "it is said once"
