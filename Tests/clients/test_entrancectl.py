"""Libraries get tokens from `entrancectl run`, as from a managed identity of Azure, or from azd."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ADELE, Emulator

GRAPH = "https://graph.microsoft.com"
AZURE_IDENTITY = f"""
from azure.identity import ManagedIdentityCredential
credential = ManagedIdentityCredential()
def token():
    return credential.get_token("{GRAPH}/.default").token
"""
# It runs azd, which `entrancectl run` has for its program.
DEVELOPER_CREDENTIAL = f"""
from azure.identity import AzureDeveloperCliCredential
credential = AzureDeveloperCliCredential(process_timeout=60)
def token():
    return credential.get_token("{GRAPH}/.default").token
"""
MSAL_NET = f"""
import pathlib, tempfile
from clr_loader import get_coreclr
from dotnet_runtime import lay_out
from pythonnet import set_runtime
root = pathlib.Path(sys.argv[1])
libraries = lay_out(root)
set_runtime(get_coreclr(runtime_config=str(root / "runtimeconfig.json"), dotnet_root=str(root)))
import clr
sys.path.append(str(libraries))
clr.AddReference("Microsoft.Identity.Client")
from Microsoft.Identity.Client import ManagedIdentityApplicationBuilder
from Microsoft.Identity.Client.AppConfig import ManagedIdentityId
client = ManagedIdentityApplicationBuilder.Create(ManagedIdentityId.SystemAssigned).Build()
def token():
    return client.AcquireTokenForManagedIdentity("{GRAPH}").ExecuteAsync().Result.AccessToken
"""
# Prints a token, or what was said, for each line that it reads.
ANSWERING = """
for _ in sys.stdin:
    try:
        answer = {"token": token()}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def emulator():
    # A token expires while a program runs.
    running = Emulator("--token-lifetime", "6")
    yield running
    running.stop()


@pytest.fixture
def entrancectl(emulator, tmp_path, monkeypatch):
    """The program, with an app."""
    program = Path(os.environ["IDENTITY_EMULATOR"]).with_name("entrancectl")
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    file = tmp_path / "config/entrance/apps.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"version": 1, "storage": "plainFile", "apps": [{
        "name": "Contoso", "clientID": emulator.client_id, "authority": emulator.authority,
        "knownAuthorities": [emulator.authority], "redirectURI": emulator.announcement["redirectURI"],
        "scopes": ["User.Read"], "api": emulator.announcement["graph"], "caFile": emulator.ca_file}]}))
    return program


def sign_in(emulator, entrancectl):
    with subprocess.Popen([entrancectl, "sign-in", "--device-code"], stderr=subprocess.PIPE, text=True) as process:
        code = re.search(r"enter the code (\S+)\.", process.stderr.readline())[1]
        emulator.control("enter-device-code", code=code, username=ADELE)
    assert process.returncode == 0


@pytest.mark.parametrize(
    "library", [AZURE_IDENTITY, DEVELOPER_CREDENTIAL, MSAL_NET], ids=["azure-identity", "azd", "msal-net"])
def test_managed_identity(emulator, entrancectl, tmp_path, monkeypatch, library):
    monkeypatch.setenv("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
    sign_in(emulator, entrancectl)
    program = "import json, sys\n" + library + ANSWERING
    command = [entrancectl, "run", "--", sys.executable, "-c", program, tmp_path / "dotnet"]
    with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent) as process:
        def ask() -> dict:
            process.stdin.write("\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        def is_valid(answer: dict) -> bool:
            profile = emulator.get("/v1.0/me", token=answer["token"]).json()
            return profile["userPrincipalName"] == ADELE

        def answer_after(before: dict) -> dict:
            """The next answer that differs: the token in the other one has expired."""
            while (answer := ask()) == before:
                pass
            return answer

        first = ask()
        second = answer_after(first)
        assert is_valid(second)
        emulator.control("revoke", username=ADELE)
        assert "Sign in again" in answer_after(second)["error"]
        sign_in(emulator, entrancectl)
        third = ask()
        assert is_valid(third)
        emulator.stop()
        assert "connect" in answer_after(third)["error"]
