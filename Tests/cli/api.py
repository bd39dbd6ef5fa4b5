"""An API on this computer that answers as a test says."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from certificates import CertificateAuthority


class API:
    """Listens from its creation until it is closed."""

    def __init__(self, directory: Path):
        authority = CertificateAuthority(directory)
        self.ca_file = authority.file
        self.status = 200
        self.fields: dict[str, str] = {}
        self.requests: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append(dict(self.headers.items()))
                self.send_response(outer.status)
                for name, value in outer.fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = authority.context("localhost").wrap_socket(
            self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.server.server_address[1]}/v1.0/me"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
