"""The scenario as an ordinary user elsewhere: under Wayland, and in a home with an odd name."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def scenario(stage, results, request):
    """Goes through the scenario as someone who is not root, in a directory of their own."""
    with tempfile.TemporaryDirectory(prefix="entrance-elsewhere-") as directory:
        # Root's own files may be nobody else's to read.
        shutil.copytree(stage, f"{directory}/stage")
        shutil.copytree(Path(__file__).parent, f"{directory}/ui")
        user, person = os.geteuid(), {}
        if user == 0:
            user = 65534
            person = {"user": user, "group": user, "extra_groups": []}
        pictures = Path(directory, "results")
        pictures.mkdir()
        os.chown(pictures, user, -1)
        os.chmod(directory, 0o755)

        def run(*options: str, home: str):
            # The session's own files are in it, too.
            home = Path(directory, home)
            home.mkdir()
            os.chown(home, user, -1)
            done = subprocess.run(
                [sys.executable, "-B", f"{directory}/ui/scenario.py", *options, f"{directory}/stage",
                 str(pictures)],
                env={
                    "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(home),
                    "TMPDIR": str(home)},
                **person, capture_output=True, text=True, timeout=180)
            shutil.copytree(pictures, results / request.node.name, dirs_exist_ok=True)
            assert done.returncode == 0, done.stdout + done.stderr

        yield run


def test_wayland(scenario):
    scenario("--wayland", home="home")
