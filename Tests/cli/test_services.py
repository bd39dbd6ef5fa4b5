"""Programs with a cluster, a share and a database, beside what test_situations.py has."""

import contextlib
import subprocess
from pathlib import Path

import pytest
from service_programs import Kubectl, Psql, Rclone
from service_servers import ADELE, CLUSTER


def command_lines() -> str:
    """Those of all processes."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        # It may have ended.
        with contextlib.suppress(OSError):
            lines.append(file.read_text(errors="replace"))
    return "\n".join(lines)


@pytest.mark.parametrize("program", [Kubectl, Psql, Rclone], ids=lambda program: program.__name__)
def test_a_token_that_the_server_refuses_is_the_programs_error(desk_for, program):
    desk = desk_for(program)
    desk.sign_in()
    user = program(desk)
    user.works()
    desk.tokens.expired.update(desk.tokens.accepted)
    worked, text = user.use()
    assert not worked
    assert "Unauthorized" in text or "authentication failed for user" in text, text


def test_kubectl_is_in_the_list_of_programs(desk_for):
    desk = desk_for(Kubectl)
    user = Kubectl(desk)
    # Without the script that records what is said, which would be in the list instead.
    (desk.bin / "entrancectl").unlink()
    (user.home / ".config").symlink_to(desk.cli.environment["XDG_CONFIG_HOME"])
    desk.sign_in()
    user.works()
    [entry] = desk.cli.ok("programs", "--json").json["programs"]
    assert entry["name"].startswith("kubectl")
    assert entry["grants"][0]["scopes"] == [f"{CLUSTER}/.default"]


def test_an_open_connection_outlives_its_token_and_a_new_one_does_not(desk_for):
    """A database looks at the token only when a connection begins, and a variable is not renewed.

    Meanwhile the token is in no list of processes, and not in the log of the server, which says who was refused.
    """
    desk = desk_for(Psql)
    desk.sign_in()
    user = Psql(desk)
    process = subprocess.Popen(
        user.session, env=user.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True)
    process.stdin.write(f"{user.question};\n")
    process.stdin.flush()
    assert process.stdout.readline() == user.answer
    [token] = desk.tokens.accepted
    listed = command_lines()
    assert "--no-psqlrc" in listed and token not in listed
    desk.tokens.expired.update(desk.tokens.accepted)
    out, err = process.communicate(f"{user.question};\n\\connect\n", timeout=60)
    assert out.startswith(user.answer) and process.returncode != 0
    assert "authentication failed for user" in err
    assert ADELE in desk.server.log and token not in desk.server.log
