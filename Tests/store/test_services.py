"""The store with KeePassXC and KWallet: prompts that are accepted, declined and ignored."""

import subprocess
import time
from pathlib import Path

import pytest

from services import KeePassXC, KWallet
from session import Session
from waiting import wait_for

APPLICATION = "io.example.ServiceTest"
# The time limit for a service to answer when the user is not asked.
ANSWER_LIMIT = 10  # seconds


class Run:
    """A run of a program with a store, which performs one operation after the other."""

    def __init__(self, tool: str, environment: dict[str, str]):
        self.process = subprocess.Popen(
            [tool, "talk", "keyring", APPLICATION], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=environment | {"LLVM_PROFILE_FILE": "/dev/null"})

    def begin(self, *words: str) -> "Run":
        """Starts an operation."""
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self

    def finish(self) -> tuple[list[str], str]:
        """Its output: one line for each record, and the result."""
        lines = []
        while not (line := self.process.stdout.readline()).startswith("."):
            assert line, "the program has ended"
            lines.append(line.strip())
        return lines, line[1:].strip()

    def do(self, *words: str) -> tuple[list[str], str]:
        return self.begin(*words).finish()

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


@pytest.fixture(scope="module")
def session():
    session = Session()
    try:
        yield session.start()
    finally:
        session.close()


@pytest.fixture
def new_run(tool, session, tmp_path):
    runs = []

    def new_run() -> Run:
        runs.append(Run(tool, session.environment(tmp_path)))
        return runs[-1]

    yield new_run
    for run in runs:
        run.end()


@pytest.fixture
def keepassxc(session, tmp_path):
    service = KeePassXC(session, tmp_path).start()
    yield service
    service.stop()


@pytest.fixture
def kept(keepassxc, new_run):
    """KeePassXC with an account that another run has stored."""
    run = new_run()
    assert run.do("load") == ([], "")
    assert run.do("save", "one", "1") == ([], "")
    assert keepassxc.window() is None, "a program can read its own items"
    assert run.do("save", "one", "2") == ([], "")
    assert run.do("load") == (["one 2"], "")
    assert keepassxc.window() is None
    return keepassxc


def test_keepassxc_prompts_once_for_all_items_of_a_run(kept, new_run):
    run = new_run()
    assert run.do("presence") == ([], "needsConsent")
    run.begin("load")
    kept.agree()
    assert run.finish() == (["one 2"], "")
    # Both slots of the record, created by the previous run.
    for generation in ("3", "4", "5"):
        assert run.do("save", "one", generation) == ([], "")
    assert run.do("load") == (["one 5"], "")
    assert run.do("presence") == ([], "unlocked")
    assert kept.window() is None


def leave_alone(service):
    """Ignores the next prompt for longer than the time limit without a prompt."""
    window = service.wait_for_question()
    begin = time.monotonic()
    wait_for(lambda: time.monotonic() > begin + ANSWER_LIMIT + 2, "time to pass")
    assert service.window() == window


def test_keepassxc_prompt_has_the_users_time_limit(kept, new_run):
    run = new_run().begin("load")
    leave_alone(kept)
    kept.agree()
    assert run.finish() == (["one 2"], "")


def test_after_declining_keepassxc_does_not_prompt_again(kept, new_run):
    run = new_run().begin("load")
    kept.decline()
    found, outcome = run.finish()
    assert not found and "denied" in outcome and "you declined" in outcome
    for words in (["load"], ["save", "one", "9"], ["save", "two", "1"], ["load"]):
        found, outcome = run.do(*words)
        assert not found and outcome.startswith("error ") and "you declined" in outcome
        assert kept.window() is None, "one prompt per run"

    run = new_run().begin("load")
    kept.agree()
    assert run.finish() == (["one 2"], ""), "nothing was overwritten"


def test_locked_keepassxc_database_is_unlocked(kept, new_run):
    kept.stop()
    kept.start(unlocked=False)
    run = new_run()
    assert run.do("presence") == ([], "locked")
    run.begin("load")
    kept.enter_password()
    kept.agree()
    assert run.finish() == (["one 2"], "")
    assert not kept.is_locked()


def test_sign_in_says_to_open_a_database_of_keepassxc(keepassxc, session, tmp_path, tool):
    keepassxc.stop()
    keepassxc.start_without_database()
    assert keepassxc.default_collection() is None
    connections = tmp_path / "config" / "entrance" / "apps.json"
    connections.parent.mkdir(parents=True)
    connections.write_text(
        '{"version": 1, "apps": [{"name": "A", "clientID": '
        '"11111111-2222-3333-4444-555555555555"}]}')
    done = subprocess.run(
        [Path(tool).with_name("entrancectl"), "sign-in"], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60,
        env=session.environment(tmp_path) | {"LLVM_PROFILE_FILE": "/dev/null"})
    assert done.returncode != 0 and "passphrase" not in done.stderr, done
    assert "No database is open in KeePassXC." in done.stderr
    assert "Open a database in KeePassXC" in done.stderr


def test_keepassxc_prompts_before_an_account_is_removed(kept, new_run):
    run = new_run().begin("load")
    kept.agree()
    run.finish()
    run.begin("remove", "one")
    # The record has two items.
    kept.agree_to_remove()
    kept.agree_to_remove()
    assert run.finish() == ([], "")
    assert kept.item_count(application=APPLICATION, kind="record") == 0
    # A new account; the index exists already.
    assert run.do("save", "two", "1") == ([], "")
    assert run.do("load") == (["two 1"], "")


def test_account_is_signed_out_although_keepassxc_keeps_its_items(kept, new_run):
    run = new_run().begin("load")
    kept.agree()
    run.finish()
    run.begin("remove", "one")
    kept.decline()
    found, outcome = run.finish()
    assert "you declined" in outcome
    assert kept.window() is None, "one question a run"
    assert run.do("load") == ([], "")


@pytest.fixture
def kwallet(session, tmp_path):
    service = KWallet(session, tmp_path).start()
    yield service
    service.stop()


@pytest.fixture
def wallet(kwallet, new_run):
    """KWallet with a wallet that the user allowed the program to create."""
    run = new_run()
    assert run.do("presence") == ([], "noDefaultCollection")
    assert "no default keyring" in run.do("load")[1]
    assert kwallet.window() is None, "a wallet is created only on request"
    run.begin("create")
    kwallet.choose_password()
    assert run.finish() == ([], "")
    return kwallet


def test_locked_kwallet_is_unlocked(wallet, new_run):
    run = new_run()
    assert run.do("save", "one", "1") == ([], "")
    assert run.do("load") == (["one 1"], "")
    wallet.lock()
    run = new_run().begin("load")
    wallet.decline()
    found, outcome = run.finish()
    assert not found and "the keyring is locked" in outcome
    assert run.do("load")[1] == outcome and wallet.window() is None

    run = new_run().begin("load")
    wallet.enter_password()
    assert run.finish() == (["one 1"], "")
    assert run.do("save", "one", "2") == ([], "")
    assert run.do("load") == (["one 2"], "")
    assert run.do("remove", "one") == ([], "")
    assert run.do("load") == ([], "")


def test_kwallet_prompt_has_the_users_time_limit(wallet, new_run):
    assert new_run().do("save", "one", "1") == ([], "")
    wallet.lock()
    run = new_run().begin("load")
    leave_alone(wallet)
    wallet.enter_password()
    assert run.finish() == (["one 1"], "")


def test_declined_wallet_is_not_created(kwallet, new_run):
    run = new_run().begin("create")
    kwallet.decline()
    assert "you declined" in run.finish()[1]
    assert run.do("presence") == ([], "noDefaultCollection")


def test_busy_kwallet_is_not_reported_as_locked(wallet, new_run):
    assert new_run().do("save", "one", "1") == ([], "")
    # All of a round share the ten seconds that each waits for KWallet.
    runs = [new_run() for _ in range(8)]
    for _ in range(8):
        for run in runs:
            run.begin("load")
        for run in runs:
            assert run.finish() == (["one 1"], "")


def test_account_lost_by_kwallet_is_reported(wallet, new_run):
    """When KWallet is killed before it writes its file, it still has the items' attributes."""
    assert new_run().do("save", "one", "1") == ([], "")
    wallet.kill()
    wallet.start()
    run = new_run().begin("load")
    wallet.enter_password()
    found, outcome = run.finish()
    if found:
        pytest.skip("it was quick enough to write its file")
    assert "missing from the token store" in outcome
    assert wallet.item_count(application=APPLICATION, kind="record") == 1, "what is there stays"
    # The next run reports it too, until someone signs in.
    assert "missing from the token store" in new_run().do("load")[1]
    assert run.do("save", "two", "1") == ([], "")
    assert new_run().do("load") == (["two 1"], "")
