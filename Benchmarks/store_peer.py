"""MSAL Python and msal-extensions from PyPI, doing what store-benchmark does.

usage: store_peer.py file|keyring PATH TENANT

It adds the response to a renewal to the cache at PATH, or to the keyring item that is made from it, and
prints milliseconds as JSON.
"""

import json
import statistics
import sys
import time
from pathlib import Path

# The bindings of libsecret are Debian's.
sys.path.append("/usr/lib/python3/dist-packages")

import msal
from msal_extensions import FilePersistence, LibsecretPersistence, PersistedTokenCache

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
mode, path, tenant = sys.argv[1:4]
if mode == "file":
    persistence = FilePersistence(path)
else:
    persistence = LibsecretPersistence(path + ".signal", "io.example.benchmark", {"cache": "1"})
    persistence.save(Path(path).read_text())
cache = PersistedTokenCache(persistence)
account = next(iter(cache.search(cache.CredentialType.ACCOUNT)))
identity = dict(zip(("uid", "utid"), account["home_account_id"].split(".")))


def encoded(value: dict) -> str:
    from base64 import urlsafe_b64encode
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def add(number: int):
    token = f"{number:020}" + "a" * 1480
    cache.add({
        "client_id": CLIENT_ID, "scope": ["Mail.Read", "User.Read", "openid", "profile"],
        "token_endpoint": f"https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
        "grant_type": "refresh_token", "params": {}, "data": {},
        "response": {
            "token_type": "Bearer", "expires_in": 3600, "scope": "Mail.Read User.Read openid profile",
            "access_token": token, "refresh_token": token[:1000], "client_info": encoded(identity),
            "id_token": f"{encoded({})}.{encoded({'oid': identity['uid'], 'tid': tenant})}.x",
            "id_token_claims": {"oid": identity["uid"], "tid": tenant},
        },
    })


times = []
begin = time.monotonic()
# As many as fit into a few seconds, but three in any case.
while len(times) < 3 or (len(times) < 51 and time.monotonic() - begin < 5):
    start = time.perf_counter()
    add(len(times))
    times.append((time.perf_counter() - start) * 1e3)
print(json.dumps({"add": statistics.median(times)}))
