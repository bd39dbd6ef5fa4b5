"""An API on this computer that answers as a test says."""

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from certificates import CertificateAuthority


@dataclass
class Reply:
    status: int
    fields: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    # How much of the body is sent before the server falls silent; all by default.
    sent: int | None = None


class API:
    """Listens from its creation until it is closed."""

    def __init__(self, directory: Path, host: str = "localhost"):
        authority = CertificateAuthority(directory)
        self.ca_file = authority.file
        self.status = 200
        self.fields: dict[str, str] = {}
        self.requests: list[dict[str, str]] = []
        self.methods: list[str] = []
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        # The replies to the next requests, before `status` and `fields` apply.
        self.replies: list[Reply] = []
        self.is_closed = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                outer.requests.append(dict(self.headers.items()))
                outer.methods.append(self.command)
                outer.paths.append(self.path)
                reply = outer.replies.pop(0) if outer.replies else Reply(outer.status, outer.fields)
                self.send_response(reply.status)
                for name, value in ({"Content-Type": "application/json"} | reply.fields).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body[:reply.sent])
                if reply.sent is not None:
                    self.wfile.flush()
                    outer.is_closed.wait()

            do_POST = do_PUT = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = authority.context(host).wrap_socket(
            self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.server.server_address[1]}/v1.0/me"

    def close(self):
        self.is_closed.set()
        self.server.shutdown()
        self.server.server_close()


class Proxy:
    """Leads every host to one service."""

    def __init__(self, port: int):
        self.port = port
        self.hosts: list[str] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            request = client.recv(65536).decode()
            self.hosts.append(request.split()[1])
            service = socket.create_connection(("127.0.0.1", self.port))
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for source, target in ((client, service), (service, client)):
                threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket):
        # The other side may have closed its connection already.
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
