"""Many processes of the auth core with one token cache in a file."""

import json
import os
import signal
import time

import pytest

from test_shared_cache import ADELE, Cache

TOKEN = "POST /{tenant}/oauth2/v2.0/token"


@pytest.fixture
def cache(emulator, tmp_path, monkeypatch):
    """A cache with one account, whose access token has expired."""
    tmp_path.chmod(0o700)
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    cache = Cache(emulator, tmp_path / "cache.json")
    cache.core_sign_in(ADELE)
    content = cache.content()
    for token in content["AccessToken"].values():
        token["expires_on"] = token["extended_expires_on"] = str(int(time.time()) - 1)
        token.pop("refresh_on", None)
    cache.path.write_text(json.dumps(content))
    emulator.control("forget-requests")
    yield cache
    emulator.control("delay", route="/{tenant}/oauth2/v2.0/token", milliseconds=0)


def requests(cache):
    """The number of token requests."""
    return cache.emulator.control("requests").get(TOKEN, 0)


def delay(cache, seconds):
    cache.emulator.control(
        "delay", route="/{tenant}/oauth2/v2.0/token", milliseconds=int(seconds * 1000))


def output(process):
    lines = process.communicate(timeout=120)[0].splitlines()
    return [json.loads(line) for line in lines]


def refresh_tokens(cache):
    return [entry["secret"] for entry in cache.content()["RefreshToken"].values()]


def start_holder(cache):
    """A process with a token request in progress, which is answered after 8 seconds."""
    delay(cache, 8)
    holder = cache.start("silent")
    while not requests(cache):
        assert holder.poll() is None
        time.sleep(0.01)
    delay(cache, 0)
    return holder


def start_waiting(cache):
    process = cache.start("crowd")
    with pytest.raises(TimeoutError):
        wait(process, 1.5)
    return process


def wait(process, seconds):
    deadline = time.monotonic() + seconds
    while process.poll() is None:
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.005)


def test_eight_processes_with_twenty_calls_send_one_request(cache):
    processes = [cache.start("crowd") for _ in range(8)]
    results = [result for process in processes for result in output(process)]
    assert len(results) == 160
    assert {result["access_token"] for result in results} == {cache.core("silent")["access_token"]}
    assert requests(cache) == 1
    assert not [name for name in os.listdir(cache.path.parent) if "lock" in name]


def test_killed_process_does_not_block_others(cache):
    holder = start_holder(cache)
    process = start_waiting(cache)
    assert requests(cache) == 1
    holder.send_signal(signal.SIGKILL)
    start = time.monotonic()
    # Much less than the three minutes for which the turn of a process that lives is waited for.
    wait(process, 60)
    print(f"{(time.monotonic() - start) * 1000:.0f} ms after the kill, the other one has a token")
    assert {result["source"] for result in output(process)} == {"server"}
    assert requests(cache) == 2


def test_suspended_process_keeps_its_turn(cache):
    """Its refresh token is sent already: sending it again could end the session."""
    holder = start_holder(cache)
    holder.send_signal(signal.SIGSTOP)
    process = cache.start("crowd")
    with pytest.raises(TimeoutError):
        wait(process, 10)
    assert requests(cache) == 1
    holder.send_signal(signal.SIGCONT)
    assert {result["source"] for result in output(process)} == {"cache"}
    (late,) = output(holder)
    assert late["source"] == "server"
    assert requests(cache) == 1


def test_slow_server_gets_each_refresh_token_once(emulator, cache):
    """The server accepts each refresh token once, and a second use ends the session."""
    strict = Cache(emulator, cache.path.parent / "strict.json")
    arguments = {"tenant": "realms/Contoso", "scope": "demo.read"}
    assert strict.core_sign_in(ADELE, **arguments)["source"] == "server"
    emulator.control("forget-requests")
    emulator.control("delay", route="/realms/{realm}/token", milliseconds=7000)
    processes = [strict.start("renew", **arguments) for _ in range(2)]
    results = [result for process in processes for result in output(process)]
    emulator.control("delay", route="/realms/{realm}/token", milliseconds=0)
    assert [result.get("source") for result in results] == ["server"] * 2, results
    assert emulator.control("requests")["POST /realms/{realm}/token"] == 2
    assert strict.core("renew", **arguments)["source"] == "server"


def test_single_use_refresh_tokens(emulator, cache):
    """Each of these processes sends a request, with the latest refresh token."""
    strict = Cache(emulator, cache.path.parent / "strict.json")
    tenant = "realms/Contoso"
    assert strict.core_sign_in(ADELE, tenant=tenant, scope="demo.read")["source"] == "server"
    emulator.control("forget-requests")
    processes = [strict.start("renew", tenant=tenant, scope="demo.read") for _ in range(8)]
    results = [result for process in processes for result in output(process)]
    assert [result.get("source") for result in results] == ["server"] * 8, results
    assert emulator.control("requests")["POST /realms/{realm}/token"] == 8
