"""The layer over GTK by itself: what it lets go of, how signals arrive, the main loop."""

import subprocess

import pytest

CHECKS = (
    "objects", "handlers", "arguments", "answers", "main-loop", "operations", "windows", "subprocess")


@pytest.mark.parametrize("check", CHECKS)
def test_layer(check, session, tools, home):
    done = subprocess.run(
        [str(tools / "gtk-tool"), check], capture_output=True, text=True, timeout=60,
        env=session.environment(home) | {
            "G_DEBUG": "fatal-criticals", "SWIFT_BACKTRACE": "enable=no", "LLVM_PROFILE_FILE": "/dev/null"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
