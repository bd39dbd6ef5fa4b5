"""MSAL Python from PyPI, doing what auth-benchmark does.

usage: auth_peer.py silent|token FILE TENANT
       auth_peer.py file FILE TENANT COUNT
"""

import json
import sys

import msal

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
SCOPES = ["Mail.Read", "User.Read"]
mode, path, tenant = sys.argv[1:4]
authority = f"https://login.microsoftonline.com/{tenant}"


class NoNetwork:
    """Answers at once what the constructor asks for, and nothing else."""

    class Reply:
        status_code = 200
        headers = {}
        text = json.dumps({
            "issuer": f"{authority}/v2.0",
            "authorization_endpoint": f"{authority}/oauth2/v2.0/authorize",
            "token_endpoint": f"{authority}/oauth2/v2.0/token",
            "device_authorization_endpoint": f"{authority}/oauth2/v2.0/devicecode",
        })

        def raise_for_status(self):
            pass

    def get(self, url, **_):
        assert url.split("?")[0].endswith("/.well-known/openid-configuration"), url
        return self.Reply()

    def post(self, url, **_):
        raise AssertionError(url)

    def close(self):
        pass


def application(cache):
    return msal.PublicClientApplication(
        CLIENT_ID, authority=authority, token_cache=cache, http_client=NoNetwork(),
        instance_discovery=False)


def read():
    cache = msal.SerializableTokenCache()
    with open(path, encoding="utf-8") as file:
        cache.deserialize(file.read())
    return cache


def account(app, uid):
    return next(a for a in app.get_accounts() if a["home_account_id"] == f"{uid}.{tenant}")


def first_token():
    app = application(read())
    result = app.acquire_token_silent(SCOPES, account=account(app, "00000000-0000-0000-0000-000000000000"))
    assert result["token_source"] == "cache", result
    return result["access_token"]


def median(call):
    """Milliseconds of a call: the median of COUNT."""
    from time import perf_counter
    times = []
    for _ in range(int(sys.argv[4])):
        start = perf_counter()
        call()
        times.append((perf_counter() - start) * 1e3)
    return sorted(times)[len(times) // 2]


def file():
    # As msal-extensions stores a response that has come; it writes once for each of its entries.
    from msal_extensions import FilePersistence, PersistedTokenCache
    cache = PersistedTokenCache(FilePersistence(path))
    secrets = iter(range(1_000_000))

    def write():
        cache.modify(
            cache.CredentialType.ACCESS_TOKEN,
            next(cache.search(cache.CredentialType.ACCESS_TOKEN)),
            {"secret": "x" * 1500 + str(next(secrets))})
    print(json.dumps({"read": median(first_token), "write": median(write)}))


def silent():
    """Microseconds of a token from memory, as auth-benchmark takes them."""
    from statistics import median
    from time import perf_counter
    app = application(read())
    owner = account(app, "00000000-0000-0000-0000-000000000000")
    times = {}
    for name, scopes in (("exact", SCOPES), ("subset", SCOPES[1:])):
        samples = []
        for _ in range(21):
            start = perf_counter()
            for _ in range(20):
                result = app.acquire_token_silent(scopes, account=owner)
            samples.append((perf_counter() - start) * 1e6 / 20)
            assert result["token_source"] == "cache", result
        times[name] = median(samples)
    print(json.dumps(times))


if mode == "token":
    print(len(first_token()))
elif mode == "silent":
    silent()
else:
    file()
