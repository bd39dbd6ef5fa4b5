"""A cluster, a share, a database, a repository and a registry on this computer that let in who has a token of the
emulator.
"""

import base64
import io
import json
import os
import shutil
import socketserver
import subprocess
import tempfile
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from api import Reply
from certificates import CertificateAuthority
from mail_servers import POLL_INTERVAL, Tokens, start_server
from session import Session, end

CLUSTER = "6dae42f8-4368-4678-94ff-3960e28e3630"  # Azure Kubernetes Service
DATABASE = "https://ossrdbms-aad.database.windows.net"  # Azure Database for PostgreSQL
SHARE = "https://files.contoso.example"
REPOSITORY = "https://git.contoso.example"
REGISTRY = "https://registry.contoso.example"
RESOURCES = [CLUSTER, DATABASE, SHARE, REPOSITORY, REGISTRY]
PERMISSION = "user_impersonation"
ADELE = "adele@contoso.example"


def body_of(request: BaseHTTPRequestHandler) -> bytes:
    if request.headers.get("Transfer-Encoding") != "chunked":
        return request.rfile.read(int(request.headers.get("Content-Length", 0)))
    # RFC 9112, section 7.1
    body = b""
    while size := int(request.rfile.readline(), 16):
        body += request.rfile.read(size)
        request.rfile.readline()
    request.rfile.readline()
    return body


class Server:
    """Serves on a port of this computer."""

    def __init__(self, server):
        server.daemon_threads = True
        self.server = server
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(POLL_INTERVAL,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class WebServer(Server):
    """Answers with TLS who has a token."""

    resource: str
    # What others get.
    refusal = Reply(401)

    def __init__(self, session: Session, authority: CertificateAuthority):
        self.tokens = Tokens(self.resource)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                reply = outer.reply(self, body_of(self))
                self.send_response(reply.status)
                for name, value in reply.fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            do_POST = do_PROPFIND = do_GET

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = authority.context("localhost").wrap_socket(server.socket, server_side=True)
        super().__init__(server)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def reply(self, request: BaseHTTPRequestHandler, body: bytes) -> Reply:
        credential = request.headers.get("Authorization")
        if not credential or not self.tokens.user(self.token(credential), PERMISSION):
            return self.refusal
        return self.answer(request, body)

    def token(self, credential: str) -> str:
        return credential.removeprefix("Bearer ")

    def answer(self, request: BaseHTTPRequestHandler, body: bytes) -> Reply:
        raise NotImplementedError

    def close(self):
        super().close()
        self.tokens.close()


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
    resource = CLUSTER
    refusal = Reply(401, {"Content-Type": "application/json"}, json.dumps({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Unauthorized",
        "reason": "Unauthorized", "code": 401}).encode())

    def answer(self, request, body):
        answer = self.ANSWERS.get(request.path.partition("?")[0])
        return Reply(200 if answer else 404, {"Content-Type": "application/json"}, json.dumps(answer).encode())


class Share(WebServer):
    """WebDAV, with one file."""

    resource = SHARE

    def answer(self, request, body):
        return Reply(207, {"Content-Type": "application/xml"}, b"""<?xml version="1.0"?>
<multistatus xmlns="DAV:"><response><href>/lunch.txt</href><propstat>
<prop><getcontentlength>8</getcontentlength><resourcetype/></prop><status>HTTP/1.1 200 OK</status>
</propstat></response></multistatus>""")


class Repositories(WebServer):
    """git's own server by HTTP, with one repository, `app`, that has one file. A password is a token."""

    resource = REPOSITORY
    refusal = Reply(401, {"WWW-Authenticate": 'Basic realm="git"'})

    def __init__(self, session, authority):
        self.directory = Path(tempfile.mkdtemp(prefix="repositories-"))
        self.environment = os.environ | {"HOME": str(self.directory)}
        repository = self.directory / "app"
        self.git("init", "--quiet", "--initial-branch", "main", str(repository))
        (repository / "lunch.txt").write_text("At noon?\n")
        self.git("-C", str(repository), "add", "lunch.txt")
        self.git(
            "-C", str(repository), "-c", "user.name=Bram", "-c", "user.email=bram@contoso.example", "commit", "--quiet",
            "--message", "Lunch")
        super().__init__(session, authority)

    def git(self, *arguments: str, input: bytes = b"", **variables: str) -> bytes:
        return subprocess.run(
            ["git", *arguments], env=self.environment | variables, input=input, check=True,
            stdout=subprocess.PIPE).stdout

    def token(self, credential):
        return base64.b64decode(credential.removeprefix("Basic ")).decode().partition(":")[2]

    def answer(self, request, body):
        # RFC 3875
        path, _, query = request.path.partition("?")
        answer = self.git(
            "http-backend", input=body, GIT_PROJECT_ROOT=str(self.directory), GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
            QUERY_STRING=query, REQUEST_METHOD=request.command, CONTENT_LENGTH=str(len(body)),
            CONTENT_TYPE=request.headers.get("Content-Type", ""),
            HTTP_CONTENT_ENCODING=request.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=request.headers.get("Git-Protocol", ""))
        head, _, content = answer.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        return Reply(int(fields.pop("Status", "200").split()[0]), fields, content)

    def close(self):
        super().close()
        shutil.rmtree(self.directory)


class Registry(WebServer):
    """A registry of containers with one repository, `app`, as Azure's: it exchanges tokens for its own."""

    resource = REGISTRY
    TOKEN_OF_REGISTRY, TOKEN_OF_REPOSITORY = "of the registry", "for the repository"

    def reply(self, request, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        answer = None
        match request.path.partition("?")[0]:
            case "/oauth2/exchange" if self.tokens.user(form["access_token"], PERMISSION):
                answer = {"refresh_token": self.TOKEN_OF_REGISTRY}
            case "/oauth2/token" if form["refresh_token"] == self.TOKEN_OF_REGISTRY:
                answer = {"access_token": self.TOKEN_OF_REPOSITORY}
            case "/v2/app/tags/list" if request.headers["Authorization"] == f"Bearer {self.TOKEN_OF_REPOSITORY}":
                answer = {"name": "app", "tags": ["lunch"]}
        if answer:
            return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())
        return Reply(401, {
            "WWW-Authenticate": f'Bearer realm="https://{self.host}/oauth2/token",service="{self.host}"'})


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

    resource = DATABASE

    def __init__(self, session: Session, authority: CertificateAuthority):
        self.tokens = Tokens(self.resource)
        self.users = Directory(self.tokens)
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
            [initdb, "--pgdata", data, "--username", ADELE, "--no-sync"], check=True,
            stdout=session.log, stderr=session.log, **options)
        (data / "pg_hba.conf").write_text(
            "hostssl all all 127.0.0.1/32 ldap"
            f' ldapserver=127.0.0.1 ldapport={self.users.port} ldapprefix=""\n')
        settings = {
            "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "ssl": "on",
            "ssl_cert_file": self.directory / "server.crt", "ssl_key_file": self.directory / "server.key"}

        def start(port: int) -> subprocess.Popen:
            words = [f"--{name}={value}" for name, value in (settings | {"port": port}).items()]
            with open(self.directory / "log", "w") as log:
                return session.spawn(
                    [initdb.with_name("postgres"), "-D", data, *words], stdout=log, stderr=log, **options)

        self.process, self.port = start_server(
            start, lambda port: "ready to accept connections" in self.log, self.directory / "log")

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def close(self):
        end(self.process)
        shutil.rmtree(self.directory)
        self.users.close()
        self.tokens.close()
