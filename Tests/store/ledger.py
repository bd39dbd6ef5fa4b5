"""What a writer said, and what may be in the store after that."""

from dataclasses import dataclass, field


@dataclass
class Entry:
    """A record: `kept` is the generation that was acknowledged last, None when there is none; `open` are
    the outcomes of what was begun after that and not acknowledged."""

    kept: int | None = None
    open: set = field(default_factory=set)


class Ledger:
    def __init__(self):
        self.entries: dict[str, Entry] = {}
        self.acknowledged = 0
        self.failed = 0
        self.removals_refused = 0
        self.losses: list[str] = []
        self.doubles: list[str] = []
        self.strangers: list[str] = []

    def hear(self, lines: list[str], may_fail: bool):
        """Takes in what a writer said, from its start to its end; `may_fail` is whether its disk was made to."""
        last = ""
        for line in lines:
            word, *rest = line.split(" ")
            if word == "saving":
                self.entries.setdefault(rest[0], Entry()).open.add(int(rest[1]))
            elif word == "saved":
                self.acknowledged += 1
                entry = self.entries[rest[0]]
                entry.kept = int(rest[1])
                entry.open = {o for o in entry.open if o is not None and o > entry.kept}
            elif word == "removing":
                self.entries[rest[0]].open.add(None)
            elif word == "removed":
                self.acknowledged += 1
                self.entries[rest[0]] = Entry()
            elif word == "failed":
                self.failed += 1
                self.removals_refused += last == "removing"
            last = word
        # One whose writer was killed meanwhile has not said how it ended.
        self.removals_refused += last == "removing" and may_fail

    def compare(self, found: list[tuple[str, int | None]], when: str):
        """Looks for anything in `found` that may not be there, and for anything that is missing."""
        names = [name for name, _ in found]
        self.doubles += [f"{when}: {name}" for name in set(names) if names.count(name) > 1]
        seen = dict(found)
        self.strangers += [f"{when}: {name}" for name in seen if name not in self.entries]
        for name, entry in self.entries.items():
            generation = seen.get(name)
            if generation == entry.kept:
                continue
            if generation not in entry.open:
                self.losses.append(
                    f"{when}: {name} is {generation}, was {entry.kept}, may be {entry.open}")
            # What was seen once stays.
            entry.kept = generation
            entry.open = {o for o in entry.open if o is not None and o > (generation or 0)}
