"""Runs the auth core's benchmark, MSAL Python and the floors in turn over the same caches.

usage: auth.py BENCH_DIRECTORY IDENTITY_EMULATOR RUNS    (with a Python that has MSAL)
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import msal_cache
from figures import json_output, in_turn, line, medians, milliseconds, note, output
from msal_cache import CLIENT_ID, TENANT

here = Path(__file__).parent
bench, emulator, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
benchmark = bench / "auth-benchmark"
python = sys.executable
directory = bench / "auth"

SIZES = (1, 1000, 10000)


def make_cache(path: Path, count: int):
    """A cache of `count` accounts, and one with no refresh token."""
    uids = [msal_cache.uid(number) for number in range(count)]
    # The account that is asked for stands in the middle: a search from the start shall not be lucky.
    uids = uids[count // 2:] + uids[:count // 2]
    another = "ffffffff-ffff-ffff-ffff-ffffffffffff"
    cache = msal_cache.of([*uids, another])
    tokens = cache["RefreshToken"]
    del tokens[next(key for key in tokens if key.startswith(another))]
    cache["AppMetadata"] = {
        f"appmetadata-login.microsoftonline.com-{CLIENT_ID}": {
            "client_id": CLIENT_ID, "environment": "login.microsoftonline.com",
        }
    }
    path.unlink(missing_ok=True)
    msal_cache.write(path, json.dumps(cache).encode())


def silent(caches):
    """Tokens from memory, beside MSAL Python."""
    sizes = (1, 10000)
    samples = in_turn(
        max(3, runs // 3),
        *(lambda size=size: json_output(benchmark, "silent", caches[size], TENANT) for size in sizes),
        lambda: json_output(python, here / "auth_peer.py", "silent", caches[1], TENANT))
    *times, peer = [medians(taken) for taken in samples]
    for name in ("exact", "subset"):
        line(f"auth-silent-{name}-1", times[0][name], "msal-python", peer[name], "us", 0.125)
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
    account = f"{msal_cache.uid(0)}.{TENANT}"
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
