#!/usr/bin/python3
"""Checks that the translations are complete: each has a translation of every text, with the same placeholders,
line breaks and mnemonics, without invisible characters, and with paths that stay whole from right to left.

usage: check-translations.py TEMPLATE TRANSLATION...
"""

import re
import sys
import unicodedata

import polib

PLACEHOLDER = re.compile(r"\{\w+\}")
PATH = re.compile(r"\{(?:path|directory|folder)\}")
# What stays left to right between a Latin letter and a path: no brackets and no « ».
LATIN_BEFORE = re.compile(r"""[A-Za-z][ :'"]*$""")


def faults(text: polib.POEntry, entry: polib.POEntry | None) -> list[str]:
    """What is wrong with the translation of a text."""
    if entry is None:
        return ["is missing"]
    if not entry.translated():
        return ["is not translated, or only fuzzily"]
    found = []
    english = text.msgid_plural or text.msgid
    wanted = set(PLACEHOLDER.findall(english))
    # "One day" needs no number.
    optional = {"{count}"} if text.msgid_plural else set()
    for translation in [entry.msgstr] if not text.msgid_plural else entry.msgstr_plural.values():
        placeholders = set(PLACEHOLDER.findall(translation))
        if not wanted - optional <= placeholders <= wanted:
            found.append(f"has other placeholders: {translation}")
        if translation.count("\n") != english.count("\n"):
            found.append(f"has other line breaks: {translation}")
        # An underscore is a mnemonic, or part of a name that stays.
        if translation.count("_") != english.count("_"):
            found.append(f"has no mnemonic, or several: {translation}")
        # The log and notices show direction marks as \u{200f}, so that no text from outside can reverse a line.
        if any(unicodedata.category(character) == "Cf" for character in translation):
            found.append(f"has an invisible character: {translation}")
        if loses_slash(translation):
            found.append(f"needs a Latin letter before a path, as in (path: …): {translation}")
    return found


def loses_slash(translation: str) -> bool:
    """Whether a path in a paragraph from right to left would be shown with its first slash at its end (UAX #9)."""
    filled = PLACEHOLDER.sub("…", PATH.sub("/a/b", translation.replace("{user}", "user")))
    for paragraph in filled.split("\n"):
        kinds = map(unicodedata.bidirectional, paragraph)
        if next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L":
            places = [place.start() for place in re.finditer("/a/b", paragraph)]
            if not all(LATIN_BEFORE.search(paragraph[:place]) for place in places):
                return True
    return False


def main(template: str, translations: list[str]) -> int:
    texts = [text for text in polib.pofile(template) if not text.obsolete]
    number = 0
    for path in translations:
        entries = {(e.msgctxt, e.msgid): e for e in polib.pofile(path) if not e.obsolete}
        for text in texts:
            for fault in faults(text, entries.get((text.msgctxt, text.msgid))):
                print(f"{path}: “{text.msgid}” {fault}")
                number += 1
    print(f"{len(texts)} texts, {len(translations)} translations, {number} faults")
    return 1 if number else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
