"""A TLS server on loopback with faults: the URL's path names the fault.

It prints one line of JSON with its ports and CA files, and ends when its standard input is closed.
"""

import contextlib
import ctypes
import gzip
import itertools
import json
import os
import random
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

import h2.config
import h2.connection
import h2.errors
import h2.events

SCRATCH = tempfile.TemporaryDirectory(prefix="misbehave-")
CONNECTIONS = itertools.count(1)
LOCK = threading.Lock()
# The HTTP/2 connections to be closed.
RESTING = set()
STATS = {"closed": [], "rested": [], "cut": [], "requests": {}, "flood": 0, "plain": 0}


# Certificates


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=SCRATCH.name, check=True, capture_output=True)


def path(name):
    return os.path.join(SCRATCH.name, name)


def new_key(name):
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name + ".key")


def make_authority(name):
    new_key(name)
    openssl("req", "-x509", "-new", "-key", name + ".key", "-out", name + ".pem", "-days", "2",
            "-subj", "/CN=" + name)


def make_certificate(name, authority, host="localhost", days="2"):
    new_key(name)
    with open(path(name + ".ext"), "w", encoding="ascii") as extensions:
        extensions.write("subjectAltName=DNS:" + host)
    openssl("req", "-new", "-key", name + ".key", "-out", name + ".csr", "-subj", "/CN=" + host)
    openssl("x509", "-req", "-in", name + ".csr", "-CA", authority + ".pem", "-CAkey",
            authority + ".key", "-out", name + ".pem", "-days", days, "-extfile", name + ".ext")


def context(name, protocols=("http/1.1",)):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(path(name + ".pem"), path(name + ".key"))
    tls.set_alpn_protocols(list(protocols))
    return tls


def old_context(name):
    tls = context(name)
    tls.set_ciphers("ALL:@SECLEVEL=0")
    tls.minimum_version = ssl.TLSVersion.TLSv1
    tls.maximum_version = ssl.TLSVersion.TLSv1_1
    return tls


# Listening


def listen(serve):
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)

    def guarded(connection, number):
        with connection, contextlib.suppress(OSError, ssl.SSLError, EOFError):
            serve(connection, number)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(
                target=guarded, args=(connection, next(CONNECTIONS)), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def listen_tls(tls, serve):
    def serve_tls(connection, number):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with tls.wrap_socket(connection, server_side=True) as secure:
            try:
                serve(secure, number)
            finally:
                with LOCK:
                    STATS["closed"].append(number)

    return listen(serve_tls)


def exactly(stream, count):
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def close_at_once(connection):
    """Makes closing the connection a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


# HTTP/1.1


def hear_nothing(connection):
    """Drops all that arrives from now on, before TCP sees it: nothing is acknowledged or refused, as by a computer
    that is gone."""
    so_attach_filter = 26
    # The classic BPF program `ret #0`.
    program = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    connection.setsockopt(
        socket.SOL_SOCKET, so_attach_filter, struct.pack("HP", 1, ctypes.addressof(program)))


def is_to_be_cut(target):
    """Whether this is the first request for this path, and one that ends in the middle of its body."""
    with LOCK:
        is_first = target.startswith("/cut/") and target not in STATS["cut"]
        if is_first:
            STATS["cut"].append(target)
        return is_first


def chunks(stream):
    """The chunks of a request's body, to its end."""
    while size := int(line_of(stream), 16):
        yield exactly(stream, size)
        line_of(stream)
    line_of(stream)


def line_of(stream):
    line = stream.readline()
    if not line:
        raise EOFError
    return line


def swallowed(stream, length):
    """Reads a body that is not kept, and returns its size."""
    rest = length
    while rest:
        rest -= len(exactly(stream, min(rest, 1 << 20)))
    return length


def read_request(connection, stream, number):
    first = stream.readline()
    if not first:
        raise EOFError
    method, target, _ = first.decode().split()
    fields = []
    while line := stream.readline().strip():
        name, value = line.decode().split(":", 1)
        fields.append([name.lower(), value.strip()])
    length = int(dict(fields).get("content-length", 0))
    if is_to_be_cut(target):
        exactly(stream, length // 2)
        if target.startswith("/cut/close/"):
            # The client may go on, and is not heard.
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
        raise EOFError
    if target == "/refused":
        # The rest may come later, and nobody waits for it.
        body = next(chunks(stream))
    elif dict(fields).get("transfer-encoding") == "chunked":
        body = b"".join(chunks(stream))
    elif target.startswith("/swallow"):
        body = b"%d" % swallowed(stream, length)
    else:
        body = exactly(stream, length)
    with LOCK:
        STATS["requests"].setdefault(target, []).append(number)
    return {"connection": number, "method": method, "path": target, "fields": fields,
            "body": body.decode("latin-1")}


def reply(body, *fields, status="200 OK"):
    lines = ["HTTP/1.1 " + status, "Content-Length: %d" % len(body), *fields]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


HEAD = b"HTTP/1.1 200 OK\r\n"
TEXT = random.Random(1).randbytes(20000).hex().encode()
PACKED = gzip.compress(TEXT)


def zeros(megabytes):
    """A gzip stream of zeros, piece by piece."""
    import zlib
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for _ in range(megabytes):
        yield packer.compress(bytes(1 << 20))
    yield packer.flush()


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data) if data else b""


def corrupt(data):
    middle = len(data) // 2
    return data[:middle] + bytes(64) + data[middle + 64:]


GZIP = "Content-Encoding: gzip"
# Data that is sent before the connection is cut.
CUT = {
    "/short": reply(bytes(1000))[:-500],
    "/cut-chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nhe",
    "/bad-chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nhe",
    "/cut-head": HEAD + b"Content-Le",
    "/nothing": b"",
    "/no-length": HEAD + b"\r\n{\"cut\":",
    "/no-length-gzip": HEAD + b"Content-Encoding: gzip\r\n\r\n" + PACKED,
    "/http-0.9": b"hello",
}
# Data that is sent before the connection continues.
WHOLE = {
    "/empty": b"HTTP/1.1 204 No Content\r\n\r\n",
    "/unauthorized": reply(b"no", "WWW-Authenticate: Bearer", status="401 Unauthorized"),
    "/interim": b"HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n" * 50 + reply(b"done"),
    "/repeated": reply(b"", "X-Twice: one", "X-Twice: two", "X-Folded: one", " two"),
    "/folded": reply(b"", "X-Folded: one", *[" two"] * 40000),
    "/trailer": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\n\r\n",
    "/cookie": reply(b"", "Set-Cookie: session=1; Path=/; Secure"),
    "/gzip": reply(PACKED, GZIP),
    "/gzip-members": reply(gzip.compress(TEXT[:5000]) + gzip.compress(TEXT[5000:]), GZIP),
    "/gzip-empty": reply(b"", GZIP),
    "/gzip-cut-small": reply(PACKED[:20], GZIP),
    "/gzip-cut-half": reply(PACKED[:len(PACKED) // 2], GZIP),
    "/gzip-cut-checksum": reply(PACKED[:-8], GZIP),
    "/gzip-corrupt": reply(corrupt(PACKED), GZIP),
    "/gzip-garbage-after": reply(PACKED + b"garbage", GZIP),
    "/unknown-coding": reply(b"?", "Content-Encoding: br"),
    "/many-fields": reply(b"", *("X-%d: 0123456789" % i for i in range(20000))),
    # As a whole they are smaller than any limit of a head.
    "/many-short-fields": HEAD + b"Content-Length: 0\r\n" + b"a:\n" * 80000 + b"\r\n",
    "/nul": reply(b"", "X-Nul: a\0b"),
    "/bad-field": reply(b"", "no colon"),
    "/two-lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
}


def serve_http(connection, number, other=None):
    stream = connection.makefile("rb")
    while True:
        request = read_request(connection, stream, number)
        target = request["path"].split("?")[0]
        fault, _, argument = target[1:].partition("/")
        if target in WHOLE:
            connection.sendall(WHOLE[target])
        elif target in CUT:
            connection.sendall(CUT[target])
            return
        elif fault == "redirect":
            location = "Location: https://localhost:%d/stolen" % other
            connection.sendall(reply(b"", location, status=argument + " Elsewhere"))
        elif fault == "refused":
            connection.sendall(reply(b"", status="413 Content Too Large"))
            stream.read()
            return
        elif fault == "size":
            connection.sendall(reply(bytes(int(argument))))
        elif fault == "rest":
            with LOCK:
                RESTING.add(int(argument))
            connection.sendall(reply(b""))
        elif fault == "vanish":
            hear_nothing(connection)
            connection.sendall(reply(json.dumps(request).encode()))
        elif fault == "stats":
            with LOCK:
                connection.sendall(reply(json.dumps(STATS).encode()))
        elif fault == "silence":
            stream.read(1)
            return
        elif fault == "drip":
            connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
            for _ in range(1000):
                connection.sendall(b".")
                time.sleep(0.02)
        elif fault == "reset":
            connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
            time.sleep(0.1)
            close_at_once(connection)
            return
        elif fault in ("flood", "large"):
            connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            for _ in range(1600):
                connection.sendall(chunk(bytes(64 << 10)))
                if fault == "flood":
                    with LOCK:
                        STATS["flood"] += 64 << 10
            connection.sendall(b"0\r\n\r\n")
        elif fault == "bomb":
            connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n%s\r\n\r\n" % GZIP.encode())
            for piece in zeros(300):
                connection.sendall(chunk(piece))
            connection.sendall(b"0\r\n\r\n")
        else:
            connection.sendall(reply(json.dumps(request).encode()))


# HTTP/2


def serve_http2(connection, number, ending=None):
    """Answers requests. With an ending, a connection is closed after a request for
    "/rest/NUMBER", like many servers do after some seconds without a request. "late" is for a
    client that sends before it notices: its request is not read.
    """
    http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    http.initiate_connection()
    requests = {}
    while True:
        # The limit is for listening: a busy client takes its time to receive.
        connection.settimeout(None)
        connection.sendall(http.data_to_send())
        connection.settimeout(0.05 if ending else None)
        try:
            data = connection.recv(65536)
        except TimeoutError:
            with LOCK:
                if number not in RESTING:
                    continue
                STATS["rested"].append(number)
            if ending.startswith("late"):
                connection.settimeout(None)
                connection.recv(65536)
            if ending.endswith("goaway"):
                http.close_connection()
                connection.sendall(http.data_to_send())
            elif ending.endswith("reset"):
                close_at_once(connection)
            return
        if not data:
            return
        for event in http.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                requests[event.stream_id] = [dict(event.headers)[b":path"].decode(), b""]
                if requests[event.stream_id][0] == "/refused/early":
                    for stream in (None, event.stream_id):
                        http.increment_flow_control_window(64 << 20, stream)
            elif isinstance(event, h2.events.DataReceived):
                if requests.get(event.stream_id, [""])[0] == "/refused/early":
                    # The client hears nothing after it, not even that there is room for more.
                    if not requests[event.stream_id][1]:
                        http.send_headers(event.stream_id, [(":status", "413")], end_stream=True)
                    requests[event.stream_id][1] += event.data
                    continue
                http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                if event.stream_id not in requests:
                    continue
                requests[event.stream_id][1] += event.data
                target, body = requests[event.stream_id]
                if target == "/refused":
                    # The rest may come later, and nobody waits for it.
                    del requests[event.stream_id]
                    http.send_headers(event.stream_id, [(":status", "413")], end_stream=True)
                    continue
                if len(body) > 200_000 and is_to_be_cut(target):
                    # As servers do that end, or have too much to do: it was not processed.
                    del requests[event.stream_id]
                    http.reset_stream(event.stream_id, h2.errors.ErrorCodes.REFUSED_STREAM)
            elif isinstance(event, h2.events.StreamEnded) and event.stream_id in requests:
                target, body = requests.pop(event.stream_id)
                if target == "/vanish":
                    hear_nothing(connection)
                with LOCK:
                    STATS["requests"].setdefault(target, []).append(number)
                http.send_headers(event.stream_id, [(":status", "200")])
                answer = json.dumps({"connection": number, "body": body.decode("latin-1")}).encode()
                for start in range(0, len(answer), http.max_outbound_frame_size):
                    http.send_data(event.stream_id, answer[start:start + http.max_outbound_frame_size])
                http.end_stream(event.stream_id)


# Proxy


def serve_proxy(connection, number, status=None):
    stream = connection.makefile("rb")
    request = read_request(connection, stream, number)
    if status:
        connection.sendall(reply(b"", status=status))
        return
    host, port = request["path"].rsplit(":", 1)
    with socket.create_connection((host, int(port))) as upstream:
        connection.sendall(b"HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n")

        def pump(source, sink):
            with contextlib.suppress(OSError):
                while data := source.recv(65536):
                    sink.sendall(data)
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_WR)

        back = threading.Thread(target=pump, args=(upstream, connection), daemon=True)
        back.start()
        pump(connection, upstream)
        back.join()


def serve_plain(connection, number):
    with LOCK:
        STATS["plain"] += 1


def serve_mute(connection, number):
    """Never answers the first message of a handshake; it counts as a request, by the port."""
    if connection.recv(1):
        with LOCK:
            STATS["requests"].setdefault(str(connection.getsockname()[1]), []).append(number)
        time.sleep(60)


def main():
    make_authority("ca")
    make_authority("other-ca")
    make_certificate("good", "ca")
    make_certificate("stranger", "other-ca")
    make_certificate("wrong-name", "ca", host="elsewhere.example")
    make_certificate("expired", "ca", days="-1")
    with open(path("not-a-ca.pem"), "w", encoding="ascii") as file:
        file.write("This is not a certificate.\n")

    other = listen_tls(context("good"), serve_http)
    ports = {
        "other": other,
        "good": listen_tls(
            context("good"), lambda connection, number: serve_http(connection, number, other)),
        "http2": listen_tls(context("good", ["h2"]), serve_http2),
        "idle": {
            ending: listen_tls(
                context("good", ["h2"]),
                lambda connection, number, ending=ending: serve_http2(connection, number, ending))
            for ending in ("goaway", "close", "reset", "late-goaway", "late-close", "late-reset")},
        "stranger": listen_tls(context("stranger"), serve_http),
        "wrongName": listen_tls(context("wrong-name"), serve_http),
        "expired": listen_tls(context("expired"), serve_http),
        "tls11": listen_tls(old_context("good"), serve_http),
        "mute": listen(serve_mute),
        "handshake": listen(serve_mute),
        "plain": listen(serve_plain),
        "proxy": listen(serve_proxy),
        "deniedProxy": listen(
            lambda connection, number: serve_proxy(
                connection, number, "407 Proxy Authentication Required")),
        "deniedSecureProxy": listen_tls(
            context("good"), lambda connection, number: serve_proxy(
                connection, number, "407 Proxy Authentication Required")),
    }
    with socket.create_server(("127.0.0.1", 0)) as unused:
        ports["closed"] = unused.getsockname()[1]
    files = {
        "ca": path("ca.pem"),
        "serverCertificate": path("good.pem"),
        "notACA": path("not-a-ca.pem"),
    }
    print(json.dumps({"ports": ports, "files": files}), flush=True)
    sys.stdin.read()


main()
