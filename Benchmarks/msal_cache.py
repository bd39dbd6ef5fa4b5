"""Token caches as MSAL Python writes them, of made-up accounts with about 6 kB each."""

import base64
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

CLIENT_ID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"


def uid(number: int) -> str:
    """The object ID of an account."""
    return f"{number:08x}-0000-0000-0000-000000000000"


def entries(uid: str) -> dict:
    """One account."""
    now = int(time.time())
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
            **owner, "realm": TENANT, "local_account_id": uid, "username": f"{uid}@contoso.example",
            "authority_type": "MSSTS", "account_source": "authorization_code"}},
        "IdToken": {f"{key}-idtoken-{CLIENT_ID}-{TENANT}-": {
            "credential_type": "IdToken", **app, "realm": TENANT,
            "secret": f"eyJhbGciOiJSUzI1NiJ9.{claims.decode().rstrip('=')}.{'s' * 342}"}},
        "RefreshToken": {f"{key}-refreshtoken-{CLIENT_ID}--{target}".lower(): {
            "credential_type": "RefreshToken", "secret": "r" * 1000, **app, "target": target,
            "last_modification_time": str(now - 60)}},
    }


def of(uids: Iterable[str]) -> dict:
    """A cache of several accounts."""
    cache = {}
    for uid in uids:
        for section, members in entries(uid).items():
            cache.setdefault(section, {}).update(members)
    return cache


def write(path: Path, content: bytes):
    """Writes a file that only its owner can read."""
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
