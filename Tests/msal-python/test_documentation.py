"""The example of the documentation for pytest, as it is printed there."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ARTICLE = ROOT / "Sources/AuthCore/Documentation.docc/Articles/TestingYourApp.md"


def test_the_fixture_for_pytest(tmp_path):
    (example,) = re.findall(r"^```python\n(.*?)^```", ARTICLE.read_text(), re.M | re.S)
    file = tmp_path / "test_my_program.py"
    file.write_text(example)
    program = Path(os.environ["IDENTITY_EMULATOR"]).resolve()
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        env=os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}, cwd=tmp_path,
        capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "1 passed" in run.stdout, run.stdout + run.stderr


def test_the_manual_and_the_completions_have_all_options():
    program = os.environ["IDENTITY_EMULATOR"]
    text = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60).stdout
    options = set(re.findall(r"^  +(--[a-z-]+)", text, re.M))
    assert {"--port", "--configuration", "--colleagues", "--host"} <= options
    manual = (ROOT / "data/identity-emulator.1").read_text().replace("\\-", "-")
    assert set(re.findall(r"^\.BI? (--[a-z-]+)", manual, re.M)) == options
    for name in ["identity-emulator.bash", "_identity-emulator"]:
        found = set(re.findall(r"--[a-z-]+", (ROOT / "data/completions" / name).read_text()))
        assert found - {"--"} == options, name
    fish = (ROOT / "data/completions/identity-emulator.fish").read_text()
    assert {f"--{name}" for name in re.findall(r" -l ([a-z-]+)", fish)} == options
