"""Runs the app and the C program in turn, and prints the medians of first frame and peak memory.

usage: startup.py STAGE BENCH_DIRECTORY RUNS
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

AIM = 1.3

stage, bench, runs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
home = Path(tempfile.mkdtemp(prefix="entrance-bench-"))
environment = os.environ | {
    "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data"),
    "XDG_STATE_HOME": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache"),
    "XDG_DATA_DIRS": f"{stage}/share:/usr/local/share:/usr/share",
    "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "ADW_DISABLE_PORTAL": "1",
    "GSETTINGS_BACKEND": "memory",
}

# A connection that is not the demo's, so that the page has no notice; nothing is asked of it.
connections = home / "config" / "entrance" / "connections.json"
connections.parent.mkdir(parents=True)
connections.write_text(json.dumps({"version": 1, "connections": [{
    "name": "Benchmark",
    "clientID": "11111111-2222-3333-4444-555555555555",
    "authority": "https://login.microsoftonline.com/common",
    "redirectURI": "msauth.io.github.entrance.entrance://auth",
    "scopes": ["User.Read"],
    "api": "https://graph.microsoft.com/v1.0/me",
}]}))

ours = [str(stage / "bin" / "entrance"), "--connection", "Benchmark"]
peer = [str(bench / "startup"), str(stage / "share" / "entrance" / "entrance.gresource")]


def measure(command: list[str]) -> tuple[float, float]:
    output = subprocess.run(
        [str(bench / "first-frame"), *command], env=environment, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout.split()
    return float(output[0]), int(output[1]) / 1024


for command in (ours, peer):
    measure(command)  # Into the page cache.
samples = [(measure(ours), measure(peer)) for _ in range(runs)]

for index, (name, unit) in enumerate((("startup-time", "ms"), ("startup-memory", "MB"))):
    mine = statistics.median(sample[0][index] for sample in samples)
    other = statistics.median(sample[1][index] for sample in samples)
    ratio = mine / other
    print(
        f"{name}: ours {mine:.0f} {unit}, c-gtk {other:.0f} {unit}, ratio {ratio:.2f}, aim {AIM}, "
        f"{'ok' if ratio <= AIM else 'short'}")
