"""A stand-in for login.microsoftonline.com and graph.microsoft.com: a proxy that replies in
their place with a certificate of its own authority, and records the requests.
"""

import json
import socketserver
import threading
from pathlib import Path

from certificates import CertificateAuthority

HOST = "login.microsoftonline.com"
GRAPH = "graph.microsoft.com"
ELSEWHERE = "elsewhere.example"


class Microsoft:
    """Listens from its creation until it is closed."""

    def __init__(self, directory: Path):
        authority = CertificateAuthority(directory)
        self.ca_file = authority.file
        # The responses of Graph, by path; all others are forbidden.
        self.graph: dict[str, dict] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.context = authority.context(HOST, GRAPH, ELSEWHERE)
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                outer._answer(self.connection)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def cookies(self, host: str, path: str) -> dict[str, str] | None:
        """The cookies of the first request for a page; none if there was no such request."""
        for asked_host, asked_path, fields in list(self.requests):
            if asked_host == host and asked_path.split("?")[0].endswith(path):
                pairs = [pair.split("=", 1) for pair in fields.get("cookie", "").split("; ") if pair]
                return dict(pairs)
        return None

    def _answer(self, connection):
        host = _read_head(connection)[1].split(":")[0]
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            with self.context.wrap_socket(connection, server_side=True) as secured:
                method, target, fields = _read_head(secured)
                self.requests.append((host, target, fields))
                secured.sendall(self._reply(host, target))
        except (OSError, ValueError):
            # The app first checks the certificate, without sending a request.
            return

    def _reply(self, host: str, target: str) -> bytes:
        path = target.split("?")[0]
        base = f"https://{HOST}/common"
        if path.endswith("/.well-known/openid-configuration"):
            return _response("200 OK", "application/json", json.dumps({
                "issuer": f"https://{HOST}/{{tenantid}}/v2.0",
                "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                "token_endpoint": f"{base}/oauth2/v2.0/token",
                "jwks_uri": f"{base}/discovery/v2.0/keys",
            }))
        if path.endswith("/authorize"):
            return _response("302 Found", "text/html", "", f"https://{ELSEWHERE}/page")
        if host == GRAPH:
            answer = self.graph.get(path)
            return _response(
                "200 OK" if answer else "403 Forbidden", "application/json",
                json.dumps(answer or {"error": {"code": "Authorization_RequestDenied"}}))
        if host == ELSEWHERE:
            return _response("200 OK", "text/html", "<title>Elsewhere</title>Elsewhere")
        return _response("404 Not Found", "text/plain", "")


def _read_head(connection) -> tuple[str, str, dict[str, str]]:
    """Method, target and header fields of a request."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            break
        data += more
    first, *lines = data.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
    fields = [line.split(": ", 1) for line in lines if ": " in line]
    method, target, _version = first.split(" ")
    return method, target, {name.lower(): value for name, value in fields}


def _response(status: str, kind: str, body: str, location: str = "") -> bytes:
    fields = [f"Content-Type: {kind}", f"Content-Length: {len(body.encode())}", "Connection: close"]
    if location:
        fields.append(f"Location: {location}")
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "", body]).encode()
