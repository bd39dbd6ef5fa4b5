"""A cluster and a database on this computer that let in who has a token of the emulator."""

import json
import socketserver
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from certificates import CertificateAuthority
from mail_servers import Tokens

CLUSTER = "6dae42f8-4368-4678-94ff-3960e28e3630"  # Azure Kubernetes Service
DATABASE = "https://ossrdbms-aad.database.windows.net"  # Azure Database for PostgreSQL
PERMISSION = "user_impersonation"


class Server:
    """What both have: a port, and TLS."""

    def __init__(self, server):
        server.daemon_threads = True
        self.server = server
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Cluster(Server):
    """The API of Kubernetes, with one pod."""

    ANSWERS = {
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
        "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
            {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}]},
        "/api/v1/namespaces/default/pods": {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [
            {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "lunch", "namespace": "default"}}]},
    }
    UNAUTHORIZED = {
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Unauthorized",
        "reason": "Unauthorized", "code": 401}

    def __init__(self, tokens: Tokens, authority: CertificateAuthority):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                answer = Cluster.ANSWERS.get(self.path.partition("?")[0])
                status = 200 if answer else 404
                if not tokens.user(token, PERMISSION):
                    status, answer = 401, Cluster.UNAUTHORIZED
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = authority.context("localhost").wrap_socket(server.socket, server_side=True)
        super().__init__(server)


class Database(Server):
    """PostgreSQL's protocol: TLS, a password, and any query, which is answered by the number 1."""

    # https://www.postgresql.org/docs/15/protocol-message-formats.html
    TLS, GSS, VERSION = 80877103, 80877104, 196608

    def __init__(self, tokens: Tokens, authority: CertificateAuthority):
        context = authority.context("localhost")

        class Handler(socketserver.StreamRequestHandler):
            timeout = 30

            def handle(self):
                try:
                    self.converse()
                except (OSError, EOFError):
                    # The client is gone, or does not trust the certificate.
                    pass

            def converse(self):
                is_secure = False
                while (code := self.number(start := self.read(self.number() - 4))) != Database.VERSION:
                    assert code in (Database.TLS, Database.GSS)
                    self.request.sendall(b"S" if code == Database.TLS else b"N")
                    if code == Database.TLS:
                        self.request = context.wrap_socket(self.request, server_side=True)
                        self.rfile = self.request.makefile("rb")
                        is_secure = True
                words = start[4:].split(b"\0")
                user = dict(zip(words[::2], words[1::2]))[b"user"].decode()
                assert is_secure
                self.say(b"R", struct.pack("!i", 3))
                kind, password = self.hear()
                assert kind == b"p"
                if tokens.user(password.rstrip(b"\0").decode(), PERMISSION) != user:
                    reason = f'password authentication failed for user "{user}"'
                    return self.say(
                        b"E", b"SFATAL\0VFATAL\0C28P01\0M" + reason.encode() + b"\0\0")
                self.say(b"R", struct.pack("!i", 0))
                self.say(b"S", b"server_version\00015.0\0")
                self.say(b"S", b"client_encoding\0UTF8\0")
                self.say(b"Z", b"I")
                while (message := self.hear())[0] != b"X":
                    assert message[0] == b"Q"
                    self.say(b"T", struct.pack("!h", 1) + b"n\0" + struct.pack("!ihihih", 0, 0, 23, 4, -1, 0))
                    self.say(b"D", struct.pack("!hi", 1, 1) + b"1")
                    self.say(b"C", b"SELECT 1\0")
                    self.say(b"Z", b"I")

            def read(self, count: int) -> bytes:
                data = self.rfile.read(count)
                if len(data) < count:
                    raise EOFError
                return data

            def number(self, data: bytes = b"") -> int:
                return struct.unpack("!i", (data or self.read(4))[:4])[0]

            def hear(self) -> tuple[bytes, bytes]:
                return self.read(1), self.read(self.number() - 4)

            def say(self, kind: bytes, content: bytes):
                self.request.sendall(kind + struct.pack("!i", len(content) + 4) + content)

        super().__init__(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))
