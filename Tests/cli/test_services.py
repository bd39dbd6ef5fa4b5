"""A cluster, a share and a database, with the real kubectl, rclone, psql and PostgreSQL: by the recipes of
entrancectl(1), where it has any.
"""

import contextlib
import json
import re
import subprocess
from pathlib import Path

import pytest
from certificates import CertificateAuthority
from emulator import Emulator
from mail_servers import Tokens
from service_servers import CLUSTER, DATABASE, PERMISSION, SHARE, Cluster, Database, Share
from troubles import troubles

MANUAL = Path(__file__).parents[2] / "data" / "entrancectl.1"
APP = "Contoso"


def example(section: str) -> str:
    text = re.search(rf'^\.SS "entrancectl {section}.*?^\.EX\n(.*?)^\.EE', MANUAL.read_text(), re.M | re.S)[1]
    return text.replace("\\-", "-").replace("\\(dq", '"')


def command_lines() -> str:
    """Those of all processes."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        # It may have ended.
        with contextlib.suppress(OSError):
            lines.append(file.read_text(errors="replace"))
    return "\n".join(lines)


class Service:
    """A person who uses a program with a server."""

    def __init__(self, cli, home: Path, emulator: Emulator):
        self.cli = cli
        self.home = home
        self.emulator = emulator
        self.authority = CertificateAuthority(home / "service-ca")
        self.tokens = Tokens(emulator, self.resource)
        self.server = self.serve()
        cli.connect_to(emulator.connection(APP) | {"scopes": [f"{self.resource}/.default"]})
        cli.environment["PATH"] = f"{cli.program.parent}:{cli.environment['PATH']}"

    def serve(self) -> Cluster | Database | Share:
        raise NotImplementedError

    def tells(self, status: int, failure: tuple[int, str, str]) -> bool:
        """Whether the program ended as one does that got this exit status from entrancectl."""
        raise NotImplementedError

    def start(self) -> subprocess.Popen:
        return subprocess.Popen(
            self.command, env=self.cli.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)

    def use(self) -> tuple[int, str, str]:
        process = self.start()
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def expire(self):
        self.tokens.expired.update(self.tokens.accepted)
        self.cli.expire_tokens(APP, self.home / "cache.json")

    def close(self):
        self.server.close()
        self.tokens.close()


class Kubectl(Service):
    resource = CLUSTER
    answer = "pod/lunch\n"

    def serve(self):
        return Cluster(self.tokens, self.authority)

    def tells(self, status, failure):
        return failure[0] == 1 and f"entrancectl failed with exit code {status}" in failure[2]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.command = ["kubectl", "get", "pods", "--output", "name"]
        recipe = example("credential kubectl")
        version = json.loads(subprocess.run(
            ["kubectl", "version", "--client", "--output", "json"], env=self.cli.environment, check=True,
            stdout=subprocess.PIPE).stdout)["clientVersion"]
        if int(version["minor"].rstrip("+")) < 22:
            assert "v1beta1" in MANUAL.read_text()
            recipe = recipe.replace("k8s.io/v1", "k8s.io/v1beta1")
        file = self.home / "kube"
        file.write_text(f"""apiVersion: v1
kind: Config
current-context: tests
contexts:
- name: tests
  context: {{cluster: tests, user: tests}}
clusters:
- name: tests
  cluster:
    server: https://localhost:{self.server.port}
    certificate-authority: {self.authority.file}
users:
- name: tests
  user:
{recipe}""")
        self.cli.environment["KUBECONFIG"] = str(file)


class Psql(Service):
    resource = DATABASE
    answer = "1\n"

    def serve(self):
        return Database(self.cli.session, self.tokens, self.authority, self.emulator.adele.username)

    def tells(self, status, failure):
        return failure[0] == status

    def __init__(self, *arguments):
        super().__init__(*arguments)
        [recipe] = [line for line in example("run").splitlines() if "psql" in line]
        place = (
            f"host=localhost port={self.server.port} user={self.emulator.adele.username} dbname=postgres"
            f" sslmode=verify-full sslrootcert={self.authority.file}")
        self.script = recipe.strip().replace("host=...", place)
        assert self.script != recipe
        self.command = ["sh", "-c", f"{self.script} --no-psqlrc --tuples-only --no-align --command 'SELECT 1'"]


class Rclone(Service):
    resource = SHARE
    answer = "lunch.txt\n"

    def serve(self):
        return Share(self.tokens, self.authority)

    def tells(self, status, failure):
        return failure[0] == 1 and f"exit status {status}" in failure[2]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.command = [
            "rclone", "lsf", "--config", "", "--ca-cert", self.authority.file, "--retries", "1", "--low-level-retries", "1",
            "--webdav-url", f"https://localhost:{self.server.port}",
            "--webdav-bearer-token-command", "entrancectl token", ":webdav:"]


@pytest.fixture
def emulator(session, stage, home):
    configuration = home / "emulator.json"
    configuration.write_text(json.dumps({"resources": [
        {"identifier": resource, "scopes": [PERMISSION]} for resource in (CLUSTER, DATABASE, SHARE)]}))
    emulator = Emulator(session, stage).start("--configuration", str(configuration))
    yield emulator
    emulator.stop()


@pytest.fixture(params=[Kubectl, Psql, Rclone], ids=["kubectl", "psql", "rclone"])
def service(request, keyring, person, home, emulator):
    service = request.param(person.cli, home, emulator)
    person.cli.ok("sign-in")
    yield service
    service.close()


def test_a_program_uses_the_service_without_a_password(service):
    for _ in range(2):
        assert service.use() == (0, service.answer, "")
    assert len(set(service.tokens.accepted)) == 1 and not service.tokens.refused


def test_an_expired_token_is_renewed(service):
    assert service.use()[1] == service.answer
    first = service.tokens.accepted[-1]
    service.expire()
    assert service.use() == (0, service.answer, "")
    assert service.tokens.accepted[-1] != first and not service.tokens.refused


def test_without_a_token_the_program_fails_and_says_what_to_do(service, keyring):
    assert service.use()[1] == service.answer
    count = len(service.tokens.accepted)
    for status, words in troubles(service.cli, service.emulator, keyring, APP, service.expire):
        failure = service.use()
        assert service.tells(status, failure) and not failure[1], failure
        assert "entrancectl: " in failure[2] and words in failure[2], failure
    assert len(service.tokens.accepted) == count and not service.tokens.refused


def test_two_at_once_share_a_token(service):
    service.use()
    service.expire()
    service.tokens.accepted.clear()
    processes = [service.start() for _ in range(2)]
    for process in processes:
        assert process.communicate(timeout=60) == (service.answer, ""), process.args
    assert len(set(service.tokens.accepted)) == 1


def test_a_token_that_the_server_refuses_is_the_programs_error(service):
    assert service.use()[1] == service.answer
    service.tokens.expired.update(service.tokens.accepted)
    status, out, err = service.use()
    assert status != 0 and not out
    assert "Unauthorized" in err or "authentication failed for user" in err, err


def test_kubectl_is_in_the_list_of_programs(keyring, person, home, emulator):
    service = Kubectl(person.cli, home, emulator)
    person.cli.ok("sign-in")
    try:
        service.use()
        [entry] = person.cli.ok("programs", "--json").json["programs"]
        assert entry["name"].startswith("kubectl")
        assert entry["grants"][0]["scopes"] == [f"{CLUSTER}/.default"]
    finally:
        service.close()


def test_an_open_connection_outlives_its_token_and_a_new_one_does_not(keyring, person, home, emulator):
    """A database looks at the token only when a connection begins, and a variable is not renewed.

    Meanwhile the token is in no list of processes, and not in the log of the server, which says who was refused.
    """
    service = Psql(person.cli, home, emulator)
    person.cli.ok("sign-in")
    service.command = ["sh", "-c", f"{service.script} --no-psqlrc --tuples-only --no-align"]
    process = service.start()
    try:
        process.stdin.write("SELECT 1;\n")
        process.stdin.flush()
        assert process.stdout.readline() == service.answer
        [token] = service.tokens.accepted
        listed = command_lines()
        assert "--no-psqlrc" in listed and token not in listed
        service.tokens.expired.update(service.tokens.accepted)
        out, err = process.communicate("SELECT 1;\n\\connect\n", timeout=60)
        assert out.startswith(service.answer) and process.returncode != 0
        assert "authentication failed for user" in err
        assert service.emulator.adele.username in service.server.log and token not in service.server.log
    finally:
        service.close()
