"""Runs the app and the C program in turn, and prints the medians of first frame and peak memory.

usage: startup.py STAGE BENCH_DIRECTORY RUNS
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from figures import in_turn, line

sys.path.insert(0, str(Path(__file__).parent.parent / "Tests" / "ui"))

from session import Session  # noqa: E402

AIM = 1.1


def measure(bench: Path, command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Milliseconds to the first frame, and peak memory in MB."""
    output = subprocess.run(
        [str(bench / "first-frame"), *command], env=environment, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout.split()
    return float(output[0]), int(output[1]) / 1024


def write_connection(home: Path):
    """A connection that is not the demo's, so that the page has no notice. Nothing is asked of it."""
    connections = home / "config" / "entrance" / "apps.json"
    connections.parent.mkdir(parents=True)
    connections.write_text(json.dumps({"version": 1, "apps": [{
        "name": "Benchmark",
        "clientID": "11111111-2222-3333-4444-555555555555",
        "authority": "https://login.microsoftonline.com/common",
        "redirectURI": "msauth.io.github.entrance.entrance://auth",
        "scopes": ["User.Read"],
        "api": "https://graph.microsoft.com/v1.0/me",
    }]}))


def run(session: Session, stage: Path, bench: Path, runs: int):
    home = session.directory / "home"
    write_connection(home)
    environment = session.environment(home) | {
        "XDG_DATA_DIRS": f"{stage}/share:/usr/local/share:/usr/share", "GTK_A11Y": "none",
    }
    ours = [str(stage / "bin" / "entrance"), "--app", "Benchmark"]
    floor = [str(bench / "startup"), str(stage / "share" / "entrance" / "entrance.gresource")]
    for command in (ours, floor):
        measure(bench, command, environment)  # Into the page cache.
    samples = in_turn(
        runs, lambda: measure(bench, ours, environment), lambda: measure(bench, floor, environment))
    for index, (name, unit) in enumerate((("startup-time", "ms"), ("startup-memory", "MB"))):
        mine, other = (statistics.median(sample[index] for sample in taken) for taken in samples)
        line(name, mine, "c-gtk", other, unit, AIM)


session = Session()
try:
    session.start()
    run(session, stage=Path(sys.argv[1]), bench=Path(sys.argv[2]), runs=int(sys.argv[3]))
finally:
    session.close()
