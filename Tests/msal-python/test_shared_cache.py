"""A token cache in a file, used by MSAL Python with msal-extensions and by the auth core in
turn. What is the same in a keyring is in `test_shared_keyring.py`.
"""

import json
import os
import signal
import subprocess
import sys

import pytest
from msal_extensions import CrossPlatLock

from conftest import CONTOSO
from shared_cache import Cache

ADELE = "adele@contoso.example"
BRAM = "bram@contoso.example"


@pytest.fixture(scope="module", autouse=True)
def consent(emulator):
    """Gives consent, so that other scopes need no page."""
    for user in (ADELE, BRAM):
        emulator.sign_in(
            user, ["User.Read", "Mail.Read", "Files.Read", "Calendars.Read", "User.ReadBasic.All"])


@pytest.fixture
def cache(emulator, tmp_path):
    tmp_path.chmod(0o700)
    return Cache(emulator, tmp_path / "cache.json")


def test_core_renews_pythons_token(cache):
    token = cache.python_sign_in(ADELE)
    result = cache.core("renew")
    assert result["source"] == "server"
    assert result["access_token"] != token
    for answer in (cache.core("silent"), cache.python_silent(tenant=CONTOSO)):
        assert answer["access_token"] == result["access_token"]
    refresh_tokens = cache.content()["RefreshToken"].values()
    assert len(refresh_tokens) == 1


def test_two_accounts_from_two_programs(cache):
    cache.python_sign_in(ADELE)
    cache.core_sign_in(BRAM)
    usernames = {account["username"] for account in cache.python().get_accounts()}
    assert usernames == {ADELE, BRAM}
    for user in (ADELE, BRAM):
        assert cache.python_silent(tenant=CONTOSO, user=user) is not None
    # The current account depends on the second program: MSAL Python stores only the times of
    # tokens, not of sign-ins.
    assert cache.core("silent")["username"] in usernames


def test_unknown_entries_are_kept(cache):
    cache.python_sign_in(ADELE)
    content = cache.content()
    content["Unknown"] = {"a": [1, 2.50, {"b": None}], "ü": "😀"}
    next(iter(content["Account"].values()))["wam_account_ids"] = {"x": "y"}
    content["AccessToken"]["strange"] = {"secret": "for another app", "client_id": "other"}
    cache.path.write_text(json.dumps(content, indent=4))
    assert cache.core_sign_in(ADELE, scope="Mail.Read")["source"] == "server"
    after = cache.content()
    assert after["Unknown"] == content["Unknown"]
    assert after["AccessToken"]["strange"] == content["AccessToken"]["strange"]
    assert [a["wam_account_ids"] for a in after["Account"].values()] == [{"x": "y"}]


def test_core_waits_for_pythons_lock(cache):
    token = cache.python_sign_in(ADELE)
    before = cache.content()
    with CrossPlatLock(f"{cache.path}.lockfile"):
        process = cache.start("renew")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1.5)
        assert cache.content() == before
    output, _ = process.communicate(timeout=120)
    assert json.loads(output)["source"] == "server"
    assert cache.core("silent")["access_token"] != token


def test_lock_of_a_killed_python_is_taken_over(cache):
    cache.python_sign_in(ADELE)
    holder = subprocess.Popen(
        [sys.executable, "-c",
         "import sys, time; from msal_extensions import CrossPlatLock\n"
         "with CrossPlatLock(sys.argv[1]): print('held', flush=True); time.sleep(60)",
         f"{cache.path}.lockfile"], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert os.path.exists(f"{cache.path}.lockfile")
    token = cache.core("renew")["access_token"]
    assert cache.python_silent(tenant=CONTOSO)["access_token"] == token


def test_many_concurrent_programs(cache):
    for user in (ADELE, BRAM):
        cache.core_sign_in(user)
    processes = [cache.start("renew") for _ in range(4)]
    for process in processes:
        assert json.loads(process.communicate(timeout=120)[0])["source"] == "server"
    assert {a["username"] for a in cache.python().get_accounts()} == {ADELE, BRAM}
    assert len(cache.content()["AccessToken"]) == 2
    assert cache.core("silent")["source"] == "cache"
