"""MSAL Python that stores new accounts in a shared cache for a while.

usage: writer.py NAME SECONDS PERSISTENCE [ARGUMENT…]

It prints 'kept ID' for each account that was added, 'refused REASON' for each that failed, and
'lost ID' for each account of any program that was in the cache and that its own write left out.
"""

import base64
import json
import sys
import time

import msal_extensions
from msal_extensions import PersistedTokenCache

import keyring  # noqa: F401 (finds the bindings of GLib and libsecret)
from gi.repository import GLib


def accounts(text: str) -> set[str]:
    return {entry["home_account_id"] for entry in json.loads(text).get("Account", {}).values()}


def watch(persistence):
    """Reports the accounts that a write removes; called under the lock."""
    save = persistence.save

    def watched(content):
        try:
            before = accounts(persistence.load())
        except msal_extensions.persistence.PersistenceNotFound:
            before = set()
        for account in before - accounts(content):
            print("lost", account, flush=True)
        save(content)

    persistence.save = watched
    return persistence


def main(name: str, seconds: str, kind: str, *arguments: str):
    arguments = [json.loads(text) if text.startswith(("{", '"')) else text for text in arguments]
    persistence = None
    while not persistence:
        try:
            persistence = watch(getattr(msal_extensions, kind)(*arguments))
        except RuntimeError:
            pass  # Each tries the keyring with the same item, and finds that another has removed it.
    cache = PersistedTokenCache(persistence)
    end = time.monotonic() + float(seconds)
    number = 0
    while time.monotonic() < end:
        number += 1
        client_info = {"uid": f"{name}-{number}", "utid": "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60"}
        account = "{uid}.{utid}".format(**client_info)
        try:
            cache.add({
                "client_id": "writer", "scope": ["User.Read"],
                "token_endpoint": "https://login.microsoftonline.com/common/oauth2/v2.0/token",
                "response": {
                    "access_token": "AT", "expires_in": 3600, "refresh_token": "RT",
                    "client_info": base64.urlsafe_b64encode(
                        json.dumps(client_info).encode()).decode().rstrip("="),
                },
            })
            print("kept", account, flush=True)
        except (msal_extensions.LockError, GLib.GError) as error:
            # The lock was not acquired within five seconds; or the item was removed while it was
            # read without a lock.
            print("refused", type(error).__name__, flush=True)
        time.sleep(0.1)


main(*sys.argv[1:])
