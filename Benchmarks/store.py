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

from figures import json_output, in_turn, line, medians

here = Path(__file__).parent
bench, runs = Path(sys.argv[1]), max(3, int(sys.argv[2]) // 5)
benchmark, directory = bench / "store-benchmark", bench / "store"
python = sys.executable

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
KEY = bytes([7]) * 32
SIZES = (1, 1000, 10000)


def entries(number: int) -> dict:
    """One account as MSAL Python writes it, about 6 kB."""
    now = int(time.time())
    uid = f"{number:08x}-0000-0000-0000-000000000000"
    owner = {"home_account_id": f"{uid}.{TENANT}", "environment": "login.microsoftonline.com"}
    key = f"{uid}.{TENANT}-login.microsoftonline.com"
    app = {**owner, "client_id": CLIENT_ID}
    target = "Mail.Read User.Read openid profile"
    claims = base64.urlsafe_b64encode(json.dumps({"tid": TENANT, "fill": "x" * 700}).encode())
    return {
        "AccessToken": {f"{key}-accesstoken-{CLIENT_ID}-{TENANT}-{target}".lower(): {
            "credential_type": "AccessToken", "secret": "a" * 1500, **app, "target": target,
            "realm": TENANT, "token_type": "Bearer", "cached_at": str(now - 60),
            "expires_on": str(now + 86400), "extended_expires_on": str(now + 86400)}},
        "Account": {f"{key}-{TENANT}": {
            **owner, "realm": TENANT, "local_account_id": uid,
            "username": f"{uid}@contoso.example", "authority_type": "MSSTS"}},
        "IdToken": {f"{key}-idtoken-{CLIENT_ID}-{TENANT}-": {
            "credential_type": "IdToken", **app, "realm": TENANT,
            "secret": f"eyJhbGciOiJSUzI1NiJ9.{claims.decode().rstrip('=')}.{'s' * 342}"}},
        "RefreshToken": {f"{key}-refreshtoken-{CLIENT_ID}--{target}".lower(): {
            "credential_type": "RefreshToken", "secret": "r" * 1000, **app, "target": target,
            "last_modification_time": str(now - 60)}},
    }


def sign(path: Path, number: int):
    """What a service sends with the tokens of an account, and its key."""
    now = int(time.time())
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    uid = f"{number:08x}-0000-0000-0000-000000000000"

    def part(value: dict) -> str:
        return text(json.dumps(value).encode())

    start = ".".join((part({"alg": "RS256", "kid": "1", "typ": "JWT"}), part({
        "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0", "aud": CLIENT_ID, "ver": "2.0",
        "oid": uid, "sub": uid, "tid": TENANT, "iat": now, "nbf": now, "exp": now + 86400,
        "preferred_username": f"{uid}@contoso.example", "name": "A name"})))
    signature = key.sign(start.encode(), padding.PKCS1v15(), hashes.SHA256())
    modulus = key.public_key().public_numbers().n.to_bytes(256, "big")
    path.write_text(json.dumps({
        "id_token": f"{start}.{text(signature)}", "client_info": part({"uid": uid, "utid": TENANT}),
        "keys": {"keys": [{"kty": "RSA", "use": "sig", "kid": "1", "alg": "RS256",
                           "n": text(modulus), "e": "AQAB",
                           "issuer": f"https://login.microsoftonline.com/{TENANT}/v2.0"}]}}))


def private(path: Path, content: bytes):
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def make_file(path: Path, count: int):
    """A cache of MSAL Python's."""
    cache = {}
    for number in range(count):
        for section, members in entries(number).items():
            cache.setdefault(section, {}).update(members)
    private(path, json.dumps(cache).encode())


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
        content = f"{json.dumps(head)}\n{json.dumps(entries(number))}".encode()
        nonce = os.urandom(12)
        private(path / file, header(1) + nonce + cipher.encrypt(nonce, content, header(1) + file.encode()))
    private(path / f"record.{text(b'newer-version')}.a", header(2))


def account(number: int) -> str:
    return f"{number:08x}-0000-0000-0000-000000000000.{TENANT}"


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
    records = "".join(json.dumps(entries(number)) + "\n" for number in range(size))
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
