"""Mail servers on this computer that let in who has a token of the emulator, as Microsoft's do."""

import base64
import contextlib
import grp
import json
import os
import pwd
import shutil
import socket
import socketserver
import ssl
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from certificates import CertificateAuthority
from emulator import Emulator
from session import Session, end
from waiting import wait_for

RESOURCE = "https://outlook.office365.com"
IMAP, SMTP = "IMAP.AccessAsUser.All", "SMTP.Send"
# More often than by default, so that the end of a server is not waited for.
POLL_INTERVAL = 0.02


def start_server(start, is_ready, log: Path) -> tuple[subprocess.Popen, int]:
    """Starts a program that is told its port, and waits until it is ready; again with another port, when something
    else has taken this one meanwhile.
    """
    for _ in range(3):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        process = start(port)
        wait_for(lambda: process.poll() is not None or is_ready(port), f"{process.args[0]} to be ready")
        if process.poll() is None:
            return process, port
    raise RuntimeError(f"{process.args[0]} ended: {log.read_text() if log.exists() else ''}")


class Tokens:
    """Knows which tokens are valid, and serves that to Dovecot as RFC 7662 says."""

    def __init__(self, resource: str):
        self.resource = resource
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                username = outer.user(token, IMAP)
                body = json.dumps({"active": bool(username), "username": username}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(POLL_INTERVAL,), daemon=True).start()

    def begin(self, emulator: Emulator):
        """Knows the tokens of this emulator, and no others, from now on."""
        self.emulator = emulator
        self.issued: set[str] = set()
        # The tokens that let someone in, and those that were refused, in order.
        self.accepted: list[str] = []
        self.refused: list[str] = []
        # Those that have expired before their time.
        self.expired: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def user(self, token: str, permission: str) -> str | None:
        """Whose token it is, if it is one of the emulator for the resource that has this permission."""
        # What the emulator issued remains valid when it has ended.
        if self.emulator.process:
            self.issued |= {text for texts in self.emulator.secrets().values() for text in texts}
        claims = {}
        if token in self.issued and token.count(".") == 2:
            payload = token.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        is_valid = (
            claims.get("aud") == self.resource and permission in claims.get("scp", "").split()
            and claims["exp"] > time.time() and token not in self.expired)
        (self.accepted if is_valid else self.refused).append(token)
        return (claims.get("upn") or claims["preferred_username"]) if is_valid else None

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class IMAPServer:
    """Dovecot with one message, in a directory of its own."""

    def __init__(self, session: Session, tokens: Tokens, authority: CertificateAuthority):
        # Short, for the names of sockets, and outside of a home that only root may enter.
        self.directory = Path(tempfile.mkdtemp(prefix="mail-"))
        self.directory.chmod(0o755)
        authority.context("localhost")
        for name in ("host.pem", "host.key"):
            shutil.copy(authority.directory / name, self.directory)
        user = pwd.getpwuid(os.geteuid())
        owner, internal, login = user, user.pw_name, user.pw_name
        if user.pw_uid == 0:
            # As root, Dovecot neither opens mail nor talks to anyone: it has users of its own.
            owner, internal, login = pwd.getpwnam("nobody"), "dovecot", "dovenull"
        group = grp.getgrgid(pwd.getpwnam(internal).pw_gid).gr_name
        box = self.directory / "box"
        for path in (box, *(box / name for name in ("cur", "new", "tmp"))):
            path.mkdir(mode=0o700)
        (box / "new" / "1.1.localhost").write_text(
            "From: Bram <bram@contoso.example>\nTo: adele@contoso.example\nSubject: Lunch\n"
            "Date: Tue, 24 Nov 2026 12:00:00 +0000\nMessage-ID: <1@contoso.example>\n\nAt noon?\n")
        for path in (box, *box.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        (self.directory / "oauth2.conf").write_text(
            f"introspection_mode = auth\nintrospection_url = {tokens.url}\n"
            "username_attribute = username\nactive_attribute = active\nactive_value = true\n")
        file = self.directory / "dovecot.conf"
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trust.load_verify_locations(authority.file)

        def start(port: int) -> subprocess.Popen:
            file.write_text(f"""
base_dir = {self.directory}/run
state_dir = {self.directory}/run
log_path = {self.directory}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
first_valid_gid = 0
ssl = required
ssl_cert = <{self.directory}/host.pem
ssl_key = <{self.directory}/host.key
auth_mechanisms = xoauth2 oauthbearer
mail_location = maildir:{box}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {self.directory}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={self.directory}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
""")
            return session.spawn(["/usr/sbin/dovecot", "-F", "-c", str(file)])

        def is_ready(port: int) -> bool:
            # Whatever else has the port has no certificate of this authority.
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 20) as client:
                with trust.wrap_socket(client, server_hostname="localhost"):
                    return True
            return False

        self.process, self.port = start_server(start, is_ready, self.directory / "log")

    @property
    def log(self) -> str:
        file = self.directory / "log"
        return file.read_text() if file.exists() else ""

    def close(self):
        end(self.process)
        shutil.rmtree(self.directory)


class SMTPServer:
    """Takes mail after STARTTLS and AUTH XOAUTH2."""

    def __init__(self, tokens: Tokens, authority: CertificateAuthority):
        # The sender, the recipients and the text of each mail.
        self.mails: list[tuple[str, list[str], str]] = []
        context = authority.context("localhost")
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            timeout = 30

            def handle(self):
                try:
                    self.converse()
                except OSError:
                    # The client is gone, or does not trust the certificate.
                    pass

            def converse(self):
                self.is_secure, self.user = False, None
                self.say("220 localhost")
                while line := self.line():
                    command, _, rest = line.partition(" ")
                    match command.upper():
                        case "EHLO" | "HELO":
                            offer = "AUTH XOAUTH2" if self.is_secure else "STARTTLS"
                            self.say("250-localhost", f"250 {offer}")
                        case "STARTTLS":
                            self.say("220 begin")
                            self.request = context.wrap_socket(self.request, server_side=True)
                            self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb")
                            self.is_secure = True
                        case "AUTH" if self.is_secure:
                            self.authenticate(rest)
                        case "MAIL" if self.user:
                            self.sender, self.recipients = address(rest), []
                            self.say("250 OK")
                        case "RCPT" if self.user:
                            self.recipients.append(address(rest))
                            self.say("250 OK")
                        case "DATA" if self.user:
                            self.say("354 go on")
                            lines = []
                            while (text := self.line()) != ".":
                                lines.append(text)
                            outer.mails.append((self.sender, self.recipients, "\n".join(lines)))
                            self.say("250 OK")
                        case "RSET" | "NOOP":
                            self.say("250 OK")
                        case "QUIT":
                            return self.say("221 bye")
                        case _:
                            self.say("530 5.7.57 sign in first")

            def authenticate(self, words: str):
                mechanism, _, response = words.partition(" ")
                if mechanism != "XOAUTH2":
                    return self.say("504 5.7.4 unrecognized authentication type")
                if not response:
                    self.say("334 ")
                    response = self.line()
                user, bearer, *_ = base64.b64decode(response).decode().split("\1")
                token = bearer.removeprefix("auth=Bearer ")
                owner = tokens.user(token, SMTP)
                if owner and user == f"user={owner}":
                    self.user = owner
                    return self.say("235 2.7.0 welcome")
                # As XOAUTH2 has it: the error, which the client answers with an empty line.
                self.say("334 " + base64.b64encode(b'{"status":"401"}').decode())
                self.line()
                self.say("535 5.7.3 Authentication unsuccessful")

            def line(self) -> str:
                return self.rfile.readline().decode().rstrip("\r\n")

            def say(self, *lines: str):
                self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())
                self.wfile.flush()

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(POLL_INTERVAL,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class MailServers:
    """Both, which know the same tokens."""

    def __init__(self, session: Session, authority: CertificateAuthority):
        self.tokens = Tokens(RESOURCE)
        self.imap = IMAPServer(session, self.tokens, authority)
        self.smtp = SMTPServer(self.tokens, authority)

    @property
    def log(self) -> str:
        return self.imap.log

    def close(self):
        self.smtp.close()
        self.imap.close()
        self.tokens.close()


def address(words: str) -> str:
    """The address in FROM:<...> or TO:<...>."""
    return words.partition("<")[2].partition(">")[0]
