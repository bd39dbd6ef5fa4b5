"""Adds one token response to stores of several sizes, beside MSAL Python's PersistedTokenCache.

usage: store.py STORE_BENCHMARK DIRECTORY RUNS    (with a Python that has MSAL and its extensions)

Ours are encrypted files, with their fsync; MSAL Python's is a plain file, and not synchronized. What the
disk alone takes for that is printed, too; and what is left of ours where synchronizing costs nothing.
"""

import base64
import hashlib
import hmac
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

here = Path(__file__).parent
benchmark, directory, runs = sys.argv[1:]
python = sys.executable
directory = Path(directory)
runs = max(3, int(runs) // 5)

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
KEY = bytes([7]) * 32
SIZES = (1, 100, 1000, 10000)


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


def envelope(name: str, payload: bytes) -> bytes:
    parts = ("1", "1", name, text(payload))
    digest = hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).digest()
    return json.dumps({
        "v": 1, "gen": 1, "id": name, "payload": text(payload), "sha256": text(digest)}).encode()


def make_directory(path: Path, count: int):
    """A store of encrypted files, by the description of their form."""
    path.mkdir(mode=0o700)
    header = b"entrance" + b"\x01" + hmac.digest(KEY, b"entrance key ID", "sha256")[:16]
    header += hashlib.sha256(header).digest()[:8]
    cipher = ChaCha20Poly1305(KEY)

    def write(kind: str, name: str, payload: bytes):
        file = f"{kind}.{text(name.encode())}.a"
        nonce = os.urandom(12)
        sealed = cipher.encrypt(nonce, envelope(name, payload), header + file.encode())
        private(path / file, header + nonce + sealed)

    names = [text(os.urandom(16)) for _ in range(count)]
    for number, name in enumerate(names):
        write("record", name, json.dumps(entries(number)).encode())
    accounts = {
        name: f"{number:08x}-0000-0000-0000-000000000000.{TENANT}" for number, name in enumerate(names)}
    write("index", "index", json.dumps({
        "ids": sorted(names), "removed": {},
        "accounts": {CLIENT_ID: {"login.microsoftonline.com": accounts}}}).encode())


def output(*command, **options) -> dict:
    answer = subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, timeout=600,
        **options)
    return json.loads(answer.stdout)


def medians(sides: list[list[dict]], name: str) -> list[float]:
    return [statistics.median(sample[name] for sample in side) for side in sides]


def line(name, ours, theirs, peer, aim=None):
    verdict = f"aim {aim} ms, {'ok' if ours <= aim else 'short'}" if aim else "no aim"
    print(
        f"{name}: ours {ours:.3g} ms, {peer} {theirs:.3g} ms, ratio {ours / theirs:.3g}, {verdict}",
        flush=True)


def disk(path: Path) -> float:
    """Milliseconds that the disk takes for a file of this size: write, fsync, rename, fsync."""
    times = []
    for _ in range(51):
        start = time.perf_counter()
        private(path / "new", b"x" * 9000)
        for step in (path / "new", None):
            if step is None:
                os.rename(path / "new", path / "old")
            file = os.open(step or path, os.O_RDONLY)
            os.fsync(file)
            os.close(file)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def one_token(place: Path, size: int):
    """A new process that wants a token of one account: it reads the index and one record."""
    account = f"{size - 1:08x}-0000-0000-0000-000000000000.{TENANT}"
    answers = [output(benchmark, "token", place, TENANT, account) for _ in range(max(runs, 5))]
    ours, everything = medians([answers], "one")[0], medians([answers], "all")[0]
    line(f"store-one-token-{size}", ours, everything, "all accounts")


def files(size: int, memory: Path):
    plain, place, quick = directory / "cache.json", directory / "store", memory / "store"
    make_file(plain, size)
    make_directory(place, size)
    sign(directory / "signed", size - 1)
    shutil.copytree(place, quick)
    sides, bare = [[], [], []], []
    for _ in range(runs):
        sides[0].append(output(benchmark, "file", place, TENANT, directory / "signed"))
        sides[1].append(output(python, here / "store_peer.py", "file", plain, TENANT))
        sides[2].append(output(benchmark, "file", quick, TENANT, directory / "signed"))
        bare.append(disk(directory))
    ours, theirs, own = medians(sides, "add")
    line(f"store-add-{size}", ours, theirs, "msal-python", aim=2)
    line(f"store-add-{size}-disk", ours, statistics.median(bare), "disk alone")
    line(f"store-add-{size}-memory", own, theirs, "msal-python", aim=2)
    print(f"store-read-{size}: ours {medians(sides[:1], 'read')[0]:.3g} ms, no aim", flush=True)
    one_token(place, size)
    for path in (place, quick):
        shutil.rmtree(path)
    plain.unlink()


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
        return output("dbus-run-session", "--", "sh", "-c", script, env=environment)

    sides = [[], []]
    for number in range(3):
        sides[0].append(run(
            f"{benchmark} keyring io.example.Benchmark{number} {TENANT} {home}/signed {size} <{home}/records"))
        sides[1].append(run(f"{python} {here}/store_peer.py keyring {plain} {TENANT}"))
    ours, theirs = medians(sides, "add")
    line(f"store-keyring-add-{size}", ours, theirs, "msal-extensions")
    print(f"store-keyring-read-{size}: ours {medians(sides[:1], 'read')[0]:.3g} ms, no aim", flush=True)
    shutil.rmtree(home)


shutil.rmtree(directory, ignore_errors=True)
directory.mkdir(parents=True, mode=0o700)
memory = Path(tempfile.mkdtemp(dir="/dev/shm"))
try:
    for size in SIZES:
        files(size, memory)
    for size in (1, 100):
        keyring(size)
finally:
    shutil.rmtree(memory)
