"""The locks of all MSALs, held by stand-ins: the auth core waits for them, and continues after a
crash.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from shared_cache import Cache

ADELE = "adele@contoso.example"

# The ways to lock `<cache>.lockfile`: its existence, flock, or a POSIX lock.
HOLDERS = {
    "Python": "open(path, 'xb').write(f'{os.getpid()} /usr/bin/az'.encode())",
    "Node": "open(path, 'xb').write(str(os.getpid()).encode())",
    "Go": (
        "file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)\n"
        "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "os.write(file, f'{{{os.getpid()} tool}}'.encode())"),
    ".NET": (
        "file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)\n"
        "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "os.write(file, f'\\ufeff{os.getpid()} tool'.encode())"),
    "Java": (
        "file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)\n"
        "fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)"),
}


@pytest.fixture
def cache(emulator, tmp_path):
    tmp_path.chmod(0o700)
    return Cache(emulator, tmp_path / "cache.json")


@pytest.mark.parametrize("kind", HOLDERS)
def test_core_waits_for_locks(cache, kind):
    cache.core_sign_in(ADELE)
    before = cache.content()
    script = (
        "import fcntl, os, signal, sys\npath = sys.argv[1]\n" + HOLDERS[kind]
        + "\nprint('held', flush=True)\nsignal.pause()")
    lock = f"{cache.path}.lockfile"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, lock], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"

    waiting = cache.start("renew")
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(timeout=1)
    assert cache.content() == before

    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert os.path.exists(lock)
    killed = time.monotonic()
    output, _ = waiting.communicate(timeout=120)
    assert json.loads(output)["source"] == "server"
    print(f"{kind}: {1000 * (time.monotonic() - killed):.0f} ms after the crash")
    assert cache.content() != before
    assert not os.path.exists(lock)
