"""What is removed stays removed after a power failure."""

from pathlib import Path


def test_removed_files_are_removed_on_the_disk(talk, faults, tmp_path):
    """fsync(2): the entry of a file is on the disk after an fsync of its directory."""
    place, log = tmp_path / "store", tmp_path / "calls"
    assert talk(place, "save x 1", "save y 1")[0] == [".", "."]
    done, _ = talk(place, "remove x", LD_PRELOAD=str(faults), CALL_LOG=str(log))
    assert done == ["."]
    calls = [line.split(" ", 1) for line in log.read_text().splitlines()]
    names = [Path(path).name if call == "unlink" else "" for call, path in calls]
    removed = [number for number, name in enumerate(names) if name.startswith("account.")]
    assert len(removed) == 1
    assert ["fsync", str(place)] in calls[removed[0]:]
