"""The emulator behind an HTTP/2 server that closes a connection soon after its last request.

Many services do so after some seconds, while the user reads the page.
"""

import ctypes
import http.client
import os
import select
import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.events

from emulator import Emulator

# Starts a program in its own network namespace, so that its port is free.
NETWORK_OF_ITS_OWN = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
CLONE_NEWNET = 0x40000000
# Header fields for one connection only (RFC 9113, section 8.2.2), or set again here.
OF_A_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length"}

libc = ctypes.CDLL(None, use_errno=True)


def listen(emulator: Emulator) -> socket.socket:
    """Listens on the emulator's port, which is in another network."""
    return socket.create_server(("127.0.0.1", int(emulator.base.rpartition(":")[2])), backlog=64)


class RestingServer:
    """Answers on the emulator's port in its own network namespace."""

    def __init__(self, emulator: Emulator, context: ssl.SSLContext, rest: float):
        self.emulator = emulator
        self.port = int(emulator.base.rpartition(":")[2])
        self.context = context
        self.context.set_alpn_protocols(["h2", "http/1.1"])
        self.rest = rest
        # The paths requested over HTTP/2, and its open and closed connections.
        self.paths: list[str] = []
        self.open: set[ssl.SSLSocket] = set()
        self.closed = 0
        self.listener = emulator.listener
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket):
        enter_network(self.emulator.process.pid)
        try:
            with self.context.wrap_socket(connection, server_side=True) as secured:
                if secured.selected_alpn_protocol() == "h2":
                    self.open.add(secured)
                    try:
                        self._answer_until_rest(secured)
                    finally:
                        self.open.remove(secured)
                else:
                    self._pass_on(secured)
        except OSError:
            return

    def _pass_on(self, connection: ssl.SSLSocket):
        """Forwards one request and its response over HTTP/1.1, which the tests use with the
        emulator.
        """
        address = ("127.0.0.1", self.port)
        with self.emulator.context.wrap_socket(
            socket.create_connection(address), server_hostname="localhost"
        ) as service:
            ways = {connection: service, service: connection}
            while True:
                for source in select.select(list(ways), [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    ways[source].sendall(data)

    def _answer_until_rest(self, connection: ssl.SSLSocket):
        session = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        session.initiate_connection()
        heads: dict[int, dict[bytes, bytes]] = {}
        bodies: dict[int, bytes] = {}
        is_asked = False
        while True:
            connection.sendall(session.data_to_send())
            # It rests between two requests only: a busy client may take its time with one.
            connection.settimeout(self.rest if is_asked and not bodies else 30)
            try:
                data = connection.recv(65536)
            except TimeoutError:
                session.close_connection()
                connection.sendall(session.data_to_send())
                self.closed += 1
                return
            if not data:
                return
            for event in session.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    is_asked = True
                    heads[event.stream_id] = dict(event.headers)
                    bodies[event.stream_id] = b""
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] += event.data
                    session.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    head = heads.pop(event.stream_id)
                    self.paths.append(head[b":path"].decode().partition("?")[0])
                    fields, body = self._forward(head, bodies.pop(event.stream_id))
                    session.send_headers(event.stream_id, fields)
                    for start in range(0, len(body), 16384):
                        session.send_data(event.stream_id, body[start:start + 16384])
                    session.end_stream(event.stream_id)

    def _forward(self, head: dict[bytes, bytes], body: bytes):
        connection = http.client.HTTPSConnection(
            "localhost", self.port, timeout=30, context=self.emulator.context)
        fields = {
            name.decode(): value.decode() for name, value in head.items()
            if not name.startswith(b":")}
        fields["host"] = head[b":authority"].decode()
        connection.request(head[b":method"].decode(), head[b":path"].decode(), body, fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        kept = [
            (name.lower(), value) for name, value in answer.getheaders()
            if name.lower() not in OF_A_CONNECTION]
        return [(":status", str(answer.status)), *kept, ("content-length", str(len(content)))], content


def enter_network(process: int):
    """Creates this thread's sockets in the network namespace of a process."""
    descriptor = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    try:
        if libc.setns(descriptor, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    finally:
        os.close(descriptor)
