"""An unrelated service on loopback with TLS, whose clock is wrong."""

import http.server
import ssl
import subprocess
import threading
import time
from email.utils import formatdate
from pathlib import Path


class OtherTime:
    """Replies to everything with `{}` and a time that is `offset` seconds from now."""

    def __init__(self, directory: Path, offset: float):
        self.certificate = directory / "other-time.pem"
        key = directory / "other-time.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(self.certificate)],
            check=True, capture_output=True)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def date_time_string(self, timestamp=None):
                return formatdate(time.time() + offset, usegmt=True)

            def log_message(self, *arguments):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def connection(self) -> dict:
        authority = f"https://localhost:{self.server.server_port}/common"
        return {
            "name": "Other time", "clientID": "11111111-2222-3333-4444-555555555555",
            "authority": authority, "knownAuthorities": [authority],
            "caFile": str(self.certificate)}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
