"""Runs the auth core's benchmark, MSAL Python and the floors in turn over the same caches.

usage: auth.py BENCH_DIRECTORY IDENTITY_EMULATOR RUNS    (with a Python that has MSAL)
"""

import base64
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from figures import json_output, in_turn, line, medians, milliseconds, note, output

here = Path(__file__).parent
bench, emulator, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
benchmark = bench / "auth-benchmark"
python = sys.executable
directory = bench / "auth"

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
SIZES = (1, 1000, 10000)


def make_cache(path: Path, count: int):
    """A cache of `count` accounts as MSAL Python writes it, about 6 kB each, and one with no refresh
    token."""
    now = int(time.time())
    payload = base64.urlsafe_b64encode(json.dumps({"tid": TENANT, "fill": "x" * 700}).encode())
    id_token = f"eyJhbGciOiJSUzI1NiJ9.{payload.decode().rstrip('=')}.{'s' * 342}"
    cache = {name: {} for name in ("AccessToken", "Account", "IdToken", "RefreshToken")}
    uids = [f"{number:08x}-0000-0000-0000-000000000000" for number in range(count)]
    # The account that is asked for stands in the middle: a search from the start shall not be lucky.
    uids = uids[count // 2:] + uids[:count // 2]
    for uid in [*uids, "ffffffff-ffff-ffff-ffff-ffffffffffff"]:
        owner = {
            "home_account_id": f"{uid}.{TENANT}", "environment": "login.microsoftonline.com",
        }
        key = f"{uid}.{TENANT}-login.microsoftonline.com"
        app = {**owner, "client_id": CLIENT_ID}
        target = "Mail.Read User.Read openid profile"
        cache["AccessToken"][f"{key}-accesstoken-{CLIENT_ID}-{TENANT}-{target}".lower()] = {
            "credential_type": "AccessToken", "secret": "a" * 1500, **app, "target": target,
            "realm": TENANT, "token_type": "Bearer", "cached_at": str(now - 60),
            "expires_on": str(now + 86400), "extended_expires_on": str(now + 86400),
        }
        cache["Account"][f"{key}-{TENANT}"] = {
            **owner, "realm": TENANT, "local_account_id": uid, "username": f"{uid}@contoso.example",
            "authority_type": "MSSTS", "account_source": "authorization_code",
        }
        cache["IdToken"][f"{key}-idtoken-{CLIENT_ID}-{TENANT}-"] = {
            "credential_type": "IdToken", "secret": id_token, **app, "realm": TENANT,
        }
        if not uid.startswith("ffffffff"):
            cache["RefreshToken"][f"{key}-refreshtoken-{CLIENT_ID}--{target}".lower()] = {
                "credential_type": "RefreshToken", "secret": "r" * 1000, **app, "target": target,
                "last_modification_time": str(now - 60),
            }
    cache["AppMetadata"] = {
        f"appmetadata-login.microsoftonline.com-{CLIENT_ID}": {
            "client_id": CLIENT_ID, "environment": "login.microsoftonline.com",
        }
    }
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as file:
        json.dump(cache, file)


def silent(caches):
    """Tokens from memory, beside MSAL Python, and beside the look-up alone, which is sampled in turn in one process."""
    sizes = (1, 10000)
    samples = in_turn(
        max(3, runs // 3),
        *(lambda size=size: json_output(benchmark, "silent", caches[size], TENANT) for size in sizes),
        lambda: json_output(python, here / "auth_peer.py", "silent", caches[1], TENANT))
    *times, peer = [medians(taken) for taken in samples]
    for name in ("exact", "subset"):
        line(f"auth-silent-{name}-1", times[0][name], "msal-python", peer[name], "us", 0.125)
    for size, time_ in zip(sizes, times):
        for name, floor in (
                ("exact", "look-up"), ("subset", "look-up"), ("shared", "look-up and stat")):
            line(f"auth-silent-{name}-{size}", time_[name], floor, time_[floor], "us")
    for name in ("exact", "subset", "shared"):
        line(f"auth-silent-{name}-growth", times[-1][name], "1 account", times[0][name], "us", 1.5)


def whole_file(caches):
    """A cache in one file, read for one token and written for another."""
    for size, path in caches.items():
        count = str(100_000 // (size + 1000))
        ours, theirs = (
            medians(taken) for taken in in_turn(
                max(3, runs // 5),
                lambda: json_output(benchmark, "file", path, TENANT, count),
                lambda: json_output(python, here / "auth_peer.py", "file", path, TENANT, count)))
        for name, aim in (("read", 1), ("write", None if size == 1 else 0.5)):
            line(f"auth-{name}-{size}", ours[name], "msal-python", theirs[name], "ms", aim)


def new_process(caches):
    account = f"00000000-0000-0000-0000-000000000000.{TENANT}"
    for size in (1, 1000):
        path = caches[size]
        ours, theirs, floor = (
            statistics.median(taken) for taken in in_turn(
                runs,
                lambda: milliseconds(benchmark, "token", path, TENANT),
                lambda: milliseconds(python, here / "auth_peer.py", "token", path, TENANT),
                lambda: milliseconds(bench / "token-floor", path, account)))
        line(f"auth-process-{size}", ours, "msal-python", theirs, "ms", 0.125 if size == 1 else 0.25)
        line(f"auth-process-{size}", ours, "read and parse", floor, "ms", 1.1 if size == 1 else 1.25)
    trace = directory / "sockets.trace"
    output("strace", "-f", "-qq", "-e", "trace=socket", "-o", trace, benchmark, "token", caches[1], TENANT)
    count = sum("socket(" in entry for entry in trace.read_text().splitlines())
    note("auth-process-sockets", count, "sockets", 0)


def sign_in():
    sys.path.insert(0, str(here.parent / "Tests" / "msal-python"))
    from browser import Browser
    from conftest import Emulator

    os.environ["IDENTITY_EMULATOR"] = emulator
    running = Emulator("--client-id", CLIENT_ID)
    try:
        samples = []
        for _ in range(runs):
            with subprocess.Popen(
                    [benchmark, "sign-in", running.authority, running.ca_file], text=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                start = process.stdout.readline().strip()
                redirect = Browser(running).sign_in(start, running.announcement["users"][0]["username"])
                process.stdin.write(redirect.location + "\n")
                process.stdin.flush()
                samples.append(json.loads(process.stdout.readline()))
        mine, bare = (statistics.median(s[name] for s in samples) for name in ("sign-in", "bare"))
        line("auth-redirect-to-result", mine, "bare request", bare, "ms", 1.5)
    finally:
        running.stop()


directory.mkdir(parents=True, exist_ok=True)
directory.chmod(0o700)
caches = {size: directory / f"cache-{size}.json" for size in SIZES}
for size, path in caches.items():
    make_cache(path, size)
silent(caches)
new_process(caches)
whole_file(caches)
sign_in()
for path in caches.values():
    path.unlink()
