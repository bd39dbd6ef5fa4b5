"""Runs the auth core's benchmark and MSAL Python in turn over the same caches, and prints the medians.

usage: auth.py AUTH_BENCHMARK IDENTITY_EMULATOR DIRECTORY RUNS    (with a Python that has MSAL)
"""

import base64
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

here = Path(__file__).parent
benchmark, emulator, directory, runs = sys.argv[1:]
python = sys.executable
directory = Path(directory)
runs = int(runs)

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
SIZES = (1, 100, 1000, 10000)


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


def output(*command) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout


def both(mode: str, path: Path) -> tuple[dict, dict]:
    """Medians of both, run in turn."""
    samples = ([], [])
    for _ in range(max(3, runs // 5)):
        for index, command in enumerate(((benchmark,), (python, here / "auth_peer.py"))):
            samples[index].append(json.loads(output(*command, mode, path, TENANT)))
    return tuple(
        {name: statistics.median(sample[name] for sample in side) for name in side[0]}
        for side in samples)


def milliseconds(*command) -> float:
    start = time.perf_counter()
    output(*command)
    return (time.perf_counter() - start) * 1e3


def line(name, ours, theirs, unit, aim, is_met, peer="msal-python"):
    print(
        f"{name}: ours {ours:.3g} {unit}, {peer} {theirs:.3g} {unit}, ratio {ours / theirs:.3g}, "
        f"aim {aim}, {'ok' if is_met else 'short'}", flush=True)


def silent(caches):
    growth = {}
    for size, path in caches.items():
        ours, theirs = both("silent", path)
        for name, aim in (("exact", 3), ("subset", 3), ("nothing", 5)):
            growth.setdefault(name, []).append((ours[name], theirs[name]))
            line(
                f"auth-silent-{name}-{size}", ours[name], theirs[name], "us", f"{aim} us",
                ours[name] <= aim)
        if size < 100:
            continue
        line(
            f"auth-accounts-{size}", ours["accounts"], theirs["accounts"], "us/account",
            "0.2 us/account", ours["accounts"] <= 0.2)
    for name, times in growth.items():
        mine, other = ((times[-1][side] / times[0][side]) for side in (0, 1))
        line(f"auth-silent-{name}-growth", mine, other, "times", "1.5 times", mine <= 1.5)


def whole_file(path):
    ours, theirs = both("file", path)
    for name, aim in (("read", 60), ("write", 100)):
        line(f"auth-{name}-10000", ours[name], theirs[name], "ms", f"{aim} ms", ours[name] <= aim)


def new_process(caches):
    for size, aim in ((1, 15), (1000, 30)):
        path = caches[size]
        samples = [
            (milliseconds(benchmark, "token", path, TENANT),
             milliseconds(python, here / "auth_peer.py", "token", path, TENANT))
            for _ in range(runs)]
        mine, other = (statistics.median(sample[side] for sample in samples) for side in (0, 1))
        line(
            f"auth-process-{size}", mine, other, "ms", f"{aim} ms and ratio 0.125",
            mine <= aim and mine / other <= 0.125)
    trace = directory / "sockets.trace"
    output("strace", "-f", "-qq", "-e", "trace=socket", "-o", trace, benchmark, "token", caches[1], TENANT)
    count = sum("socket(" in entry for entry in trace.read_text().splitlines())
    print(f"auth-process-sockets: ours {count}, aim 0, {'ok' if count == 0 else 'short'}", flush=True)


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
                answer = Browser(running).sign_in(start, running.announcement["users"][0]["username"])
                process.stdin.write(answer.location + "\n")
                process.stdin.flush()
                samples.append(json.loads(process.stdout.readline()))
        mine, bare = (statistics.median(s[name] for s in samples) for name in ("sign-in", "bare"))
        line(
            "auth-redirect-to-result", mine, bare, "ms", "bare + 10 ms", mine <= bare + 10,
            peer="bare request")
    finally:
        running.stop()


directory.mkdir(parents=True, exist_ok=True)
directory.chmod(0o700)
caches = {size: directory / f"cache-{size}.json" for size in SIZES}
for size, path in caches.items():
    make_cache(path, size)
silent(caches)
new_process(caches)
whole_file(caches[10000])
sign_in()
for path in caches.values():
    path.unlink()
