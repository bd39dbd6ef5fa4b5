#!/usr/bin/python3
"""Checks that no two things that are on the screen together have the same mnemonic, in English and in each translation:
the items of a menu, and the buttons, rows and titles of a page or dialog.

Pages of a stack, and of the preferences, are never seen together. The same text twice does the same.

usage: check-mnemonics.py
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import polib

UI = Path("data/ui")
SOURCES = Path("Sources")

# What a page gets in the program: other files, or `file#widget`, with the place where they are put, and sources whose
# texts it shows; those of several are not seen together.
PARTS = {
    "account-page": ([("long-text-view", "")], ["Entrance/Window/NoticeList.swift"]),
    "activity-page": ([("long-text-view", "")], []),
    "entry-dialog": ([], [
        "Entrance/Accounts/OrganizationDialog.swift", "EntranceKit/Storage/PassphraseModel.swift",
        "WebSignIn/Window/PasteDialog.swift",
    ]),
    "explorer-page": ([
        ("explorer-answer", "answer_box"), ("explorer-body", "body_place"),
        ("explorer-differences", "link_place"), ("explorer-download", "link_place"),
        ("explorer-filter", "filter_place"),
        ("explorer-line", "link_place"), ("explorer-query", "query_place"), ("explorer-saved", "lists"),
        ("explorer-saved#saved_state", "saved_place"), ("long-text-view", "raw_place"),
    ], []),
    "programs-window": ([], ["Entrance/Programs/ProgramRowView.swift"]),
}

# What a button says at times.
TEXTS = {"explorer-page": ["_Cancel"]}

# Notices have mnemonics on the account page alone. If there are several, their mnemonics go from one to the next.
NOTICES = [
    "Account/SignOutModel.swift", "Connections/Notice+Connections.swift", "Failures/ClockCheck.swift",
    "Failures/NetworkStatus.swift", "Failures/Notice+Failure.swift", "Storage/Notice+Storage.swift",
    "Window/Notice.swift",
]

# Only one of them is there, with the reason.
NEVER_TOGETHER = [
    # While something is done, the ways to sign in are not offered.
    {"_Cancel", "Use a _Code"},
    # The same button.
    {"S_end", "_Cancel"},
    {"_Close", "_Cancel"},
    # A failure is told in one notice.
    {"_Use Another Account", "Copy Redirect _URI"},
    # A passphrase is set, or entered.
    {"_Set", "_Unlock"},
]

MARK = re.compile(r"_(?=\w)")


@dataclass
class Item:
    """A text with a mnemonic."""

    text: str
    # Where it is: which page of which stack.
    path: dict[object, object] = field(default_factory=dict)

    def can_be_seen_with(self, other: "Item") -> bool:
        if self.text == other.text or {self.text, other.text} in NEVER_TOGETHER:
            return False
        return all(other.path.get(stack, page) == page for stack, page in self.path.items())


def text_of(node: ElementTree.Element, tag: str) -> str | None:
    """The text of a widget's or a menu item's label or title that has a mnemonic."""
    for child in node.findall(tag):
        if child.get("name") in ("label", "title") and MARK.search(child.text or ""):
            return child.text
    return None


def in_menu(node: ElementTree.Element) -> Iterator[tuple[str, list[Item]]]:
    """The items of a menu with its sections, and those of each submenu."""
    items: list[Item] = []

    def collect(part: ElementTree.Element):
        for child in part:
            text = text_of(child, "attribute")
            if text and child.tag in ("item", "submenu"):
                items.append(Item(text))
            if child.tag == "section":
                yield from collect(child)
            elif child.tag == "submenu":
                yield from in_menu(child)

    inner = list(collect(node))
    yield node.get("id", "submenu"), items
    yield from inner


def in_widget(
        node: ElementTree.Element, path: dict[object, object], places: dict[str, dict[object, object]]) -> Iterator[Item]:
    """The items in a widget; `places` gets the paths of those with an ID."""
    page = 0
    for child in node:
        inner = path
        if child.tag == "child" and node.tag == "object":
            shown = child.find("object")
            kind = "" if shown is None else shown.get("class")
            if kind in ("GtkStackPage", "AdwPreferencesPage"):
                page += 1
                inner = path | {node: page}
        if child.tag == "object":
            if child.get("id"):
                places[child.get("id")] = path
            uses = any(p.get("name") == "use-underline" and p.text == "True" for p in child.findall("property"))
            text = text_of(child, "property")
            if uses and text:
                # The title of a page is seen with all others.
                whole = child.get("class") == "AdwPreferencesPage"
                yield Item(text, {} if whole else path)
        yield from in_widget(child, inner, places)


def in_source(path: Path, stack: str = "") -> Iterator[list[Item]]:
    """The items in each member of Swift; those of private ones belong to the first.

    Only one of the members is seen at a time if they are pages of a `stack`.
    """
    parts = [""]
    for part in re.split(r"^(?=  (?:\w+ )*(?:func|var|init)\b)", path.read_text(), flags=re.MULTILINE):
        if part.startswith("  private "):
            parts[0] += part
        else:
            parts.append(part)
    for number, part in enumerate(parts):
        yield [
            Item(found, {stack: (path, number)} if stack else {})
            for found in re.findall(r'\btr\(\s*"([^"\\]*_\w[^"\\]*)"\)', part)]


def groups() -> Iterator[tuple[str, list[Item]]]:
    """What may be seen together, with a name."""
    widgets: dict[str, list[Item]] = {}
    places: dict[str, dict[str, dict[object, object]]] = {}
    for path in sorted(UI.glob("*.ui")):
        tree = ElementTree.parse(path).getroot()
        for menu in tree.findall("menu"):
            for name, items in in_menu(menu):
                yield f"{path}: {name}", items
        places[path.stem] = {}
        for number, node in enumerate(tree.findall("object")):
            wrapper = ElementTree.Element("interface")
            wrapper.append(node)
            items = list(in_widget(wrapper, {}, places[path.stem]))
            name = f"{path.stem}#{node.get('id')}" if number else path.stem
            places.setdefault(name, {})
            widgets[name] = items
    for name, items in widgets.items():
        parts, sources = PARTS.get(name, ([], []))
        known = dict(places[name])
        for part, place in parts:
            known |= {other: known.get(place, {}) | path for other, path in places[part].items()}
            items = items + [
                Item(item.text, known.get(place, {}) | item.path) for item in widgets[part]]
        for source in sources:
            items = items + [Item(item.text, {"source": source}) for item in sum(in_source(SOURCES / source), [])]
        items = items + [Item(text) for text in TEXTS.get(name, [])]
        if name == "account-page":
            for source in NOTICES:
                items = sum(in_source(SOURCES / "EntranceKit" / source, "notices"), items)
        stem, _, node = name.partition("#")
        yield str(UI / f"{stem}.ui") + (f": {node}" if node else ""), items
    used = {source for _, sources in PARTS.values() for source in sources}
    used |= {f"EntranceKit/{source}" for source in NOTICES}
    for path in sorted(SOURCES.rglob("*.swift")):
        if str(path.relative_to(SOURCES)) not in used:
            for items in in_source(path):
                if items:
                    yield str(path), items


def mnemonic(text: str) -> str | None:
    found = MARK.search(text)
    return text[found.end()].casefold() if found else None


def catalogs() -> dict[str, dict[str, str]]:
    """The translation of each text, by language."""
    return {"en": {}} | {
        path.stem: {entry.msgid: entry.msgstr for entry in polib.pofile(str(path)) if not entry.obsolete}
        for path in sorted(Path("po").glob("*.po"))}


def faults() -> Iterator[tuple[str, str, str, str]]:
    """The place, the language and the two texts of each mnemonic that two things have."""
    languages = catalogs()
    for where, items in groups():
        for one, other in combinations(items, 2):
            if not one.can_be_seen_with(other):
                continue
            for language, texts in languages.items():
                first, second = (texts.get(item.text) or item.text for item in (one, other))
                if first != second and mnemonic(first) is not None and mnemonic(first) == mnemonic(second):
                    yield where, language, first, second


def main() -> int:
    found = sorted(set(faults()))
    for where, language, one, other in found:
        print(f"{where}, {language}: “{one}” and “{other}”")
    print(f"{len(list(groups()))} groups, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
