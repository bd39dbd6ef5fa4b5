"""Networks that ask for passwords, do not answer, or have certificates for the wrong host."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading

import pytest
import screen
from accessible import has_window, texts, wait_for_dialog
from app import SIGN_IN, App
from certificates import CertificateAuthority
from hostile import Hostile, Reply
from waiting import wait_for

BUNDLE = "/etc/ssl/certs/ca-certificates.crt"


class Listener:
    """Replies to each connection with the same bytes; without any, never."""

    def __init__(self, answer: bytes = b""):
        self.answer = answer
        self.heads: list[bytes] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.kept: list[socket.socket] = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.kept.append(connection)
            if self.answer:
                self.heads.append(connection.recv(65536))
                connection.sendall(self.answer)
                connection.close()

    def close(self):
        self.socket.close()
        for connection in self.kept:
            connection.close()


@pytest.fixture
def authority(home):
    return CertificateAuthority(home / "known")


@pytest.fixture
def service(authority):
    service = Hostile(authority.context("localhost"))
    yield service
    service.close()


@pytest.fixture
def app(session, stage, home, service, authority, request, results):
    app = App(session, stage, home)
    connect(app, service, authority)
    yield app
    screen.capture_failure(request.node, results)
    app.stop()


def connect(app, service, authority, **fields):
    directory = app.home / "config" / "entrance"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "apps.json").write_text(json.dumps({
        "version": 1, "apps": [service.connection(authority.file) | fields]}))


def wait_for_words(text: str, timeout: float = 30):
    wait_for(lambda: text in "\n".join(texts(SIGN_IN)), f"'{text}' in the sign-in window", timeout)


def test_proxy_that_asks_for_a_password_gets_none(app, service, monkeypatch):
    proxy = Listener(
        b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=canary\r\n"
        b"Content-Length: 0\r\n\r\n")
    # A loopback service is reached without a proxy, so the first page is on another host.
    service.first = Reply(status=302, fields={"Location": "https://away.example/"})
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.setenv("no_proxy", "localhost")
    try:
        app.start()
        app.call_graph()
        wait_for_words("Page Not Available")
        assert proxy.heads
        assert all(b"authorization" not in head.lower() for head in proxy.heads)
        assert "canary" not in "\n".join(texts(SIGN_IN))
    finally:
        proxy.close()


def test_server_that_never_answers_is_reported(app, service):
    mute = Listener()
    service.first = Reply(status=302, fields={"Location": f"https://localhost:{mute.port}/"})
    try:
        app.start()
        app.call_graph()
        wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
        wait_for(
            lambda: {"Taking Longer Than Usual", "Page Not Available"} & set(texts(SIGN_IN)),
            "a word about it", 50)
        assert "Downloads are not allowed" not in texts(SIGN_IN)
        screen.focus(screen.window_id(SIGN_IN))
        screen.press("Escape")
        app.wait_for_log("Correlation ID: ")
    finally:
        mute.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can change what the system trusts")
def test_system_authorities_are_not_trusted_with_a_private_ca(
    app, service, session, home
):
    """A host with a certificate of the system's authorities, but not of the connection's, gets
    no request and is not shown.
    """
    trusted = CertificateAuthority(home / "system")
    other = Hostile(trusted.context("localhost"))
    bundle = home / "bundle.crt"
    shutil.copy(BUNDLE, bundle)
    with open(bundle, "a") as file:
        file.write(trusted.file.read_text())
    app.wrapper = (
        "unshare", "--mount", "sh", "-c", f'mount --bind {bundle} {BUNDLE} && exec "$@"', "sh")
    service.first = Reply(status=302, fields={"Location": other.url("/page")})
    other.replies["/page"] = Reply("shown")
    try:
        # The system trusts it.
        subprocess.run(
            [*app.wrapper, sys.executable, "-c",
             "import ssl, urllib.request; urllib.request.urlopen("
             f"{other.url('/page')!r}, context=ssl.create_default_context(cafile={BUNDLE!r}))"],
            check=True, timeout=30)
        other.requests.clear()
        app.start()
        app.call_graph()
        wait_for_words("Connection Not Secure")
        assert not other.requests
    finally:
        other.close()


@pytest.mark.parametrize("count", (int(os.environ.get("ENTRANCE_SIGN_INS", "5")),))
def test_first_page_loads_every_time(app, service, count):
    """With ENTRANCE_SIGN_INS set to some hundreds, and other load, this finds rare errors."""
    service.first = Reply("<title>Sign in</title>ready")
    app.start()
    for _ in range(count):
        app.wait_until_idle()
        seen = len(service.asked("/common/oauth2/v2.0/authorize"))
        app.call_graph()
        wait_for_dialog(SIGN_IN)
        wait_for_words("Secure connection")
        assert len(service.asked("/common/oauth2/v2.0/authorize")) == seen + 1
        screen.press("Escape")
        wait_for(lambda: not has_window(SIGN_IN), "the sign-in window to close")
