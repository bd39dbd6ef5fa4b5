"""A cluster, a share and a database on this computer that let in who has a token of the emulator."""

import io
import json
import os
import shutil
import socket
import socketserver
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from certificates import CertificateAuthority
from mail_servers import Tokens
from session import Session, end
from waiting import wait_for

CLUSTER = "6dae42f8-4368-4678-94ff-3960e28e3630"  # Azure Kubernetes Service
DATABASE = "https://ossrdbms-aad.database.windows.net"  # Azure Database for PostgreSQL
SHARE = "https://files.contoso.example"
PERMISSION = "user_impersonation"


class Server:
    """Serves on a port of this computer."""

    def __init__(self, server):
        server.daemon_threads = True
        self.server = server
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class WebServer(Server):
    """Answers with TLS who has a token."""

    kind: str
    refusal: bytes

    def __init__(self, tokens: Tokens, authority: CertificateAuthority):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                status, body = outer.answer(self.path)
                if not tokens.user(token, PERMISSION):
                    status, body = 401, outer.refusal
                self.send_response(status)
                self.send_header("Content-Type", outer.kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_PROPFIND = do_GET

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = authority.context("localhost").wrap_socket(server.socket, server_side=True)
        super().__init__(server)

    def answer(self, path: str) -> tuple[int, bytes]:
        raise NotImplementedError


class Cluster(WebServer):
    """The API of Kubernetes, with one pod."""

    ANSWERS = {
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
        "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
            {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}]},
        "/api/v1/namespaces/default/pods": {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [
            {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "lunch", "namespace": "default"}}]},
    }
    kind = "application/json"
    refusal = json.dumps({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Unauthorized",
        "reason": "Unauthorized", "code": 401}).encode()

    def answer(self, path):
        answer = self.ANSWERS.get(path.partition("?")[0])
        return 200 if answer else 404, json.dumps(answer).encode()


class Share(WebServer):
    """WebDAV, with one file."""

    kind = "application/xml"
    refusal = b""

    def answer(self, path):
        return 207, b"""<?xml version="1.0"?><multistatus xmlns="DAV:"><response><href>/lunch.txt</href><propstat>
<prop><getcontentlength>8</getcontentlength><resourcetype/></prop><status>HTTP/1.1 200 OK</status>
</propstat></response></multistatus>"""


class Directory(Server):
    """LDAP, as far as a database needs it: tells whether a password is a user's. Each password is a token."""

    # RFC 4511, appendix B
    ENUMERATED, SEQUENCE, BIND, BIND_ANSWER = 0x0A, 0x30, 0x60, 0x61
    SUCCESS, INVALID_CREDENTIALS = b"\0", b"\x31"

    def __init__(self, tokens: Tokens):
        class Handler(socketserver.StreamRequestHandler):
            timeout = 30

            def handle(self):
                while message := element(self.rfile)[1]:
                    (_, number), (kind, request) = elements(message)
                    if kind != Directory.BIND:
                        return
                    _, (_, name), (_, password) = elements(request)
                    is_valid = tokens.user(password.decode(), PERMISSION) == name.decode()
                    code = Directory.SUCCESS if is_valid else Directory.INVALID_CREDENTIALS
                    answer = encoded(Directory.ENUMERATED, code) + 2 * encoded(TEXT, b"")
                    self.wfile.write(encoded(
                        Directory.SEQUENCE, encoded(INTEGER, number) + encoded(Directory.BIND_ANSWER, answer)))

        super().__init__(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))


# The rules of RFC 4511, section 5.1, for a tag, a length and a content.
INTEGER, TEXT = 0x02, 0x04


def element(stream) -> tuple[int, bytes]:
    """The tag and the content of what comes next, or nothing at the end."""
    start = stream.read(2)
    if not start:
        return 0, b""
    tag, length = start
    if length > 127:
        length = int.from_bytes(stream.read(length - 128), "big")
    return tag, stream.read(length)


def elements(content: bytes) -> list[tuple[int, bytes]]:
    stream, found = io.BytesIO(content), []
    while stream.tell() < len(content):
        found.append(element(stream))
    return found


def encoded(tag: int, content: bytes) -> bytes:
    """An element of less than 128 bytes."""
    return bytes([tag, len(content)]) + content


class Database:
    """PostgreSQL with one user, whose password is what a directory says."""

    def __init__(self, session: Session, tokens: Tokens, authority: CertificateAuthority, user: str):
        self.users = Directory(tokens)
        # Outside of a home that only root may enter: PostgreSQL does not run as root.
        self.directory = Path(tempfile.mkdtemp(prefix="database-"))
        is_root = os.geteuid() == 0
        owner = {"user": "nobody", "group": "nogroup"} if is_root else {}
        options = {"cwd": self.directory} | owner | ({"extra_groups": []} if is_root else {})
        authority.context("localhost")
        for source, name in (("host.pem", "server.crt"), ("host.key", "server.key")):
            shutil.copy(authority.directory / source, self.directory / name)
        if is_root:
            for path in (self.directory, *self.directory.iterdir()):
                shutil.chown(path, **owner)
        *_, initdb = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        data = self.directory / "data"
        subprocess.run(
            [initdb, "--pgdata", data, "--username", user, "--no-sync"], check=True,
            stdout=session.log, stderr=session.log, **options)
        (data / "pg_hba.conf").write_text(
            "hostssl all all 127.0.0.1/32 ldap"
            f' ldapserver=127.0.0.1 ldapport={self.users.port} ldapprefix=""\n')
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "fsync": "off",
            "ssl": "on", "ssl_cert_file": self.directory / "server.crt",
            "ssl_key_file": self.directory / "server.key"}
        with open(self.directory / "log", "w") as log:
            self.process = session.spawn(
                [initdb.with_name("postgres"), "-D", data, *(f"--{name}={value}" for name, value in settings.items())],
                stdout=log, stderr=log, **options)
        wait_for(self._is_ready, "PostgreSQL")

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, self.log
        return "ready to accept connections" in self.log

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def close(self):
        end(self.process)
        shutil.rmtree(self.directory)
        self.users.close()
