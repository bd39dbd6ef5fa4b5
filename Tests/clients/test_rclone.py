"""rclone's OneDrive backend copies files to Graph and back.

Its addresses are fixed, so it runs on a network of its own, on which this computer is Microsoft's.
"""

import subprocess
import sys
from pathlib import Path

HOSTS = "127.0.0.1 localhost graph.microsoft.com login.microsoftonline.com\n"


def test_rclone(tmp_path):
    hosts = tmp_path / "hosts"
    hosts.write_text(HOSTS)
    session = Path(__file__).parent / "rclone_session.py"
    run = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c",
         'ip link set lo up && mount --bind "$1" /etc/hosts && exec "$2" "$3" "$4"', "sh",
         hosts, sys.executable, session, tmp_path],
        capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
