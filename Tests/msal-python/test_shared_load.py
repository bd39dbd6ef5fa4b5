"""Eight processes of MSAL Python and eight of the auth core write to one cache at the same time."""

import json
import os
import subprocess
import sys
from pathlib import Path

from keyring import Keyring

here = Path(__file__).parent


def run(seconds: int, location: str, persistence: list[str], environment):
    """Runs all writers; returns the accounts that each stored, and those that MSAL Python
    overwrote.
    """
    core = [
        subprocess.Popen(
            [os.environ["CACHE_TOOL"], "write", f"core-{i}", str(seconds), "writer", location],
            env=environment, stdout=subprocess.PIPE, text=True)
        for i in range(8)]
    python = [
        subprocess.Popen(
            [sys.executable, "-B", str(here / "writer.py"), f"python-{i}", str(seconds),
             *persistence],
            env=environment, stdout=subprocess.PIPE, text=True)
        for i in range(8)]
    kept = {"core": set(), "python": set()}
    refused = {"core": 0, "python": 0}
    overwritten = set()
    outputs = [process.communicate(timeout=seconds + 60)[0] for process in core + python]
    assert [process.returncode for process in core + python] == [0] * 16
    for output in outputs[:8]:
        lines = output.splitlines()
        kept["core"].update(line for line in lines if line.startswith("core-"))
        refused["core"] += json.loads(lines[-1])["refused"]
        assert not [line for line in lines if line.startswith("refused")]
    for output in outputs[8:]:
        for line in output.splitlines():
            word, what = line.split(" ", 1)
            if word == "kept":
                kept["python"].add(what)
            elif word == "lost":
                overwritten.add(what)
            else:
                refused["python"] += 1
    return kept, refused, overwritten


def check(cache: dict, kept, refused, overwritten):
    """Every stored account exists, except for those that MSAL Python itself has overwritten."""
    there = {entry["home_account_id"] for entry in cache["Account"].values()} & {
        entry["home_account_id"] for entry in cache["RefreshToken"].values()}
    missing = (kept["core"] | kept["python"]) - there
    print(
        f"kept: {len(kept['core'])} by the core, {len(kept['python'])} by MSAL Python;"
        f" given up: {refused['core']} by the core, {refused['python']} by MSAL Python;"
        f" missing: {len(missing)}, of which MSAL Python wrote over {len(missing & overwritten)}")
    assert len(kept["core"]) > 5 and len(kept["python"]) > 5
    assert refused["core"] == 0
    assert missing - overwritten == set()


def test_one_file(tmp_path):
    tmp_path.chmod(0o700)
    path = tmp_path / "cache.json"
    figures = run(30, str(path), ["FilePersistence", str(path)], os.environ)
    check(json.loads(path.read_text()), *figures)
    assert [file.name for file in tmp_path.iterdir()] == ["cache.json"]


def test_reads_during_writes(tmp_path):
    """MSAL Python truncates the file and rewrites it, so a reader can see incomplete content."""
    tmp_path.chmod(0o700)
    path = tmp_path / "cache.json"
    writers = [
        subprocess.Popen(
            [sys.executable, "-B", str(here / "writer.py"), f"python-{i}", "600",
             "FilePersistence", str(path)],
            stdout=subprocess.PIPE, text=True)
        for i in range(3)]
    try:
        word, account = writers[0].stdout.readline().split()
        assert word == "kept"
        output = subprocess.run(
            [os.environ["CACHE_TOOL"], "read", account, "300", "writer", str(path)],
            stdout=subprocess.PIPE, text=True, check=True, timeout=240).stdout
        assert any(writer.poll() is None for writer in writers), "the writers wrote all the time"
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    print(output)
    assert json.loads(output) == {"reads": 300, "missing": 0, "refused": 0}


def test_one_keyring_item(tmp_path):
    keyring = Keyring(tmp_path)
    try:
        path = tmp_path / "home" / "cache.bin"
        attributes = {"app": "test"}
        location = {
            "schema": "test.cache", "attributes": attributes, "encoding": "raw",
            "signalFile": str(path)}
        persistence = ["LibsecretPersistence", str(path), "test.cache", json.dumps(attributes)]
        figures = run(10, json.dumps(location), persistence, keyring.environment)
        text = keyring.python(
            "import json, sys, keyring\n"
            "from msal_extensions import LibsecretPersistence\n"
            "print(LibsecretPersistence(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])).load())",
            str(path), "test.cache", json.dumps(attributes))
        check(json.loads(text), *figures)
        assert [file.name for file in path.parent.iterdir() if "cache" in file.name] == [path.name]
    finally:
        keyring.stop()
