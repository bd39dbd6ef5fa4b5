"""A sign-in service with real TLS whose pages a test controls, and which records its requests.

Its first page repeatedly requests a script from the server, runs it, and sends back the result.
"""

import json
import queue
import socketserver
import ssl
import threading
import urllib.parse
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

HOST = "localhost"
# On the same computer: names below `localhost` are always loopback (RFC 6761).
OTHER = "other.localhost"
STRANGER = "stranger.localhost"

DRIVER = """<!doctype html><title>Sign in</title><body>
<script>
(async () => {
  const page = Math.random();
  for (;;) {
    try {
      const script = await (await fetch('/next?' + page)).text();
      if (!script) continue;
      let value;
      try { value = await (0, eval)('(async () => {' + script + '})()'); }
      catch (problem) { value = 'error: ' + problem; }
      await fetch('/answer', {method: 'POST', body: JSON.stringify(value ?? null)});
    } catch (problem) { await new Promise(done => setTimeout(done, 50)); }
  }
})();
</script>"""


@dataclass
class Request:
    method: str
    host: str
    path: str
    query: dict[str, str]
    fields: dict[str, str]
    body: str


@dataclass
class Reply:
    body: str = ""
    status: int = 200
    fields: dict[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"


class Hostile:
    """Listens from its creation until it is closed."""

    def __init__(self, context: ssl.SSLContext):
        self.requests: list[Request] = []
        self.replies: dict[str, Reply] = {}
        # The response of the authorization endpoint.
        self.first = Reply(DRIVER)
        # The numbers of the pages that have requested a script, and the script for the last one.
        self.pages: list[str] = []
        self.scripts: list[str] = []
        self.changed = threading.Condition()
        self.connections = 0
        self.answers: queue.Queue = queue.Queue()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self):
                outer._answer(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 64

            def finish_request(self, request, address):
                outer.connections += 1
                try:
                    with context.wrap_socket(request, server_side=True) as secured:
                        Handler(secured, address, self)
                except OSError:
                    return

            def handle_error(self, request, address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def url(self, path: str, host: str = HOST) -> str:
        return f"https://{host}:{self.port}{path}"

    @property
    def authority(self) -> str:
        return self.url("/common")

    def connection(self, ca_file) -> dict:
        """The service as an entry of apps.json."""
        return {
            "name": "Demo",
            "clientID": "11111111-2222-3333-4444-555555555555",
            "authority": self.authority,
            "knownAuthorities": [self.authority],
            "scopes": ["User.Read"],
            "api": self.url("/graph"),
            "caFile": str(ca_file),
        }

    def asked(self, path: str) -> list[Request]:
        """The requests for a path so far."""
        return [request for request in list(self.requests) if request.path == path]

    @property
    def token_requests(self) -> list[Request]:
        return self.asked("/common/oauth2/v2.0/token")

    @property
    def state(self) -> str:
        """The `state` of the last sign-in."""
        return self.asked("/common/oauth2/v2.0/authorize")[-1].query["state"]

    @property
    def redirect(self) -> str:
        """The redirect URI of the last sign-in."""
        return self.asked("/common/oauth2/v2.0/authorize")[-1].query["redirect_uri"]

    def run(self, script: str, timeout: float = 30):
        """Runs a script in the page, and returns what it returns."""
        while not self.answers.empty():
            self.answers.get()
        self.start(script)
        try:
            return self.answers.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"the page did not answer: {script}") from None

    def make_last(self, index: int):
        """Makes an earlier page, which is shown again, the one that runs scripts."""
        with self.changed:
            self.pages.append(self.pages.pop(index))
            self.changed.notify_all()

    def start(self, script: str):
        """Runs a script that may end the page."""
        with self.changed:
            self.scripts.append(script)
            self.changed.notify_all()

    def _next(self, page: str) -> str:
        """The script for a page; a page that was left must not get the next page's script."""
        with self.changed:
            if page not in self.pages:
                self.pages.append(page)
                self.changed.notify_all()
            self.changed.wait_for(lambda: self.scripts or self.pages[-1] != page, 1)
            return self.scripts.pop(0) if self.scripts and self.pages[-1] == page else ""

    def _answer(self, handler: BaseHTTPRequestHandler):
        length = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(length).decode("utf-8", "replace")
        path, _, query = handler.path.partition("?")
        fields = {name.lower(): value for name, value in handler.headers.items()}
        if path == "/next":
            return self._send(handler, Reply(self._next(query), kind="text/plain"))
        if path == "/answer":
            self.answers.put(json.loads(body))
            return self._send(handler, Reply())
        request = Request(
            handler.command, fields.get("host", ""), path,
            dict(urllib.parse.parse_qsl(query)), fields, body)
        self.requests.append(request)
        self._send(handler, self._reply(request))

    def _reply(self, request: Request) -> Reply:
        base = self.url("/common")
        match request.path:
            case "/common/v2.0/.well-known/openid-configuration":
                return Reply(kind="application/json", body=json.dumps({
                    "issuer": self.url("/{tenantid}/v2.0"),
                    "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                    "token_endpoint": f"{base}/oauth2/v2.0/token",
                    "jwks_uri": f"{base}/discovery/v2.0/keys",
                }))
            case "/common/oauth2/v2.0/authorize":
                return self.first
            case "/common/oauth2/v2.0/token":
                return Reply('{"error": "invalid_grant"}', 400, kind="application/json")
        return self.replies.get(request.path, Reply("Not found", 404, kind="text/plain"))

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, reply: Reply):
        content = reply.body.encode()
        try:
            handler.send_response(reply.status)
            handler.send_header("Content-Type", reply.kind)
            handler.send_header("Content-Length", str(len(content)))
            handler.send_header("Cache-Control", "no-store")
            for name, value in reply.fields.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(content)
        except OSError:
            return
