"""The slots of an earlier version become files: also when the process is killed at any change, or
the disk is full.
"""

import json
import shutil
from pathlib import Path

# Written by an earlier version; see the tests of the takeover in AuthCoreTests.
SLOTS = Path(__file__).parent / "slots"
TOKENS = {"adele": "adele-2", "ben": "ben-1", "chris": "chris-1"}


def put_slots(place: Path):
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    for slot in SLOTS.iterdir():
        shutil.copyfile(slot, place / slot.name)
        (place / slot.name).chmod(0o600)


def tokens(talk, place) -> dict[str, str]:
    (*lines, end), _ = talk(place, "texts")
    assert end == "."
    found = {}
    for name, text in (line.split(" ", 1) for line in lines):
        if text.startswith("{"):
            (token,) = json.loads(text)["RefreshToken"].values()
            assert name not in found
            found[name] = token["secret"]
    return found


def kinds(place: Path) -> list[str]:
    return sorted(path.name.split(".")[0] for path in place.iterdir() if path.suffix != ".new")


def test_files_after_a_kill_at_any_change(talk, faults, tmp_path):
    place = tmp_path / "store"
    kills = 0
    while True:
        put_slots(place)
        lines, code = talk(
            place, "load", "save x 1", LD_PRELOAD=str(faults), KILL_AT=str(kills + 1))
        assert tokens(talk, place) == TOKENS
        if code == 0:
            break
        assert code == -9
        kills += 1
        # The next process completes it.
        assert talk(place, "save x 2")[0] == ["."]
        assert tokens(talk, place) == TOKENS
        lines, _ = talk(place, "load")
        assert sorted(lines) == [".", "broken adele", "broken ben", "broken chris", "x 2"]
        assert kinds(place).count("record") == 1 and "index" not in kinds(place)
    # Five files are written and renamed, a damaged slot is moved, and seven are removed.
    assert kills >= 5 * 2 + 1 + 7
    print(f"\nfiles: the takeover killed at each of {kills} changes, nothing lost")


def test_files_while_the_disk_is_full(talk, disk):
    place = Path(disk.store)
    for pages in range(6):
        put_slots(place)
        assert talk(place, "load")[1] == 0
        before = kinds(place)
        disk.fill(room=pages * 4096)
        (line,), _ = talk(place, "save x 1")
        assert line.startswith(".error") == (pages < 3), (pages, line)
        assert tokens(talk, place) == TOKENS
        if pages < 3:
            # An earlier version could go on.
            assert kinds(place) == before
        # Signing out needs no room.
        talk(place, "remove ben")
        rest = {name: token for name, token in TOKENS.items() if name != "ben"}
        assert tokens(talk, place) == rest
        disk.make_room()
        assert talk(place, "remove ben", "save x 1")[0] == [".", "."]
        assert tokens(talk, place) == rest
        assert kinds(place).count("account") == 3 and kinds(place).count("record") == 1
        assert talk(place, "load")[0][-1] == "."
