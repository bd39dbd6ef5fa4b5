"""Where accounts are stored: without a keyring, with a key from the service manager, as
configured.
"""

import base64
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import signal
import stat
import subprocess
import termios
from pathlib import Path

import pytest

from terminal import Terminal
from test_doctor import check, states
from waiting import wait_for

PASSPHRASE = "passphrase-canary äöü"


@pytest.fixture
def state(home):
    return home / "state" / "entrance"


@pytest.fixture
def no_bus(cli, home):
    cli.environment |= {
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/none", "XDG_RUNTIME_DIR": str(home)}
    return cli


@pytest.fixture
def passphrase_file(home):
    path = home / "passphrase"
    path.write_text(PASSPHRASE + "\n")
    path.chmod(0o600)
    return str(path)


def modes(directory) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in directory.rglob("*") if path.is_file()}


def contents(directory) -> bytes:
    return b"".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())


# With a passphrase


def test_passphrase(no_bus, person, state):
    """The next run reads what the previous one stored, and nothing is readable from outside."""
    terminal = Terminal(person.cli, "sign-in", "--json")
    terminal.answer("New passphrase: ", PASSPHRASE)
    terminal.answer("Confirm the passphrase: ", PASSPHRASE)
    result = terminal.finish()
    assert result.status == 0, result
    assert result.json["account"]["username"] == "adele@contoso.example"
    assert PASSPHRASE not in result.err, "the passphrase is not echoed"

    kept = contents(state)
    assert b"adele" not in kept and PASSPHRASE.encode() not in kept
    assert modes(state) == {0o600}
    assert stat.S_IMODE(state.stat().st_mode) == 0o700

    terminal = Terminal(person.cli, "accounts")
    terminal.answer("Passphrase of the encrypted accounts: ", PASSPHRASE)
    result = terminal.finish()
    assert result.status == 0 and result.out.startswith("adele@contoso.example ")


def test_passphrase_header(no_bus, person, state, passphrase_file):
    """Python's scrypt derives the same key from the passphrase."""
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    header = json.loads((state / "passphrase.json").read_text())
    assert (header["function"], header["n"], header["r"], header["p"]) == ("scrypt", 1 << 17, 8, 1)

    def decode(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    derived = hashlib.scrypt(
        PASSPHRASE.encode(), salt=decode(header["salt"]), n=header["n"], r=header["r"],
        p=header["p"], maxmem=1 << 28, dklen=64)
    assert derived[32:] == decode(header["check"])


def test_passphrase_file(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    assert person.ok("token", "--passphrase-file", passphrase_file).out.startswith("eyJ")
    # A pipe is accepted as a file.
    assert "adele" in person.ok(
        "accounts", "--passphrase-file", "/dev/stdin", input=PASSPHRASE).out
    person.ok("sign-out", "--passphrase-file", passphrase_file)
    assert person.ok("accounts", "--passphrase-file", passphrase_file, "--json").json == {
        "accounts": []}
    assert PASSPHRASE not in person.printed


def test_wrong_passphrase(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    before = contents(state)
    error = no_bus("accounts", "--passphrase-file", "/dev/stdin", "--json", input="wrong").error
    assert error["code"] == "wrongPassphrase"
    assert "If you forgot it, run 'mv " in error["nextStep"] and str(state) in error["nextStep"]
    result = no_bus("doctor", "--passphrase-file", "/dev/stdin", "--json", input="wrong")
    found = check(result, "storage")
    assert (found["state"], found["message"]) == ("problem", error["message"])
    assert found["advice"] == error["nextStep"] and result.status == 1
    found = check(no_bus("doctor", "--passphrase-file", passphrase_file, "--json"), "storage")
    assert found["state"] == "ok"

    terminal = Terminal(person.cli, "accounts")
    for _ in range(2):
        terminal.answer("Passphrase of the encrypted accounts: ", "wrong")
        terminal.wait_for("This is not the passphrase")
    terminal.answer("Passphrase of the encrypted accounts: ", PASSPHRASE)
    assert "adele" in terminal.finish().out

    terminal = Terminal(person.cli, "accounts")
    for _ in range(3):
        terminal.answer("Passphrase of the encrypted accounts: ", "wrong")
    result = terminal.finish()
    assert result.status == 1 and result.out == ""
    assert contents(state) == before
    # The command in the message is a way on.
    subprocess.run(error["nextStep"].split("run '")[1].split("'")[0], shell=True, check=True)
    person.ok("sign-in", "--passphrase-file", "/dev/stdin", input="another passphrase")
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", "/dev/stdin", input="another passphrase").out


@pytest.mark.parametrize("text", ["", "short\n", "short\r\n", "1234567\r\n"])
def test_passphrase_file_with_too_short_a_passphrase(no_bus, person, state, passphrase_file, text):
    """Like other faults of that file."""
    Path(passphrase_file).write_bytes(text.encode())
    error = no_bus("sign-in", "--passphrase-file", passphrase_file, "--json").error
    assert (error["code"], error["exitStatus"]) == ("usage", os.EX_USAGE)
    assert error["message"] == (
        "The value of --passphrase-file cannot be used. The passphrase is too short. Use at least 8 characters.")
    assert error["nextStep"] is None and not person.log.exists() and not state.exists()


def test_passphrase_file_with_line_ends_of_windows(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", "/dev/stdin", input=PASSPHRASE + "\r\n")
    for text in [PASSPHRASE, PASSPHRASE + "\n", PASSPHRASE + "\r\n"]:
        assert "adele" in no_bus.ok("accounts", "--passphrase-file", "/dev/stdin", input=text).out
    # Only one line end is not part of it.
    for text in [PASSPHRASE + "\r", PASSPHRASE + "\r\r\n"]:
        assert no_bus("accounts", "--passphrase-file", "/dev/stdin", input=text).status == 1
    # A byte order mark is that of the file.
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", "/dev/stdin", input="\ufeff" + PASSPHRASE + "\r\n").out
    shutil.rmtree(state)
    # An earlier version set a passphrase with it.
    person.ok("sign-in", "--passphrase-file", "/dev/stdin", input=PASSPHRASE + "\r")
    for command in ["accounts", "doctor"]:
        result = no_bus(command, "--json", "--passphrase-file", "/dev/stdin", input=PASSPHRASE + "\r\n")
        assert "adele" in result.out if command == "accounts" else check(result, "storage")["state"] == "ok"


def test_passphrase_of_a_sign_in_that_was_canceled(no_bus, person, state, passphrase_file):
    """Nothing was encrypted with it, so that another one can be chosen."""
    process = no_bus.start("sign-in", "--device-code", "--passphrase-file", passphrase_file)
    assert "enter the code" in process.stderr.readline()
    assert no_bus.interrupt(process).status == -signal.SIGINT
    # As before it: there is no account that a passphrase could open.
    error = no_bus("accounts", "--passphrase-file", passphrase_file + "x", "--json").error
    assert error["exitStatus"] == os.EX_USAGE and "No such file" in error["message"]
    assert check(no_bus("doctor", "--json"), "storage")["advice"].startswith("Set a passphrase")
    person.ok("sign-in", "--passphrase-file", "/dev/stdin", input="another passphrase")
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", "/dev/stdin", input="another passphrase").out
    error = no_bus("sign-in", "--passphrase-file", passphrase_file, "--json").error
    assert error["code"] == "wrongPassphrase"
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", "/dev/stdin", input="another passphrase").out


def test_new_passphrase_is_typed_twice_and_long_enough(no_bus, person, state):
    terminal = Terminal(person.cli, "sign-in")
    # Before it is asked for.
    terminal.wait_for("Use at least eight characters.")
    terminal.answer("New passphrase: ", "correct horse")
    terminal.answer("Confirm the passphrase: ", "correct hors")
    terminal.wait_for("The passphrases do not match.")
    terminal.answer("New passphrase: ", "short")
    terminal.answer("Confirm the passphrase: ", "short")
    terminal.wait_for("too short")
    terminal.answer("New passphrase: ", "correct horse")
    terminal.answer("Confirm the passphrase: ", "correct horse")
    assert terminal.finish().status == 0
    assert (state / "passphrase.json").exists()


def test_interrupted_at_the_prompt(no_bus, person, state):
    terminal = Terminal(person.cli, "sign-in", "--json")
    terminal.wait_for("New passphrase: ")
    terminal.interrupt()
    result = terminal.finish()
    assert result.error["code"] == "userCanceled"
    assert not person.log.exists() and not state.exists()


def test_interrupted_while_a_pipe_has_no_more_of_the_passphrase(no_bus, person, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    process = no_bus.start("accounts", "--json", "--passphrase-file", "/dev/stdin")
    process.stdin.write("passphrase")
    process.stdin.flush()
    wait_for(
        lambda: not any(fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))), "the start of it to be read")
    process.send_signal(signal.SIGINT)
    process.wait(30)
    result = no_bus.finish(process)
    assert result.status == -signal.SIGINT and result.error["code"] == "userCanceled"


@pytest.mark.parametrize("names, words", [
    (["accounts"], []), (["sign-out"], []), (["token"], []), (["graph"], ["/me"]),
    (["graph", "delta"], ["--state", "HOME/delta.link", "/users/delta"]), (["cache", "show"], []), (["cache", "export"], []),
    (["run"], ["--", "true"]),
], ids=" ".join)
def test_interrupted_before_the_accounts_are_read(no_bus, person, home, state, passphrase_file, names, words):
    """None were found then, which is not to say that nobody is signed in."""
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    words = [word.replace("HOME", str(home)) for word in words]
    process = no_bus.start(*names, "--passphrase-file", "/dev/stdin", *words)
    # Another program writes: the accounts wait for it.
    with open(state / "accounts" / "lock", "r+b") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        process.stdin.write(PASSPHRASE + "\n")
        process.stdin.flush()
        wait_for(
            lambda: not any(fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))),
            "the passphrase to be read")
        process.send_signal(signal.SIGINT)
        process.wait(30)
    result = no_bus.finish(process)
    assert result.status == -signal.SIGINT, result
    assert "canceled" in result.err and "No account" not in result.err and not result.out, result
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", passphrase_file).out


def test_no_terminal(no_bus, person, passphrase_file):
    """Without a way to store the account, nobody is asked to sign in."""
    error = no_bus("sign-in", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "--passphrase-file" in error["nextStep"]
    assert not person.log.exists()
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    error = no_bus("accounts", "--json").error
    assert error["code"] == "storageUnavailable" and "terminal" in error["message"]


def test_passphrase_file_readable_by_others(no_bus, person, passphrase_file):
    os.chmod(passphrase_file, 0o644)
    error = no_bus("sign-in", "--passphrase-file", passphrase_file, "--json").error
    assert "others can read" in error["message"]
    error = no_bus("sign-in", "--passphrase-file", passphrase_file + "x", "--json").error
    assert "No such file" in error["message"]


def test_damaged_header(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    header = state / "passphrase.json"
    header.write_text(header.read_text()[:40])
    before = contents(state)
    for command in ["accounts", "sign-in"]:
        error = no_bus(command, "--passphrase-file", passphrase_file, "--json").error
        assert error["code"] == "storageUnavailable"
        assert str(header) in error["message"]
    assert contents(state) == before


# With a key from the service manager


@pytest.fixture
def credential(home, cli):
    directory = home / "credentials"
    directory.mkdir(mode=0o700)
    key = directory / "entrance.store-key"
    key.write_bytes(secrets.token_bytes(32))
    key.chmod(0o400)
    cli.environment["CREDENTIALS_DIRECTORY"] = str(directory)
    return key


def test_credential(no_bus, person, credential, state):
    person.ok("sign-in")
    assert "adele" in person.ok("accounts").out
    assert b"adele" not in contents(state)
    assert not (state / "passphrase.json").exists()

    credential.chmod(0o600)
    credential.write_bytes(secrets.token_bytes(32))
    error = no_bus("accounts", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "another key or passphrase" in error["message"]
    credential.unlink()
    error = no_bus("sign-in", "--json").error
    assert "a key that is not available" in error["message"]
    doctor_says(no_bus, error["message"])


def test_older_copy_of_the_directory_brings_its_accounts_back(no_bus, person, credential, state, home):
    """The limitation that the README names: the copy is complete, so nothing tells that it is old."""
    person.ok("sign-in")
    shutil.copytree(state, home / "copy")
    person.ok("sign-out")
    assert no_bus.ok("accounts", "--json").json["accounts"] == []
    shutil.rmtree(state)
    (home / "copy").rename(state)
    assert "adele" in no_bus.ok("accounts").out
    readme = Path(__file__).parents[2] / "README.md"
    assert "**Rollbacks are not detected.**" in readme.read_text()


def test_credential_readable_by_others(no_bus, person, credential):
    credential.chmod(0o644)
    error = no_bus("sign-in", "--json").error
    assert "others can read" in error["message"]
    assert not person.log.exists()
    found = check(no_bus("doctor", "--json"), "storage")
    assert found["state"] == "problem" and str(credential) in found["message"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to a service")
@pytest.mark.parametrize("mode, state", [(0o440, "ok"), (0o444, "problem"), (0o460, "problem")])
def test_credential_of_root(ordinary, no_bus, mode, state):
    """systemd grants a service access to root's file with an access control list, which appears
    as the group's permissions.
    """
    program, options, home = ordinary
    key = home / "entrance.store-key"
    key.write_bytes(secrets.token_bytes(32))
    os.chown(key, 0, 65534)
    key.chmod(mode)
    (home / "state").mkdir()
    os.chown(home / "state", 65534, 65534)
    options["env"] |= {
        "CREDENTIALS_DIRECTORY": str(home),
        "DBUS_SESSION_BUS_ADDRESS": no_bus.environment["DBUS_SESSION_BUS_ADDRESS"]}
    result = subprocess.run(
        [program, "doctor", "--json"], capture_output=True, group=65534, timeout=60, **options)
    found = {check["name"]: check["state"] for check in json.loads(result.stdout)["checks"]}
    assert found["storage"] == state


# As configured


def test_unencrypted_file(cli, keyring, person, emulator, state):
    cli.connect_to(emulator.connection("Contoso"), storage="plainFile")
    cli.ok("sign-in")
    cache = json.loads((state / "accounts.json").read_text())
    assert [account["username"] for account in cache["Account"].values()] == [
        "adele@contoso.example"]
    assert modes(state) == {0o600}
    assert keyring.items() == []
    assert "adele" in cli.ok("accounts").out
    result = cli("doctor", "--json")
    found = check(result, "storage")
    assert (found["state"], found["mark"]) == ("warning", "!")
    assert "not encrypted" in found["message"] and found["advice"]
    cli.ok("sign-out")


def test_encrypted_file_in_spite_of_a_keyring(
        cli, keyring, person, emulator, state, passphrase_file):
    cli.connect_to(emulator.connection("Contoso"), storage="encryptedFile")
    cli.ok("sign-in", "--passphrase-file", passphrase_file)
    assert keyring.items() == []
    assert (state / "passphrase.json").exists()


def test_secret_service_only(cli, person, emulator):
    cli.connect_to(emulator.connection("Contoso"), storage="secretService")
    error = cli("sign-in", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "no keyring service" in error["message"]


def test_memory(cli, keyring, person, emulator):
    cli.connect_to(emulator.connection("Contoso"), storage="memory")
    error = cli("sign-in", "--json").error
    assert error["code"] == "storageUnavailable"
    assert "storage" in error["nextStep"]
    assert not person.log.exists()
    assert check(cli("doctor", "--json"), "storage")["state"] == "warning"


def test_unknown_storage(cli, keyring):
    cli.write_connections('{"version": 1,\n "storage": "disk", "apps": []}')
    error = cli("accounts", "--json").error
    assert error["details"] == {"line": 2, "field": "storage"}
    assert '"plainFile"' in error["message"]


# Damaged, lost, or not writable: said by the commands and by doctor in the same words


def doctor_says(cli, words: str):
    """doctor finds the problem that a command reported, and changes nothing."""
    result = cli("doctor", "--json")
    found = check(result, "storage")
    assert found["state"] == "problem" and found["advice"], found
    assert words in found["message"], found
    assert result.status == 1


def test_damaged_plain_file(cli, keyring, person, emulator, state):
    cli.connect_to(emulator.connection("Contoso"), storage="plainFile")
    cli.ok("sign-in")
    path = state / "accounts.json"
    path.write_text(path.read_text()[:100])
    before = contents(state)
    pages = len(person.pages)
    for command in ["accounts", "token", "sign-in", "sign-out"]:
        error = cli(command, "--json").error
        assert error["code"] == "storageUnavailable"
        assert f"“{path}”" in error["message"] and "not a token cache" in error["message"]
        doctor_says(cli, error["message"])
    assert len(person.pages) == pages, "nobody signs in for nothing"
    assert contents(state) == before
    # The command in the message is a way on.
    command = error["message"].split("run '")[1].split("'")[0]
    subprocess.run(command, shell=True, check=True)
    cli.ok("sign-in")
    assert cli.ok("accounts", "--json").json["accounts"]


def test_damaged_passphrase_file(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    header = state / "passphrase.json"
    header.write_text("{")
    # No passphrase is asked for: there is no terminal.
    for command in ["accounts", "token", "sign-in", "sign-out"]:
        error = no_bus(command, "--json").error
        assert f"“{header}”" in error["message"] and "run 'mv" in error["message"]
        doctor_says(no_bus, error["message"])


def test_missing_passphrase_file(no_bus, person, state, passphrase_file):
    person.ok("sign-in", "--passphrase-file", passphrase_file)
    header = state / "passphrase.json"
    text = header.read_text()
    header.unlink()
    for command in ["accounts", "token", "sign-in", "sign-out"]:
        error = no_bus(command, "--json").error
        assert f"“{header}”" in error["message"] and "run 'mv" in error["message"]
        doctor_says(no_bus, error["message"])
    # It is no keyring that is missing.
    result = no_bus("doctor", "--json")
    assert states(result)["keyring"] == states(result)["sessionBus"] == "absent"
    header.write_text(text)
    header.chmod(0o600)
    assert "adele" in no_bus.ok("accounts", "--passphrase-file", passphrase_file).out
    header.unlink()
    subprocess.run(error["message"].split("run '")[1].split("'")[0], shell=True, check=True)
    person.ok("sign-in", "--passphrase-file", passphrase_file)


def test_one_record_that_others_can_read(no_bus, person, credential, state):
    person.ok("sign-in")
    first, = (state / "accounts").glob("account.*")
    person.sits_down("bram@contoso.example")
    person.ok("sign-in")
    first.chmod(0o644)
    result = no_bus.ok("accounts")
    assert "bram" in result.out and "adele" not in result.out
    assert f"“{first}” was refused" in result.err and "chmod 600" in result.err
    assert result.err.count("was refused") == 1
    doctor_says(no_bus, f"“{first}” was refused")
    assert no_bus.ok("token").out.startswith("eyJ")
    no_bus.ok("sign-out")
    person.sits_down("adele@contoso.example")
    person.ok("sign-in")
    result = no_bus.ok("accounts")
    assert "adele" in result.out and result.err == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("options", ["ro", "size=4k"])
def test_home_that_cannot_be_written(cli, keyring, person, emulator, home, options):
    """Nobody signs in in the browser only to hear that nothing can be kept."""
    cli.connect_to(emulator.connection("Contoso"), storage="plainFile")
    (home / "state").mkdir(mode=0o700, exist_ok=True)
    script = (
        f"mount -t tmpfs -o mode=700,{options} none {home}/state &&"
        ' { echo x > "$0/state/full"; } 2>/dev/null; shift; exec "$@"')
    process = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, home, "-", str(cli.program), "sign-in", "--json"],
        env=cli.environment, capture_output=True, text=True, timeout=60)
    error = json.loads(process.stdout)["error"]
    assert error["code"] == "storageUnavailable", process
    assert "accounts.json" in error["message"]
    assert ("Read-only" if options == "ro" else "No space left") in error["message"]
    assert not person.log.exists()


def test_a_cache_that_breaks_meanwhile_has_lost_no_new_tokens(cli, keyring, person, emulator, home):
    """Nothing was to be saved: the second page is requested with the same token."""
    path = home / "shared" / "cache.json"
    cli.connect_to(emulator.connection("Shared") | {
        "scopes": ["User.Read", "User.Read.All"], "cache": {"path": str(path)}})
    cli.ok("sign-in")
    emulator.delay("/v1.0/users", 2_000)
    process = cli.start("graph", "--all", "/users?$top=1")
    wait_for(lambda: "GET /v1.0/users" in emulator.counts(), "the first request")
    path.write_text("no cache")
    emulator.delay("/v1.0/users", 0)
    result = cli.finish(process)
    assert result.status == 0 and len(json.loads(result.out)["value"]) > 2 and not result.err, result
    doctor_says(cli, "not a token cache")


def test_account_that_the_keyring_lost(cli, keyring, person):
    """As KWallet does when it is killed: said once, found by doctor, and cleared by sign-out."""
    account = cli.ok("sign-in", "--json") and cli.ok("accounts", "--json").json["accounts"][0]
    keyring.remove_items(kind="record")
    result = cli.ok("accounts")
    assert result.err.count("missing from the token store") == 1
    assert "sign in again" in result.err
    assert f"entrancectl sign-out --account {account['homeAccountID']}" in result.err
    doctor_says(cli, "missing from the token store")
    result = cli("token")
    assert result.status == 77 and result.err.count("missing from the token store") == 1
    result = cli.ok("sign-out", "--account", account["homeAccountID"])
    assert result.err.count("missing from the token store") == 1
    assert "What was left of one account was removed." in result.out
    assert "missing" not in cli.ok("accounts").err
    assert check(cli("doctor", "--json"), "storage")["state"] == "ok"


# The doctor command


def test_doctor_with_a_keyring(cli, keyring):
    found = check(cli("doctor", "--json"), "storage")
    assert (found["state"], found["message"]) == ("ok", "Accounts are kept in the keyring")
    keyring.lock()
    found = check(cli("doctor", "--json"), "storage")
    assert (found["state"], found["message"]) == (
        "warning", "Accounts are kept in the keyring, which is locked.")
    assert keyring.is_locked()


def test_doctor_without_a_default_keyring(cli, emulator, session, home):
    from keyring import Keyring

    keyring = Keyring(session, home)
    keyring.start(unlocked=False)
    try:
        result = cli("doctor", "--json")
        assert "no default keyring" in check(result, "keyring")["message"]
        assert "no default keyring" in check(result, "storage")["message"]
        assert states(result)["storage"] == "problem"
        assert "entrancectl sign-in" in check(result, "keyring")["advice"]

        # The service exists, but the configured store cannot be used.
        cli.connect_to(emulator.connection("Contoso"), storage="secretService")
        assert check(cli("doctor", "--json"), "storage")["state"] == "warning"
    finally:
        keyring.stop()


def test_new_keyring_is_offered(person, session, home, state):
    """Without a new keyring, a passphrase is possible, like without a service."""
    from keyring import Keyring

    keyring = Keyring(session, home)
    keyring.start(unlocked=False)
    try:
        terminal = Terminal(person.cli, "sign-in", "--json")
        terminal.wait_for("Create one? You will be asked for a password for it. [y/N] ")
        os.write(terminal.file, b"n\n")
        terminal.answer("New passphrase: ", PASSPHRASE)
        terminal.answer("Confirm the passphrase: ", PASSPHRASE)
        result = terminal.finish()
        assert result.status == 0, result
        assert contents(state)
        with pytest.raises(LookupError):
            keyring.is_locked()
    finally:
        keyring.stop()


def test_doctor_before_and_after_a_passphrase(no_bus, person, passphrase_file):
    found = check(no_bus("doctor", "--json"), "storage")
    assert found["state"] == "problem"
    assert "no session bus" in found["message"] and "passphrase" in found["advice"]

    person.ok("sign-in", "--passphrase-file", passphrase_file)
    result = no_bus("doctor", "--json")
    assert check(result, "storage")["state"] == "ok"
    assert "with a passphrase, because there is no session bus" in (
        check(result, "storage")["message"])
    assert states(result)["keyring"] == "absent"
    assert check(result, "keyring")["message"].endswith(", but this app does not need one")
    assert states(result)["sessionBus"] == "absent"


def test_doctor_with_a_credential(no_bus, credential):
    found = check(no_bus("doctor", "--json"), "storage")
    assert found["state"] == "ok" and str(credential) in found["message"]
