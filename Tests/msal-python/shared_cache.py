"""A token cache that MSAL Python with msal-extensions and the auth core use in turn."""

import json
import os
import subprocess
from pathlib import Path

from msal_extensions import FilePersistence, PersistedTokenCache

from browser import Browser


class Cache:
    """A cache in a file."""

    def __init__(self, emulator, path: Path):
        self.emulator = emulator
        # The file beside the lock, and the auth core's configuration of the cache.
        self.path = path
        self.location = str(path)
        self.environment = os.environ

    def persistence(self):
        return FilePersistence(str(self.path))

    def python(self, tenant="common"):
        """MSAL Python like in a new process: it knows only the cache."""
        return self.emulator.application(
            tenant, token_cache=PersistedTokenCache(self.persistence()))

    def python_sign_in(self, user, scopes=("User.Read",), tenant="common"):
        _, result = self.emulator.sign_in(user, scopes, self.python(tenant))
        assert "access_token" in result, result
        return result["access_token"]

    def python_silent(self, scopes=("User.Read",), tenant="common", user=None):
        app = self.python(tenant)
        accounts = app.get_accounts(user)
        return app.acquire_token_silent(list(scopes), account=accounts[0]) if accounts else None

    def start(self, command, tenant="common", scope="User.Read"):
        return subprocess.Popen(
            [os.environ["CACHE_TOOL"], command, f"{self.emulator.origin}/{tenant}",
             self.emulator.ca_file, self.emulator.client_id, self.location, scope],
            env=self.environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def core(self, command, **arguments):
        output, _ = self.start(command, **arguments).communicate(timeout=120)
        return json.loads(output)

    def core_sign_in(self, user, **arguments):
        process = self.start("sign-in", **arguments)
        answer = Browser(self.emulator).sign_in(process.stdout.readline().strip(), user)
        output, _ = process.communicate(answer.location + "\n", timeout=120)
        return json.loads(output)

    def content(self):
        return json.loads(self.persistence().load())
