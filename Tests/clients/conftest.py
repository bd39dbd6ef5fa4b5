"""An emulator for each test, and what every client is asked to do."""

import importlib.util
import sys
from pathlib import Path

import pytest

OTHERS = Path(__file__).parent.parent / "msal-python"
sys.path.append(str(OTHERS))
_spec = importlib.util.spec_from_file_location("emulator_process", OTHERS / "conftest.py")
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
Emulator = _module.Emulator

ADELE = "adele@contoso.example"
SCOPES = ["User.Read.All", "Mail.ReadWrite", "Mail.Send", "Files.ReadWrite"]
# More than a request may have, so that a client uses an upload session.
LARGE = bytes(range(256)) * 40_000


@pytest.fixture
def emulator():
    running = Emulator("--colleagues", "250")
    yield running
    running.stop()

