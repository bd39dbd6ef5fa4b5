"""Copies files with rclone, in the network that test_rclone.py makes."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from conftest import ADELE, LARGE, SCOPES, Emulator

place = Path(sys.argv[1])
emulator = Emulator(
    "--port", "443", "--host", "graph.microsoft.com", "--host", "login.microsoftonline.com")
_, result = emulator.sign_in(ADELE, SCOPES)
drive = emulator.get("/v1.0/me/drive", token=result["access_token"]).json()
config = place / "rclone.conf"


def write_configuration(access_token, lifetime):
    token = {
        "access_token": access_token, "token_type": "Bearer",
        "refresh_token": result["refresh_token"],
        "expiry": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + lifetime)),
    }
    config.write_text("\n".join([
        "[graph]", "type = onedrive", f"client_id = {emulator.client_id}",
        f"drive_id = {drive['id']}", f"drive_type = {drive['driveType']}",
        f"token = {json.dumps(token)}", ""]))


def rclone(*arguments, status=0):
    run = subprocess.run(
        ["rclone", "--config", config, "--ca-cert", emulator.ca_file, "--retries", "1",
         "--low-level-retries", "2", *arguments],
        capture_output=True, text=True, timeout=60, env=os.environ | {"HOME": str(place)})
    assert run.returncode == status, f"{arguments}: {run.stdout}{run.stderr}"
    return run.stderr if status else run.stdout


write_configuration(result["access_token"], 3000)
(place / "up").mkdir()
(place / "up/small.txt").write_text("small")
(place / "up/large.bin").write_bytes(LARGE)
rclone("copy", place / "up", "graph:Backup")
listed = {item["Path"]: item["Size"] for item in json.loads(rclone("lsjson", "graph:Backup"))}
assert listed == {"small.txt": 5, "large.bin": len(LARGE)}, listed
rclone("copy", "graph:Backup", place / "down")
assert (place / "down/large.bin").read_bytes() == LARGE
rclone("check", place / "up", "graph:Backup", "--size-only")

rclone("moveto", "graph:Backup/small.txt", "graph:Backup/other.txt")
rclone("purge", "graph:Backup")
assert "Backup" not in {item["Path"] for item in json.loads(rclone("lsjson", "graph:"))}

# rclone sends the secret of its own application with every application's ID, which Microsoft refuses of one that has
# none: so it cannot renew a token of a desktop program.
write_configuration("expired", -60)
assert "AADSTS700025" in rclone("lsjson", "graph:", status=1)
emulator.stop()
