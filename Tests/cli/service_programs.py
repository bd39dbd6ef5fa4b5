"""Programs that use services, by the recipes of entrancectl(1), where it has any."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from desk import MANUALS, Desk, Program
from service_servers import ADELE, SHARE, Cluster, Database, Registry, Repositories, Share

# With the libraries of Azure and MSAL.
PYTHON = Path(__file__).parents[2] / ".build" / "venv" / "bin" / "python"


def page() -> str:
    return (MANUALS / "entrancectl.1").read_text()


def example(section: str) -> str:
    text = re.search(rf'^\.SS "entrancectl {section}.*?^\.EX\n(.*?)^\.EE', page(), re.M | re.S)[1]
    return text.replace("\\-", "-").replace("\\(dq", '"')


class ServiceProgram(Program):
    # What it prints.
    answer: str
    command: list[str]

    def use(self):
        result = self.run(*self.command)
        worked = result.returncode == 0
        assert worked == (self.answer in result.stdout), result
        return worked, result.stdout


class Git(ServiceProgram):
    server = Repositories
    answer = ""

    @classmethod
    def connections(cls, desk):
        # The helper answers for the host of an app's API.
        [app] = super().connections(desk)
        return [app | {"api": f"https://{desk.server.host}"}]

    @property
    def environment(self):
        return super().environment | {
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_SSL_CAINFO": self.desk.trusted, "GIT_TERMINAL_PROMPT": "0"}

    def use(self):
        clone = self.home / "app"
        shutil.rmtree(clone, ignore_errors=True)
        result = self.run(
            "git", "-c", "credential.helper=entrance", "clone", f"https://{self.server.host}/app", str(clone))
        worked = (clone / "lunch.txt").exists()
        assert worked == (result.returncode == 0), result
        return worked, result.stdout


class Kubectl(ServiceProgram):
    server = Cluster
    answer = "pod/lunch\n"
    command = ["kubectl", "get", "pods", "--output", "name"]

    def __init__(self, desk: Desk, number: int = 0):
        super().__init__(desk, number)
        recipe = example("credential kubectl")
        version = json.loads(subprocess.run(
            ["kubectl", "version", "--client", "--output", "json"], env=self.environment, check=True,
            stdout=subprocess.PIPE).stdout)["clientVersion"]
        if int(version["minor"].rstrip("+")) < 22:
            assert "v1beta1" in page()
            recipe = recipe.replace("k8s.io/v1", "k8s.io/v1beta1")
        file = self.home / ".kube" / "config"
        file.parent.mkdir()
        file.write_text(f"""apiVersion: v1
kind: Config
current-context: tests
contexts:
- name: tests
  context: {{cluster: tests, user: tests}}
clusters:
- name: tests
  cluster:
    server: https://{self.server.host}
    certificate-authority: {desk.trusted}
users:
- name: tests
  user:
{recipe}""")


class Psql(ServiceProgram):
    server = Database
    question = "SELECT 'at noon'"
    answer = "at noon\n"

    @property
    def session(self) -> list[str]:
        """It reads what to do from standard input."""
        [recipe] = [line for line in example("run").splitlines() if "psql" in line]
        place = (
            f"host=localhost port={self.server.port} user={ADELE} dbname=postgres"
            f" sslmode=verify-full sslrootcert={self.desk.trusted}")
        script = recipe.strip().replace("host=...", place)
        assert place in script
        return ["sh", "-c", f"{script} --no-psqlrc --tuples-only --no-align"]

    @property
    def command(self):
        *shell, script = self.session
        return [*shell, f'{script} --command "{self.question}"']


class AzureIdentity(ServiceProgram):
    """The library for Python, which all of Azure's libraries use, in a program that is run by entrancectl."""

    server = Share
    answer = "lunch.txt"
    is_run = True
    script = f"""
import sys, requests
from azure.identity import DefaultAzureCredential
token = DefaultAzureCredential().get_token("{SHARE}/.default").token
answer = requests.get(sys.argv[1], headers={{"Authorization": f"Bearer {{token}}"}}, verify=sys.argv[2])
answer.raise_for_status()
print(answer.text)
"""

    @property
    def command(self):
        return [
            "entrancectl", "run", "--allow", f"{SHARE}/.default", "--", str(PYTHON), "-c", self.script,
            f"https://{self.server.host}/", self.desk.trusted]


class Rclone(ServiceProgram):
    server = Share
    answer = "lunch.txt\n"

    @property
    def command(self):
        return [
            "rclone", "lsf", "--config", "", "--ca-cert", self.desk.trusted, "--retries", "1",
            "--low-level-retries", "1", "--webdav-url", f"https://{self.server.host}",
            "--webdav-bearer-token-command", "entrancectl token", ":webdav:"]


class Skopeo(ServiceProgram):
    """It is made of the same library as podman, and reads the configuration of docker."""

    server = Registry
    answer = '"lunch"'

    def __init__(self, desk: Desk, number: int = 0):
        super().__init__(desk, number)
        file = self.home / ".docker" / "config.json"
        file.parent.mkdir()
        file.write_text(json.dumps({"credHelpers": {self.server.host: "entrance"}}))
        certificates = self.home / "certificates"
        certificates.mkdir()
        shutil.copy(desk.trusted, certificates / "ca.crt")
        self.command = ["skopeo", "list-tags", "--cert-dir", str(certificates), f"docker://{self.server.host}/app"]

    @classmethod
    def connections(cls, desk):
        # The helper answers for the host of an app's API.
        [app] = super().connections(desk)
        both = desk.home / "authorities.pem"
        both.write_text(Path(app["caFile"]).read_text() + Path(desk.trusted).read_text())
        return [app | {"api": f"https://{desk.server.host}", "caFile": str(both)}]
