"""Adds one token response to stores of several sizes and reads them, beside floors and MSAL Python.

usage: store.py BENCH_DIRECTORY RUNS    (with a Python that has MSAL and its extensions)

Ours are encrypted files, with their fsync; MSAL Python's is a plain file, and not synchronized. What is left
of ours where synchronizing costs nothing is printed, too.
"""

import base64
import hashlib
import hmac
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

import msal_cache
from figures import json_output, in_turn, line, medians
from msal_cache import CLIENT_ID, TENANT, entries, uid

here = Path(__file__).parent
bench, runs = Path(sys.argv[1]), max(3, int(sys.argv[2]) // 5)
benchmark, directory = bench / "store-benchmark", bench / "store"
python = sys.executable

KEY = bytes([7]) * 32
SIZES = (1, 1000, 10000)


def sign(path: Path, number: int):
    """What a service sends with the tokens of an account, and its key."""
    now = int(time.time())
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    mine = uid(number)

    def part(value: dict) -> str:
        return text(json.dumps(value).encode())

    start = ".".join((part({"alg": "RS256", "kid": "1", "typ": "JWT"}), part({
        "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0", "aud": CLIENT_ID, "ver": "2.0",
        "oid": mine, "sub": mine, "tid": TENANT, "iat": now, "nbf": now, "exp": now + 86400,
        "preferred_username": f"{mine}@contoso.example", "name": "A name"})))
    signature = key.sign(start.encode(), padding.PKCS1v15(), hashes.SHA256())
    modulus = key.public_key().public_numbers().n.to_bytes(256, "big")
    path.write_text(json.dumps({
        "id_token": f"{start}.{text(signature)}", "client_info": part({"uid": mine, "utid": TENANT}),
        "keys": {"keys": [{"kty": "RSA", "use": "sig", "kid": "1", "alg": "RS256",
                           "n": text(modulus), "e": "AQAB",
                           "issuer": f"https://login.microsoftonline.com/{TENANT}/v2.0"}]}}))


def make_file(path: Path, count: int):
    """A cache of MSAL Python's."""
    msal_cache.write(path, json.dumps(msal_cache.of(map(uid, range(count)))).encode())


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def make_directory(path: Path, count: int):
    """A store of encrypted files, by the description of their form."""
    path.mkdir(mode=0o700)

    def header(version: int) -> bytes:
        start = b"entrance" + bytes([version]) + hmac.digest(KEY, b"entrance key ID", "sha256")[:16]
        return start + hashlib.sha256(start).digest()[:8]

    def name(of: str) -> str:
        return text(hmac.digest(KEY, f"name of {of}".encode(), "sha256")[:16])

    cipher = ChaCha20Poly1305(KEY)
    for number in range(count):
        record, cloud = text(os.urandom(16)), "login.microsoftonline.com"
        file = f"account.{name(f'record {record}')}"
        file += f".{name(f'account {CLIENT_ID} {cloud} {account(number)}')}"
        head = {"id": record, "signed_in": "0.0", "account": account(number), "cloud": cloud, "app": CLIENT_ID}
        content = f"{json.dumps(head)}\n{json.dumps(entries(uid(number)))}".encode()
        nonce = os.urandom(12)
        msal_cache.write(path / file, header(1) + nonce + cipher.encrypt(nonce, content, header(1) + file.encode()))
    msal_cache.write(path / f"record.{text(b'newer-version')}.a", header(2))


def account(number: int) -> str:
    return f"{uid(number)}.{TENANT}"


def files(size: int, memory: Path) -> float:
    """Prints the figures of files; returns the milliseconds of adding a response."""
    plain, place, quick = directory / "cache.json", directory / "store", memory / "store"
    make_file(plain, size)
    make_directory(place, size)
    sign(directory / "signed", size - 1)
    shutil.copytree(place, quick)
    mine = account(size - 1)
    read = medians(in_turn(runs, lambda: json_output(benchmark, "read", place, TENANT, mine))[0])
    line(f"store-read-one-{size}", read["one"], "read and parse", read["one-floor"], "ms", 2)
    line(f"store-read-all-{size}", read["all"], "read and parse", read["all-floor"], "ms", 2)
    ours, theirs, own = (
        medians(taken) for taken in in_turn(
            runs,
            lambda: json_output(benchmark, "add", place, TENANT, mine, directory / "signed"),
            lambda: json_output(python, here / "store_peer.py", "file", plain, TENANT),
            lambda: json_output(benchmark, "add", quick, TENANT, mine, directory / "signed")))
    line(f"store-save-{size}", ours["save"], "disk alone", ours["floor"], "ms", 2)
    line(f"store-save-{size}-memory", own["save"], "memory alone", own["floor"], "ms")
    line(f"store-add-{size}", ours["add"], "msal-python", theirs["add"], "ms", 2 if size == 1 else 0.125)
    for path in (place, quick):
        shutil.rmtree(path)
    plain.unlink()
    return ours["add"]


def keyring(size: int):
    """Runs itself in a session of its own, with a real gnome-keyring."""
    home = Path(tempfile.mkdtemp(prefix="home-", dir=directory))
    (home / "run").mkdir(mode=0o700)
    plain = home / "cache.json"
    make_file(plain, size)
    sign(home / "signed", size - 1)
    records = "".join(json.dumps(entries(uid(number))) + "\n" for number in range(size))
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"),
        "XDG_DATA_HOME": str(home / "data"), "LANG": "C.UTF-8",
    }
    (home / "password").write_text("a password for benchmarks")
    (home / "records").write_text(records)

    def run(command: str) -> dict:
        script = (
            f"gnome-keyring-daemon --foreground --components=secrets --unlock <{home}/password "
            f">/dev/null 2>&1 & gdbus wait --session --timeout 20 org.freedesktop.secrets && {command}")
        return json_output("dbus-run-session", "--", "sh", "-c", script, env=environment)

    names = (f"io.example.Benchmark{number}" for number in range(3))
    ours, theirs = (
        medians(taken) for taken in in_turn(
            3,
            lambda: run(
                f"{benchmark} keyring {next(names)} {TENANT} {account(size - 1)} {home}/signed {size} "
                f"<{home}/records"),
            lambda: run(f"{python} {here}/store_peer.py keyring {plain} {TENANT}")))
    line(f"store-keyring-add-{size}", ours["add"], "msal-extensions", theirs["add"], "ms", 1)
    shutil.rmtree(home)


shutil.rmtree(directory, ignore_errors=True)
directory.mkdir(parents=True, mode=0o700)
memory = Path(tempfile.mkdtemp(dir="/dev/shm"))
try:
    adding = [files(size, memory) for size in SIZES]
    line("store-add-growth", adding[-1], "1 account", adding[0], "ms", 1.5)
    for size in (1, 100):
        keyring(size)
finally:
    shutil.rmtree(memory)
