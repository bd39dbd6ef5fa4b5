"""The Gtk target alone: object lifetimes, signals, the main loop."""

import os
import subprocess

import pytest

CHECKS = (
    "objects", "handlers", "arguments", "answers", "actions", "texts", "main-loop", "operations", "windows",
    "subprocess", "tables", "writing")


def run(session, tools, home, *command: str):
    done = subprocess.run(
        list(command), capture_output=True, text=True, timeout=60,
        env=session.environment(home) | {
            "G_DEBUG": "fatal-criticals", "SWIFT_BACKTRACE": "enable=no", "LLVM_PROFILE_FILE": "/dev/null"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("check", CHECKS)
def test_layer(check, session, tools, home):
    run(session, tools, home, str(tools / "gtk-tool"), check)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can overlay /etc")
def test_settings(session, tools, stage, home):
    # GLib reads the administrator's settings from /etc, which is overlaid for this process.
    settings = home / "etc" / "glib-2.0" / "settings"
    settings.mkdir(parents=True)
    (settings / "defaults").write_text("[io/github/entrance/Entrance]\nshared-device=true\n")
    (settings / "locks").write_text("/io/github/entrance/Entrance/shared-device\n")
    run(
        session, tools, home, "unshare", "--mount", "sh", "-c",
        'mount -t overlay -o "lowerdir=$0:/etc" overlay /etc && exec "$@"', str(home / "etc"),
        str(tools / "gtk-tool"), "settings", str(stage / "share" / "glib-2.0" / "schemas"))
