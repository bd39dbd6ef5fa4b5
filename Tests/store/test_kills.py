"""Processes that are killed while they write: no account is lost or duplicated.

Half of the kills are with encrypted files, half with a real gnome-keyring. In between, the disk is
full or read-only, operations fail, and the keyring is locked, missing, or killed itself.
"""

import itertools
import random
from collections import Counter

from harness import Reader, Round
from ledger import Ledger

APPLICATION = "io.example.KillTest"


def report(name: str, kills: int, ledger: Ledger, faults: Counter):
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
    print(
        f"\n{name}: {kills} kills, {ledger.acknowledged} writes acknowledged, {ledger.failed} refused; "
        f"rounds with a fault: {kinds or 'none'}; losses {len(ledger.losses)}, "
        f"doubles {len(ledger.doubles)}, strangers {len(ledger.strangers)}")


def check_outcome(outcome: str, ledger: Ledger):
    """Nothing is damaged or missing, except for accounts whose removal failed after their files
    were deleted.
    """
    if "missing from the token store" in outcome and ledger.removals_refused:
        return
    assert not outcome, outcome


def check(ledger: Ledger):
    assert not ledger.losses, ledger.losses[:5]
    assert not ledger.doubles, ledger.doubles[:5]
    assert not ledger.strangers, ledger.strangers[:5]


def test_files(tool, kills, environment, disk, faults):
    ledger, counts, killed = Ledger(), Counter(), 0
    reader = Reader(tool, "file", disk.store, environment)
    turns = itertools.cycle(["none", "full disk", "none", "read-only", "none", "EIO"])
    while killed < kills // 2:
        fault = next(turns)
        writers = random.choice([1, 1, 1, 2])
        variables = dict(environment)
        if fault == "full disk":
            # Sometimes there is space for the file, but not for all of its contents.
            disk.fill(room=random.choice([0, 4096, 8192, 16384]))
        elif fault == "read-only":
            disk.set_writable(False)
        elif fault == "EIO":
            variables |= {"LD_PRELOAD": str(faults), "FAULT_RATE": random.choice(["4", "20"])}
        for said in Round(tool, "file", disk.store, variables, writers).run(0.04):
            ledger.hear(said, may_fail=fault != "none")
        disk.make_room() if fault != "read-only" else disk.set_writable(True)
        killed += writers
        counts[fault] += fault != "none"
        found, outcome = reader.read()
        check_outcome(outcome, ledger)
        ledger.compare(found, f"kill {killed}, {fault}")
    reader.end()
    report("files", killed, ledger, +counts)
    check(ledger)
    assert ledger.acknowledged > killed // 10, "hardly anything was written"
    # A file for each account, the marker, the lock, and unfinished files of the last minute.
    names = [path.name for path in (disk.path / "store").iterdir()]
    assert sum(not name.endswith(".new") for name in names) <= len(found) + 2


def test_keyring(tool, kills, environment, keyring):
    ledger, counts, killed = Ledger(), Counter(), 0
    reader = Reader(tool, "keyring", APPLICATION, environment)
    turns = itertools.cycle(
        ["none", "none", "locked", "none", "none", "absent", "none", "none", "keyring killed"])
    while killed < kills // 2:
        fault = next(turns)
        writers = random.choice([1, 1, 1, 2])
        meanwhile = lambda: None
        if fault == "locked":
            keyring.lock()
        elif fault == "absent":
            keyring.kill()
        elif fault == "keyring killed":
            meanwhile = keyring.kill
        round = Round(tool, "keyring", APPLICATION, environment, writers)
        for said in round.run(0.08, meanwhile):
            ledger.hear(said, may_fail=fault != "none")
        if fault in ("locked", "absent"):
            # An unreadable store is never reported as empty.
            found, outcome = reader.read()
            assert not found and outcome.startswith("error "), outcome
        if fault != "none":
            keyring.restart()
        killed += writers
        counts[fault] += fault != "none"
        found, outcome = reader.read()
        check_outcome(outcome, ledger)
        ledger.compare(found, f"kill {killed}, {fault}")
    reader.end()
    report("keyring", killed, ledger, +counts)
    check(ledger)
    assert ledger.acknowledged > killed // 10, "hardly anything was written"
    assert keyring.count() <= 2 * len(found) + 2


def test_control(tool, kills, environment, tmp_path):
    """A store that writes in place loses accounts, and the test notices it."""
    ledger, killed = Ledger(), 0
    place = str(tmp_path / "cache")
    reader = Reader(tool, "truncating", place, environment)
    while killed < max(kills // 10, 40):
        for said in Round(tool, "truncating", place, environment, 1).run(0.04):
            ledger.hear(said, may_fail=False)
        killed += 1
        ledger.compare(reader.read()[0], f"kill {killed}")
    reader.end()
    report("control", killed, ledger, Counter())
    assert ledger.losses
